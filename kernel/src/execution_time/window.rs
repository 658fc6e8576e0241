// SPDX-License-Identifier: MIT OR Apache-2.0
//! Shares of the core between two looks at what was executed.

use core::fmt;

use crate::{CAPACITY, TaskId};

/// Who can have the core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum User {
    /// A task, the idle task among them.
    Task(TaskId),
    /// All interrupt handlers.
    Interrupts,
}

/// As many as there can be.
const USERS: usize = CAPACITY + 1;

impl User {
    /// Everybody, tasks by urgency, then the idle task, then interrupts.
    pub fn all() -> impl Iterator<Item = Self> {
        TaskId::all().map(Self::Task).chain([Self::Interrupts])
    }

    const fn place(self) -> usize {
        match self {
            Self::Task(task) => task.index(),
            Self::Interrupts => CAPACITY,
        }
    }
}

/// What everybody executed between the latest look and the one before it.
#[derive(Clone, Debug)]
pub struct Window {
    last_half_ticks: [u64; USERS],
    gained_half_ticks: [u64; USERS],
}

/// Somebody's part of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// Whose.
    pub user: User,
    /// For how long, in half ticks.
    pub half_ticks: u64,
    /// Tenths of a percent of the whole.
    pub per_mille: u16,
}

impl Default for Window {
    fn default() -> Self {
        Self::new()
    }
}

impl Window {
    /// Before the first look, which is at everything from the start on.
    #[must_use]
    pub const fn new() -> Self {
        Self { last_half_ticks: [0; USERS], gained_half_ticks: [0; USERS] }
    }

    /// What `user` has executed in all; a look is this for everybody, all at the same instant.
    pub fn note(&mut self, user: User, executed_half_ticks: u64) {
        let place = user.place();
        let Some(last) = self.last_half_ticks.get_mut(place) else { return };
        let Some(gained) = self.gained_half_ticks.get_mut(place) else { return };
        *gained = executed_half_ticks.wrapping_sub(core::mem::replace(last, executed_half_ticks));
    }

    /// How long the window is, in half ticks.
    #[must_use]
    pub fn length_half_ticks(&self) -> u64 {
        self.gained_half_ticks.iter().fold(0, |sum, &part| sum.wrapping_add(part))
    }

    /// Everybody's share, those without one included. In tenths of a percent they are a thousand together, where the window
    /// is not empty: each has what the sum up to it, rounded down, gains by it. So one may be off by less than a tenth, and
    /// who had nothing has none.
    pub fn shares(&self) -> impl Iterator<Item = Share> {
        let whole = self.length_half_ticks();
        // A thousand times the whole shall fit.
        let shift = 10_u32.saturating_sub(whole.leading_zeros());
        let rounded = move |sum: u64| {
            let sum = sum.wrapping_shr(shift).wrapping_mul(1_000);
            u16::try_from(sum.checked_div(whole.wrapping_shr(shift)).unwrap_or(0)).unwrap_or(1_000)
        };
        let mut before: u64 = 0;
        User::all().zip(&self.gained_half_ticks).map(move |(user, &half_ticks)| {
            let behind = before.wrapping_add(half_ticks);
            let per_mille = rounded(behind).wrapping_sub(rounded(before));
            before = behind;
            Share { user, half_ticks, per_mille }
        })
    }
}

/// In percent, `12.3%`.
impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}%", self.per_mille / 10, self.per_mille % 10)
    }
}
