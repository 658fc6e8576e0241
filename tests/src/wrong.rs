// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a program may not do, for those that show what becomes of it.

use core::hint::black_box;

/// Calls what lies at `instructions` as a function.
pub fn execute(instructions: *const u32) {
    // SAFETY: an address is as good a function pointer as any; that the call may end the run is what it is for.
    let function: extern "C" fn() = unsafe { core::mem::transmute(black_box(instructions)) };
    function();
}

/// Reads the word at an address that is not mapped.
pub fn read(address: usize) {
    let address: *const u32 = core::ptr::without_provenance(black_box(address));
    // SAFETY: it is not mapped; the read is a fault, which is the fact.
    let word = unsafe { address.read_volatile() };
    black_box(word);
}

/// Takes piece after piece of the stack until there is none.
#[expect(unconditional_recursion, reason = "the overflow is the fact")]
pub fn overflow_stack(depth: u64) -> u64 {
    let piece = black_box([depth; 16]);
    overflow_stack(depth + 1) + piece[3]
}
