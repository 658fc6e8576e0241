// SPDX-License-Identifier: MIT OR Apache-2.0
//! A pin that is read, and one that raises interrupts.
//!
//! The interrupt of an event goes to the handler that the table names for the pin's [`GpioLine`], kernel or direct:
//!
//! ```no_run
//! use takt::board::GpioLine;
//! use takt::prelude::*;
//!
//! takt::tasks! {
//!     edge: Interrupt::direct(GpioLine::Pins0To27.intid(), edge),
//!     main: Task::background(main).priority(10),
//! }
//!
//! fn edge() {
//!     let events = GpioLine::Pins0To27.take_events();
//!     # let _ = events;
//! }
//! # fn main() -> ! { loop {} }
//! ```
//!
//! The handler acknowledges first and looks at the levels after that, which is what [`GpioLine::take_events`] does: edges
//! that come close together may be merged or lost, the level that counts in the end is not [HW 5.3]. It does so each time
//! it is called, whether it is ready to act or not: what is not acknowledged calls it for ever.
//!
//! A task waits for its pin with [`EventInput::wait_for_edge`], where the line's handler is a kernel handler that calls
//! [`GpioLine::wake_waiters`].

use core::convert::Infallible;
use core::sync::atomic::{AtomicBool, Ordering};

use embedded_hal::digital::{ErrorType, InputPin};
use takt_kernel::time::Instant;
use takt_rpi4::drivers::gpio::{Detect, Detector, Events, PinNumber, PinSet};
use takt_rpi4::{devices, map};

use super::output::Level;
use super::peripheral::{Absent, Peripheral};
use super::pin::Pin;
use crate::event::{Event, TimedOut};
use crate::exclusive::device_exclusively;

/// Pin `N` as an input.
#[derive(Debug)]
pub struct Input<const N: u8>(Pin<N>);

impl<const N: u8> Input<N> {
    pub(super) const fn new(pin: Pin<N>) -> Self {
        Self(pin)
    }

    /// Whether the pin is high: one read, 0.05 to 0.2 µs [HW 4.5]. Its owner may call this anywhere, handlers included.
    #[must_use]
    #[inline(always)]
    pub fn is_high(&self) -> bool {
        devices::gpio().is_high(Pin::<N>::NUMBER)
    }

    /// The pin's level: one read.
    #[must_use]
    #[inline(always)]
    pub fn level(&self) -> Level {
        Level::from_is_high(self.is_high())
    }

    /// An input that raises an interrupt, whose handler stands in the table; else the first event ends the run. What the
    /// handler needs is in its place before. Called by tasks.
    ///
    /// # Errors
    /// This machine detects no events, as in QEMU. The pin is gone.
    pub fn into_events(self, detect: Detect) -> Result<EventInput<N>, Absent> {
        Peripheral::PinEvents(Pin::<N>::NUMBER)
            .check_present()
            .inspect_err(|_| HAS_NO_DETECTORS.store(true, Ordering::Relaxed))?;
        let mut input = EventInput(self);
        input.set_detect(detect);
        Ok(input)
    }

    /// The pin, as it is.
    pub fn into_pin(self) -> Pin<N> {
        self.0
    }
}

impl<const N: u8> ErrorType for Input<N> {
    type Error = Infallible;
}

impl<const N: u8> InputPin for Input<N> {
    #[inline(always)]
    fn is_high(&mut self) -> Result<bool, Infallible> {
        Ok(Self::is_high(self))
    }

    #[inline(always)]
    fn is_low(&mut self) -> Result<bool, Infallible> {
        Ok(!Self::is_high(self))
    }
}

/// Whether this machine was asked for events at a pin, and detects none: then there are none to acknowledge.
static HAS_NO_DETECTORS: AtomicBool = AtomicBool::new(false);

/// What [`EventInput::wait_for_edge`] waits for, one for each pin.
static EDGES: [Event; PinNumber::COUNT] = [const { Event::new() }; PinNumber::COUNT];

/// The pin's own of these.
fn edge(pin: PinNumber) -> Option<&'static Event> {
    EDGES.get(usize::from(pin.number()))
}

