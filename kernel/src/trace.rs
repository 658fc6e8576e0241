// SPDX-License-Identifier: MIT OR Apache-2.0
//! What happened on a core: events as the event ring holds them, and as lines of a dump.
//!
//! An event is one word. Its top byte says what happened, its low bits to whom:
//!
//! | kind | code | low bits |
//! |---|---|---|
//! | interrupt entry | 0x01 | INTID |
//! | interrupt exit | 0x02 | INTID |
//! | release | 0x03 | task |
//! | ready | 0x04 | task |
//! | switch | 0x06 | from whom in bits 15:8, to whom in bits 7:0 |
//! | block | 0x07 | task |
//! | wake | 0x08 | task |
//! | mark | 0x0C | the value, 32 bits |
//!
//! Each code is one run of ones, so that a single `ORR` puts it above a number that is in a register already; a switch takes
//! one more. A word of zeros is no event. There is no event for a message, since takt has no messages.

mod history;

pub use history::History;

use core::fmt;

use crate::TaskId;

/// Something that happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// An interrupt was taken.
    InterruptEntry {
        /// Which.
        intid: u16,
    },
    /// An interrupt was ended.
    InterruptExit {
        /// Which.
        intid: u16,
    },
    /// A task's due instant had come, and the timer's handler made it ready.
    Release {
        /// Who was released.
        task: TaskId,
    },
    /// A task became ready for another reason.
    Ready {
        /// Who became ready.
        task: TaskId,
    },
    /// Another task runs.
    Switch {
        /// Who ran before.
        from: TaskId,
        /// Who runs now.
        to: TaskId,
    },
    /// The running task waits.
    Block {
        /// Who waits.
        task: TaskId,
    },
    /// A task was woken by an event that it waited for.
    Wake {
        /// Who was woken.
        task: TaskId,
    },
    /// An application's own.
    Mark {
        /// What it says.
        value: u32,
    },
}

/// A word that is no event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownWord {
    /// The word.
    pub word: u64,
}

mod kind {
    pub(super) const INTERRUPT_ENTRY: u8 = 0x01;
    pub(super) const INTERRUPT_EXIT: u8 = 0x02;
    pub(super) const RELEASE: u8 = 0x03;
    pub(super) const READY: u8 = 0x04;
    pub(super) const SWITCH: u8 = 0x06;
    pub(super) const BLOCK: u8 = 0x07;
    pub(super) const WAKE: u8 = 0x08;
    pub(super) const MARK: u8 = 0x0C;
}

/// Puts a kind above whom it concerns.
#[inline(always)]
const fn word(kind: u8, subject: u64) -> u64 {
    (kind as u64).wrapping_shl(56) | subject
}

impl Event {
    /// This event as a word.
    #[inline(always)]
    #[must_use]
    pub const fn to_word(self) -> u64 {
        match self {
            Self::InterruptEntry { intid } => word(kind::INTERRUPT_ENTRY, intid as u64),
            Self::InterruptExit { intid } => word(kind::INTERRUPT_EXIT, intid as u64),
            Self::Release { task } => word(kind::RELEASE, task.number() as u64),
            Self::Ready { task } => word(kind::READY, task.number() as u64),
            Self::Switch { from, to } => {
                word(kind::SWITCH, (from.number() as u64).wrapping_shl(8) | to.number() as u64)
            }
            Self::Block { task } => word(kind::BLOCK, task.number() as u64),
            Self::Wake { task } => word(kind::WAKE, task.number() as u64),
            Self::Mark { value } => word(kind::MARK, value as u64),
        }
    }

    /// The event that `word` stands for.
    ///
    /// # Errors
    /// [`UnknownWord`] for everything that [`Self::to_word`] does not make, an empty place of a ring among them.
    pub fn from_word(word: u64) -> Result<Self, UnknownWord> {
        // What the low bytes leave out of the word is missing when it is made again.
        Self::from_low_bytes(word).filter(|event| event.to_word() == word).ok_or(UnknownWord { word })
    }

    /// The event of the word's kind that its low bytes describe, whatever stands in between.
    fn from_low_bytes(word: u64) -> Option<Self> {
        let [kind, _, _, _, b3, b2, b1, b0] = word.to_be_bytes();
        let intid = u16::from_be_bytes([b1, b0]);
        let task = || TaskId::new(usize::from(b0));
        Some(match kind {
            kind::INTERRUPT_ENTRY => Self::InterruptEntry { intid },
            kind::INTERRUPT_EXIT => Self::InterruptExit { intid },
            kind::RELEASE => Self::Release { task: task()? },
            kind::READY => Self::Ready { task: task()? },
            kind::SWITCH => Self::Switch { from: TaskId::new(usize::from(b1))?, to: task()? },
            kind::BLOCK => Self::Block { task: task()? },
            kind::WAKE => Self::Wake { task: task()? },
            kind::MARK => Self::Mark { value: u32::from_be_bytes([b3, b2, b1, b0]) },
            _ => return None,
        })
    }
}

/// The fields `event,subject[,detail]` of a dump's line.
impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InterruptEntry { intid } => write!(f, "interrupt-entry,{intid}"),
            Self::InterruptExit { intid } => write!(f, "interrupt-exit,{intid}"),
            Self::Release { task } => write!(f, "release,{}", task.index()),
            Self::Ready { task } => write!(f, "ready,{}", task.index()),
            Self::Switch { from, to } => write!(f, "switch,{},{}", from.index(), to.index()),
            Self::Block { task } => write!(f, "block,{}", task.index()),
            Self::Wake { task } => write!(f, "wake,{}", task.index()),
            Self::Mark { value } => write!(f, "mark,{value}"),
        }
    }
}

/// The same fields of a word that is no event, which a ring should not hold.
impl fmt::Display for UnknownWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown,{:#018x}", self.word)
    }
}

/// A place of a ring: an event and when it happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Entry {
    /// What `CNTPCT_EL0` read.
    pub stamp_ticks: u64,
    /// The event's word.
    pub word: u64,
}

impl Entry {
    /// An empty place.
    pub const NONE: Self = Self { stamp_ticks: 0, word: 0 };

    /// Whether anything stands here.
    #[must_use]
    pub const fn is_none(&self) -> bool {
        self.word == 0
    }

    /// This entry as a line of the dump of `core`, without its line feed: `stamp_ticks,core,event,subject[,detail]`.
    pub const fn line(&self, core: usize) -> impl fmt::Display + use<> {
        Line { entry: *self, core }
    }
}

struct Line {
    entry: Entry,
    core: usize,
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Entry { stamp_ticks, word } = self.entry;
        write!(f, "{stamp_ticks},{},", self.core)?;
        match Event::from_word(word) {
            Ok(event) => event.fmt(f),
            Err(unknown) => unknown.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests;
