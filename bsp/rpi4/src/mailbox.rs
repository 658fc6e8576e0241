// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the firmware is asked: clocks, board, temperature and the boot command line.

use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicBool, Ordering};

use takt_drivers::mailbox::{
    BoardRevision, BufferFull, CacheMaintenance, Clock, CommandLineTooLong, GetBoardRevision, GetClockRate,
    GetCommandLine, GetDmaChannels, GetFirmwareRevision, GetMaxClockRate, GetMeasuredClockRate, GetTemperature,
    GetThrottled, Mailbox, MailboxError, PropertyBuffer, SetClockRate, Throttled,
};

use crate::{cache, counter, map};

/// The one buffer; it lies below 1 GiB like the whole image.
struct Buffer(UnsafeCell<PropertyBuffer>);

// SAFETY: `with_buffer` lends it to one caller at a time.
unsafe impl Sync for Buffer {}

static BUFFER: Buffer = Buffer(UnsafeCell::new(PropertyBuffer::new()));
static BUFFER_IS_TAKEN: AtomicBool = AtomicBool::new(false);

/// How long the firmware may take to answer: a tenth of a second. Calls that change a clock take milliseconds.
const PATIENCE_PER_SECOND: u64 = 10;

/// Why the firmware gave no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirmwareError {
    /// Somebody else is asking, or the firmware still owes an earlier answer and owns the buffer.
    Busy,
    /// The question did not fit into the buffer.
    Full,
    /// The mailbox gave no valid reply.
    Mailbox(MailboxError),
    /// The command line did not fit.
    CommandLine(CommandLineTooLong),
}

impl core::fmt::Display for FirmwareError {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Busy => formatter.write_str(
                "mailbox: the buffer is in use, or the firmware never answered an earlier call; ask again, or restart \
                 the board",
            ),
            Self::Full => {
                formatter.write_str("mailbox: the request has more tags than the buffer has room for; ask in two calls")
            }
            Self::Mailbox(error) => error.fmt(formatter),
            Self::CommandLine(error) => error.fmt(formatter),
        }
    }
}

impl From<BufferFull> for FirmwareError {
    fn from(_: BufferFull) -> Self {
        Self::Full
    }
}

struct DataCache;

impl CacheMaintenance for DataCache {
    fn clean(&self, buffer: &PropertyBuffer) {
        cache::clean_and_invalidate((&raw const *buffer) as usize, size_of::<PropertyBuffer>());
    }

    fn invalidate(&self, buffer: &PropertyBuffer) {
        cache::clean_and_invalidate((&raw const *buffer) as usize, size_of::<PropertyBuffer>());
    }
}

/// Lets `ask` fill a request and send it with the function it is given.
fn with_buffer<R>(ask: impl FnOnce(&mut PropertyBuffer) -> Result<R, FirmwareError>) -> Result<R, FirmwareError> {
    if BUFFER_IS_TAKEN.swap(true, Ordering::Acquire) {
        return Err(FirmwareError::Busy);
    }
    // SAFETY: the flag was free, so nobody else holds the buffer.
    let buffer = unsafe { &mut *BUFFER.0.get() };
    let answer = ask(buffer);
    // Without a reply the buffer stays the firmware's for good.
    if !matches!(answer, Err(FirmwareError::Mailbox(MailboxError::NoReply))) {
        BUFFER_IS_TAKEN.store(false, Ordering::Release);
    }
    answer
}

fn send(buffer: &mut PropertyBuffer) -> Result<(), FirmwareError> {
    // SAFETY: the address is the mailbox's on this board, mapped as device memory for the life of the image.
    let mut mailbox = Mailbox::new(unsafe { &*(map::MAILBOX as *const _) });
    // The image, and with it the buffer, lies below 1 GiB; anything else the firmware could not reach.
    let bus_address =
        u32::try_from((&raw const *buffer) as usize | map::VIDEOCORE_UNCACHED).map_err(|_| FirmwareError::Busy)?;
    let start = counter::ticks();
    let patience = counter::frequency_hz() / PATIENCE_PER_SECOND;
    mailbox
        .call(buffer, bus_address, &DataCache, || counter::ticks().wrapping_sub(start) > patience)
        .map_err(FirmwareError::Mailbox)
}

