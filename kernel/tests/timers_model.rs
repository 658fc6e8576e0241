// SPDX-License-Identifier: MIT OR Apache-2.0
//! The timers against a list that is sorted anew each time, with periods counted one by one.
//!
//! Random timers are started, started anew and cancelled at random instants, near the counter's wrap too, while the server
//! sleeps, while it is kept from running and between two of its calls. Both must agree on what fires, in which order, how
//! many periods were missed, and on the instant until which the server sleeps.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "the hot-path lints are for the executive; a test that cannot go on fails"
)]

use std::cell::Cell;

use proptest::prelude::{Just, Strategy, any, prop, prop_oneof};
use proptest::test_runner::TestCaseError;
use proptest::{prop_assert, prop_assert_eq, proptest};
use takt_kernel::executive::{Executive, Switch};
use takt_kernel::objects::Wait;
use takt_kernel::objects::timer::{Start, Timer, TimerCounts, Timers};
use takt_kernel::priority::{Priority, PrioritySet};
use takt_kernel::time::Instant;
use takt_kernel::{CAPACITY, PerTask, TaskId};

const TIMERS: usize = 6;

thread_local! {
    /// Which timer's call ran last.
    static CALLED: Cell<usize> = const { Cell::new(usize::MAX) };
}

fn call<const TIMER: usize>() {
    CALLED.set(TIMER);
}

const CALLS: [fn(); TIMERS] = [call::<0>, call::<1>, call::<2>, call::<3>, call::<4>, call::<5>];

/// A step as it is made up. Spans are from now.
#[derive(Debug, Clone)]
enum Step {
    /// To fire once, at an instant that may have passed.
    At(usize, i64),
    /// To fire once, after a span.
    After(usize, u64),
    /// To fire periodically, first at an instant that may have passed.
    Every(usize, i64, u64),
    /// Started again.
    Again(usize),
    Cancel(usize),
    /// Time passes, and the server's sleep may end; it has not run yet.
    Advance(u64),
    /// The server, where it is ready, calls what is due, or sleeps where nothing is.
    Serve,
}

/// Few values, so that equals are frequent, and others.
fn spans() -> impl Strategy<Value = u64> {
    prop_oneof![0_u64..=3, 0_u64..=50, 0_u64..=1_000_000]
}

fn steps() -> impl Strategy<Value = Step> {
    let timers = || 0..TIMERS;
    let instants = || (any::<bool>(), spans()).prop_map(|(past, span)| if past { -(span as i64) } else { span as i64 });
    let periods = || prop_oneof![1_u64..=3, 1_u64..=50];
    prop_oneof![
        2 => (timers(), instants()).prop_map(|(timer, at)| Step::At(timer, at)),
        2 => (timers(), spans()).prop_map(|(timer, span)| Step::After(timer, span)),
        2 => (timers(), instants(), periods()).prop_map(|(timer, first, period)| Step::Every(timer, first, period)),
        1 => timers().prop_map(Step::Again),
        2 => timers().prop_map(Step::Cancel),
        4 => prop_oneof![0_u64..=3, 0_u64..=100].prop_map(Step::Advance),
        8 => Just(Step::Serve),
    ]
}

/// What the model knows of a timer. Times are half ticks since the start of the trial.
#[derive(Clone, Copy, Default)]
struct ModelTimer {
    /// Where it is started: when it is due, and the number of the start.
    due: Option<(i128, u64)>,
    interval: i128,
    is_periodic: bool,
    fired: u64,
    missed: u64,
}

/// Both, side by side.
struct Trial<'a> {
    start: u64,
    now: i128,
    starts: u64,
    model: [ModelTimer; TIMERS],
    timers: Timers<'a>,
    each: &'a [Timer<'a>],
    executive: Executive,
}

fn server() -> TaskId {
    TaskId::new(0).unwrap()
}

fn executive(start: u64) -> Executive {
    let mut priorities = [Priority::IDLE; CAPACITY];
    priorities[0] = Priority::new(10).unwrap();
    let mut executive =
        Executive::new(&PerTask::new(priorities), PrioritySet::EMPTY, false, Instant::from_half_ticks(start));
    executive.start(server());
    let _ = executive.choose();
    executive
}

impl<'a> Trial<'a> {
    #[expect(clippy::cast_possible_truncation, reason = "instants wrap")]
    fn instant(&self, since_start: i128) -> Instant {
        Instant::from_half_ticks(self.start.wrapping_add(since_start as u64))
    }

    fn sleeps(&self) -> bool {
        self.executive.running() != server()
    }

    /// Who fires next, if any is started.
    fn first(&self) -> Option<(i128, usize)> {
        let started = self.model.iter().enumerate().filter_map(|(timer, known)| known.due.map(|due| (due, timer)));
        started.min().map(|((due, _), timer)| (due, timer))
    }

