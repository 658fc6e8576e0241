// SPDX-License-Identifier: MIT OR Apache-2.0
//! The histogram against a plain list of all values.
#![allow(clippy::arithmetic_side_effects, clippy::cast_possible_truncation, reason = "small numbers chosen here")]

use super::log_linear::{first_tick_of, index_of, last_tick_of};
use super::*;
use crate::time::Rate;
use proptest::prelude::*;
use std::vec::Vec;

const BINS: usize = 64;

fn board() -> Rate {
    Rate::from_counter_hz(54_000_000).unwrap()
}

fn qemu() -> Rate {
    Rate::from_counter_hz(62_500_000).unwrap()
}

#[test]
fn an_empty_histogram_has_no_extremes_and_its_identity_holds() {
    let histogram = Histogram::<BINS>::new();
    let view = histogram.view();
    assert_eq!((view.count(), view.minimum_half_ticks(), view.maximum_half_ticks()), (0, None, None));
    assert_eq!((view.mean(), view.quantile(1, 2)), (None, None));
    assert!(view.identity_holds());
}

#[test]
fn a_zeroed_histogram_serves_after_a_reset_and_overflows_before() {
    let mut histogram = Histogram::<BINS>::zeroed();
    assert_eq!((histogram.view().minimum_half_ticks(), histogram.view().maximum_half_ticks()), (None, None));
    histogram.record(7, 0);
    assert_eq!((histogram.view().minimum_half_ticks(), histogram.view().overflow().count), (Some(7), 1));
    assert!(histogram.view().identity_holds());
    histogram.reset(10).unwrap();
    histogram.record(-9, 0);
    histogram.record(-10, 1);
    assert_eq!((histogram.view().minimum_half_ticks(), histogram.view().maximum_half_ticks()), (Some(-10), Some(-9)));
    assert!(histogram.view().identity_holds());
}

#[test]
fn each_value_lands_in_one_place() {
    let mut histogram = Histogram::<BINS>::new();
    histogram.reset(10).unwrap();
    for (cycle, value) in [-3, -1, 0, 1, 19, 20, 127, 128, 1 << 50].into_iter().enumerate() {
        histogram.record(value, cycle as u64);
    }
    let view = histogram.view();
    assert_eq!((view.early().count, view.early().sum_half_ticks, view.early().sum_of_squares), (2, -4, 10));
    assert_eq!((view.linear_bins()[0], view.linear_bins()[9], view.linear_bins()[10]), (2, 1, 1));
    assert_eq!(view.linear_bins()[63], 1);
    assert_eq!((view.overflow().count, view.overflow_cycles()), (4, &[5, 6, 7, 8][..]));
    let log: Vec<LogBin> = view.log_bins().collect();
    assert_eq!(log[0], LogBin { first_tick: 64, last_tick: 67, count: 1 });
    assert_eq!(log[1], LogBin { first_tick: 1 << 40, last_tick: u64::MAX, count: 1 });
    assert_eq!((view.minimum_half_ticks(), view.maximum_half_ticks()), (Some(-3), Some(1 << 50)));
    assert!(view.identity_holds());
}

#[test]
fn a_lost_count_breaks_the_identity() {
    let mut histogram = Histogram::<BINS>::new();
    histogram.record(4, 0);
    histogram.linear[2] = 0;
    assert!(!histogram.view().identity_holds());
    // A value moved across the limit leaves the first sum right and the second wrong.
    let mut moved = Histogram::<BINS>::new();
    moved.reset(2).unwrap();
    moved.record(4, 0);
    moved.linear[2] = 0;
    assert!(!moved.view().identity_holds());
}

#[test]
fn a_limit_above_the_bins_is_refused_and_changes_nothing() {
    let mut histogram = Histogram::<BINS>::new();
    histogram.record(4, 0);
    let error = histogram.reset(65).unwrap_err();
    assert_eq!(std::format!("{error}"), "histogram: a limit of 65 ticks is above the 64 bins of one tick");
    assert_eq!(histogram.view().count(), 1);
    histogram.record(1 << 20, 1);
    histogram.record(-1, 2);
    histogram.record_skipped(1, 5, 1);
    histogram.reset(64).unwrap();
    assert_eq!(std::format!("{histogram:?}"), std::format!("{:?}", Histogram::<BINS>::new()));
    assert_eq!(histogram.view().overflow_at_ticks(), 64);
}

