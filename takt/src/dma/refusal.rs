// SPDX-License-Identifier: MIT OR Apache-2.0
//! Transfers that are not begun.

use core::fmt;

use takt_rpi4::drivers::spi;

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
    /// A pulse is longer than the period.
    TooLongPulse {
        /// Which word says so.
        index: usize,
        /// How many cycles of the PWM clock it is.
        cycles: u32,
        /// How many a period has.
        period_cycles: u32,
    },
    /// What was written to the serial interface before is still on its way there.
    StillSending,
    /// The mini UART requests nothing.
    MiniUart,
    /// SPI0 counts fewer bytes.
    LongerThanSpiCounts {
        /// What was asked for.
        bytes: usize,
    },
    /// The bus does not begin.
    Spi(spi::Error),
    /// QEMU's SPI0 has no requests.
    Unpaced,
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
            Self::TooLongPulse { index, cycles, period_cycles } => write!(
                formatter,
                "dma: word {index} is a pulse of {cycles} cycles, and the period has {period_cycles}; make the words with \
                 PwmTrain::word"
            ),
            Self::StillSending => formatter.write_str(
                "dma: the serial interface still sends what was written before, which the words would overtake; flush it \
                 first",
            ),
            Self::MiniUart => {
                formatter.write_str("dma: the mini UART requests no words; open one of UART2 to UART5, or write the bytes")
            }
            Self::LongerThanSpiCounts { bytes } => {
                write!(formatter, "dma: {bytes} bytes are more than the 65535 that SPI0 counts; split the transfer")
            }
            Self::Spi(error) => error.fmt(formatter),
            Self::Unpaced => formatter.write_str(
                "dma: SPI0 in QEMU requests no words and takes one byte of each; use the bus without channels, or run this \
                 on a board",
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
