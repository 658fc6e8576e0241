// SPDX-License-Identifier: MIT OR Apache-2.0
//! The start, once: from the boot code's jump to the first task.

pub(crate) mod handlers;
mod other_cores;
pub(crate) mod probe;

#[doc(hidden)]
pub use other_cores::run as run_other_core;

use takt_kernel::TaskId;
use takt_kernel::boot_words::BootWords;
use takt_kernel::priority::Priority;
use takt_kernel::schedulability::Policy;
use takt_kernel::table::Kind;
use takt_kernel::time::Rate;
use takt_kernel::time_base::Phase;
use takt_kernel::trace::Event;
use takt_rpi4::boot::Handover;
use takt_rpi4::context::{self, IdleStyle};
use takt_rpi4::drivers::gic400::PriorityMask;
use takt_rpi4::{cores, counter, devices, end, interrupts, layout, mailbox, map, mmu, vectors};

use crate::board::{self, Facts, Platform, TimeBase, TimeBaseReason};
use crate::core_state::{self, CoreState};
use crate::periodic::{Periodic, Slot};
use crate::remote::inbox;
use crate::sporadic::SporadicTask;
use crate::table::{OfCore, Run, Table};
use crate::time_base::{self, Settings};
use crate::{budget, clock, console, execution_time, fault, home, stack_use, time_zero, trace, watches};

/// The PL011's clock that config.txt asks for, where the firmware does not tell: 48 MHz.
const USUAL_UART_HZ: u32 = 48_000_000;

/// Starts the system. Called by the entry that [`tasks!`](crate::tasks!) makes, on core 0 with interrupts masked.
#[doc(hidden)]
pub fn start(table: &'static Table, handover: Handover) -> ! {
    // SAFETY: once, at boot.
    unsafe { core_state::install() };
    vectors::install();
    counter::enable_cycle_counter();
    // Before anybody can write into the same word.
    let last_reset = devices::power_management().reset_cause();
    // Where this is comes first, since it decides how an end looks. Until the console stands, a fault speaks through the
    // PL011 as the firmware left it.
    let counter_hz = counter::frequency_hz();
    let priority_bits = set_up_interrupt_controller();
    let platform = Platform::from_signs(counter_hz, priority_bits);
    end::set_in_emulator(platform == Platform::Qemu);
    let machine = mailbox::machine();
    let uart_hz = machine.ok().and_then(|machine| machine.uart_hz).unwrap_or(USUAL_UART_HZ);
    if let Err(error) = console::enable(uart_hz) {
        fault::cannot_start(format_args!("{error}"))
    }
    let rate = match Rate::from_counter_hz(counter_hz) {
        Ok(rate) => rate,
        Err(error) => fault::cannot_start(format_args!("{error}")),
    };
    // SAFETY: once, at boot; nobody has read it.
    if let Err(error) = unsafe { board::read_command_line() } {
        fault::cannot_start(format_args!("the boot command line could not be read: {error}"))
    }
    let other_cores = other_cores::release(table);
    // A higher clock, asked for after the console stands, since the call may take long. The answer does not matter: the
    // facts name the clock that is measured afterwards.
    let _ = mailbox::set_arm_clock_to_maximum();
    let machine = mailbox::machine();
    let (time_base, time_base_reason, phase) = choose_time_base(rate);
    let idle = if has_word("idle", "spin") { IdleStyle::Spin } else { IdleStyle::WaitForInterrupt };
    let facts = Facts {
        platform,
        counter_hz,
        priority_bits,
        exception_level: handover.exception_level,
        boot_data: handover.boot_data(),
        other_cores,
        machine,
        uart_hz,
        time_base,
        time_base_reason,
        phase,
        idle,
        icount_shift: if platform == Platform::Qemu { board::icount::shift() } else { None },
        last_reset,
    };
    // SAFETY: once, at boot.
    unsafe { board::set_facts(facts) };
    // SAFETY: before the first task; nobody else holds the state.
    let core = unsafe { core_state::get() };
    prepare_tasks(core, OfCore::new(table, 0), idle);
    // SAFETY: once, at boot.
    if home::others_run() && !unsafe { inbox::install(table.ports()) } {
        fault::cannot_start(format_args!(
            "two lines of the table are one Remote, or the same Lanes; take one of them out"
        ))
    }
    other_cores::prepare(&other_cores, table, core.time_base, idle);
    handlers::install(table);
    // Behind everything that the others use.
    cores::go();
    run_first(core, time_base)
}

/// Lets this core's timer through and its most urgent task run. Everything is prepared.
fn run_first(core: &mut CoreState, time_base: TimeBase) -> ! {
    time_base::enable(time_base);
    watches::begin(core);
    // A core without tasks is idle.
    let first = core.executive.choose().map_or(TaskId::IDLE, |switch| switch.to);
    // SAFETY: masked.
    unsafe { execution_time::begin(first) };
    // SAFETY: interrupts are masked, the boot runs on SP_EL1, and every context was prepared.
    unsafe { context::start_first(core.context(first)) }
}

