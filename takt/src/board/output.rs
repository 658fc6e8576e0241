// SPDX-License-Identifier: MIT OR Apache-2.0
//! A pin that is driven, and the green LED.

use core::convert::Infallible;

use embedded_hal::digital::{ErrorType, OutputPin, StatefulOutputPin};
use takt_rpi4::devices;
use takt_rpi4::drivers::gpio::Pull;

use super::pin::{Pin, PinTaken};

/// Ground or 3.3 V.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Ground.
    Low,
    /// 3.3 V.
    High,
}

impl Level {
    /// High or low.
    #[must_use]
    pub const fn from_is_high(is_high: bool) -> Self {
        if is_high { Self::High } else { Self::Low }
    }
}

/// Pin `N` as an output. Its methods are one write to the device; its owner may call them anywhere, handlers included.
#[derive(Debug)]
pub struct Output<const N: u8> {
    pin: Pin<N>,
    is_high: bool,
}

impl<const N: u8> Output<N> {
    pub(super) fn new(pin: Pin<N>, level: Level) -> Self {
        let mut output = Self { pin, is_high: false };
        output.set_level(level);
        output
    }

    /// Drives the pin high.
    #[inline(always)]
    pub fn set_high(&mut self) {
        devices::gpio().set_high(Pin::<N>::NUMBER);
        self.is_high = true;
    }

    /// Drives the pin low.
    #[inline(always)]
    pub fn set_low(&mut self) {
        devices::gpio().set_low(Pin::<N>::NUMBER);
        self.is_high = false;
    }

    /// Drives the pin to a level.
    #[inline(always)]
    pub fn set_level(&mut self, level: Level) {
        match level {
            Level::Low => self.set_low(),
            Level::High => self.set_high(),
        }
    }

    /// Drives the pin to the other level.
    #[inline(always)]
    pub fn toggle(&mut self) {
        self.set_level(Level::from_is_high(!self.is_high));
    }

    /// The level that the pin is driven to, as remembered: no access to the device.
    #[must_use]
    #[inline(always)]
    pub const fn level(&self) -> Level {
        Level::from_is_high(self.is_high)
    }

    /// Whether the pin itself is high: one read. It differs from [`Output::level`] where something stronger drives it.
    #[must_use]
    #[inline(always)]
    pub fn reads_high(&self) -> bool {
        devices::gpio().is_high(Pin::<N>::NUMBER)
    }

    /// The pin, no longer driven: an input with this pull.
    pub fn into_pin(self, pull: Pull) -> Pin<N> {
        self.pin.into_input(pull).into_pin()
    }
}

impl<const N: u8> ErrorType for Output<N> {
    type Error = Infallible;
}

impl<const N: u8> OutputPin for Output<N> {
    #[inline(always)]
    fn set_low(&mut self) -> Result<(), Infallible> {
        Self::set_low(self);
        Ok(())
    }

    #[inline(always)]
    fn set_high(&mut self) -> Result<(), Infallible> {
        Self::set_high(self);
        Ok(())
    }
}

impl<const N: u8> StatefulOutputPin for Output<N> {
    #[inline(always)]
    fn is_set_high(&mut self) -> Result<bool, Infallible> {
        Ok(self.is_high)
    }

    #[inline(always)]
    fn is_set_low(&mut self) -> Result<bool, Infallible> {
        Ok(!self.is_high)
    }
}

/// The green LED that the board calls ACT: pin 42, lit while high, on the Raspberry Pi 4 Model B [HW 5.3]. On a board where
/// it hangs elsewhere, nothing lights up. The firmware uses it for the SD card while it boots.
#[derive(Debug)]
pub struct ActLed(Output<42>);

impl ActLed {
    /// The LED, once, and dark. Called by tasks.
    ///
    /// # Errors
    /// Somebody has pin 42.
    pub fn take() -> Result<Self, PinTaken> {
        Ok(Self(Pin::take()?.into_output(Level::Low)))
    }

    /// Lights it.
    pub fn set_lit(&mut self) {
        self.0.set_high();
    }

    /// Puts it out.
    pub fn set_dark(&mut self) {
        self.0.set_low();
    }

    /// Lights it where it is dark, and the other way round.
    pub fn toggle(&mut self) {
        self.0.toggle();
    }

    /// Whether it is lit.
    #[must_use]
    pub fn is_lit(&self) -> bool {
        self.0.level() == Level::High
    }
}
