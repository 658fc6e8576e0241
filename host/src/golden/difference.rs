// SPDX-License-Identifier: MIT OR Apache-2.0
//! Golden bytes against printed bytes, line by line.

use std::fmt::Write as _;

/// Stands for any text within a line.
const WILDCARD: &[u8] = b"{..}";

/// How many differing lines are shown.
const SHOWN_LINES: usize = 60;

/// One step through both texts; the numbers are indices of lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Same(usize, usize),
    Missing(usize),
    Extra(usize),
}

/// A line diff from the golden text to what was printed, or `None` when they agree.
#[must_use]
pub fn difference(golden: &[u8], printed: &[u8]) -> Option<String> {
    let (old, new) = (lines(golden), lines(printed));
    let steps = align(&old, &new);
    let differs = |step: &&Step| !matches!(step, Step::Same(..));
    let count = steps.iter().filter(differs).count();
    if count == 0 {
        return None;
    }
    let mut text = String::new();
    for step in steps.iter().filter(differs).take(SHOWN_LINES) {
        let (mark, number, line) = match *step {
            Step::Missing(at) => ('-', at, old.get(at)),
            Step::Extra(at) | Step::Same(_, at) => ('+', at, new.get(at)),
        };
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{mark} {:>4} | {}", number + 1, shown(line.copied().unwrap_or_default()));
    }
    if count > SHOWN_LINES {
        let _ = writeln!(text, "… and {} more lines that differ", count - SHOWN_LINES);
    }
    Some(text)
}

/// The new golden text for what was printed: golden lines that fit are kept, and with them their wildcards.
#[must_use]
pub fn blessed(golden: &[u8], printed: &[u8]) -> Vec<u8> {
    let (old, new) = (lines(golden), lines(printed));
    let kept = align(&old, &new).into_iter().filter_map(|step| match step {
        Step::Same(at, _) => old.get(at),
        Step::Extra(at) => new.get(at),
        Step::Missing(_) => None,
    });
    kept.copied().collect::<Vec<_>>().concat()
}

/// The lines, each with its line feed, if it has one.
fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|&byte| byte == b'\n').collect()
}

