// SPDX-License-Identifier: MIT OR Apache-2.0
//! A DMA channel against BCM2711 section 4.2, on words.

use takt_drivers::dma::{Channel, ControlBlock, DmaRegisters, Endpoint, Fault, State, Stuck};

use crate::bus_clock::BusClock;
use crate::words::Words;

const CS: usize = 0x00;
const CONBLK_AD: usize = 0x04;
const TXFR_LEN: usize = 0x14;
const DEBUG: usize = 0x20;
const SIZE_WORDS: usize = 0x24 / 4;

/// A control block's address as the channel sees it.
const BLOCK: u32 = 0xC010_0040;

fn channel(device: &Words<SIZE_WORDS>) -> Channel<'_> {
    Channel::new(device.pose::<DmaRegisters>())
}

#[test]
fn a_control_block_has_a_cache_line_of_its_own() {
    assert_eq!((align_of::<ControlBlock>(), size_of::<ControlBlock>()), (64, 64));
}

#[test]
fn the_words_of_a_copy() {
    // TI: INTEN 0, WAIT_RESP 3, DEST_INC 4, SRC_INC 8.
    let mut block = ControlBlock::default();
    assert_eq!(block.words(), [0; 8]);
    block.copy(0xC020_0000, 0xC030_0000, 4_096);
    assert_eq!(block.words(), [0x119, 0xC020_0000, 0xC030_0000, 4_096, 0, 0, 0, 0]);
}

#[test]
fn the_words_of_a_transfer_with_a_device() {
    // TI: DEST_DREQ 6, SRC_DREQ 10, PERMAP 20:16.
    let mut block = ControlBlock::new();
    block.send(0xC020_0000, Endpoint { bus_address: 0x7E20_4004, dreq: 6 }, 64);
    assert_eq!(block.words(), [0x6_0149, 0xC020_0000, 0x7E20_4004, 64, 0, 0, 0, 0]);
    block.receive(Endpoint { bus_address: 0x7E20_4004, dreq: 7 }, 0xC030_0000, 4);
    assert_eq!(block.words(), [0x7_0419, 0x7E20_4004, 0xC030_0000, 4, 0, 0, 0, 0]);
}

#[test]
fn the_interrupt_is_taken_from_the_transfer_and_comes_back_with_the_next() {
    let mut block = ControlBlock::new();
    block.send(0xC020_0000, Endpoint { bus_address: 0x7E20_4004, dreq: 6 }, 64);
    block.without_interrupt();
    // INTEN is bit 0.
    assert_eq!(block.words(), [0x6_0148, 0xC020_0000, 0x7E20_4004, 64, 0, 0, 0, 0]);
    block.copy(0xC020_0000, 0xC030_0000, 4);
    assert_eq!(block.words()[0], 0x119);
}

#[test]
fn a_start_names_the_block_and_lets_the_channel_run() {
    let device = Words::<SIZE_WORDS>::new();
    channel(&device).start(BLOCK);
    assert_eq!(device.at(CONBLK_AD), BLOCK);
    // WAIT_FOR_OUTSTANDING_WRITES 28, ACTIVE 0.
    assert_eq!(device.at(CS), 1 << 28 | 1);
    assert_eq!(device.differing_from(0), [CS, CONBLK_AD]);
}

#[test]
fn errors_of_an_earlier_transfer_are_cleared_by_ones_if_there_are_any() {
    let device = Words::<SIZE_WORDS>::new();
    device.put(DEBUG, 0xFFF0 | 0b101);
    channel(&device).start(BLOCK);
    assert_eq!(device.at(DEBUG), 0b101);
    device.put(DEBUG, 0xFFF0 | 0b010);
    assert_eq!(channel(&device).stop(&BusClock::default()), Ok(()));
    assert_eq!(device.at(DEBUG), 0b010);
    device.put(DEBUG, 0xFFF0);
    channel(&device).start(BLOCK);
    assert_eq!(device.at(DEBUG), 0xFFF0);
}

#[test]
fn the_state_is_idle_when_no_block_is_left() {
    let device = Words::<SIZE_WORDS>::new();
    let channel = channel(&device);
    // ACTIVE alone says nothing: it stands after an acknowledgement, too.
    device.put(CS, 1);
    assert_eq!(channel.state(), State::Idle);
    device.put(CONBLK_AD, BLOCK);
    device.put(TXFR_LEN, 12);
    assert_eq!(channel.state(), State::Running { left_bytes: 12 });
}

#[test]
fn every_error_is_a_failure_in_a_sentence() {
    let device = Words::<SIZE_WORDS>::new();
    device.put(CONBLK_AD, BLOCK);
    for debug in 1..8 {
        device.put(DEBUG, debug | 0xFFF0);
        assert_eq!(channel(&device).state(), State::Failed(Fault { debug }));
    }
    device.put(DEBUG, 0);
    device.put(CS, 1 << 8);
    assert_eq!(channel(&device).state(), State::Failed(Fault { debug: 0 }));
    assert_eq!(
        Fault { debug: 4 }.to_string(),
        "dma: the channel met an error on the bus (DEBUG 0x4: 1 last not set, 2 FIFO, 4 read); check that the device that \
         it reads or writes is there and on"
    );
}

#[test]
fn an_acknowledgement_clears_the_interrupt_and_leaves_the_channel_running() {
    let device = Words::<SIZE_WORDS>::new();
    device.put(CS, 1 << 2);
    assert!(channel(&device).is_requesting());
    channel(&device).acknowledge();
    assert_eq!(device.at(CS), 1 << 28 | 1 << 2 | 1);
    device.put(CS, 1);
    assert!(!channel(&device).is_requesting());
}

#[test]
fn a_stop_pauses_and_resets() {
    let device = Words::<SIZE_WORDS>::new();
    let clock = BusClock::default();
    device.put(CS, 1);
    device.put(CONBLK_AD, BLOCK);
    assert_eq!(channel(&device).stop(&clock), Ok(()));
    assert_eq!((device.at(CS), device.at(CONBLK_AD)), (1 << 31, 0));
}

#[test]
fn a_write_that_is_never_answered_is_an_error_in_bounded_time() {
    // The word poses as a device that ignores the pause: WAITING_FOR_OUTSTANDING_WRITES, bit 6, stands whatever is written.
    let device = Words::<SIZE_WORDS>::new();
    struct Unanswered<'a>(BusClock, &'a Words<SIZE_WORDS>);
    impl takt_drivers::clock::Clock for Unanswered<'_> {
        fn ticks(&self) -> u64 {
            self.1.put(CS, 1 << 6);
            self.0.ticks()
        }
        fn rate_hz(&self) -> u64 {
            self.0.rate_hz()
        }
    }
    let clock = Unanswered(BusClock::default(), &device);
    assert_eq!(channel(&device).stop(&clock), Err(Stuck));
    assert!(clock.0.now_us() < 1_100);
    // Not reset: what it still writes is what it was told to.
    assert_eq!(device.at(CS), 1 << 6);
    assert!(Stuck.to_string().contains("leave its buffers to it"));
}
