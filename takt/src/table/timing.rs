// SPDX-License-Identifier: MIT OR Apache-2.0
//! The table as the check of deadlines sees it, and what that found.

#![expect(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "runs in the compiler")]

use core::fmt;
use core::time::Duration;

use takt_kernel::schedulability::{
    Cost, Hold, InterruptLoad, Job, KernelCosts, Kind, Level, Platform, Policy, Reason, Set, Verdict, claim,
    stop_if_can_miss, unproven, verdict,
};
use takt_kernel::table::{Band, Entry, Inherit, MOST_HOLDS, MOST_INHERITS, TaskEntry};

use super::{Declaration, stop_if_wrong};
use crate::{budget, execution_time};

/// The board that the build is checked for.
#[doc(hidden)]
pub const BOARD: Platform = Platform::RASPBERRY_PI_4;
/// The emulator for which bounds are found as well, to be compared with what is observed there.
#[doc(hidden)]
pub const EMULATED: Platform = Platform::QEMU_ICOUNT_4;

/// What the executive's own handler adds to every table: the console at 115,200 baud, where a character takes 86.8 us. At
/// most one character comes and one goes in that time, each with an interrupt of its own at the worst; what the FIFOs hold
/// beyond that, 16 received and the 8 that an interrupt sends, comes once before it has to gather again. Counted in the
/// image's instructions: 26 and two reads a received byte, 13 and a write a sent one, 100 around them. The other serial
/// interfaces are the application's to add, by a line of their own.
const CONSOLE: [(&str, Cost, u64); 2] = [
    ("console", Cost { instructions: 140, device_reads: 4, device_writes: 3, barriers: 0 }, 86_800),
    ("console's FIFOs", Cost { instructions: 520, device_reads: 32, device_writes: 8, barriers: 0 }, 24 * 86_800),
];

const fn console(line: usize, platform: &Platform) -> InterruptLoad<'static> {
    let (name, cost, minimum_interarrival_ns) = CONSOLE[line];
    let (wcet_ns, minimum_interarrival_ns) = (Some(cost.ns(platform)), Some(minimum_interarrival_ns));
    InterruptLoad { name, wcet_ns, minimum_interarrival_ns, band: Band::Kernel }
}

/// How many tasks the table has, how many interrupts with the console's two and two for each budget, and how many levels with a policy.
#[doc(hidden)]
pub const fn count(lines: &[Declaration]) -> (usize, usize, usize) {
    let (mut tasks, mut levels, mut index) = (0, 0, 0);
    while index < lines.len() {
        match lines[index].entry {
            Entry::Task(_) => tasks += 1,
            Entry::Level(_) => levels += 1,
            Entry::Interrupt(_) => {}
        }
        index += 1;
    }
    (tasks, index - tasks - levels + CONSOLE.len() + 2 * budget::count(lines), levels)
}

