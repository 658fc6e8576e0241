// SPDX-License-Identifier: MIT OR Apache-2.0
//! Words and lines of events.

use super::{Entry, Event, UnknownWord};
use crate::{CAPACITY, TaskId};
use proptest::prelude::*;
use std::string::ToString;

fn task(rank: usize) -> TaskId {
    TaskId::new(rank).unwrap()
}

fn events() -> impl Strategy<Value = Event> {
    let tasks = || (0..CAPACITY).prop_map(task);
    prop_oneof![
        any::<u16>().prop_map(|intid| Event::InterruptEntry { intid }),
        any::<u16>().prop_map(|intid| Event::InterruptExit { intid }),
        tasks().prop_map(|task| Event::Release { task }),
        tasks().prop_map(|task| Event::Ready { task }),
        (tasks(), tasks()).prop_map(|(from, to)| Event::Switch { from, to }),
        tasks().prop_map(|task| Event::Block { task }),
        tasks().prop_map(|task| Event::Wake { task }),
        any::<u32>().prop_map(|value| Event::Mark { value }),
    ]
}

proptest! {
    #[test]
    fn an_event_comes_back_from_its_word(event in events()) {
        prop_assert_eq!(Event::from_word(event.to_word()), Ok(event));
        let entry = Entry { stamp_ticks: 0, word: event.to_word() };
        prop_assert!(!entry.is_none());
    }

    /// With few bits set, so that many of the words are events or nearly so.
    #[test]
    fn a_word_is_an_event_s_or_unknown(kind in 0_u64..16, low in any::<u64>(), mask in any::<u64>(), narrow in any::<u64>()) {
        let word = kind << 56 | (low & mask & narrow & !(0xFF << 56));
        match Event::from_word(word) {
            Ok(event) => prop_assert_eq!(event.to_word(), word),
            Err(unknown) => prop_assert_eq!(unknown, UnknownWord { word }),
        }
    }
}

#[test]
fn what_no_event_makes_is_unknown() {
    let release = Event::Release { task: task(3) }.to_word();
    for word in [0, release | 64, release | 1 << 8, release | 1 << 55, 0x05 << 56, 0x0600_0000_0000_4000, u64::MAX] {
        assert_eq!(Event::from_word(word), Err(UnknownWord { word }), "{word:#x}");
    }
}

#[test]
fn every_kind_has_its_line() {
    let cases = [
        (Event::InterruptEntry { intid: 97 }, "7,0,interrupt-entry,97"),
        (Event::InterruptExit { intid: 1023 }, "7,0,interrupt-exit,1023"),
        (Event::Release { task: task(0) }, "7,0,release,0"),
        (Event::Ready { task: task(1) }, "7,0,ready,1"),
        (Event::Switch { from: TaskId::IDLE, to: task(2) }, "7,0,switch,63,2"),
        (Event::Block { task: task(62) }, "7,0,block,62"),
        (Event::Wake { task: task(4) }, "7,0,wake,4"),
        (Event::Mark { value: u32::MAX }, "7,0,mark,4294967295"),
    ];
    for (event, line) in cases {
        assert_eq!(Entry { stamp_ticks: 7, word: event.to_word() }.line(0).to_string(), line);
    }
    let unknown = Entry { stamp_ticks: u64::MAX, word: 1 << 55 };
    assert_eq!(unknown.line(3).to_string(), "18446744073709551615,3,unknown,0x0080000000000000");
}
