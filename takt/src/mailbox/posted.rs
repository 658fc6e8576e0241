// SPDX-License-Identifier: MIT OR Apache-2.0
//! The mailboxes to which something was posted, for the kernel handler of takt's own interrupt. All of this is touched with
//! interrupts masked, a few instructions at a time.

use core::cell::Cell;

use takt_rpi4::drivers::gic400::SgiTarget;
use takt_rpi4::{devices, map};

use crate::core_state;
use crate::exclusive::exclusively;

/// A mailbox, whatever its messages are.
pub(super) trait Listed: Sync {
    /// Hands its messages to the tasks that wait for one. Called by the kernel handler.
    fn hand_out(&self);
}

/// A mailbox's place in the list.
pub(crate) struct Entry {
    is_listed: Cell<bool>,
    /// Whose it is, while it is in the list.
    mailbox: Cell<Option<&'static dyn Listed>>,
    behind: Cell<Option<&'static Entry>>,
}

// SAFETY: touched masked, on the core of its mailbox.
unsafe impl Sync for Entry {}

impl Entry {
    pub(super) const fn new() -> Self {
        Self { is_listed: Cell::new(false), mailbox: Cell::new(None), behind: Cell::new(None) }
    }
}

/// The first of a core's list.
pub(crate) struct Posted(Cell<Option<&'static Entry>>);

// SAFETY: touched masked, on its core.
unsafe impl Sync for Posted {}

impl Posted {
    /// An empty list.
    pub(crate) const fn new() -> Self {
        Self(Cell::new(None))
    }
}

/// Something was posted to `mailbox`, whose entry this is. Interrupts are masked.
#[inline(always)]
pub(super) fn list(entry: &'static Entry, mailbox: &'static dyn Listed) {
    if entry.is_listed.replace(true) {
        // The interrupt that was raised then has not come to it yet.
        return;
    }
    entry.mailbox.set(Some(mailbox));
    entry.behind.set(core_state::posted().0.replace(Some(entry)));
    // Cannot fail: it is a software generated interrupt, and there is a target.
    let _ = devices::distributor().send_sgi(map::MAILBOX_INTID, SgiTarget::Myself);
}

/// Takes the first out of the list. What is posted to it from now on lists it anew.
fn first() -> Option<&'static dyn Listed> {
    exclusively(|| {
        let first = &core_state::posted().0;
        let entry = first.take()?;
        first.set(entry.behind.take());
        entry.is_listed.set(false);
        entry.mailbox.take()
    })
}

/// The kernel handler.
pub(crate) fn handler() {
    while let Some(mailbox) = first() {
        mailbox.hand_out();
    }
}
