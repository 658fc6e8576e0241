//! `calibrate`: the shape of Xenomai's published experiment with gravity, in counted instructions. With too much of it tasks come
//! early, without they come late by the whole way, and with as much as the shortest way takes they come at their due instants.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::arithmetic_side_effects,
    reason = "a test that cannot go on fails"
)]

mod device;

use std::time::Duration;

use device::device_program;
use takt_host::run::Run;

/// A tick of the counter in QEMU.
const TICK_NS: i64 = 16;

fn console(boot_words: &str, commands: &str) -> String {
    let append = format!("icount=4 {boot_words} autorun=\"{commands}; exit\"");
    let timeout = Some(Duration::from_secs(120));
    let run = Run { icount: Some(4), cores: Some(1), timeout, append, ..Run::new(device_program("takt-app")) };
    let mut console = Vec::new();
    let outcome = run.execute(&mut console).unwrap();
    let console = String::from_utf8(console).unwrap();
    assert_eq!(outcome.status, 0, "{console}");
    console
}

/// What each run anticipated, and its minimum and maximum, in nanoseconds.
fn runs(console: &str) -> Vec<[i64; 3]> {
    let of = |line: &str| {
        let numbers: Vec<i64> = line.split([' ', ':', ',']).filter_map(|word| word.parse().ok()).collect();
        let [anticipated, min, _, max] = numbers[..] else { panic!("four numbers were expected: {line}") };
        [anticipated, min, max]
    };
    console.lines().filter_map(|line| line.strip_prefix("# Calibrate: anticipating ")).map(of).collect()
}

/// Minimum and maximum of the report of `latency -N` in a line of its summary.
fn summary(console: &str, id: &str) -> (i64, i64) {
    let line = console.lines().find(|line| line.starts_with("T: 0 (") && line.contains(id)).unwrap();
    let behind = |word: &str| line.split_once(word).unwrap().1.split_whitespace().next().unwrap().parse().unwrap();
    (behind("Min:"), behind("Max:"))
}

#[test]
fn on_the_generic_timer_the_minimum_comes_to_lie_at_the_due_instant() {
    let console = console("timebase=generic", "calibrate auto -l 100; latency -i 500 -l 100 -N -q; calibrate off");
    let [[none, before, _], [anticipated, after, _]] = runs(&console)[..] else { panic!("{console}") };
    assert_eq!(none, 0);
    assert!(before > 100 * TICK_NS / 2, "a way of more than 50 instructions: {before}");
    assert!((0..=TICK_NS).contains(&(before - anticipated)), "{before} {anticipated}");
    assert!((0..=TICK_NS).contains(&after), "{after}");
    let (least, _) = summary(&console, "(    0)");
    assert!((-TICK_NS..=TICK_NS).contains(&least), "a run of latency anticipates as well: {least}\n{console}");
    assert!(console.ends_with("# Anticipation: core 0 is released 0 ns before due\n# Exit: status 0\n"), "{console}");
}

#[test]
fn too_much_brings_tasks_early_and_strict_ones_wait() {
    let console = console(
        "timebase=generic",
        "calibrate 2500 -l 100; latency -i 500 -l 100 -N -q; calibrate 2500 -l 100 --strict; \
         latency -i 500 -l 100 -N -q --stage handler",
    );
    let [[_, before, _], [anticipated, early, _], _, [_, strict, strict_max]] = runs(&console)[..] else {
        panic!("{console}")
    };
    assert_eq!(anticipated, 2_496, "whole ticks");
    assert!((early - (before - anticipated)).abs() <= TICK_NS, "{before} - {anticipated} is not {early}");
    assert!(early < 0, "{early}");
    assert!(console.contains("# Early: 00100\n"), "latency counts them as early\n{console}");
    // Never before due, and no later than the loop is long.
    assert!(strict >= 0 && strict_max < 16 * TICK_NS, "{strict} to {strict_max}");
    let waited =
        console.lines().find_map(|line| line.strip_prefix("# Calibrate: tasks waited for their due instants for "));
    let waited: i64 = waited.unwrap().split(' ').next().unwrap().parse().unwrap();
    assert!((waited + early).abs() < 16 * TICK_NS, "waited {waited}, early {early}");
    // The interrupt itself comes as early as before.
    assert!(summary(&console, "(   30)").1 < -2_000, "{console}");
}

#[test]
fn the_system_timer_anticipates_whole_microseconds() {
    let console = console("", "calibrate auto -l 100; calibrate auto --stage handler -l 50; calibrate 3000 -l 50");
    let [[_, before, _], [anticipated, after, _], _, nothing, [_, _, _], [three, early, _]] = runs(&console)[..] else {
        panic!("{console}")
    };
    assert_eq!((anticipated, three), (before / 1_000 * 1_000, 3_000));
    assert!((after - (before - anticipated)).abs() <= 2 * TICK_NS, "{before} {anticipated} {after}");
    assert!((early - (before - 3_000)).abs() <= 2 * TICK_NS, "{early}");
    assert_eq!(nothing[0], 0, "the handler comes within a microsecond");
}
