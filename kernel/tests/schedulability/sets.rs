// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random sets, and random things that happen to them.

use takt_kernel::schedulability::{Hold, InterruptLoad, Job, Kind, Level, Overheads, Policy, Set};
use takt_kernel::table::Band;

use crate::simulator::{Release, Scenario, Stretch};

/// SplitMix64: the same numbers from the same seed, on every machine.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// From `least` to `most`.
    pub(crate) fn between(&mut self, least: u64, most: u64) -> u64 {
        least + self.next() % (most - least + 1)
    }

    /// True in `percent` of a hundred.
    fn chance(&mut self, percent: u64) -> bool {
        self.between(1, 100) <= percent
    }
}

const NAMES: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];
const OBJECTS: [&str; 3] = ["x", "y", "z"];
/// Of the background task, less urgent than all.
const LAST: u8 = 200;

/// A set that owns its parts.
#[derive(Clone, Debug)]
pub(crate) struct Owned {
    jobs: Vec<Job<'static>>,
    locks: Vec<Vec<Hold<'static>>>,
    interrupts: Vec<InterruptLoad<'static>>,
    levels: Vec<Level>,
    overheads: Overheads,
}

impl Owned {
    /// The jobs with their locks, for [`Self::set`].
    pub(crate) fn jobs(&self) -> Vec<Job<'_>> {
        self.jobs.iter().zip(&self.locks).map(|(job, locks)| Job { locks, ..*job }).collect()
    }

    pub(crate) fn set<'a>(&'a self, jobs: &'a [Job<'a>]) -> Set<'a> {
        Set { jobs, interrupts: &self.interrupts, levels: &self.levels, overheads: self.overheads }
    }

    /// A set of 2 to 6 tasks that ask for 45 to 95 of a hundred of the core, besides interrupts and the kernel.
    pub(crate) fn random(random: &mut Random) -> Self {
        let count = random.between(2, 6);
        let weights: Vec<u64> = (0..count).map(|_| random.between(1, 20)).collect();
        let percent = random.between(45, 95);
        let sum: u64 = weights.iter().sum();
        let mut jobs: Vec<Job<'static>> =
            weights.iter().map(|weight| random_job(random, percent * weight, sum * 100)).collect();
        jobs.sort_by_key(|job| job.deadline_ns);
        let mut priority = 2;
        for (job, name) in jobs.iter_mut().zip(NAMES) {
            job.name = name;
            job.priority = priority;
            priority += u8::from(random.chance(70));
        }
        let levels = (2..=priority).filter_map(|priority| random_level(random, priority)).collect();
        if random.chance(50) {
            let background = Job { name: "h", priority: LAST, kind: Kind::Background, ..idler() };
            jobs.push(background);
        }
        let locks = random_locks(random, &jobs);
        let interrupts = (0..random.between(0, 2)).map(|index| random_interrupt(random, index)).collect();
        Self { jobs, locks, interrupts, levels, overheads: random_overheads(random) }
    }
}

const fn idler() -> Job<'static> {
    Job {
        name: "",
        priority: 0,
        period_ns: 0,
        deadline_ns: 0,
        wcet_ns: None,
        jitter_ns: 0,
        kind: Kind::Periodic,
        locks: &[],
    }
}

/// A task that asks for `part` of `whole` of the core.
fn random_job(random: &mut Random, part: u64, whole: u64) -> Job<'static> {
    let period_ns = random.between(20, 200);
    let wcet_ns = (period_ns * part / whole).max(1);
    let deadline_ns = match random.between(1, 100) {
        1..=60 => period_ns,
        61..=80 => random.between(wcet_ns.midpoint(period_ns), period_ns.max(wcet_ns)),
        _ => random.between(period_ns, 3 * period_ns),
    };
    let jitter_ns = match random.between(1, 100) {
        1..=60 => 0,
        61..=95 => random.between(1, period_ns / 4),
        _ => random.between(1, 2 * period_ns),
    };
    let kind = if random.chance(70) { Kind::Periodic } else { Kind::Sporadic };
    Job { period_ns, deadline_ns, wcet_ns: Some(wcet_ns), jitter_ns, kind, ..idler() }
}

