// SPDX-License-Identifier: MIT OR Apache-2.0
//! The entry of the image and what the firmware handed over.

core::arch::global_asm!(include_str!("boot.s"));

/// Puts the image's first instruction into place. `start: extern "C" fn(usize, usize, u32) -> !` is called on core 0,
/// at EL1 with MMU and caches on, statics zeroed, interrupts masked, on the exception stack; its arguments make a
/// [`Handover`](crate::boot::Handover). `other_core: extern "C" fn(usize) -> !` is called in the same state on each
/// other core that [has tasks](crate::cores::release_others), with its number.
#[macro_export]
macro_rules! entry {
    ($start:path, $other_core:path $(,)?) => {
        core::arch::global_asm!(
            ".section .text.boot, \"ax\"",
            ".global _start",
            "_start:",
            "adrp x21, {start}",
            "add x21, x21, :lo12:{start}",
            "b takt_boot",
            ".section .text.boot.rest, \"ax\"",
            ".global takt_core_is_up",
            "takt_core_is_up:",
            "b {other_core}",
            start = sym $start,
            other_core = sym $other_core,
        );
    };
}

/// What the firmware handed over at the entry.
#[derive(Clone, Copy, Debug)]
pub struct Handover {
    /// What x0 held: the address of a device tree on a board.
    pub x0: usize,
    /// The exception level at the entry, 1 to 3.
    pub exception_level: usize,
    /// The 32-bit word at that address; 0 where x0 cannot be the address of a device tree.
    pub word_at_x0: u32,
}

/// What x0 was found to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BootData {
    /// A flattened device tree, by its magic number.
    DeviceTree,
    /// A list of ATAGs, as QEMU leaves it at 0x100.
    Atags,
    /// Nothing that takt knows.
    Unknown,
}

impl Handover {
    /// The first word of a device tree as the little-endian core reads it: 0xD00DFEED, big-endian.
    const DEVICE_TREE_MAGIC: u32 = 0xD00D_FEED_u32.swap_bytes();
    /// The size of the first ATAG (ATAG_CORE) in words.
    const ATAG_CORE_WORDS: u32 = 5;

    /// What x0 points at.
    pub const fn boot_data(&self) -> BootData {
        match self.word_at_x0 {
            Self::DEVICE_TREE_MAGIC => BootData::DeviceTree,
            Self::ATAG_CORE_WORDS => BootData::Atags,
            _ => BootData::Unknown,
        }
    }
}
