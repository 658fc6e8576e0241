// SPDX-License-Identifier: MIT OR Apache-2.0
//! The `calibrate` command: measures the shortest way from the due instant to the stage that consumes a release, and has the slots
//! of a core released that much earlier.

pub mod options;

#[cfg(target_os = "none")]
mod command;

#[cfg(target_os = "none")]
pub(crate) use command::COMMAND;
