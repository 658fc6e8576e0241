// SPDX-License-Identifier: MIT OR Apache-2.0
//! Loads: what disturbs a measurement on purpose, named and as strong as asked for.
//!
//! `kind` names them, `order` reads a `load` command, `hell` has the random bursts; this part is also tested on a PC. On the
//! device, `station` is where console task and load task of a core meet, `task` is the body of the latter, `work` and `devices`
//! are what it does, `command` is the command, and `other_cores` has the tasks of cores 1 to 3.
//!
//! A table has on each core that can be loaded a load task, less urgent than everything else, the console task included, and a
//! partner for it, one more urgent: with the console at 250, `Task::background(load::task).priority(254)` and
//! `Task::background(load::partner::<0>).priority(253)`.

#[cfg(target_os = "none")]
mod command;
#[cfg(target_os = "none")]
mod devices;
pub mod hell;
mod kind;
pub mod order;
#[cfg(target_os = "none")]
pub mod other_cores;
#[cfg(target_os = "none")]
mod station;
#[cfg(target_os = "none")]
mod task;
#[cfg(target_os = "none")]
mod work;

pub use kind::{KINDS, Kind};

#[cfg(target_os = "none")]
pub(crate) use command::{COMMAND, start, stop_all};
#[cfg(target_os = "none")]
pub(crate) use station::{write_ran, write_running};
#[cfg(target_os = "none")]
pub use task::task;
#[cfg(target_os = "none")]
pub use work::partner;

/// How many cores a BCM2711 has.
pub const CORES: usize = 4;
