// SPDX-License-Identifier: MIT OR Apache-2.0
//! `takt run`: an image in QEMU. Cargo calls it as the runner of the device's target.

use std::cell::Cell;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, IsTerminal as _, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context as _, Result};
use clap::Args;
use clap::builder::NonEmptyStringValueParser;

use crate::qemu::PROGRAM;
use crate::run::{BusLine, ChipSelect, End, Input, Outcome, Reading, Run, STATUS_FAILED, Stop};
use crate::terminal::Keys;

/// The status when no run could be made, as the type that an exit takes.
pub(super) const FAILED: u8 = 125;
const _: () = assert!(FAILED as i32 == STATUS_FAILED);

/// How many lines of guest errors are printed before the rest is only counted.
const PRINTED_GUEST_ERRORS: usize = 20;

const EXIT_STATUS: &str = "\
Exit status:
  the guest's own, as it gave it through semihosting (0 when it turned the board off); otherwise
  2    the arguments are wrong
  3    the guest gave 0, but QEMU logged guest errors that are not allowed
  124  the time limit ran out
  125  the run could not be made, or the guest reset the board
  128+N  signal N ended takt (130 for Ctrl-C) or QEMU

A first signal ends QEMU and removes the temporary files; a second one ends takt at once. QEMU is ended even if takt is
killed hard, where the program setpriv (util-linux) is installed.";

/// Runs an image in QEMU as a Raspberry Pi 4.
///
/// The guest's console (PL011) is passed on byte for byte. Where the image logs messages with defmt, they are read from the
/// second serial interface, decoded, and printed to standard error, each line marked with log. The system timer is connected to the interrupt controller first,
/// which QEMU leaves undone.
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS)]
pub(super) struct Arguments {
    /// A program built for the device (ELF), or a raw image
    image: PathBuf,
    /// More words for the boot command line; put -- before words that begin with a hyphen
    words: Vec<String>,
    /// Let an instruction take 2^N ns of guest time, so that runs repeat (4: one tick of the counter)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=10))]
    icount: Option<u8>,
    /// The boot command line
    #[arg(long, value_name = "WORDS", default_value = "", hide_default_value = true, allow_hyphen_values = true)]
    append: String,
    /// Start this many cores instead of four
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=4))]
    cores: Option<u8>,
    /// End the run after this many seconds of real time; 0 for never
    #[arg(long, value_name = "S", default_value_t = 0)]
    timeout: u64,
    /// Write the guest's console to this file, too
    #[arg(long, value_name = "FILE")]
    keep_serial: Option<PathBuf>,
    /// Do not read the messages that the image logs
    #[arg(long)]
    no_log: bool,
    /// Leave the system timer unconnected, as QEMU does by itself
    #[arg(long)]
    no_wiring: bool,
    /// Let this pin, while it is an output and high, raise the interrupt of its events, which QEMU does not detect: INTID
    /// 145 for pins 0 to 27, 146 for 28 to 45, 147 above; may be given once for each of these
    #[arg(long, value_name = "PIN", value_parser = clap::value_parser!(u8).range(0..=53))]
    wire_pin: Vec<u8>,
    /// Connect the interrupt line of a bus, which QEMU leaves undone; may be given several times
    #[arg(long, value_name = "BUS", value_enum)]
    wire_bus: Vec<BusLine>,
    /// Add a device to the board, as QEMU's -device does: tmp105,bus=i2c-bus.1,address=0x48 is a thermometer on I2C1, and
    /// bus=spi is SPI0; may be given several times
    #[arg(long, value_name = "DEVICE", value_parser = NonEmptyStringValueParser::new())]
    device: Vec<String>,
    /// Let a pin, while it is low, select an added SPI device: 8=flash for GPIO8 and the device with id=flash
    #[arg(long, value_name = "PIN=ID")]
    chip_select: Vec<ChipSelect>,
    /// Tell an added device what it measures: thermometer.temperature=23500 for the device with id=thermometer
    #[arg(long, value_name = "ID.PROPERTY=NUMBER")]
    reading: Vec<Reading>,
    /// Do not report guest errors that contain this text; may be given several times
    #[arg(long, value_name = "TEXT", value_parser = NonEmptyStringValueParser::new())]
    allow_guest_error: Vec<String>,
    /// Send standard input to the guest's console, even when it is not a terminal
    #[arg(long)]
    stdin: bool,
    /// Send each key to the guest's console as it is pressed, Ctrl-C too; Ctrl-] leaves. Needs a terminal
    #[arg(long, conflicts_with = "stdin")]
    console: bool,
    /// The QEMU to use
    #[arg(long, value_name = "PROGRAM", default_value = PROGRAM)]
    qemu: OsString,
}

