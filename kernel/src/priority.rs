// SPDX-License-Identifier: MIT OR Apache-2.0
//! Priorities, where the smaller number is the more urgent.

/// How urgent a task is: 1 is the most urgent, 254 the least; 255 belongs to the idle task. The words are RTEMS's.
///
/// There is no `Ord` on purpose, because "greater" could be read either way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Priority(u8);

impl Priority {
    /// The idle task's, less urgent than every other.
    pub const IDLE: Self = Self(255);

    /// Above every task's: the ceiling of who locks preemption.
    pub const ABOVE_ALL: Self = Self(0);

    /// The priority `number`, of 1 (most urgent) to 254 (least urgent); `None` outside.
    pub const fn new(number: u8) -> Option<Self> {
        if number == 0 || number == Self::IDLE.0 { None } else { Some(Self(number)) }
    }

    /// The ceiling `number`: a task's priority, or 0 for [`Self::ABOVE_ALL`]; `None` for 255.
    pub const fn ceiling(number: u8) -> Option<Self> {
        if number == Self::ABOVE_ALL.0 { Some(Self::ABOVE_ALL) } else { Self::new(number) }
    }

    /// The number, 0 to 255; a task's is 1 to 254.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Whether a task of this priority runs before one of `other`.
    pub const fn is_more_urgent_than(self, other: Self) -> bool {
        self.0 < other.0
    }
}

/// Some priorities.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PrioritySet([u64; 4]);

impl PrioritySet {
    /// None.
    pub const EMPTY: Self = Self([0; 4]);

    /// These and `priority`.
    #[must_use]
    pub const fn with(mut self, priority: Priority) -> Self {
        let [first, second, third, fourth] = &mut self.0;
        let word = match priority.0 >> 6 {
            0 => first,
            1 => second,
            2 => third,
            _ => fourth,
        };
        *word |= 1_u64.wrapping_shl(priority.0 as u32);
        self
    }

    /// Whether `priority` is one of them.
    #[must_use]
    pub const fn contains(&self, priority: Priority) -> bool {
        let [first, second, third, fourth] = self.0;
        let word = match priority.0 >> 6 {
            0 => first,
            1 => second,
            2 => third,
            _ => fourth,
        };
        word.wrapping_shr(priority.0 as u32) & 1 != 0
    }

    /// All of them, the most urgent first.
    pub fn iter(&self) -> impl Iterator<Item = Priority> {
        self.0.into_iter().zip(0_u8..).flat_map(|(mut word, index)| {
            core::iter::from_fn(move || {
                let place = word.trailing_zeros();
                // Takes the lowest bit away.
                word &= word.wrapping_sub(1);
                #[expect(clippy::cast_possible_truncation, reason = "at most 64")]
                (place < u64::BITS).then(|| Priority(index.wrapping_mul(64).wrapping_add(place as u8)))
            })
        })
    }

    /// How many there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        let [first, second, third, fourth] = self.0;
        let low = first.count_ones().wrapping_add(second.count_ones());
        low.wrapping_add(third.count_ones()).wrapping_add(fourth.count_ones()) as usize
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::{Priority, PrioritySet};

    #[test]
    fn a_set_has_what_was_put_in_and_nothing_else() {
        let numbers = [1, 63, 64, 127, 128, 191, 192, 254];
        let set = numbers.iter().fold(PrioritySet::EMPTY, |set, &number| set.with(Priority::new(number).unwrap()));
        for number in 1..=254 {
            assert_eq!(set.contains(Priority::new(number).unwrap()), numbers.contains(&number), "{number}");
        }
        assert_eq!(set.len(), numbers.len());
        assert!(set.iter().map(Priority::number).eq(numbers));
        assert!(PrioritySet::EMPTY.is_empty() && !set.is_empty());
    }

    #[test]
    fn one_is_the_most_urgent() {
        let first = Priority::new(1).unwrap();
        let last = Priority::new(254).unwrap();
        assert!(first.is_more_urgent_than(last) && last.is_more_urgent_than(Priority::IDLE));
        assert!(!last.is_more_urgent_than(first) && !first.is_more_urgent_than(first));
    }

    #[test]
    fn zero_and_the_idle_priority_are_not_for_tasks() {
        assert_eq!(Priority::new(0), None);
        assert_eq!(Priority::new(255), None);
    }

    #[test]
    fn a_ceiling_is_a_priority_or_above_all() {
        let above = Priority::ceiling(0).unwrap();
        assert!(above == Priority::ABOVE_ALL && above.is_more_urgent_than(Priority::new(1).unwrap()));
        assert_eq!(Priority::ceiling(7), Priority::new(7));
        assert_eq!(Priority::ceiling(255), None);
        let set = PrioritySet::EMPTY.with(above).with(Priority::new(64).unwrap());
        assert!(set.contains(above) && set.iter().map(Priority::number).eq([0, 64]));
    }
}
