// SPDX-License-Identifier: MIT OR Apache-2.0
//! The distributor: which interrupt goes where, how urgent it is, and whether it may.

use tock_registers::interfaces::{Readable, Writeable};
use tock_registers::registers::{Aliased, ReadOnly, ReadWrite, WriteOnly};
use tock_registers::{RegisterLongName, register_bitfields, register_structs};

use super::{CoreSet, GicError, Intid, Priority};

register_bitfields![u32,
    /// The non-secure view [GIC2 4.3.1].
    GICD_CTLR [
        /// Forward pending Group 1 interrupts to the CPU interfaces.
        EnableGrp1 OFFSET(0) NUMBITS(1) []
    ],
    /// [GIC2 4.3.2]
    GICD_TYPER [
        /// There are 32 * (this + 1) INTIDs, at most 1020.
        ITLinesNumber OFFSET(0) NUMBITS(5) []
    ],
    /// [GIC2 4.3.15]
    GICD_SGIR [
        /// Who gets it.
        TargetListFilter OFFSET(24) NUMBITS(2) [
            List = 0b00,
            AllOthers = 0b01,
            Myself = 0b10
        ],
        /// The list of cores, one bit each.
        CPUTargetList OFFSET(16) NUMBITS(8) [],
        /// The SGI, 0..=15.
        SGIINTID OFFSET(0) NUMBITS(4) []
    ]
];

/// Names what a read of a set register means: the present state, one bit a line.
struct State;
impl RegisterLongName for State {}

/// Names what a write to a set register means: ones act, zeros do nothing. It differs from [`State`], so that
/// tock-registers offers no read-modify-write `[HW 11]`, pitfall 5.
struct Ones;
impl RegisterLongName for Ones {}

register_structs! {
    /// The registers of the distributor `[GIC2 4.1.2]`, at offset 0x1000 of the GIC-400. Word 0 of each bank (bytes
    /// 0 to 31, `GICD_ICFGR` words 0 and 1) is banked by core.
    #[allow(non_snake_case, reason = "the register names are the manual's")]
    pub DistributorRegisters {
        /// Distributor Control Register.
        (0x000 => GICD_CTLR: ReadWrite<u32, GICD_CTLR::Register>),
        /// Interrupt Controller Type Register.
        (0x004 => GICD_TYPER: ReadOnly<u32, GICD_TYPER::Register>),
        /// Distributor Implementer Identification Register.
        (0x008 => GICD_IIDR: ReadOnly<u32>),
        (0x00C => _reserved_00c),
        // 0x080 to 0x0FF are GICD_IGROUPR, which nobody here may touch.
        /// Interrupt Set-Enable Registers.
        (0x100 => GICD_ISENABLER: [Aliased<u32, State, Ones>; 32]),
        /// Interrupt Clear-Enable Registers.
        (0x180 => GICD_ICENABLER: [WriteOnly<u32>; 32]),
        /// Interrupt Set-Pending Registers.
        (0x200 => GICD_ISPENDR: [Aliased<u32, State, Ones>; 32]),
        /// Interrupt Clear-Pending Registers.
        (0x280 => GICD_ICPENDR: [WriteOnly<u32>; 32]),
        /// Interrupt Set-Active Registers.
        (0x300 => GICD_ISACTIVER: [Aliased<u32, State, Ones>; 32]),
        /// Interrupt Clear-Active Registers.
        (0x380 => GICD_ICACTIVER: [WriteOnly<u32>; 32]),
        /// Interrupt Priority Registers, byte-accessible.
        (0x400 => GICD_IPRIORITYR: [ReadWrite<u8>; 1020]),
        (0x7FC => _reserved_7fc),
        /// Interrupt Processor Targets Registers, byte-accessible; bytes 0 to 31 are read-only.
        (0x800 => GICD_ITARGETSR: [ReadWrite<u8>; 1020]),
        (0xBFC => _reserved_bfc),
        /// Interrupt Configuration Registers, two bits a line.
        (0xC00 => GICD_ICFGR: [ReadWrite<u32>; 64]),
        (0xD00 => _reserved_d00),
        /// Software Generated Interrupt Register.
        (0xF00 => GICD_SGIR: WriteOnly<u32, GICD_SGIR::Register>),
        (0xF04 => _reserved_f04),
        /// SGI Clear-Pending Registers: byte n is SGI n, bit c is sender c.
        (0xF10 => GICD_CPENDSGIR: [WriteOnly<u8>; 16]),
        /// SGI Set-Pending Registers: byte n is SGI n, bit c is sender c.
        (0xF20 => GICD_SPENDSGIR: [WriteOnly<u8>; 16]),
        (0xF30 => _reserved_f30),
        (0x1000 => @END),
    }
}

/// All lines of a one-bit-a-line register.
const ALL: u32 = u32::MAX;
/// The SGIs in word 0 of a one-bit-a-line register; the other half are the PPIs.
const SGIS: u32 = 0x0000_FFFF;

