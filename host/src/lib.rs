// SPDX-License-Identifier: MIT OR Apache-2.0
//! takt on the PC: makes `kernel8.img` from an ELF file, and runs it in QEMU's `raspi4b` the way the tests need it.
//!
//! The modules, in the order an image travels through them:
//!
//! * [`image`]: ELF file to raw image.
//! * [`qemu`]: is QEMU there, is it new enough, how is it started so that it dies with us.
//! * [`qmp`]: the control socket; connects the system timer to the interrupt controller and lets the machine go.
//! * [`run`]: one run from image to exit status, with the console passed on byte for byte.
//! * [`command`]: the command line over all this.
//! * [`mod@bench`]: what the paths of the shipped image take, counted in QEMU and held against budgets.
//! * [`mod@sweep`]: how long a direct handler can be kept waiting, instruction by instruction.
//! * [`masked`]: the same by walking the instructions themselves, with every branch taken that can be: an upper bound.
//! * [`house`]: the rules of the house that neither the compiler nor clippy knows.
//! * [`golden`]: golden output for the programs that the tests run; [`scratch`]: a directory that goes with its run.
//!
//! Four rules: no `unsafe`; every wait is bounded; no process and no temporary file outlives its run; an error is a
//! sentence that says what was wrong, what was expected and what to do.
#![forbid(unsafe_code)]
#![allow(
    clippy::arithmetic_side_effects,
    reason = "the hot-path lints are for the executive; on the PC a panic on overflow is an ordinary bug report"
)]

pub mod bench;
pub mod command;
pub mod golden;
pub mod house;
pub mod image;
pub mod masked;
pub mod qemu;
pub mod qmp;
pub mod run;
pub mod scratch;
pub mod sweep;
pub mod terminal;
