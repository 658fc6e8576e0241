// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a load does in one round. A round is short, a few microseconds, so that kinds run by turns; and no loop in it takes more
//! than some 30 instructions without a `yield`, since emulated cores take turns by that.

use core::hint::black_box;
use core::sync::atomic::{AtomicU64, Ordering};

use takt::kernel::time::Instant;
use takt::rpi4::{cache, interrupts, layout, mmu};
use takt::{Mailbox, MessageQueue, Semaphore};

use super::devices::Devices;
use super::station::STATIONS;
use super::{CORES, Kind};

/// The level-2 cache of a BCM2711: 1 MiB, in lines of 64 bytes, 16 ways; lines that are 64 KiB apart have one set [HW 9].
const LEVEL_2_BYTES: usize = 1 << 20;
const WAY_BYTES: usize = 1 << 16;

/// What is streamed through: twice as large, so that each line comes from SDRAM again.
const MEMORY_BYTES: usize = 2 * LEVEL_2_BYTES;
const WORD_BYTES: usize = size_of::<AtomicU64>();
const MEMORY_WORDS: usize = MEMORY_BYTES / WORD_BYTES;
const LINE_WORDS: usize = cache::LINE_BYTES / WORD_BYTES;
const WAY_WORDS: usize = WAY_BYTES / WORD_BYTES;
const PAGE_WORDS: usize = 4_096 / WORD_BYTES;

/// One for all cores.
static MEMORY: [AtomicU64; MEMORY_WORDS] = [const { AtomicU64::new(0) }; MEMORY_WORDS];

/// From the first byte of the code on: boot, vectors and the interrupt path, as the linker script has them.
const HOT_BYTES: usize = 16_384;
/// The lines of the memory that have a set in common with a line of the code: twice as many as the cache has ways.
const LINES_OF_A_SET: usize = MEMORY_BYTES / WAY_BYTES;

/// How many lines or pages are touched between two yields.
const TOUCHES_PER_YIELD: usize = 2;
const LINES_PER_ROUND: usize = 64;
const PAGES_PER_ROUND: usize = 16;
/// How often the processor reckons between two yields, and yields in a round.
const STEPS_PER_YIELD: u32 = 4;
const YIELDS_PER_ROUND: u32 = 16;
/// How many software interrupts are a round.
const INTERRUPTS_PER_ROUND: u32 = 4;

static STORMS: [Mailbox<u8, 2>; CORES] = [const { Mailbox::new() }; CORES];
static PINGS: [Semaphore; CORES] = [const { Semaphore::new(0) }; CORES];
static PONGS: [Semaphore; CORES] = [const { Semaphore::new(0) }; CORES];
static THERE: [MessageQueue<u64, 1>; CORES] = [const { MessageQueue::new() }; CORES];
static BACK: [MessageQueue<u64, 1>; CORES] = [const { MessageQueue::new() }; CORES];

/// What a round came to.
pub(super) enum Outcome {
    /// It is done.
    Done,
    /// It is under way, on a device.
    Under,
    /// There is nothing to do before this.
    Later(Instant),
}

/// What a core's load task has at hand.
pub(super) struct Work {
    core: usize,
    devices: Option<Devices>,
    value: u64,
    /// The next word of the memory.
    streamed: usize,
    /// The next byte of the code whose set is filled.
    hot_byte: usize,
    page: usize,
}

impl Work {
    pub(super) const fn new(core: usize, devices: Option<Devices>) -> Self {
        Self { core, devices, value: 1, streamed: 0, hot_byte: 0, page: 0 }
    }

    /// Does one round.
    pub(super) fn round(&mut self, kind: Kind) -> Outcome {
        match kind {
            Kind::Cpu => self.reckon(),
            Kind::Memory => self.stream(),
            Kind::Cache => self.evict(),
            Kind::Tlb => self.translate(),
            Kind::Interrupts => self.interrupt(),
            Kind::Messages => self.exchange(),
            Kind::Uart | Kind::Dma | Kind::Mailbox => match &mut self.devices {
                Some(devices) => return devices.round(kind),
                // A command for another core is refused.
                None => interrupts::yield_hint(),
            },
        }
        Outcome::Done
    }

    fn reckon(&mut self) {
        for _ in 0..YIELDS_PER_ROUND {
            for _ in 0..STEPS_PER_YIELD {
                self.value = black_box(self.value.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1));
            }
            interrupts::yield_hint();
        }
    }

    fn stream(&mut self) {
        self.streamed = touch(self.streamed, LINE_WORDS, LINES_PER_ROUND);
    }

    /// Fills the set of one line of the hot code with other lines; behind the last line, level 1 forgets its instructions.
    fn evict(&mut self) {
        let line = layout::text_start().wrapping_add(self.hot_byte);
        // The memory is as long as a whole number of ways: the first of its words that has the set.
        let base = MEMORY.as_ptr() as usize;
        let first = (line.wrapping_sub(base) % WAY_BYTES) / WORD_BYTES;
        let _ = touch(first, WAY_WORDS, LINES_OF_A_SET);
        self.hot_byte = self.hot_byte.wrapping_add(cache::LINE_BYTES) % HOT_BYTES;
        if self.hot_byte == 0 {
            cache::drop_instructions();
        }
    }

    fn translate(&mut self) {
        mmu::drop_translations();
        self.page = touch(self.page, PAGE_WORDS, PAGES_PER_ROUND);
    }

    /// Each message raises an interrupt, whose kernel handler finds nobody who waits for it.
    fn interrupt(&self) {
        let Some(storm) = STORMS.get(self.core) else { return };
        for _ in 0..INTERRUPTS_PER_ROUND {
            let _ = storm.post(0);
            let _ = storm.try_receive();
            interrupts::yield_hint();
        }
    }

    /// A semaphore and a message, there and back: four switches.
    fn exchange(&mut self) {
        let core = self.core;
        let (Some(ping), Some(pong), Some(there), Some(back)) =
            (PINGS.get(core), PONGS.get(core), THERE.get(core), BACK.get(core))
        else {
            return;
        };
        ping.give();
        pong.take();
        interrupts::yield_hint();
        there.send(self.value);
        self.value = back.receive();
        interrupts::yield_hint();
    }
}

/// Reads and writes a word at `first`, and so many in all, each `step` words behind the former, round and round. Answers with
/// the next.
fn touch(first: usize, step: usize, times: usize) -> usize {
    let mut index = first;
    for _ in 0..times / TOUCHES_PER_YIELD {
        for _ in 0..TOUCHES_PER_YIELD {
            if let Some(word) = MEMORY.get(index) {
                word.store(word.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
            }
            index = index.wrapping_add(step) % MEMORY_WORDS;
        }
        interrupts::yield_hint();
    }
    index
}

/// The body of the partner of the load task of core `CORE`, a background task that is more urgent than that and less than the
/// console task: `Task::background(load::partner::<0>).priority(253)`.
pub fn partner<const CORE: usize>() -> ! {
    const { assert!(CORE < CORES, "a core is numbered 0 to 3") };
    let (Some(ping), Some(pong), Some(there), Some(back), Some(station)) =
        (PINGS.get(CORE), PONGS.get(CORE), THERE.get(CORE), BACK.get(CORE), STATIONS.get(CORE))
    else {
        crate::sleep()
    };
    station.partner_is_there();
    loop {
        ping.take();
        pong.give();
        let message = there.receive();
        back.send(message.wrapping_add(1));
    }
}
