// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cutting the boot line, a kernel command line, into words.
//!
//! A word ends at a blank that stands outside double quotes. These stand behind the `=` (`autorun="info; exit"`) or around
//! the whole word (`"autorun=info; exit"`), as Linux has it. Which words mean what is decided by those who read them.

/// One word of the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word<'a> {
    /// What stands before the first `=`, or the whole word.
    pub key: &'a str,
    /// What stands behind it, without quotes around it.
    pub value: Option<&'a str>,
    /// Whether the word opens a quote that nothing closes. It then ends at the next blank all the same, so that a
    /// stray quote of the firmware's does not swallow the words behind it.
    pub open_quote: bool,
}

impl Word<'_> {
    /// Whether this is the word `key=value`, and as it should be.
    #[must_use]
    pub fn is(&self, key: &str, value: &str) -> bool {
        !self.open_quote && self.key == key && self.value == Some(value)
    }
}

/// The words of a line, in order.
#[derive(Clone, Debug)]
pub struct BootWords<'a> {
    rest: &'a str,
}

impl<'a> BootWords<'a> {
    /// The words of `line`.
    #[must_use]
    pub const fn new(line: &'a str) -> Self {
        Self { rest: line }
    }
}

impl<'a> Iterator for BootWords<'a> {
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

#[cfg(test)]
mod tests;
