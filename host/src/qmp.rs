// SPDX-License-Identifier: MIT OR Apache-2.0
//! QMP, QEMU's control protocol: one JSON object a line over a socket. Every wait has a bound.

use std::fmt;
use std::io::{BufRead as _, BufReader, ErrorKind, Write as _};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// How long QEMU may take to open its socket or to answer.
pub const BOUND: Duration = Duration::from_secs(10);

/// Time between two attempts to connect.
const RETRY: Duration = Duration::from_millis(5);

/// How many compare channels the system timer has, each with an interrupt line.
const SYSTEM_TIMER_CHANNELS: u32 = 4;

/// The input of QEMU's GIC that stands for the system timer's first line: 64 is the first line of the VideoCore's
/// peripherals, which is INTID 96.
const FIRST_VIDEOCORE_INPUT: u32 = 64;

/// The inputs of QEMU's GIC for the events of the pins, by the first pin of each: 113 is INTID 145.
const PIN_INPUTS: [(u8, u32); 3] = [(46, 115), (28, 114), (0, 113)];

/// The name of an input of QEMU's GIC, whose number is 32 below its INTID.
pub(crate) fn gic_input(number: u32) -> String {
    format!("/machine/soc/gic/unnamed-gpio-in[{number}]")
}

/// What went wrong in the dialogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QmpError {
    /// The socket could not be connected within the bound, or QEMU ended before it was there.
    NoSocket(String),
    /// No answer to this command within the bound.
    NoAnswer(String),
    /// QEMU closed the connection while this command was outstanding.
    Closed(String),
    /// QEMU refused this command; its own words.
    Refused(String, String),
    /// The line is not what the protocol has there.
    Garbled(String),
}

impl fmt::Display for QmpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSocket(why) => write!(f, "QEMU's control socket could not be connected ({why})"),
            Self::NoAnswer(command) => write!(f, "QEMU did not answer '{command}' in time on its control socket"),
            Self::Closed(command) => write!(f, "QEMU closed its control socket when '{command}' was to be answered"),
            Self::Refused(command, why) => write!(f, "QEMU refused '{command}': {why}"),
            Self::Garbled(line) => write!(f, "QEMU's control socket sent a line that is not QMP: {line}"),
        }
    }
}

impl std::error::Error for QmpError {}

/// A connected control socket, ready for commands.
#[derive(Debug)]
pub struct Qmp {
    stream: BufReader<UnixStream>,
    bound: Duration,
    events: Vec<Value>,
}

impl Qmp {
    /// Connects as soon as the socket is there, reads the greeting and leaves negotiation mode. Gives up after `bound`, or
    /// at once when `alive` says that QEMU has ended.
    ///
    /// # Errors
    /// A [`QmpError`] when the socket or an answer does not come in time.
    pub fn connect(socket: &Path, bound: Duration, mut alive: impl FnMut() -> bool) -> Result<Self, QmpError> {
        let deadline = Instant::now() + bound;
        let stream = loop {
            match UnixStream::connect(socket) {
                Ok(stream) => break stream,
                Err(_) if !alive() => return Err(QmpError::NoSocket("QEMU ended before".into())),
                // InvalidInput: the path is too long for a socket, which no waiting cures.
                Err(error) if error.kind() == ErrorKind::InvalidInput || Instant::now() >= deadline => {
                    return Err(QmpError::NoSocket(format!("{}: {error}", socket.display())));
                }
                Err(_) => std::thread::sleep(RETRY),
            }
        };
        let mut qmp = Self { stream: BufReader::new(stream), bound, events: Vec::new() };
        let greeting = qmp.line("the greeting", deadline)?;
        if greeting.get("QMP").is_none() {
            return Err(QmpError::Garbled(greeting.to_string()));
        }
        qmp.command("qmp_capabilities", None)?;
        Ok(qmp)
    }

    /// Sends a command and waits for its answer. Events that come in between are kept.
    ///
    /// # Errors
    /// A [`QmpError`] when QEMU refuses, or does not answer within the bound.
    pub fn command(&mut self, name: &str, arguments: Option<Value>) -> Result<Value, QmpError> {
        let deadline = Instant::now() + self.bound;
        let mut message = json!({ "execute": name });
        if let (Some(object), Some(arguments)) = (message.as_object_mut(), arguments) {
            object.insert("arguments".into(), arguments);
        }
        let line = format!("{message}\n");
        let sent = self.stream.get_ref().set_write_timeout(Some(self.bound));
        sent.and_then(|()| self.stream.get_mut().write_all(line.as_bytes()))
            .map_err(|_| QmpError::Closed(name.into()))?;
        loop {
            let mut answer = self.line(name, deadline)?;
            if let Some(value) = answer.get_mut("return") {
                return Ok(value.take());
            }
            if let Some(error) = answer.get("error") {
                let why = error.get("desc").and_then(Value::as_str).unwrap_or("no reason given");
                return Err(QmpError::Refused(name.into(), why.into()));
            }
            self.keep_event(answer)?;
        }
    }

