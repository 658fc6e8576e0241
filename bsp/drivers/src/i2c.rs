// SPDX-License-Identifier: MIT OR Apache-2.0
//! The two-wire bus of a BSC, on this board BSC1 on GPIO2 and 3 `[BCM2711 3]`, `[HW 8.4]`, as `embedded-hal`'s `I2c`.
//!
//! What the controller can do of a transaction: a write, a read, or a write and a read with a repeated start between them;
//! adjacent operations of a kind are one transfer, of up to 65535 bytes. It ends every read with a stop, so a write after a
//! read is refused.
//!
//! The repeated start is made as Linux makes it: the read is asked for while the last byte of the write is still on the wire.
//! **A task that is held up at this place** for longer than a byte takes (22 µs at 400 kHz) comes too late: the controller
//! sends a stop and then a start, which most devices take for the same. [`I2c::bus_releases`] counts how often. QEMU has no
//! wire and always does so.
//!
//! A bus polls or sleeps ([`Wait`]): until the FIFO of 16 bytes is to be read or written, or the transfer is done. Nothing is
//! waited for longer than two FIFOs take, the time that the device may stretch the clock, and a millisecond, unless bytes
//! go over the bus meanwhile. No sleep lies between the last byte of a write and the repeated start.
//!
//! On earlier Pis a device that stretches the clock at certain points of a transfer garbled it, and reports of Pi 4 say the
//! same `[HW 8.4]`. Devices known to stretch, microcontrollers mostly, are for a slow clock (10 kHz) or another bus.

mod error;
mod plan;
mod registers;
mod timing;
mod transfer;

pub use error::Error;
pub use registers::{I2cRegisters, Port};
pub use timing::{Timing, TimingError};

use embedded_hal::i2c::{ErrorType, I2c as I2cBus, Operation};

use crate::clock::{Clock, Deadline};
use crate::wait::{Polling, Wait};
use plan::Plan;
use registers::{C, S, S_CLEAR, Status};
use transfer::Transfer;

/// How long nothing may happen, beyond what the bus itself takes, in µs.
const PATIENCE_US: u64 = 1_000;
/// A byte with its acknowledgement, a start and a stop, in clocks of SCL, and some.
const BYTE_CLOCKS: u32 = 20;
/// The bytes that fit into the FIFO `[HW 8.4]`.
const FIFO_BYTES: u32 = 16;
/// What may be on its way before the controller has something to tell: the end of a write and the beginning of a read, a
/// FIFO each, in clocks of SCL, and some.
const FIFOS_CLOCKS: u32 = 2 * FIFO_BYTES * 9 + 2 * BYTE_CLOCKS;

/// How the bus behaves. The default is 100 kHz at most, and devices that stretch the clock for 25 ms at most, as SMBus
/// allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// The fastest clock that all devices take, in Hz, usually 100,000 or 400,000.
    pub frequency_hz: u32,
    /// How long a device may hold the clock down, in µs; at most 65535 clocks.
    pub stretch_limit_us: u32,
}

impl Default for Config {
    fn default() -> Self {
        Self { frequency_hz: 100_000, stretch_limit_us: 25_000 }
    }
}

/// The bus. It has one owner, and keeps its pins until it gives them back.
#[derive(Debug)]
pub struct I2c<P, T, Pins, W = Polling> {
    port: P,
    clock: T,
    pins: Pins,
    wait: W,
    settings: Option<Settings>,
    bus_releases: u32,
}

#[derive(Clone, Copy, Debug)]
struct Settings {
    patience_us: u64,
    byte_us: u64,
}

impl<P: Port, T: Clock, Pins> I2c<P, T, Pins> {
    /// A driver for these registers that polls, with the clock that bounds its waits. Usable after [`I2c::enable`].
    ///
    /// The pins are those that the caller has given to the device: what stands for them is kept, and nothing else done to
    /// it.
    #[must_use]
    pub const fn new(port: P, clock: T, pins: Pins) -> Self {
        Self::waiting_by(port, clock, pins, Polling)
    }
}

