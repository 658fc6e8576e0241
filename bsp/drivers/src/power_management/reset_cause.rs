// SPDX-License-Identifier: MIT OR Apache-2.0
//! Why the chip was last reset.

use core::fmt;

/// The word of `RSTS` after a reset `[HW 7]`: a bit for each kind of reset that there was.
///
/// Each of debugger, watchdog and software has three bits, for a quick, a full and a hard reset. Those for quick and hard
/// double as the partition that the board was to start from, so this type looks at the ones for a full reset alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResetCause(u32);

impl ResetCause {
    /// The cause that this word tells, bits 23:0 of `RSTS`.
    #[must_use]
    pub const fn new(bits: u32) -> Self {
        Self(bits)
    }

    /// The word itself: 0x1000 after power came on, and always in QEMU `[HW 12]`.
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Power came on.
    #[must_use]
    pub const fn is_power_on(self) -> bool {
        self.0 & 1 << 12 != 0
    }

    /// Software asked for a full reset.
    #[must_use]
    pub const fn is_software(self) -> bool {
        self.0 & 1 << 9 != 0
    }

    /// The watchdog ended: nobody fed it, or a reboot was asked for, which works through it. Bit 5, not bit 1 `[HW 11]`,
    /// pitfall 39.
    #[must_use]
    pub const fn is_watchdog(self) -> bool {
        self.0 & 1 << 5 != 0
    }

    /// A debugger asked for a full reset.
    #[must_use]
    pub const fn is_debugger(self) -> bool {
        self.0 & 1 << 1 != 0
    }
}

impl fmt::Display for ResetCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let causes = [
            (self.is_power_on(), "power came on"),
            (self.is_watchdog(), "the watchdog ended"),
            (self.is_software(), "software asked"),
            (self.is_debugger(), "a debugger asked"),
        ];
        let mut separator = "";
        for (_, words) in causes.into_iter().filter(|(is_so, _)| *is_so) {
            write!(f, "{separator}{words}")?;
            separator = ", ";
        }
        if separator.is_empty() {
            f.write_str("unknown")?;
        }
        write!(f, " (RSTS {:#x})", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_bit_has_its_cause() {
        let of = |bits| {
            let cause = ResetCause::new(bits);
            [cause.is_power_on(), cause.is_watchdog(), cause.is_software(), cause.is_debugger()]
        };
        assert_eq!(of(0x1000), [true, false, false, false]);
        assert_eq!(of(0x0020), [false, true, false, false]);
        assert_eq!(of(0x0200), [false, false, true, false]);
        assert_eq!(of(0x0002), [false, false, false, true]);
        assert_eq!(of(!0x1222), [false; 4]);
    }
}
