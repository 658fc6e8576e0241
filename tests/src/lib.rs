//! What the programs of `tests/qemu/` share: a report that ends the run, a log of what happened in which order, a gate
//! at which tasks meet, the buses, ways to keep the core busy and to go wrong.
//!
//! Each program shows one fact, which its name says as a sentence; the golden file beside it is what it prints. A
//! program prints from its least urgent task. It prints judgements (`within 200 ticks: yes`) where a number would change
//! with the layout of the code, and numbers where they are part of the fact.

#![no_std]

pub mod buses;
pub mod flash;
pub mod jobs;
pub mod releases;
pub mod stretch;
pub mod wrong;

use core::fmt::{self, Write as _};
use core::ptr;
use core::sync::atomic::{AtomicPtr, AtomicU32, AtomicUsize, Ordering};

use takt::Event;
use takt::board::{self, Facts};
use takt::clock;
use takt::console::Console;
use takt::kernel::time::Instant;
use takt::rpi4::drivers::gic400::{CoreSet, Intid, SgiTarget};
use takt::rpi4::{cores, devices, end, interrupts};

/// The console of a program, and whether all that it was to show is so.
#[derive(Debug)]
pub struct Report {
    console: Console,
    all_is_so: bool,
}

impl Report {
    /// The report; once in a program, in its least urgent task.
    #[expect(clippy::new_without_default, reason = "there is one")]
    pub fn new() -> Self {
        match Console::take() {
            Some(console) => Self { console, all_is_so: true },
            None => panic!("the console was taken twice"),
        }
    }

    /// Prints a line.
    pub fn line(&mut self, words: fmt::Arguments<'_>) {
        // The console cannot fail.
        let _ = writeln!(self.console, "{words}");
    }

    /// Prints whether something is so. Where it is not, the run fails.
    pub fn is(&mut self, what: impl fmt::Display, is_so: bool) {
        self.all_is_so &= is_so;
        self.line(format_args!("{what}: {}", if is_so { "yes" } else { "NO" }));
    }

    /// The console itself.
    pub fn console(&mut self) -> &mut Console {
        &mut self.console
    }

    /// Prints the tasks in the order of their urgency, each behind its priority.
    pub fn priorities(&mut self) {
        for task in takt::task_reports() {
            self.line(format_args!("{:3} {}", task.priority, task.name));
        }
    }

    /// Writes bytes as they are.
    #[inline(always)]
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.console.write_bytes(bytes);
    }

    /// Waits until everything printed has left.
    pub fn flush(&mut self) {
        self.console.flush();
    }

    /// Ends the run: with status 0 where all that was to be so is so, 1 otherwise.
    pub fn end(mut self) -> ! {
        self.console.flush();
        end::exit(u32::from(!self.all_is_so))
    }
}

/// Prints a line to a [`Report`].
#[macro_export]
macro_rules! report {
    ($report:expr, $($words:tt)*) => {
        $report.line(format_args!($($words)*))
    };
}

/// What happened in which order: the last `STEPS` and more are lost, and said to be.
#[derive(Debug)]
pub struct Log<const STEPS: usize> {
    steps: [AtomicPtr<&'static str>; STEPS],
    length: AtomicUsize,
}

impl<const STEPS: usize> Log<STEPS> {
    /// An empty log.
    #[expect(clippy::new_without_default, reason = "a log is a static")]
    pub const fn new() -> Self {
        Self { steps: [const { AtomicPtr::new(ptr::null_mut()) }; STEPS], length: AtomicUsize::new(0) }
    }

    /// Notes a step; written `LOG.note(&"words")`, a pointer to words that stay. Anyone may call this, handlers
    /// included.
    pub fn note(&self, words: &'static &'static str) {
        let place = self.length.fetch_add(1, Ordering::Relaxed);
        if let Some(step) = self.steps.get(place) {
            step.store(ptr::from_ref(words).cast_mut(), Ordering::Relaxed);
        }
    }

