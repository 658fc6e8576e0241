// SPDX-License-Identifier: MIT OR Apache-2.0
//! A model of a BSC with its FIFO of 16 bytes, and of a device on its bus.
//!
//! It fails the test where the driver does what a board punishes: fills the FIFO before the transfer is active, puts a byte
//! into a full FIFO, takes one from an empty FIFO, enables the controller without starting a transfer.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

use takt_drivers::i2c::Port;

use crate::asleep::Device;

const FIFO_BYTES: usize = 16;
const I2CEN: u32 = 1 << 15;
const INTR: u32 = 1 << 10;
const INTT: u32 = 1 << 9;
const INTD: u32 = 1 << 8;
const ST: u32 = 1 << 7;
const CLEAR: u32 = 1 << 4;
const CLKT: u32 = 1 << 9;
const ERR: u32 = 1 << 8;
const RXD: u32 = 1 << 5;
const TXD: u32 = 1 << 4;
const RXR: u32 = 1 << 3;
const TXW: u32 = 1 << 2;
const DONE: u32 = 1 << 1;
const TA: u32 = 1;

/// The address of the device.
pub(crate) const ADDRESS: u8 = 0x48;

/// What went over the bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    /// A start, with the address and whether it is to be read.
    Start(u8, bool),
    /// A start without a stop before it.
    RepeatedStart(u8, bool),
    /// A byte written.
    Written(u8),
    /// A byte read.
    Read(u8),
    /// The device did not acknowledge.
    Nack,
    /// A stop.
    Stop,
}

/// How the device behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manner {
    /// It acknowledges all and can be read without end.
    Willing,
    /// It does not acknowledge the byte of this index that is written.
    RefusesByte(usize),
    /// It holds the clock down at the byte of this index for ever, and the controller notices.
    StretchesAt(usize),
    /// The same, and the controller does not.
    HangsAt(usize),
    /// A byte takes so many µs, of which a look at `S` is one.
    Dawdles(u64),
}

/// The controller and the device.
pub(crate) struct I2cModel {
    /// The device's address.
    address: u8,
    manner: Manner,
    /// Whether a stop goes out as soon as the last byte is in the FIFO, as in QEMU.
    stops_early: bool,
    /// How many µs a byte takes, and how many are left of the present one.
    byte_us: u64,
    left_us: Cell<u64>,
    s: Cell<u32>,
    dlen: Cell<u32>,
    bytes: Cell<u32>,
    a: Cell<u32>,
    is_read: Cell<bool>,
    /// A start that waits for the end of the transfer under way: address, bytes, direction.
    next: Cell<Option<(u32, u32, bool)>>,
    fifo: RefCell<VecDeque<u8>>,
    /// What went over the bus, in order.
    pub(crate) seen: RefCell<Vec<Seen>>,
    /// DIV, DEL, CLKT.
    pub(crate) timing: Cell<(u32, u32, u32)>,
    /// What was written to `C` last.
    pub(crate) c: Cell<u32>,
    /// What was written to `C` to start a transfer, in order.
    pub(crate) starts: RefCell<Vec<u32>>,
}

impl I2cModel {
    /// A bus with a device that behaves like this.
    pub(crate) fn new(manner: Manner) -> Self {
        Self {
            address: ADDRESS,
            manner,
            stops_early: false,
            byte_us: if let Manner::Dawdles(us) = manner { us } else { 1 },
            left_us: Cell::new(0),
            s: Cell::new(0),
            dlen: Cell::new(0),
            bytes: Cell::new(0),
            a: Cell::new(0),
            is_read: Cell::new(false),
            next: Cell::new(None),
            fifo: RefCell::default(),
            seen: RefCell::default(),
            timing: Cell::default(),
            c: Cell::default(),
            starts: RefCell::default(),
        }
    }

    /// The same, without a wire: the stop does not wait for the next start.
    pub(crate) fn without_wire() -> Self {
        Self { stops_early: true, ..Self::new(Manner::Willing) }
    }

    /// A willing device at this address.
    pub(crate) fn at(address: u8) -> Self {
        Self { address, ..Self::new(Manner::Willing) }
    }

    /// The byte of this index that can be read.
    pub(crate) fn readable(index: usize) -> u8 {
        (index * 13 + index / 256 + 1) as u8
    }

    fn has(&self, bits: u32) -> bool {
        self.s.get() & bits != 0
    }

    fn see(&self, seen: Seen) {
        self.seen.borrow_mut().push(seen);
    }

    /// A transfer begins on the bus.
    fn begin(&self, (address, bytes, is_read): (u32, u32, bool), is_repeated: bool) {
        let start = if is_repeated { Seen::RepeatedStart } else { Seen::Start };
        self.see(start(address as u8, is_read));
        self.dlen.set(bytes);
        self.bytes.set(bytes);
        self.is_read.set(is_read);
        self.s.set(self.s.get() | TA);
        if address != u32::from(self.address) {
            self.see(Seen::Nack);
            self.s.set(self.s.get() | ERR);
            self.end();
        }
    }

