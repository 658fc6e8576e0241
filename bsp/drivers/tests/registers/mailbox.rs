// SPDX-License-Identifier: MIT OR Apache-2.0
//! The mailbox and its property channel against HARDWARE 6 and 12. The VideoCore of these tests writes its reply when
//! the driver invalidates the caches, which is when a reply becomes visible.

use std::cell::{Cell, RefCell};

use takt_drivers::mailbox::{
    BufferFull, CacheMaintenance, Clock, CommandLineTooLong, GetArmMemory, GetBoardRevision, GetClockRate,
    GetCommandLine, GetDmaChannels, GetFirmwareRevision, GetMaxClockRate, GetMeasuredClockRate, GetTemperature,
    GetThrottled, Mailbox, MailboxError, MemoryRange, Model, PropertyBuffer, SetClockRate, Slot, ThrottleCauses,
};

use crate::words::Words;

const MBOX0_READ: usize = 0x00;
const MBOX0_STATUS: usize = 0x18;
const MBOX1_WRITE: usize = 0x20;
const MBOX1_STATUS: usize = 0x38;
const SIZE_WORDS: usize = 0x3C / 4;

const FULL: u32 = 1 << 31;
const EMPTY: u32 = 1 << 30;

/// A buffer's address as the VideoCore sees it, and the word that carries it on channel 8.
const BUS: u32 = 0xC010_0040;
const MESSAGE: u32 = 0xC010_0048;

const BUFFER_WORDS: usize = size_of::<PropertyBuffer>() / 4;

/// The word at an index of a buffer, as the VideoCore has it.
fn cell(buffer: &PropertyBuffer, index: usize) -> *mut u32 {
    assert!(index < BUFFER_WORDS, "word {index} is outside the buffer");
    std::ptr::from_ref(buffer).cast::<u32>().cast_mut().wrapping_add(index)
}

/// Reads a word of the buffer.
fn peek(buffer: &PropertyBuffer, index: usize) -> u32 {
    // SAFETY: `cell` keeps the pointer inside the buffer, which is an array of volatile cells of u32.
    unsafe { cell(buffer, index).read_volatile() }
}

/// Writes a word of the buffer.
fn poke(buffer: &PropertyBuffer, index: usize, value: u32) {
    // SAFETY:
    // * `cell` keeps the pointer inside the buffer, which is an array of volatile cells of u32.
    // * The cells have interior mutability, and no other thread has the buffer.
    unsafe { cell(buffer, index).write_volatile(value) }
}

/// A VideoCore that writes these words over the request, and notes the request and the order of things.
struct VideoCore<'a> {
    reply: &'a [(usize, u32)],
    request: RefCell<Vec<u32>>,
    invalidated: Cell<u32>,
}

impl<'a> VideoCore<'a> {
    fn replying(reply: &'a [(usize, u32)]) -> Self {
        Self { reply, request: RefCell::default(), invalidated: Cell::new(0) }
    }
}

impl CacheMaintenance for VideoCore<'_> {
    fn clean(&self, buffer: &PropertyBuffer) {
        let words = (peek(buffer, 0) / 4) as usize;
        *self.request.borrow_mut() = (0..words).map(|index| peek(buffer, index)).collect();
    }

    fn invalidate(&self, buffer: &PropertyBuffer) {
        assert!(!self.request.borrow().is_empty(), "invalidated before it was cleaned");
        self.invalidated.set(self.invalidated.get() + 1);
        self.reply.iter().for_each(|&(index, value)| poke(buffer, index, value));
    }
}

/// A mailbox with the reply to `MESSAGE` waiting.
fn ready_device() -> Words<SIZE_WORDS> {
    let device = Words::new();
    device.put(MBOX0_READ, MESSAGE);
    device.put(MBOX1_STATUS, EMPTY);
    device
}

