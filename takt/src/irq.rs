// SPDX-License-Identifier: MIT OR Apache-2.0
//! The interrupt path, top to bottom as it happens.
//!
//! The vector has saved the volatile registers into the task's control block and moved to the exception stack; an
//! interrupted idle task saved nothing. The first statement is the stamp. What follows for the timer: acknowledge,
//! clear the match, let the kernel release the task that is due, arm the next deadline, end the interrupt, and tell the
//! vector whom to resume.
//!
//! Who may run concurrently: after the acknowledge, interrupts are unmasked for direct handlers, whose priority is the
//! more urgent; the GIC's running priority keeps all kernel interrupts out until the end of interrupt, before which they
//! are masked again until the return. So the core's state has one user at any time.

use core::sync::atomic::{AtomicU64, Ordering};

use takt_kernel::time::Instant;
use takt_rpi4::context::Context;
use takt_rpi4::drivers::gic400::Acknowledged;
use takt_rpi4::{devices, interrupts, map};

use crate::core_state::{self, CoreState};
use crate::start::handlers;
use crate::time_base::{GenericTimer, SystemTimer, Timer};
use crate::{clock, fault};

takt_rpi4::vectors!(irq: irq, fault: fault::exception);

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
pub fn interrupt_counts() -> InterruptCounts {
    InterruptCounts {
        timer_without_release: core_state::masked(|core| core.timer_without_release),
        spurious: SPURIOUS.load(Ordering::Relaxed),
    }
}

/// An interrupt came. Called by the vector, and by the idle task when one is pending.
#[unsafe(link_section = ".text.hot.irq")]
extern "C" fn irq() -> *const Context {
    let stamp = clock::now();
    let token = devices::cpu_interface().acknowledge();
    if token.intid() == map::SYSTEM_TIMER_1_INTID { timer::<SystemTimer>(stamp, token) } else { other(stamp, token) }
}

/// A timer interrupt came: releases who is due, arms the next deadline, ends the interrupt and chooses who runs.
///
/// This is the shortest way through, for one release with the next deadline well ahead. What else may be found leaves it
/// by a tail call, so that it needs no registers that would have to be saved first.
#[inline(always)]
fn timer<T: Timer>(stamp: Instant, token: Acknowledged) -> *const Context {
    // The match is cleared before a new compare value is written: one that came between would be lost.
    T::withdraw();
    // SAFETY: a kernel handler runs, and no other does; see above.
    let core = unsafe { core_state::get() };
    // SAFETY: only direct handlers can come, and they touch nothing of the kernel.
    unsafe { interrupts::unmask() };
    if !is_due(core, stamp) {
        return nobody_is_due::<T>(stamp, token);
    }
    if !core.executive.is_settled() {
        return long_way::<T>(stamp, token);
    }
    release(core, stamp);
    // Looked at before the timer is armed: a compare value of this very microsecond would match once more.
    if is_due(core, stamp) || T::arm(&core.time_base, core.executive.first_deadline().at) {
        return long_way::<T>(stamp, token);
    }
    interrupts::mask();
    end_and_choose(core, token)
}

/// There is more to it than one release: another task is due as well, or the next deadline is near, or a release has to
/// replay the delay queue, or nobody is due. One release a step, with direct handlers let in throughout.
#[cold]
#[inline(never)]
fn long_way<T: Timer>(stamp: Instant, token: Acknowledged) -> *const Context {
    // SAFETY: a kernel handler still runs.
    let core = unsafe { core_state::get() };
    let mut now = stamp;
    loop {
        while is_due(core, now) {
            release(core, now);
        }
        let first = core.executive.first_deadline().at;
        let is_near = T::arm(&core.time_base, first);
        if !is_near || !T::has_passed(&core.time_base, first) {
            break;
        }
        // The deadline passed while the timer was armed for it, which may have missed it.
        now = clock::now();
    }
    interrupts::mask();
    end_and_choose(core, token)
}

/// Nobody is due: an intermediate wake-up, or an interrupt that came after its deadline had been found passed already.
#[cold]
#[inline(never)]
fn nobody_is_due<T: Timer>(stamp: Instant, token: Acknowledged) -> *const Context {
    // SAFETY: a kernel handler still runs.
    let core = unsafe { core_state::get() };
    core.timer_without_release = core.timer_without_release.wrapping_add(1);
    long_way::<T>(stamp, token)
}

/// Whether the first deadline has come.
#[inline(always)]
fn is_due(core: &CoreState, now: Instant) -> bool {
    !now.after(core.time_base.slack_half_ticks).is_before(core.executive.first_deadline().at)
}

/// One kernel step: the task of the first deadline becomes ready.
#[inline(always)]
fn release(core: &mut CoreState, now: Instant) {
    let task = core.executive.release_first();
    core.handler_stamp[task] = now;
}

/// Ends the interrupt and says whom to resume. Interrupts are masked.
#[inline(always)]
fn end_and_choose(core: &mut CoreState, token: Acknowledged) -> *const Context {
    interrupts::device_stores_before_end_of_interrupt(); // (b)
    devices::cpu_interface().end(token);
    match core.executive.choose() {
        Some(switch) => core.context(switch.to),
        None => GO_ON,
    }
}

/// Any interrupt but the system timer's.
#[cold]
#[inline(never)]
fn other(stamp: Instant, token: Acknowledged) -> *const Context {
    if token.intid() == map::GENERIC_TIMER_INTID {
        return timer::<GenericTimer>(stamp, token);
    }
    if !token.is_interrupt() {
        // Not in the core's state: a nested interrupt may find nothing pending while a kernel handler uses that.
        SPURIOUS.fetch_add(1, Ordering::Relaxed);
        return GO_ON;
    }
    match handlers::find(token.intid().number()) {
        Some(handler) if handler.is_direct => {
            (handler.run)();
            interrupts::device_stores_before_end_of_interrupt(); // (b)
            devices::cpu_interface().end(token);
            GO_ON
        }
        Some(handler) => {
            // SAFETY: only direct handlers can come, and they touch nothing of the kernel.
            unsafe { interrupts::unmask() };
            (handler.run)();
            interrupts::mask();
            // SAFETY: the kernel handler has ended, and no other runs.
            end_and_choose(unsafe { core_state::get() }, token)
        }
        None => fault::unknown_interrupt(token.intid().number()),
    }
}
