// SPDX-License-Identifier: MIT OR Apache-2.0
//! The serial bus SPI0 `[BCM2711 9]`, `[HW 8.3]`, as `embedded-hal`'s `SpiBus` and `SpiDevice`.
//!
//! A byte that is sent is a byte that is received. The controller has a FIFO of 64 bytes either way and stops the clock
//! while the receive FIFO is full, so nothing is ever lost; this driver keeps no more than 64 bytes on their way, so it
//! never even stops.
//!
//! Transfers poll, and each byte has to come within the time it takes and a millisecond. A task may be preempted meanwhile:
//! the clock rests, and the device waits. [`Spi::transfer_waiting`] sleeps instead, a FIFO at a time.
//!
//! **The serial clock follows the core clock**: `core_freq_min` or `force_turbo` in `config.txt` keeps it still `[HW 1.5]`.

mod device;
mod divider;
mod error;
mod registers;

pub use device::{Device, Line, SelectPin};
pub use divider::{Divider, FrequencyError};
pub use error::Error;
pub use registers::{Port, SpiRegisters};

use embedded_hal::spi::{ErrorType, MODE_0, Mode, Phase, Polarity, SpiBus};

use tock_registers::LocalRegisterCopy;

use crate::clock::{Clock, Deadline};
use registers::CS;

/// The bytes that fit into each FIFO `[HW 8.3]`.
const FIFO_BYTES: usize = 64;
/// How long the controller may stand still, beyond the time a byte takes, in µs.
const PATIENCE_US: u64 = 1_000;
/// How often a sleeping transfer may be woken in a row with nothing done.
const IDLE_WAKES: u32 = 8;
/// What is sent where there is nothing to send.
const FILLER: u8 = 0;

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
pub struct Spi<P, T, Pins> {
    port: P,
    clock: T,
    pins: Pins,
    /// The bits of `CS` that stay, and how long a byte may take; `None` before the bus is enabled.
    settings: Option<Settings>,
    line: Option<Line>,
}

#[derive(Clone, Copy, Debug)]
struct Settings {
    mode: u32,
    patience_us: u64,
}

impl<P: Port, T: Clock, Pins> Spi<P, T, Pins> {
    /// A driver for these registers, with the clock that bounds its waits. Usable after [`Spi::enable`].
    ///
    /// The pins are those that the caller has given to the device: what stands for them is kept, and nothing else done to
    /// it.
    #[must_use]
    pub const fn new(port: P, clock: T, pins: Pins) -> Self {
        Self { port, clock, pins, settings: None, line: None }
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
        self.settings =
            Some(Settings { mode, patience_us: divider.byte_us().saturating_mul(2).saturating_add(PATIENCE_US) });
        self.line = None;
        self.port.set_cs(self.resting());
        self.port.set_clk(divider.register());
        Ok(divider)
    }

    /// As `SpiBus::transfer`, but the caller's `wait` lets the task sleep while up to 64 bytes are under way: it returns
    /// when the interrupt has come, whose handler called [`silence`], or at a deadline of the caller's. The bytes of a FIFO
    /// take 576 clocks, 58 µs at 10 MHz.
    ///
    /// A sleep with nothing done is repeated some times, so a sleep that has a deadline bounds the transfer.
    ///
    /// # Errors
    /// [`Error::NotEnabled`], or [`Error::TimedOut`] where it was woken in vain too often.
    pub fn transfer_waiting(&mut self, read: &mut [u8], write: &[u8], mut wait: impl FnMut()) -> Result<(), Error> {
        let bytes = read.len().max(write.len());
        if bytes == 0 {
            return Ok(());
        }
        self.begin(None)?;
        let mut under_way = UnderWay { sent: 0, received: 0, bytes };
        let mut idle_wakes = 0_u32;
        while !under_way.is_done() {
            while under_way.can_send() && status(&self.port).is_set(CS::TXD) {
                self.port.put(write.get(under_way.sent).copied().unwrap_or(FILLER));
                under_way.sent = under_way.sent.saturating_add(1);
            }
            self.port.set_cs(self.active() | CS::INTD::SET.value);
            wait();
            let before = under_way.received;
            while under_way.can_receive() && status(&self.port).is_set(CS::RXD) {
                let byte = self.port.take();
                under_way.receive(read, byte);
            }
            idle_wakes = if under_way.received == before { idle_wakes.saturating_add(1) } else { 0 };
            if idle_wakes > IDLE_WAKES {
                return self.end(Err(under_way.timed_out()));
            }
        }
        self.end(Ok(()))
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
        if self.deadline().wait_until(&self.clock, || status(port).is_set(CS::DONE)) {
            return Ok(());
        }
        Err(Error::NotDone)
    }

