// SPDX-License-Identifier: MIT OR Apache-2.0
//! The CPU interface against the register descriptions of the GICv2 specification, section 4.4.

use takt_drivers::gic400::{CpuInterface, Intid, Kind, Priority, PriorityMask};

use crate::words::Words;

const GICC_CTLR: usize = 0x0000;
const GICC_PMR: usize = 0x0004;
const GICC_BPR: usize = 0x0008;
const GICC_IAR: usize = 0x000C;
const GICC_EOIR: usize = 0x0010;
const GICC_RPR: usize = 0x0014;
const GICC_IIDR: usize = 0x00FC;
const SIZE_WORDS: usize = 0x1004 / 4;

#[test]
fn enable_opens_group_1_with_the_finest_preemption() {
    // GICv2 4.4.1 to 4.4.3.
    let device = Words::<SIZE_WORDS>::filled(0xFFFF_FFFF);
    CpuInterface::new(device.pose()).enable(PriorityMask::ALL);
    assert_eq!(device.at(GICC_CTLR), 1);
    assert_eq!(device.at(GICC_PMR), 0xF0);
    assert_eq!(device.at(GICC_BPR), 0);
    assert_eq!(device.differing_from(0xFFFF_FFFF), [GICC_CTLR, GICC_PMR, GICC_BPR]);
}

#[test]
fn a_mask_holds_back_its_own_level() {
    // GICv2 4.4.2: only a strictly more urgent priority passes.
    let device = Words::<SIZE_WORDS>::new();
    CpuInterface::new(device.pose()).enable(PriorityMask::more_urgent_than(Priority::at::<3>()));
    assert_eq!(device.at(GICC_PMR), 0x30);
}

#[test]
fn the_whole_acknowledged_word_is_written_back() {
    // GICv2 4.4.4 and 4.4.5: INTID in bits 9:0, the sender of an SGI in 12:10, both to be returned.
    let device = Words::<SIZE_WORDS>::new();
    let mut interface = CpuInterface::new(device.pose());
    device.put(GICC_IAR, 0x0C05);
    let token = interface.acknowledge();
    assert_eq!(token.intid(), Intid::sgi(5));
    assert_eq!(token.source_core(), Some(3));
    assert!(token.is_interrupt());
    assert_eq!(token.kind(), Kind::Interrupt);
    interface.end(token);
    assert_eq!(device.at(GICC_EOIR), 0x0C05);
}

#[test]
fn a_shared_interrupt_has_no_sender() {
    let device = Words::<SIZE_WORDS>::new();
    let mut interface = CpuInterface::new(device.pose());
    device.put(GICC_IAR, 97);
    let token = interface.acknowledge();
    assert_eq!(token.intid(), Intid::spi(65));
    assert_eq!(token.source_core(), None);
    interface.end(token);
    assert_eq!(device.at(GICC_EOIR), 97);
}

#[test]
fn the_four_special_numbers_are_no_interrupts() {
    // GICv2 3.2.5; 1020 and 1021 are reserved.
    let device = Words::<SIZE_WORDS>::new();
    let mut interface = CpuInterface::new(device.pose());
    for (word, is_interrupt, kind) in [
        (1019, true, Kind::Interrupt),
        (1020, false, Kind::Spurious),
        (1021, false, Kind::Spurious),
        (1022, false, Kind::Group1Hidden),
        (1023, false, Kind::Spurious),
    ] {
        device.put(GICC_IAR, word);
        let token = interface.acknowledge();
        assert_eq!(token.is_interrupt(), is_interrupt, "{word}");
        assert_eq!(token.kind(), kind, "{word}");
    }
}

#[test]
fn the_running_priority_and_the_identification_are_read_as_they_are() {
    // GICv2 4.4.6 and 4.4.14.
    let device = Words::<SIZE_WORDS>::new();
    device.put(GICC_RPR, 0xA0);
    device.put(GICC_IIDR, 0x0202_143B);
    let interface = CpuInterface::new(device.pose());
    assert_eq!(interface.running_priority(), 0xA0);
    assert_eq!(interface.identification(), 0x0202_143B);
}
