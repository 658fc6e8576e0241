// SPDX-License-Identifier: MIT OR Apache-2.0
//! What happened between the due instant of a task and its first statement, in words, and who had the core for how long.

use core::fmt::{self, Write};

use heapless::Vec;

use crate::kernel::TaskId;
use crate::kernel::histogram::half_ticks_to_ns;
use crate::kernel::time::Rate;
use crate::kernel::trace::{Event, History};

/// What a story is about.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    /// Whose release it was.
    pub task: TaskId,
    /// In which of its cycles, from 0.
    pub cycle: u64,
    /// When it was due, in half ticks.
    pub due_half_ticks: u64,
    /// From then to the task's first statement.
    pub lateness_half_ticks: i64,
}

/// How tasks and interrupts are called.
pub trait Names {
    /// The task's name.
    fn task(&self, task: TaskId) -> &str;
    /// The interrupt's name, where it has one.
    fn interrupt(&self, intid: u16) -> Option<&str>;
}

/// Who has the core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Holder {
    /// Before the first event that tells.
    Unknown,
    Task(TaskId),
    Interrupt(u16),
}

/// How many events are told in words at the most.
const TOLD: usize = 32;
/// How many holders are told apart, and how deep interrupts nest, at the most.
const HOLDERS: usize = 16;

/// Who has the core, event by event.
struct Walk {
    task: Holder,
    interrupts: Vec<u16, HOLDERS>,
}

/// Writes the story of `span`, from the events of its core: `# Story:` lines.
///
/// # Errors
/// When `out` fails.
pub fn write_story(
    out: &mut dyn Write,
    history: &History<'_>,
    span: &Span,
    rate: Rate,
    names: &dyn Names,
) -> fmt::Result {
    let Span { task, cycle, due_half_ticks, lateness_half_ticks } = *span;
    let end_half_ticks = due_half_ticks.saturating_add_signed(lateness_half_ticks);
    let ns = |half_ticks: u64| half_ticks_to_ns(rate, half_ticks.cast_signed());
    let name = names.task(task);
    writeln!(
        out,
        "# Story: {name} began {} ns behind its due instant, in its cycle {cycle}",
        ns(end_half_ticks.saturating_sub(due_half_ticks))
    )?;
    let (mut walk, mut shares) = (Walk::before(history), Shares::new());
    let (mut at, mut told, mut left_out) = (due_half_ticks, 0_usize, 0_usize);
    let mut is_due = false;
    for entry in history.entries() {
        let stamp = entry.stamp_ticks.saturating_mul(2);
        let Ok(event) = Event::from_word(entry.word) else { continue };
        if stamp > end_half_ticks {
            break;
        }
        if stamp >= due_half_ticks {
            if !is_due {
                is_due = true;
                writeln!(out, "# Story: {:>9} ns  due; {} has the core", 0, Told(walk.holder(), names))?;
            }
            shares.add(walk.holder(), stamp.saturating_sub(at));
            at = at.max(stamp);
            if told < TOLD {
                told = told.wrapping_add(1);
                writeln!(
                    out,
                    "# Story: {:>9} ns  {}",
                    ns(stamp.saturating_sub(due_half_ticks)),
                    InWords(event, names)
                )?;
            } else {
                left_out = left_out.wrapping_add(1);
            }
        }
        walk.take(event);
    }
    shares.add(walk.holder(), end_half_ticks.saturating_sub(at));
    if left_out > 0 {
        writeln!(out, "# Story: {left_out} further events stand in the dump")?;
    }
    writeln!(out, "# Story: {:>9} ns  {name}'s first statement", ns(end_half_ticks.saturating_sub(due_half_ticks)))?;
    shares.write(out, &ns, names)
}

impl Walk {
    /// Before the first event: who is switched from first has the core.
    fn before(history: &History<'_>) -> Self {
        let mut events = history.entries().filter_map(|entry| Event::from_word(entry.word).ok());
        let first = events.find_map(|event| if let Event::Switch { from, .. } = event { Some(from) } else { None });
        Self { task: first.map_or(Holder::Unknown, Holder::Task), interrupts: Vec::new() }
    }

    fn holder(&self) -> Holder {
        self.interrupts.last().map_or(self.task, |intid| Holder::Interrupt(*intid))
    }

    fn take(&mut self, event: Event) {
        match event {
            Event::InterruptEntry { intid } => drop(self.interrupts.push(intid)),
            // One whose entry was overwritten is in no list.
            Event::InterruptExit { intid } => self.interrupts.retain(|entered| *entered != intid),
            Event::Switch { to, .. } => self.task = Holder::Task(to),
            _ => {}
        }
    }
}

/// Who had the core for how many half ticks, in the order in which they first had it.
struct Shares(Vec<(Holder, u64), HOLDERS>);

impl Shares {
    const fn new() -> Self {
        Self(Vec::new())
    }

    fn add(&mut self, holder: Holder, half_ticks: u64) {
        match self.0.iter_mut().find(|(known, _)| *known == holder) {
            Some((_, sum)) => *sum = sum.saturating_add(half_ticks),
            // What finds no room is named as what the last of the list had.
            None => match self.0.push((holder, half_ticks)) {
                Ok(()) => {}
                Err((_, rest)) => self
                    .0
                    .last_mut()
                    .into_iter()
                    .for_each(|last| *last = (Holder::Unknown, last.1.saturating_add(rest))),
            },
        }
    }

