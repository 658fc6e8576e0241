// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pulse width modulation: two blocks of two channels, and one clock for all.
//!
//! The clock is the oscillator halved, [`PWM_CLOCK_HZ`], and never changes: a block cannot alter the other's frequency, and
//! nothing that the firmware does to its own clocks is heard. A channel needs a pin that is wired to it, as its type says:
//!
//! | channel | pin and alternate |
//! |---|---|
//! | PWM0, one | `Alternate<12, 0>`, `Alternate<18, 5>` |
//! | PWM0, two | `Alternate<13, 0>`, `Alternate<19, 5>` |
//! | PWM1, one | `Alternate<40, 0>`, the headphone jack |
//! | PWM1, two | `Alternate<41, 0>`, the headphone jack |
//!
//! Dropping a channel that runs lets it run on as it is.

use core::convert::Infallible;
use core::sync::atomic::{AtomicU8, Ordering};
use core::time::Duration;

use embedded_hal::pwm::{ErrorType, SetDutyCycle};
use takt_rpi4::counter::Counter;
use takt_rpi4::devices;
use takt_rpi4::drivers::clock::Deadline;
use takt_rpi4::drivers::clock_manager::{ClockError, Divisor, OSCILLATOR_HZ};
use takt_rpi4::drivers::pwm::{Channel, FrequencyError, HighTimeError, Polarity, Pwm as Block, Range};

use super::peripheral::{Peripheral, TakeError};
use super::pin::Alternate;
use crate::exclusive::device_exclusively;

/// The clock of both blocks, in Hz: a cycle is 37 ns.
pub const PWM_CLOCK_HZ: u32 = OSCILLATOR_HZ / 2;

/// How far off a frequency may be, in parts per million: a tenth of a percent.
pub const PWM_MOST_ERROR_PPM: u32 = 1_000;

/// How long the clock's generator may take to stop or to start, in µs, where one cycle takes less than one.
const PATIENCE_US: u64 = 10_000;

/// What has become of the clock.
static CLOCK: AtomicU8 = AtomicU8::new(STOPPED);
const STOPPED: u8 = 0;
const STARTING: u8 = 1;
const RUNNING: u8 = 2;

/// Starts the clock of both blocks, once.
fn start_clock() -> Result<(), TakeError> {
    match CLOCK.compare_exchange(STOPPED, STARTING, Ordering::Acquire, Ordering::Relaxed) {
        Ok(_) => {}
        Err(RUNNING) => return Ok(()),
        Err(_) => return Err(TakeError::ClockStarts),
    }
    let started = start_generator();
    CLOCK.store(if started.is_ok() { RUNNING } else { STOPPED }, Ordering::Release);
    started.map_err(TakeError::Clock)
}

fn start_generator() -> Result<(), ClockError> {
    // Half of the oscillator's rate is exact, so this is never refused.
    let Ok(divisor) = Divisor::for_rate(OSCILLATOR_HZ, PWM_CLOCK_HZ, 0) else { return Err(ClockError::NotBusy) };
    let deadline = Deadline::after_us(&Counter, PATIENCE_US);
    devices::pwm_clock().enable(divisor, || deadline.has_passed(&Counter))
}

/// PWM block 0.
pub type Pwm0 = Pwm<0>;
/// PWM block 1.
pub type Pwm1 = Pwm<1>;

/// PWM block `BLOCK`, 0 or 1: its channels, which may go to different tasks. Dropping one that runs lets it run on as it is.
#[derive(Debug)]
pub struct Pwm<const BLOCK: u8> {
    /// The first.
    pub one: PwmChannel<BLOCK, 1>,
    /// The second.
    pub two: PwmChannel<BLOCK, 2>,
}

impl<const BLOCK: u8> Pwm<BLOCK> {
    /// The block, once, with its clock running. Takes microseconds, and gives up after 10 ms. Called by tasks.
    ///
    /// # Errors
    /// Somebody has it, it is not there (as in QEMU), or its clock does not start.
    pub fn take() -> Result<Self, TakeError> {
        const { assert!(BLOCK < 2, "takt: the BCM2711 has PWM blocks 0 and 1; choose one of these") };
        let peripheral = if BLOCK == 0 { Peripheral::Pwm0 } else { Peripheral::Pwm1 };
        peripheral.claim()?;
        start_clock().inspect_err(|_| peripheral.give_back())?;
        Ok(Self { one: PwmChannel(()), two: PwmChannel(()) })
    }
}

/// The period of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PwmPeriod(Range);

impl PwmPeriod {
    /// The period of a frequency, 1 Hz to 13.5 MHz.
    ///
    /// # Errors
    /// The nearest frequency that whole cycles of the clock make is off by more than [`PWM_MOST_ERROR_PPM`].
    pub fn of_frequency_hz(frequency_hz: u32) -> Result<Self, FrequencyError> {
        Range::for_frequency(PWM_CLOCK_HZ, frequency_hz, PWM_MOST_ERROR_PPM).map(Self)
    }

