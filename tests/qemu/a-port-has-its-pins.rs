//! A serial port has its pins: given to it as types, or taken by number, where each that is somebody else's is named. The
//! receiving pin is pulled up. Where the port is not opened, both are as they were.
#![no_std]
#![no_main]

use takt::board::{Alternate, Level, Pin, PinNumber, Pull};
use takt::prelude::*;
use takt::rpi4::devices;
use takt::rpi4::drivers::gpio::Function;
use takt::serial::{Config, Parity, Port, Uart};
use takt_tests::{Report, report};

takt::tasks! {
    reporter: Task::background(reporter).priority(254),
}

const TX: PinNumber = PinNumber::at::<40>();
const RX: PinNumber = PinNumber::at::<41>();

fn pin<const N: u8>() -> Pin<N> {
    match Pin::<N>::take() {
        Ok(pin) => pin,
        Err(taken) => panic!("{taken}"),
    }
}

fn setting(pin: PinNumber) -> (Function, Option<Pull>) {
    (devices::gpio().function(pin), devices::gpio().pull(pin))
}

fn reporter() -> ! {
    let mut report = Report::new();
    let config = Config::default();
    let before = [setting(TX), setting(RX)];
    let wrong = Config { parity: Parity::Odd, ..config };
    report.is("a refused port", Uart::open_port(Port::Mini, &wrong).is_err());
    report.is("leaves its pins as they were", before == [setting(TX), setting(RX)]);

    let receive = pin::<41>();
    if let Err(error) = Uart::open_port(Port::Mini, &config) {
        report!(report, "{error}");
    }
    report.is("nor is the other one changed", before[0] == setting(TX));
    let transmit = pin::<40>();
    if let Err(error) = Uart::open_port(Port::Mini, &config) {
        report!(report, "{error}");
    }

    // RX was pulled down, as some ports' is after a reset.
    let pins: (Alternate<40, 5>, Alternate<41, 5>) =
        (transmit.with_pull(Pull::None).into_alternate(), receive.with_pull(Pull::Down).into_alternate());
    let pins = match Uart::open(pins, &wrong) {
        Ok(_) => panic!("the mini UART has no parity"),
        Err(refused) => {
            report!(report, "{refused}");
            refused.pins
        }
    };
    match Uart::open(pins, &config) {
        Ok(uart) => report!(report, "{} is open", uart.port().name()),
        Err(refused) => report!(report, "{refused}"),
    }
    report.is("TX is given to it", setting(TX) == (Function::Alternate5, Some(Pull::None)));
    report.is("RX is, and pulled up", setting(RX) == (Function::Alternate5, Some(Pull::Up)));
    for taken in [Pin::<40>::take().err(), Pin::<41>::take().err()].into_iter().flatten() {
        report!(report, "{taken}");
    }
    report.is("another pin is free", pin::<39>().into_output(Level::High).reads_high());
    report.end()
}
