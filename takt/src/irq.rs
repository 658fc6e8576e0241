// SPDX-License-Identifier: MIT OR Apache-2.0
//! The interrupt path, top to bottom as it happens.
//!
//! The vector has saved the volatile registers into the task's control block and moved to the exception stack; an
//! interrupted idle task saved nothing. The first statement is the stamp. What follows for the timer: acknowledge,
//! clear the match, let the kernel release the task that is due, arm the next deadline, choose who runs, end the
//! interrupt, and tell the vector whom to resume.
//!
//! Who may run concurrently: after the acknowledge, interrupts are unmasked for direct handlers, whose priority is the
//! more urgent; the GIC's running priority keeps all kernel interrupts out until the end of interrupt, before which they
//! are masked again until the return. A kernel interrupt that comes while a task is in a kernel step is held off until
//! that has ended. So the core's state has one user at any time.

use core::sync::atomic::{AtomicU64, Ordering};

use takt_kernel::TaskId;
use takt_kernel::executive::ByPolicy;
use takt_kernel::time::Instant;
use takt_kernel::trace::Event;
use takt_rpi4::context::Context;
use takt_rpi4::drivers::gic400::Acknowledged;
use takt_rpi4::{devices, interrupts, map};

use crate::core_state::{self, CoreState};
use crate::gate::HeldOff;
use crate::start::handlers;
use crate::time_base::{GenericTimer, SystemTimer, Timer};
use crate::{clock, execution_time, fault, trace, watches};

takt_rpi4::vectors!(irq: irq, held_off: held_off, fault: fault::exception);

/// Nobody to switch to.
const GO_ON: *const Context = core::ptr::null();

/// How many interrupts came, by what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InterruptCounts {
    /// Timer interrupts at which no task was due: intermediate wake-ups and those that came after their deadline had been
    /// treated as passed.
    pub timer_without_release: u64,
    /// Acknowledgements that found nothing pending any more (INTID 1023).
    pub spurious: u64,
}

static SPURIOUS: AtomicU64 = AtomicU64::new(0);

/// What interrupts came since the start. Called by tasks.
///
/// ```no_run
/// use core::fmt::Write;
/// use takt::console::Console;
///
/// fn tell(console: &mut Console) -> core::fmt::Result {
///     let counts = takt::interrupt_counts();
///     writeln!(console, "{} spurious interrupts", counts.spurious)
/// }
/// ```
pub fn interrupt_counts() -> InterruptCounts {
    InterruptCounts {
        timer_without_release: core_state::masked(|core| core.timer_without_release),
        spurious: SPURIOUS.load(Ordering::Relaxed),
    }
}

/// Counts from 0 again.
pub(crate) fn reset_counts() {
    core_state::masked(|core| core.timer_without_release = 0);
    SPURIOUS.store(0, Ordering::Relaxed);
}

/// An interrupt came. Called by the vector, and by the idle task when one is pending.
#[unsafe(link_section = ".text.hot.irq")]
extern "C" fn irq() -> *const Context {
    let stamp = clock::now();
    let token = devices::cpu_interface().acknowledge();
    // SAFETY: masked.
    unsafe { execution_time::begin_handler(stamp) };
    record_entry(stamp, &token);
    if token.intid() != map::SYSTEM_TIMER_1_INTID {
        return other(stamp, token);
    }
    if core_state::gate().is_closed() {
        return hold_off(stamp, token);
    }
    timer::<SystemTimer>(stamp, token)
}

/// A timer interrupt came: releases who is due, arms the next deadline, chooses who runs and ends the interrupt.
///
/// This is the shortest way through, with the next deadline well ahead. What else may be found leaves it by a tail call,
/// so that it needs no registers that would have to be saved first.
#[inline(always)]
fn timer<T: Timer>(stamp: Instant, token: Acknowledged) -> *const Context {
    // The match is cleared before a new compare value is written: one that came between would be lost.
    T::withdraw();
    // SAFETY: a kernel handler runs, which found the gate open, and no other does; see above.
    let core = unsafe { core_state::get() };
    // SAFETY: only direct handlers can come, and they touch nothing of the kernel.
    unsafe { interrupts::unmask() };
    if !is_due(core, stamp) {
        return nobody_is_due::<T>(token);
    }
    if let Err(by_policy) = release(core, stamp) {
        return release_by_policy::<T>(stamp, token, by_policy);
    }
    // Looked at before the timer is armed: a compare value of this very microsecond would match once more.
    if is_due(core, stamp) {
        return release_others::<T>(stamp, token);
    }
    arm_choose_and_end::<T>(core, token)
}

