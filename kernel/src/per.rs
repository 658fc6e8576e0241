//! Arrays with one place for every task, which need no bounds check.

use core::ops::{Index, IndexMut};

/// The most tasks a core can have, the idle task included: as many as there are bits in a word.
pub const CAPACITY: usize = 64;

/// A task of one core, by its place in the order of urgency: 0 is the most urgent of the table, and the idle task has
/// the last place, 63.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TaskId(u8);

impl TaskId {
    /// The task that runs when no other can.
    pub const IDLE: Self = Self(63);

    /// The task in place `rank` of the order of urgency; `None` from 64 on.
    pub const fn new(rank: usize) -> Option<Self> {
        #[expect(clippy::cast_possible_truncation, reason = "less than 64 in this arm")]
        if rank < CAPACITY { Some(Self(rank as u8)) } else { None }
    }

    /// The place in the order of urgency, 0 to 63.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize % CAPACITY
    }

    /// The task whose bit is the first set one in `set`, counted from bit 63; the idle task for an empty set.
    #[inline(always)]
    pub const fn from_leading_zeros(set: u64) -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "at most 63")]
        Self((set | Self::IDLE.bit()).leading_zeros() as u8)
    }

    /// This task's bit in a set of tasks: bit 63 for the most urgent.
    #[inline(always)]
    pub const fn bit(self) -> u64 {
        (1 << 63) >> self.index()
    }
}

/// One `T` for every task.
#[derive(Clone, Debug)]
pub struct PerTask<T>([T; CAPACITY]);

impl<T> PerTask<T> {
    /// The values in the order of urgency.
    pub const fn new(values: [T; CAPACITY]) -> Self {
        Self(values)
    }
}

impl<T> Index<TaskId> for PerTask<T> {
    type Output = T;

    #[inline(always)]
    #[expect(clippy::indexing_slicing, reason = "an index is below the capacity by construction")]
    fn index(&self, task: TaskId) -> &T {
        &self.0[task.index()]
    }
}

impl<T> IndexMut<TaskId> for PerTask<T> {
    #[inline(always)]
    #[expect(clippy::indexing_slicing, reason = "an index is below the capacity by construction")]
    fn index_mut(&mut self, task: TaskId) -> &mut T {
        &mut self.0[task.index()]
    }
}
