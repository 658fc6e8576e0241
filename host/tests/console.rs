//! The console as somebody at a terminal finds it: what is typed is run, edited and stopped.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod device;

use std::time::Duration;

use device::device_program;
use takt_host::run::{Input, Run};

/// What the image prints when this is typed at its first prompt; it ends by an `exit` among it.
#[track_caller]
fn typed(bytes: &[u8]) -> String {
    let input = Input::AfterPrompt { prompt: b"# takt> ".into(), bytes: bytes.into() };
    let append = "icount=4 autorun=\"version\"".into();
    let timeout = Some(Duration::from_secs(60));
    let run = Run { icount: Some(4), cores: Some(1), timeout, append, input, ..Run::new(device_program("takt-app")) };
    let mut console = Vec::new();
    let outcome = run.execute(&mut console).unwrap();
    let console = String::from_utf8(console).unwrap();
    assert_eq!(outcome.status, 7, "{console}\n{}", outcome.qemu_messages);
    console
}

fn count(console: &str, beginning: &str) -> usize {
    console.lines().filter(|line| line.starts_with(beginning)).count()
}

#[test]
fn what_is_typed_is_run_and_comes_back_from_the_history() {
    let console = typed(b"verzion\x1b[D\x1b[D\x1b[D\x7fs\r\x1b[A\rvers\t\rexit 7\r");
    assert_eq!(count(&console, "# Image: takt "), 4, "once by the boot line and three times as typed:\n{console}");
    assert!(console.ends_with("# takt> exit 7\n# Exit: status 7\n"), "{console}");
    // All that is shown while somebody types is a comment to scripts.
    assert!(console.split(['\n', '\r']).all(|line| line.is_empty() || line.starts_with('#')), "{console}");
}

#[test]
fn a_command_that_cannot_be_run_is_refused_and_the_next_one_is_run() {
    let console = typed(b"latncy -l 5; version\rlatency -i 3\r\r  ; \rhelp nothing\rexit 7\r");
    assert!(console.contains("# the command latncy is unknown; valid are latency "), "{console}");
    assert!(console.contains("# latency: the value of -i is 3; an interval of 20 to "), "{console}");
    assert!(console.contains("# the command nothing is unknown; valid are latency "), "{console}");
    assert_eq!(count(&console, "# Image: takt "), 1, "by the boot line alone:\n{console}");
}

#[test]
fn ctrl_c_ends_a_measurement_with_its_report() {
    // What was typed before Ctrl-C is gone; what is typed behind it is run.
    let console = typed(b"latency -i 100 -h 50 -q; version\rtasks\r\x03exit 7\r");
    assert_eq!(count(&console, "# Note: latency: the run is endless"), 1, "{console}");
    assert_eq!(count(&console, "# Total: "), 1, "{console}");
    assert_eq!(count(&console, "# Ctrl-C: what stands behind this command is not run"), 1, "{console}");
    assert_eq!(count(&console, "# Tasks: "), 0, "{console}");
    // The boot line's and the report's own.
    assert_eq!(count(&console, "# Image: takt "), 2, "{console}");
    let rows: u64 = console
        .lines()
        .filter(|line| line.len() == 13 && !line.starts_with('#'))
        .filter_map(|row| row.split(' ').nth(1)?.parse::<u64>().ok())
        .sum();
    assert!(console.contains(&format!("# Total: {rows:09}")), "{console}");
}

#[test]
fn ctrl_c_gives_up_a_line() {
    let console = typed(b"version\x03exit 7\r");
    assert!(console.contains("# takt> version^C\n# takt> exit 7\n"), "{console}");
    assert_eq!(count(&console, "# Image: takt "), 1, "{console}");
}

#[test]
fn the_largest_report_leaves_a_third_of_the_stack() {
    let report =
        b"latency -t4 -i 1000 -d 0 -l 20 -h 20 -q --stage handler,task,done -P --explain --spike 1; info\rexit 7\r";
    let console = typed(report);
    let line = console.lines().find_map(|line| line.strip_prefix("# Stack: console ")).unwrap();
    let numbers: Vec<u32> = line.split(' ').filter_map(|word| word.parse().ok()).collect();
    let [used_bytes, bytes] = numbers[..] else { panic!("two numbers were expected: {line}") };
    assert!(used_bytes * 3 <= bytes * 2, "{line}");
}
