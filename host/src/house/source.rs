// SPDX-License-Identifier: MIT OR Apache-2.0
//! A source file, with its code told from its comments and strings.

/// A Rust or assembly file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// Its path from the root of the repository, with `/` between directories.
    pub path: String,
    /// What stands in it.
    pub text: String,
    /// The same with comments and the insides of literals blanked, line for line. An assembly file is all code.
    pub code: String,
}

impl Source {
    /// A file of this path and text.
    #[must_use]
    pub fn new(path: &str, text: String) -> Self {
        let code = if is_rust(path) { code_of(&text) } else { text.clone() };
        Self { path: path.into(), text, code }
    }

    /// Whether it is Rust, and not assembly.
    #[must_use]
    pub fn is_rust(&self) -> bool {
        is_rust(&self.path)
    }

    /// Whether it lies in this directory, at any depth.
    #[must_use]
    pub fn is_in(&self, directory: &str) -> bool {
        self.path.strip_prefix(directory).is_some_and(|rest| rest.starts_with('/'))
    }

    /// Whether it lies in a `tests` directory, outside a crate's own sources.
    #[must_use]
    pub fn is_in_tests(&self) -> bool {
        self.path.split('/').rev().skip(1).collect::<Vec<_>>().contains(&"tests") && !self.path.contains("/src/")
            || self.is_in("tests")
    }

    /// The words of the code, each with its line (from 1) and what follows it in the line.
    pub fn words(&self) -> impl Iterator<Item = (usize, &str, &str)> {
        self.code
            .lines()
            .enumerate()
            .flat_map(|(index, line)| words(line).map(move |(word, rest)| (index + 1, word, rest)))
    }
}

fn is_rust(path: &str) -> bool {
    path.ends_with(".rs")
}

/// The identifiers and numbers of a line, each with what follows it.
fn words(line: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = line;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(|c| !is_word(c));
        let (word, behind) = rest.split_at(rest.find(|c| !is_word(c)).unwrap_or(rest.len()));
        rest = behind;
        (!word.is_empty()).then_some((word, behind))
    })
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// What a piece of a Rust file is.
enum Piece {
    Code,
    Comment,
    Literal,
}

/// The file with comments and the insides of literals blanked; lines stay where they are.
fn code_of(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    let mut previous = ' ';
    while !rest.is_empty() {
        let (piece, length) = first_piece(rest, previous);
        let (taken, behind) = rest.split_at(length);
        match piece {
            Piece::Code => code.push_str(taken),
            Piece::Comment | Piece::Literal => code.extend(taken.chars().map(|c| if c == '\n' { c } else { ' ' })),
        }
        previous = taken.chars().next_back().unwrap_or(' ');
        rest = behind;
    }
    code
}

/// The first piece of a text that is not empty, and its length in bytes, which is not 0.
fn first_piece(text: &str, previous: char) -> (Piece, usize) {
    if text.starts_with("//") {
        return (Piece::Comment, text.find('\n').unwrap_or(text.len()));
    }
    if text.starts_with("/*") {
        return (Piece::Comment, block_comment(text));
    }
    if text.starts_with('"') {
        return (Piece::Literal, quoted(text));
    }
    if let Some(length) = raw_string(text).filter(|_| !is_word(previous)) {
        return (Piece::Literal, length);
    }
    if let Some(length) = character(text) {
        return (Piece::Literal, length);
    }
    (Piece::Code, text.chars().next().map_or(text.len(), char::len_utf8))
}

/// The length of a block comment, with those nested in it.
fn block_comment(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let step = if rest.starts_with("/*") {
            depth += 1;
            2
        } else if rest.starts_with("*/") {
            depth -= 1;
            2
        } else {
            rest.chars().next().map_or(1, char::len_utf8)
        };
        at += step;
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

/// The length of a string that begins with its quotation mark.
fn quoted(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The length of a raw string (`r"…"`, `r#"…"#`, with `b` or `c` before it).
fn raw_string(text: &str) -> Option<usize> {
    let behind_prefix = text.strip_prefix(['b', 'c']).unwrap_or(text).strip_prefix('r')?;
    let behind_hashes = behind_prefix.trim_start_matches('#');
    let hashes = behind_prefix.len() - behind_hashes.len();
    let inside = behind_hashes.strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    let start = text.len() - inside.len();
    Some(inside.find(&end).map_or(text.len(), |at| start + at + end.len()))
}

/// The length of a character literal; a lifetime is none.
fn character(text: &str) -> Option<usize> {
    let inside = text.strip_prefix('\'')?;
    if inside.starts_with('\\') {
        // The escaped character may itself be a quotation mark.
        return inside.char_indices().skip(2).find(|(_, c)| *c == '\'').map(|(at, _)| at + 2);
    }
    let first = inside.chars().next()?;
    inside.get(first.len_utf8()..)?.starts_with('\'').then(|| first.len_utf8() + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        Source::new("a.rs", text.into()).words().map(|(line, word, _)| format!("{line} {word}")).collect()
    }

    #[test]
    fn comments_are_not_code() {
        assert_eq!(found("a // b\nc /* d\n /* e */ f */ g\n/// h\n//! i\nj"), ["1 a", "2 c", "3 g", "6 j"]);
        assert_eq!(found("a /* never closed"), ["1 a"]);
    }

    #[test]
    fn literals_are_not_code() {
        assert_eq!(found(r#"a("b \" c // d") e"#), ["1 a", "1 e"]);
        assert_eq!(found("r#\"a \" b\"# c br\"d\\\" e"), ["1 c", "1 e"]);
        assert_eq!(found("'a' b '\\'' c '\\u{41}' d '\"' e"), ["1 b", "1 c", "1 d", "1 e"]);
        assert_eq!(found("\"a\nb\" c"), ["2 c"]);
        assert_eq!(found("\"never closed"), [""; 0]);
    }

    #[test]
    fn lifetimes_and_raw_identifiers_are_code() {
        assert_eq!(found("&'a str, 'b: loop"), ["1 a", "1 str", "1 b", "1 loop"]);
        assert_eq!(found("r#type"), ["1 r", "1 type"]);
        assert_eq!(found("for \"x\" bar\"y\" z"), ["1 for", "1 bar", "1 z"]);
    }

    #[test]
    fn a_word_comes_with_what_follows_it() {
        let source = Source::new("a.rs", "core::arch::asm!(\"nop\")".into());
        let rest: Vec<_> = source.words().map(|(_, word, rest)| (word, rest.trim())).collect();
        assert_eq!(rest.last(), Some(&("asm", "!(     )")));
    }

    #[test]
    fn assembly_is_all_code() {
        assert_eq!(Source::new("boot.s", "// 0xFE".into()).code, "// 0xFE");
    }

    #[test]
    fn directories_are_told_apart_by_whole_names() {
        let at = |path: &str| Source::new(path, String::new());
        assert!(at("takt/src/irq.rs").is_in("takt") && !at("takt-more/src/irq.rs").is_in("takt"));
        assert!(at("host/tests/run.rs").is_in_tests() && at("tests/src/lib.rs").is_in_tests());
        assert!(!at("kernel/src/tests/a.rs").is_in_tests() && !at("kernel/src/tests.rs").is_in_tests());
    }
}
