// SPDX-License-Identifier: MIT OR Apache-2.0
//! The measuring slots: tasks that wait for their release and bin how late they and their handler came.
//!
//! A slot sleeps until the console task has put a [`Run`] into its [`Record`] and started it; it then runs its cycles
//! and says that it is done. A record belongs to the slot from the start to the end of a run and to the console task
//! otherwise; so nothing is printed of a run that still records, and no lock stands between a release and its stamp.
//!
//! A slot on another core than 0 is started, and says that it is done, by what crosses between cores: see [`other_cores`].
//!
//! The interrupt path and [`Periodic::wait`](takt::Periodic::wait) only take stamps. They are binned behind the task's
//! first statement, with interrupts on.

use core::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, Ordering};
use core::time::Duration;

use takt::console::activity;
use takt::handover::{Handover, Taken};
use takt::kernel::histogram::Histogram;
use takt::kernel::priority::Priority;
use takt::kernel::release::OverrunPolicy;
use takt::kernel::report::Stage;
use takt::kernel::time::Instant;
use takt::rpi4::{counter, interrupts};
use takt::{Event, Slot, clock, sleep_for};

use crate::anticipation::Anticipation;
use crate::commands::Session;
use crate::cross_check;
use crate::freeze;
use crate::options::MAX_THREADS;
use crate::spread::Spread;
use crate::watch::{Cycle, Found, ToConsole, Watch};

pub mod other_cores;

/// How many slots there are at the most.
pub const N_SLOTS: usize = MAX_THREADS;

/// The bins of one counter tick of each histogram: 524 us in QEMU, 606 us on the board.
pub(crate) const LINEAR_BINS: usize = 32_768;

/// What a slot is to do.
#[derive(Clone, Copy)]
pub(crate) struct Run {
    /// The first due instant.
    pub(crate) first: Instant,
    /// The period in microseconds.
    pub(crate) period_us: u32,
    /// After how many cycles the run ends.
    pub(crate) cycles: u64,
    /// After how many releases, skipped ones included, it ends at the latest.
    pub(crate) releases: u64,
    /// takt's priority.
    pub(crate) priority: Priority,
    /// How much earlier than due it is released.
    pub(crate) anticipation: Anticipation,
    /// How the slot waits.
    pub(crate) method: Method,
}

impl Run {
    /// A release at `first` and every `period_us` from then on, until [`end`]: as programmed, and waited for.
    pub(crate) const fn every(first: Instant, period_us: u32, priority: Priority) -> Self {
        let (anticipation, method) = (Anticipation::NONE, Method::ABSOLUTE);
        Self { first, period_us, cycles: u64::MAX, releases: u64::MAX, priority, anticipation, method }
    }
}

/// How a slot waits. A number, see [`Anticipation`].
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Method(u8);

impl Method {
    /// For its next release, which is due a period behind the one before.
    pub(crate) const ABSOLUTE: Self = Self(0);
    /// For a period from now on: cyclictest's `-r`.
    pub(crate) const RELATIVE: Self = Self(1);
}

/// The lateness at one stage.
pub(crate) struct Lateness {
    pub(crate) histogram: Histogram<LINEAR_BINS>,
    /// The latest, in half ticks; nothing before the first cycle.
    pub(crate) latest_half_ticks: Option<i64>,
}

/// What a slot was told and what it found. All zeros at first, so that it takes no room in the image.
pub(crate) struct Record {
    run: Option<Run>,
    /// What is looked for besides.
    watch: Watch,
    /// From the due instant to the interrupt handler's first statement.
    pub(crate) handler: Lateness,
    /// From the due instant to the task's first statement.
    pub(crate) task: Lateness,
    /// From the due instant to the end of the job: when all the above is binned.
    pub(crate) done: Lateness,
    /// What was looked for besides.
    pub(crate) found: Found,
    /// From the due instant to a read of the cycle counter behind the task's first statement; see [`cross_check`].
    pub(crate) by_cycles: Spread,
    /// How long the task waited for its due instant, where it must not come before.
    pub(crate) waits: Spread,
    /// The first release: when it was due, and from then to the interrupt handler's first statement.
    pub(crate) first: Option<(Instant, i64)>,
    /// How many cycles were run.
    pub(crate) cycles: u64,
    /// How many jobs still ran when their next release came.
    pub(crate) overruns: u64,
    /// The task's core.
    pub(crate) core: u8,
    /// The task's place in the order of urgency.
    pub(crate) rank: u32,
    /// The task's name in the table.
    pub(crate) name: Option<&'static str>,
}

