//! Every half tick is somebody's, and nobody's twice: whatever happens between two looks, tasks, idle task and interrupts
//! together had the time between them, and each of them what its own account says.
//!
//! A direct handler comes at all instructions of what the tasks do, sooner or later: its period has nothing in common with
//! theirs. It raises a kernel handler, which is so held off now and then.
// run: --icount 4 --cores 1
// run: --icount 4 --cores 1 --append "timebase=generic"
// run: --icount 4 --cores 1 --append "idle=spin"
#![no_std]
#![no_main]

use takt::clock;
use takt::execution_time::{CpuUse, User};
use takt::prelude::*;
use takt::rpi4::{counter, map, virtual_timer};
use takt::{TaskHandle, sleep_for};
use takt_execution_time::work;
use takt_tests::{Report, busy_for_us, raise};

takt::tasks! {
    direct: Interrupt::direct(map::VIRTUAL_TIMER_INTID.number(), direct),
    kernel: Interrupt::kernel(3, kernel),
    reporter: Task::background(reporter).priority(5).stack_bytes(16_384),
    fast: Task::periodic(fast).priority(10).period(micros(137)),
    slow: Task::periodic(slow).priority(20).period(micros(1_000)).locks(&SHARED, micros(20)),
    woken: Task::background(woken).priority(30),
    first: Task::background(first).priority(200).locks(&SHARED, micros(20)),
    second: Task::background(second).priority(200),
}

/// How many can have the core.
const USERS: usize = 8;
const DIRECT_PERIOD_TICKS: u64 = 1_009;

static WAKE: Event = Event::new();
static BY_TASK: Semaphore = Semaphore::new(0);
static SHARED: Mutex<u32, 10> = Mutex::new(0);

fn direct() {
    virtual_timer::arm(counter::ticks().wrapping_add(DIRECT_PERIOD_TICKS));
    raise(3);
}

fn kernel() {
    WAKE.set_from_handler();
}

fn fast(mut period: Periodic) -> ! {
    loop {
        let _ = period.wait();
        work(40);
        BY_TASK.give();
    }
}

fn slow(mut period: Periodic) -> ! {
    loop {
        let _ = period.wait();
        SHARED.lock(|shared| *shared += 1);
        work(300);
    }
}

fn woken() -> ! {
    loop {
        WAKE.wait();
        work(10);
    }
}

fn first() -> ! {
    loop {
        for _ in 0..100 {
            SHARED.lock(|shared| *shared += 1);
            yield_turn();
        }
        sleep_for(micros(500));
    }
}

fn second() -> ! {
    loop {
        let _ = BY_TASK.take_until(clock::from_now(micros(100)));
        yield_turn();
    }
}

/// A look, the clock's reading before and behind it, and what the shares were.
struct Look {
    before: u64,
    behind: u64,
    users_with_some: usize,
    per_mille: u16,
    half_ticks: u64,
}

fn look(cpu_use: &mut CpuUse) -> Look {
    let before = clock::now().half_ticks();
    let shares = cpu_use.look();
    let behind = clock::now().half_ticks();
    let mut look = Look { before, behind, users_with_some: 0, per_mille: 0, half_ticks: 0 };
    for share in shares.into_iter().flatten() {
        look.users_with_some += usize::from(share.half_ticks > 0);
        look.per_mille += share.per_mille;
        look.half_ticks += share.half_ticks;
    }
    look
}

fn reporter() -> ! {
    let mut report = Report::new();
    let mut cpu_use = CpuUse::since_start();
    sleep_for(millis(3));
    virtual_timer::arm(counter::ticks().wrapping_add(DIRECT_PERIOD_TICKS));
    virtual_timer::enable();
    let mut earlier = look(&mut cpu_use);
    let (mut is_whole, mut is_thousand, mut all_had_some) = (true, true, true);
    for _ in 0..50 {
        sleep_for(micros(1_234));
        busy_for_us(20);
        let later = look(&mut cpu_use);
        is_whole &= (later.before - earlier.behind..=later.behind - earlier.before).contains(&later.half_ticks);
        is_thousand &= later.per_mille == 1_000;
        all_had_some &= later.users_with_some == USERS;
        earlier = later;
    }
    report.is("each window is as long as the clock says", is_whole);
    report.is("  its shares are a thousand tenths of a percent", is_thousand);
    report.is("  and six tasks, the idle task and interrupts had some", all_had_some);
    // Nobody less urgent runs between the look and the question.
    let mut from_start = CpuUse::since_start();
    let mut told = 0;
    for share in from_start.look().into_iter().flatten() {
        let User::Task(name) = share.user else { continue };
        let of_one = TaskHandle::named(name).and_then(|task| task.executed_half_ticks().ok());
        told += usize::from(name != "reporter" && of_one == Some(share.half_ticks));
    }
    report.is("the five tasks that wait are told the same by their handles", told == 5);
    report.end()
}
