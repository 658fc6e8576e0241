// SPDX-License-Identifier: MIT OR Apache-2.0
//! A device on one of the controller's chip select lines.

use embedded_hal::spi::{ErrorType, Operation, SpiDevice};

use super::{Error, Port, Spi};
use crate::clock::{Clock, Deadline};

/// A chip select line of the controller, active low.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// CE0, GPIO 8 in its alternate function 0.
    Zero,
    /// CE1, GPIO 7 in its alternate function 0.
    One,
}

/// The one device on the bus, on a chip select line that the controller drives: low from the first operation of a
/// transaction to the end of the last, delays included.
///
/// A device whose chip select is any other pin, or several devices on one bus, are for `embedded-hal-bus`, on top of
/// [`Spi`] as `SpiBus`.
pub struct Device<P, T> {
    bus: Spi<P, T>,
    line: Line,
}

impl<P: Port, T: Clock> Device<P, T> {
    /// The device on `line` of an enabled bus.
    pub fn new(bus: Spi<P, T>, line: Line) -> Self {
        Self { bus, line }
    }

    /// Gives the bus back.
    pub fn release(self) -> Spi<P, T> {
        self.bus
    }

    /// Does the operations of a transaction whose line is asserted.
    fn operate(&mut self, operations: &mut [Operation<'_, u8>]) -> Result<(), Error> {
        for operation in operations {
            match operation {
                Operation::Read(read) => self.bus.exchange(read, &[])?,
                Operation::Write(write) => self.bus.exchange(&mut [], write)?,
                Operation::Transfer(read, write) => self.bus.exchange(read, write)?,
                Operation::TransferInPlace(words) => self.bus.exchange_in_place(words)?,
                // All bytes that were sent have been received, so there is nothing to flush.
                Operation::DelayNs(ns) => {
                    Deadline::after_ns(&self.bus.clock, u64::from(*ns)).wait(&self.bus.clock);
                }
            }
        }
        Ok(())
    }
}

impl<P, T> ErrorType for Device<P, T> {
    type Error = Error;
}

impl<P: Port, T: Clock> SpiDevice for Device<P, T> {
    fn transaction(&mut self, operations: &mut [Operation<'_, u8>]) -> Result<(), Error> {
        let line = self.line;
        self.bus.begin(Some(line))?;
        let done = self.operate(operations);
        self.bus.end(done)
    }
}
