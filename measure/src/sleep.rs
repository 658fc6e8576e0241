// SPDX-License-Identifier: MIT OR Apache-2.0
//! The end of a task that has nothing more to do.

use takt::Event;

/// Sleeps for good: no time is spent, as it would be in a loop.
pub(crate) fn sleep() -> ! {
    let never = Event::new();
    loop {
        never.wait();
    }
}
