// SPDX-License-Identifier: MIT OR Apache-2.0
//! What QEMU logs about the guest: accesses that no device answers, writes that a device refuses.
//!
//! On the board such an access is a hang, an abort or silence, so each is a failure unless its line is on the list below or
//! the caller allows it.

use std::path::Path;

use anyhow::{Context as _, Result};

/// A text that excuses the lines it occurs in.
#[derive(Debug, Clone, Copy)]
pub struct Allowed {
    /// The text.
    pub contains: &'static str,
    /// Why the line says nothing about the board.
    pub reason: &'static str,
}

/// The lines that never count: what the board does and QEMU does not, and what QEMU heeds and notes all the same. Keep it
/// short.
pub const ALLOWED: &[Allowed] = &[
    Allowed {
        contains: "bcm2835_property: unhandled tag 0x00030047",
        reason: "the board's firmware measures clocks, QEMU's does not; takt asks and falls back to the rate as set",
    },
    Allowed {
        contains: "bcm2835_property: 0x00038002 set clock rate NYI",
        reason: "takt raises the Arm clock, which QEMU's does not model",
    },
    Allowed {
        contains: "bcm2835_aux_write: AUX_MU_",
        reason: "the mini UART's line format, baud and enables, which QEMU's model takes for granted",
    },
    Allowed {
        contains: "bcm2835_powermgt_write: RSTS",
        reason: "a reboot or a halt says where to start from: QEMU heeds it, and notes it as unimplemented all the same",
    },
    Allowed {
        contains: "bcm2835_powermgt_write: WDOG",
        reason: "the watchdog's time: QEMU keeps it and resets at once, which takt's documentation says",
    },
    Allowed {
        contains: "bcm2835_i2c_write: Bad offset 0x1c",
        reason: "the clock stretch time-out of I2C1 lies there on the board; QEMU has the register at 0x20",
    },
];

/// A log longer than this ends the run: the guest repeats its error without end, and the disk would fill.
pub const LOG_LIMIT_BYTES: u64 = 4 << 20;

/// The lines of the log that count, given further texts that are allowed.
#[must_use]
pub fn reportable(log: &str, allowed: &[String]) -> Vec<String> {
    let excused = |line: &str| {
        ALLOWED.iter().any(|entry| line.contains(entry.contains))
            || allowed.iter().any(|text| line.contains(text.as_str()))
    };
    log.lines().filter(|line| !line.trim().is_empty() && !excused(line)).map(str::to_owned).collect()
}

/// Whether the log has grown past [`LOG_LIMIT_BYTES`].
pub(super) fn too_many(log: &Path) -> bool {
    std::fs::metadata(log).is_ok_and(|log| log.len() > LOG_LIMIT_BYTES)
}

/// The lines that count in this file.
pub(super) fn read(log: &Path, allowed: &[String]) -> Result<Vec<String>> {
    let bytes = std::fs::read(log).context("QEMU's log of guest errors cannot be read")?;
    Ok(reportable(&String::from_utf8_lossy(&bytes), allowed))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "bcm2835_property: unhandled tag 0x00038041\n\npl011_read: Bad offset 0xff8\n";

    #[test]
    fn every_line_counts_that_is_not_allowed() {
        assert_eq!(
            reportable(LOG, &[]),
            ["bcm2835_property: unhandled tag 0x00038041", "pl011_read: Bad offset 0xff8"]
        );
        assert_eq!(reportable(LOG, &["unhandled tag 0x00038041".into()]), ["pl011_read: Bad offset 0xff8"]);
        assert!(reportable(LOG, &["unhandled".into(), "pl011_read: Bad".into()]).is_empty());
        assert!(reportable("", &[]).is_empty());
    }

    #[test]
    fn every_entry_of_the_list_has_a_text_and_a_reason() {
        for entry in ALLOWED {
            assert!(!entry.contains.is_empty() && !entry.reason.is_empty(), "{entry:?}");
        }
    }
}
