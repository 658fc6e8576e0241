//! `takt run` and its library, on guests of a few instructions in a real QEMU.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a test that cannot go on fails"
)]

use std::io::Read as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use takt_host::bench::trace::{Record, record};
use takt_host::run::{End, Input, Outcome, Run};
use takt_host::scratch::Scratch;

#[path = "guests/assembly.rs"]
mod assembly;

use assembly::{Guest, PM_RSTC, UART};

/// A guest's image in a directory of the test's own.
struct Bench {
    scratch: Scratch,
}

impl Bench {
    fn new(guest: Guest) -> Self {
        let scratch = Scratch::new().unwrap();
        std::fs::write(scratch.file("guest.img"), guest.bytes()).unwrap();
        std::fs::create_dir(scratch.file("tmp")).unwrap();
        Self { scratch }
    }

    fn image(&self) -> PathBuf {
        self.scratch.file("guest.img")
    }

    /// A deterministic run with a limit that only a failing test reaches.
    fn run(&self) -> Run {
        Run { icount: Some(4), cores: Some(1), timeout: Some(Duration::from_secs(60)), ..Run::new(self.image()) }
    }

    /// The program itself, with a temporary directory in which only this run works.
    fn takt(&self, options: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_takt"));
        command.arg("run").args(options).arg(self.image());
        command.env("TMPDIR", self.temporary()).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn temporary(&self) -> PathBuf {
        self.scratch.file("tmp")
    }

    /// Waits until no process works in the temporary directory.
    fn wait_until_no_qemu_is_left(&self) {
        for _ in 0..1000 {
            if processes_in(&self.temporary()).is_empty() {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("a QEMU was left behind: {:?}", processes_in(&self.temporary()));
    }

    fn assert_nothing_is_left(&self) {
        self.wait_until_no_qemu_is_left();
        let left: Vec<_> = std::fs::read_dir(self.temporary()).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert!(left.is_empty(), "temporary files were left behind: {left:?}");
    }
}

/// Processes whose working directory is in this directory, which is true of QEMU during a run.
fn processes_in(directory: &Path) -> Vec<PathBuf> {
    let processes = std::fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
    processes
        .filter(|process| std::fs::read_link(process.join("cwd")).is_ok_and(|cwd| cwd.starts_with(directory)))
        .collect()
}

fn execute(run: &Run) -> (Outcome, Vec<u8>) {
    let mut console = Vec::new();
    let outcome = run.execute(&mut console).unwrap();
    (outcome, console)
}

fn standard_error(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Starts the program on a guest that prints and never ends, and waits for the print.
fn start_endless(bench: &Bench) -> Child {
    let mut takt = bench.takt(&["--timeout", "60"]).spawn().unwrap();
    let mut printed = [0; 3];
    takt.stdout.as_mut().unwrap().read_exact(&mut printed).unwrap();
    assert_eq!(&printed, b"on\n");
    takt
}

fn endless() -> Bench {
    Bench::new(Guest::default().print("on\n").for_ever())
}

fn send(signal: &str, process: &Child) {
    assert!(Command::new("kill").args([signal, &process.id().to_string()]).status().unwrap().success());
}

#[test]
fn the_console_and_the_exit_status_come_through() {
    for status in [0, 42] {
        let bench = Bench::new(Guest::default().print("hi\n").exit(status));
        let (outcome, console) = execute(&bench.run());
        assert_eq!(console, b"hi\n");
        assert_eq!(outcome.end, End::Exit(status.try_into().unwrap()));
        assert_eq!(outcome.guest_errors, Vec::<String>::new());
        assert_eq!(outcome.qemu_messages, "");
    }
}

#[test]
fn the_program_passes_on_bytes_and_status_and_keeps_the_same_bytes() {
    let text = "µs: 1\r\n\u{1}".repeat(200);
    let bench = Bench::new(Guest::default().print(&text).exit(42));
    let kept = bench.scratch.file("serial");
    let output = bench.takt(&["--keep-serial", kept.to_str().unwrap()]).output().unwrap();
    assert_eq!(output.status.code(), Some(42), "{}", standard_error(&output));
    assert_eq!(output.stdout, text.as_bytes());
    assert_eq!(std::fs::read(kept).unwrap(), text.as_bytes());
    assert_eq!(standard_error(&output), "");
    bench.assert_nothing_is_left();
}

#[test]
fn input_reaches_the_guest() {
    let bench = Bench::new(Guest::default().echo_until_q().exit(0));
    let run = Run { input: Input::Bytes(b"a line that is longer than the FIFO\nq".into()), ..bench.run() };
    assert_eq!(execute(&run).1, b"a line that is longer than the FIFO\nq");
}

#[test]
fn the_system_timer_reaches_the_gic_only_when_wired() {
    let bench = Bench::new(Guest::default().system_timer_pending_in_w2().exit_with_w2());
    assert_eq!(execute(&bench.run()).0.end, End::Exit(2));
    assert_eq!(execute(&Run { wiring: false, ..bench.run() }).0.end, End::Exit(0));
}

#[test]
fn an_endless_guest_is_ended_at_the_limit() {
    let bench = endless();
    let output = bench.takt(&["--timeout", "1"]).output().unwrap();
    assert_eq!(output.status.code(), Some(124));
    assert_eq!(output.stdout, b"on\n");
    assert!(standard_error(&output).contains("the time limit of 1 s ran out"), "{}", standard_error(&output));
    bench.assert_nothing_is_left();
}

#[test]
fn a_reset_is_named_and_is_no_success() {
    let bench = Bench::new(Guest::default().print("on\n").store(PM_RSTC, 0x5A00_0020).for_ever());
    let output = bench.takt(&["--timeout", "60"]).output().unwrap();
    assert_eq!(output.status.code(), Some(125), "{}", standard_error(&output));
    assert!(standard_error(&output).contains("reset the board"), "{}", standard_error(&output));
}

#[test]
fn guest_errors_are_reported_unless_allowed() {
    let bench = Bench::new(Guest::default().store(UART + 0x200, 1).exit(0));
    let output = bench.takt(&["--timeout", "60"]).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(standard_error(&output).contains("Bad offset"), "{}", standard_error(&output));
    let output = bench.takt(&["--timeout", "60", "--allow-guest-error", "Bad offset"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", standard_error(&output));
    assert_eq!(standard_error(&output), "");
}

#[test]
fn a_flood_of_guest_errors_ends_the_run() {
    let again = [0xB900_0020, 0x17FF_FFFF]; // str w0, [x1]; b to it
    let bench = Bench::new(Guest::default().store(UART + 0x200, 1).code(&again));
    assert_eq!(execute(&bench.run()).0.end, End::FloodOfGuestErrors);
}

#[test]
fn a_trace_names_each_instruction_and_each_device_access() {
    let bench = Bench::new(Guest::default().store(UART, u32::from(b'x')).exit(7));
    let (outcome, mut log) = bench.run().trace(&mut Vec::new()).unwrap();
    assert_eq!(outcome.end, End::Exit(7));
    let mut text = String::new();
    log.read_to_string(&mut text).unwrap();
    let records: Vec<Record> = text.lines().filter_map(record).collect();
    // QEMU's own few instructions, which stand for the firmware, come first.
    assert!(records.contains(&Record::Instruction(0x8_0000)));
    let writes = records.iter().filter_map(|record| match record {
        Record::Access(access) if access.is_write && access.address == u64::from(UART) => Some(access.value),
        _ => None,
    });
    assert_eq!(writes.collect::<Vec<_>>(), [u64::from(b'x')]);
}

#[test]
fn signals_end_qemu_and_leave_nothing() {
    for (signal, status) in [("-INT", 130), ("-TERM", 143), ("-HUP", 129)] {
        let bench = endless();
        let mut takt = start_endless(&bench);
        send(signal, &takt);
        assert_eq!(takt.wait().unwrap().code(), Some(status));
        bench.assert_nothing_is_left();
    }
}

#[test]
fn qemu_does_not_survive_a_hard_kill() {
    if Command::new("setpriv").args(["--pdeathsig", "keep", "true"]).status().is_err() {
        eprintln!("skipped: setpriv of util-linux is not installed");
        return;
    }
    let bench = endless();
    let mut takt = start_endless(&bench);
    assert_eq!(processes_in(&bench.temporary()).len(), 1);
    takt.kill().unwrap();
    takt.wait().unwrap();
    bench.wait_until_no_qemu_is_left();
}

#[test]
fn a_qemu_that_is_ended_from_outside_is_named() {
    let bench = endless();
    let takt = start_endless(&bench);
    let qemu = processes_in(&bench.temporary());
    let id = qemu[0].file_name().unwrap().to_str().unwrap();
    assert!(Command::new("kill").args(["-KILL", id]).status().unwrap().success());
    let output = takt.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.status.signal()), (Some(137), None));
    assert!(standard_error(&output).contains("ended by signal 9"), "{}", standard_error(&output));
    bench.assert_nothing_is_left();
}

#[test]
fn what_cannot_be_run_is_refused_in_a_sentence() {
    let bench = Bench::new(Guest::default());
    let output = bench.takt(&[]).output().unwrap();
    assert_eq!(output.status.code(), Some(125));
    assert!(standard_error(&output).contains("is empty"), "{}", standard_error(&output));
    let output = bench.takt(&["--qemu", "/nowhere/qemu"]).output().unwrap();
    assert!(standard_error(&output).contains("scripts/setup"), "{}", standard_error(&output));
    std::fs::write(bench.image(), b"\x7fELF").unwrap();
    let output = bench.takt(&[]).output().unwrap();
    assert!(standard_error(&output).contains("not a 64-bit little-endian ELF file"), "{}", standard_error(&output));
    bench.assert_nothing_is_left();
}
