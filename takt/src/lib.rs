// SPDX-License-Identifier: MIT OR Apache-2.0
//! takt, as an application links it: a static table of tasks, a handle for each periodic one, and the one place where
//! the kernel's decisions meet the board.
//!
//! An application declares its tasks with [`tasks!`] and writes each as a function that never returns:
//!
//! ```no_run
//! use takt::prelude::*;
//!
//! takt::tasks! {
//!     control: Task::periodic(control).priority(10).period(micros(1_000)),
//!     logger: Task::background(logger).priority(200),
//! }
//!
//! fn control(mut period: Periodic) -> ! {
//!     loop {
//!         let release = period.wait();
//!         drive(release.due());
//!     }
//! }
//!
//! fn logger() -> ! {
//!     loop {
//!         print_what_is_new();
//!     }
//! }
//! # fn drive(_: takt::kernel::time::Instant) {}
//! # fn print_what_is_new() {}
//! ```
//!
//! In the order in which a sample travels: [`irq`] is the interrupt path, top to bottom as it happens; [`time_base`]
//! arms the timer; [`periodic`] is where a task waits and is stamped; [`console`] prints and reads, [`serial`] has the
//! other serial interfaces; [`trace`] notes what happened, [`execution_time`] who had the core for how long. [`start`] runs once, at boot; [`fault`] is where everything
//! ends that must not happen.

#![no_std]
// An example of the documentation is a program of its own, for the device.
#![doc(test(attr(no_std, no_main)))]

mod barrier;
pub mod board;
#[doc(hidden)]
pub mod bounds;
mod budget;
pub mod clock;
mod condvar;
pub mod console;
mod core_fault;
mod core_state;
mod cores_barrier;
mod delay;
pub mod dma;
mod end;
pub mod event;
mod event_flags;
mod exclusive;
pub mod execution_time;
pub mod fault;
mod gate;
pub mod handover;
mod home;
mod inherit_mutex;
mod interrupt;
mod irq;
mod lanes;
mod level;
pub mod mailbox;
pub mod message_queue;
mod mutex;
mod object;
pub mod per_context;
pub mod periodic;
mod phase_check;
mod preemption;
pub mod remote;
mod semaphore;
pub mod serial;
pub mod signal;
mod sleep;
mod slot;
mod sporadic;
mod stack_use;
pub mod stalls;
pub mod start;
mod stream;
pub mod table;
mod takes;
mod task;
mod task_control;
mod this_task;
mod time_base;
mod time_zero;
pub mod timer;
pub mod trace;
mod turn;
mod watches;

pub use embedded_hal as hal;
pub use embedded_io as io;
pub use takt_kernel as kernel;
pub use takt_rpi4 as rpi4;

pub use barrier::Barrier;
pub use bounds::{Bound, bound_assumptions};
pub use condvar::CondVar;
pub use core_fault::OnCoreFault;
pub use core_state::{TaskReport, reset_statistics, task_reports};
pub use cores_barrier::CoresBarrier;
pub use delay::Delay;
pub use end::exit;
pub use event::{Event, TimedOut};
pub use event_flags::{EventFlags, Received};
pub use fault::isolated::core_fault;
pub use inherit_mutex::InheritMutex;
pub use interrupt::Interrupt;
pub use irq::{InterruptCounts, interrupt_counts};
pub use lanes::{LaneCounts, Lanes};
pub use level::Level;
pub use mailbox::Mailbox;
pub use message_queue::MessageQueue;
pub use mutex::Mutex;
pub use periodic::{Periodic, Release, Slot};
pub use preemption::preemption_lock;
pub use remote::Remote;
pub use semaphore::Semaphore;
pub use signal::Signal;
pub use sleep::{sleep_for, sleep_until};
pub use sporadic::{Sporadic, SporadicCounts, SporadicReleases, SporadicTask};
pub use stack_use::{StackUse, exception_stack_use};
pub use stream::{Consumer, Producer, Stream};
pub use table::timing::Claim;
pub use task::Task;
pub use task_control::{AboveCeiling, TaskHandle};
pub use this_task::{ThisTask, this_task};
pub use timer::Timer;
pub use turn::yield_turn;

/// What most applications use.
pub mod prelude {
    pub use crate::clock::{micros, millis};
    pub use crate::event::{Event, TimedOut};
    pub use crate::kernel::budget::OnBudgetOverrun;
    pub use crate::kernel::release::OverrunPolicy;
    pub use crate::{
        Barrier, CondVar, EventFlags, InheritMutex, Mailbox, MessageQueue, Mutex, Received, Semaphore, Signal,
    };
    pub use crate::{CoresBarrier, Lanes, OnCoreFault, Remote, Stream};
    pub use crate::{Interrupt, Level, Periodic, Release, Slot, Sporadic, SporadicTask, Task, Timer};
    pub use crate::{preemption_lock, sleep_until, yield_turn};
}
