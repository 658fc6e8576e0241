// SPDX-License-Identifier: MIT OR Apache-2.0
//! What Xenomai's `latency` prints.

use super::capture::one_tick_per_us;
use super::{board, text};
use takt_kernel::histogram::{Histogram, View};
use takt_kernel::report::Span;
use takt_kernel::report::Stage;
use takt_kernel::report::xenomai::{
    Buckets, Mode, Sampling, Spread, write_buckets, write_exceeded, write_gnuplot, write_head, write_header,
    write_overall, write_second, write_statistics,
};
use takt_kernel::time::Rate;

/// A half tick is a nanosecond.
fn half_tick_per_ns() -> Rate {
    Rate::from_counter_hz(500_000_000).unwrap()
}

fn sampling(mode: Mode) -> Sampling {
    Sampling { mode, period_us: 1_000, priority: 99, rate: half_tick_per_ns() }
}

fn span(minimum_half_ticks: i64, mean: i128, maximum_half_ticks: i64) -> Span {
    Span { minimum_half_ticks, sum_half_ticks: mean * 1_000, count: 1_000, maximum_half_ticks }
}

#[test]
fn the_documented_run_prints_again() {
    let (sampling, rate) = (sampling(Mode::TimerHandler), half_tick_per_ns());
    let (first, second, overall) = (span(74, 219, 1_407), span(-18, 214, 2_019), span(-18, 216, 2_019));
    let printed = text(|out| {
        write_head(out, &sampling)?;
        write_header(out, &sampling, 1)?;
        write_second(out, &first, &first, 0, rate)?;
        write_second(out, &second, &overall, 0, rate)?;
        write_overall(out, &overall, 0, 2, Some(2), rate)
    });
    assert_eq!(printed, include_str!("../data/xenomai.txt"));
}

#[test]
fn three_modes_are_two_stages() {
    let modes = [0, 1, 2].map(|number| Mode::from_number(number).unwrap());
    assert_eq!(modes.map(Mode::stage), [Stage::Task, Stage::Task, Stage::Handler]);
    assert_eq!(Mode::from_number(3), None);
    let names = ["periodic user-mode task", "in-kernel periodic task", "in-kernel timer handler"];
    assert_eq!(modes.map(Mode::name), names);
}

#[test]
fn half_ticks_are_floored_to_nanoseconds() {
    let mut second = Span::new();
    // −9.26, 9.26 and 123456.48 ns; their mean is 41152.16 ns.
    [-1, 1, 13_333].into_iter().for_each(|value| second.add(value));
    let mut overall = second;
    overall.add(-108_000);
    let printed = text(|out| write_second(out, &second, &overall, 12, board()));
    let expected = "RTD|     -0.010|     41.151|    123.453|      12|     0|  -1000.000|    123.453\n";
    assert_eq!(printed, expected);
}

#[test]
fn a_second_without_a_sample_prints_what_xenomai_begins_with() {
    let printed = text(|out| write_second(out, &Span::new(), &Span::default(), 0, board()));
    let expected = "RTD|  10000.000|      0.000| -10000.000|       0|     0|  10000.000| -10000.000\n";
    assert_eq!(printed, expected);
}

#[test]
fn a_run_without_an_end_was_to_run_as_long_as_it_did() {
    let printed = text(|out| write_overall(out, &span(1, 2, 3), 1, 360_061, None, half_tick_per_ns()));
    assert!(printed.ends_with("RTS|      0.001|      0.002|      0.003|       1|     0|    100:01:01/100:01:01\n"));
}

#[test]
fn a_maximum_is_exceeded_from_the_next_half_tick_on() {
    let of = |maximum| Span { maximum_half_ticks: maximum, ..span(0, 0, 0) };
    assert!(!of(1_080).exceeds(10, board()) && of(1_081).exceeds(10, board()));
    assert!(!Span::new().exceeds(0, board()));
    let printed = text(|out| write_exceeded(out, &of(1_081), 10, board()));
    assert_eq!(printed, "Maximum latency exceeded: 10.009 us, where at most 10 us were allowed\n");
}

type Recorded = Histogram<4_096>;

fn recorded(values: impl IntoIterator<Item = i64>) -> Recorded {
    let mut histogram = Recorded::new();
    values.into_iter().for_each(|value| histogram.record(value, 0));
    histogram
}

