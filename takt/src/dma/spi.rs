// SPDX-License-Identifier: MIT OR Apache-2.0
//! SPI0 with two channels: what is sent comes out of one region while what is received goes into another.

use core::fmt;
use core::num::NonZeroU16;

use takt_kernel::time::Instant;
use takt_rpi4::counter::Counter;
use takt_rpi4::devices;
use takt_rpi4::drivers::clock::Deadline;
use takt_rpi4::drivers::dma::{State, Stuck};
use takt_rpi4::drivers::spi::{ByDma, Error};

use super::transfer::{IntoFifo, OutOfFifo, Transfer, wait_until};
use super::{Channel, Reason, Refused, Region};
use crate::board::{Platform, Spi0Bus, Spi0Device, facts};
use crate::event::Event;

/// How long the transmit channel may take to end after the receive channel, in µs: the answer to its last write.
const PATIENCE_US: u64 = 1_000;

mod sealed {
    /// Not for others to implement: the channels serve SPI0's requests.
    pub trait Sealed {}
    impl<W> Sealed for super::Spi0Bus<W> {}
    impl<S, W> Sealed for super::Spi0Device<S, W> {}
}

/// SPI0, as [`Spi0Bus`] or as [`Spi0Device`], whose line is low over the transfer. It polls or sleeps: the event that a
/// transfer waits for is the receive channel's.
pub trait Spi0Master: ByDma + sealed::Sealed {}
impl<M: ByDma + sealed::Sealed> Spi0Master for M {}

/// SPI0, `M`, with channel `T` for what is sent, channel `R` for what is received, and a region for each; all at rest.
///
/// The interrupt is that of channel `R`, for the table: its handler calls [`Channel::acknowledge`] and sets an event.
#[derive(Debug)]
pub struct SpiDma<M, const T: u8, const R: u8> {
    /// The bus, enabled, or the device on it.
    pub spi: M,
    /// The channel that sends.
    pub transmit: Channel<T>,
    /// The channel that receives.
    pub receive: Channel<R>,
    /// What is sent.
    pub source: Region,
    /// What is received.
    pub destination: Region,
}

impl<M: Spi0Master, const T: u8, const R: u8> SpiDma<M, T, R> {
    /// Sends the first `bytes` of the source, 1 to 65,535, and receives as many into the destination. Called by a task.
    ///
    /// # Errors
    /// [`SpiRefused`], with everything; also in QEMU, whose SPI0 has no requests.
    pub fn exchange(self, bytes: usize) -> Result<SpiTransfer<M, T, R>, SpiRefused<M, T, R>> {
        let Self { mut spi, transmit, receive, source, destination } = self;
        let refuse = |spi, transmit, receive, source, destination, reason| {
            Err(SpiRefused { spi: Self { spi, transmit, receive, source, destination }, reason })
        };
        let length = match length(bytes) {
            Ok(length) => length,
            Err(reason) => return refuse(spi, transmit, receive, source, destination, reason),
        };
        let received = match receive.prepare_out_of_fifo(destination, bytes) {
            Ok(prepared) => prepared,
            Err(Refused { channel, regions, reason }) => {
                return refuse(spi, transmit, channel, source, regions.destination, reason);
            }
        };
        let sent = match transmit.prepare_into_fifo(source, bytes) {
            Ok(prepared) => prepared,
            Err(Refused { channel, regions, reason }) => {
                let (receive, received) = received.cancel();
                return refuse(spi, channel, receive, regions.source, received.destination, reason);
            }
        };
        if let Err(reason) = begin(&mut spi, length) {
            let ((transmit, sent), (receive, received)) = (sent.cancel(), received.cancel());
            return refuse(spi, transmit, receive, sent.source, received.destination, reason);
        }
        Ok(SpiTransfer { spi, received: received.start(), sent: sent.start() })
    }
}

fn length(bytes: usize) -> Result<NonZeroU16, Reason> {
    let length = u16::try_from(bytes).map_err(|_| Reason::LongerThanSpiCounts { bytes })?;
    NonZeroU16::new(length).ok_or(Reason::Empty)
}

fn begin(spi: &mut impl Spi0Master, bytes: NonZeroU16) -> Result<(), Reason> {
    if facts().is_some_and(|facts| facts.platform == Platform::Qemu) {
        return Err(Reason::Unpaced);
    }
    spi.begin_dma(bytes).map_err(Reason::Spi)
}

/// A transfer under way on SPI0. Dropped or forgotten, it keeps bus, channels and regions for good.
#[derive(Debug)]
#[must_use = "a transfer has the bus, its channels and its regions until it is finished"]
pub struct SpiTransfer<M, const T: u8, const R: u8> {
    spi: M,
    sent: Transfer<T, IntoFifo>,
    received: Transfer<R, OutOfFifo>,
}

impl<M: Spi0Master, const T: u8, const R: u8> SpiTransfer<M, T, R> {
    /// What the channels are doing: the receive channel, as long as none has failed.
    pub fn state(&self) -> State {
        match self.sent.state() {
            State::Failed(fault) => State::Failed(fault),
            _ => self.received.state(),
        }
    }

