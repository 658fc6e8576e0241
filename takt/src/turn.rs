// SPDX-License-Identifier: MIT OR Apache-2.0
//! How a task lets others run: the kernel decides, the board switches, once in and once out.

use takt_kernel::TaskId;
use takt_kernel::executive::{Before, Executive, LockRefused, Switch};
use takt_kernel::priority::Priority;
use takt_kernel::release::ReleaseCounts;
use takt_kernel::response::ResponseTimes;
use takt_kernel::time::Instant;
use takt_rpi4::context::switch_voluntarily;
use takt_rpi4::interrupts;

use crate::core_state::{self, CoreState};
use crate::{clock, execution_time, fault, trace};

/// A kernel step of the running task: `decide`, then let the most urgent task run. Returns when this one runs again,
/// with the instant at which it does.
#[inline(always)]
pub(crate) fn step(decide: impl FnOnce(&mut CoreState)) -> Instant {
    // SAFETY: ended below, and `decide` cannot keep the reference.
    let core = unsafe { begin_step() };
    decide(core);
    // SAFETY: begun above.
    unsafe { end_step(core) }
}

/// Begins a kernel step of the running task.
///
/// The gate keeps kernel handlers out until the step has ended; direct handlers come at once, except while the registers
/// change hands. A handler that was held off runs then, on the exception stack, and may choose anew.
///
/// # Safety
/// A task calls this, and goes on to [`end_step`], which it gives the reference back.
#[inline(always)]
pub(crate) unsafe fn begin_step() -> &'static mut CoreState {
    core_state::gate().close();
    // SAFETY: the gate is closed; the caller's step ends before it opens.
    unsafe { core_state::get() }
}

/// Ends a kernel step: lets the most urgent task run. Returns when this one runs again, with the instant at which it does.
///
/// # Safety
/// [`begin_step`] gave `core`.
#[inline(always)]
pub(crate) unsafe fn end_step(core: &mut CoreState) -> Instant {
    let from = core.executive.running();
    let chosen = core.executive.choose();
    let Some(switch) = chosen else {
        // SAFETY: the caller's.
        unsafe { end_step_and_go_on() };
        return clock::now();
    };
    let next = core.context(switch.to);
    interrupts::mask();
    // SAFETY: masked.
    unsafe { trace::record_switch(from, chosen) };
    if !core_state::gate().open() {
        // SAFETY: the kernel's state is whole, and the gate keeps others out until the handler has run.
        unsafe { interrupts::unmask() };
        // SAFETY: the caller's.
        unsafe { run_held_off() };
        return clock::now();
    }
    // SAFETY: masked.
    unsafe { execution_time::switch(switch.to) };
    // SAFETY:
    // - Interrupts are masked, and a task calls this.
    // - Every task's context was prepared before the first task ran, in a static.
    // - The kernel's state is whole.
    Instant::from_counter(unsafe { switch_voluntarily(next) })
}

/// Ends a kernel step behind which the running task goes on.
///
/// # Safety
/// [`begin_step`] began it.
#[inline(always)]
pub(crate) unsafe fn end_step_and_go_on() {
    interrupts::mask();
    if core_state::gate().open() {
        // SAFETY: the kernel's state is whole, and the vectors stand.
        unsafe { interrupts::unmask() };
    } else {
        // SAFETY: as in `end_step`.
        unsafe { interrupts::unmask() };
        // SAFETY: the caller's.
        unsafe { run_held_off() };
    }
}

/// An interrupt was held off: its handler runs, and says who goes on. Apart, so that the caller need not keep what a switch
/// changes; and masked anew, so that a direct handler does not wait while this saves what the caller keeps.
///
/// # Safety
/// A task calls this behind a kernel step that has found an interrupt held off, and the kernel's state is whole.
#[cold]
#[inline(never)]
unsafe fn run_held_off() {
    interrupts::mask();
    // SAFETY: as in `end_step`.
    unsafe { switch_voluntarily(core_state::held_off_context()) };
}

