// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where numbers come from: the `#` lines before every report.
//!
//! The image's hash is FNV-1a with 64 bits (offset basis 0xcbf29ce484222325, prime 0x100000001b3; exclusive or with a
//! byte, then multiply) over text and constants, which are the first bytes of `kernel8.img`; the line says how many.
//! Initialised data, the rest of the file, changes while the system runs.

use core::fmt::{self, Write};

use takt::board::{self, Facts, FirmwareError, Platform};
use takt::clock;
use takt::rpi4::boot::BootData;
use takt::rpi4::context::IdleStyle;
use takt::rpi4::drivers::mailbox::Model;
use takt::rpi4::layout;
use takt::rpi4::mailbox::Machine;

use crate::load;

/// What a report says of its origin.
#[derive(Clone, Copy)]
pub(crate) struct Provenance<'a> {
    pub(crate) facts: &'a Facts,
    /// What the boot line says of QEMU's instruction counter.
    pub(crate) icount: Option<u8>,
}

impl Provenance<'_> {
    /// Writes all lines.
    pub(crate) fn write(&self, out: &mut dyn Write) -> fmt::Result {
        let facts = self.facts;
        write_image(out)?;
        write_platform(out, facts)?;
        match &facts.machine {
            Ok(machine) => write_machine(out, machine, facts)?,
            Err(error) => writeln!(out, "# Board: not told; {error}")?,
        }
        write_health(out, patient_health())?;
        writeln!(out, "# Time base: {}", facts.time_base_reason)?;
        write_phase(out, facts)?;
        write_cores(out, facts)?;
        load::write_running(out)?;
        self.write_judgement(out)
    }

    /// What the latencies are worth.
    fn write_judgement(&self, out: &mut dyn Write) -> fmt::Result {
        if self.facts.platform == Platform::Qemu {
            self.write_icount(out, self.facts.icount_shift)?;
        } else if let Some(shift) = self.icount {
            writeln!(out, "# Note: the boot line says icount={shift}, but this is not QEMU")?;
        }
        out.write_str("# Note: an observed maximum is not a guarantee\n")
    }

    /// Whether QEMU counts instructions, which the boot line may say and the clock shows.
    fn write_icount(&self, out: &mut dyn Write, shift: Option<u32>) -> fmt::Result {
        match (self.icount, shift) {
            (Some(said), _) if shift != Some(u32::from(said)) => {
                writeln!(out, "# Note: the boot line says icount={said}, which the clock does not show")?;
            }
            _ => {}
        }
        let Some(shift) = shift else {
            return out.write_str("# Note: QEMU does not count instructions: its latencies are host noise\n");
        };
        writeln!(out, "# Icount: shift {shift}, one instruction takes {} ns", 1_u32.wrapping_shl(shift))?;
        if self.facts.other_cores.silent().count() < OTHER_CORES {
            out.write_str("# Note: several cores share the counted time: judge counts here, not lateness\n")?;
        }
        Ok(())
    }
}

/// All cores but the one that takt runs on.
const OTHER_CORES: usize = 3;

pub(crate) fn write_image(out: &mut dyn Write) -> fmt::Result {
    let image = layout::constant_image();
    let hash = fnv_1a(image);
    writeln!(
        out,
        "# Image: takt {}, FNV-1a {hash:016x} of the first {} bytes of kernel8.img",
        env!("CARGO_PKG_VERSION"),
        image.len()
    )
}

fn fnv_1a(bytes: &[u8]) -> u64 {
    const OFFSET_BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    bytes.iter().fold(OFFSET_BASIS, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME))
}

fn write_platform(out: &mut dyn Write, facts: &Facts) -> fmt::Result {
    let name = match facts.platform {
        Platform::Board => "a board",
        Platform::Qemu => "QEMU",
        Platform::Unclear => "unclear, taken for a board",
    };
    let Facts { counter_hz, priority_bits, exception_level, boot_data, .. } = facts;
    writeln!(out, "# Platform: {name}, by CNTFRQ {counter_hz} Hz and {priority_bits} priority bits of the GIC")?;
    let boot_data = match boot_data {
        BootData::DeviceTree => "a device tree",
        BootData::Atags => "ATAGs and no device tree",
        BootData::Unknown => "nothing known",
    };
    writeln!(out, "# Entry: at EL{exception_level}, x0 points at {boot_data}")
}

