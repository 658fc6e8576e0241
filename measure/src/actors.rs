// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tasks without a part of their own: the suites of `bench` give each a body and a priority for the length of a run.
//!
//! In a task table they stand as slots of one priority, `Task::slot(actor::<0>).priority(100)` and so on, numbered without gaps, less
//! urgent than the measuring slots. All are on core 0. Their parts are less urgent than that, and more than the console task: so
//! all have taken their part before the first of them does anything.

use core::sync::atomic::{AtomicBool, Ordering};

use takt::console::activity;
use takt::handover::Handover;
use takt::kernel::priority::Priority;
use takt::{Event, Slot, TaskHandle};

use crate::commands::Session;
use crate::refusal::Refusal;

/// How many there are at the most.
pub const N_ACTORS: usize = 6;

/// What an actor does in a run.
#[derive(Clone, Copy)]
pub(crate) struct Part {
    /// takt's priority for the length of the run: 101 to 249.
    pub(crate) priority: u8,
    /// Returns when its part is done; soon, where [`is_to_end`] says so.
    pub(crate) body: fn(&mut Slot),
}

struct Actor {
    is_present: AtomicBool,
    is_running: AtomicBool,
    start: Event,
    part: Handover<Option<Part>>,
}

static ACTORS: [Actor; N_ACTORS] = [const { Actor::new() }; N_ACTORS];

/// Whether the run is to end before its time.
static IS_TO_END: AtomicBool = AtomicBool::new(false);

/// The body of actor `INDEX` (0 to 5) for the task table.
pub fn actor<const INDEX: usize>(slot: Slot) -> ! {
    const { assert!(INDEX < N_ACTORS, "an actor is numbered 0 to 5") };
    match ACTORS.get(INDEX) {
        Some(actor) => actor.serve(slot),
        // The assertion above rules it out.
        None => crate::sleep(),
    }
}

/// Whether the run is to end before its time: what takes long looks at it.
pub(crate) fn is_to_end() -> bool {
    IS_TO_END.load(Ordering::Relaxed)
}

/// Ends the run: bodies return when they next look.
pub(crate) fn end() {
    IS_TO_END.store(true, Ordering::Relaxed);
}

/// Whether all that were given a part are done with it.
pub(crate) fn are_done() -> bool {
    ACTORS.iter().all(|actor| !actor.is_running.load(Ordering::Acquire))
}

/// Gives the first actors their parts, in this order, and lets all begin when the caller waits: the most urgent first, of equals the
/// first. Called by the console task while it is as urgent as they are.
pub(crate) fn begin(command: &'static str, parts: &[Part]) -> Result<(), Refusal<'static>> {
    let is_there = |index: usize| ACTORS.get(index).is_some_and(|actor| actor.is_present.load(Ordering::Acquire));
    if !(0..parts.len()).all(is_there) {
        return Err(Refusal::MissingTask { command, line: "slots actor::<0> to actor::<5>" });
    }
    IS_TO_END.store(false, Ordering::Relaxed);
    for (actor, part) in ACTORS.iter().zip(parts) {
        if let Some(mut place) = actor.part.take() {
            *place = Some(*part);
            actor.is_running.store(true, Ordering::Relaxed);
        }
        actor.start.set();
    }
    Ok(())
}

/// Waits until all are done. Ctrl-C ends the run, and `end` says how: it lets whoever waits for another look at [`is_to_end`].
pub(crate) fn await_all(session: &mut Session, end_all: impl Fn()) {
    if !session.wait(are_done) {
        end();
        end_all();
        while !are_done() {
            session.is_interrupted();
            session.console.wait();
        }
    }
}

impl Actor {
    const fn new() -> Self {
        Self {
            is_present: AtomicBool::new(false),
            is_running: AtomicBool::new(false),
            start: Event::new(),
            part: Handover::new(None),
        }
    }

    fn serve(&self, mut slot: Slot) -> ! {
        self.is_present.store(true, Ordering::Release);
        let home = TaskHandle::running().map(TaskHandle::priority);
        loop {
            self.start.wait();
            let part = self.part.take().and_then(|mut place| place.take());
            if let Some(Part { priority, body }) = part
                && let Some(priority) = Priority::new(priority)
            {
                slot.set_priority(priority);
                body(&mut slot);
            }
            if let Some(home) = home {
                slot.set_priority(home);
            }
            self.is_running.store(false, Ordering::Release);
            activity().set();
        }
    }
}
