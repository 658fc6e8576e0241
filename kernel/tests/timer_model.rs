// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rules of arming the system timer, against a timer that is stricter than the hardware: its match is raised only at
//! the moment at which its low 32 bits *become* the compare value.
//!
//! The interrupt path is imitated step by step, with a random delay at each place where the real one takes time or is
//! preempted by a direct handler: no release may be lost or early, and no period may drift.
#![allow(
    clippy::unwrap_used,
    clippy::arithmetic_side_effects,
    reason = "the hot-path lints are for the executive; a test that cannot go on fails"
)]

use proptest::prelude::{Just, Strategy, any, prop, prop_oneof};
use proptest::test_runner::{Config as ProptestConfig, TestCaseError};
use proptest::{prop_assert, prop_assert_eq, proptest};
use takt_kernel::time::{Instant, Rate};
use takt_kernel::time_base::{MicrosecondScale, is_near};

/// A machine: the counter, the system timer and its one channel. Times are half ticks since the timer read 0.
struct Machine {
    phase: Instant,
    half_ticks_per_us: u64,
    now: u64,
    compare: u32,
    match_flag: bool,
    /// The interrupt controller's pending bit, where software set it.
    pended: bool,
    delays: Vec<u64>,
    next_delay: usize,
}

impl Machine {
    fn low_us(&self) -> u32 {
        low(self.now / self.half_ticks_per_us)
    }

    /// The counter, as the executive sees it: whole ticks.
    fn counter(&self) -> Instant {
        let exact = self.phase.after(self.now).half_ticks();
        Instant::from_half_ticks(exact & !1)
    }

    /// Time passes; a match on the way is kept.
    fn pass(&mut self, half_ticks: u64) {
        let until = self.now + half_ticks;
        if self.next_match().is_some_and(|at| at <= until) {
            self.match_flag = true;
        }
        self.now = until;
    }

    /// When the count next becomes the compare value, if within a turn of its 32 bits.
    fn next_match(&self) -> Option<u64> {
        let us = self.now / self.half_ticks_per_us;
        let ahead = u64::from(self.compare.wrapping_sub(low(us)));
        // Equal already: the next time is a whole turn away.
        let ahead = if ahead == 0 { 1 << 32 } else { ahead };
        Some((us + ahead) * self.half_ticks_per_us)
    }

