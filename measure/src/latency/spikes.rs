// SPDX-License-Identifier: MIT OR Apache-2.0
//! The list of `--spike`: that of all threads, by time.

use core::fmt::{self, Write};

use takt::handover::Taken;
use takt::kernel::report::{Spike, write_spikes};

use super::report::Report;
use crate::slots::{N_SLOTS, Record};
use crate::watch::Spiked;

impl Report<'_> {
    /// cyclictest's threads share one list, which ends when it is full: the earliest of all are in it.
    pub(super) fn write_spikes(&self, out: &mut dyn Write, records: &[Taken<'_, Record>]) -> fmt::Result {
        let per_us = self.rate.half_ticks_per_us();
        let count = records.iter().fold(0_u64, |sum, record| sum.wrapping_add(record.found.spike_count));
        let spikes = by_time(records).take(self.spike_nodes()).map(|(thread, spiked)| Spike {
            thread,
            lateness_half_ticks: spiked.lateness_half_ticks,
            at_us: spiked.at.half_ticks() / per_us,
        });
        write_spikes(out, spikes, count, self.resolution(), self.rate)
    }

    fn spike_nodes(&self) -> usize {
        usize::try_from(self.options.spike_nodes).unwrap_or(usize::MAX)
    }
}

/// What the threads kept, each of its own by time, merged; the number of the thread stands with it.
fn by_time<'r>(records: &'r [Taken<'_, Record>]) -> impl Iterator<Item = (u32, Spiked)> + 'r {
    let mut nexts = [0_usize; N_SLOTS];
    core::iter::from_fn(move || {
        let heads = records.iter().zip(&mut nexts).zip(0_u32..);
        let heads = heads.filter_map(|((record, next), thread)| Some((*record.found.spikes.get(*next)?, next, thread)));
        let (spiked, next, thread) = heads.min_by_key(|(spiked, _, _)| spiked.at.half_ticks())?;
        *next = next.wrapping_add(1);
        Some((thread, spiked))
    })
}