    fn write(&self, out: &mut dyn Write, ns: &dyn Fn(u64) -> i128, names: &dyn Names) -> fmt::Result {
        out.write_str("# Story: who had the core:")?;
        let held = self.0.iter().filter(|(_, half_ticks)| *half_ticks > 0);
        for (index, (holder, half_ticks)) in held.enumerate() {
            let comma = if index == 0 { "" } else { "," };
            write!(out, "{comma} {} {} ns", Told(*holder, names), ns(*half_ticks))?;
        }
        out.write_str("\n")
    }
}

/// A holder by its name.
struct Told<'n>(Holder, &'n dyn Names);

impl fmt::Display for Told<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Holder::Unknown => f.write_str("others"),
            Holder::Task(task) => f.write_str(self.1.task(task)),
            Holder::Interrupt(intid) => match self.1.interrupt(intid) {
                Some(name) => write!(f, "interrupt {intid} ({name})"),
                None => write!(f, "interrupt {intid}"),
            },
        }
    }
}

/// An event as a clause.
struct InWords<'n>(Event, &'n dyn Names);

impl fmt::Display for InWords<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(event, names) = *self;
        let interrupt = |intid| Told(Holder::Interrupt(intid), names);
        match event {
            Event::InterruptEntry { intid } => write!(f, "{} is taken", interrupt(intid)),
            Event::InterruptExit { intid } => write!(f, "{} ends", interrupt(intid)),
            Event::Release { task } => write!(f, "{} is released", names.task(task)),
            Event::Ready { task } => write!(f, "{} is ready", names.task(task)),
            Event::Wake { task } => write!(f, "{} is woken", names.task(task)),
            Event::Block { task } => write!(f, "{} waits", names.task(task)),
            Event::Switch { from, to } => write!(f, "from {} to {}", names.task(from), names.task(to)),
            Event::Mark { value } => write!(f, "mark {value}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Names, Span, write_story};
    use crate::kernel::TaskId;
    use crate::kernel::time::Rate;
    use crate::kernel::trace::{Entry, Event, History};
    use std::string::String;
    use std::vec::Vec;

    struct Named;

    impl Names for Named {
        fn task(&self, task: TaskId) -> &str {
            ["control", "logger"].get(task.index()).copied().unwrap_or("idle")
        }

        fn interrupt(&self, intid: u16) -> Option<&str> {
            (intid == 97).then_some("system_timer")
        }
    }

    fn task(index: usize) -> TaskId {
        TaskId::new(index).unwrap()
    }

    fn story(events: &[(u64, Event)], lateness_half_ticks: i64) -> String {
        let entries: Vec<Entry> = events
            .iter()
            .map(|(stamp_ticks, event)| Entry { stamp_ticks: *stamp_ticks, word: event.to_word() })
            .collect();
        let mut places = entries.clone();
        places.push(Entry::NONE);
        let history = History::new(&places, entries.len());
        let span = Span { task: task(0), cycle: 7, due_half_ticks: 2_000, lateness_half_ticks };
        let mut text = String::new();
        write_story(&mut text, &history, &span, Rate::from_counter_hz(62_500_000).unwrap(), &Named).unwrap();
        text
    }

    #[test]
    fn a_release_that_waited_for_a_handler_and_preempted_a_task() {
        let timer = 97;
        let printed = story(
            &[
                (900, Event::Switch { from: TaskId::IDLE, to: task(1) }),
                (990, Event::InterruptEntry { intid: 153 }),
                (1_040, Event::InterruptExit { intid: 153 }),
                (1_042, Event::InterruptEntry { intid: timer }),
                (1_060, Event::Release { task: task(0) }),
                (1_065, Event::InterruptExit { intid: timer }),
                (1_070, Event::Switch { from: task(1), to: task(0) }),
                (1_200, Event::Block { task: task(0) }),
            ],
            200,
        );
        let expected = "\
# Story: control began 1600 ns behind its due instant, in its cycle 7
# Story:         0 ns  due; interrupt 153 has the core
# Story:       640 ns  interrupt 153 ends
# Story:       672 ns  interrupt 97 (system_timer) is taken
# Story:       960 ns  control is released
# Story:      1040 ns  interrupt 97 (system_timer) ends
# Story:      1120 ns  from logger to control
# Story:      1600 ns  control's first statement
# Story: who had the core: interrupt 153 640 ns, logger 112 ns, interrupt 97 (system_timer) 368 ns, control 480 ns
";
        assert_eq!(printed, expected);
    }

    #[test]
    fn all_shares_are_the_lateness() {
        let mut events = std::vec![(900, Event::Switch { from: TaskId::IDLE, to: task(1) })];
        for intid in 0..40_u16 {
            let at = 1_010 + u64::from(intid) * 10;
            events.push((at, Event::InterruptEntry { intid }));
            events.push((at + 5, Event::InterruptExit { intid }));
        }
        let printed = story(&events, 1_000);
        assert!(printed.contains("# Story: 48 further events stand in the dump\n"), "{printed}");
        let shares = printed.lines().last().unwrap();
        let sum: u64 = shares
            .split([' ', ','])
            .collect::<Vec<_>>()
            .windows(2)
            .filter(|pair| pair[1] == "ns")
            .map(|pair| pair[0].parse::<u64>().unwrap())
            .sum();
        assert_eq!(sum, 8_000, "{printed}");
        assert!(shares.contains("others "), "{printed}");
    }

    #[test]
    fn nothing_recorded_is_said_to_be_nothing() {
        let printed = story(&[], 100);
        assert_eq!(printed.lines().count(), 3, "{printed}");
        assert!(printed.ends_with("who had the core: others 800 ns\n"), "{printed}");
    }
}
