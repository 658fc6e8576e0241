// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where the console task and the load task of a core meet, and what is told of the loads.
//!
//! Each word has one writer: the levels that were asked for, the console task; those of the bursts, the load task of core 0; the
//! rounds, the core's load task. So nobody waits for anybody.

use core::fmt::{self, Write};
use core::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, Ordering};

use takt::Event;
use takt::handover::Handover;

use super::{CORES, KINDS, Kind};

/// Wakes the load task of another core; nothing on core 0.
type Waker = Handover<Option<fn()>>;

/// One core's place.
pub(super) struct Station {
    has_task: AtomicBool,
    has_partner: AtomicBool,
    pub(super) wake: Event,
    /// How the console task and the load task of core 0, each of which may interrupt the other, wake that of another core.
    for_console: Waker,
    for_hell: Waker,
    asked: [AtomicU8; KINDS],
    of_hell: [AtomicU8; KINDS],
    rounds: [AtomicU64; KINDS],
    /// The rounds when the load was asked for, and at the head of the last report.
    began: [AtomicU64; KINDS],
    marked: [AtomicU64; KINDS],
}

/// The random bursts.
pub(super) struct Hell {
    pub(super) is_on: AtomicBool,
    pub(super) seed: AtomicU64,
    /// How often they were begun.
    pub(super) generation: AtomicU32,
    /// How many bursts began since then. The load task of core 0 writes it.
    pub(super) bursts: AtomicU32,
}

pub(super) static STATIONS: [Station; CORES] = [const { Station::new() }; CORES];

pub(super) static HELL: Hell = Hell {
    is_on: AtomicBool::new(false),
    seed: AtomicU64::new(0),
    generation: AtomicU32::new(0),
    bursts: AtomicU32::new(0),
};

/// How often a level has changed, on whichever core: a load task that works looks at its levels anew.
static CHANGES: AtomicU32 = AtomicU32::new(0);

pub(super) fn changes() -> u32 {
    CHANGES.load(Ordering::Acquire)
}

pub(super) fn note_change() {
    CHANGES.fetch_add(1, Ordering::Release);
}

impl Station {
    const fn new() -> Self {
        Self {
            has_task: AtomicBool::new(false),
            has_partner: AtomicBool::new(false),
            wake: Event::new(),
            for_console: Handover::new(None),
            for_hell: Handover::new(None),
            asked: [const { AtomicU8::new(0) }; KINDS],
            of_hell: [const { AtomicU8::new(0) }; KINDS],
            rounds: [const { AtomicU64::new(0) }; KINDS],
            began: [const { AtomicU64::new(0) }; KINDS],
            marked: [const { AtomicU64::new(0) }; KINDS],
        }
    }

    /// The load task of another core than 0 tells how it is woken.
    pub(super) fn is_woken_by(&self, wake: fn()) {
        for place in [&self.for_console, &self.for_hell] {
            if let Some(mut place) = place.take() {
                *place = Some(wake);
            }
        }
    }

    pub(super) fn task_is_there(&self) {
        self.has_task.store(true, Ordering::Release);
    }

    pub(super) fn partner_is_there(&self) {
        self.has_partner.store(true, Ordering::Release);
    }

    /// Whether the core can be loaded.
    pub(super) fn is_present(&self) -> bool {
        self.has_task.load(Ordering::Acquire) && self.has_partner.load(Ordering::Acquire)
    }

    fn wake_by(&self, waker: &Waker) {
        match waker.take().and_then(|wake| *wake) {
            None => self.wake.set(),
            Some(wake) => wake(),
        }
    }

    /// Asks for a level. Called by the console task, which calls [`Self::wake_by_console`] then.
    pub(super) fn ask(&self, kind: Kind, level: u8) {
        at(&self.asked, kind, |asked| asked.store(level, Ordering::Relaxed));
        let rounds = self.rounds_of(kind);
        at(&self.began, kind, |began| began.store(rounds, Ordering::Relaxed));
    }

    pub(super) fn wake_by_console(&self) {
        self.wake_by(&self.for_console);
    }

    /// Sets the levels of a burst and wakes the load task. Called by the load task of core 0.
    pub(super) fn burst(&self, levels: [u8; KINDS]) {
        for (place, level) in self.of_hell.iter().zip(levels) {
            place.store(level, Ordering::Relaxed);
        }
        note_change();
        if levels.iter().any(|level| *level > 0) && self.is_present() {
            self.wake_by(&self.for_hell);
        }
    }

