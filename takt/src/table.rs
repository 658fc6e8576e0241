// SPDX-License-Identifier: MIT OR Apache-2.0
//! The table of an application: what `tasks!` expands to.

mod of_core;
pub mod port;
#[doc(hidden)]
pub mod timing;

use core::cell::UnsafeCell;
use core::mem::MaybeUninit;

use takt_kernel::table::{
    CORES, Entry, LevelEntry, OnCoreFault, Order, Reserved, check_core, needs_execution_times, of_core,
};
use takt_rpi4::map;

use crate::bounds::Bounds;
use crate::budget::OfDeclaration;
use crate::periodic::{Periodic, Slot};
use crate::sporadic::SporadicTask;
use crate::stack_use::StackMemory;
use crate::{budget, execution_time};
pub(crate) use of_core::OfCore;
use timing::Claim;

use crate::remote::Port;

/// What a line of the table runs.
#[derive(Clone, Copy)]
#[doc(hidden)]
pub enum Run {
    /// A periodic task.
    Periodic(fn(Periodic) -> !),
    /// A slot.
    Slot(fn(Slot) -> !),
    /// A sporadic task.
    Sporadic(fn(SporadicTask) -> !),
    /// A background task.
    Background(fn() -> !),
    /// An interrupt handler.
    Handler(fn()),
    /// What other cores act upon.
    Port(&'static dyn Port),
    /// Nothing.
    Nothing,
}

/// A line of the table.
#[derive(Clone, Copy)]
#[doc(hidden)]
pub struct Declaration {
    /// What the check looks at.
    pub entry: Entry,
    /// What it runs.
    pub run: Run,
    /// The budget of a task's jobs.
    pub(crate) budget: OfDeclaration,
}

impl Declaration {
    /// A line that has no budget.
    pub(crate) const fn new(entry: Entry, run: Run) -> Self {
        Self { entry, run, budget: OfDeclaration::NONE }
    }

    /// The same for a constant, in which there must be no reference to a static that changes.
    #[must_use]
    pub const fn without_port(mut self) -> Self {
        if let Run::Port(_) = self.run {
            self.run = Run::Nothing;
        }
        self
    }

    /// What other cores act upon, if the line is that.
    pub const fn port(&self) -> Option<&'static dyn Port> {
        match self.run {
            Run::Port(port) => Some(port),
            _ => None,
        }
    }

    /// How many bytes of stack the line needs: none for an interrupt or a level.
    pub const fn stack_bytes(&self) -> usize {
        match &self.entry {
            Entry::Task(task) => task.stack_bytes,
            _ => 0,
        }
    }
}

/// A task's stack, whose lowest page is taken out of the memory map at boot: a task that overflows hits it and is named.
#[repr(C, align(4096))]
#[doc(hidden)]
pub struct Stack<const BYTES: usize> {
    guard: [MaybeUninit<u8>; 4096],
    bytes: UnsafeCell<[MaybeUninit<u8>; BYTES]>,
}

// SAFETY: a stack is used by the one task it belongs to.
unsafe impl<const BYTES: usize> Sync for Stack<BYTES> {}

/// Where a stack lies.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct StackSpan {
    /// The address of the guard page.
    pub guard: *const u8,
    /// The guard page, the stack, and the rest of its last page.
    pub bytes: usize,
}

// SAFETY: an address, which nobody reads through.
unsafe impl Sync for StackSpan {}

impl<const BYTES: usize> Stack<BYTES> {
    /// A stack that nobody has used.
    #[expect(clippy::new_without_default, reason = "a stack is a static; a default one would be a large temporary")]
    pub const fn new() -> Self {
        Self { guard: [MaybeUninit::uninit(); 4096], bytes: UnsafeCell::new([MaybeUninit::uninit(); BYTES]) }
    }

    /// Where it lies.
    pub const fn span(&'static self) -> StackSpan {
        StackSpan { guard: (&raw const self.guard).cast(), bytes: size_of::<Self>() }
    }
}

impl StackSpan {
    /// The first address behind the stack; the task's stack pointer starts here.
    pub fn top(&self) -> usize {
        (self.guard as usize).wrapping_add(self.bytes)
    }

    /// The stack itself.
    pub(crate) fn memory(&self) -> StackMemory {
        StackMemory::above_guard(self.guard as usize, self.top())
    }

    /// Whether `address` lies in the guard page.
    pub fn guards(&self, address: usize) -> bool {
        address.wrapping_sub(self.guard as usize) < 4096
    }
}

