//! Three tasks of one priority run in turn, for a millisecond of their own time each: what preempts a task is not of its turn,
//! and who is alone goes on.
// run: --icount 4 --cores 1
// run: --icount 4 --cores 1 --append timebase=generic
#![no_std]
#![no_main]

use core::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};

use takt::clock;
use takt::execution_time::this_task_half_ticks;
use takt::prelude::*;
use takt::sleep_for;
use takt_tests::{Report, report};

takt::tasks! {
    reporter: Task::background(reporter).priority(10),
    urgent: Task::background(urgent).priority(20),
    workers: Level::round_robin(30, millis(1)),
    first: Task::background(worker::<0>).priority(30),
    second: Task::background(worker::<1>).priority(30),
    third: Task::background(worker::<2>).priority(30),
}

const TURNS: usize = 10;

static BEGIN: [Event; 3] = [const { Event::new() }; 3];
/// Whose turn it is, and when its first statement of this turn came, by the clock and by its own time.
static RUNNING: AtomicUsize = AtomicUsize::new(3);
static TURN: AtomicUsize = AtomicUsize::new(0);
static WHO: [AtomicUsize; TURNS] = [const { AtomicUsize::new(9) }; TURNS];
static OWN: [AtomicU64; TURNS] = [const { AtomicU64::new(0) }; TURNS];
static LATEST: AtomicU64 = AtomicU64::new(0);
/// How many tasks are to stop.
static STOP: AtomicU32 = AtomicU32::new(0);
static DISTURB: Event = Event::new();

/// Notes how long each turn was, by the own time of whoever had it.
fn worker<const N: usize>() -> ! {
    loop {
        BEGIN[N].wait();
        let mut began = this_task_half_ticks().unwrap_or(0);
        while STOP.load(Ordering::Relaxed) == 0 {
            let own = this_task_half_ticks().unwrap_or(0);
            if RUNNING.swap(N, Ordering::Relaxed) != N {
                let turn = TURN.fetch_add(1, Ordering::Relaxed);
                if let (Some(who), Some(before)) = (WHO.get(turn), turn.checked_sub(1).and_then(|turn| OWN.get(turn))) {
                    who.store(N, Ordering::Relaxed);
                    before.store(LATEST.load(Ordering::Relaxed), Ordering::Relaxed);
                } else if let Some(who) = WHO.get(turn) {
                    who.store(N, Ordering::Relaxed);
                }
                began = own;
            }
            LATEST.store(own - began, Ordering::Relaxed);
        }
    }
}

/// Takes 300 us of each 700.
fn urgent() -> ! {
    loop {
        DISTURB.wait();
        while STOP.load(Ordering::Relaxed) == 0 {
            takt_tests::busy_for_us(300);
            sleep_for(micros(400));
        }
    }
}

fn begin(tasks: &[usize]) {
    STOP.store(0, Ordering::Relaxed);
    TURN.store(0, Ordering::Relaxed);
    RUNNING.store(3, Ordering::Relaxed);
    tasks.iter().for_each(|&task| BEGIN[task].set());
}

/// Prints who had which turn, and whether each was a slice; the first may have begun within another.
fn tell(report: &mut Report, what: &str) {
    STOP.store(1, Ordering::Relaxed);
    let turns = TURN.load(Ordering::Relaxed);
    report!(report, "{what}: {turns} turns");
    let half_ticks_per_us = clock::half_ticks_per_us();
    for (turn, (who, own)) in WHO.iter().zip(&OWN).enumerate().take(turns.min(TURNS) - 1) {
        let own_us = own.load(Ordering::Relaxed) / half_ticks_per_us;
        let is_a_slice = (937..=1_063).contains(&own_us);
        let length = if is_a_slice { "a millisecond, to a sixteenth" } else { "ANOTHER TIME" };
        report!(report, "  {}: {length}", ["first", "second", "third"][who.load(Ordering::Relaxed)]);
        assert!(is_a_slice || turn == 0, "{own_us} us");
    }
    // Until all have seen that they are to stop.
    sleep_for(millis(20));
}

fn reporter() -> ! {
    let mut report = Report::new();
    report.flush();
    begin(&[0, 1, 2]);
    sleep_for(millis(8));
    tell(&mut report, "alone with each other");
    begin(&[1]);
    sleep_for(millis(5));
    tell(&mut report, "one alone");
    begin(&[0, 2]);
    DISTURB.set();
    sleep_for(millis(12));
    tell(&mut report, "two, with 300 us of each 700 for a more urgent one");
    report.end()
}
