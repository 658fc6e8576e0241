// SPDX-License-Identifier: MIT OR Apache-2.0
//! A line of QEMU's log, with `-d exec,nochain,int,trace:memory_region_ops_read,trace:memory_region_ops_write` and one
//! instruction per translation block.

/// What the log says about a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Device {
    /// The interrupt controller.
    Gic,
    /// The BCM2711 system timer.
    SystemTimer,
    /// Any other.
    Other,
}

impl Device {
    /// All of them, in the order in which they are counted.
    pub const ALL: [Self; 3] = [Self::Gic, Self::SystemTimer, Self::Other];

    /// The device that QEMU calls so.
    fn of(name: &str) -> Self {
        if name.starts_with("gic") {
            Self::Gic
        } else if name == "bcm2835-sys-timer" {
            Self::SystemTimer
        } else {
            Self::Other
        }
    }

    /// Its name in figures.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Gic => "gic",
            Self::SystemTimer => "system-timer",
            Self::Other => "other",
        }
    }
}

/// A read or write of a device register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Access {
    /// Whether it was a write.
    pub is_write: bool,
    /// Whose register.
    pub device: Device,
    /// Its address.
    pub address: u64,
    /// What was read or written.
    pub value: u64,
}

/// What a line says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Record {
    /// The instruction at this address is about to be executed.
    Instruction(u64),
    /// The instruction at this address was not executed after all; an interrupt is taken first, or time is taken stock of.
    NotExecuted(u64),
    /// The instruction before accessed a device.
    Access(Access),
}

/// Reads a line; `None` for one that is about something else.
#[must_use]
pub fn record(line: &str) -> Option<Record> {
    if line.starts_with("Trace ") {
        // Trace 0: 0x7f0000000000 [00004000/0000000000080880/00000121/ff022201]
        let (_, words) = line.split_once('[')?;
        return hex(words.split('/').nth(1)?).map(Record::Instruction);
    }
    if line.starts_with("Stopped execution ") {
        let (_, words) = line.split_once('[')?;
        return hex(words.split(']').next()?).map(Record::NotExecuted);
    }
    // memory_region_ops_read cpu 0 mr 0x7f0000000000 addr 0xff84200c value 0x61 size 4 name 'gic_cpu'
    let (_, event) = line.split_once("memory_region_ops_")?;
    let is_write = event.starts_with("write ");
    let word_behind = |key: &str| event.split_whitespace().skip_while(|word| *word != key).nth(1);
    let number_behind = |key: &str| hex(word_behind(key)?.strip_prefix("0x")?);
    let device = Device::of(word_behind("name").unwrap_or_default().trim_matches('\''));
    Some(Record::Access(Access { is_write, device, address: number_behind("addr")?, value: number_behind("value")? }))
}

fn hex(digits: &str) -> Option<u64> {
    u64::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_are_known_by_their_address() {
        let line = "Trace 0: 0x7f5adc1493c0 [00004000/0000000000080880/00000121/ff022201] \n";
        assert_eq!(record(line), Some(Record::Instruction(0x8_0880)));
        let line = "Stopped execution of TB chain before 0x7fb0341d9c00 [0000000000088244] \n";
        assert_eq!(record(line), Some(Record::NotExecuted(0x8_8244)));
    }

    #[test]
    fn accesses_name_their_device() {
        let line = "memory_region_ops_read cpu 0 mr 0x7f5b237fdb50 addr 0xff84200c value 0x61 size 4 name 'gic_cpu'\n";
        let access = Access { is_write: false, device: Device::Gic, address: 0xFF84_200C, value: 0x61 };
        assert_eq!(record(line), Some(Record::Access(access)));
        let line = "1234@1700000000.000001:memory_region_ops_write cpu 0 mr 0x1 addr 0xfe003010 value 0x20c538ea size 4 \
                    name 'bcm2835-sys-timer'\n";
        let access = Access { is_write: true, device: Device::SystemTimer, address: 0xFE00_3010, value: 0x20C5_38EA };
        assert_eq!(record(line), Some(Record::Access(access)));
        let line = "memory_region_ops_write cpu 0 mr 0x1 addr 0xfe201000 value 0x30 size 4 name 'pl011'";
        assert!(matches!(record(line), Some(Record::Access(Access { device: Device::Other, .. }))));
    }

    #[test]
    fn other_lines_say_nothing() {
        for line in [
            "Taking exception 5 [IRQ] on CPU 0",
            "...with ELR 0x84838",
            "",
            "Trace 0: cut off",
            "memory_region_ops_read cpu",
        ] {
            assert_eq!(record(line), None, "{line}");
        }
    }
}