/// A checked table, as a static.
#[doc(hidden)]
pub struct Table {
    /// Tasks and interrupts as they were declared.
    pub lines: &'static [Declaration],
    /// The stack of each line.
    pub stacks: &'static [StackSpan],
    /// The tasks of each core by urgency; a core beyond has none.
    pub orders: &'static [Order],
    /// What the compiler found about each task's deadline, in the order of the table.
    pub claims: &'static [Claim],
    /// What goes with the bounds among these, if there are any.
    pub bounds: &'static Option<Bounds>,
    /// What other cores act upon.
    pub ports: &'static [Option<&'static dyn Port>],
}

impl Table {
    /// The levels that have a policy.
    pub(crate) fn levels(&self) -> impl Iterator<Item = &LevelEntry> {
        self.lines.iter().filter_map(|line| match &line.entry {
            Entry::Level(level) => Some(level),
            _ => None,
        })
    }

    /// What other cores act upon.
    pub(crate) fn ports(&self) -> impl Iterator<Item = &'static dyn Port> {
        self.ports.iter().flatten().copied()
    }

    /// What becomes of the other cores when one faults.
    pub(crate) fn on_core_fault(&self) -> OnCoreFault {
        let said = self.lines.iter().find_map(|line| match &line.entry {
            Entry::CoreFault(said) => Some(said.policy),
            _ => None,
        });
        said.unwrap_or_default()
    }
}

/// What belongs to the executive itself.
const RESERVED: Reserved = Reserved {
    system_timer: map::SYSTEM_TIMER_1_INTID.number(),
    generic_timer: map::GENERIC_TIMER_INTID.number(),
    serial: [map::UART0_INTID.number(), map::AUX_INTID.number()],
    software: [map::MAILBOX_INTID.number(), map::INBOX_INTID.number(), map::HALT_INTID.number()],
    intid_limit: map::INTID_LIMIT,
};

/// How many cores the table uses: the highest number and one.
#[doc(hidden)]
pub const fn cores(lines: &[Declaration]) -> usize {
    let (mut most, mut rest) = (0, lines);
    while let [first, others @ ..] = rest {
        if let Entry::Task(task) = &first.entry
            && task.core > most
            && (task.core as usize) < CORES
        {
            most = task.core;
        }
        rest = others;
    }
    (most as usize).saturating_add(1)
}

/// The order of urgency on each core.
#[doc(hidden)]
#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "runs in the compiler"
)]
pub const fn orders<const LINES: usize, const CORES: usize>(entries: &[Entry]) -> [Order; CORES] {
    let mut orders = [const { Order::NONE }; CORES];
    let mut core = 0;
    while core < CORES {
        orders[core] = Order::of(&of_core::<LINES>(entries, core as u8));
        core += 1;
    }
    orders
}

/// The entries of a table, for the check.
#[doc(hidden)]
#[expect(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "runs in the compiler")]
pub const fn entries<const LINES: usize>(lines: &[Declaration; LINES]) -> [Entry; LINES] {
    let mut entries = [const { Entry::NONE }; LINES];
    let mut index = 0;
    while index < LINES {
        entries[index] = lines[index].entry;
        index += 1;
    }
    entries
}

/// Stops the build with a sentence where the table is wrong.
#[doc(hidden)]
#[expect(clippy::panic, reason = "runs in the compiler, where a panic is how a build stops")]
pub const fn stop_if_wrong<const LINES: usize>(lines: &[Declaration; LINES], entries: &[Entry]) {
    if let Err(sentence) = takt_kernel::table::check(entries, RESERVED) {
        panic!("{}", sentence.as_str());
    }
    let mut core = 0;
    while (core as usize) < CORES {
        let own = of_core::<LINES>(entries, core);
        if let Err(sentence) = check_core(&own, core) {
            panic!("{}", sentence.as_str());
        }
        if let Err(sentence) = budget::check(lines, &own) {
            panic!("{}", sentence.as_str());
        }
        core = core.wrapping_add(1);
    }
    if !execution_time::IS_ON
        && let Some(sentence) = needs_execution_times(entries)
    {
        panic!("{}", sentence.as_str());
    }
}