/// Makes a call that the VideoCore answers at once with these words, and returns what it was sent.
fn call(buffer: &mut PropertyBuffer, reply: &[(usize, u32)]) -> Vec<u32> {
    let device = ready_device();
    let video_core = VideoCore::replying(reply);
    Mailbox::new(device.pose()).call(buffer, BUS, &video_core, || true).unwrap();
    assert_eq!(device.at(MBOX1_WRITE), MESSAGE);
    assert_eq!(video_core.invalidated.get(), 1);
    video_core.request.take()
}

#[test]
fn the_buffer_has_cache_lines_of_its_own() {
    assert_eq!(align_of::<PropertyBuffer>(), 64);
    assert_eq!(size_of::<PropertyBuffer>(), 4096);
}

#[test]
fn a_request_of_several_tags_and_its_reply() {
    let mut buffer = PropertyBuffer::new();
    let mut request = buffer.request();
    let revision = request.add(&GetBoardRevision).unwrap();
    let memory = request.add(&GetArmMemory).unwrap();
    let set = request.add(&SetClockRate { clock: Clock::Arm, rate_hz: 1_500_000_000, skip_turbo: true }).unwrap();
    let temperature = request.add(&GetTemperature).unwrap();

    let sent = call(
        &mut buffer,
        &[
            (1, 0x8000_0000),
            (4, 0x8000_0004),
            (5, 0x00C0_3112),
            (8, 0x8000_0008),
            (9, 0),
            (10, 0x3B40_0000),
            (13, 0x8000_0008),
            (14, 3),
            (15, 1_500_398_464),
            (19, 0x8000_0008),
            (21, 48_200),
        ],
    );
    #[rustfmt::skip]
    assert_eq!(sent, [
        92, 0,
        0x0001_0002, 4, 0, 0,
        0x0001_0005, 8, 0, 0, 0,
        0x0003_8002, 12, 0, 3, 1_500_000_000, 1,
        0x0003_0006, 8, 0, 0, 0,
        0,
    ]);
    let board = buffer.reply(&revision).unwrap();
    assert_eq!((board.memory_mib(), board.model(), board.revision()), (4096, Model::Rpi4B, 2));
    assert_eq!(buffer.reply(&memory), Some(MemoryRange { base: 0, size_bytes: 0x3B40_0000 }));
    assert_eq!(buffer.reply(&set), Some(1_500_398_464));
    assert_eq!(buffer.reply(&temperature), Some(48_200));
}

#[test]
fn each_clock_tag_has_its_number() {
    let mut buffer = PropertyBuffer::new();
    let mut request = buffer.request();
    let rate = request.add(&GetClockRate { clock: Clock::Uart }).unwrap();
    let max = request.add(&GetMaxClockRate { clock: Clock::Arm }).unwrap();
    let measured = request.add(&GetMeasuredClockRate { clock: Clock::Core }).unwrap();
    let firmware = request.add(&GetFirmwareRevision).unwrap();
    let sent = call(
        &mut buffer,
        &[
            (1, 0x8000_0000),
            (4, 0x8000_0008),
            (6, 48_000_000),
            (9, 0x8000_0008),
            (11, 1_800_000_000),
            (14, 0x8000_0008),
            (16, 499_987_808),
            (19, 0x8000_0004),
            (20, 0x6712_3456),
        ],
    );
    #[rustfmt::skip]
    assert_eq!(sent, [
        88, 0,
        0x0003_0002, 8, 0, 2, 0,
        0x0003_0004, 8, 0, 3, 0,
        0x0003_0047, 8, 0, 4, 0,
        0x0000_0001, 4, 0, 0,
        0,
    ]);
    assert_eq!(buffer.reply(&rate), Some(48_000_000));
    assert_eq!(buffer.reply(&max), Some(1_800_000_000));
    assert_eq!(buffer.reply(&measured), Some(499_987_808));
    assert_eq!(buffer.reply(&firmware), Some(0x6712_3456));
}

