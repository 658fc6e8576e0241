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

use super::Declaration;
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
    InterruptLoad { name, wcet_ns, minimum_interarrival_ns, band: Band::Kernel, jitter_ns: 0, is_sent: false }
}

/// How many tasks the table has, how many interrupts with the console's two, two for each budget and one for each task that sends
/// to other cores, and how many levels with a policy.
#[doc(hidden)]
pub const fn count(lines: &[Declaration]) -> (usize, usize, usize) {
    let (mut tasks, mut interrupts, mut levels, mut index) = (0, CONSOLE.len() + 2 * budget::count(lines), 0, 0);
    while index < lines.len() {
        match &lines[index].entry {
            Entry::Task(task) => {
                tasks += 1;
                if task.remote_sends > 0 {
                    interrupts += 1;
                }
            }
            Entry::Level(_) => levels += 1,
            Entry::Interrupt(_) => interrupts += 1,
            Entry::Port(_) | Entry::CoreFault(_) | Entry::Elsewhere => {}
        }
        index += 1;
    }
    (tasks, interrupts, levels)
}

/// What there is on a core: the first `count` of `all`.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct OnCore<T, const MOST: usize> {
    all: [T; MOST],
    count: usize,
}

impl<T, const MOST: usize> OnCore<T, MOST> {
    const fn as_slice(&self) -> &[T] {
        self.all.split_at(self.count).0
    }
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

/// The tasks of each core, in the order of the table.
#[doc(hidden)]
pub const fn jobs<const TASKS: usize, const CORES: usize>(
    entries: &'static [Entry],
    locks: &'static [Locks],
    platform: &Platform,
) -> [OnCore<Job<'static>, TASKS>; CORES] {
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
    let mut cores = [OnCore { all: [none; TASKS], count: 0 }; CORES];
    let mut line = 0;
    while line < entries.len() {
        if let Entry::Task(task) = &entries[line]
            && (task.core as usize) < CORES
        {
            let named = task.holds.as_slice().len() + task.inherits.as_slice().len();
            let core = &mut cores[task.core as usize];
            core.all[core.count] = job(task, locks[line].split_at(named).0, platform);
            core.count += 1;
        }
        line += 1;
    }
    cores
}

const fn job(task: &TaskEntry, locks: &'static [Hold<'static>], platform: &Platform) -> Job<'static> {
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
        wcet_ns: match known_ns(task.wcet) {
            // What it sends is its own.
            Some(wcet_ns) => Some(wcet_ns + task.remote_sends as u64 * KernelCosts::remote_send().ns(platform)),
            None => None,
        },
        jitter_ns: 0,
        kind,
        locks,
    }
}

/// The interrupts that each core takes: on core 0 the console's, and behind them those of the table, those of the timer that are
/// for budgets, and by which it hears of what tasks of any core send. Nobody says to which core a task sends, so each reckons with
/// all of it.
#[doc(hidden)]
pub const fn interrupts<const INTERRUPTS: usize, const CORES: usize>(
    lines: &[Declaration],
    platform: &Platform,
) -> [OnCore<InterruptLoad<'static>, INTERRUPTS>; CORES] {
    let mut cores = [OnCore { all: [console(0, platform); INTERRUPTS], count: 0 }; CORES];
    let mut core = 0;
    while core < CORES {
        cores[core] = interrupts_of_core(lines, platform, core);
        core += 1;
    }
    cores
}

const fn interrupts_of_core<const INTERRUPTS: usize>(
    lines: &[Declaration],
    platform: &Platform,
    core: usize,
) -> OnCore<InterruptLoad<'static>, INTERRUPTS> {
    let mut all = [console(0, platform); INTERRUPTS];
    all[1] = console(1, platform);
    let (mut line, mut count) = (0, if core == 0 { CONSOLE.len() } else { 0 });
    while line < lines.len() {
        match &lines[line].entry {
            Entry::Task(task) => {
                if task.core as usize == core
                    && let (Some([first, second]), true) =
                        (budget::looks(&lines[line], platform), count + 1 < INTERRUPTS)
                {
                    (all[count], all[count + 1]) = (first, second);
                    count += 2;
                }
                if let Some(load) = sends(task, platform) {
                    all[count] = load;
                    count += 1;
                }
            }
            Entry::Interrupt(interrupt) if interrupt.core as usize == core => {
                all[count] = InterruptLoad {
                    name: interrupt.name,
                    wcet_ns: known_ns(interrupt.wcet),
                    minimum_interarrival_ns: known_ns(interrupt.minimum_interarrival),
                    band: interrupt.band,
                    jitter_ns: 0,
                    is_sent: false,
                };
                count += 1;
            }
            Entry::Interrupt(_) | Entry::Level(_) | Entry::Port(_) | Entry::CoreFault(_) | Entry::Elsewhere => {}
        }
        line += 1;
    }
    OnCore { all, count }
}

/// What a task's sends are to the core that hears of them: an interrupt and a letter each, at any time from a job's release to its
/// deadline. Of a background task nobody knows how often, so nothing can be said of a core that hears of it.
const fn sends(task: &TaskEntry, platform: &Platform) -> Option<InterruptLoad<'static>> {
    if task.remote_sends == 0 {
        return None;
    }
    let Job { period_ns, deadline_ns, .. } = job(task, &[], platform);
    let each_ns = KernelCosts::remote_receive().and(accounted(KernelCosts::budgeted(0)).kernel_interrupt).ns(platform);
    Some(InterruptLoad {
        name: task.name,
        wcet_ns: Some(task.remote_sends as u64 * each_ns),
        minimum_interarrival_ns: if period_ns == 0 { None } else { Some(period_ns) },
        band: Band::Kernel,
        jitter_ns: deadline_ns,
        is_sent: true,
    })
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
    accounted(costs)
}