#[test]
fn overflows_beyond_the_kept_ones_are_counted_only() {
    let mut histogram = Histogram::<BINS>::new();
    for cycle in 0..100 {
        histogram.record(1_000, cycle);
    }
    let view = histogram.view();
    assert_eq!((view.overflow().count, view.overflow_cycles().len()), (100, OVERFLOW_CYCLES));
    assert_eq!(view.overflow_cycles().last(), Some(&63));
}

#[test]
fn skipped_releases_contribute_the_lateness_they_had() {
    let mut histogram = Histogram::<BINS>::new();
    histogram.record_skipped(3, 350, 100);
    histogram.record_skipped(0, 7, 100);
    assert_eq!(histogram.view().skipped(), &Skipped { count: 3, sum_half_ticks: 350 + 250 + 150 });
    assert_eq!(histogram.view().count(), 0);
}

#[test]
fn the_mean_is_floored_and_keeps_its_rest() {
    let mut histogram = Histogram::<BINS>::new();
    for value in [-4, 1, 1] {
        histogram.record(value, 0);
    }
    assert_eq!(histogram.view().mean(), Some(Mean { floor_half_ticks: -1, remainder: 1 }));
}

#[test]
fn the_frequency_comes_back_from_the_rate() {
    assert_eq!((counter_hz(board()), counter_hz(qemu())), (54_000_000, 62_500_000));
}

#[test]
fn nanoseconds_round_down_on_both_sides_of_zero() {
    // A half tick is 9.26 ns on the board and 8 ns in QEMU.
    assert_eq!(
        (half_ticks_to_ns(board(), 1), half_ticks_to_ns(board(), 2), half_ticks_to_ns(board(), 108)),
        (9, 18, 1_000)
    );
    assert_eq!((half_ticks_to_ns(board(), -1), half_ticks_to_ns(qemu(), -1)), (-10, -8));
    assert_eq!(half_ticks_to_ns(qemu(), i64::MAX), i128::from(i64::MAX) * 8);
}

#[test]
fn microsecond_buckets_start_where_the_first_tick_of_the_microsecond_is() {
    let width = BucketWidth::Microsecond(qemu());
    // 1 µs is 62.5 ticks: tick 62 starts before it, tick 63 after it.
    assert_eq!([0, 1, 2, 3].map(|bucket| width.first_tick_of(bucket)), [0, 63, 125, 188]);
    assert_eq!([123, 124, 125, 126, 249, 250].map(|value| width.bucket_of(value)), [0, 0, 0, 1, 1, 2]);
    assert_eq!([-1, -124, -125, -126].map(|value| width.bucket_of(value)), [-1, -1, -2, -2]);
    assert_eq!(BucketWidth::Tick(qemu()).bucket_of(-1), -1);
}

#[test]
fn log_bins_are_gapless_and_narrow() {
    assert_eq!((first_tick_of(0), index_of(16), index_of(u64::MAX)), (16, 0, LOG_BINS - 1));
    for index in 0..LOG_BINS {
        let (first, last) = (first_tick_of(index), last_tick_of(index));
        assert_eq!((index_of(first), index_of(last)), (index, index));
        if index < LOG_BINS - 1 {
            assert!((last - first + 1) * 16 <= first && first_tick_of(index + 1) == last + 1);
        }
    }
}

#[test]
fn the_standard_deviation_of_few_and_of_huge_values() {
    let deviation = |values: &[i64]| {
        let mut histogram = Histogram::<BINS>::new();
        values.iter().for_each(|&value| histogram.record(value, 0));
        histogram.view().all().deviation_thousandths()
    };
    assert_eq!((deviation(&[]), deviation(&[7]), deviation(&[-3, -3])), (None, Some(0), Some(0)));
    // The root of one half, and of two thirds.
    assert_eq!((deviation(&[0, 1]), deviation(&[0, 1, 1, 2])), (Some(707), Some(816)));
    // So many and so large that count and squares do not fit together.
    let mut tally = Tally::new();
    (0..40_000).for_each(|_| [-(1_i64 << 48), 1 << 48].into_iter().for_each(|value| tally.add(value)));
    // The root of 80000/79999 is larger than 1 by 1/159998, less a part in 10^11.
    let (found, magnitude) = (tally.deviation_thousandths().unwrap(), 1_000_u64 << 48);
    assert!((found - magnitude).abs_diff(magnitude / 159_998) <= magnitude / 20_000_000_000, "{found}");
}