    /// Connects the four lines of the system timer to the GIC, which `raspi4b` leaves undone: INTID 96 to 99, as on the
    /// board.
    ///
    /// # Errors
    /// A [`QmpError`] as for any command.
    pub fn wire_system_timer(&mut self) -> Result<(), QmpError> {
        for channel in 0..SYSTEM_TIMER_CHANNELS {
            let output = format!("sysbus-irq[{channel}]");
            let input = gic_input(FIRST_VIDEOCORE_INPUT + channel);
            self.connect_line("/machine/soc/peripherals/systimer", &output, &input)?;
        }
        Ok(())
    }

    /// Connects a pin, as long as it is an output, to the interrupt line that its events have on the board: INTID 145 to 147.
    /// The line is raised while the pin is high. QEMU detects no events, and this stands in for them. A line has one pin:
    /// another that is connected to it takes its place.
    ///
    /// # Errors
    /// A [`QmpError`] as for any command.
    pub fn wire_pin(&mut self, pin: u8) -> Result<(), QmpError> {
        let input = PIN_INPUTS.iter().find(|(first, _)| pin >= *first).map_or(0, |(_, input)| *input);
        self.connect_pin(pin, &gic_input(input))
    }

    /// Connects a pin, as long as it is an output, to the input of a device, by its name in QEMU's tree of objects.
    ///
    /// # Errors
    /// A [`QmpError`] as for any command.
    pub fn connect_pin(&mut self, pin: u8, input: &str) -> Result<(), QmpError> {
        self.connect_line("/machine/soc/peripherals/gpio", &format!("unnamed-gpio-out[{pin}]"), input)
    }

    /// Connects the output of a device to the input of another, all three by their names in QEMU's tree of objects.
    ///
    /// # Errors
    /// A [`QmpError`] as for any command.
    pub fn connect_line(&mut self, device: &str, output: &str, input: &str) -> Result<(), QmpError> {
        let arguments = json!({ "path": device, "property": output, "value": input });
        self.command("qom-set", Some(arguments)).map(drop)
    }

    /// Sets a property of a device, by its name in QEMU's tree of objects, to a number.
    ///
    /// # Errors
    /// A [`QmpError`] as for any command.
    pub fn set_number(&mut self, device: &str, property: &str, value: i64) -> Result<(), QmpError> {
        let arguments = json!({ "path": device, "property": property, "value": value });
        self.command("qom-set", Some(arguments)).map(drop)
    }

