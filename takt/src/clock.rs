// SPDX-License-Identifier: MIT OR Apache-2.0
//! The clock an application sees.

use core::time::Duration;

use takt_kernel::time::{Instant, Rate};
use takt_rpi4::counter;

use crate::core_state::masked;

/// `us` microseconds.
pub const fn micros(us: u64) -> Duration {
    Duration::from_micros(us)
}

/// `ms` milliseconds.
pub const fn millis(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

/// Now. Anyone may call this, handlers included.
///
/// ```no_run
/// use takt::clock;
///
/// fn how_many_half_ticks(work: fn()) -> i64 {
///     let begun = clock::now();
///     work();
///     clock::now().since(begun)                                   // `clock::half_ticks_per_us` make a microsecond
/// }
/// ```
#[inline(always)]
pub fn now() -> Instant {
    Instant::from_counter(counter::ticks())
}

/// How many half ticks `duration` has at this [`rate`]; what is less than a microsecond counts as a whole one.
pub fn half_ticks(duration: Duration, rate: Rate) -> u64 {
    let us = duration.as_nanos().div_ceil(1_000);
    u64::try_from(us).ok().and_then(|us| rate.half_ticks(us)).unwrap_or(1 << 62)
}

/// The instant `duration` from now. Called by tasks.
///
/// ```no_run
/// use takt::clock;
/// use takt::prelude::*;
///
/// fn in_a_while() {
///     sleep_until(clock::from_now(millis(20)));
/// }
/// ```
pub fn from_now(duration: Duration) -> Instant {
    now().after(half_ticks(duration, rate()))
}

/// How many half ticks a microsecond has: 108 on the board, 125 in QEMU.
pub fn half_ticks_per_us() -> u64 {
    rate().half_ticks_per_us().get()
}

/// How the counter counts.
pub fn rate() -> Rate {
    masked(|core| core.time_base.rate)
}

/// Microseconds since the counter's zero, rounded down. Anyone may call this, handlers included.
pub fn uptime_us() -> u64 {
    let half_ticks_per_us = rate().half_ticks_per_us();
    // The quotient of a division by what is not zero.
    now().half_ticks() / half_ticks_per_us
}

/// The first instant at or after `instant` at which a release is exact: an edge of the microsecond counter. The generic
/// timer could do better, but a task shall be released alike on both.
pub fn next_edge(instant: Instant) -> Instant {
    masked(|core| core.time_base.scale.next_edge(instant))
}
