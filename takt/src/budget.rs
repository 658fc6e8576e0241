// SPDX-License-Identifier: MIT OR Apache-2.0
//! Budgets of execution time while the system runs: when a job is looked at, and what happens to one that uses more.
//!
//! The watch of a task is due when its job can have used up its budget at the earliest. A periodic task sets it in its own
//! wait, for the next due instant and the budget, a sporadic one when its job begins. The timer's kernel handler looks, and lets
//! it be due again where something is missing. Nothing is done where a task is preempted, interrupted or switched to.
//!
//! Who may run concurrently: what is kept here is touched behind the closed gate and in kernel handlers, as the core's state; by
//! reports, with interrupts masked.
//!
//! Without the feature `execution-time` nothing here leaves a byte in the image.

use core::cell::UnsafeCell;
use core::time::Duration;

use takt_kernel::budget::{Budget, Found, JobBudget, OnBudgetOverrun};
use takt_kernel::executive::{Demoted, Watch};
use takt_kernel::priority::Priority;
use takt_kernel::schedulability::{InterruptLoad, KernelCosts, Platform};
use takt_kernel::sentence::Sentence;
use takt_kernel::table::{Band, Entry, Kind, check_budget, check_level_to_spare};
use takt_kernel::time::Instant;
use takt_kernel::{CAPACITY, TaskId, response};

use takt_rpi4::cores;

use crate::core_state::CoreState;
use crate::exclusive::exclusively;
use crate::execution_time::{self, IS_ON, ONE_IF_ON};
use crate::table::{Declaration, OfCore};
use crate::{clock, fault, time_base, turn};

/// The budget in a line of the table: nothing, also of its size, where nothing is accounted.
#[derive(Clone, Copy)]
pub(crate) struct OfDeclaration([Option<Budget>; ONE_IF_ON]);

impl OfDeclaration {
    pub(crate) const NONE: Self = Self([None; ONE_IF_ON]);

    pub(crate) const fn get(&self) -> Option<Budget> {
        match self.0.as_slice() {
            [budget] => *budget,
            _ => None,
        }
    }
}

impl Declaration {
    /// The same, of a task of this name with this budget.
    #[expect(clippy::panic, reason = "runs in the compiler, where a panic is how a build stops")]
    pub(crate) const fn with_budget(mut self, name: &'static str, budget: Option<Budget>) -> Self {
        if budget.is_some() && !IS_ON {
            let sentence = Sentence::new("takt: task '").text(name).text(
                "' has a budget, but this image accounts no execution time; build it with the feature execution-time of the \
                 crate takt, or leave .budget(d, ..) out",
            );
            panic!("{}", sentence.as_str());
        }
        self.budget = OfDeclaration([budget; ONE_IF_ON]);
        self
    }
}

/// Checks the budgets of a table whose `entries` were checked.
#[expect(clippy::result_large_err, reason = "the error is a sentence that only the compiler ever holds")]
pub(crate) const fn check(lines: &[Declaration], entries: &[Entry]) -> Result<(), Sentence> {
    let mut rest = lines;
    while let [first, others @ ..] = rest {
        if let (Entry::Task(task), Some(budget)) = (&first.entry, first.budget.get()) {
            if let Err(sentence) = check_budget(task, &budget) {
                return Err(sentence);
            }
            if let (OnBudgetOverrun::Demote, Err(sentence)) = (budget.on_overrun, check_level_to_spare(entries)) {
                return Err(sentence);
            }
        }
        rest = others;
    }
    Ok(())
}

/// How many tasks have budgets.
pub(crate) const fn count(lines: &[Declaration]) -> usize {
    let (mut count, mut rest) = (0_usize, lines);
    while let [first, others @ ..] = rest {
        if first.budget.get().is_some() {
            count = count.saturating_add(1);
        }
        rest = others;
    }
    count
}

/// Whether a task can be demoted.
pub(crate) const fn demotes(lines: &[Declaration]) -> bool {
    let mut rest = lines;
    while let [first, others @ ..] = rest {
        if let Some(Budget { on_overrun: OnBudgetOverrun::Demote, .. }) = first.budget.get() {
            return true;
        }
        rest = others;
    }
    false
}

