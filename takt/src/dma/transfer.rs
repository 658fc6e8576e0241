// SPDX-License-Identifier: MIT OR Apache-2.0
//! A transfer under way, which has all that was lent to it.

use core::fmt;

use takt_kernel::time::Instant;
use takt_rpi4::counter::Counter;
use takt_rpi4::drivers::clock::Deadline;
use takt_rpi4::drivers::dma::State;
use takt_rpi4::{cache, devices};

use super::{Channel, Region, Sink};
use crate::event::Event;

/// The regions of a copy.
#[derive(Debug)]
pub struct Copied {
    /// What was copied.
    pub source: Region,
    /// Where to.
    pub destination: Region,
}

/// What a transfer to a device has.
#[derive(Debug)]
pub struct Sent<D> {
    /// What was sent.
    pub source: Region,
    /// Where to.
    pub device: D,
}

/// What the transmit channel of SPI0 has.
#[derive(Debug)]
pub(super) struct IntoFifo {
    pub(super) source: Region,
}

/// What the receive channel of SPI0 has.
#[derive(Debug)]
pub(super) struct OutOfFifo {
    pub(super) destination: Region,
}

/// What is lent together.
pub trait Lent {
    /// Where the channel reads.
    #[doc(hidden)]
    fn source_address(&self) -> Option<usize> {
        None
    }

    /// Where the channel writes. The last word of a transfer lies in the cache line of its last byte.
    #[doc(hidden)]
    fn destination(&mut self) -> Option<&mut Region> {
        None
    }

    /// The channel starts: the device may request.
    #[doc(hidden)]
    fn begin(&mut self) {}

    /// The channel has moved everything: the device requests no more.
    #[doc(hidden)]
    fn end(&mut self) {}

    /// The channel was stopped: the device requests no more, and drops what it can.
    #[doc(hidden)]
    fn abandon(&mut self) {}
}

impl Lent for Copied {
    fn source_address(&self) -> Option<usize> {
        Some(self.source.address())
    }

    fn destination(&mut self) -> Option<&mut Region> {
        Some(&mut self.destination)
    }
}

impl<D: Sink> Lent for Sent<D> {
    fn source_address(&self) -> Option<usize> {
        Some(self.source.address())
    }

    fn begin(&mut self) {
        self.device.begin();
    }

    fn end(&mut self) {
        self.device.end();
    }

    fn abandon(&mut self) {
        self.device.abandon();
    }
}

impl Lent for IntoFifo {
    fn source_address(&self) -> Option<usize> {
        Some(self.source.address())
    }
}

impl Lent for OutOfFifo {
    fn destination(&mut self) -> Option<&mut Region> {
        Some(&mut self.destination)
    }
}

/// A transfer on channel `N` with what was lent, `B`. Dropped or forgotten, it keeps both for good.
#[derive(Debug)]
#[must_use = "a transfer has its channel and its regions until it is finished"]
pub struct Transfer<const N: u8, B> {
    channel: Channel<N>,
    regions: B,
    bytes: usize,
    /// What stood behind the last byte, up to the end of its word, which the channel writes too.
    tail: [u8; 3],
}

impl<const N: u8, B: Lent> Transfer<N, B> {
    pub(super) fn new(channel: Channel<N>, regions: B, bytes: usize, tail: [u8; 3]) -> Self {
        Self { channel, regions, bytes, tail }
    }

    /// What the channel is doing.
    pub fn state(&self) -> State {
        devices::dma_channel(N).state()
    }

    /// Gives everything back, if the channel has finished. Called by a task, after the channel's interrupt.
    ///
    /// # Errors
    /// [`Unfinished`], with the transfer, where it still runs or has failed.
    pub fn finish(self) -> Result<(Channel<N>, B), Unfinished<N, B>> {
        match self.state() {
            State::Idle => Ok(self.end()),
            state => Err(Unfinished { transfer: self, state }),
        }
    }

    /// Polls until the channel has finished, for at most `patience_us` microseconds, and gives everything back.
    ///
    /// # Errors
    /// [`Unfinished`], with the transfer, where it still runs or has failed.
    pub fn wait(self, patience_us: u64) -> Result<(Channel<N>, B), Unfinished<N, B>> {
        let is_over = || !matches!(self.state(), State::Running { .. });
        // What came of it, `finish` tells.
        let _ = Deadline::after_us(&Counter, patience_us).wait_until(&Counter, is_over);
        self.finish()
    }