/// The running task holds the mutexes of this ceiling, or preemption, from now on.
#[inline(always)]
pub(crate) fn lock(ceiling: Priority) -> Result<Before, LockRefused> {
    if !interrupts::is_on_task_stack() {
        lock_in_a_handler(ceiling);
    }
    interrupts::mask();
    // SAFETY: masked; the reference is not used afterwards.
    let locked = unsafe { core_state::get() }.executive.lock(ceiling);
    // SAFETY: they were on, since a task calls this.
    unsafe { interrupts::unmask() };
    locked
}

#[cold]
fn lock_in_a_handler(ceiling: Priority) -> ! {
    if ceiling == Priority::ABOVE_ALL { fault::preemption_locked_in_a_handler() } else { fault::lock_in_a_handler() }
}

/// The running task releases what [`lock`] gave it, and lets run who waited behind the ceiling.
#[inline(always)]
pub(crate) fn unlock(ceiling: Priority, before: Before) {
    interrupts::mask();
    // SAFETY: masked; the reference is not used after the switch.
    let core = unsafe { core_state::get() };
    core.executive.unlock(ceiling, before);
    let from = core.executive.running();
    match core.executive.choose() {
        // SAFETY: they were on, since a task calls this.
        None => unsafe { interrupts::unmask() },
        // SAFETY: masked.
        Some(switch) => unsafe { switch_masked(from, switch) },
    }
}

/// Lets the chosen task run, in place of the running one. Apart, so that the caller need not keep what a switch changes.
///
/// # Safety
/// Interrupts are masked, a task calls this, and the kernel's state is whole.
#[cold]
#[inline(never)]
unsafe fn switch_masked(from: TaskId, switch: Switch) {
    // SAFETY: masked; the reference is not used after the switch.
    let next = unsafe { core_state::get() }.context(switch.to);
    // SAFETY: masked.
    unsafe { trace::record_switch(from, Some(switch)) };
    // SAFETY: masked.
    unsafe { execution_time::switch(switch.to) };
    // SAFETY: as in `step`.
    unsafe { switch_voluntarily(next) };
}

/// What happened to the releases of `task`. Called by tasks.
pub(crate) fn release_counts(task: TaskId) -> ReleaseCounts {
    let mut counts = ReleaseCounts::default();
    // More than is copied with interrupts masked.
    step(|core| counts = core.control_block(task).releases.counts());
    counts
}

/// How long the jobs of `task` took. Called by tasks.
pub(crate) fn response_times(task: TaskId) -> Option<ResponseTimes> {
    let mut times = None;
    step(|core| times = core.control_block(task).responses.times());
    times
}

/// As [`yield_turn`], where the task's level has a policy, or the task holds a mutex, which it must not. A step, since it may
/// take as long as there are equals.
///
/// # Safety
/// Interrupts are masked, a task calls this, and the kernel's state is whole.
#[cold]
#[inline(never)]
unsafe fn yield_by_policy() -> Instant {
    // SAFETY: the caller's.
    unsafe { interrupts::unmask() };
    step(|core| {
        core.check_waits();
        core.executive.yield_by_policy();
    })
}

/// Lets the next ready task of the same priority run, if there is one; in a level that runs the earliest deadline first, one
/// of the same deadline. Called by tasks. Returns when this one runs again, with the instant at which it does.
///
/// ```no_run
/// use takt::prelude::*;
///
/// fn crunch() -> ! {
///     loop {
///         one_block();
///         yield_turn();                                           // to another task of this priority, if one is ready
///     }
/// }
/// # fn one_block() {}
/// ```
#[inline(always)]
pub fn yield_turn() -> Instant {
    // Shorter than the gate's own instructions, so not behind it.
    interrupts::mask();
    // SAFETY: masked; the reference is not used after the switch.
    let core = unsafe { core_state::get() };
    if !core.executive.is_ordinary() {
        // SAFETY: masked, and the reference is not used any more.
        return unsafe { yield_by_policy() };
    }
    let from = core.executive.running();
    let Some(switch) = Executive::yield_turn(&mut core.executive) else {
        // SAFETY: nothing has changed.
        unsafe { interrupts::unmask() };
        return clock::now();
    };
    let next = core.context(switch.to);
    // SAFETY: masked.
    unsafe { trace::record_switch(from, Some(switch)) };
    // SAFETY: masked.
    unsafe { execution_time::switch(switch.to) };
    // SAFETY: as in `step`.
    Instant::from_counter(unsafe { switch_voluntarily(next) })
}
