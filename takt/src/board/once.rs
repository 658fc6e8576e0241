// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is given once.

use core::sync::atomic::{AtomicBool, Ordering};

/// Whether something was taken.
#[derive(Debug)]
pub(crate) struct Once(AtomicBool);

impl Once {
    /// Nobody has it yet.
    pub(crate) const fn new() -> Self {
        Self(AtomicBool::new(false))
    }

    /// Whether the caller is the first to ask.
    pub(crate) fn take(&self) -> bool {
        !self.0.swap(true, Ordering::Acquire)
    }
}
