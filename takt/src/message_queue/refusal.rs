// SPDX-License-Identifier: MIT OR Apache-2.0
//! Why a message was not sent. The message is given back.

use core::fmt;

use takt_kernel::time::Instant;

/// There was no place for a message.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Full<T> {
    /// The message.
    pub message: T,
}

/// There was no place for a message by the deadline.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct SendTimedOut<T> {
    /// The message.
    pub message: T,
    /// The deadline.
    pub deadline: Instant,
}

// Not derived, so that messages need not have it.
impl<T> fmt::Debug for Full<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Full").finish_non_exhaustive()
    }
}

impl<T> fmt::Debug for SendTimedOut<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SendTimedOut").field("deadline", &self.deadline).finish_non_exhaustive()
    }
}

impl<T> fmt::Display for Full<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "a message found no place, since as many wait to be received as there are places; give it more, or a receiver \
             that is more urgent",
        )
    }
}

impl<T> fmt::Display for SendTimedOut<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "a message found no place by the deadline, {} half ticks after the counter's zero; wait longer, or see why \
             nobody receives",
            self.deadline.half_ticks()
        )
    }
}

impl<T> core::error::Error for Full<T> {}

impl<T> core::error::Error for SendTimedOut<T> {}