/// A line for people: what cannot be seen is spelled out.
fn shown(line: &[u8]) -> String {
    let (text, end) = match line.strip_suffix(b"\n") {
        Some(text) => (text, ""),
        None => (line, " (no line feed)"),
    };
    let mut shown = String::new();
    for character in String::from_utf8_lossy(text).chars() {
        if character.is_control() {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    shown + end
}

/// Whether a line fits a golden line.
fn fits(golden: &[u8], line: &[u8]) -> bool {
    let mut parts = Vec::new();
    let mut rest = golden;
    while let Some(at) = find(rest, WILDCARD) {
        parts.push(rest.get(..at).unwrap_or_default());
        rest = rest.get(at + WILDCARD.len()..).unwrap_or_default();
    }
    let Some((first, middle)) = parts.split_first() else { return golden == line };
    let Some(mut left) = line.strip_prefix(*first) else { return false };
    for part in middle {
        let Some(at) = find(left, part) else { return false };
        left = left.get(at + part.len()..).unwrap_or_default();
    }
    left.ends_with(rest)
}

fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    if part.is_empty() { Some(0) } else { text.windows(part.len()).position(|window| window == part) }
}

/// The shortest way from the golden lines to the printed ones. Equal lines at both ends are taken off first, since the
/// table in between grows with the product of what is left.
fn align(old: &[&[u8]], new: &[&[u8]]) -> Vec<Step> {
    let pairs = || old.iter().zip(new);
    let head = pairs().take_while(|(golden, line)| fits(golden, line)).count();
    let (old_left, new_left) = (old.len() - head, new.len() - head);
    let backwards = old.iter().rev().zip(new.iter().rev()).take(old_left.min(new_left));
    let tail = backwards.take_while(|(golden, line)| fits(golden, line)).count();

    let mut steps: Vec<Step> = (0..head).map(|at| Step::Same(at, at)).collect();
    steps.extend(align_middle(old, new, head..old.len() - tail, head..new.len() - tail));
    steps.extend((0..tail).map(|at| Step::Same(old.len() - tail + at, new.len() - tail + at)));
    steps
}

/// The same for the lines in between: longest common subsequence.
fn align_middle(old: &[&[u8]], new: &[&[u8]], olds: std::ops::Range<usize>, news: std::ops::Range<usize>) -> Vec<Step> {
    let same = |i: usize, j: usize| old.get(i).zip(new.get(j)).is_some_and(|(golden, line)| fits(golden, line));
    let width = news.len() + 1;
    let index = |i: usize, j: usize| (i - olds.start) * width + (j - news.start);
    // best[index(i, j)]: how many lines of old[i..] and new[j..] can be kept.
    let mut best = vec![0_u32; (olds.len() + 1) * width];
    let at = |best: &[u32], i: usize, j: usize| best.get(index(i, j)).copied().unwrap_or_default();
    for i in olds.clone().rev() {
        for j in news.clone().rev() {
            let kept = if same(i, j) { at(&best, i + 1, j + 1) + 1 } else { 0 };
            let value = kept.max(at(&best, i + 1, j)).max(at(&best, i, j + 1));
            if let Some(cell) = best.get_mut(index(i, j)) {
                *cell = value;
            }
        }
    }
    let (mut i, mut j, mut steps) = (olds.start, news.start, Vec::new());
    while i < olds.end || j < news.end {
        if i < olds.end && j < news.end && same(i, j) && at(&best, i, j) == at(&best, i + 1, j + 1) + 1 {
            steps.push(Step::Same(i, j));
            (i, j) = (i + 1, j + 1);
        } else if i < olds.end && (j == news.end || at(&best, i + 1, j) >= at(&best, i, j + 1)) {
            steps.push(Step::Missing(i));
            i += 1;
        } else {
            steps.push(Step::Extra(j));
            j += 1;
        }
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_do_not_differ() {
        assert_eq!(difference(b"", b""), None);
        assert_eq!(difference(b"a\r\nb\n", b"a\r\nb\n"), None);
    }

    #[test]
    fn the_diff_names_lines_and_spells_out_what_cannot_be_seen() {
        let text = difference(b"a\nb\nc\n", b"a\nB\r\nc\nd").unwrap();
        assert_eq!(text, "-    2 | b\n+    2 | B\\r\n+    4 | d (no line feed)\n");
        assert_eq!(difference(b"a\n", b"a").unwrap(), "-    1 | a\n+    1 | a (no line feed)\n");
        assert_eq!(difference(b"x\n", b"").unwrap(), "-    1 | x\n");
    }

    #[test]
    fn a_wildcard_is_any_text_within_its_line() {
        assert_eq!(difference(b"image {..}, core {..}\n", b"image 1f2e, core 0\n"), None);
        assert_eq!(difference(b"{..}\n", b"\n"), None);
        assert_eq!(difference(b"{..}end\n", b"end of the end\n"), None);
        assert!(difference(b"image {..}\n", b"Image 1\n").is_some());
        assert!(difference(b"a{..}a\n", b"a\n").is_some());
        assert!(difference(b"a {..}\n", b"a b\nc\n").is_some());
        assert!(difference(b"a {..} b {..} c\n", b"a 1 c 2 b\n").is_some());
    }

    #[test]
    fn blessing_keeps_the_wildcards_that_still_fit() {
        let golden = b"hash {..}\nold\nsame\n";
        assert_eq!(blessed(golden, b"hash 12\nnew\nsame\nmore\n"), b"hash {..}\nnew\nsame\nmore\n");
        assert_eq!(blessed(b"", b"first\n"), b"first\n");
        assert_eq!(blessed(b"gone\n", b""), b"");
    }

    #[test]
    fn a_long_diff_is_cut_and_says_so() {
        let text = difference(b"", &b"x\n".repeat(SHOWN_LINES + 5)).unwrap();
        assert!(text.ends_with("… and 5 more lines that differ\n"));
        assert_eq!(text.lines().count(), SHOWN_LINES + 1);
    }
}
