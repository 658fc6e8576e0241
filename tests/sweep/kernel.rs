//! Walks the same paths as `direct.rs` with a kernel interrupt: its handler wakes the most urgent task of the table, so
//! that at every instruction at which it is possible a task preempts.
//!
//! A line `path,offset,latency,pc,task` for each trial: as in `direct.rs`, and the woken task's first statement less the
//! tick at which the interrupt was due.
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
const WAKES: bool = true;

table!(takt::Interrupt::kernel(probe::INTID, fired));

/// The kernel handler.
fn fired() {
    probe::fired();
    probe::WAKE.set_from_handler();
}
