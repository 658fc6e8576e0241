//! The tasks and the handlers that take part in the paths, besides the driver.

use core::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering};

use takt::clock::{self, millis};
use takt::kernel::priority::Priority;
use takt::kernel::time::Instant;
use takt::prelude::*;
use takt::rpi4::{counter, devices, map};

use crate::probe::{end, start};
use crate::state::{note, note_own_counts};

/// The slots, in the order of urgency: two above the driver, one below.
pub(crate) const URGENT: usize = 0;
/// See [`URGENT`].
pub(crate) const SECOND: usize = 1;
/// See [`URGENT`].
pub(crate) const LOWER: usize = 2;
/// The priority of the slot [`URGENT`].
pub(crate) const URGENT_PRIORITY: u8 = 10;
/// The priority of the slot [`SECOND`].
pub(crate) const SECOND_PRIORITY: u8 = 20;
/// Between the two.
const BETWEEN: u8 = 15;
/// How many slots the crowd has.
pub(crate) const CROWD: usize = 20;

/// The software generated interrupt whose kernel handler wakes a task.
pub(crate) const WAKER: u16 = 1;
/// The software generated interrupt whose kernel handler wakes two tasks.
pub(crate) const WAKER_OF_TWO: u16 = 2;

/// What is sent: a number, and the same again, inverted.
pub(crate) type Message = [u64; 2];

/// Every slot's.
const PERIOD_MS: u64 = 10;
/// How long before another's release a step begins during which it shall come, in half ticks: the step is longer.
const INTO_THE_STEP: u64 = 2 * 60;

/// What the driver waits for.
pub(crate) static DRIVER: Event = Event::new();
/// What [`equal`] waits for.
pub(crate) static EQUAL: Event = Event::new();
/// What [`waiter`] waits for.
pub(crate) static WAITER: Event = Event::new();
/// How often [`waiter`] came.
pub(crate) static WAITED: AtomicU32 = AtomicU32::new(0);
/// What [`listener`] waits for.
pub(crate) static LISTENER: Event = Event::new();
/// What [`contender`] waits for.
pub(crate) static CONTENDER: Event = Event::new();
/// What the driver holds.
pub(crate) static BUS: InheritMutex<u32> = InheritMutex::new("bus", 0);
/// What [`worker`] waits for.
pub(crate) static JOBS: InheritMutex<u32> = InheritMutex::new("jobs", 0);
/// See [`JOBS`].
pub(crate) static ARRIVED: CondVar = CondVar::new();
/// What [`flags_waiter`] waits for.
pub(crate) static FLAGS: EventFlags = EventFlags::new();
/// Where [`barrier_waiter`] and the driver meet.
pub(crate) static BARRIER: Barrier<2> = Barrier::new();

/// What [`impatient`] is asked for.
pub(crate) struct Impatient {
    event: Event,
    /// In half ticks.
    deadline: AtomicU64,
    has_given_up: AtomicBool,
}

/// See [`Impatient`].
pub(crate) static IMPATIENT: Impatient =
    Impatient { event: Event::new(), deadline: AtomicU64::new(0), has_given_up: AtomicBool::new(false) };

impl Impatient {
    /// Lets it wait until then.
    pub(crate) fn ask(&self, deadline: Instant) {
        self.has_given_up.store(false, Ordering::Relaxed);
        self.deadline.store(deadline.half_ticks(), Ordering::Relaxed);
        self.event.set();
    }

    /// Whether its time was over since.
    pub(crate) fn has_given_up(&self) -> bool {
        self.has_given_up.load(Ordering::Relaxed)
    }
}

