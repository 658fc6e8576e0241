// SPDX-License-Identifier: MIT OR Apache-2.0
//! The memory map: identity, MMU and caches on, and only what is ours is mapped.
//!
//! | what | attributes |
//! |---|---|
//! | text | Normal write-back, read-only, executable |
//! | constants | Normal write-back, read-only |
//! | data, stacks, statics | Normal write-back, writable |
//! | guard pages, null page, VideoCore memory, unused RAM | not mapped |
//! | page 0, while cores start | Normal non-cacheable, writable |
//! | what cores without caches share | Normal non-cacheable, writable |
//! | the 2 MiB blocks with the devices we drive | Device-nGnRE, writable |
//!
//! Nothing is writable and executable. 4 KiB granule, 32-bit addresses, so level 1 has four entries of 1 GiB
//! [ARM D8.2]. The first 2 MiB are mapped by pages, the rest by blocks.

use core::arch::{asm, naked_asm};
use core::cell::UnsafeCell;

use crate::{layout, map};

const PAGE_BYTES: usize = 4 << 10;
const BLOCK_BYTES: usize = 2 << 20;
const LEVEL_1_BYTES: usize = 1 << 30;

/// A table of 512 descriptors; level 1 uses the first four.
#[repr(C, align(4096))]
struct Table(UnsafeCell<[u64; 512]>);

// SAFETY: the tables are written by core 0 alone: at boot, and in `unmap_page` with interrupts masked.
unsafe impl Sync for Table {}

impl Table {
    const fn new() -> Self {
        Self(UnsafeCell::new([0; 512]))
    }

    fn address(&self) -> u64 {
        self.0.get() as usize as u64
    }

    /// Writes descriptor `index` (0 to 511).
    ///
    /// # Safety
    /// Nobody else writes, and the new descriptor leaves mapped what is in use.
    unsafe fn set(&self, index: usize, descriptor: u64) {
        let entry = self.0.get().cast::<u64>().wrapping_add(index % 512);
        // SAFETY: the entry is inside the table.
        unsafe { entry.write_volatile(descriptor) };
    }
}

#[unsafe(link_section = ".bss.page_tables")]
static LEVEL_1: Table = Table::new();
/// The first GiB, in blocks.
#[unsafe(link_section = ".bss.page_tables")]
static RAM_BLOCKS: Table = Table::new();
/// The first 2 MiB, in pages.
#[unsafe(link_section = ".bss.page_tables")]
static FIRST_PAGES: Table = Table::new();
/// The last GiB below 4 GiB, in blocks.
#[unsafe(link_section = ".bss.page_tables")]
static DEVICE_BLOCKS: Table = Table::new();

/// Bits of a descriptor [ARM D8.3].
mod bits {
    pub(super) const TABLE: u64 = 0b11;
    pub(super) const PAGE: u64 = 0b11;
    pub(super) const BLOCK: u64 = 0b01;
    const ACCESSED: u64 = 1 << 10;
    const INNER_SHAREABLE: u64 = 0b11 << 8;
    const READ_ONLY: u64 = 1 << 7;
    /// Neither EL1 nor EL0 executes.
    const NEVER_EXECUTE: u64 = (1 << 54) | (1 << 53);
    /// EL0 does not execute.
    const NEVER_EXECUTE_AT_EL0: u64 = 1 << 54;
    /// Indices into `MAIR_EL1`.
    const DEVICE: u64 = 0 << 2;
    const NORMAL: u64 = 1 << 2;
    const NON_CACHEABLE: u64 = 2 << 2;

    pub(super) const CODE: u64 = ACCESSED | INNER_SHAREABLE | NORMAL | READ_ONLY | NEVER_EXECUTE_AT_EL0;
    pub(super) const CONSTANTS: u64 = ACCESSED | INNER_SHAREABLE | NORMAL | READ_ONLY | NEVER_EXECUTE;
    pub(super) const DATA: u64 = ACCESSED | INNER_SHAREABLE | NORMAL | NEVER_EXECUTE;
    pub(super) const SHARED_WITHOUT_CACHE: u64 = ACCESSED | INNER_SHAREABLE | NON_CACHEABLE | NEVER_EXECUTE;
    pub(super) const DEVICES: u64 = ACCESSED | DEVICE | NEVER_EXECUTE;
}

/// `MAIR_EL1`: 0 Device-nGnRE, 1 Normal write-back, 2 Normal non-cacheable [ARM D17.2.97].
const MAIR: u64 = 0x04 | (0xFF << 8) | (0x44 << 16);

