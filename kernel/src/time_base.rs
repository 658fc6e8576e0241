// SPDX-License-Identifier: MIT OR Apache-2.0
//! From an instant to a compare value: the arithmetic of a timer that counts microseconds.
//!
//! The BCM2711 system timer counts microseconds from its own zero, while instants count half ticks of `CNTPCT_EL0`.
//! Both come from one crystal [HW 4.3], so the instant at which the system timer read 0, its *phase*, is a constant;
//! it is found at boot by intersecting intervals ([`PhaseBracket`]).

use core::num::NonZeroU64;

use crate::time::{Instant, Rate};

/// The relation of the system timer to instants.
#[derive(Clone, Copy, Debug)]
pub struct MicrosecondScale {
    /// The instant at which the 64-bit system timer read 0, less what makes a division round up.
    phase_to_round_up: Instant,
    half_ticks_per_us: NonZeroU64,
}

/// A deadline nearer than this, 256 half ticks or about 2 us, may pass while its compare value is on its way to the
/// device, whose match is an equality: the device's own counter has to be read after the write.
const NEAR_HALF_TICKS: i64 = 256;

/// Whether a compare value for `due`, written before the counter read `now`, may have come too late.
#[inline(always)]
pub const fn is_near(due: Instant, now: Instant) -> bool {
    due.since(now) < NEAR_HALF_TICKS
}

impl MicrosecondScale {
    /// The scale of a system timer that read 0 at `phase`.
    pub const fn new(phase: Instant, rate: Rate) -> Self {
        let half_ticks_per_us = rate.half_ticks_per_us();
        Self { phase_to_round_up: phase.before(half_ticks_per_us.get().wrapping_sub(1)), half_ticks_per_us }
    }

    /// The instant at which the system timer read 0.
    pub const fn phase(&self) -> Instant {
        self.phase_to_round_up.after(self.half_ticks_per_us.get().wrapping_sub(1))
    }

    /// The compare value for the deadline `due`: the low 32 bits of the microsecond count, rounded up.
    ///
    /// A deadline that is more than 2^32 us (71.6 minutes) away matches once or more before its time, since the device
    /// compares the low half alone: these are the intermediate wake-ups that so far a deadline needs.
    #[inline(always)]
    pub fn compare_for(&self, due: Instant) -> u32 {
        #[expect(clippy::cast_possible_truncation, reason = "the device compares the low 32 bits")]
        {
            self.microseconds_at(due) as u32
        }
    }

    /// Whether a deadline that [`is_near`] has passed on the system timer, whose low half reads `low_us`, `now` being a
    /// recent instant: the match is an equality, so a count equal to the compare value may have come before that was
    /// written.
    pub fn has_passed(&self, due: Instant, now: Instant, low_us: u32) -> bool {
        match due.since(now) {
            // Only around the deadline itself is the device's own count needed.
            ahead if ahead < NEAR_HALF_TICKS.wrapping_neg() => true,
            ahead if ahead < NEAR_HALF_TICKS => self.compare_for(due).wrapping_sub(low_us).cast_signed() <= 0,
            _ => false,
        }
    }

    /// What the 64-bit system timer reads at `instant`, rounded up.
    #[inline(always)]
    pub fn microseconds_at(&self, instant: Instant) -> u64 {
        instant.since(self.phase_to_round_up).cast_unsigned() / self.half_ticks_per_us
    }

    /// The first instant at or after `instant` at which the system timer changes.
    pub fn next_edge(&self, instant: Instant) -> Instant {
        self.phase().after(self.microseconds_at(instant).wrapping_mul(self.half_ticks_per_us.get()))
    }
}

/// Finds the phase: each sample (counter, system timer, counter) says between which two instants the system timer
/// read 0, and the true one lies in all of these intervals.
#[derive(Clone, Copy, Debug)]
pub struct PhaseBracket {
    half_ticks_per_us: NonZeroU64,
    earliest: Option<Instant>,
    latest: Instant,
}

/// The samples contradict each other: the two clocks do not run at the assumed ratio.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClocksDisagree;

/// A phase and how well it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phase {
    /// The middle of the bracket.
    pub instant: Instant,
    /// Half the width of the bracket in half ticks: the phase is right to this much either way.
    pub half_width_half_ticks: u64,
}

impl PhaseBracket {
    /// No sample yet.
    pub const fn new(rate: Rate) -> Self {
        Self { half_ticks_per_us: rate.half_ticks_per_us(), earliest: None, latest: Instant::from_half_ticks(0) }
    }

    /// The system timer read `us` at some instant from `before` to `after`.
    pub fn add(&mut self, before: Instant, us: u64, after: Instant) {
        // It read `us` at some r with phase + us·k <= r < phase + (us + 1)·k, and before <= r < after + 2, since the
        // counter tells whole ticks, rounded down; hence before − (us + 1)·k < phase < after + 2 − us·k.
        let earliest = before.before(us.wrapping_add(1).wrapping_mul(self.half_ticks_per_us.get())).after(1);
        let latest = after.after(1).before(us.wrapping_mul(self.half_ticks_per_us.get()));
        match self.earliest {
            None => (self.earliest, self.latest) = (Some(earliest), latest),
            Some(known) => {
                if known.is_before(earliest) {
                    self.earliest = Some(earliest);
                }
                if latest.is_before(self.latest) {
                    self.latest = latest;
                }
            }
        }
    }

    /// The phase that all samples allow.
    ///
    /// # Errors
    /// Where there is none, or no sample.
    pub fn phase(&self) -> Result<Phase, ClocksDisagree> {
        let earliest = self.earliest.ok_or(ClocksDisagree)?;
        let width = u64::try_from(self.latest.since(earliest)).map_err(|_| ClocksDisagree)?;
        Ok(Phase { instant: earliest.after(width / 2), half_width_half_ticks: width.div_ceil(2) })
    }
}