/// The policy of a level decides about the place of the task that is due, or it is no task that is.
#[cold]
#[inline(never)]
fn release_by_policy<T: Timer>(stamp: Instant, token: Acknowledged, by_policy: ByPolicy) -> *const Context {
    // SAFETY: a kernel handler still runs.
    let core = unsafe { core_state::get() };
    if let Some(watch) = watches::of(by_policy) {
        watches::look(core, watch, stamp);
    } else {
        let task = core.executive.release_by_policy(by_policy);
        note_release(core, task, stamp);
    }
    release_others::<T>(stamp, token)
}

/// More than one task may be due.
#[cold]
#[inline(never)]
fn release_others<T: Timer>(stamp: Instant, token: Acknowledged) -> *const Context {
    // SAFETY: a kernel handler still runs.
    let core = unsafe { core_state::get() };
    if let Err(by_policy) = release_all_due(core, stamp) {
        return release_by_policy::<T>(stamp, token, by_policy);
    }
    arm_choose_and_end::<T>(core, token)
}

/// Arms the timer for the next deadline, says whom to resume, and ends the interrupt.
#[inline(always)]
fn arm_choose_and_end<T: Timer>(core: &mut CoreState, token: Acknowledged) -> *const Context {
    if T::arm(&core.time_base, core.executive.first_deadline().at) {
        return once_more::<T>(token);
    }
    choose_and_end(core, token)
}

/// The next deadline is near, and may have passed while the timer was armed for it, which may have missed it.
#[cold]
#[inline(never)]
fn once_more<T: Timer>(token: Acknowledged) -> *const Context {
    // SAFETY: a kernel handler still runs.
    let core = unsafe { core_state::get() };
    loop {
        let first = core.executive.first_deadline().at;
        if !T::has_passed(&core.time_base, first) {
            break;
        }
        let now = clock::now();
        if let Err(by_policy) = release_all_due(core, now) {
            return release_by_policy::<T>(now, token, by_policy);
        }
        if !T::arm(&core.time_base, core.executive.first_deadline().at) {
            break;
        }
    }
    choose_and_end(core, token)
}

/// Nobody is due: an intermediate wake-up, or an interrupt that came after its deadline had been found passed already.
#[cold]
#[inline(never)]
fn nobody_is_due<T: Timer>(token: Acknowledged) -> *const Context {
    // SAFETY: a kernel handler still runs.
    let core = unsafe { core_state::get() };
    core.timer_without_release = core.timer_without_release.wrapping_add(1);
    arm_choose_and_end::<T>(core, token)
}

/// Whether the first deadline has come.
#[inline(always)]
fn is_due(core: &CoreState, now: Instant) -> bool {
    !now.after(core.time_base.slack_half_ticks).is_before(core.executive.first_deadline().at)
}

/// A kernel step for each task that is due, until a level's policy decides about the place of one.
#[inline(always)]
fn release_all_due(core: &mut CoreState, now: Instant) -> Result<(), ByPolicy> {
    while is_due(core, now) {
        release(core, now)?;
    }
    Ok(())
}

/// One kernel step: the task of the first deadline becomes ready, unless its level's policy decides about its place.
#[inline(always)]
fn release(core: &mut CoreState, now: Instant) -> Result<(), ByPolicy> {
    let task = core.executive.release_first()?;
    note_release(core, task, now);
    Ok(())
}

/// What its handler's stamp is, where the task becomes ready.
#[inline(always)]
fn note_release(core: &mut CoreState, task: TaskId, now: Instant) {
    core.handler_stamp[task] = now;
    // SAFETY: direct handlers are let in meanwhile.
    unsafe { trace::record_unmasked(Event::Release { task }) };
}

/// Says whom to resume, and ends the interrupt. Interrupts are masked afterwards.
#[inline(always)]
fn choose_and_end(core: &mut CoreState, token: Acknowledged) -> *const Context {
    let from = core.executive.running();
    let chosen = core.executive.choose();
    let next = chosen.map_or(GO_ON, |switch| core.context(switch.to));
    interrupts::device_stores_before_end_of_interrupt(); // (b)
    interrupts::mask();
    record_exit(&token);
    // SAFETY: masked.
    unsafe { trace::record_switch(from, chosen) };
    // SAFETY: masked.
    unsafe { execution_time::end_kernel_handler(core.executive.running()) };
    devices::cpu_interface().end(token);
    next
}

