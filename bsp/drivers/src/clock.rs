// SPDX-License-Identifier: MIT OR Apache-2.0
//! What bounds a driver's waits: a clock that the caller hands in. On the board it is the core's counter, on a PC one that
//! the tests move.

/// Microseconds in a second.
const US_PER_S: u64 = 1_000_000;
/// Nanoseconds in a second.
const NS_PER_S: u64 = 1_000_000_000;

/// A counter that goes on by itself at a fixed rate.
pub trait Clock {
    /// The counter, which wraps at 2^64.
    fn ticks(&self) -> u64;

    /// Its rate, in Hz.
    fn rate_hz(&self) -> u64;
}

impl<C: Clock + ?Sized> Clock for &C {
    fn ticks(&self) -> u64 {
        (**self).ticks()
    }

    fn rate_hz(&self) -> u64 {
        (**self).rate_hz()
    }
}

/// A point in time up to which something is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadline {
    start: u64,
    ticks: u64,
}

impl Deadline {
    /// The deadline that comes `us` microseconds from now, or up to two ticks later.
    #[must_use]
    pub fn after_us(clock: &impl Clock, us: u64) -> Self {
        Self::after(clock, us, US_PER_S)
    }

    /// The deadline that comes `ns` nanoseconds from now, or up to two ticks later.
    #[must_use]
    pub fn after_ns(clock: &impl Clock, ns: u64) -> Self {
        Self::after(clock, ns, NS_PER_S)
    }

    /// `per_s` is how many of the time's units a second has.
    fn after(clock: &impl Clock, time: u64, per_s: u64) -> Self {
        let start = clock.ticks();
        Self { start, ticks: time.saturating_mul(clock.rate_hz()).div_ceil(per_s.max(1)) }
    }

    /// Whether it has come. The first tick does not count, since it may have been nearly over.
    #[must_use]
    pub fn has_passed(&self, clock: &impl Clock) -> bool {
        clock.ticks().wrapping_sub(self.start) > self.ticks
    }

    /// Waits until `is_so`, and answers whether it was so before the deadline.
    ///
    /// It is asked once more after the deadline: a task that was held up between two looks has not waited for nothing.
    #[must_use = "the time may be up"]
    pub fn wait_until(&self, clock: &impl Clock, mut is_so: impl FnMut() -> bool) -> bool {
        while !is_so() {
            if self.has_passed(clock) {
                return is_so();
            }
        }
        true
    }

    /// Waits until it has come.
    pub fn wait(&self, clock: &impl Clock) {
        while !self.has_passed(clock) {}
    }
}

#[cfg(test)]
mod tests {
    use core::cell::Cell;

    use super::*;

    /// A clock on which each look takes a tick.
    struct Steps(Cell<u64>, u64);

    impl Clock for Steps {
        fn ticks(&self) -> u64 {
            self.0.set(self.0.get().wrapping_add(1));
            self.0.get()
        }

        fn rate_hz(&self) -> u64 {
            self.1
        }
    }

    #[test]
    fn a_deadline_passes_after_its_time_even_across_the_wrap() {
        for start in [0, u64::MAX - 2] {
            let clock = Steps(Cell::new(start), 62_500_000);
            // 1 µs is 62.5 ticks, so 63.
            let deadline = Deadline::after_us(&clock, 1);
            let looks = (1..).find(|_| deadline.has_passed(&clock));
            assert_eq!(looks, Some(64));
        }
    }

    #[test]
    fn waiting_ends_with_what_was_waited_for_or_with_the_time() {
        let clock = Steps(Cell::new(0), 1_000_000);
        let mut looks = 0;
        let mut third = || {
            looks += 1;
            looks == 3
        };
        assert!(Deadline::after_us(&clock, 10).wait_until(&clock, &mut third));
        assert!(!Deadline::after_us(&clock, 10).wait_until(&clock, || false));
    }

    #[test]
    fn what_came_while_the_caller_was_held_up_counts() {
        let clock = Steps(Cell::new(0), 1_000_000);
        let deadline = Deadline::after_us(&clock, 10);
        let mut looks = 0;
        assert!(deadline.wait_until(&clock, || {
            looks += 1;
            clock.0.set(1_000);
            looks == 2
        }));
    }

    #[test]
    fn a_wait_takes_at_least_its_time() {
        let clock = Steps(Cell::new(0), 54_000_000);
        Deadline::after_ns(&clock, 1_000).wait(&clock);
        assert_eq!(clock.ticks(), 1 + 54 + 1 + 1);
        Deadline::after_ns(&clock, 0).wait(&clock);
        Deadline::after_us(&clock, 10).wait(&clock);
        assert!(clock.ticks() > 54 + 540);
    }
}
