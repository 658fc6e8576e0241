// SPDX-License-Identifier: MIT OR Apache-2.0
//! The start of the cores 1 to 3: core 0 releases them and prepares what they need; each then sets up what is its own, and
//! runs its first task.

use takt_rpi4::context::IdleStyle;
use takt_rpi4::cores::{self, OtherCores};
use takt_rpi4::drivers::gic400::PriorityMask;
use takt_rpi4::{counter, devices, end, interrupts, vectors};

use super::{handlers, prepare_tasks, run_first};
use crate::core_state;
use crate::fault::{self, isolated};
use crate::home;
use crate::remote::inbox;
use crate::table::{OfCore, Table};
use crate::time_base::{Settings, TimeBase};

/// Releases the other cores, those with tasks to wait for the end of the boot. Once, on core 0, while page 0 is mapped.
pub(super) fn release(table: &'static Table) -> OtherCores {
    let has_tasks = core::array::from_fn(|core| OfCore::new(table, core).order().tasks > 0);
    // SAFETY: as above.
    let others = unsafe { cores::release_others(has_tasks) };
    if home::others_run()
        && let Some(core) = others.missing().next()
    {
        let name = OfCore::new(table, core).first_name();
        fault::cannot_start(format_args!(
            "core {core} did not answer within a second, and the table places task '{name}' on it; place its tasks on cores that \
             are there, or start QEMU with all four"
        ))
    }
    others
}

/// Prepares what the other cores need before they go on. Core 0 knows how the counter counts; the others are released by
/// their generic timers.
pub(super) fn prepare(others: &OtherCores, table: &'static Table, of_core_0: Settings, idle: IdleStyle) {
    if !home::others_run() {
        return;
    }
    for id in others.running() {
        // SAFETY: on core 0, and they wait for it.
        let Some(core) = (unsafe { core_state::of_other(id) }) else { continue };
        core.time_base = of_core_0.with_generic_timer();
        prepare_tasks(core, OfCore::new(table, id), idle);
    }
}

/// What core `id`, 1 to 3, does, with MMU and caches on, interrupts masked, on its exception stack. Called by the boot code.
#[doc(hidden)]
pub extern "C" fn run(id: usize) -> ! {
    if !home::others_run() {
        end::stop();
    }
    // Before that its state is core 0's.
    cores::await_go();
    // SAFETY: once, at the start of this core.
    unsafe { core_state::enter(id) };
    vectors::install();
    counter::enable_cycle_counter();
    devices::distributor().reset_banked();
    devices::cpu_interface().enable(PriorityMask::ALL);
    interrupts::controller_is_configured(); // (d)
    handlers::let_own_through();
    // What was sent before has raised its interrupt, which the reset has withdrawn.
    inbox::look();
    isolated::stop_if_halted();
    // SAFETY: before the first task; nobody else holds the state.
    run_first(unsafe { core_state::get() }, TimeBase::GenericTimer)
}