fn buckets() -> Buckets {
    Buckets { width_ns: 1_000, count: 300, rate: half_tick_per_ns() }
}

#[test]
fn histograms_and_statistics_come_in_xenomai_s_order() {
    let (minima, maxima) = (recorded([74, -18]), recorded([1_407, 2_019]));
    let all = recorded([-18].into_iter().chain([0; 1_996]).chain([999, 1_000, 1_407, 2_019]));
    let spread = Spread { minima: minima.view(), all: all.view(), maxima: maxima.view() };
    let printed = text(|out| {
        write_buckets(out, &buckets(), &spread)?;
        write_statistics(out, &buckets(), &spread)
    });
    let head = "---|--param|----range-|--samples\n";
    let expected = [
        head,
        "HSD|    min|   0 -  1 |        2\n",
        head,
        "HSD|    avg|   0 -  1 |     1998\n",
        "HSD|    avg|   1 -  2 |        2\n",
        "HSD|    avg|   2 -  3 |        1\n",
        head,
        "HSD|    max|   1 -  2 |        1\n",
        "HSD|    max|   2 -  3 |        1\n",
        "HSH|--param|--samples-|--average--|---stddev--\n",
        "HSS|    min|         2|      0.000|      0.000\n",
        "HSS|    avg|      2001|      0.002|      0.055\n",
        "HSS|    max|         2|      1.500|      0.707\n",
    ];
    assert_eq!(printed, expected.concat());
}

#[test]
fn the_last_bucket_holds_what_is_beyond_and_nothing_has_no_spread() {
    let none = recorded([]);
    // The second is beyond the bins of one tick.
    let all = recorded([2_999, 1 << 30, 5_000]);
    let spread = Spread { minima: none.view(), all: all.view(), maxima: none.view() };
    let few = Buckets { count: 4, ..buckets() };
    let printed = text(|out| write_buckets(out, &few, &spread));
    assert!(printed.contains("HSD|    avg|   2 -  3 |        1\nHSD|    avg|   3 -  4 |        2\n"));
    let printed = text(|out| write_statistics(out, &few, &spread));
    assert!(printed.contains("HSS|    min|         0|      0.000|      0.000\n"), "{printed}");
    assert!(printed.contains("HSS|    avg|         3|      2.667|      0.577\n"), "{printed}");
}

fn plotted(buckets: Buckets, histogram: View<'_>) -> Vec<String> {
    let printed = text(|out| write_gnuplot(out, &buckets, &histogram, &sampling(Mode::UserTask), 3, 3_723));
    let mut lines = printed.lines().map(str::to_owned).collect::<Vec<_>>();
    let data = lines.split_off(3);
    assert_eq!(lines[0], "# 01:02:03 (periodic user-mode task, 1000 us period, priority 99)");
    assert_eq!(lines[1], "# ----lat min|----lat avg|----lat max|-overrun|---msw|");
    assert!(lines[2].ends_with("|       3|     0|"), "{}", lines[2]);
    data
}

#[test]
fn a_plot_has_a_bracket_on_each_side_and_no_gap() {
    let histogram = recorded([2_000, 2_999, 5_500]);
    let expected = ["2 1", "2.5 3", "3.5 1", "4.5 1", "5.5 2", "6 1"];
    assert_eq!(plotted(buckets(), histogram.view()), expected);
    assert_eq!(plotted(buckets(), recorded([]).view()), [""; 0]);
}

#[test]
fn positions_have_six_digits_as_in_c() {
    // What C's %g makes of (n + 0.5) * width / 1000.
    let of =
        |width_ns, rate, half_ticks| plotted(Buckets { width_ns, rate, ..buckets() }, recorded([half_ticks]).view());
    assert_eq!(of(25, half_tick_per_ns(), 0), ["0 1", "0.0125 2", "0.025 1"]);
    assert_eq!(of(1, half_tick_per_ns(), 0), ["0 1", "0.0005 2", "0.001 1"]);
    assert_eq!(of(37, board(), 1_197), ["11.063 1", "11.0815 2", "11.1 1"]);
    assert_eq!(of(4_001, one_tick_per_us(), 2_394), ["1196.3 1", "1198.3 2", "1200.3 1"]);
}