    /// Gives everything back, if the transfer has finished; waits for the last clock, a byte's time at the most. Called by a
    /// task, after the receive channel's interrupt.
    ///
    /// # Errors
    /// [`SpiUnfinished`], with the transfer, where it still runs or has failed.
    pub fn finish(mut self) -> Result<SpiDma<M, T, R>, SpiUnfinished<M, T, R>> {
        let why = match self.state() {
            // Every byte that was received was sent, so the transmit channel is idle but for the answer to its last write.
            State::Idle => match self.wait_for_transmit() {
                State::Idle => match self.spi.end_dma() {
                    Ok(()) => return Ok(self.give_back()),
                    Err(error) => SpiWhy::Spi(error),
                },
                state => SpiWhy::Dma(state),
            },
            state => SpiWhy::Dma(state),
        };
        Err(SpiUnfinished { transfer: self, why })
    }

    /// Polls until the transfer has finished, for at most `patience_us` microseconds, and gives everything back.
    ///
    /// # Errors
    /// [`SpiUnfinished`], with the transfer, where it still runs or has failed.
    pub fn wait(self, patience_us: u64) -> Result<SpiDma<M, T, R>, SpiUnfinished<M, T, R>> {
        let is_over = || !matches!(self.state(), State::Running { .. });
        // What came of it, `finish` tells.
        let _ = Deadline::after_us(&Counter, patience_us).wait_until(&Counter, is_over);
        self.finish()
    }

    /// Waits for the event that the receive channel's handler sets, until `deadline` at the most, and gives everything back.
    /// Called by a task.
    ///
    /// # Errors
    /// [`SpiUnfinished`], with the transfer, where it still runs or has failed.
    pub fn wait_until(self, done: &Event, deadline: Instant) -> Result<SpiDma<M, T, R>, SpiUnfinished<M, T, R>> {
        wait_until(|| self.state(), done, deadline);
        self.finish()
    }

    /// Stops the transfer, whatever it is doing, and gives everything back, the bus at rest and usable: the destination may
    /// hold some of what was to come. Called by a task.
    ///
    /// # Errors
    /// [`SpiStillWriting`], with the transfer, where a channel does not stop in a millisecond.
    pub fn abort(mut self) -> Result<SpiDma<M, T, R>, SpiStillWriting<M, T, R>> {
        // The transmit channel before the bus: a word that came without TA would be taken for DLEN and CS.
        let stopped = devices::dma_channel(T).stop(&Counter).and_then(|()| devices::dma_channel(R).stop(&Counter));
        if let Err(why) = stopped {
            return Err(SpiStillWriting { transfer: self, why });
        }
        self.spi.abandon_dma();
        Ok(self.give_back())
    }

    fn wait_for_transmit(&self) -> State {
        let is_over = || !matches!(self.sent.state(), State::Running { .. });
        // What came of it, the state tells.
        let _ = Deadline::after_us(&Counter, PATIENCE_US).wait_until(&Counter, is_over);
        self.sent.state()
    }

    /// Both channels are idle.
    fn give_back(self) -> SpiDma<M, T, R> {
        let ((transmit, sent), (receive, received)) = (self.sent.end(), self.received.end());
        SpiDma { spi: self.spi, transmit, receive, source: sent.source, destination: received.destination }
    }
}

/// A transfer on SPI0 that was not begun, with everything.
#[derive(Debug)]
pub struct SpiRefused<M, const T: u8, const R: u8> {
    /// Bus, channels and regions.
    pub spi: SpiDma<M, T, R>,
    /// Why.
    pub reason: Reason,
}

impl<M, const T: u8, const R: u8> fmt::Display for SpiRefused<M, T, R> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.reason.fmt(formatter)
    }
}

impl<M: fmt::Debug, const T: u8, const R: u8> core::error::Error for SpiRefused<M, T, R> {}

/// Why a transfer on SPI0 has not finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpiWhy {
    /// A channel still runs, or has failed.
    Dma(State),
    /// The last clock does not pass.
    Spi(Error),
}

/// A transfer on SPI0 that has not finished.
#[derive(Debug)]
pub struct SpiUnfinished<M, const T: u8, const R: u8> {
    /// It, to wait for longer or to abort.
    pub transfer: SpiTransfer<M, T, R>,
    /// Why.
    pub why: SpiWhy,
}

impl<M, const T: u8, const R: u8> fmt::Display for SpiUnfinished<M, T, R> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.why {
            SpiWhy::Dma(State::Failed(fault)) => write!(formatter, "{fault}; abort the transfer to have all back"),
            SpiWhy::Dma(State::Running { left_bytes }) => write!(
                formatter,
                "dma: SPI0 still has {left_bytes} bytes to move by channels {T} and {R}; wait longer, or abort the transfer, \
                 and check that the core clock runs"
            ),
            SpiWhy::Dma(State::Idle) => formatter.write_str("dma: SPI0 finished just now; ask again"),
            SpiWhy::Spi(error) => write!(formatter, "{error}; abort the transfer to have all back"),
        }
    }
}

impl<M: fmt::Debug, const T: u8, const R: u8> core::error::Error for SpiUnfinished<M, T, R> {}

/// A transfer on SPI0 that does not stop.
#[derive(Debug)]
pub struct SpiStillWriting<M, const T: u8, const R: u8> {
    /// It, which keeps everything.
    pub transfer: SpiTransfer<M, T, R>,
    why: Stuck,
}

impl<M, const T: u8, const R: u8> fmt::Display for SpiStillWriting<M, T, R> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.why.fmt(formatter)
    }
}

impl<M: fmt::Debug, const T: u8, const R: u8> core::error::Error for SpiStillWriting<M, T, R> {}
