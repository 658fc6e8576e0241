// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the image's `bench` command prints: `name,min,max,mean_x1000,count` in counter ticks, between lines with `#`.

use std::fmt;

/// The benchmarks that have to be there, in the order of the table.
pub const NAMES: [&str; 6] =
    ["counter-read", "timer-handler-idle", "timer-handler-busy", "timer-task-idle", "timer-task-busy", "yield"];

/// How the line begins that says QEMU counts one instruction per counter tick.
const ICOUNT: &str = "# Icount: shift 4";
/// How the line begins that says the clocks kept their ratio.
const CLOCKS: &str = "# Clocks: no drift";

/// One benchmark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timing {
    /// Its name.
    pub name: String,
    /// The least, in counter ticks.
    pub min: i64,
    /// The most.
    pub max: i64,
    /// The mean, in thousandths.
    pub mean_x1000: i64,
    /// How many there were.
    pub count: u64,
}

/// Why what was printed is not a benchmark's result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LineError {
    /// A line that is no comment and no result; its number and text.
    Malformed(usize, String),
    /// A result whose numbers contradict each other.
    Contradiction(usize, String),
    /// A name that came before.
    Twice(String),
    /// A benchmark that did not come.
    Missing(&'static str),
    /// The image does not say that one instruction is one tick.
    NotCounted,
    /// The image does not say that its clocks kept their ratio; what it says instead.
    Clocks(Option<String>),
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(line, text) => write!(
                f,
                "line {line} of the image's output is \"{text}\", but a comment (#) or name,min,max,mean_x1000,count is \
                 expected; run the image with takt run and look at what it prints"
            ),
            Self::Contradiction(line, text) => write!(
                f,
                "line {line} of the image's output is \"{text}\", in which min, mean and max are not in this order or the \
                 count is 0; the benchmark of the image is wrong"
            ),
            Self::Twice(name) => {
                write!(f, "the image printed the benchmark {name} twice; each may come once")
            }
            Self::Missing(name) => write!(
                f,
                "the image printed no line for the benchmark {name}; give the shipped image, whose command bench prints it"
            ),
            Self::NotCounted => write!(
                f,
                "the image did not print \"{ICOUNT}\", so its ticks are not instructions; give the shipped image, and see \
                 that QEMU takes -icount"
            ),
            Self::Clocks(said) => write!(
                f,
                "the image did not print \"{CLOCKS}\" but \"{}\", so its figures are void",
                said.as_deref().unwrap_or("nothing about its clocks")
            ),
        }
    }
}

impl std::error::Error for LineError {}

/// Reads the output of a whole run. Further benchmarks than those of [`NAMES`] are taken over.
///
/// # Errors
/// A [`LineError`] for anything that is not as the image's `bench` command prints it.
pub fn parse(printed: &str) -> Result<Vec<Timing>, LineError> {
    let mut timings: Vec<Timing> = Vec::new();
    for (index, line) in printed.lines().map(str::trim_end).enumerate() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let timing = timing(line).ok_or_else(|| LineError::Malformed(index + 1, line.to_owned()))?;
        let (min, max) = (i128::from(timing.min) * 1000, i128::from(timing.max) * 1000);
        // The image rounds all three down, so the mean of values just below the next tick may exceed the maximum.
        if timing.count == 0 || !(min..max + 1000).contains(&i128::from(timing.mean_x1000)) {
            return Err(LineError::Contradiction(index + 1, line.to_owned()));
        }
        if timings.iter().any(|earlier| earlier.name == timing.name) {
            return Err(LineError::Twice(timing.name));
        }
        timings.push(timing);
    }
    if let Some(name) = NAMES.into_iter().find(|name| timings.iter().all(|timing| timing.name != *name)) {
        return Err(LineError::Missing(name));
    }
    if !printed.lines().any(|line| line.starts_with(ICOUNT)) {
        return Err(LineError::NotCounted);
    }
    let clocks = printed.lines().find(|line| line.starts_with("# Clocks:"));
    if !clocks.is_some_and(|line| line.starts_with(CLOCKS)) {
        return Err(LineError::Clocks(clocks.map(|line| line.trim_end().to_owned())));
    }
    Ok(timings)
}

