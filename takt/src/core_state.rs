// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a core's executive knows: a static for each core, touched by that core alone: in kernel handlers, behind the closed gate,
//! or with interrupts masked.

use core::cell::UnsafeCell;
use core::marker::PhantomData;
use core::mem::MaybeUninit;

use takt_kernel::executive::{Executive, TaskState};
use takt_kernel::release::{ReleaseCounts, Releases};
use takt_kernel::response::{ResponseTimes, Responses};
use takt_kernel::time::Instant;
use takt_kernel::trace::Event;
use takt_kernel::{CAPACITY, PerTask, TaskId};
use takt_rpi4::context::Context;
use takt_rpi4::core_pointer::WithFrame;
use takt_rpi4::{core_pointer, cores};

use crate::exclusive::exclusively;
use crate::execution_time::{self, Accounts, OfTask};
use crate::gate::Gate;
use crate::home;
use crate::mailbox::Posted;
use crate::stack_use::StackUse;
use crate::table::OfCore;
use crate::table::timing::Claim;
use crate::time_base::{self, Settings};
use crate::{fault, irq, trace, turn};

/// What the interrupt path needs of a task only when it switches, and the rest.
pub(crate) struct ControlBlock {
    /// Where the registers rest while the task does not run.
    context: Context,
    /// When a periodic task is released, and what happened to its releases.
    pub(crate) releases: Releases,
    /// How long its jobs took.
    pub(crate) responses: Responses,
    /// The name of the mutex with inheritance for which the task waits, or waited last.
    pub(crate) awaited: Option<&'static str>,
}

impl ControlBlock {
    const EMPTY: Self =
        Self { context: Context::empty(), releases: Releases::NONE, responses: Responses::NONE, awaited: None };
}

/// The state of a core.
#[repr(C)]
pub(crate) struct CoreState {
    /// Who runs and who waits.
    pub(crate) executive: Executive,
    /// Where each task's registers rest: in its control block.
    contexts: PerTask<*const Context>,
    /// When the handler that released each task's current job took its stamp.
    pub(crate) handler_stamp: PerTask<Instant>,
    /// Which timer releases the tasks, and how it counts.
    pub(crate) time_base: Settings,
    /// Timer interrupts at which nobody was due.
    pub(crate) timer_without_release: u64,
    /// How many periodic tasks have not come to their first wait.
    pub(crate) on_their_way: usize,
    /// The core's part of the application's table.
    pub(crate) table: Option<OfCore>,
    /// Which tasks have waited for something else than a release. Not bits: their mask would be kept across the wait.
    pub(crate) waits_within: PerTask<bool>,
    /// Whether a task was given another priority.
    pub(crate) has_changed_priority: bool,
    /// The core's number, 0 to 3.
    pub(crate) id: usize,
    /// The control block of each task.
    blocks: *mut [ControlBlock; CAPACITY],
    /// Where the message of each task that waits with one is.
    pub(crate) slots: *mut PerTask<*mut ()>,
}

struct Shared<T>(UnsafeCell<T>);

// SAFETY: `get` says who may touch it.
unsafe impl<T> Sync for Shared<T> {}

/// What the core's pointer finds.
#[repr(C)]
struct Core {
    state: Shared<CoreState>,
    gate: Gate,
    next_event: trace::Next,
    accounts: Accounts,
    posted: Posted,
    held_off: Shared<Context>,
}

/// Core 0 as it is in the image.
static CORE_0: Shared<WithFrame<Core>> = Shared(UnsafeCell::new(WithFrame::new(Core {
    gate: Gate::new(),
    next_event: trace::Next::new(),
    accounts: Accounts::new(),
    posted: Posted::new(),
    state: Shared(UnsafeCell::new(CoreState {
        executive: Executive::empty(),
        contexts: PerTask::all(core::ptr::null()),
        handler_stamp: PerTask::all(Instant::from_half_ticks(0)),
        time_base: Settings::BEFORE_START,
        timer_without_release: 0,
        on_their_way: 0,
        table: None,
        waits_within: PerTask::all(false),
        has_changed_priority: false,
        id: 0,
        blocks: BLOCKS[0].0.get(),
        slots: SLOTS[0].0.get(),
    })),
    held_off: Shared(UnsafeCell::new(Context::empty())),
})));

