// SPDX-License-Identifier: MIT OR Apache-2.0
//! What can be loaded.

/// How many kinds there are.
pub const KINDS: usize = 9;

/// A kind of load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Reckons with integers, out of registers.
    Cpu,
    /// Reads and writes a line after the other of more memory than the level-2 cache has.
    Memory,
    /// Drives the lines of the vectors and the interrupt path out of both caches.
    Cache,
    /// Drops the core's translations, and touches pages.
    Tlb,
    /// Raises software interrupts of its own core, one after the other.
    Interrupts,
    /// Lets two tasks give each other a semaphore and a message, by turns.
    Messages,
    /// Sends lines on the console's serial line, as many as 115200 baud carry.
    Uart,
    /// Lets a DMA channel copy memory.
    Dma,
    /// Asks the firmware for temperature and throttling.
    Mailbox,
}

impl Kind {
    /// All, in the order in which they are printed.
    pub const ALL: [Self; KINDS] = [
        Self::Cpu,
        Self::Memory,
        Self::Cache,
        Self::Tlb,
        Self::Interrupts,
        Self::Messages,
        Self::Uart,
        Self::Dma,
        Self::Mailbox,
    ];

    /// The word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::Memory => "memory",
            Self::Cache => "cache",
            Self::Tlb => "tlb",
            Self::Interrupts => "interrupts",
            Self::Messages => "messages",
            Self::Uart => "uart",
            Self::Dma => "dma",
            Self::Mailbox => "mailbox",
        }
    }

    /// The kind of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Whether it uses a device: devices belong to core 0.
    #[must_use]
    pub const fn uses_a_device(self) -> bool {
        matches!(self, Self::Uart | Self::Dma | Self::Mailbox)
    }
}
