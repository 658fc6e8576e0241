// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which QEMU there is, and how it is started so that it does not outlive us.
//!
//! QEMU 10 has no option to end with its parent, and asking the kernel for it needs `unsafe` in a Rust program. The small
//! program `setpriv` of util-linux asks and then becomes QEMU, under the same process number; where it is missing, a
//! takt that is killed hard (SIGKILL) leaves its QEMU behind. Every other end of takt ends QEMU in any case.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// The program that is looked for on `PATH` unless another is named.
pub const PROGRAM: &str = "qemu-system-aarch64";

/// The oldest version that knows the machine `raspi4b`.
pub const OLDEST: Version = Version { major: 9, minor: 0 };

/// A version of QEMU, as far as it matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    /// Before the first dot.
    pub major: u32,
    /// Behind it.
    pub minor: u32,
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// Reads the version out of what `--version` prints: `QEMU emulator version 10.0.2 (…)`.
#[must_use]
pub fn parse_version(printed: &str) -> Option<Version> {
    let (_, rest) = printed.lines().next()?.split_once("QEMU emulator version ")?;
    let mut numbers = rest.split(|c: char| !c.is_ascii_digit());
    Some(Version { major: numbers.next()?.parse().ok()?, minor: numbers.next()?.parse().ok()? })
}

/// Why no QEMU can be started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QemuError {
    /// The program cannot be started; what the system said.
    Missing(PathBuf, String),
    /// The program does not say which QEMU it is.
    NoVersion(PathBuf),
    /// Older than [`OLDEST`].
    TooOld(PathBuf, Version),
}

impl fmt::Display for QemuError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(program, why) => write!(
                f,
                "{} cannot be started ({why}); run scripts/setup, or install QEMU {OLDEST} or newer (on Debian the package \
                 qemu-system-arm)",
                program.display()
            ),
            Self::NoVersion(program) => write!(
                f,
                "{} does not say its version when asked with --version, so it is not taken for QEMU; name another with \
                 --qemu, or run scripts/setup",
                program.display()
            ),
            Self::TooOld(program, found) => write!(
                f,
                "{} is version {found}, but the machine raspi4b needs {OLDEST} or newer; run scripts/setup (on Debian 12 the \
                 package qemu-system-arm of bookworm-backports)",
                program.display()
            ),
        }
    }
}

impl std::error::Error for QemuError {}

/// A QEMU that is there and new enough.
#[derive(Debug, Clone)]
pub struct Qemu {
    /// The words before QEMU's arguments: the program, perhaps behind `setpriv`.
    words: Vec<OsString>,
}

impl Qemu {
    /// Looks for the program and asks for its version, which takes some ten milliseconds.
    ///
    /// # Errors
    /// A [`QemuError`] when it is missing, is no QEMU, or is too old.
    pub fn find(program: &OsStr) -> Result<Self, QemuError> {
        let path = PathBuf::from(program);
        let bound_to_us = Self { words: ["setpriv", "--pdeathsig", "KILL", "--"].map(OsString::from).into() };
        for mut candidate in [bound_to_us, Self { words: Vec::new() }] {
            candidate.words.push(resolved(program));
            // A failure of the first candidate may be for want of setpriv; the second one tells.
            match candidate.version() {
                Some(found) if found < OLDEST => return Err(QemuError::TooOld(path, found)),
                Some(_) => return Ok(candidate),
                None => {}
            }
        }
        match Command::new(program).arg("--version").stdin(Stdio::null()).output() {
            Err(error) => Err(QemuError::Missing(path, error.to_string())),
            Ok(_) => Err(QemuError::NoVersion(path)),
        }
    }

    /// The command without QEMU's arguments. The QEMU it starts has to be ended before the calling thread ends.
    #[must_use]
    pub fn command(&self) -> Command {
        let mut words = self.words.iter();
        let mut command = Command::new(words.next().map_or(OsStr::new(PROGRAM), OsString::as_os_str));
        command.args(words);
        command
    }

    /// What `--version` says, if it can be started and says one.
    fn version(&self) -> Option<Version> {
        let Output { stdout, .. } = self.command().arg("--version").stdin(Stdio::null()).output().ok()?;
        parse_version(&String::from_utf8_lossy(&stdout))
    }
}

/// A program given as a path is made absolute, because QEMU is started in another directory; a bare name is left to `PATH`.
fn resolved(program: &OsStr) -> OsString {
    if program.as_encoded_bytes().contains(&b'/') {
        std::path::absolute(program).map_or_else(|_| program.to_owned(), PathBuf::into_os_string)
    } else {
        program.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_from_the_first_line() {
        let found = parse_version("QEMU emulator version 10.0.2 (Debian 1:10.0.2+ds-2)\nCopyright (c) 2003-2025\n");
        assert_eq!(found, Some(Version { major: 10, minor: 0 }));
        assert_eq!(parse_version("QEMU emulator version 9.2\n"), Some(Version { major: 9, minor: 2 }));
        assert_eq!(parse_version("cat (GNU coreutils) 9.1\n"), None);
        assert_eq!(parse_version("QEMU emulator version ten\n"), None);
        assert_eq!(parse_version(""), None);
    }

    #[test]
    fn versions_are_ordered_by_number() {
        assert!(Version { major: 10, minor: 0 } > OLDEST);
        assert!(Version { major: 9, minor: 0 } >= OLDEST);
        assert!(Version { major: 8, minor: 2 } < OLDEST);
    }

    #[test]
    fn a_missing_program_is_a_sentence_that_names_the_remedy() {
        let error = Qemu::find(OsStr::new("/nowhere/qemu-system-aarch64")).unwrap_err();
        assert!(matches!(error, QemuError::Missing(..)));
        assert!(error.to_string().contains("scripts/setup"));
    }

    #[test]
    fn a_program_that_is_no_qemu_is_refused() {
        assert!(matches!(Qemu::find(OsStr::new("true")), Err(QemuError::NoVersion(_))));
    }

    #[test]
    fn a_qemu_that_is_too_old_is_named_with_its_version() {
        let scratch = crate::scratch::Scratch::new().unwrap();
        let program = scratch.file("old-qemu");
        std::fs::write(&program, "#!/bin/sh\necho 'QEMU emulator version 7.2.17 (Debian)'\n").unwrap();
        std::process::Command::new("chmod").arg("+x").arg(&program).status().unwrap();
        let error = Qemu::find(program.as_os_str()).unwrap_err();
        assert!(error.to_string().contains("7.2"), "{error}");
    }
}