/// The other cores: copies of core 0 as it is in the image, made by [`install`]. They take no room there.
static OTHER_CORES: [Shared<MaybeUninit<WithFrame<Core>>>; cores::CORES - 1] =
    [const { Shared(UnsafeCell::new(MaybeUninit::uninit())) }; cores::CORES - 1];

/// Apart from the rest, since it is all zeros until the start and so takes no room in the image.
static BLOCKS: [Shared<[ControlBlock; CAPACITY]>; cores::CORES] =
    [const { Shared(UnsafeCell::new([const { ControlBlock::EMPTY }; CAPACITY])) }; cores::CORES];

/// As above.
static SLOTS: [Shared<PerTask<*mut ()>>; cores::CORES] =
    [const { Shared(UnsafeCell::new(PerTask::all(core::ptr::null_mut()))) }; cores::CORES];

/// What [`install`] put at the core's pointer.
#[inline(always)]
fn this_core() -> &'static Core {
    // SAFETY: `install` or `enter` left a pointer to a static there, before anything else here is called on this core.
    unsafe { &*core_pointer::get().cast_const().cast() }
}

/// The gate between this core's tasks and its kernel handlers.
#[inline(always)]
pub(crate) fn gate() -> &'static Gate {
    &this_core().gate
}

/// The mailboxes of this core to which something was posted.
#[inline(always)]
pub(crate) fn posted() -> &'static Posted {
    &this_core().posted
}

/// Where this core's next event is recorded.
#[inline(always)]
pub(crate) fn next_event() -> &'static trace::Next {
    &this_core().next_event
}

/// Who had this core for how long.
#[inline(always)]
pub(crate) fn accounts() -> &'static Accounts {
    &this_core().accounts
}

/// The context that runs the handler of an interrupt that was held off.
#[inline(always)]
pub(crate) fn held_off_context() -> *const Context {
    this_core().held_off.0.get()
}

/// The core's state.
///
/// # Safety
/// - Called after [`install`], and in a kernel handler that found the gate open, or by a task behind the closed gate, or
///   with interrupts masked, or before the first task starts.
/// - The reference is gone before the gate opens, interrupts are unmasked or somebody else is switched to, and there is
///   one at a time.
#[inline(always)]
pub(crate) unsafe fn get() -> &'static mut CoreState {
    // SAFETY: the caller's.
    unsafe { &mut *this_core().state.0.get() }
}

/// As [`get`], behind a call.
///
/// # Safety
/// As for [`get`].
#[inline(always)]
pub(crate) unsafe fn get_again() -> &'static mut CoreState {
    // SAFETY: as in `this_core`.
    let core: &Core = unsafe { &*core_pointer::get_again().cast_const().cast() };
    // SAFETY: the caller's.
    unsafe { &mut *core.state.0.get() }
}

/// Makes the other cores' states, and lets [`get`] find that of core 0.
///
/// # Safety
/// Called once, at boot on core 0, before anything else here.
pub(crate) unsafe fn install() {
    let core_0 = CORE_0.0.get();
    let others = if home::others_run() { OTHER_CORES.as_slice() } else { &[] };
    for (other, id) in others.iter().zip(1..) {
        let place = other.0.get().cast::<WithFrame<Core>>();
        // SAFETY: both are statics that nobody uses yet, and core 0 is as it is in the image.
        unsafe { core::ptr::copy_nonoverlapping(core_0, place, 1) };
        // SAFETY: as above.
        unsafe { &mut (*place).state }.become_core(id);
    }
    // SAFETY: the caller's.
    unsafe { core_pointer::set(core_0) };
    // SAFETY: nobody uses the context yet.
    unsafe { &mut *this_core().held_off.0.get() }.prepare_held_off(0);
}

