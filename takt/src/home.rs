// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which core an object belongs to: the one that uses it first. Its state is that core's alone, so that nobody needs a lock.
//!
//! In an image whose tasks are all on core 0 nothing is asked: the table says so to the linker, which leaves it out.

use core::sync::atomic::{AtomicU8, Ordering};

use takt_rpi4::cores;

use crate::fault;

unsafe extern "C" {
    /// Whether the table places a task on another core than 0: a constant that [`tasks!`](crate::tasks!) makes.
    static TAKT_USES_OTHER_CORES: bool;
}

/// Whether a task may run on another core than 0.
#[inline(always)]
pub(crate) fn others_run() -> bool {
    // SAFETY: a constant.
    unsafe { TAKT_USES_OTHER_CORES }
}

/// An object's home.
pub(crate) struct Home(AtomicU8);

impl Home {
    /// Nobody's yet.
    const NOWHERE: u8 = 0;

    pub(crate) const fn new() -> Self {
        Self(AtomicU8::new(Self::NOWHERE))
    }

    /// Ends the run with a sentence where this is another core than the one that used the object first.
    #[inline(always)]
    pub(crate) fn check(&self) {
        if others_run() {
            let here = this_core();
            // Relaxed: on its own core an object is seen as that core left it, and on any other the run ends.
            let home = self.0.load(Ordering::Relaxed);
            if home != here {
                self.settle(home, here);
            }
        }
    }

    #[cold]
    #[inline(never)]
    fn settle(&self, home: u8, here: u8) {
        let settled = match home {
            Self::NOWHERE => self.0.compare_exchange(home, here, Ordering::Relaxed, Ordering::Relaxed),
            _ => Err(home),
        };
        if let Err(home) = settled {
            fault::not_at_home(home.wrapping_sub(1));
        }
    }
}

/// This core's number and one.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "there are four cores")]
fn this_core() -> u8 {
    (cores::this_core() as u8).wrapping_add(1)
}

/// Ends the run with a sentence where this is not core 0, to which the devices belong: what several share of them is changed
/// with interrupts masked, which keeps no other core out.
#[inline(always)]
pub(crate) fn only_on_core_0(what: &str) {
    if others_run() && cores::this_core() != 0 {
        fault::not_on_core_0(what);
    }
}
