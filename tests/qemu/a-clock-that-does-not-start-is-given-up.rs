//! A clock generator that does not start, as QEMU's for the PWM blocks, which is enabled and never busy, is waited for until
//! the caller's time is up, and no longer. So is one that was never enabled not waited for when it shall stop.
#![no_std]
#![no_main]

use takt::board::PWM_CLOCK_HZ;
use takt::clock;
use takt::prelude::*;
use takt::rpi4::devices;
use takt::rpi4::drivers::clock_manager::{Divisor, OSCILLATOR_HZ};
use takt_tests::{Report, report};

takt::tasks! {
    reporter: Task::background(reporter).priority(254),
}

fn reporter() -> ! {
    let mut report = Report::new();
    let Ok(divisor) = Divisor::for_rate(OSCILLATOR_HZ, PWM_CLOCK_HZ, 0) else { panic!("half is exact") };
    report!(report, "{OSCILLATOR_HZ} Hz by {} is {} Hz", divisor.whole(), divisor.rate_hz(OSCILLATOR_HZ));
    let mut generator = devices::pwm_clock();
    report.is("at rest", !generator.is_busy());
    let start = clock::now();
    let millisecond = 1_000 * clock::half_ticks_per_us().cast_signed();
    let since_start = || clock::now().since(start);
    if let Err(error) = generator.enable(divisor, || since_start() > millisecond) {
        report!(report, "{error}");
    }
    let waited = since_start();
    report.is("given up after a millisecond", (millisecond..2 * millisecond).contains(&waited));
    report.is("it stops at once", generator.disable(|| true).is_ok());
    report.end()
}
