// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cutting a kernel command line into words, with regard to double quotes.

/// One word of the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word<'a> {
    /// What stands before the first `=`, or the whole word.
    pub(super) key: &'a str,
    /// What stands behind it, without quotes around it.
    pub(super) value: Option<&'a str>,
    /// Whether the word opens a quote that nothing closes. It then ends at the next blank all the same, so that a
    /// stray quote of the firmware's does not swallow the words behind it.
    pub(super) open_quote: bool,
}

/// The words of a line, in order.
pub(super) struct Words<'a> {
    rest: &'a str,
}

impl<'a> Words<'a> {
    pub(super) const fn new(line: &'a str) -> Self {
        Self { rest: line }
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = Word<'a>;

    fn next(&mut self) -> Option<Word<'a>> {
        self.rest = self.rest.trim_ascii_start();
        if self.rest.is_empty() {
            return None;
        }
        let mut quoted = false;
        // Quotes and blanks are ASCII, so looking at bytes always cuts between characters.
        let bytes = self.rest.as_bytes();
        let end = bytes.iter().position(|&byte| {
            quoted ^= byte == b'"';
            !quoted && byte.is_ascii_whitespace()
        });
        let open_quote = end.is_none() && quoted;
        let end = if open_quote { bytes.iter().position(u8::is_ascii_whitespace) } else { end };
        let (text, rest) = end.and_then(|end| self.rest.split_at_checked(end)).unwrap_or((self.rest, ""));
        self.rest = rest;
        let text = text.strip_prefix('"').map_or(text, |inner| inner.strip_suffix('"').unwrap_or(inner));
        let (key, value) = match text.split_once('=') {
            Some((key, value)) => (key, Some(unquoted(value))),
            None => (text, None),
        };
        Some(Word { key, value, open_quote })
    }
}

/// A value without the pair of quotes around it.
fn unquoted(value: &str) -> &str {
    value.strip_prefix('"').and_then(|inner| inner.strip_suffix('"')).unwrap_or(value)
}
