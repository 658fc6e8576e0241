// SPDX-License-Identifier: MIT OR Apache-2.0
//! What was received badly or not at all, counted by name.

use core::fmt;
use core::sync::atomic::{AtomicU32, Ordering};

use embedded_io::ErrorKind;

/// What went wrong with received bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReceiveError {
    /// Bytes found the device's FIFO full and were lost: interrupts came too late.
    Overrun,
    /// Bytes found takt's ring full and were lost: the task reads too slowly.
    NoRoom,
    /// Bytes without a stop bit were thrown away, as when the two ends differ in baud.
    Framing,
    /// Bytes with a wrong parity bit were thrown away.
    Parity,
    /// The line was held low for longer than a character.
    Break,
}

impl ReceiveError {
    /// All of them, in the order in which they are told.
    const ALL: [Self; 5] = [Self::Overrun, Self::NoRoom, Self::Framing, Self::Parity, Self::Break];

    const fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for ReceiveError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Overrun => {
                "serial: bytes were lost in the device, whose FIFO was full; shorten what keeps interrupts waiting, or \
                 lower the baud"
            }
            Self::NoRoom => "serial: bytes were lost since the ring was full; read more often",
            Self::Framing => "serial: a byte had no stop bit and was thrown away; check the baud of both ends",
            Self::Parity => "serial: a byte had a wrong parity bit and was thrown away; check the parity of both ends",
            Self::Break => {
                "serial: the line was held low for longer than a character; the other end sent a break, or is off"
            }
        })
    }
}

impl core::error::Error for ReceiveError {}

impl embedded_io::Error for ReceiveError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Overrun | Self::NoRoom => ErrorKind::OutOfMemory,
            Self::Framing | Self::Parity => ErrorKind::InvalidData,
            Self::Break => ErrorKind::Interrupted,
        }
    }
}

/// How often something went wrong with received bytes, since the start. A count wraps at 2^32.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReceiveCounts([u32; ReceiveError::ALL.len()]);

impl ReceiveCounts {
    /// How often. [`ReceiveError::Overrun`] counts occasions, at each of which a byte or more was lost; all others count
    /// bytes, or breaks.
    #[must_use]
    pub fn of(&self, error: ReceiveError) -> u32 {
        self.0.get(error.index()).copied().unwrap_or(0)
    }

    /// Whether nothing went wrong.
    #[must_use]
    pub fn are_zero(&self) -> bool {
        *self == Self::default()
    }

    /// The first error that `now` has more of; it is taken over from there.
    pub(super) fn catch_up(&mut self, now: &Self) -> Option<ReceiveError> {
        let error = ReceiveError::ALL.into_iter().find(|&error| self.of(error) != now.of(error))?;
        if let Some(count) = self.0.get_mut(error.index()) {
            *count = now.of(error);
        }
        Some(error)
    }
}

/// The same, as the handler counts.
#[derive(Debug)]
pub(crate) struct Counters([AtomicU32; ReceiveError::ALL.len()]);

impl Counters {
    pub(crate) const fn new() -> Self {
        Self([const { AtomicU32::new(0) }; ReceiveError::ALL.len()])
    }

    /// Counts one more. Called by the one handler, hence a load and a store.
    pub(crate) fn count(&self, error: ReceiveError) {
        if let Some(counter) = self.0.get(error.index()) {
            counter.store(counter.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
        }
    }

    pub(crate) fn read(&self) -> ReceiveCounts {
        let mut counts = ReceiveCounts::default();
        for (count, counter) in counts.0.iter_mut().zip(&self.0) {
            *count = counter.load(Ordering::Relaxed);
        }
        counts
    }
}
