// SPDX-License-Identifier: MIT OR Apache-2.0
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

    /// Every place in the order of urgency.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..CAPACITY).filter_map(Self::new)
    }

    /// The place in the order of urgency, 0 to 63.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize % CAPACITY
    }

    /// The task of a number that [`Self::number`] gave.
    #[inline(always)]
    pub(crate) const fn from_number(number: u8) -> Self {
        Self(number)
    }

    /// The same place as a byte, which the compiler knows to be one.
    #[inline(always)]
    pub(crate) const fn number(self) -> u8 {
        self.0
    }

    /// Stands for whoever holds a mutex whose ceiling is at `level`, in a level of its own: beyond all tasks.
    #[inline(always)]
    pub(crate) const fn holder_at(level: Self) -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "64")]
        Self(level.0.wrapping_add(CAPACITY as u8))
    }

    /// The task whose bit is the first set one in `set`, counted from bit 63. The set has a bit; the idle task's is the
    /// last.
    #[inline(always)]
    pub const fn first_of(set: u64) -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "at most 64")]
        Self(set.leading_zeros() as u8)
    }

    /// This task's bit in a set of tasks: bit 63 for the most urgent.
    #[inline(always)]
    pub const fn bit(self) -> u64 {
        (1_u64 << 63).wrapping_shr(self.0 as u32)
    }
}

/// One `T` for every task.
///
/// There are as many places as a byte has values, so that a task's number is an index without a bounds check and without
/// a mask: the places that no task has cost memory, and the interrupt path saves an instruction at each access. Some of
/// them stand for holders of mutexes.
#[derive(Clone, Debug)]
pub struct PerTask<T>([T; PLACES]);

const PLACES: usize = 1 << u8::BITS;

impl<T: Copy> PerTask<T> {
    /// The same value for every task.
    pub const fn all(value: T) -> Self {
        Self([value; PLACES])
    }

    /// Takes over the values of another.
    pub fn copy_from(&mut self, other: &Self) {
        self.0.copy_from_slice(&other.0);
    }

    /// The values of the tasks in the order of urgency.
    pub const fn new(values: [T; CAPACITY]) -> Self {
        let [first, ..] = values;
        let mut all = Self::all(first);
        let (mut places, mut values) = (all.0.as_mut_slice(), values.as_slice());
        while let ([place, other_places @ ..], [value, other_values @ ..]) = (places, values) {
            *place = *value;
            (places, values) = (other_places, other_values);
        }
        all
    }
}

impl<T> Index<TaskId> for PerTask<T> {
    type Output = T;

    #[inline(always)]
    #[expect(clippy::indexing_slicing, reason = "a byte is below the number of places")]
    fn index(&self, task: TaskId) -> &T {
        &self.0[usize::from(task.0)]
    }
}

impl<T> IndexMut<TaskId> for PerTask<T> {
    #[inline(always)]
    #[expect(clippy::indexing_slicing, reason = "a byte is below the number of places")]
    fn index_mut(&mut self, task: TaskId) -> &mut T {
        &mut self.0[usize::from(task.0)]
    }
}
