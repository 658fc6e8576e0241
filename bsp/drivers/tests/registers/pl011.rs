// SPDX-License-Identifier: MIT OR Apache-2.0
//! The UART against the PL011 manual, section 3.3.

use takt_drivers::pl011::{BaudError, Config, EnableError, Parity, Pl011, StopBits};

use crate::words::Words;

const UARTDR: usize = 0x00;
const UARTFR: usize = 0x18;
const UARTIBRD: usize = 0x24;
const UARTFBRD: usize = 0x28;
const UARTLCR_H: usize = 0x2C;
const UARTCR: usize = 0x30;
const UARTIFLS: usize = 0x34;
const UARTIMSC: usize = 0x38;
const UARTMIS: usize = 0x40;
const UARTICR: usize = 0x44;
const UARTDMACR: usize = 0x48;
const SIZE_WORDS: usize = 0x4C / 4;

const CLOCK_HZ: u32 = 48_000_000;

#[test]
fn enable_leaves_115200_8n1_with_fifos_and_no_interrupt() {
    // PL011 3.3.5 to 3.3.13.
    let device = Words::<SIZE_WORDS>::filled(0xFFFF_FFF7);
    let divisors = Pl011::new(device.pose()).enable(&Config::default(), CLOCK_HZ).unwrap();
    assert_eq!((divisors.integer(), divisors.fraction(), divisors.error_ppm()), (26, 3, -200));
    assert_eq!(device.at(UARTIBRD), 26);
    assert_eq!(device.at(UARTFBRD), 3);
    assert_eq!(device.at(UARTLCR_H), 0b0111_0000);
    assert_eq!(device.at(UARTIFLS), 0b010_000);
    assert_eq!(device.at(UARTIMSC), 0);
    assert_eq!(device.at(UARTICR), 0x7FF);
    assert_eq!(device.at(UARTCR), 0x301);
    assert_eq!(
        device.differing_from(0xFFFF_FFF7),
        [UARTIBRD, UARTFBRD, UARTLCR_H, UARTCR, UARTIFLS, UARTIMSC, UARTICR]
    );
}

#[test]
fn parity_and_stop_bits_are_the_line_control_bits() {
    // PL011 3.3.7: STP2 bit 3, EPS bit 2, PEN bit 1.
    for (parity, stop_bits, line_control) in [
        (Parity::Even, StopBits::One, 0b0111_0110),
        (Parity::Odd, StopBits::One, 0b0111_0010),
        (Parity::None, StopBits::Two, 0b0111_1000),
    ] {
        let device = Words::<SIZE_WORDS>::new();
        let config = Config { parity, stop_bits, ..Config::default() };
        Pl011::new(device.pose()).enable(&config, CLOCK_HZ).unwrap();
        assert_eq!(device.at(UARTLCR_H), line_control);
    }
}

#[test]
fn a_baud_out_of_reach_touches_nothing() {
    let device = Words::<SIZE_WORDS>::filled(0x5555_5555);
    let config = Config { baud: 4_000_000, ..Config::default() };
    let refused = BaudError { clock_hz: CLOCK_HZ, wanted_baud: 4_000_000, nearest_baud: 3_000_000 };
    assert_eq!(Pl011::new(device.pose()).enable(&config, CLOCK_HZ), Err(EnableError::Baud(refused)));
    assert_eq!(device.differing_from(0x5555_5555), []);
}

#[test]
fn a_character_that_never_ends_is_an_error_and_the_uart_stays_off() {
    // PL011 3.3.3: BUSY is bit 3. Off and with its FIFO emptied, but not set up.
    let device = Words::<SIZE_WORDS>::new();
    device.put(UARTFR, 1 << 3);
    device.put(UARTCR, 0x301);
    device.put(UARTLCR_H, 0b0111_0000);
    assert_eq!(
        Pl011::new(device.pose()).enable(&Config::default(), CLOCK_HZ),
        Err(EnableError::StillBusy { polls: 100_000 })
    );
    assert_eq!(device.at(UARTCR), 0);
    assert_eq!(device.at(UARTLCR_H), 0b0110_0000);
    assert_eq!(device.at(UARTIBRD), 0);
}

#[test]
fn room_and_busy_are_seen_in_both_states() {
    // PL011 3.3.3: TXFF bit 5, BUSY bit 3.
    let device = Words::<SIZE_WORDS>::new();
    let uart = Pl011::new(device.pose());
    device.put(UARTFR, !(1 << 5 | 1 << 3));
    assert!(uart.has_room());
    assert!(!uart.is_busy());
    device.put(UARTFR, 1 << 5 | 1 << 3);
    assert!(!uart.has_room());
    assert!(uart.is_busy());
}

#[test]
fn a_byte_goes_to_the_data_register() {
    // PL011 3.3.1.
    let device = Words::<SIZE_WORDS>::new();
    Pl011::new(device.pose()).put(0xFF);
    assert_eq!(device.at(UARTDR), 0xFF);
}

#[test]
fn the_transmit_interrupt_is_bit_5_and_the_others_are_kept() {
    // PL011 3.3.10.
    let device = Words::<SIZE_WORDS>::new();
    let mut uart = Pl011::new(device.pose());
    device.put(UARTIMSC, 1 << 4);
    uart.enable_transmit_interrupt();
    assert_eq!(device.at(UARTIMSC), 1 << 5 | 1 << 4);
    uart.disable_transmit_interrupt();
    assert_eq!(device.at(UARTIMSC), 1 << 4);
}

