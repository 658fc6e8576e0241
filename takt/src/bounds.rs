// SPDX-License-Identifier: MIT OR Apache-2.0
//! The bounds of a table's response times while the system runs: which of them fit this machine, and what it means where a
//! job takes longer.
//!
//! A table without any bound has none of this in its image: it is reached through [`Bounds`] alone.

use core::fmt;
use core::time::Duration;

use takt_kernel::release::{OverrunPolicy, ReleaseCounts};
use takt_kernel::response::{
    self, BeyondBound, Budgets, Judgement, NotAsDeclared, Observed, ResponseTimes, Responses, Void, judge,
};
use takt_kernel::schedulability::{self, KernelCosts, Platform};
use takt_kernel::table::Kind;
use takt_kernel::time::{Instant, Rate};
use takt_kernel::{CAPACITY, TaskId};

use crate::core_state::{CoreState, TaskReport, masked};
use crate::serial::transmitter;
use crate::table::OfCore;
use crate::table::timing::Claim;
use crate::{board, clock, console, execution_time, fault, turn};

/// What a table with bounds has besides them.
#[derive(Clone, Copy)]
#[doc(hidden)]
pub struct Bounds {
    /// The bounds in QEMU with counted instructions, in the order of the table; 0 where there is none.
    emulated_ns: &'static [u64],
    bound: fn(OfCore, TaskId) -> Option<Duration>,
    beyond: fn(&mut CoreState, TaskId, i64),
    write: fn(&TaskReport, &mut fmt::Formatter<'_>) -> fmt::Result,
    write_assumptions: fn(&mut fmt::Formatter<'_>) -> fmt::Result,
}

impl Bounds {
    /// Those of a table; `None` where there is no bound. Runs in the compiler.
    pub const fn of(claims: &[Claim], emulated_ns: &'static [u64]) -> Option<Self> {
        let mut rest = claims;
        while let [first, others @ ..] = rest {
            if let Claim::Bounded { .. } = first {
                return Some(Self { emulated_ns, bound, beyond, write, write_assumptions });
            }
            rest = others;
        }
        None
    }
}

/// What this machine is to the bounds.
struct Machine {
    platform: &'static Platform,
    observed: Observed,
}

/// Where time is a board's, or counted, a bound is to be kept. Elsewhere it stands for comparison.
fn machine() -> Machine {
    let (board, emulated) = (&Platform::RASPBERRY_PI_4, &Platform::QEMU_ICOUNT_4);
    let Some(facts) = board::facts() else { return Machine { platform: board, observed: Observed::HostNoise } };
    match (facts.platform, facts.icount_shift) {
        (board::Platform::Board, _) => Machine { platform: board, observed: Observed::Judged },
        // Other cores share the counted time unless they are silent.
        (board::Platform::Qemu, Some(EMULATED_SHIFT)) if facts.other_cores.silent().count() == OTHER_CORES => {
            Machine { platform: emulated, observed: Observed::Judged }
        }
        _ => Machine { platform: board, observed: Observed::HostNoise },
    }
}

/// The shift that [`Platform::QEMU_ICOUNT_4`] is for.
const EMULATED_SHIFT: u32 = 4;
/// All cores but the one that takt runs on.
const OTHER_CORES: usize = 3;

/// The bound of `task` on this machine.
fn bound(table: OfCore, task: TaskId) -> Option<Duration> {
    let Claim::Bounded { response } = table.claim(task)? else { return None };
    if *machine().platform == Platform::RASPBERRY_PI_4 {
        return Some(response);
    }
    let emulated_ns = table.bounds.as_ref()?.emulated_ns.get(table.place(task)?).copied()?;
    (emulated_ns != 0).then_some(Duration::from_nanos(emulated_ns))
}

/// The responses of `task`, which has had no job, with its bound.
pub(crate) fn responses(table: Option<OfCore>, task: TaskId, rate: Rate) -> Responses {
    let bound = table.and_then(|table| (table.bounds.as_ref()?.bound)(table, task));
    Responses::new(bound.and_then(|bound| response::half_ticks(ns(bound), rate)))
}

/// An hour at the most, as periods are.
fn ns(bound: Duration) -> u64 {
    u64::try_from(bound.as_nanos()).unwrap_or(u64::MAX)
}

impl CoreState {
    /// A job of `task` took longer than its bound. Called in the task's own step.
    #[cold]
    #[inline(never)]
    pub(crate) fn is_beyond_bound(&mut self, task: TaskId, response_half_ticks: i64) {
        // Only who has bounds comes here.
        if let Some(bounds) = self.table.and_then(|table| table.bounds.as_ref()) {
            (bounds.beyond)(self, task, response_half_ticks);
        }
    }
}

/// Ends the run where the model is wrong. Elsewhere the report says what it was.
fn beyond(core: &mut CoreState, task: TaskId, response_half_ticks: i64) {
    let Some(table) = core.table else { return };
    let void = void(table, task, |of| known(core, of));
    let Machine { platform, observed } = machine();
    let is_burst = *platform == Platform::QEMU_ICOUNT_4 && is_in_a_burst(response_half_ticks);
    let observed = if is_burst { Observed::Burst } else { observed };
    let rate = core.time_base.rate;
    let broken = if execution_time::IS_ON { broken_wcet(table, task, platform, rate) } else { None };
    let budgets = match broken {
        Some(broken) => Budgets::Exceeded(broken.by),
        None if execution_time::IS_ON => Budgets::Kept,
        None => Budgets::NotMeasured,
    };
    let judgement = judge(void, observed, budgets);
    let task_name = table.task(task).map_or("", |entry| entry.name);
    let bound_ns = bound(table, task).map_or(0, ns);
    let observed_ns = response::ns(response_half_ticks, rate);
    match (judgement, broken) {
        (Judgement::Fault { is_measured }, _) => {
            fault::beyond_bound(&BeyondBound { task: task_name, observed_ns, bound_ns, platform, is_measured })
        }
        (Judgement::NotAsDeclared(_), Some(broken)) => {
            fault::not_as_declared(&NotAsDeclared { task: task_name, observed_ns, bound_ns, ..broken })
        }
        _ => {}
    }
}

/// A task, of `task` and those as urgent or more, that executed longer in a job than it declares, and what the executive takes of
/// its time besides; the most urgent.
fn broken_wcet(table: OfCore, task: TaskId, platform: &Platform, rate: Rate) -> Option<NotAsDeclared<'static>> {
    let own = table.task(task)?.priority;
    let tasks = table.order().tasks;
    let kernel = KernelCosts::budgeted(tasks).with_budgets(tasks, tasks, false).on(platform);
    let kernel_ns = kernel.wait_ns.saturating_add(kernel.switch_ns.saturating_mul(2));
    TaskId::all().map_while(|of| Some((of, table.task(of)?))).take_while(|(_, entry)| entry.priority <= own).find_map(
        |(of, entry)| {
            let wcet_ns = ns(entry.wcet);
            let ended = execution_time::of(of).told()?.jobs.max_half_ticks;
            let most = ended.max(execution_time::job_half_ticks(of).unwrap_or(0));
            let executed_ns = response::ns(most.cast_signed(), rate);
            let is_kept = wcet_ns == 0 || executed_ns.cast_unsigned() <= wcet_ns.saturating_add(kernel_ns);
            let broken = NotAsDeclared { task: "", observed_ns: 0, bound_ns: 0, by: entry.name, executed_ns, wcet_ns };
            (!is_kept).then_some(broken)
        },
    )
}

/// Whether a serial interface may have kept the job waiting in QEMU, which sends at once what the ring holds, and receives
/// at once what comes: a wire takes 86.8 us a byte, which is what the bound reckons with.
fn is_in_a_burst(response_half_ticks: i64) -> bool {
    let now = clock::now();
    let never = Instant::from_half_ticks(0);
    [transmitter::started_at(), console::received_at()].into_iter().any(|busy| {
        // A ring of 4,095 bytes goes in 512 interrupts of 400 instructions: 3.3 ms.
        busy != never && now.since(busy).saturating_sub(response_half_ticks) < MOST_BURST_HALF_TICKS
    })
}

/// 4 ms in QEMU.
const MOST_BURST_HALF_TICKS: i64 = 4_000 * 125;

/// What says of a task whether it keeps to what the bounds are for.
struct Known {
    counts: ReleaseCounts,
    responses: Responses,
    waits_within: bool,
    has_changed_priority: bool,
}

fn known(core: &mut CoreState, of: TaskId) -> Known {
    let block = core.control_block(of);
    let (counts, responses) = (block.releases.counts(), block.responses);
    let waits_within = core.waits_within[of];
    Known { counts, responses, waits_within, has_changed_priority: core.has_changed_priority }
}

/// Why the bound of `task` is void.
fn void(table: OfCore, task: TaskId, mut known: impl FnMut(TaskId) -> Known) -> Option<Void<'static>> {
    let own = table.task(task)?.priority;
    for of in (0..CAPACITY).filter_map(TaskId::new) {
        let Some(entry) = table.task(of) else { break };
        let known = known(of);
        if known.has_changed_priority {
            return Some(Void::Priority);
        }
        let (has_jobs, is_postponed) = match entry.kind {
            Kind::Periodic { overrun, .. } => (true, overrun == OverrunPolicy::Postpone),
            Kind::Sporadic { .. } => (true, true),
            Kind::Slot | Kind::Background => (false, false),
        };
        // A deadline beyond the period lets jobs overrun, and the bound reckons with it.
        let is_unbounded = !known.responses.has_bound() || known.responses.is_beyond_bound();
        if is_postponed && known.counts.overrun > 0 && is_unbounded {
            return Some(Void::Overrun(entry.name));
        }
        if has_jobs && known.waits_within && entry.priority <= own {
            return Some(Void::WaitsWithin(entry.name));
        }
    }
    None
}

