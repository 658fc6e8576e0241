// SPDX-License-Identifier: MIT OR Apache-2.0
//! The loads that use a device, on core 0: lines on the serial line, a DMA channel, the firmware's mailbox.
//!
//! The console task takes what they need when they are first asked for, and says so where it cannot be had.

use core::fmt::Write;

use heapless::String;
use takt::board::{self, TakeError};
use takt::console::LinesBeside;
use takt::dma::{self, Buffer, Channel, Region, State, Transfer};
use takt::handover::Handover;
use takt::kernel::time::Instant;
use takt::{clock, rpi4::interrupts};

use super::Kind;
use super::work::Outcome;
use crate::refusal::Refusal;

/// The channel: in QEMU and on most boards the firmware leaves it free.
const CHANNEL: u8 = 5;
/// What is copied at once: a few cache lines, cleaned by a loop that does not yield.
const COPIED_BYTES: usize = 4_096;

static FROM: Buffer<COPIED_BYTES> = Buffer::new();
static TO: Buffer<COPIED_BYTES> = Buffer::new();

/// What is copied, and by whom, while no copy runs.
struct Idle {
    channel: Channel<CHANNEL>,
    from: Region,
    to: Region,
}

/// What the console task took, until the load task fetches it.
static TAKEN_DMA: Handover<Option<Idle>> = Handover::new(None);

/// How long a line of the flood takes on the serial line: 20 bytes of 10 bits at 115200 baud. In QEMU a byte takes no time.
const LINE_US: u64 = 1_737;

/// The devices in the hands of the load task.
pub(super) struct Devices {
    lines: Option<LinesBeside>,
    /// How many were written, and when the next may be.
    written: u32,
    next_line: Instant,
    idle: Option<Idle>,
    transfer: Option<Transfer<CHANNEL, dma::Copied>>,
}

/// Takes the DMA channel, once. Called by the console task.
pub(super) fn take_dma() -> Result<(), Refusal<'static>> {
    // What the firmware does not say, it does not use.
    if dma::free_channels().is_ok_and(|free| free & (1_u32 << CHANNEL) == 0) {
        return Err(Refusal::NoDmaChannel { channel: CHANNEL, why: None });
    }
    match Channel::take() {
        Ok(channel) => {
            if let (Ok(from), Ok(to), Some(mut taken)) = (FROM.take(), TO.take(), TAKEN_DMA.take()) {
                *taken = Some(Idle { channel, from, to });
            }
            Ok(())
        }
        // By an earlier command of ours.
        Err(TakeError::Taken { .. }) if FROM.take().is_err() => Ok(()),
        Err(why) => Err(Refusal::NoDmaChannel { channel: CHANNEL, why: Some(why) }),
    }
}

impl Devices {
    pub(super) const fn new() -> Self {
        Self { lines: None, written: 0, next_line: Instant::from_half_ticks(0), idle: None, transfer: None }
    }

    /// Does one round of a kind that uses a device.
    pub(super) fn round(&mut self, kind: Kind) -> Outcome {
        match kind {
            Kind::Uart => self.write_line(),
            Kind::Dma => self.copy(),
            _ => ask_firmware(),
        }
    }

    /// A whole line, where it is time and there is room for it.
    fn write_line(&mut self) -> Outcome {
        let now = clock::now();
        if now.since(self.next_line) < 0 {
            return Outcome::Later(self.next_line);
        }
        let line_half_ticks = LINE_US.wrapping_mul(clock::half_ticks_per_us());
        let due = if now.since(self.next_line) < line_half_ticks.cast_signed() { self.next_line } else { now };
        self.next_line = due.after(line_half_ticks);
        if self.lines.is_none() {
            self.lines = LinesBeside::take();
        }
        let mut line = String::<24>::new();
        let _ = write!(line, "# Load uart {:07}", self.written % 10_000_000);
        match self.lines.as_mut().map(|lines| lines.write(&line)) {
            Some(Ok(())) => {
                self.written = self.written.wrapping_add(1);
                Outcome::Done
            }
            _ => Outcome::Later(self.next_line),
        }
    }

    /// Begins a copy, or asks whether the one that runs has ended.
    fn copy(&mut self) -> Outcome {
        interrupts::yield_hint();
        if let Some(transfer) = self.transfer.take() {
            return match transfer.finish() {
                Ok((channel, dma::Copied { source, destination })) => {
                    // Back again the next time.
                    self.idle = Some(Idle { channel, from: destination, to: source });
                    Outcome::Done
                }
                Err(unfinished) => {
                    // A copy that has failed stays so: no more rounds are counted.
                    let runs = matches!(unfinished.state, State::Running { .. } | State::Idle);
                    self.transfer = Some(unfinished.transfer);
                    if runs { Outcome::Under } else { later() }
                }
            };
        }
        let fetched = || TAKEN_DMA.take().and_then(|mut taken| taken.take());
        let Some(Idle { channel, from, to }) = self.idle.take().or_else(fetched) else { return later() };
        self.transfer = channel.copy(from, to, COPIED_BYTES).ok();
        Outcome::Under
    }
}

fn ask_firmware() -> Outcome {
    interrupts::yield_hint();
    if board::health().is_ok() { Outcome::Done } else { later() }
}

/// A moment later: there is nothing to be had now.
fn later() -> Outcome {
    Outcome::Later(clock::from_now(clock::millis(1)))
}
