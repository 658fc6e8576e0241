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
//! Transfers poll, and each byte has to come within the time that the device may stretch the clock, and a millisecond.
//!
//! On earlier Pis a device that stretches the clock at certain points of a transfer garbled it, and reports of Pi 4 say the
//! same `[HW 8.4]`. Devices known to stretch, microcontrollers mostly, are for a slow clock (10 kHz) or another bus.

mod error;
mod plan;
mod registers;
mod timing;

pub use error::Error;
pub use registers::{I2cRegisters, Port};
pub use timing::{Timing, TimingError};

use embedded_hal::i2c::{ErrorType, I2c as I2cBus, Operation};
use tock_registers::LocalRegisterCopy;

use crate::clock::{Clock, Deadline};
use plan::Plan;
use registers::{C, S, S_CLEAR};

/// How long nothing may happen, beyond what the bus itself takes, in µs.
const PATIENCE_US: u64 = 1_000;
/// A byte with its acknowledgement, a start and a stop, in clocks of SCL, and some.
const BYTE_CLOCKS: u32 = 20;

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
pub struct I2c<P, T, Pins> {
    port: P,
    clock: T,
    pins: Pins,
    settings: Option<Settings>,
    bus_releases: u32,
}

#[derive(Clone, Copy, Debug)]
struct Settings {
    patience_us: u64,
    byte_us: u64,
}

impl<P: Port, T: Clock, Pins> I2c<P, T, Pins> {
    /// A driver for these registers, with the clock that bounds its waits. Usable after [`I2c::enable`].
    ///
    /// The pins are those that the caller has given to the device: what stands for them is kept, and nothing else done to
    /// it.
    #[must_use]
    pub const fn new(port: P, clock: T, pins: Pins) -> Self {
        Self { port, clock, pins, settings: None, bus_releases: 0 }
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
        let patience_us = byte_us.saturating_add(u64::from(config.stretch_limit_us)).saturating_add(PATIENCE_US);
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
    fn start(&mut self, address: u8, bytes: u32, is_read: bool) {
        self.port.set_a(u32::from(address));
        self.port.set_dlen(bytes);
        let direction = if is_read { C::READ::SET.value } else { 0 };
        self.port.set_c(C::I2CEN::SET.value | C::ST::SET.value | direction);
    }

    /// Waits until `is_so` of the status, which ends with an error as soon as the controller tells one.
    fn wait(
        &mut self,
        transfer: &Transfer,
        is_so: impl Fn(LocalRegisterCopy<u32, S::Register>) -> bool,
    ) -> Result<(), Error> {
        let patience_us = self.settings.map_or(0, |settings| settings.patience_us);
        let port = &self.port;
        let mut found = status(port);
        let is_in_time = Deadline::after_us(&self.clock, patience_us).wait_until(&self.clock, || {
            found = status(port);
            found.is_set(S::ERR) || found.is_set(S::CLKT) || is_so(found)
        });
        let address = transfer.address;
        if found.is_set(S::ERR) {
            Err(Error::NoAcknowledge { address, left_bytes: port.dlen(), bytes: transfer.bytes })
        } else if found.is_set(S::CLKT) {
            Err(Error::Stretched { address })
        } else if is_in_time {
            Ok(())
        } else {
            Err(Error::TimedOut { address, left_bytes: port.dlen() })
        }
    }

    /// Sends what the writes hold.
    fn send(&mut self, transfer: &Transfer, operations: &[Operation<'_>]) -> Result<(), Error> {
        // The FIFO stays empty until the transfer is active: else a repeated start could not follow [HW 8.4].
        self.wait(transfer, |s| s.is_set(S::TA) || s.is_set(S::DONE))?;
        for operation in operations {
            let Operation::Write(bytes) = operation else { continue };
            for &byte in *bytes {
                self.wait(transfer, |s| s.is_set(S::TXD))?;
                self.port.put(byte);
            }
        }
        Ok(())
    }

    /// Receives what the reads have room for.
    fn receive(&mut self, transfer: &Transfer, operations: &mut [Operation<'_>]) -> Result<(), Error> {
        for operation in operations {
            let Operation::Read(bytes) = operation else { continue };
            for place in bytes.iter_mut() {
                self.wait(transfer, |s| s.is_set(S::RXD))?;
                *place = self.port.take();
            }
        }
        Ok(())
    }

    /// Asks for the read while the write's last byte is on the wire.
    fn repeat_start(&mut self, address: u8, read_bytes: u32) {
        if status(&self.port).is_set(S::DONE) {
            self.bus_releases = self.bus_releases.wrapping_add(1);
            self.port.clear_s(S_CLEAR::ALL::Done.value);
        }
        self.start(address, read_bytes, true);
    }

    fn run(&mut self, address: u8, plan: Plan, operations: &mut [Operation<'_>]) -> Result<(), Error> {
        let transfer = |bytes| Transfer { address, bytes };
        let last = match plan {
            Plan::Nothing => return Ok(()),
            Plan::Write(bytes) => {
                self.start(address, bytes, false);
                self.send(&transfer(bytes), operations)?;
                transfer(bytes)
            }
            Plan::Read(bytes) => {
                self.start(address, bytes, true);
                self.receive(&transfer(bytes), operations)?;
                transfer(bytes)
            }
            Plan::WriteRead(write_bytes, read_bytes) => {
                self.start(address, write_bytes, false);
                self.send(&transfer(write_bytes), operations)?;
                self.repeat_start(address, read_bytes);
                self.receive(&transfer(read_bytes), operations)?;
                transfer(read_bytes)
            }
        };
        self.wait(&last, |s| s.is_set(S::DONE) && !s.is_set(S::TA))
    }
}

/// What `S` tells.
fn status(port: &impl Port) -> LocalRegisterCopy<u32, S::Register> {
    LocalRegisterCopy::new(port.s())
}

/// What an error is about.
struct Transfer {
    address: u8,
    bytes: u32,
}

impl<P, T, Pins> ErrorType for I2c<P, T, Pins> {
    type Error = Error;
}

impl<P: Port, T: Clock, Pins> I2cBus for I2c<P, T, Pins> {
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
                .wait_until(&self.clock, || !status(port).is_set(S::TA));
        }
        self.rest();
        done
    }
}
