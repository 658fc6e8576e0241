// SPDX-License-Identifier: MIT OR Apache-2.0
//! Transfers that are not begun.

use core::fmt;

use super::Channel;

/// The longest transfer of a channel that is not whole, in bytes: less than 64 KiB, in words [HW 8.5].
const LITE_BYTES: usize = 0xFFFC;
/// The longest of one that is, in bytes: 30 bits, in words [HW 8.5].
const WHOLE_BYTES: usize = 0x3FFF_FFFC;

/// Why a transfer was not begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It has no bytes.
    Empty,
    /// It has more bytes than a region.
    LongerThanRegion {
        /// What was asked for.
        bytes: usize,
        /// What the shorter region has.
        region_bytes: usize,
    },
    /// It has more bytes than the channel counts.
    LongerThanChannelCounts {
        /// What was asked for.
        bytes: usize,
        /// The most of this channel.
        most_bytes: usize,
    },
    /// A device takes and gives whole words.
    NotWholeWords {
        /// What was asked for.
        bytes: usize,
    },
    /// The memory lies beyond the first GiB.
    OutOfReach {
        /// Where it lies.
        address: usize,
    },
}

impl Reason {
    /// Refuses what channel `number` cannot do.
    pub(super) fn check(number: u8, bytes: usize, region_bytes: usize) -> Result<(), Self> {
        let most_bytes = if number < 7 { WHOLE_BYTES } else { LITE_BYTES };
        if bytes == 0 {
            Err(Self::Empty)
        } else if bytes > region_bytes {
            Err(Self::LongerThanRegion { bytes, region_bytes })
        } else if bytes > most_bytes {
            Err(Self::LongerThanChannelCounts { bytes, most_bytes })
        } else {
            Ok(())
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => formatter.write_str("dma: a transfer of 0 bytes never ends; leave it out"),
            Self::LongerThanRegion { bytes, region_bytes } => write!(
                formatter,
                "dma: {bytes} bytes are more than the {region_bytes} of the region; make the buffer larger or the transfer \
                 shorter"
            ),
            Self::LongerThanChannelCounts { bytes, most_bytes } => write!(
                formatter,
                "dma: {bytes} bytes are more than the {most_bytes} that this channel counts; split the transfer, or use \
                 channel 0, 2, 4, 5 or 6"
            ),
            Self::NotWholeWords { bytes } => write!(
                formatter,
                "dma: {bytes} bytes are no whole number of words of 4, which is what a device takes and gives"
            ),
            Self::OutOfReach { address } => write!(
                formatter,
                "dma: the memory at {address:#x} lies beyond the first GiB, which is all that a channel reaches; use a \
                 static of the image"
            ),
        }
    }
}

impl core::error::Error for Reason {}

/// A transfer that was not begun, with all that was to be lent.
#[derive(Debug)]
pub struct Refused<const N: u8, B> {
    /// The channel.
    pub channel: Channel<N>,
    /// The regions.
    pub regions: B,
    /// Why.
    pub reason: Reason,
}

impl<const N: u8, B> fmt::Display for Refused<N, B> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.reason.fmt(formatter)
    }
}

impl<const N: u8, B: fmt::Debug> core::error::Error for Refused<N, B> {}