/// The same costs in an image that accounts execution time, if this is one.
const fn accounted(costs: KernelCosts) -> KernelCosts {
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

/// A task that sends and of which nothing is known. It may send beyond its deadline, and more closely than its period: every core
/// hears of it, and reckoned with a sender that is in time, so nothing is known of any.
const fn unproven_sender(entries: &[Entry], claims: &[Claim]) -> Option<&'static str> {
    let mut place = 0;
    while place < claims.len() {
        if let (Some(name), Claim::Unproven(_)) = (sender_at(entries, place), claims[place]) {
            return Some(name);
        }
        place += 1;
    }
    None
}

/// The name of the task at this place among the tasks of the table, if it sends.
const fn sender_at(entries: &[Entry], wanted: usize) -> Option<&'static str> {
    let (mut place, mut rest) = (0, entries);
    while let [first, others @ ..] = rest {
        if let Entry::Task(task) = first {
            if place == wanted {
                return if task.remote_sends > 0 { Some(task.name) } else { None };
            }
            place += 1;
        }
        rest = others;
    }
    None
}

/// What is claimed of each task, in the order of the table; stops the build with a sentence where the table is wrong in
/// itself, or a task can miss its deadline.
#[doc(hidden)]
pub const fn claims<const TASKS: usize, const INTERRUPTS: usize, const CORES: usize>(
    lines: &[Declaration],
    entries: &[Entry],
    jobs: &'static [OnCore<Job<'static>, TASKS>; CORES],
    interrupts: &'static [OnCore<InterruptLoad<'static>, INTERRUPTS>; CORES],
    levels: &'static [Level],
) -> [Claim; TASKS] {
    let mut all = [Claim::InTime; TASKS];
    let mut core = 0;
    while core < CORES {
        let set = set(lines, jobs[core].as_slice(), interrupts[core].as_slice(), levels, &BOARD);
        stop_if_can_miss(&set);
        let mut index = 0;
        while index < set.jobs.len() {
            all[place_in_table(entries, core, index)] = match verdict(&set, index) {
                Some(Verdict::Bounded { response_ns }) => {
                    Claim::Bounded { response: Duration::from_nanos(response_ns) }
                }
                Some(Verdict::Unproven(reason)) => Claim::Unproven(reason),
                // Who can miss has stopped the build.
                Some(Verdict::InTimeByDemand | Verdict::CanMiss(_)) | None => Claim::InTime,
            };
            index += 1;
        }
        core += 1;
    }
    if let Some(sender) = unproven_sender(entries, &all) {
        let mut place = 0;
        while place < TASKS {
            if !matches!(all[place], Claim::Unproven(_)) {
                all[place] = Claim::Unproven(Reason::Sender(sender));
            }
            place += 1;
        }
    }
    all
}

/// What is known of a core.
const fn set(
    lines: &[Declaration],
    jobs: &'static [Job<'static>],
    interrupts: &'static [InterruptLoad<'static>],
    levels: &'static [Level],
    platform: &Platform,
) -> Set<'static> {
    Set { jobs, interrupts, levels, overheads: costs(lines, jobs, levels).on(platform) }
}

/// The place among the tasks of the table of the `index`-th of a core.
const fn place_in_table(entries: &[Entry], core: usize, index: usize) -> usize {
    let (mut place, mut own, mut rest) = (0, 0, entries);
    while let [first, others @ ..] = rest {
        if let Entry::Task(task) = first {
            if task.core as usize == core {
                if own == index {
                    return place;
                }
                own += 1;
            }
            place += 1;
        }
        rest = others;
    }
    place
}

/// The bound of each task on this platform, in the order of the table; 0 where there is none, or a deadline can be missed, also that
/// of a task that sends.
#[doc(hidden)]
pub const fn bounds_ns<const TASKS: usize, const INTERRUPTS: usize, const CORES: usize>(
    lines: &[Declaration],
    entries: &[Entry],
    jobs: &'static [OnCore<Job<'static>, TASKS>; CORES],
    interrupts: &'static [OnCore<InterruptLoad<'static>, INTERRUPTS>; CORES],
    levels: &'static [Level],
    platform: &Platform,
) -> [u64; TASKS] {
    let mut all = [0; TASKS];
    let mut core = 0;
    while core < CORES {
        let set = set(lines, jobs[core].as_slice(), interrupts[core].as_slice(), levels, platform);
        let mut index = 0;
        while index < set.jobs.len() {
            let place = place_in_table(entries, core, index);
            match verdict(&set, index) {
                Some(Verdict::Bounded { response_ns }) => all[place] = response_ns,
                Some(Verdict::Unproven(_) | Verdict::CanMiss(_)) if sender_at(entries, place).is_some() => {
                    return [0; TASKS];
                }
                Some(Verdict::InTimeByDemand | Verdict::Unproven(_) | Verdict::CanMiss(_)) | None => {}
            }
            index += 1;
        }
        core += 1;
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
