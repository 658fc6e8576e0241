// SPDX-License-Identifier: MIT OR Apache-2.0
//! Looking for stalls that no interrupt of this core explains: the core reads its counter with interrupts masked, and where two
//! reads lie far apart, somebody else had the bus, the SDRAM or the clock. Linux: the `hwlat` tracer.

use takt_rpi4::interrupts;

use crate::clock;
use crate::exclusive::exclusively;
use crate::kernel::gaps::Gaps;

/// Reads the counter for `width_half_ticks` with interrupts masked, and adds to `gaps` what lies between two reads. **Nothing
/// else runs on this core so long**, handlers included: no periodic task keeps its instants. Called by tasks.
///
/// ```no_run
/// use takt::clock;
/// use takt::kernel::gaps::Gaps;
/// use takt::stalls;
///
/// fn stalled_half_ticks() -> u64 {
///     let us = clock::half_ticks_per_us();
///     let mut gaps = Gaps::above(10 * us);
///     stalls::watch(&mut gaps, 100_000 * us);
///     gaps.largest().map_or(0, |gap| gap.half_ticks)
/// }
/// ```
#[inline(never)]
pub fn watch(gaps: &mut Gaps, width_half_ticks: u64) {
    exclusively(|| {
        gaps.watch(width_half_ticks, || {
            // Where cores are emulated and take turns, the others shall have theirs.
            interrupts::yield_hint();
            clock::now()
        });
    });
}
