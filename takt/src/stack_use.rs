// SPDX-License-Identifier: MIT OR Apache-2.0
//! How much of a stack was ever used: it is painted before it is used, and the paint that is left is counted.
//!
//! What a task reserves and does not write keeps its paint and is not seen; nor is a word that happens to look like it.

use takt_rpi4::{cores, interrupts, layout};

/// What an unused word of a stack holds.
const PAINT: u64 = 0xA5A5_A5A5_A5A5_A5A5;
/// The size of the guard page at the lower end.
const GUARD_BYTES: usize = 4096;
/// How many words are looked at before QEMU's other cores get a turn.
const WORDS_PER_TURN: usize = 4;

/// How large a stack is and how much of it was ever used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StackUse {
    /// Its size.
    pub bytes: usize,
    /// The most that was in use.
    pub used_bytes: usize,
}

/// The memory of a stack, without its guard page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StackMemory {
    bottom: usize,
    top: usize,
}

impl StackMemory {
    /// The stack above the guard page at `guard`, up to `top`.
    pub(crate) const fn above_guard(guard: usize, top: usize) -> Self {
        Self { bottom: guard.wrapping_add(GUARD_BYTES), top }
    }

    /// Paints the whole stack.
    ///
    /// # Safety
    /// Nobody uses the stack yet, and its memory is mapped writable.
    pub(crate) unsafe fn paint(self) {
        // SAFETY: the caller's.
        unsafe { paint(self.bottom, self.top) };
    }

    /// How much of it was used by now. Called by tasks; takes time in proportion to what was not.
    #[inline(never)]
    pub(crate) fn in_use(self) -> StackUse {
        let words = (self.bottom..self.top).step_by(size_of::<u64>());
        let is_paint = |(index, address): &(usize, usize)| {
            if index.is_multiple_of(WORDS_PER_TURN) {
                interrupts::yield_hint();
            }
            // SAFETY: a stack is mapped and aligned; its owner may write it at any time, so the read is volatile, and any
            // value will do.
            let word = unsafe { core::ptr::with_exposed_provenance::<u64>(*address).read_volatile() };
            word == PAINT
        };
        let unused = words.enumerate().take_while(is_paint).count().wrapping_mul(size_of::<u64>());
        let bytes = self.top.wrapping_sub(self.bottom);
        StackUse { bytes, used_bytes: bytes.saturating_sub(unused) }
    }
}

/// The stack of this core's handlers.
fn of_exceptions() -> StackMemory {
    let core = cores::this_core();
    StackMemory::above_guard(layout::exception_stack_guard(core), layout::exception_stack_top(core))
}

/// Paints the whole of the handlers' stack, on which the boot ran until the first task did.
///
/// # Safety
/// Called by the first task with interrupts masked, before the core was ever idle.
pub(crate) unsafe fn paint_exception_stack() {
    let stack = of_exceptions();
    // SAFETY: neither a handler nor the idle task runs; the caller's.
    unsafe { paint(stack.bottom, stack.top) };
}

/// How much of the stack of this core's handlers was used since the first task began. Called by tasks.
///
/// ```no_run
/// fn is_nearly_full() -> bool {
///     let stack = takt::exception_stack_use();
///     stack.used_bytes > stack.bytes / 10 * 9
/// }
/// ```
pub fn exception_stack_use() -> StackUse {
    of_exceptions().in_use()
}

/// # Safety
/// Nobody uses the memory between the two addresses, and it is mapped writable.
unsafe fn paint(bottom: usize, end: usize) {
    for address in (bottom..end).step_by(size_of::<u64>()) {
        // SAFETY: the caller's, and both ends are aligned. Volatile, since nobody reads it as what was written.
        unsafe { core::ptr::with_exposed_provenance_mut::<u64>(address).write_volatile(PAINT) };
    }
}