impl<P: Port, T: Clock, Pins, W: Wait> I2c<P, T, Pins, W> {
    /// As [`I2c::new`], but it waits by `wait`.
    #[must_use]
    pub const fn waiting_by(port: P, clock: T, pins: Pins, wait: W) -> Self {
        Self { port, clock, pins, wait, settings: None, bus_releases: 0 }
    }

    /// How it waits.
    pub const fn wait(&self) -> &W {
        &self.wait
    }

    /// Ends the bus, which is at rest between transactions, and gives back its pins.
    pub fn release(self) -> Pins {
        self.pins
    }

    /// Sets the timing and brings the controller to rest; returns the timing with the clock it makes. May be called again.
    ///
    /// `core_hz` is the core clock as the firmware reports it: 500 MHz on the board by default, 350 MHz in QEMU `[HW 12]`.
    ///
    /// # Errors
    /// A timing that the registers cannot hold; then nothing was changed.
    pub fn enable(&mut self, config: &Config, core_hz: u32) -> Result<Timing, TimingError> {
        let timing = Timing::new(core_hz, config.frequency_hz, config.stretch_limit_us)?;
        let byte_us = timing.clocks_us(BYTE_CLOCKS);
        let fifos_us = timing.clocks_us(FIFOS_CLOCKS);
        let patience_us = fifos_us.saturating_add(u64::from(config.stretch_limit_us)).saturating_add(PATIENCE_US);
        self.settings = Some(Settings { patience_us, byte_us });
        self.rest();
        self.port.set_timing(timing.div(), timing.del(), timing.clkt());
        Ok(timing)
    }

    /// How often the bus was released between the write and the read of a transaction, because the task was held up there
    /// or because this is QEMU. It wraps.
    #[must_use]
    pub const fn bus_releases(&self) -> u32 {
        self.bus_releases
    }

    /// Empties the FIFO, clears the flags and disables the controller.
    fn rest(&mut self) {
        self.port.set_c(C::CLEAR::SET.value);
        self.port.clear_s(S_CLEAR::ALL::ClktErrDone.value);
    }

    /// Starts a transfer.
    fn start(&mut self, transfer: &Transfer) {
        self.port.set_a(u32::from(transfer.address));
        self.port.set_dlen(transfer.bytes);
        // The interrupts are chosen here and not changed: a write of `C` would start another transfer.
        let requests = if W::IS_BY_INTERRUPT { transfer.requests() } else { 0 };
        self.port.set_c(C::I2CEN::SET.value | C::ST::SET.value | transfer.direction() | requests);
    }

    /// Waits until `is_so` of the status. It is not so yet, as far as one can know: a bus that sleeps does so before it looks.
    fn wait_until(&mut self, transfer: &Transfer, is_so: impl Fn(Status) -> bool) -> Result<(), Error> {
        let mut left_bytes = self.port.dlen();
        // A device that stretches each byte takes long, but it gets on: DLEN counts down, and jumps where a read follows a
        // write. More often than this it cannot change.
        for _ in 0..=transfer.bytes.saturating_add(FIFO_BYTES) {
            if self.wait_patiently(transfer, &is_so)? {
                return Ok(());
            }
            let before_bytes = core::mem::replace(&mut left_bytes, self.port.dlen());
            if left_bytes == before_bytes {
                break;
            }
        }
        Err(Error::TimedOut { address: transfer.address, left_bytes })
    }

    /// Waits for what is so within the bus's patience, and answers whether it was.
    fn wait_patiently(&mut self, transfer: &Transfer, is_so: impl Fn(Status) -> bool) -> Result<bool, Error> {
        let patience_us = self.settings.map_or(0, |settings| settings.patience_us);
        let deadline = Deadline::after_us(&self.clock, patience_us);
        loop {
            let is_last_look = deadline.has_passed(&self.clock);
            let is_missed = !is_last_look && !self.wait.sleep(patience_us);
            if is_missed && transfer.look(&self.port, |s| transfer.is_requesting(s))? {
                return Err(Error::NoInterrupt { address: transfer.address });
            }
            let is_well = transfer.look(&self.port, &is_so)?;
            if is_well || is_last_look || is_missed {
                return Ok(is_well);
            }
        }
    }

