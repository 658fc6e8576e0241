// SPDX-License-Identifier: MIT OR Apache-2.0
//! How an interrupt handler is declared.

use core::time::Duration;

use takt_kernel::table::{Band, Entry, InterruptEntry, Trigger};

use crate::table::{Declaration, Run};

/// An interrupt of the table, as declared. Its line is level-triggered unless it says otherwise, enabled at the start, and
/// taken on core 0 unless it says otherwise.
///
/// ```no_run
/// use takt::prelude::*;
///
/// static DONE: Semaphore = Semaphore::new(0);
///
/// takt::tasks! {
///     encoder: Interrupt::kernel(145, encoder).wcet(micros(3)).min_interarrival(micros(100)),
///     reader: Task::background(reader).priority(20),
/// }
///
/// fn encoder() {
///     let _ = DONE.give_from_handler();
/// }
/// # fn reader() -> ! { loop {} }
/// ```
#[derive(Clone, Copy)]
pub struct Interrupt {
    entry: InterruptEntry,
    handler: fn(),
}

impl Interrupt {
    /// A kernel handler for `intid`: it may do what has `_from_handler` in its name, as set an [`Event`](crate::Event) or send
    /// a message. It runs with direct interrupts on and is not interrupted by other kernel handlers. It clears its device's
    /// request before it returns.
    pub const fn kernel(intid: u16, handler: fn()) -> Self {
        Self { entry: InterruptEntry::new(intid, Band::Kernel), handler }
    }

    /// A direct handler for `intid`: it preempts everything that is unmasked, kernel handlers included, and may not use
    /// anything of the executive but the clock and [`Mailbox::post`](crate::Mailbox::post). It clears its device's request
    /// before it returns.
    pub const fn direct(intid: u16, handler: fn()) -> Self {
        Self { entry: InterruptEntry::new(intid, Band::Direct), handler }
    }

    /// The line requests once for each rising edge. For shared lines, INTID 32 and above.
    #[must_use]
    pub const fn edge_triggered(mut self) -> Self {
        self.entry.trigger = Trigger::Edge;
        self
    }

    /// The core that takes it, 0 unless given. For shared lines, INTID 32 and above.
    #[must_use]
    pub const fn core(mut self, core: u8) -> Self {
        self.entry.core = core;
        self
    }

    /// The longest that the handler runs, up to an hour: for the check of deadlines, which says nothing of a table with an
    /// interrupt that says nothing.
    #[must_use]
    pub const fn wcet(mut self, longest: Duration) -> Self {
        self.entry.wcet = longest;
        self
    }

    /// The least time between two of these interrupts, up to an hour: for the check of deadlines. Nobody enforces it.
    #[must_use]
    pub const fn min_interarrival(mut self, least: Duration) -> Self {
        self.entry.minimum_interarrival = least;
        self
    }

    /// This interrupt as a line of the table, for [`tasks!`](crate::tasks!).
    #[doc(hidden)]
    pub const fn declare(mut self, name: &'static str) -> Declaration {
        self.entry.name = name;
        Declaration::new(Entry::Interrupt(self.entry), Run::Handler(self.handler))
    }
}
