// SPDX-License-Identifier: MIT OR Apache-2.0
//! The serial bus SPI0 `[BCM2711 9]`, `[HW 8.3]`, as `embedded-hal`'s `SpiBus` and `SpiDevice`.
//!
//! A byte that is sent is a byte that is received. The controller has a FIFO of 64 bytes either way and stops the clock
//! while the receive FIFO is full, so nothing is ever lost; this driver keeps no more than 64 bytes on their way, so it
//! never even stops.
//!
//! A bus polls or sleeps ([`Wait`]). Polling, each byte has to come within twice the time it takes and a millisecond; asleep,
//! the interrupt after each FIFO. A task may be preempted meanwhile: the clock rests, and the device waits. With either,
//! [`ByDma`] leaves the bytes of a transfer to two DMA channels.
//!
//! **The serial clock follows the core clock**: `core_freq_min` or `force_turbo` in `config.txt` keeps it still `[HW 1.5]`.

mod by_dma;
mod device;
mod divider;
mod error;
mod exchange;
mod registers;

pub use by_dma::ByDma;
pub use device::{Device, Line, SelectPin};
pub use divider::{Divider, FrequencyError};
pub use error::Error;
pub use registers::{Port, SpiRegisters};

use embedded_hal::spi::{ErrorType, MODE_0, Mode, Phase, Polarity, SpiBus};

use tock_registers::LocalRegisterCopy;

use crate::clock::{Clock, Deadline};
use crate::wait::{Polling, Wait};
use registers::CS;

/// How long the controller may stand still, beyond the time a byte takes, in µs.
const PATIENCE_US: u64 = 1_000;

/// How bits look on the wire. The default is mode 0 at 1 MHz at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// The fastest serial clock that the device takes, in Hz, from core / 65536 to core / 2.
    pub frequency_hz: u32,
    /// Polarity and phase.
    pub mode: Mode,
}

impl Default for Config {
    fn default() -> Self {
        Self { frequency_hz: 1_000_000, mode: MODE_0 }
    }
}

/// The bus. It has one owner, and keeps its pins until it gives them back.
#[derive(Debug)]
pub struct Spi<P, T, Pins, W = Polling> {
    port: P,
    clock: T,
    pins: Pins,
    wait: W,
    /// The bits of `CS` that stay, and how long a byte may take; `None` before the bus is enabled.
    settings: Option<Settings>,
    line: Option<Line>,
}

#[derive(Clone, Copy, Debug)]
struct Settings {
    mode: u32,
    byte_us: u64,
}

impl<P: Port, T: Clock, Pins> Spi<P, T, Pins> {
    /// A driver for these registers that polls, with the clock that bounds its waits. Usable after [`Spi::enable`].
    ///
    /// The pins are those that the caller has given to the device: what stands for them is kept, and nothing else done to
    /// it.
    #[must_use]
    pub const fn new(port: P, clock: T, pins: Pins) -> Self {
        Self::waiting_by(port, clock, pins, Polling)
    }
}

impl<P: Port, T: Clock, Pins, W: Wait> Spi<P, T, Pins, W> {
    /// As [`Spi::new`], but it waits by `wait`.
    #[must_use]
    pub const fn waiting_by(port: P, clock: T, pins: Pins, wait: W) -> Self {
        Self { port, clock, pins, wait, settings: None, line: None }
    }

    /// How it waits.
    pub const fn wait(&self) -> &W {
        &self.wait
    }

    /// Ends the bus, which is at rest between transfers, and gives back its pins.
    pub fn release(self) -> Pins {
        self.pins
    }

    /// Sets clock and mode, empties the FIFOs and masks the interrupts; returns the divider with the clock it makes. May be
    /// called again, for another device.
    ///
    /// `core_hz` is the core clock as the firmware reports it: 500 MHz on the board by default, 350 MHz in QEMU `[HW 12]`.
    ///
    /// # Errors
    /// A frequency that cannot be made; then nothing was changed.
    pub fn enable(&mut self, config: &Config, core_hz: u32) -> Result<Divider, FrequencyError> {
        let divider = Divider::for_frequency(core_hz, config.frequency_hz)?;
        let polarity = if config.mode.polarity == Polarity::IdleHigh { CS::CPOL::SET } else { CS::CPOL::CLEAR };
        let phase = if config.mode.phase == Phase::CaptureOnSecondTransition { CS::CPHA::SET } else { CS::CPHA::CLEAR };
        let mode = polarity.value | phase.value;
        self.settings = Some(Settings { mode, byte_us: divider.byte_us() });
        self.line = None;
        self.port.set_cs(self.resting());
        self.port.set_clk(divider.register());
        Ok(divider)
    }