/// The timer's interrupts that look at the jobs of a line: as far apart as looks are at the least, and one in each job besides,
/// which comes sooner, or finds the job beyond.
pub(crate) const fn looks(line: &Declaration, platform: &Platform) -> Option<[InterruptLoad<'static>; 2]> {
    let (Entry::Task(task), Some(budget)) = (&line.entry, line.budget.get()) else { return None };
    let (Kind::Periodic { period: apart, .. } | Kind::Sporadic { min_interval: apart, .. }) = task.kind else {
        return None;
    };
    let kind = InterruptLoad {
        name: task.name,
        wcet_ns: None,
        minimum_interarrival_ns: None,
        band: Band::Kernel,
        jitter_ns: 0,
        is_sent: false,
    };
    let each = InterruptLoad {
        wcet_ns: Some(KernelCosts::look().ns(platform)),
        minimum_interarrival_ns: Some(budget.apart_ns()),
        ..kind
    };
    let one = InterruptLoad {
        wcet_ns: Some(KernelCosts::look_that_demotes().ns(platform)),
        minimum_interarrival_ns: Some(ns(apart)),
        ..kind
    };
    Some([each, one])
}

/// What a task's budget is, and how it was kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BudgetUse {
    /// The most that a job is to execute, in half ticks.
    pub budget_half_ticks: u64,
    /// What becomes of a job that executes longer.
    pub on_overrun: OnBudgetOverrun,
    /// How many jobs executed longer, the present one among them.
    pub overruns: u64,
}

/// The budgets of a core's tasks.
struct Kept {
    of: [JobBudget; CAPACITY],
    demoted: Demoted,
}

struct All(UnsafeCell<[Kept; ONE_IF_ON]>);

// SAFETY: `with` says who uses it.
unsafe impl Sync for All {}

/// Those of each core.
static ALL: [All; cores::CORES] = [const {
    All(UnsafeCell::new([const { Kept { of: [JobBudget::NONE; CAPACITY], demoted: Demoted::NONE } }; ONE_IF_ON]))
}; cores::CORES];

/// What core `id`, 0 to 3, keeps.
#[inline(always)]
fn kept(id: usize) -> *mut [Kept; ONE_IF_ON] {
    ALL.get(id).map_or(core::ptr::null_mut(), |all| all.0.get())
}

/// Lets `act` use the core's state, the budget of `task` and who is demoted; `None` where the task has no budget.
#[inline(always)]
fn with<R>(
    core: &mut CoreState,
    task: TaskId,
    act: impl FnOnce(&mut CoreState, &mut JobBudget, &mut Demoted) -> R,
) -> Option<R> {
    // SAFETY: who holds the one reference to the core's state is the one user, but for reports, which do not come between; the
    // reference is gone when `act` has ended.
    let [Kept { of, demoted }] = unsafe { kept(core.id).as_mut() }?.as_mut_slice() else { return None };
    let budget = of.get_mut(task.index())?;
    budget.on_overrun()?;
    Some(act(core, budget, demoted))
}

/// Takes over the budgets of the table. At boot.
pub(crate) fn prepare(core: &CoreState, table: OfCore) {
    if !IS_ON {
        return;
    }
    let rate = core.time_base.rate;
    // SAFETY: as in `with`; no task has started.
    let Some([Kept { of, .. }, ..]) = unsafe { kept(core.id).as_mut() }.map(|all| all.as_mut_slice()) else { return };
    for (place, task) in of.iter_mut().zip(TaskId::all()) {
        if let Some(Budget { most, on_overrun }) = table.budget(task) {
            let most_half_ticks = response::half_ticks(ns(most), rate).unwrap_or(u64::MAX);
            *place = JobBudget::new(most_half_ticks, on_overrun, rate.half_ticks_per_us().get());
        }
    }
}

/// What the budget of `task` is, and how it was kept.
pub(crate) fn of(task: TaskId) -> Option<BudgetUse> {
    if !IS_ON {
        return None;
    }
    exclusively(|| {
        // SAFETY: masked, so nobody else uses it.
        let budget = unsafe { kept(cores::this_core()).as_ref() }?.first()?.of.get(task.index())?;
        Some(BudgetUse {
            budget_half_ticks: budget.most_half_ticks(),
            on_overrun: budget.on_overrun()?,
            overruns: budget.overruns(),
        })
    })
}

