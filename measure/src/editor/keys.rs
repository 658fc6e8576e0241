// SPDX-License-Identifier: MIT OR Apache-2.0
//! From a terminal's bytes to keys: control characters, and the escape sequences of ECMA-48 that terminals send for the others.

/// A key that was pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    Character(u8),
    Enter,
    Interrupt,
    Tab,
    Clear,
    Earlier,
    Later,
    Left,
    Right,
    Home,
    End,
    Backspace,
    Delete,
    DeleteWord,
    DeleteBefore,
    DeleteBehind,
    /// One that does nothing here.
    Unknown,
}

/// What came before the next byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Plain,
    /// A carriage return, whose line feed is passed over.
    Return,
    Escape,
    /// `ESC O`: one more byte.
    Single,
    /// `ESC [`: bytes up to a final one. The first parameter, or what of it has come.
    Sequence(u8),
    /// Behind the first parameter.
    Further(u8),
}

/// Puts bytes together.
#[derive(Debug)]
pub(super) struct Decoder(State);

impl Decoder {
    pub(super) const fn new() -> Self {
        Self(State::Plain)
    }

    /// Takes the next byte; `None` where it belongs to a key that is not whole.
    pub(super) fn take(&mut self, byte: u8) -> Option<Key> {
        let state = core::mem::replace(&mut self.0, State::Plain);
        match (state, byte) {
            // Whatever was begun: these are not part of any sequence.
            (_, 0x03) => Some(Key::Interrupt),
            (_, 0x1B) => self.go_on(State::Escape),
            (State::Return, b'\n') => None,
            (State::Plain | State::Return, _) => self.plain(byte),
            (State::Escape, b'[') => self.go_on(State::Sequence(0)),
            (State::Escape, b'O') => self.go_on(State::Single),
            (State::Escape, _) => Some(Key::Unknown),
            (State::Single, _) => Some(letter(byte)),
            (State::Sequence(number), b'0'..=b'9') => {
                self.go_on(State::Sequence(number.saturating_mul(10).saturating_add(byte & 0x0F)))
            }
            (State::Sequence(number) | State::Further(number), 0x20..=0x3F) => self.go_on(State::Further(number)),
            (State::Sequence(number) | State::Further(number), b'~') => Some(numbered(number)),
            (State::Sequence(_) | State::Further(_), 0x40..=0x7E) => Some(letter(byte)),
            (State::Sequence(_) | State::Further(_), _) => self.plain(byte),
        }
    }

    fn go_on(&mut self, state: State) -> Option<Key> {
        self.0 = state;
        None
    }

    fn plain(&mut self, byte: u8) -> Option<Key> {
        Some(match byte {
            b'\r' => {
                self.0 = State::Return;
                Key::Enter
            }
            b'\n' => Key::Enter,
            b' '..=b'~' => Key::Character(byte),
            b'\t' => Key::Tab,
            0x01 => Key::Home,
            0x02 => Key::Left,
            0x04 => Key::Delete,
            0x05 => Key::End,
            0x06 => Key::Right,
            0x08 | 0x7F => Key::Backspace,
            0x0B => Key::DeleteBehind,
            0x0C => Key::Clear,
            0x0E => Key::Later,
            0x10 => Key::Earlier,
            0x15 => Key::DeleteBefore,
            0x17 => Key::DeleteWord,
            _ => Key::Unknown,
        })
    }
}

/// The key of a sequence that ends with this letter.
fn letter(byte: u8) -> Key {
    match byte {
        b'A' => Key::Earlier,
        b'B' => Key::Later,
        b'C' => Key::Right,
        b'D' => Key::Left,
        b'H' => Key::Home,
        b'F' => Key::End,
        _ => Key::Unknown,
    }
}

/// The key of a sequence that ends with `~`.
fn numbered(number: u8) -> Key {
    match number {
        1 | 7 => Key::Home,
        3 => Key::Delete,
        4 | 8 => Key::End,
        _ => Key::Unknown,
    }
}