    /// Asserts the line, if there is one, and lets transfers begin.
    fn begin(&mut self, line: Option<Line>) -> Result<(), Error> {
        if self.settings.is_none() {
            return Err(Error::NotEnabled);
        }
        self.line = line;
        self.port.set_cs(self.resting());
        self.port.set_cs(self.active());
        Ok(())
    }

    /// Releases the line when the last clock has passed, or at once where something went wrong, and passes the outcome on.
    fn end(&mut self, outcome: Result<(), Error>) -> Result<(), Error> {
        let outcome = outcome.and_then(|()| self.flush_active());
        self.port.set_cs(self.resting() | CS::DONE::SET.value);
        outcome
    }

    /// Waits until the last clock has passed.
    fn flush_active(&self) -> Result<(), Error> {
        let port = &self.port;
        // A DMA channel's last word may have taken TA back [BCM2711 9.5]; then it has passed, too.
        let is_over = || {
            let cs = status(port);
            cs.is_set(CS::DONE) || !cs.is_set(CS::TA)
        };
        if self.deadline(1).wait_until(&self.clock, is_over) { Ok(()) } else { Err(Error::NotDone) }
    }

    /// How long so many bytes may take, in µs.
    fn patience_us(&self, bytes: u64) -> u64 {
        let byte_us = self.settings.map_or(0, |settings| settings.byte_us);
        byte_us.saturating_mul(bytes).saturating_mul(2).saturating_add(PATIENCE_US)
    }

    fn deadline(&self, bytes: u64) -> Deadline {
        Deadline::after_us(&self.clock, self.patience_us(bytes))
    }

    /// `CS` while a transfer is active.
    fn active(&self) -> u32 {
        self.chosen() | CS::TA::SET.value
    }

    /// `CS` between transfers; the write of it empties the FIFOs.
    fn resting(&self) -> u32 {
        self.chosen() | CS::CLEAR::Both.value
    }

    /// The mode and the chip select line.
    fn chosen(&self) -> u32 {
        let line = match self.line {
            Some(Line::Zero) => CS::CS::Zero,
            Some(Line::One) => CS::CS::One,
            None => CS::CS::Neither,
        };
        line.value | self.settings.map_or(0, |settings| settings.mode)
    }
}

/// What `CS` tells.
fn status(port: &impl Port) -> LocalRegisterCopy<u32, CS::Register> {
    LocalRegisterCopy::new(port.cs())
}

impl<P, T, Pins, W> ErrorType for Spi<P, T, Pins, W> {
    type Error = Error;
}

/// The bus alone: none of the controller's chip select lines is asserted. Each call returns when its last clock has passed.
impl<P: Port, T: Clock, Pins, W: Wait> SpiBus for Spi<P, T, Pins, W> {
    fn read(&mut self, words: &mut [u8]) -> Result<(), Error> {
        self.transfer(words, &[])
    }

    fn write(&mut self, words: &[u8]) -> Result<(), Error> {
        self.transfer(&mut [], words)
    }

    fn transfer(&mut self, read: &mut [u8], write: &[u8]) -> Result<(), Error> {
        if read.is_empty() && write.is_empty() {
            return Ok(());
        }
        self.begin(None)?;
        let done = self.exchange(read, write);
        self.end(done)
    }

    fn transfer_in_place(&mut self, words: &mut [u8]) -> Result<(), Error> {
        if words.is_empty() {
            return Ok(());
        }
        self.begin(None)?;
        let done = self.exchange_in_place(words);
        self.end(done)
    }

    /// Nothing to do: see above.
    fn flush(&mut self) -> Result<(), Error> {
        Ok(())
    }
}
