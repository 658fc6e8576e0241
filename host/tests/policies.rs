//! `sweep` in counted instructions: every combination is measured whole, the timer and the way to idle really change, and are what
//! they were when it has ended.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

mod device;

use std::time::Duration;

use device::device_program;
use takt_host::run::Run;

fn console(boot_words: &str, commands: &str, status: i32) -> String {
    let append = format!("icount=4 {boot_words} autorun=\"{commands}; exit\"");
    let timeout = Some(Duration::from_secs(120));
    let elf = device_program("sweep-of-policies");
    let run = Run { icount: Some(4), cores: Some(1), timeout, append, ..Run::new(elf) };
    let mut console = Vec::new();
    let outcome = run.execute(&mut console).unwrap();
    let console = String::from_utf8(console).unwrap();
    assert_eq!(outcome.status, status, "{console}");
    console
}

/// A row of the table: the combination, minimum and maximum in nanoseconds, cycles, skipped.
struct Row<'c> {
    combination: [&'c str; 4],
    least_ns: i64,
    most_ns: i64,
    cycles: u64,
    skipped: u64,
}

fn rows(console: &str) -> Vec<Row<'_>> {
    let table = console.lines().skip_while(|line| !line.starts_with("# Sweep: policy     timer")).skip(1);
    table.map_while(|line| line.strip_prefix("# Sweep: ")).map(row).collect()
}

fn row(line: &str) -> Row<'_> {
    let words: Vec<&str> = line.split_whitespace().filter(|word| *word != "|").collect();
    let [policy, timer, method, idle, least, _, most, cycles, skipped] = words[..] else { panic!("{line}") };
    Row {
        combination: [policy, timer, method, idle],
        least_ns: least.parse().unwrap(),
        most_ns: most.parse().unwrap(),
        cycles: cycles.parse().unwrap(),
        skipped: skipped.parse().unwrap(),
    }
}

#[test]
fn every_combination_is_measured_and_the_core_is_left_as_it_was() {
    let console = console("", "bench -l 20; sweep -l 20 --idle wfi; bench -l 20", 0);
    let rows = rows(&console);
    assert_eq!(rows.len(), 24, "{console}");
    for row in &rows {
        assert_eq!((row.cycles, row.skipped), (20, 0), "{:?}", row.combination);
        assert!(row.least_ns > 0 && row.most_ns < 10_000, "{:?}: {} to {}", row.combination, row.least_ns, row.most_ns);
        // A relative wait ends at a whole microsecond of the system timer, which it is not begun at.
        let is_rounded = row.combination[1..3] == ["system", "relative"];
        assert!(is_rounded || row.most_ns - row.least_ns <= 16, "{:?}", row.combination);
    }
    // The generic timer's way is the longer one, and a callback's longer than a task's.
    let least =
        |timer, method| rows.iter().find(|row| row.combination == ["fifo", timer, method, "wfi"]).unwrap().least_ns;
    assert!(least("generic", "absolute") > least("system", "absolute") + 100, "{console}");
    assert!(least("system", "callback") > least("system", "absolute") + 100, "{console}");
    // Each has its report.
    assert_eq!(console.lines().filter(|line| line.starts_with("# JSON: ")).count(), 24, "{console}");
    // The generic timer's way is 20 ticks longer; one more or less is where due instants lie between ticks.
    let least_of = |line: &str| Some(line.strip_prefix("timer-task-idle,")?.split(',').next()?.parse::<i64>().unwrap());
    let [before, after] = console.lines().filter_map(least_of).collect::<Vec<_>>()[..] else { panic!("{console}") };
    assert!((before - after).abs() <= 1, "to the task, before and after the sweep: {before} {after}");
}

#[test]
fn idle_in_a_loop_is_a_loop() {
    let spin = console("", "sweep -l 20 --timer system --idle spin", 0);
    let of_loop = rows(&spin);
    assert_eq!(of_loop.len(), 12, "{spin}");
    // Found up to a lap later: some spread there is, where a wake-up has none.
    let spread = |row: &Row<'_>| row.most_ns - row.least_ns;
    assert!(of_loop.iter().any(|row| row.combination[2] == "absolute" && spread(row) > 0), "{spin}");
}

#[test]
fn a_timer_that_is_not_there_is_left_out_or_refused() {
    let left_out = console("timebase=generic", "sweep -l 5 --idle wfi", 0);
    assert!(left_out.contains("# Sweep: the system timer is left out"), "{left_out}");
    assert_eq!(rows(&left_out).len(), 12, "{left_out}");
    let refused = console("timebase=generic", "sweep -l 5 --timer system", 2);
    assert!(
        refused.contains("# sweep: the system timer's interrupt did not come at boot, or was not tried"),
        "{refused}"
    );
}
