// SPDX-License-Identifier: MIT OR Apache-2.0
//! The registers of SPI0, and the way to them.

use core::ops::Deref;

use tock_registers::interfaces::{Readable, Writeable};
use tock_registers::registers::ReadWrite;
use tock_registers::{register_bitfields, register_structs};

register_bitfields![u32,
    /// Control and status [BCM2711 9.5], [HW 8.3].
    pub(super) CS [
        /// The transmit FIFO has room.
        TXD OFFSET(18) NUMBITS(1) [],
        /// The receive FIFO has something.
        RXD OFFSET(17) NUMBITS(1) [],
        /// All that was put into the transmit FIFO is through, while a transfer is active. Writing a one at the end of a
        /// transfer is what Linux found to be needed.
        DONE OFFSET(16) NUMBITS(1) [],
        /// Interrupt while the receive FIFO is three quarters full.
        INTR OFFSET(10) NUMBITS(1) [],
        /// Interrupt while DONE stands.
        INTD OFFSET(9) NUMBITS(1) [],
        /// DMA: the controller requests, and its FIFOs take and give four bytes a word, until DLEN is reached.
        DMAEN OFFSET(8) NUMBITS(1) [],
        /// Transfer active: the chip select line is asserted.
        TA OFFSET(7) NUMBITS(1) [],
        /// Empties the FIFOs.
        CLEAR OFFSET(4) NUMBITS(2) [
            Both = 0b11
        ],
        /// The clock rests high.
        CPOL OFFSET(3) NUMBITS(1) [],
        /// The first edge of the clock begins a bit, the second one samples it.
        CPHA OFFSET(2) NUMBITS(1) [],
        /// The chip select line.
        CS OFFSET(0) NUMBITS(2) [
            Zero = 0b00,
            One = 0b01,
            Neither = 0b11
        ]
    ],
    /// DMA request thresholds [BCM2711 9.5], in bytes.
    pub(super) DC [
        /// Panic while the receive FIFO holds more.
        RPANIC OFFSET(24) NUMBITS(8) [],
        /// Request while the receive FIFO holds more, or something after the last byte of the transfer.
        RDREQ OFFSET(16) NUMBITS(8) [],
        /// Panic while the transmit FIFO holds no more.
        TPANIC OFFSET(8) NUMBITS(8) [],
        /// Request while the transmit FIFO holds no more.
        TDREQ OFFSET(0) NUMBITS(8) []
    ]
];

register_structs! {
    /// The registers of SPI0 `[BCM2711 9.5]`, `[HW 8.3]`.
    #[allow(non_snake_case, reason = "the register names are the manual's")]
    pub SpiRegisters {
        /// Control and status. What it does on a write is not what it shows: there is no read-modify-write in this driver.
        (0x00 => CS: ReadWrite<u32, CS::Register>),
        /// Transmit and receive FIFOs, a byte a word; four with DMAEN.
        (0x04 => FIFO: ReadWrite<u32>),
        /// Clock divider, even; 0 stands for 65536.
        (0x08 => CLK: ReadWrite<u32>),
        /// Length for DMA, in bytes.
        (0x0C => DLEN: ReadWrite<u32>),
        /// LoSSI output hold delay.
        (0x10 => LTOH: ReadWrite<u32>),
        /// DMA request thresholds.
        (0x14 => DC: ReadWrite<u32, DC::Register>),
        (0x18 => @END),
    }
}

/// The way to the registers: what leads to [`SpiRegisters`] on the board, a model of the device on a PC, since a read of the
/// FIFO changes what is read next, which memory cannot do.
pub trait Port {
    /// Reads `CS`; no effect.
    fn cs(&self) -> u32;

    /// Writes `CS`.
    fn set_cs(&mut self, value: u32);

    /// Takes a byte out of the receive FIFO.
    fn take(&mut self) -> u8;

    /// Puts a byte into the transmit FIFO.
    fn put(&mut self, byte: u8);

    /// Writes `CLK`.
    fn set_clk(&mut self, divider: u32);

    /// Writes `DLEN`.
    fn set_dlen(&mut self, bytes: u16);

    /// Writes `DC`.
    fn set_dc(&mut self, levels: u32);
}

impl<R: Deref<Target = SpiRegisters>> Port for R {
    #[inline]
    fn cs(&self) -> u32 {
        self.CS.get()
    }

    #[inline]
    fn set_cs(&mut self, value: u32) {
        self.CS.set(value);
    }

    #[inline]
    fn take(&mut self) -> u8 {
        (self.FIFO.get() & 0xFF) as u8
    }

    #[inline]
    fn put(&mut self, byte: u8) {
        self.FIFO.set(u32::from(byte));
    }

    fn set_clk(&mut self, divider: u32) {
        self.CLK.set(divider);
    }

    fn set_dlen(&mut self, bytes: u16) {
        self.DLEN.set(u32::from(bytes));
    }

    fn set_dc(&mut self, levels: u32) {
        self.DC.set(levels);
    }
}
