// SPDX-License-Identifier: MIT OR Apache-2.0
//! A channel that is the application's.

use core::cell::UnsafeCell;

use takt_rpi4::drivers::dma::ControlBlock;
use takt_rpi4::mailbox::FirmwareError;
use takt_rpi4::{cache, devices, mailbox, map};

use super::transfer::{Copied, IntoFifo, Lent, OutOfFifo, Prepared, Sent, Transfer};
use super::{Reason, Refused, Region, Sink};
use crate::board::{Peripheral, TakeError};

/// The channels that Linux uses, so the firmware uses others, less those of another format: 0, 2, 4 to 10 [HW 8.5].
const FREE: u32 = 0x07F5;

/// A word, in bytes.
const WORD_BYTES: usize = 4;

/// The channels that are free for an application, a bit for each: those that a [`Channel`] can be, less those that the
/// firmware says it uses. Takes up to milliseconds. Called by tasks.
///
/// # Errors
/// Where the firmware does not answer.
pub fn free_channels() -> Result<u32, FirmwareError> {
    Ok(mailbox::dma_channels()?.unwrap_or(FREE) & FREE)
}

/// The control blocks, one for each channel.
struct Blocks([UnsafeCell<ControlBlock>; CHANNELS]);

const CHANNELS: usize = 11;

// SAFETY: a channel's block is written by its one owner, while the channel is idle.
unsafe impl Sync for Blocks {}

static BLOCKS: Blocks = Blocks([const { UnsafeCell::new(ControlBlock::new()) }; CHANNELS]);

/// Channel `N`: 0, 2, 4, 5 or 6, or one of 7 to 10, which move less than 64 KiB at a time. Any other number stops the build.
#[derive(Debug)]
pub struct Channel<const N: u8>(());

impl<const N: u8> Channel<N> {
    /// Its interrupt, for the table. Channels 7 and 8 have one in common, 9 and 10 another.
    pub const INTID: u16 = {
        assert!(
            N < 11 && FREE & (1 << N) != 0,
            "takt: this DMA channel is the firmware's or of another kind; use 0, 2, 4, 5 or 6, or 7 to 10 for short transfers"
        );
        map::dma_intid(N).number()
    };

    /// The channel, once. Whether this board's firmware uses it all the same, [`free_channels`] tells. Called by tasks.
    ///
    /// # Errors
    /// Somebody has it.
    pub fn take() -> Result<Self, TakeError> {
        const { assert!(Self::INTID != 0) };
        Peripheral::DmaChannel(N).claim()?;
        Ok(Self(()))
    }

    /// Takes the interrupt request back; a running transfer goes on. Called by the handler of [`Self::INTID`].
    pub fn acknowledge() {
        const { assert!(Self::INTID != 0) };
        devices::dma_channel(N).acknowledge();
    }

    /// Whether this channel requests the interrupt: for a handler of channels that share one.
    #[must_use]
    pub fn is_requesting() -> bool {
        const { assert!(Self::INTID != 0) };
        devices::dma_channel(N).is_requesting()
    }

    /// Copies the first `bytes` of a region to another. Called by a task.
    ///
    /// # Errors
    /// [`Refused`], with the channel and the regions.
    pub fn copy(
        self,
        source: Region,
        destination: Region,
        bytes: usize,
    ) -> Result<Transfer<N, Copied>, Refused<N, Copied>> {
        let region_bytes = source.len().min(destination.len());
        let addresses = (source.address(), destination.address());
        let prepared = self.prepare(Copied { source, destination }, bytes, region_bytes, |block, words_bytes| {
            block.copy(bus(addresses.0)?, bus(addresses.1)?, words_bytes);
            Ok(())
        });
        Ok(prepared?.start())
    }

