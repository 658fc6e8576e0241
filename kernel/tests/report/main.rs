// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reports compared, to the byte, with what cyclictest prints.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a test may stop where it is wrong"
)]

mod capture;
mod explain;
mod live;
mod osadl;
mod percentiles;
mod schema;
mod xenomai;

use capture::{Recorded, one_tick_per_us, read_back};
use takt_kernel::histogram::{BucketWidth, Histogram, View};
use takt_kernel::report::{
    Block, Column, Dialect, Resolution, Stage, write_histogram, write_json, write_json_line, write_notes,
    write_summary_line,
};
use takt_kernel::time::Rate;

const H60: &str = include_str!("../data/h60.txt");
const H40_S: &str = include_str!("../data/H40-S.txt");
const Q: &str = include_str!("../data/q.txt");
const DENSE_H6: &str = include_str!("../data/dense-H6.txt");
const SPARSE_H6: &str = include_str!("../data/sparse-H6.txt");

fn board() -> Rate {
    Rate::from_counter_hz(54_000_000).unwrap()
}

/// What a writer writes.
fn text(write: impl FnOnce(&mut dyn std::fmt::Write) -> std::fmt::Result) -> String {
    let mut out = String::new();
    write(&mut out).unwrap();
    out
}

fn column(thread: u32, histogram: View<'_>) -> Column<'_> {
    let cycles = histogram.count();
    let latest_half_ticks = histogram.maximum_half_ticks();
    let (core, id, priority, interval_us, overruns, task) = (0, 0, 80, 1_000, 0, "latency");
    let stage = Stage::Task;
    Column { thread, core, id, priority, interval_us, cycles, latest_half_ticks, histogram, overruns, task, stage }
}

fn columns(histograms: &[Recorded]) -> Vec<Column<'_>> {
    (0..).zip(histograms).map(|(thread, histogram)| column(thread, histogram.view())).collect()
}

fn block(rows: u32, dialect: Dialect, sum_column: bool) -> Block {
    Block { width: BucketWidth::Microsecond(one_tick_per_us()), rows, dialect, sum_column }
}