/// The job of `task`, the running one, ends, having executed so much. In a kernel step, before the task waits.
#[inline(always)]
pub(crate) fn end_job(core: &mut CoreState, task: TaskId, done_half_ticks: u64) {
    let _ = with(core, task, |core, budget, demoted| {
        budget.end_job(done_half_ticks);
        core.executive.end_watch(Watch::Budget(task));
        core.executive.end_demotion(demoted, task);
    });
}

/// The next job of `task`, which waits for it since `now`, is due at `due`.
#[inline(always)]
pub(crate) fn watch_next_job(core: &mut CoreState, task: TaskId, due: Instant, now: Instant) {
    let _ = with(core, task, |core, budget, _| {
        let begins = if due.is_before(now) { now } else { due };
        let at = begins.after(budget.most_half_ticks());
        if core.executive.watch_at(Watch::Budget(task), at) {
            time_base::arm(&core.time_base, at);
        }
    });
}

/// The first job of `task` is due at `due`. The timer is armed afterwards.
pub(crate) fn watch_first_job(core: &mut CoreState, task: TaskId, due: Instant) {
    let _ = with(core, task, |core, budget, _| {
        let _ = core.executive.watch_at(Watch::Budget(task), due.after(budget.most_half_ticks()));
    });
}

/// A job of `task`, the running one, has begun. Called by the task.
#[inline(always)]
pub(crate) fn watch_this_job(task: TaskId) {
    if of(task).is_some() {
        begin_to_watch(task);
    }
}

#[cold]
#[inline(never)]
fn begin_to_watch(task: TaskId) {
    turn::step(|core| {
        let done_half_ticks = execution_time::job_half_ticks(task).unwrap_or(0);
        let _ = with(core, task, |core, budget, _| {
            let at = clock::now().after(budget.left_half_ticks(done_half_ticks));
            if core.executive.watch_at(Watch::Budget(task), at) {
                time_base::arm(&core.time_base, at);
            }
        });
    });
}

/// The present job of `task` may have used up its budget. Called by the timer's kernel handler, which came at `now`. The timer is
/// armed afterwards.
pub(crate) fn look(core: &mut CoreState, task: TaskId, now: Instant) {
    let Some(done_half_ticks) = execution_time::job_half_ticks(task) else { return };
    let runs = core.executive.running() == task;
    let found = with(core, task, |_, budget, _| budget.look(done_half_ticks, runs));
    match found {
        None | Some(Found::Beyond(OnBudgetOverrun::Report)) => {}
        Some(Found::Within(later)) => {
            let _ = core.executive.watch_at(Watch::Budget(task), now.after(later));
        }
        Some(Found::Beyond(OnBudgetOverrun::Demote)) => {
            let _ = with(core, task, |core, _, demoted| core.executive.demote(demoted, task));
        }
        Some(Found::Beyond(OnBudgetOverrun::Fatal)) => is_fatal(core, task, done_half_ticks),
    }
}

#[cold]
#[inline(never)]
fn is_fatal(core: &CoreState, task: TaskId, done_half_ticks: u64) -> ! {
    let entry = core.table.and_then(|table| Some((table.task(task)?.name, ns(table.budget(task)?.most))));
    let (name, budget_ns) = entry.unwrap_or_default();
    fault::budget_overrun(name, budget_ns, response::ns(done_half_ticks.cast_signed(), core.time_base.rate))
}

/// Gives `task` another priority, which counts for one that is demoted when its job has ended.
#[inline(always)]
pub(crate) fn set_priority(core: &mut CoreState, task: TaskId, priority: Priority) {
    if !IS_ON {
        return core.executive.set_priority(task, priority);
    }
    // SAFETY: as in `with`.
    if let Some(Kept { demoted, .. }) = unsafe { kept(core.id).as_ref() }.and_then(|all| all.first()) {
        core.executive.set_priority_among(demoted, task, priority);
    }
}

/// Up to an hour, as the table was checked.
#[expect(clippy::cast_possible_truncation, reason = "an hour fits")]
const fn ns(time: Duration) -> u64 {
    time.as_nanos() as u64
}
