// SPDX-License-Identifier: MIT OR Apache-2.0
//! A short list that grows while the compiler runs.

/// Up to `MOST` of them. More are counted only, for the check of the table to refuse them.
#[derive(Clone, Copy, Debug)]
pub struct Few<T, const MOST: usize> {
    places: [T; MOST],
    count: u8,
}

impl<T: Copy, const MOST: usize> Few<T, MOST> {
    /// None; `filler` is what lies in the places, and nobody sees.
    #[must_use]
    pub const fn none(filler: T) -> Self {
        Self { places: [filler; MOST], count: 0 }
    }

    /// These and `one`.
    #[must_use]
    pub const fn with(mut self, one: T) -> Self {
        let mut place = 0;
        let mut rest = self.places.as_mut_slice();
        while let [first, others @ ..] = rest {
            if place == self.count {
                *first = one;
            }
            place = place.saturating_add(1);
            rest = others;
        }
        self.count = self.count.saturating_add(1);
        self
    }

    /// They, in the order in which they came.
    #[must_use]
    pub const fn as_slice(&self) -> &[T] {
        match self.places.split_at_checked(self.count as usize) {
            Some((named, _)) => named,
            None => &self.places,
        }
    }

    /// Whether there are more than have a place.
    #[must_use]
    pub const fn are_too_many(&self) -> bool {
        self.count as usize > MOST
    }
}

#[cfg(test)]
mod tests {
    use super::Few;

    #[test]
    fn more_than_have_a_place_are_counted() {
        let none = Few::<_, 2>::none(0);
        assert!(none.as_slice().is_empty());
        let two = none.with(5).with(6);
        assert_eq!((two.as_slice(), two.are_too_many()), ([5, 6].as_slice(), false));
        let three = two.with(7);
        assert_eq!((three.as_slice(), three.are_too_many()), ([5, 6].as_slice(), true));
    }
}
