// SPDX-License-Identifier: MIT OR Apache-2.0
//! A train of pulses: channel 1 takes the high time of each period from the FIFO, which a DMA channel fills.
//!
//! Both channels of a block could draw from the one FIFO, by turns; here it is channel 1's. While the FIFO is empty, the
//! output rests, and no word is repeated.

use tock_registers::interfaces::{Readable, Writeable};

use super::{Channel, MSEN, POLA, PWEN, Polarity, Pwm, Range};

/// The channel takes its words from the FIFO.
const USEF: u32 = 1 << 5;
/// Empties the FIFO; one shot, and channel 1's alone.
const CLRF: u32 = 1 << 6;
/// `DMAC`: requests.
const ENAB: u32 = 1 << 31;
/// `DMAC`: the levels for panic and request, in words: those that it has after a reset.
const LEVELS: u32 = 7 << 8 | 7;
/// `STA`: channel 1 sends.
const STA1: u32 = 1 << 9;
/// `STA`: the FIFO is empty.
const EMPT: u32 = 1 << 1;

impl Pwm<'_> {
    /// Starts channel 1 with an empty FIFO: its output rests until words come. Read, modify, write of the control register:
    /// nobody else does so meanwhile.
    pub fn enable_train(&mut self, range: Range, polarity: Polarity) {
        self.let_request(false);
        self.disable(Channel::One);
        self.range_register(Channel::One).set(range.cycles());
        let polarity = if polarity == Polarity::Inverted { POLA } else { 0 };
        self.replace_control(Channel::One, MSEN | USEF | PWEN | CLRF | polarity);
    }

    /// Lets the FIFO request words of a DMA channel, or no more.
    pub fn let_request(&mut self, is_let: bool) {
        self.registers.DMAC.set(if is_let { ENAB | LEVELS } else { LEVELS });
    }

    /// Empties the FIFO: no further pulse begins. Read, modify, write of the control register: nobody else does so
    /// meanwhile.
    pub fn clear_train(&mut self) {
        self.registers.CTL.set(self.registers.CTL.get() | CLRF);
    }

    /// Whether words are in the FIFO, or channel 1 sends one.
    #[must_use]
    pub fn is_sending_train(&self) -> bool {
        let status = self.registers.STA.get();
        status & EMPT == 0 || status & STA1 != 0
    }
}