/// Pin `N` as an input that raises interrupts. Dropping it leaves its detectors on: the interrupt goes on coming.
#[derive(Debug)]
pub struct EventInput<const N: u8>(Input<N>);

impl<const N: u8> EventInput<N> {
    /// Whether the pin is high: one read.
    #[must_use]
    #[inline(always)]
    pub fn is_high(&self) -> bool {
        self.0.is_high()
    }

    /// Chooses anew what counts as an event, and forgets one that stands. An edge during this call may be forgotten as
    /// well: look at the level afterwards.
    pub fn set_detect(&mut self, detect: Detect) {
        // One register at a time, so that nobody is kept out for as long as six take.
        for detector in Detector::ALL {
            device_exclusively("the events of a pin are set up", || {
                devices::gpio().set_detector(Pin::<N>::NUMBER, detector, detect.takes(detector))
            });
        }
        // After the detectors have changed, since what the old ones saw stays [HW 5.3].
        devices::gpio().acknowledge(Pin::<N>::NUMBER);
    }

    /// Waits until the pin has had an event, up to `deadline`, and answers its level then. Called by one task; the line's
    /// handler in the table is a kernel handler that calls [`GpioLine::wake_waiters`].
    ///
    /// Events since the last wait count as one, and end the next wait at once: it is the level that counts.
    ///
    /// # Errors
    /// [`TimedOut`] where there was no event.
    pub fn wait_for_edge(&mut self, deadline: Instant) -> Result<Level, TimedOut> {
        if let Some(edge) = edge(Pin::<N>::NUMBER) {
            edge.wait_until(deadline)?;
        }
        Ok(self.0.level())
    }

    /// The input, without events.
    pub fn into_input(mut self) -> Input<N> {
        self.set_detect(Detect::Nothing);
        self.0
    }
}

/// An interrupt line of the pins, for the table and for the handler that stands there. The handler calls
/// [`GpioLine::take_events`] each time it is called: what is not acknowledged calls it for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GpioLine {
    /// Events of the pins 0 to 27.
    Pins0To27,
    /// Events of the pins 28 to 45.
    Pins28To45,
    /// Events of the pins 46 to 57.
    Pins46To57,
    /// Events of any pin, beside the others.
    AllPins,
}

impl GpioLine {
    /// The line's INTID, for the table.
    #[must_use]
    pub const fn intid(self) -> u16 {
        match self {
            Self::Pins0To27 => map::GPIO_0_TO_27_INTID.number(),
            Self::Pins28To45 => map::GPIO_28_TO_45_INTID.number(),
            Self::Pins46To57 => map::GPIO_46_TO_57_INTID.number(),
            Self::AllPins => map::GPIO_INTID.number(),
        }
    }

    /// The line's pins.
    #[must_use]
    pub const fn pins(self) -> PinSet {
        let [first, last] = match self {
            Self::Pins0To27 => [PinNumber::at::<0>(), PinNumber::at::<27>()],
            Self::Pins28To45 => [PinNumber::at::<28>(), PinNumber::at::<45>()],
            Self::Pins46To57 => [PinNumber::at::<46>(), PinNumber::at::<57>()],
            Self::AllPins => [PinNumber::at::<0>(), PinNumber::at::<57>()],
        };
        PinSet::from_to(first, last)
    }

    /// Acknowledges all events of the line, and only then looks at the levels. For the handler of a line with several
    /// pins: two reads and a write, twice as many where the line's pins are on either side of pin 32. Where
    /// [`Input::into_events`] was refused there is never an event.
    #[inline]
    pub fn take_events(self) -> Events {
        if HAS_NO_DETECTORS.load(Ordering::Relaxed) {
            return Events { pins: PinSet::EMPTY, high: PinSet::EMPTY };
        }
        devices::gpio().take_events(self.pins())
    }

    /// Acknowledges all events of the line and lets the tasks run that wait for one of these pins. For a kernel handler;
    /// takes time in proportion to the pins that have had an event.
    pub fn wake_waiters(self) {
        self.take_events().pins.pins().filter_map(edge).for_each(Event::set_from_handler);
    }
}