/// How many lines share a register, as a power of two: a byte, a bit, a pair of bits.
const ONE_BYTE: u32 = 0;
const ONE_BIT: u32 = 5;
const TWO_BITS: u32 = 4;

/// What makes a shared interrupt pending `[GIC2 4.3.13]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trigger {
    /// As long as the device holds the line: all peripherals of the BCM2711 `[HW 3.2]`.
    Level,
    /// Once for each rising edge.
    Edge,
}

/// Who gets a software generated interrupt `[GIC2 4.3.15]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SgiTarget {
    /// These cores.
    Cores(CoreSet),
    /// Every core but the sender.
    AllOthers,
    /// The sender.
    Myself,
}

/// The one distributor. Each core may hold its own driver for it: what takes `&self` can be called from any core at any
/// time, what takes `&mut self` is for one core while the others leave the same lines alone.
pub struct Distributor<'a> {
    registers: &'a DistributorRegisters,
}

impl<'a> Distributor<'a> {
    /// A driver for these registers.
    #[must_use]
    pub const fn new(registers: &'a DistributorRegisters) -> Self {
        Self { registers }
    }

    /// How many INTIDs there are, 32..=1020; valid ones are below `[GIC2 4.3.2]`.
    #[must_use]
    pub fn line_count(&self) -> u16 {
        let words = self.registers.GICD_TYPER.read(GICD_TYPER::ITLinesNumber).wrapping_add(1);
        words.wrapping_mul(32).min(1020) as u16
    }

    /// Stops forwarding and brings every shared line to a known state: disabled, neither pending nor active,
    /// [`Priority::AFTER_RESET`], target core 0, level. Called by core 0 once at boot, `dsb sy` after it.
    pub fn reset_shared(&mut self) {
        let lines = usize::from(self.line_count());
        let words = lines.div_ceil(32);
        self.registers.GICD_CTLR.set(0);
        for bank in [&self.registers.GICD_ICENABLER, &self.registers.GICD_ICPENDR, &self.registers.GICD_ICACTIVER] {
            bank.iter().take(words).skip(1).for_each(|register| register.set(ALL));
        }
        for register in self.registers.GICD_IPRIORITYR.iter().take(lines).skip(32) {
            register.set(Priority::AFTER_RESET.byte());
        }
        for register in self.registers.GICD_ITARGETSR.iter().take(lines).skip(32) {
            register.set(CoreSet::only(0).bits());
        }
        self.registers.GICD_ICFGR.iter().take(lines.div_ceil(16)).skip(2).for_each(|register| register.set(0));
    }

    /// Brings the calling core's own lines to a known state: nothing pending or active, [`Priority::AFTER_RESET`], SGIs
    /// enabled, PPIs disabled. Their triggers are fixed and left alone `[HW 3.2]`. Called by every core once at boot,
    /// `dsb sy` after it.
    pub fn reset_banked(&mut self) {
        let ([enable, ..], [disable, ..]) = (&self.registers.GICD_ISENABLER, &self.registers.GICD_ICENABLER);
        let ([pending, ..], [active, ..]) = (&self.registers.GICD_ICPENDR, &self.registers.GICD_ICACTIVER);
        disable.set(ALL);
        pending.set(!SGIS);
        self.registers.GICD_CPENDSGIR.iter().for_each(|senders| senders.set(u8::MAX));
        active.set(ALL);
        for register in self.registers.GICD_IPRIORITYR.iter().take(32) {
            register.set(Priority::AFTER_RESET.byte());
        }
        enable.set(SGIS);
    }

    /// Starts forwarding enabled interrupts to the cores. Called once, after the resets, `dsb sy` after it.
    pub fn enable_forwarding(&mut self) {
        self.registers.GICD_CTLR.write(GICD_CTLR::EnableGrp1::SET);
    }

    /// Gives a line its urgency `[GIC2 4.3.11]`. One byte is written, the neighbours keep theirs.
    pub fn set_priority(&self, intid: Intid, priority: Priority) -> Result<(), GicError> {
        self.find(&self.registers.GICD_IPRIORITYR, intid, ONE_BYTE)?.set(priority.byte());
        Ok(())
    }

    /// Chooses the cores that a shared line interrupts; one of them takes it `[GIC2 4.3.12]`.
    pub fn set_targets(&self, intid: Intid, cores: CoreSet) -> Result<(), GicError> {
        let register = self.find(&self.registers.GICD_ITARGETSR, Self::shared(intid)?, ONE_BYTE)?;
        if cores == CoreSet::EMPTY {
            return Err(GicError::NoTarget { intid });
        }
        register.set(cores.bits());
        Ok(())
    }

    /// Chooses what makes a shared line pending. The line must be disabled `[GIC2 4.3.13]`.
    pub fn set_trigger(&mut self, intid: Intid, trigger: Trigger) -> Result<(), GicError> {
        let register = self.find(&self.registers.GICD_ICFGR, Self::shared(intid)?, TWO_BITS)?;
        let edge = 0b10_u32.wrapping_shl(u32::from(intid.number() % 16).wrapping_mul(2));
        let others = register.get() & !edge;
        register.set(match trigger {
            Trigger::Level => others,
            Trigger::Edge => others | edge,
        });
        Ok(())
    }

