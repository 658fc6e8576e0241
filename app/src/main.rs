//! The shipped `kernel8.img`.
#![no_std]
#![no_main]
use takt::prelude::*;
takt::tasks! {
    tick: Task::periodic(tick).priority(10).period(micros(1_000)),
    console: Task::background(console).priority(250),
}
use core::sync::atomic::*;
static N: AtomicU64 = AtomicU64::new(0);
static MAXH: AtomicU64 = AtomicU64::new(0);
static MAXT: AtomicU64 = AtomicU64::new(0);
fn tick(mut p: Periodic) -> ! {
    loop {
        let r = p.wait();
        N.fetch_add(1, Ordering::Relaxed);
        MAXH.fetch_max(r.handler().since(r.due()) as u64, Ordering::Relaxed);
        MAXT.fetch_max(r.start().since(r.due()) as u64, Ordering::Relaxed);
    }
}
fn console() -> ! {
    use core::fmt::Write;
    let mut c = takt::console::Console::take().unwrap();
    let _ = writeln!(c, "hello {:#?}", takt::board::facts());
    while N.load(Ordering::Relaxed) < 1000 {}
    let _ = writeln!(
        c,
        "n {} h {} t {}",
        N.load(Ordering::Relaxed),
        MAXH.load(Ordering::Relaxed),
        MAXT.load(Ordering::Relaxed)
    );
    c.flush();
    takt::rpi4::end::exit(0)
}
