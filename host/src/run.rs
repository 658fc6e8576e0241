// SPDX-License-Identifier: MIT OR Apache-2.0
//! One run of an image in QEMU, from the file to the exit status.
//!
//! How bytes travel: the guest's console (PL011, the first `-serial`) is a socket that we listen on before QEMU starts.
//! QEMU writes each byte to it and waits when it is full, so nothing is lost and a slow reader only slows the guest. A
//! thread reads the socket; this one passes the bytes on and, between two of them, looks at the time, at signals and at the
//! size of the log. The end of the console is the end of QEMU. The second `-serial` (mini UART) is a socket, too, where the
//! image has a table of log messages and somebody wants to read them; else it goes nowhere.
//!
//! Because every file has a fixed name in a directory of the run's own, which is QEMU's working directory, no path of the
//! machine appears among QEMU's arguments.

use std::ffi::OsString;
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};

pub mod arguments;
mod console;
pub mod guest_errors;
pub mod log;
mod machine;
mod outcome;
mod peripherals;
mod stop;

pub use console::Input;
pub use outcome::{End, Outcome, STATUS_FAILED, STATUS_GUEST_ERRORS, STATUS_TIMED_OUT};
pub use peripherals::{BusLine, ChipSelect, NoChipSelect, NoReading, Reading};
pub use stop::Stop;

use crate::image;
use crate::qemu::Qemu;
use crate::qmp::{BOUND, Qmp};
use crate::scratch::Scratch;
use console::{Chunk, Serial};
use log::{LogLine, Messages, Table};
use machine::Machine;

/// How often the time, the signals and the log are looked at while the guest says nothing.
const LOOK: Duration = Duration::from_millis(50);

/// A trace longer than this ends the run, before it fills the disk.
pub const TRACE_LIMIT_BYTES: u64 = 2 << 30;

/// What to run and how.
#[derive(Debug, Clone)]
pub struct Run {
    /// An ELF file of the device, or a raw image.
    pub image: PathBuf,
    /// One instruction takes two to this many nanoseconds of guest time, and runs repeat; `None` leaves time to the PC.
    pub icount: Option<u8>,
    /// The boot command line.
    pub append: String,
    /// How many cores start, 1 to 4; `None` leaves all four.
    pub cores: Option<u8>,
    /// Whether the system timer is connected to the GIC, as on the board.
    pub wiring: bool,
    /// Pins, 0 to 53, that raise the interrupt line of their events while they are driven high; one for each line.
    pub wired_pins: Vec<u8>,
    /// Interrupt lines of buses that are connected to the GIC, too.
    pub wired_buses: Vec<BusLine>,
    /// Devices that are added to the board, as QEMU's `-device` has them.
    pub devices: Vec<String>,
    /// Pins that select added devices.
    pub chip_selects: Vec<ChipSelect>,
    /// What added devices are told to measure.
    pub readings: Vec<Reading>,
    /// Real time after which the run is ended; `None` waits for ever.
    pub timeout: Option<Duration>,
    /// What goes to the guest's console.
    pub input: Input,
    /// The QEMU to use.
    pub qemu: OsString,
    /// Lines of QEMU's log that contain one of these texts are not reported, beyond [`guest_errors::ALLOWED`].
    pub allowed_guest_errors: Vec<String>,
    /// Whether QEMU logs every instruction, exception and device access, instead of guest errors; see [`Run::trace`].
    pub is_traced: bool,
    /// Ends the run from outside.
    pub stop: Stop,
}

impl Run {
    /// A run of this image with everything as QEMU has it, the system timer connected, no input and no time limit.
    #[must_use]
    pub fn new(image: impl Into<PathBuf>) -> Self {
        Self {
            image: image.into(),
            icount: None,
            append: String::new(),
            cores: None,
            wiring: true,
            wired_pins: Vec::new(),
            wired_buses: Vec::new(),
            devices: Vec::new(),
            chip_selects: Vec::new(),
            readings: Vec::new(),
            timeout: None,
            input: Input::Nothing,
            qemu: crate::qemu::PROGRAM.into(),
            allowed_guest_errors: Vec::new(),
            is_traced: false,
            stop: Stop::default(),
        }
    }

    /// Runs to the end and writes each byte of the guest's console to `sink` as it comes.
    ///
    /// # Errors
    /// When the run could not be started, or `sink` could not be written. Whatever the guest does is an [`Outcome`].
    pub fn execute(&self, sink: &mut dyn Write) -> Result<Outcome> {
        self.execute_in(&scratch()?, &mut Readers { console: sink, log: None })
    }

    /// The same, and gives each message that the guest logs to `log` as it comes. Where the image has no table of messages
    /// this is [`Run::execute`].
    ///
    /// # Errors
    /// As [`Run::execute`], or when the image's table of messages cannot be read.
    pub fn execute_with_log(&self, sink: &mut dyn Write, log: &mut dyn FnMut(LogLine)) -> Result<Outcome> {
        let Some(table) = self.table()? else { return self.execute(sink) };
        let mut readers = Readers { console: sink, log: Some((Messages::new(&table), log)) };
        let outcome = self.execute_in(&scratch()?, &mut readers)?;
        if let Some((messages, log)) = readers.log {
            messages.end(log);
        }
        Ok(outcome)
    }

    /// The image's table of log messages, if it has one.
    fn table(&self) -> Result<Option<Table>> {
        // What cannot be read, or is no image, is said when the image is written.
        let file = std::fs::read(&self.image).unwrap_or_default();
        if image::raw_image(&file).is_err() {
            return Ok(None);
        }
        Table::of(&file).with_context(|| format!("{}: its table of log messages cannot be read", self.image.display()))
    }

