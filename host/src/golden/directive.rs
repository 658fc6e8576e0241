// SPDX-License-Identifier: MIT OR Apache-2.0
//! The lines at the head of a program that say how it is run: `// run: --cores 1 --append "idle=spin" --status 3`.

use std::fmt;
use std::path::Path;
use std::time::Duration;

use clap::Parser;
use clap::builder::NonEmptyStringValueParser;

use crate::run::{BusLine, ChipSelect, Input, Reading, Run};

/// What introduces such a line.
const MARK: &str = "// run:";

/// One run of a program. Without options: one core, one instruction per tick of the counter, the system timer connected,
/// exit status 0.
#[derive(Debug, Clone, PartialEq, Eq, Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
pub struct Directive {
    /// How many cores start.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=4))]
    pub cores: u8,
    /// An instruction takes two to this many nanoseconds.
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u8).range(0..=10))]
    pub icount: u8,
    /// The boot command line.
    #[arg(long, default_value = "", allow_hyphen_values = true)]
    pub append: String,
    /// Leaves the system timer unconnected.
    #[arg(long)]
    pub no_wiring: bool,
    /// What the console receives, once it has printed `--prompt`.
    #[arg(long, requires = "prompt", value_parser = NonEmptyStringValueParser::new())]
    pub input: Option<String>,
    /// How many times over.
    #[arg(long, requires = "input", default_value_t = 1)]
    pub times: usize,
    /// The text after which the guest listens.
    #[arg(long, requires = "input", value_parser = NonEmptyStringValueParser::new())]
    pub prompt: Option<String>,
    /// A pin that raises the interrupt of its events while it is an output and high.
    #[arg(long, value_parser = clap::value_parser!(u8).range(0..=53))]
    pub wire_pin: Vec<u8>,
    /// Connects the interrupt line of a bus.
    #[arg(long, value_enum)]
    pub wire_bus: Vec<BusLine>,
    /// Adds a device to the board, as QEMU's `-device` does.
    #[arg(long, value_parser = NonEmptyStringValueParser::new())]
    pub device: Vec<String>,
    /// A pin that selects an added SPI device while it is low, as `8=flash`.
    #[arg(long)]
    pub chip_select: Vec<ChipSelect>,
    /// What an added device is told to measure, as `thermometer.temperature=23500`.
    #[arg(long)]
    pub reading: Vec<Reading>,
    /// The exit status that the guest must give.
    #[arg(long, default_value_t = 0)]
    pub status: i32,
    /// Makes the run once: it idles in `WFI` for long, where one wake-up in some 50,000 comes a tick late, so it may print other numbers a
    /// second time. The golden file has wildcards for them.
    #[arg(long)]
    pub once: bool,
    /// Real time in seconds after which the run has failed.
    #[arg(long, default_value_t = 120)]
    pub timeout: u64,
    /// A text that excuses the guest errors it occurs in.
    #[arg(long, value_parser = NonEmptyStringValueParser::new())]
    pub allow_guest_error: Vec<String>,
}

impl Directive {
    /// The run of this image.
    #[must_use]
    pub fn run(&self, image: &Path) -> Run {
        Run {
            icount: Some(self.icount),
            append: self.append.clone(),
            cores: Some(self.cores),
            wiring: !self.no_wiring,
            wired_pins: self.wire_pin.clone(),
            wired_buses: self.wire_bus.clone(),
            devices: self.device.clone(),
            chip_selects: self.chip_select.clone(),
            readings: self.reading.clone(),
            timeout: Some(Duration::from_secs(self.timeout)),
            input: self.input(),
            allowed_guest_errors: self.allow_guest_error.clone(),
            ..Run::new(image)
        }
    }

    fn input(&self) -> Input {
        match (&self.prompt, &self.input) {
            (Some(prompt), Some(input)) => {
                Input::AfterPrompt { prompt: prompt.clone().into(), bytes: input.repeat(self.times).into() }
            }
            _ => Input::Nothing,
        }
    }
}

/// What is wrong with the lines of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DirectiveError {
    /// The line of this number has options that there are not; the parser's words.
    Options(usize, String),
    /// The line of this number has a quotation mark without its partner.
    Quotes(usize),
    /// The line of this number stands below the first line of code, where it would be overlooked.
    Misplaced(usize),
}

impl fmt::Display for DirectiveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Options(line, why) => write!(f, "line {line}: {why}"),
            Self::Quotes(line) => {
                write!(f, "line {line}: a quotation mark has no partner; write --append \"some words\"")
            }
            Self::Misplaced(line) => {
                write!(f, "line {line}: '{MARK}' stands below the first line of code; move it to the head of the file")
            }
        }
    }
}

impl std::error::Error for DirectiveError {}

/// The runs that a program's source asks for, in order; one with the defaults when it names none.
///
/// # Errors
/// A [`DirectiveError`] for the first line that cannot be understood.
pub fn directives(source: &str) -> Result<Vec<Directive>, DirectiveError> {
    let mut found = Vec::new();
    let mut in_head = true;
    for (number, line) in (1..).zip(source.lines()) {
        in_head &= line.is_empty() || line.starts_with("//");
        if let Some(options) = line.trim_start().strip_prefix(MARK) {
            if !in_head {
                return Err(DirectiveError::Misplaced(number));
            }
            let words = words(options).ok_or(DirectiveError::Quotes(number))?;
            found.push(parse(&words).map_err(|why| DirectiveError::Options(number, why))?);
        }
    }
    if found.is_empty() {
        found.push(parse(&[]).map_err(|why| DirectiveError::Options(0, why))?);
    }
    Ok(found)
}

