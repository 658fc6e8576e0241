// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where everything ends that must not happen: said on the console, polled and without a lock, then a failing status in
//! QEMU or a defined stop on a board.

pub(crate) mod isolated;
pub(crate) mod mutexes;
pub(crate) mod streams;

use core::fmt::{self, Write};
use core::panic::PanicInfo;
use core::sync::atomic::{AtomicU32, Ordering};

use takt_kernel::executive::LockRefused;
use takt_kernel::response::{BeyondBound, NotAsDeclared};
use takt_kernel::{CAPACITY, TaskId};
use takt_rpi4::vectors::{FaultFrame, NESTED_SWITCH};
use takt_rpi4::{cores, end, interrupts, layout};

use crate::console::Polled;
use crate::core_state;

/// The status with which a fault ends a run in QEMU.
pub const FAULT_STATUS: u32 = 101;

/// How deep in faults each core is: a fault while a fault is reported ends without a further word than its own name.
static DEPTH: [AtomicU32; cores::CORES] = [const { AtomicU32::new(0) }; cores::CORES];

/// Says `what` and ends.
fn die(what: fmt::Arguments<'_>) -> ! {
    interrupts::mask();
    let Some(deep) = DEPTH.get(cores::this_core()) else { end::stop() };
    // Plain load and store: it is this core's, and interrupts are masked.
    let depth = deep.load(Ordering::Relaxed);
    deep.store(depth.saturating_add(1), Ordering::Relaxed);
    match depth {
        0 => {
            let is_alone = isolated::is_alone();
            if !is_alone {
                isolated::halt_others();
            }
            let mut console = if is_alone { Polled } else { Polled::dying() };
            let _ = writeln!(console, "\n*** takt: {what}");
            report_place(&mut console);
            console.flush();
            if is_alone {
                isolated::stop_alone(what)
            }
            end::exit(FAULT_STATUS)
        }
        1 => {
            let _ = Polled.write_str("\n*** takt: a fault while a fault was reported\n");
            Polled.flush();
            end::exit(FAULT_STATUS)
        }
        _ => end::stop(),
    }
}

/// Which core and which task.
fn report_place(console: &mut Polled) {
    // SAFETY: interrupts are masked for good; whatever was half changed is only read.
    let core = unsafe { core_state::get() };
    let (id, running) = (core.id, core.executive.running());
    let _ = match (core.name_and_priority(running), core.table) {
        (Some((name, priority)), _) => writeln!(console, "    core {id}, task '{name}' (priority {priority})"),
        (None, Some(_)) => writeln!(console, "    core {id}, idle"),
        (None, None) => writeln!(console, "    core {id}, before the first task"),
    };
}

/// An interrupt came that the table does not know.
#[cold]
pub(crate) fn unknown_interrupt(intid: u16) -> ! {
    die(format_args!("interrupt {intid} came, but the table has no handler for it"))
}

/// The gate says that an interrupt was held off, and there is none: takt itself is wrong, or its memory was overwritten.
#[cold]
pub(crate) fn nothing_held_off() -> ! {
    die(format_args!(
        "a kernel step ended with an interrupt held off, but none is noted; report this as an error of takt"
    ))
}

/// An object whose home is core `home` was used here.
#[cold]
#[inline(never)]
pub(crate) fn not_at_home(home: u8) -> ! {
    die(format_args!(
        "a semaphore, queue, mutex or other object is used that core {home} used first, to which it belongs; let other cores give, \
         set or send by a Remote of it, and let a task on core {home} do what a mutex is for"
    ))
}

/// A device was set up on another core than 0.
#[cold]
#[inline(never)]
pub(crate) fn not_on_core_0(what: &str) -> ! {
    die(format_args!(
        "{what} on a core other than 0, to which the devices and their interrupts belong; let a task on core 0 do it, and send to it"
    ))
}

/// Something was sent to another core by what the table does not know.
#[cold]
#[inline(never)]
pub(crate) fn no_port() -> ! {
    die(format_args!(
        "something is sent by a Remote, Lanes, a Stream or a CoresBarrier that has no line in the table; add the line \
         name: THE_STATIC.port()"
    ))
}

/// Something was done that only tasks and kernel handlers may do.
#[cold]
pub(crate) fn without_context(what: &str) -> ! {
    die(format_args!(
        "{what} by a direct handler, or before the first task; only tasks and kernel handlers may: let the handler store \
         what there is to say, and a task say it"
    ))
}

