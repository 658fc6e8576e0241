// SPDX-License-Identifier: MIT OR Apache-2.0
//! Loom runs each test in every order of its threads' steps that the memory model allows, which is more than a handler can
//! do to a task: on one core, whoever preempts runs to its end.

use std::sync::Mutex;
use std::vec::Vec;

use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;

use super::MailboxRing;

/// A ring with its messages, in places of which loom finds every access that another one's can come between. The mutex is
/// not loom's, so it puts nothing in order; it is never held when another thread has its turn.
struct Mailbox<const PLACES: usize> {
    ring: MailboxRing<PLACES>,
    places: [Mutex<(UnsafeCell<()>, u32)>; PLACES],
}

impl<const PLACES: usize> Mailbox<PLACES> {
    fn starting_at(position: u32) -> Self {
        let places = std::array::from_fn(|_| Mutex::new((UnsafeCell::new(()), u32::MAX)));
        Self { ring: MailboxRing::starting_at(position), places }
    }

    fn post(&self, message: u32) -> bool {
        let posted = self.ring.post(message, |place, message| {
            let mut place = self.places[place].try_lock().unwrap();
            place.0.with_mut(|_| ());
            place.1 = message;
        });
        posted.is_ok()
    }

    fn take(&self) -> Option<u32> {
        self.ring.take(|place| {
            let place = self.places[place].try_lock().unwrap();
            place.0.with(|_| ());
            place.1
        })
    }

    fn take_all(&self) -> Vec<u32> {
        std::iter::from_fn(|| self.take()).collect()
    }
}

#[test]
fn messages_come_out_as_they_went_in_and_positions_wrap() {
    loom::model(|| {
        let mailbox = Mailbox::<2>::starting_at(u32::MAX - 2);
        assert_eq!((mailbox.take(), mailbox.ring.stored()), (None, 0));
        for number in 0..6 {
            assert!(mailbox.post(10 * number) && mailbox.post(10 * number + 1));
            assert_eq!(mailbox.ring.stored(), 2);
            assert!(!mailbox.post(9), "full");
            assert_eq!(mailbox.take_all(), [10 * number, 10 * number + 1]);
        }
        assert_eq!(mailbox.ring.dropped(), 6);
    });
}

#[test]
fn one_place_is_enough() {
    loom::model(|| {
        let mailbox = Mailbox::<1>::starting_at(0);
        assert!(mailbox.post(1) && !mailbox.post(2));
        assert_eq!(mailbox.take_all(), [1]);
        assert!(mailbox.post(3));
        assert_eq!(mailbox.take_all(), [3]);
    });
}

/// Three messages into two places while two are taken: each arrives whole, in order, and once, or is counted.
///
/// The one who posts begins: loom tries another order at a read of what somebody else has written, and overlooks a write of
/// what somebody else has read where the writer has read it since.
#[test]
fn what_is_posted_while_the_other_side_takes_arrives_or_is_counted() {
    loom::model(|| {
        let mailbox = Arc::new(Mailbox::<2>::starting_at(u32::MAX));
        let taking = {
            let mailbox = Arc::clone(&mailbox);
            thread::spawn(move || [mailbox.take(), mailbox.take()])
        };
        let posted: Vec<u32> = (1..=3).filter(|&message| mailbox.post(message)).collect();
        let mut taken: Vec<u32> = taking.join().unwrap().into_iter().flatten().collect();
        taken.extend(mailbox.take_all());
        assert_eq!(taken, posted);
        assert_eq!(posted.len() as u64 + mailbox.ring.dropped(), 3);
    });
}
