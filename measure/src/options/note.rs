// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is accepted without effect, and said.

use core::fmt;

/// Something to tell about a command that can be run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Note {
    /// `-m` was given.
    LockMemory,
    /// `-n` was given.
    Nanosleep,
    /// A distance was given with a histogram.
    NoDistance,
    /// Neither a number of cycles nor a duration was given.
    Endless,
    /// The event ring is that of core 0, and other cores measure too.
    FreezeOfCore0,
}

const ALL: [Note; 5] = [Note::LockMemory, Note::Nanosleep, Note::NoDistance, Note::Endless, Note::FreezeOfCore0];

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::LockMemory => "latency: -m changes nothing, all memory is always resident",
            Self::Nanosleep => "latency: -n changes nothing, every wait is for an absolute instant",
            Self::NoDistance => "latency: -d changes nothing, with a histogram all threads have the same interval",
            Self::Endless => "latency: the run is endless, neither -l nor -D limits it",
            Self::FreezeOfCore0 => "latency: --freeze-on-max looks at core 0 alone, whose events are recorded",
        })
    }
}

/// A set of notes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Notes(u8);

impl Notes {
    pub(super) fn add(&mut self, note: Note) {
        self.0 |= bit(note);
    }

    /// Each note once, in the order of [`ALL`].
    pub(super) fn iter(self) -> impl Iterator<Item = Note> + use<> {
        ALL.into_iter().filter(move |&note| self.0 & bit(note) != 0)
    }
}

const fn bit(note: Note) -> u8 {
    match note {
        Note::LockMemory => 1,
        Note::Nanosleep => 2,
        Note::NoDistance => 4,
        Note::Endless => 8,
        Note::FreezeOfCore0 => 16,
    }
}
