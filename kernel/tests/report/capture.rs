// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads a dense block of cyclictest back into histograms, as far as a block tells what was measured.

use takt_kernel::histogram::Histogram;
use takt_kernel::time::Rate;

/// A microsecond is one counter tick: rows of a capture are bins of one tick.
pub(crate) fn one_tick_per_us() -> Rate {
    Rate::from_counter_hz(1_000_000).unwrap()
}

pub(crate) type Recorded = Histogram<64>;

/// What one column of a block says.
#[derive(Clone, Default)]
struct Said {
    rows: Vec<u64>,
    minimum: u64,
    mean: u64,
    maximum: u64,
    overflows: u64,
    cycles: Vec<u64>,
}

/// Histograms that print as `block` does, and its number of rows. `threads` leaves out a sum column.
pub(crate) fn read_back(block: &str, threads: usize) -> (Vec<Recorded>, u32) {
    let mut said = vec![Said::default(); threads];
    for line in block.lines() {
        let numbers =
            |text: &str| -> Vec<u64> { text.split_whitespace().map_while(|word| word.parse().ok()).collect() };
        let mut spread = |text: &str, set: fn(&mut Said, u64)| {
            said.iter_mut().zip(numbers(text)).for_each(|(column, number)| set(column, number));
        };
        if let Some(thread) = line.strip_prefix("# Thread ") {
            let (index, cycles) = thread.split_once(':').unwrap();
            said[index.parse::<usize>().unwrap()].cycles = numbers(cycles);
        } else if let Some(text) = line.strip_prefix("# Min Latencies:") {
            spread(text, |column, number| column.minimum = number);
        } else if let Some(text) = line.strip_prefix("# Avg Latencies:") {
            spread(text, |column, number| column.mean = number);
        } else if let Some(text) = line.strip_prefix("# Max Latencies:") {
            spread(text, |column, number| column.maximum = number);
        } else if let Some(text) = line.strip_prefix("# Histogram Overflows:") {
            spread(text, |column, number| column.overflows = number);
        } else if !line.starts_with('#') && !line.is_empty() {
            spread(&line[7..], |column, number| column.rows.push(number));
        }
    }
    let rows = said[0].rows.len();
    (said.iter().map(record).collect(), u32::try_from(rows).unwrap())
}

fn record(said: &Said) -> Recorded {
    let mut histogram = Recorded::new();
    let limit = said.rows.len() as u64;
    histogram.reset(limit).unwrap();
    let mut cycle = 100_000;
    let mut record_us = |us: u64, cycle: u64| histogram.record(i64::try_from(us * 2).unwrap(), cycle);
    for (us, &count) in (0_u64..).zip(&said.rows) {
        (0..count).for_each(|_| record_us(us, 0));
    }
    for (index, us) in overflows(said, limit).into_iter().enumerate() {
        cycle += 1;
        record_us(us, said.cycles.get(index).copied().unwrap_or(cycle));
    }
    assert_eq!(histogram.view().minimum_half_ticks(), Some(2 * i64::try_from(said.minimum).unwrap()));
    histogram
}

/// The block does not give the latencies of overflows: choose them so that maximum and mean come out as printed.
fn overflows(said: &Said, limit: u64) -> Vec<u64> {
    let mut chosen = vec![limit; usize::try_from(said.overflows).unwrap()];
    let Some(largest) = chosen.first_mut() else { return chosen };
    *largest = said.maximum;
    let in_rows: u64 = (0_u64..).zip(&said.rows).map(|(us, &count)| us * count).sum();
    let count = said.rows.iter().sum::<u64>() + said.overflows;
    let wanted = said.mean * count;
    let mut missing = wanted.saturating_sub(in_rows + chosen.iter().sum::<u64>());
    for overflow in &mut chosen {
        let more = missing.min(said.maximum - *overflow);
        *overflow += more;
        missing -= more;
    }
    chosen
}