    /// As [`Self::wait_until`], where it may be so already.
    fn look_or_wait(&mut self, transfer: &Transfer, is_so: impl Fn(Status) -> bool) -> Result<(), Error> {
        if transfer.look(&self.port, &is_so)? { Ok(()) } else { self.wait_until(transfer, is_so) }
    }

    /// Sends what the writes hold.
    fn send(&mut self, transfer: &Transfer, operations: &[Operation<'_>]) -> Result<(), Error> {
        // The FIFO stays empty until the transfer is active: else a repeated start could not follow [HW 8.4].
        self.look_or_wait(transfer, |s| s.is_set(S::TA) || s.is_set(S::DONE))?;
        for operation in operations {
            let Operation::Write(bytes) = operation else { continue };
            for &byte in *bytes {
                self.look_or_wait(transfer, |s| s.is_set(S::TXD))?;
                self.port.put(byte);
            }
        }
        Ok(())
    }

    /// Receives what the reads have room for.
    fn receive(&mut self, transfer: &Transfer, operations: &mut [Operation<'_>]) -> Result<(), Error> {
        self.wait_until(transfer, |s| s.is_set(S::RXD))?;
        for operation in operations {
            let Operation::Read(bytes) = operation else { continue };
            for place in bytes.iter_mut() {
                self.look_or_wait(transfer, |s| s.is_set(S::RXD))?;
                *place = self.port.take();
            }
        }
        Ok(())
    }

    /// Asks for the read while the write's last byte is on the wire.
    fn repeat_start(&mut self, read: &Transfer) {
        if Status::new(self.port.s()).is_set(S::DONE) {
            self.bus_releases = self.bus_releases.wrapping_add(1);
            self.port.clear_s(S_CLEAR::ALL::Done.value);
        }
        self.start(read);
    }

    fn run(&mut self, address: u8, plan: Plan, operations: &mut [Operation<'_>]) -> Result<(), Error> {
        let to_write = |bytes| Transfer { address, bytes, is_read: false };
        let to_read = |bytes| Transfer { address, bytes, is_read: true };
        let is_done = |s: Status| s.is_set(S::DONE) && !s.is_set(S::TA);
        match plan {
            Plan::Nothing => Ok(()),
            Plan::Write(bytes) => {
                let write = to_write(bytes);
                self.start(&write);
                self.send(&write, operations)?;
                self.wait_until(&write, is_done)
            }
            Plan::Read(bytes) => {
                let read = to_read(bytes);
                self.start(&read);
                self.receive(&read, operations)?;
                self.look_or_wait(&read, is_done)
            }
            Plan::WriteRead(write_bytes, read_bytes) => {
                let (write, read) = (to_write(write_bytes), to_read(read_bytes));
                self.start(&write);
                self.send(&write, operations)?;
                self.repeat_start(&read);
                self.receive(&read, operations)?;
                self.look_or_wait(&read, is_done)
            }
        }
    }
}

impl<P, T, Pins, W> ErrorType for I2c<P, T, Pins, W> {
    type Error = Error;
}

impl<P: Port, T: Clock, Pins, W: Wait> I2cBus for I2c<P, T, Pins, W> {
    fn transaction(&mut self, address: u8, operations: &mut [Operation<'_>]) -> Result<(), Error> {
        let Some(settings) = self.settings else { return Err(Error::NotEnabled) };
        if address > 0x7F {
            return Err(Error::Address { address });
        }
        let plan = Plan::of(operations)?;
        self.rest();
        let done = self.run(address, plan, operations);
        if done.is_err() {
            // The controller sends its stop. In QEMU it stays active after a refused address, hence no word about that.
            let port = &self.port;
            let _ = Deadline::after_us(&self.clock, settings.byte_us)
                .wait_until(&self.clock, || !Status::new(port.s()).is_set(S::TA));
        }
        self.rest();
        done
    }
}