/// Whether the boot line has the word `key=value`.
fn has_word(key: &str, value: &str) -> bool {
    BootWords::new(board::command_line()).any(|word| word.is(key, value))
}

/// Brings the interrupt controller to a known state, but for the other cores' part, and finds out how many priority bits it has.
fn set_up_interrupt_controller() -> u32 {
    let mut distributor = devices::distributor();
    distributor.reset_shared();
    distributor.reset_banked();
    let priority_bits = match distributor.priority_bits(map::UNUSED_INTID) {
        Ok(bits) => bits,
        Err(error) => fault::cannot_start(format_args!("{error}")),
    };
    devices::cpu_interface().enable(PriorityMask::ALL);
    distributor.enable_forwarding();
    interrupts::controller_is_configured(); // (d)
    priority_bits
}

/// Calibrates the phase, tries the system timer's interrupt, and decides.
fn choose_time_base(rate: Rate) -> (TimeBase, TimeBaseReason, Option<Phase>) {
    let phase = probe::phase(rate, probe::SAMPLES_AT_BOOT);
    let (base, reason) = match phase {
        None => (TimeBase::GenericTimer, TimeBaseReason::ClocksDisagree),
        Some(_) if has_word("timebase", "generic") => (TimeBase::GenericTimer, TimeBaseReason::Asked),
        Some(_) => match probe::system_timer_interrupt() {
            TimeBaseReason::InterruptCame => (TimeBase::SystemTimer, TimeBaseReason::InterruptCame),
            reason => (TimeBase::GenericTimer, reason),
        },
    };
    let known = phase.unwrap_or(Phase { instant: clock::now(), half_width_half_ticks: 0 });
    core_state::masked(|core| core.time_base = Settings::new(base, rate, known));
    (base, reason, phase)
}

/// Tells the executive which levels have a policy.
fn set_policies(core: &mut CoreState, table: OfCore) {
    for level in table.levels() {
        if let (Policy::EarliestDeadlineFirst, Some(priority)) = (level.policy, Priority::new(level.priority)) {
            core.executive.run_by_deadline(priority);
        }
    }
}

/// Prepares a core's executive, its control blocks and its guard pages.
fn prepare_tasks(core: &mut CoreState, table: OfCore, idle: IdleStyle) {
    let (id, order) = (core.id, table.order());
    set_policies(core, table);
    core.executive.prepare(&order.priority, order.ceilings, order.inherits, clock::now());
    core.table = Some(table);
    budget::prepare(core, table);
    for rank in 0..order.tasks {
        let Some(task) = TaskId::new(rank) else { continue };
        let (Some(entry), Some(stack)) = (table.task(task), table.stack(task)) else { continue };
        core.set_context(task, |context| context.prepare_task(id, run_task, rank, stack.top()));
        // SAFETY: the task has not started.
        unsafe { stack.memory().paint() };
        // SAFETY: the guard page holds nothing, and this is core 0 before its tasks.
        unsafe { mmu::unmap_page(stack.guard as usize) };
        core.executive.start(task);
        if id == 0 {
            // SAFETY: the boot runs with interrupts masked.
            unsafe { trace::record(Event::Ready { task }) };
        }
        if matches!(entry.kind, Kind::Periodic { .. }) {
            core.on_their_way = core.on_their_way.saturating_add(1);
            time_zero::await_core(id);
        }
    }
    core.set_context(TaskId::IDLE, |context| context.prepare_idle(id, idle));
    for guard in [layout::exception_stack_guard(id), layout::emergency_stack_guard(id)] {
        // SAFETY: as above.
        unsafe { mmu::unmap_page(guard) };
    }
}

/// The first function of every task: calls what the table says, with the handle that goes with it.
extern "C" fn run_task(rank: usize) -> ! {
    if rank == 0 {
        // SAFETY: interrupts are masked, and the most urgent task is the first to run.
        core_state::masked(|_| unsafe { stack_use::paint_exception_stack() });
    }
    let table = core_state::masked(|core| core.table);
    let found = TaskId::new(rank).and_then(|task| Some((task, table?.run(task)?)));
    let Some((task, run)) = found else {
        fault::cannot_start(format_args!("task {rank} is not in the table"));
    };
    match run {
        Run::Periodic(body) => body(Periodic::new(task)),
        Run::Slot(body) => body(Slot::new(task)),
        Run::Sporadic(body) => body(SporadicTask::new(task)),
        Run::Background(body) => body(),
        Run::Handler(_) | Run::Port(_) | Run::Nothing => {
            fault::cannot_start(format_args!("line {rank} of the table is not a task"))
        }
    }
}