/// What [`reader`] receives.
pub(crate) static MESSAGES: MessageQueue<Message, 2> = MessageQueue::new();
/// What [`taker`] receives.
pub(crate) static FULL: MessageQueue<Message, 1> = MessageQueue::new();
/// What [`taker`] waits for before.
pub(crate) static TAKER: Event = Event::new();
/// What [`follower`] waits for.
pub(crate) static VALUE: Signal<Message> = Signal::new();
/// What [`addressee`] waits for.
pub(crate) static POSTED: Mailbox<Message, 2> = Mailbox::new();
/// Whether the listener lets the console's interrupt through.
pub(crate) static IS_CONSOLE_HELD: AtomicBool = AtomicBool::new(false);

/// What a slot does before it waits for the release that it is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Manner {
    /// Nothing.
    Plain,
    /// Its own calls are walked.
    Walked,
    /// The same, with a release that passed two and a half periods ago.
    WalkedTooLate,
    /// The same, without leaving out what has passed.
    WalkedTooLatePostponed,
    /// It waits as another is released.
    DuringARelease,
    /// It changes its priority there and back, and the first is walked.
    SetsPriority,
    /// It changes its priority as another is released.
    SetsPriorityDuringARelease,
}

impl Manner {
    const ALL: [Self; 7] = [
        Self::Plain,
        Self::Walked,
        Self::WalkedTooLate,
        Self::WalkedTooLatePostponed,
        Self::DuringARelease,
        Self::SetsPriority,
        Self::SetsPriorityDuringARelease,
    ];
}

/// What a slot is asked for.
struct Request {
    event: Event,
    /// The first release, in half ticks.
    due: AtomicU64,
    manner: AtomicU8,
    /// When another is released, for the manners that need it, in half ticks.
    other: AtomicU64,
}

static REQUESTS: [Request; 3] = [const {
    Request { event: Event::new(), due: AtomicU64::new(0), manner: AtomicU8::new(0), other: AtomicU64::new(0) }
}; 3];
/// How many releases came since the last request.
static RELEASED: AtomicU32 = AtomicU32::new(0);
/// How long the latest release of [`URGENT`] took from the interrupt handler to the task, in half ticks.
static URGENT_WAY: AtomicU64 = AtomicU64::new(0);

static CROWD_EVENTS: [Event; CROWD] = [const { Event::new() }; CROWD];
static CROWD_DUE: AtomicU64 = AtomicU64::new(0);
static CROWD_ARRIVED: AtomicUsize = AtomicUsize::new(0);
static CROWD_RELEASED: AtomicU32 = AtomicU32::new(0);

/// Asks `slot` for a release at `due`; a more urgent one than the asking task waits at the end of this call.
pub(crate) fn ask(slot: usize, due: Instant, manner: Manner, other: Instant) {
    let request = &REQUESTS[slot];
    RELEASED.store(0, Ordering::Relaxed);
    request.due.store(due.half_ticks(), Ordering::Relaxed);
    request.manner.store(manner as u8, Ordering::Relaxed);
    request.other.store(other.half_ticks(), Ordering::Relaxed);
    request.event.set();
}

/// Asks the whole crowd for a release at `due`.
pub(crate) fn ask_the_crowd(due: Instant) {
    RELEASED.store(0, Ordering::Relaxed);
    CROWD_RELEASED.store(0, Ordering::Relaxed);
    CROWD_DUE.store(due.half_ticks(), Ordering::Relaxed);
    for event in &CROWD_EVENTS {
        event.set();
    }
}

/// How many releases came since the last request, those of the crowd left out.
pub(crate) fn released_so_far() -> u32 {
    RELEASED.load(Ordering::Relaxed)
}

/// How many of the crowd were released since it was asked.
pub(crate) fn crowd_released_so_far() -> u32 {
    CROWD_RELEASED.load(Ordering::Relaxed)
}

/// How long the latest release of [`URGENT`] took from the interrupt handler to the task, in ticks.
pub(crate) fn urgent_way() -> u64 {
    URGENT_WAY.load(Ordering::Relaxed) / 2
}

