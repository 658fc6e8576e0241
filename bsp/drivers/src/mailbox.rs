// SPDX-License-Identifier: MIT OR Apache-2.0
//! The mailbox to the VideoCore firmware and its property channel: questions about clocks, memory and the board
//! `[HW 6]`.
//!
//! A conversation: start a [`Request`] in a [`PropertyBuffer`], add tags and keep the [`Slot`] of each, hand the buffer
//! to [`Mailbox::call`], then ask the buffer for the reply in each slot. A reply of `None` means that this firmware does
//! not know the tag. A call takes tens of µs to ms: never in a time-critical section.
//!
//! The VideoCore writes the buffer behind the compiler's back and past the caches. Its words are therefore volatile, and
//! the call cleans the caches before and invalidates them after, through the board's [`CacheMaintenance`].

mod board;
mod buffer;
mod tags;

pub use board::{BoardRevision, Model};
pub use buffer::{BufferFull, CommandLineTooLong, GetCommandLine, PropertyBuffer, Request, Slot};
pub use tags::{
    Clock, ClockRate, GetArmMemory, GetBoardRevision, GetClockRate, GetDmaChannels, GetFirmwareRevision,
    GetMaxClockRate, GetMeasuredClockRate, GetTemperature, GetThrottled, MAX_VALUE_WORDS, MemoryRange, SetClockRate,
    Tag, ThrottleCauses, Throttled,
};

use core::fmt;

use tock_registers::interfaces::{Readable, Writeable};
use tock_registers::registers::{ReadOnly, ReadWrite, WriteOnly};
use tock_registers::{register_bitfields, register_structs};

register_bitfields![u32,
    STATUS [
        /// No word can be written.
        FULL OFFSET(31) NUMBITS(1) [],
        /// No word can be read.
        EMPTY OFFSET(30) NUMBITS(1) []
    ]
];

register_structs! {
    /// The registers of the two mailboxes, 0 to the Arm and 1 to the VideoCore `[HW 6]`.
    #[allow(non_snake_case, reason = "the register names are the hardware's")]
    pub MailboxRegisters {
        /// Takes a word out of mailbox 0.
        (0x00 => MBOX0_READ: ReadOnly<u32>),
        (0x04 => _reserved_04),
        /// Looks at the next word of mailbox 0.
        (0x10 => MBOX0_PEEK: ReadOnly<u32>),
        /// The sender of the next word of mailbox 0.
        (0x14 => MBOX0_SENDER: ReadOnly<u32>),
        /// State of mailbox 0.
        (0x18 => MBOX0_STATUS: ReadOnly<u32, STATUS::Register>),
        /// Interrupts of mailbox 0.
        (0x1C => MBOX0_CONFIG: ReadWrite<u32>),
        /// Puts a word into mailbox 1.
        (0x20 => MBOX1_WRITE: WriteOnly<u32>),
        (0x24 => _reserved_24),
        /// State of mailbox 1.
        (0x38 => MBOX1_STATUS: ReadOnly<u32, STATUS::Register>),
        (0x3C => @END),
    }
}

/// The channel of properties, in bits 3:0 of a mailbox word; bits 31:4 are the buffer's address `[HW 6]`.
const PROPERTY_CHANNEL: u32 = 8;

/// What the board does to its data caches around a call `[HW 6]`.
pub trait CacheMaintenance {
    /// Before the VideoCore reads: every line of the buffer goes to memory and out of the caches. `dc civac` on each
    /// line, then `dsb sy`.
    fn clean(&self, buffer: &PropertyBuffer);

    /// After the VideoCore wrote: every line of the buffer, which may have been fetched again meanwhile, leaves the
    /// caches. `dsb sy`, `dc ivac` on each line, then `dsb sy`.
    fn invalidate(&self, buffer: &PropertyBuffer);
}

/// Why a call brought no reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MailboxError {
    /// The buffer's address leaves no room for the channel number. Nothing was sent.
    Misaligned {
        /// The address as the VideoCore sees it.
        bus_address: u32,
    },
    /// The time was up before the mailbox had room. Nothing was sent.
    StillFull,
    /// The time was up before the reply came. The VideoCore may still write the buffer.
    NoReply,
    /// The firmware could not read the request.
    Refused,
    /// The firmware sent the buffer back without a verdict.
    Unprocessed {
        /// The buffer's second word; 0 is that of a request.
        code: u32,
    },
}

impl fmt::Display for MailboxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Misaligned { bus_address } => write!(
                f,
                "mailbox: the buffer's bus address {bus_address:#010x} has bits in 3:0, where the channel goes; align \
                 the buffer to 64 bytes"
            ),
            Self::StillFull => f.write_str(
                "mailbox: no room for a request in time, so the firmware takes none; check that it runs, or wait longer",
            ),
            Self::NoReply => f.write_str(
                "mailbox: the firmware took the request and sent no reply in time; wait longer, and leave this buffer \
                 to it",
            ),
            Self::Refused => f.write_str(
                "mailbox: the firmware answered 0x80000001, it could not parse the request; check the sizes of its tags",
            ),
            Self::Unprocessed { code } => write!(
                f,
                "mailbox: the reply's code is {code:#010x} instead of 0x80000000; check that the buffer lies below 1 \
                 GiB, and the cache maintenance"
            ),
        }
    }
}

impl core::error::Error for MailboxError {}

/// The mailboxes. They have one owner.
pub struct Mailbox<'a> {
    registers: &'a MailboxRegisters,
}

impl<'a> Mailbox<'a> {
    /// A driver for these registers.
    #[must_use]
    pub const fn new(registers: &'a MailboxRegisters) -> Self {
        Self { registers }
    }

    /// Sends the request in the buffer and waits for the reply, by polling.
    ///
    /// `bus_address` is the buffer as the VideoCore sees it: its physical address, below 1 GiB, plus 0xC000_0000
    /// `[HW 2.2]`. `timed_out` is asked once in each round of waiting and ends the call when it says yes. What comes on
    /// other channels is thrown away. After [`MailboxError::NoReply`] the buffer is still the VideoCore's: use it no
    /// more.
    pub fn call(
        &mut self,
        buffer: &mut PropertyBuffer,
        bus_address: u32,
        cache: &impl CacheMaintenance,
        mut timed_out: impl FnMut() -> bool,
    ) -> Result<(), MailboxError> {
        if bus_address & 0xF != 0 {
            return Err(MailboxError::Misaligned { bus_address });
        }
        let message = bus_address | PROPERTY_CHANNEL;
        cache.clean(buffer);
        while self.registers.MBOX1_STATUS.is_set(STATUS::FULL) {
            if timed_out() {
                return Err(MailboxError::StillFull);
            }
        }
        self.registers.MBOX1_WRITE.set(message);
        while self.receive() != Some(message) {
            if timed_out() {
                return Err(MailboxError::NoReply);
            }
        }
        cache.invalidate(buffer);
        match buffer.code() {
            0x8000_0000 => Ok(()),
            0x8000_0001 => Err(MailboxError::Refused),
            code => Err(MailboxError::Unprocessed { code }),
        }
    }

    /// Takes a word from the VideoCore, if there is one.
    fn receive(&mut self) -> Option<u32> {
        let is_empty = self.registers.MBOX0_STATUS.is_set(STATUS::EMPTY);
        (!is_empty).then(|| self.registers.MBOX0_READ.get())
    }
}
