// SPDX-License-Identifier: MIT OR Apache-2.0
//! What commands work with: the console, what is known of the machine, and whether somebody pressed Ctrl-C.

use core::fmt::Write;

use heapless::Deque;
use takt::board::Facts;
use takt::console::Console;
use takt::kernel::time::Instant;
use takt::serial::ReceiveError;

use crate::options::LatencyOptions;
use crate::provenance::Provenance;
use crate::refusal::Refusal;
use crate::sweep::SweepOptions;

/// What a command runs whose tasks only some images have.
type Extra<Options> = fn(&mut Session, Options) -> Result<(), Refusal<'static>>;

/// What an image has that others do not.
pub(crate) struct Extras {
    /// What `wake` runs, where there are tasks on every core.
    pub(crate) wake: Option<Extra<u32>>,
    /// What `sweep` runs, where there is a level of each policy and a task for timers.
    pub(crate) sweep: Option<Extra<SweepOptions>>,
}

/// How many bytes that are typed while a command runs are kept.
const AHEAD_BYTES: usize = 256;

/// Ctrl-C.
const INTERRUPT: u8 = 0x03;

/// What commands work with.
pub(crate) struct Session {
    pub(crate) console: Console,
    pub(crate) provenance: Provenance<'static>,
    pub(crate) extras: Extras,
    /// What the records of the slots are of, where the last command that used them was `latency`.
    pub(crate) last_run: Option<LatencyOptions>,
    /// Above how many half ticks the maximum of a `latency` run is kept with the events before it, if at all.
    pub(crate) freeze_above_half_ticks: Option<i64>,
    /// Whether the kept events are those up to `trace stop`.
    pub(crate) has_stopped_trace: bool,
    /// What was typed while a command ran.
    ahead: Deque<u8, AHEAD_BYTES>,
    /// How many bytes of the input were lost, and how many of these were told.
    lost: u64,
    told: u64,
    was_interrupted: bool,
}

impl Session {
    pub(super) fn new(console: Console, facts: &'static Facts, extras: Extras) -> Self {
        let provenance = Provenance { facts, icount: None };
        Self {
            console,
            provenance,
            extras,
            last_run: None,
            freeze_above_half_ticks: None,
            has_stopped_trace: false,
            ahead: Deque::new(),
            lost: 0,
            told: 0,
            was_interrupted: false,
        }
    }

    /// The next byte that was typed; waits for it.
    pub(super) fn read_byte(&mut self) -> u8 {
        self.ahead.pop_front().unwrap_or_else(|| self.console.read_byte())
    }

    pub(super) fn begin_command(&mut self) {
        self.was_interrupted = false;
    }

    /// Whether the last command was ended by Ctrl-C, as far as it has looked.
    pub(super) fn was_interrupted(&self) -> bool {
        self.was_interrupted
    }

    /// Whether Ctrl-C was pressed since the command began; then it ends soon. What else was typed is kept for later, up to a
    /// Ctrl-C.
    pub(crate) fn is_interrupted(&mut self) -> bool {
        while let Some(byte) = self.console.try_read_byte() {
            if byte == INTERRUPT {
                self.was_interrupted = true;
                self.ahead.clear();
            } else if self.ahead.push_back(byte).is_err() {
                self.lost = self.lost.wrapping_add(1);
            }
        }
        self.was_interrupted
    }

    /// Waits until `is_over`, which is looked at whenever [`takt::console::activity`] is set, or until Ctrl-C. False for that.
    pub(crate) fn wait(&mut self, is_over: impl Fn() -> bool) -> bool {
        loop {
            if is_over() {
                return true;
            }
            if self.is_interrupted() {
                return false;
            }
            self.console.wait();
        }
    }

    /// The same, until `deadline` at the most: `None` then.
    pub(crate) fn wait_until(&mut self, deadline: Instant, is_over: impl Fn() -> bool) -> Option<bool> {
        loop {
            if is_over() {
                return Some(true);
            }
            if self.is_interrupted() {
                return Some(false);
            }
            self.console.wait_until(deadline).ok()?;
        }
    }

    /// Says how many bytes of the input were lost since this was said last, if any were.
    pub(super) fn tell_lost_bytes(&mut self) {
        let counts = self.console.receive_counts();
        let bad = [ReceiveError::Overrun, ReceiveError::NoRoom, ReceiveError::Framing, ReceiveError::Parity];
        let of_line: u64 = bad.iter().map(|error| u64::from(counts.of(*error))).sum();
        let lost = self.lost.wrapping_add(of_line);
        let more = lost.wrapping_sub(self.told);
        if more > 0 {
            self.told = lost;
            let _ = writeln!(
                self.console,
                "# Console: {more} bytes of the input were lost; a command that runs keeps {AHEAD_BYTES}. Type or paste less at once"
            );
        }
    }
}
