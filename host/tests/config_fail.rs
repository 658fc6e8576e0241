//! Task tables that must not compile, and the sentences the compiler must say about them.
//!
//! For each `tests/config-fail/NAME.rs` there is `NAME.stderr`, and each of its lines must occur within a line of the
//! compiler's output. An empty `NAME.stderr` means that the program must compile: it shows that the others fail for their
//! own reasons.

use std::collections::HashMap;
use std::error::Error;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

mod device;

use device::workspace;
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;
use takt_host::golden::names;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments = Arguments::from_args();
    Ok(libtest_mimic::run(&arguments, trials()?).exit_code())
}

fn trials() -> Result<Vec<Trial>, Box<dyn Error>> {
    let folder = workspace().join("tests/config-fail");
    let programs = names(&folder, "rs")?;
    let mut trials = Vec::new();
    if folder.exists() && programs.is_empty() {
        let sentence = "tests/config-fail/ exists but has no program; add one, or remove the folder";
        trials.push(Trial::test("there-are-programs", move || Err(sentence.into())));
    }
    for expected in names(&folder, "stderr")? {
        if !programs.contains(&expected) {
            let sentence = format!("tests/config-fail/{expected}.stderr has no program {expected}.rs");
            trials.push(Trial::test(format!("{expected}.stderr"), move || Err(sentence.into())));
        }
    }
    let verdicts = if programs.is_empty() { HashMap::new() } else { compile_all()? };
    for program in programs {
        let expected = folder.join(format!("{program}.stderr"));
        let verdict = verdicts.get(&program).cloned();
        trials.push(Trial::test(program.clone(), move || check(verdict, &expected)));
    }
    Ok(trials)
}

fn check(verdict: Option<Verdict>, expected: &Path) -> Result<(), Failed> {
    let sentences = std::fs::read_to_string(expected).map_err(|error| {
        format!("{} cannot be read ({error}); write the sentences the compiler must say into it", expected.display())
    })?;
    let Some(Verdict { compiled, said: output }) = verdict else {
        return Err("the program is not in tests/config-fail/Cargo.toml; add a [[bin]] for it".into());
    };
    let sentences: Vec<&str> = sentences.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let missing: Vec<&str> = sentences.iter().filter(|sentence| !output.contains(**sentence)).copied().collect();
    if !missing.is_empty() {
        return Err(format!("the compiler did not say:\n  {}\nIt said:\n{output}", missing.join("\n  ")).into());
    }
    match (compiled, sentences.is_empty()) {
        (true, false) => Err(format!("it compiled, but must not; the compiler said:\n{output}").into()),
        (false, true) => Err(format!("it must compile, but did not; the compiler said:\n{output}").into()),
        _ => Ok(()),
    }
}

/// Whether a program compiles, and what the compiler said about it.
#[derive(Clone, Default)]
struct Verdict {
    compiled: bool,
    said: String,
}

/// Compiles all programs in one run of cargo, which goes on after those that fail.
fn compile_all() -> Result<HashMap<String, Verdict>, Box<dyn Error>> {
    let output = Command::new("scripts/device-cargo")
        .args(["check", "-p", "takt-config-fail", "--bins", "--keep-going", "--message-format", "json"])
        .current_dir(workspace())
        // Of the cargo that runs this test; the device's compiler may be another one, with libraries of its own.
        .env_remove("LD_LIBRARY_PATH")
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("scripts/device-cargo cannot be started ({error})"))?;
    let mut verdicts: HashMap<String, Verdict> = HashMap::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let Ok(message) = serde_json::from_str::<Value>(line) else { continue };
        let text = |pointer| message.pointer(pointer).and_then(Value::as_str);
        let Some(name) = text("/target/name").filter(|_| text("/target/kind/0") == Some("bin")) else { continue };
        let verdict = verdicts.entry(name.to_owned()).or_default();
        match text("/reason") {
            Some("compiler-artifact") => verdict.compiled = true,
            Some("compiler-message") => verdict.said.push_str(text("/message/rendered").unwrap_or("")),
            _ => {}
        }
    }
    if verdicts.is_empty() {
        return Err(format!("no program was compiled:\n{}", String::from_utf8_lossy(&output.stderr)).into());
    }
    Ok(verdicts)
}