/// `TCR_EL1`: 32-bit addresses from `TTBR0_EL1`, 4 KiB granule, table walks write-back inner-shareable, no `TTBR1_EL1`,
/// 32-bit physical addresses [ARM D17.2.131].
const TCR: u64 = 32 | (1 << 8) | (1 << 10) | (0b11 << 12) | (1 << 23);

/// `SCTLR_EL1`: the RES1 bits, MMU (0), data cache (2), stack alignment check (3), instruction cache (12), writable
/// memory never executes (19) [ARM D17.2.118].
const SCTLR: u64 = 0x30D0_0800 | 1 | (1 << 2) | (1 << 3) | (1 << 12) | (1 << 19);

/// What the page at `address`, in the first 2 MiB, is for.
fn page_descriptor(address: usize) -> u64 {
    let rights = if address < PAGE_BYTES {
        bits::SHARED_WITHOUT_CACHE
    } else if address < layout::text_start() {
        return 0;
    } else if address < layout::text_end() {
        bits::CODE
    } else if address < layout::rodata_end() {
        bits::CONSTANTS
    } else if (layout::noncacheable_start()..layout::noncacheable_end()).contains(&address) {
        bits::SHARED_WITHOUT_CACHE
    } else if address < layout::bss_end() {
        bits::DATA
    } else {
        return 0;
    };
    address as u64 | rights | bits::PAGE
}

/// Fills the tables. Called by the boot code with the MMU off, before `.bss` is zeroed: it touches nothing but the
/// tables and the stack.
#[unsafe(no_mangle)]
extern "C" fn takt_build_translation_tables() {
    for index in 0..512_usize {
        let page = index.wrapping_mul(PAGE_BYTES);
        let block = index.wrapping_mul(BLOCK_BYTES);
        let ram = match index {
            0 => FIRST_PAGES.address() | bits::TABLE,
            _ if block < layout::bss_end() => block as u64 | bits::DATA | bits::BLOCK,
            _ => 0,
        };
        let device_address = block | (3 * LEVEL_1_BYTES);
        let device = if map::DEVICE_BLOCKS.contains(&device_address) {
            device_address as u64 | bits::DEVICES | bits::BLOCK
        } else {
            0
        };
        let level_1 = match index {
            0 => RAM_BLOCKS.address() | bits::TABLE,
            3 => DEVICE_BLOCKS.address() | bits::TABLE,
            _ => 0,
        };
        for (table, descriptor) in
            [(&FIRST_PAGES, page_descriptor(page)), (&RAM_BLOCKS, ram), (&DEVICE_BLOCKS, device), (&LEVEL_1, level_1)]
        {
            // SAFETY: core 0 alone runs, the MMU is off, and nothing is in use through the tables.
            unsafe { table.set(index, descriptor) };
        }
    }
}

/// Turns MMU and caches on; called by the boot code after it invalidated what was written with the MMU off.
#[unsafe(no_mangle)]
#[unsafe(naked)]
extern "C" fn takt_enable_mmu() {
    naked_asm!(
        "ldr x0, ={mair}",
        "msr mair_el1, x0",
        "ldr x0, ={tcr}",
        "msr tcr_el1, x0",
        "adrp x0, {level_1}",
        "add x0, x0, :lo12:{level_1}",
        "msr ttbr0_el1, x0",
        "ic iallu",
        "tlbi vmalle1",
        "dsb sy",
        "isb", // (f)
        "ldr x0, ={sctlr}",
        "msr sctlr_el1, x0",
        "isb", // (f)
        "ret",
        mair = const MAIR,
        tcr = const TCR,
        sctlr = const SCTLR,
        level_1 = sym LEVEL_1,
    )
}

/// Drops all translations that this core holds: the next access to each page walks the tables. Changes nothing of the map.
pub fn drop_translations() {
    // SAFETY: the tables in memory say what the dropped translations said.
    unsafe { asm!("tlbi vmalle1", "dsb nsh", "isb", options(nostack, preserves_flags)) };
}

/// Takes the page at `address` out of the map, so that touching it is a fault. Only the first 2 MiB have pages.
///
/// # Safety
/// Nobody uses the page any more, on no core, and only core 0 calls this, before it starts tasks.
pub unsafe fn unmap_page(address: usize) {
    if address >= BLOCK_BYTES {
        return;
    }
    // SAFETY: the caller guarantees that the page is not in use and that nobody else writes.
    unsafe { FIRST_PAGES.set(address / PAGE_BYTES, 0) };
    // SAFETY: barriers and TLB maintenance change no memory; the walk must see the descriptor before the old
    // translation is dropped.
    unsafe { asm!("dsb ishst", "tlbi vmalle1is", "dsb ish", "isb", options(nostack)) };
}
