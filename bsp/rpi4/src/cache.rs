// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cache maintenance for memory that a device reads or writes behind the core's back: barriers (e).

use core::arch::asm;

use aarch64_cpu::asm::barrier;

/// The line size of the Cortex-A72's data cache, in bytes [HW 9].
pub const LINE_BYTES: usize = 64;

/// Writes the lines of `address..address + bytes` back to memory, for a device to read.
pub fn clean(address: usize, bytes: usize) {
    for_each_line(address, bytes, |line| {
        // SAFETY: cleaning a line changes no value.
        unsafe { asm!("dc cvac, {}", in(reg) line, options(nostack, preserves_flags)) };
    });
    barrier::dsb(barrier::SY);
}

/// Writes the lines back and drops them, so that what a device wrote is read from memory.
pub fn clean_and_invalidate(address: usize, bytes: usize) {
    for_each_line(address, bytes, |line| {
        // SAFETY: cleaning before dropping loses no value.
        unsafe { asm!("dc civac, {}", in(reg) line, options(nostack, preserves_flags)) };
    });
    barrier::dsb(barrier::SY);
}

/// Drops all instructions that this core's level-1 cache holds: the next ones come from level 2 or memory. Changes no value.
pub fn drop_instructions() {
    // SAFETY: the instructions in memory are those that the cache had; fetching them again takes time alone.
    unsafe { asm!("ic iallu", "dsb nsh", "isb", options(nostack, preserves_flags)) };
}

fn for_each_line(address: usize, bytes: usize, operation: impl Fn(usize)) {
    let end = address.saturating_add(bytes);
    let mut line = address & !(LINE_BYTES.wrapping_sub(1));
    while line < end {
        operation(line);
        line = line.saturating_add(LINE_BYTES);
    }
}
