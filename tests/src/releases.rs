//! A thousand releases of one task, judged: what the programs about time bases share.

use core::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use takt::board::TimeBase;
use takt::rpi4::{devices, map};
use takt::{Periodic, clock};

use crate::{Gate, Report, facts, report, ticks};

/// How many releases are judged.
const RELEASES: u64 = 1_000;

static DONE: Gate = Gate::new(1);
static RELEASED: AtomicU64 = AtomicU64::new(0);
static OFF_BEAT: AtomicU64 = AtomicU64::new(0);
static EARLIEST: AtomicI64 = AtomicI64::new(i64::MAX);
static LATEST_HANDLER: AtomicI64 = AtomicI64::new(i64::MIN);
static LATEST_START: AtomicI64 = AtomicI64::new(i64::MIN);

/// A task that takes a thousand releases in.
pub fn release_1000(mut period: Periodic) -> ! {
    let mut expected = None;
    for _ in 0..RELEASES {
        let release = period.wait();
        RELEASED.fetch_add(1, Ordering::Relaxed);
        if expected.is_some_and(|expected| expected != release.due()) {
            OFF_BEAT.fetch_add(1, Ordering::Relaxed);
        }
        expected = Some(release.due().after(period.period_half_ticks()));
        let handler = release.handler().since(release.due());
        EARLIEST.fetch_min(handler, Ordering::Relaxed);
        LATEST_HANDLER.fetch_max(handler, Ordering::Relaxed);
        LATEST_START.fetch_max(release.start().since(release.due()), Ordering::Relaxed);
    }
    DONE.arrive_and_rest()
}

/// The reporter: prints whether `base` released them, and how late they were.
pub fn judge(base: TimeBase) -> ! {
    let mut report = Report::new();
    // Nothing is printed while releases are judged: the console's interrupts would keep them waiting.
    DONE.wait();
    let facts = facts();
    report!(report, "{}", facts.time_base_reason);
    report.is(format_args!("it is the {base:?}"), facts.time_base == base);
    let (own, other) = match base {
        TimeBase::SystemTimer => (map::SYSTEM_TIMER_1_INTID, map::GENERIC_TIMER_INTID),
        TimeBase::GenericTimer => (map::GENERIC_TIMER_INTID, map::SYSTEM_TIMER_1_INTID),
    };
    let is_enabled = |intid| devices::distributor().is_enabled(intid) == Ok(true);
    report.is(format_args!("INTID {} is enabled", own.number()), is_enabled(own));
    report.is(format_args!("INTID {} is not", other.number()), !is_enabled(other));

    report!(report, "releases {}, off the beat {}", RELEASED.load(Ordering::Relaxed), OFF_BEAT.load(Ordering::Relaxed));
    // The phase of the system timer is known to this much.
    let slack = facts.phase.map_or(0, |phase| phase.half_width_half_ticks).cast_signed();
    report.is("none is early", EARLIEST.load(Ordering::Relaxed) >= -slack);
    // In ticks of the counter, each an instruction. A microsecond has 62.5.
    let handler = ticks(LATEST_HANDLER.load(Ordering::Relaxed));
    let start = ticks(LATEST_START.load(Ordering::Relaxed));
    report.is("handlers begin within 63 ticks", handler <= 63);
    report.is("tasks begin within 250 ticks", start <= 250);
    report.is("phase known to a quarter microsecond", slack <= clock::half_ticks_per_us().cast_signed() / 4);
    report!(report, "spurious {}", takt::interrupt_counts().spurious);
    report.end()
}