fn random_level(random: &mut Random, priority: u8) -> Option<Level> {
    let policy = match random.between(1, 10) {
        1..=5 => return None,
        6..=7 => Policy::RoundRobin { slice_ns: random.between(4, 30) },
        _ => Policy::EarliestDeadlineFirst,
    };
    Some(Level { priority, policy })
}

fn random_interrupt(random: &mut Random, index: u64) -> InterruptLoad<'static> {
    let distance_ns = random.between(20, 200);
    // What is sent comes up to the sender's deadline, which may be beyond its period.
    let is_sent = random.chance(40);
    InterruptLoad {
        name: if index == 0 { "i" } else { "j" },
        wcet_ns: Some(random.between(1, 4)),
        minimum_interarrival_ns: Some(distance_ns),
        band: if random.chance(50) { Band::Direct } else { Band::Kernel },
        jitter_ns: if is_sent { random.between(1, 2 * distance_ns) } else { 0 },
        is_sent,
    }
}

fn random_overheads(random: &mut Random) -> Overheads {
    if random.chance(40) {
        return Overheads::NONE;
    }
    let wait_ns = random.between(0, 1);
    let switch_ns = random.between(0, 1);
    Overheads {
        release_ns: random.between(0, 2),
        switch_ns,
        wait_ns,
        kernel_interrupt_ns: random.between(0, 2),
        direct_interrupt_ns: random.between(0, 2),
        kernel_step_ns: wait_ns + random.between(0, 2),
        masked_ns: switch_ns + random.between(0, 2),
        pend_ns: random.between(0, 2),
        timer_jitter_ns: random.between(0, 2),
    }
}