/// What the firmware says of the machine. `None` where it does not know the question, as QEMU often does not.
#[derive(Clone, Copy, Debug)]
pub struct Machine {
    /// The firmware's build time, seconds since 1970.
    pub firmware_revision: Option<u32>,
    /// Which board.
    pub board: Option<BoardRevision>,
    /// The Arm cores' clock in Hz: measured where the firmware can, else as set.
    pub arm_hz: Option<u32>,
    /// Whether `arm_hz` was measured.
    pub arm_is_measured: bool,
    /// The VideoCore's clock in Hz, from which SPI, I2C and the mini UART derive theirs.
    pub core_hz: Option<u32>,
    /// The clock of the PL011s in Hz.
    pub uart_hz: Option<u32>,
}

/// Asks for [`Machine`]. Takes up to milliseconds: never in a time-critical section.
///
/// # Errors
/// Where the firmware does not answer.
pub fn machine() -> Result<Machine, FirmwareError> {
    with_buffer(|buffer| {
        let mut request = buffer.request();
        let firmware = request.add(&GetFirmwareRevision)?;
        let board = request.add(&GetBoardRevision)?;
        let measured = request.add(&GetMeasuredClockRate { clock: Clock::Arm })?;
        let arm = request.add(&GetClockRate { clock: Clock::Arm })?;
        let core = request.add(&GetClockRate { clock: Clock::Core })?;
        let uart = request.add(&GetClockRate { clock: Clock::Uart })?;
        send(buffer)?;
        let measured = buffer.reply(&measured).filter(|&hz| hz != 0);
        Ok(Machine {
            firmware_revision: buffer.reply(&firmware),
            board: buffer.reply(&board),
            arm_hz: measured.or(buffer.reply(&arm)),
            arm_is_measured: measured.is_some(),
            core_hz: buffer.reply(&core),
            uart_hz: buffer.reply(&uart).filter(|&hz| hz != 0),
        })
    })
}

/// Sets the Arm cores' clock to its maximum: without a request a bare-metal image runs at the minimum, 600 MHz
/// [HW 1.5]. Returns the rate in Hz that the firmware answered with.
///
/// # Errors
/// Where the firmware does not answer.
pub fn set_arm_clock_to_maximum() -> Result<Option<u32>, FirmwareError> {
    with_buffer(|buffer| {
        let mut request = buffer.request();
        let maximum = request.add(&GetMaxClockRate { clock: Clock::Arm })?;
        send(buffer)?;
        let Some(rate_hz) = buffer.reply(&maximum) else { return Ok(None) };
        let mut request = buffer.request();
        let set = request.add(&SetClockRate { clock: Clock::Arm, rate_hz, skip_turbo: true })?;
        send(buffer)?;
        Ok(buffer.reply(&set))
    })
}

/// The chip's temperature in thousandths of a degree Celsius, and why clocks were cut.
///
/// # Errors
/// Where the firmware does not answer.
pub fn health() -> Result<(Option<u32>, Option<Throttled>), FirmwareError> {
    with_buffer(|buffer| {
        let mut request = buffer.request();
        let temperature = request.add(&GetTemperature)?;
        let throttled = request.add(&GetThrottled)?;
        send(buffer)?;
        Ok((buffer.reply(&temperature), buffer.reply(&throttled)))
    })
}

/// The DMA channels that the firmware leaves to the Arm cores, a bit for each; `None` where it does not say.
///
/// # Errors
/// Where the firmware does not answer.
pub fn dma_channels() -> Result<Option<u32>, FirmwareError> {
    with_buffer(|buffer| {
        let mut request = buffer.request();
        let mask = request.add(&GetDmaChannels)?;
        send(buffer)?;
        Ok(buffer.reply(&mask))
    })
}

/// Copies the boot command line to `into` and returns its length in bytes.
///
/// # Errors
/// Where the firmware does not answer, or the line is longer than `into`.
pub fn command_line(into: &mut [u8]) -> Result<usize, FirmwareError> {
    with_buffer(|buffer| {
        let mut request = buffer.request();
        let room_bytes = u32::try_from(into.len()).map_err(|_| FirmwareError::Full)?;
        let line = request.add_command_line(&GetCommandLine { room_bytes })?;
        send(buffer)?;
        buffer.command_line(&line, into).map_err(FirmwareError::CommandLine)
    })
}