    /// Waits until all have arrived at `done`, and begins the report with the steps. Called by the least urgent task.
    pub fn report_after(&self, done: &Gate) -> Report {
        let mut report = Report::new();
        done.wait();
        self.print(&mut report);
        report
    }

    /// Prints the steps, one a line, and forgets them.
    pub fn print(&self, report: &mut Report) {
        let length = self.length.swap(0, Ordering::Relaxed);
        for step in self.steps.iter().take(length) {
            let words: *const &'static str = step.swap(ptr::null_mut(), Ordering::Relaxed);
            // SAFETY: null, or made from a reference to words that stay.
            if let Some(words) = unsafe { words.as_ref() } {
                report!(report, "{words}");
            }
        }
        if length > STEPS {
            report.is("the log was long enough", false);
        }
    }
}

/// Where the least urgent task waits until a number of others have arrived.
#[derive(Debug)]
pub struct Gate {
    missing: AtomicU32,
    open: Event,
}

impl Gate {
    /// A gate that opens with the `arrivals`-th arrival.
    pub const fn new(arrivals: u32) -> Self {
        Self { missing: AtomicU32::new(arrivals), open: Event::new() }
    }

    /// Called by a task that has done its part; it then has nothing to do any more.
    pub fn arrive_and_rest(&self) -> ! {
        if self.missing.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.open.set();
        }
        rest()
    }

    /// Waits until all have arrived. Called by one task.
    pub fn wait(&self) {
        self.open.wait();
    }
}

/// Lets the calling task wait for ever.
pub fn rest() -> ! {
    static NEVER: [Event; cores::CORES] = [const { Event::new() }; cores::CORES];
    loop {
        match NEVER.get(cores::this_core()) {
            Some(never) => never.wait(),
            None => panic!("there are four cores"),
        }
    }
}

/// Keeps the core busy until `instant`.
pub fn busy_until(instant: Instant) {
    while clock::now().is_before(instant) {
        interrupts::yield_hint();
    }
}

/// Keeps the core busy for `us` microseconds.
pub fn busy_for_us(us: u64) {
    busy_until(clock::now().after(us * clock::half_ticks_per_us()));
}

/// Raises software generated interrupt `n` on this core.
pub fn raise(n: u8) {
    let target = SgiTarget::Cores(CoreSet::only(0));
    if devices::distributor().send_sgi(Intid::sgi(n), target).is_err() {
        panic!("{n} is not the number of a software generated interrupt");
    }
}

/// Waits, at most a millisecond, until `is_so`: for what comes a few instructions later, as an interrupt does.
pub fn soon(is_so: impl Fn() -> bool) -> bool {
    let end = clock::now().after(1_000 * clock::half_ticks_per_us());
    while !is_so() && clock::now().is_before(end) {
        interrupts::yield_hint();
    }
    is_so()
}

/// What was found out at boot.
pub fn facts() -> &'static Facts {
    match board::facts() {
        Some(facts) => facts,
        None => panic!("there are no facts"),
    }
}

/// Half ticks as whole counter ticks, rounded up.
pub const fn ticks(half_ticks: i64) -> i64 {
    (half_ticks + 1) >> 1
}

/// The least and the greatest of the values so far.
#[derive(Clone, Copy, Debug)]
pub struct Range {
    /// The least.
    pub least: i64,
    /// The greatest.
    pub greatest: i64,
}

impl Range {
    /// No value yet.
    pub const EMPTY: Self = Self { least: i64::MAX, greatest: i64::MIN };

    /// Takes a value in.
    pub fn add(&mut self, value: i64) {
        self.least = self.least.min(value);
        self.greatest = self.greatest.max(value);
    }

    /// Whether all values lie from `least` to `greatest`.
    pub const fn is_within(&self, least: i64, greatest: i64) -> bool {
        least <= self.least && self.greatest <= greatest
    }
}
