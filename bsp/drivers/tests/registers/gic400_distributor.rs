// SPDX-License-Identifier: MIT OR Apache-2.0
//! The distributor against the register descriptions of the GICv2 specification, section 4.3.

use takt_drivers::gic400::{CoreSet, Distributor, GicError, Intid, Priority, SgiTarget, Trigger};

use crate::words::Words;

const GICD_CTLR: usize = 0x000;
const GICD_TYPER: usize = 0x004;
const GICD_ISENABLER: usize = 0x100;
const GICD_ICENABLER: usize = 0x180;
const GICD_ISPENDR: usize = 0x200;
const GICD_ICPENDR: usize = 0x280;
const GICD_ICACTIVER: usize = 0x380;
const GICD_IPRIORITYR: usize = 0x400;
const GICD_ITARGETSR: usize = 0x800;
const GICD_ICFGR: usize = 0xC00;
const GICD_SGIR: usize = 0xF00;
const GICD_CPENDSGIR: usize = 0xF10;
const SIZE_WORDS: usize = 0x1000 / 4;

/// INTID 97: word 3, bit 1 of the one-bit registers; word 6, bits 3:2 of `GICD_ICFGR`; byte 1 of word 24.
const TIMER: Intid = Intid::new(97);

/// A distributor with 224 lines, as QEMU's: `GICD_TYPER` 0x66, `ITLinesNumber` 6.
fn device() -> Words<SIZE_WORDS> {
    let device = Words::new();
    device.put(GICD_TYPER, 0x66);
    device
}

/// The offsets of words `range` of a bank.
fn bank(base: usize, range: std::ops::Range<usize>) -> Vec<usize> {
    range.map(|word| base + word * 4).collect()
}

#[test]
fn lines_come_in_32s_up_to_1020() {
    // GICv2 4.3.2.
    let device = device();
    let distributor = Distributor::new(device.pose());
    assert_eq!(distributor.line_count(), 224);
    device.put(GICD_TYPER, 0);
    assert_eq!(distributor.line_count(), 32);
    device.put(GICD_TYPER, 0xFFFF_FFFF);
    assert_eq!(distributor.line_count(), 1020);
}

#[test]
fn reset_shared_touches_shared_lines_only() {
    // GICv2 4.3.6, 4.3.8, 4.3.10, 4.3.11, 4.3.12, 4.3.13. What is not written keeps 0x55, GICD_IGROUPR included.
    let device = Words::<SIZE_WORDS>::filled(0x5555_5555);
    device.put(GICD_TYPER, 0x66);
    Distributor::new(device.pose()).reset_shared();

    assert_eq!(device.at(GICD_CTLR), 0);
    let mut written = vec![GICD_CTLR, GICD_TYPER];
    for (base, words, value) in [
        (GICD_ICENABLER, 1..7, 0xFFFF_FFFF),
        (GICD_ICPENDR, 1..7, 0xFFFF_FFFF),
        (GICD_ICACTIVER, 1..7, 0xFFFF_FFFF),
        (GICD_IPRIORITYR, 8..56, 0xA0A0_A0A0),
        (GICD_ITARGETSR, 8..56, 0x0101_0101),
        (GICD_ICFGR, 2..14, 0),
    ] {
        let offsets = bank(base, words);
        assert!(offsets.iter().all(|&offset| device.at(offset) == value), "bank {base:#x}");
        written.extend(offsets);
    }
    assert_eq!(device.differing_from(0x5555_5555), written);
}

#[test]
fn reset_shared_of_the_largest_gic_stays_inside_its_banks() {
    // GICv2 4.3.2: ITLinesNumber 31 means 1020 lines; the priority bank ends at 0x7FC.
    let device = Words::<SIZE_WORDS>::filled(0x5555_5555);
    device.put(GICD_TYPER, 31);
    Distributor::new(device.pose()).reset_shared();
    assert_eq!(device.at(GICD_IPRIORITYR + 1016), 0xA0A0_A0A0);
    assert_eq!(device.at(0x7FC), 0x5555_5555);
    assert_eq!(device.at(GICD_ITARGETSR + 1016), 0x0101_0101);
    assert_eq!(device.at(0xBFC), 0x5555_5555);
    assert_eq!(device.at(GICD_ICFGR + 0xFC), 0);
    assert_eq!(device.at(0xD00), 0x5555_5555);
}