/// Lets [`get`] find the state of core `id`, 1 to 3, on that core.
///
/// # Safety
/// Called once on each of these cores, before anything else here, and after [`install`] on core 0.
pub(crate) unsafe fn enter(id: usize) {
    if let Some(other) = id.checked_sub(1).and_then(|index| OTHER_CORES.get(index)) {
        // SAFETY: the caller's.
        unsafe { core_pointer::set(other.0.get().cast::<WithFrame<Core>>()) };
    }
}

/// The state of core `id`, which has not entered it yet.
///
/// # Safety
/// Called on core 0, after [`install`] and before the core is let [go](cores::go); one reference at a time.
pub(crate) unsafe fn of_other(id: usize) -> Option<&'static mut CoreState> {
    let other = id.checked_sub(1).and_then(|index| OTHER_CORES.get(index))?;
    // SAFETY: `install` has made it, and the rest is the caller's.
    let core = unsafe { &mut *other.0.get().cast::<WithFrame<Core>>() };
    Some(core.state.state.0.get_mut())
}

impl Core {
    /// A copy of core 0 becomes another.
    fn become_core(&mut self, id: usize) {
        self.held_off.0.get_mut().prepare_held_off(id);
        self.next_event = trace::Next::of_core(id);
        let state = self.state.0.get_mut();
        state.id = id;
        if let (Some(blocks), Some(slots)) = (BLOCKS.get(id), SLOTS.get(id)) {
            (state.blocks, state.slots) = (blocks.0.get(), slots.0.get());
        }
    }
}

/// Looks at the core's state from a task, with interrupts masked for as long as `look` takes: a few instructions. What
/// takes longer is a kernel step (`turn.rs`).
pub(crate) fn masked<R>(look: impl FnOnce(&mut CoreState) -> R) -> R {
    // SAFETY: masked, and the reference lives as long as `look` runs.
    exclusively(|| look(unsafe { get() }))
}

impl CoreState {
    /// The control block of `task`; the idle task has the last.
    #[inline(always)]
    #[expect(clippy::indexing_slicing, reason = "a task's index is below the capacity")]
    pub(crate) fn control_block(&mut self, task: TaskId) -> &mut ControlBlock {
        // SAFETY: who holds the one reference to the core's state is the one user of its blocks, which are reached here
        // alone.
        let blocks = unsafe { &mut *self.blocks };
        &mut blocks[task.index()]
    }

    /// Where `task`'s registers rest; null before [`Self::set_context`].
    #[inline(always)]
    pub(crate) fn context(&self, task: TaskId) -> *const Context {
        self.contexts[task]
    }

    /// The name of the mutex with inheritance for which `task` waits.
    #[expect(clippy::indexing_slicing, reason = "as above")]
    pub(crate) fn awaited(&self, task: TaskId) -> &'static str {
        // SAFETY: as above; this is only read.
        let blocks = unsafe { &*self.blocks };
        blocks[task.index()].awaited.unwrap_or_default()
    }

    /// Lets `prepare` fill the context of `task`, which can be switched to afterwards.
    pub(crate) fn set_context(&mut self, task: TaskId, prepare: impl FnOnce(&mut Context)) {
        let context = &mut self.control_block(task).context;
        prepare(context);
        self.contexts[task] = context;
    }
}

/// How the running task waits: in kernel steps, with interrupts on.
impl CoreState {
    /// It waits until it is woken.
    #[inline(always)]
    pub(crate) fn block(&mut self) {
        self.check_waits();
        self.record_block();
        self.executive.block();
    }

    /// It waits until `at`; the timer is armed for that if it is the first deadline.
    #[inline(always)]
    pub(crate) fn wait_until(&mut self, at: Instant) {
        self.check_waits();
        self.record_block();
        if self.executive.wait_until(at) {
            time_base::arm(&self.time_base, at);
        }
    }

