#![allow(clippy::unwrap_used, clippy::arithmetic_side_effects, reason = "a test that cannot go on fails")]

use std::string::String;
use std::vec::Vec;
use std::{format, vec};

use proptest::prelude::*;

use super::{LINE_BYTES, LineEditor, Outcome, PROMPT};

fn words(command: Option<&str>) -> &'static [&'static str] {
    match command {
        None => &["latency", "load", "help", "hist"],
        Some("load") => &["cpu", "stop"],
        Some(_) => &[],
    }
}

/// An editor that was given these bytes, and a terminal that shows what it wrote.
fn typed(bytes: &[u8]) -> (LineEditor, Terminal) {
    let (mut editor, mut out) = (LineEditor::new(words), String::new());
    editor.begin(&mut out).unwrap();
    for byte in bytes {
        if editor.take(*byte, &mut out).unwrap() != Outcome::Typing {
            editor.begin(&mut out).unwrap();
        }
    }
    (editor, Terminal::showing(&out))
}

/// The last line of a terminal, with what the editor uses of one.
struct Terminal {
    line: Vec<char>,
    cursor: usize,
    lines_above: Vec<String>,
    bells: usize,
}

impl Terminal {
    fn showing(out: &str) -> Self {
        let mut terminal = Self { line: Vec::new(), cursor: 0, lines_above: Vec::new(), bells: 0 };
        let mut characters = out.chars();
        while let Some(character) = characters.next() {
            match character {
                '\r' => terminal.cursor = 0,
                '\n' => {
                    terminal.lines_above.push(terminal.line.drain(..).collect());
                    terminal.cursor = 0;
                }
                '\x07' => terminal.bells += 1,
                '\x1b' => terminal.control(&mut characters),
                character => {
                    terminal.line.resize(terminal.line.len().max(terminal.cursor + 1), ' ');
                    *terminal.line.get_mut(terminal.cursor).unwrap() = character;
                    terminal.cursor += 1;
                }
            }
        }
        terminal
    }

    fn control(&mut self, characters: &mut std::str::Chars<'_>) {
        assert_eq!(characters.next(), Some('['));
        let mut number = String::new();
        let last = loop {
            match characters.next().unwrap() {
                digit @ '0'..='9' => number.push(digit),
                last => break last,
            }
        };
        match last {
            'K' => self.line.truncate(self.cursor),
            'D' => self.cursor -= number.parse::<usize>().unwrap(),
            'J' => self.line.clear(),
            'H' => self.cursor = 0,
            other => panic!("{other} is no control sequence that this terminal knows"),
        }
    }

    fn text(&self) -> String {
        self.line.iter().collect()
    }
}

#[track_caller]
fn shows(bytes: &[u8], line: &str, cursor: usize) {
    let (editor, terminal) = typed(bytes);
    assert_eq!((editor.line(), editor.cursor), (line, cursor));
    assert_eq!((terminal.text(), terminal.cursor), (format!("{PROMPT}{line}"), PROMPT.len() + cursor));
}

#[test]
fn a_line_is_edited_where_the_cursor_is() {
    shows(b"latency -l 5", "latency -l 5", 12);
    shows(b"lacy\x1b[D\x1b[Dten", "latency", 5);
    shows(b"atency\x01l", "latency", 1);
    shows(b"latencx\x7fy", "latency", 7);
    shows(b"latency\x02\x02\x04", "lateny", 5);
    shows(b"xlatency\x1b[1~\x1b[3~\x1b[4~!", "latency!", 8);
    shows(b"abc\x1bOD\x1bOC\x1b[H\x1b[F.", "abc.", 4);
    shows(b"one two  three\x17", "one two  ", 9);
    shows(b"one two \x17", "one ", 4);
    shows(b"one two\x02\x02\x02\x15", "two", 0);
    shows(b"one two\x02\x02\x02\x0b", "one ", 4);
}

#[test]
fn keys_that_do_nothing_ring() {
    for bytes in [
        &b"\x1b[D"[..],
        b"\x1b[C",
        b"\x7f",
        b"\x04",
        b"\x1b[5~",
        b"\x1bx",
        b"\x1b[15;2~",
        b"\x00",
        b"\xc3",
        b"\x10",
        b"\x0e",
    ] {
        let (editor, terminal) = typed(bytes);
        assert_eq!((editor.line(), terminal.bells), ("", 1), "{bytes:?}");
    }
}

