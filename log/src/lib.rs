// SPDX-License-Identifier: MIT OR Apache-2.0
//! `defmt` messages from tasks and kernel handlers, sent to a serial interface and decoded by `takt run`.
//!
//! An image logs when it depends on this crate and on `defmt`, gives the draining task a line of its table, and is linked
//! with `-Tdefmt.x` (its build script says so):
//!
//! ```ignore
//! takt::tasks! {
//!     control: Task::periodic(control).priority(10).period(millis(1)),
//!     log: Task::background(takt_log::task).priority(253),
//! }
//! ```
//!
//! In the order in which a message travels:
//!
//! * `logger` encodes it, a few bytes at a time, in a buffer of the calling context's own: each task has one, and the
//!   kernel handlers share one, since they do not nest. Whoever preempts a task in the middle of a frame has another buffer.
//! * [`frame`] is that buffer. A frame that does not fit is dropped and counted.
//! * [`ring`] takes whole frames. Who has one takes room for it in one atomic step, copies it with interrupts on, and marks
//!   it whole. Nobody waits for anybody; a frame that finds no room is dropped and counted.
//! * `task` sends what is in the ring, and says how many were dropped.
//! * `port` chooses the interface.
//!
//! Direct handlers do not log: one that does ends the run with a sentence. An image that does not depend on this crate has
//! nothing of it.

#![no_std]

#[cfg(test)]
extern crate std;

pub mod frame;
#[cfg(target_os = "none")]
mod logger;
#[cfg(target_os = "none")]
mod port;
pub mod ring;
#[cfg(target_os = "none")]
mod task;

#[cfg(target_os = "none")]
pub use port::{Destination, destination};
#[cfg(target_os = "none")]
pub use task::{Dropped, dropped, flush, task};
