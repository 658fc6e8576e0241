// SPDX-License-Identifier: MIT OR Apache-2.0
//! What takt decides, without hardware: this crate runs and is tested on a PC.
//!
//! In the order in which a sample travels: [`time`] counts in half ticks, [`release`] says when a periodic task is
//! due and [`response`] how long its jobs took, [`delay`] which deadline is first, [`time_base`] which compare value that
//! is; [`ready`] and [`executive`] who runs, [`execution_time`] for how long, [`budget`] and for how long at the most; [`histogram`] where the measured lateness is
//! binned and [`report`] how it is printed; [`trace`] how what happened is noted. [`table`] checks the task table while the
//! compiler runs, and [`schedulability`] whether its tasks end in time; [`boot_words`] cuts the boot line into words.
//!
//! Four rules: no `unsafe`, no register, no allocation, absolute time.

#![no_std]
#![forbid(unsafe_code)]

#[cfg(test)]
extern crate std;

pub mod boot_words;
pub mod budget;
pub mod crossing;
pub mod delay;
pub mod execution_time;
pub mod executive;
pub mod gaps;
pub mod histogram;
pub mod levels;
pub mod objects;
mod per;
pub mod priority;
pub mod ready;
pub mod release;
pub mod report;
pub mod response;
pub mod schedulability;
pub mod sentence;
pub mod table;
pub mod time;
pub mod time_base;
pub mod trace;
pub mod waiters;

pub use per::{CAPACITY, PerTask, TaskId};
