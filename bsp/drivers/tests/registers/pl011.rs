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
const UARTICR: usize = 0x44;
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
    assert_eq!(device.at(UARTCR), 0x101);
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