fn parse(words: &[String]) -> Result<Directive, String> {
    // The first line says what is wrong; what follows is about a command line.
    let first_line = |error: clap::Error| error.to_string().lines().next().unwrap_or_default().to_owned();
    Directive::try_parse_from(words).map_err(first_line)
}

/// The words of a line; quotation marks, single or double, hold words and the other kind together and are dropped. `None`
/// when one has no partner.
fn words(line: &str) -> Option<Vec<String>> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None::<char>);
    for character in line.chars() {
        match (character, quote) {
            (c, Some(open)) if c == open => quote = None,
            ('"' | '\'', None) => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (c, None) if c.is_whitespace() => words.extend(word.take()),
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_line_there_is_one_run_with_the_defaults() {
        let found = directives("//! A program.\n#![no_std]\n").unwrap();
        let [directive] = found.as_slice() else { panic!("{found:?}") };
        let run = directive.run(Path::new("x"));
        assert_eq!((run.cores, run.icount, run.wiring, run.append.as_str()), (Some(1), Some(4), true, ""));
        assert_eq!((run.timeout, directive.status), (Some(Duration::from_secs(120)), 0));
    }

    #[test]
    fn each_line_is_a_run() {
        let source = "// run: --cores 4 --append \"idle=spin loads=uart\" --status 42\n\n//! A program.\n// run: \
                      --no-wiring --wire-pin 17 --wire-pin 30 --icount 0 --timeout 7 --once\n// run:\n#![no_std]\n";
        let found = directives(source).unwrap();
        assert_eq!(found.len(), 3);
        assert_eq!((found[0].cores, found[0].append.as_str(), found[0].status), (4, "idle=spin loads=uart", 42));
        assert_eq!((found[1].no_wiring, found[1].icount, found[1].timeout), (true, 0, 7));
        assert_eq!((found[0].once, found[1].once), (false, true));
        assert_eq!(found[1].run(Path::new("x")).wired_pins, [17, 30]);
        assert!(matches!(directives("// run: --wire-pin 54\n"), Err(DirectiveError::Options(1, _))));
        assert_eq!(found[2], directives("").unwrap()[0]);
    }

    #[test]
    fn input_waits_for_its_prompt() {
        let found = directives("// run: --prompt ready --input 0123 --times 2\n").unwrap();
        let input = Input::AfterPrompt { prompt: "ready".into(), bytes: "01230123".into() };
        assert_eq!(found[0].run(Path::new("x")).input, input);
        assert!(matches!(directives("// run: --input 0123\n"), Err(DirectiveError::Options(1, _))));
        assert!(matches!(directives("// run: --prompt ready\n"), Err(DirectiveError::Options(1, _))));
    }

    #[test]
    fn buses_and_devices_can_be_added() {
        let source = "// run: --wire-bus spi0 --wire-bus i2c --device w25q32,id=flash,bus=spi --chip-select 8=flash \
                      --reading a.b=-1\n";
        let run = directives(source).unwrap()[0].run(Path::new("x"));
        assert_eq!(run.wired_buses, [BusLine::Spi0, BusLine::I2c]);
        assert_eq!(run.devices, ["w25q32,id=flash,bus=spi"]);
        assert_eq!(run.chip_selects, [ChipSelect { pin: 8, device: "flash".into() }]);
        assert_eq!(run.readings, [Reading { device: "a".into(), name: "b".into(), value: -1 }]);
        for line in
            ["// run: --reading a.b", "// run: --wire-bus spi1", "// run: --chip-select flash", "// run: --device ''"]
        {
            assert!(matches!(directives(line), Err(DirectiveError::Options(1, _))), "{line}");
        }
    }

    #[test]
    fn one_kind_of_quotation_marks_keeps_the_other() {
        let found = directives("// run: --append 'icount=4 autorun=\"info; exit\"'\n").unwrap();
        assert_eq!(found[0].append, "icount=4 autorun=\"info; exit\"");
        assert_eq!(directives("// run: --append 'a \"b\"\n"), Err(DirectiveError::Quotes(1)));
    }

    #[test]
    fn what_is_not_understood_is_named_with_its_line() {
        assert!(matches!(directives("\n// run: --core 1\n"), Err(DirectiveError::Options(2, _))));
        assert!(matches!(directives("// run: --cores 5\n"), Err(DirectiveError::Options(1, _))));
        assert_eq!(directives("// run: --append \"a b\n"), Err(DirectiveError::Quotes(1)));
        assert_eq!(directives("#![no_std]\n// run: --cores 1\n"), Err(DirectiveError::Misplaced(2)));
        assert_eq!(directives("fn f() {\n    // run: --cores 1\n"), Err(DirectiveError::Misplaced(2)));
    }
}
