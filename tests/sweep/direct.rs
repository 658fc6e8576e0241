//! Walks the executive's paths one instruction at a time: a direct handler fires at every tick of each, and `takt sweep`
//! finds in what this prints how late it came and where it was kept waiting.
//!
//! The handler belongs to the virtual timer, which compares the counter itself and so can fire at any tick (`probe`). In
//! QEMU with `-icount shift=4` a tick is an instruction. Each path (`paths`, and the tasks in `actors`) runs undisturbed,
//! which tells its length and what state it leaves (`state`), and then once for each offset from its start (`walk`).
//!
//! A line `path,offset,latency,pc` for each trial: when the interrupt was due, in ticks after the start; the handler's
//! first statement less that; what was interrupted, 0 for the idle task. Lines with `#` are for people.
//!
//! The boot word `step=N` tries each N-th offset only; `path=NAME` with `offset=N` makes that one trial. With
//! `timebase=generic` the paths with releases are walked.
#![no_std]
#![no_main]

#[macro_use]
mod table;
mod actors;
mod paths;
mod probe;
mod state;
mod walk;

/// Whether the handler wakes a task.
const WAKES: bool = false;

table!(takt::Interrupt::direct(probe::INTID, fired));

/// The direct handler.
fn fired() {
    probe::fired();
}