/// One slot's place: where console task and slot meet.
struct Station {
    is_present: AtomicBool,
    core: AtomicU8,
    /// The task's place in the order of urgency.
    rank: AtomicU32,
    start: Event,
    /// From its start to the end of the run.
    is_running: AtomicBool,
    /// How core 0 starts a slot of another core.
    start_from_core_0: Handover<Option<fn()>>,
    to_console: ToConsole,
    record: Handover<Record>,
}

static STATIONS: [Station; N_SLOTS] = [const { Station::new() }; N_SLOTS];

/// Whether the run is to end before its time.
static IS_TO_END: AtomicBool = AtomicBool::new(false);

/// The body of slot `INDEX` (0 to 3) for the task table: `Task::slot(slot::<0>)`. It has to be more urgent than the
/// console task, and gets its priority from the run. Slots are numbered without gaps.
pub fn slot<const INDEX: usize>(slot: Slot) -> ! {
    const { assert!(INDEX < N_SLOTS, "a measuring slot is numbered 0 to 3") };
    match STATIONS.get(INDEX) {
        Some(station) => station.serve(slot, || activity().set()),
        // The assertion above rules it out.
        None => crate::sleep(),
    }
}

/// How many slots the task table has.
pub(crate) fn count() -> usize {
    STATIONS.iter().take_while(|station| station.is_present.load(Ordering::Acquire)).count()
}

/// The core of each slot; of those that there are not, 0.
pub(crate) fn cores() -> [u8; N_SLOTS] {
    STATIONS.each_ref().map(|station| station.core.load(Ordering::Relaxed))
}

/// The core of slot `index`.
pub(crate) fn core(index: usize) -> u8 {
    STATIONS.get(index).map_or(0, |station| station.core.load(Ordering::Relaxed))
}

/// The first slot on `core`.
pub(crate) fn on_core(core: u8) -> Option<usize> {
    let cores = cores();
    (0..count().min(N_SLOTS)).find(|slot| cores.get(*slot) == Some(&core))
}

/// Whether any slot runs its cycles.
pub(crate) fn are_running() -> bool {
    STATIONS.iter().any(|station| station.is_running.load(Ordering::Relaxed))
}

/// Empties the record of slot `index`; `limit_ticks` and more will be overflows. Takes milliseconds. False where the slot
/// is not there or still runs, or the limit is beyond the bins.
#[must_use]
pub(crate) fn clear(index: usize, limit_ticks: u64) -> bool {
    if let Some(to_console) = to_console(index) {
        to_console.clear();
    }
    record(index).is_some_and(|mut record| record.clear(limit_ticks))
}

/// Gives slot `index`, whose record is empty, its run. False where the slot is not there or still runs.
#[must_use]
pub(crate) fn assign(index: usize, run: Run, watch: Watch) -> bool {
    record(index).is_some_and(|mut record| {
        record.watch = watch;
        record.run.replace(run).is_none()
    })
}

/// Starts the first `count` slots, which were given a run.
pub(crate) fn start_first(count: usize) {
    IS_TO_END.store(false, Ordering::Relaxed);
    let stations = STATIONS.iter().take(count);
    stations.clone().for_each(|station| station.is_running.store(true, Ordering::Relaxed));
    stations.for_each(Station::start);
}

/// Starts slot `index`, which was given a run.
pub(crate) fn start(index: usize) {
    IS_TO_END.store(false, Ordering::Relaxed);
    if let Some(station) = STATIONS.get(index) {
        station.is_running.store(true, Ordering::Relaxed);
        station.start();
    }
}

