// SPDX-License-Identifier: MIT OR Apache-2.0
//! Measuring a board, beside whatever else runs on it.
//!
//! What is to be measured, and when; this part is also tested on a PC:
//!
//! * `load` and `hwlat` read what those commands ask for, and `load` has the schedule of its random bursts;
//! * `boot_line` finds takt's words in the kernel command line and the commands of `autorun`;
//! * `options` reads the words of a `latency` command, which mean what they mean in cyclictest, and `xlatency` those of Xenomai's;
//! * `calibrate` and `sweep` read what those commands ask for;
//! * `editor` edits the line that is typed; `story` tells a maximum from the events before it.
//!
//! The tasks for an application's table, on the device alone:
//!
//! * `slots` are the measuring tasks, `Task::slot(slot::<0>)` and so on;
//! * `helpers` keep the processor busy or hand it to each other, for `bench`;
//! * `actors` have no part of their own: the suites of `bench` give them one;
//! * `load` has those that disturb a measurement on purpose;
//! * `wake` has two tasks for each core, one that wakes and one that is woken, where the table has tasks on all cores;
//! * `commands` is the console task: it runs the boot line's commands and those that are typed. A command is a static `COMMAND` beside
//!   what it does, in `latency`, `bench`, `trace` and so on, and a line in `commands/table.rs`; a suite of `bench` is a static `SUITE`.
//!
//! Three rules: words become data here and nowhere else; what is given is used or refused in a sentence, never
//! adjusted; nothing is allocated, so everything read borrows from the line it stood in.

#![cfg(any(test, target_os = "none"))]
#![no_std]
#![forbid(unsafe_code)]

#[cfg(test)]
extern crate std;

#[cfg(target_os = "none")]
use takt::kernel;
#[cfg(not(target_os = "none"))]
use takt_kernel as kernel;

#[cfg(target_os = "none")]
pub mod actors;
#[cfg(target_os = "none")]
mod alignment;
#[cfg(target_os = "none")]
mod anticipation;
#[cfg(target_os = "none")]
pub mod bench;
pub mod boot_line;
pub mod calibrate;
#[cfg(target_os = "none")]
pub mod commands;
#[cfg(target_os = "none")]
mod cross_check;
pub mod editor;
#[cfg(target_os = "none")]
mod execution;
#[cfg(target_os = "none")]
mod feed;
#[cfg(target_os = "none")]
mod freeze;
#[cfg(target_os = "none")]
pub mod helpers;
pub mod hwlat;
#[cfg(target_os = "none")]
mod latency;
pub mod load;
pub mod options;
#[cfg(target_os = "none")]
mod provenance;
#[cfg(target_os = "none")]
mod refusal;
#[cfg(target_os = "none")]
mod sleep;
#[cfg(target_os = "none")]
pub mod slots;
#[cfg(target_os = "none")]
mod spread;
#[cfg(target_os = "none")]
mod stacks;
pub mod story;
pub mod sweep;
#[cfg(target_os = "none")]
mod trace;
#[cfg(target_os = "none")]
pub mod wake;
#[cfg(target_os = "none")]
mod watch;
mod words;
pub mod xlatency;

#[cfg(target_os = "none")]
use sleep::sleep;
