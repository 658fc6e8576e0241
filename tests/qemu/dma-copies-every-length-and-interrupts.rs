//! A DMA channel copies every length byte by byte, touches nothing behind it, and interrupts once for each copy. What it
//! cannot do is refused with all that was lent; a transfer that is dropped keeps its memory.
#![no_std]
#![no_main]

use core::sync::atomic::{AtomicU32, Ordering};

use takt::clock;
use takt::dma::{Buffer, Channel, Reason, Refused, Region, State, free_channels};
use takt::prelude::*;
use takt_tests::{Report, report};

takt::tasks! {
    copied: Interrupt::kernel(Channel::<5>::INTID, copied),
    reporter: Task::background(reporter).priority(254).stack_bytes(16_384),
}

const BYTES: usize = 66_000;

static FROM: Buffer<BYTES> = Buffer::new();
static TO: Buffer<BYTES> = Buffer::new();
static OTHER: Buffer<BYTES> = Buffer::new();
static SHORT: Buffer<10> = Buffer::new();
static DONE: Event = Event::new();
static INTERRUPTS: AtomicU32 = AtomicU32::new(0);

fn copied() {
    Channel::<5>::acknowledge();
    INTERRUPTS.fetch_add(1, Ordering::Relaxed);
    DONE.set_from_handler();
}

const LENGTHS: [usize; 17] = [1, 2, 3, 4, 5, 15, 16, 17, 63, 64, 65, 255, 4_095, 4_096, 4_097, 65_535, 65_999];

/// Copies each length, and waits for the event until a deadline, or polls.
fn copy_all(
    report: &mut Report,
    mut channel: Channel<5>,
    mut from: Region,
    mut to: Region,
) -> (Channel<5>, Region, Region) {
    let mut wrong = 0;
    for (round, bytes) in LENGTHS.into_iter().enumerate() {
        let pattern = |index: usize| (index * 31 + index / 256 + round) as u8;
        from.iter_mut().enumerate().for_each(|(index, byte)| *byte = pattern(index));
        to.fill(0xEE);
        let Ok(transfer) = channel.copy(from, to, bytes) else { panic!("{bytes} bytes were refused") };
        // An event that a round left set does not mislead the next.
        let finished = if round % 2 == 0 {
            transfer.wait_until(&DONE, clock::from_now(millis(1_000)))
        } else {
            transfer.wait(1_000_000)
        };
        let Ok((back, regions)) = finished else { panic!("{bytes} bytes were not copied") };
        (channel, from, to) = (back, regions.source, regions.destination);
        let is_copied = (0..bytes).all(|index| to[index] == pattern(index));
        let is_untouched = to[bytes..].iter().all(|&byte| byte == 0xEE);
        wrong += u32::from(!is_copied || !is_untouched);
    }
    report!(report, "{} lengths, {wrong} copied wrongly", LENGTHS.len());
    report.is("an interrupt for each", INTERRUPTS.load(Ordering::Relaxed) == LENGTHS.len() as u32);
    (channel, from, to)
}

fn reporter() -> ! {
    let mut report = Report::new();
    report!(report, "free channels: {:#x}", free_channels().unwrap_or(0));
    let (Ok(channel), Ok(from), Ok(to)) = (Channel::<5>::take(), FROM.take(), TO.take()) else {
        panic!("something was taken before");
    };
    if let (Err(channel), Err(buffer)) = (Channel::<5>::take(), FROM.take()) {
        report!(report, "{channel}");
        report!(report, "{buffer}");
    }
    let is_aligned = [&from, &to].iter().all(|region| region.as_ptr().addr().is_multiple_of(64));
    report.is("it begins with a cache line", is_aligned);
    let (channel, from, to) = copy_all(&mut report, channel, from, to);

    let Err(Refused { channel, regions, reason }) = channel.copy(from, to, 0) else { panic!("0 bytes were copied") };
    report!(report, "{reason}");
    let Ok(short) = SHORT.take() else { panic!("the short buffer was taken before") };
    let Err(refused) = channel.copy(regions.source, short, 11) else { panic!("11 bytes were copied to 10") };
    report!(report, "{refused}");
    let (source, short) = (refused.regions.source, refused.regions.destination);
    let Ok(transfer) = refused.channel.copy(source, short, 10) else { panic!("10 bytes were refused") };
    report.is(
        "an aborted transfer gives all back",
        transfer.abort().is_ok_and(|(_, regions)| regions.source.len() == BYTES),
    );

    let (Ok(lite), to) = (Channel::<7>::take(), regions.destination) else { panic!("channel 7 was taken before") };
    let Ok(other) = OTHER.take() else { panic!("the other buffer was taken before") };
    let Err(refused) = lite.copy(to, other, 65_536) else { panic!("channel 7 copied 64 KiB") };
    report.is(
        "channel 7 counts to 65532",
        matches!(refused.reason, Reason::LongerThanChannelCounts { most_bytes: 65_532, .. }),
    );
    report!(report, "{refused}");
    let Ok(transfer) = refused.channel.copy(refused.regions.source, refused.regions.destination, 100) else {
        panic!("100 bytes were refused")
    };
    report.is("channel 7 is idle afterwards", transfer.state() == State::Idle);
    // It has no destructor: dropped is forgotten.
    drop(transfer);
    report.is("a dropped transfer keeps its memory", OTHER.take().is_err() && Channel::<7>::take().is_err());
    report.end()
}
