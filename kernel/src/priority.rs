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

    /// The priority `number`, of 1 (most urgent) to 254 (least urgent); `None` outside.
    pub const fn new(number: u8) -> Option<Self> {
        if number == 0 || number == Self::IDLE.0 { None } else { Some(Self(number)) }
    }

    /// The number, 1 to 255.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Whether a task of this priority runs before one of `other`.
    pub const fn is_more_urgent_than(self, other: Self) -> bool {
        self.0 < other.0
    }
}

#[cfg(test)]
mod tests {
    use super::Priority;

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
}
