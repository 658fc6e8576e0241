// SPDX-License-Identifier: MIT OR Apache-2.0
//! The body of a load task.
//!
//! Time is cut into windows of 10 ms. In each, a kind works for the first LEVEL hundredths, in rounds, by turns with the others
//! that run; where none has work the task sleeps. It sleeps for good while no load runs, and no timer is armed for it then.

use core::sync::atomic::Ordering;

use heapless::Vec;
use takt::clock;
use takt::console::activity;
use takt::kernel::time::Instant;
use takt::rpi4::interrupts;

use super::devices::Devices;
use super::hell::{Burst, Schedule};
use super::station::{HELL, STATIONS, Station, changes};
use super::work::{Outcome, Work};
use super::{KINDS, Kind};

/// How long a window is.
pub(super) const WINDOW_US: u64 = 10_000;

/// The body of the load task of core 0 for the task table: `Task::background(load::task).priority(254)`, less urgent than the
/// console task.
pub fn task() -> ! {
    serve(0, || activity().set(), Some(Devices::new()))
}

/// The life of the load task of `core`. `tell` wakes the console task, which may wait for it.
pub(super) fn serve(core: usize, tell: fn(), devices: Option<Devices>) -> ! {
    let Some(station) = STATIONS.get(core) else { crate::sleep() };
    station.task_is_there();
    tell();
    let hell = (core == 0).then(Driver::new);
    let mut loads = Loads { station, hell, work: Work::new(core, devices), changes: 0, running: Vec::new() };
    loop {
        station.wake.wait();
        loads.run();
    }
}

struct Loads {
    station: &'static Station,
    /// On core 0.
    hell: Option<Driver>,
    work: Work,
    /// At which change the levels were looked at.
    changes: u32,
    /// The kinds that run, and what part of a window each has, in half ticks.
    running: Vec<(Kind, u64), KINDS>,
}

/// What a turn came to.
enum Turn {
    /// Some kind has worked.
    Worked,
    /// None has work before this.
    NothingBefore(Instant),
    /// No load runs.
    NothingRuns,
}

impl Loads {
    /// Works until no load runs any more.
    fn run(&mut self) {
        let us = clock::half_ticks_per_us();
        let window = WINDOW_US.wrapping_mul(us);
        let mut begin = clock::now();
        loop {
            let now = clock::now();
            let next_of_hell = self.hell.as_mut().and_then(|hell| hell.step(now, us));
            self.look_at_levels(window);
            interrupts::yield_hint();
            let mut elapsed = now.since(begin).cast_unsigned();
            if elapsed >= window {
                // Where the core was somebody else's for longer than a window, there is nothing to catch up with.
                begin = if elapsed >= window.wrapping_mul(2) { now } else { begin.after(window) };
                elapsed = now.since(begin).cast_unsigned();
            }
            let until = match self.turn(now, elapsed, window) {
                Turn::Worked => continue,
                Turn::NothingBefore(at) => next_of_hell.map_or(at, |next| earlier(at, next)),
                Turn::NothingRuns => match next_of_hell {
                    Some(next) => next,
                    None => return,
                },
            };
            // Woken before, it looks at the levels again.
            let _ = self.station.wake.wait_until(until);
        }
    }

    fn look_at_levels(&mut self, window: u64) {
        let changes = changes();
        if changes != self.changes {
            self.changes = changes;
            self.running.clear();
            for kind in Kind::ALL {
                interrupts::yield_hint();
                let part = window.wrapping_mul(u64::from(self.station.level(kind))) / 100;
                if part > 0 {
                    // There is a place for each.
                    let _ = self.running.push((kind, part));
                }
            }
        }
    }

    /// A round of each kind whose part of the window it is.
    fn turn(&mut self, now: Instant, elapsed: u64, window: u64) -> Turn {
        let mut turn = Turn::NothingRuns;
        for &(kind, part) in &self.running {
            let outcome = if elapsed < part {
                self.work.round(kind)
            } else {
                Outcome::Later(now.after(window.saturating_sub(elapsed)))
            };
            turn = match (turn, outcome) {
                (_, Outcome::Done) => {
                    self.station.add_round(kind);
                    Turn::Worked
                }
                (_, Outcome::Under) | (Turn::Worked, _) => Turn::Worked,
                (Turn::NothingBefore(at), Outcome::Later(other)) => Turn::NothingBefore(earlier(at, other)),
                (Turn::NothingRuns, Outcome::Later(at)) => Turn::NothingBefore(at),
            };
        }
        turn
    }
}

fn earlier(one: Instant, other: Instant) -> Instant {
    if one.since(other) < 0 { one } else { other }
}

/// Who drives the random bursts: the load task of core 0, since the console task has other things to do.
struct Driver {
    generation: u32,
    schedule: Schedule,
    /// The burst that runs; nothing in a pause.
    burst: Option<Burst>,
    until: Instant,
}

impl Driver {
    const fn new() -> Self {
        Self { generation: 0, schedule: Schedule::new(0), burst: None, until: Instant::from_half_ticks(0) }
    }

    /// Begins or ends a burst where it is time to, and tells when the next such time is; nothing where no bursts are wanted.
    fn step(&mut self, now: Instant, us: u64) -> Option<Instant> {
        if !HELL.is_on.load(Ordering::Relaxed) {
            return None;
        }
        let generation = HELL.generation.load(Ordering::Relaxed);
        if generation != self.generation {
            self.generation = generation;
            self.schedule = Schedule::new(HELL.seed.load(Ordering::Relaxed));
            (self.burst, self.until) = (None, now);
        }
        if now.since(self.until) >= 0 {
            let for_us = match self.burst.take() {
                Some(ended) => {
                    STATIONS.iter().for_each(|station| station.burst([0; KINDS]));
                    ended.pause_us
                }
                None => self.begin_burst(),
            };
            self.until = self.until.after(for_us.wrapping_mul(us));
        }
        Some(self.until)
    }

    fn begin_burst(&mut self) -> u64 {
        let burst = self.schedule.next_burst();
        HELL.bursts.store(HELL.bursts.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
        for (station, levels) in STATIONS.iter().zip(burst.levels) {
            station.burst(levels);
        }
        self.burst = Some(burst);
        burst.burst_us
    }
}
