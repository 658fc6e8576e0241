// SPDX-License-Identifier: MIT OR Apache-2.0
//! What becomes of the other cores when one faults: halted, or told.

use core::cell::UnsafeCell;
use core::fmt::{self, Write};
use core::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use takt_kernel::table::OnCoreFault;
use takt_rpi4::cores::{self, CORES};
use takt_rpi4::drivers::gic400::SgiTarget;
use takt_rpi4::{devices, end, interrupts, map};

use crate::core_state;
use crate::home;

/// How much is kept of what a core said when it faulted, in bytes.
const KEPT_BYTES: usize = 400;

/// What one core said.
struct Said {
    text: UnsafeCell<([u8; KEPT_BYTES], usize)>,
    is_whole: AtomicBool,
}

// SAFETY: written by its core alone, once, before `is_whole` is released; read by others behind an acquiring load of that.
unsafe impl Sync for Said {}

static SAID: [Said; CORES] =
    [const { Said { text: UnsafeCell::new(([0; KEPT_BYTES], 0)), is_whole: AtomicBool::new(false) } }; CORES];

/// The core, and one, whose fault halts the system; 0 while there is none.
static FIRST: AtomicU8 = AtomicU8::new(0);

/// What the sentence was with which core `core`, 0 to 3, faulted; `None` while it runs, and where it does not exist. In a system
/// whose table says [`OnCoreFault::Isolate`](crate::OnCoreFault::Isolate); in another there is nobody left to ask. What is longer
/// than 400 bytes is cut. Anyone may call this, on any core.
#[must_use]
pub fn core_fault(core: usize) -> Option<&'static str> {
    let said = SAID.get(core).filter(|said| said.is_whole.load(Ordering::Acquire))?;
    // SAFETY: see `Said`.
    let (text, length) = unsafe { &*said.text.get() };
    let text = text.get(..*length)?;
    core::str::from_utf8(text)
        .or_else(|error| core::str::from_utf8(text.get(..error.valid_up_to()).unwrap_or(&[])))
        .ok()
}

/// Whether only this core ends. Before its tasks are prepared, everything does.
pub(super) fn is_alone() -> bool {
    // SAFETY: interrupts are masked for good; this is only read.
    let table = if home::others_run() { unsafe { core_state::get() }.table } else { None };
    matches!(table.map(|table| table.on_core_fault()), Some(OnCoreFault::Isolate))
}

/// Stops all others, if this is the first core that faults; a later one stops without a word.
pub(super) fn halt_others() {
    if !home::others_run() {
        return;
    }
    let this = u8::try_from(cores::this_core()).unwrap_or(0).wrapping_add(1);
    // Only the number counts: nothing else is read of the other.
    if FIRST.compare_exchange(0, this, Ordering::Relaxed, Ordering::Relaxed).is_err() {
        end::stop();
    }
    // A core that starts just now looks at the number behind an interrupt that it has withdrawn.
    interrupts::inbox_stores_before_interrupt(); // (a)
    let _ = devices::distributor().send_sgi(map::HALT_INTID, SgiTarget::AllOthers);
}

/// Stops where another core has halted the system before this one could hear of it. Called at the start of a core.
pub(crate) fn stop_if_halted() {
    // Behind the set-up of the interrupt controller: a core that halts the system from here on is heard.
    interrupts::interrupt_before_inbox_loads(); // (a)
    if FIRST.load(Ordering::Relaxed) != 0 {
        end::stop();
    }
}

/// Keeps what this core said, and stops it. The others go on.
pub(super) fn stop_alone(what: fmt::Arguments<'_>) -> ! {
    if let Some(said) = SAID.get(cores::this_core()) {
        // SAFETY: this core's, once, since it does not come back; see `Said`.
        let (text, length) = unsafe { &mut *said.text.get() };
        let _ = Cut { text, length }.write_fmt(what);
        said.is_whole.store(true, Ordering::Release);
    }
    end::stop()
}

/// Another core has faulted. Called as a direct handler.
pub(crate) fn halt() {
    end::stop()
}

/// Writes what there is room for.
struct Cut<'a> {
    text: &'a mut [u8; KEPT_BYTES],
    length: &'a mut usize,
}

impl Write for Cut<'_> {
    fn write_str(&mut self, more: &str) -> fmt::Result {
        for (place, byte) in self.text.iter_mut().skip(*self.length).zip(more.bytes()) {
            *place = byte;
            *self.length = self.length.wrapping_add(1);
        }
        Ok(())
    }
}