/// A slot: for each request one release.
pub(crate) fn released<const SLOT: usize>(mut slot: Slot) -> ! {
    let Request { event, due, manner, other } = &REQUESTS[SLOT];
    loop {
        event.wait();
        note(b'a' + SLOT as u8);
        // Those of the trial before, so that asking is on no path.
        note_own_counts();
        let first = Instant::from_half_ticks(due.load(Ordering::Relaxed));
        let other = Instant::from_half_ticks(other.load(Ordering::Relaxed));
        let manner = Manner::ALL[usize::from(manner.load(Ordering::Relaxed))];
        let mut expected = first;
        let mut policy = OverrunPolicy::Skip;
        match manner {
            Manner::Plain | Manner::Walked | Manner::DuringARelease => {}
            Manner::WalkedTooLate => expected = first.after(3 * PERIOD_MS * 1_000 * clock::half_ticks_per_us()),
            Manner::WalkedTooLatePostponed => policy = OverrunPolicy::Postpone,
            Manner::SetsPriority => set_priority_walked::<SLOT>(&mut slot),
            Manner::SetsPriorityDuringARelease => set_priority_during::<SLOT>(&mut slot, other),
        }
        if matches!(manner, Manner::Walked | Manner::WalkedTooLate | Manner::WalkedTooLatePostponed) {
            start();
        }
        let mut period = slot.begin(first, millis(PERIOD_MS), policy);
        if manner == Manner::DuringARelease {
            spin_until(other.before(INTO_THE_STEP));
        }
        let release = period.wait();
        note(b'A' + SLOT as u8);
        if release.due() != expected {
            note(b'!');
        }
        if SLOT == URGENT {
            let way = release.start().since(release.handler());
            URGENT_WAY.store(way.cast_unsigned(), Ordering::Relaxed);
        }
        RELEASED.fetch_add(1, Ordering::Relaxed);
        DRIVER.set();
    }
}

/// The priority of a slot, and another in its place.
fn set_priority<const SLOT: usize>(slot: &mut Slot, number: u8) {
    let Some(priority) = Priority::new(number) else { panic!("{number} is no priority") };
    slot.set_priority(priority);
    note(b'p');
}

#[inline(never)]
fn set_priority_walked<const SLOT: usize>(slot: &mut Slot) {
    start();
    set_priority::<SLOT>(slot, BETWEEN);
    end(0);
    set_priority::<SLOT>(slot, own_priority::<SLOT>());
}

#[inline(never)]
fn set_priority_during<const SLOT: usize>(slot: &mut Slot, other: Instant) {
    spin_until(other.before(INTO_THE_STEP));
    set_priority::<SLOT>(slot, BETWEEN);
    end(0);
    set_priority::<SLOT>(slot, own_priority::<SLOT>());
}

const fn own_priority<const SLOT: usize>() -> u8 {
    if SLOT == URGENT { URGENT_PRIORITY } else { SECOND_PRIORITY }
}

/// Until `instant`, to a few instructions.
fn spin_until(instant: Instant) {
    while counter::ticks() < instant.half_ticks() / 2 {}
}

/// One of the slots that wait for one instant, all of one priority.
pub(crate) fn crowd(mut slot: Slot) -> ! {
    let place = CROWD_ARRIVED.fetch_add(1, Ordering::Relaxed);
    loop {
        CROWD_EVENTS[place].wait();
        let first = Instant::from_half_ticks(CROWD_DUE.load(Ordering::Relaxed));
        let release = slot.begin(first, millis(PERIOD_MS), OverrunPolicy::Skip).wait();
        let before = CROWD_RELEASED.fetch_add(1, Ordering::Relaxed);
        // They are equals that began to wait in the order of their places.
        if release.due() != first || before as usize != place {
            note(b'!');
        }
        if place + 1 == CROWD {
            note(b'c');
            DRIVER.set();
        }
    }
}

/// Waits for its event, more urgent than the driver.
pub(crate) fn waiter() -> ! {
    loop {
        WAITER.wait();
        note(b'w');
        WAITED.fetch_add(1, Ordering::Relaxed);
    }
}