#[test]
fn the_free_dma_channels_are_a_mask() {
    let mut buffer = PropertyBuffer::new();
    let slot = buffer.request().add(&GetDmaChannels).unwrap();
    let sent = call(&mut buffer, &[(1, 0x8000_0000), (4, 0x8000_0004), (5, 0x3C)]);
    assert_eq!(sent, [28, 0, 0x0006_0001, 4, 0, 0, 0]);
    assert_eq!(buffer.reply(&slot), Some(0x3C));
}

#[test]
fn the_throttle_word_tells_now_and_since_boot() {
    let mut buffer = PropertyBuffer::new();
    let slot = buffer.request().add(&GetThrottled).unwrap();
    call(&mut buffer, &[(1, 0x8000_0000), (4, 0x8000_0004), (5, 0x0005_000A)]);
    let throttled = buffer.reply(&slot).unwrap();
    let causes = |under_voltage, arm_capped, throttled, soft_limit| ThrottleCauses {
        under_voltage,
        arm_capped,
        throttled,
        soft_limit,
    };
    assert_eq!(throttled.bits(), 0x0005_000A);
    assert_eq!(throttled.now(), causes(false, true, false, true));
    assert_eq!(throttled.since_boot(), causes(true, false, true, false));
}

#[test]
fn an_unknown_tag_has_no_reply_on_the_board_and_in_qemu() {
    // HARDWARE 12: the board leaves bit 31 clear, QEMU sets it and says length 0. A short reply is none either.
    for (response, expected) in [(0, None), (8, None), (0x8000_0000, None), (0x8000_0004, None), (0x8000_0008, Some(7))]
    {
        let mut buffer = PropertyBuffer::new();
        let slot = buffer.request().add(&GetMeasuredClockRate { clock: Clock::Arm }).unwrap();
        call(&mut buffer, &[(1, 0x8000_0000), (4, response), (6, 7)]);
        assert_eq!(buffer.reply(&slot), expected, "{response:#x}");
    }
}

#[test]
fn a_slot_of_an_earlier_request_has_no_reply() {
    let mut buffer = PropertyBuffer::new();
    let slot = buffer.request().add(&GetTemperature).unwrap();
    call(&mut buffer, &[(1, 0x8000_0000), (4, 0x8000_0008), (6, 25_000)]);
    assert_eq!(buffer.reply(&slot), Some(25_000));
    let _ = buffer.request().add(&GetArmMemory).unwrap();
    assert_eq!(buffer.reply(&slot), None);
}

/// Asks for the command line with this much room, and has this answered.
fn command_line_of(room_bytes: u32, length: u32, text: &[u8]) -> (PropertyBuffer, Slot<GetCommandLine>) {
    let mut buffer = PropertyBuffer::new();
    let slot = buffer.request().add_command_line(&GetCommandLine { room_bytes }).unwrap();
    let mut reply = vec![(1, 0x8000_0000), (4, 0x8000_0000 | length)];
    for (index, chunk) in text.chunks(4).enumerate() {
        let mut word = [0; 4];
        word[..chunk.len()].copy_from_slice(chunk);
        reply.push((5 + index, u32::from_le_bytes(word)));
    }
    let sent = call(&mut buffer, &reply);
    assert_eq!(sent[2..5], [0x0005_0001, room_bytes.div_ceil(4) * 4, 0]);
    (buffer, slot)
}

#[test]
fn the_command_line_is_copied_out() {
    let mut line = [0xEE; 16];
    let (buffer, slot) = command_line_of(14, 9, b"idle=spin");
    assert_eq!(buffer.command_line(&slot, &mut line), Ok(9));
    assert_eq!(&line[..10], b"idle=spin\xEE");
}

#[test]
fn the_command_line_ends_before_a_zero_byte() {
    let mut line = [0xEE; 4];
    let (buffer, slot) = command_line_of(16, 5, b"spin\0");
    assert_eq!(buffer.command_line(&slot, &mut line), Ok(4));
    assert_eq!(&line, b"spin");
}

#[test]
fn no_command_line_has_no_length() {
    let (buffer, slot) = command_line_of(16, 0, b"");
    assert_eq!(buffer.command_line(&slot, &mut []), Ok(0));
}