/// Declares the tasks and interrupt handlers of an application, and is its entry.
///
/// Each line is a name, which reports and faults print, and a [`Task`](crate::Task), an [`Interrupt`](crate::Interrupt), or
/// the policy of a priority, a [`Level`](crate::Level). A mistake stops the build with a sentence that names the line. Used once, in the
/// binary crate.
#[macro_export]
macro_rules! tasks {
    ($($name:ident: $declaration:expr),* $(,)?) => {
        /// The entry of the image: the table, a stack for each task, and the jump into takt.
        extern "C" fn takt_start(x0: usize, exception_level: usize, word_at_x0: u32) -> ! {
            // Names that an application does not use: its own, in the declarations, mean what they mean outside.
            const TAKT_LINES: &[$crate::table::Declaration; [$(stringify!($name)),*].len()] =
                &[$(($declaration).declare(stringify!($name)).without_port()),*];
            const TAKT_ENTRIES: &[$crate::kernel::table::Entry] = &$crate::table::entries(TAKT_LINES);
            const TAKT_LOCKS: &[$crate::table::timing::Locks; TAKT_LINES.len()] =
                &$crate::table::timing::locks(TAKT_ENTRIES);
            const TAKT_CORES: usize = $crate::table::cores(TAKT_LINES);
            const TAKT_TASKS: usize = $crate::table::timing::count(TAKT_LINES).0;
            const TAKT_INTERRUPTS: usize = $crate::table::timing::count(TAKT_LINES).1;
            const TAKT_LEVELS: &[$crate::kernel::schedulability::Level; $crate::table::timing::count(TAKT_LINES).2] =
                &$crate::table::timing::levels(TAKT_ENTRIES);
            #[allow(long_running_const_eval, reason = "response times are found by iteration")]
            static TAKT_CLAIMS: [$crate::Claim; TAKT_TASKS] = {
                use $crate::kernel::schedulability::{InterruptLoad, Job};
                use $crate::table::timing::{BOARD, OnCore, claims, interrupts, jobs};
                $crate::table::stop_if_wrong(TAKT_LINES, TAKT_ENTRIES);
                const JOBS: &[OnCore<Job<'static>, TAKT_TASKS>; TAKT_CORES] = &jobs(TAKT_ENTRIES, TAKT_LOCKS, &BOARD);
                const INTERRUPTS: &[OnCore<InterruptLoad<'static>, TAKT_INTERRUPTS>; TAKT_CORES] =
                    &interrupts(TAKT_LINES, &BOARD);
                claims(TAKT_LINES, TAKT_ENTRIES, JOBS, INTERRUPTS, TAKT_LEVELS)
            };
            #[allow(long_running_const_eval, reason = "as above")]
            static TAKT_EMULATED_NS: [u64; TAKT_TASKS] = {
                use $crate::kernel::schedulability::{InterruptLoad, Job};
                use $crate::table::timing::{EMULATED, OnCore, bounds_ns, interrupts, jobs};
                const JOBS: &[OnCore<Job<'static>, TAKT_TASKS>; TAKT_CORES] = &jobs(TAKT_ENTRIES, TAKT_LOCKS, &EMULATED);
                const INTERRUPTS: &[OnCore<InterruptLoad<'static>, TAKT_INTERRUPTS>; TAKT_CORES] =
                    &interrupts(TAKT_LINES, &EMULATED);
                bounds_ns(TAKT_LINES, TAKT_ENTRIES, JOBS, INTERRUPTS, TAKT_LEVELS, &EMULATED)
            };
            static TAKT_BOUNDS: Option<$crate::bounds::Bounds> =
                $crate::bounds::Bounds::of(&TAKT_CLAIMS, &TAKT_EMULATED_NS);
            static TAKT_STACKS: [$crate::table::StackSpan; TAKT_LINES.len()] = [$({
                #[unsafe(link_section = ".bss.task_stacks")]
                static TAKT_STACK: $crate::table::Stack<{ ($declaration).declare("").stack_bytes() }> =
                    $crate::table::Stack::new();
                TAKT_STACK.span()
            }),*];
            static TAKT_ORDERS: [$crate::kernel::table::Order; TAKT_CORES] =
                $crate::table::orders::<{ TAKT_LINES.len() }, TAKT_CORES>(TAKT_ENTRIES);
            static TAKT_PORTS: [Option<&'static dyn $crate::remote::Port>; TAKT_LINES.len()] =
                [$(($declaration).declare("").port()),*];
            static TAKT_TABLE: $crate::table::Table = $crate::table::Table {
                lines: TAKT_LINES,
                stacks: &TAKT_STACKS,
                orders: &TAKT_ORDERS,
                claims: &TAKT_CLAIMS,
                bounds: &TAKT_BOUNDS,
                ports: &TAKT_PORTS,
            };
            /// For the linker, which leaves out what one core does not need.
            #[unsafe(no_mangle)]
            static TAKT_USES_OTHER_CORES: bool = TAKT_CORES > 1;
            $crate::start::start(&TAKT_TABLE, $crate::rpi4::boot::Handover { x0, exception_level, word_at_x0 })
        }
        $crate::rpi4::entry!(takt_start, $crate::start::run_other_core);
    };
}
