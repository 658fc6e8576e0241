// SPDX-License-Identifier: MIT OR Apache-2.0
//! A pointer of each core's own, in `TPIDRRO_EL0`, which nothing else uses: takt keeps the core's state there, and the vectors,
//! which have no register to spare, find the frame for a fatal exception in front of it.

use core::arch::asm;
use core::mem::offset_of;

use crate::vectors::FaultFrame;

/// What was [`set`] on this core; 0 before.
#[inline(always)]
pub fn get() -> *mut () {
    let pointer: *mut ();
    // SAFETY: reading the register has no effect. It changes once, before anybody reads it: `pure` and `nomem` hold.
    unsafe { asm!("mrs {}, tpidrro_el0", out(reg) pointer, options(pure, nomem, nostack, preserves_flags)) };
    pointer
}

/// As [`get`], read once more: for behind a call, over which the compiler would keep what it read before in a register that
/// it has to save for that.
#[inline(always)]
pub fn get_again() -> *mut () {
    let pointer: *mut ();
    // SAFETY: as in `get`.
    unsafe { asm!("mrs {}, tpidrro_el0", out(reg) pointer, options(nomem, nostack, preserves_flags)) };
    pointer
}

/// A core's state with its frame for a fatal exception in front.
#[derive(Debug)]
#[repr(C)]
pub struct WithFrame<T> {
    frame: FaultFrame,
    /// The state.
    pub state: T,
}

impl<T> WithFrame<T> {
    const HAS_FRAME_IN_FRONT: () = assert!(offset_of!(Self, state) == size_of::<FaultFrame>());

    /// This state.
    pub const fn new(state: T) -> Self {
        Self { frame: FaultFrame::EMPTY, state }
    }
}

/// Lets this core's pointer point to the state in `place`.
///
/// # Safety
/// Called once on each core, before [`get`] and before its vectors are installed, with a place of its own that stays.
pub unsafe fn set<T>(place: *mut WithFrame<T>) {
    const { WithFrame::<T>::HAS_FRAME_IN_FRONT };
    // SAFETY: a field of the caller's place.
    let state = unsafe { &raw mut (*place).state };
    // SAFETY: nobody else uses the register.
    unsafe { asm!("msr tpidrro_el0, {}", in(reg) state, options(nostack, preserves_flags)) };
}

/// The same pointer, of which the compiler knows no more than that it is in a register: it then reaches the fields of what
/// it points to from there, where of a static it would make the address of each anew. No instruction of its own.
#[inline(always)]
#[must_use]
#[expect(clippy::pointers_in_nomem_asm_block, reason = "nothing is read or written")]
pub fn keep_in_register<T>(pointer: *mut T) -> *mut T {
    let mut kept = pointer;
    // SAFETY: there is no instruction.
    unsafe { asm!("/* {} */", inout(reg) kept, options(pure, nomem, nostack, preserves_flags)) };
    kept
}
