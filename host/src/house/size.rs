// SPDX-License-Identifier: MIT OR Apache-2.0
//! A file that is too long to be read in one go is split.

use super::Finding;
use super::source::Source;

/// More lines than this without its tests is a stop.
pub const MOST_LINES: usize = 500;

/// The file, if it is too long. Files that are tests do not count.
#[must_use]
pub fn too_long(source: &Source) -> Option<Finding> {
    if source.is_in_tests() || source.path.ends_with("/tests.rs") {
        return None;
    }
    let lines = lines_without_tests(&source.text);
    (lines > MOST_LINES).then(|| Finding {
        path: source.path.clone(),
        line: MOST_LINES + 1,
        sentence: format!(
            "{lines} lines without tests are more than {MOST_LINES}; split the file by what its parts are about"
        ),
    })
}

/// How many lines there are outside modules of tests that begin and end at the left margin.
fn lines_without_tests(text: &str) -> usize {
    let (mut count, mut is_pending, mut is_inside) = (0, false, false);
    for line in text.lines() {
        if is_inside {
            is_inside = line != "}";
            continue;
        }
        is_inside = is_pending && line.starts_with("mod ") && line.ends_with('{');
        is_pending = line == "#[cfg(test)]" || is_pending && line.starts_with("#[");
        if !is_inside {
            count += 1;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, lines: usize, tests: usize) -> Source {
        let tests = format!("#[cfg(test)]\nmod tests {{\n{}}}\n", "    fn g() {}\n".repeat(tests));
        Source::new(path, "fn f() {}\n".repeat(lines) + &tests)
    }

    #[test]
    fn a_long_file_is_a_finding_and_its_tests_do_not_count() {
        assert_eq!(too_long(&file("kernel/src/a.rs", 499, 1_000)), None);
        let found = too_long(&file("kernel/src/a.rs", 500, 0)).unwrap();
        assert!(found.sentence.starts_with("501 lines without tests are more than 500"), "{found}");
    }

    #[test]
    fn files_of_tests_do_not_count() {
        assert_eq!(too_long(&file("kernel/src/table/tests.rs", 2_000, 0)), None);
        assert_eq!(too_long(&file("kernel/tests/report/main.rs", 2_000, 0)), None);
    }

    #[test]
    fn lines_behind_the_tests_count_and_tests_in_another_file_take_none_away() {
        assert_eq!(lines_without_tests("a\n#[cfg(test)]\n#[allow(x)]\nmod tests {\n  b\n}\nc\n"), 4);
        assert_eq!(lines_without_tests("a\n#[cfg(test)]\nmod tests;\nb\n"), 4);
        assert_eq!(lines_without_tests("#[cfg(test)]\nfn only_for_tests() {\n}\n"), 3);
    }
}