#[test]
fn a_refusal_says_what_is_within_reach() {
    let refused = BaudError { clock_hz: 3_000_000, wanted_baud: 230_400, nearest_baud: 187_500 };
    assert_eq!(
        EnableError::Baud(refused).to_string(),
        "pl011: 230400 baud is out of reach of a UART clock of 3000000 Hz, the nearest is 187500; choose a baud within \
         reach or set init_uart_clock"
    );
}

#[test]
fn a_byte_is_taken_while_the_fifo_is_not_empty() {
    // PL011 3.3.1 and 3.3.3: RXFE is bit 4; the errors stand in bits 11:8 beside the byte.
    let device = Words::<SIZE_WORDS>::new();
    let mut uart = Pl011::new(device.pose());
    device.put(UARTDR, 0x1A5);
    device.put(UARTFR, 1 << 4);
    assert!(uart.take().is_none());
    device.put(UARTFR, !(1 << 4));
    assert_eq!(uart.take().unwrap().byte(), 0xA5);
}

#[test]
fn each_receive_error_has_its_bit() {
    // PL011 3.3.1: OE 11, BE 10, PE 9, FE 8.
    let device = Words::<SIZE_WORDS>::new();
    let mut uart = Pl011::new(device.pose());
    for (bits, errors) in [
        (0x0FF, [false; 4]),
        (0x800, [true, false, false, false]),
        (0x400, [false, true, false, false]),
        (0x200, [false, false, true, false]),
        (0x100, [false, false, false, true]),
    ] {
        device.put(UARTDR, bits);
        let got = uart.take().unwrap();
        let said = [got.is_behind_overrun(), got.is_break(), got.has_parity_error(), got.has_framing_error()];
        assert_eq!(said, errors, "{bits:#x}");
        assert_eq!(got.is_bad(), errors[1..].contains(&true), "{bits:#x}");
    }
}

#[test]
fn the_requests_are_the_masked_ones() {
    // PL011 3.3.12: OE 10, RT 6, TX 5, RX 4.
    let device = Words::<SIZE_WORDS>::new();
    let uart = Pl011::new(device.pose());
    for (bits, said) in [
        (0, [false, false, false]),
        (1 << 4, [true, false, false]),
        (1 << 6, [true, false, false]),
        (1 << 5, [false, true, false]),
        (1 << 10, [false, false, true]),
        (0x38F, [false, false, false]),
    ] {
        device.put(UARTMIS, bits);
        let requests = uart.requests();
        assert_eq!([requests.receive(), requests.transmit(), requests.overrun()], said, "{bits:#x}");
    }
}

#[test]
fn the_receive_interrupts_are_let_through_beside_the_others() {
    // PL011 3.3.10 and 3.3.13.
    let device = Words::<SIZE_WORDS>::new();
    let mut uart = Pl011::new(device.pose());
    device.put(UARTIMSC, 1 << 5);
    uart.enable_receive_interrupts();
    assert_eq!(device.at(UARTIMSC), 1 << 10 | 1 << 6 | 1 << 5 | 1 << 4);
    uart.clear_overrun();
    assert_eq!(device.at(UARTICR), 1 << 10);
}

#[test]
fn loopback_and_break_are_bits_that_leave_the_others() {
    // PL011 3.3.8: LBE is bit 7. PL011 3.3.7: BRK is bit 0.
    let device = Words::<SIZE_WORDS>::new();
    let mut uart = Pl011::new(device.pose());
    device.put(UARTCR, 0x301);
    device.put(UARTLCR_H, 0x70);
    uart.set_loopback(true);
    uart.set_break(true);
    assert_eq!((device.at(UARTCR), device.at(UARTLCR_H)), (0x381, 0x71));
    uart.set_loopback(false);
    uart.set_break(false);
    assert_eq!((device.at(UARTCR), device.at(UARTLCR_H)), (0x301, 0x70));
}

#[test]
fn a_pl011_is_told_from_nothing_by_its_flags() {
    // PL011 3.3.3: TXFE 7, RXFF 6, TXFF 5, RXFE 4, BUSY 3. Reset value 0x90.
    let device = Words::<SIZE_WORDS>::new();
    let uart = Pl011::new(device.pose());
    for (flags, is_present) in [
        (0x90, true),      // at rest
        (0x38, true),      // sending, FIFO full
        (0x18, true),      // sending
        (0xC0, true),      // received as much as fits
        (0, false),        // QEMU, where UART2 to UART5 would be [HW 12]
        (u32::MAX, false), // a bus that nobody drives
        (0x90 | 0x20, false),
        (0x90 | 0x40, false),
    ] {
        device.put(UARTFR, flags);
        assert_eq!(uart.is_present(), is_present, "{flags:#x}");
    }
}

#[test]
fn the_transmit_fifo_requests_characters_of_a_channel_and_the_receive_fifo_none() {
    // PL011 3.3.14: TXDMAE is bit 1, RXDMAE bit 0, DMAONERR bit 2.
    let device = Words::<SIZE_WORDS>::filled(0x5555_5555);
    let mut uart = Pl011::new(device.pose());
    uart.let_transmit_request(true);
    assert_eq!(device.at(UARTDMACR), 0b010);
    uart.let_transmit_request(false);
    assert_eq!(device.at(UARTDMACR), 0);
    assert_eq!(device.differing_from(0x5555_5555), [UARTDMACR]);
}
