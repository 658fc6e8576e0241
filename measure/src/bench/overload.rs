// SPDX-License-Identifier: MIT OR Apache-2.0
//! `bench overload`: a task that needs half of the core, and one of the same priority whose bursts are longer than the gaps that it
//! leaves. Both have to go on, what is missed has to be counted, and a more urgent task must not notice.

use core::fmt::{self, Write};
use core::sync::atomic::{AtomicU64, Ordering};
use core::time::Duration;

use takt::kernel::histogram::half_ticks_to_ns;
use takt::kernel::priority::Priority;
use takt::kernel::release::OverrunPolicy;
use takt::kernel::time::Instant;
use takt::{Slot, clock};

use super::{Suite, keep_core_until, urgently};
use crate::actors::{self, Part, is_to_end};
use crate::boot_line::Times;
use crate::commands::Session;
use crate::latency::first_release;
use crate::refusal::Refusal;
use crate::slots::{self, LINEAR_BINS, Run};
use crate::watch::Watch;

pub(super) static SUITE: Suite = Suite {
    name: "overload",
    summary: "half the core and bursts longer than the gaps, of one priority: both go on; -l SECONDS, 10",
    run,
};

const TIMES: Times = Times { command: "bench overload", what: "seconds", usual: 10, maximum: 86_400 };

const NORMAL_PERIOD_US: u32 = 10_000;
const NORMAL_US: u32 = 5_000;
const BURST_PERIOD_US: u32 = 100_000;
const BURST_US: u32 = 25_000;
/// The more urgent task, a measuring slot.
const URGENT_PERIOD_US: u32 = 1_000;
const URGENT: Option<Priority> = Priority::new(20);

static PARTS: [Part; 2] = [Part { priority: 120, body: normal }, Part { priority: 120, body: burst }];

/// Jobs and skipped releases.
struct Counts {
    jobs: AtomicU64,
    skipped: AtomicU64,
}

impl Counts {
    const fn new() -> Self {
        Self { jobs: AtomicU64::new(0), skipped: AtomicU64::new(0) }
    }

    fn get(&self) -> [u64; 2] {
        [self.jobs.load(Ordering::Relaxed), self.skipped.load(Ordering::Relaxed)]
    }
}

static NORMAL: Counts = Counts::new();
static BURST: Counts = Counts::new();
static FIRST: AtomicU64 = AtomicU64::new(0);
static END: AtomicU64 = AtomicU64::new(0);

fn normal(slot: &mut Slot) {
    work(slot, NORMAL_PERIOD_US, NORMAL_US, &NORMAL);
}

fn burst(slot: &mut Slot) {
    work(slot, BURST_PERIOD_US, BURST_US, &BURST);
}

fn work(slot: &mut Slot, period_us: u32, job_us: u32, counts: &Counts) {
    let first = Instant::from_half_ticks(FIRST.load(Ordering::Relaxed));
    let end = Instant::from_half_ticks(END.load(Ordering::Relaxed));
    let mut period = slot.begin(first, Duration::from_micros(u64::from(period_us)), OverrunPolicy::Skip);
    loop {
        let release = period.wait();
        if is_to_end() || !release.due().is_before(end) {
            return;
        }
        counts.skipped.fetch_add(release.skipped(), Ordering::Relaxed);
        keep_core_until(clock::now().after(u64::from(job_us).wrapping_mul(clock::half_ticks_per_us())));
        counts.jobs.fetch_add(1, Ordering::Relaxed);
    }
}

fn run<'a>(session: &mut Session, arguments: &'a str) -> Result<(), Refusal<'a>> {
    let seconds = TIMES.read(arguments)?;
    session.last_run = None;
    let _ = session.provenance.write(&mut session.console);
    let _ = writeln!(session.console, "# Bench: overload, {seconds} s");
    let us = u64::from(seconds).wrapping_mul(1_000_000);
    let urgent_cycles = us.checked_div(u64::from(URGENT_PERIOD_US)).unwrap_or(0);
    let is_clear = slots::clear(0, LINEAR_BINS as u64);
    session.console.flush();
    for count in [&NORMAL.jobs, &NORMAL.skipped, &BURST.jobs, &BURST.skipped] {
        count.store(0, Ordering::Relaxed);
    }
    let first = first_release();
    FIRST.store(first.half_ticks(), Ordering::Relaxed);
    END.store(first.after(us.wrapping_mul(clock::half_ticks_per_us())).half_ticks(), Ordering::Relaxed);
    let refusal = Refusal::NoRecord { slot: 0 };
    let run = Run { releases: urgent_cycles, ..Run::every(first, URGENT_PERIOD_US, URGENT.ok_or(refusal)?) };
    if !(is_clear && slots::assign(0, run, Watch::OFF)) {
        return Err(refusal);
    }
    urgently(|| {
        slots::start(0);
        actors::begin("bench overload", &PARTS)
    })?;
    actors::await_all(session, || {});
    if session.is_interrupted() {
        slots::end();
    }
    slots::await_all(session);
    if session.is_interrupted() { Ok(()) } else { judge(session, us, urgent_cycles) }
}

/// Whether both went on to the end, with every release run or counted, and the more urgent task missed nothing.
fn judge(session: &mut Session, us: u64, urgent_cycles: u64) -> Result<(), Refusal<'static>> {
    let record = slots::record(0).ok_or(Refusal::NoRecord { slot: 0 })?;
    let releases = |period_us| us.div_ceil(u64::from(period_us));
    let view = record.task.histogram.view();
    let urgent = [record.cycles, view.skipped().count];
    let most_ns = half_ticks_to_ns(clock::rate(), view.maximum_half_ticks().unwrap_or(0));
    let rows = [
        ("urgent", URGENT_PERIOD_US, urgent, urgent_cycles),
        ("normal", NORMAL_PERIOD_US, NORMAL.get(), releases(NORMAL_PERIOD_US)),
        ("burst", BURST_PERIOD_US, BURST.get(), releases(BURST_PERIOD_US)),
    ];
    // What is skipped behind the last job is nobody's any more.
    let is_accounted =
        |jobs: u64, skipped: u64, releases: u64| releases.saturating_sub(jobs.wrapping_add(skipped)) <= 3;
    let go_on =
        rows.iter().all(|(_, _, [jobs, skipped], releases)| *jobs > 0 && is_accounted(*jobs, *skipped, *releases));
    let is_sound = go_on && urgent == [urgent_cycles, 0];
    let _ = write(&mut session.console, &rows, most_ns, is_sound);
    if is_sound { Ok(()) } else { Err(Refusal::Failed { command: "bench overload" }) }
}

fn write(out: &mut dyn Write, rows: &[(&str, u32, [u64; 2], u64)], most_ns: i128, is_sound: bool) -> fmt::Result {
    out.write_str("# Overload:   task  period us   releases       jobs    skipped\n")?;
    for (name, period_us, [jobs, skipped], releases) in rows {
        writeln!(out, "# Overload: {name:>6} {period_us:10} {releases:10} {jobs:10} {skipped:10}")?;
    }
    writeln!(out, "# Overload: the urgent task began at most {most_ns} ns behind its due instants")?;
    out.write_str(if is_sound {
        "# Verdict: passed: both went on to the end, and each release was run or counted; the urgent task missed none\n"
    } else {
        "# Verdict: FAILED: a task stood still, a release is in no count, or the urgent task missed one\n"
    })
}