/// A task waited or yielded while it held a mutex, or while it had locked preemption.
#[cold]
#[inline(never)]
pub(crate) fn wait_in_a_lock() -> ! {
    if core_state::masked(|core| core.executive.preemption_is_locked()) {
        die(format_args!(
            "a task waits or yields while it has locked preemption; leave the closure first, and wait then"
        ))
    }
    die(format_args!("a task waits or yields while it holds a mutex; leave the closure first, and wait then"))
}

/// A handler locked preemption.
#[cold]
#[inline(never)]
pub(crate) fn preemption_locked_in_a_handler() -> ! {
    die(format_args!("a handler locks preemption, which only tasks may; no task runs while a handler does"))
}

/// A handler locked a mutex.
#[cold]
#[inline(never)]
pub(crate) fn lock_in_a_handler() -> ! {
    die(format_args!(
        "a handler locks a mutex, which only tasks may; let it set an event or send a message, and a task lock"
    ))
}

/// A task locked a mutex that it must not lock.
#[cold]
#[inline(never)]
pub(crate) fn cannot_lock(ceiling: u8, why: LockRefused) -> ! {
    match why {
        LockRefused::Ceiling => die(format_args!(
            "a task locks a mutex of ceiling {ceiling}, which its line of the table does not name: it is less urgent than \
             the task, or no line names it; add .locks(&MUTEX, longest) to the task's line"
        )),
        LockRefused::Held => die(format_args!(
            "a task locks a mutex of ceiling {ceiling} while it holds one of the same ceiling; give nested mutexes \
             different ceilings, and lock none twice"
        )),
    }
}

/// A task locked preemption, and no line of the table says so.
#[cold]
#[inline(never)]
pub(crate) fn cannot_lock_preemption() -> ! {
    die(format_args!(
        "a task locks preemption, which no line of the table says; add .locks_preemption(longest) to the task's line"
    ))
}

/// A timer was started, and nobody would call its function.
#[cold]
#[inline(never)]
pub(crate) fn no_timer_task() -> ! {
    die(format_args!(
        "a timer is started, but the table has no task that calls what is due; add the line \
         timers: Task::background(takt::timer::task).priority(n)"
    ))
}

/// The table has the timers' task twice.
#[cold]
#[inline(never)]
pub(crate) fn second_timer_task() -> ! {
    die(format_args!("takt::timer::task stands twice in the table; one task calls what is due, so take a line out"))
}

/// Two tasks are released by one.
#[cold]
#[inline(never)]
pub(crate) fn two_sporadic_tasks() -> ! {
    die(format_args!(
        "a second task is to be released by a Sporadic that releases another; give each sporadic task a Sporadic of its own"
    ))
}

/// A sporadic task's handle belongs to a task that is none: takt itself is wrong.
#[cold]
#[inline(never)]
pub(crate) fn not_sporadic() -> ! {
    die(format_args!("a task has the handle of a sporadic task and is none; report this as an error of takt"))
}

/// A response was longer than its bound.
#[cold]
#[inline(never)]
pub(crate) fn beyond_bound(what: &BeyondBound<'_>) -> ! {
    die(format_args!("{what}"))
}

/// A response was longer than its bound, and a task executed longer than it declares.
#[cold]
#[inline(never)]
pub(crate) fn not_as_declared(what: &NotAsDeclared<'_>) -> ! {
    die(format_args!("{what}"))
}

/// A job used more than its budget, which is fatal.
#[cold]
#[inline(never)]
pub(crate) fn budget_overrun(task: &str, budget_ns: u64, executed_ns: i64) -> ! {
    die(format_args!(
        "a job of task '{task}' has executed for {executed_ns} ns, and its budget is {budget_ns} ns; find what takes so long, \
         or give the task's line a larger one with .budget(d, ..), or one that lets the run go on: OnBudgetOverrun::Demote or \
         Report"
    ))
}

/// A task waits for flags, and names none.
#[cold]
#[inline(never)]
pub(crate) fn waits_for_no_flag() -> ! {
    die(format_args!("a task waits for event flags and names none, so it would wait for ever; name at least one"))
}

/// The system cannot start.
#[cold]
pub(crate) fn cannot_start(why: fmt::Arguments<'_>) -> ! {
    die(format_args!("cannot start: {why}"))
}

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    match info.location() {
        Some(place) => die(format_args!("panic at {}:{}: {}", place.file(), place.line(), info.message())),
        None => die(format_args!("panic: {}", info.message())),
    }
}

/// Called by the vectors for everything but an interrupt, on the emergency stack.
pub(crate) extern "C" fn exception(frame: &FaultFrame) -> ! {
    die(format_args!("{}", Exception(frame)))
}