    /// Waits for the event that the channel's handler sets, until `deadline` at the most, and gives everything back. Called by
    /// a task.
    ///
    /// # Errors
    /// [`Unfinished`], with the transfer, where it still runs or has failed.
    pub fn wait_until(self, done: &Event, deadline: Instant) -> Result<(Channel<N>, B), Unfinished<N, B>> {
        wait_until(|| self.state(), done, deadline);
        self.finish()
    }

    /// Stops the channel, whatever it is doing, and gives everything back: the destination may hold some of what was to
    /// come. Called by a task.
    ///
    /// # Errors
    /// [`StillWriting`], with the transfer, where the channel does not stop in a millisecond.
    pub fn abort(self) -> Result<(Channel<N>, B), StillWriting<N, B>> {
        match devices::dma_channel(N).stop(&Counter) {
            Ok(()) => Ok(self.abandon()),
            Err(stuck) => Err(StillWriting { transfer: self, why: stuck }),
        }
    }

    /// The channel has moved everything.
    pub(super) fn end(mut self) -> (Channel<N>, B) {
        self.regions.end();
        self.give_back()
    }

    /// The channel was stopped.
    pub(super) fn abandon(mut self) -> (Channel<N>, B) {
        self.regions.abandon();
        self.give_back()
    }

    /// The channel is idle: the caches forget what they hold of the destination, and what is not the transfer's is put back.
    fn give_back(mut self) -> (Channel<N>, B) {
        let (bytes, tail) = (self.bytes, self.tail);
        if let Some(region) = self.regions.destination() {
            cache::clean_and_invalidate(region.address(), bytes); // (e)
            let end = bytes.next_multiple_of(4).min(region.len());
            if let Some(behind) = region.get_mut(bytes..end) {
                behind.iter_mut().zip(tail).for_each(|(byte, kept)| *byte = kept);
            }
        }
        (self.channel, self.regions)
    }
}

/// Waits for the event until what `state` tells of no longer runs, or until the deadline. An event that an earlier transfer
/// left set is taken for nothing.
pub(super) fn wait_until(state: impl Fn() -> State, done: &Event, deadline: Instant) {
    while matches!(state(), State::Running { .. }) && done.wait_until(deadline).is_ok() {}
}

/// A transfer that is described, and that its channel has not begun.
pub(super) struct Prepared<const N: u8, B> {
    transfer: Transfer<N, B>,
    /// The control block, as the channel sees it.
    block: u32,
}

impl<const N: u8, B: Lent> Prepared<N, B> {
    pub(super) fn new(transfer: Transfer<N, B>, block: u32) -> Self {
        Self { transfer, block }
    }

    pub(super) fn start(self) -> Transfer<N, B> {
        let Self { mut transfer, block } = self;
        transfer.regions.begin();
        devices::dma_channel(N).start(block);
        transfer
    }

    pub(super) fn cancel(self) -> (Channel<N>, B) {
        (self.transfer.channel, self.transfer.regions)
    }
}

/// A transfer that has not finished.
#[derive(Debug)]
pub struct Unfinished<const N: u8, B> {
    /// It, to wait for longer or to abort.
    pub transfer: Transfer<N, B>,
    /// What its channel is doing.
    pub state: State,
}

impl<const N: u8, B> fmt::Display for Unfinished<N, B> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.state {
            State::Failed(fault) => write!(formatter, "{fault}; abort the transfer to have its regions back"),
            State::Running { left_bytes } => write!(
                formatter,
                "dma: channel {N} still has {left_bytes} bytes to move; wait longer, or abort the transfer, and check that \
                 the device that paces it requests some"
            ),
            State::Idle => write!(formatter, "dma: channel {N} finished just now; ask again"),
        }
    }
}

impl<const N: u8, B: fmt::Debug> core::error::Error for Unfinished<N, B> {}

/// A transfer that does not stop.
#[derive(Debug)]
pub struct StillWriting<const N: u8, B> {
    /// It, which keeps its regions.
    pub transfer: Transfer<N, B>,
    why: takt_rpi4::drivers::dma::Stuck,
}

impl<const N: u8, B> fmt::Display for StillWriting<N, B> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.why.fmt(formatter)
    }
}

impl<const N: u8, B: fmt::Debug> core::error::Error for StillWriting<N, B> {}
