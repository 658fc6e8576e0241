// SPDX-License-Identifier: MIT OR Apache-2.0
//! The line editor of the console: bytes of a terminal go in, what the terminal is to show comes out, and now and then a line.
//!
//! | key | does |
//! |---|---|
//! | arrows, Home, End, Ctrl-B, -F, -A, -E | move in the line, and through earlier lines |
//! | Backspace, Delete, Ctrl-D | delete a character |
//! | Ctrl-W, Ctrl-U, Ctrl-K | delete the word before the cursor, all before it, all behind it |
//! | Ctrl-P, Ctrl-N | the line before, the line after |
//! | Tab | completes a word, or shows the words that fit |
//! | Ctrl-L | clears the screen |
//! | Ctrl-C | gives the line up |
//!
//! A terminal as any emulates since the VT100 is assumed, with a line as wide as what is typed. All that is shown begins with
//! [`PROMPT`], so that a capture with commands in it is a comment to the scripts that read it.

mod history;
mod keys;

use core::fmt::{self, Write};

use heapless::Vec;

use history::History;
use keys::{Decoder, Key};

/// The most bytes of a line.
pub const LINE_BYTES: usize = 200;

/// What stands before what is typed.
pub const PROMPT: &str = "# takt> ";

/// A line as it is typed: ASCII without control characters.
type Line = Vec<u8, LINE_BYTES>;

/// The words that may stand behind the first word of a command, or the first words themselves where there is none yet.
pub type Words = fn(command: Option<&str>) -> &'static [&'static str];

/// What a byte brought about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The line is not over.
    Typing,
    /// The line is over: [`LineEditor::line`].
    Entered,
    /// The line was given up by Ctrl-C.
    Interrupted,
}

/// A line that is edited, and those before it.
#[derive(Debug)]
pub struct LineEditor {
    line: Line,
    /// Where the next character goes: before the one with this index.
    cursor: usize,
    history: History,
    decoder: Decoder,
    words: Words,
}

impl LineEditor {
    /// An empty line, without earlier ones. `words` says what Tab completes.
    #[must_use]
    pub const fn new(words: Words) -> Self {
        Self { line: Vec::new(), cursor: 0, history: History::new(), decoder: Decoder::new(), words }
    }

    /// The line as it is.
    #[must_use]
    pub fn line(&self) -> &str {
        str::from_utf8(&self.line).unwrap_or("")
    }

