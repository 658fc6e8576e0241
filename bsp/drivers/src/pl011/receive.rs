// SPDX-License-Identifier: MIT OR Apache-2.0
//! The receive side of the PL011, and which requests stand.

use tock_registers::LocalRegisterCopy;
use tock_registers::interfaces::{ReadWriteable, Readable, Writeable};

use super::{INTERRUPTS, Pl011, UARTCR, UARTDR_READ, UARTFR, UARTLCR_H};

/// A byte with what the receiver says about it `[PL011 3.3.1]`.
#[derive(Clone, Copy, Debug)]
pub struct Received(LocalRegisterCopy<u32, UARTDR_READ::Register>);

impl Received {
    /// The byte; 0 for a break.
    #[must_use]
    #[inline]
    pub fn byte(&self) -> u8 {
        (self.0.read(UARTDR_READ::DATA) & 0xFF) as u8
    }

    /// Whether anything is wrong with this byte itself.
    #[must_use]
    #[inline]
    pub fn is_bad(&self) -> bool {
        self.is_break() || self.has_parity_error() || self.has_framing_error()
    }

    /// Whether this is no byte, but the line was low for longer than one. The other errors then mean nothing.
    #[must_use]
    #[inline]
    pub fn is_break(&self) -> bool {
        self.0.is_set(UARTDR_READ::BE)
    }

    /// Whether the parity bit is wrong.
    #[must_use]
    #[inline]
    pub fn has_parity_error(&self) -> bool {
        self.0.is_set(UARTDR_READ::PE)
    }

    /// Whether the stop bit is missing, as when the two ends differ in baud.
    #[must_use]
    #[inline]
    pub fn has_framing_error(&self) -> bool {
        self.0.is_set(UARTDR_READ::FE)
    }

    /// Whether bytes before this one were lost. The same is said by [`Requests::overrun`], which comes at once and not
    /// with the next byte: count one of the two.
    #[must_use]
    #[inline]
    pub fn is_behind_overrun(&self) -> bool {
        self.0.is_set(UARTDR_READ::OE)
    }
}

/// The requests that stand and are let through: what UARTMIS says `[PL011 3.3.12]`.
#[derive(Clone, Copy, Debug)]
pub struct Requests(LocalRegisterCopy<u32, INTERRUPTS::Register>);

impl Requests {
    /// The transmit FIFO wants bytes.
    #[must_use]
    #[inline]
    pub fn transmit(&self) -> bool {
        self.0.is_set(INTERRUPTS::TX)
    }

    /// The receive FIFO has bytes: it has reached its level, or none came for 32 bit times.
    #[must_use]
    #[inline]
    pub fn receive(&self) -> bool {
        self.0.is_set(INTERRUPTS::RX) || self.0.is_set(INTERRUPTS::RT)
    }

    /// A byte found the receive FIFO full and was lost.
    #[must_use]
    #[inline]
    pub fn overrun(&self) -> bool {
        self.0.is_set(INTERRUPTS::OE)
    }
}

impl Pl011<'_> {
    /// Takes a byte out of the receive FIFO; `None` where there is none. Two reads.
    #[inline]
    pub fn take(&mut self) -> Option<Received> {
        let is_empty = self.registers.UARTFR.is_set(UARTFR::RXFE);
        (!is_empty).then(|| Received(self.registers.UARTDR.extract()))
    }

    /// Which requests stand and are let through. One read.
    #[must_use]
    #[inline]
    pub fn requests(&self) -> Requests {
        Requests(self.registers.UARTMIS.extract())
    }

    /// Lets the three receive interrupts through: trigger level, time-out and overrun. The level alone would leave short
    /// bursts lying `[HW 5.1]`.
    #[allow(clippy::arithmetic_side_effects, reason = "the + of field values joins bits")]
    pub fn enable_receive_interrupts(&mut self) {
        self.registers.UARTIMSC.modify(INTERRUPTS::RX::SET + INTERRUPTS::RT::SET + INTERRUPTS::OE::SET);
    }

    /// Withdraws the overrun request. The others fall by reading.
    #[inline]
    pub fn clear_overrun(&self) {
        self.registers.UARTICR.write(INTERRUPTS::OE::SET);
    }

    /// Lets the UART receive what it sends, on or off. The receive pin is cut off meanwhile; the transmit pin is not.
    /// Called while nothing is on its way.
    pub fn set_loopback(&mut self, is_on: bool) {
        self.registers.UARTCR.modify(if is_on { UARTCR::LBE::SET } else { UARTCR::LBE::CLEAR });
    }

    /// Holds the line low behind the present character, until it is told not to. A break takes at least two characters'
    /// time `[PL011 3.3.7]`.
    pub fn set_break(&mut self, is_on: bool) {
        self.registers.UARTLCR_H.modify(if is_on { UARTLCR_H::BRK::SET } else { UARTLCR_H::BRK::CLEAR });
    }
}
