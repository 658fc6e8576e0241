// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the boot line chose for core 0 may be chosen anew: the timer that releases its tasks, and how it idles. The facts go on
//! saying what was chosen at boot.

use core::fmt;

use takt_kernel::TaskId;
use takt_kernel::time_base::Phase;
use takt_rpi4::context::IdleStyle;
use takt_rpi4::drivers::system_timer::Channel;
use takt_rpi4::{devices, generic_timer, map};

use super::{TimeBaseReason, facts};
use crate::core_state::{CoreState, masked};
use crate::time_base::{self, Settings, TimeBase};

/// The system timer's interrupt was not tried at boot, or did not come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoSystemTimer;

impl fmt::Display for NoSystemTimer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "the system timer's interrupt did not come at boot, or was not tried; boot without timebase=generic, and in QEMU by \
             takt run",
        )
    }
}

impl core::error::Error for NoSystemTimer {}

/// Has core 0 idle in this way from now on. Called by a task of core 0.
pub fn set_idle(style: IdleStyle) {
    // The idle task keeps nothing between its turns, and has none now.
    masked(|core| core.set_context(TaskId::IDLE, |context| context.prepare_idle(0, style)));
}

/// Has this timer release the tasks of core 0 from now on; what is programmed comes by it. Called by a task of core 0.
///
/// # Errors
/// [`NoSystemTimer`], and nothing happens.
pub fn set_time_base(base: TimeBase) -> Result<(), NoSystemTimer> {
    let facts = facts().ok_or(NoSystemTimer)?;
    let phase = facts.phase.ok_or(NoSystemTimer);
    let phase = match base {
        TimeBase::SystemTimer if facts.time_base_reason != TimeBaseReason::InterruptCame => return Err(NoSystemTimer),
        TimeBase::SystemTimer => phase?,
        TimeBase::GenericTimer => phase.unwrap_or(Phase { instant: crate::clock::now(), half_width_half_ticks: 0 }),
    };
    masked(|core| {
        if core.time_base.base != base {
            change(core, base, phase);
        }
    });
    Ok(())
}

/// Interrupts are masked.
fn change(core: &mut CoreState, base: TimeBase, phase: Phase) {
    silence(core.time_base.base);
    core.time_base = Settings::new(base, core.time_base.rate, phase);
    // A match of the time in between is none of a deadline.
    devices::system_timer().acknowledge(Channel::One);
    time_base::enable(base);
    time_base::arm(&core.time_base, core.executive.first_deadline().at);
}

/// The interrupt of `base` comes no more, and one that is on its way is withdrawn.
fn silence(base: TimeBase) {
    let distributor = devices::distributor();
    let intid = match base {
        TimeBase::SystemTimer => map::SYSTEM_TIMER_1_INTID,
        TimeBase::GenericTimer => {
            generic_timer::disable();
            map::GENERIC_TIMER_INTID
        }
    };
    // The lines are there: the boot has enabled them.
    let _ = distributor.disable(intid).and_then(|()| distributor.clear_pending(intid));
}
