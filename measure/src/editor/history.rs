// SPDX-License-Identifier: MIT OR Apache-2.0
//! The lines that were entered before.

use heapless::Deque;

use super::Line;

/// How many lines are kept.
const LINES: usize = 16;

/// The last lines, and which of them is shown.
#[derive(Debug)]
pub(super) struct History {
    /// The oldest first.
    lines: Deque<Line, LINES>,
    /// How many lines before the one that is being typed the shown one is: 0 is that one itself.
    back: usize,
    /// The line that was being typed when an earlier one was asked for.
    typed: Line,
}

impl History {
    pub(super) const fn new() -> Self {
        Self { lines: Deque::new(), back: 0, typed: Line::new() }
    }

    /// Keeps an entered line, unless it says nothing or the same as the last.
    pub(super) fn add(&mut self, line: &Line) {
        if line.trim_ascii().is_empty() || self.lines.back() == Some(line) {
            return;
        }
        if self.lines.is_full() {
            self.lines.pop_front();
        }
        // There is room now.
        let _ = self.lines.push_back(line.clone());
    }

    /// A new line is typed.
    pub(super) fn leave(&mut self) {
        self.back = 0;
    }

    /// The line before the one that is shown, which is `shown`.
    pub(super) fn earlier(&mut self, shown: &Line) -> Option<Line> {
        let line = self.line(self.back.wrapping_add(1))?;
        if self.back == 0 {
            self.typed = shown.clone();
        }
        self.back = self.back.wrapping_add(1);
        Some(line)
    }

    /// The line after it.
    pub(super) fn later(&mut self, _shown: &Line) -> Option<Line> {
        self.back = self.back.checked_sub(1)?;
        if self.back == 0 { Some(self.typed.clone()) } else { self.line(self.back) }
    }

    fn line(&self, back: usize) -> Option<Line> {
        self.lines.iter().rev().nth(back.checked_sub(1)?).cloned()
    }
}
