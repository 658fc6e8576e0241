// SPDX-License-Identifier: MIT OR Apache-2.0
//! What cyclictest shows while it runs: the status block that is drawn again and again, or with `-v` every sample.

use super::{Dialect, Resolution, Summary, write_summary_line};
use crate::time::Rate;
use core::fmt::{self, Write};

/// Writes the status block: the policy line, an empty line, and a summary line per thread.
///
/// `policy` is cyclictest's word for it, `fifo` or `rr`. Linux prints the load average of the last minutes behind it, from a
/// count of tasks that are ready. takt takes no such count, since it would have to interrupt what it measures, so `n/a`
/// stands there. The ten blanks are cyclictest's: they wipe the end of a longer line that was there before.
///
/// # Errors
///
/// When `out` fails.
pub fn write_status(
    out: &mut dyn Write,
    policy: &str,
    threads: &[Summary],
    resolution: Resolution,
    rate: Rate,
) -> fmt::Result {
    writeln!(out, "policy: {policy}: loadavg: n/a          \n")?;
    threads.iter().try_for_each(|thread| write_summary_line(out, thread, resolution, rate))
}

/// Moves the cursor up over the status block of `threads` lines, before it is drawn again.
///
/// # Errors
///
/// When `out` fails.
pub fn write_cursor_up(out: &mut dyn Write, threads: usize) -> fmt::Result {
    write!(out, "\x1b[{}A", threads.saturating_add(2))
}

/// Writes what comes before the samples of a run with `-v`: the number of cores (in the newer dialect a second time, as the
/// cores that are on line) and a line per thread, of which these are the intervals.
///
/// The interval in a thread's line is that of the *next* thread, `distance_us` longer: cyclictest prints it when it has
/// moved on already, and who reads such a capture expects it.
///
/// # Errors
///
/// When `out` fails.
pub fn write_verbose_head(
    out: &mut dyn Write,
    dialect: Dialect,
    cores: usize,
    intervals_us: impl Iterator<Item = u32>,
    distance_us: u32,
) -> fmt::Result {
    writeln!(out, "Max CPUs = {cores}")?;
    if dialect == Dialect::Sparse {
        writeln!(out, "Online CPUs = {cores}")?;
    }
    for (thread, interval_us) in intervals_us.enumerate() {
        writeln!(out, "Thread {thread} Interval: {}", interval_us.saturating_add(distance_us))?;
    }
    Ok(())
}

/// One value of a run with `-v`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The number of the cycle within the run, from 0.
    pub cycle: u64,
    /// Its lateness, in half ticks.
    pub lateness_half_ticks: i64,
}

/// Writes the line of one sample of `thread`: `       0:       2:       4`.
///
/// # Errors
///
/// When `out` fails.
pub fn write_sample(
    out: &mut dyn Write,
    thread: u32,
    sample: Sample,
    resolution: Resolution,
    rate: Rate,
) -> fmt::Result {
    let Sample { cycle, lateness_half_ticks } = sample;
    writeln!(out, "{thread:8}:{cycle:8}:{:8}", resolution.shown(lateness_half_ticks, rate))
}

/// Lets through the largest of each so many samples of a thread: `-o N`. Of equals it is the first.
///
/// cyclictest looks for values above 0, so that it prints a sample of 0 with the number of an earlier cycle, and one below 0
/// as 0. Here each sample keeps its number and its value.
#[derive(Clone, Copy, Debug)]
pub struct Reduction {
    of: u32,
    seen: u32,
    largest: Option<Sample>,
}

impl Reduction {
    /// The largest of each `of` samples; of each one, every sample, where it is 0 or 1.
    #[must_use]
    pub const fn new(of: u32) -> Self {
        Self { of, seen: 0, largest: None }
    }

    /// Takes the next sample and gives the one that is to be printed, if it is time.
    pub fn add(&mut self, sample: Sample) -> Option<Sample> {
        match self.largest {
            Some(largest) if largest.lateness_half_ticks >= sample.lateness_half_ticks => {}
            _ => self.largest = Some(sample),
        }
        self.seen = self.seen.saturating_add(1);
        if self.seen < self.of {
            return None;
        }
        self.seen = 0;
        self.largest.take()
    }
}