    /// Begins a new line.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn begin(&mut self, out: &mut dyn Write) -> fmt::Result {
        self.line.clear();
        self.cursor = 0;
        self.history.leave();
        out.write_str(PROMPT)
    }

    /// Takes a byte of the terminal.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn take(&mut self, byte: u8, out: &mut dyn Write) -> Result<Outcome, fmt::Error> {
        let Some(key) = self.decoder.take(byte) else { return Ok(Outcome::Typing) };
        match key {
            Key::Enter => {
                self.history.add(&self.line);
                out.write_str("\n")?;
                return Ok(Outcome::Entered);
            }
            Key::Interrupt => {
                out.write_str("^C\n")?;
                return Ok(Outcome::Interrupted);
            }
            Key::Character(character) => self.insert(character, out)?,
            Key::Tab => self.complete(out)?,
            Key::Clear => {
                out.write_str("\x1b[2J\x1b[H")?;
                self.show(out)?;
            }
            Key::Earlier => self.recall(History::earlier, out)?,
            Key::Later => self.recall(History::later, out)?,
            Key::Left if self.cursor > 0 => self.move_to(self.cursor.wrapping_sub(1), out)?,
            Key::Right if self.cursor < self.line.len() => self.move_to(self.cursor.wrapping_add(1), out)?,
            Key::Home => self.move_to(0, out)?,
            Key::End => self.move_to(self.line.len(), out)?,
            Key::Backspace if self.cursor > 0 => self.delete(self.cursor.wrapping_sub(1), self.cursor, out)?,
            Key::Delete if self.cursor < self.line.len() => {
                self.delete(self.cursor, self.cursor.wrapping_add(1), out)?;
            }
            Key::DeleteWord => self.delete(self.start_of_word(), self.cursor, out)?,
            Key::DeleteBefore => self.delete(0, self.cursor, out)?,
            Key::DeleteBehind => self.delete(self.cursor, self.line.len(), out)?,
            Key::Left | Key::Right | Key::Backspace | Key::Delete | Key::Unknown => out.write_str("\x07")?,
        }
        Ok(Outcome::Typing)
    }

    /// Inserts a character at the cursor; a bell where the line is full.
    fn insert(&mut self, character: u8, out: &mut dyn Write) -> fmt::Result {
        if self.line.insert(self.cursor, character).is_err() {
            return out.write_str("\x07");
        }
        self.cursor = self.cursor.wrapping_add(1);
        if self.cursor == self.line.len() { out.write_char(char::from(character)) } else { self.show(out) }
    }

    /// Deletes the characters from `start` up to `end`, and goes where they were.
    fn delete(&mut self, start: usize, end: usize, out: &mut dyn Write) -> fmt::Result {
        for _ in start..end {
            if start < self.line.len() {
                self.line.remove(start);
            }
        }
        self.cursor = start;
        self.show(out)
    }

    fn move_to(&mut self, cursor: usize, out: &mut dyn Write) -> fmt::Result {
        self.cursor = cursor;
        self.show(out)
    }

    /// Puts another line in this one's place, if there is one.
    fn recall(&mut self, which: fn(&mut History, &Line) -> Option<Line>, out: &mut dyn Write) -> fmt::Result {
        let Some(line) = which(&mut self.history, &self.line) else { return out.write_str("\x07") };
        self.cursor = line.len();
        self.line = line;
        self.show(out)
    }

    /// Shows the whole line anew, with the cursor where it belongs.
    fn show(&self, out: &mut dyn Write) -> fmt::Result {
        write!(out, "\r{PROMPT}{}\x1b[K", self.line())?;
        match self.line.len().saturating_sub(self.cursor) {
            0 => Ok(()),
            behind => write!(out, "\x1b[{behind}D"),
        }
    }

    /// What stands before the cursor.
    fn before_cursor(&self) -> &str {
        self.line().get(..self.cursor).unwrap_or("")
    }

    /// Where the word before the cursor begins, blanks behind it included.
    fn start_of_word(&self) -> usize {
        let before = self.before_cursor().trim_end_matches(' ');
        before.rfind(' ').map_or(0, |blank| blank.wrapping_add(1))
    }

    /// Completes the word before the cursor as far as all words go that fit, or shows those.
    fn complete(&mut self, out: &mut dyn Write) -> fmt::Result {
        let command = self.before_cursor().rsplit(';').next().unwrap_or("").trim_start();
        let (first, begun) = match command.rsplit_once(' ') {
            None => (None, command),
            Some((before, begun)) => (before.split(' ').next(), begun),
        };
        let fits = (self.words)(first).iter().copied().filter(|word| word.starts_with(begun));
        let Some(common) = fits.clone().reduce(common_beginning) else { return out.write_str("\x07") };
        let rest = common.get(begun.len()..).unwrap_or("");
        let is_only_one = fits.clone().nth(1).is_none();
        if rest.is_empty() && !is_only_one {
            out.write_str("\n#")?;
            fits.into_iter().try_for_each(|word| write!(out, " {word}"))?;
            out.write_str("\n")?;
            return self.show(out);
        }
        rest.bytes().try_for_each(|character| self.insert(character, out))?;
        if is_only_one { self.insert(b' ', out) } else { Ok(()) }
    }
}

/// What two words begin with, both.
fn common_beginning<'a>(first: &'a str, second: &str) -> &'a str {
    let same = first.bytes().zip(second.bytes()).take_while(|(one, other)| one == other).count();
    first.get(..same).unwrap_or("")
}

#[cfg(test)]
mod tests;
