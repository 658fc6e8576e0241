//! Tasks wait for any or for all of some flags. Setting wakes each that has enough, the most urgent first; what one clears the
//! next no longer sees; one that lacks a flag waits on; a deadline ends a wait and clears nothing.
// run: --icount 4 --cores 1
// run: --icount 4 --cores 1 --append timebase=generic
#![no_std]
#![no_main]

use takt::clock;
use takt::prelude::*;
use takt_tests::{Gate, Log, raise, report};

takt::tasks! {
    set: Interrupt::kernel(3, set),
    all_clears: Task::background(all_clears).priority(10),
    any_stays: Task::background(any_stays).priority(20),
    any_clears: Task::background(any_clears).priority(30),
    late: Task::background(late).priority(40),
    gives_up: Task::background(gives_up).priority(25),
    reporter: Task::background(reporter).priority(254),
}

const A: u32 = 1 << 0;
const B: u32 = 1 << 1;
const C: u32 = 1 << 31;

static LOG: Log<20> = Log::new();
static DONE: Gate = Gate::new(5);
static FLAGS: EventFlags = EventFlags::new();

fn set() {
    FLAGS.set_from_handler(B);
    LOG.note(&"the handler has set B");
}

fn all_clears() -> ! {
    let is_so = FLAGS.wait_all(A | B, Received::Clear) == A | B;
    LOG.note(if is_so { &"  A and B, cleared" } else { &"  WRONG FLAGS" });
    DONE.arrive_and_rest()
}

fn any_stays() -> ! {
    let is_so = FLAGS.wait_any(A | C, Received::Stay) == A;
    LOG.note(if is_so { &"  A of A or C" } else { &"  WRONG FLAGS" });
    DONE.arrive_and_rest()
}

fn any_clears() -> ! {
    let is_so = FLAGS.wait_any(C, Received::Clear) == C;
    LOG.note(if is_so { &"  C, cleared" } else { &"  WRONG FLAGS" });
    DONE.arrive_and_rest()
}

fn late() -> ! {
    let is_so = FLAGS.wait_any(C, Received::Clear) == C;
    LOG.note(if is_so { &"  C again, cleared" } else { &"  WRONG FLAGS" });
    DONE.arrive_and_rest()
}

fn gives_up() -> ! {
    let deadline = clock::from_now(millis(1));
    let is_so = FLAGS.wait_all_until(A | C, Received::Clear, deadline) == Err(TimedOut { deadline });
    LOG.note(if is_so { &"gives up" } else { &"DOES NOT GIVE UP" });
    DONE.arrive_and_rest()
}

fn reporter() -> ! {
    let began = clock::now();
    while clock::now().is_before(began.after(2_000 * clock::half_ticks_per_us())) {
        takt::rpi4::interrupts::yield_hint();
    }
    LOG.note(&"A is set");
    FLAGS.set(A);
    raise(3);
    LOG.note(&"C is set");
    FLAGS.set(C);
    LOG.note(&"C is set");
    FLAGS.set(C);
    let mut report = LOG.report_after(&DONE);
    let counts = FLAGS.counts();
    report!(report, "set {:#x}, waits {}, time-outs {}", FLAGS.get(), counts.waits, counts.time_outs);
    tried(&mut report);
    report.end()
}

fn tried(report: &mut takt_tests::Report) {
    FLAGS.set(A | C);
    report.is("both of two are there", FLAGS.try_all(A | C, Received::Stay) == Some(A | C));
    report.is("all of three are not", FLAGS.try_all(A | B | C, Received::Clear).is_none());
    report.is("any of three are", FLAGS.try_any(A | B | C, Received::Clear) == Some(A | C));
    report.is("and are clear then", FLAGS.get() == 0 && FLAGS.try_any(A | B | C, Received::Clear).is_none());
    FLAGS.set(A | B);
    FLAGS.clear(A);
    report.is("what is cleared is gone, the rest is not", FLAGS.get() == B);
    let deadline = clock::from_now(micros(100));
    report.is("what is there is had at once", FLAGS.wait_any_until(B, Received::Stay, deadline) == Ok(B));
    report.is("in time", clock::now().is_before(deadline));
}