fn write_machine(out: &mut dyn Write, machine: &Machine, facts: &Facts) -> fmt::Result {
    let Machine { firmware_revision, board, arm_hz, arm_is_measured, core_hz, .. } = machine;
    out.write_str("# Board: ")?;
    match board {
        Some(board) => {
            match board.model() {
                Model::Rpi4B => out.write_str("Raspberry Pi 4 Model B")?,
                Model::Rpi400 => out.write_str("Raspberry Pi 400")?,
                Model::Cm4 => out.write_str("Compute Module 4")?,
                Model::Other(number) => write!(out, "model {number:#x}")?,
            }
            write!(out, " 1.{}, revision {:06x}, {} MiB", board.revision(), board.code(), board.memory_mib())?;
        }
        None => out.write_str("not told")?,
    }
    out.write_str("\n# Firmware: ")?;
    match firmware_revision {
        Some(revision) => writeln!(out, "revision {revision:#x}, {revision} s after 1970 began")?,
        None => out.write_str("revision not told\n")?,
    }
    out.write_str("# Rates: ARM ")?;
    write_hz(out, *arm_hz)?;
    out.write_str(if *arm_is_measured { " (measured), core " } else { " (as set), core " })?;
    write_hz(out, *core_hz)?;
    writeln!(out, ", UART {} Hz, CNTPCT {} Hz", facts.uart_hz, facts.counter_hz)
}

fn write_hz(out: &mut dyn Write, hz: Option<u32>) -> fmt::Result {
    match hz {
        Some(hz) => write!(out, "{hz} Hz"),
        None => out.write_str("not told"),
    }
}

/// The health, asked for again where a less urgent task, as a load, is asking the firmware just now.
fn patient_health() -> Health {
    const TRIES: u32 = 100;
    let mut health = board::health();
    for _ in 0..TRIES {
        if !matches!(health, Err(FirmwareError::Busy)) {
            break;
        }
        takt::sleep_for(clock::millis(1));
        health = board::health();
    }
    health
}

type Health = Result<(Option<u32>, Option<takt::rpi4::drivers::mailbox::Throttled>), FirmwareError>;

fn write_health(out: &mut dyn Write, health: Health) -> fmt::Result {
    out.write_str("# Health: ")?;
    let (temperature, throttled) = match health {
        Ok(told) => told,
        Err(error) => return writeln!(out, "not told; {error}"),
    };
    match temperature {
        Some(milli_celsius) => write!(out, "{}.{} C, ", milli_celsius / 1_000, milli_celsius % 1_000 / 100)?,
        None => out.write_str("temperature not told, ")?,
    }
    let Some(throttled) = throttled else { return out.write_str("throttling not told\n") };
    write!(out, "throttled {:#x}", throttled.bits())?;
    for (causes, when) in [(throttled.now(), "now"), (throttled.since_boot(), "since power-on")] {
        let named = [
            (causes.under_voltage, "supply too low"),
            (causes.arm_capped, "clock capped"),
            (causes.throttled, "throttled"),
            (causes.soft_limit, "soft temperature limit"),
        ];
        for (_, cause) in named.into_iter().filter(|(holds, _)| *holds) {
            write!(out, ", {cause} {when}")?;
        }
    }
    out.write_str("\n")
}

fn write_phase(out: &mut dyn Write, facts: &Facts) -> fmt::Result {
    match facts.phase {
        Some(phase) => {
            let half_ticks = phase.half_width_half_ticks;
            let ns = half_ticks.wrapping_mul(1_000).div_ceil(takt::clock::half_ticks_per_us().max(1));
            writeln!(out, "# Phase: system timer to CNTPCT known to +-{half_ticks} half ticks (+-{ns} ns)")
        }
        None => out.write_str("# Phase: not found, the system timer and CNTPCT do not keep their ratio\n"),
    }
}

fn write_cores(out: &mut dyn Write, facts: &Facts) -> fmt::Result {
    let idle = match facts.idle {
        IdleStyle::WaitForInterrupt => "WFI",
        IdleStyle::Spin => "a loop",
    };
    out.write_str("# Cores: 0")?;
    for core in facts.other_cores.running() {
        write!(out, " {core}")?;
    }
    write!(
        out,
        "{} in {idle}",
        if facts.other_cores.running().next().is_none() { " runs and idles" } else { " run and idle" }
    )?;
    write_numbers(out, "; parked: ", facts.other_cores.parked())?;
    write_numbers(out, "; did not answer: ", facts.other_cores.silent())?;
    out.write_str("\n")
}

fn write_numbers(out: &mut dyn Write, lead: &str, numbers: impl Iterator<Item = usize>) -> fmt::Result {
    let mut separator = lead;
    for number in numbers {
        write!(out, "{separator}{number}")?;
        separator = " ";
    }
    Ok(())
}