/// Lateness of all kinds: near zero, near the limit, and anything below 2^48 half ticks.
fn lateness() -> impl Strategy<Value = i64> {
    prop_oneof![-20..20_i64, 0..160_i64, -(1_i64 << 48)..(1 << 48)]
}

proptest! {
    #[test]
    fn agrees_with_a_plain_list(values in proptest::collection::vec(lateness(), 0..200), limit in 0..=BINS as u64) {
        let mut histogram = Histogram::<BINS>::new();
        histogram.reset(limit).unwrap();
        for (cycle, &value) in values.iter().enumerate() {
            histogram.record(value, cycle as u64);
        }
        let view = histogram.view();
        let over = |value: &i64| *value >= 2 * limit as i64;
        prop_assert!(view.identity_holds());
        prop_assert_eq!(view.count(), values.len() as u64);
        prop_assert_eq!(view.minimum_half_ticks(), values.iter().min().copied());
        prop_assert_eq!(view.maximum_half_ticks(), values.iter().max().copied());
        prop_assert_eq!(view.all().sum_half_ticks, values.iter().map(|&value| i128::from(value)).sum::<i128>());
        let squares = |value: &i64| u128::from(value.unsigned_abs()).pow(2);
        prop_assert_eq!(view.all().sum_of_squares, values.iter().map(squares).sum::<u128>());
        prop_assert_eq!(view.early().count, values.iter().filter(|&&value| value < 0).count() as u64);
        prop_assert_eq!(view.overflow().count, values.iter().filter(|value| over(value)).count() as u64);
        let overflow_sum: i128 = values.iter().filter(|value| over(value)).map(|&value| i128::from(value)).sum();
        prop_assert_eq!(view.overflow().sum_half_ticks, overflow_sum);
        let cycles = values.iter().enumerate().filter(|(_, value)| over(value)).map(|(cycle, _)| cycle as u64);
        prop_assert_eq!(view.overflow_cycles(), cycles.take(OVERFLOW_CYCLES).collect::<Vec<_>>());
    }

    #[test]
    fn buckets_hold_the_values_that_belong_to_them(values in proptest::collection::vec(-50..900_i64, 0..200)) {
        let mut histogram = Histogram::<512>::new();
        for rate in [board(), qemu()] {
            for width in [BucketWidth::Microsecond(rate), BucketWidth::Tick(rate)] {
                histogram.reset(width.first_tick_of(4)).unwrap();
                values.iter().for_each(|&value| histogram.record(value, 0));
                for bucket in 0..4 {
                    let expected = values.iter().filter(|&&value| width.bucket_of(value) == i64::from(bucket)).count();
                    prop_assert_eq!(histogram.view().bucket_count(width, bucket), expected as u64);
                }
            }
        }
    }

    #[test]
    #[expect(clippy::float_arithmetic, clippy::cast_precision_loss, reason = "the textbook's way, to compare with")]
    fn the_standard_deviation_is_the_textbook_s(values in proptest::collection::vec(-(1_i64 << 20)..(1 << 20), 2..200)) {
        let mut histogram = Histogram::<BINS>::new();
        values.iter().for_each(|&value| histogram.record(value, 0));
        let count = values.len() as f64;
        let mean = values.iter().map(|&value| value as f64).sum::<f64>() / count;
        let squares = values.iter().map(|&value| (value as f64 - mean).powi(2)).sum::<f64>();
        let found = histogram.view().all().deviation_thousandths().unwrap() as f64;
        prop_assert!((found - (squares / (count - 1.0)).sqrt() * 1_000.0).abs() <= 0.51);
    }

    #[test]
    fn quantiles_bracket_the_true_one(
        mut values in proptest::collection::vec(lateness(), 1..100),
        numerator in 0..=1_000_u32,
    ) {
        let mut histogram = Histogram::<BINS>::new();
        values.iter().for_each(|&value| histogram.record(value, 0));
        values.sort_unstable();
        let rank = (values.len() * numerator as usize).div_ceil(1_000).max(1);
        let found = histogram.view().quantile(numerator, 1_000).unwrap();
        let wanted = values[rank - 1];
        prop_assert!(found.lowest_half_ticks <= wanted && wanted <= found.highest_half_ticks);
    }
}
