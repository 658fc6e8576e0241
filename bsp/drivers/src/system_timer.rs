// SPDX-License-Identifier: MIT OR Apache-2.0
//! The BCM2711 system timer: a 64-bit counter at 1 MHz and four 32-bit compare registers `[BCM2711 10]`.
//!
//! A channel matches when the low half of the counter *equals* its compare register; its bit in `CS` then holds the
//! interrupt line until it is cleared. A compare value that is not ahead therefore stays silent for 2^32 µs, 71.6
//! minutes, and a deadline is armed in this order: clear `CS`, write the compare, look at the counter again
//! `[HW 4.1]`. [`SystemTimer::arm`] does all of it; the interrupt handler, which cannot afford its reads, calls
//! [`SystemTimer::acknowledge`] and [`SystemTimer::set_compare`] in that order and looks at a cheaper counter.

use tock_registers::interfaces::{Readable, Writeable};
use tock_registers::registers::{Aliased, ReadOnly, ReadWrite};
use tock_registers::{RegisterLongName, register_structs};

/// Names what a read of `CS` means: which channels have matched.
struct Matched;
impl RegisterLongName for Matched {}

/// Names what a write to `CS` means: ones clear, zeros do nothing. It differs from [`Matched`], so that tock-registers
/// offers no read-modify-write `[HW 11]`, pitfall 29.
struct Clear;
impl RegisterLongName for Clear {}

register_structs! {
    /// The registers of the system timer `[BCM2711 10.2]`.
    #[allow(non_snake_case, reason = "the register names are the manual's")]
    pub SystemTimerRegisters {
        /// System Timer Control/Status.
        (0x00 => CS: Aliased<u32, Matched, Clear>),
        /// System Timer Counter Lower 32 bits, in µs.
        (0x04 => CLO: ReadOnly<u32>),
        /// System Timer Counter Higher 32 bits.
        (0x08 => CHI: ReadOnly<u32>),
        // C0 is the firmware's.
        (0x0C => _c0),
        /// System Timer Compare 1.
        (0x10 => C1: ReadWrite<u32>),
        // C2 is the firmware's.
        (0x14 => _c2),
        /// System Timer Compare 3.
        (0x18 => C3: ReadWrite<u32>),
        (0x1C => @END),
    }
}

/// A compare register we may use. Channels 0 and 2 belong to the VideoCore firmware `[HW 3.1]`, so they have no name
/// here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// C1, INTID 97.
    One,
    /// C3, INTID 99.
    Three,
}

impl Channel {
    /// The channel's bit in `CS`, M1 or M3.
    const fn bit(self) -> u32 {
        match self {
            Self::One => 1 << 1,
            Self::Three => 1 << 3,
        }
    }
}

/// The farthest a compare register is set ahead, 2^30 µs (17.9 minutes): a quarter of its range, so that an early wake
/// cannot be taken for a late one `[HW 4.1]`.
pub const MAX_AHEAD_US: u32 = 1 << 30;

/// What became of a deadline handed to [`SystemTimer::arm`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "a deadline that has passed raises no interrupt"]
pub enum Armed {
    /// The interrupt will come at the deadline.
    Ahead,
    /// The deadline is more than [`MAX_AHEAD_US`] away: an interrupt will come before it, and the caller arms the same
    /// deadline again then.
    Intermediate,
    /// The deadline is now or has passed: the caller treats it as due. The interrupt may come as well.
    Passed,
}

impl Armed {
    /// Judges a deadline by a counter read *after* the compare register was written, both in µs.
    const fn judge(due_us: u64, now_us: u64) -> Self {
        match due_us.checked_sub(now_us) {
            None | Some(0) => Self::Passed,
            Some(ahead) if ahead <= MAX_AHEAD_US as u64 => Self::Ahead,
            Some(_) => Self::Intermediate,
        }
    }
}

/// The system timer. A channel has one owner; owners may hold separate drivers for the same registers, since a method
/// with a [`Channel`] touches no other channel.
pub struct SystemTimer<'a> {
    registers: &'a SystemTimerRegisters,
}

impl<'a> SystemTimer<'a> {
    /// A driver for these registers.
    #[must_use]
    pub const fn new(registers: &'a SystemTimerRegisters) -> Self {
        Self { registers }
    }

    /// The whole counter in µs since power-on, in three reads, about 0.4 µs `[HW 4.5]`.
    #[must_use]
    pub fn now_us(&self) -> u64 {
        join(|| self.registers.CHI.get(), || self.registers.CLO.get())
    }

