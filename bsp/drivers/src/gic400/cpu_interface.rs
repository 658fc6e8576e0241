// SPDX-License-Identifier: MIT OR Apache-2.0
//! The CPU interface: what one core acknowledges and ends. Every core sees its own at the same address.

use tock_registers::interfaces::{Readable, Writeable};
use tock_registers::registers::{ReadOnly, ReadWrite, WriteOnly};
use tock_registers::{register_bitfields, register_structs};

use super::{Intid, PriorityMask};

register_bitfields![u32,
    /// The non-secure view [GIC2 4.4.1].
    GICC_CTLR [
        /// Signal Group 1 interrupts to the core.
        EnableGrp1 OFFSET(0) NUMBITS(1) [],
        /// 0: a write to GICC_EOIR drops the priority and deactivates. 1: GICC_DIR deactivates.
        EOImodeNS OFFSET(9) NUMBITS(1) []
    ],
    /// [GIC2 4.4.4]
    GICC_IAR [
        /// The acknowledged interrupt, or 1020..=1023.
        InterruptID OFFSET(0) NUMBITS(10) [],
        /// For an SGI the core that sent it, else 0.
        CPUID OFFSET(10) NUMBITS(3) []
    ]
];

register_structs! {
    /// The registers of the CPU interface `[GIC2 4.1.3]`, at offset 0x2000 of the GIC-400, banked by core.
    #[allow(non_snake_case, reason = "the register names are the manual's")]
    pub CpuInterfaceRegisters {
        /// CPU Interface Control Register.
        (0x0000 => GICC_CTLR: ReadWrite<u32, GICC_CTLR::Register>),
        /// Interrupt Priority Mask Register.
        (0x0004 => GICC_PMR: ReadWrite<u32>),
        /// Binary Point Register.
        (0x0008 => GICC_BPR: ReadWrite<u32>),
        /// Interrupt Acknowledge Register: the read makes the interrupt active.
        (0x000C => GICC_IAR: ReadOnly<u32, GICC_IAR::Register>),
        /// End of Interrupt Register.
        (0x0010 => GICC_EOIR: WriteOnly<u32>),
        /// Running Priority Register.
        (0x0014 => GICC_RPR: ReadOnly<u32>),
        /// Highest Priority Pending Interrupt Register.
        (0x0018 => GICC_HPPIR: ReadOnly<u32>),
        /// Aliased Binary Point Register.
        (0x001C => GICC_ABPR: ReadWrite<u32>),
        /// Aliased Interrupt Acknowledge Register, secure side only.
        (0x0020 => GICC_AIAR: ReadOnly<u32>),
        /// Aliased End of Interrupt Register, secure side only.
        (0x0024 => GICC_AEOIR: WriteOnly<u32>),
        /// Aliased Highest Priority Pending Interrupt Register, secure side only.
        (0x0028 => GICC_AHPPIR: ReadOnly<u32>),
        (0x002C => _reserved_2c),
        /// Active Priorities Registers.
        (0x00D0 => GICC_APR: [ReadWrite<u32>; 4]),
        /// Non-secure Active Priorities Registers.
        (0x00E0 => GICC_NSAPR: [ReadWrite<u32>; 4]),
        (0x00F0 => _reserved_f0),
        /// CPU Interface Identification Register.
        (0x00FC => GICC_IIDR: ReadOnly<u32>),
        (0x0100 => _reserved_100),
        /// Deactivate Interrupt Register.
        (0x1000 => GICC_DIR: WriteOnly<u32>),
        (0x1004 => @END),
    }
}

/// The calling core's CPU interface. The board makes one per core; it must not travel to another core.
pub struct CpuInterface<'a> {
    registers: &'a CpuInterfaceRegisters,
}

impl<'a> CpuInterface<'a> {
    /// A driver for this core's registers.
    #[must_use]
    pub const fn new(registers: &'a CpuInterfaceRegisters) -> Self {
        Self { registers }
    }

