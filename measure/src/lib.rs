// SPDX-License-Identifier: MIT OR Apache-2.0
//! Measuring a board, beside whatever else runs on it: what is to be measured, and when.
//!
//! * [`boot_line`] finds takt's words in the kernel command line and the commands of `autorun`;
//! * [`options`] reads the words of a `latency` command, which mean what they mean in cyclictest.
//!
//! Three rules: words become data here and nowhere else; what is given is used or refused in a sentence, never
//! adjusted; nothing is allocated, so everything read borrows from the line it stood in.

#![no_std]
#![forbid(unsafe_code)]

#[cfg(test)]
extern crate std;

pub mod boot_line;
pub mod options;
