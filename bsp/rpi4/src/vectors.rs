// SPDX-License-Identifier: MIT OR Apache-2.0
//! The exception vectors, the idle task and the ways back into a task.
//!
//! An interrupt of a task saves the volatile registers into the task's context, to which `SP_EL1` points, moves to the
//! core's exception stack and calls the handler. A nested interrupt (a direct handler preempting a kernel handler)
//! saves on the exception stack. The handler answers with the context to switch to, or null to go on as before.
//!
//! The idle task runs with interrupts masked on the exception stack. `WFI` ends all the same when an interrupt is
//! pending, and the idle task calls the handler itself: an interrupted idle saves nothing.
//!
//! Everything else that can be taken (synchronous exception, SError, FIQ, anything from a lower level) is fatal: the
//! vector touches no stack, saves all registers to a static frame of the core, moves to the core's emergency stack and calls the fault
//! handler, so that an overflow of the exception stack is reported too. One instruction is excepted, the load of
//! [`guarded`](crate::guarded): where no device answers it, execution goes on behind it with a mark that says so. The
//! check stands in front of the fatal path alone and touches no stack either.

use aarch64_cpu::asm::barrier;
use aarch64_cpu::registers::VBAR_EL1;
use tock_registers::interfaces::Writeable;

/// Puts the vectors into the image, with the three functions they call.
///
/// `irq: extern "C" fn() -> *const Context` is called with interrupts masked, on the exception stack, and returns the
/// context to switch to, or null. `held_off: extern "C" fn() -> *const Context` is called in the same way when a kernel
/// step has ended during which an interrupt was held off, and always returns the context to resume.
/// `fault: extern "C" fn(&FaultFrame) -> !` never returns.
#[macro_export]
macro_rules! vectors {
    (irq: $irq:path, held_off: $held_off:path, fault: $fault:path $(,)?) => {
        core::arch::global_asm!(
            r#"
            .macro save_volatile
                stp x0, x1, [sp]
                stp x2, x3, [sp, #16]
                stp x4, x5, [sp, #32]
                stp x6, x7, [sp, #48]
                stp x8, x9, [sp, #64]
                stp x10, x11, [sp, #80]
                stp x12, x13, [sp, #96]
                stp x14, x15, [sp, #112]
                stp x16, x17, [sp, #128]
                stp x18, x30, [sp, #144]
                mrs x0, elr_el1
                mrs x1, spsr_el1
                stp x0, x1, [sp, #{ELR}]
            .endm
            .macro restore_volatile
                ldp x0, x1, [sp, #{ELR}]
                msr elr_el1, x0
                msr spsr_el1, x1
                ldp x2, x3, [sp, #16]
                ldp x4, x5, [sp, #32]
                ldp x6, x7, [sp, #48]
                ldp x8, x9, [sp, #64]
                ldp x10, x11, [sp, #80]
                ldp x12, x13, [sp, #96]
                ldp x14, x15, [sp, #112]
                ldp x16, x17, [sp, #128]
                ldp x18, x30, [sp, #144]
                ldp x0, x1, [sp]
            .endm
            .macro fatal_vector number, to=takt_fatal
                .balign 128
                msr tpidr_el0, x0
                mrs x0, tpidrro_el0
                sub x0, x0, #{FRAME_BYTES}
                str x1, [x0, #8]
                mov x1, #\number
                b \to
            .endm

            .section .text.vectors, "ax"
            .balign 2048
            .global takt_vectors
            takt_vectors:
            // Current exception level with SP_EL0: a task was interrupted.
            fatal_vector 0, takt_abort
            .balign 128
                save_volatile
                ldr x0, [sp, #{EXCEPTION_STACK_TOP}]
                mov sp, x0
                bl {irq}
                cbnz x0, takt_switch_involuntarily
                b takt_resume_interrupted
            fatal_vector 2
            fatal_vector 3, takt_serror
            // Current exception level with SP_EL1: a handler was interrupted.
            fatal_vector 4, takt_abort
            .balign 128
                sub sp, sp, #{NESTED_BYTES}
                save_volatile
                bl {irq}
                cbnz x0, takt_nested_switch
                b takt_resume_nested
            fatal_vector 6
            fatal_vector 7, takt_serror
            // Lower exception levels: takt has none.
            fatal_vector 8
            fatal_vector 9
            fatal_vector 10
            fatal_vector 11
            fatal_vector 12
            fatal_vector 13
            fatal_vector 14
            fatal_vector 15
            .balign 128

            takt_resume_nested:
                restore_volatile
                add sp, sp, #{NESTED_BYTES}
                eret

            // The handler nested in another wanted to switch, which only a kernel handler may: report it.
            takt_nested_switch:
                msr tpidr_el0, x0
                mrs x0, tpidrro_el0
                sub x0, x0, #{FRAME_BYTES}
                str x1, [x0, #8]
                mov x1, #{NESTED_SWITCH}
                b takt_fatal

            takt_resume_interrupted:
                mrs x1, tpidr_el1
                mov sp, x1
                restore_volatile
                eret

            // x0 is the context to switch to; the volatile registers are saved, the others are not.
            takt_switch_involuntarily:
                mrs x1, tpidr_el1
                adr x3, takt_resume_involuntary
                mrs x2, sp_el0
                stp x2, x3, [x1, #{SP}]
                stp x19, x20, [x1, #{KEPT}]
                stp x21, x22, [x1, #{KEPT}+16]
                stp x23, x24, [x1, #{KEPT}+32]
                stp x25, x26, [x1, #{KEPT}+48]
                stp x27, x28, [x1, #{KEPT}+64]
                str x29, [x1, #{KEPT}+80]
            takt_resume_next:
                msr tpidr_el1, x0
                mov sp, x0
                ldr x2, [x0, #{RESUME}]
                br x2

            takt_resume_involuntary:
                ldr x2, [sp, #{SP}]
                msr sp_el0, x2
                ldp x19, x20, [sp, #{KEPT}]
                ldp x21, x22, [sp, #{KEPT}+16]
                ldp x23, x24, [sp, #{KEPT}+32]
                ldp x25, x26, [sp, #{KEPT}+48]
                ldp x27, x28, [sp, #{KEPT}+64]
                ldr x29, [sp, #{KEPT}+80]
                restore_volatile
                eret

            .global takt_run_held_off
            takt_run_held_off:
                ldr x0, [sp, #{EXCEPTION_STACK_TOP}]
                mov sp, x0
                bl {held_off}
                b takt_resume_next

            .global takt_first_start
            takt_first_start:
                ldr x9, [sp, #{SP}]
                ldp x0, x1, [sp, #{KEPT}]
                msr spsel, #0
                mov sp, x9
                mov x29, xzr
                mov x30, xzr
                msr daifclr, #{UNMASK}
                br x1

            .global takt_idle_in_wfi
            takt_idle_in_wfi:
                msr daifclr, #{UNMASK_SERROR}
                ldr x0, [sp, #{EXCEPTION_STACK_TOP}]
                mov sp, x0
            // The counter is read for QEMU's sake alone: counting instructions, it sometimes moves its clock to the next
            // deadline before it has added those since its clock was last looked at, and wakes us as much too late.
            1:  mrs x0, cntpct_el0
                wfi
                mrs x0, isr_el1
                cbz x0, 1b
                bl {irq}
                cbz x0, 1b
                b takt_resume_next

            .global takt_idle_spinning
            takt_idle_spinning:
                msr daifclr, #{UNMASK_SERROR}
                ldr x0, [sp, #{EXCEPTION_STACK_TOP}]
                mov sp, x0
            1:  yield
                mrs x0, isr_el1
                cbz x0, 1b
                bl {irq}
                cbz x0, 1b
                b takt_resume_next

            // `guarded.rs`: x0 is the address. Answers the word in x0, and in x1 whether a device answered. No handler runs
            // between the barriers, so an SError that is taken there is the load's: those before were taken before.
            .global takt_guarded_read
            takt_guarded_read:
                mrs x2, daif
                msr daifset, #2
                msr daifclr, #{UNMASK_SERROR}
                dsb sy
                isb
            .Lguarded_load:
                ldr w0, [x0]
                dsb sy
                isb
                mov w1, #1
                b 1f
            .Lguarded_no_answer:
                mov w1, wzr
            // As it was before.
            1:  tbz x2, #8, 2f
                msr daifset, #{UNMASK_SERROR}
            2:  tbnz x2, #7, 3f
                msr daifclr, #2
            3:  ret

            // A synchronous exception: nobody answered if it is an external abort, not on a table walk, of the guarded load.
            takt_abort:
                stp x2, x3, [x0, #16]
                mrs x2, elr_el1
                adr x3, .Lguarded_load
                cmp x2, x3
                b.ne takt_fatal_rest
                mrs x2, esr_el1
                lsr x3, x2, #26
                cmp x3, #{DATA_ABORT}
                b.ne takt_fatal_rest
                and x2, x2, #0x3f
                cmp x2, #{EXTERNAL}
                b.ne takt_fatal_rest
            // Everything is as it was but where to go on; the flags are in SPSR_EL1.
            takt_no_answer:
                adr x2, .Lguarded_no_answer
                msr elr_el1, x2
                ldp x2, x3, [x0, #16]
                ldr x1, [x0, #8]
                mrs x0, tpidr_el0
                eret

            // An SError: nobody answered if it was taken behind the guarded load, and is not a fault of RAM.
            takt_serror:
                stp x2, x3, [x0, #16]
                mrs x2, elr_el1
                adr x3, .Lguarded_load
                cmp x2, x3
                b.lo takt_fatal_rest
                adr x3, .Lguarded_no_answer
                cmp x2, x3
                b.hi takt_fatal_rest
                mrs x2, esr_el1
                tbz x2, #{NOT_FROM_BUS}, takt_no_answer
                b takt_fatal_rest

            // x0 is the frame, x1 the vector's number. The old x1 is in the frame already, the old x0 in TPIDR_EL0, which
            // nobody else uses.
            takt_fatal:
                msr daifset, #15
                msr spsel, #1
                stp x2, x3, [x0, #16]
            takt_fatal_rest:
                stp x4, x5, [x0, #32]
                stp x6, x7, [x0, #48]
                stp x8, x9, [x0, #64]
                stp x10, x11, [x0, #80]
                stp x12, x13, [x0, #96]
                stp x14, x15, [x0, #112]
                stp x16, x17, [x0, #128]
                stp x18, x19, [x0, #144]
                stp x20, x21, [x0, #160]
                stp x22, x23, [x0, #176]
                stp x24, x25, [x0, #192]
                stp x26, x27, [x0, #208]
                stp x28, x29, [x0, #224]
                mrs x2, tpidr_el0
                str x2, [x0]
                mrs x2, elr_el1
                mrs x3, spsr_el1
                stp x30, x2, [x0, #240]
                mrs x4, esr_el1
                stp x3, x4, [x0, #256]
                mrs x2, far_el1
                mrs x3, sp_el0
                stp x2, x3, [x0, #272]
                mov x2, sp
                stp x2, x1, [x0, #288]
                adrp x2, __emergency_stack_top
                add x2, x2, :lo12:__emergency_stack_top
                mrs x3, mpidr_el1
                and x3, x3, #3
                mov x4, #{CORE_STACKS_BYTES}
                madd x2, x3, x4, x2
                mov sp, x2
                mov x29, xzr
                bl {fault}
                b .
            "#,
            irq = sym $irq,
            held_off = sym $held_off,
            fault = sym $fault,
            ELR = const $crate::vectors::asm_offset::ELR,
            SP = const $crate::vectors::asm_offset::SP,
            RESUME = const $crate::vectors::asm_offset::RESUME,
            KEPT = const $crate::vectors::asm_offset::KEPT,
            EXCEPTION_STACK_TOP = const $crate::vectors::asm_offset::EXCEPTION_STACK_TOP,
            NESTED_BYTES = const $crate::vectors::asm_offset::NESTED_BYTES,
            NESTED_SWITCH = const $crate::vectors::asm_offset::NESTED_SWITCH,
            UNMASK = const $crate::vectors::asm_offset::UNMASK,
            UNMASK_SERROR = const $crate::vectors::asm_offset::UNMASK_SERROR,
            DATA_ABORT = const $crate::vectors::asm_offset::DATA_ABORT,
            EXTERNAL = const $crate::vectors::asm_offset::EXTERNAL,
            NOT_FROM_BUS = const $crate::vectors::asm_offset::NOT_FROM_BUS,
            FRAME_BYTES = const $crate::vectors::asm_offset::FRAME_BYTES,
            CORE_STACKS_BYTES = const $crate::vectors::asm_offset::CORE_STACKS_BYTES,
        );
    };
}

/// Numbers that the assembly of [`vectors!`](crate::vectors!) needs.
#[doc(hidden)]
pub mod asm_offset {
    use crate::context::offset;

    pub const ELR: usize = offset::ELR;
    pub const SP: usize = offset::SP;
    pub const RESUME: usize = offset::RESUME;
    pub const KEPT: usize = offset::KEPT;
    pub const EXCEPTION_STACK_TOP: usize = offset::EXCEPTION_STACK_TOP;
    /// Volatile registers, ELR and SPSR on the exception stack, a multiple of 16.
    pub const NESTED_BYTES: usize = ELR + 16;
    /// Stands in for a vector's number.
    pub const NESTED_SWITCH: usize = super::NESTED_SWITCH;
    pub const UNMASK: usize = crate::context::UNMASK;
    /// The `DAIF` bit for SErrors alone: the idle task runs with interrupts masked.
    pub const UNMASK_SERROR: usize = 4;
    /// `ESR_EL1.EC`: data abort of this exception level [ARM D17.2.37].
    pub const DATA_ABORT: usize = 0x25;
    /// `ESR_EL1.ISS.DFSC`: synchronous external abort, not on a walk of the translation tables.
    pub const EXTERNAL: usize = 0x10;
    /// The bit of `ESR_EL1` that is set where an SError is of an uncorrectable bit in RAM (1), and not where the bus
    /// decodes nothing (0) or a device refuses (2) [HW 9].
    pub const NOT_FROM_BUS: usize = 0;
    /// How far the frame of a fatal exception lies before what the core's pointer points to.
    pub const FRAME_BYTES: usize = size_of::<super::FaultFrame>();
    pub const CORE_STACKS_BYTES: usize = crate::layout::CORE_STACKS_BYTES;
}

/// In place of a vector's number: a nested handler decided to switch tasks.
pub const NESTED_SWITCH: usize = 16;

/// All registers at a fatal exception of a core: in front of what its pointer points to ([`core_pointer`](crate::core_pointer)),
/// written by the vectors alone.
#[derive(Debug)]
#[repr(C, align(64))]
pub struct FaultFrame {
    /// x0 to x30.
    pub registers: [u64; 31],
    /// Where it happened, or where to return to.
    pub elr: u64,
    /// `PSTATE` when it happened.
    pub spsr: u64,
    /// What it was, encoded [ARM D17.2.37].
    pub esr: u64,
    /// The address it was about, where the class says so.
    pub far: u64,
    /// The task's stack pointer.
    pub sp_el0: u64,
    /// The handler's stack pointer, or the running task's context.
    pub sp_el1: u64,
    /// Which of the sixteen vectors, or [`NESTED_SWITCH`].
    pub vector: u64,
}

impl FaultFrame {
    /// A frame that nothing was written to.
    pub const EMPTY: Self =
        Self { registers: [0; 31], elr: 0, spsr: 0, esr: 0, far: 0, sp_el0: 0, sp_el1: 0, vector: 0 };
}

unsafe extern "C" {
    static takt_vectors: u8;
}

/// Makes this core, whose pointer is set, use the vectors.
pub fn install() {
    VBAR_EL1.set((&raw const takt_vectors) as usize as u64);
    barrier::isb(barrier::SY); // (f)
}
