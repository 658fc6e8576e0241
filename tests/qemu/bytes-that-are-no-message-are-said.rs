//! What cannot be decoded is said and not swallowed, and what comes behind it is decoded again. So is a frame that is cut
//! off by the end of the run.
#![no_std]
#![no_main]

use takt::prelude::*;
use takt::rpi4::devices;
use takt_tests::Report;

takt::tasks! {
    log: Task::background(takt_log::task).priority(253),
    reporter: Task::background(reporter).priority(254),
}

/// Writes behind the back of the task that sends, which has nothing to send.
fn write(bytes: &[u8]) {
    for &byte in bytes {
        devices::aux_uart().put(byte);
    }
}

fn reporter() -> ! {
    let mut report = Report::new();
    defmt::info!("before");
    report.is("the first message left", takt_log::flush());
    write(&[0x55, 0xAA, 0x7F, 0]);
    defmt::info!("after");
    report.is("the second message left", takt_log::flush());
    write(&[0x55]);
    report.end()
}