    /// Lets the machine run that was started stopped. A guest of a few instructions may have ended QEMU before the answer
    /// is written, so a closed connection is no error here; how QEMU ended shows in its exit status.
    ///
    /// # Errors
    /// A [`QmpError`] as for any command, except for [`QmpError::Closed`].
    pub fn go(&mut self) -> Result<(), QmpError> {
        match self.command("cont", None) {
            Ok(_) | Err(QmpError::Closed(_)) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Why the guest shut the machine down (`guest-reset`, `guest-shutdown`), once QEMU has ended; `None` when it did not,
    /// as with an exit by semihosting.
    #[must_use]
    pub fn shutdown_reason(mut self) -> Option<String> {
        let deadline = Instant::now() + self.bound;
        while let Ok(event) = self.line("the last events", deadline) {
            if self.keep_event(event).is_err() {
                break;
            }
        }
        let shutdown =
            self.events.iter().rev().find(|event| event.get("event").is_some_and(|name| name == "SHUTDOWN"))?;
        shutdown.pointer("/data/reason").and_then(Value::as_str).map(str::to_owned)
    }

    fn keep_event(&mut self, message: Value) -> Result<(), QmpError> {
        if message.get("event").is_none() {
            return Err(QmpError::Garbled(message.to_string()));
        }
        self.events.push(message);
        Ok(())
    }

    /// The next line, which is waited for until the deadline; `awaited` is for the error.
    fn line(&mut self, awaited: &str, deadline: Instant) -> Result<Value, QmpError> {
        let mut line = Vec::new();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(QmpError::NoAnswer(awaited.into()));
            }
            let waited = self.stream.get_ref().set_read_timeout(Some(left));
            let (used, complete) = match waited.and_then(|()| self.stream.fill_buf()) {
                Ok([]) => return Err(QmpError::Closed(awaited.into())),
                Ok(bytes) => {
                    let end = bytes.iter().position(|&byte| byte == b'\n');
                    let used = end.map_or(bytes.len(), |at| at + 1);
                    line.extend(bytes.iter().take(used));
                    (used, end.is_some())
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => (0, false),
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                    return Err(QmpError::NoAnswer(awaited.into()));
                }
                Err(_) => return Err(QmpError::Closed(awaited.into())),
            };
            self.stream.consume(used);
            if complete {
                let parsed = serde_json::from_slice(&line);
                return parsed.map_err(|_| QmpError::Garbled(String::from_utf8_lossy(&line).trim().to_owned()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::net::UnixListener;
    use std::thread::JoinHandle;

    use super::*;
    use crate::scratch::Scratch;

    const GREETING: &str = r#"{"QMP": {"version": {}, "capabilities": ["oob"]}}"#;
    const DONE: &str = r#"{"return": {}}"#;
    const SHORT: Duration = Duration::from_millis(50);

    /// A server that greets, then gives one of the answers for each line it gets, and returns the lines.
    fn server(scratch: &Scratch, greeting: &'static str, answers: Vec<&'static str>) -> JoinHandle<Vec<String>> {
        let listener = UnixListener::bind(scratch.file("qmp")).unwrap();
        std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            stream.write_all(greeting.as_bytes()).unwrap();
            let mut got = Vec::new();
            let lines = BufReader::new(stream.try_clone().unwrap()).lines();
            for (line, answer) in lines.map_while(Result::ok).zip(answers.into_iter().chain(std::iter::repeat(""))) {
                got.push(line);
                stream.write_all(answer.as_bytes()).unwrap();
            }
            got
        })
    }

    fn connect(scratch: &Scratch, bound: Duration) -> Result<Qmp, QmpError> {
        Qmp::connect(&scratch.file("qmp"), bound, || true)
    }

    #[test]
    fn the_timer_is_wired_and_the_machine_let_go() {
        let scratch = Scratch::new().unwrap();
        let done = concat!(r#"{"return": {}}"#, "\n");
        let event = concat!(r#"{"event": "RESUME", "data": {}}"#, "\n", r#"{"return": {}}"#, "\n");
        let server = server(&scratch, concat!(r#"{"QMP": {}}"#, "\n"), vec![done, done, done, done, done, event]);
        let mut qmp = connect(&scratch, BOUND).unwrap();
        qmp.wire_system_timer().unwrap();
        qmp.go().unwrap();
        assert_eq!(qmp.events.len(), 1);
        drop(qmp);
        let got: Vec<Value> = server.join().unwrap().iter().map(|line| serde_json::from_str(line).unwrap()).collect();
        let names: Vec<&str> = got.iter().map(|command| command["execute"].as_str().unwrap()).collect();
        assert_eq!(names, ["qmp_capabilities", "qom-set", "qom-set", "qom-set", "qom-set", "cont"]);
        assert_eq!(
            got[4]["arguments"],
            json!({
                "path": "/machine/soc/peripherals/systimer",
                "property": "sysbus-irq[3]",
                "value": "/machine/soc/gic/unnamed-gpio-in[67]",
            })
        );
    }

    #[test]
    fn a_pin_is_wired_to_the_line_of_its_events() {
        let scratch = Scratch::new().unwrap();
        let done = concat!(r#"{"return": {}}"#, "\n");
        let server = server(&scratch, concat!(r#"{"QMP": {}}"#, "\n"), vec![done; 5]);
        let mut qmp = connect(&scratch, BOUND).unwrap();
        for pin in [27, 28, 45, 46] {
            qmp.wire_pin(pin).unwrap();
        }
        drop(qmp);
        let got: Vec<Value> = server.join().unwrap().iter().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(
            got[1]["arguments"],
            json!({
                "path": "/machine/soc/peripherals/gpio",
                "property": "unnamed-gpio-out[27]",
                "value": "/machine/soc/gic/unnamed-gpio-in[113]",
            })
        );
        let value = |command: usize| got[command]["arguments"]["value"].as_str().unwrap();
        let inputs = [113, 114, 114, 115].map(|input| format!("/machine/soc/gic/unnamed-gpio-in[{input}]"));
        assert_eq!([value(1), value(2), value(3), value(4)], inputs);
    }

    #[test]
    fn a_line_is_connected_by_its_ends_and_a_number_set() {
        let scratch = Scratch::new().unwrap();
        let done = concat!(r#"{"return": {}}"#, "\n");
        let server = server(&scratch, concat!(r#"{"QMP": {}}"#, "\n"), vec![done; 3]);
        let mut qmp = connect(&scratch, BOUND).unwrap();
        qmp.connect_line("/a", "out[0]", "/b/in[1]").unwrap();
        qmp.set_number("/c", "temperature", -500).unwrap();
        drop(qmp);
        let got: Vec<Value> = server.join().unwrap().iter().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(got[1]["arguments"], json!({ "path": "/a", "property": "out[0]", "value": "/b/in[1]" }));
        assert_eq!(got[2]["arguments"], json!({ "path": "/c", "property": "temperature", "value": -500 }));
    }

    #[test]
    fn a_refusal_carries_the_words_of_qemu() {
        let scratch = Scratch::new().unwrap();
        let refusal = concat!(r#"{"error": {"class": "DeviceNotFound", "desc": "no such device"}}"#, "\n");
        let _server = server(&scratch, concat!(r#"{"QMP": {}}"#, "\n"), vec!["{\"return\": {}}\n", refusal]);
        let mut qmp = connect(&scratch, BOUND).unwrap();
        assert_eq!(qmp.wire_system_timer(), Err(QmpError::Refused("qom-set".into(), "no such device".into())));
    }

    #[test]
    fn silence_ends_at_the_bound() {
        let scratch = Scratch::new().unwrap();
        let _silent = server(&scratch, "", vec![]);
        assert_eq!(connect(&scratch, SHORT).unwrap_err(), QmpError::NoAnswer("the greeting".into()));
        let scratch = Scratch::new().unwrap();
        let _greets_only = server(&scratch, concat!(r#"{"QMP": {}}"#, "\n"), vec![]);
        assert_eq!(connect(&scratch, SHORT).unwrap_err(), QmpError::NoAnswer("qmp_capabilities".into()));
    }

    #[test]
    fn a_missing_socket_ends_at_the_bound_or_with_qemu() {
        let scratch = Scratch::new().unwrap();
        assert!(matches!(connect(&scratch, SHORT), Err(QmpError::NoSocket(_))));
        let ended = Qmp::connect(&scratch.file("qmp"), BOUND, || false).unwrap_err();
        assert_eq!(ended, QmpError::NoSocket("QEMU ended before".into()));
    }

    #[test]
    fn something_else_on_the_socket_is_not_taken_for_qmp() {
        let scratch = Scratch::new().unwrap();
        let _server = server(&scratch, "SSH-2.0\n", vec![]);
        assert_eq!(connect(&scratch, BOUND).unwrap_err(), QmpError::Garbled("SSH-2.0".into()));
    }

    #[test]
    fn a_guest_that_ends_at_once_leaves_its_start_unanswered() {
        let scratch = Scratch::new().unwrap();
        let listener = UnixListener::bind(scratch.file("qmp")).unwrap();
        let server = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            write!(stream, "{GREETING}\n{DONE}\n").unwrap();
            let mut commands = BufReader::new(stream).lines();
            (commands.next(), commands.next()).1.unwrap().unwrap()
        });
        assert_eq!(connect(&scratch, BOUND).unwrap().go(), Ok(()));
        assert_eq!(server.join().unwrap(), r#"{"execute":"cont"}"#);
    }

    #[test]
    fn the_last_shutdown_is_found_among_the_events() {
        let scratch = Scratch::new().unwrap();
        let listener = UnixListener::bind(scratch.file("qmp")).unwrap();
        let server = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let event = r#"{"event": "SHUTDOWN", "data": {"guest": true, "reason": "guest-reset"}}"#;
            write!(stream, "{GREETING}\n{DONE}\n{event}\n{{\"event\": \"STOP\"}}\n").unwrap();
            let mut command = String::new();
            BufReader::new(stream).read_line(&mut command).unwrap();
        });
        let qmp = connect(&scratch, BOUND).unwrap();
        server.join().unwrap();
        assert_eq!(qmp.shutdown_reason().as_deref(), Some("guest-reset"));
    }
}