/// What stands beside the longest response that was observed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// On this machine nothing is claimed; [`TaskReport::claim`] says why, or the emulated platform is too slow for it.
    None,
    /// No job took longer than this.
    Kept(Duration),
    /// A job took longer than this, which is no fault: QEMU's time was the PC's, or a serial interface was busy there.
    Exceeded(Duration, Observed),
    /// This was the bound, and something happened that it does not reckon with.
    Void(Duration, Void<'static>),
}

impl fmt::Display for Bound {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Kept(bound) | Self::Exceeded(bound, _) | Self::Void(bound, _)) = self else {
            return formatter.write_str("no bound");
        };
        write!(formatter, "bound {} ns", ns(*bound))?;
        match self {
            Self::Exceeded(_, Observed::Burst) => {
                formatter.write_str(", exceeded while a serial interface was busy, which QEMU does not pace")
            }
            Self::Exceeded(..) => {
                formatter.write_str(", exceeded, which is a note: the bound is not for QEMU's time here")
            }
            Self::Void(_, why) => write!(formatter, ", void: {why}"),
            Self::None | Self::Kept(_) => Ok(()),
        }
    }
}

impl TaskReport {
    /// The bound that stands beside the longest response, *under the declared budgets and platform assumptions*. It is that
    /// of a Raspberry Pi 4, and in QEMU with `-icount shift=4` and one core that of such a machine. Called by tasks.
    #[must_use]
    pub fn bound(&self) -> Bound {
        let (table, rate) = masked(|core| (core.table, core.time_base.rate));
        let Some(table) = table else { return Bound::None };
        let Some(bound) = bound(table, self.task) else { return Bound::None };
        let void = void(table, self.task, |of| {
            let mut copy = None;
            turn::step(|core| copy = Some(known(core, of)));
            copy.unwrap_or(Known {
                counts: ReleaseCounts::default(),
                responses: Responses::NONE,
                waits_within: false,
                has_changed_priority: false,
            })
        });
        let bound_half_ticks = response::half_ticks(ns(bound), rate).unwrap_or(u64::MAX);
        let is_beyond =
            |times: ResponseTimes| u64::try_from(times.greatest_half_ticks).is_ok_and(|g| g > bound_half_ticks);
        match void {
            Some(why) => Bound::Void(bound, why),
            None if self.responses.is_some_and(is_beyond) => {
                let observed = machine().observed;
                Bound::Exceeded(bound, if observed == Observed::Judged { Observed::Burst } else { observed })
            }
            None => Bound::Kept(bound),
        }
    }

