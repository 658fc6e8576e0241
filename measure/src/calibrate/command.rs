// SPDX-License-Identifier: MIT OR Apache-2.0
//! The command itself.

use core::fmt::{self, Write};

use takt::board::TimeBase;
use takt::clock;
use takt::kernel::histogram::{View, half_ticks_to_ns};
use takt::kernel::priority::Priority;
use takt::kernel::report::Stage;

use super::options::{CalibrateOptions, MAX_ANTICIPATION_NS, Wanted, in_steps, ns_to_half_ticks, step_half_ticks};
use crate::anticipation::{self, Anticipation};
use crate::boot_line::TimeBaseWord;
use crate::commands::{Entry, Session};
use crate::latency::first_release;
use crate::refusal::Refusal;
use crate::slots::{self, LINEAR_BINS, Run};
use crate::spread::Spread;
use crate::watch::Watch;

/// The period of the measurement: that of `latency` unless told otherwise.
const PERIOD_US: u32 = 1_000;

/// The slot's priority: that of `latency` unless told otherwise.
const PRIORITY: Option<Priority> = Priority::new(20);

pub(crate) static COMMAND: Entry = Entry {
    name: "calibrate",
    usage: "[auto|off|NS] [OPTION]...",
    summary: "release the slots as much earlier as the way to them takes",
    help: "auto measures the shortest way from due to the task and anticipates it, NS so many nanoseconds, off nothing; without any it\n\
           tells what is anticipated. The generic timer does so in ticks of the counter, the system timer in whole microseconds.\n\
           -c CORE         on which core, 0 without\n\
           --stage WHAT    whose first statement is to come at the due instant: handler or task\n\
           --strict        a task that was released before it is due waits for it in a loop\n\
           -l CYCLES       how many are measured before and after, 1000\n\
           calibrate auto; latency -l 10000 -q -N\n\
           calibrate 2000 --strict",
    words: &["auto", "off", "-c", "--stage", "--strict", "-l"],
    run,
};

/// What is calibrated.
struct Calibration {
    options: CalibrateOptions,
    slot: usize,
    timer: TimeBaseWord,
    step_half_ticks: u64,
}

fn run<'a>(session: &mut Session, arguments: &'a str) -> Result<(), Refusal<'a>> {
    let options = CalibrateOptions::parse(arguments)?;
    let core = options.core;
    match options.wanted {
        Wanted::Show => {
            let _ = (0..4_u8)
                .filter(|core| slots::on_core(*core).is_some())
                .try_for_each(|core| anticipation::write_one(&mut session.console, core));
            return Ok(());
        }
        Wanted::Off => {
            anticipation::set(core, Anticipation::NONE);
            let _ = anticipation::write_one(&mut session.console, core);
            return Ok(());
        }
        Wanted::Auto | Wanted::Nanoseconds(_) => {}
    }
    let slot = slots::on_core(core).ok_or(Refusal::NoSlotOnCore { command: "calibrate", core })?;
    let timer = match session.provenance.facts.time_base {
        TimeBase::SystemTimer if core == 0 => TimeBaseWord::System,
        _ => TimeBaseWord::Generic,
    };
    let step_half_ticks = step_half_ticks(timer, clock::rate());
    Calibration { options, slot, timer, step_half_ticks }.run(session)
}

