// SPDX-License-Identifier: MIT OR Apache-2.0
//! The lines of Xenomai's `latency`: a line each second, which shows when the worst came, and the whole at the end.
//!
//! All latencies are microseconds with three decimals: half ticks of the counter floored to the nanosecond (108 half ticks are
//! 1000 ns on the board, 125 in QEMU), so that a printed value is never above the true one and less than 1 ns below. A mean is
//! divided exactly and floored once. Negative values are legal, there as here.
//!
//! Where takt differs:
//! * there is no user mode, and so nothing between a "user" and an "in-kernel" task ([`Mode`]), and no mode switch: `msw` is 0;
//! * the mean of the run is that of all samples, while Xenomai takes the mean of the means of the seconds.

mod buckets;

pub use buckets::{Buckets, Spread, write_buckets, write_gnuplot, write_statistics};

use super::number::{Thousandths, mean_ns};
use super::{Span, Stage};
use crate::time::Rate;
use core::fmt::{self, Write};

/// What Xenomai calls a test mode: `-t 0`, `-t 1` and `-t 2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// `-t 0`, the default: a task of a user.
    UserTask,
    /// `-t 1`: a task in the kernel. All of takt runs at one level, so it is measured as [`Mode::UserTask`] is.
    KernelTask,
    /// `-t 2`: the handler of the timer's interrupt.
    TimerHandler,
}

impl Mode {
    /// The mode that `-t` gives by number.
    #[must_use]
    pub const fn from_number(number: u32) -> Option<Self> {
        match number {
            0 => Some(Self::UserTask),
            1 => Some(Self::KernelTask),
            2 => Some(Self::TimerHandler),
            _ => None,
        }
    }

    /// The stage at which takt takes the latency of this mode.
    #[must_use]
    pub const fn stage(self) -> Stage {
        match self {
            Self::UserTask | Self::KernelTask => Stage::Task,
            Self::TimerHandler => Stage::Handler,
        }
    }

    /// Xenomai's words for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::UserTask => "periodic user-mode task",
            Self::KernelTask => "in-kernel periodic task",
            Self::TimerHandler => "in-kernel timer handler",
        }
    }
}

/// What is sampled, and by which clock.
#[derive(Clone, Copy, Debug)]
pub struct Sampling {
    /// Where.
    pub mode: Mode,
    /// How often, in microseconds.
    pub period_us: u32,
    /// The priority as printed: 1 to 99, larger is more urgent.
    pub priority: u8,
    /// The counter's.
    pub rate: Rate,
}

impl Span {
    /// Minimum, mean and maximum as printed. Where there is no sample these are the values Xenomai begins with: a minimum of
    /// 10 ms, a mean of 0, a maximum of −10 ms.
    pub(super) fn shown(&self, rate: Rate) -> [Thousandths; 3] {
        const TEN_MS_IN_NS: i64 = 10_000_000;
        if self.count == 0 {
            return [Thousandths(TEN_MS_IN_NS), Thousandths(0), Thousandths(TEN_MS_IN_NS.wrapping_neg())];
        }
        let mean = Thousandths::from_wide(mean_ns(self, rate).unwrap_or(0));
        [Thousandths::us(self.minimum_half_ticks, rate), mean, Thousandths::us(self.maximum_half_ticks, rate)]
    }
}

/// Whole seconds as `hh:mm:ss`.
struct Clock(u64);

impl fmt::Display for Clock {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:02}:{:02}:{:02}", self.0 / 3_600, self.0 / 60 % 60, self.0 % 60)
    }
}

/// Writes what comes before the warm-up, a second whose samples do not count.
///
/// # Errors
///
/// When `out` fails.
pub fn write_head(out: &mut dyn Write, sampling: &Sampling) -> fmt::Result {
    writeln!(out, "== Sampling period: {} us\n== Test mode: {}", sampling.period_us, sampling.mode.name())?;
    out.write_str("== All results in microseconds\nwarming up...\n")
}

/// Writes the two header lines, `RTT` and `RTH`: before the first data line and again after each 21 (`-l`). `elapsed_s` counts
/// from the end of the warm-up.
///
/// # Errors
///
/// When `out` fails.
pub fn write_header(out: &mut dyn Write, sampling: &Sampling, elapsed_s: u64) -> fmt::Result {
    let Sampling { mode, period_us, priority, .. } = sampling;
    let (elapsed, mode) = (Clock(elapsed_s), mode.name());
    writeln!(out, "RTT|  {elapsed}  ({mode}, {period_us} us period, priority {priority})")?;
    out.write_str("RTH|----lat min|----lat avg|----lat max|-overrun|---msw|---lat best|--lat worst\n")
}

/// Writes the data line of a second, `RTD`: the second, all overruns since the start, and the best and the worst since then.
///
/// # Errors
///
/// When `out` fails.
pub fn write_second(out: &mut dyn Write, second: &Span, overall: &Span, overruns: u64, rate: Rate) -> fmt::Result {
    let ([minimum, mean, maximum], [best, _, worst]) = (second.shown(rate), overall.shown(rate));
    writeln!(out, "RTD|{minimum:11}|{mean:11}|{maximum:11}|{overruns:8}|     0|{best:11}|{worst:11}")
}

/// Writes the line of the whole run, `RTS`, below a rule: with how long it ran and how long it was to run, which is the same
/// where nothing was said.
///
/// # Errors
///
/// When `out` fails.
pub fn write_overall(
    out: &mut dyn Write,
    overall: &Span,
    overruns: u64,
    ran_s: u64,
    wanted_s: Option<u64>,
    rate: Rate,
) -> fmt::Result {
    let [minimum, mean, maximum] = overall.shown(rate);
    let (ran, wanted) = (Clock(ran_s), Clock(wanted_s.unwrap_or(ran_s)));
    out.write_str("---|-----------|-----------|-----------|--------|------|-------------------------\n")?;
    writeln!(out, "RTS|{minimum:11}|{mean:11}|{maximum:11}|{overruns:8}|     0|    {ran}/{wanted}")
}

/// Writes that the run failed by `-m`, where [`Span::exceeds`] says so. What stands behind the colon is takt's.
///
/// # Errors
///
/// When `out` fails.
pub fn write_exceeded(out: &mut dyn Write, overall: &Span, limit_us: u32, rate: Rate) -> fmt::Result {
    let [_, _, maximum] = overall.shown(rate);
    writeln!(out, "Maximum latency exceeded: {maximum} us, where at most {limit_us} us were allowed")
}
