// SPDX-License-Identifier: MIT OR Apache-2.0
//! The GIC-400, a GICv2 interrupt controller, as non-secure software sees it.
//!
//! The board's firmware stub puts every interrupt into Group 1 and leaves the secure side closed, so this driver uses
//! the plain registers (`GICC_IAR`, not `GICC_AIAR`), whose bit 0 enables are then those of Group 1, and never touches
//! `GICD_IGROUPR`: ignored on the board, and in QEMU a write hides the interrupt behind INTID 1022 `[HW 3.2]`.
//!
//! The board calls, on core 0, [`Distributor::reset_shared`]; on every core [`Distributor::reset_banked`] and
//! [`CpuInterface::enable`]; then [`Distributor::enable_forwarding`] and a `dsb sy`. A line is given its priority,
//! target and trigger before it is enabled.

mod cpu_interface;
mod distributor;
mod error;

pub use cpu_interface::{Acknowledged, CpuInterface, CpuInterfaceRegisters, Kind};
pub use distributor::{Distributor, DistributorRegisters, SgiTarget, Trigger};
pub use error::GicError;

/// The number of an interrupt: 0..=15 software (SGI), 16..=31 private to a core (PPI), 32..=1019 shared (SPI)
/// `[GIC2 2.2.1]`. The board names them in its map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Intid(u16);

impl Intid {
    /// Not a line: 1023, the number the GIC itself uses for "nothing" `[GIC2 3.2.5]`. Every driver call refuses it.
    pub const NONE: Self = Self(1023);

    /// The first shared interrupt `[GIC2 2.2.1]`.
    const FIRST_SPI: u16 = 32;

    /// The interrupt with this INTID. Whether the GIC has such a line is checked where it is used.
    #[must_use]
    pub const fn new(number: u16) -> Self {
        Self(number)
    }

    /// Software generated interrupt `n`, 0..=15; [`Intid::NONE`] beyond.
    #[must_use]
    pub const fn sgi(n: u8) -> Self {
        if n < 16 { Self(n as u16) } else { Self::NONE }
    }

    /// Private peripheral interrupt `n` of the device tree, 0..=15: INTID 16 + n; [`Intid::NONE`] beyond.
    #[must_use]
    pub const fn ppi(n: u8) -> Self {
        if n < 16 { Self(16 | n as u16) } else { Self::NONE }
    }

    /// Shared peripheral interrupt `n` of the device tree, 0..=987: INTID 32 + n; [`Intid::NONE`] beyond.
    #[must_use]
    pub const fn spi(n: u16) -> Self {
        if n <= 987 { Self(Self::FIRST_SPI.wrapping_add(n)) } else { Self::NONE }
    }

    /// The INTID as the GIC's registers carry it.
    #[must_use]
    pub const fn number(self) -> u16 {
        self.0
    }

    /// Whether this is a software generated interrupt.
    #[must_use]
    pub const fn is_sgi(self) -> bool {
        self.0 < 16
    }

    /// Whether this is a shared interrupt, which has a target and a trigger to choose.
    #[must_use]
    pub const fn is_shared(self) -> bool {
        self.0 >= Self::FIRST_SPI
    }

    /// This line's bit in the one-bit-a-line registers, 32 lines a word.
    const fn bit(self) -> u32 {
        1u32.wrapping_shl(self.0 as u32 % 32)
    }
}

/// The urgency of an interrupt: levels 0 (most urgent) to 14.
///
/// The priority byte is `level << 4`: non-secure software sees bits 7:4 only on the board and all eight in QEMU, and
/// both read this the same. Level 15 would be byte 0xF0, which the widest mask, also 0xF0, never lets through
/// `[HW 3.2]`. There is no `Ord`, since the smaller number is the more urgent one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Priority(u8);

impl Priority {
    /// Level 0.
    pub const MOST_URGENT: Self = Self(0);
    /// Level 14.
    pub const LEAST_URGENT: Self = Self(14);
    /// Level 10, byte 0xA0: what a reset of the distributor gives every line `[HW 3.2]`.
    pub const AFTER_RESET: Self = Self(10);

    /// The priority of a level known when the program is built; the build stops if it is not 0..=14.
    #[must_use]
    pub const fn at<const LEVEL: u8>() -> Self {
        const { assert!(LEVEL <= 14, "takt: a GIC priority level is 0 (most urgent) to 14; choose one of these") };
        Self(LEVEL)
    }

    /// The priority of a level; `None` if it is not 0..=14.
    #[must_use]
    pub const fn new(level: u8) -> Option<Self> {
        if level <= Self::LEAST_URGENT.0 { Some(Self(level)) } else { None }
    }

    /// The level, 0..=14.
    #[must_use]
    pub const fn level(self) -> u8 {
        self.0
    }

    /// Whether an interrupt of this priority preempts a handler of the other.
    #[must_use]
    pub const fn is_more_urgent_than(self, other: Self) -> bool {
        self.0 < other.0
    }

    /// The byte in `GICD_IPRIORITYR`.
    const fn byte(self) -> u8 {
        self.0 << 4
    }
}

/// What a core lets through: interrupts of strictly more urgent priority than the mask `[GIC2 4.4.2]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PriorityMask(u8);

impl PriorityMask {
    /// All levels 0..=14: byte 0xF0, the largest a non-secure mask holds `[HW 3.2]`.
    pub const ALL: Self = Self(0xF0);

    /// Only what is more urgent than this priority.
    #[must_use]
    pub const fn more_urgent_than(priority: Priority) -> Self {
        Self(priority.byte())
    }
}

/// Cores as the GIC counts them, one bit each, 0..=7 `[GIC2 4.3.12]`. The BCM2711 has cores 0..=3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CoreSet(u8);

impl CoreSet {
    /// No core.
    pub const EMPTY: Self = Self(0);

    /// One core, 0..=7; empty beyond.
    #[must_use]
    pub const fn only(core: u8) -> Self {
        Self::EMPTY.with(core)
    }

    /// This set and one more core, 0..=7; unchanged beyond.
    #[must_use]
    pub const fn with(self, core: u8) -> Self {
        match 1u8.checked_shl(core as u32) {
            Some(bit) => Self(self.0 | bit),
            None => self,
        }
    }

    /// The set as the GIC's registers carry it: bit n is core n.
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.0
    }
}
