// SPDX-License-Identifier: MIT OR Apache-2.0
//! The interrupt that suites raise themselves: a software generated one, whose handler does what the suite has told.

use core::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use takt::clock;
use takt::rpi4::devices;
use takt::rpi4::drivers::gic400::{CoreSet, Intid, SgiTarget};
use takt::{Event, Semaphore};

/// Its number, for the line `Interrupt::kernel(SOFTWARE_INTID, software_interrupt)` of the table.
pub const SOFTWARE_INTID: u16 = NUMBER as u16;
const NUMBER: u8 = 1;

/// What a handler gives.
pub(super) static GIVEN: Semaphore = Semaphore::with_most(0, 1);
/// What it sets.
pub(super) static SET: Event = Event::new();

/// What the handler does besides counting.
#[derive(Clone, Copy)]
pub(super) enum Answer {
    /// Takes a stamp.
    Stamp = 0,
    /// Gives [`GIVEN`].
    Give = 1,
    /// Sets [`SET`].
    Set = 2,
}

static ANSWER: AtomicU8 = AtomicU8::new(Answer::Stamp as u8);
/// How often the handler ran.
static COUNT: AtomicU64 = AtomicU64::new(0);
/// When it last began, in half ticks.
static STAMP: AtomicU64 = AtomicU64::new(0);

/// The handler, for the task table.
#[inline]
pub fn software_interrupt() {
    let now = clock::now();
    STAMP.store(now.half_ticks(), Ordering::Relaxed);
    COUNT.store(COUNT.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
    match ANSWER.load(Ordering::Relaxed) {
        1 => drop(GIVEN.give_from_handler()),
        2 => SET.set_from_handler(),
        _ => {}
    }
}

/// Counts anew, and answers so from now on.
pub(super) fn prepare(answer: Answer) {
    ANSWER.store(answer as u8, Ordering::Relaxed);
    COUNT.store(0, Ordering::Relaxed);
}

/// How often the handler ran since.
pub(super) fn count() -> u64 {
    COUNT.load(Ordering::Relaxed)
}

/// When the handler last began, in half ticks.
pub(super) fn stamp() -> u64 {
    STAMP.load(Ordering::Relaxed)
}

/// Raises the interrupt on core 0: the handler has run when this returns, or does so a few instructions later.
#[inline(always)]
pub(super) fn raise() {
    // The number is one of those that there are.
    let _ = devices::distributor().send_sgi(Intid::sgi(NUMBER), SgiTarget::Cores(CoreSet::only(0)));
}