#[test]
fn reset_banked_touches_the_cores_own_lines_only() {
    // GICv2 4.3.5, 4.3.6, 4.3.8, 4.3.10, 4.3.11, 4.3.16: SGIs on, PPIs off, triggers left alone.
    let device = Words::<SIZE_WORDS>::filled(0x5555_5555);
    Distributor::new(device.pose()).reset_banked();

    assert_eq!(device.at(GICD_ISENABLER), 0x0000_FFFF);
    assert_eq!(device.at(GICD_ICENABLER), 0xFFFF_FFFF);
    assert_eq!(device.at(GICD_ICPENDR), 0xFFFF_0000);
    assert_eq!(device.at(GICD_ICACTIVER), 0xFFFF_FFFF);
    let mut written = vec![GICD_ISENABLER, GICD_ICENABLER, GICD_ICPENDR, GICD_ICACTIVER];
    for (base, words, value) in [(GICD_IPRIORITYR, 0..8, 0xA0A0_A0A0), (GICD_CPENDSGIR, 0..4, 0xFFFF_FFFF)] {
        let offsets = bank(base, words);
        assert!(offsets.iter().all(|&offset| device.at(offset) == value), "bank {base:#x}");
        written.extend(offsets);
    }
    assert_eq!(device.differing_from(0x5555_5555), written);
}

#[test]
fn forwarding_is_bit_0() {
    // GICv2 4.3.1.
    let device = device();
    Distributor::new(device.pose()).enable_forwarding();
    assert_eq!(device.at(GICD_CTLR), 1);
}

#[test]
fn a_priority_is_one_byte_and_spares_its_neighbours() {
    // GICv2 4.3.11: byte-accessible.
    let device = device();
    device.put(GICD_IPRIORITYR + 96, 0x1122_3344);
    let distributor = Distributor::new(device.pose());
    assert_eq!(distributor.set_priority(TIMER, Priority::at::<2>()), Ok(()));
    assert_eq!(device.at(GICD_IPRIORITYR + 96), 0x1122_2044);
    assert_eq!(distributor.set_priority(TIMER, Priority::LEAST_URGENT), Ok(()));
    assert_eq!(device.at(GICD_IPRIORITYR + 96), 0x1122_E044);
}

#[test]
fn targets_are_one_bit_a_core() {
    // GICv2 4.3.12.
    let device = device();
    let distributor = Distributor::new(device.pose());
    assert_eq!(distributor.set_targets(TIMER, CoreSet::only(0).with(3)), Ok(()));
    assert_eq!(device.at(GICD_ITARGETSR + 96), 0x0000_0900);
    assert_eq!(distributor.set_targets(TIMER, CoreSet::only(8)), Err(GicError::NoTarget { intid: TIMER }));
    assert_eq!(device.at(GICD_ITARGETSR + 96), 0x0000_0900);
    let private = Intid::ppi(14);
    assert_eq!(distributor.set_targets(private, CoreSet::only(0)), Err(GicError::NotShared { intid: private }));
}

#[test]
fn a_trigger_is_the_upper_bit_of_its_pair() {
    // GICv2 4.3.13: 0b10 is edge; the lower bit is reserved and kept.
    let device = device();
    device.put(GICD_ICFGR + 24, 0xF0F0_F0F1);
    let mut distributor = Distributor::new(device.pose());
    assert_eq!(distributor.set_trigger(TIMER, Trigger::Edge), Ok(()));
    assert_eq!(device.at(GICD_ICFGR + 24), 0xF0F0_F0F9);
    assert_eq!(distributor.set_trigger(TIMER, Trigger::Level), Ok(()));
    assert_eq!(device.at(GICD_ICFGR + 24), 0xF0F0_F0F1);
    let sgi = Intid::sgi(1);
    assert_eq!(distributor.set_trigger(sgi, Trigger::Level), Err(GicError::NotShared { intid: sgi }));
}

#[test]
fn set_and_clear_registers_get_the_one_bit() {
    // GICv2 4.3.5 to 4.3.8: zeros have no effect, so nothing is read first.
    let device = device();
    let distributor = Distributor::new(device.pose());
    for (base, done) in [
        (GICD_ISENABLER, distributor.enable(TIMER)),
        (GICD_ICENABLER, distributor.disable(TIMER)),
        (GICD_ISPENDR, distributor.set_pending(TIMER)),
        (GICD_ICPENDR, distributor.clear_pending(TIMER)),
    ] {
        assert_eq!(done, Ok(()));
        assert_eq!(device.at(base + 12), 1 << 1, "bank {base:#x}");
    }
    device.put(GICD_ISENABLER + 12, 0xFFFF_FFFF);
    assert_eq!(distributor.enable(Intid::new(127)), Ok(()));
    assert_eq!(device.at(GICD_ISENABLER + 12), 1 << 31);
}

#[test]
fn both_states_of_enabled_and_pending_are_seen() {
    // GICv2 4.3.5 and 4.3.7.
    let device = device();
    let distributor = Distributor::new(device.pose());
    device.put(GICD_ISENABLER + 12, !(1 << 1));
    device.put(GICD_ISPENDR + 12, !(1 << 1));
    assert_eq!(distributor.is_enabled(TIMER), Ok(false));
    assert_eq!(distributor.is_pending(TIMER), Ok(false));
    device.put(GICD_ISENABLER + 12, 1 << 1);
    device.put(GICD_ISPENDR + 12, 1 << 1);
    assert_eq!(distributor.is_enabled(TIMER), Ok(true));
    assert_eq!(distributor.is_pending(TIMER), Ok(true));
}