/// What a line of the table locks.
#[doc(hidden)]
pub type Locks = [Hold<'static>; MOST_HOLDS + MOST_INHERITS];

/// What each line of the table locks.
#[doc(hidden)]
pub const fn locks<const LINES: usize>(entries: &[Entry]) -> [Locks; LINES] {
    // By a ceiling nobody has to be told from another by a name. Preemption's is 0, above all.
    let none = Hold { object: "", ceiling: None, hold_ns: 0 };
    let mut all = [[none; MOST_HOLDS + MOST_INHERITS]; LINES];
    let mut line = 0;
    while line < LINES {
        if let Entry::Task(task) = &entries[line] {
            let named = task.holds.as_slice();
            let mut index = 0;
            while index < named.len() {
                let ceiling = Some(named[index].ceiling);
                all[line][index] = Hold { ceiling, hold_ns: named[index].longest_ns as u64, ..none };
                index += 1;
            }
            let inherited = task.inherits.as_slice();
            let mut behind = 0;
            while behind < inherited.len() {
                let Inherit { mutex: object, longest_ns } = inherited[behind];
                all[line][index + behind] = Hold { object, hold_ns: longest_ns as u64, ..none };
                behind += 1;
            }
        }
        line += 1;
    }
    all
}

/// The tasks, in the order of the table.
#[doc(hidden)]
pub const fn jobs<const TASKS: usize>(entries: &'static [Entry], locks: &'static [Locks]) -> [Job<'static>; TASKS] {
    let none = Job {
        name: "",
        priority: 0,
        period_ns: 0,
        deadline_ns: 0,
        wcet_ns: None,
        jitter_ns: 0,
        kind: Kind::Background,
        locks: &[],
    };
    let mut all = [none; TASKS];
    let (mut line, mut index) = (0, 0);
    while line < entries.len() {
        if let Entry::Task(task) = &entries[line] {
            let named = task.holds.as_slice().len() + task.inherits.as_slice().len();
            all[index] = job(task, locks[line].split_at(named).0);
            index += 1;
        }
        line += 1;
    }
    all
}

const fn job(task: &TaskEntry, locks: &'static [Hold<'static>]) -> Job<'static> {
    use takt_kernel::table::Kind as Declared;
    let (kind, period, deadline) = match task.kind {
        Declared::Periodic { period, deadline, .. } => match deadline {
            Some(deadline) => (Kind::Periodic, period, deadline),
            None => (Kind::Periodic, period, period),
        },
        Declared::Sporadic { min_interval, deadline } => match deadline {
            Some(deadline) => (Kind::Sporadic, min_interval, deadline),
            None => (Kind::Sporadic, min_interval, min_interval),
        },
        // Its period is given while the system runs.
        Declared::Slot => (Kind::Periodic, Duration::ZERO, Duration::ZERO),
        Declared::Background => (Kind::Background, Duration::ZERO, Duration::ZERO),
    };
    Job {
        name: task.name,
        priority: task.priority,
        period_ns: ns(period),
        deadline_ns: ns(deadline),
        wcet_ns: known_ns(task.wcet),
        jitter_ns: 0,
        kind,
        locks,
    }
}

/// The interrupts: the console's, and behind them those of the table, and of the timer that are for budgets.
#[doc(hidden)]
pub const fn interrupts<const INTERRUPTS: usize>(
    lines: &[Declaration],
    platform: &Platform,
) -> [InterruptLoad<'static>; INTERRUPTS] {
    let mut all = [console(0, platform); INTERRUPTS];
    all[1] = console(1, platform);
    let (mut line, mut index) = (0, CONSOLE.len());
    while line < lines.len() {
        if let (Some([first, second]), true) = (budget::looks(&lines[line], platform), index + 1 < INTERRUPTS) {
            (all[index], all[index + 1]) = (first, second);
            index += 2;
        }
        if let Entry::Interrupt(interrupt) = &lines[line].entry {
            all[index] = InterruptLoad {
                name: interrupt.name,
                wcet_ns: known_ns(interrupt.wcet),
                minimum_interarrival_ns: known_ns(interrupt.minimum_interarrival),
                band: interrupt.band,
            };
            index += 1;
        }
        line += 1;
    }
    all
}

/// The levels that have a policy.
#[doc(hidden)]
pub const fn levels<const LEVELS: usize>(entries: &[Entry]) -> [Level; LEVELS] {
    let mut all = [Level { priority: 0, policy: Policy::Fifo }; LEVELS];
    let (mut line, mut index) = (0, 0);
    while line < entries.len() {
        if let Entry::Level(level) = &entries[line] {
            all[index] = Level { priority: level.priority, policy: level.policy };
            index += 1;
        }
        line += 1;
    }
    all
}

