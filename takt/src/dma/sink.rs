// SPDX-License-Identifier: MIT OR Apache-2.0
//! Devices that take words at their own pace.

use takt_rpi4::drivers::dma::Endpoint;
use takt_rpi4::map;

use super::Reason;
use crate::board::PwmTrain;
use crate::serial::{Port, Uart};

mod sealed {
    /// Not for others to implement: an address of the application's choice could be the interrupt controller's.
    pub trait Sealed {}
    impl Sealed for super::Uart {}
    impl<const BLOCK: u8, P> Sealed for super::PwmTrain<BLOCK, P> {}
}

#[diagnostic::on_unimplemented(
    message = "takt: this is no device that takes words from a DMA channel",
    note = "an open `Uart`, UART2 to UART5, takes a character a word, and a `PwmTrain` a pulse",
    note = "`SpiDma` is SPI0 with a channel for each direction"
)]
/// A device that takes words at its own pace: an open [`Uart`] a character a word, of which the low byte counts, and a
/// [`PwmTrain`] the high time of a pulse in cycles.
///
/// When a transfer has finished, the last words are still in the device's FIFO: [`Uart::flush`] waits for them, and
/// [`PwmTrain::is_sending`] tells. A serial interface whose transfer is aborted sends what is in its FIFO, a train ends at
/// once.
pub trait Sink: sealed::Sealed {
    /// Where the words go, if the device takes these.
    #[doc(hidden)]
    fn accept(&self, words: &[u8]) -> Result<Endpoint, Reason>;

    /// Requests begin.
    #[doc(hidden)]
    fn begin(&mut self);

    /// Requests end.
    #[doc(hidden)]
    fn end(&mut self);

    /// Requests end, and what can be taken back is.
    #[doc(hidden)]
    fn abandon(&mut self);
}

impl Sink for Uart {
    fn accept(&self, _: &[u8]) -> Result<Endpoint, Reason> {
        let [uart2, uart3, uart4, uart5] = map::UARTS_2_TO_5_TRANSMIT;
        let endpoint = match self.port() {
            Port::Uart2 => uart2,
            Port::Uart3 => uart3,
            Port::Uart4 => uart4,
            Port::Uart5 => uart5,
            Port::Mini => return Err(Reason::MiniUart),
        };
        if self.sends_by_interrupt() { Err(Reason::StillSending) } else { Ok(endpoint) }
    }

    fn begin(&mut self) {
        self.let_transmit_request(true);
    }

    fn end(&mut self) {
        self.let_transmit_request(false);
    }

    fn abandon(&mut self) {
        self.let_transmit_request(false);
    }
}

impl<const BLOCK: u8, P> Sink for PwmTrain<BLOCK, P> {
    fn accept(&self, words: &[u8]) -> Result<Endpoint, Reason> {
        let period_cycles = self.period_cycles();
        let (words, _) = words.as_chunks();
        let cycles = words.iter().map(|&word| u32::from_le_bytes(word)).enumerate();
        if let Some((index, cycles)) = cycles.into_iter().find(|&(_, cycles)| cycles > period_cycles) {
            return Err(Reason::TooLongPulse { index, cycles, period_cycles });
        }
        let [block0, block1] = map::PWM_TRAINS;
        Ok(if BLOCK == 0 { block0 } else { block1 })
    }

    fn begin(&mut self) {
        self.let_request(true);
    }

    fn end(&mut self) {
        self.let_request(false);
    }

    fn abandon(&mut self) {
        self.let_request(false);
        self.clear();
    }
}
