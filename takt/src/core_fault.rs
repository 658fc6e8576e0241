// SPDX-License-Identifier: MIT OR Apache-2.0
//! What becomes of the other cores when one faults: a line of the table.

use takt_kernel::table::{self, CoreFaultEntry, Entry};

use crate::table::{Declaration, Run};

/// What becomes of the other cores when one panics, overflows a stack or otherwise faults.
///
/// ```no_run
/// use takt::prelude::*;
///
/// takt::tasks! {
///     on_core_fault: OnCoreFault::Isolate,
///     motor: Task::periodic(motor).core(1).priority(10).period(micros(250)),
///     panel: Task::background(panel).core(0).priority(200),
/// }
///
/// fn panel() -> ! {
///     loop {
///         if let Some(sentence) = takt::core_fault(1) {
///             show(sentence);
///         }
///         takt::sleep_for(millis(100));
///     }
/// }
/// # fn motor(mut period: Periodic) -> ! { loop { period.wait(); } }
/// # fn show(_: &str) {}
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnCoreFault {
    /// All stop, after the core that faults has said why: so it is where the table has no such line.
    #[default]
    Halt,
    /// The core that faults says why and stops for good; the others go on, and can ask for its words by
    /// [`core_fault`](crate::core_fault). What is sent to it is kept and never heard of. On the console its words may stand within
    /// what core 0 prints at the same time.
    Isolate,
}

impl OnCoreFault {
    /// This as a line of the table, for [`tasks!`](crate::tasks!).
    #[doc(hidden)]
    pub const fn declare(self, name: &'static str) -> Declaration {
        let policy = match self {
            Self::Halt => table::OnCoreFault::Halt,
            Self::Isolate => table::OnCoreFault::Isolate,
        };
        Declaration::new(Entry::CoreFault(CoreFaultEntry { name, policy }), Run::Nothing)
    }
}
