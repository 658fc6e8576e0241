// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is out of the ordinary with a task.

/// What a task holds: how many mutexes with inheritance, and whether it stands in a ceiling's level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Locks(u8);

impl Locks {
    /// Nothing.
    pub const NONE: Self = Self(0);
    /// Above the count of mutexes with inheritance.
    const CEILING: u8 = 8;
    /// The most mutexes with inheritance: a power of two.
    pub(crate) const MOST: u8 = 4;

    /// Whether it holds no mutex of either kind.
    #[inline(always)]
    #[must_use]
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// Whether it holds a mutex with a ceiling.
    #[must_use]
    pub const fn has_ceiling(self) -> bool {
        self.0 & Self::CEILING != 0
    }

    /// Whether it holds the most mutexes with inheritance that a task can.
    #[inline(always)]
    #[must_use]
    pub const fn are_the_most(self) -> bool {
        // The count's highest bit.
        self.0 & Self::MOST != 0
    }

    #[inline(always)]
    pub(super) const fn with_ceiling(self) -> Self {
        Self(self.0 | Self::CEILING)
    }

    /// These and one with inheritance.
    #[inline(always)]
    pub(crate) const fn one_more(self) -> Self {
        Self(self.0.wrapping_add(1))
    }

    /// These without the latest with inheritance.
    #[inline(always)]
    pub(crate) const fn one_less(self) -> Self {
        Self(self.0.wrapping_sub(1))
    }

    /// As a byte, which has the number of mutexes with inheritance in its lowest three bits.
    #[inline(always)]
    pub(crate) const fn byte(self) -> u8 {
        self.0
    }
}

/// What a task holds, and the mark of the level in which it stands while it is ready, or of the place, if that is no task's: two
/// bytes that one look takes in, all zeros where nothing is out of the ordinary.
#[derive(Clone, Copy, Debug)]
#[repr(align(2))]
pub(super) struct Special([u8; 2]);

impl Special {
    pub(super) const NOTHING: Self = Self([0; 2]);
    /// In a mark: the level runs the earliest deadline first.
    pub(super) const BY_DEADLINE: u8 = 1;
    /// In a mark: the task's deadline is that of one that waits for it.
    pub(super) const LENT: u8 = 2;
    /// In a mark: no task's place.
    pub(super) const WATCH: u8 = 4;

    #[inline(always)]
    pub(super) const fn is_nothing(self) -> bool {
        u16::from_ne_bytes(self.0) == 0
    }

    #[inline(always)]
    pub(super) const fn locks(self) -> Locks {
        let [locks, _] = self.0;
        Locks(locks)
    }

    #[inline(always)]
    pub(super) const fn set_locks(&mut self, locks: Locks) {
        let [place, _] = &mut self.0;
        *place = locks.0;
    }

    #[inline(always)]
    pub(super) const fn mark(self) -> u8 {
        let [_, mark] = self.0;
        mark
    }

    /// Changes those bits of the mark that are not in `kept`.
    pub(super) const fn set_mark(&mut self, kept: u8, bits: u8) {
        let [_, mark] = &mut self.0;
        *mark = *mark & kept | bits;
    }
}