fn timing(line: &str) -> Option<Timing> {
    let mut fields = line.split(',');
    let name = fields.next().filter(|name| is_name(name))?.to_owned();
    let (min, max, mean_x1000) = (number(fields.next()?)?, number(fields.next()?)?, number(fields.next()?)?);
    let count = fields.next()?.parse().ok()?;
    fields.next().is_none().then_some(Timing { name, min, max, mean_x1000, count })
}

fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
}

fn number(field: &str) -> Option<i64> {
    field.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRINTED: &str = "# takt 0.1.0\r
# Icount: shift 4, one instruction takes 16 ns\r
# Bench: 10000 cycles each; timer period 137 us; unit: counter ticks\r
# name,min,max,mean_x1000,count\r
counter-read,1,1,1000,10000\r
timer-handler-idle,5,6,5750,10000\r
timer-handler-busy,19,19,19250,10000\r
timer-task-idle,137,138,137750,10000\r
timer-task-busy,160,160,160250,10000\r
yield,51,51,51000,10000\r
# Clocks: no drift: the phase moved by 0 half ticks, within 8\r
# Exit: status 0\r
";

    fn error(from: &str, to: &str) -> LineError {
        assert!(PRINTED.contains(from), "{from}");
        parse(&PRINTED.replace(from, to)).unwrap_err()
    }

    #[test]
    fn a_whole_output_is_read() {
        let timings = parse(PRINTED).unwrap();
        assert_eq!(timings.iter().map(|timing| timing.name.as_str()).collect::<Vec<_>>(), NAMES);
        let busy = Timing { name: "timer-handler-busy".into(), min: 19, max: 19, mean_x1000: 19_250, count: 10_000 };
        assert!(timings.contains(&busy));
    }

    #[test]
    fn further_benchmarks_are_taken_over_and_early_ones_may_be_negative() {
        let more = PRINTED.replace("yield,51,51,51000,10000", "yield,51,51,51000,10000\ntimer-new,-3,4,-250,7");
        assert_eq!(parse(&more).unwrap().last().unwrap().min, -3);
    }

    #[test]
    fn a_line_that_is_no_result_is_named() {
        for line in [
            "yield,51,51,51000",
            "yield,51,51,51000,10,7",
            "yield,a,51,51000,1",
            "Yield,1,1,1000,1",
            "yield",
            ",1,1,1000,1",
        ] {
            assert_eq!(error("yield,51,51,51000,10000", line), LineError::Malformed(10, line.into()));
        }
    }

    #[test]
    fn a_result_that_contradicts_itself_is_named() {
        for line in ["yield,51,50,51000,10", "yield,51,52,50999,10", "yield,51,52,53000,10", "yield,0,0,0,0"] {
            assert_eq!(error("yield,51,51,51000,10000", line), LineError::Contradiction(10, line.into()));
        }
    }

    #[test]
    fn a_missing_or_doubled_result_is_named() {
        assert_eq!(error("yield,51,51,51000,10000\r\n", ""), LineError::Missing("yield"));
        assert_eq!(error("yield,", "counter-read,"), LineError::Twice("counter-read".into()));
        assert_eq!(parse(""), Err(LineError::Missing("counter-read")));
    }

    #[test]
    fn figures_that_mean_nothing_are_refused() {
        assert_eq!(error("Icount: shift 4", "Icount: shift 0"), LineError::NotCounted);
        let said = "# Clocks: DRIFT, this run is void: the phase moved by 0 half ticks, within 8";
        assert_eq!(error("no drift", "DRIFT, this run is void"), LineError::Clocks(Some(said.into())));
        assert!(error("# Clocks", "# Other").to_string().contains("nothing about its clocks"));
    }
}
