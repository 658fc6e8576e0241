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

use takt_kernel::time::Instant;
use takt_rpi4::context::Context;
use takt_rpi4::drivers::gic400::Acknowledged;
use takt_rpi4::drivers::system_timer::Channel;
use takt_rpi4::{devices, interrupts, map};

use crate::core_state::{self, CoreState};
use crate::start::handlers;
use crate::time_base::{Armed, arm_generic_timer, arm_system_timer, settings};
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

impl InterruptCounts {
    pub(crate) const NONE: Self = Self { timer_without_release: 0, spurious: 0 };
}

/// An interrupt came. Called by the vector, and by the idle task when one is pending.
#[unsafe(link_section = ".text.hot.irq")]
extern "C" fn irq() -> *const Context {
    let stamp = clock::now();
    let token = devices::cpu_interface().acknowledge();
    if token.intid() == map::SYSTEM_TIMER_1_INTID { system_timer(stamp, token) } else { other(stamp, token) }
}

/// The system timer matched.
#[inline(always)]
fn system_timer(stamp: Instant, token: Acknowledged) -> *const Context {
    // The match is cleared before a new compare value is written: one that came between would be lost.
    devices::system_timer().acknowledge(Channel::One);
    release_due(stamp, token, arm_system_timer)
}

/// Releases who is due, arms the next deadline, ends the interrupt and chooses who runs.
#[inline(always)]
fn release_due(stamp: Instant, token: Acknowledged, arm: impl Fn(Instant, Instant) -> Armed) -> *const Context {
    // SAFETY: a kernel handler runs, and no other does; see above.
    let core = unsafe { core_state::get() };
    // SAFETY: only direct handlers can come, and they touch nothing of the kernel.
    unsafe { interrupts::unmask() };
    let mut now = stamp;
    loop {
        release_one(core, now);
        if arm(core.executive.first_deadline().at, now) == Armed::Ahead {
            break;
        }
        // The next deadline has passed meanwhile: another step, with the same window for direct handlers.
        now = clock::now();
    }
    interrupts::mask();
    end_and_choose(core, token)
}

/// One kernel step: the task of the first deadline, if that has come.
#[inline(always)]
fn release_one(core: &mut CoreState, now: Instant) {
    let due = core.executive.first_deadline().at;
    if now.after(settings().slack_half_ticks).is_before(due) {
        core.counts.timer_without_release = core.counts.timer_without_release.wrapping_add(1);
        return;
    }
    let task = core.executive.release_first();
    core.block(task).handler_stamp = now;
}

/// Ends the interrupt and says whom to resume. Interrupts are masked.
#[inline(always)]
fn end_and_choose(core: &mut CoreState, token: Acknowledged) -> *const Context {
    let switch = core.executive.choose();
    interrupts::device_stores_before_end_of_interrupt(); // (b)
    devices::cpu_interface().end(token);
    match switch {
        Some(switch) => core.context(switch.to),
        None => GO_ON,
    }
}

/// Any interrupt but the system timer's.
#[cold]
#[inline(never)]
fn other(stamp: Instant, token: Acknowledged) -> *const Context {
    if token.intid() == map::GENERIC_TIMER_INTID {
        return release_due(stamp, token, |due, _| arm_generic_timer(due));
    }
    if !token.is_interrupt() {
        // SAFETY: interrupts are masked. A nested one cannot get here while a kernel handler uses the state: what made
        // it pending is a direct interrupt, and that is still pending.
        let core = unsafe { core_state::get() };
        core.counts.spurious = core.counts.spurious.wrapping_add(1);
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