    fn end(&self) {
        self.see(Seen::Stop);
        self.s.set(self.s.get() & !TA | DONE);
    }

    /// A byte goes over the bus, if one can.
    fn step(&self) {
        let index = (self.bytes.get() - self.dlen.get()) as usize;
        if !self.has(TA) || self.has(CLKT) || self.manner == Manner::HangsAt(index) {
            return;
        }
        if self.manner == Manner::StretchesAt(index) && self.dlen.get() > 0 {
            self.s.set(self.s.get() | CLKT);
            return;
        }
        let mut fifo = self.fifo.borrow_mut();
        if self.dlen.get() == 0 {
            match self.next.take() {
                Some(next) => self.begin(next, true),
                None => self.end(),
            }
        } else if self.is_read.get() {
            if fifo.len() < FIFO_BYTES {
                fifo.push_back(Self::readable(index));
                self.see(Seen::Read(Self::readable(index)));
                self.dlen.set(self.dlen.get() - 1);
            }
        } else if let Some(byte) = fifo.pop_front() {
            self.see(Seen::Written(byte));
            if self.manner == Manner::RefusesByte(index) {
                self.see(Seen::Nack);
                self.s.set(self.s.get() | ERR);
                self.end();
                return;
            }
            self.dlen.set(self.dlen.get() - 1);
            if self.dlen.get() == 0 && self.stops_early {
                self.end();
            }
        }
    }
}

impl Device for I2cModel {
    fn pass_us(&self) {
        if self.left_us.get() == 0 {
            self.left_us.set(self.byte_us);
        }
        self.left_us.set(self.left_us.get() - 1);
        if self.left_us.get() == 0 {
            self.step();
        }
    }

    fn is_requesting(&self) -> bool {
        let (s, c) = (self.status(), self.c.get());
        [(RXR, INTR), (TXW, INTT), (DONE, INTD)].iter().any(|(flag, request)| s & flag != 0 && c & request != 0)
    }
}

impl I2cModel {
    /// `S` as it is.
    fn status(&self) -> u32 {
        let (bytes, is_read) = (self.fifo.borrow().len(), self.is_read.get());
        // Nothing is to be written where all that is left lies in the FIFO.
        let is_wanted = !is_read && self.has(TA) && bytes < FIFO_BYTES / 4 && bytes < self.dlen.get() as usize;
        let flags = [
            (TXD, bytes < FIFO_BYTES),
            (RXD, is_read && bytes > 0),
            (RXR, is_read && bytes >= FIFO_BYTES / 4 * 3),
            (TXW, is_wanted),
        ];
        flags.iter().filter(|(_, is_set)| *is_set).fold(self.s.get(), |s, (flag, _)| s | flag)
    }
}

impl Port for &I2cModel {
    fn s(&self) -> u32 {
        match self.manner {
            Manner::Dawdles(_) => self.pass_us(),
            _ => self.step(),
        }
        self.status()
    }

    fn clear_s(&mut self, ones: u32) {
        self.s.set(self.s.get() & !(ones & (CLKT | ERR | DONE)));
    }

    fn set_c(&mut self, value: u32) {
        self.c.set(value);
        if value & CLEAR != 0 {
            self.fifo.borrow_mut().clear();
        }
        if value & I2CEN == 0 {
            self.s.set(self.s.get() & !TA);
            self.next.set(None);
            return;
        }
        assert!(value & ST != 0, "QEMU starts a transfer at every write with I2CEN");
        self.starts.borrow_mut().push(value);
        let transfer = (self.a.get(), self.dlen.get(), value & 1 != 0);
        if self.has(TA) {
            // The transfer under way counts on; what DLEN was overwritten with is the next one's.
            self.dlen.set(self.fifo.borrow().len() as u32);
            self.next.set(Some(transfer));
        } else {
            assert!(self.fifo.borrow().is_empty(), "the FIFO is filled before the transfer is active");
            self.begin(transfer, false);
        }
    }

    fn dlen(&self) -> u32 {
        self.dlen.get()
    }

    fn set_dlen(&mut self, bytes: u32) {
        self.dlen.set(bytes);
    }

    fn set_a(&mut self, address: u32) {
        self.a.set(address);
    }

    fn take(&mut self) -> u8 {
        self.fifo.borrow_mut().pop_front().expect("a byte is taken from an empty FIFO")
    }

    fn put(&mut self, byte: u8) {
        assert!(self.has(TA), "a byte is put before the transfer is active");
        assert!(self.fifo.borrow().len() < FIFO_BYTES, "a byte is put into a full FIFO");
        self.fifo.borrow_mut().push_back(byte);
        if self.stops_early {
            self.step();
        }
    }

    fn set_timing(&mut self, div: u32, del: u32, clkt: u32) {
        self.timing.set((div, del, clkt));
    }
}
