//! The suites of `bench`, in short forms and counted instructions: what they print is in its format, and what they counted fits
//! together.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::arithmetic_side_effects,
    reason = "a test that cannot go on fails"
)]

mod device;

use std::collections::BTreeMap;
use std::time::Duration;

use device::device_program;
use takt_host::run::{Input, Run};

fn console(commands: &str, input: Input) -> String {
    let append = format!("icount=4 autorun=\"{commands}\"");
    let timeout = Some(Duration::from_secs(120));
    let elf = device_program("takt-app");
    let run = Run { icount: Some(4), cores: Some(1), timeout, append, input, ..Run::new(elf) };
    let mut console = Vec::new();
    let outcome = run.execute(&mut console).unwrap();
    let console = String::from_utf8(console).unwrap();
    assert_eq!(outcome.status, 0, "{console}");
    console
}

/// Minimum, median, p99, maximum and count of each row.
fn rows(console: &str) -> BTreeMap<&str, [u64; 5]> {
    let row = |line| {
        let (name, rest) = str::split_once(line, ',')?;
        let numbers: Vec<u64> = rest.split(',').filter_map(|number| number.parse().ok()).collect();
        Some((name, numbers.try_into().ok()?))
    };
    console.lines().filter(|line| !line.starts_with('#')).filter_map(row).collect()
}

#[test]
fn rhealstones_six_operations_are_timed_one_by_one() {
    let console = console("bench rhealstone -l 3000; exit", Input::Nothing);
    let rows = rows(&console);
    assert_eq!(rows.len(), 6, "{console}");
    for (name, [least, median, p99, most, count]) in &rows {
        assert_eq!(*count, 3_000, "{name}");
        assert!(least <= median && median <= p99 && p99 <= most, "{name}: {least} {median} {p99} {most}");
        // The same way each time, but for the first.
        assert_eq!(least, median, "{name}");
        assert_eq!(p99, median, "{name}");
    }
    let median = |name: &str| rows[&format!("rhealstone-{name}")[..]][1];
    // A preemption is a switch and more; a shuffle is two switches; a break has inheritance besides.
    assert!(median("task-switch") < median("preemption"), "{console}");
    assert!(2 * median("task-switch") < median("semaphore-shuffle"), "{console}");
    assert!(median("semaphore-shuffle") < median("deadlock-break"), "{console}");
    let sum: u64 = rows.values().map(|row| row[1]).sum();
    let said = console.lines().find_map(|line| line.strip_prefix("# Rhealstone: ")).unwrap();
    let numbers: Vec<u64> = said.split(' ').filter_map(|word| word.parse().ok()).collect();
    // Medians are printed in whole ticks of 16 ns.
    assert!(numbers[1].abs_diff(sum * 16 / 6) <= 16 && numbers[0] == 1_000_000_000 / numbers[1], "{said}, sum {sum}");
}

#[test]
fn thread_metrics_counters_fit_together() {
    let console = console("bench thread-metric -w 200ms; exit", Input::Nothing);
    assert!(!console.contains("ERROR"), "{console}");
    let mut totals = BTreeMap::new();
    for (line, next) in console.lines().zip(console.lines().skip(1)) {
        if let Some(name) = line.strip_prefix("**** Thread-Metric ") {
            let name = name.strip_suffix(" Test **** Relative Time: 0.200").unwrap();
            let total: u64 = next.strip_prefix("Time Period Total:  ").unwrap().parse().unwrap();
            totals.insert(name, total);
        }
    }
    assert_eq!(totals.len(), 8, "{console}");
    // 12,500,000 instructions are in the window: none is done in fewer than it takes, and none takes more than 3,000 but the first,
    // whose pass is over 1,024 words.
    for (name, total) in &totals {
        let instructions = 12_500_000 / total;
        let most = if *name == "Basic Single Thread Processing" { 20_000 } else { 3_000 };
        assert!((20..most).contains(&instructions), "{name}: {instructions} instructions");
    }
    let count = |name: &str| totals[name];
    assert!(count("Synchronization Processing") > count("Message Processing"), "{console}");
    // Four of five counts of the chain are a preemption and a return.
    assert!(count("Cooperative Scheduling") > count("Preemptive Scheduling"), "{console}");
}

#[test]
fn twice_the_window_counts_twice_as_often() {
    let total = |window: &str| {
        let console = console(&format!("bench thread-metric -w {window}; exit"), Input::Nothing);
        let line = console.lines().find_map(|line| line.strip_prefix("Time Period Total:  ")).unwrap().to_owned();
        line.parse::<u64>().unwrap()
    };
    let (once, twice) = (total("100ms"), total("200ms"));
    assert!(twice.abs_diff(2 * once) <= 4, "{once} {twice}");
}

#[test]
fn ctrl_c_ends_a_suite() {
    for suite in ["thread-metric -w 5", "rhealstone -l 10000000"] {
        let bytes = format!("bench {suite}; version\r\x03exit\r").into_bytes();
        let console = console("version", Input::AfterPrompt { prompt: b"# takt> ".into(), bytes });
        assert!(!console.contains("Time Period Total") && !console.contains("# Rhealstone: "), "no result:\n{console}");
        assert!(console.contains("# Ctrl-C: what stands behind this command is not run"), "{console}");
    }
}
