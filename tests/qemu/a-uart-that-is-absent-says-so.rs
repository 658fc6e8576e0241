// run: --allow-guest-error "pl011_read: Bad offset"
//! UART2 to UART5 are not in QEMU, where their flags read 0: opening one is refused in a sentence, as often as one likes, and
//! its pins come back. So is a format that the mini UART does not have, and a port that is open already.
#![no_std]
#![no_main]

use takt::board::{Alternate, Level, Pin};
use takt::prelude::*;
use takt::serial::{Config, OpenError, Parity, Port, Uart, UartPins};
use takt_tests::{Report, report};

takt::tasks! {
    reporter: Task::background(reporter).priority(254),
}

fn pin<const N: u8, const A: u8>() -> Alternate<N, A> {
    match Pin::<N>::take() {
        Ok(pin) => pin.into_alternate(),
        Err(taken) => panic!("{taken}"),
    }
}

/// Opens the port of these pins in vain, and once more by number, and answers the pins.
fn refuse<P: UartPins>(report: &mut Report, pins: P, config: &Config) -> P {
    match Uart::open(pins, config) {
        Ok(_) => panic!("{} was opened", P::PORT.name()),
        Err(refused) => {
            report!(report, "{refused}");
            let again = Uart::open_port(P::PORT, config).err();
            report.is("by number as well", again == Some(OpenError::Absent(P::PORT)));
            refused.pins
        }
    }
}

fn reporter() -> ! {
    let mut report = Report::new();
    let config = Config::default();
    let pins = refuse(&mut report, (pin::<0, 4>(), pin::<1, 4>()), &config);
    refuse(&mut report, pins, &config);
    refuse(&mut report, (pin::<4, 4>(), pin::<5, 4>()), &config);
    refuse(&mut report, (pin::<8, 4>(), pin::<9, 4>()), &config);
    let (transmit, _) = refuse(&mut report, (pin::<12, 4>(), pin::<13, 4>()), &config);
    report.is("the pins can be used otherwise", transmit.into_pin().into_output(Level::High).reads_high());
    for wrong in [Config { parity: Parity::Even, ..config }, Config { baud: 300, ..config }] {
        match Uart::open_port(Port::Mini, &wrong) {
            Ok(_) => report.is("it was refused", false),
            Err(error) => report!(report, "{error}"),
        }
    }
    report.is("the mini UART is opened", Uart::open_port(Port::Mini, &config).is_ok());
    match Uart::open_port(Port::Mini, &config) {
        Ok(_) => report.is("it was refused", false),
        Err(error) => report!(report, "{error}"),
    }
    report.end()
}
