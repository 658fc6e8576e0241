// SPDX-License-Identifier: MIT OR Apache-2.0
//! The PL011 UART.
//!
//! Each FIFO holds 32 bytes on the BCM2711 and 16 in QEMU, so its depth is never counted: ask
//! [`Pl011::has_room`] before each [`Pl011::put`], and [`Pl011::take`] until there is nothing.
//!
//! The transmit request rises when the FIFO falls *through* its trigger level, an eighth, and stands until the FIFO is
//! fuller than that or the request is cleared `[PL011 3.3.9]`. After reset it does not stand. So a user who sends by
//! interrupt first sends a few bytes more than an eighth by polling, never clears the request, and masks it while there
//! is nothing to send: unmasking it is then all that the next byte takes.
//!
//! The receive requests fall by reading: the one at the trigger level when the FIFO is below it, the time-out's when the
//! FIFO is empty `[PL011 3.3.9]`, `[PL011 3.3.13]`. Nobody clears them, so a handler may read as few bytes as it likes.

mod baud;
mod receive;

pub use baud::{BaudError, Divisors};
pub use receive::{Received, Requests};

use core::fmt;

use tock_registers::interfaces::{ReadWriteable, Readable, Writeable};
use tock_registers::registers::{Aliased, ReadOnly, ReadWrite, WriteOnly};
use tock_registers::{register_bitfields, register_structs};

register_bitfields![u32,
    /// As read [PL011 3.3.1].
    UARTDR_READ [
        /// Bytes before this one were lost, since the FIFO was full.
        OE OFFSET(11) NUMBITS(1) [],
        /// The line was low for longer than a character; the byte is 0.
        BE OFFSET(10) NUMBITS(1) [],
        /// The parity bit is wrong.
        PE OFFSET(9) NUMBITS(1) [],
        /// The stop bit is missing.
        FE OFFSET(8) NUMBITS(1) [],
        /// The received byte, which the read takes from the FIFO.
        DATA OFFSET(0) NUMBITS(8) []
    ],
    /// As written [PL011 3.3.1].
    UARTDR_WRITE [
        /// The byte to send.
        DATA OFFSET(0) NUMBITS(8) []
    ],
    /// [PL011 3.3.3]
    UARTFR [
        /// The transmit FIFO is empty.
        TXFE OFFSET(7) NUMBITS(1) [],
        /// The receive FIFO is full.
        RXFF OFFSET(6) NUMBITS(1) [],
        /// The transmit FIFO is full.
        TXFF OFFSET(5) NUMBITS(1) [],
        /// The receive FIFO is empty.
        RXFE OFFSET(4) NUMBITS(1) [],
        /// Something is in the transmit FIFO or on the wire.
        BUSY OFFSET(3) NUMBITS(1) []
    ],
    /// [PL011 3.3.7]
    UARTLCR_H [
        /// Word length.
        WLEN OFFSET(5) NUMBITS(2) [
            EightBits = 0b11
        ],
        /// FIFOs on. Off empties them.
        FEN OFFSET(4) NUMBITS(1) [],
        /// Two stop bits.
        STP2 OFFSET(3) NUMBITS(1) [],
        /// Even parity.
        EPS OFFSET(2) NUMBITS(1) [],
        /// Parity on.
        PEN OFFSET(1) NUMBITS(1) [],
        /// Holds the line low behind the present character.
        BRK OFFSET(0) NUMBITS(1) []
    ],
    /// [PL011 3.3.8]
    UARTCR [
        /// Receive enable.
        RXE OFFSET(9) NUMBITS(1) [],
        /// Transmit enable.
        TXE OFFSET(8) NUMBITS(1) [],
        /// What is sent is received, and the receive pin is cut off.
        LBE OFFSET(7) NUMBITS(1) [],
        /// UART enable.
        UARTEN OFFSET(0) NUMBITS(1) []
    ],
    /// [PL011 3.3.9]
    UARTIFLS [
        /// Receive trigger level.
        RXIFLSEL OFFSET(3) NUMBITS(3) [
            OneHalf = 0b010
        ],
        /// Transmit trigger level.
        TXIFLSEL OFFSET(0) NUMBITS(3) [
            OneEighth = 0b000
        ]
    ],
    /// The same bits in UARTIMSC, UARTRIS, UARTMIS and UARTICR [PL011 3.3.10] to [PL011 3.3.13].
    INTERRUPTS [
        /// Overrun.
        OE OFFSET(10) NUMBITS(1) [],
        /// Receive time-out: bytes lie in the FIFO, and none came for 32 bit times.
        RT OFFSET(6) NUMBITS(1) [],
        /// Transmit.
        TX OFFSET(5) NUMBITS(1) [],
        /// Receive: the FIFO has reached its trigger level.
        RX OFFSET(4) NUMBITS(1) [],
        /// All eleven.
        ALL OFFSET(0) NUMBITS(11) []
    ],
    /// [PL011 3.3.14]
    UARTDMACR [
        /// DMA for the transmit FIFO.
        TXDMAE OFFSET(1) NUMBITS(1) []
    ]
];

