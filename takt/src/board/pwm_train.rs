// SPDX-License-Identifier: MIT OR Apache-2.0
//! A train of pulses, whose high times a DMA channel brings: steps of a motor, bits of a strip of lights.

use core::time::Duration;

use takt_rpi4::drivers::pwm::{HighTimeError, Polarity};

use super::pwm::{PwmChannel, PwmPeriod, PwmPin};
use crate::exclusive::device_exclusively;

impl<const BLOCK: u8> PwmChannel<BLOCK, 1> {
    /// Starts the channel on a pin for trains of pulses. The output rests until one is sent, by
    /// [`Channel::send`](crate::dma::Channel::send), and after it. The block's other channel is not touched. Called by tasks.
    pub fn enable_train<P: PwmPin<BLOCK, 1>>(
        self,
        pin: P,
        period: PwmPeriod,
        polarity: Polarity,
    ) -> PwmTrain<BLOCK, P> {
        device_exclusively("a PWM channel is set up", || {
            PwmChannel::<BLOCK, 1>::block().enable_train(period.range(), polarity)
        });
        PwmTrain { channel: self, pin, period }
    }
}

/// The first channel of block `BLOCK` on its pin, for trains of pulses: each word is how long the output is high in one
/// period, in cycles of the clock.
#[derive(Debug)]
pub struct PwmTrain<const BLOCK: u8, P> {
    channel: PwmChannel<BLOCK, 1>,
    pin: P,
    period: PwmPeriod,
}

impl<const BLOCK: u8, P> PwmTrain<BLOCK, P> {
    /// The word of a pulse, to the nearest cycle of the clock, 37 ns.
    ///
    /// # Errors
    /// The time is longer than the period.
    pub fn word(&self, high: Duration) -> Result<u32, HighTimeError> {
        self.period.range().cycles_of_ns(u64::try_from(high.as_nanos()).unwrap_or(u64::MAX))
    }

    /// The period, in cycles of the clock: the greatest word.
    #[must_use]
    pub fn period_cycles(&self) -> u32 {
        self.period.range().cycles()
    }

    /// Whether pulses are still to come of what was sent: a transfer has finished when its last word is in the block's FIFO. A
    /// train that is sent before follows without a pause.
    #[must_use]
    pub fn is_sending(&self) -> bool {
        PwmChannel::<BLOCK, 1>::block().is_sending_train()
    }

    /// Stops the channel, its output low, and gives back the channel and its pin.
    pub fn disable(mut self) -> (PwmChannel<BLOCK, 1>, P) {
        self.clear();
        (self.channel.stop(), self.pin)
    }

    pub(crate) fn let_request(&mut self, is_let: bool) {
        PwmChannel::<BLOCK, 1>::block().let_request(is_let);
    }

    pub(crate) fn clear(&mut self) {
        device_exclusively("a PWM channel is set up", || PwmChannel::<BLOCK, 1>::block().clear_train());
    }
}
