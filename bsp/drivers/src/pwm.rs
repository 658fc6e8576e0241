// SPDX-License-Identifier: MIT OR Apache-2.0
//! A PWM block: two channels that are each high for so many of so many cycles of the PWM clock `[BCM2711 8]`,
//! `[HW 8.2]`.
//!
//! A channel runs in mark-space mode: high for `DAT` cycles, low for the rest of `RNG`. The other mode spreads the high
//! cycles evenly, which is for filters and no use for servos. Both blocks have one clock, which somebody starts before a
//! channel is enabled. There is no interrupt.
//!
//! When within a period a new value takes effect is not in the manual; that a period is finished first is inferred.

mod range;
mod train;

pub use range::{FrequencyError, HighTimeError, Range};

use tock_registers::interfaces::{Readable, Writeable};
use tock_registers::registers::{Aliased, ReadWrite, WriteOnly};
use tock_registers::{RegisterLongName, register_structs};

/// Names what a read of `STA` means.
struct State;
impl RegisterLongName for State {}

/// Names what a write to `STA` means: ones clear errors, zeros do nothing.
struct ClearErrors;
impl RegisterLongName for ClearErrors {}

register_structs! {
    /// The registers of a PWM block `[BCM2711 8.6]`.
    #[allow(non_snake_case, reason = "the register names are the manual's")]
    pub PwmRegisters {
        /// PWM Control: eight bits a channel, of which channel 2 lacks bit 6.
        (0x00 => CTL: ReadWrite<u32>),
        /// PWM Status.
        (0x04 => STA: Aliased<u32, State, ClearErrors>),
        /// PWM DMA Configuration.
        (0x08 => DMAC: ReadWrite<u32>),
        (0x0C => _reserved_0c),
        /// PWM Channel 1 Range: the period, in cycles of the PWM clock.
        (0x10 => RNG1: ReadWrite<u32>),
        /// PWM Channel 1 Data: of which so many are high.
        (0x14 => DAT1: ReadWrite<u32>),
        /// PWM FIFO Input.
        (0x18 => FIF1: WriteOnly<u32>),
        (0x1C => _reserved_1c),
        /// PWM Channel 2 Range.
        (0x20 => RNG2: ReadWrite<u32>),
        /// PWM Channel 2 Data.
        (0x24 => DAT2: ReadWrite<u32>),
        (0x28 => @END),
    }
}

/// Channel enabled.
const PWEN: u32 = 1 << 0;
/// Output inverted.
const POLA: u32 = 1 << 4;
/// Mark-space mode.
const MSEN: u32 = 1 << 7;
/// A channel's bits in `CTL` but bit 6, which is channel 1's way to empty the FIFO of both.
const CHANNEL_BITS: u32 = 0xBF;
/// Every error in `STA` that a one clears: a write to a full FIFO (2), a read of an empty one (3), gaps (4 to 7), a bus
/// error (8) `[BCM2711 8.6]`.
const ERRORS: u32 = 0x1FC;

/// A channel of a block. The manual counts from 1, Linux's device tree from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// RNG1, DAT1.
    One,
    /// RNG2, DAT2.
    Two,
}

impl Channel {
    const fn shift(self) -> u32 {
        match self {
            Self::One => 0,
            Self::Two => 8,
        }
    }
}

/// Which level the high time of a channel is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Polarity {
    /// High.
    #[default]
    Normal,
    /// Low: the whole wave is inverted, and an idle channel is high.
    Inverted,
}

/// A PWM block. A channel has one owner; owners may hold separate drivers for the same registers, as long as no two are
/// inside a call with `&mut self` at the same time.
pub struct Pwm<'a> {
    registers: &'a PwmRegisters,
}

impl<'a> Pwm<'a> {
    /// A driver for these registers. The PWM clock runs.
    #[must_use]
    pub const fn new(registers: &'a PwmRegisters) -> Self {
        Self { registers }
    }

    /// Starts a channel that is never high yet. Read, modify, write of the control register: nobody else does so meanwhile.
    pub fn enable(&mut self, channel: Channel, range: Range, polarity: Polarity) {
        self.disable(channel);
        self.range_register(channel).set(range.cycles());
        self.set_high_cycles(channel, 0);
        let polarity = match polarity {
            Polarity::Normal => 0,
            Polarity::Inverted => POLA,
        };
        self.replace_control(channel, MSEN | PWEN | polarity);
    }

    /// Stops a channel: its output is low. Read, modify, write of the control register: nobody else does so meanwhile.
    pub fn disable(&mut self, channel: Channel) {
        self.replace_control(channel, 0);
    }

    /// Makes a channel high for so many cycles of each period: one write. As many as the range, or more: always high.
    #[inline(always)]
    pub fn set_high_cycles(&self, channel: Channel, cycles: u32) {
        match channel {
            Channel::One => &self.registers.DAT1,
            Channel::Two => &self.registers.DAT2,
        }
        .set(cycles);
    }

    /// For how many cycles of each period a channel is high.
    #[must_use]
    pub fn high_cycles(&self, channel: Channel) -> u32 {
        match channel {
            Channel::One => &self.registers.DAT1,
            Channel::Two => &self.registers.DAT2,
        }
        .get()
    }

    /// The errors of both channels since they were last taken, bits 2 to 8 of `STA`; 0 for none. Clears those and no
    /// others.
    #[must_use]
    pub fn take_errors(&mut self) -> u32 {
        let errors = self.registers.STA.get() & ERRORS;
        self.registers.STA.set(errors);
        errors
    }

    fn range_register(&self, channel: Channel) -> &ReadWrite<u32> {
        match channel {
            Channel::One => &self.registers.RNG1,
            Channel::Two => &self.registers.RNG2,
        }
    }

    /// Replaces a channel's bits and leaves the other's.
    fn replace_control(&mut self, channel: Channel, bits: u32) {
        let shift = channel.shift();
        let others = self.registers.CTL.get() & !CHANNEL_BITS.wrapping_shl(shift);
        self.registers.CTL.set(others | bits.wrapping_shl(shift));
    }
}
