//! A break between two bytes is counted and told, and no byte of zeros is read for it. The PL011 receives what it sends.
#![no_std]
#![no_main]

use takt::io::{Error, ErrorKind, Read, ReadReady};
use takt::prelude::*;
use takt::rpi4::devices;
use takt::serial::ReceiveError;
use takt_tests::{Report, report};

takt::tasks! {
    reporter: Task::background(reporter).priority(254),
}

fn reporter() -> ! {
    let mut report = Report::new();
    report!(report, "what is sent from here on is received, too:");
    report.flush();
    let mut uart = devices::uart0();
    uart.set_loopback(true);
    uart.put(b'a');
    uart.set_break(true);
    uart.set_break(false);
    uart.put(b'b');
    let bytes = [report.console().read_byte(), report.console().read_byte()];
    uart.put(b'\n');
    let end = report.console().read_byte();
    uart.set_loopback(false);
    report.is("both bytes were read, one after the other", bytes == *b"ab" && end == b'\n');
    let console = report.console();
    let is_empty = console.try_read_byte().is_none();
    let counted = console.receive_counts().of(ReceiveError::Break);
    let is_ready = console.read_ready() == Ok(true);
    let told = console.read(&mut [0]);
    let is_told_once = console.read_ready() == Ok(false);
    report.is("nothing else was", is_empty);
    report.is("one break was counted", counted == 1);
    report.is("there is something to read about it", is_ready);
    let is_break = told.is_err_and(|error| error == ReceiveError::Break && error.kind() == ErrorKind::Interrupted);
    report.is("it is told", is_break);
    report.is("once", is_told_once);
    if let Err(error) = told {
        report!(report, "{error}");
    }
    report.end()
}
