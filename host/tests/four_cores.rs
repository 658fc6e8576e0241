//! The image that measures on every core, `takt-four-cores`, with counted instructions: what it prints is what cyclictest would
//! on four cores, and OSADL's script plots it. Cores take turns in QEMU, so counts are judged here and no lateness.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a test that cannot go on fails"
)]

mod device;
#[path = "../../kernel/tests/report/osadl.rs"]
mod osadl;

use std::time::Duration;

use device::device_program;
use takt_host::run::Run;

/// What the image prints for these commands; the same when it is run again.
/// The cores idle in a loop: a late wake-up from `WFI` would make one run in some ten another.
fn console(commands: &str) -> String {
    let append = format!("icount=4 idle=spin autorun=\"{commands}; exit\"");
    let timeout = Some(Duration::from_secs(120));
    let run = Run { icount: Some(4), cores: Some(4), timeout, append, ..Run::new(device_program("takt-four-cores")) };
    let once = || {
        let mut console = Vec::new();
        let outcome = run.execute(&mut console).unwrap();
        let console = String::from_utf8(console).unwrap();
        assert_eq!(outcome.status, 0, "{console}\n{}", outcome.qemu_messages);
        assert!(outcome.guest_errors.is_empty(), "{:?}", outcome.guest_errors);
        console
    };
    let console = once();
    assert_eq!(console, once(), "the second run printed something else than the first");
    console
}

/// The numbers of the line that begins so.
fn numbers(console: &str, beginning: &str) -> Vec<u64> {
    let line = console.lines().find_map(|line| line.strip_prefix(beginning)).unwrap();
    line.split_ascii_whitespace().map_while(|word| word.parse().ok()).collect()
}

#[test]
fn a_histogram_has_a_column_for_each_core() {
    let console = console("latency -S -i1000 -l200 -h 400 -q");
    let plot = osadl::plot(&console, 4);
    let overflows = numbers(&console, "# Histogram Overflows:");
    assert_eq!(overflows.len(), 4);
    for (core, (curve, overflows)) in plot.curves.iter().zip(&overflows).enumerate() {
        assert_eq!(curve.len(), 400, "rows of core {core}");
        let counts: Vec<u64> = curve.iter().map(|(_, count)| count.parse().unwrap()).collect();
        assert_eq!(counts.iter().sum::<u64>().checked_add(*overflows), Some(200), "core {core}");
    }
    assert_eq!(plot.maximum.parse().ok(), numbers(&console, "# Max Latencies:").into_iter().max());
    for line in ["# Min Latencies:", "# Avg Latencies:", "# Max Latencies:"] {
        assert_eq!(numbers(&console, line).len(), 4, "{line}");
    }
    for core in 0..4 {
        let place = format!("\"task\":\"slot_{core}\",\"thread\":{core},\"core\":{core},");
        assert!(console.contains(&place), "{place} is missing in\n{console}");
    }
    assert_eq!(numbers(&console, "# Alignment: first due"), [0, 0, 0, 0]);
}

#[test]
fn threads_begin_as_far_apart_as_is_asked_for() {
    let console = console("latency -S -A 50 -i1000 -d0 -l20 -q");
    assert_eq!(numbers(&console, "# Alignment: first due"), [0, 50_000, 100_000, 150_000]);
    assert_eq!(console.lines().filter(|line| line.starts_with("T: ") && line.contains("I:1000 C:     20")).count(), 4);
}

#[test]
fn every_core_wakes_a_task_of_every_core() {
    let console = console("wake -l 20");
    let rows: Vec<Vec<u64>> = console
        .lines()
        .filter_map(|line| line.strip_prefix("# Cross-core wake: "))
        .map(|row| row.split_ascii_whitespace().filter_map(|word| word.parse().ok()).collect())
        .filter(|row: &Vec<u64>| row.len() == 10)
        .collect();
    let pairs: Vec<(u64, u64)> = rows.iter().map(|row| (row[0], row[1])).collect();
    assert!(pairs.into_iter().eq((0..4).flat_map(|from| (0..4).map(move |to| (from, to)))), "{console}");
    for row in &rows {
        assert!(row[2] > 0 && row[2..6].is_sorted() && row[6..].is_sorted(), "{row:?}");
    }
    assert!(console.contains("# Note: emulated cores take turns"));
}