/// Up to three objects, each locked by some tasks for up to half of their time, with a ceiling at or above the most urgent.
fn random_locks(random: &mut Random, jobs: &[Job<'static>]) -> Vec<Vec<Hold<'static>>> {
    let mut locks = vec![Vec::new(); jobs.len()];
    for object in OBJECTS.iter().take(usize::try_from(random.between(0, 3)).unwrap()) {
        let users: Vec<usize> = (0..jobs.len()).filter(|_| random.chance(40)).collect();
        let Some(most) = users.iter().map(|&user| jobs[user].priority).min() else { continue };
        let ceiling = Some(most - u8::from(random.chance(20)));
        for user in users {
            // All three fit into the job.
            let hold_ns = match jobs[user].wcet_ns {
                Some(wcet_ns) if wcet_ns >= 3 => random.between(1, wcet_ns / 3),
                Some(_) => continue,
                None => random.between(1, 12),
            };
            locks[user].push(Hold { object, ceiling, hold_ns });
        }
    }
    locks
}

/// How long a scenario goes on after 0, where the tasks' first releases are or soon follow.
const HORIZON: i64 = 400;

fn ns(time: u64) -> i64 {
    i64::try_from(time).unwrap()
}

/// What happens to a set. `together`: all that is as urgent as a random task or more comes at 0, as densely as it may; the
/// others a little earlier, so that they may be in the way. Else all at random.
pub(crate) fn scenario(random: &mut Random, set: &Set<'_>, together: bool) -> Scenario {
    let victim = usize::try_from(random.between(0, set.jobs.len() as u64 - 1)).unwrap();
    let level = set.jobs[victim].priority;
    let releases = set.jobs.iter().map(|job| {
        if job.kind == Kind::Background {
            return vec![Release { due: -60, raised: -60, stretches: endless(random, set, job) }];
        }
        let is_victim_or_above = job.priority <= level;
        let first = match (together, is_victim_or_above) {
            (true, true) => 0,
            (true, false) => -ns(random.between(0, 2 * job.wcet_ns.unwrap())),
            (false, _) => ns(random.between(0, job.period_ns)),
        };
        random_releases(random, set, job, first, together)
    });
    let releases = releases.collect();
    let interrupts = set.interrupts.iter().map(|interrupt| {
        let distance = interrupt.minimum_interarrival_ns.unwrap();
        // Together: what was sent before as late as it may be, and the next at once.
        let mut at = if together { -ns(interrupt.jitter_ns) } else { ns(random.between(0, distance)) };
        let mut instants = Vec::new();
        while at < HORIZON {
            let late = if together { 0 } else { ns(random.between(0, interrupt.jitter_ns)) };
            instants.push((at + late).max(0));
            at += ns(distance + if together { 0 } else { random.between(0, 20) });
        }
        instants.sort_unstable();
        instants
    });
    let interrupts = interrupts.collect();
    Scenario { releases, interrupts }
}

fn random_releases(random: &mut Random, set: &Set<'_>, job: &Job<'_>, first: i64, together: bool) -> Vec<Release> {
    let jitter = ns(job.jitter_ns + set.overheads.timer_jitter_ns);
    // The first as late as it may be, the next ones on time: as dense as they come.
    let mut due = if together { first - jitter } else { first };
    let mut releases = Vec::new();
    let mut raised_before = i64::MIN;
    while due < HORIZON {
        let raised = if together { due.max(first) } else { due + ns(random.between(0, jitter.unsigned_abs())) };
        // Two releases of a task come in order.
        let raised = raised.max(raised_before);
        raised_before = raised;
        let is_short = !together && random.chance(20);
        releases.push(Release { due, raised, stretches: stretches(random, set, job, is_short) });
        let pause = if !together && job.kind == Kind::Sporadic { random.between(0, job.period_ns / 2) } else { 0 };
        due += ns(job.period_ns + pause);
    }
    releases
}

/// A job: a switch, its locks in random places, the wait, a switch.
fn stretches(random: &mut Random, set: &Set<'_>, job: &Job<'_>, is_short: bool) -> Vec<(Stretch, i64)> {
    let mut left = ns(job.wcet_ns.unwrap());
    let mut own = Vec::new();
    for lock in job.locks {
        let hold = ns(lock.hold_ns);
        left -= hold;
        own.push((Stretch::Lock(lock.ceiling.unwrap()), hold));
    }
    if is_short {
        left = (left + 1) / 2;
    }
    let mut all = vec![(Stretch::Masked, ns(set.overheads.switch_ns))];
    for stretch in own {
        let before = ns(random.between(0, left.unsigned_abs()));
        left -= before;
        all.push((Stretch::Plain, before));
        all.push(stretch);
    }
    all.push((Stretch::Plain, left));
    all.push((Stretch::Step, ns(set.overheads.wait_ns)));
    all.push((Stretch::Masked, ns(set.overheads.switch_ns)));
    all.retain(|&(_, length)| length > 0);
    all
}

/// A background task: it locks, makes kernel steps and masks, until the others have ended.
fn endless(random: &mut Random, set: &Set<'_>, job: &Job<'_>) -> Vec<(Stretch, i64)> {
    let mut all = Vec::new();
    let mut length = 0;
    while length < 2 * HORIZON {
        let choice = random.between(0, 3);
        let stretch = match choice {
            0 => (Stretch::Step, ns(set.overheads.kernel_step_ns)),
            1 => (Stretch::Masked, ns(set.overheads.masked_ns)),
            2 if !job.locks.is_empty() => {
                let lock = &job.locks[usize::try_from(random.between(0, job.locks.len() as u64 - 1)).unwrap()];
                (Stretch::Lock(lock.ceiling.unwrap()), ns(lock.hold_ns))
            }
            _ => (Stretch::Plain, ns(random.between(1, 6))),
        };
        length += stretch.1.max(1);
        all.push(stretch);
    }
    all.push((Stretch::Plain, 1));
    all.retain(|&(_, length)| length > 0);
    all
}