/// Ends the run: each slot is done behind its next cycle.
pub(crate) fn end() {
    IS_TO_END.store(true, Ordering::Relaxed);
}

/// Waits until all slots that were started are done. Ctrl-C ends the run: each slot is done behind its next cycle.
pub(crate) fn await_all(session: &mut Session) {
    if !session.wait(are_done) {
        end();
        while !are_done() {
            // What is typed meanwhile is kept; with a byte that nobody takes, the wait would not be one.
            session.is_interrupted();
            session.console.wait();
        }
    }
}

/// Whether what the slots have written is there to be read.
pub(crate) fn are_done() -> bool {
    STATIONS.iter().all(|station| !station.is_running.load(Ordering::Acquire))
}

/// The place of slot `index` in the order of urgency of its core.
pub(crate) fn rank(index: usize) -> u32 {
    STATIONS.get(index).map_or(u32::MAX, |station| station.rank.load(Ordering::Relaxed))
}

/// What slot `index` says while it runs.
pub(crate) fn to_console(index: usize) -> Option<&'static ToConsole> {
    STATIONS.get(index).map(|station| &station.to_console)
}

/// The record of slot `index`; `None` where the slot is not there or runs.
pub(crate) fn record(index: usize) -> Option<Taken<'static, Record>> {
    let station = STATIONS.get(index).filter(|station| station.is_present.load(Ordering::Relaxed))?;
    station.record.take()
}

impl Station {
    const fn new() -> Self {
        Self {
            is_present: AtomicBool::new(false),
            core: AtomicU8::new(0),
            rank: AtomicU32::new(0),
            start: Event::new(),
            is_running: AtomicBool::new(false),
            start_from_core_0: Handover::new(None),
            to_console: ToConsole::new(),
            record: Handover::new(Record::new()),
        }
    }

    fn start(&self) {
        match self.start_from_core_0.take().and_then(|start| *start) {
            None => self.start.set(),
            Some(start) => start(),
        }
    }

    /// The slot's life. `tell` wakes the console task, which asks whether the slot is there, and whether it is done with a run.
    #[inline]
    fn serve(&self, mut slot: Slot, tell: fn()) -> ! {
        let rank = takt::this_task().and_then(|this| u32::try_from(this.rank).ok()).unwrap_or(u32::MAX);
        self.rank.store(rank, Ordering::Relaxed);
        self.is_present.store(true, Ordering::Release);
        tell();
        loop {
            self.start.wait();
            if let Some(mut record) = self.record.take()
                && let Some(run) = record.run.take()
            {
                record.core = self.core.load(Ordering::Relaxed);
                record.rank = rank;
                match run.method {
                    Method::RELATIVE => measure_relative(&mut slot, &run, &mut record),
                    _ => measure(&mut slot, &run, &mut record, &self.to_console),
                }
            }
            self.is_running.store(false, Ordering::Release);
            tell();
        }
    }
}

impl Record {
    const fn new() -> Self {
        Self {
            run: None,
            watch: Watch::OFF,
            handler: Lateness::new(),
            task: Lateness::new(),
            done: Lateness::new(),
            found: Found::new(),
            by_cycles: Spread::NONE,
            waits: Spread::NONE,
            first: None,
            cycles: 0,
            overruns: 0,
            core: 0,
            rank: 0,
            name: None,
        }
    }

    fn clear(&mut self, limit_ticks: u64) -> bool {
        self.cycles = 0;
        self.overruns = 0;
        self.by_cycles = Spread::NONE;
        self.waits = Spread::NONE;
        self.first = None;
        self.run = None;
        self.found.clear();
        [&mut self.handler, &mut self.task, &mut self.done].into_iter().all(|lateness| lateness.reset(limit_ticks))
    }

    /// What was measured at a stage.
    pub(crate) fn at(&self, stage: Stage) -> &Lateness {
        match stage {
            Stage::Handler => &self.handler,
            Stage::Task => &self.task,
            Stage::Done => &self.done,
        }
    }
}

impl Lateness {
    const fn new() -> Self {
        Self { histogram: Histogram::zeroed(), latest_half_ticks: None }
    }