#[test]
fn a_command_line_too_long_for_the_request_or_the_caller_says_what_it_needs() {
    let mut line = [0xEE; 16];
    let (buffer, slot) = command_line_of(8, 9, b"");
    let refused = Err(CommandLineTooLong { needed_bytes: 9 });
    assert_eq!(buffer.command_line(&slot, &mut line), refused);
    let (buffer, slot) = command_line_of(16, 9, b"idle=spin");
    assert_eq!(buffer.command_line(&slot, &mut line[..8]), refused);
    assert_eq!(line, [0xEE; 16]);
}

#[test]
fn a_tag_that_does_not_fit_is_refused_and_the_request_stays_whole() {
    // 1024 words: 2 of head, 1 of tail, so 1021 for tags.
    let mut buffer = PropertyBuffer::new();
    let room_bytes = (1021 - 3) * 4;
    let mut request = buffer.request();
    let refused = BufferFull { needed_words: 1022, free_words: 1021 };
    assert_eq!(request.add_command_line(&GetCommandLine { room_bytes: room_bytes + 1 }).unwrap_err(), refused);
    assert!(request.add_command_line(&GetCommandLine { room_bytes: u32::MAX }).is_err());
    let _ = request.add_command_line(&GetCommandLine { room_bytes }).unwrap();
    assert_eq!(request.add(&GetTemperature).unwrap_err(), BufferFull { needed_words: 5, free_words: 0 });
    let sent = call(&mut buffer, &[(1, 0x8000_0000)]);
    assert_eq!(sent.len(), 1024);
    assert_eq!(sent[1023], 0);
}

/// Makes a call on this device that may wait three rounds, and returns how often it asked for the time.
fn failing_call(device: &Words<SIZE_WORDS>, bus_address: u32, code: u32) -> (MailboxError, u32) {
    let mut buffer = PropertyBuffer::new();
    let _ = buffer.request().add(&GetTemperature).unwrap();
    let mut rounds = 0;
    let timed_out = || {
        rounds += 1;
        rounds == 3
    };
    let reply = [(1, code)];
    let error = Mailbox::new(device.pose())
        .call(&mut buffer, bus_address, &VideoCore::replying(&reply), timed_out)
        .unwrap_err();
    (error, rounds)
}

#[test]
fn both_waits_are_bounded() {
    let device = ready_device();
    device.put(MBOX1_STATUS, FULL);
    assert_eq!(failing_call(&device, BUS, 0x8000_0000), (MailboxError::StillFull, 3));
    assert_eq!(device.at(MBOX1_WRITE), 0);

    device.put(MBOX1_STATUS, 0);
    device.put(MBOX0_STATUS, EMPTY);
    assert_eq!(failing_call(&device, BUS, 0x8000_0000), (MailboxError::NoReply, 3));
}

#[test]
fn a_word_of_another_channel_is_no_reply() {
    let device = ready_device();
    device.put(MBOX0_READ, BUS | 1);
    assert_eq!(failing_call(&device, BUS, 0x8000_0000), (MailboxError::NoReply, 3));
}

#[test]
fn the_firmwares_verdict_is_told() {
    let device = ready_device();
    assert_eq!(failing_call(&device, BUS, 0x8000_0001).0, MailboxError::Refused);
    assert_eq!(failing_call(&device, BUS, 0).0, MailboxError::Unprocessed { code: 0 });
}

#[test]
fn an_address_with_channel_bits_is_not_sent() {
    let device = ready_device();
    let bus_address = BUS + 4;
    assert_eq!(failing_call(&device, bus_address, 0x8000_0000), (MailboxError::Misaligned { bus_address }, 0));
    assert_eq!(device.at(MBOX1_WRITE), 0);
    assert_eq!(
        MailboxError::Misaligned { bus_address }.to_string(),
        "mailbox: the buffer's bus address 0xc0100044 has bits in 3:0, where the channel goes; align the buffer to 64 \
         bytes"
    );
}