/// Releases [`sporadic`].
pub(crate) static SPORADIC: Sporadic = Sporadic::new();
/// Releases [`postponed`].
pub(crate) static POSTPONED: Sporadic = Sporadic::new();
/// Calls [`timed`].
pub(crate) static TIMER: Timer = Timer::new(timed);

/// Released at a rate that the trials do not reach.
pub(crate) fn sporadic(task: SporadicTask) -> ! {
    let mut releases = task.released_by(&SPORADIC);
    loop {
        let _ = releases.wait();
        note(b's');
    }
}

/// Released at a rate that the trials exceed.
pub(crate) fn postponed(task: SporadicTask) -> ! {
    let mut releases = task.released_by(&POSTPONED);
    loop {
        let _ = releases.wait();
        note(b'p');
    }
}

/// What the timer calls.
fn timed() {
    note(b't');
}

/// Wants what the driver holds, more urgent than it.
pub(crate) fn contender() -> ! {
    loop {
        CONTENDER.wait();
        BUS.lock(|_| note(b'h'));
    }
}

/// As [`contender`], until a deadline.
pub(crate) fn impatient() -> ! {
    loop {
        IMPATIENT.event.wait();
        let deadline = Instant::from_half_ticks(IMPATIENT.deadline.load(Ordering::Relaxed));
        let has_given_up = BUS.lock_until(deadline, |_| ()).is_err();
        IMPATIENT.has_given_up.store(has_given_up, Ordering::Relaxed);
        note(if has_given_up { b'i' } else { b'!' });
    }
}

/// Takes a job when there is one.
pub(crate) fn worker() -> ! {
    loop {
        JOBS.lock_when(&ARRIVED, |&jobs| jobs > 0, |jobs| *jobs -= 1);
        note(b'j');
    }
}

/// Waits for both of two flags.
pub(crate) fn flags_waiter() -> ! {
    loop {
        note(if FLAGS.wait_all(3, Received::Clear) == 3 { b'f' } else { b'!' });
    }
}

/// Waits for the driver.
pub(crate) fn barrier_waiter() -> ! {
    loop {
        note(if BARRIER.wait() { b'!' } else { b'g' });
    }
}

/// Receives, more urgent than the driver.
pub(crate) fn reader() -> ! {
    loop {
        note_message(MESSAGES.receive(), b'r');
    }
}

/// Waits for a value, more urgent than the driver.
pub(crate) fn follower() -> ! {
    loop {
        note_message(VALUE.wait(), b's');
    }
}

/// Waits for what is posted, more urgent than the driver.
pub(crate) fn addressee() -> ! {
    loop {
        note_message(POSTED.receive(), b'a');
    }
}

/// Receives when it is told to, less urgent than the driver.
pub(crate) fn taker() -> ! {
    loop {
        TAKER.wait();
        note_message(FULL.receive(), b't');
    }
}

/// Notes that a message came, provided that it is whole.
pub(crate) fn note_message([number, again]: Message, step: u8) {
    note(if number == !again { step } else { b'!' });
}

/// Takes turns with the driver.
pub(crate) fn equal() -> ! {
    loop {
        EQUAL.wait();
        note(b'e');
    }
}

/// Waits for its event, less urgent than the driver.
pub(crate) fn listener() -> ! {
    loop {
        LISTENER.wait();
        note(b'l');
        if IS_CONSOLE_HELD.swap(false, Ordering::Relaxed) && devices::distributor().enable(map::UART0_INTID).is_err() {
            note(b'?');
        }
        DRIVER.set();
    }
}

/// The kernel handler of [`WAKER`].
pub(crate) fn wake_the_waiter() {
    WAITER.set_from_handler();
}

/// The kernel handler of [`WAKER_OF_TWO`].
pub(crate) fn wake_two() {
    EQUAL.set_from_handler();
    WAITER.set_from_handler();
}
