// SPDX-License-Identifier: MIT OR Apache-2.0
//! A model of SPI0 with its two FIFOs, and of a device that answers each byte with another.
//!
//! It fails the test where the driver does what loses bytes on a board: puts a byte into a full FIFO or without an active
//! transfer, takes one from an empty FIFO.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

use takt_drivers::spi::Port;

use crate::asleep;

const FIFO_BYTES: usize = 64;
const TXD: u32 = 1 << 18;
const RXD: u32 = 1 << 17;
const DONE: u32 = 1 << 16;
const INTD: u32 = 1 << 9;
const TA: u32 = 1 << 7;
const CLEAR_TX: u32 = 1 << 4;
const CLEAR_RX: u32 = 1 << 5;

/// The controller and the device.
pub(crate) struct SpiModel {
    cs: Cell<u32>,
    clk: Cell<u32>,
    transmit: RefCell<VecDeque<u8>>,
    receive: RefCell<VecDeque<u8>>,
    /// What the device got.
    pub(crate) sent: RefCell<Vec<u8>>,
    /// What was written to `CS`.
    pub(crate) controls: RefCell<Vec<u32>>,
    /// How many looks at `CS` a byte takes on the wire.
    looks_per_byte: u32,
    looks: Cell<u32>,
    /// After how many bytes the clock stops.
    stops_after: usize,
    /// Whether DONE ever comes.
    tells_done: bool,
}

impl SpiModel {
    /// A bus on which a byte takes so many looks at `CS`.
    pub(crate) fn new(looks_per_byte: u32) -> Self {
        Self {
            cs: Cell::new(0),
            clk: Cell::new(0),
            transmit: RefCell::default(),
            receive: RefCell::default(),
            sent: RefCell::default(),
            controls: RefCell::default(),
            looks_per_byte,
            looks: Cell::new(0),
            stops_after: usize::MAX,
            tells_done: true,
        }
    }

    /// The same, with a clock that stops after so many bytes.
    pub(crate) fn stopping_after(bytes: usize) -> Self {
        Self { stops_after: bytes, ..Self::new(1) }
    }

    /// The same, never done.
    pub(crate) fn never_done() -> Self {
        Self { tells_done: false, ..Self::new(1) }
    }

    /// What the device answers to a byte.
    pub(crate) fn answer(byte: u8) -> u8 {
        byte.wrapping_mul(7).wrapping_add(3)
    }

    /// `CLK`.
    pub(crate) fn clk(&self) -> u32 {
        self.clk.get()
    }

    /// `CS` as it was written last.
    pub(crate) fn last_control(&self) -> u32 {
        self.cs.get()
    }

    fn is_done(&self) -> bool {
        self.tells_done && self.transmit.borrow().is_empty() && self.cs.get() & TA != 0
    }

    /// A byte goes over the wire, if one can.
    fn shift(&self) -> bool {
        let is_possible = self.cs.get() & TA != 0
            && self.receive.borrow().len() < FIFO_BYTES
            && self.sent.borrow().len() < self.stops_after;
        let Some(byte) = is_possible.then(|| self.transmit.borrow_mut().pop_front()).flatten() else { return false };
        self.sent.borrow_mut().push(byte);
        self.receive.borrow_mut().push_back(Self::answer(byte));
        true
    }
}

impl asleep::Device for SpiModel {
    /// A byte takes no longer.
    fn pass_us(&self) {
        self.shift();
    }

    fn is_requesting(&self) -> bool {
        self.cs.get() & INTD != 0 && self.is_done()
    }
}

impl Port for &SpiModel {
    fn cs(&self) -> u32 {
        self.looks.set(self.looks.get() + 1);
        if self.looks.get().is_multiple_of(self.looks_per_byte) {
            self.shift();
        }
        let txd = if self.transmit.borrow().len() < FIFO_BYTES { TXD } else { 0 };
        let rxd = if self.receive.borrow().is_empty() { 0 } else { RXD };
        self.cs.get() & !DONE | txd | rxd | if self.is_done() { DONE } else { 0 }
    }

    fn set_cs(&mut self, value: u32) {
        self.controls.borrow_mut().push(value);
        self.cs.set(value & !(CLEAR_TX | CLEAR_RX));
        if value & CLEAR_TX != 0 {
            self.transmit.borrow_mut().clear();
        }
        if value & CLEAR_RX != 0 {
            self.receive.borrow_mut().clear();
        }
    }

    fn take(&mut self) -> u8 {
        self.receive.borrow_mut().pop_front().expect("a byte is taken from an empty FIFO")
    }

    fn put(&mut self, byte: u8) {
        assert!(self.cs.get() & TA != 0, "a byte is put without an active transfer");
        assert!(self.transmit.borrow().len() < FIFO_BYTES, "a byte is put into a full FIFO");
        self.transmit.borrow_mut().push_back(byte);
        assert!(
            self.transmit.borrow().len() + self.receive.borrow().len() <= FIFO_BYTES,
            "more bytes are under way than the receive FIFO takes"
        );
    }

    fn set_clk(&mut self, divider: u32) {
        self.clk.set(divider);
    }
}
