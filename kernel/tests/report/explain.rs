// SPDX-License-Identifier: MIT OR Apache-2.0
//! A result explained.

use super::capture::one_tick_per_us;
use super::{board, column, text};
use proptest::prelude::*;
use takt_kernel::histogram::Histogram;
use takt_kernel::report::{Column, Stage, write_explanation};
use takt_kernel::time::Rate;

/// 512 bins: 9.48 us on the board.
type Recorded = Histogram<512>;

fn recorded(values: &[(i64, u64)]) -> Recorded {
    let mut histogram = Recorded::new();
    for &(value, count) in values {
        (0..count).for_each(|_| histogram.record(value, 0));
    }
    histogram
}

fn explained(histogram: &Recorded, rate: Rate) -> String {
    text(|out| write_explanation(out, &column(0, histogram.view()), rate))
}

#[test]
fn a_narrow_result_is_explained_tick_by_tick() {
    let histogram = recorded(&[(-2, 1), (22, 400), (24, 500), (26, 98), (1_000, 1)]);
    let printed = explained(&histogram, board());
    assert_eq!(printed, include_str!("../data/explain-ticks.txt"));
}

#[test]
fn a_result_with_everything_in_it() {
    let mut histogram = recorded(&[(2, 8), (40, 4_000), (42, 5_985), (90, 6), (1_999, 1)]);
    histogram.record_skipped(2, 216, 108);
    let column = Column { stage: Stage::Handler, overruns: 3, ..column(0, histogram.view()) };
    let printed = text(|out| write_explanation(out, &column, one_tick_per_us()));
    assert_eq!(printed, include_str!("../data/explain-all.txt"));
}

#[test]
fn each_threshold_has_its_use() {
    let of = |half_ticks| explained(&recorded(&[(half_ticks, 1)]), board());
    assert!(of(1_079).contains("The maximum is below 10 us: good for motor control at 1 kHz"));
    assert!(of(1_080).contains("The maximum is below 100 us: good for control loops and field"));
    assert!(of(10_800).contains("The maximum is below 1000 us: good for loops up to 100 Hz"));
    assert!(of(108_000).contains("The maximum is 1000 us or more: good for work without deadlines only."));
    assert!(of(108_000).contains("There is no mode: no bin of one tick holds a sample."));
}

#[test]
fn without_samples_there_is_nothing_to_explain() {
    assert_eq!(explained(&Recorded::new(), board()), "# Explain task:latency: no samples\n");
}

proptest! {
    #[test]
    fn rows_are_few_and_hold_every_sample(values in proptest::collection::vec(-50..3_000_i64, 1..400)) {
        let histogram = recorded(&values.iter().map(|&value| (value, 1)).collect::<Vec<_>>());
        let printed = explained(&histogram, board());
        prop_assert!(printed.lines().all(|line| line.starts_with('#') && line.len() <= 132));
        let rows: Vec<&str> = printed.lines().filter_map(|line| line.split_once(" |")).map(|(_, bar)| bar).collect();
        prop_assert!((1..=20).contains(&rows.len()));
        let counts = rows.iter().map(|bar| {
            let (marks, count) = bar.split_once(' ').unwrap();
            let count: u64 = count.parse().unwrap();
            assert_eq!(u32::try_from(marks.len()), Ok(u64::BITS - count.leading_zeros()));
            count
        });
        prop_assert_eq!(counts.sum::<u64>(), values.len() as u64);
    }
}
