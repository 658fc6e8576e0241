// run: --allow-guest-error "pl011_read: Bad offset"
//! UART2 to UART5 are not in QEMU, where their flags read 0: opening one is refused in a sentence, as often as one likes.
//! So is a format that the mini UART does not have, and a port that is open already.
#![no_std]
#![no_main]

use takt::prelude::*;
use takt::serial::{Config, OpenError, Parity, Port, Uart};
use takt_tests::{Report, report};

takt::tasks! {
    reporter: Task::background(reporter).priority(254),
}

fn refuse(report: &mut Report, port: Port, config: &Config) {
    match Uart::open(port, config) {
        Ok(_) => report.is(format_args!("{} was refused", port.name()), false),
        Err(error) => report!(report, "{error}"),
    }
}

fn reporter() -> ! {
    let mut report = Report::new();
    let config = Config::default();
    for port in [Port::Uart2, Port::Uart3, Port::Uart4, Port::Uart5] {
        refuse(&mut report, port, &config);
    }
    report
        .is("once more", Uart::open(Port::Uart2, &config).is_err_and(|error| error == OpenError::Absent(Port::Uart2)));
    refuse(&mut report, Port::Mini, &Config { parity: Parity::Even, ..config });
    refuse(&mut report, Port::Mini, &Config { baud: 300, ..config });
    report.is("the mini UART is opened", Uart::open(Port::Mini, &config).is_ok());
    refuse(&mut report, Port::Mini, &config);
    report.end()
}
