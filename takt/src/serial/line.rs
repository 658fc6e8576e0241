// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the rings at both ends of a serial interface need of its device.

use takt_rpi4::drivers::aux_uart::AuxUart;
use takt_rpi4::drivers::pl011::Pl011;

use super::counts::ReceiveError;

/// A device with a FIFO for each direction. Receiving is the handler's. Sending is the handler's while the transmit
/// interrupt is let through, and the writing task's otherwise.
pub(crate) trait Line {
    /// Takes the next byte out of the receive FIFO, or what went wrong; `None` where there is neither.
    fn take(&mut self) -> Option<Result<u8, ReceiveError>>;
    /// Whether the transmit FIFO takes a byte.
    fn has_room(&self) -> bool;
    /// Puts a byte into the transmit FIFO, which has room.
    fn put(&mut self, byte: u8);
    /// Whether something is in the transmit FIFO or on the wire.
    fn is_busy(&self) -> bool;
    /// Lets the transmit interrupt through, or keeps it back.
    fn let_transmit_through(&mut self, is_let_through: bool);
}

impl Line for Pl011<'_> {
    #[inline(always)]
    fn take(&mut self) -> Option<Result<u8, ReceiveError>> {
        let received = Self::take(self)?;
        // A break reads as a byte of zeros without stop bit, too.
        Some(if !received.is_bad() {
            Ok(received.byte())
        } else if received.is_break() {
            Err(ReceiveError::Break)
        } else if received.has_framing_error() {
            Err(ReceiveError::Framing)
        } else {
            Err(ReceiveError::Parity)
        })
    }

    #[inline(always)]
    fn has_room(&self) -> bool {
        Self::has_room(self)
    }

    #[inline(always)]
    fn put(&mut self, byte: u8) {
        Self::put(self, byte);
    }

    #[inline(always)]
    fn is_busy(&self) -> bool {
        Self::is_busy(self)
    }

    #[inline(always)]
    fn let_transmit_through(&mut self, is_let_through: bool) {
        if is_let_through { self.enable_transmit_interrupt() } else { self.disable_transmit_interrupt() }
    }
}

impl Line for AuxUart<'_> {
    fn take(&mut self) -> Option<Result<u8, ReceiveError>> {
        let status = self.receive_status();
        if status.has_overrun {
            return Some(Err(ReceiveError::Overrun));
        }
        status.has_byte.then(|| Ok(Self::take(self)))
    }

    fn has_room(&self) -> bool {
        Self::has_room(self)
    }

    fn put(&mut self, byte: u8) {
        Self::put(self, byte);
    }

    fn is_busy(&self) -> bool {
        Self::is_busy(self)
    }

    fn let_transmit_through(&mut self, is_let_through: bool) {
        self.let_through(true, is_let_through);
    }
}