#[cfg(test)]
mod tests {
    use super::{ClocksDisagree, MicrosecondScale, PhaseBracket, is_near};
    use crate::time::{Instant, Rate};

    fn at(half_ticks: u64) -> Instant {
        Instant::from_half_ticks(half_ticks)
    }

    fn qemu() -> Rate {
        Rate::from_counter_hz(62_500_000).unwrap()
    }

    fn board() -> Rate {
        Rate::from_counter_hz(54_000_000).unwrap()
    }

    #[test]
    fn compare_values_round_up() {
        let scale = MicrosecondScale::new(at(50), qemu());
        assert_eq!(scale.compare_for(at(50 + 125 * 7)), 7);
        assert_eq!(scale.compare_for(at(50 + 125 * 7 + 1)), 8);
        assert_eq!(scale.compare_for(at(50 + 125 * 7 - 1)), 7);
    }

    #[test]
    fn compare_values_cross_the_32_bit_wrap() {
        let scale = MicrosecondScale::new(at(0), board());
        assert_eq!(scale.compare_for(at(108 * ((1 << 32) - 1))), u32::MAX);
        assert_eq!(scale.compare_for(at(108 * ((1 << 32) + 1))), 1);
    }

    #[test]
    fn a_deadline_hours_ahead_goes_through_intermediate_wake_ups() {
        let scale = MicrosecondScale::new(at(0), board());
        let due = at(108 * 10 * 3_600_000_000);
        let mut now_us = 123_456_789_u64;
        let mut wake_ups = 0;
        while at(now_us * 108).is_before(due) {
            // The next count whose low half equals the compare value, after now.
            let compare = u64::from(scale.compare_for(due));
            let ahead = compare.wrapping_sub(now_us) & 0xFFFF_FFFF;
            now_us += if ahead == 0 { 1 << 32 } else { ahead };
            assert!(!due.is_before(at(now_us * 108)));
            wake_ups += 1;
        }
        assert_eq!(at(now_us * 108), due);
        assert_eq!(wake_ups, 9);
    }

    #[test]
    fn the_counter_may_wrap_between_phase_and_deadline() {
        let scale = MicrosecondScale::new(at(u64::MAX - 1_000), qemu());
        assert_eq!(scale.microseconds_at(at(u64::MAX - 1_000).after(125 * 20)), 20);
        assert_eq!(scale.next_edge(at(u64::MAX - 1_000).after(126)), at(u64::MAX - 1_000).after(250));
    }

    #[test]
    fn near_is_about_two_microseconds_and_the_past() {
        assert!(is_near(at(1_000), at(1_000)) && is_near(at(1_000), at(2_000)) && is_near(at(1_255), at(1_000)));
        assert!(!is_near(at(1_256), at(1_000)));
    }

    #[test]
    fn passed_is_judged_by_the_count_of_the_device() {
        let scale = MicrosecondScale::new(at(0), qemu());
        let us = |us: u64| at(us * 125);
        assert!(scale.has_passed(us(1_000), us(1_000), 1_000));
        assert!(scale.has_passed(us(1_000), us(1_003), 1_003));
        assert!(!scale.has_passed(us(1_000), us(999), 999));
        // Across the wrap of the 32-bit count, and hours late.
        assert!(scale.has_passed(us((1 << 32) - 1), us(1 << 32), 0));
        assert!(!scale.has_passed(us(1 << 32), us((1 << 32) - 1), u32::MAX));
        assert!(scale.has_passed(us(0), us(3 << 32), 0));
        assert!(scale.has_passed(us(0), us((1 << 31) + 5), (1 << 31) + 5));
        // Far ahead, where the low half alone would look past.
        assert!(!scale.has_passed(us(3 << 32), us(0), 5));
    }

    #[test]
    fn samples_bracket_the_phase() {
        for phase in [0, 1, 77, u64::MAX - 40] {
            let mut bracket = PhaseBracket::new(qemu());
            for sample in 0..500_u64 {
                let read = at(phase).after(10_000 + sample * 131);
                let us = read.since(at(phase)).cast_unsigned() / 125;
                bracket.add(read.before(2), us, read.after(2));
            }
            let found = bracket.phase().unwrap();
            assert!(found.half_width_half_ticks <= 4, "{found:?}");
            assert!(found.instant.since(at(phase)).unsigned_abs() <= found.half_width_half_ticks, "{found:?}");
        }
    }

    #[test]
    fn a_counter_that_tells_whole_ticks_of_many_instructions_contradicts_nobody() {
        let mut bracket = PhaseBracket::new(qemu());
        for sample in 0..2_000_u64 {
            // Sixteen instructions a tick, two between the reads.
            let instruction = 1_000_000 + sample * 77;
            let counter = |instruction: u64| at(instruction / 16 * 2);
            bracket.add(counter(instruction), (instruction + 2) / 1_000, counter(instruction + 4));
        }
        assert!(bracket.phase().unwrap().instant.since(at(0)).unsigned_abs() <= 2);
    }

    #[test]
    fn clocks_that_drift_apart_are_noticed() {
        let mut bracket = PhaseBracket::new(qemu());
        assert_eq!(bracket.phase(), Err(ClocksDisagree));
        for sample in 0..500_u64 {
            let read = at(10_000 + sample * 131);
            bracket.add(read, read.half_ticks() / 124, read);
        }
        assert_eq!(bracket.phase(), Err(ClocksDisagree));
    }
}
