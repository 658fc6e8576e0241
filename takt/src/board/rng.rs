// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random numbers from the chip's noise.

use core::fmt;

use takt_rpi4::counter::Counter;
use takt_rpi4::devices;
use takt_rpi4::drivers::clock::Deadline;
use takt_rpi4::drivers::rng200::NotRandom;

use super::peripheral::{Peripheral, TakeError};

/// How long a word may take, in µs, where it takes some ten.
const PATIENCE_US: u64 = 10_000;

/// Why there is no random number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RngError {
    /// The hardware finds its bits not random, and a restart did not help.
    NotRandom(NotRandom),
    /// No word came.
    Silent,
}

impl fmt::Display for RngError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotRandom(error) => error.fmt(formatter),
            Self::Silent => {
                formatter.write_str("rng: no word came within 10 ms, where one takes microseconds; ask again")
            }
        }
    }
}

impl core::error::Error for RngError {}

/// The generator of random numbers. Dropping it lets it run on.
#[derive(Debug)]
pub struct Rng(());

impl Rng {
    /// The generator, once, and running. Called by tasks.
    ///
    /// # Errors
    /// Somebody has it, or it is not there, as in QEMU.
    pub fn take() -> Result<Self, TakeError> {
        Peripheral::Rng.claim()?;
        devices::rng200().enable();
        Ok(Self(()))
    }

    /// A random word. Keeps the core busy until one is there, for microseconds, and 20 ms at the most. Called by tasks.
    ///
    /// # Errors
    /// The hardware gives none that is good.
    pub fn word(&mut self) -> Result<u32, RngError> {
        match self.await_word() {
            Err(RngError::NotRandom(_)) => {
                devices::rng200().restart();
                self.await_word()
            }
            answer => answer,
        }
    }

    /// Fills all of `words` with random ones; each takes as long as [`Rng::word`].
    ///
    /// # Errors
    /// As for [`Rng::word`]; then the words are not to be used.
    pub fn fill(&mut self, words: &mut [u32]) -> Result<(), RngError> {
        for word in words {
            *word = self.word()?;
        }
        Ok(())
    }

    fn await_word(&mut self) -> Result<u32, RngError> {
        let deadline = Deadline::after_us(&Counter, PATIENCE_US);
        loop {
            if let Some(word) = devices::rng200().read().map_err(RngError::NotRandom)? {
                return Ok(word);
            }
            if deadline.has_passed(&Counter) {
                return Err(RngError::Silent);
            }
        }
    }
}
