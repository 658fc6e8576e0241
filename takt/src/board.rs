// SPDX-License-Identifier: MIT OR Apache-2.0
//! What this machine is, as found out at boot: the facts that a report's provenance names. And its pins and peripherals,
//! each given once to who asks for it first.

mod bus;
mod choices;
pub(crate) mod icount;
mod input;
mod output;
mod peripheral;
mod pin;
mod pwm;
mod pwm_train;
mod reset;
mod rng;
mod sleeping;
mod thermometer;

use core::cell::UnsafeCell;
use core::fmt;

use takt_kernel::time_base::Phase;
use takt_rpi4::boot::BootData;
use takt_rpi4::context::IdleStyle;
use takt_rpi4::cores::OtherCores;
use takt_rpi4::drivers::mailbox::Throttled;
use takt_rpi4::drivers::power_management::ResetCause;
pub use takt_rpi4::mailbox::FirmwareError;
use takt_rpi4::mailbox::Machine;

pub use bus::{I2c1, I2c1Bus, I2c1Pins, Spi0, Spi0Bus, Spi0Device, Spi0Pins, core_hz};
pub use choices::{NoSystemTimer, set_idle, set_time_base};
pub use input::{EventInput, GpioLine, Input};
pub use output::{ActLed, Level, Output};
pub use peripheral::{Absent, Peripheral, TakeError};
pub(crate) use pin::AnyPin;
pub use pin::{Alternate, Pin, PinOwner, PinTaken};
pub use pwm::{PWM_CLOCK_HZ, PWM_MOST_ERROR_PPM, Pwm, Pwm0, Pwm1, PwmChannel, PwmOutput, PwmPeriod, PwmPin};
pub use pwm_train::PwmTrain;
pub use reset::{Watchdog, halt, last_reset, reboot};
pub use rng::{Rng, RngError};
pub use sleeping::Sleeping;
pub use takt_rpi4::drivers::gpio::{Detect, Events, PinNumber, PinSet, Pull};
pub use takt_rpi4::drivers::pwm::Polarity;
pub use takt_rpi4::drivers::wait::{Polling, Wait};
pub use takt_rpi4::drivers::{i2c, spi};
pub use thermometer::Thermometer;

pub use crate::phase_check::{PhaseCheck, check_phase};
pub use crate::time_base::TimeBase;

/// Board or emulator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Platform {
    /// A board: counter at 54 MHz, 16 priority levels in the interrupt controller.
    Board,
    /// QEMU: counter at 62.5 MHz, 256 priority levels.
    Qemu,
    /// The signs contradict each other; treated as a board, which needs no semihosting.
    Unclear,
}

impl Platform {
    /// The counter of a BCM2711, in Hz [HW 1.3].
    const BOARD_COUNTER_HZ: u64 = 54_000_000;
    /// QEMU's counter, in Hz [HW 1.6].
    const QEMU_COUNTER_HZ: u64 = 62_500_000;

    /// By the counter's frequency (Hz) and by how many priority bits the interrupt controller has: 4 on a board, where
    /// the secure half is hidden, 8 in QEMU [HW 12].
    pub const fn from_signs(counter_hz: u64, priority_bits: u32) -> Self {
        match (counter_hz, priority_bits) {
            (Self::BOARD_COUNTER_HZ, 4 | 5) => Self::Board,
            (Self::QEMU_COUNTER_HZ, 8) => Self::Qemu,
            _ => Self::Unclear,
        }
    }
}

/// Why this time base runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeBaseReason {
    /// A match was armed, and its interrupt came.
    InterruptCame,
    /// A match was armed and came, but no interrupt: QEMU started without the wiring.
    MatchWithoutInterrupt,
    /// A match was armed and never came.
    NoMatch,
    /// The boot line asked for it.
    Asked,
    /// The two clocks do not keep their ratio.
    ClocksDisagree,
}

