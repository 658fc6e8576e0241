// SPDX-License-Identifier: MIT OR Apache-2.0
//! The RNG200, a generator of random numbers: noise of the hardware, tested by the hardware, in a FIFO of words
//! `[HW 8.6]`.
//!
//! Its registers are in no manual of this chip. Names and offsets are those of Linux's driver for the same block, and
//! nothing here has been tried on a board.

use core::fmt;

use tock_registers::interfaces::{Readable, Writeable};
use tock_registers::registers::{Aliased, ReadOnly, ReadWrite};
use tock_registers::{RegisterLongName, register_structs};

/// Names what a read of `INT_STATUS` means.
struct Status;
impl RegisterLongName for Status {}

/// Names what a write to `INT_STATUS` means: ones clear, zeros do nothing.
struct ClearStatus;
impl RegisterLongName for ClearStatus {}

register_structs! {
    /// The registers of the generator `[HW 8.6]`.
    #[allow(non_snake_case, reason = "the register names are those of Linux")]
    pub Rng200Registers {
        /// Control.
        (0x00 => RNG_CTRL: ReadWrite<u32>),
        /// Resets the generator while bit 0 is set.
        (0x04 => RNG_SOFT_RESET: ReadWrite<u32>),
        /// Resets the source of bits while bit 0 is set.
        (0x08 => RBG_SOFT_RESET: ReadWrite<u32>),
        /// How many bits have been made.
        (0x0C => RNG_TOTAL_BIT_COUNT: ReadOnly<u32>),
        /// At how many bits to tell.
        (0x10 => RNG_TOTAL_BIT_COUNT_THRESHOLD: ReadWrite<u32>),
        (0x14 => _reserved_14),
        /// What has happened.
        (0x18 => RNG_INT_STATUS: Aliased<u32, Status, ClearStatus>),
        /// For which of it to raise an interrupt.
        (0x1C => RNG_INT_ENABLE: ReadWrite<u32>),
        /// Takes a word out of the FIFO.
        (0x20 => RNG_FIFO_DATA: ReadOnly<u32>),
        /// How many words are in the FIFO.
        (0x24 => RNG_FIFO_COUNT: ReadWrite<u32>),
        (0x28 => @END),
    }
}

/// `RNG_CTRL`: lets the source of bits run.
const RBGEN_MASK: u32 = 0x1FFF;
/// `RNG_CTRL`: on.
const RBGEN_ENABLE: u32 = 1;
/// `RNG_INT_STATUS`: the generator has locked itself after too many failures, or a statistical test failed.
const FAILURES: u32 = 1 << 31 | 1 << 5;
/// `RNG_FIFO_COUNT`: words.
const COUNT: u32 = 0xFF;
/// `RNG_TOTAL_BIT_COUNT`: up to here it warms up, as Linux has it.
const WARM_UP_BITS: u32 = 16;

/// The hardware's own tests of its bits failed: the source has to be restarted, and a board where that does not help is
/// broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotRandom {
    /// `RNG_INT_STATUS`.
    pub status: u32,
}

impl fmt::Display for NotRandom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "rng: the hardware finds its own bits not random (RNG_INT_STATUS {:#010x}); restart it, and use no word of it \
             if that does not help",
            self.status
        )
    }
}

impl core::error::Error for NotRandom {}

/// The generator. It has one owner.
pub struct Rng200<'a> {
    registers: &'a Rng200Registers,
}

impl<'a> Rng200<'a> {
    /// A driver for these registers. Usable after [`Rng200::enable`].
    #[must_use]
    pub const fn new(registers: &'a Rng200Registers) -> Self {
        Self { registers }
    }

    /// Lets the source of bits run. The first word is there some ten microseconds later.
    pub fn enable(&mut self) {
        self.set_source(RBGEN_ENABLE);
    }

    /// Stops the source of bits. What is in the FIFO stays.
    pub fn disable(&mut self) {
        self.set_source(0);
    }

    /// Takes a word, if there is one; `None` also while the source warms up.
    pub fn read(&mut self) -> Result<Option<u32>, NotRandom> {
        let registers = self.registers;
        let status = registers.RNG_INT_STATUS.get();
        if status & FAILURES != 0 {
            return Err(NotRandom { status });
        }
        let is_warm = registers.RNG_TOTAL_BIT_COUNT.get() > WARM_UP_BITS;
        let is_there = is_warm && registers.RNG_FIFO_COUNT.get() & COUNT != 0;
        Ok(is_there.then(|| registers.RNG_FIFO_DATA.get()))
    }

    /// Resets the source after [`NotRandom`], and lets it run anew. The order is that of Linux.
    pub fn restart(&mut self) {
        let registers = self.registers;
        self.disable();
        registers.RNG_INT_STATUS.set(u32::MAX);
        registers.RBG_SOFT_RESET.set(registers.RBG_SOFT_RESET.get() | 1);
        registers.RNG_SOFT_RESET.set(registers.RNG_SOFT_RESET.get() | 1);
        registers.RNG_SOFT_RESET.set(registers.RNG_SOFT_RESET.get() & !1);
        registers.RBG_SOFT_RESET.set(registers.RBG_SOFT_RESET.get() & !1);
        self.enable();
    }

    fn set_source(&mut self, source: u32) {
        let others = self.registers.RNG_CTRL.get() & !RBGEN_MASK;
        self.registers.RNG_CTRL.set(others | source);
    }
}