#[test]
fn a_line_ends_once_whatever_the_terminal_sends_for_it() {
    for (bytes, ends) in [(&b"a\r"[..], 1), (b"a\n", 1), (b"a\r\n", 1), (b"a\r\r", 2), (b"a\r\n\n", 2), (b"a\rb\n", 2)]
    {
        let (mut editor, mut out) = (LineEditor::new(words), String::new());
        let outcomes: Vec<_> = bytes.iter().map(|byte| editor.take(*byte, &mut out).unwrap()).collect();
        assert_eq!(outcomes.iter().filter(|outcome| **outcome == Outcome::Entered).count(), ends, "{bytes:?}");
    }
}

#[test]
fn ctrl_c_gives_a_line_up_wherever_it_comes() {
    for bytes in [&b"abc\x03"[..], b"abc\x1b\x03", b"abc\x1b[\x03", b"abc\x1b[1\x03"] {
        let (editor, terminal) = typed(bytes);
        assert_eq!((editor.line(), terminal.text().as_str()), ("", PROMPT), "{bytes:?}");
        assert_eq!(terminal.lines_above, [format!("{PROMPT}abc^C")]);
    }
}

#[test]
fn earlier_lines_come_back_and_the_typed_one_as_well() {
    let entered = b"one\rtwo\rtwo\r   \r";
    for (keys, line) in [
        (&b"\x1b[A"[..], "two"),
        (b"\x1b[A\x1b[A", "one"),
        (b"\x1b[A\x1b[A\x1b[A", "one"),
        (b"new\x1b[A\x1b[A\x1b[B", "two"),
        (b"new\x1b[A\x1b[A\x1b[B\x1b[B", "new"),
        (b"\x10\x10\x0e\x0e", ""),
        (b"\x1b[A!", "two!"),
    ] {
        shows(&[entered, keys].concat(), line, line.len());
    }
}

#[test]
fn only_so_many_lines_are_kept() {
    let many: String = (0..20).map(|line| format!("line {line}\r")).collect();
    let up = "\x1b[A".repeat(30);
    shows(format!("{many}{up}").as_bytes(), "line 4", 6);
}

#[test]
fn a_word_is_completed_as_far_as_it_is_the_only_one() {
    shows(b"he\t", "help ", 5);
    shows(b"la\t", "latency ", 8);
    shows(b"load s\t", "load stop ", 10);
    shows(b"hist; load c\t", "hist; load cpu ", 15);
    shows(b"h\t", "h", 1);
    // Several fit: they are shown.
    assert_eq!(typed(b"h\t").1.lines_above.last().unwrap(), "# help hist");
    assert_eq!(typed(b"l\t").1.lines_above.last().unwrap(), "# latency load");
    assert_eq!(typed(b"load \t").1.lines_above.last().unwrap(), "# cpu stop");
    // None fits.
    assert_eq!(typed(b"x\t").1.bells, 1);
    assert_eq!(typed(b"hist \t").1.bells, 1);
    // In the middle of a line.
    shows(b"lo stop\x1b[D\x1b[D\x1b[D\x1b[D\x1b[D\t", "load  stop", 5);
}

#[test]
fn a_full_line_takes_no_more_and_says_so() {
    let bytes = vec![b'x'; LINE_BYTES + 3];
    let (editor, terminal) = typed(&bytes);
    assert_eq!((editor.line().len(), terminal.bells), (LINE_BYTES, 3));
}

#[test]
fn the_screen_can_be_cleared() {
    shows(b"abc\x02\x0c", "abc", 2);
}

proptest! {
    /// Whatever is typed, the terminal shows the line, and the cursor where it is.
    #[test]
    fn the_terminal_shows_the_line(bytes in prop::collection::vec(prop_oneof![
        3 => prop::sample::select(b"alo; \t".to_vec()),
        2 => prop::sample::select(b"\x01\x02\x04\x05\x06\x0b\x0c\x0e\x10\x15\x17\x7f\r\x03".to_vec()),
        1 => prop::sample::select(b"\x1b[ABCDHF31~O".to_vec()),
        1 => any::<u8>(),
    ], 0..300)) {
        let (editor, terminal) = typed(&bytes);
        prop_assert_eq!(terminal.text(), format!("{PROMPT}{}", editor.line()));
        prop_assert_eq!(terminal.cursor, PROMPT.len() + editor.cursor);
    }
}
