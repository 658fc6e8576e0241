// SPDX-License-Identifier: MIT OR Apache-2.0
//! A device on one of the controller's chip select lines.

use embedded_hal::spi::{ErrorType, Operation, SpiDevice};

use super::{Error, Port, Spi};
use crate::clock::{Clock, Deadline};
use crate::wait::{Polling, Wait};

/// A chip select line of the controller, active low.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// CE0, GPIO8 by alternate 0.
    Zero,
    /// CE1, GPIO7 by alternate 0.
    One,
}

#[diagnostic::on_unimplemented(
    message = "takt: this is no chip select line of SPI0",
    note = "its own lines are pin 8 (CE0) and pin 7 (CE1), each by alternate 0",
    note = "any other pin selects a device as an output, by `ExclusiveDevice` of the crate embedded-hal-bus"
)]
/// A pin that is given to the controller as one of its chip select lines.
pub trait SelectPin {
    /// Which.
    fn line(&self) -> Line;
}

/// The one device on the bus, on a chip select line that the controller drives: low from the first operation of a
/// transaction to the end of the last, delays included.
///
/// A device whose chip select is any other pin, or several devices on one bus, are for `embedded-hal-bus`, on top of
/// [`Spi`] as `SpiBus`.
#[derive(Debug)]
pub struct Device<P, T, Pins, S, W = Polling> {
    pub(super) bus: Spi<P, T, Pins, W>,
    pub(super) select: S,
}

impl<P: Port, T: Clock, Pins, S: SelectPin, W: Wait> Device<P, T, Pins, S, W> {
    /// The device that the pin `select` selects, on an enabled bus.
    pub fn new(bus: Spi<P, T, Pins, W>, select: S) -> Self {
        Self { bus, select }
    }

    /// Gives back the bus and the pin.
    pub fn release(self) -> (Spi<P, T, Pins, W>, S) {
        (self.bus, self.select)
    }

    /// Does the operations of a transaction whose line is asserted.
    fn operate(&mut self, operations: &mut [Operation<'_, u8>]) -> Result<(), Error> {
        for operation in operations {
            match operation {
                Operation::Read(read) => self.bus.exchange(read, &[])?,
                Operation::Write(write) => self.bus.exchange(&mut [], write)?,
                Operation::Transfer(read, write) => self.bus.exchange(read, write)?,
                Operation::TransferInPlace(words) => self.bus.exchange_in_place(words)?,
                // All bytes that were sent have been received, so there is nothing to flush. Devices ask for µs: not worth a
                // sleep.
                Operation::DelayNs(ns) => {
                    Deadline::after_ns(&self.bus.clock, u64::from(*ns)).wait(&self.bus.clock);
                }
            }
        }
        Ok(())
    }
}

impl<P, T, Pins, S, W> ErrorType for Device<P, T, Pins, S, W> {
    type Error = Error;
}

impl<P: Port, T: Clock, Pins, S: SelectPin, W: Wait> SpiDevice for Device<P, T, Pins, S, W> {
    fn transaction(&mut self, operations: &mut [Operation<'_, u8>]) -> Result<(), Error> {
        self.bus.begin(Some(self.select.line()))?;
        let done = self.operate(operations);
        self.bus.end(done)
    }
}