    /// Sends and receives at once, as many bytes as the longer of the two has.
    fn exchange(&mut self, read: &mut [u8], write: &[u8]) -> Result<(), Error> {
        let bytes = read.len().max(write.len());
        self.run(bytes, read, |_, at| write.get(at).copied().unwrap_or(FILLER))
    }

    /// Sends the words and receives into them: what is sent is always ahead of what is received.
    fn exchange_in_place(&mut self, words: &mut [u8]) -> Result<(), Error> {
        self.run(words.len(), words, |words, at| words.get(at).copied().unwrap_or(FILLER))
    }

    /// The loop of all polling transfers.
    fn run(&mut self, bytes: usize, read: &mut [u8], byte: impl Fn(&[u8], usize) -> u8) -> Result<(), Error> {
        let mut under_way = UnderWay { sent: 0, received: 0, bytes };
        let mut deadline = self.deadline();
        let mut is_last_look = false;
        while !under_way.is_done() {
            let cs = status(&self.port);
            let is_received = under_way.can_receive() && cs.is_set(CS::RXD);
            if is_received {
                let byte = self.port.take();
                under_way.receive(read, byte);
            }
            let is_sent = under_way.can_send() && cs.is_set(CS::TXD);
            if is_sent {
                self.port.put(byte(read, under_way.sent));
                under_way.sent = under_way.sent.saturating_add(1);
            }
            if is_received || is_sent {
                deadline = self.deadline();
                is_last_look = false;
            } else if is_last_look {
                return Err(under_way.timed_out());
            } else {
                // One look more after the deadline, for a task that was held up.
                is_last_look = deadline.has_passed(&self.clock);
            }
        }
        Ok(())
    }

    fn deadline(&self) -> Deadline {
        Deadline::after_us(&self.clock, self.settings.map_or(PATIENCE_US, |settings| settings.patience_us))
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

/// Takes the interrupt request back, so that the line falls; the transfer goes on. Called by the handler of the interrupt
/// for which [`Spi::transfer_waiting`] sleeps.
pub fn silence(port: &mut impl Port) {
    let keep = CS::TA::SET.value | CS::CPOL::SET.value | CS::CPHA::SET.value | CS::CS::Neither.value;
    port.set_cs(port.cs() & keep);
}

/// What `CS` tells.
fn status(port: &impl Port) -> LocalRegisterCopy<u32, CS::Register> {
    LocalRegisterCopy::new(port.cs())
}

/// How far a transfer has come.
struct UnderWay {
    sent: usize,
    received: usize,
    bytes: usize,
}

impl UnderWay {
    const fn is_done(&self) -> bool {
        self.received >= self.bytes
    }

    /// Whether a byte is left to be sent that the receive FIFO will have room for.
    const fn can_send(&self) -> bool {
        self.sent < self.bytes && self.sent.saturating_sub(self.received) < FIFO_BYTES
    }

    const fn can_receive(&self) -> bool {
        self.received < self.sent
    }

    /// Keeps a byte where there is room for it.
    fn receive(&mut self, read: &mut [u8], byte: u8) {
        if let Some(place) = read.get_mut(self.received) {
            *place = byte;
        }
        self.received = self.received.saturating_add(1);
    }

    const fn timed_out(&self) -> Error {
        Error::TimedOut { received_bytes: self.received, bytes: self.bytes }
    }
}

impl<P, T, Pins> ErrorType for Spi<P, T, Pins> {
    type Error = Error;
}

/// The bus alone: none of the controller's chip select lines is asserted. Each call returns when its last clock has passed.
impl<P: Port, T: Clock, Pins> SpiBus for Spi<P, T, Pins> {
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