/// For the event ring: the interrupt that was acknowledged came at `stamp`. Interrupts are masked.
#[inline(always)]
fn record_entry(stamp: Instant, token: &Acknowledged) {
    if trace::IS_ON && token.is_interrupt() {
        // SAFETY: masked.
        unsafe { trace::record_at(stamp, Event::InterruptEntry { intid: token.intid().number() }) };
    }
}

/// For the event ring: the interrupt is about to end. Interrupts are masked.
#[inline(always)]
fn record_exit(token: &Acknowledged) {
    // SAFETY: masked.
    unsafe { trace::record(Event::InterruptExit { intid: token.intid().number() }) };
}

/// Any interrupt but the system timer's.
#[cold]
#[inline(never)]
fn other(stamp: Instant, token: Acknowledged) -> *const Context {
    let place = handlers::of(token.intid());
    if let Some(run) = place.direct {
        return direct_handler(run, token);
    }
    match place.kernel {
        None => without_handler(stamp, token),
        Some(_) if core_state::gate().is_closed() => hold_off(stamp, token),
        Some(run) => kernel_handler(run, token),
    }
}

/// Runs a direct handler, masked.
#[inline(always)]
fn direct_handler(run: fn(), token: Acknowledged) -> *const Context {
    run();
    record_exit(&token);
    interrupts::device_stores_before_end_of_interrupt(); // (b)
    // SAFETY: masked.
    unsafe { execution_time::end_handler() };
    devices::cpu_interface().end(token);
    GO_ON
}

/// Runs a kernel handler, which may make tasks ready, and chooses who runs.
#[inline(always)]
fn kernel_handler(run: fn(), token: Acknowledged) -> *const Context {
    // SAFETY: only direct handlers can come, and they touch nothing of the kernel.
    unsafe { interrupts::unmask() };
    run();
    // SAFETY: the kernel handler has ended, and no other runs before the end of interrupt.
    choose_and_end(unsafe { core_state::get_again() }, token)
}

/// The generic timer, as a time base; nothing that is pending any more; or an interrupt that the table does not know.
#[cold]
#[inline(never)]
fn without_handler(stamp: Instant, token: Acknowledged) -> *const Context {
    if !token.is_interrupt() {
        // Not in the core's state: a nested interrupt may find nothing pending while a kernel handler uses that.
        SPURIOUS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: masked.
        unsafe { execution_time::end_handler() };
        return GO_ON;
    }
    if core_state::gate().is_closed() { hold_off(stamp, token) } else { any_kernel_interrupt(stamp, token) }
}

/// Any kernel interrupt, a timer's among them: one that was held off, or the generic timer's.
#[inline(never)]
fn any_kernel_interrupt(stamp: Instant, token: Acknowledged) -> *const Context {
    match token.intid() {
        map::SYSTEM_TIMER_1_INTID => timer::<SystemTimer>(stamp, token),
        map::GENERIC_TIMER_INTID => timer::<GenericTimer>(stamp, token),
        intid => match handlers::of(intid).kernel {
            Some(run) => kernel_handler(run, token),
            None => fault::unknown_interrupt(intid.number()),
        },
    }
}

/// A kernel interrupt came while the interrupted task is in a kernel step.
#[cold]
#[inline(never)]
fn hold_off(stamp: Instant, token: Acknowledged) -> *const Context {
    // A window for direct handlers between the way here and the way back.
    // SAFETY: only direct handlers can come, and they touch nothing of the kernel.
    unsafe { interrupts::unmask() };
    core_state::gate().hold_off(stamp, token);
    interrupts::mask();
    // SAFETY: masked.
    unsafe { execution_time::end_handler() };
    GO_ON
}

/// The kernel step has ended during which an interrupt was held off. Called on the exception stack, with interrupts
/// masked, as if the interrupt had come only now; who was chosen meanwhile has not been resumed.
extern "C" fn held_off() -> *const Context {
    // SAFETY: masked.
    unsafe { execution_time::begin_handler_now() };
    let HeldOff { stamp, token } = core_state::gate().open_to_held_off();
    let next = any_kernel_interrupt(stamp, token);
    if next != GO_ON {
        return next;
    }
    // SAFETY: masked, the gate is open, and the handler has ended.
    let core = unsafe { core_state::get() };
    core.context(core.executive.running())
}
