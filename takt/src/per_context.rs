// SPDX-License-Identifier: MIT OR Apache-2.0
//! A value for each context of a core: one for every task, and one for its kernel handlers, of which one runs at a time.

use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicBool, Ordering};

use takt_kernel::{CAPACITY, TaskId};
use takt_rpi4::{devices, interrupts};

use crate::core_state::masked;
use crate::start::handlers;
use crate::{fault, home};

/// How many contexts a core has: 63 tasks, and its kernel handlers in the idle task's place, which runs no code of
/// anybody's.
pub const CONTEXTS: usize = CAPACITY;

/// Who calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Context {
    /// A task.
    Task(TaskId),
    /// A kernel handler.
    KernelHandler,
}

impl Context {
    /// Who calls this, on core 0; elsewhere the system ends with a sentence. `what` is for the sentence with which the system ends where that is a direct handler, or the start
    /// before the first task: these have no context.
    ///
    /// Tasks run on `SP_EL0`, everybody else on `SP_EL1`; handlers are told apart by the priority at which the interrupt
    /// controller runs. A task takes 10 instructions or so, a handler a device read more.
    pub fn of_caller(what: &str) -> Self {
        home::only_on_core_0(what);
        if interrupts::is_on_task_stack() {
            return Self::Task(masked(|core| core.executive.running()));
        }
        let level = devices::cpu_interface().running_priority() >> 4;
        if level == handlers::KERNEL.level() { Self::KernelHandler } else { fault::without_context(what) }
    }

    const fn place(self) -> usize {
        match self {
            Self::Task(task) => task.index(),
            Self::KernelHandler => TaskId::IDLE.index(),
        }
    }
}

/// A static value for each context, used with interrupts on: a task that is preempted in the middle finds its own value as
/// it left it.
#[derive(Debug)]
pub struct PerContext<T>([Place<T>; CONTEXTS]);

#[derive(Debug)]
struct Place<T> {
    is_in_use: AtomicBool,
    value: UnsafeCell<T>,
}

// SAFETY:
// - `with` reaches a value from its own context only: a task does not run twice at once, and kernel handlers do not nest.
// - Within a context `is_in_use` keeps a second reference from being made while the first lives.
// - The value is used on one core but from different contexts over time, hence `T: Send`.
unsafe impl<T: Send> Sync for PerContext<T> {}

impl<T> Place<T> {
    const fn new(value: T) -> Self {
        Self { is_in_use: AtomicBool::new(false), value: UnsafeCell::new(value) }
    }
}

/// What a [`PerContext`] may hold.
pub trait ContextValue {
    /// The value at first. All zeros take no room in the image.
    const FIRST: Self;
    /// What is done with it, for the sentence with which the system ends where a direct handler does it: "a message was
    /// logged".
    const WHAT: &'static str;
}

impl<T: ContextValue> PerContext<T> {
    /// The first value for each context.
    #[expect(clippy::new_without_default, reason = "it is a static")]
    pub const fn new() -> Self {
        Self([const { Place::new(T::FIRST) }; CONTEXTS])
    }

    /// Lets `work` use the caller's value; `None` where it is in use already, by whoever called `work`. Called by tasks and
    /// kernel handlers; in a direct handler the system ends with a sentence.
    pub fn with<R>(&self, work: impl FnOnce(Context, &mut T) -> R) -> Option<R> {
        let context = Context::of_caller(T::WHAT);
        let place = self.0.get(context.place())?;
        // A load and a store: nobody else uses the place of this context.
        if place.is_in_use.load(Ordering::Relaxed) {
            return None;
        }
        place.is_in_use.store(true, Ordering::Relaxed);
        // SAFETY: the one reference, see above.
        let result = work(context, unsafe { &mut *place.value.get() });
        place.is_in_use.store(false, Ordering::Relaxed);
        Some(result)
    }
}