register_structs! {
    /// The registers of the UART `[PL011 3.2]`. The identification registers further up are left out: UART2 to UART5 of
    /// the BCM2711 lie 0x200 apart.
    #[allow(non_snake_case, reason = "the register names are the manual's")]
    pub Pl011Registers {
        /// Data Register.
        (0x00 => UARTDR: Aliased<u32, UARTDR_READ::Register, UARTDR_WRITE::Register>),
        /// Receive Status Register / Error Clear Register.
        (0x04 => UARTRSR_ECR: ReadWrite<u32>),
        (0x08 => _reserved_08),
        /// Flag Register.
        (0x18 => UARTFR: ReadOnly<u32, UARTFR::Register>),
        (0x1C => _reserved_1c),
        /// IrDA Low-Power Counter Register.
        (0x20 => UARTILPR: ReadWrite<u32>),
        /// Integer Baud Rate Register.
        (0x24 => UARTIBRD: ReadWrite<u32>),
        /// Fractional Baud Rate Register.
        (0x28 => UARTFBRD: ReadWrite<u32>),
        /// Line Control Register; a write latches the two baud rate registers.
        (0x2C => UARTLCR_H: ReadWrite<u32, UARTLCR_H::Register>),
        /// Control Register.
        (0x30 => UARTCR: ReadWrite<u32, UARTCR::Register>),
        /// Interrupt FIFO Level Select Register.
        (0x34 => UARTIFLS: ReadWrite<u32, UARTIFLS::Register>),
        /// Interrupt Mask Set/Clear Register.
        (0x38 => UARTIMSC: ReadWrite<u32, INTERRUPTS::Register>),
        /// Raw Interrupt Status Register.
        (0x3C => UARTRIS: ReadOnly<u32, INTERRUPTS::Register>),
        /// Masked Interrupt Status Register.
        (0x40 => UARTMIS: ReadOnly<u32, INTERRUPTS::Register>),
        /// Interrupt Clear Register.
        (0x44 => UARTICR: WriteOnly<u32, INTERRUPTS::Register>),
        /// DMA Control Register.
        (0x48 => UARTDMACR: ReadWrite<u32, UARTDMACR::Register>),
        (0x4C => @END),
    }
}

/// How often [`Pl011::enable`] asks whether the last character has left. At 0.05 to 0.2 µs a read `[HW 4.5]` that is
/// 5 to 20 ms, four characters at 9600 baud at least.
const BUSY_POLLS: u32 = 100_000;

/// The parity bit of a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parity {
    /// No parity bit.
    None,
    /// The number of ones, parity bit included, is even.
    Even,
    /// The number of ones, parity bit included, is odd.
    Odd,
}

/// The stop bits of a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopBits {
    /// One.
    One,
    /// Two.
    Two,
}

/// How characters look on the wire. They have eight data bits. The default is 115200 8N1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Bits per second, up to a sixteenth of the UART clock.
    pub baud: u32,
    /// The parity bit.
    pub parity: Parity,
    /// The stop bits.
    pub stop_bits: StopBits,
}

impl Default for Config {
    fn default() -> Self {
        Self { baud: 115_200, parity: Parity::None, stop_bits: StopBits::One }
    }
}

/// Why a UART was not enabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnableError {
    /// The clock cannot make the baud. The UART was not touched.
    Baud(BaudError),
    /// The character on the wire did not end. The UART was switched off and not set up.
    StillBusy {
        /// How often the flag was read.
        polls: u32,
    },
}

impl fmt::Display for EnableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Baud(error) => error.fmt(f),
            Self::StillBusy { polls } => write!(
                f,
                "pl011: still busy after {polls} reads of UARTFR, though one character ends within milliseconds; check \
                 that the UART clock runs"
            ),
        }
    }
}

impl core::error::Error for EnableError {}

/// A UART. It has one owner.
pub struct Pl011<'a> {
    registers: &'a Pl011Registers,
}

impl<'a> Pl011<'a> {
    /// A driver for these registers. Usable after [`Pl011::enable`].
    #[must_use]
    pub const fn new(registers: &'a Pl011Registers) -> Self {
        Self { registers }
    }

