// SPDX-License-Identifier: MIT OR Apache-2.0
//! The `sweep` command: the same measurement by every policy, timer, method of waiting and way to idle, one after the other.
//!
//! It needs a table of its own, that of the image `takt-sweep`: a level that runs by deadline ([`DEADLINES`]) and one in turn
//! ([`TURNS`]), a task for timers, and the console task [`console_with_sweep`](crate::commands::console_with_sweep).

#[cfg(target_os = "none")]
mod command;
#[cfg(target_os = "none")]
mod measurement;
mod options;
#[cfg(target_os = "none")]
mod timers;

#[cfg(target_os = "none")]
pub(crate) use command::{COMMAND, run};
pub use options::{Combination, IdleWord, MAX_COMBINATIONS, MethodWord, Policy, SweepOptions};

/// The priority of the level whose tasks run by deadline.
pub const DEADLINES: u8 = 30;
/// The priority of the level whose tasks run in turn.
pub const TURNS: u8 = 31;
