// SPDX-License-Identifier: MIT OR Apache-2.0
//! The questions and what their answers mean. Numbers and layouts are of `[HW 6]`.

use super::BoardRevision;

/// The longest value of a [`Tag`], in words.
pub const MAX_VALUE_WORDS: usize = 3;

/// A question of fixed size to the firmware. A new one is a type with its number, its sizes, and how to write and read
/// its value.
pub trait Tag {
    /// The tag's number.
    const ID: u32;
    /// The words its value has room for, the longer of request and reply, 1..=[`MAX_VALUE_WORDS`].
    const VALUE_WORDS: u32;
    /// The words a whole reply has.
    const REPLY_WORDS: u32 = Self::VALUE_WORDS;
    /// What the reply means.
    type Reply;

    /// The value of the request; words beyond [`Tag::VALUE_WORDS`] are not sent.
    fn request(&self) -> [u32; MAX_VALUE_WORDS] {
        [0; MAX_VALUE_WORDS]
    }

    /// Reads the value of a whole reply; words beyond [`Tag::VALUE_WORDS`] are zero.
    fn reply(value: [u32; MAX_VALUE_WORDS]) -> Self::Reply;
}

/// The firmware's build time, in seconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GetFirmwareRevision;

impl Tag for GetFirmwareRevision {
    const ID: u32 = 0x0000_0001;
    const VALUE_WORDS: u32 = 1;
    type Reply = u32;

    fn reply([revision, ..]: [u32; MAX_VALUE_WORDS]) -> u32 {
        revision
    }
}

/// Which board this is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GetBoardRevision;

impl Tag for GetBoardRevision {
    const ID: u32 = 0x0001_0002;
    const VALUE_WORDS: u32 = 1;
    type Reply = BoardRevision;

    fn reply([code, ..]: [u32; MAX_VALUE_WORDS]) -> BoardRevision {
        BoardRevision::new(code)
    }
}

/// The memory that belongs to the Arm cores, of which the firmware tells only the part below 1 GiB. The whole is
/// [`BoardRevision::memory_mib`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GetArmMemory;

impl Tag for GetArmMemory {
    const ID: u32 = 0x0001_0005;
    const VALUE_WORDS: u32 = 2;
    type Reply = MemoryRange;

    fn reply([base, size_bytes, ..]: [u32; MAX_VALUE_WORDS]) -> MemoryRange {
        MemoryRange { base, size_bytes }
    }
}

/// A part of the physical memory below 4 GiB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryRange {
    /// The physical address of its first byte.
    pub base: u32,
    /// Its size.
    pub size_bytes: u32,
}

/// A clock of the firmware's, with its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Clock {
    /// The PL011s.
    Uart = 2,
    /// The four Arm cores.
    Arm = 3,
    /// The VideoCore and, with it, mini UART, SPI and I2C.
    Core = 4,
    /// The PWM blocks.
    Pwm = 10,
}

/// A question about a clock, whose tag number is `TAG`: the answer is a rate in Hz.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockRate<const TAG: u32> {
    /// Which clock.
    pub clock: Clock,
}

/// The rate a clock is set to, in Hz; 0 for a clock that is not there.
pub type GetClockRate = ClockRate<0x0003_0002>;

/// The highest rate a clock may be set to, in Hz.
pub type GetMaxClockRate = ClockRate<0x0003_0004>;

/// The rate a clock was measured to have, in Hz: the one to trust. QEMU does not know this tag.
pub type GetMeasuredClockRate = ClockRate<0x0003_0047>;

impl<const TAG: u32> Tag for ClockRate<TAG> {
    const ID: u32 = TAG;
    const VALUE_WORDS: u32 = 2;
    type Reply = u32;

    fn request(&self) -> [u32; MAX_VALUE_WORDS] {
        [self.clock as u32, 0, 0]
    }

    fn reply([_, rate_hz, ..]: [u32; MAX_VALUE_WORDS]) -> u32 {
        rate_hz
    }
}

/// Sets a clock; the reply is the rate it then has, in Hz. QEMU ignores it `[HW 12]`.
///
/// The request has twelve bytes. With eight the firmware takes `skip_turbo` from whatever follows `[HW 11]`, pitfall 21.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SetClockRate {
    /// Which clock.
    pub clock: Clock,
    /// The rate it shall have, in Hz.
    pub rate_hz: u32,
    /// With the Arm clock: leave the turbo settings of other clocks and voltages alone.
    pub skip_turbo: bool,
}

impl Tag for SetClockRate {
    const ID: u32 = 0x0003_8002;
    const VALUE_WORDS: u32 = 3;
    const REPLY_WORDS: u32 = 2;
    type Reply = u32;

    fn request(&self) -> [u32; MAX_VALUE_WORDS] {
        [self.clock as u32, self.rate_hz, u32::from(self.skip_turbo)]
    }

    fn reply([_, rate_hz, ..]: [u32; MAX_VALUE_WORDS]) -> u32 {
        rate_hz
    }
}

/// The DMA channels that the firmware leaves to the Arm cores, a bit for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GetDmaChannels;

impl Tag for GetDmaChannels {
    const ID: u32 = 0x0006_0001;
    const VALUE_WORDS: u32 = 1;
    type Reply = u32;

    fn reply([mask, ..]: [u32; MAX_VALUE_WORDS]) -> u32 {
        mask
    }
}

/// The temperature of the chip, in thousandths of a degree Celsius.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GetTemperature;

impl Tag for GetTemperature {
    const ID: u32 = 0x0003_0006;
    const VALUE_WORDS: u32 = 2;
    type Reply = u32;

    fn reply([_, milli_celsius, ..]: [u32; MAX_VALUE_WORDS]) -> u32 {
        milli_celsius
    }
}

/// Whether something slows the cores down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GetThrottled;

impl Tag for GetThrottled {
    const ID: u32 = 0x0003_0046;
    const VALUE_WORDS: u32 = 1;
    type Reply = Throttled;

    fn reply([bits, ..]: [u32; MAX_VALUE_WORDS]) -> Throttled {
        Throttled(bits)
    }
}

/// The firmware's word on what slows the cores down, now and since power-on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Throttled(u32);

impl Throttled {
    /// The word itself; 0 when nothing did.
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// What does so now: bits 3:0.
    #[must_use]
    pub const fn now(self) -> ThrottleCauses {
        ThrottleCauses::from_bits(self.0)
    }

    /// What has done so since power-on: bits 19:16.
    #[must_use]
    pub const fn since_boot(self) -> ThrottleCauses {
        ThrottleCauses::from_bits(self.0 >> 16)
    }
}

/// What can slow the cores down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThrottleCauses {
    /// The supply is too low.
    pub under_voltage: bool,
    /// The Arm clock is capped.
    pub arm_capped: bool,
    /// The clocks are throttled.
    pub throttled: bool,
    /// The soft temperature limit holds.
    pub soft_limit: bool,
}

impl ThrottleCauses {
    const fn from_bits(bits: u32) -> Self {
        Self {
            under_voltage: bits & 1 != 0,
            arm_capped: bits & 1 << 1 != 0,
            throttled: bits & 1 << 2 != 0,
            soft_limit: bits & 1 << 3 != 0,
        }
    }
}
