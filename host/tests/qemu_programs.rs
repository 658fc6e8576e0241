//! Runs every program of `tests/qemu/`, and the shipped image as each file of `tests/app/` says, in QEMU and compares the
//! console, and the messages it logs behind that, with the golden file beside it. What is built with the event ring, or with
//! execution times, is in `tests/event-ring/` and `tests/execution-time/`, likewise.
//!
//! `NAME.rs` may begin with lines `// run: OPTIONS`, one for each run (see `takt_host::golden`); the golden files are
//! `NAME.stdout`, `NAME.2.stdout` and so on. `NAME.run` consists of such lines, and of comments that say what they show.
//! Each run is made twice and must print the same bytes both times, unless its line says `--once`.
//! `TAKT_BLESS=1` writes the golden files anew; read the difference before committing it.
#![allow(
    clippy::arithmetic_side_effects,
    reason = "the hot-path lints are for the executive; a test that overflows fails"
)]

use std::collections::BTreeMap;
use std::error::Error;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

mod device;

use device::{device_target, is_missing, workspace};
use libtest_mimic::{Arguments, Failed, Trial};
use takt_host::golden::{Directive, blessed, difference, directives, golden_name, names, orphans};
use takt_host::run::{Outcome, Run};

/// Runs at once. Each takes a core of the PC, and most machines that build this have two to spare.
const AT_ONCE: usize = 2;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut arguments = Arguments::from_args();
    arguments.test_threads = Some(arguments.test_threads.unwrap_or(AT_ONCE).min(AT_ONCE));
    Ok(libtest_mimic::run(&arguments, trials()?).exit_code())
}

/// The image of the application, which `tests/app/` runs.
const APP: &str = "takt-app";

/// A trial for each run of each program, and one for the golden files that nothing prints.
fn trials() -> Result<Vec<Trial>, Box<dyn Error>> {
    let programs = trials_in("qemu", "rs", |program| device_target().join(program))?;
    let app = trials_in("app", "run", |_| device_target().join(APP))?;
    let with_ring = trials_in("event-ring", "rs", |program| device_target().join(program))?;
    let with_times = trials_in("execution-time", "rs", |program| device_target().join(program))?;
    Ok([programs, app, with_ring, with_times].into_iter().flatten().collect())
}

/// The trials of a folder in `tests/` whose programs, or descriptions of runs, end in `.EXTENSION`; `elf` is what they run.
fn trials_in(folder: &str, extension: &str, elf: fn(&str) -> PathBuf) -> Result<Vec<Trial>, Box<dyn Error>> {
    let directory = workspace().join("tests").join(folder);
    let mut trials = Vec::new();
    let mut runs = BTreeMap::new();
    for program in names(&directory, extension)? {
        let source = std::fs::read_to_string(directory.join(format!("{program}.{extension}")))?;
        match directives(&source) {
            Ok(found) => {
                runs.insert(program.clone(), found.len());
                for (number, directive) in (1..).zip(found) {
                    let golden = golden_name(&program, number);
                    let case =
                        Case { elf: elf(&program), golden: directory.join(format!("{golden}.stdout")), directive };
                    trials.push(Trial::test(format!("{folder}/{golden}"), move || case.check()));
                }
            }
            Err(error) => {
                let sentence = format!("tests/{folder}/{program}.{extension}, {error}");
                trials.push(Trial::test(format!("{folder}/{program}"), move || Err(sentence.into())));
            }
        }
    }
    for orphan in orphans(&names(&directory, "stdout")?, &runs) {
        let sentence = format!(
            "no run prints tests/{folder}/{orphan}.stdout; remove it, or restore its program or '// run:' line"
        );
        trials.push(Trial::test(format!("{folder}/{orphan}.stdout"), move || Err(sentence.into())));
    }
    Ok(trials)
}

/// One run of one program.
struct Case {
    elf: PathBuf,
    golden: PathBuf,
    directive: Directive,
}

impl Case {
    fn check(&self) -> Result<(), Failed> {
        if !self.elf.exists() {
            return Err(is_missing(&self.elf).into());
        }
        let run = self.directive.run(&self.elf);
        let printed = self.execute(&run)?;
        let again = if self.directive.once { printed.clone() } else { self.execute(&run)? };
        // The bytes are compared first: what is printed has no wildcards, even if it looks so.
        if printed != again {
            let lines = difference(&printed, &again).unwrap_or_default();
            return Err(format!("the second run printed something else than the first:\n{lines}").into());
        }
        if std::env::var_os("TAKT_BLESS").is_some_and(|value| value == "1") {
            let golden = std::fs::read(&self.golden).unwrap_or_default();
            return Ok(std::fs::write(&self.golden, blessed(&golden, &printed))?);
        }
        let golden = std::fs::read(&self.golden).map_err(|error| {
            format!("{} cannot be read ({error}); TAKT_BLESS=1 makes it from what is printed", self.golden.display())
        })?;
        match difference(&golden, &printed) {
            None => Ok(()),
            Some(difference) => Err(format!(
                "the console is not as {} says (- golden, + printed):\n{difference}",
                self.golden.display()
            )
            .into()),
        }
    }

    /// What the program printed, provided that it ended as it should and QEMU had nothing to say about it.
    fn execute(&self, run: &Run) -> Result<Vec<u8>, Failed> {
        let (mut printed, mut logged) = (Vec::new(), Vec::new());
        let Outcome { end, status, guest_errors, qemu_messages } =
            run.execute_with_log(&mut printed, &mut |line| logged.push(line)).map_err(|error| format!("{error:#}"))?;
        // Behind the console: how the two interfaces come between each other is the PC's affair.
        for line in logged {
            writeln!(printed, "{line}")?;
        }
        let mut complaints = Vec::new();
        if status != self.directive.status {
            complaints.push(format!("{end}, but status {} was expected", self.directive.status));
        }
        if !guest_errors.is_empty() {
            complaints.push(format!("QEMU logged guest errors:\n  {}", guest_errors.join("\n  ")));
        }
        if complaints.is_empty() {
            return Ok(printed);
        }
        complaints.push(format!("the console was:\n{}", String::from_utf8_lossy(&printed)));
        if !qemu_messages.is_empty() {
            complaints.push(format!("QEMU itself printed:\n{qemu_messages}"));
        }
        Err(complaints.join("\n").into())
    }
}