/// An exception in words.
struct Exception<'f>(&'f FaultFrame);

/// `ESR_EL1.EC`, bits 31:26 [ARM D17.2.37].
mod class {
    pub(super) const UNKNOWN: u64 = 0x00;
    pub(super) const FLOATING_POINT: u64 = 0x07;
    pub(super) const ILLEGAL_STATE: u64 = 0x0E;
    pub(super) const SUPERVISOR_CALL: u64 = 0x15;
    pub(super) const SYSTEM_REGISTER: u64 = 0x18;
    pub(super) const INSTRUCTION_ABORT: u64 = 0x21;
    pub(super) const PC_ALIGNMENT: u64 = 0x22;
    pub(super) const DATA_ABORT: u64 = 0x25;
    pub(super) const SP_ALIGNMENT: u64 = 0x26;
    pub(super) const SERROR: u64 = 0x2F;
    pub(super) const BREAKPOINT: u64 = 0x3C;
}

impl Exception<'_> {
    const fn class(&self) -> u64 {
        self.0.esr >> 26 & 0x3F
    }

    /// The stack, if any, whose guard page was hit.
    fn overflowed_stack(&self) -> Option<Overflowed> {
        if self.class() != class::DATA_ABORT {
            return None;
        }
        let address = usize::try_from(self.0.far).ok()?;
        let is_in_page = |page: usize| address.wrapping_sub(page) < 4096;
        let core = cores::this_core();
        if is_in_page(layout::exception_stack_guard(core)) {
            return Some(Overflowed::Exceptions);
        }
        if is_in_page(layout::emergency_stack_guard(core)) {
            return Some(Overflowed::Emergency);
        }
        // SAFETY: interrupts are masked for good.
        let table = unsafe { core_state::get() }.table?;
        (0..CAPACITY)
            .filter_map(TaskId::new)
            .find(|&task| table.stack(task).is_some_and(|stack| stack.guards(address)))
            .and_then(|task| table.task(task))
            .map(|entry| Overflowed::Task(entry.name))
    }

    const fn words(&self) -> &'static str {
        if self.0.vector % 4 == 3 {
            return "SError: a bus reported an error";
        }
        if self.0.vector % 4 == 2 {
            return "FIQ, which takt does not use";
        }
        match self.class() {
            class::UNKNOWN => "undefined instruction",
            class::FLOATING_POINT => "floating point or SIMD instruction, which the executive does not have",
            class::ILLEGAL_STATE => "illegal execution state",
            class::SUPERVISOR_CALL => "SVC instruction, which takt does not use",
            class::SYSTEM_REGISTER => "system register access that is trapped",
            class::INSTRUCTION_ABORT => "instruction abort",
            class::PC_ALIGNMENT => "misaligned program counter",
            class::DATA_ABORT => "data abort",
            class::SP_ALIGNMENT => "misaligned stack pointer",
            class::SERROR => "SError",
            class::BREAKPOINT => "breakpoint instruction",
            _ => "exception of a class that takt does not name",
        }
    }
}

/// Which stack overflowed.
enum Overflowed {
    Task(&'static str),
    Exceptions,
    Emergency,
}

impl fmt::Display for Exception<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let frame = self.0;
        if frame.vector == NESTED_SWITCH as u64 {
            return formatter.write_str(
                "a handler that preempted another wanted to switch tasks; only kernel handlers may, and these do not preempt \
                 one another",
            );
        }
        match self.overflowed_stack() {
            Some(Overflowed::Task(name)) => write!(formatter, "the stack of task '{name}' overflowed")?,
            Some(Overflowed::Exceptions) => formatter.write_str("the exception stack overflowed")?,
            Some(Overflowed::Emergency) => formatter.write_str("the emergency stack overflowed")?,
            None => formatter.write_str(self.words())?,
        }
        let place = match frame.vector / 4 {
            0 => "in a task",
            1 => "in a handler or the idle task",
            _ => "at a lower exception level",
        };
        write!(
            formatter,
            " ({place})\n    ESR {:#010x} (class {:#04x})  FAR {:#x}  ELR {:#x}  SPSR {:#x}\n    SP_EL0 {:#x}  SP_EL1 {:#x}  \
             x29 {:#x}  x30 {:#x}",
            frame.esr,
            self.class(),
            frame.far,
            frame.elr,
            frame.spsr,
            frame.sp_el0,
            frame.sp_el1,
            frame.registers[29],
            frame.registers[30],
        )
    }
}
