// SPDX-License-Identifier: MIT OR Apache-2.0
//! Why a port was not opened.

use core::fmt;

use takt_rpi4::drivers::aux_uart::BaudError;
use takt_rpi4::drivers::pl011::EnableError;

use super::Port;
use crate::board::PinTaken;

/// Why a port was not opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenError {
    /// Somebody has it already.
    Taken(Port),
    /// The device is not there.
    Absent(Port),
    /// One of its pins is somebody else's.
    Pin(Port, PinTaken),
    /// The PL011 could not be set up.
    Pl011(Port, EnableError),
    /// The core clock cannot make the mini UART's baud.
    MiniBaud(BaudError),
    /// The mini UART has no parity, and one stop bit.
    MiniFormat,
    /// The firmware does not tell the core clock, which the mini UART's baud is made from.
    CoreClockUnknown,
}

impl fmt::Display for OpenError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Taken(port) => write!(formatter, "serial: {} is open already; give it one owner", port.name()),
            Self::Absent(port) => write!(
                formatter,
                "serial: {} is not there, no PL011 answers; a Raspberry Pi 4 has it, QEMU has the mini UART instead",
                port.name()
            ),
            Self::Pin(port, taken) => write!(formatter, "serial: {} needs both its pins: {taken}", port.name()),
            Self::Pl011(port, error) => write!(formatter, "serial: {}: {error}", port.name()),
            Self::MiniBaud(error) => error.fmt(formatter),
            Self::MiniFormat => formatter.write_str(
                "serial: the mini UART has no parity and one stop bit; ask for Parity::None and StopBits::One, or take \
                 another port",
            ),
            Self::CoreClockUnknown => formatter.write_str(
                "serial: the firmware does not tell the core clock, which the mini UART's baud is made from; take another \
                 port",
            ),
        }
    }
}

impl core::error::Error for OpenError {}

/// A port that was not opened, with the pins that were to be its own. They are given to its device all the same.
#[derive(Debug)]
pub struct NotOpened<P> {
    /// Why.
    pub error: OpenError,
    /// The pins.
    pub pins: P,
}

impl<P> fmt::Display for NotOpened<P> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(formatter)
    }
}

impl<P: fmt::Debug> core::error::Error for NotOpened<P> {}
