// SPDX-License-Identifier: MIT OR Apache-2.0
//! The registers of a BSC, the controller of a two-wire bus, and the way to them.

use core::ops::Deref;

use tock_registers::interfaces::{Readable, Writeable};
use tock_registers::registers::{Aliased, ReadWrite};
use tock_registers::{LocalRegisterCopy, register_bitfields, register_structs};

register_bitfields![u32,
    /// Control [BCM2711 3.2], [HW 8.4]. A write with I2CEN starts a transfer in QEMU even without ST, so the driver never
    /// makes one.
    pub(super) C [
        /// Enable.
        I2CEN OFFSET(15) NUMBITS(1) [],
        /// Interrupt while RXR stands.
        INTR OFFSET(10) NUMBITS(1) [],
        /// Interrupt while TXW stands.
        INTT OFFSET(9) NUMBITS(1) [],
        /// Interrupt while DONE stands.
        INTD OFFSET(8) NUMBITS(1) [],
        /// Start a transfer; one shot.
        ST OFFSET(7) NUMBITS(1) [],
        /// Empty the FIFO; one shot.
        CLEAR OFFSET(4) NUMBITS(1) [],
        /// Read, not write.
        READ OFFSET(0) NUMBITS(1) []
    ],
    /// Status, as read [BCM2711 3.2], [HW 8.4].
    pub(super) S [
        /// The device held the clock down for longer than `CLKT` allows.
        CLKT OFFSET(9) NUMBITS(1) [],
        /// The device did not acknowledge.
        ERR OFFSET(8) NUMBITS(1) [],
        /// The FIFO has a byte to read.
        RXD OFFSET(5) NUMBITS(1) [],
        /// The FIFO has room.
        TXD OFFSET(4) NUMBITS(1) [],
        /// The FIFO is three quarters full, and is to be read.
        RXR OFFSET(3) NUMBITS(1) [],
        /// The FIFO is less than a quarter full, and is to be written.
        TXW OFFSET(2) NUMBITS(1) [],
        /// The transfer is done.
        DONE OFFSET(1) NUMBITS(1) [],
        /// A transfer is active.
        TA OFFSET(0) NUMBITS(1) []
    ],
    /// Status, as written: ones clear.
    pub(super) S_CLEAR [
        /// All that can be cleared: CLKT, ERR, DONE.
        ALL OFFSET(0) NUMBITS(10) [
            ClktErrDone = 0b11_0000_0010,
            Done = 0b00_0000_0010
        ]
    ]
];

/// `S` as it was read.
pub(super) type Status = LocalRegisterCopy<u32, S::Register>;

register_structs! {
    /// The registers of a BSC `[BCM2711 3.2]`, `[HW 8.4]`.
    #[allow(non_snake_case, reason = "the register names are the manual's")]
    pub I2cRegisters {
        /// Control.
        (0x00 => C: ReadWrite<u32, C::Register>),
        /// Status.
        (0x04 => S: Aliased<u32, S::Register, S_CLEAR::Register>),
        /// How many bytes a transfer has; read while one is active, how many are left.
        (0x08 => DLEN: ReadWrite<u32>),
        /// The device's address, 7 bits.
        (0x0C => A: ReadWrite<u32>),
        /// The FIFO, 16 bytes deep.
        (0x10 => FIFO: ReadWrite<u32>),
        /// Clock divider, even.
        (0x14 => DIV: ReadWrite<u32>),
        /// When data are sampled and changed, in core clocks behind the edges of SCL.
        (0x18 => DEL: ReadWrite<u32>),
        /// Clock stretch time-out, in clocks of SCL; 0 is none.
        (0x1C => CLKT: ReadWrite<u32>),
        (0x20 => @END),
    }
}

/// The way to the registers: what leads to [`I2cRegisters`] on the board, a model of the device on a PC.
pub trait Port {
    /// Reads `S`; no effect.
    fn s(&self) -> u32;

    /// Writes ones to `S`.
    fn clear_s(&mut self, ones: u32);

    /// Writes `C`.
    fn set_c(&mut self, value: u32);

    /// Reads `DLEN`.
    fn dlen(&self) -> u32;

    /// Writes `DLEN`.
    fn set_dlen(&mut self, bytes: u32);

    /// Writes `A`.
    fn set_a(&mut self, address: u32);

    /// Takes a byte out of the FIFO.
    fn take(&mut self) -> u8;

    /// Puts a byte into the FIFO.
    fn put(&mut self, byte: u8);

    /// Writes `DIV`, `DEL` and `CLKT`.
    fn set_timing(&mut self, div: u32, del: u32, clkt: u32);
}

impl<R: Deref<Target = I2cRegisters>> Port for R {
    #[inline]
    fn s(&self) -> u32 {
        self.S.get()
    }

    fn clear_s(&mut self, ones: u32) {
        self.S.set(ones);
    }

    fn set_c(&mut self, value: u32) {
        self.C.set(value);
    }

    fn dlen(&self) -> u32 {
        self.DLEN.get()
    }

    fn set_dlen(&mut self, bytes: u32) {
        self.DLEN.set(bytes);
    }

    fn set_a(&mut self, address: u32) {
        self.A.set(address);
    }

    #[inline]
    fn take(&mut self) -> u8 {
        (self.FIFO.get() & 0xFF) as u8
    }

    #[inline]
    fn put(&mut self, byte: u8) {
        self.FIFO.set(u32::from(byte));
    }

    fn set_timing(&mut self, div: u32, del: u32, clkt: u32) {
        self.DIV.set(div);
        self.DEL.set(del);
        self.CLKT.set(clkt);
    }
}
