// SPDX-License-Identifier: MIT OR Apache-2.0
//! A channel of the DMA controller `[BCM2711 4]`, `[HW 8.5]`: it moves words by itself and interrupts at the end.
//!
//! This driver knows registers and control blocks, not memory: that the buffers stay where they are, that nobody touches
//! them meanwhile and that the caches agree is the caller's part.

mod control_block;

pub use control_block::{ControlBlock, Endpoint};

use core::fmt;

use tock_registers::interfaces::{Readable, Writeable};
use tock_registers::registers::{Aliased, ReadOnly, ReadWrite};
use tock_registers::{register_bitfields, register_structs};

use crate::clock::{Clock, Deadline};

register_bitfields![u32,
    /// Control and status [BCM2711 4.2], [HW 8.5]. As read.
    CS [
        /// Something went wrong; DEBUG says what.
        ERROR OFFSET(8) NUMBITS(1) [],
        /// The answer to a write is outstanding.
        WAITING_FOR_OUTSTANDING_WRITES OFFSET(6) NUMBITS(1) [],
        /// The interrupt is requested.
        INT OFFSET(2) NUMBITS(1) [],
        /// The channel runs.
        ACTIVE OFFSET(0) NUMBITS(1) []
    ],
    /// Control and status, as written: END and INT are cleared by ones.
    CS_WRITE [
        /// Forgets everything; one shot.
        RESET OFFSET(31) NUMBITS(1) [],
        /// Do not end before all writes are answered.
        WAIT_FOR_OUTSTANDING_WRITES OFFSET(28) NUMBITS(1) [],
        /// Clear the interrupt.
        INT OFFSET(2) NUMBITS(1) [],
        /// Clear the end.
        END OFFSET(1) NUMBITS(1) [],
        /// Run; 0 pauses.
        ACTIVE OFFSET(0) NUMBITS(1) []
    ],
    /// What went wrong [BCM2711 4.2]; cleared by ones.
    DEBUG [
        /// Read, FIFO and last-not-set error.
        ERRORS OFFSET(0) NUMBITS(3) []
    ]
];

register_structs! {
    /// The registers of one channel `[BCM2711 4.2]`, `[HW 8.5]`.
    #[allow(non_snake_case, reason = "the register names are the manual's")]
    pub DmaRegisters {
        /// Control and status.
        (0x00 => CS: Aliased<u32, CS::Register, CS_WRITE::Register>),
        /// The bus address of the control block; 0 when there is nothing left to do.
        (0x04 => CONBLK_AD: ReadWrite<u32>),
        /// Transfer information of the block under way, as are the next five.
        (0x08 => TI: ReadOnly<u32>),
        /// Source address.
        (0x0C => SOURCE_AD: ReadOnly<u32>),
        /// Destination address.
        (0x10 => DEST_AD: ReadOnly<u32>),
        /// The bytes that are left.
        (0x14 => TXFR_LEN: ReadOnly<u32>),
        /// Stride.
        (0x18 => STRIDE: ReadOnly<u32>),
        /// The next control block.
        (0x1C => NEXTCONBK: ReadOnly<u32>),
        /// Errors.
        (0x20 => DEBUG: ReadWrite<u32, DEBUG::Register>),
        (0x24 => @END),
    }
}

/// How long the answers to writes under way may take, in µs.
const PATIENCE_US: u64 = 1_000;

/// What a channel is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It has nothing to do.
    Idle,
    /// It moves data, or waits for a device to ask for some.
    Running {
        /// The bytes of the block that are left.
        left_bytes: u32,
    },
    /// It met an error.
    Failed(Fault),
}

/// An error that a channel met on the bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The low three bits of `DEBUG`: 0 read last not set, 1 FIFO, 2 read.
    pub debug: u32,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "dma: the channel met an error on the bus (DEBUG {:#x}: 1 last not set, 2 FIFO, 4 read); check that the \
             device that it reads or writes is there and on",
            self.debug
        )
    }
}

impl core::error::Error for Fault {}

/// A channel that did not stop: the answer to a write is outstanding, so memory may still be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stuck;

impl fmt::Display for Stuck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "dma: the channel does not stop, since the answer to a write is outstanding; leave its buffers to it, and \
             restart the board",
        )
    }
}

impl core::error::Error for Stuck {}

/// A channel. It has one owner; its interrupt handler may hold a second driver for [`Channel::acknowledge`].
pub struct Channel<'a> {
    registers: &'a DmaRegisters,
}

impl<'a> Channel<'a> {
    /// A driver for these registers.
    #[must_use]
    pub const fn new(registers: &'a DmaRegisters) -> Self {
        Self { registers }
    }

    /// Starts the transfer that a control block describes, given its bus address, a multiple of 32.
    ///
    /// The caller has cleaned the caches over the block and the buffers and issued the barrier.
    #[allow(clippy::arithmetic_side_effects, reason = "the + of field values joins bits")]
    pub fn start(&mut self, control_block: u32) {
        let registers = self.registers;
        registers.CS.write(CS_WRITE::INT::SET + CS_WRITE::END::SET);
        self.forget_errors();
        registers.CONBLK_AD.set(control_block);
        registers.CS.write(CS_WRITE::WAIT_FOR_OUTSTANDING_WRITES::SET + CS_WRITE::ACTIVE::SET);
    }

    /// What the channel is doing. It is idle when it has no control block left; ACTIVE alone does not tell `[HW 8.5]`.
    #[must_use]
    pub fn state(&self) -> State {
        let debug = self.registers.DEBUG.read(DEBUG::ERRORS);
        if debug != 0 || self.registers.CS.is_set(CS::ERROR) {
            return State::Failed(Fault { debug });
        }
        match self.registers.CONBLK_AD.get() {
            0 => State::Idle,
            _ => State::Running { left_bytes: self.registers.TXFR_LEN.get() },
        }
    }

    /// Whether the interrupt is requested: two pairs of channels share a line.
    #[must_use]
    pub fn is_requesting(&self) -> bool {
        self.registers.CS.is_set(CS::INT)
    }

    /// Takes the interrupt request back: one write, which leaves a running channel running and an idle one idle.
    #[allow(clippy::arithmetic_side_effects, reason = "the + of field values joins bits")]
    pub fn acknowledge(&self) {
        let running = CS_WRITE::WAIT_FOR_OUTSTANDING_WRITES::SET + CS_WRITE::ACTIVE::SET;
        self.registers.CS.write(CS_WRITE::INT::SET + running);
    }

    /// Stops the channel in the midst of its transfer: pauses it, waits until the writes under way are answered, and
    /// resets it. Afterwards it is idle and touches no memory.
    ///
    /// # Errors
    /// Where the writes are not answered in a millisecond.
    pub fn stop(&mut self, clock: &impl Clock) -> Result<(), Stuck> {
        let registers = self.registers;
        registers.CS.set(0);
        let is_quiet = Deadline::after_us(clock, PATIENCE_US)
            .wait_until(clock, || !registers.CS.is_set(CS::WAITING_FOR_OUTSTANDING_WRITES));
        if !is_quiet {
            return Err(Stuck);
        }
        registers.CS.write(CS_WRITE::RESET::SET);
        registers.CONBLK_AD.set(0);
        self.forget_errors();
        Ok(())
    }

    /// Clears the errors that stand. QEMU, which makes none, would keep the ones that clear them as errors.
    fn forget_errors(&mut self) {
        let errors = self.registers.DEBUG.read(DEBUG::ERRORS);
        if errors != 0 {
            self.registers.DEBUG.write(DEBUG::ERRORS.val(errors));
        }
    }
}
