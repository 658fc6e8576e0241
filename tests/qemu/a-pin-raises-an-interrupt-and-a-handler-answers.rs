// run: --wire-pin 17 --wire-pin 30

//! From output to interrupt to output: a pin raises INTID 145, whose direct handler answers at another pin, and a second
//! one INTID 146, whose kernel handler wakes a task. QEMU detects no events at its pins, so the tool wires the two outputs to
//! the interrupt controller, and the handlers lower the pins where on a board they would acknowledge the events.
#![no_std]
#![no_main]

use core::sync::atomic::{AtomicU32, Ordering};

use takt::board::{GpioLine, Level, Output, Pin, PinNumber};
use takt::handover::Handover;
use takt::prelude::*;
use takt::rpi4::devices;
use takt_tests::{Report, report, soon};

takt::tasks! {
    answer: Interrupt::direct(GpioLine::Pins0To27.intid(), answer),
    wake: Interrupt::kernel(GpioLine::Pins28To45.intid(), wake),
    waiter: Task::background(waiter).priority(10),
    reporter: Task::background(reporter).priority(254),
}

/// The pin at which the handler answers: a task puts it here before the interrupt can come.
static ANSWER: Handover<Option<Output<18>>> = Handover::new(None);
static EDGE: Event = Event::new();
static ANSWERED: AtomicU32 = AtomicU32::new(0);
static WOKEN: AtomicU32 = AtomicU32::new(0);

fn answer() {
    devices::gpio().set_low(PinNumber::at::<17>());
    if let Some(mut pin) = ANSWER.take()
        && let Some(pin) = &mut *pin
    {
        pin.toggle();
    }
    ANSWERED.fetch_add(1, Ordering::Relaxed);
}

fn wake() {
    devices::gpio().set_low(PinNumber::at::<30>());
    EDGE.set_from_handler();
}

fn waiter() -> ! {
    loop {
        EDGE.wait();
        WOKEN.fetch_add(1, Ordering::Relaxed);
    }
}

fn reporter() -> ! {
    let mut report = Report::new();
    let (Ok(stimulus), Ok(answer), Ok(other)) = (Pin::<17>::take(), Pin::<18>::take(), Pin::<30>::take()) else {
        panic!("a pin is taken")
    };
    if let Some(mut place) = ANSWER.take() {
        *place = Some(answer.into_output(Level::Low));
    }
    let mut stimulus = stimulus.into_output(Level::Low);
    let mut other = other.into_output(Level::Low);
    report!(
        report,
        "INTIDs {}, {}, {}, {}",
        GpioLine::Pins0To27.intid(),
        GpioLine::Pins28To45.intid(),
        GpioLine::Pins46To57.intid(),
        GpioLine::AllPins.intid()
    );
    let answer_is_high = || devices::gpio().is_high(PinNumber::at::<18>());
    for edge in 1..=3 {
        stimulus.set_high();
        report.is(format_args!("edge {edge} is answered"), soon(|| ANSWERED.load(Ordering::Relaxed) == edge));
        report.is("  the pin that answers has changed", answer_is_high() == (edge % 2 == 1));
        report.is("  the request is withdrawn", !stimulus.reads_high());
    }
    for edge in 1..=3 {
        other.set_high();
        report.is(format_args!("edge {edge} wakes the task"), soon(|| WOKEN.load(Ordering::Relaxed) == edge));
    }
    report.is("the first handler was called for its own edges", ANSWERED.load(Ordering::Relaxed) == 3);
    report.end()
}
