// SPDX-License-Identifier: MIT OR Apache-2.0
//! A transfer whose bytes two DMA channels move `[BCM2711 9.6.3]`.
//!
//! The FIFOs take and give four bytes a word, and `DLEN` tells how many bytes of the last word count. The core writes
//! `DLEN` and `CS`, as Linux does, rather than have the transmit channel send them as its first word.
//!
//! **No word may reach the FIFO without TA**: it would be taken for `DLEN` and the low bits of `CS`. So the transmit channel
//! starts after [`ByDma::begin_dma`], and is idle or stopped before the transfer ends.

use core::num::NonZeroU16;

use super::registers::{CS, DC};
use super::{Device, Error, Line, Port, SelectPin, Spi};
use crate::clock::Clock;
use crate::wait::Wait;

/// The levels, in bytes, at which the controller requests: those that it has after a reset. Half a FIFO either way.
const RECEIVE_PANIC: u32 = 48;
const RECEIVE_REQUEST: u32 = 32;
const TRANSMIT_PANIC: u32 = 16;
const TRANSMIT_REQUEST: u32 = 32;

/// A bus, or the device on it, for which two DMA channels move the bytes of a transfer. Whether it polls or sleeps is all one:
/// it asks for no interrupt of its own meanwhile, and looks for the last clock as each of its transfers does.
pub trait ByDma {
    /// Asserts the line, if there is one, and lets the controller request. The channels are started next.
    ///
    /// # Errors
    /// [`Error::NotEnabled`]; nothing was touched.
    fn begin_dma(&mut self, bytes: NonZeroU16) -> Result<(), Error>;

    /// Waits until the last clock has passed, and puts the bus to rest. Both channels are idle.
    ///
    /// # Errors
    /// [`Error::NotDone`]; the bus is at rest all the same.
    fn end_dma(&mut self) -> Result<(), Error>;

    /// Puts the bus to rest at once, with empty FIFOs. Both channels are idle.
    fn abandon_dma(&mut self);
}

/// The bus alone: none of the controller's chip select lines is asserted.
impl<P: Port, T: Clock, Pins, W: Wait> ByDma for Spi<P, T, Pins, W> {
    fn begin_dma(&mut self, bytes: NonZeroU16) -> Result<(), Error> {
        self.begin_dma_on(None, bytes)
    }

    fn end_dma(&mut self) -> Result<(), Error> {
        let outcome = self.flush_active();
        self.abandon_dma();
        outcome
    }

    fn abandon_dma(&mut self) {
        self.port.set_cs(self.resting() | CS::DONE::SET.value);
        self.port.set_dlen(0);
    }
}

/// The controller's line is asserted from the beginning of the transfer to its end.
impl<P: Port, T: Clock, Pins, S: SelectPin, W: Wait> ByDma for Device<P, T, Pins, S, W> {
    fn begin_dma(&mut self, bytes: NonZeroU16) -> Result<(), Error> {
        self.bus.begin_dma_on(Some(self.select.line()), bytes)
    }

    fn end_dma(&mut self) -> Result<(), Error> {
        self.bus.end_dma()
    }

    fn abandon_dma(&mut self) {
        self.bus.abandon_dma();
    }
}

impl<P: Port, T: Clock, Pins, W: Wait> Spi<P, T, Pins, W> {
    #[allow(clippy::arithmetic_side_effects, reason = "the + of field values joins bits")]
    fn begin_dma_on(&mut self, line: Option<Line>, bytes: NonZeroU16) -> Result<(), Error> {
        if self.settings.is_none() {
            return Err(Error::NotEnabled);
        }
        self.line = line;
        self.port.set_cs(self.resting());
        let receive = DC::RPANIC.val(RECEIVE_PANIC) + DC::RDREQ.val(RECEIVE_REQUEST);
        let transmit = DC::TPANIC.val(TRANSMIT_PANIC) + DC::TDREQ.val(TRANSMIT_REQUEST);
        self.port.set_dc((receive + transmit).value);
        self.port.set_dlen(bytes.get());
        self.port.set_cs(self.active() | CS::DMAEN::SET.value);
        Ok(())
    }
}
