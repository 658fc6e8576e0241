// SPDX-License-Identifier: MIT OR Apache-2.0
//! The mini UART (UART1) of the AUX block `[BCM2711 2.2]`, `[HW 5.2]`.
//!
//! A poor relation of the PL011: FIFOs of 8 bytes, no parity, no break, no framing error and no receive time-out, which
//! it does not need, since its receive request stands with the first byte. Its baud follows the VPU core clock: when that
//! changes, so does the baud, unless config.txt pins it (`core_freq_min`, or `enable_uart=1`).
//!
//! What the manual does not say, or says wrongly `[HW 5.2]`: eight data bits take *both* low bits of `AUX_MU_LCR_REG`; in
//! `AUX_MU_IER_REG` bit 0 is the receive interrupt and bit 1 the transmit interrupt, and bits 3:2 have to be set as well
//! for a receive interrupt to come.

mod baud;

pub use baud::{BaudError, Divisor};

use tock_registers::interfaces::{ReadWriteable, Readable, Writeable};
use tock_registers::registers::{ReadOnly, ReadWrite};
use tock_registers::{register_bitfields, register_structs};

register_bitfields![u32,
    AUX_ENABLES [
        /// The mini UART is on; off, its registers cannot be reached.
        MINI_UART OFFSET(0) NUMBITS(1) []
    ],
    AUX_MU_IIR_REG [
        /// As written: empties the FIFOs, bit 1 the receive and bit 2 the transmit FIFO.
        CLEAR OFFSET(1) NUMBITS(2) [
            Both = 0b11
        ]
    ],
    AUX_MU_LCR_REG [
        /// Word length.
        DATA_SIZE OFFSET(0) NUMBITS(2) [
            EightBits = 0b11
        ]
    ],
    AUX_MU_LSR_REG [
        /// A byte found the receive FIFO full and was lost. The read clears it.
        RECEIVER_OVERRUN OFFSET(1) NUMBITS(1) [],
        /// The receive FIFO has a byte.
        DATA_READY OFFSET(0) NUMBITS(1) []
    ],
    AUX_MU_CNTL_REG [
        /// Transmit enable.
        TRANSMITTER_ENABLE OFFSET(1) NUMBITS(1) [],
        /// Receive enable.
        RECEIVER_ENABLE OFFSET(0) NUMBITS(1) []
    ],
    AUX_MU_STAT_REG [
        /// Nothing is in the transmit FIFO or on the wire.
        TRANSMITTER_DONE OFFSET(9) NUMBITS(1) [],
        /// The transmit FIFO is empty; a byte may still be on the wire.
        TRANSMIT_FIFO_EMPTY OFFSET(8) NUMBITS(1) [],
        /// The transmit FIFO takes a byte.
        SPACE_AVAILABLE OFFSET(1) NUMBITS(1) []
    ]
];

register_structs! {
    /// The registers of the AUX block `[BCM2711 2.1.1]`, without its two SPI masters.
    #[allow(non_snake_case, reason = "the register names are the manual's")]
    pub AuxRegisters {
        /// Which of the three devices asks for an interrupt.
        (0x00 => AUX_IRQ: ReadOnly<u32>),
        /// Which of the three devices is on; shared with SPI1 and SPI2.
        (0x04 => AUX_ENABLES: ReadWrite<u32, AUX_ENABLES::Register>),
        (0x08 => _reserved_08),
        /// I/O Data.
        (0x40 => AUX_MU_IO_REG: ReadWrite<u32>),
        /// Interrupt Enable.
        (0x44 => AUX_MU_IER_REG: ReadWrite<u32>),
        /// Interrupt Identify.
        (0x48 => AUX_MU_IIR_REG: ReadWrite<u32, AUX_MU_IIR_REG::Register>),
        /// Line Control.
        (0x4C => AUX_MU_LCR_REG: ReadWrite<u32, AUX_MU_LCR_REG::Register>),
        /// Modem Control.
        (0x50 => AUX_MU_MCR_REG: ReadWrite<u32>),
        /// Line Status.
        (0x54 => AUX_MU_LSR_REG: ReadOnly<u32, AUX_MU_LSR_REG::Register>),
        (0x58 => _reserved_58),
        /// Extra Control.
        (0x60 => AUX_MU_CNTL_REG: ReadWrite<u32, AUX_MU_CNTL_REG::Register>),
        /// Extra Status.
        (0x64 => AUX_MU_STAT_REG: ReadOnly<u32, AUX_MU_STAT_REG::Register>),
        /// Baudrate.
        (0x68 => AUX_MU_BAUD_REG: ReadWrite<u32>),
        (0x6C => @END),
    }
}

