// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reports in cyclictest's format, so that a console capture feeds the scripts people already have.
//!
//! [`write_summary_line`] is the `T: 0 (…) P:80 …` line of a run without histogram; [`write_histogram`] the block of a
//! run with `-h` or `-H`, in either [`Dialect`]; [`write_notes`] what cyclictest has no place for, in `#` lines that
//! every known reader drops; [`write_json_line`] one histogram in full for programs, in a `#` line too, because a plot
//! script takes any line that is neither empty nor a comment for a row of data.
//!
//! Of a run that goes on [`write_status`] draws the block that is drawn again, or [`write_sample`] writes each sample (`-v`);
//! [`write_spikes`] and [`write_break`] stand behind a report, and
//! so do [`write_percentiles`] and [`write_explanation`]. [`xenomai`] has the lines of Xenomai's `latency`.
//!
//! Where takt differs from cyclictest, and says so:
//! * a latency is floored to the counter tick, then to the microsecond (see [`crate::histogram::BucketWidth`]), and may
//!   be negative: it is then counted as early and is in no row;
//! * `Avg` is the exact mean, floored; cyclictest averages latencies that were already truncated;
//! * of a run's overflows the first [`OVERFLOW_CYCLES`](crate::histogram::OVERFLOW_CYCLES) are listed where cyclictest
//!   lists up to `-h N`; the rest is reported as `others`, as there;
//! * with `-N` a row is one counter tick, not one nanosecond, and so are the latencies in the block's footer; the notes
//!   give the width of a tick and the same latencies in nanoseconds. The summary line is in nanoseconds, as
//!   cyclictest's.
//!
//! All writers take `&mut dyn Write` and a slice of [`Column`]s: they exist once in the image, whatever the number of
//! bins and the kind of output.

mod block;
mod events;
mod explain;
mod json;
mod live;
mod notes;
mod number;
mod percentiles;
mod span;
mod summary;
pub mod xenomai;

pub use block::{Block, Dialect, write_histogram};
pub use events::{Break, Spike, write_break, write_spikes};
pub use explain::write_explanation;
pub use json::{write_json, write_json_line};
pub use live::{Reduction, Sample, write_cursor_up, write_sample, write_status, write_verbose_head};
pub use notes::write_notes;
pub use percentiles::write_percentiles;
pub use span::Span;
pub use summary::{Resolution, Summary, write_summary_line};

use crate::histogram::View;

/// From the due instant to where a latency was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The first statement of the interrupt handler.
    Handler,
    /// The first statement of the woken task.
    Task,
    /// The end of its job: the call of its next wait.
    Done,
}

impl Stage {
    /// The word for it in options and reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Handler => "handler",
            Self::Task => "task",
            Self::Done => "done",
        }
    }
}

/// One measured task at one stage: a summary line, or a column of a histogram block.
#[derive(Clone, Copy, Debug)]
pub struct Column<'a> {
    /// cyclictest's thread index, `T:`.
    pub thread: u32,
    /// The core that it runs on.
    pub core: u8,
    /// What stands in parentheses where cyclictest has the thread's id: at the task stage the task's place in the order
    /// of urgency, from 0, as at the end of its job, at the handler stage the INTID of the timer.
    pub id: u32,
    /// The priority as printed, cyclictest's scale: 1 to 99, larger is more urgent.
    pub priority: u8,
    /// The period, in microseconds.
    pub interval_us: u32,
    /// How many cycles were run.
    pub cycles: u64,
    /// The latest lateness, in half ticks; nothing before the first cycle.
    pub latest_half_ticks: Option<i64>,
    /// What was measured; skipped releases are counted in it.
    pub histogram: View<'a>,
    /// How many releases came while the previous job still ran.
    pub overruns: u64,
    /// The task's name in the task table.
    pub task: &'a str,
    /// Where the latency was taken.
    pub stage: Stage,
}