    /// Lets interrupts of more urgent priority than the mask through to this core.
    ///
    /// Every level preempts every less urgent one: the binary point is asked for 0 and the GIC keeps its minimum, 3 on
    /// the board `[GIC2 4.4.3]`, `[HW 3.2]`. One write ends and deactivates an interrupt (EOImodeNS 0). Called by the
    /// board once on every core with `DAIF.I` masked; `dsb sy` before it is unmasked `[HW 3.2]`.
    pub fn enable(&mut self, mask: PriorityMask) {
        self.registers.GICC_PMR.set(u32::from(mask.0));
        self.registers.GICC_BPR.set(0);
        self.registers.GICC_CTLR.write(GICC_CTLR::EnableGrp1::SET);
    }

    /// Acknowledges the most urgent pending interrupt, which becomes active: one load `[GIC2 4.4.4]`.
    ///
    /// Called by the interrupt handler. The token tells which interrupt, if any, and is handed to [`CpuInterface::end`].
    #[inline(always)]
    pub fn acknowledge(&mut self) -> Acknowledged {
        Acknowledged { word: self.registers.GICC_IAR.get() }
    }

    /// Ends an interrupt: drops the running priority and deactivates it, one store of the whole acknowledged word
    /// `[GIC2 4.4.5]`.
    ///
    /// Nested interrupts are ended in the reverse order of their acknowledgement. A level source is cleared at its
    /// device first, then `dsb st`, then this, or it fires again at once `[HW 3.2]`. A token that
    /// [is no interrupt](Acknowledged::is_interrupt) has nothing to end: drop it instead.
    #[inline(always)]
    pub fn end(&mut self, token: Acknowledged) {
        self.registers.GICC_EOIR.set(token.word);
    }

    /// The priority byte of the most urgent active interrupt on this core, `level << 4` `[GIC2 4.4.6]`.
    /// With none active it is the idle priority: 0xFF, or 0xF0 where only four bits are there.
    #[must_use]
    pub fn running_priority(&self) -> u8 {
        (self.registers.GICC_RPR.get() & 0xFF) as u8
    }

    /// The CPU interface's identification, 0x0202_143B on a GIC-400 `[HW 3.2]`.
    #[must_use]
    pub fn identification(&self) -> u32 {
        self.registers.GICC_IIDR.get()
    }
}

/// The proof that an acknowledge register was read: all of its word, to be handed back to [`CpuInterface::end`].
#[derive(Debug, PartialEq, Eq)]
#[must_use = "an acknowledged interrupt stays active until CpuInterface::end is given this token"]
pub struct Acknowledged {
    word: u32,
}

impl Acknowledged {
    /// The interrupt's number; 1020..=1023 when there is none.
    #[must_use]
    #[inline(always)]
    pub const fn intid(&self) -> Intid {
        Intid((self.word & 0x3FF) as u16)
    }

    /// The core that sent a software generated interrupt; `None` for the others.
    #[must_use]
    #[inline]
    pub fn source_core(&self) -> Option<u8> {
        self.intid().is_sgi().then_some(((self.word >> 10) & 0b111) as u8)
    }

    /// Whether there is an interrupt to handle and to end.
    #[must_use]
    #[inline(always)]
    pub const fn is_interrupt(&self) -> bool {
        self.word & 0x3FF < 1020
    }

    /// What the acknowledge register said, for those who count it.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        match self.word & 0x3FF {
            0..=1019 => Kind::Interrupt,
            1022 => Kind::Group1Hidden,
            _ => Kind::Spurious,
        }
    }
}

/// The three answers of the acknowledge register `[GIC2 3.2.5]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An interrupt, now active.
    Interrupt,
    /// 1022: a Group 1 interrupt is pending, but this read came from the secure side. Someone wrote `GICD_IGROUPR`.
    Group1Hidden,
    /// 1023 (and the reserved 1020, 1021): nothing was pending any more.
    Spurious,
}
