// SPDX-License-Identifier: MIT OR Apache-2.0
//! The schedule of `load hell`: bursts of 15 to 25 s, and pauses of up to 30 s between them, as the `load.sh` has them that is
//! published with results of `dohell`. What comes when is a function of the seed alone, whatever cores there are.

use super::{CORES, KINDS, Kind};

/// How long a burst is at the least, and by how much longer at the most.
const LEAST_BURST_US: u64 = 15_000_000;
const BURST_SPREAD_US: u64 = 10_000_000;
/// How long a pause is at the most.
const LONGEST_PAUSE_US: u64 = 30_000_000;

/// Of so many kinds one runs on a core in a burst, on average.
const ONE_OF: u64 = 3;

/// A burst and the pause behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Burst {
    /// How long it is.
    pub burst_us: u64,
    /// How long nothing runs behind it.
    pub pause_us: u64,
    /// The levels of the kinds on each core, in per cent: 10, 20 and so on, and 0 where one does not run.
    pub levels: [[u8; KINDS]; CORES],
}

/// The bursts, one after the other.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// SplitMix64's state: any seed is good, and the steps are few.
    state: u64,
}

impl Schedule {
    /// The bursts of this seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next burst.
    #[must_use]
    pub fn next_burst(&mut self) -> Burst {
        let burst_us = LEAST_BURST_US.wrapping_add(self.up_to(BURST_SPREAD_US));
        let pause_us = self.up_to(LONGEST_PAUSE_US);
        let mut levels = [[0; KINDS]; CORES];
        for (core, levels) in levels.iter_mut().enumerate() {
            // One at the least, that every core can run.
            let always = self.up_to(Kind::Messages as u64);
            for (number, (level, kind)) in (0..).zip(levels.iter_mut().zip(Kind::ALL)) {
                let (is_drawn, tenths) = (self.up_to(ONE_OF.wrapping_sub(1)) == 0, self.up_to(9));
                let is_possible = core == 0 || !kind.uses_a_device();
                if is_possible && (is_drawn || number == always) {
                    *level = u8::try_from(tenths.wrapping_add(1).wrapping_mul(10)).unwrap_or(100);
                }
            }
        }
        Burst { burst_us, pause_us, levels }
    }

    /// A number of 0 to `most`, which is far below 2^64: what the remainder prefers is not to be seen.
    fn up_to(&mut self, most: u64) -> u64 {
        self.next_number().checked_rem(most.wrapping_add(1)).unwrap_or(0)
    }

    /// SplitMix64, of Steele, Lea and Flood, with Vigna's constants.
    fn next_number(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::{Burst, CORES, KINDS, Kind, Schedule};

    fn bursts(seed: u64) -> Vec<Burst> {
        let mut schedule = Schedule::new(seed);
        (0..2_000).map(|_| schedule.next_burst()).collect()
    }

    #[test]
    fn the_numbers_are_splitmix64s() {
        let mut schedule = Schedule::new(1_234_567);
        let numbers: Vec<u64> = (0..3).map(|_| schedule.next_number()).collect();
        assert_eq!(numbers, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn bursts_are_15_to_25_s_and_pauses_up_to_30() {
        let bursts = bursts(1);
        let (burst, pause) = (|burst: &Burst| burst.burst_us, |burst: &Burst| burst.pause_us);
        let range = |of: fn(&Burst) -> u64| {
            let all = bursts.iter().map(of);
            (all.clone().min().unwrap(), all.max().unwrap())
        };
        let (least, most) = range(burst);
        assert!(
            (15_000_000..15_100_000).contains(&least) && (24_900_000..=25_000_000).contains(&most),
            "{least} {most}"
        );
        let (least, most) = range(pause);
        assert!(least < 100_000 && (29_900_000..=30_000_000).contains(&most), "{least} {most}");
    }

    #[test]
    fn every_kind_runs_at_every_level_where_it_can_and_no_core_is_idle() {
        let mut seen = [[[0_u32; 11]; KINDS]; CORES];
        for burst in bursts(2) {
            for (core, levels) in burst.levels.iter().enumerate() {
                assert!(levels.iter().any(|level| *level > 0), "{burst:?}");
                for (kind, level) in levels.iter().enumerate() {
                    assert_eq!(level % 10, 0);
                    seen[core][kind][usize::from(level / 10)] += 1;
                }
            }
        }
        for (core, kinds) in seen.iter().enumerate() {
            for (kind, levels) in Kind::ALL.iter().zip(kinds) {
                let is_possible = core == 0 || !kind.uses_a_device();
                assert_eq!(levels[1..].iter().all(|count| *count > 0), is_possible, "{kind:?} on {core}: {levels:?}");
                assert_eq!(levels[1..].iter().any(|count| *count > 0), is_possible, "{kind:?} on {core}: {levels:?}");
            }
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_and_another_one_another() {
        assert_eq!(bursts(42), bursts(42));
        assert_ne!(bursts(42)[..10], bursts(43)[..10]);
    }
}