/// What the kernel takes, with these tasks.
const fn costs(lines: &[Declaration], jobs: &[Job<'_>], levels: &[Level]) -> KernelCosts {
    let costs = KernelCosts::budgeted(jobs.len())
        .with_budgets(jobs.len(), budget::count(lines), budget::demotes(lines))
        .passing(most_others_in_a_level(jobs, levels));
    if execution_time::IS_ON { costs.accounted() } else { costs }
}

/// How many others, at the most, a task has in a level that has a policy.
const fn most_others_in_a_level(jobs: &[Job<'_>], levels: &[Level]) -> usize {
    let (mut most, mut index) = (0, 0);
    while index < levels.len() {
        let (mut tasks, mut place) = (0_usize, 0);
        while place < jobs.len() {
            if jobs[place].priority == levels[index].priority {
                tasks += 1;
            }
            place += 1;
        }
        if !matches!(levels[index].policy, Policy::Fifo) && tasks > most + 1 {
            most = tasks - 1;
        }
        index += 1;
    }
    most
}

/// What is claimed of each task, in the order of the table; stops the build with a sentence where the table is wrong in
/// itself, or a task can miss its deadline.
#[doc(hidden)]
pub const fn claims<const TASKS: usize>(
    lines: &[Declaration],
    entries: &[Entry],
    jobs: &'static [Job<'static>; TASKS],
    interrupts: &'static [InterruptLoad<'static>],
    levels: &'static [Level],
) -> [Claim; TASKS] {
    stop_if_wrong(lines, entries);
    let set = Set { jobs, interrupts, levels, overheads: costs(lines, jobs, levels).on(&BOARD) };
    stop_if_can_miss(&set);
    let mut all = [Claim::InTime; TASKS];
    let mut index = 0;
    while index < TASKS {
        all[index] = match verdict(&set, index) {
            Some(Verdict::Bounded { response_ns }) => Claim::Bounded { response: Duration::from_nanos(response_ns) },
            Some(Verdict::Unproven(reason)) => Claim::Unproven(reason),
            // Who can miss has stopped the build.
            Some(Verdict::InTimeByDemand | Verdict::CanMiss(_)) | None => Claim::InTime,
        };
        index += 1;
    }
    all
}

/// The bound of each task on this platform, in the order of the table; 0 where there is none, or a deadline can be missed.
#[doc(hidden)]
pub const fn bounds_ns<const TASKS: usize>(
    lines: &[Declaration],
    jobs: &'static [Job<'static>; TASKS],
    interrupts: &'static [InterruptLoad<'static>],
    levels: &'static [Level],
    platform: &Platform,
) -> [u64; TASKS] {
    let set = Set { jobs, interrupts, levels, overheads: costs(lines, jobs, levels).on(platform) };
    let mut all = [0; TASKS];
    let mut index = 0;
    while index < TASKS {
        if let Some(Verdict::Bounded { response_ns }) = verdict(&set, index) {
            all[index] = response_ns;
        }
        index += 1;
    }
    all
}

/// What the compiler found about a task's response time, for a Raspberry Pi 4, *under the declared budgets and platform
/// assumptions*: it is as true as the execution times that the table declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// Each job ends at most this long after it was due, which is in time.
    Bounded {
        /// From the due instant to the end of the job.
        response: Duration,
    },
    /// Each job ends by its deadline; no earlier bound is known.
    InTime,
    /// Nothing can be said, and why.
    Unproven(Reason<'static>),
}

impl Claim {
    /// The claim in words, about the task of this name.
    pub fn describe(self, task: &str) -> impl fmt::Display {
        Words { claim: self, task }
    }

    /// What every claim stands under, in words.
    #[must_use]
    pub fn assumptions() -> impl fmt::Display {
        Assumptions
    }
}

struct Words<'a> {
    claim: Claim,
    task: &'a str,
}

impl fmt::Display for Words<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let task = self.task;
        match self.claim {
            Claim::Bounded { response } => {
                let tenths_us = response.as_nanos().div_ceil(100);
                write!(f, "task '{task}' responds within {}.{} us", tenths_us / 10, tenths_us % 10)
            }
            Claim::InTime => write!(f, "task '{task}' responds by its deadline"),
            Claim::Unproven(reason) => f.write_str(unproven(task, reason).as_str()),
        }
    }
}

struct Assumptions;

impl fmt::Display for Assumptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(claim(&BOARD).as_str())
    }
}

const fn known_ns(time: Duration) -> Option<u64> {
    if time.is_zero() { None } else { Some(ns(time)) }
}

/// Up to an hour, as the table was checked.
#[expect(clippy::cast_possible_truncation, reason = "an hour fits")]
const fn ns(time: Duration) -> u64 {
    time.as_nanos() as u64
}