    /// Sends the first `bytes` of a region, a whole number of words, to a device that takes a word for each of its requests.
    /// The device is the transfer's until it is finished, and requests as long. Called by a task.
    ///
    /// # Errors
    /// [`Refused`], with the channel, the region and the device.
    pub fn send<D: Sink>(
        self,
        source: Region,
        device: D,
        bytes: usize,
    ) -> Result<Transfer<N, Sent<D>>, Refused<N, Sent<D>>> {
        let (region_bytes, address) = (source.len(), source.address());
        let endpoint = source.get(..bytes).map(|words| device.accept(words));
        let prepared = self.prepare(Sent { source, device }, bytes, region_bytes, |block, words_bytes| {
            if !bytes.is_multiple_of(WORD_BYTES) {
                return Err(Reason::NotWholeWords { bytes });
            }
            let endpoint = endpoint.unwrap_or(Err(Reason::Empty))?;
            block.send(bus(address)?, endpoint, words_bytes);
            Ok(())
        });
        Ok(prepared?.start())
    }

    /// Prepares the transmit channel of SPI0. The interrupt is that of the receive channel, which ends later.
    pub(super) fn prepare_into_fifo(
        self,
        source: Region,
        bytes: usize,
    ) -> Result<Prepared<N, IntoFifo>, Refused<N, IntoFifo>> {
        let (region_bytes, address) = (source.len(), source.address());
        self.prepare(IntoFifo { source }, bytes, region_bytes, |block, words_bytes| {
            block.send(bus(address)?, map::SPI0_TRANSMIT, words_bytes);
            block.without_interrupt();
            Ok(())
        })
    }

    /// Prepares the receive channel of SPI0.
    pub(super) fn prepare_out_of_fifo(
        self,
        destination: Region,
        bytes: usize,
    ) -> Result<Prepared<N, OutOfFifo>, Refused<N, OutOfFifo>> {
        let (region_bytes, address) = (destination.len(), destination.address());
        self.prepare(OutOfFifo { destination }, bytes, region_bytes, |block, words_bytes| {
            block.receive(map::SPI0_RECEIVE, bus(address)?, words_bytes);
            Ok(())
        })
    }

    /// Checks and describes a transfer. Nobody touches what is lent from here on.
    fn prepare<B: Lent>(
        self,
        mut regions: B,
        bytes: usize,
        region_bytes: usize,
        describe: impl FnOnce(&mut ControlBlock, u32) -> Result<(), Reason>,
    ) -> Result<Prepared<N, B>, Refused<N, B>> {
        let described = Reason::check(N, bytes, region_bytes).and_then(|()| {
            // A channel in QEMU moves whole words only, and never ends otherwise [HW 12]. The last word of a region lies in
            // its own cache lines.
            let words_bytes = u32::try_from(bytes.next_multiple_of(WORD_BYTES)).unwrap_or(u32::MAX);
            let block = BLOCKS.0.get(usize::from(N)).ok_or(Reason::Empty)?;
            // SAFETY: this is the one owner of the channel, which is idle: who has a `Channel` has no `Transfer`.
            let block = unsafe { &mut *block.get() };
            describe(block, words_bytes)?;
            let block = core::ptr::from_mut(block) as usize;
            Ok((block, bus(block)?))
        });
        let (block, block_bus) = match described {
            Ok(addresses) => addresses,
            Err(reason) => return Err(Refused { channel: self, regions, reason }),
        };
        let tail = regions.destination().map(|region| region.get(bytes..).unwrap_or_default()).map(first_three);
        // What the channel reads has to be in memory, and no line that it writes may be written back later: (e).
        if let Some(address) = regions.source_address() {
            cache::clean(address, bytes);
        }
        if let Some(region) = regions.destination() {
            cache::clean_and_invalidate(region.address(), bytes);
        }
        cache::clean(block, size_of::<ControlBlock>());
        Ok(Prepared::new(Transfer::new(self, regions, bytes, tail.unwrap_or_default()), block_bus))
    }
}

/// The first three bytes, or zeros.
fn first_three(bytes: &[u8]) -> [u8; 3] {
    core::array::from_fn(|index| bytes.get(index).copied().unwrap_or(0))
}

/// An address as a channel sees it [HW 2.2].
fn bus(address: usize) -> Result<u32, Reason> {
    match u32::try_from(address | map::VIDEOCORE_UNCACHED) {
        Ok(bus) if address < map::DMA_REACH => Ok(bus),
        _ => Err(Reason::OutOfReach { address }),
    }
}