    /// The same with a trace: QEMU's log of every instruction, device access and exception. It takes some hundred megabytes
    /// of the temporary directory, until it is closed, and its guest errors are not looked for.
    ///
    /// # Errors
    /// As [`Run::execute`], or when the log cannot be opened.
    pub fn trace(&self, sink: &mut dyn Write) -> Result<(Outcome, File)> {
        let scratch = scratch()?;
        let outcome =
            Self { is_traced: true, ..self.clone() }.execute_in(&scratch, &mut Readers { console: sink, log: None })?;
        // The file stays readable when its directory goes.
        let log = File::open(scratch.file(arguments::LOG)).context("QEMU's trace cannot be read")?;
        Ok((outcome, log))
    }

    fn execute_in(&self, scratch: &Scratch, readers: &mut Readers<'_, '_>) -> Result<Outcome> {
        let qemu = Qemu::find(&self.qemu)?;
        self.write_image(scratch)?;
        let console = Serial::listen(&scratch.file(arguments::CONSOLE_SOCKET))?;
        let log = readers.log.as_ref().map(|_| Serial::listen(&scratch.file(arguments::LOG_SOCKET))).transpose()?;
        let mut machine = Machine::start(&qemu, self, log.is_some(), scratch)?;
        let connect = |qmp| Ok((qmp, console::connect(&console, log.as_ref(), &self.input, &self.stop)?));
        let started = self.release(&mut machine, scratch).and_then(connect);
        let (qmp, chunks) = started.map_err(|error| machine.explain(error))?;
        let end = match self.follow(&chunks, scratch, readers)? {
            Some(cut_short) => {
                machine.kill();
                // What was on its way when QEMU was ended; the channel closes with the socket.
                chunks.iter().try_for_each(|chunk| readers.pass_on(&chunk))?;
                cut_short
            }
            None => machine.wait(BOUND)?.with_reason(qmp.shutdown_reason().as_deref()),
        };
        let log = scratch.file(arguments::LOG);
        let guest_errors =
            if self.is_traced { Vec::new() } else { guest_errors::read(&log, &self.allowed_guest_errors)? };
        Ok(Outcome { status: end.status(), end, guest_errors, qemu_messages: machine.messages() })
    }

    /// Puts the raw image where QEMU looks for it.
    fn write_image(&self, scratch: &Scratch) -> Result<()> {
        let name = self.image.display();
        let file = std::fs::read(&self.image)
            .with_context(|| format!("{name} cannot be read; give an ELF file of the device or a raw image"))?;
        let raw = if image::is_elf(&file) { image::raw_image(&file).with_context(|| name.to_string())? } else { file };
        if raw.is_empty() {
            bail!("{name} is empty; give an ELF file of the device or a raw image");
        }
        std::fs::write(scratch.file(arguments::IMAGE), raw)
            .with_context(|| format!("the image cannot be written to {}", scratch.path().display()))
    }

    /// Connects the system timer and what else is asked for, and lets the machine go.
    fn release(&self, machine: &mut Machine, scratch: &Scratch) -> Result<Qmp> {
        let mut qmp = Qmp::connect(&scratch.file(arguments::QMP_SOCKET), BOUND, || machine.is_alive())?;
        if self.wiring {
            qmp.wire_system_timer()?;
        }
        self.wired_pins.iter().try_for_each(|pin| qmp.wire_pin(*pin))?;
        self.wired_buses.iter().try_for_each(|line| line.connect(&mut qmp))?;
        self.chip_selects.iter().try_for_each(|select| select.connect(&mut qmp))?;
        self.readings.iter().try_for_each(|reading| reading.set(&mut qmp))?;
        qmp.go()?;
        Ok(qmp)
    }

    /// Passes the console on until QEMU closes it (`None`) or the run has to be cut short.
    fn follow(
        &self,
        chunks: &console::Chunks,
        scratch: &Scratch,
        readers: &mut Readers<'_, '_>,
    ) -> Result<Option<End>> {
        let deadline = self.timeout.and_then(|limit| Instant::now().checked_add(limit));
        let log = scratch.file(arguments::LOG);
        loop {
            match chunks.recv_timeout(LOOK) {
                Ok(chunk) => readers.pass_on(&chunk)?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
            }
            if self.stop.has_left() {
                return Ok(Some(End::Left));
            }
            if let Some(signal) = self.stop.signal() {
                return Ok(Some(End::Interrupted(signal)));
            }
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return Ok(Some(End::TimedOut(self.timeout.unwrap_or_default())));
            }
            if !self.is_traced && guest_errors::too_many(&log) {
                return Ok(Some(End::FloodOfGuestErrors));
            }
            if self.is_traced && std::fs::metadata(&log).is_ok_and(|log| log.len() > TRACE_LIMIT_BYTES) {
                return Ok(Some(End::TraceTooLong));
            }
        }
    }
}

fn scratch() -> Result<Scratch> {
    Scratch::new().context("no temporary directory could be made; set TMPDIR to one that exists")
}

/// Who gets what the guest sends.
struct Readers<'a, 't> {
    console: &'a mut dyn Write,
    log: Option<(Messages<'t>, &'a mut dyn FnMut(LogLine))>,
}

impl Readers<'_, '_> {
    fn pass_on(&mut self, chunk: &Chunk) -> Result<()> {
        match (chunk, &mut self.log) {
            (Chunk::Console(bytes), _) => {
                let passed = self.console.write_all(bytes).and_then(|()| self.console.flush());
                passed.context("the guest's console output could not be passed on")?;
            }
            (Chunk::Log(bytes), Some((messages, log))) => messages.decode(bytes, log),
            (Chunk::Log(_), None) => {}
        }
        Ok(())
    }
}