    /// As long as the next piece of the path takes.
    fn dawdle(&mut self) {
        let delay = self.delays.get(self.next_delay % self.delays.len()).copied().unwrap();
        self.next_delay += 1;
        self.pass(delay);
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the low half is wanted")]
const fn low(us: u64) -> u32 {
    us as u32
}

/// The executive's side, for one task.
struct Path {
    machine: Machine,
    /// As calibrated: it may be off by the slack.
    scale: MicrosecondScale,
    slack_half_ticks: u64,
    due: Instant,
    released: Vec<Instant>,
}

impl Path {
    /// Sleeps until the interrupt is pending, which has to be at the deadline at the latest: a lost match would come a turn
    /// of the counter later.
    fn sleep(&mut self) -> Result<(), TestCaseError> {
        let machine = &mut self.machine;
        if !machine.match_flag && !machine.pended {
            let at = machine.next_match().unwrap();
            let latest = self.due.since(machine.phase).cast_unsigned()
                + machine.half_ticks_per_us
                + SLACK_HALF_TICKS.cast_unsigned();
            prop_assert!(at <= latest, "a match was lost");
            machine.pass(at - machine.now);
        }
        Ok(())
    }

    /// As `SystemTimer::arm` in takt: the compare value is computed, written, and the counter read afterwards.
    fn arm(&mut self) -> bool {
        let compare = self.scale.compare_for(self.due);
        self.machine.dawdle();
        self.machine.compare = compare;
        self.machine.dawdle();
        is_near(self.due, self.machine.counter())
    }

    fn has_passed(&mut self) -> bool {
        let low_us = self.machine.low_us();
        self.machine.dawdle();
        self.scale.has_passed(self.due, self.machine.counter(), low_us)
    }

    /// A task waits for its next release, as in `time_base::arm`.
    fn wait_until(&mut self, due: Instant) {
        self.due = due;
        if self.arm() && self.has_passed() {
            self.machine.pended = true;
        }
    }

    fn is_due(&self, now: Instant) -> bool {
        !now.after(self.slack_half_ticks).is_before(self.due)
    }

    /// An interrupt, as in `irq.rs`. The task ends its job at once and waits again by `next`, all in one.
    fn interrupt(&mut self, never: Instant) -> Result<bool, TestCaseError> {
        self.machine.dawdle();
        let stamp = self.machine.counter();
        self.machine.pended = false;
        self.machine.match_flag = false;
        self.machine.dawdle();
        let mut has_released = false;
        if self.is_due(stamp) {
            self.release(&mut has_released, never)?;
            if !self.arm() {
                return Ok(true);
            }
        }
        // The long way.
        let mut now = stamp;
        loop {
            while self.is_due(now) {
                self.release(&mut has_released, never)?;
            }
            if !self.arm() || !self.has_passed() {
                return Ok(has_released);
            }
            now = self.machine.counter();
        }
    }

    fn release(&mut self, has_released: &mut bool, never: Instant) -> Result<(), TestCaseError> {
        prop_assert!(!*has_released, "released twice");
        let latest = self.machine.counter().after(1 + self.slack_half_ticks);
        prop_assert!(!latest.is_before(self.due), "released early");
        *has_released = true;
        self.released.push(self.due);
        self.due = never;
        Ok(())
    }
}

fn rates() -> impl Strategy<Value = Rate> {
    prop_oneof![Just(62_500_000_u64), Just(54_000_000)].prop_map(|hz| Rate::from_counter_hz(hz).unwrap())
}

/// In us: 1 us to an hour, with the small ones frequent.
fn periods() -> impl Strategy<Value = u64> {
    prop_oneof![1_u64..=10, 1_u64..=1_000, 1_u64..=1_000_000, 1_u64..=3_600_000_000, Just(125)]
}

/// In half ticks: mostly instructions, sometimes a direct handler, seldom one that takes milliseconds.
fn delays() -> impl Strategy<Value = Vec<u64>> {
    let delay = prop_oneof![10 => 0_u64..40, 3 => 0_u64..400, 1 => 0_u64..10_000, 1 => 0_u64..1_000_000];
    prop_oneof![prop::collection::vec(0_u64..40, 1..50), prop::collection::vec(delay, 1..200)]
}

/// What the timer reads at first, in us: anywhere, just before its low half wraps, just before its high half does.
fn first_reads() -> impl Strategy<Value = u64> {
    prop_oneof![
        0_u64..1_000,
        (0_u64..5_000).prop_map(|before| (1 << 32) - before),
        (1_u64..1_000, 0_u64..5_000).prop_map(|(turns, before)| (turns << 32) - before),
        0_u64..(1 << 40),
    ]
}

/// The phase of the timer: the counter may wrap at any moment. Instants are whole ticks apart from it on the board.
fn phases() -> impl Strategy<Value = u64> {
    prop_oneof![Just(0), any::<u64>(), (0_u64..1 << 45).prop_map(|before| u64::MAX - before)]
}

/// How well the phase is known.
const SLACK_HALF_TICKS: i64 = 20;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    #[test]
    fn no_release_is_lost_or_early_and_no_period_drifts(
        rate in rates(),
        phase in phases(),
        error in -SLACK_HALF_TICKS..=SLACK_HALF_TICKS,
        first_us in first_reads(),
        lead_us in prop_oneof![0_u64..4, 0_u64..1_000, 0_u64..7_200_000_000],
        period_us in periods(),
        delays in delays(),
        releases in 1_usize..60,
    ) {
        let half_ticks_per_us = rate.half_ticks_per_us().get();
        let phase = Instant::from_half_ticks(phase);
        let scale = MicrosecondScale::new(phase.after(error.cast_unsigned()), rate);
        let machine = Machine {
            phase,
            half_ticks_per_us,
            now: first_us * half_ticks_per_us,
            // What firmware or a former run left.
            compare: low(first_us).wrapping_sub(1),
            match_flag: false,
            pended: false,
            delays,
            next_delay: 0,
        };
        let first = scale.next_edge(machine.counter().after(lead_us * half_ticks_per_us));
        let never = machine.counter().after(1 << 62);
        let period = period_us * half_ticks_per_us;
        let mut path = Path { machine, scale, slack_half_ticks: SLACK_HALF_TICKS.cast_unsigned(), due: never, released: Vec::new() };
        for n in 0..releases {
            // Every release gets its job: a late one moves none of the others.
            path.wait_until(first.after(n as u64 * period));
            let mut wake_ups = 0;
            loop {
                path.sleep()?;
                if path.interrupt(never)? {
                    break;
                }
                wake_ups += 1;
                // Two hours in turns of the 32-bit count, and a match that was noticed twice.
                prop_assert!(wake_ups <= 20, "woken again and again");
            }
        }
        let expected: Vec<Instant> = (0..releases).map(|n| first.after(n as u64 * period)).collect();
        prop_assert_eq!(path.released, expected);
    }

    #[test]
    fn a_match_that_came_before_it_was_expected_is_no_release(
        rate in rates(),
        early_us in 1_u64..1_000,
        period_us in 1_000_u64..1_000_000,
        delays in delays(),
    ) {
        let half_ticks_per_us = rate.half_ticks_per_us().get();
        let phase = Instant::from_half_ticks(0);
        let scale = MicrosecondScale::new(phase, rate);
        let now = 1_000_000 * half_ticks_per_us;
        let machine =
            Machine { phase, half_ticks_per_us, now, compare: 0, match_flag: false, pended: false, delays, next_delay: 0 };
        let never = machine.counter().after(1 << 62);
        let due = scale.next_edge(machine.counter().after((early_us + period_us) * half_ticks_per_us));
        let mut path = Path { machine, scale, slack_half_ticks: SLACK_HALF_TICKS.cast_unsigned(), due: never, released: Vec::new() };
        path.wait_until(due);
        path.machine.pended = true;
        let mut has_released = path.interrupt(never)?;
        while !has_released {
            path.sleep()?;
            has_released = path.interrupt(never)?;
        }
        prop_assert_eq!(path.released, vec![due]);
    }
}
