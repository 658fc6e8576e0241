// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rules of the house that neither the compiler nor clippy knows.
//!
//! * [`arrows`]: which crate may depend on which.
//! * [`addresses`]: device addresses and interrupt numbers are written in `bsp/rpi4/src/map.rs` alone.
//! * [`reserved`]: `unsafe` stands in `bsp/rpi4` and `takt` alone, assembly in `bsp/rpi4` alone.
//! * [`size`]: a file is short enough to be read in one go.
//!
//! The rules read text, not syntax trees: [`source`] tells code from comments and strings, which is all they need. A macro
//! that is defined where something may stand and used where it may not is not seen, and that is as intended.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};

pub mod addresses;
pub mod arrows;
pub mod reserved;
pub mod size;
pub mod source;

use source::Source;

/// A rule that is not kept, at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The file, from the root of the repository.
    pub path: String,
    /// The line, counted from 1.
    pub line: usize,
    /// What stands there, and what to do about it.
    pub sentence: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path, self.line, self.sentence)
    }
}

/// How much was looked at, and what was found.
#[derive(Debug)]
pub struct Inspection {
    /// How many source files there are.
    pub files: usize,
    /// All findings, in the order of the files.
    pub findings: Vec<Finding>,
}

/// Checks all rules on the workspace that this directory is in.
///
/// # Errors
/// When cargo does not describe the workspace, or a file cannot be read.
pub fn inspect(directory: &Path) -> Result<Inspection> {
    let metadata = metadata(directory)?;
    let root = metadata.get("workspace_root").and_then(serde_json::Value::as_str);
    let root = Path::new(root.context("cargo metadata names no workspace_root, so the files cannot be found")?);
    let mut findings = Vec::new();
    for edge in arrows::backward(&metadata)? {
        let manifest = std::fs::read_to_string(root.join(&edge.manifest)).unwrap_or_default();
        let line = arrows::line_of(&manifest, &edge.dependency);
        findings.push(Finding { path: edge.manifest.clone(), line, sentence: edge.to_string() });
    }
    let sources = sources(root)?;
    for source in &sources {
        findings.extend(of_source(source));
    }
    Ok(Inspection { files: sources.len(), findings })
}

/// What the rules for single files say about one, by line.
#[must_use]
pub fn of_source(source: &Source) -> Vec<Finding> {
    let mut found = addresses::device_addresses(source);
    found.extend(addresses::interrupt_numbers(source));
    found.extend(reserved::unsafe_code(source));
    found.extend(reserved::assembly(source));
    found.extend(size::too_long(source));
    found.sort_by_key(|finding| finding.line);
    found
}

/// What cargo says about the workspace. Nothing is fetched.
fn metadata(directory: &Path) -> Result<serde_json::Value> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(directory)
        .stdin(Stdio::null())
        .output()
        .context(
            "cargo cannot be started, which describes the workspace; install Rust's stable toolchain with rustup",
        )?;
    if !output.status.success() {
        bail!("cargo metadata ended with {}: {}", output.status, String::from_utf8_lossy(&output.stderr).trim_end());
    }
    serde_json::from_slice(&output.stdout).context("what cargo metadata printed is not JSON")
}

/// The Rust and assembly files below the root, by path. What is built (`target`) and what is hidden is left out.
fn sources(root: &Path) -> Result<Vec<Source>> {
    let mut found = Vec::new();
    let mut directories = vec![root.to_owned()];
    while let Some(directory) = directories.pop() {
        let unreadable = || format!("{} cannot be read", directory.display());
        for entry in std::fs::read_dir(&directory).with_context(unreadable)? {
            let entry = entry.with_context(unreadable)?;
            let (path, name) = (entry.path(), entry.file_name());
            let is_left_out = name.as_encoded_bytes().starts_with(b".") || name == "target";
            match entry.file_type().with_context(unreadable)? {
                kind if kind.is_dir() && !is_left_out => directories.push(path),
                kind if kind.is_file() && is_source(&path) => found.push(read(root, &path)?),
                _ => {}
            }
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}

fn is_source(path: &Path) -> bool {
    path.extension().is_some_and(|extension| ["rs", "s", "S"].iter().any(|known| extension == *known))
}

fn read(root: &Path, path: &PathBuf) -> Result<Source> {
    let text = std::fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))?;
    let relative = path.strip_prefix(root).unwrap_or(path);
    Ok(Source::new(&relative.to_string_lossy().replace('\\', "/"), text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_begins_with_its_place() {
        let finding = Finding { path: "takt/src/irq.rs".into(), line: 7, sentence: "no".into() };
        assert_eq!(finding.to_string(), "takt/src/irq.rs:7: no");
    }

    #[test]
    fn sources_are_found_below_the_root_and_what_is_built_is_left_out() {
        let scratch = crate::scratch::Scratch::new().unwrap();
        for directory in ["b/src", "a", "target/debug", ".git"] {
            std::fs::create_dir_all(scratch.file(directory)).unwrap();
        }
        for file in ["b/src/lib.rs", "a/boot.s", "a/notes.md", "target/debug/made.rs", ".git/hidden.rs"] {
            std::fs::write(scratch.file(file), "fn f() {}\n").unwrap();
        }
        let paths: Vec<String> = sources(scratch.path()).unwrap().into_iter().map(|source| source.path).collect();
        assert_eq!(paths, ["a/boot.s", "b/src/lib.rs"]);
    }

    #[test]
    fn all_rules_for_files_are_asked_and_the_findings_are_by_line() {
        let text = "fn f() { unsafe { asm!(\"nop\") } }\nconst GICD: usize = 0xFF84_1000;\nlet t = Intid::spi(65);\n";
        let found = of_source(&Source::new("kernel/src/lib.rs", text.into()));
        assert_eq!(found.iter().map(|finding| finding.line).collect::<Vec<_>>(), [1, 1, 2, 3]);
        assert!(of_source(&Source::new("kernel/src/lib.rs", "fn f() {}\n".into())).is_empty());
    }
}
