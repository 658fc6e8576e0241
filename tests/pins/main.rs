//! What an edge at a pin takes: from the instant at which a task raises an output to the first statement of the direct or
//! the kernel handler of the pin's line, and of the task that the kernel handler wakes.
//!
//! QEMU detects no events at its pins, so the tool wires two outputs to the interrupt controller. The handlers lower the
//! pin where on a board they would acknowledge the event. Whoever raises the pin is interrupted by it.
//!
//! Prints a line for each figure: name, least, most, in counter ticks. `make bench`, and a test of the host tool against
//! `budgets.toml`.
#![no_std]
#![no_main]

use core::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use takt::board::{GpioLine, Level, Output, Pin, PinNumber};
use takt::clock;
use takt::kernel::time::Instant;
use takt::prelude::*;
use takt::rpi4::devices;
use takt_tests::{Range, Report, report, ticks};

takt::tasks! {
    direct: Interrupt::direct(GpioLine::Pins0To27.intid(), direct),
    kernel: Interrupt::kernel(GpioLine::Pins28To45.intid(), kernel),
    waiter: Task::background(waiter).priority(10),
    reporter: Task::background(reporter).priority(254),
}

/// How many edges are measured, behind a first one that is not.
const SAMPLES: u32 = 1_000;

static RAISED: AtomicU64 = AtomicU64::new(0);
static TO_DIRECT: AtomicI64 = AtomicI64::new(-1);
static TO_KERNEL: AtomicI64 = AtomicI64::new(-1);
static TO_TASK: AtomicI64 = AtomicI64::new(-1);
static EDGE: Event = Event::new();

/// From the edge to `now`.
fn since_the_edge(now: Instant) -> i64 {
    ticks(now.since(Instant::from_half_ticks(RAISED.load(Ordering::Relaxed))))
}

fn direct() {
    let now = clock::now();
    devices::gpio().set_low(PinNumber::at::<17>());
    TO_DIRECT.store(since_the_edge(now), Ordering::Relaxed);
}

fn kernel() {
    let now = clock::now();
    devices::gpio().set_low(PinNumber::at::<30>());
    EDGE.set_from_handler();
    TO_KERNEL.store(since_the_edge(now), Ordering::Relaxed);
}

fn waiter() -> ! {
    loop {
        EDGE.wait();
        let now = clock::now();
        TO_TASK.store(since_the_edge(now), Ordering::Relaxed);
    }
}

fn reporter() -> ! {
    let mut report = Report::new();
    let (Ok(first), Ok(second)) = (Pin::<17>::take(), Pin::<30>::take()) else { panic!("a pin is taken") };
    let (mut first, mut second) = (first.into_output(Level::Low), second.into_output(Level::Low));
    report.flush();
    let (mut to_direct, mut to_kernel, mut to_task) = (Range::EMPTY, Range::EMPTY, Range::EMPTY);
    raise(&mut first);
    raise(&mut second);
    for _ in 0..SAMPLES {
        raise(&mut first);
        to_direct.add(TO_DIRECT.swap(-1, Ordering::Relaxed));
        raise(&mut second);
        to_kernel.add(TO_KERNEL.swap(-1, Ordering::Relaxed));
        to_task.add(TO_TASK.swap(-1, Ordering::Relaxed));
    }
    for (name, range) in [("pin-direct-handler", to_direct), ("pin-handler", to_kernel), ("pin-task", to_task)] {
        report!(report, "{name},{},{}", range.least, range.greatest);
    }
    report.is("# every edge was seen", [to_direct, to_kernel, to_task].iter().all(|range| range.least > 0));
    report.end()
}

/// Raises the pin. The interrupt comes before this returns.
#[inline(always)]
fn raise<const N: u8>(pin: &mut Output<N>) {
    RAISED.store(clock::now().half_ticks(), Ordering::Relaxed);
    pin.set_high();
    takt::rpi4::interrupts::yield_hint();
}