    /// The response times in words, `min 6032 mean 6120 max 7008 ns of 100 jobs`, and behind that the bound where the table
    /// has any; nothing before the first job has ended.
    pub fn responses_in_words(&self) -> impl fmt::Display {
        InWords(*self)
    }
}

struct InWords(TaskReport);

impl fmt::Display for InWords {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(times) = self.0.responses else { return Ok(()) };
        let (table, rate) = masked(|core| (core.table, core.time_base.rate));
        let [least, mean, greatest] = [times.least_half_ticks, times.mean_half_ticks(), times.greatest_half_ticks]
            .map(|time| response::ns(time, rate));
        write!(formatter, "min {least} mean {mean} max {greatest} ns of {} jobs", times.count)?;
        match table.and_then(|table| table.bounds.as_ref()) {
            Some(bounds) => (bounds.write)(&self.0, formatter),
            None => Ok(()),
        }
    }
}

fn write(report: &TaskReport, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(formatter, ", {}", report.bound())
}

/// What the bounds that stand beside observed responses stand under, in words; `None` where the table has no bound.
#[must_use]
pub fn bound_assumptions() -> Option<impl fmt::Display> {
    masked(|core| core.table)?.bounds.as_ref().map(|bounds| Assumptions(bounds.write_assumptions))
}

struct Assumptions(fn(&mut fmt::Formatter<'_>) -> fmt::Result);

impl fmt::Display for Assumptions {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.0)(formatter)
    }
}

fn write_assumptions(formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    formatter.write_str(schedulability::claim(machine().platform).as_str())
}