    fn start(&mut self, timer: usize, how: Start, known: ModelTimer, due: i128) -> Result<(), TestCaseError> {
        let armed = self.timers.start(&mut self.executive, &self.each[timer], how);
        self.starts += 1;
        let ModelTimer { fired, missed, .. } = self.model[timer];
        self.model[timer] = ModelTimer { due: Some((due, self.starts)), fired, missed, ..known };
        let is_awaited = self.sleeps() && self.first() == Some((due, timer));
        prop_assert_eq!(armed, is_awaited.then(|| self.instant(due)));
        Ok(())
    }

    fn step(&mut self, step: &Step) -> Result<(), TestCaseError> {
        let now = self.instant(self.now);
        match *step {
            Step::At(timer, from_now) => {
                let due = self.now + i128::from(from_now);
                self.start(timer, Start::at(self.instant(due)), ModelTimer::default(), due)?;
            }
            Step::After(timer, span) => {
                let interval = i128::from(span);
                let known = ModelTimer { interval, ..ModelTimer::default() };
                self.start(timer, Start::after(now, span), known, self.now + interval)?;
            }
            Step::Every(timer, from_now, period) => {
                let due = self.now + i128::from(from_now);
                let known = ModelTimer { interval: period.into(), is_periodic: true, ..ModelTimer::default() };
                self.start(timer, Start::every(self.instant(due), period), known, due)?;
            }
            Step::Again(timer) => {
                let (known, again) = (self.model[timer], self.each[timer].again(now));
                prop_assert_eq!(again.is_some(), known.interval != 0);
                if let Some(again) = again {
                    self.start(timer, again, known, self.now + known.interval)?;
                }
            }
            Step::Cancel(timer) => {
                let was_started = self.model[timer].due.take().is_some();
                prop_assert_eq!(self.timers.cancel(&self.each[timer]), was_started);
            }
            Step::Advance(span) => {
                self.now += i128::from(span);
                if self.sleeps() && !self.instant(self.now).is_before(self.executive.first_deadline().at) {
                    prop_assert_eq!(self.executive.release_first(), Ok(server()));
                    prop_assert_eq!(self.executive.choose(), Some(Switch { to: server() }));
                }
            }
            Step::Serve if self.sleeps() => {}
            Step::Serve => self.serve(now)?,
        }
        Ok(())
    }

    fn serve(&mut self, now: Instant) -> Result<(), TestCaseError> {
        let found = self.timers.take_due(now);
        let Some((due, timer)) = self.first().filter(|&(due, _)| due <= self.now) else {
            prop_assert!(found.is_none());
            let until = self.first().map_or(self.executive.never().before(1), |(due, _)| self.instant(due));
            let wait = self.timers.sleep(&mut self.executive);
            prop_assert!(matches!(wait, Wait::BeginsAndArms(_)));
            prop_assert_eq!(self.executive.first_deadline().at, until);
            let _ = self.executive.choose();
            return Ok(());
        };
        found.unwrap()();
        prop_assert_eq!(CALLED.replace(usize::MAX), timer);
        self.starts += 1;
        let known = &mut self.model[timer];
        known.fired += 1;
        known.due = None;
        if known.is_periodic {
            let mut next = due + known.interval;
            while next < self.now {
                next += known.interval;
                known.missed += 1;
            }
            known.due = Some((next, self.starts));
        }
        Ok(())
    }

    fn agree(&self) -> Result<(), TestCaseError> {
        for (timer, known) in self.each.iter().zip(&self.model) {
            prop_assert_eq!(timer.due(), known.due.map(|(due, _)| self.instant(due)));
            prop_assert_eq!(timer.counts(), TimerCounts { fired: known.fired, missed: known.missed });
        }
        // Who is asleep wakes in time for the first, if not earlier, for one that was cancelled or put off.
        if let Some((due, _)) = self.first()
            && self.sleeps()
        {
            prop_assert!(!self.instant(due).is_before(self.executive.first_deadline().at));
        }
        Ok(())
    }
}

proptest! {
    #[test]
    fn the_timers_do_as_a_sorted_list_does(
        start in prop_oneof![Just(0), any::<u64>(), (0_u64..2_000).prop_map(|before| u64::MAX - before)],
        steps in prop::collection::vec(steps(), 1..300),
    ) {
        let each: Vec<Timer<'_>> = CALLS.iter().map(|&call| Timer::new(call)).collect();
        let (model, timers, executive) = ([ModelTimer::default(); TIMERS], Timers::new(), executive(start));
        let mut trial = Trial { start, now: 0, starts: 0, model, timers, each: &each, executive };
        for step in &steps {
            trial.step(step)?;
            trial.agree()?;
        }
    }
}