    /// What was asked for.
    pub(super) fn asked_level(&self, kind: Kind) -> u8 {
        at(&self.asked, kind, |asked| asked.load(Ordering::Relaxed))
    }

    /// The level that holds: the higher of what was asked for and what the burst has.
    pub(super) fn level(&self, kind: Kind) -> u8 {
        let asked = self.asked_level(kind);
        // The bursts are of four cores, whatever cores there are.
        if self.is_present() && HELL.is_on.load(Ordering::Relaxed) {
            asked.max(at(&self.of_hell, kind, |level| level.load(Ordering::Relaxed)))
        } else {
            asked
        }
    }

    fn rounds_of(&self, kind: Kind) -> u64 {
        at(&self.rounds, kind, |rounds| rounds.load(Ordering::Relaxed))
    }

    /// Called by the core's load task.
    pub(super) fn add_round(&self, kind: Kind) {
        at(&self.rounds, kind, |rounds| {
            rounds.store(rounds.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
        });
    }

    fn rounds_since(&self, kind: Kind, then: &[AtomicU64; KINDS]) -> u64 {
        let then = at(then, kind, |then| then.load(Ordering::Relaxed));
        self.rounds_of(kind).wrapping_sub(then)
    }
}

/// Does something with a kind's place.
fn at<T, R: Default>(places: &[T; KINDS], kind: Kind, then: impl FnOnce(&T) -> R) -> R {
    places.get(kind as usize).map_or_else(R::default, then)
}

/// Writes which loads run, in one line, and marks how far they have come, for [`write_ran`].
pub(crate) fn write_running(out: &mut dyn Write) -> fmt::Result {
    let mut separator = write_hell(out, "# Load: ")?;
    for kind in Kind::ALL {
        let mut told = [false; CORES];
        for core in 0..CORES {
            let level = STATIONS.get(core).map_or(0, |station| station.level(kind));
            if level == 0 || told.get(core).is_none_or(|is_told| *is_told) {
                continue;
            }
            write!(out, "{separator}{} {level} % on", kind.name())?;
            separator = "; ";
            for (number, (station, is_told)) in STATIONS.iter().zip(&mut told).enumerate() {
                if station.level(kind) == level {
                    *is_told = true;
                    write!(out, " {number}")?;
                }
            }
        }
        for station in &STATIONS {
            let rounds = station.rounds_of(kind);
            at(&station.marked, kind, |marked| marked.store(rounds, Ordering::Relaxed));
        }
    }
    out.write_str(if separator == "# Load: " { "# Load: none\n" } else { "\n" })
}

/// Writes the bursts, where there are some; what separates what follows.
fn write_hell<'a>(out: &mut dyn Write, lead: &'a str) -> Result<&'a str, fmt::Error> {
    if !HELL.is_on.load(Ordering::Relaxed) {
        return Ok(lead);
    }
    let (seed, bursts) = (HELL.seed.load(Ordering::Relaxed), HELL.bursts.load(Ordering::Relaxed));
    write!(out, "{lead}hell -s {seed}, burst {bursts}")?;
    Ok("; ")
}

/// Writes what the loads have done since the head of the report; nothing where they have done nothing.
pub(crate) fn write_ran(out: &mut dyn Write) -> fmt::Result {
    let mut lead = write_hell(out, "# Load ran: ")?;
    for kind in Kind::ALL {
        for (core, station) in STATIONS.iter().enumerate() {
            let rounds = station.rounds_since(kind, &station.marked);
            if rounds > 0 {
                write!(out, "{lead}{} {rounds} rounds on {core}", kind.name())?;
                lead = "; ";
            }
        }
    }
    if lead == "# Load ran: " { Ok(()) } else { out.write_str("\n") }
}

/// Writes each load that runs, or has run in the bursts, with its rounds since it was asked for.
pub(super) fn write_list(out: &mut dyn Write) -> fmt::Result {
    let mut is_none = true;
    if write_hell(out, "# Load: ")? == "; " {
        out.write_str("\n")?;
        is_none = false;
    }
    for kind in Kind::ALL {
        for (core, station) in STATIONS.iter().enumerate() {
            let (level, rounds) = (station.level(kind), station.rounds_since(kind, &station.began));
            let has_run = HELL.is_on.load(Ordering::Relaxed) && rounds > 0;
            if level > 0 || has_run {
                writeln!(out, "# Load: {} {level} % on {core}, {rounds} rounds", kind.name())?;
                is_none = false;
            }
        }
    }
    if is_none { out.write_str("# Load: none\n") } else { Ok(()) }
}
