// SPDX-License-Identifier: MIT OR Apache-2.0
//! The terminal in which somebody types to the guest: every key goes there, until this is dropped.

use std::io;

use rustix::stdio;
use rustix::termios::{InputModes, LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

/// The key that leaves: Ctrl-].
pub const LEAVE: u8 = 0x1D;

/// A terminal whose keys are passed on one by one and are not shown. Its settings come back when it is dropped, as at the end of a run
/// and at a panic. A process that is killed hard leaves it as it is: `reset` or `stty sane` helps then.
#[derive(Debug)]
pub struct Keys {
    before: Termios,
}

impl Keys {
    /// Takes the terminal of the standard input.
    ///
    /// # Errors
    /// When the standard input is none.
    pub fn take() -> io::Result<Self> {
        let before = tcgetattr(stdio::stdin())?;
        let mut during = before.clone();
        // No line is gathered, nothing is shown, and Ctrl-C is a key like any other. What is printed stays as it is printed elsewhere.
        during.local_modes.remove(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG | LocalModes::IEXTEN);
        during.input_modes.remove(InputModes::ICRNL | InputModes::INLCR | InputModes::IXON | InputModes::ISTRIP);
        tcsetattr(stdio::stdin(), OptionalActions::Flush, &during)?;
        Ok(Self { before })
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        // Where the terminal is gone there is nothing to be put back.
        let _ = tcsetattr(stdio::stdin(), OptionalActions::Flush, &self.before);
    }
}
