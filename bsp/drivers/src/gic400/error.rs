// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the distributor refuses.

use core::fmt;

use super::Intid;

/// A request the GIC cannot carry out. Nothing was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GicError {
    /// The INTID is beyond the lines that `GICD_TYPER` reports.
    NoSuchLine {
        /// What was asked for.
        intid: Intid,
        /// The number of INTIDs there are; valid ones are below.
        line_count: u16,
    },
    /// Target and trigger can be chosen for shared interrupts only `[GIC2 4.3.12]`, `[GIC2 4.3.13]`.
    NotShared {
        /// What was asked for.
        intid: Intid,
    },
    /// Only a software generated interrupt can be sent `[GIC2 4.3.15]`.
    NotAnSgi {
        /// What was asked for.
        intid: Intid,
    },
    /// A software generated interrupt needs a sender, so it cannot be made pending by its number `[GIC2 4.3.7]`.
    IsSgi {
        /// What was asked for.
        intid: Intid,
    },
    /// The set of target cores is empty, so the interrupt would be delivered nowhere `[HW 11]`, pitfall 2.
    NoTarget {
        /// What was asked for.
        intid: Intid,
    },
}

impl fmt::Display for GicError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchLine { intid, line_count } => write!(
                f,
                "gic400: INTID {} does not exist, this GIC has {line_count} lines from 0; use INTID = 32 + SPI number",
                intid.number()
            ),
            Self::NotShared { intid } => write!(
                f,
                "gic400: INTID {} belongs to one core, and only shared ones (32 and above) have a target and a trigger \
                 to choose; leave both out for this line",
                intid.number()
            ),
            Self::NotAnSgi { intid } => write!(
                f,
                "gic400: INTID {} cannot be sent, only software generated ones (0 to 15) can; use set_pending",
                intid.number()
            ),
            Self::IsSgi { intid } => write!(
                f,
                "gic400: INTID {} is software generated and cannot be made pending without a sender; use send_sgi",
                intid.number()
            ),
            Self::NoTarget { intid } => write!(
                f,
                "gic400: INTID {} was given no core and would be delivered nowhere; name at least one of cores 0 to 7",
                intid.number()
            ),
        }
    }
}

impl core::error::Error for GicError {}
