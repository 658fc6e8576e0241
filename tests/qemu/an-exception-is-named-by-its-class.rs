// SPDX-License-Identifier: MIT OR Apache-2.0
// run: --status 101 --append svc
// run: --status 101 --append brk
// run: --status 101 --append misaligned-counter
// run: --status 101 --append illegal-state --allow-guest-error "Illegal exception return at EL1"
// run: --status 101 --append lower-level

//! An exception that takt has no use for ends the run, and is named by its class: a supervisor call, a breakpoint, a
//! misaligned program counter, a return to a state that there is not, and an abort at a lower exception level, which takt
//! does not use. QEMU does not check the alignment of the stack pointer.
#![no_std]
#![no_main]

use takt::board::command_line;
use takt::prelude::*;
use takt_tests::rest;
use takt_tests::wrong::execute;

takt::tasks! {
    culprit: Task::background(culprit).priority(20),
}

/// `SVC #0; RET`.
#[unsafe(link_section = ".text.svc")]
static SVC: [u32; 2] = [0xD400_0001, 0xD65F_03C0];

/// `BRK #0; RET`.
#[unsafe(link_section = ".text.brk")]
static BRK: [u32; 2] = [0xD420_0000, 0xD65F_03C0];

/// `ADR X0, end; MSR ELR_EL1, X0; MOV X1, #1; MSR SPSR_EL1, X1; ERET; end: RET`: mode 0b0001, EL0 on a stack of its own.
#[unsafe(link_section = ".text.illegal_state")]
static ILLEGAL_STATE: [u32; 6] = [0x1000_00A0, 0xD518_4020, 0xD280_0021, 0xD518_4001, 0xD69F_03E0, 0xD65F_03C0];

/// The same with mode 0b0000, which is EL0: nothing is mapped there.
#[unsafe(link_section = ".text.lower_level")]
static LOWER_LEVEL: [u32; 6] = [0x1000_00A0, 0xD518_4020, 0xD280_0001, 0xD518_4001, 0xD69F_03E0, 0xD65F_03C0];

fn culprit() -> ! {
    match command_line() {
        "svc" => execute(SVC.as_ptr()),
        "brk" => execute(BRK.as_ptr()),
        "misaligned-counter" => execute(BRK.as_ptr().wrapping_byte_add(2)),
        "illegal-state" => execute(ILLEGAL_STATE.as_ptr()),
        "lower-level" => execute(LOWER_LEVEL.as_ptr()),
        other => panic!("{other} is no run of this program"),
    }
    rest()
}
