// SPDX-License-Identifier: MIT OR Apache-2.0
//! A load that may find nobody: where no device answers, that is an answer and not a fault.
//!
//! One instruction of the image is allowed to fail, the load in `takt_guarded_read` (`vectors.rs`). An external data abort
//! of it, at exactly its address, resumes behind it with a mark; so does an SError that is taken from there up to the
//! mark. A Cortex-A72 may report a load that a device refuses either way: a Raspberry Pi 4 was seen to report an SError
//! [HW 9]. The same at any other place is a fault, and so is any other exception of this load: a translation fault means
//! that `map.rs` names a register outside what `mmu.rs` maps, which is takt's own mistake and says nothing of the device.
//!
//! Interrupts are masked for the load and the barriers around it, 12 instructions at most, or 33 where nobody answers. How
//! long the bus of the board takes to say so is not known **?**.

/// What `takt_guarded_read` leaves in x0 and x1.
#[repr(C)]
struct Answer {
    word: u64,
    has_answered: u64,
}

unsafe extern "C" {
    fn takt_guarded_read(address: usize) -> Answer;
}

/// The word at `address`; `None` where no device answers. Anyone may call this.
///
/// # Safety
/// `address` is that of a device's register of 32 bits, or of none, and a read of it changes nothing for whoever uses the
/// device.
#[must_use]
pub unsafe fn read(address: usize) -> Option<u32> {
    // SAFETY: the caller's. The function keeps to the calling convention, also where nobody answers.
    let answer = unsafe { takt_guarded_read(address) };
    // The upper half of x1 is zero, of x0 whatever it was.
    (answer.has_answered != 0).then_some(low_half(answer.word))
}

#[expect(clippy::cast_possible_truncation, reason = "a register has 32 bits")]
const fn low_half(word: u64) -> u32 {
    word as u32
}
