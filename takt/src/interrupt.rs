// SPDX-License-Identifier: MIT OR Apache-2.0
//! How an interrupt handler is declared.

use takt_kernel::table::{Band, Entry, InterruptEntry};

use crate::table::{Declaration, Run};

/// An interrupt of the table, as declared. Its line is level-triggered, enabled at the start, and taken on core 0.
#[derive(Clone, Copy)]
pub struct Interrupt {
    entry: InterruptEntry,
    handler: fn(),
}

impl Interrupt {
    /// A kernel handler for `intid`: it may set an [`Event`](crate::Event). It runs with direct interrupts on and is not
    /// interrupted by other kernel handlers. It clears its device's request before it returns.
    pub const fn kernel(intid: u16, handler: fn()) -> Self {
        Self { entry: InterruptEntry { name: "", intid, band: Band::Kernel }, handler }
    }

    /// A direct handler for `intid`: it preempts everything that is unmasked, kernel handlers included, and may not use
    /// anything of the executive but the clock. It clears its device's request before it returns.
    pub const fn direct(intid: u16, handler: fn()) -> Self {
        Self { entry: InterruptEntry { name: "", intid, band: Band::Direct }, handler }
    }

    /// This interrupt as a line of the table, for [`tasks!`](crate::tasks!).
    #[doc(hidden)]
    pub const fn declare(mut self, name: &'static str) -> Declaration {
        self.entry.name = name;
        Declaration { entry: Entry::Interrupt(self.entry), run: Run::Handler(self.handler) }
    }
}