    /// Whether there is a PL011: one read of its flags. A PL011 that is not busy has an empty transmit FIFO, and no FIFO is
    /// empty and full at once `[PL011 3.3.3]`; where nothing answers, all bits read alike. In QEMU UART2 to UART5 read 0
    /// `[HW 12]`: a reader that took that for "not empty" would read for ever.
    #[must_use]
    pub fn is_present(&self) -> bool {
        let flags = self.registers.UARTFR.extract();
        let contradicts = |empty: bool, full: bool| empty && full;
        (flags.is_set(UARTFR::TXFE) || flags.is_set(UARTFR::BUSY))
            && !contradicts(flags.is_set(UARTFR::TXFE), flags.is_set(UARTFR::TXFF))
            && !contradicts(flags.is_set(UARTFR::RXFE), flags.is_set(UARTFR::RXFF))
    }

    /// Sets the UART up for both directions with FIFOs on and all interrupts masked, in the manual's order
    /// `[PL011 3.3.8]`, `[HW 5.1]`, and returns the divisors with the real baud's error.
    ///
    /// `clock_hz` is the UART clock as the firmware reports it: 48 MHz on the board, 3 MHz in QEMU `[HW 12]`. What is
    /// still in the FIFOs is thrown away, since a disabled UART with a filled one stays busy for ever; to let
    /// the firmware's last lines out, first wait while [`Pl011::is_busy`]. Called once at boot, by polling.
    #[allow(clippy::arithmetic_side_effects, reason = "the + of field values joins bits")]
    pub fn enable(&mut self, config: &Config, clock_hz: u32) -> Result<Divisors, EnableError> {
        let divisors = Divisors::for_baud(clock_hz, config.baud).map_err(EnableError::Baud)?;
        let parity = match config.parity {
            Parity::None => UARTLCR_H::PEN::CLEAR,
            Parity::Even => UARTLCR_H::PEN::SET + UARTLCR_H::EPS::SET,
            Parity::Odd => UARTLCR_H::PEN::SET + UARTLCR_H::EPS::CLEAR,
        };
        let stop_bits = match config.stop_bits {
            StopBits::One => UARTLCR_H::STP2::CLEAR,
            StopBits::Two => UARTLCR_H::STP2::SET,
        };

        let registers = self.registers;
        registers.UARTCR.set(0);
        registers.UARTLCR_H.modify(UARTLCR_H::FEN::CLEAR);
        if (0..BUSY_POLLS).all(|_| self.is_busy()) {
            return Err(EnableError::StillBusy { polls: BUSY_POLLS });
        }
        registers.UARTIMSC.set(0);
        registers.UARTICR.write(INTERRUPTS::ALL.val(u32::MAX));
        registers.UARTIBRD.set(u32::from(divisors.integer()));
        registers.UARTFBRD.set(u32::from(divisors.fraction()));
        // After the divisors, which this write latches [PL011 3.3.7].
        registers.UARTLCR_H.write(UARTLCR_H::WLEN::EightBits + UARTLCR_H::FEN::SET + stop_bits + parity);
        // The lowest level makes the fewest interrupts and leaves 4 bytes, 350 µs at 115200 baud, to refill.
        registers.UARTIFLS.write(UARTIFLS::RXIFLSEL::OneHalf + UARTIFLS::TXIFLSEL::OneEighth);
        registers.UARTCR.write(UARTCR::UARTEN::SET + UARTCR::TXE::SET + UARTCR::RXE::SET);
        Ok(divisors)
    }

    /// Whether the transmit FIFO takes one more byte.
    #[must_use]
    #[inline]
    pub fn has_room(&self) -> bool {
        !self.registers.UARTFR.is_set(UARTFR::TXFF)
    }

    /// Puts a byte into the transmit FIFO. It is lost if there is [no room](Pl011::has_room).
    #[inline]
    pub fn put(&mut self, byte: u8) {
        self.registers.UARTDR.write(UARTDR_WRITE::DATA.val(u32::from(byte)));
    }

    /// Whether a byte is in the transmit FIFO or still on the wire.
    #[must_use]
    #[inline]
    pub fn is_busy(&self) -> bool {
        self.registers.UARTFR.is_set(UARTFR::BUSY)
    }

    /// Lets the transmit interrupt through: it comes as long as the request stands, which it does while the FIFO holds an
    /// eighth or less, once it has been fuller.
    pub fn enable_transmit_interrupt(&mut self) {
        self.registers.UARTIMSC.modify(INTERRUPTS::TX::SET);
    }

    /// Keeps the transmit interrupt back.
    pub fn disable_transmit_interrupt(&mut self) {
        self.registers.UARTIMSC.modify(INTERRUPTS::TX::CLEAR);
    }
    /// Lets the transmit FIFO request characters of a DMA channel, a word each, or no more. The transmit interrupt is kept
    /// back meanwhile: two who fill the FIFO would overfill it.
    pub fn let_transmit_request(&mut self, is_let: bool) {
        self.registers.UARTDMACR.write(UARTDMACR::TXDMAE.val(u32::from(is_let)));
    }
}
