// SPDX-License-Identifier: MIT OR Apache-2.0
//! Percentiles, beside those of a sorted list.

use super::{board, column, text};
use proptest::prelude::*;
use takt_kernel::histogram::Histogram;
use takt_kernel::report::write_percentiles;
use takt_kernel::time::Rate;

#[test]
fn a_line_tells_what_is_exact_and_what_is_not() {
    let mut histogram = Histogram::<64>::new();
    histogram.reset(54).unwrap();
    (0..120).for_each(|_| histogram.record(27, 0));
    (0..70).for_each(|_| histogram.record(54, 0));
    // In the one-tick bins, yet no row of the block; then above these bins.
    (0..8).for_each(|_| histogram.record(124, 0));
    [1_080, 1_085].into_iter().for_each(|value| histogram.record(value, 0));
    let line = text(|out| write_percentiles(out, &column(0, histogram.view()), board()));
    let expected = "# Percentiles task:latency us: p50 0.250, p90 0.509, p99 1.157 beyond, p99.9 <=10.046 beyond, \
                    p99.99 <=10.046 beyond, p99.999 <=10.046 beyond\n";
    assert_eq!(line, expected);
}

#[test]
fn early_values_have_an_upper_bound_alone() {
    let mut histogram = Histogram::<64>::new();
    [-216, -108, -50].into_iter().for_each(|value| histogram.record(value, 0));
    let line = text(|out| write_percentiles(out, &column(0, histogram.view()), board()));
    assert!(line.starts_with("# Percentiles task:latency us: p50 <=-0.463, p90 <=-0.463, "), "{line}");
}

#[test]
fn without_samples_there_are_none() {
    let histogram = Histogram::<64>::new();
    let line = text(|out| write_percentiles(out, &column(0, histogram.view()), board()));
    assert_eq!(line, "# Percentiles task:latency us: no samples\n");
}

const LIMIT_TICKS: u64 = 400;

/// Near zero, near the limit, and in wide bins.
fn lateness() -> impl Strategy<Value = i64> {
    prop_oneof![-20..20_i64, 0..1_100_i64, 0..1_i64 << 30]
}

proptest! {
    #[test]
    fn each_is_that_of_a_sorted_list(mut values in proptest::collection::vec(lateness(), 1..300)) {
        let mut histogram = Histogram::<512>::new();
        histogram.reset(LIMIT_TICKS).unwrap();
        values.iter().for_each(|&value| histogram.record(value, 0));
        // A half tick is a nanosecond, so the line has half ticks without rounding.
        let rate = Rate::from_counter_hz(500_000_000).unwrap();
        let line = text(|out| write_percentiles(out, &column(0, histogram.view()), rate));
        values.sort_unstable();
        let printed = line.trim_end().split_once("us: ").unwrap().1.split(", ");
        let parts_per_100_000 = [50_000, 90_000, 99_000, 99_900, 99_990, 99_999];
        prop_assert_eq!(printed.clone().count(), parts_per_100_000.len());
        for (entry, parts) in printed.zip(parts_per_100_000) {
            let wanted = values[(values.len() * parts).div_ceil(100_000) - 1];
            let words: Vec<&str> = entry.split(' ').collect();
            let bound = words[1].strip_prefix("<=");
            let half_ticks: i64 = bound.unwrap_or(words[1]).replace('.', "").parse().unwrap();
            prop_assert_eq!(words.get(2).copied() == Some("beyond"), wanted >= 2 * LIMIT_TICKS as i64);
            prop_assert!(wanted <= half_ticks, "{} in {}", wanted, entry);
            match bound {
                None => prop_assert_eq!(wanted >> 1, half_ticks >> 1),
                Some(_) if wanted < 0 => prop_assert!(half_ticks < 0),
                Some(_) => prop_assert!(wanted >= 1_024 && half_ticks - wanted <= wanted / 16),
            }
        }
    }
}
