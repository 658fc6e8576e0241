// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a channel is to do, in memory that it reads.

use tock_registers::interfaces::{Readable as _, Writeable as _};
use tock_registers::register_bitfields;
use tock_registers::registers::InMemoryRegister;

register_bitfields![u32,
    /// Transfer information [BCM2711 4.2], [HW 8.5].
    TI [
        /// Which device's request paces the transfer.
        PERMAP OFFSET(16) NUMBITS(5) [],
        /// The device's request paces the reads.
        SRC_DREQ OFFSET(10) NUMBITS(1) [],
        /// The source address advances.
        SRC_INC OFFSET(8) NUMBITS(1) [],
        /// The device's request paces the writes.
        DEST_DREQ OFFSET(6) NUMBITS(1) [],
        /// The destination address advances.
        DEST_INC OFFSET(4) NUMBITS(1) [],
        /// Waits for the answer to each write, so that the end means that the last has arrived.
        WAIT_RESP OFFSET(3) NUMBITS(1) [],
        /// Interrupt at the end.
        INTEN OFFSET(0) NUMBITS(1) []
    ]
];

/// A register of a device that asks for its data: its bus address, and the number of its request `[HW 8.5]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Endpoint {
    /// The register as the channel sees it, 0x7E00_0000 and up `[HW 2.2]`.
    pub bus_address: u32,
    /// The number of the request, 0 to 31.
    pub dreq: u8,
}

/// A control block: the words that describe one transfer, for one channel. It lies in a cache line of its own, which is
/// more than the 32 bytes to which the channel wants it aligned.
#[repr(C, align(64))]
pub struct ControlBlock {
    /// TI, source, destination, length, stride, next, and two that are reserved.
    words: [InMemoryRegister<u32>; 8],
}

impl Default for ControlBlock {
    fn default() -> Self {
        Self::new()
    }
}

impl ControlBlock {
    /// A block of zeros.
    #[must_use]
    pub const fn new() -> Self {
        Self { words: [const { InMemoryRegister::new(0) }; 8] }
    }

    /// Describes a copy of `bytes`, a multiple of 4, between two bus addresses of memory.
    #[allow(clippy::arithmetic_side_effects, reason = "the + of field values joins bits")]
    pub fn copy(&mut self, source: u32, destination: u32, bytes: u32) {
        self.fill((TI::SRC_INC::SET + TI::DEST_INC::SET).value, source, destination, bytes);
    }

    /// Describes a transfer of `bytes`, a multiple of 4, from memory to a device, a word for each of its requests.
    #[allow(clippy::arithmetic_side_effects, reason = "the + of field values joins bits")]
    pub fn send(&mut self, source: u32, to: Endpoint, bytes: u32) {
        let ti = TI::SRC_INC::SET + TI::DEST_DREQ::SET + TI::PERMAP.val(u32::from(to.dreq));
        self.fill(ti.value, source, to.bus_address, bytes);
    }

    /// Describes a transfer of `bytes`, a multiple of 4, from a device to memory, a word for each of its requests.
    #[allow(clippy::arithmetic_side_effects, reason = "the + of field values joins bits")]
    pub fn receive(&mut self, from: Endpoint, destination: u32, bytes: u32) {
        let ti = TI::DEST_INC::SET + TI::SRC_DREQ::SET + TI::PERMAP.val(u32::from(from.dreq));
        self.fill(ti.value, from.bus_address, destination, bytes);
    }

    /// Takes the interrupt from the end of the transfer just described, for a channel whose end another one's implies.
    pub fn without_interrupt(&mut self) {
        let [ti, ..] = &self.words;
        ti.set(ti.get() & !TI::INTEN::SET.value);
    }

    /// The eight words, as the channel reads them.
    #[must_use]
    pub fn words(&self) -> [u32; 8] {
        core::array::from_fn(|index| self.words.get(index).map_or(0, |word| word.get()))
    }

    /// A transfer ends with an interrupt.
    #[allow(clippy::arithmetic_side_effects, reason = "the + of field values joins bits")]
    fn fill(&mut self, ti: u32, source: u32, destination: u32, bytes: u32) {
        let ti = ti | (TI::INTEN::SET + TI::WAIT_RESP::SET).value;
        let words = [ti, source, destination, bytes, 0, 0, 0, 0];
        self.words.iter().zip(words).for_each(|(word, value)| word.set(value));
    }
}
