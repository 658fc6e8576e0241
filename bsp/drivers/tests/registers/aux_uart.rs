// SPDX-License-Identifier: MIT OR Apache-2.0
//! The mini UART against the BCM2711 manual, section 2.2.2, and its errata.

use takt_drivers::aux_uart::{AuxUart, BaudError, ReceiveStatus};

use crate::words::Words;

const AUX_ENABLES: usize = 0x04;
const AUX_MU_IO_REG: usize = 0x40;
const AUX_MU_IER_REG: usize = 0x44;
const AUX_MU_IIR_REG: usize = 0x48;
const AUX_MU_LCR_REG: usize = 0x4C;
const AUX_MU_MCR_REG: usize = 0x50;
const AUX_MU_LSR_REG: usize = 0x54;
const AUX_MU_CNTL_REG: usize = 0x60;
const AUX_MU_STAT_REG: usize = 0x64;
const AUX_MU_BAUD_REG: usize = 0x68;
const SIZE_WORDS: usize = 0x6C / 4;

#[test]
fn enable_leaves_115200_8n1_and_no_interrupt() {
    let device = Words::<SIZE_WORDS>::filled(0x5555_5554);
    let divisor = AuxUart::new(device.pose()).enable(115_200, 500_000_000).unwrap();
    assert_eq!(divisor.register(), 542);
    // The bits of SPI1 and SPI2 are kept.
    assert_eq!(device.at(AUX_ENABLES), 0x5555_5555);
    assert_eq!(device.at(AUX_MU_IER_REG), 0);
    assert_eq!(device.at(AUX_MU_IIR_REG), 0b110);
    // Errata: bit 1 belongs to the word length, too.
    assert_eq!(device.at(AUX_MU_LCR_REG), 0b11);
    assert_eq!(device.at(AUX_MU_MCR_REG), 0);
    assert_eq!(device.at(AUX_MU_CNTL_REG), 0b11);
    assert_eq!(device.at(AUX_MU_BAUD_REG), 542);
    assert_eq!(
        device.differing_from(0x5555_5554),
        [AUX_ENABLES, AUX_MU_IER_REG, AUX_MU_IIR_REG, AUX_MU_LCR_REG, AUX_MU_MCR_REG, AUX_MU_CNTL_REG, AUX_MU_BAUD_REG]
    );
}

#[test]
fn a_baud_out_of_reach_touches_nothing() {
    let device = Words::<SIZE_WORDS>::filled(0x5555_5555);
    assert!(AuxUart::new(device.pose()).enable(300, 500_000_000).is_err());
    assert_eq!(device.differing_from(0x5555_5555), []);
}

#[test]
fn the_line_status_is_told_bit_by_bit() {
    // Data ready 0, receiver overrun 1.
    let device = Words::<SIZE_WORDS>::new();
    let mut uart = AuxUart::new(device.pose());
    for (bits, has_byte, has_overrun) in [(0x60, false, false), (0x61, true, false), (0x62, false, true)] {
        device.put(AUX_MU_LSR_REG, bits);
        assert_eq!(uart.receive_status(), ReceiveStatus { has_byte, has_overrun }, "{bits:#x}");
    }
}

#[test]
fn room_and_busy_are_seen_in_both_states() {
    // Space available 1, transmit FIFO empty 8, transmitter done 9.
    let device = Words::<SIZE_WORDS>::new();
    let uart = AuxUart::new(device.pose());
    for (bits, has_room, is_empty, is_busy) in
        [(0x30E, true, true, false), (0x10E, true, true, true), (0x00E, true, false, true), (0x00C, false, false, true)]
    {
        device.put(AUX_MU_STAT_REG, bits);
        let said = (uart.has_room(), uart.is_transmit_fifo_empty(), uart.is_busy());
        assert_eq!(said, (has_room, is_empty, is_busy), "{bits:#x}");
    }
}

#[test]
fn bytes_go_and_come_by_the_data_register() {
    let device = Words::<SIZE_WORDS>::new();
    let mut uart = AuxUart::new(device.pose());
    uart.put(0xFF);
    assert_eq!(device.at(AUX_MU_IO_REG), 0xFF);
    device.put(AUX_MU_IO_REG, 0xA5);
    assert_eq!(uart.take(), 0xA5);
}

#[test]
fn receive_is_bit_0_with_bits_3_and_2_and_transmit_is_bit_1() {
    // Errata: the manual has bits 0 and 1 the other way round and calls 3:2 unused.
    let device = Words::<SIZE_WORDS>::new();
    let uart = AuxUart::new(device.pose());
    for (receive, transmit, bits) in
        [(true, false, 0b1101), (false, true, 0b0010), (true, true, 0b1111), (false, false, 0)]
    {
        uart.let_through(receive, transmit);
        assert_eq!(device.at(AUX_MU_IER_REG), bits);
    }
}

#[test]
fn a_refusal_says_what_is_within_reach() {
    let refused = BaudError { core_hz: 500_000_000, wanted_baud: 300, nearest_baud: 953 };
    assert_eq!(
        refused.to_string(),
        "aux_uart: 300 baud is more than 1 % away from what a core clock of 500000000 Hz makes, the nearest is 953; choose \
         another baud or set core_freq"
    );
}