#[test]
fn an_sgi_is_sent_to_a_list_to_the_others_or_to_oneself() {
    // GICv2 4.3.15: filter 25:24, list 23:16, INTID 3:0.
    let device = device();
    let distributor = Distributor::new(device.pose());
    assert_eq!(distributor.send_sgi(Intid::sgi(5), SgiTarget::Cores(CoreSet::only(1).with(2))), Ok(()));
    assert_eq!(device.at(GICD_SGIR), 0x0006_0005);
    assert_eq!(distributor.send_sgi(Intid::sgi(15), SgiTarget::AllOthers), Ok(()));
    assert_eq!(device.at(GICD_SGIR), 0x0100_000F);
    assert_eq!(distributor.send_sgi(Intid::sgi(0), SgiTarget::Myself), Ok(()));
    assert_eq!(device.at(GICD_SGIR), 0x0200_0000);
    let sgi = Intid::sgi(1);
    assert_eq!(distributor.send_sgi(sgi, SgiTarget::Cores(CoreSet::EMPTY)), Err(GicError::NoTarget { intid: sgi }));
    assert_eq!(distributor.send_sgi(TIMER, SgiTarget::Myself), Err(GicError::NotAnSgi { intid: TIMER }));
    assert_eq!(device.at(GICD_SGIR), 0x0200_0000);
}

#[test]
fn the_pending_state_of_an_sgi_is_one_byte_of_senders() {
    // GICv2 4.3.7: GICD_ISPENDR is read-only for SGIs; 4.3.16 clears for all senders.
    let device = device();
    let distributor = Distributor::new(device.pose());
    assert_eq!(distributor.clear_pending(Intid::sgi(6)), Ok(()));
    assert_eq!(device.at(GICD_CPENDSGIR + 4), 0x00FF_0000);
    let sgi = Intid::sgi(6);
    assert_eq!(distributor.set_pending(sgi), Err(GicError::IsSgi { intid: sgi }));
    assert_eq!(device.at(GICD_ISPENDR), 0);
}

#[test]
fn a_line_beyond_the_last_is_refused_and_nothing_written() {
    let device = device();
    let mut distributor = Distributor::new(device.pose());
    for intid in [Intid::new(224), Intid::NONE, Intid::new(u16::MAX)] {
        let refused = Err(GicError::NoSuchLine { intid, line_count: 224 });
        assert_eq!(distributor.set_priority(intid, Priority::MOST_URGENT), refused);
        assert_eq!(distributor.set_targets(intid, CoreSet::only(0)), refused);
        assert_eq!(distributor.set_trigger(intid, Trigger::Edge), refused);
        assert_eq!(distributor.enable(intid), refused);
        assert_eq!(distributor.disable(intid), refused);
        assert_eq!(distributor.set_pending(intid), refused);
        assert_eq!(distributor.clear_pending(intid), refused);
        assert_eq!(distributor.is_enabled(intid), refused.map(|()| false));
        assert_eq!(distributor.is_pending(intid), refused.map(|()| false));
        assert_eq!(distributor.priority_bits(intid), refused.map(|()| 0));
    }
    assert_eq!(device.differing_from(0), [GICD_TYPER]);
    assert_eq!(distributor.enable(Intid::new(223)), Ok(()));
}

#[test]
fn the_priority_probe_restores_what_it_found() {
    // GICv2 4.3.11. Plain memory keeps all eight bits, as QEMU does.
    let device = device();
    device.put(GICD_IPRIORITYR + 220, 0x1122_3344);
    assert_eq!(Distributor::new(device.pose()).priority_bits(Intid::new(221)), Ok(8));
    assert_eq!(device.at(GICD_IPRIORITYR + 220), 0x1122_3344);
}

#[test]
fn numbers_out_of_range_become_no_interrupt() {
    // GICv2 2.2.1.
    assert_eq!(Intid::sgi(15).number(), 15);
    assert_eq!(Intid::sgi(16), Intid::NONE);
    assert_eq!(Intid::ppi(14).number(), 30);
    assert_eq!(Intid::ppi(16), Intid::NONE);
    assert_eq!(Intid::spi(65).number(), 97);
    assert_eq!(Intid::spi(987).number(), 1019);
    assert_eq!(Intid::spi(988), Intid::NONE);
    assert_eq!(Priority::new(14), Some(Priority::LEAST_URGENT));
    assert_eq!(Priority::new(15), None);
    assert!(Priority::MOST_URGENT.is_more_urgent_than(Priority::LEAST_URGENT));
    assert!(!Priority::AFTER_RESET.is_more_urgent_than(Priority::AFTER_RESET));
}

#[test]
fn a_refusal_says_what_to_do() {
    let refused = GicError::NoSuchLine { intid: Intid::new(300), line_count: 224 };
    assert_eq!(
        refused.to_string(),
        "gic400: INTID 300 does not exist, this GIC has 224 lines from 0; use INTID = 32 + SPI number"
    );
}
