// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where a task's registers rest, and the two ways to leave a task.
//!
//! A task runs at EL1 on `SP_EL0`. `SP_EL1` points at the task's [`Context`] while it runs, so that an interrupt saves
//! the volatile registers straight into it; `TPIDR_EL1` holds the same address for everybody else.
//!
//! A task is left in one of two ways. *Voluntarily*, in [`switch_voluntarily`]: inline assembly that declares every
//! register it does not keep as clobbered, so the compiler saves only what is alive, and the context takes the stack
//! pointer and two registers that the compiler keeps for itself. *Involuntarily*, by an interrupt: the vector saves the
//! volatile registers and, only when the handler decided to switch, the others (`vectors.rs`). Each context holds the
//! address to resume at (voluntary, involuntary, first start), so nobody tests which way a task was left.
//!
//! Who resumes finds `SP_EL1` at the resumed context, `PSTATE.SP` = 1 and interrupts masked.

use core::arch::asm;
use core::mem::offset_of;

/// The registers of a task that does not run.
#[derive(Debug)]
#[repr(C, align(64))]
pub struct Context {
    /// x0 to x18 and x30, as the vector saves them.
    volatile_registers: [u64; 20],
    elr: u64,
    spsr: u64,
    sp: u64,
    resume: u64,
    /// x19 to x29. Before the first start: argument and entry.
    kept_registers: [u64; 11],
    /// Where an interrupt handler's stack begins.
    exception_stack_top: u64,
}

/// Offsets for the assembly here and in `vectors.rs`.
pub(crate) mod offset {
    use super::{Context, offset_of};

    pub(crate) const ELR: usize = offset_of!(Context, elr);
    pub(crate) const SP: usize = offset_of!(Context, sp);
    pub(crate) const RESUME: usize = offset_of!(Context, resume);
    pub(crate) const KEPT: usize = offset_of!(Context, kept_registers);
    pub(crate) const EXCEPTION_STACK_TOP: usize = offset_of!(Context, exception_stack_top);
}

/// The `DAIF` bits of interrupts and SErrors, to unmask both: a bus error speaks.
pub(crate) const UNMASK: usize = 6;

unsafe extern "C" {
    fn takt_first_start();
    fn takt_idle_in_wfi();
    fn takt_idle_spinning();
    fn takt_run_held_off();
}

/// How the core waits when there is nothing to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum IdleStyle {
    /// In `WFI`, with the clock gated.
    #[default]
    WaitForInterrupt,
    /// In a loop that polls `ISR_EL1`: no wake-up from a gated clock, and in QEMU no lap more or less.
    Spin,
}

impl Context {
    /// A context that cannot be resumed yet.
    pub const fn empty() -> Self {
        Self {
            volatile_registers: [0; 20],
            elr: 0,
            spsr: 0,
            sp: 0,
            resume: 0,
            kept_registers: [0; 11],
            exception_stack_top: 0,
        }
    }

    /// Lets the first resume, on `core`, call `entry(argument)` on the stack that ends below `stack_top` (a multiple of 16), with
    /// interrupts on.
    pub fn prepare_task(&mut self, core: usize, entry: extern "C" fn(usize) -> !, argument: usize, stack_top: usize) {
        self.kept_registers = [argument as u64, entry as usize as u64, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        self.sp = stack_top as u64;
        self.resume = takt_first_start as *const () as usize as u64;
        self.exception_stack_top = crate::layout::exception_stack_top(core) as u64;
    }

    /// Makes this the context of the idle task of `core`, which has no stack and is never interrupted: it runs with interrupts
    /// masked and calls the handler itself when one is pending.
    pub fn prepare_idle(&mut self, core: usize, style: IdleStyle) {
        let entry = match style {
            IdleStyle::WaitForInterrupt => takt_idle_in_wfi as *const (),
            IdleStyle::Spin => takt_idle_spinning as *const (),
        };
        self.resume = entry as usize as u64;
        self.exception_stack_top = crate::layout::exception_stack_top(core) as u64;
    }

    /// Makes this a context of nobody, on `core`: to be switched to when a kernel step ends during which an interrupt was held off.
    /// It calls the handler, on the exception stack, and resumes whom that names.
    pub fn prepare_held_off(&mut self, core: usize) {
        self.resume = takt_run_held_off as *const () as usize as u64;
        self.exception_stack_top = crate::layout::exception_stack_top(core) as u64;
    }
}

/// Leaves the running task for the one whose registers rest in `next`. When somebody switches back it unmasks interrupts
/// and returns what `CNTPCT_EL0` reads then: the task's first statement.
///
/// # Safety
/// - Interrupts are masked (`DAIF.I`), and the caller runs as a task on `SP_EL0`.
/// - `next` is prepared, is not the running task's own context, and stays where it is.
/// - Nothing that a handler may touch is half changed.
#[inline(always)]
pub unsafe fn switch_voluntarily(next: *const Context) -> u64 {
    let ticks: u64;
    // SAFETY:
    // - Every general register is an output, except x19 and x29, which are saved and restored by hand.
    // - The caller guarantees that SP_EL1 is the running task's context, which is ours to write while it runs.
    unsafe {
        asm!(
            "adr x9, 2f",
            "mov x10, sp",
            "msr spsel, #1",
            "stp x19, x29, [sp, #{kept}]",
            "stp x10, x9, [sp, #{sp_and_resume}]",
            "msr tpidr_el1, x8",
            "mov sp, x8",
            "ldr x9, [sp, #{resume}]",
            "br x9",
            // Somebody switched back; SP_EL1 is our context again.
            "2:",
            "ldp x19, x29, [sp, #{kept}]",
            "ldr x9, [sp, #{sp_and_resume}]",
            "msr spsel, #0",
            "mov sp, x9",
            "msr daifclr, #{unmask}",
            "mrs x0, cntpct_el0",
            unmask = const UNMASK,
            kept = const offset::KEPT,
            sp_and_resume = const offset::SP,
            resume = const offset::RESUME,
            inout("x8") next => _,
            out("x0") ticks, out("x1") _, out("x2") _, out("x3") _, out("x4") _, out("x5") _, out("x6") _, out("x7") _,
            out("x9") _, out("x10") _, out("x11") _, out("x12") _, out("x13") _, out("x14") _, out("x15") _,
            out("x16") _, out("x17") _, out("x18") _, out("x20") _, out("x21") _, out("x22") _, out("x23") _,
            out("x24") _, out("x25") _, out("x26") _, out("x27") _, out("x28") _, out("x30") _,
        );
    }
    ticks
}

/// Starts the first task of this core, from the boot code: nothing is saved.
///
/// # Safety
/// Interrupts are masked, `PSTATE.SP` is 1, and `first` is prepared and stays where it is.
pub unsafe fn start_first(first: *const Context) -> ! {
    // SAFETY: the caller guarantees what the resumed code expects.
    unsafe {
        asm!(
            "msr tpidr_el1, {first}",
            "mov sp, {first}",
            "ldr x9, [sp, #{resume}]",
            "br x9",
            first = in(reg) first,
            resume = const offset::RESUME,
            options(noreturn),
        );
    }
}