impl Calibration {
    fn run(&self, session: &mut Session) -> Result<(), Refusal<'static>> {
        session.last_run = None;
        let _ = self.write_head(&mut session.console);
        let wanted = match self.options.wanted {
            Wanted::Nanoseconds(ns) => Some(self.as_wanted(&mut session.console, ns)?),
            _ => None,
        };
        self.measure(session, Anticipation::NONE)?;
        if session.is_interrupted() {
            return Ok(());
        }
        let half_ticks = wanted.map_or_else(|| self.shortest(&mut session.console), Ok)?;
        let anticipation = Anticipation::new(half_ticks, self.options.is_strict);
        anticipation::set(self.options.core, anticipation);
        self.measure(session, anticipation)?;
        let _ = anticipation::write_one(&mut session.console, self.options.core);
        Ok(())
    }

    /// So many nanoseconds in whole steps.
    fn as_wanted(&self, out: &mut dyn Write, ns: u32) -> Result<u64, Refusal<'static>> {
        let rate = clock::rate();
        let half_ticks = in_steps(ns_to_half_ticks(ns, rate), self.step_half_ticks);
        let as_steps = half_ticks_to_ns(rate, half_ticks.cast_signed());
        if as_steps != i128::from(ns) {
            if self.timer == TimeBaseWord::System {
                return Err(Refusal::NoWholeMicrosecond { ns });
            }
            let _ = writeln!(out, "# Calibrate: {ns} ns are {as_steps} ns in whole ticks");
        }
        Ok(half_ticks)
    }

    /// As much as the shortest way of the last run took, in whole steps.
    fn shortest(&self, out: &mut dyn Write) -> Result<u64, Refusal<'static>> {
        let record = slots::record(self.slot).ok_or(Refusal::NoRecord { slot: self.slot })?;
        let least = record.at(self.options.stage).histogram.view().minimum_half_ticks().unwrap_or(0);
        let least = least.max(0).cast_unsigned();
        if least > ns_to_half_ticks(MAX_ANTICIPATION_NS, clock::rate()) {
            return Err(Refusal::TooLongToAnticipate { maximum_ns: MAX_ANTICIPATION_NS });
        }
        let half_ticks = in_steps(least, self.step_half_ticks);
        if half_ticks == 0 {
            let _ = out.write_str("# Calibrate: the way is shorter than a step, so nothing is anticipated\n");
        }
        Ok(half_ticks)
    }

    /// Runs the slot and says what came of it.
    fn measure(&self, session: &mut Session, anticipation: Anticipation) -> Result<(), Refusal<'static>> {
        let slot = self.slot;
        let priority = PRIORITY.ok_or(Refusal::NoRecord { slot })?;
        let is_clear = slots::clear(slot, LINEAR_BINS as u64);
        session.console.flush();
        let cycles = u64::from(self.options.cycles);
        let run = Run { cycles, anticipation, ..Run::every(first_release(), PERIOD_US, priority) };
        if !(is_clear && slots::assign(slot, run, Watch::OFF)) {
            return Err(Refusal::NoRecord { slot });
        }
        slots::start(slot);
        slots::await_all(session);
        let record = slots::record(slot).ok_or(Refusal::NoRecord { slot })?;
        let view = record.at(self.options.stage).histogram.view();
        let _ = write_measured(&mut session.console, anticipation, &view, record.waits);
        Ok(())
    }

    fn write_head(&self, out: &mut dyn Write) -> fmt::Result {
        let CalibrateOptions { core, stage, cycles, .. } = self.options;
        let timer = match self.timer {
            TimeBaseWord::System => "system timer, which counts whole microseconds",
            TimeBaseWord::Generic => "generic timer, which compares single ticks",
        };
        let step_ps = self.step_half_ticks.wrapping_mul(1_000_000) / clock::rate().half_ticks_per_us();
        let (ns, thousandths) = (step_ps / 1_000, step_ps % 1_000);
        let stage = if stage == Stage::Handler { "handler" } else { "task" };
        writeln!(out, "# Calibrate: core {core}, stage {stage}, {cycles} cycles of {PERIOD_US} us")?;
        writeln!(out, "# Calibrate: released by the {timer}: in steps of {ns}.{thousandths:03} ns")
    }
}

/// What a run found: how late the stage came, and how long strict tasks waited.
fn write_measured(out: &mut dyn Write, anticipation: Anticipation, view: &View<'_>, waits: Spread) -> fmt::Result {
    let rate = clock::rate();
    let ns = |half_ticks: Option<i64>| half_ticks_to_ns(rate, half_ticks.unwrap_or(0));
    let all = view.all();
    let mean =
        all.sum_half_ticks.checked_div_euclid(i128::from(view.count())).and_then(|mean| i64::try_from(mean).ok());
    writeln!(
        out,
        "# Calibrate: anticipating {} ns: min {} ns, avg {} ns, max {} ns",
        anticipation.ns(),
        ns(view.minimum_half_ticks()),
        ns(mean),
        ns(view.maximum_half_ticks())
    )?;
    if anticipation.is_strict() {
        let (least, greatest) = waits.extremes_half_ticks();
        writeln!(
            out,
            "# Calibrate: tasks waited for their due instants for {} to {} ns each, in a loop",
            ns(Some(least)),
            ns(Some(greatest))
        )?;
    }
    Ok(())
}
