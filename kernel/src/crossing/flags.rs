// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which event flags one core set of another's.

#[cfg(not(test))]
use core::sync::atomic::{AtomicU32, Ordering};
#[cfg(test)]
use loom::sync::atomic::{AtomicU32, Ordering};

/// Flags that one core sets and another takes. Zero while they are new.
#[derive(Debug)]
pub struct Flags(AtomicU32);

impl Flags {
    /// None.
    #[must_use]
    #[cfg(not(test))]
    #[expect(clippy::new_without_default, reason = "it is part of a static")]
    pub const fn new() -> Self {
        Self(AtomicU32::new(0))
    }

    /// The same for loom, whose atomics are not constant.
    #[cfg(test)]
    pub(super) fn new() -> Self {
        Self(AtomicU32::new(0))
    }

    /// Sets these. Called by the sender.
    #[inline(always)]
    pub fn send(&self, flags: u32) {
        // Release: what the sender did before it set a flag is seen by who finds it, also where an earlier flag's bit brings it.
        self.0.fetch_or(flags, Ordering::Release);
    }

    /// Takes all that are set. Called by the receiver.
    pub fn take(&self) -> u32 {
        self.0.swap(0, Ordering::Acquire)
    }
}
