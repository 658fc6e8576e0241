// run: --prompt ready --input 0123456789 --times 150
//! Input that nobody reads fills the ring; what finds no room is lost and counted. `embedded-io` tells it once, before
//! the bytes that are there, which are the oldest, in order.
#![no_std]
#![no_main]

use takt::io::{Error, ErrorKind, Read};
use takt::prelude::*;
use takt::rpi4::interrupts;
use takt::serial::ReceiveError;
use takt_tests::{Report, report};

takt::tasks! {
    reporter: Task::background(reporter).priority(254),
}

const SENT: u32 = 1_500;
const RING: u32 = 1_023;

fn lost(report: &mut Report) -> u32 {
    report.console().receive_counts().of(ReceiveError::NoRoom)
}

fn reporter() -> ! {
    let mut report = Report::new();
    report!(report, "ready");
    while lost(&mut report) < SENT - RING {
        interrupts::yield_hint();
    }
    let mut bytes = [0; SENT as usize];
    let refused = report.console().read(&mut bytes);
    report.is("the loss is told first", refused == Err(ReceiveError::NoRoom));
    report.is("as memory that ran out", refused.is_err_and(|error| error.kind() == ErrorKind::OutOfMemory));
    let read = report.console().read(&mut bytes).unwrap_or(0);
    report.is("then the ring's 1,023 bytes are read", read == RING as usize);
    let is_in_order = bytes[..read].iter().zip((b'0'..=b'9').cycle()).all(|(&byte, expected)| byte == expected);
    report.is("the oldest, in order", is_in_order);
    let counts = report.console().receive_counts();
    report.is("477 bytes were lost and counted", counts.of(ReceiveError::NoRoom) == SENT - RING);
    let others = [ReceiveError::Overrun, ReceiveError::Framing, ReceiveError::Parity, ReceiveError::Break];
    report.is("nothing else went wrong", others.iter().all(|&error| counts.of(error) == 0));
    report.end()
}
