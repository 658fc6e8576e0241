//! A DMA channel sends words to a register of a device, here a character a word to the console's data register, and reads
//! words from one. A number of bytes that is no whole number of words is refused.
#![no_std]
#![no_main]

use takt::dma::{Buffer, Channel, Endpoint, Reason};
use takt::prelude::*;
use takt_tests::{Report, report};

takt::tasks! {
    reporter: Task::background(reporter).priority(254).stack_bytes(8_192),
}

static WORDS: Buffer<256> = Buffer::new();
const TEXT: &[u8] = b"sent by DMA, a character a word\n";

fn reporter() -> ! {
    let mut report = Report::new();
    let (Ok(channel), Ok(mut words)) = (Channel::<4>::take(), WORDS.take()) else {
        panic!("something was taken before");
    };
    words.fill(0);
    for (word, &byte) in words.chunks_mut(4).zip(TEXT) {
        word[0] = byte;
    }
    report.flush();
    let Ok(transfer) = channel.send(words, Endpoint::Uart0Transmit, TEXT.len() * 4) else { panic!("it was refused") };
    let Ok((channel, sent)) = transfer.wait(1_000_000) else { panic!("it was not sent") };

    let Err(refused) = channel.send(sent.source, Endpoint::Uart0Transmit, 7) else { panic!("7 bytes were sent") };
    report.is("7 bytes are refused", refused.reason == Reason::NotWholeWords { bytes: 7 });
    report!(report, "{refused}");

    let mut words = refused.regions.source;
    words.fill(0xEE);
    // SPI0 is idle, so its FIFO reads as zero.
    let Ok(transfer) = refused.channel.receive(Endpoint::Spi0Receive, words, 16) else { panic!("it was refused") };
    let Ok((_, received)) = transfer.wait(1_000_000) else { panic!("nothing was received") };
    let words = received.destination;
    report.is("16 bytes were received", words[..16].iter().all(|&byte| byte == 0));
    report.is("the rest was not touched", words[16..].iter().all(|&byte| byte == 0xEE));
    report.end()
}
