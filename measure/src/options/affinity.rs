// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which core each thread is asked to be on. A task's core is fixed in its table, so what is asked for is held against that.

use super::{LatencyOptions, Limits, OptionError};

/// How many threads there are at the most.
pub const MAX_THREADS: usize = 4;

/// How many cores there are.
const CORES: u8 = 4;

/// A set of cores, a bit each; never empty.
#[derive(Clone, Copy)]
pub(super) struct CoreSet(u8);

impl CoreSet {
    /// All four.
    pub(super) const ALL: Self = Self(0b1111);

    /// Numbers and ranges with commas between, such as `0-3` or `0,2`.
    pub(super) fn read(value: &str) -> Option<Self> {
        let mut bits = 0;
        for part in value.split(',') {
            let (first, last) = match *part.as_bytes() {
                [core] => (core, core),
                [first, b'-', last] => (first, last),
                _ => return None,
            };
            if !(b'0' <= first && first <= last && last < b'0' + CORES) {
                return None;
            }
            // Those up to the last, less those before the first: the digits' low bits are the numbers.
            bits |= 0b10_u8.wrapping_shl(u32::from(last & 7)).wrapping_sub(1_u8.wrapping_shl(u32::from(first & 7)));
        }
        Some(Self(bits))
    }

    /// Core after core, again and again: thread n is on the n-th, as in cyclictest.
    fn in_turn(self) -> impl Iterator<Item = u8> {
        (0..CORES).filter(move |&core| self.0 & 1_u8.wrapping_shl(u32::from(core)) != 0).cycle()
    }
}

/// Refuses what the image does not have.
pub(super) fn check<'a>(
    option: &'static str,
    set: CoreSet,
    options: &LatencyOptions,
    limits: &Limits,
) -> Result<(), OptionError<'a>> {
    if options.smp && limits.cores.iter().all(|&core| core == 0) {
        return Err(OptionError::OneCore { option });
    }
    for ((thread, wanted), &core) in (0..options.threads).zip(set.in_turn()).zip(&limits.cores) {
        if wanted != core {
            return Err(OptionError::Elsewhere { option, thread, wanted, core });
        }
    }
    Ok(())
}
