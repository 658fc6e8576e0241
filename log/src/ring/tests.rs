// SPDX-License-Identifier: MIT OR Apache-2.0
//! Loom runs each test in every order of its threads' steps that the memory model allows. Its threads do more to each
//! other than preemption does: on one core, whoever preempts runs to its end.
#![allow(
    clippy::unwrap_used,
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "a test may fail where it stands"
)]

use std::vec::Vec;

use loom::sync::Arc;
use loom::thread;

use super::*;

/// The next frame.
fn take<const WORDS: usize>(ring: &FrameRing<WORDS>) -> Option<Vec<u8>> {
    let mut bytes = [0; 16];
    ring.take(&mut bytes).map(|length| bytes[..length].to_vec())
}

#[test]
fn frames_come_out_as_they_went_in() {
    loom::model(|| {
        let ring = FrameRing::<16>::starting_at(0);
        assert!(ring.has_none());
        for frame in [&b""[..], b"a", b"abcd", b"abcde"] {
            ring.push(frame, 0).unwrap();
        }
        assert!(!ring.has_none());
        for frame in [&b""[..], b"a", b"abcd", b"abcde"] {
            assert_eq!(take(&ring).unwrap(), frame);
        }
        assert_eq!(take(&ring), None);
    });
}

#[test]
fn positions_wrap() {
    loom::model(|| {
        let ring = FrameRing::<8>::starting_at(u32::MAX - 4);
        for number in 0..10_u8 {
            ring.push(&[number; 7], 0).unwrap();
            ring.push(&[number; 9], 0).unwrap();
            assert!(ring.push(b"", 0).is_ok());
            assert_eq!(take(&ring).unwrap(), [number; 7]);
            assert_eq!(take(&ring).unwrap(), [number; 9]);
            assert_eq!(take(&ring).unwrap(), []);
        }
    });
}

#[test]
fn a_full_ring_refuses_and_has_room_again_for_what_was_taken() {
    loom::model(|| {
        let ring = FrameRing::<8>::starting_at(0);
        ring.push(&[1; 12], 0).unwrap();
        // Four words are left.
        assert_eq!(ring.push(&[2; 13], 0), Err(NoRoom));
        assert_eq!(ring.push(&[2; 8], 2), Err(NoRoom));
        ring.push(&[2; 8], 1).unwrap();
        ring.push(b"", 0).unwrap();
        assert_eq!(ring.push(b"", 0), Err(NoRoom));
        assert_eq!(take(&ring).unwrap(), [1; 12]);
        ring.push(&[3; 12], 0).unwrap();
        assert_eq!(take(&ring).unwrap(), [2; 8]);
    });
}

#[test]
fn a_frame_longer_than_what_takes_it_is_cut() {
    loom::model(|| {
        let ring = FrameRing::<8>::starting_at(0);
        ring.push(&[1; 12], 0).unwrap();
        ring.push(&[2; 3], 0).unwrap();
        let mut bytes = [0; 6];
        assert_eq!(ring.take(&mut bytes), Some(6));
        assert_eq!(bytes, [1; 6]);
        assert_eq!(take(&ring).unwrap(), [2; 3]);
    });
}

#[test]
fn two_who_push_and_one_who_takes_do_not_mix_frames() {
    loom::model(|| {
        let ring = Arc::new(FrameRing::<8>::starting_at(0));
        let pushers = [1_u8, 2].map(|who| {
            let ring = ring.clone();
            thread::spawn(move || ring.push(&[who; 5], 0).is_ok())
        });
        let mut taken: Vec<Vec<u8>> = take(&ring).into_iter().collect();
        let pushed = pushers.map(|pusher| pusher.join().unwrap());
        assert_eq!(pushed, [true, true]);
        taken.extend(std::iter::from_fn(|| take(&ring)));
        taken.sort();
        assert_eq!(taken, [[1; 5], [2; 5]]);
        assert!(ring.has_none());
    });
}

#[test]
fn words_are_reused_only_when_they_were_given_up() {
    loom::model(|| {
        // Room for one frame at a time.
        let ring = Arc::new(FrameRing::<2>::starting_at(u32::MAX));
        let pusher = {
            let ring = ring.clone();
            thread::spawn(move || [[1; 4], [2; 4]].map(|frame| ring.push(&frame, 0).is_ok()))
        };
        let mut taken: Vec<Vec<u8>> = take(&ring).into_iter().collect();
        let pushed = pusher.join().unwrap();
        taken.extend(std::iter::from_fn(|| take(&ring)));
        let expected: Vec<Vec<u8>> =
            [[1; 4], [2; 4]].iter().zip(pushed).filter(|(_, is_in)| *is_in).map(|(frame, _)| frame.to_vec()).collect();
        assert!(pushed[0]);
        assert_eq!(taken, expected);
    });
}