    fn reset(&mut self, limit_ticks: u64) -> bool {
        self.latest_half_ticks = None;
        self.histogram.reset(limit_ticks).is_ok()
    }

    pub(crate) fn record(&mut self, half_ticks: i64, cycle: u64) {
        self.latest_half_ticks = Some(half_ticks);
        self.histogram.record(half_ticks, cycle);
    }
}

/// Waits in a loop until the task is due, for no longer than was anticipated. The first statement behind it.
#[inline(never)]
fn await_due(due: Instant, start: Instant, waits: &mut Spread) -> Instant {
    let mut now = start;
    while now.since(due) < 0 {
        interrupts::yield_hint();
        now = clock::now();
    }
    waits.add(now.since(start));
    now
}

/// Runs the cycles. `#[inline]` has the application compile it, and with it takt's part of the way that is measured: as
/// fast as any task's, where this crate is compiled for size.
#[inline]
fn measure(slot: &mut Slot, run: &Run, record: &mut Record, to_console: &ToConsole) {
    slot.set_priority(run.priority);
    let period = Duration::from_micros(u64::from(run.period_us));
    let (anticipated, is_strict) = (run.anticipation.half_ticks(), run.anticipation.is_strict());
    let mut periodic = slot.begin(run.first.before(anticipated), period, OverrunPolicy::Skip);
    let period_half_ticks = periodic.period_half_ticks();
    let mut releases: u64 = 0;
    while record.cycles < run.cycles && releases < run.releases && !IS_TO_END.load(Ordering::Relaxed) {
        let waiting_since = clock::now();
        let release = periodic.wait();
        let cycles = counter::cycles();
        let due = release.due().after(anticipated);
        let start = if is_strict { await_due(due, release.start(), &mut record.waits) } else { release.start() };
        // First, so that little is recorded behind the maximum.
        freeze::consider(due, start, record.cycles);
        let (handler, task) = (release.handler().since(due), start.since(due));
        record.handler.record(handler, record.cycles);
        record.task.record(task, record.cycles);
        record.by_cycles.add(cross_check::half_ns_since(due, cycles));
        if record.first.is_none() {
            record.first = Some((due, handler));
        }
        let skipped = release.skipped();
        if skipped > 0 {
            // They were collapsed when the wait began; the first of them was due so many periods before this release.
            let first_skipped = due.before(skipped.wrapping_mul(period_half_ticks));
            let lateness = waiting_since.since(first_skipped);
            record.handler.histogram.record_skipped(skipped, lateness, period_half_ticks);
            record.task.histogram.record_skipped(skipped, lateness, period_half_ticks);
        }
        let done = clock::now().since(due);
        record.done.record(done, record.cycles);
        if record.watch.is_on {
            let cycle = Cycle { number: record.cycles, handler, task, done, start };
            let Record { watch, found, handler, task, done, .. } = &mut *record;
            if watch.look(&cycle, found, [handler, task, done], to_console) {
                IS_TO_END.store(true, Ordering::Relaxed);
            }
        }
        record.cycles = record.cycles.wrapping_add(1);
        releases = releases.wrapping_add(skipped).wrapping_add(1);
    }
    if let Some(this) = takt::this_task() {
        record.overruns = this.counts.overrun;
        record.name = Some(this.name);
    }
}

/// Runs the cycles of a slot that asks for a period from now on, each time. It has no release, so only the task's first statement is
/// stamped.
#[inline(never)]
fn measure_relative(slot: &mut Slot, run: &Run, record: &mut Record) {
    slot.set_priority(run.priority);
    let period = Duration::from_micros(u64::from(run.period_us));
    let period_half_ticks = clock::half_ticks(period, clock::rate());
    while record.cycles < run.cycles && !IS_TO_END.load(Ordering::Relaxed) {
        let due = clock::now().after(period_half_ticks);
        let start = sleep_for(period);
        record.task.record(start.since(due), record.cycles);
        record.done.record(clock::now().since(due), record.cycles);
        record.cycles = record.cycles.wrapping_add(1);
    }
    record.name = takt::this_task().map(|this| this.name);
}
