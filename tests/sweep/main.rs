//! Walks the executive's paths one instruction at a time: a direct handler fires at every tick of each, and `takt sweep`
//! finds in what this prints how late it came and where it was kept waiting.
//!
//! The direct handler belongs to the virtual timer, which compares the counter itself and so can fire at any tick
//! (`probe`). In QEMU with `-icount shift=4` a tick is an instruction. Each path (`paths`) runs once undisturbed, which
//! tells its length and what state it leaves (`state`), and then once for each offset from its start.
//!
//! A line `path,offset,latency,pc` for each trial: when the interrupt was due, in ticks after the start; the direct
//! handler's first statement less that; what was interrupted, 0 for the idle task. Lines with `#` are for people.
//!
//! The boot word `step=N` tries each N-th offset only; `path=NAME` with `offset=N` makes that one trial.
#![no_std]
#![no_main]

mod paths;
mod probe;
mod state;

use takt::board::{TimeBase, command_line, facts};
use takt::prelude::*;
use takt::rpi4::{map, virtual_timer};
use takt_tests::{Report, report};

use paths::Path;
use probe::Trial;
use state::State;

takt::tasks! {
    probe: Interrupt::direct(map::VIRTUAL_TIMER_INTID.number(), probe::fired),
    waker: Interrupt::kernel(paths::WAKER, paths::wake_the_waiter),
    urgent: Task::slot(paths::released::<{ paths::URGENT }>).priority(10),
    second: Task::slot(paths::released::<{ paths::SECOND }>).priority(20),
    waiter: Task::background(paths::waiter).priority(30),
    driver: Task::background(driver).priority(200).stack_bytes(32 * 1024),
    equal: Task::background(paths::equal).priority(200),
    lower: Task::slot(paths::released::<{ paths::LOWER }>).priority(250),
    listener: Task::background(paths::listener).priority(254),
}

/// The most trials of a path.
const MOST: u64 = 4_096;
/// The first offset: by then the timer is armed.
const FIRST: u64 = 24;
/// How far behind a path's end trials go on, so that the last ones find nothing masked.
const MARGIN: u64 = 24;

fn driver() -> ! {
    let mut report = Report::new();
    virtual_timer::withdraw();
    virtual_timer::enable();
    let is_system_timer = facts().is_some_and(|facts| facts.time_base == TimeBase::SystemTimer);
    report.is("# the system timer releases the tasks", is_system_timer);
    let only = word("path=");
    for path in paths::ALL.iter().filter(|path| only.is_none_or(|only| only == path.name)) {
        report.flush();
        sweep(path, &mut report);
    }
    report.end()
}

/// What stands behind `name` on the boot line.
fn word(name: &str) -> Option<&'static str> {
    command_line().split_ascii_whitespace().find_map(|word| word.strip_prefix(name))
}

/// The number behind `name` on the boot line.
fn number(name: &str) -> Option<u64> {
    word(name).and_then(|digits| digits.parse().ok())
}

/// Runs `path` once undisturbed and once for each offset, and prints the trials.
fn sweep(path: &Path, report: &mut Report) {
    // The first time, the tasks are on their way to their first wait.
    let _ = undisturbed(path, report);
    let (length, undisturbed) = undisturbed(path, report);
    let length = length.max(FIRST) + MARGIN;
    report
        .is(format_args!("# {}: {length} ticks, which are few enough to be tried", path.name), length - FIRST <= MOST);
    let all = FIRST..length.min(FIRST + MOST);
    let offsets = number("offset=").map_or(all, |offset| offset..offset + 1);
    let step = number("step=").map_or(1, |step| step.max(1) as usize);
    let (mut wrong, mut missed) = (0, 0);
    for offset in offsets.step_by(step) {
        let before = State::now();
        probe::prepare(offset);
        (path.run)(report);
        let state = State::since(&before);
        match probe::result() {
            Some(Trial { latency, interrupted }) => {
                report!(report, "{},{offset},{latency},{interrupted:#x}", path.name)
            }
            None => missed += 1,
        }
        report.flush();
        wrong += u32::from(state != undisturbed);
    }
    // Once more: a slot notes what became of a release when it is asked for the next.
    wrong += u32::from(self::undisturbed(path, report).1 != undisturbed);
    report.is(format_args!("# {}: the direct handler came once each time", path.name), missed == 0);
    report.is(format_args!("# {}: the same state each time, and when undisturbed", path.name), wrong == 0);
}

/// The length of the path and the state that it leaves, without the direct handler.
fn undisturbed(path: &Path, report: &mut Report) -> (u64, State) {
    let before = State::now();
    probe::prepare(probe::NEVER);
    (path.run)(report);
    virtual_timer::withdraw();
    (probe::length(), State::since(&before))
}