    /// Lets a line through to its targets `[GIC2 4.3.5]`.
    pub fn enable(&self, intid: Intid) -> Result<(), GicError> {
        self.find(&self.registers.GICD_ISENABLER, intid, ONE_BIT)?.set(intid.bit());
        Ok(())
    }

    /// Keeps a line back; it can still become pending `[GIC2 4.3.6]`.
    pub fn disable(&self, intid: Intid) -> Result<(), GicError> {
        self.find(&self.registers.GICD_ICENABLER, intid, ONE_BIT)?.set(intid.bit());
        Ok(())
    }

    /// Whether a line is enabled.
    pub fn is_enabled(&self, intid: Intid) -> Result<bool, GicError> {
        Ok(self.find(&self.registers.GICD_ISENABLER, intid, ONE_BIT)?.get() & intid.bit() != 0)
    }

    /// Makes a line pending as if its device had asked `[GIC2 4.3.7]`. Set the targets of a shared line first: QEMU
    /// loses it otherwise `[HW 12]`. An SGI is refused, it has a sender: [`Distributor::send_sgi`].
    pub fn set_pending(&self, intid: Intid) -> Result<(), GicError> {
        if intid.is_sgi() {
            return Err(GicError::IsSgi { intid });
        }
        self.find(&self.registers.GICD_ISPENDR, intid, ONE_BIT)?.set(intid.bit());
        Ok(())
    }

    /// Withdraws what is pending on a line, of an SGI what any core sent to this one `[GIC2 4.3.8]`, `[GIC2 4.3.16]`.
    /// A level line that its device still holds stays pending.
    pub fn clear_pending(&self, intid: Intid) -> Result<(), GicError> {
        if intid.is_sgi() {
            self.find(&self.registers.GICD_CPENDSGIR, intid, ONE_BYTE)?.set(u8::MAX);
        } else {
            self.find(&self.registers.GICD_ICPENDR, intid, ONE_BIT)?.set(intid.bit());
        }
        Ok(())
    }

    /// Whether a line is pending, on the calling core if it is private `[GIC2 4.3.7]`.
    pub fn is_pending(&self, intid: Intid) -> Result<bool, GicError> {
        Ok(self.find(&self.registers.GICD_ISPENDR, intid, ONE_BIT)?.get() & intid.bit() != 0)
    }

    /// Interrupts cores from software: one store, from any core. What the receiver shall read is stored before it, with
    /// a `dmb ishst` between `[GIC2 4.3.15]`.
    #[inline]
    #[allow(clippy::arithmetic_side_effects, reason = "the + of field values joins bits")]
    pub fn send_sgi(&self, intid: Intid, target: SgiTarget) -> Result<(), GicError> {
        if !intid.is_sgi() {
            return Err(GicError::NotAnSgi { intid });
        }
        let (filter, list) = match target {
            SgiTarget::Cores(CoreSet::EMPTY) => return Err(GicError::NoTarget { intid }),
            SgiTarget::Cores(cores) => (GICD_SGIR::TargetListFilter::List, cores.bits()),
            SgiTarget::AllOthers => (GICD_SGIR::TargetListFilter::AllOthers, 0),
            SgiTarget::Myself => (GICD_SGIR::TargetListFilter::Myself, 0),
        };
        self.registers.GICD_SGIR.write(
            filter + GICD_SGIR::CPUTargetList.val(u32::from(list)) + GICD_SGIR::SGIINTID.val(u32::from(intid.number())),
        );
        Ok(())
    }

    /// How many priority bits the GIC keeps: 4 on the board (non-secure view), 8 in QEMU `[HW 12]`. Found by writing
    /// 0xFF to the priority of a line that must be unused and disabled, and restoring it `[GIC2 4.3.11]`.
    pub fn priority_bits(&mut self, unused: Intid) -> Result<u32, GicError> {
        let register = self.find(&self.registers.GICD_IPRIORITYR, unused, ONE_BYTE)?;
        let before = register.get();
        register.set(u8::MAX);
        let kept = register.get();
        register.set(before);
        Ok(kept.count_ones())
    }

    /// The INTID if it is shared.
    fn shared(intid: Intid) -> Result<Intid, GicError> {
        if intid.is_shared() { Ok(intid) } else { Err(GicError::NotShared { intid }) }
    }

    /// The register of a bank that holds a line, with 2^`lines_log2` lines in a register.
    fn find<'r, R>(&self, bank: &'r [R], intid: Intid, lines_log2: u32) -> Result<&'r R, GicError> {
        let line_count = self.line_count();
        let index = usize::from(intid.number().wrapping_shr(lines_log2));
        bank.get(index).filter(|_| intid.number() < line_count).ok_or(GicError::NoSuchLine { intid, line_count })
    }
}
