//! `takt run --console` at a terminal: keys reach the guest one by one, Ctrl-] leaves, and the terminal is as it was.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

mod device;

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use device::device_program;
use rustix::fs::{Mode, OFlags, open};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Termios, tcgetattr};

/// A guard against a test that hangs.
const LIMIT: Duration = Duration::from_secs(60);

/// Somebody at a terminal, who has started a run.
struct Person {
    keyboard: File,
    screen: Receiver<Vec<u8>>,
    terminal: OwnedFd,
    run: Child,
    seen: String,
}

impl Person {
    fn sits_down() -> (Self, Termios) {
        let keyboard = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&keyboard).unwrap();
        unlockpt(&keyboard).unwrap();
        let name = ptsname(&keyboard, Vec::new()).unwrap();
        let terminal = open(name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).unwrap();
        let before = tcgetattr(&terminal).unwrap();
        let run = Command::new(env!("CARGO_BIN_EXE_takt"))
            .args(["run", "--console", "--icount", "4", "--cores", "1", "--append", "icount=4 autorun=\"version\""])
            .arg(device_program("takt-app"))
            .stdin(terminal.try_clone().unwrap())
            .stdout(terminal.try_clone().unwrap())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let keyboard = File::from(keyboard);
        let (sender, screen) = channel();
        let mut output = keyboard.try_clone().unwrap();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = output.read(&mut buffer) {
                if sender.send(buffer.iter().take(count).copied().collect()).is_err() {
                    return;
                }
            }
        });
        (Self { keyboard, screen, terminal, run, seen: String::new() }, before)
    }

    fn types(&mut self, keys: &[u8]) {
        self.keyboard.write_all(keys).unwrap();
    }

    /// Waits until this is on the screen, behind what was waited for before.
    fn sees(&mut self, text: &str) {
        while !self.seen.contains(text) {
            let Ok(shown) = self.screen.recv_timeout(LIMIT) else { panic!("'{text}' does not come:\n{}", self.seen) };
            self.seen.push_str(&String::from_utf8_lossy(&shown));
        }
        let (_, rest) = self.seen.split_once(text).unwrap();
        self.seen = rest.to_owned();
    }

    /// How the run ended, and what the terminal is like then.
    fn gets_up(mut self) -> (i32, Termios) {
        let status = self.run.wait().unwrap().code().unwrap();
        (status, tcgetattr(&self.terminal).unwrap())
    }
}

fn are_same(one: &Termios, other: &Termios) -> bool {
    (one.local_modes, one.input_modes, one.output_modes) == (other.local_modes, other.input_modes, other.output_modes)
}

#[test]
fn keys_reach_the_guest_and_the_terminal_comes_back() {
    let (mut person, before) = Person::sits_down();
    person.sees("# takt> ");
    assert!(!are_same(&before, &tcgetattr(&person.terminal).unwrap()), "keys come one by one");
    // Tab completes, and is no character of the line.
    person.types(b"ver\t");
    person.sees("version");
    person.types(b"\r");
    person.sees("# Image: takt ");
    person.sees("# takt> ");
    // Up brings it back.
    person.types(b"\x1b[A\r");
    person.sees("# Image: takt ");
    person.sees("# takt> ");
    // Ctrl-C is the guest's, and ends what runs there.
    person.types(b"latency -i 1000 -q\r");
    person.sees("# Run: ");
    person.types(b"\x03");
    person.sees("# Ctrl-C: ");
    person.sees("# takt> ");
    person.types(b"\x1d");
    let (status, after) = person.gets_up();
    assert_eq!(status, 0, "left by the key for it");
    assert!(are_same(&before, &after), "the terminal is as it was");
}

#[test]
fn an_exit_of_the_guest_ends_the_run_with_its_status() {
    let (mut person, before) = Person::sits_down();
    person.sees("# takt> ");
    person.types(b"exit 7\r");
    let (status, after) = person.gets_up();
    assert_eq!(status, 7);
    assert!(are_same(&before, &after), "the terminal is as it was");
}

#[test]
fn without_a_terminal_it_is_refused() {
    let output = Command::new(env!("CARGO_BIN_EXE_takt"))
        .args(["run", "--console"])
        .arg(device_program("takt-app"))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        said.contains("--console needs a terminal at the standard input; give --stdin for a file or a pipe"),
        "{said}"
    );
    assert_eq!(output.status.code(), Some(125), "{said}");
}
