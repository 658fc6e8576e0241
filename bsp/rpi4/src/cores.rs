// SPDX-License-Identifier: MIT OR Apache-2.0
//! The other cores: released from the firmware's spin table; those without tasks are parked in `WFI` by us.
//!
//! Left in the firmware's `WFE` loop they would wake at every `SEV` and, in QEMU, take turns with core 0 [HW 12].
//!
//! A core that has tasks waits, once it has caches and the memory map of core 0, until [`go`]: then everything that core 0
//! wrote for it is there.

use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use aarch64_cpu::asm::{self, barrier};
use aarch64_cpu::registers::MPIDR_EL1;
use tock_registers::interfaces::Readable;

use crate::{counter, map, mmu};

/// How many cores the BCM2711 has.
pub const CORES: usize = 4;

/// What each core writes when it has arrived. Plain loads and stores only: exclusives do not work on memory that is
/// not cached [HW 9].
#[unsafe(link_section = ".bss.noncacheable")]
#[unsafe(export_name = "takt_core_arrived")]
static ARRIVED: [AtomicU32; CORES] = [const { AtomicU32::new(0) }; CORES];

/// What each core reads when it arrives: whether it is to go on.
#[unsafe(link_section = ".bss.noncacheable")]
#[unsafe(export_name = "takt_core_has_tasks")]
static HAS_TASKS: [AtomicU32; CORES] = [const { AtomicU32::new(0) }; CORES];

/// Whether everything is there that the other cores need.
static GO: AtomicBool = AtomicBool::new(false);

unsafe extern "C" {
    fn takt_other_core();
}

/// How long a core without tasks may take to arrive: 10 ms. A core in the stub's loop needs microseconds.
const PATIENCE_PER_SECOND: u64 = 100;
/// How long a core with tasks may take, in seconds: where QEMU does not count instructions, it is a thread of a busy PC.
const LONG_PATIENCE_SECONDS: u64 = 1;

/// Which of the cores 1 to 3 arrived, and which go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtherCores {
    arrived: [bool; CORES],
    has_tasks: [bool; CORES],
}

impl OtherCores {
    /// The cores that did not answer, by number.
    pub fn silent(&self) -> impl Iterator<Item = usize> {
        (1..CORES).filter(|&core| !is_in(&self.arrived, core))
    }

    /// The cores that run tasks, by number.
    pub fn running(&self) -> impl Iterator<Item = usize> {
        (1..CORES).filter(|&core| is_in(&self.arrived, core) && is_in(&self.has_tasks, core))
    }

    /// The cores that sleep for good, by number.
    pub fn parked(&self) -> impl Iterator<Item = usize> {
        (1..CORES).filter(|&core| is_in(&self.arrived, core) && !is_in(&self.has_tasks, core))
    }

    /// The cores that are to run tasks and did not answer, by number.
    pub fn missing(&self) -> impl Iterator<Item = usize> {
        self.silent().filter(|&core| is_in(&self.has_tasks, core))
    }
}

fn is_in(cores: &[bool; CORES], core: usize) -> bool {
    cores.get(core).is_some_and(|&is| is)
}

/// The number of the core that calls this, 0 to 3.
#[inline(always)]
#[must_use]
pub fn this_core() -> usize {
    // Affinity level 0 [ARM D17.2.101].
    usize::try_from(MPIDR_EL1.get() & 3).unwrap_or(0)
}

/// Releases cores 1 to 3, those that `has_tasks` to wait for [`go`] and the others to sleep for good, then takes page 0, with
/// the spin table, out of the map. A core that does not arrive is waited for 10 ms, or a second where it has tasks.
///
/// # Safety
/// Called once, on core 0, while page 0 is mapped.
pub unsafe fn release_others(has_tasks: [bool; CORES]) -> OtherCores {
    for ((arrived, goes_on), has_tasks) in ARRIVED.iter().zip(&HAS_TASKS).zip(has_tasks) {
        arrived.store(0, Ordering::Relaxed);
        goes_on.store(u32::from(has_tasks), Ordering::Relaxed);
    }
    // What a core reads before it has caches, text and these words, is in memory: the image as the firmware loaded it, and
    // the page that is not cached.
    for core in 1..CORES {
        let word = core.wrapping_mul(8).wrapping_add(map::SPIN_TABLE) as *mut u64;
        // SAFETY: page 0 is mapped non-cacheable, and the words at 0xE0, 0xE8 and 0xF0 are there for this.
        unsafe { word.write_volatile(takt_other_core as *const () as usize as u64) };
    }
    // The words must have arrived before the event [HW 11, 24].
    barrier::dsb(barrier::SY);
    asm::sev();
    let start = counter::ticks();
    let others = loop {
        let arrived =
            core::array::from_fn(|core| ARRIVED.get(core).is_some_and(|flag| flag.load(Ordering::Relaxed) != 0));
        let others = OtherCores { arrived, has_tasks };
        let waited = counter::ticks().wrapping_sub(start);
        let patience = match others.missing().next() {
            Some(_) => counter::frequency_hz().wrapping_mul(LONG_PATIENCE_SECONDS),
            None => counter::frequency_hz() / PATIENCE_PER_SECOND,
        };
        if others.silent().next().is_none() || waited > patience {
            break others;
        }
        // The event of one's own SEV lets WFE return at once on a board; in QEMU it gives the others their turn.
        asm::sev();
        asm::wfe();
    };
    // SAFETY: the spin table has served; nobody else uses page 0.
    unsafe { mmu::unmap_page(0) };
    others
}

/// Lets the other cores that have tasks go on. What core 0 wrote before is seen by them.
pub fn go() {
    GO.store(true, Ordering::Release);
    // The word must have arrived before the event.
    barrier::dsb(barrier::SY);
    asm::sev();
}

/// Waits until core 0 says [`go`].
pub fn await_go() {
    while !GO.load(Ordering::Acquire) {
        asm::wfe();
    }
}
