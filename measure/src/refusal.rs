// SPDX-License-Identifier: MIT OR Apache-2.0
//! Why a command is not run.

use core::fmt;

use takt::board::{NoSystemTimer, TakeError};

use crate::bench;
use crate::boot_line::ArgumentError;
use crate::commands;
use crate::load::order::OrderError;
use crate::options::OptionError;

/// Why a command is not run: one sentence.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Refusal<'a> {
    /// There is no such command.
    UnknownCommand {
        /// The word in its place.
        word: &'a str,
    },
    /// One of its words cannot be used.
    Argument(ArgumentError<'a>),
    /// One of the options of a measurement cannot be used.
    Option(OptionError<'a>),
    /// The task table lacks a task that the command needs.
    MissingTask {
        /// The command.
        command: &'static str,
        /// The line of the table that is missing.
        line: &'static str,
    },
    /// `bench` has no suite of this name.
    UnknownSuite {
        /// The word in its place.
        word: &'a str,
    },
    /// The command is about events, and the image records none.
    NoEventRing {
        /// The command.
        command: &'static str,
    },
    /// The command is about execution times, and the image accounts none.
    NoExecutionTime {
        /// The command.
        command: &'static str,
    },
    /// There is no run of `latency` whose records the slots still have.
    NoRun {
        /// The command.
        command: &'static str,
    },
    /// An anticipation that the system timer cannot have.
    NoWholeMicrosecond {
        /// What was asked for.
        ns: u32,
    },
    /// The way from the timer is longer than may be anticipated.
    TooLongToAnticipate {
        /// The most that may be.
        maximum_ns: u32,
    },
    /// `sweep`, in an image whose table has no levels for it.
    NoLevels,
    /// The system timer cannot release tasks.
    NoSystemTimer(NoSystemTimer),
    /// `bench irq` raised a pin, and nothing came.
    NoEdge,
    /// The pins of a suite are somebody else's.
    PinsTaken {
        /// The suite.
        suite: &'static str,
        /// The pins.
        pins: &'static str,
    },
    /// The last run did not look for spikes.
    NoSpikes,
    /// No slot is on the core that was asked for.
    NoSlotOnCore {
        /// The command.
        command: &'static str,
        /// The core.
        core: u8,
    },
    /// A run has failed by the limit that it was given.
    Failed {
        /// The command.
        command: &'static str,
    },
    /// A load that cannot be.
    Load(OrderError<'a>),
    /// The core has no task for loads.
    NoLoadTask {
        /// The core.
        core: usize,
    },
    /// The DMA channel of the loads cannot be had.
    NoDmaChannel {
        /// The channel.
        channel: u8,
        /// Why; nothing where the firmware uses it itself.
        why: Option<TakeError>,
    },
    /// `wake`, in an image whose tasks are all on core 0.
    OneCore,
    /// The facts of the machine are not there yet, which cannot be.
    NoFacts,
    /// The record of a slot is in use or too small for the run, which cannot be.
    NoRecord {
        /// The slot.
        slot: usize,
    },
}

impl fmt::Display for Refusal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownCommand { word } => {
                write!(f, "the command {word} is unknown; valid are")?;
                commands::names().iter().try_for_each(|name| write!(f, " {name}"))
            }
            Self::Argument(error) => error.fmt(f),
            Self::Option(error) => error.fmt(f),
            Self::UnknownSuite { word } => {
                write!(f, "bench: the suite {word} is unknown; valid are")?;
                bench::names().try_for_each(|name| write!(f, " {name}"))?;
                f.write_str(", or -l")
            }
            Self::NoRun { command } => {
                write!(f, "{command}: no run of latency is kept; run latency first, and other measurements behind that")
            }
            Self::NoWholeMicrosecond { ns } => write!(
                f,
                "calibrate: the anticipation is {ns} ns; the system timer counts whole microseconds, so a multiple of 1000 is \
                 expected, or the boot word timebase=generic"
            ),
            Self::TooLongToAnticipate { maximum_ns } => write!(
                f,
                "calibrate: the shortest way took more than {maximum_ns} ns, which is the most that is anticipated; look at the \
                 latencies first"
            ),
            Self::NoSystemTimer(why) => write!(f, "sweep: {why}; or leave it out by --timer generic"),
            Self::NoEdge => f.write_str(
                "bench irq: no interrupt came within 1 ms of GPIO17 going high; connect GPIO17 (pin 11) to GPIO27 (pin 13), or in QEMU \
                 give takt run --wire-pin 17",
            ),
            Self::PinsTaken { suite, pins } => write!(f, "bench {suite}: {pins} belongs to somebody else in this image"),
            Self::NoSpikes => f.write_str("spikes: the last run did not look for spikes; give latency --spike US"),
            Self::Failed { command } => {
                write!(f, "{command}: the run has failed by its limit; what stands behind this command is not run")
            }
            Self::Load(error) => error.fmt(f),
            Self::NoDmaChannel { channel, why: None } => {
                write!(f, "load: the firmware uses DMA channel {channel} itself; leave dma out")
            }
            Self::NoDmaChannel { why: Some(why), .. } => write!(f, "load: {why}"),
            Self::NoFacts => f.write_str("the facts of this machine are not known, which is a fault of takt"),
            Self::NoRecord { slot } => {
                write!(f, "the record of measuring slot {slot} cannot be used, which is a fault of takt")
            }
            lack => lack.write_lack(f),
        }
    }
}

impl Refusal<'_> {
    /// What the image lacks, and which one has it. All others have words of their own.
    fn write_lack(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MissingTask { command, line } => {
                write!(f, "{command}: the task table has no {line}, more urgent than the console; add it")
            }
            Self::NoEventRing { command } => {
                write!(f, "{command}: this image does not record events; make run EVENT_RING=1 builds one that does")
            }
            Self::NoExecutionTime { command } => {
                write!(
                    f,
                    "{command}: this image does not account execution times; make run EXECUTION_TIME=1 builds one that does"
                )
            }
            Self::NoLevels => f.write_str(
                "sweep: this image has no level for each policy; make run IMAGE=takt-sweep EXECUTION_TIME=1 runs one that has",
            ),
            Self::NoSlotOnCore { command, core } => write!(
                f,
                "{command}: no measuring slot is on core {core}; make run IMAGE=takt-four-cores runs an image with one on each"
            ),
            Self::NoLoadTask { core: 0 } => f.write_str(
                "load: the task table has no load task for core 0; add load::task and load::partner::<0>, less urgent than the \
                 console",
            ),
            Self::NoLoadTask { core } => write!(
                f,
                "load: no load task is on core {core}; make run IMAGE=takt-four-cores runs an image with one on each"
            ),
            Self::OneCore => f.write_str(
                "wake: this image has no tasks on other cores; make run IMAGE=takt-four-cores runs one that has",
            ),
            _ => Ok(()),
        }
    }
}

impl<'a> From<ArgumentError<'a>> for Refusal<'a> {
    fn from(error: ArgumentError<'a>) -> Self {
        Self::Argument(error)
    }
}

impl<'a> From<OptionError<'a>> for Refusal<'a> {
    fn from(error: OptionError<'a>) -> Self {
        Self::Option(error)
    }
}

impl<'a> From<OrderError<'a>> for Refusal<'a> {
    fn from(error: OrderError<'a>) -> Self {
        Self::Load(error)
    }
}
