// SPDX-License-Identifier: MIT OR Apache-2.0
//! `bench sched`: four periodic tasks of ascending urgency, each of which keeps the core for a burst. Who preempted whom, and how
//! often, is held against what fixed priorities must give.
//!
//! A task notes at its first statement whose job it finds under way, and says at the end that this one is under way again. With
//! fixed priorities jobs nest, so that is whom it preempted.

use core::fmt::{self, Write};
use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use core::time::Duration;

use takt::kernel::release::OverrunPolicy;
use takt::kernel::time::Instant;
use takt::{Slot, clock};

use super::{Suite, keep_core_until, urgently};
use crate::actors::{self, Part, is_to_end};
use crate::boot_line::Times;
use crate::commands::Session;
use crate::latency::first_release;
use crate::refusal::Refusal;

pub(super) static SUITE: Suite = Suite {
    name: "sched",
    summary: "four tasks with bursts of 40 us to 100 ms: who preempts whom; -l SECONDS, 10",
    run,
};

const TIMES: Times = Times { command: "bench sched", what: "seconds", usual: 10, maximum: 86_400 };

const TASKS: usize = 4;
/// From the most urgent on: the bursts, and the periods, which have no common divisor but a hundredth of a millisecond, so that the
/// tasks meet at every place of each other's bursts.
const BURSTS_US: [u32; TASKS] = [40, 1_000, 10_000, 100_000];
const PERIODS_US: [u32; TASKS] = [1_970, 20_030, 99_990, 500_110];

static PARTS: [Part; TASKS] = [
    Part { priority: 110, body: task::<0> },
    Part { priority: 120, body: task::<1> },
    Part { priority: 130, body: task::<2> },
    Part { priority: 140, body: task::<3> },
];

/// Nobody's job is under way.
const NOBODY: usize = TASKS;

/// Whose job is under way.
static RUNNING: AtomicUsize = AtomicUsize::new(NOBODY);
/// Of each victim: by whom it was preempted how often.
static PREEMPTED: [[AtomicU64; TASKS]; TASKS] = [const { [const { AtomicU64::new(0) }; TASKS] }; TASKS];
static JOBS: [AtomicU64; TASKS] = [const { AtomicU64::new(0) }; TASKS];
static SKIPPED: [AtomicU64; TASKS] = [const { AtomicU64::new(0) }; TASKS];
/// The first release of all, in half ticks.
static FIRST: AtomicU64 = AtomicU64::new(0);
/// The end of the run, in half ticks: no job begins behind it.
static END: AtomicU64 = AtomicU64::new(0);

/// Adds to a count, which tasks of several priorities may have.
fn add(count: Option<&AtomicU64>, more: u64) {
    if let Some(count) = count {
        count.fetch_add(more, Ordering::Relaxed);
    }
}

fn task<const TASK: usize>(slot: &mut Slot) {
    let (period_us, burst_us) = (PERIODS_US.get(TASK).copied(), BURSTS_US.get(TASK).copied());
    let Some((period_us, burst_us)) = period_us.zip(burst_us) else { return };
    let first = Instant::from_half_ticks(FIRST.load(Ordering::Relaxed));
    let end = Instant::from_half_ticks(END.load(Ordering::Relaxed));
    let mut period = slot.begin(first, Duration::from_micros(u64::from(period_us)), OverrunPolicy::Skip);
    loop {
        let release = period.wait();
        if is_to_end() || !release.due().is_before(end) {
            return;
        }
        let under_way = RUNNING.swap(TASK, Ordering::Relaxed);
        let victim = PREEMPTED.get(under_way);
        add(victim.and_then(|by| by.get(TASK)), 1);
        add(SKIPPED.get(TASK), release.skipped());
        execute_for(burst_us);
        add(JOBS.get(TASK), 1);
        RUNNING.store(under_way, Ordering::Relaxed);
    }
}

/// Keeps the core for so long by the clock, whoever preempts it meanwhile: less is left then.
fn execute_for(us: u32) {
    keep_core_until(clock::now().after(u64::from(us).wrapping_mul(clock::half_ticks_per_us())));
}

fn run<'a>(session: &mut Session, arguments: &'a str) -> Result<(), Refusal<'a>> {
    let seconds = TIMES.read(arguments)?;
    let _ = session.provenance.write(&mut session.console);
    let _ = writeln!(session.console, "# Bench: sched, {seconds} s");
    session.console.flush();
    PREEMPTED.iter().flatten().chain(&JOBS).chain(&SKIPPED).for_each(|count| count.store(0, Ordering::Relaxed));
    RUNNING.store(NOBODY, Ordering::Relaxed);
    let first = first_release();
    let length = u64::from(seconds).wrapping_mul(1_000_000).wrapping_mul(clock::half_ticks_per_us());
    FIRST.store(first.half_ticks(), Ordering::Relaxed);
    END.store(first.after(length).half_ticks(), Ordering::Relaxed);
    urgently(|| actors::begin("bench sched", &PARTS))?;
    actors::await_all(session, || {});
    if session.is_interrupted() {
        return Ok(());
    }
    let is_sound = judge(seconds);
    let _ = write(&mut session.console, is_sound);
    if is_sound { Ok(()) } else { Err(Refusal::Failed { command: "bench sched" }) }
}

fn load(counts: &[AtomicU64; TASKS], task: usize) -> u64 {
    counts.get(task).map_or(0, |count| count.load(Ordering::Relaxed))
}

/// Whether nobody was preempted by a task that is less urgent, everybody by each that is more so, and every release had its job.
fn judge(seconds: u32) -> bool {
    let are_right = PREEMPTED.iter().enumerate().all(|(victim, by)| {
        by.iter().enumerate().all(|(task, count)| (count.load(Ordering::Relaxed) > 0) == (task < victim))
    });
    let have_all_run = (0..TASKS).all(|task| {
        let period_us = PERIODS_US.get(task).copied().unwrap_or(1);
        let releases = u64::from(seconds).wrapping_mul(1_000_000).div_ceil(u64::from(period_us));
        load(&JOBS, task) == releases && load(&SKIPPED, task) == 0
    });
    are_right && have_all_run
}

fn write(out: &mut dyn Write, is_sound: bool) -> fmt::Result {
    out.write_str(
        "# Preempted:    task  burst us  period us       jobs  skipped | by task 1     task 2     task 3     task 4\n",
    )?;
    for (task, by) in PREEMPTED.iter().enumerate() {
        let (burst_us, period_us) = (BURSTS_US.get(task).unwrap_or(&0), PERIODS_US.get(task).unwrap_or(&0));
        let (jobs, skipped) = (load(&JOBS, task), load(&SKIPPED, task));
        write!(out, "# Preempted: {:7} {burst_us:9} {period_us:10} {jobs:10} {skipped:8} |", task.wrapping_add(1))?;
        by.iter().try_for_each(|count| write!(out, " {:9} ", count.load(Ordering::Relaxed)))?;
        out.write_str("\n")?;
    }
    out.write_str(if is_sound {
        "# Verdict: passed: each task was preempted by every more urgent one, and by no other; every release had its job\n"
    } else {
        "# Verdict: FAILED: below the diagonal every count is to be above 0, elsewhere 0, and no release skipped\n"
    })
}
