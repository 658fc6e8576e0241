// SPDX-License-Identifier: MIT OR Apache-2.0
//! The other cores: released from the firmware's spin table and parked in `WFI` by us.
//!
//! Left in the firmware's `WFE` loop they would wake at every `SEV` and, in QEMU, take turns with core 0 [HW 12].

use core::sync::atomic::{AtomicU32, Ordering};

use aarch64_cpu::asm::{self, barrier};

use crate::{counter, map, mmu};

/// What each core writes when it has arrived. Plain loads and stores only: exclusives do not work on memory that is
/// not cached [HW 9].
#[unsafe(link_section = ".bss.noncacheable")]
#[unsafe(export_name = "takt_core_arrived")]
static ARRIVED: [AtomicU32; 4] = [const { AtomicU32::new(0) }; 4];

unsafe extern "C" {
    fn takt_park();
}

/// How long a core may take to arrive: 10 ms. A core in the stub's loop needs microseconds.
const PATIENCE_PER_SECOND: u64 = 100;

/// Which of the cores 1 to 3 arrived and sleep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parked([bool; 3]);

impl Parked {
    /// The cores that did not answer, by number.
    pub fn silent(&self) -> impl Iterator<Item = usize> {
        (1..).zip(self.0).filter_map(|(core, arrived)| (!arrived).then_some(core))
    }
}

/// Sends cores 1 to 3 to sleep for good, then takes page 0, with the spin table, out of the map.
///
/// # Safety
/// Called once, on core 0, while page 0 is mapped.
pub unsafe fn park_others() -> Parked {
    for flag in &ARRIVED {
        flag.store(0, Ordering::Relaxed);
    }
    for core in 1..4_usize {
        let word = core.wrapping_mul(8).wrapping_add(map::SPIN_TABLE) as *mut u64;
        // SAFETY: page 0 is mapped non-cacheable, and the words at 0xE0, 0xE8 and 0xF0 are there for this.
        unsafe { word.write_volatile(takt_park as *const () as usize as u64) };
    }
    // The words must have arrived before the event [HW 11, 24].
    barrier::dsb(barrier::SY);
    asm::sev();
    let start = counter::ticks();
    let patience = counter::frequency_hz() / PATIENCE_PER_SECOND;
    let parked = loop {
        let parked = Parked(core::array::from_fn(|index| {
            ARRIVED.get(index.wrapping_add(1)).is_some_and(|flag| flag.load(Ordering::Relaxed) != 0)
        }));
        if parked.silent().next().is_none() || counter::ticks().wrapping_sub(start) > patience {
            break parked;
        }
        // The event of one's own SEV lets WFE return at once on a board; in QEMU it gives the others their turn.
        asm::sev();
        asm::wfe();
    };
    // SAFETY: the spin table has served; nobody else uses page 0.
    unsafe { mmu::unmap_page(0) };
    parked
}