/// What `AUX_MU_IER_REG` holds to let receive interrupts through: bit 0, and bits 3:2 as the errata ask.
const RECEIVE: u32 = 0b1101;
/// What `AUX_MU_IER_REG` holds to let transmit interrupts through.
const TRANSMIT: u32 = 0b0010;

/// What the line status says about receiving.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReceiveStatus {
    /// The receive FIFO has a byte.
    pub has_byte: bool,
    /// A byte found the receive FIFO full and was lost since the last look.
    pub has_overrun: bool,
}

/// The mini UART. It has one owner.
pub struct AuxUart<'a> {
    registers: &'a AuxRegisters,
}

impl<'a> AuxUart<'a> {
    /// A driver for these registers. Usable after [`AuxUart::enable`].
    #[must_use]
    pub const fn new(registers: &'a AuxRegisters) -> Self {
        Self { registers }
    }

    /// Sets the mini UART up for eight bits and one stop bit in both directions, with empty FIFOs and all interrupts masked,
    /// and returns the divisor with the real baud's error.
    ///
    /// `core_hz` is the VPU core clock as the firmware reports it: 500 MHz at most on the board, 350 MHz in QEMU `[HW 12]`.
    /// `AUX_ENABLES` is read, modified and written: nobody else does so meanwhile.
    ///
    /// # Errors
    /// The clock cannot make the baud; nothing was touched.
    #[allow(clippy::arithmetic_side_effects, reason = "the + of field values joins bits")]
    pub fn enable(&mut self, baud: u32, core_hz: u32) -> Result<Divisor, BaudError> {
        let divisor = Divisor::for_baud(core_hz, baud)?;
        let registers = self.registers;
        registers.AUX_ENABLES.modify(AUX_ENABLES::MINI_UART::SET);
        registers.AUX_MU_IER_REG.set(0);
        registers.AUX_MU_CNTL_REG.set(0);
        registers.AUX_MU_LCR_REG.write(AUX_MU_LCR_REG::DATA_SIZE::EightBits);
        registers.AUX_MU_MCR_REG.set(0);
        registers.AUX_MU_IIR_REG.write(AUX_MU_IIR_REG::CLEAR::Both);
        registers.AUX_MU_BAUD_REG.set(u32::from(divisor.register()));
        registers
            .AUX_MU_CNTL_REG
            .write(AUX_MU_CNTL_REG::TRANSMITTER_ENABLE::SET + AUX_MU_CNTL_REG::RECEIVER_ENABLE::SET);
        Ok(divisor)
    }

    /// Reads the line status, which forgets the overrun.
    #[inline]
    pub fn receive_status(&mut self) -> ReceiveStatus {
        let status = self.registers.AUX_MU_LSR_REG.extract();
        ReceiveStatus {
            has_byte: status.is_set(AUX_MU_LSR_REG::DATA_READY),
            has_overrun: status.is_set(AUX_MU_LSR_REG::RECEIVER_OVERRUN),
        }
    }

    /// Whether the transmit FIFO takes one more byte. Asked of the extra status, whose read has no effect.
    #[must_use]
    #[inline]
    pub fn has_room(&self) -> bool {
        self.registers.AUX_MU_STAT_REG.is_set(AUX_MU_STAT_REG::SPACE_AVAILABLE)
    }

    /// Whether the transmit FIFO takes eight bytes.
    #[must_use]
    #[inline]
    pub fn is_transmit_fifo_empty(&self) -> bool {
        self.registers.AUX_MU_STAT_REG.is_set(AUX_MU_STAT_REG::TRANSMIT_FIFO_EMPTY)
    }

    /// Whether a byte is in the transmit FIFO or still on the wire.
    #[must_use]
    #[inline]
    pub fn is_busy(&self) -> bool {
        !self.registers.AUX_MU_STAT_REG.is_set(AUX_MU_STAT_REG::TRANSMITTER_DONE)
    }

    /// Takes the byte that [`ReceiveStatus::has_byte`] promised.
    #[inline]
    pub fn take(&mut self) -> u8 {
        (self.registers.AUX_MU_IO_REG.get() & 0xFF) as u8
    }

    /// Puts a byte into the transmit FIFO. It is lost if there is no room.
    #[inline]
    pub fn put(&mut self, byte: u8) {
        self.registers.AUX_MU_IO_REG.set(u32::from(byte));
    }

    /// Which interrupts are let through: the receive interrupt, which comes as long as the receive FIFO has a byte, and the
    /// transmit interrupt, which comes as long as the transmit FIFO is empty. One write.
    #[inline]
    pub fn let_through(&self, receive: bool, transmit: bool) {
        self.registers.AUX_MU_IER_REG.set(if receive { RECEIVE } else { 0 } | if transmit { TRANSMIT } else { 0 });
    }
}
