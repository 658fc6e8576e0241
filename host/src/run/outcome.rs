// SPDX-License-Identifier: MIT OR Apache-2.0
//! How a run ended, and the exit status that stands for it.

use std::fmt;
use std::os::unix::process::ExitStatusExt as _;
use std::process::ExitStatus;
use std::time::Duration;

use super::TRACE_LIMIT_BYTES;
use super::guest_errors::LOG_LIMIT_BYTES;

/// The guest exited with 0 but made errors that QEMU logged.
pub const STATUS_GUEST_ERRORS: i32 = 3;
/// The time limit ran out, as with `timeout(1)`.
pub const STATUS_TIMED_OUT: i32 = 124;
/// The run could not be made, or it ended without an exit status of the guest's.
pub const STATUS_FAILED: i32 = 125;
/// A signal's number is added to this, as a shell does.
const STATUS_SIGNAL: i32 = 128;

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The guest exited with this status.
    Exit(i32),
    /// The guest reset the board.
    Reset,
    /// The guest turned the board off, which has no status.
    PowerOff,
    /// A signal that we did not send ended QEMU.
    Killed(i32),
    /// The time limit ran out.
    TimedOut(Duration),
    /// We were told to stop by this signal.
    Interrupted(i32),
    /// Somebody at the terminal has left by the key for it.
    Left,
    /// The guest repeats its errors without end.
    FloodOfGuestErrors,
    /// The trace would have filled the disk.
    TraceTooLong,
}

impl End {
    /// The end of a process.
    pub(super) fn of_process(status: ExitStatus) -> Self {
        // One of the two is there, for a process that has ended.
        status.code().map_or_else(|| Self::Killed(status.signal().unwrap_or_default()), Self::Exit)
    }

    /// The end, given why QEMU says the machine was shut down: its exit status is 0 for a reset, too.
    pub(super) fn with_reason(self, reason: Option<&str>) -> Self {
        match (self, reason) {
            (Self::Exit(0), Some("guest-reset")) => Self::Reset,
            (Self::Exit(0), Some("guest-shutdown")) => Self::PowerOff,
            _ => self,
        }
    }

    /// The exit status that stands for this end.
    #[must_use]
    pub fn status(&self) -> i32 {
        match self {
            Self::Exit(status) => *status,
            Self::PowerOff | Self::Left => 0,
            Self::Reset => STATUS_FAILED,
            Self::Killed(signal) | Self::Interrupted(signal) => STATUS_SIGNAL + signal,
            Self::TimedOut(_) => STATUS_TIMED_OUT,
            Self::FloodOfGuestErrors => STATUS_GUEST_ERRORS,
            Self::TraceTooLong => STATUS_FAILED,
        }
    }
}

/// A sentence; an exit of the guest's needs none in a report.
impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exit(status) => write!(f, "the guest exited with status {status}"),
            Self::Reset => write!(f, "the guest reset the board, which ends the run without an exit status"),
            Self::PowerOff => write!(f, "the guest turned the board off without an exit status"),
            Self::Killed(signal) => write!(f, "QEMU was ended by signal {signal}, which did not come from takt"),
            Self::TimedOut(limit) => {
                write!(
                    f,
                    "the time limit of {} s ran out, so QEMU was ended; --timeout sets another",
                    limit.as_secs_f64()
                )
            }
            Self::Interrupted(signal) => write!(f, "takt was ended by signal {signal}, and QEMU with it"),
            Self::Left => write!(f, "left by Ctrl-], and QEMU was ended"),
            Self::FloodOfGuestErrors => {
                write!(f, "QEMU was ended because its log of guest errors grew past {LOG_LIMIT_BYTES} bytes")
            }
            Self::TraceTooLong => {
                write!(f, "QEMU was ended because its trace grew past {TRACE_LIMIT_BYTES} bytes; trace a shorter run")
            }
        }
    }
}

/// What a run came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// How it ended.
    pub end: End,
    /// The exit status for that end, guest errors left aside.
    pub status: i32,
    /// The lines of QEMU's log that count, in order.
    pub guest_errors: Vec<String>,
    /// What QEMU itself printed, semihosting output of the guest included.
    pub qemu_messages: String,
}

impl Outcome {
    /// Whether the time limit ran out.
    #[must_use]
    pub fn timed_out(&self) -> bool {
        matches!(self.end, End::TimedOut(_))
    }

    /// The exit status for the whole run: the guest's own, or [`STATUS_GUEST_ERRORS`] where that would hide guest errors.
    #[must_use]
    pub fn exit_status(&self) -> i32 {
        if self.status == 0 && !self.guest_errors.is_empty() { STATUS_GUEST_ERRORS } else { self.status }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(end: End, guest_errors: &[&str]) -> Outcome {
        let guest_errors = guest_errors.iter().map(|&line| line.to_owned()).collect();
        Outcome { end, status: end.status(), guest_errors, qemu_messages: String::new() }
    }

    #[test]
    fn guest_errors_show_in_the_status_only_where_it_would_be_success() {
        assert_eq!(outcome(End::Exit(0), &[]).exit_status(), 0);
        assert_eq!(outcome(End::Exit(0), &["x"]).exit_status(), 3);
        assert_eq!(outcome(End::Exit(42), &["x"]).exit_status(), 42);
        assert_eq!(outcome(End::TimedOut(Duration::ZERO), &["x"]).exit_status(), 124);
    }

    #[test]
    fn a_reset_is_told_from_an_exit_with_success() {
        assert_eq!(End::Exit(0).with_reason(Some("guest-reset")), End::Reset);
        assert_eq!(End::Exit(0).with_reason(Some("guest-shutdown")), End::PowerOff);
        assert_eq!(End::Exit(0).with_reason(None), End::Exit(0));
        assert_eq!(End::Exit(7).with_reason(None), End::Exit(7));
        assert_eq!(End::Reset.status(), 125);
    }

    #[test]
    fn a_process_ends_by_status_or_by_signal() {
        assert_eq!(End::of_process(ExitStatus::from_raw(42 << 8)), End::Exit(42));
        assert_eq!(End::of_process(ExitStatus::from_raw(9)), End::Killed(9));
        assert_eq!(End::Killed(9).status(), 137);
    }

    #[test]
    fn the_time_limit_is_named() {
        assert!(End::TimedOut(Duration::from_secs(5)).to_string().contains("5 s"));
    }
}
