//! Core 2 panics, and the table says that the others go on: they do, are told its words, and what is sent to it does not hurt.
// run: --cores 4
#![no_std]
#![no_main]

use core::sync::atomic::{AtomicU32, Ordering};

use takt::prelude::*;
use takt_tests::{Report, report};

takt::tasks! {
    on_core_fault: OnCoreFault::Isolate,
    go: GO_FROM_AFAR.port(),
    worker: Task::periodic(worker).core(1).priority(10).period(millis(1)),
    unlucky: Task::background(unlucky).core(2).priority(10),
    reporter: Task::background(reporter).core(0).priority(254),
}

static GO: Semaphore = Semaphore::new(0);
static GO_FROM_AFAR: Remote<Semaphore, 2> = Remote::to(&GO);
static WORKED: AtomicU32 = AtomicU32::new(0);

fn worker(mut period: Periodic) -> ! {
    loop {
        period.wait();
        WORKED.fetch_add(1, Ordering::Relaxed);
    }
}

fn unlucky() -> ! {
    GO.take();
    panic!("the oil pressure is gone")
}

fn reporter() -> ! {
    let mut report = Report::new();
    report!(report, "core 2 has faulted: {}", takt::core_fault(2).is_some());
    report.flush();
    GO_FROM_AFAR.give();
    while takt::core_fault(2).is_none() {
        takt::sleep_for(millis(1));
    }
    report!(report, "core 2 said: {}", takt::core_fault(2).unwrap_or_default());
    report!(report, "core 1 has faulted: {}", takt::core_fault(1).is_some());
    let before = WORKED.load(Ordering::Relaxed);
    for _ in 0..1_000 {
        GO_FROM_AFAR.give();
    }
    takt::sleep_for(millis(20));
    report.is("core 1 goes on", WORKED.load(Ordering::Relaxed) > before + 10);
    report.end()
}
