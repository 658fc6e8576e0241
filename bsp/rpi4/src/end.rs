// SPDX-License-Identifier: MIT OR Apache-2.0
//! The end of a run: a status for QEMU, a defined stop on a board.

use core::arch::asm;
use core::sync::atomic::{AtomicBool, Ordering};

use qemu_exit::QEMUExit;

/// Set once the image runs under an emulator that can be left by semihosting.
static IN_EMULATOR: AtomicBool = AtomicBool::new(false);

/// Says whether [`exit`] may use semihosting: on a board its `HLT` is undefined.
pub fn set_in_emulator(in_emulator: bool) {
    IN_EMULATOR.store(in_emulator, Ordering::Relaxed);
}

/// Ends the run with `status`: QEMU ends with it, a board stops.
pub fn exit(status: u32) -> ! {
    if IN_EMULATOR.swap(false, Ordering::Relaxed) {
        qemu_exit::AArch64::new().exit(status)
    }
    stop()
}

/// Stops this core for good.
pub fn stop() -> ! {
    loop {
        // SAFETY: masked and asleep, nothing happens any more.
        unsafe { asm!("msr daifset, #15", "wfi", options(nostack)) };
    }
}
