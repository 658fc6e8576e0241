// SPDX-License-Identifier: MIT OR Apache-2.0
//! What crosses from one core to another, without a lock: who writes which word, and what is seen when.
//!
//! For each object and each sending core there is a *letter*: a [count](count), [flags](flags), a [latest value](latest), or a lane
//! of messages ([`MailboxRing`](crate::objects::mailbox::MailboxRing)). The sender writes its letter and then sets the object's bit
//! in its own [word](dirty) at the receiver. Who finds that word empty raises the one interrupt by which the receiver hears of all
//! that is sent until it looks. The receiver takes the word, and then reads the letters of the objects whose bits it found.
//!
//! *Why no letter is lost.* The sender's bit is set with `Release` behind its letter, and the word is taken with `Acquire`: who
//! finds the bit finds the letter. A letter that is written while the receiver reads is either read with the earlier ones, or its
//! bit, set behind it, is still in the word: then it is looked at once more. Setting and taking are read-modify-writes of one
//! word, so they come one behind the other: a bit that is set behind a taking finds the word empty, or with bits that were set
//! behind that taking too, of which the first raised the interrupt.
//!
//! *Why it ends.* Nobody waits for another core's turn. A read-modify-write is repeated by the processor only while the other of
//! two cores writes the same word, which it does once a send or once an interrupt.
//!
//! Two are made of more than a letter: a [barrier], whose core hears who has come and tells who goes on, and a [stream], whose
//! sides see each other's positions and of which only a consumer that waits is told.
//!
//! The interrupt itself is the board's. Barrier (a) goes around it: the sender's stores are seen before its interrupt is, and the
//! receiver's loads come behind its acknowledge.

pub mod barrier;
pub mod count;
pub mod dirty;
pub mod flags;
pub mod latest;
pub mod stream;

#[cfg(test)]
mod tests;
