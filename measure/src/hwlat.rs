// SPDX-License-Identifier: MIT OR Apache-2.0
//! Stalls of the core that no interrupt explains, found as by Linux's `hwlat` tracer: options, and on the device the command.

#[cfg(target_os = "none")]
mod measurement;
pub mod options;

#[cfg(target_os = "none")]
pub(crate) use measurement::COMMAND;
