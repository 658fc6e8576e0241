// SPDX-License-Identifier: MIT OR Apache-2.0
//! What can go wrong on the bus.

use core::fmt;

use embedded_hal::i2c::{ErrorKind, NoAcknowledgeSource};

/// Why a transaction did not come to its end. The controller is idle and its FIFO empty: the next one may be tried.
///
/// Lost arbitration is not among them: this controller is alone on its bus and does not look for others `[BCM2711 3]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// The bus was not enabled.
    NotEnabled,
    /// The address has more than 7 bits. Nothing was sent, as with the next four.
    Address {
        /// What was given.
        address: u8,
    },
    /// A read has no bytes; a device that is addressed to read drives the bus at once.
    EmptyRead,
    /// A write without bytes is to be followed by a read: the controller ends it with a stop.
    EmptyWriteBeforeRead,
    /// A write follows a read in one transaction: the controller ends a read with a stop.
    WriteAfterRead,
    /// A transfer has more bytes than the controller can count.
    TooLong {
        /// Its bytes, adjacent operations of a kind together.
        bytes: usize,
    },
    /// The device did not acknowledge.
    NoAcknowledge {
        /// The device's address.
        address: u8,
        /// The bytes of the transfer that were left, as the controller counted; all of them where it did not know its
        /// address, or refused the first byte.
        left_bytes: u32,
        /// The bytes that the transfer has.
        bytes: u32,
    },
    /// The device held the clock down for longer than it was allowed to.
    Stretched {
        /// The device's address.
        address: u8,
    },
    /// Nothing went on, and the controller did not say why.
    TimedOut {
        /// The device's address.
        address: u8,
        /// The bytes of the transfer that were left.
        left_bytes: u32,
    },
    /// A bus that sleeps was not woken, though the controller has something to tell.
    NoInterrupt {
        /// The device's address.
        address: u8,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotEnabled => {
                f.write_str("i2c: the bus was not enabled, so its clock is not set; call enable with the core clock first")
            }
            Self::Address { address } => {
                write!(f, "i2c: the address {address:#04x} has more than 7 bits; give it without the read bit")
            }
            Self::EmptyRead => f.write_str("i2c: a read has no bytes, which would leave the device driving the bus; read at least one"),
            Self::EmptyWriteBeforeRead => f.write_str(
                "i2c: a write without bytes is followed by a read, where this controller cannot repeat the start; leave the \
                 write out",
            ),
            Self::WriteAfterRead => f.write_str(
                "i2c: a write follows a read in one transaction, where this controller cannot repeat the start; make two \
                 transactions of it",
            ),
            Self::TooLong { bytes } => {
                write!(f, "i2c: a transfer of {bytes} bytes is longer than the 65535 that the controller counts; split it")
            }
            Self::NoAcknowledge { address, left_bytes, bytes } => write!(
                f,
                "i2c: the device at {address:#04x} did not acknowledge, with {left_bytes} of {bytes} bytes left; check its \
                 address, its supply and the pull-ups, or try again if it is busy"
            ),
            Self::Stretched { address } => write!(
                f,
                "i2c: the device at {address:#04x} held the clock down for longer than stretch_limit_us; raise the limit, \
                 or check what pulls SCL down"
            ),
            Self::TimedOut { address, left_bytes } => write!(
                f,
                "i2c: the transfer with {address:#04x} stood still with {left_bytes} bytes left; check that no device \
                 holds SDA or SCL down, and that the core clock runs"
            ),
            Self::NoInterrupt { address } => write!(
                f,
                "i2c: the transfer with {address:#04x} got on, but no interrupt came; check that the table has the bus's \
                 interrupt, and in QEMU that its line is connected"
            ),
        }
    }
}

impl core::error::Error for Error {}

impl embedded_hal::i2c::Error for Error {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::NoAcknowledge { left_bytes, bytes, .. } if left_bytes < bytes => {
                ErrorKind::NoAcknowledge(NoAcknowledgeSource::Data)
            }
            Self::NoAcknowledge { .. } => ErrorKind::NoAcknowledge(NoAcknowledgeSource::Unknown),
            Self::Stretched { .. } | Self::TimedOut { .. } => ErrorKind::Bus,
            _ => ErrorKind::Other,
        }
    }
}
