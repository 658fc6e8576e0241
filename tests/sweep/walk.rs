//! Runs each path once undisturbed and once for each offset, and prints the trials.

use takt::board::{TimeBase, command_line};
use takt::rpi4::virtual_timer;
use takt_tests::{Report, facts, report};

use crate::WAKES;
use crate::paths::{self, Path};
use crate::probe;
use crate::state::State;

/// The most trials of a path.
const MOST: u64 = 4_096;
/// How much larger the steps are on a long path in the short form.
const LONG_STEP: usize = 16;
/// The first offset: by then the timer is armed.
const FIRST: u64 = 24;
/// How far behind a path's end trials go on, so that the last ones find nothing masked.
const MARGIN: u64 = 24;

/// The task that walks.
pub(crate) fn driver() -> ! {
    let mut report = Report::new();
    virtual_timer::withdraw();
    virtual_timer::enable();
    let is_generic = command_line().split_ascii_whitespace().any(|word| word == "timebase=generic");
    let wanted = if is_generic { TimeBase::GenericTimer } else { TimeBase::SystemTimer };
    let time_base = facts().time_base;
    report.is("# the timer that is to release the tasks does", time_base == wanted);
    let only = word("path=");
    for path in paths::ALL.iter().filter(|path| only.is_none_or(|only| only == path.name)) {
        report.flush();
        if path.has_release || !is_generic {
            walk(path, &mut report);
        }
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

fn walk(path: &Path, report: &mut Report) {
    let name = path.name;
    // The first time, the tasks are on their way to their first wait; what is learnt then may be wrong for the second.
    let _ = (undisturbed(path, report), undisturbed(path, report));
    let (length, undisturbed) = undisturbed(path, report);
    report.is(format_args!("# {name}: undisturbed, it is as meant"), undisturbed.is_as_meant());
    let length = length.max(FIRST) + MARGIN;
    report.is(format_args!("# {name}: {length} ticks, which are few enough to be tried"), length - FIRST <= MOST);
    let all = FIRST..length.min(FIRST + MOST);
    let offsets = number("offset=").map_or(all, |offset| offset..offset + 1);
    let step = number("step=").map_or(1, |step| step.max(1) as usize);
    let step = if path.is_long && step > 1 { step * LONG_STEP } else { step };
    let (mut wrong, mut missed) = (0, 0);
    for offset in offsets.step_by(step) {
        let before = State::now();
        probe::prepare(offset);
        (path.run)(report);
        let state = State::since(&before);
        let trial = probe::result();
        let (latency, interrupted) = (trial.latency, trial.interrupted);
        if WAKES {
            report!(report, "{name},{offset},{latency},{interrupted:#x},{}", trial.task);
        } else {
            report!(report, "{name},{offset},{latency},{interrupted:#x}");
        }
        report.flush();
        missed += u32::from((trial.times, trial.times_run) != (1, u32::from(WAKES)));
        wrong += u32::from(state != undisturbed);
    }
    // Once more: a slot notes what became of a release when it is asked for the next.
    wrong += u32::from(self::undisturbed(path, report).1 != undisturbed);
    report.is(format_args!("# {name}: the handler came once each time, and so did whom it wakes"), missed == 0);
    report.is(format_args!("# {name}: the same state each time, and when undisturbed"), wrong == 0);
}

/// The length of the path and the state that it leaves, without the handler.
fn undisturbed(path: &Path, report: &mut Report) -> (u64, State) {
    let before = State::now();
    probe::prepare(probe::NEVER);
    (path.run)(report);
    virtual_timer::withdraw();
    (probe::length(), State::since(&before))
}
