// SPDX-License-Identifier: MIT OR Apache-2.0
//! A barrier, at which tasks of several cores wait for one another.

use core::fmt;

use takt_kernel::crossing::barrier::{Arrivals, Opening, Released, Releases};
use takt_kernel::crossing::count::Count;
use takt_kernel::objects::WaitCounts;
use takt_kernel::objects::waiting::Waiting;
use takt_rpi4::cores::{self, CORES};

use crate::object::Object;
use crate::remote::{Delivered, Line, PerSender, Port};
use crate::slot::Slot;
use crate::table::port::PortLine;

/// Where `N` tasks of any cores meet: each waits until the last has come, and then all go on, on each core the most urgent first.
/// The next `N` meet there again. What each did before it came is seen by all that go on.
///
/// Core `CORE`, 0 to 3, counts who has come, in a kernel handler: best the one from which the last will come. The barrier stands
/// in the table as a line, by [`Self::port`]. Where all tasks are on one core, a [`Barrier`](crate::Barrier) does it sooner.
///
/// ```no_run
/// use takt::prelude::*;
///
/// static STEP: CoresBarrier<2, 1> = CoresBarrier::new();
///
/// takt::tasks! {
///     step: STEP.port(),
///     left: Task::background(half).core(1).priority(20),
///     right: Task::background(half).core(2).priority(20),
/// }
///
/// fn half() -> ! {
///     loop {
///         reckon();
///         if STEP.wait() {                                        // until both have come
///             // One of the two.
///         }
///     }
/// }
/// # fn reckon() {}
/// ```
///
/// There is no form that gives up at a deadline: who has come may have been let go on by another core already.
///
/// POSIX: `pthread_barrier_t`; RTEMS: `rtems_barrier` with `RTEMS_BARRIER_AUTOMATIC_RELEASE`; FreeRTOS: `xEventGroupSync`.
pub struct CoresBarrier<const N: usize, const CORE: u8> {
    arrivals: Object<Arrivals>,
    cores: [PerSender<OfCore>; CORES],
    line: Line,
}

/// What a core has of it.
struct OfCore {
    /// How many of its tasks came: for the barrier's core.
    come: Count,
    /// How many go on: from the barrier's core.
    go_on: Releases,
    waiting: Object<Waiting>,
}

impl<const N: usize, const CORE: u8> fmt::Debug for CoresBarrier<N, CORE> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CoresBarrier").field("core", &CORE).finish_non_exhaustive()
    }
}

impl<const N: usize, const CORE: u8> Default for CoresBarrier<N, CORE> {
    fn default() -> Self {
        Self::new()
    }
}

impl OfCore {
    const fn new() -> Self {
        Self { come: Count::new(), go_on: Releases::new(), waiting: Object::new(Waiting::new()) }
    }
}

impl<const N: usize, const CORE: u8> CoresBarrier<N, CORE> {
    #[expect(clippy::cast_possible_truncation, reason = "looked at")]
    const ALL: u32 = {
        assert!(
            N > 0 && N <= 4 * takt_kernel::CAPACITY,
            "takt: a barrier is for one task or more, and for no more than there can be: CoresBarrier<N, CORE> needs such an N"
        );
        N as u32
    };

    /// A barrier to which nobody has come.
    #[must_use]
    pub const fn new() -> Self {
        const { assert!((CORE as usize) < CORES, "takt: the core of a CoresBarrier is 0 to 3") };
        let _ = Self::ALL;
        Self {
            arrivals: Object::new(Arrivals::new()),
            cores: [const { PerSender(OfCore::new()) }; CORES],
            line: Line::new(),
        }
    }

    /// The line of the table that makes the barrier known.
    pub const fn port(&'static self) -> PortLine {
        PortLine::new(CORE, self)
    }

    /// Waits until `N` tasks have come, this one included. True for one of them, on the core from which the last came. Called by
    /// tasks, on any core. POSIX: `pthread_barrier_wait`, whose `PTHREAD_BARRIER_SERIAL_THREAD` is the true one.
    pub fn wait(&self) -> bool {
        let Some(PerSender(of_core)) = self.cores.get(cores::this_core()) else { return false };
        // The step holds this core's handlers off: who has been counted waits when they let go on.
        let step = of_core.waiting.enter();
        of_core.come.send();
        self.line.tell(usize::from(CORE));
        let is_last = Slot::<bool>::empty();
        let wait = step.state.wait(&mut step.core.executive, None);
        step.core.wait_with(&is_last);
        step.core.carry_out(wait);
        drop(step);
        // SAFETY: without a deadline, only who hands it one wakes this task.
        unsafe { is_last.into_message() }
    }

    /// How often tasks of this core waited. Called by tasks.
    pub fn counts(&self) -> WaitCounts {
        let of_core = self.cores.get(cores::this_core());
        of_core.map_or(WaitCounts::default(), |PerSender(of_core)| of_core.waiting.briefly(|waiting| waiting.counts()))
    }

    /// How often all had come. Called by tasks of core `CORE`.
    pub fn openings(&self) -> u64 {
        self.arrivals.briefly(|arrivals| arrivals.openings())
    }

    /// Counts who has come from core `sender`, `most` at the most. Answers how many. Called on core `CORE`.
    fn count(&self, sender: usize, of_sender: &OfCore, most: u32) -> u32 {
        let come = of_sender.come.take(most);
        for _ in 0..come {
            let opening = self.arrivals.in_handler().state.come(sender, Self::ALL);
            if let Some(opening) = opening {
                self.open(opening);
            }
        }
        come
    }

    /// Tells each core how many of its tasks go on.
    fn open(&self, opening: Opening) {
        for (core, (&tasks, PerSender(of_core))) in opening.of.iter().zip(&self.cores).enumerate() {
            if tasks > 0 {
                of_core.go_on.send(Released { tasks, last: u32::from(core == opening.last) });
                // This core tells itself as well, and comes to it behind the others.
                self.line.tell(core);
            }
        }
    }
}

impl OfCore {
    /// Lets tasks of this core go on, `most` at the most. Answers how many.
    fn let_go_on(&self, most: u32) -> u32 {
        let released = self.go_on.take(most);
        for number in 0..released.tasks {
            let access = self.waiting.in_handler();
            let Some(task) = access.state.wake_one(&mut access.core.executive) else { break };
            // SAFETY: who waits here waits with such an empty slot.
            unsafe { access.core.hand_to(task, number < released.last) };
            access.core.note_wake(task);
        }
        released.tasks
    }
}

impl<const N: usize, const CORE: u8> Port for CoresBarrier<N, CORE> {
    fn admit(&self, number: usize) -> bool {
        self.line.admit(number)
    }

    /// At the barrier's core: counts who has come. At any core: lets go on who the barrier's core says.
    fn deliver(&self, sender: usize, most: u32) -> Delivered {
        let here = cores::this_core();
        let (mut letters, mut are_more) = (0, false);
        if here == usize::from(CORE)
            && let Some(PerSender(of_sender)) = self.cores.get(sender)
        {
            letters = self.count(sender, of_sender, most);
            are_more = !of_sender.come.is_empty();
        }
        if sender == usize::from(CORE)
            && let Some(PerSender(of_core)) = self.cores.get(here)
        {
            letters = letters.saturating_add(of_core.let_go_on(most.saturating_sub(letters)));
            are_more |= !of_core.go_on.is_empty();
        }
        Delivered { letters, are_more }
    }
}
