//! Four cores that send one another all that crosses, as fast as they can: with a thread for each core, for a while, where the
//! cores really run at once; and with counted instructions, twice, where everything is repeated to the last instruction.
//! `make stress` is the long run.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod device;

use std::time::Duration;

use device::device_program;
use takt_host::run::Run;

/// What the program prints within this many seconds of its own time.
fn console(icount: Option<u8>, seconds: u32) -> String {
    let append = format!("seconds={seconds}");
    let timeout = Some(Duration::from_secs(120));
    let run = Run { icount, cores: Some(4), timeout, append, ..Run::new(device_program("stress")) };
    let mut console = Vec::new();
    let outcome = run.execute(&mut console).unwrap();
    let console = String::from_utf8(console).unwrap();
    assert_eq!(outcome.status, 0, "{console}\n{}", outcome.qemu_messages);
    console
}

#[test]
fn nothing_is_lost_between_four_threads() {
    let console = console(None, 10);
    assert!(!console.contains("NO"), "{console}");
}

#[test]
fn counted_instructions_repeat_to_the_last_message() {
    let first = console(Some(4), 1);
    assert!(!first.contains("NO"), "{first}");
    assert_eq!(first, console(Some(4), 1));
}