impl fmt::Display for TimeBaseReason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::InterruptCame => "system timer, channel 1, INTID 97: a match was armed and its interrupt came",
            Self::MatchWithoutInterrupt => {
                "generic timer, INTID 30: a system-timer match raised no interrupt (QEMU without the wiring of takt run)"
            }
            Self::NoMatch => "generic timer, INTID 30: the system timer did not match",
            Self::Asked => "generic timer, INTID 30: the boot line asks for it",
            Self::ClocksDisagree => {
                "generic timer, INTID 30: the system timer and CNTPCT do not keep their ratio, so no phase was found"
            }
        })
    }
}

/// The facts.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// Board or emulator.
    pub platform: Platform,
    /// What `CNTFRQ_EL0` holds, in Hz.
    pub counter_hz: u64,
    /// How many priority bits the interrupt controller has.
    pub priority_bits: u32,
    /// The exception level at the entry.
    pub exception_level: usize,
    /// What x0 pointed at.
    pub boot_data: BootData,
    /// The other cores.
    pub other_cores: OtherCores,
    /// What the firmware says.
    pub machine: Result<Machine, FirmwareError>,
    /// The rate in Hz that the UART's divisors were made from.
    pub uart_hz: u32,
    /// Which timer releases the tasks.
    pub time_base: TimeBase,
    /// Why.
    pub time_base_reason: TimeBaseReason,
    /// The phase of the system timer; `None` where the clocks disagree.
    pub phase: Option<Phase>,
    /// How the core waits.
    pub idle: IdleStyle,
    /// The shift of QEMU's instruction counter: an instruction takes 2^shift ns. `None` where it does not count, and on a
    /// board.
    pub icount_shift: Option<u32>,
    /// Why the board was last reset.
    pub last_reset: ResetCause,
}

struct Shared<T>(UnsafeCell<T>);

// SAFETY: written at boot, before any task runs, and only read afterwards.
unsafe impl<T> Sync for Shared<T> {}

static FACTS: Shared<Option<Facts>> = Shared(UnsafeCell::new(None));
static COMMAND_LINE: Shared<([u8; COMMAND_LINE_BYTES], usize)> = Shared(UnsafeCell::new(([0; COMMAND_LINE_BYTES], 0)));

/// The longest boot command line, in bytes.
pub const COMMAND_LINE_BYTES: usize = 2_048;

/// What was found out at boot.
pub fn facts() -> Option<&'static Facts> {
    // SAFETY: see `Shared`.
    unsafe { &*FACTS.0.get() }.as_ref()
}

/// The boot command line: `cmdline.txt` and what the firmware added, or `-append` in QEMU. Empty where the firmware told
/// none or one that is no text.
pub fn command_line() -> &'static str {
    // SAFETY: see `Shared`.
    let (bytes, length) = unsafe { &*COMMAND_LINE.0.get() };
    bytes.get(..*length).and_then(|line| core::str::from_utf8(line).ok()).unwrap_or("")
}

/// Asks the firmware for the command line.
///
/// # Safety
/// Called once at boot, before anybody reads it.
pub(crate) unsafe fn read_command_line() -> Result<(), FirmwareError> {
    // SAFETY: the caller's.
    let (bytes, length) = unsafe { &mut *COMMAND_LINE.0.get() };
    *length = takt_rpi4::mailbox::command_line(bytes)?;
    Ok(())
}

/// Keeps the facts.
///
/// # Safety
/// Called once at boot, before anybody reads them.
pub(crate) unsafe fn set_facts(facts: Facts) {
    // SAFETY: the caller's.
    unsafe { *FACTS.0.get() = Some(facts) };
}

/// The chip's temperature in thousandths of a degree Celsius, and why clocks were cut; asked afresh. Takes up to
/// milliseconds. Called by the least urgent task.
pub fn health() -> Result<(Option<u32>, Option<Throttled>), FirmwareError> {
    takt_rpi4::mailbox::health()
}
