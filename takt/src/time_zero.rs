// SPDX-License-Identifier: MIT OR Apache-2.0
//! When the periodic tasks begin: at one instant on all cores, once each of them has come to its first wait.

use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use core::time::Duration;

use takt_kernel::time::Instant;
use takt_rpi4::cores::{self, CORES};

use crate::clock::{self, half_ticks};
use crate::core_state::CoreState;
use crate::exclusive::exclusively;
use crate::home;
use crate::remote::inbox;

/// How long after the last task's arrival time zero comes: a millisecond, so that every offset lies ahead, and all cores have
/// heard of it.
const LEAD: Duration = Duration::from_millis(1);

/// The cores, a bit each, with periodic tasks that have not all come to their first wait.
static ON_THEIR_WAY: AtomicU32 = AtomicU32::new(0);
/// The cores, a bit each, with periodic tasks.
static CONCERNED: AtomicU32 = AtomicU32::new(0);

/// Time zero in half ticks. Written by the last core to arrive, before it tells the others.
static ZERO_HALF_TICKS: AtomicU64 = AtomicU64::new(0);

/// Core `id` has periodic tasks. Called at boot, on core 0.
pub(crate) fn await_core(id: usize) {
    let bit = bit(id);
    // Relaxed: the other cores begin behind it.
    ON_THEIR_WAY.fetch_or(bit, Ordering::Relaxed);
    CONCERNED.fetch_or(bit, Ordering::Relaxed);
}

/// The periodic tasks of this core all wait. Answers whether those of the others do.
pub(crate) fn is_last_core() -> bool {
    // One core alone finds that it is the last. Nothing but the bits is read of the others.
    !home::others_run() || ON_THEIR_WAY.fetch_and(!here(), Ordering::Relaxed) == here()
}

/// Decides when time zero is. Called on one core.
pub(crate) fn set(core: &CoreState) -> Instant {
    let zero = core.time_base.scale.next_edge(clock::now().after(half_ticks(LEAD, core.time_base.rate)));
    // Relaxed: the others read it behind the interrupt that tells of it.
    ZERO_HALF_TICKS.store(zero.half_ticks(), Ordering::Relaxed);
    zero
}

/// Time zero, once it is known.
pub(crate) fn get() -> Instant {
    Instant::from_half_ticks(ZERO_HALF_TICKS.load(Ordering::Relaxed))
}

/// Tells the other cores that time zero is known.
pub(crate) fn tell_others(this: usize) {
    if home::others_run() {
        let concerned = CONCERNED.load(Ordering::Relaxed);
        for id in (0..CORES).filter(|&id| id != this && concerned & bit(id) != 0) {
            exclusively(|| inbox::tell(id, inbox::TIME_ZERO));
        }
    }
}

fn here() -> u32 {
    bit(cores::this_core())
}

fn bit(id: usize) -> u32 {
    u32::try_from(id).map_or(0, |id| 1_u32.wrapping_shl(id))
}
