// SPDX-License-Identifier: MIT OR Apache-2.0
//! The loops of all transfers: bytes go out and come in, never more of them on their way than a FIFO holds.

use super::registers::CS;
use super::{Error, Port, Spi, status};
use crate::clock::Clock;
use crate::wait::Wait;

/// The bytes that fit into each FIFO `[HW 8.3]`.
const FIFO_BYTES: usize = 64;
/// What is sent where there is nothing to send.
const FILLER: u8 = 0;

impl<P: Port, T: Clock, Pins, W: Wait> Spi<P, T, Pins, W> {
    /// Sends and receives at once, as many bytes as the longer of the two has.
    pub(super) fn exchange(&mut self, read: &mut [u8], write: &[u8]) -> Result<(), Error> {
        let bytes = read.len().max(write.len());
        self.run(bytes, read, |_, at| write.get(at).copied().unwrap_or(FILLER))
    }

    /// Sends the words and receives into them: what is sent is always ahead of what is received.
    pub(super) fn exchange_in_place(&mut self, words: &mut [u8]) -> Result<(), Error> {
        self.run(words.len(), words, |words, at| words.get(at).copied().unwrap_or(FILLER))
    }

    fn run(&mut self, bytes: usize, read: &mut [u8], byte: impl Fn(&[u8], usize) -> u8) -> Result<(), Error> {
        let under_way = UnderWay { sent: 0, received: 0, bytes };
        if W::IS_BY_INTERRUPT { self.sleep_through(under_way, read, byte) } else { self.poll(under_way, read, byte) }
    }

    /// A byte in and a byte out at each look.
    fn poll(
        &mut self,
        mut under_way: UnderWay,
        read: &mut [u8],
        byte: impl Fn(&[u8], usize) -> u8,
    ) -> Result<(), Error> {
        let mut deadline = self.deadline(1);
        let mut is_last_look = false;
        while !under_way.is_done() {
            let cs = status(&self.port);
            let is_received = under_way.can_receive() && cs.is_set(CS::RXD);
            if is_received {
                let byte = self.port.take();
                under_way.receive(read, byte);
            }
            let is_sent = under_way.can_send() && cs.is_set(CS::TXD);
            if is_sent {
                self.port.put(byte(read, under_way.sent));
                under_way.sent = under_way.sent.saturating_add(1);
            }
            if is_received || is_sent {
                deadline = self.deadline(1);
                is_last_look = false;
            } else if is_last_look {
                return Err(under_way.timed_out());
            } else {
                // One look more after the deadline, for a task that was held up.
                is_last_look = deadline.has_passed(&self.clock);
            }
        }
        Ok(())
    }

    /// A FIFO out, a sleep until all of it is through, and a FIFO in.
    fn sleep_through(
        &mut self,
        mut under_way: UnderWay,
        read: &mut [u8],
        byte: impl Fn(&[u8], usize) -> u8,
    ) -> Result<(), Error> {
        while !under_way.is_done() {
            while under_way.can_send() && status(&self.port).is_set(CS::TXD) {
                self.port.put(byte(read, under_way.sent));
                under_way.sent = under_way.sent.saturating_add(1);
            }
            self.port.set_cs(self.active() | CS::INTD::SET.value);
            self.sleep_until_received(&under_way)?;
            while under_way.can_receive() && status(&self.port).is_set(CS::RXD) {
                let byte = self.port.take();
                under_way.receive(read, byte);
            }
        }
        Ok(())
    }

    /// Sleeps until a byte at least has come; all have, where it was this bus's interrupt that ended the sleep.
    fn sleep_until_received(&mut self, under_way: &UnderWay) -> Result<(), Error> {
        let patience_us = self.patience_us(FIFO_BYTES as u64);
        let deadline = self.deadline(FIFO_BYTES as u64);
        loop {
            let is_last_look = deadline.has_passed(&self.clock);
            let is_missed = !is_last_look && !self.wait.sleep(patience_us);
            let cs = status(&self.port);
            if is_missed && cs.is_set(CS::DONE) {
                return Err(Error::NoInterrupt);
            }
            if cs.is_set(CS::RXD) {
                return Ok(());
            }
            if is_last_look || is_missed {
                return Err(under_way.timed_out());
            }
        }
    }
}

/// How far a transfer has come.
struct UnderWay {
    sent: usize,
    received: usize,
    bytes: usize,
}

impl UnderWay {
    const fn is_done(&self) -> bool {
        self.received >= self.bytes
    }

    /// Whether a byte is left to be sent that the receive FIFO will have room for.
    const fn can_send(&self) -> bool {
        self.sent < self.bytes && self.sent.saturating_sub(self.received) < FIFO_BYTES
    }

    const fn can_receive(&self) -> bool {
        self.received < self.sent
    }

    /// Keeps a byte where there is room for it.
    fn receive(&mut self, read: &mut [u8], byte: u8) {
        if let Some(place) = read.get_mut(self.received) {
            *place = byte;
        }
        self.received = self.received.saturating_add(1);
    }

    const fn timed_out(&self) -> Error {
        Error::TimedOut { received_bytes: self.received, bytes: self.bytes }
    }
}
