// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a pin can raise an interrupt for, and how the interrupt is answered.
//!
//! An event stands in `GPEDS` until it is cleared, and holds the interrupt line. It is cleared *before* it is acted on, and
//! the level is read after that: edges that come close together are merged, and may be lost altogether (it is suspected
//! that the chip loses one that falls on the acknowledgement `[HW 5.3]`), but what the pin is at in the end is seen. So
//! who acts on edges acts on the level that [`Events`] brings, not on having counted to two.

use tock_registers::interfaces::{Readable, Writeable};

use super::{Gpio, PinNumber};

/// What counts as an event. The unfiltered kinds see edges shorter than a cycle of the core clock, and every bounce; the
/// others are sampled by it, and an edge counts when low, high, high (or high, low, low) was seen `[BCM2711 5.2]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detect {
    /// Nothing.
    Nothing,
    /// From low to high.
    RisingEdge,
    /// From high to low.
    FallingEdge,
    /// Either.
    BothEdges,
    /// From low to high, however short.
    UnfilteredRisingEdge,
    /// From high to low, however short.
    UnfilteredFallingEdge,
    /// Either, however short.
    UnfilteredBothEdges,
    /// Is high. The event comes again for as long as it is.
    High,
    /// Is low. The event comes again for as long as it is.
    Low,
}

/// What looks for one kind of event. A pin's are combined to a [`Detect`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detector {
    /// `GPREN`.
    RisingEdge,
    /// `GPFEN`.
    FallingEdge,
    /// `GPHEN`.
    High,
    /// `GPLEN`.
    Low,
    /// `GPAREN`.
    UnfilteredRisingEdge,
    /// `GPAFEN`.
    UnfilteredFallingEdge,
}

impl Detector {
    /// All there are.
    pub const ALL: [Self; 6] = [
        Self::RisingEdge,
        Self::FallingEdge,
        Self::High,
        Self::Low,
        Self::UnfilteredRisingEdge,
        Self::UnfilteredFallingEdge,
    ];
}

impl Detect {
    /// Whether it takes this detector.
    #[must_use]
    pub const fn takes(self, detector: Detector) -> bool {
        match detector {
            Detector::RisingEdge => matches!(self, Self::RisingEdge | Self::BothEdges),
            Detector::FallingEdge => matches!(self, Self::FallingEdge | Self::BothEdges),
            Detector::High => matches!(self, Self::High),
            Detector::Low => matches!(self, Self::Low),
            Detector::UnfilteredRisingEdge => matches!(self, Self::UnfilteredRisingEdge | Self::UnfilteredBothEdges),
            Detector::UnfilteredFallingEdge => matches!(self, Self::UnfilteredFallingEdge | Self::UnfilteredBothEdges),
        }
    }
}

/// Some of the pins 0..=57.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PinSet(u64);

impl PinSet {
    /// No pin.
    pub const EMPTY: Self = Self(0);

    /// The pins from the first to the last, both included; none if the last lies before the first.
    #[must_use]
    pub const fn from_to(first: PinNumber, last: PinNumber) -> Self {
        let not_beyond = u64::MAX.wrapping_shr(63_u32.wrapping_sub(last.number() as u32));
        Self(u64::MAX.wrapping_shl(first.number() as u32) & not_beyond)
    }

    /// Whether a pin is among them.
    #[must_use]
    pub const fn contains(self, pin: PinNumber) -> bool {
        self.0.wrapping_shr(pin.number() as u32) & 1 != 0
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Its pins, the lowest first.
    pub fn pins(self) -> impl Iterator<Item = PinNumber> {
        let mut left = self.0;
        core::iter::from_fn(move || {
            let pin = PinNumber::new(left.trailing_zeros().try_into().ok()?)?;
            left &= left.wrapping_sub(1);
            Some(pin)
        })
    }

    /// Bit n is pin n.
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }

    const fn halves(self) -> [u32; 2] {
        [(self.0 & 0xFFFF_FFFF) as u32, (self.0 >> 32) as u32]
    }

    fn of_halves([first, second]: [u32; 2]) -> Self {
        Self(u64::from(first) | u64::from(second) << 32)
    }
}

/// Events that have been acknowledged, and how the pins were afterwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "the events are acknowledged: nobody else will see them"]
pub struct Events {
    /// The pins that had an event.
    pub pins: PinSet,
    /// The pins that were high after the acknowledgement.
    pub high: PinSet,
}

impl Gpio<'_> {
    /// Chooses what counts as an event of a pin, and forgets an event that stands: it may be of the choice before. Read,
    /// modify, write of six registers: nobody else does so meanwhile. An edge during this call may be forgotten as well;
    /// the level after it is not.
    pub fn set_detect(&mut self, pin: PinNumber, detect: Detect) {
        for detector in Detector::ALL {
            self.set_detector(pin, detector, detect.takes(detector));
        }
        // After the detectors have changed, since what the old one saw stays [HW 5.3].
        self.acknowledge(pin);
    }

    /// Turns one detector of a pin on or off, for who cannot keep others out for as long as [`Gpio::set_detect`] takes. Read,
    /// modify, write of one register: nobody else does so meanwhile.
    pub fn set_detector(&mut self, pin: PinNumber, detector: Detector, is_on: bool) {
        let registers = self.registers;
        let bank = match detector {
            Detector::RisingEdge => &registers.GPREN,
            Detector::FallingEdge => &registers.GPFEN,
            Detector::High => &registers.GPHEN,
            Detector::Low => &registers.GPLEN,
            Detector::UnfilteredRisingEdge => &registers.GPAREN,
            Detector::UnfilteredFallingEdge => &registers.GPAFEN,
        };
        let register = pin.of(bank);
        let others = register.get() & !pin.bit();
        register.set(if is_on { others | pin.bit() } else { others });
    }

    /// Whether there are detectors: whether that for rising edges of a pin keeps what is written to it. It is left as it was,
    /// and an event that it sees meanwhile stands: acknowledge it. Read, modify, write: nobody else does so meanwhile. In
    /// QEMU it reads 0 whatever was written `[HW 12]`.
    #[must_use]
    pub fn has_detectors(&mut self, pin: PinNumber) -> bool {
        let register = pin.of(&self.registers.GPREN);
        let before = register.get();
        register.set(before ^ pin.bit());
        let has_changed = register.get() == before ^ pin.bit();
        register.set(before);
        has_changed
    }

    /// Clears a pin's event: one write, and no other pin's event is lost. Before the end of the interrupt the caller issues
    /// `dsb st`, or it fires once more.
    #[inline(always)]
    pub fn acknowledge(&self, pin: PinNumber) {
        pin.of(&self.registers.GPEDS).set(pin.bit());
    }

    /// Whether a pin has had an event since it was last acknowledged: one read.
    #[must_use]
    #[inline(always)]
    pub fn has_event(&self, pin: PinNumber) -> bool {
        pin.of(&self.registers.GPEDS).get() & pin.bit() != 0
    }

    /// Acknowledges the events of these pins, and only then looks at their levels. Two reads and a write for each half of
    /// the pins (0 to 31, 32 to 57) that has one of them; events of other pins stay.
    #[inline]
    pub fn take_events(&self, pins: PinSet) -> Events {
        let [mut events, mut high] = [[0; 2]; 2];
        let registers = self.registers.GPEDS.iter().zip(&self.registers.GPLEV);
        let found = events.iter_mut().zip(&mut high);
        for ((wanted, (status, level)), (event, is_high)) in pins.halves().into_iter().zip(registers).zip(found) {
            if wanted != 0 {
                *event = status.get() & wanted;
                status.set(*event);
                *is_high = level.get() & wanted;
            }
        }
        Events { pins: PinSet::of_halves(events), high: PinSet::of_halves(high) }
    }
}
