// SPDX-License-Identifier: MIT OR Apache-2.0
//! Load tasks on cores 1 to 3, for an image whose table has them; nothing of this is in any other image.
//!
//! In the table stand, beside `load::task` on core 0, `Task::background(load_1).core(1)` to `load_3`, a `load::partner` on each
//! core, and the ways by which core 0 wakes them, `LOAD_1.port()` to `LOAD_3.port()`. They tell the console task that they are
//! there as the slots do, by [`FROM_SLOTS`].

use takt::{Event, Remote};

use super::station::STATIONS;
use super::task::serve;
use crate::slots::other_cores::FROM_SLOTS;

/// Wakes the load task of core 1.
pub static LOAD_1: Remote<Event, 1> = Remote::to(&STATIONS[1].wake);
/// Wakes the load task of core 2.
pub static LOAD_2: Remote<Event, 2> = Remote::to(&STATIONS[2].wake);
/// Wakes the load task of core 3.
pub static LOAD_3: Remote<Event, 3> = Remote::to(&STATIONS[3].wake);

/// The body of the load task of core 1.
pub fn load_1() -> ! {
    STATIONS[1].is_woken_by(|| LOAD_1.set());
    serve(1, || FROM_SLOTS.set(), None)
}

/// The body of the load task of core 2.
pub fn load_2() -> ! {
    STATIONS[2].is_woken_by(|| LOAD_2.set());
    serve(2, || FROM_SLOTS.set(), None)
}

/// The body of the load task of core 3.
pub fn load_3() -> ! {
    STATIONS[3].is_woken_by(|| LOAD_3.set());
    serve(3, || FROM_SLOTS.set(), None)
}
