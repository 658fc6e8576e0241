//! The vectors reach the handler that the table names, and come back: the least urgent task raises a software generated
//! interrupt to itself a hundred times, and the handler counts. Interrupts that come while they are masked wait.
#![no_std]
#![no_main]

use core::sync::atomic::{AtomicU32, Ordering};

use takt::prelude::*;
use takt::rpi4::interrupts;
use takt_tests::{Report, raise, report, soon};

takt::tasks! {
    counter: Interrupt::kernel(5, count),
    reporter: Task::background(reporter).priority(254),
}

static COUNT: AtomicU32 = AtomicU32::new(0);

fn count() {
    COUNT.fetch_add(1, Ordering::Relaxed);
}

fn reporter() -> ! {
    let mut report = Report::new();
    let mut came_each_time = true;
    for raised in 1..=100 {
        raise(5);
        came_each_time &= soon(|| COUNT.load(Ordering::Relaxed) == raised);
    }
    report.is("each came before the next was raised", came_each_time);
    report!(report, "raised 100, handled {}", COUNT.load(Ordering::Relaxed));

    interrupts::mask();
    raise(5);
    let came_masked = soon(|| COUNT.load(Ordering::Relaxed) == 101);
    // SAFETY: nothing is half changed, and the vectors stand.
    unsafe { interrupts::unmask() };
    let came_unmasked = soon(|| COUNT.load(Ordering::Relaxed) == 101);
    report.is("one that is raised while interrupts are masked waits", !came_masked && came_unmasked);
    report!(report, "spurious {}", takt::interrupt_counts().spurious);
    report.end()
}
