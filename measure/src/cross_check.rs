// SPDX-License-Identifier: MIT OR Apache-2.0
//! The same paths by another clock: `PMCCNTR_EL0`, which in QEMU counts nanoseconds of virtual time.
//!
//! Where QEMU counts instructions with shift *n*, one takes 2^*n* ns. So the cycle counter shows single instructions even
//! with shift 0, where a tick of the clock is 16 of them, and `takt bench` compares. Cycles and clock are brought together
//! by reading both in a row: each pair says within 16 ns where the zero of the one lies on the other, and pairs at many
//! phases leave a nanosecond.

use core::fmt::{self, Write};

use takt::kernel::time::Instant;
use takt::rpi4::{counter, interrupts};

use crate::spread::Spread;

/// Nanoseconds in a half tick and in a tick of QEMU's counter.
const NS_PER_HALF_TICK: u64 = 8;
const NS_PER_TICK: i64 = 16;
/// How many pairs are read.
const PAIRS: u32 = 256;

/// From `due` to `cycles`, in half nanoseconds, but for the distance of their zeros.
#[inline(always)]
pub(crate) fn half_ns_since(due: Instant, cycles: u64) -> i64 {
    let due_ns = due.half_ticks().wrapping_mul(NS_PER_HALF_TICK);
    cycles.wrapping_sub(due_ns).cast_signed().wrapping_mul(2)
}

/// What has to be added to the cycle counter so that it shows the clock's nanoseconds: the most that it can be, where an
/// instruction takes `2^shift` ns.
pub(crate) fn offset_ns(shift: u32) -> i64 {
    let mut most = i64::MAX;
    for pair in 0..PAIRS {
        // Another phase each time.
        (0..pair % 16).for_each(|_| interrupts::yield_hint());
        let ticks = counter::ticks();
        let cycles = counter::cycles();
        let ns = ticks.cast_signed().wrapping_mul(NS_PER_TICK).wrapping_add(NS_PER_TICK).wrapping_sub(1);
        most = most.min(ns.wrapping_add(1_i64.wrapping_shl(shift)).wrapping_sub(cycles.cast_signed()));
    }
    most
}

/// Writes a line for each path, in instructions.
pub(crate) fn write(out: &mut dyn Write, shift: u32, rows: &[(&str, Spread)]) -> fmt::Result {
    rows.iter().try_for_each(|(name, spread)| writeln!(out, "# Cycles: {name},{spread} instructions, shift {shift}"))
}
