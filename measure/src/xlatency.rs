// SPDX-License-Identifier: MIT OR Apache-2.0
//! Xenomai's `latency`: its options, which are also tested on a PC, and the measurement, on the device alone.

#[cfg(target_os = "none")]
mod measurement;
pub mod options;

#[cfg(target_os = "none")]
pub(crate) use measurement::{COMMAND, run_as};
