// SPDX-License-Identifier: MIT OR Apache-2.0
//! An array of words that poses as a device. It remembers what was written last and has no effects.

use std::cell::UnsafeCell;

/// A register block of nothing but registers and padding.
///
/// # Safety
///
/// * The type is `repr(C)`, its alignment is at most 4 and every bit pattern is a valid value.
/// * Its registers are accessed by volatile reads and writes only.
pub(crate) unsafe trait RegisterBlock {}

// SAFETY:
// * `register_structs!` makes a `repr(C)` struct of integers, none wider than 32 bits.
// * The register types of tock-registers have volatile accesses only.
unsafe impl RegisterBlock for takt_drivers::gic400::DistributorRegisters {}
// SAFETY: as above.
unsafe impl RegisterBlock for takt_drivers::gic400::CpuInterfaceRegisters {}
// SAFETY: as above.
unsafe impl RegisterBlock for takt_drivers::aux_uart::AuxRegisters {}
// SAFETY: as above.
unsafe impl RegisterBlock for takt_drivers::mailbox::MailboxRegisters {}
// SAFETY: as above.
unsafe impl RegisterBlock for takt_drivers::pl011::Pl011Registers {}
// SAFETY: as above.
unsafe impl RegisterBlock for takt_drivers::system_timer::SystemTimerRegisters {}
// SAFETY: as above.
unsafe impl RegisterBlock for takt_drivers::clock_manager::ClockGeneratorRegisters {}
// SAFETY: as above.
unsafe impl RegisterBlock for takt_drivers::gpio::GpioRegisters {}
// SAFETY: as above.
unsafe impl RegisterBlock for takt_drivers::power_management::PowerManagementRegisters {}
// SAFETY: as above.
unsafe impl RegisterBlock for takt_drivers::pwm::PwmRegisters {}
// SAFETY: as above.
unsafe impl RegisterBlock for takt_drivers::rng200::Rng200Registers {}
// SAFETY: as above.
unsafe impl RegisterBlock for takt_drivers::thermal::ThermalRegisters {}

// SAFETY: as above.
unsafe impl RegisterBlock for takt_drivers::spi::SpiRegisters {}
// SAFETY: as above.
unsafe impl RegisterBlock for takt_drivers::i2c::I2cRegisters {}
// SAFETY: as above.
unsafe impl RegisterBlock for takt_drivers::dma::DmaRegisters {}

/// The memory of a device of `N` words, zero at first.
pub(crate) struct Words<const N: usize>([UnsafeCell<u32>; N]);

impl<const N: usize> Words<N> {
    /// A device whose registers are all zero.
    pub(crate) fn new() -> Self {
        Self([const { UnsafeCell::new(0) }; N])
    }

    /// A device whose registers all read the same.
    pub(crate) fn filled(value: u32) -> Self {
        Self(std::array::from_fn(|_| UnsafeCell::new(value)))
    }

    /// The words seen as a register block.
    pub(crate) fn pose<R: RegisterBlock>(&self) -> &R {
        assert!(size_of::<R>() <= size_of::<Self>(), "the block is longer than the array");
        // SAFETY:
        // * The pointer comes from a reference to at least as many bytes, aligned to 4.
        // * `RegisterBlock` promises layout and validity.
        // * All words are in `UnsafeCell`, and both sides access them by volatile accesses on one thread.
        unsafe { &*self.0.as_ptr().cast::<R>() }
    }

    /// The word at a byte offset.
    pub(crate) fn at(&self, offset: usize) -> u32 {
        // SAFETY: the pointer is that of a cell in the array, which is bounds-checked, and no other thread has it.
        unsafe { self.cell(offset).read_volatile() }
    }

    /// Makes the word at a byte offset read this value.
    pub(crate) fn put(&self, offset: usize, value: u32) {
        // SAFETY: the pointer is that of a cell in the array, which is bounds-checked, and no other thread has it.
        unsafe { self.cell(offset).write_volatile(value) }
    }

    /// The offsets whose word is not this value.
    pub(crate) fn differing_from(&self, value: u32) -> Vec<usize> {
        (0..N).map(|index| index * 4).filter(|&offset| self.at(offset) != value).collect()
    }

    /// The cell of the word at a byte offset.
    fn cell(&self, offset: usize) -> *mut u32 {
        assert!(offset.is_multiple_of(4), "a word lies at a multiple of 4");
        self.0[offset / 4].get()
    }
}
