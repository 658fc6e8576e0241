// run: --icount 4 --cores 1
//! Asking for a device that is not there is an answer and leaves no trace: in a task, in a handler and with interrupts
//! masked, every register, the flags and the masks are as before, and no release is lost meanwhile. A device that is there
//! answers with its register.
#![no_std]
#![no_main]

use core::arch::asm;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use takt::clock;
use takt::prelude::*;
use takt::rpi4::{counter, guarded, interrupts, map};
use takt_tests::{Report, busy_for_us, raise, report, soon};

takt::tasks! {
    asked: Interrupt::kernel(1, asked),
    counter: Task::periodic(count).priority(5).period(micros(50)),
    reporter: Task::background(reporter).priority(254),
}

/// `GICD_TYPER`, which is there and constant [GIC2 4.3.2].
const GICD_TYPER: usize = map::GICD + 4;
const PROBES: u32 = 10_000;

static RELEASES: AtomicU32 = AtomicU32::new(0);
static LOST: AtomicU64 = AtomicU64::new(0);
static IN_HANDLER: AtomicU32 = AtomicU32::new(0);

fn count(mut period: Periodic) -> ! {
    loop {
        let release = period.wait();
        RELEASES.fetch_add(1, Ordering::Relaxed);
        LOST.fetch_add(release.skipped(), Ordering::Relaxed);
    }
}

fn read(address: usize) -> Option<u32> {
    // SAFETY: a register of which a read changes nothing, or none.
    unsafe { guarded::read(address) }
}

fn asked() {
    let is_refused = read(map::PWM0).is_none() && read(GICD_TYPER).is_some();
    IN_HANDLER.store(1 + u32::from(is_refused), Ordering::Relaxed);
}

/// Calls the guarded read with known registers; whether nobody answered, and all that a call may not change, and more, is
/// the same behind it. x19 and x29 are the compiler's.
fn registers_are_kept() -> bool {
    let mut kept = [0_u64; 23];
    let (answered, flags, masks_before, masks_after, stacks_differ): (u64, u64, u64, u64, u64);
    // SAFETY: the function is one of the image's, and what it may change is declared.
    unsafe {
        asm!(
            "mrs x3, daif",
            "mov x4, sp",
            "mov x5, #5", "mov x6, #6", "mov x7, #7", "mov x8, #8", "mov x9, #9", "mov x10, #10", "mov x11, #11",
            "mov x12, #12", "mov x13, #13", "mov x14, #14", "mov x15, #15", "mov x16, #16", "mov x17, #17",
            "mov x18, #18", "mov x20, #20", "mov x21, #21", "mov x22, #22", "mov x23, #23", "mov x24, #24",
            "mov x25, #25", "mov x26, #26", "mov x27, #27",
            "mov x2, #0xA0000000", // N and C
            "msr nzcv, x2",
            "bl takt_guarded_read",
            "mrs x2, nzcv",
            "stp x5, x6, [x28]", "stp x7, x8, [x28, #16]", "stp x9, x10, [x28, #32]", "stp x11, x12, [x28, #48]",
            "stp x13, x14, [x28, #64]", "stp x15, x16, [x28, #80]", "stp x17, x18, [x28, #96]",
            "stp x20, x21, [x28, #112]", "stp x22, x23, [x28, #128]", "stp x24, x25, [x28, #144]",
            "stp x26, x27, [x28, #160]", "str x28, [x28, #176]",
            "mrs x5, daif",
            "mov x6, sp",
            "eor x6, x6, x4",
            in("x28") &raw mut kept,
            inout("x0") map::PWM0 => _,
            out("x1") answered, out("x2") flags, out("x3") masks_before, out("x5") masks_after, out("x6") stacks_differ,
            out("x4") _, out("x7") _, out("x8") _, out("x9") _, out("x10") _, out("x11") _, out("x12") _,
            out("x13") _, out("x14") _, out("x15") _, out("x16") _, out("x17") _, out("x18") _, out("x20") _,
            out("x21") _, out("x22") _, out("x23") _, out("x24") _, out("x25") _, out("x26") _, out("x27") _,
            out("x30") _,
        );
    }
    let expected = (5..=18).chain(20..=27).chain([(&raw const kept) as u64]);
    answered == 0
        && flags == 0xA000_0000
        && masks_before == masks_after
        && stacks_differ == 0
        && expected.eq(kept.iter().copied())
}

fn reporter() -> ! {
    let mut report = Report::new();
    for (name, address) in [
        ("PWM block 0", map::PWM0),
        ("PWM block 1", map::PWM1),
        ("RNG200", map::RNG200),
        ("thermometer", map::THERMAL),
        ("GICD_TYPER", GICD_TYPER),
    ] {
        report!(report, "{name}: {}", if read(address).is_some() { "answers" } else { "no answer" });
    }
    report.flush();
    report.is("what answers is the register", read(GICD_TYPER).is_some_and(|word| word & 0x1F >= 6));
    report.is("registers, flags, masks and stack are kept", registers_are_kept());
    let masks = interrupts::save_and_mask();
    let is_refused = read(map::PWM0).is_none();
    let are_masked = interrupts::are_masked();
    // SAFETY: nothing is half changed.
    unsafe { interrupts::restore(masks) };
    report.is("with interrupts masked, which they stay", is_refused && are_masked && !interrupts::are_masked());
    raise(1);
    report.is("in a handler", soon(|| IN_HANDLER.load(Ordering::Relaxed) == 2));
    report.flush();
    // Time zero is some hundred microseconds after the first statement of a program.
    busy_for_us(1_000);
    report.is("the timer runs", RELEASES.load(Ordering::Relaxed) > 0);
    report.flush();

    let (start, releases) = (clock::now(), RELEASES.load(Ordering::Relaxed));
    let (mut refused, mut least) = (0, u64::MAX);
    for _ in 0..PROBES {
        let before = counter::ticks();
        refused += u32::from(read(map::PWM0).is_none());
        least = least.min(counter::ticks() - before);
    }
    let elapsed_us = clock::now().since(start).unsigned_abs() / clock::half_ticks_per_us();
    let releases = u64::from(RELEASES.load(Ordering::Relaxed) - releases);
    report.is("refused each time", refused == PROBES);
    report.is("a refusal takes at most 44 instructions", least <= 44);
    report.is("the timer ran on", releases > 100 && releases.abs_diff(elapsed_us / 50) <= 1);
    report!(report, "releases lost {}", LOST.load(Ordering::Relaxed));
    report.end()
}
