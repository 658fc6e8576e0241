// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether QEMU counts instructions, found out by looking rather than believed.
//!
//! With `-icount shift=N` each instruction takes 2^N ns of virtual time, and `PMCCNTR_EL0` counts nanoseconds in QEMU
//! [HW 12]: two reads in a row are always 2^N apart. Without it they are as far apart as the host was slow, and hardly
//! ever twice the same.

use takt_rpi4::counter;

/// How many pairs of reads are looked at.
const PAIRS: u32 = 64;
/// How many of them may be torn apart by an interrupt.
const TORN_PAIRS: u32 = 8;
/// The largest shift that QEMU takes.
const MAX_SHIFT: u32 = 10;

/// The shift of QEMU's instruction counter; `None` where it does not count. Means nothing on a board.
pub(crate) fn shift() -> Option<u32> {
    let mut least_ns = u64::MAX;
    let mut equal: u32 = 0;
    for _ in 0..PAIRS {
        let first = counter::cycles();
        let second = counter::cycles();
        let ns = second.wrapping_sub(first);
        if ns < least_ns {
            (least_ns, equal) = (ns, 0);
        }
        equal = equal.wrapping_add(u32::from(ns == least_ns));
    }
    let shift = least_ns.checked_ilog2().filter(|&shift| least_ns.is_power_of_two() && shift <= MAX_SHIFT)?;
    (equal >= PAIRS.wrapping_sub(TORN_PAIRS)).then_some(shift)
}
