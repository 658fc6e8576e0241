// SPDX-License-Identifier: MIT OR Apache-2.0
//! A queue of messages of one size: which place has which message, and who waits for a message or for a place. The messages
//! themselves, and copying them, are the board's.
//!
//! *Nobody who is woken finds nothing.* A message that is sent while a task waits for one is that task's, and never has a
//! place. A place that falls free while a task waits to send is filled with that task's message in the same step. So
//! receivers wait only while the queue is empty and senders only while it is full, and nobody can overtake them.

use super::WaitCounts;
use super::waiting::Waiting;
use crate::TaskId;
use crate::executive::Executive;

/// The order of the messages in a ring of `PLACES` places, one at least. All zeros while it is new.
#[derive(Debug, Default)]
#[repr(C)]
pub struct MessageQueue<const PLACES: usize> {
    /// How many messages there are.
    stored: u32,
    /// The place of the next to be received.
    first: u32,
    /// The place behind the last.
    end: u32,
    receivers: Waiting,
    senders: Waiting,
    highest: u32,
    dropped: u64,
}

/// What happened to a message queue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MessageQueueCounts {
    /// How often tasks waited for a message.
    pub receive: WaitCounts,
    /// How often tasks waited for a place.
    pub send: WaitCounts,
    /// The most messages there were.
    pub highest: u32,
    /// Messages that found no place and whose sender did not wait.
    pub dropped: u64,
}

/// A place of the ring, less than `PLACES`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "the message has to be copied"]
pub struct Place(u32);

/// Where a message goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "the message has to be copied"]
pub enum Sent {
    /// Into this place.
    Into(Place),
    /// To this task, which waited for one and is ready now.
    To(TaskId),
    /// Nowhere: the queue is full.
    Nowhere,
}

/// Where a message comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "the message has to be copied"]
pub struct Received {
    /// The place, which is free once the message is out.
    pub from: Place,
    /// Then this task's message goes into the same place: it waited to send and is ready now.
    pub sender: Option<TaskId>,
}

impl Place {
    /// The place as an index.
    #[inline(always)]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl<const PLACES: usize> MessageQueue<PLACES> {
    const COUNT: u32 = {
        assert!(PLACES > 0 && PLACES < u32::MAX as usize, "takt: a message queue has 1 to 4,294,967,294 places");
        #[expect(clippy::cast_possible_truncation, reason = "looked at above")]
        let count = PLACES as u32;
        count
    };

    /// An empty queue.
    #[must_use]
    pub const fn new() -> Self {
        let (receivers, senders) = (Waiting::new(), Waiting::new());
        Self { stored: 0, first: 0, end: 0, receivers, senders, highest: 0, dropped: 0 }
    }

    /// How many messages there are.
    #[must_use]
    pub const fn stored(&self) -> u32 {
        self.stored
    }

    /// What happened so far.
    #[must_use]
    pub const fn counts(&self) -> MessageQueueCounts {
        let highest = if self.highest < self.stored { self.stored } else { self.highest };
        let (receive, send) = (self.receivers.counts(), self.senders.counts());
        MessageQueueCounts { receive, send, highest, dropped: self.dropped }
    }

    /// A message is sent: it goes to the most urgent receiver that waits, behind the others otherwise.
    #[inline(always)]
    pub fn send(&mut self, executive: &mut Executive) -> Sent {
        if let Some(task) = self.receivers.wake_one(executive) {
            return Sent::To(task);
        }
        if self.stored == Self::COUNT {
            return Sent::Nowhere;
        }
        let place = Place(self.end);
        self.end = Self::behind(self.end);
        self.stored = self.stored.wrapping_add(1);
        Sent::Into(place)
    }

    /// As [`Self::send`], but before the others.
    #[inline(always)]
    pub fn send_urgent(&mut self, executive: &mut Executive) -> Sent {
        if let Some(task) = self.receivers.wake_one(executive) {
            return Sent::To(task);
        }
        if self.stored == Self::COUNT {
            return Sent::Nowhere;
        }
        let first = if self.first == 0 { Self::COUNT } else { self.first };
        self.first = first.wrapping_sub(1);
        self.stored = self.stored.wrapping_add(1);
        Sent::Into(Place(self.first))
    }

    /// A message went nowhere, and its sender does not wait.
    #[cold]
    pub fn note_dropped(&mut self) {
        self.dropped = self.dropped.wrapping_add(1);
    }

    /// The first message is received; `None` where there is none.
    #[inline(always)]
    pub fn receive(&mut self, executive: &mut Executive) -> Option<Received> {
        let stored = self.stored;
        if stored == 0 {
            return None;
        }
        // Between two that are received the number only grows: it is enough to look here.
        self.highest = self.highest.max(stored);
        let from = Place(self.first);
        self.first = Self::behind(self.first);
        let sender = self.senders.wake_one(executive);
        if sender.is_some() {
            // The queue was full, so the place is the one behind the last as well.
            self.end = self.first;
        } else {
            self.stored = stored.wrapping_sub(1);
        }
        Some(Received { from, sender })
    }

    /// Who waits for a message. A task begins to in a step in which there is none.
    #[inline(always)]
    pub const fn receivers(&mut self) -> &mut Waiting {
        &mut self.receivers
    }

    /// Who waits with a message until it has gone somewhere. A task begins to in a step in which [`Sent::Nowhere`] was the
    /// answer.
    #[inline(always)]
    pub const fn senders(&mut self) -> &mut Waiting {
        &mut self.senders
    }

    #[inline(always)]
    const fn behind(place: u32) -> u32 {
        let next = place.wrapping_add(1);
        if next == Self::COUNT { 0 } else { next }
    }
}