impl Arguments {
    fn into_run(self, stop: Stop) -> Run {
        let words = std::iter::once(self.append).filter(|append| !append.is_empty()).chain(self.words);
        Run {
            image: self.image,
            icount: self.icount,
            append: words.collect::<Vec<_>>().join(" "),
            cores: self.cores,
            wiring: !self.no_wiring,
            wired_pins: self.wire_pin,
            wired_buses: self.wire_bus,
            devices: self.device,
            chip_selects: self.chip_select,
            readings: self.reading,
            timeout: (self.timeout != 0).then(|| Duration::from_secs(self.timeout)),
            input: match (self.console, self.stdin || io::stdin().is_terminal()) {
                (true, _) => Input::Keys,
                (false, true) => Input::Stdin,
                (false, false) => Input::Nothing,
            },
            qemu: self.qemu,
            allowed_guest_errors: self.allow_guest_error,
            is_traced: false,
            stop,
        }
    }
}

/// Standard output, and a file that gets the same bytes.
struct Tee<'a> {
    file: Option<File>,
    /// Whether the next byte begins a line.
    is_at_line_start: &'a Cell<bool>,
}

impl Write for Tee<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes).map(|()| bytes.len())
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        // The file first: it is complete even when nobody reads standard output any more.
        if let Some(file) = &mut self.file {
            file.write_all(bytes)?;
        }
        self.is_at_line_start.set(bytes.last().map_or(self.is_at_line_start.get(), |&last| last == b'\n'));
        io::stdout().write_all(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stdout().flush()
    }
}

pub(super) fn run(arguments: Arguments) -> Result<ExitCode> {
    let file = arguments.keep_serial.as_ref().map(|path| {
        File::create(path).with_context(|| format!("{} cannot be written for --keep-serial", path.display()))
    });
    let is_at_line_start = Cell::new(true);
    let mut sink = Tee { file: file.transpose()?, is_at_line_start: &is_at_line_start };
    let stop = Stop::on_signals().context("the handlers for Ctrl-C cannot be set")?;
    let with_log = !arguments.no_log;
    let _keys = if arguments.console { Some(take_terminal()?) } else { None };
    let run = arguments.into_run(stop);
    let outcome = if with_log {
        run.execute_with_log(&mut sink, &mut |line| {
            // A line of its own, also on a terminal where the guest is in the middle of one.
            let before = if is_at_line_start.replace(true) { "" } else { "\n" };
            eprintln!("{before}{line}");
        })?
    } else {
        run.execute(&mut sink)?
    };
    report(&outcome);
    Ok(ExitCode::from(u8::try_from(outcome.exit_status()).unwrap_or(FAILED)))
}

/// Takes the keys, and says how to leave.
fn take_terminal() -> Result<Keys> {
    let keys =
        Keys::take().context("--console needs a terminal at the standard input; give --stdin for a file or a pipe")?;
    eprintln!("takt run: every key goes to the guest; Ctrl-] leaves");
    Ok(keys)
}

/// What is to be said about the run on standard error; nothing, for a run without incident.
fn report(outcome: &Outcome) {
    if !outcome.qemu_messages.is_empty() {
        eprintln!("{}", outcome.qemu_messages);
    }
    let (first, count) = (outcome.guest_errors.iter().take(PRINTED_GUEST_ERRORS), outcome.guest_errors.len());
    if count != 0 {
        eprintln!("takt run: guest errors in QEMU's log; on a board such accesses hang, abort or do nothing:");
    }
    first.for_each(|line| eprintln!("  {line}"));
    if count > PRINTED_GUEST_ERRORS {
        eprintln!("  and {} more", count - PRINTED_GUEST_ERRORS);
    }
    if !matches!(outcome.end, End::Exit(_)) {
        eprintln!("takt run: {}", outcome.end);
    }
}