    /// The executive is to know by when the next job of `task` has to end.
    #[inline(always)]
    pub(crate) fn set_deadline(&mut self, task: TaskId) {
        let deadline = self.control_block(task).releases.deadline();
        self.executive.set_deadline(task, deadline);
    }

    /// Who holds a mutex must not wait.
    #[inline(always)]
    pub(crate) fn check_waits(&self) {
        if self.executive.holds_a_lock() {
            fault::wait_in_a_lock();
        }
    }

    #[inline(always)]
    pub(crate) fn record_block(&self) {
        // SAFETY: interrupts are on.
        unsafe { trace::record_unmasked(Event::Block { task: self.executive.running() }) };
    }
}

/// What is known of a task of this core. It stays on it.
#[derive(Clone, Copy, Debug)]
pub struct TaskReport {
    pub(crate) task: TaskId,
    /// Its name in the table.
    pub name: &'static str,
    /// Its priority at the moment, 1 to 254.
    pub priority: u8,
    /// What it does at the moment.
    pub state: TaskState,
    /// What happened to its releases; zeros for a background task.
    pub counts: ReleaseCounts,
    /// How long its jobs took, from due to their ends; `None` before one has ended, and for a background task.
    pub responses: Option<ResponseTimes>,
    /// How much of its stack it used.
    pub stack: StackUse,
    /// What the compiler found about its deadline.
    pub claim: Claim,
    /// How long it executed, see [`Self::execution`].
    pub(crate) execution: OfTask,
    /// On another core its number is another task's.
    not_send: PhantomData<*const ()>,
}

/// All tasks of this core by urgency. Called by tasks.
///
/// ```no_run
/// use core::fmt::Write;
/// use takt::console::Console;
///
/// fn print(console: &mut Console) -> core::fmt::Result {
///     for task in takt::task_reports() {
///         writeln!(console, "{}: {} jobs, {} late, {}", task.name, task.counts.count, task.counts.late, task.bound())?;
///     }
///     Ok(())
/// }
/// ```
pub fn task_reports() -> impl Iterator<Item = TaskReport> {
    (0..CAPACITY).map_while(|rank| report(TaskId::new(rank)?))
}

/// Begins the counts and the response times of all tasks of this core anew, and those of interrupts. A bound that was broken is
/// so no more. Called by tasks; each task takes one step of the executive.
///
/// RTEMS: `rtems_rate_monotonic_reset_all_statistics`.
pub fn reset_statistics() {
    for task in (0..CAPACITY).map_while(TaskId::new) {
        turn::step(|core| {
            let block = core.control_block(task);
            block.releases.reset_counts();
            block.responses.reset();
        });
    }
    irq::reset_counts();
}

/// What is known of `task`; `None` where the table has no such task. Called by tasks.
pub(crate) fn report(task: TaskId) -> Option<TaskReport> {
    // The table is constant: what it says is looked up with interrupts on.
    let table = masked(|core| core.table)?;
    let (name, stack) = (table.task(task)?.name, table.stack(task)?.memory().in_use());
    let priority = masked(|core| core.executive.priority(task)).number();
    let mut state = TaskState::Running;
    turn::step(|core| state = core.executive.state(task));
    let counts = turn::release_counts(task);
    let (responses, claim) = (turn::response_times(task), table.claim(task)?);
    let execution = execution_time::of(task);
    let not_send = PhantomData;
    Some(TaskReport { task, name, priority, state, counts, responses, stack, claim, execution, not_send })
}

impl CoreState {
    /// Name and present priority of `task`; `None` where the table has no such task.
    pub(crate) fn name_and_priority(&self, task: TaskId) -> Option<(&'static str, u8)> {
        Some((self.table?.task(task)?.name, self.executive.priority(task).number()))
    }
}
