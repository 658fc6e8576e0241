// SPDX-License-Identifier: MIT OR Apache-2.0
//! Slots on cores 1 to 3, for an image whose table has them; nothing of this is in any other image.
//!
//! Slot n is on core n. In the table stand, beside `slot::<0>` on core 0, `Task::slot(slot_1).core(1)` to `slot_3`, the ways by
//! which core 0 starts them, `START_1.port()` to `START_3.port()`, and the one by which they wake the console task,
//! `FROM_SLOTS.port()`.

use core::sync::atomic::Ordering;

use takt::console::{Console, activity};
use takt::{Event, Remote, Slot};

use super::{N_SLOTS, STATIONS, Station};

/// Starts slot 1.
pub static START_1: Remote<Event, 1> = Remote::to(&STATIONS[1].start);
/// Starts slot 2.
pub static START_2: Remote<Event, 2> = Remote::to(&STATIONS[2].start);
/// Starts slot 3.
pub static START_3: Remote<Event, 3> = Remote::to(&STATIONS[3].start);

/// Wakes the console task when a slot is there, and when it is done.
pub static FROM_SLOTS: Remote<Event, 0> = Remote::to(activity());

/// The body of slot 1, on core 1.
pub fn slot_1(slot: Slot) -> ! {
    serve(&STATIONS[1], 1, || START_1.set(), slot)
}

/// The body of slot 2, on core 2.
pub fn slot_2(slot: Slot) -> ! {
    serve(&STATIONS[2], 2, || START_2.set(), slot)
}

/// The body of slot 3, on core 3.
pub fn slot_3(slot: Slot) -> ! {
    serve(&STATIONS[3], 3, || START_3.set(), slot)
}

/// The slots of the other cores begin behind those of core 0: waits until all are there. Called once, by the console task.
pub(crate) fn await_all(console: &mut Console) {
    while super::count() < N_SLOTS {
        console.wait();
    }
}

fn serve(station: &'static Station, core: u8, start: fn(), slot: Slot) -> ! {
    if let Some(mut from_core_0) = station.start_from_core_0.take() {
        *from_core_0 = Some(start);
    }
    station.core.store(core, Ordering::Relaxed);
    station.serve(slot, || FROM_SLOTS.set())
}
