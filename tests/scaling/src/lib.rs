//! What a release takes with few and with many tasks: each program of `src/bin/` is the same with another number of
//! tasks, and prints one line for `make scaling`.
//!
//! All tasks are periodic with the same period, each of its own priority. They do [`ROUNDS`] rounds that are all due *at
//! once*, and then as many *apart*, each [`SPACING_US`] behind the more urgent one, so that no two ways meet. Every
//! task notes its own stamps behind its first statement; the least urgent, which is the last in every round, prints.
//!
//! | field | what it is, in counter ticks |
//! |---|---|
//! | `apart-min`, `apart-max` | due instant to a task's first statement, over all tasks, nobody else due |
//! | `out-min`, `out-max` | the same where the task released before has not waited for an instant again |
//! | `once-min`, `once-max` | the same of the most urgent task, all due at once: all are released before it starts |
//! | `further_x10` | what each further release at the same instant adds, ten times: (`once-max` − `apart-max`) / (tasks − 1) |
//! | `wait-min`, `wait-max` | from before a task waits to the first statement of the next, which is ready |

#![no_std]
#![forbid(unsafe_code)]

mod range;

use core::fmt::Write as _;
use core::sync::atomic::{AtomicU64, Ordering};

use takt::clock;
use takt::console::Console;
use takt::kernel::time::Instant;
use takt::prelude::*;

use range::Range;

/// Declares periodic tasks of these names, which are a letter and two digits, the first the most urgent.
#[macro_export]
macro_rules! tasks {
    ($($name:ident)*) => {
        takt::tasks! {
            $($name: $crate::worker(stringify!($name)),)*
        }
    };
}

/// Rounds of each kind.
const ROUNDS: u64 = 200;
/// A round is not counted before all tasks have come to their pace.
const UNCOUNTED: u64 = 2;
/// From release to release. Prime, and odd, so that due instants fall on whole and on half ticks in turn.
const PERIOD_US: u64 = 7_001;
/// From a task's release to that of the next less urgent one.
const SPACING_US: u64 = 101;
/// From the start to the first round: all tasks have waited by then.
const LEAD_US: u64 = 20_000;

/// How many tasks have come to run; then, how many there are.
static TASKS: AtomicU64 = AtomicU64::new(0);
/// When the first round is due, in half ticks.
static FIRST: AtomicU64 = AtomicU64::new(0);
/// When the latest task began to wait, in half ticks.
static WAITED: AtomicU64 = AtomicU64::new(0);

static APART: Range = Range::new();
static OUT: Range = Range::new();
static ONCE: Range = Range::new();
static WAIT: Range = Range::new();

/// The task of this name.
pub const fn worker(name: &str) -> Task {
    Task::slot(work).priority(number(name)).stack_bytes(4_096)
}

/// The number in a name that is a letter and two digits.
const fn number(name: &str) -> u8 {
    match name.as_bytes() {
        [_, tens @ b'0'..=b'9', ones @ b'0'..=b'9'] => {
            tens.wrapping_sub(b'0').wrapping_mul(10).wrapping_add(ones.wrapping_sub(b'0'))
        }
        _ => 0,
    }
}

fn work(mut slot: Slot) -> ! {
    // The most urgent comes first, and so on: each waits before the next comes to run.
    let rank = TASKS.fetch_add(1, Ordering::Relaxed);
    let per_us = clock::half_ticks_per_us();
    if rank == 0 {
        let first = clock::next_edge(clock::now().after(LEAD_US.wrapping_mul(per_us)));
        FIRST.store(first.half_ticks(), Ordering::Relaxed);
    }
    let first = Instant::from_half_ticks(FIRST.load(Ordering::Relaxed));
    all_at_once(&mut slot, first, rank);
    // A round is left out in between, for the spacing.
    let later_us = PERIOD_US.wrapping_mul(ROUNDS.wrapping_add(1)).wrapping_add(SPACING_US.wrapping_mul(rank));
    all_apart(&mut slot, first.after(later_us.wrapping_mul(per_us)), rank);
    if rank.wrapping_add(1) == TASKS.load(Ordering::Relaxed) {
        print();
    }
    rest()
}

/// Rounds in which all tasks are due at `first`.
#[inline(always)]
fn all_at_once(slot: &mut Slot, first: Instant, rank: u64) {
    let mut periodic = slot.begin(first, micros(PERIOD_US), OverrunPolicy::Skip);
    for round in 0..ROUNDS {
        let release = wait(&mut periodic);
        if round < UNCOUNTED {
            continue;
        }
        if rank == 0 {
            ONCE.add(release.start().since(release.due()));
        } else {
            let waited = Instant::from_half_ticks(WAITED.load(Ordering::Relaxed));
            WAIT.add(release.start().since(waited));
        }
    }
}

/// Rounds in which this task alone is due.
#[inline(always)]
fn all_apart(slot: &mut Slot, first: Instant, rank: u64) {
    let mut periodic = slot.begin(first, micros(PERIOD_US), OverrunPolicy::Skip);
    for round in 0..ROUNDS {
        let release = wait(&mut periodic);
        let lateness = release.start().since(release.due());
        if round.wrapping_add(1) == ROUNDS {
            // The more urgent ones have come to rest and do not wait for an instant again.
            if rank > 0 {
                OUT.add(lateness);
            }
        } else if round >= UNCOUNTED {
            APART.add(lateness);
        }
    }
}

#[inline(always)]
fn wait(periodic: &mut Periodic) -> Release {
    WAITED.store(clock::now().half_ticks(), Ordering::Relaxed);
    periodic.wait()
}

fn print() {
    let Some(mut console) = Console::take() else { return };
    let tasks = TASKS.load(Ordering::Relaxed).cast_signed();
    let more = ONCE.most_half_ticks().wrapping_sub(APART.most_half_ticks());
    let further_x10 = more.wrapping_mul(5).checked_div(tasks.wrapping_sub(1)).unwrap_or(0);
    let _ = writeln!(console, "{tasks},{APART},{OUT},{ONCE},{further_x10},{WAIT}");
    console.flush();
    takt::exit(0)
}

fn rest() -> ! {
    static NEVER: Event = Event::new();
    loop {
        NEVER.wait();
    }
}
