// SPDX-License-Identifier: MIT OR Apache-2.0
//! A pin in the hands of its owner. Each is given once; what it is used for is its type, so that a pin cannot be two things
//! at a time.
//!
//! All these types are as small as what they remember, and go into statics and to other tasks. Dropping one changes
//! nothing: the pin stays as it is, keeps its level, and cannot be taken again until the next start.

use core::fmt;
use core::sync::atomic::{AtomicU64, Ordering};

use takt_rpi4::devices;
use takt_rpi4::drivers::gpio::{Function, PinNumber, Pull};

use super::input::Input;
use super::output::{Level, Output};
use crate::exclusive::device_exclusively;

/// The pins of the console: 14 sends, 15 receives [HW 5.1].
const CONSOLE: u64 = 1 << 14 | 1 << 15;

/// The pins that somebody has, bit n for pin n; the console's from the start.
static TAKEN: AtomicU64 = AtomicU64::new(CONSOLE);

/// Who has a pin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PinOwner {
    /// The console.
    Console,
    /// The application took it.
    Application,
}

/// A pin was not given, since somebody has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PinTaken {
    /// The pin's number.
    pub pin: u8,
    /// Who has it.
    pub by: PinOwner,
}

impl fmt::Display for PinTaken {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pin = self.pin;
        match self.by {
            PinOwner::Console => write!(
                formatter,
                "gpio: pin {pin} belongs to the console, whose pins are 14 and 15; choose another pin"
            ),
            PinOwner::Application => write!(
                formatter,
                "gpio: pin {pin} is taken already; take each pin once, and hand it to the task that uses it"
            ),
        }
    }
}

impl core::error::Error for PinTaken {}

/// A pin in the hands of who learns its number at run time.
#[derive(Debug)]
pub(crate) struct AnyPin(PinNumber);

impl AnyPin {
    /// The pin, once; nothing about it changes.
    pub(crate) fn take(number: PinNumber) -> Result<Self, PinTaken> {
        let pin = Self(number);
        let bit = pin.bit();
        if TAKEN.fetch_or(bit, Ordering::Acquire) & bit == 0 {
            return Ok(pin);
        }
        let by = if CONSOLE & bit == 0 { PinOwner::Application } else { PinOwner::Console };
        Err(PinTaken { pin: number.number(), by })
    }

    /// Lets others take the pin, which stays as it is.
    pub(crate) fn give_back(self) {
        TAKEN.fetch_and(!self.bit(), Ordering::Release);
    }

    /// What the pin is for, and its pull.
    pub(crate) fn setting(&self) -> (Function, Option<Pull>) {
        (devices::gpio().function(self.0), devices::gpio().pull(self.0))
    }

    pub(crate) fn set_function(&self, function: Function) {
        device_exclusively("a pin is set up", || devices::gpio().set_function(self.0, function));
    }

    pub(crate) fn set_pull(&self, pull: Pull) {
        device_exclusively("a pin is set up", || devices::gpio().set_pull(self.0, pull));
    }

    const fn bit(&self) -> u64 {
        1_u64.wrapping_shl(self.0.number() as u32)
    }
}

/// Pin `N`, 0..=57, as it happens to be set. Dropping it, or what it becomes, changes nothing: the pin stays as it is, keeps
/// its level, and cannot be taken again until the next start.
#[derive(Debug)]
pub struct Pin<const N: u8>(());

impl<const N: u8> Pin<N> {
    pub(super) const NUMBER: PinNumber = PinNumber::at::<N>();

    /// The pin, once; nothing about it changes. A number above 57 stops the build. Called by tasks.
    ///
    /// # Errors
    /// Somebody has it: the console, or who took it before.
    pub fn take() -> Result<Self, PinTaken> {
        AnyPin::take(Self::NUMBER).map(|_| Self(()))
    }

    /// An output that drives `level` from the start: the level is set before the pin becomes an output.
    pub fn into_output(self, level: Level) -> Output<N> {
        let output = Output::new(self, level);
        Self::set_function(Function::Output);
        output
    }

    /// An input with this pull.
    pub fn into_input(self, pull: Pull) -> Input<N> {
        Self::set_function(Function::Input);
        Self::set_pull(pull);
        Input::new(self)
    }

    /// The pin given to its device `A`, 0..=5; a number above stops the build. The pull stays as it is: choose it before,
    /// by [`Pin::with_pull`]. Which device that is, the table of alternates in the BCM2711's manual says [BCM2711 5.3].
    pub fn into_alternate<const A: u8>(self) -> Alternate<N, A> {
        const {
            assert!(
                Function::alternate(A).is_some(),
                "takt: a pin has alternates 0 to 5; choose the one of the device that the pin shall belong to"
            );
        }
        if let Some(function) = const { Function::alternate(A) } {
            Self::set_function(function);
        }
        Alternate(self)
    }

    /// The same pin with this pull.
    #[must_use]
    pub fn with_pull(self, pull: Pull) -> Self {
        Self::set_pull(pull);
        self
    }

    fn set_function(function: Function) {
        AnyPin(Self::NUMBER).set_function(function);
    }

    fn set_pull(pull: Pull) {
        AnyPin(Self::NUMBER).set_pull(pull);
    }
}

/// Pin `N` as given to its device `A`: the proof that a device's driver asks for.
#[derive(Debug)]
pub struct Alternate<const N: u8, const A: u8>(Pin<N>);

impl<const N: u8, const A: u8> Alternate<N, A> {
    /// The same pin with this pull, which a driver chooses.
    pub(crate) fn with_pull(self, pull: Pull) -> Self {
        Self(self.0.with_pull(pull))
    }

    /// The pin, taken back from the device: it becomes an input, with the pull that it has.
    pub fn into_pin(self) -> Pin<N> {
        Pin::<N>::set_function(Function::Input);
        self.0
    }
}
