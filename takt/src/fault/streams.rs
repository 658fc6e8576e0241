// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is said where a stream is used wrongly.

use super::die;

/// A side of a stream was taken on another core than its own.
#[cold]
#[inline(never)]
pub(crate) fn taken_elsewhere(side: &str, home: u8) -> ! {
    die(format_args!(
        "the {side} side of a stream is taken here, but belongs to core {home}; let a task on core {home} take it, or declare the \
         stream for this core: Stream<T, N, FROM, TO>"
    ))
}

/// A consumer waits for more items than there are places.
#[cold]
#[inline(never)]
pub(crate) fn waits_for_too_many(least: usize, places: usize) -> ! {
    die(format_args!(
        "a task waits until a stream has {least} items, and it has {places} places, so it would wait for ever; wait for fewer, or \
         give the stream more"
    ))
}
