// SPDX-License-Identifier: MIT OR Apache-2.0
//! The 58 general purpose pins: what each is for, its pull, its level, and the events that raise an interrupt
//! `[BCM2711 5]`, `[HW 5.3]`.
//!
//! A level is set or cleared by one write that no other pin sees. What a pin is for, its pull and its detectors stand in
//! registers that it shares with others: these calls read, modify and write, and take `&mut self`.
//!
//! The pulls are the BCM2711's own registers. Those of the chips before it, `GPPUD` and `GPPUDCLK`, do nothing here, and
//! their values meant something else `[HW 11]`, pitfall 12.

mod events;
mod pin;

pub use events::{Detect, Detector, Events, PinSet};
pub use pin::{Function, PinNumber, Pull};

use tock_registers::interfaces::{Readable, Writeable};
use tock_registers::registers::{Aliased, ReadOnly, ReadWrite, WriteOnly};
use tock_registers::{RegisterLongName, register_structs};

/// Names what a read of `GPEDS` means: which pins have had an event.
struct Detected;
impl RegisterLongName for Detected {}

/// Names what a write to `GPEDS` means: ones clear, zeros do nothing. It differs from [`Detected`], so that
/// tock-registers offers no read-modify-write `[HW 11]`, pitfall 29.
struct Clear;
impl RegisterLongName for Clear {}

register_structs! {
    /// The registers of the pins `[BCM2711 5.2]`. Where there are two, the first has pins 0 to 31 and the second pins 32 to
    /// 57, a bit each.
    #[allow(non_snake_case, reason = "the register names are the manual's")]
    pub GpioRegisters {
        /// GPIO Function Select: ten pins a register, three bits each.
        (0x00 => GPFSEL: [ReadWrite<u32>; 6]),
        (0x18 => _reserved_18),
        /// GPIO Pin Output Set: a one drives the pin high.
        (0x1C => GPSET: [WriteOnly<u32>; 2]),
        (0x24 => _reserved_24),
        /// GPIO Pin Output Clear: a one drives the pin low.
        (0x28 => GPCLR: [WriteOnly<u32>; 2]),
        (0x30 => _reserved_30),
        /// GPIO Pin Level.
        (0x34 => GPLEV: [ReadOnly<u32>; 2]),
        (0x3C => _reserved_3c),
        /// GPIO Pin Event Detect Status.
        (0x40 => GPEDS: [Aliased<u32, Detected, Clear>; 2]),
        (0x48 => _reserved_48),
        /// GPIO Pin Rising Edge Detect Enable.
        (0x4C => GPREN: [ReadWrite<u32>; 2]),
        (0x54 => _reserved_54),
        /// GPIO Pin Falling Edge Detect Enable.
        (0x58 => GPFEN: [ReadWrite<u32>; 2]),
        (0x60 => _reserved_60),
        /// GPIO Pin High Detect Enable.
        (0x64 => GPHEN: [ReadWrite<u32>; 2]),
        (0x6C => _reserved_6c),
        /// GPIO Pin Low Detect Enable.
        (0x70 => GPLEN: [ReadWrite<u32>; 2]),
        (0x78 => _reserved_78),
        /// GPIO Pin Asynchronous Rising Edge Detect.
        (0x7C => GPAREN: [ReadWrite<u32>; 2]),
        (0x84 => _reserved_84),
        /// GPIO Pin Asynchronous Falling Edge Detect.
        (0x88 => GPAFEN: [ReadWrite<u32>; 2]),
        (0x90 => _reserved_90),
        /// GPIO Pull-up / Pull-down Register: sixteen pins a register, two bits each.
        (0xE4 => GPIO_PUP_PDN_CNTRL_REG: [ReadWrite<u32>; 4]),
        (0xF4 => @END),
    }
}

/// The pins. A pin has one owner; owners may hold separate drivers for the same registers, as long as no two are inside a
/// call with `&mut self` at the same time.
pub struct Gpio<'a> {
    registers: &'a GpioRegisters,
}

impl<'a> Gpio<'a> {
    /// A driver for these registers.
    #[must_use]
    pub const fn new(registers: &'a GpioRegisters) -> Self {
        Self { registers }
    }

    /// Says what a pin is for. Read, modify, write: nobody else does so meanwhile.
    pub fn set_function(&mut self, pin: PinNumber, function: Function) {
        let (index, shift) = pin.place(10, 3);
        if let Some(register) = self.registers.GPFSEL.get(index) {
            replace(register, 0b111, shift, function.bits());
        }
    }

    /// What a pin is for.
    #[must_use]
    pub fn function(&self, pin: PinNumber) -> Function {
        let (index, shift) = pin.place(10, 3);
        Function::from_bits(self.registers.GPFSEL.get(index).map_or(0, |register| register.get()) >> shift)
    }

    /// Sets a pin's pull, about 50 kΩ `[HW 5.3]`. Read, modify, write: nobody else does so meanwhile.
    pub fn set_pull(&mut self, pin: PinNumber, pull: Pull) {
        let (index, shift) = pin.place(16, 2);
        if let Some(register) = self.registers.GPIO_PUP_PDN_CNTRL_REG.get(index) {
            replace(register, 0b11, shift, pull.bits());
        }
    }

    /// A pin's pull; `None` for the value that the manual reserves.
    #[must_use]
    pub fn pull(&self, pin: PinNumber) -> Option<Pull> {
        let (index, shift) = pin.place(16, 2);
        Pull::from_bits(self.registers.GPIO_PUP_PDN_CNTRL_REG.get(index)?.get() >> shift)
    }

    /// Drives an output high: one write. A pin that is no output takes the level when it becomes one.
    #[inline(always)]
    pub fn set_high(&self, pin: PinNumber) {
        pin.of(&self.registers.GPSET).set(pin.bit());
    }

    /// Drives an output low: one write. A pin that is no output takes the level when it becomes one.
    #[inline(always)]
    pub fn set_low(&self, pin: PinNumber) {
        pin.of(&self.registers.GPCLR).set(pin.bit());
    }

    /// Whether the pin itself is high, whoever drives it: one read, 0.05 to 0.2 µs `[HW 4.5]`.
    #[must_use]
    #[inline(always)]
    pub fn is_high(&self, pin: PinNumber) -> bool {
        pin.of(&self.registers.GPLEV).get() & pin.bit() != 0
    }
}

/// Puts `value` into a field of a register and leaves the others.
fn replace(register: &ReadWrite<u32>, mask: u32, shift: u32, value: u32) {
    let others = register.get() & !mask.wrapping_shl(shift);
    register.set(others | value.wrapping_shl(shift));
}
