// SPDX-License-Identifier: MIT OR Apache-2.0
//! A model of SPI0 with its two FIFOs, and of a device that answers each byte with another.
//!
//! It fails the test where the driver does what loses bytes on a board: puts a byte into a full FIFO or without an active
//! transfer, takes one from an empty FIFO. So it does where a DMA channel moves a word that the controller does not request.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

use takt_drivers::spi::Port;

use crate::asleep;

const FIFO_BYTES: usize = 64;
const TXD: u32 = 1 << 18;
const RXD: u32 = 1 << 17;
const DONE: u32 = 1 << 16;
const INTD: u32 = 1 << 9;
const DMAEN: u32 = 1 << 8;
const TA: u32 = 1 << 7;
const CLEAR_TX: u32 = 1 << 4;
const CLEAR_RX: u32 = 1 << 5;

/// The controller and the device.
pub(crate) struct SpiModel {
    cs: Cell<u32>,
    clk: Cell<u32>,
    dlen: Cell<u16>,
    dc: Cell<u32>,
    /// How many bytes of a transfer by DMA were put.
    put_bytes: Cell<usize>,
    /// Whether TA goes with the last byte of a transfer by DMA.
    ends_itself: Cell<bool>,
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
            dlen: Cell::new(0),
            dc: Cell::new(0),
            put_bytes: Cell::new(0),
            ends_itself: Cell::new(false),
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

    /// `DLEN` and `DC`.
    pub(crate) fn dma_settings(&self) -> (u16, u32) {
        (self.dlen.get(), self.dc.get())
    }

    /// TA goes with the last byte of a transfer by DMA.
    pub(crate) fn end_by_itself(&self) {
        self.ends_itself.set(true);
    }

    /// Whether the transmit channel is asked for a word. The controller goes on to ask after the last one, as a board does.
    pub(crate) fn requests_word(&self) -> bool {
        let level = self.dc.get() & 0xFF;
        self.cs.get() & (DMAEN | TA) == DMAEN | TA && self.transmit.borrow().len() <= level as usize
    }

    /// Whether the receive channel is asked to take a word: more than the level, or anything after the last byte.
    pub(crate) fn offers_word(&self) -> bool {
        let level = self.dc.get() >> 16 & 0xFF;
        let waiting = self.receive.borrow().len();
        let is_over = self.sent.borrow().len() >= usize::from(self.dlen.get());
        self.cs.get() & DMAEN != 0 && (waiting > level as usize || is_over && waiting > 0)
    }

    /// The transmit channel writes a word: of the last one, as many bytes count as `DLEN` has left.
    pub(crate) fn put_word(&self, word: [u8; 4]) {
        assert!(self.cs.get() & TA != 0, "a word without TA is taken for DLEN and CS");
        assert!(self.requests_word(), "a word that was not asked for");
        let left = usize::from(self.dlen.get()) - self.put_bytes.get();
        assert!(left > 0, "a word after the last");
        let bytes = left.min(4);
        self.transmit.borrow_mut().extend(&word[..bytes]);
        self.put_bytes.set(self.put_bytes.get() + bytes);
        assert!(self.transmit.borrow().len() <= FIFO_BYTES, "a word is put into a full FIFO");
    }

    /// The receive channel reads a word: the last one is filled up with what is no byte of the transfer.
    pub(crate) fn take_word(&self) -> [u8; 4] {
        assert!(self.offers_word(), "a word that was not offered");
        let mut receive = self.receive.borrow_mut();
        std::array::from_fn(|_| receive.pop_front().unwrap_or(0xAA))
    }

    /// A byte goes over the wire, if one can.
    pub(crate) fn shift(&self) -> bool {
        let is_possible = self.cs.get() & TA != 0
            && self.receive.borrow().len() < FIFO_BYTES
            && self.sent.borrow().len() < self.stops_after;
        let Some(byte) = is_possible.then(|| self.transmit.borrow_mut().pop_front()).flatten() else { return false };
        self.sent.borrow_mut().push(byte);
        self.receive.borrow_mut().push_back(Self::answer(byte));
        let is_last = self.sent.borrow().len() == usize::from(self.dlen.get());
        if self.ends_itself.get() && is_last {
            self.cs.set(self.cs.get() & !TA);
        }
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

    fn set_dlen(&mut self, bytes: u16) {
        assert!(self.cs.get() & TA == 0, "DLEN is changed under an active transfer");
        self.dlen.set(bytes);
        self.put_bytes.set(0);
    }

    fn set_dc(&mut self, levels: u32) {
        self.dc.set(levels);
    }
}
