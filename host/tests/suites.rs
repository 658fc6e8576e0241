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
    execute(&Run { icount: Some(4), cores: Some(1), timeout, append, input, ..Run::new(elf) }, 0)
}

fn execute(run: &Run, status: i32) -> String {
    let mut console = Vec::new();
    let outcome = run.execute(&mut console).unwrap();
    let console = String::from_utf8(console).unwrap();
    assert_eq!(outcome.status, status, "{console}");
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

#[test]
fn tasks_preempt_as_their_priorities_say() {
    let console = console("bench sched -l 1; exit", Input::Nothing);
    let matrix: Vec<Vec<u64>> = console
        .lines()
        .filter_map(|line| line.strip_prefix("# Preempted: ")?.split_once('|'))
        .filter(|(task, _)| !task.contains("task"))
        .map(|(_, by)| by.split_whitespace().map(|count| count.parse().unwrap()).collect())
        .collect();
    assert_eq!(matrix.len(), 4, "{console}");
    for (victim, by) in matrix.iter().enumerate() {
        for (task, count) in by.iter().enumerate() {
            assert_eq!(*count > 0, task < victim, "task {} by task {}: {count}", victim + 1, task + 1);
        }
    }
    assert!(console.contains("# Verdict: passed: each task was preempted by every more urgent one"), "{console}");
}

#[test]
fn an_overload_stops_nobody() {
    let console = console("bench overload -l 1; exit", Input::Nothing);
    let counts = |task: &str| -> [u64; 4] {
        let line = console.lines().find_map(|line| line.strip_prefix("# Overload: ")?.trim_start().strip_prefix(task));
        let numbers: Vec<u64> = line.unwrap().split_whitespace().map(|number| number.parse().unwrap()).collect();
        numbers.try_into().unwrap()
    };
    assert_eq!(counts("urgent "), [1_000, 1_000, 1_000, 0]);
    let [_, releases, jobs, skipped] = counts("normal ");
    assert_eq!(releases, 100);
    // Each of ten bursts of 25 ms keeps a task with a period of 10 ms from two or three releases.
    assert!((20..=30).contains(&skipped) && jobs + skipped >= 97, "{console}");
    assert_eq!(counts("burst "), [100_000, 10, 10, 0]);
    assert!(console.contains("# Verdict: passed: both went on to the end"), "{console}");
}

#[test]
fn the_highest_clean_frequency_is_found_and_is_the_same_again() {
    let run = || console("bench freq -l 300; exit", Input::Nothing);
    let first = run();
    let steps: Vec<Vec<u64>> = first
        .lines()
        .filter(|line| line.starts_with(|first: char| first.is_ascii_digit()))
        .map(|line| line.split(',').map(|number| number.parse().unwrap()).collect())
        .collect();
    let (last, clean) = steps.split_last().unwrap();
    assert!(clean.len() > 20 && clean.iter().all(|step| step[3] == 0), "{first}");
    assert!(last[3] > 0 || last[0] == 1, "the last step misses a release: {first}");
    let us = clean.last().unwrap()[0];
    let said = format!("# Bench: the highest frequency without an error is {} Hz, every {us} us", 1_000_000 / us);
    assert!(first.contains(&said), "{first}");
    assert!(run().contains(&said), "once more");
}

/// `bench irq`, with GPIO17 led to the line of the pins or not.
fn irq(wired_pins: &[u8], status: i32) -> String {
    let append = "icount=4 autorun=\"bench irq -l 2000; exit\"".to_owned();
    let (wired_pins, timeout) = (wired_pins.to_vec(), Some(Duration::from_secs(120)));
    let elf = device_program("takt-app");
    execute(&Run { icount: Some(4), cores: Some(1), timeout, append, wired_pins, ..Run::new(elf) }, status)
}

#[test]
fn every_interrupt_comes_by_each_way() {
    let console = irq(&[17], 0);
    let rows = rows(&console);
    assert_eq!(rows.len(), 6, "{console}");
    for way in ["sgi", "pended", "pin"] {
        let [handler, task] = ["handler", "task"].map(|stage| rows[&format!("irq-{way}-{stage}")[..]]);
        assert_eq!((handler[4], task[4]), (2_000, 2_000), "{way}");
        assert!(0 < handler[0] && handler[3] < task[0] && task[3] < 1_000, "{way}: {handler:?} {task:?}");
        // The same way each time.
        assert_eq!((handler[0], task[0]), (handler[2], task[2]), "{way}");
    }
}

#[test]
fn a_missing_jumper_is_named() {
    let console = irq(&[], 2);
    assert!(console.contains("irq-pended-task,"), "the ways without a pin are measured:\n{console}");
    assert!(!console.contains("irq-pin-"), "{console}");
    assert!(
        console.contains("# bench irq: no interrupt came within 1 ms of GPIO17 going high; connect GPIO17"),
        "{console}"
    );
}

#[test]
fn the_edges_of_the_square_wave_are_a_period_apart() {
    let console = console("bench jitter -i 250 -l 2000; exit", Input::Nothing);
    let line = console.lines().find_map(|line| line.strip_prefix("jitter-interval,")).unwrap();
    let numbers: Vec<i64> = line.split(',').map(|number| number.parse().unwrap()).collect();
    let [least, _, _, most, count] = numbers[..] else { panic!("{line}") };
    assert_eq!(count, 2_000);
    // A late wake-up from `WFI`, one in some 50,000, makes one distance longer and the next one shorter.
    assert!(least.abs() <= 25 && most.abs() <= 25, "{console}");
    let in_rows: u64 = console
        .lines()
        .filter(|line| line.len() == 13 && line.as_bytes()[6] == b' ' && !line.starts_with('#'))
        .map(|row| row[7..].parse::<u64>().unwrap())
        .sum();
    assert_eq!(in_rows, 2_000, "{console}");
    assert!(console.contains("# Skipped: 00000\n"), "{console}");
}

#[test]
fn packets_go_to_and_fro() {
    let console = console("bench ipc -l 1; exit", Input::Nothing);
    let row = |name: &str| -> Vec<u64> {
        let line = console.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        line.trim_start_matches(',').split(',').map(|number| number.parse().unwrap()).collect()
    };
    let (short, long) = (row("ipc-16-bytes"), row("ipc-256-bytes"));
    for (row, bytes) in [(&short, 16), (&long, 256)] {
        assert_eq!((row[1], row[2]), (row[0] * bytes, row[0]), "{row:?}");
        // A second has 62,500,000 instructions, and a packet to and fro takes some hundreds.
        assert!((1_000..1_000_000).contains(&row[0]), "{row:?}");
    }
    assert!(short[0] > long[0], "long packets are fewer: {console}");
    assert!(console.contains("# Verdict: passed: each packet came back as it was sent"), "{console}");
}

#[test]
fn the_matrix_has_a_row_for_each_load() {
    let console = console("bench matrix -l 200; load; exit", Input::Nothing);
    let rows: BTreeMap<&str, Vec<u64>> = console
        .lines()
        .filter_map(|line| line.strip_prefix("# Matrix: ")?.split_once('|'))
        .filter(|(_, rest)| !rest.contains("max") && !rest.contains("task"))
        .map(|(name, rest)| (name.trim(), rest.split_whitespace().filter_map(|word| word.parse().ok()).collect()))
        .collect();
    assert_eq!(rows.len(), 11, "{console}");
    for (name, row) in &rows {
        let [p99, handler, _, task, _, done, cycles, _] = row[..] else { panic!("{name}: {row:?}") };
        assert!(p99 <= handler && handler < task && task < done, "{name}: {row:?}");
        assert_eq!(cycles, 200, "{name}");
    }
    // What interrupts shows, and all together is no better than the worst alone.
    assert!(rows["interrupts"][1] > rows["cpu"][1] && rows["cpu"][1] > rows["none"][1], "{console}");
    assert!(console.contains("# Load: none"), "all are stopped: {console}");
}

#[test]
fn the_performance_monitors_count_the_window() {
    let console = console("bench pmu -w 100ms; exit", Input::Nothing);
    let rows: Vec<Vec<&str>> =
        console.lines().filter(|line| line.starts_with("pmu-")).map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 8, "{console}");
    for row in rows {
        let [operations, cycles, instructions] = [1, 2, 3].map(|column| row[column].parse::<u64>().unwrap());
        // 6,250,000 instructions and 100,000,000 ns are in the window.
        let all = |thousandths: u64| operations * thousandths / 1_000;
        assert!((6_200_000..6_350_000).contains(&all(instructions)), "{row:?}");
        assert!((99_000_000..101_500_000).contains(&all(cycles)), "{row:?}");
        assert_eq!(row[4..], ["-"; 5], "QEMU counts no refills");
    }
}

#[test]
fn suites_name_the_loads_beside_which_they_run() {
    let console =
        console("load hell -s 11; bench rhealstone -l 500; bench jitter -l 500; load stop; exit", Input::Nothing);
    assert_eq!(console.matches("\n# Load: hell -s 11, burst 1; ").count(), 3, "by load and at each head:\n{console}");
    assert!(rows(&console).values().all(|row| row[4] == 500), "{console}");
    // What had the core between the edges did not move them beyond an interrupted task's way.
    let jitter = console.lines().find_map(|line| line.strip_prefix("jitter-interval,")).unwrap();
    assert!(jitter.ends_with(",500"), "{jitter}");
}
