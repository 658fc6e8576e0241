// run: --append log=mini
// run: --append log=off
// run: --append log=uart9
// run: --append log=uart2 --allow-guest-error "pl011_read: Bad offset"
// run: --append "log=mini taken"
//! The boot word `log=` names the serial interface that messages go to. Where it is not there, or there is none of that
//! name, or its pins are somebody else's, the program can say so, and messages are thrown away without anybody waiting.
#![no_std]
#![no_main]

use takt::board::{Pin, command_line};
use takt::kernel::boot_words::BootWords;
use takt::prelude::*;
use takt_tests::{Report, report, rest};

takt::tasks! {
    taker: Task::background(taker).priority(10),
    log: Task::background(takt_log::task).priority(253),
    reporter: Task::background(reporter).priority(254),
}

/// Is there before the task that sends.
fn taker() -> ! {
    if BootWords::new(command_line()).any(|word| word.key == "taken") {
        let _ = Pin::<41>::take();
    }
    rest()
}

fn reporter() -> ! {
    let mut report = Report::new();
    defmt::info!("a message");
    report.is("it left, or was thrown away", takt_log::flush());
    match takt_log::destination() {
        Some(destination) => report!(report, "{destination}"),
        None => report.is("it was decided where to", false),
    }
    report.end()
}
