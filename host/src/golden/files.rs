// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which files belong to which program.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// The names of the files in a directory that end in `.EXTENSION`, without that, in order. A directory that does not exist
/// has none.
///
/// # Errors
/// When the directory exists but cannot be read.
pub fn names(directory: &Path, extension: &str) -> io::Result<Vec<String>> {
    let entries = match std::fs::read_dir(directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut names = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|found| found == extension) {
            names.extend(path.file_stem().map(|stem| stem.to_string_lossy().into_owned()));
        }
    }
    names.sort();
    Ok(names)
}

/// The name of the golden file of a program's run, without `.stdout`; the first run is number 1 and has the bare name.
#[must_use]
pub fn golden_name(program: &str, run: usize) -> String {
    if run == 1 { program.to_owned() } else { format!("{program}.{run}") }
}

/// The golden files that no run of any program has, given how many runs each program makes.
#[must_use]
pub fn orphans(goldens: &[String], runs: &BTreeMap<String, usize>) -> Vec<String> {
    let expected =
        |golden: &str| runs.iter().any(|(program, &count)| (1..=count).any(|run| golden_name(program, run) == golden));
    goldens.iter().filter(|golden| !expected(golden)).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    #[test]
    fn names_are_those_with_the_extension_in_order() {
        let scratch = Scratch::new().unwrap();
        for name in ["b.rs", "a.rs", "a.2.stdout", "README.md"] {
            std::fs::write(scratch.file(name), "").unwrap();
        }
        assert_eq!(names(scratch.path(), "rs").unwrap(), ["a", "b"]);
        assert_eq!(names(scratch.path(), "stdout").unwrap(), ["a.2"]);
        assert!(names(&scratch.file("nowhere"), "rs").unwrap().is_empty());
        assert!(names(&scratch.file("a.rs"), "rs").is_err());
    }

    #[test]
    fn a_golden_without_a_run_is_an_orphan() {
        let runs = BTreeMap::from([("a".to_owned(), 2), ("b".to_owned(), 1)]);
        let goldens = ["a", "a.2", "a.3", "b", "b.2", "c"].map(str::to_owned);
        assert_eq!(orphans(&goldens, &runs), ["a.3", "b.2", "c"]);
    }
}
