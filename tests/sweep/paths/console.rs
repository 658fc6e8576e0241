//! The console: its interrupt, and a writer that waits for room.

use core::sync::atomic::Ordering;

use takt::rpi4::{devices, map};
use takt_tests::Report;

use super::LONG_ENOUGH;
use crate::actors::{DRIVER, IS_CONSOLE_HELD, LISTENER};
use crate::probe::{Tail, end, start};
use crate::state::note;

/// A line that the console's interrupt sends in two parts.
const LINE: &[u8; 12] = b"# 012345678\n";
/// What fills the console's ring.
const FULL: &[u8; 4_095] = &{
    let mut line = [b'#'; 4_095];
    line[4_094] = b'\n';
    line
};
/// How many ticks are walked of the writer's coming back.
const COMING_BACK: u64 = 2 * LONG_ENOUGH;

pub(super) fn interrupt(report: &mut Report) {
    start();
    report.bytes(LINE);
    end(2 * LONG_ENOUGH);
    note(b'd');
    report.flush();
}

/// The writer finds the ring full and waits, and the first interrupts make room.
pub(super) fn full(report: &mut Report) {
    fill(report);
    start();
    report.bytes(LINE);
    leave();
}

/// The last of these interrupts wakes the writer.
pub(super) fn room(report: &mut Report) {
    static TAIL: Tail = Tail::new();
    fill(report);
    let begun = TAIL.start(COMING_BACK);
    report.bytes(LINE);
    TAIL.end(begun);
    leave();
}

/// Fills the ring while the console's interrupt is held. The listener lets it through once the writer waits.
fn fill(report: &mut Report) {
    report.flush();
    if devices::distributor().disable(map::UART0_INTID).is_err() {
        note(b'?');
    }
    report.bytes(FULL);
    IS_CONSOLE_HELD.store(true, Ordering::Relaxed);
    LISTENER.set();
    end(3 * LONG_ENOUGH);
}

fn leave() {
    // Had the writer found room, nobody would have let the interrupt through.
    note(if IS_CONSOLE_HELD.load(Ordering::Relaxed) { b'?' } else { b'd' });
    DRIVER.wait();
}