fn printed(block: &Block, columns: &[Column<'_>]) -> String {
    let mut out = String::new();
    write_histogram(&mut out, block, columns).unwrap();
    out
}

/// A capture without the line about the latency device, which is not cyclictest's block.
fn without_preamble(capture: &str) -> &str {
    capture.split_once('\n').unwrap().1
}

#[test]
fn the_real_capture_of_one_thread_prints_again() {
    let expected = without_preamble(H60);
    let (histograms, rows) = read_back(expected, 1);
    assert_eq!(printed(&block(rows, Dialect::Dense, false), &columns(&histograms)), expected);
    // The older dialect has no sum column for a single thread, even when asked.
    assert_eq!(printed(&block(rows, Dialect::Dense, true), &columns(&histograms)), expected);
}

#[test]
fn the_real_capture_with_a_sum_column_and_uncounted_others_prints_again() {
    let expected = without_preamble(H40_S);
    let (histograms, rows) = read_back(expected, 2);
    assert_eq!(printed(&block(rows, Dialect::Dense, true), &columns(&histograms)), expected);
}

#[test]
fn both_dialects_print_as_written_by_hand() {
    let (histograms, rows) = read_back(DENSE_H6, 2);
    assert_eq!(printed(&block(rows, Dialect::Dense, true), &columns(&histograms)), DENSE_H6);
    assert_eq!(printed(&block(rows, Dialect::Sparse, true), &columns(&histograms)), SPARSE_H6);
}

#[test]
fn the_newer_dialect_with_one_thread_sums_rows_but_not_the_footer() {
    let mut histogram = Recorded::new();
    histogram.reset(2).unwrap();
    histogram.record(3, 0);
    let expected = "# Histogram\n000001 000001\t000001\n# Min Latencies: 00001\n# Avg Latencies: 00001\n\
                    # Max Latencies: 00001\n# Histogram Overflows: 00000\n# Histogram Overflow at cycle number:\n\
                    # Thread 0: \n\n";
    assert_eq!(printed(&block(2, Dialect::Sparse, true), &[column(0, histogram.view())]), expected);
}

#[test]
fn the_dialects_differ_when_exactly_as_many_overflows_came_as_are_kept() {
    let mut histogram = Recorded::new();
    histogram.reset(2).unwrap();
    histogram.record(10, 7);
    histogram.record(10, 8);
    let thread = |dialect| {
        let text = printed(&block(2, dialect, false), &[column(0, histogram.view())]);
        text.lines().find(|line| line.starts_with("# Thread")).unwrap().to_owned()
    };
    assert_eq!(thread(Dialect::Dense), "# Thread 0: 00007 00008");
    assert_eq!(thread(Dialect::Sparse), "# Thread 0: 00007 00008 # 00000 others");
    // Room for more than takt keeps is not full with as many.
    (2..64).for_each(|cycle| histogram.record(10, cycle));
    let text = printed(&block(65, Dialect::Sparse, false), &[column(0, histogram.view())]);
    assert!(text.lines().any(|line| line.starts_with("# Thread 0: 00007") && line.ends_with(" 00063")));
    histogram.reset(2).unwrap();
    [7, 8, 9].into_iter().for_each(|cycle| histogram.record(10, cycle));
    let text = printed(&block(2, Dialect::Dense, false), &[column(0, histogram.view())]);
    assert!(text.contains("# Thread 0: 00007 00008 # 00001 others\n\n"));
}

#[test]
fn without_overflows_the_older_dialect_ends_at_the_colon() {
    let text = printed(&block(2, Dialect::Dense, false), &[column(0, Recorded::new().view())]);
    assert!(text.ends_with("# Histogram Overflow at cycle number:\n# Thread 0:\n\n"));
}

#[test]
fn the_real_summary_line_prints_again() {
    let mut histogram = Histogram::<64>::new();
    // 2,000 values from 20 to 230 µs with a mean of 25 µs and some.
    (0..1_998).for_each(|cycle| histogram.record(50, cycle));
    histogram.record(40, 1_998);
    histogram.record(460, 1_999);
    let column = Column { id: 3_865, latest_half_ticks: Some(50), ..column(0, histogram.view()) };
    let mut out = String::new();
    write_summary_line(&mut out, &column.summary(), Resolution::Microseconds, one_tick_per_us()).unwrap();
    assert_eq!(out, without_preamble(Q));
}

#[test]
fn nanoseconds_widen_the_summary_and_early_values_are_negative() {
    let mut histogram = Histogram::<64>::new();
    [-3, 25, 26].into_iter().for_each(|value| histogram.record(value, 0));
    let mut out = String::new();
    write_summary_line(&mut out, &column(1, histogram.view()).summary(), Resolution::Nanoseconds, board()).unwrap();
    // −3, 16 and 26 half ticks of 9.259 ns.
    assert_eq!(out, "T: 1 (    0) P:80 I:1000 C:      3 Min:    -28 Act:     240 Avg:     148 Max:     240\n");
    out.clear();
    write_summary_line(&mut out, &column(1, histogram.view()).summary(), Resolution::Microseconds, board()).unwrap();
    assert_eq!(out, "T: 1 (    0) P:80 I:1000 C:      3 Min:     -1 Act:    0 Avg:    0 Max:       0\n");
}

#[test]
fn a_thread_that_has_not_run_prints_as_cyclictest_s() {
    let mut out = String::new();
    write_summary_line(&mut out, &column(0, Recorded::new().view()).summary(), Resolution::Microseconds, board())
        .unwrap();
    assert_eq!(out, "T: 0 (    0) P:80 I:1000 C:      0 Min:1000000 Act:    0 Avg:    0 Max:       0\n");
}

/// A histogram of a run with `-N -h 4` on the board: early, inside and overflowing.
fn tick_histogram() -> Histogram<64> {
    let mut histogram = Histogram::<64>::new();
    histogram.reset(4).unwrap();
    for (cycle, value) in (0..).zip([-1, 2, 3, 7, 8, 130]) {
        histogram.record(value, cycle);
    }
    histogram.record_skipped(2, 216, 108);
    histogram
}

#[test]
fn rows_of_one_tick_come_with_their_width_and_nanoseconds() {
    let histogram = tick_histogram();
    let column = Column { overruns: 3, ..column(0, histogram.view()) };
    let block = Block { width: BucketWidth::Tick(board()), ..block(4, Dialect::Dense, false) };
    let mut out = printed(&block, &[column]);
    write_notes(&mut out, &block, &[column]).unwrap();
    let expected = "# Histogram\n000000 000000\n000001 000002\n000002 000000\n000003 000001\n# Total: 000000003\n\
                    # Min Latencies: -0001\n# Avg Latencies: 00012\n# Max Latencies: 00065\n\
                    # Histogram Overflows: 00002\n# Histogram Overflow at cycle number:\n# Thread 0: 00004 00005\n\n\
                    # Columns: task:latency\n# Count: 000000006\n# Early: 00001\n# Skipped: 00002\n# Overruns: 00003\n\
                    # Unit: 1 counter tick = 500/27 ns (18.518 ns); rows and latencies above are in counter ticks\n\
                    # Min ns: -0010\n# Avg ns: 00229\n# Max ns: 01203\n";
    assert_eq!(out, expected);
}

#[test]
fn a_tick_of_whole_nanoseconds_needs_no_fraction() {
    let width = BucketWidth::Tick(Rate::from_counter_hz(62_500_000).unwrap());
    let mut out = String::new();
    write_notes(&mut out, &Block { width, ..block(4, Dialect::Dense, false) }, &[]).unwrap();
    assert!(out.contains("# Unit: 1 counter tick = 16 ns; rows"));
}

#[test]
fn a_limit_that_is_not_the_end_of_the_rows_is_reported() {
    let mut out = String::new();
    let histogram = Recorded::new();
    write_notes(&mut out, &block(4, Dialect::Dense, false), &[column(0, histogram.view())]).unwrap();
    assert!(out.ends_with("# Identity: rows + overflows + early is not the count in column 0\n"));
}

#[test]
fn one_line_of_json_tells_everything() {
    let histogram = tick_histogram();
    let column = Column { core: 2, task: "a \"b\\\u{1}", ..column(0, histogram.view()) };
    let mut out = String::new();
    write_json_line(&mut out, &column, board()).unwrap();
    let expected = "# JSON: {\"takt\":\"histogram\",\"version\":1,\"stage\":\"task\",\"task\":\"a \\\"b\\\\\\u0001\",\
                    \"thread\":0,\"core\":2,\"id\":0,\"priority\":80,\"interval_us\":1000,\"cycles\":6,\"unit\":\"half_ticks\",\
                    \"counter_hz\":54000000,\"count\":6,\"min\":-1,\"max\":130,\"act\":130,\"sum\":149,\
                    \"sum_of_squares\":17027,\"early\":1,\"early_sum\":-1,\"early_sum_of_squares\":1,\
                    \"overflow\":2,\"overflow_sum\":138,\"overflow_sum_of_squares\":16964,\"overflow_at_ticks\":4,\
                    \"overflow_cycles\":[4,5],\"skipped\":2,\"skipped_sum\":324,\"overruns\":0,\
                    \"bins\":[[1,2],[3,1],[4,1]],\"wide_bins\":[[64,67,1]],\"identity\":true}\n";
    assert_eq!(out, expected);
}

#[test]
fn json_of_nothing_has_nulls_and_an_open_bin_no_end() {
    let mut out = String::new();
    write_json(&mut out, &column(0, Recorded::new().view()), board()).unwrap();
    assert!(out.contains(r#""count":0,"min":null,"max":null,"act":null,"sum":0"#));
    assert!(out.ends_with(r#""bins":[],"wide_bins":[],"identity":true}"#));
    let mut histogram = Recorded::new();
    histogram.record(1 << 60, 0);
    out.clear();
    write_json(&mut out, &column(0, histogram.view()), board()).unwrap();
    assert!(out.contains(r#""wide_bins":[[1099511627776,null,1]]"#));
}

#[test]
fn the_osadl_script_plots_a_whole_report() {
    let (histograms, rows) = read_back(DENSE_H6, 2);
    let columns = columns(&histograms);
    let block = block(rows, Dialect::Dense, true);
    let mut report = String::from("# takt 0.1.0 on a board\n");
    report.push_str(&printed(&block, &columns));
    write_notes(&mut report, &block, &columns).unwrap();
    columns.iter().for_each(|column| write_json_line(&mut report, column, one_tick_per_us()).unwrap());
    let plot = osadl::plot(&report, 2);
    assert_eq!(plot.maximum, "8");
    let expected = |counts: [&str; 6]| -> Vec<(String, String)> {
        (0..).zip(counts).map(|(us, count): (u32, &str)| (format!("{us:06}"), count.to_owned())).collect()
    };
    assert_eq!(plot.curves[0], expected(["000000", "000140", "000851", "000007", "000000", "000000"]));
    assert_eq!(plot.curves[1], expected(["000000", "000090", "000903", "000005", "000001", "000000"]));
}

#[test]
fn the_osadl_script_reads_the_same_from_rows_of_ticks() {
    let histogram = tick_histogram();
    let column = column(0, histogram.view());
    let block = Block { width: BucketWidth::Tick(board()), ..block(4, Dialect::Dense, false) };
    let mut report = printed(&block, &[column]);
    write_notes(&mut report, &block, &[column]).unwrap();
    let plot = osadl::plot(&report, 1);
    assert_eq!((plot.maximum.as_str(), plot.curves[0].len()), ("65", 4));
}

#[test]
fn the_osadl_script_plots_a_curve_for_each_of_four_cores() {
    let mut histograms = [const { Histogram::<64>::new() }; 4];
    for (core, histogram) in (0_i64..).zip(&mut histograms) {
        histogram.reset(4).unwrap();
        // Core n: n + 1 values in row n, and as many overflows as its number.
        (0..=core).for_each(|_| histogram.record(core * 2, 0));
        (0..core).for_each(|_| histogram.record(2 * (10 + core), 7));
    }
    let columns: Vec<Column<'_>> = (0_u8..)
        .zip(&histograms)
        .map(|(core, histogram)| Column { core, ..column(u32::from(core), histogram.view()) })
        .collect();
    let block = block(4, Dialect::Dense, false);
    let mut report = String::from("# takt 0.1.0 on a board\n");
    report.push_str(&printed(&block, &columns));
    write_notes(&mut report, &block, &columns).unwrap();
    columns.iter().for_each(|column| write_json_line(&mut report, column, one_tick_per_us()).unwrap());
    let plot = osadl::plot(&report, 4);
    assert_eq!(plot.maximum, "13");
    for (core, curve) in (0..).zip(&plot.curves) {
        let expected =
            (0..4).map(|us: u32| (format!("{us:06}"), format!("{:06}", if us == core { core + 1 } else { 0 })));
        assert!(curve.iter().cloned().eq(expected), "core {core}: {curve:?}");
    }
    for line in [
        "# Total: 000000001 000000002 000000003 000000004",
        "# Min Latencies: 00000 00001 00002 00003",
        "# Avg Latencies: 00000 00004 00006 00007",
        "# Max Latencies: 00000 00011 00012 00013",
        "# Histogram Overflows: 00000 00001 00002 00003",
        "# Thread 3: 00007 00007 00007",
    ] {
        assert!(report.lines().any(|printed| printed == line), "{line} is missing in\n{report}");
    }
    assert!((0..4).all(|core| report.contains(&format!("\"thread\":{core},\"core\":{core},"))));
}
