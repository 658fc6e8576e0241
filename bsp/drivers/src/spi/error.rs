// SPDX-License-Identifier: MIT OR Apache-2.0
//! What can go wrong on the bus. SPI has no acknowledgement: a device that is not there is read as zeros or ones.

use core::fmt;

use embedded_hal::spi::ErrorKind;

/// Why a transfer did not come to its end. The chip select line is released and the FIFOs are empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// The bus was not enabled.
    NotEnabled,
    /// The controller stood still.
    TimedOut {
        /// How many bytes of the operation were received.
        received_bytes: usize,
        /// How many it has.
        bytes: usize,
    },
    /// All bytes were received, but the controller did not say that it is done.
    NotDone,
    /// A bus that sleeps was not woken, though the bytes of its FIFO are through.
    NoInterrupt,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotEnabled => f.write_str(
                "spi: the bus was not enabled, so its clock is not set; call enable with the core clock first",
            ),
            Self::TimedOut { received_bytes, bytes } => write!(
                f,
                "spi: the controller stood still after {received_bytes} of {bytes} bytes, though the device cannot hold \
                 it up; check that the core clock runs and that nobody else uses SPI0"
            ),
            Self::NotDone => f.write_str(
                "spi: all bytes were received, but the controller does not set DONE; check that nobody else uses SPI0",
            ),
            Self::NoInterrupt => f.write_str(
                "spi: the bytes are through, but no interrupt came; check that the table has the bus's interrupt, and in QEMU \
                 that its line is connected",
            ),
        }
    }
}

impl core::error::Error for Error {}

impl embedded_hal::spi::Error for Error {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Other
    }
}