    /// The low half of the counter in µs, one read; it wraps every 71.6 minutes.
    #[must_use]
    #[inline(always)]
    pub fn low_us(&self) -> u32 {
        self.registers.CLO.get()
    }

    /// Makes a channel match when [`SystemTimer::low_us`] next equals this value: one write. It does not clear an
    /// earlier match.
    #[inline(always)]
    pub fn set_compare(&self, channel: Channel, low_us: u32) {
        self.compare_register(channel).set(low_us);
    }

    /// The value a channel matches at, in µs.
    #[must_use]
    #[inline(always)]
    pub fn compare(&self, channel: Channel) -> u32 {
        self.compare_register(channel).get()
    }

    /// Clears a channel's match and with it its interrupt line: one write, and no other channel's match is lost.
    /// Before the end of the interrupt the caller issues `dsb st`, or it fires once more.
    #[inline(always)]
    pub fn acknowledge(&self, channel: Channel) {
        self.registers.CS.set(channel.bit());
    }

    /// Whether a channel has matched since it was last acknowledged.
    #[must_use]
    #[inline(always)]
    pub fn is_matched(&self, channel: Channel) -> bool {
        self.registers.CS.get() & channel.bit() != 0
    }

    /// Arms a channel for an absolute deadline in µs, on the scale of [`SystemTimer::now_us`].
    ///
    /// Who owns the race: this method decides, the caller bears the duplicate. The counter is read after the compare
    /// register is written, and the device sees both in that order (they are accesses to one peripheral). If it is
    /// still short of the deadline, the equality lies ahead and the interrupt comes: [`Armed::Ahead`]. If not, the
    /// match may or may not have been caught: the caller gets [`Armed::Passed`], acts at once, and counts an interrupt
    /// that comes all the same as spurious and harmless. `CS` is cleared before the compare is written, never after,
    /// so that a match in between is kept.
    ///
    /// A deadline beyond [`MAX_AHEAD_US`] first stands in the compare register by its low half; should that match
    /// before the intermediate value replaces it, the wake-up is an early one, which the caller expects anyway.
    pub fn arm(&mut self, channel: Channel, due_us: u64) -> Armed {
        self.acknowledge(channel);
        self.set_compare(channel, low_half(due_us));
        let now_us = self.now_us();
        let armed = Armed::judge(due_us, now_us);
        if armed == Armed::Intermediate {
            self.set_compare(channel, low_half(now_us).wrapping_add(MAX_AHEAD_US));
        }
        armed
    }

    /// The compare register of a channel.
    #[inline(always)]
    const fn compare_register(&self, channel: Channel) -> &ReadWrite<u32> {
        match channel {
            Channel::One => &self.registers.C1,
            Channel::Three => &self.registers.C3,
        }
    }
}

/// The half of an instant that a compare register can hold.
const fn low_half(us: u64) -> u32 {
    (us & 0xFFFF_FFFF) as u32
}

/// Joins the halves of a counter that may carry between two reads: high, low, high, and again if the high half moved.
/// It moves once in 71.6 minutes, so there is at most one more round.
fn join(mut high: impl FnMut() -> u32, mut low: impl FnMut() -> u32) -> u64 {
    let mut before = high();
    loop {
        let low = low();
        let after = high();
        if before == after {
            return (u64::from(after) << 32) | u64::from(low);
        }
        before = after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_carry_between_the_halves_is_read_again() {
        let mut high = [7, 8, 8].into_iter();
        let mut low = [0xFFFF_FFFF, 0x0000_0002].into_iter();
        assert_eq!(join(|| high.next().unwrap(), || low.next().unwrap()), 0x8_0000_0002);
    }

    #[test]
    fn a_deadline_is_judged_in_64_bits() {
        let limit = u64::from(MAX_AHEAD_US);
        let wrap = 0x1_0000_0000;
        assert_eq!(Armed::judge(1000, 1000), Armed::Passed);
        assert_eq!(Armed::judge(999, 1000), Armed::Passed);
        assert_eq!(Armed::judge(1001, 1000), Armed::Ahead);
        assert_eq!(Armed::judge(wrap + 1, wrap - 1), Armed::Ahead);
        assert_eq!(Armed::judge(wrap - 1, wrap + 1), Armed::Passed);
        assert_eq!(Armed::judge(1000 + limit, 1000), Armed::Ahead);
        assert_eq!(Armed::judge(1001 + limit, 1000), Armed::Intermediate);
        assert_eq!(Armed::judge(1000, 1000 + wrap), Armed::Passed);
    }
}