    pub(super) const fn range(self) -> Range {
        self.0
    }
}

/// Channel `CHANNEL`, 1 or 2, of block `BLOCK`, at rest.
#[derive(Debug)]
pub struct PwmChannel<const BLOCK: u8, const CHANNEL: u8>(());

impl<const BLOCK: u8, const CHANNEL: u8> PwmChannel<BLOCK, CHANNEL> {
    const CHANNEL: Channel = if CHANNEL == 1 { Channel::One } else { Channel::Two };

    pub(super) fn block() -> Block<'static> {
        if BLOCK == 0 { devices::pwm0() } else { devices::pwm1() }
    }

    /// Its output is low, and it is at rest again.
    pub(super) fn stop(self) -> Self {
        device_exclusively("a PWM channel is set up", || Self::block().disable(Self::CHANNEL));
        self
    }

    /// Starts the channel on a pin, with a duty cycle of nothing. Called by tasks.
    pub fn enable<P: PwmPin<BLOCK, CHANNEL>>(
        self,
        pin: P,
        period: PwmPeriod,
        polarity: Polarity,
    ) -> PwmOutput<BLOCK, CHANNEL, P> {
        device_exclusively("a PWM channel is set up", || Self::block().enable(Self::CHANNEL, period.0, polarity));
        PwmOutput { channel: self, pin, range: period.0 }
    }
}

/// Channel `CHANNEL` of block `BLOCK`, on its pin.
#[derive(Debug)]
pub struct PwmOutput<const BLOCK: u8, const CHANNEL: u8, P> {
    channel: PwmChannel<BLOCK, CHANNEL>,
    pin: P,
    range: Range,
}

impl<const BLOCK: u8, const CHANNEL: u8, P> PwmOutput<BLOCK, CHANNEL, P> {
    /// How long the output is high in each period, to the nearest cycle of the clock, 37 ns. One write to the device, after
    /// some arithmetic. Its owner may call this anywhere, handlers included.
    ///
    /// # Errors
    /// The time is longer than the period. Nothing changes.
    pub fn set_high_time(&mut self, high: Duration) -> Result<(), HighTimeError> {
        let high_ns = u64::try_from(high.as_nanos()).unwrap_or(u64::MAX);
        self.set_high_cycles(self.range.cycles_of_ns(high_ns)?);
        Ok(())
    }

    /// The period.
    #[must_use]
    pub fn period(&self) -> Duration {
        Duration::from_nanos(self.range.period_ns())
    }

    /// Stops the channel, its output low, and gives back the channel and its pin.
    pub fn disable(self) -> (PwmChannel<BLOCK, CHANNEL>, P) {
        (self.channel.stop(), self.pin)
    }

    fn set_high_cycles(&mut self, cycles: u32) {
        PwmChannel::<BLOCK, CHANNEL>::block().set_high_cycles(PwmChannel::<BLOCK, CHANNEL>::CHANNEL, cycles);
    }
}

impl<const BLOCK: u8, const CHANNEL: u8, P> ErrorType for PwmOutput<BLOCK, CHANNEL, P> {
    type Error = Infallible;
}

impl<const BLOCK: u8, const CHANNEL: u8, P> SetDutyCycle for PwmOutput<BLOCK, CHANNEL, P> {
    /// The cycles of a period, or 65,535 where there are more.
    fn max_duty_cycle(&self) -> u16 {
        self.range.steps()
    }

    /// More than [`SetDutyCycle::max_duty_cycle`] is always high.
    fn set_duty_cycle(&mut self, duty: u16) -> Result<(), Infallible> {
        self.set_high_cycles(self.range.cycles_of_duty(duty));
        Ok(())
    }
}

mod sealed {
    /// Not for others to implement.
    pub trait Sealed {}
    impl<const N: u8, const A: u8> Sealed for super::Alternate<N, A> {}
}

#[diagnostic::on_unimplemented(
    message = "takt: this pin and alternate do not lead to channel {CHANNEL} of PWM block {BLOCK}",
    note = "PWM block 0: pins 12 and 13 by alternate 0, pins 18 and 19 by alternate 5, for channels 1 and 2 in this order",
    note = "PWM block 1: pins 40 and 41 by alternate 0, for channels 1 and 2"
)]
/// A pin that is wired to channel `CHANNEL` of block `BLOCK` [HW 8.2]: of block 0, pins 12 and 18 to channel 1, 13 and 19 to
/// channel 2; of block 1, pin 40 to channel 1 and 41 to channel 2, the headphone jack.
pub trait PwmPin<const BLOCK: u8, const CHANNEL: u8>: sealed::Sealed {}
impl PwmPin<0, 1> for Alternate<12, 0> {}
impl PwmPin<0, 1> for Alternate<18, 5> {}
impl PwmPin<0, 2> for Alternate<13, 0> {}
impl PwmPin<0, 2> for Alternate<19, 5> {}
impl PwmPin<1, 1> for Alternate<40, 0> {}
impl PwmPin<1, 2> for Alternate<41, 0> {}
