// run: --wire-bus spi0

//! SPI0 in QEMU requests no words, so a transfer by DMA is refused there, as is a length that does not fit; bus, channels and
//! regions come back and work, whether the bus polls or sleeps. Every reason is a sentence.
#![no_std]
#![no_main]

use takt::board::spi::{Config, Device, Error};
use takt::board::{Pin, Spi0};
use takt::dma::{Buffer, Channel, Reason, Spi0Master, SpiDma, SpiRefused};
use takt::hal::spi::{SpiBus as _, SpiDevice as _};
use takt::prelude::*;
use takt_tests::{Report, buses, report};

takt::tasks! {
    spi0: Spi0::interrupt(),
    reporter: Task::background(reporter).priority(254).stack_bytes(16_384),
}

const BYTES: usize = 65_536;

static FROM: Buffer<BYTES> = Buffer::new();
static TO: Buffer<BYTES> = Buffer::new();
static SHORT: Buffer<8> = Buffer::new();

/// Tries a transfer that is refused, says why, and gives everything back.
fn refused<M: Spi0Master>(report: &mut Report, spi: SpiDma<M, 7, 4>, bytes: usize) -> SpiDma<M, 7, 4> {
    let Err(SpiRefused { spi, reason }) = spi.exchange(bytes) else { panic!("{bytes} bytes were begun") };
    report!(report, "{bytes} bytes: {reason}");
    spi
}

fn reporter() -> ! {
    let mut report = Report::new();
    let (mut bus, core_hz) = buses::spi0();
    assert!(bus.enable(&Config::default(), core_hz).is_ok());
    let (Ok(transmit), Ok(receive)) = (Channel::<7>::take(), Channel::<4>::take()) else {
        panic!("a channel was taken before");
    };
    let (Ok(mut source), Ok(destination), Ok(short)) = (FROM.take(), TO.take(), SHORT.take()) else {
        panic!("a buffer was taken before");
    };
    report!(report, "put {} bytes of words", source.put_words([0x0403_0201, 0x0807_0605, 0x0C0B_0A09]));
    report.is("low bytes first", source[..12] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);

    let spi = SpiDma { spi: bus, transmit, receive, source, destination };
    let spi = refused(&mut report, spi, 0);
    let spi = refused(&mut report, spi, 65_536);
    // The receive channel counts them, channel 7 does not.
    let spi = refused(&mut report, spi, 65_533);
    let spi = SpiDma { destination: short, ..spi };
    let spi = refused(&mut report, spi, 9);
    let mut spi = refused(&mut report, spi, 8);
    report.is("the bus works", spi.spi.write(&[1, 2, 3]).is_ok());

    let Ok(ce0) = Pin::<8>::take() else { panic!("pin 8 was taken before") };
    let SpiDma { spi: bus, transmit, receive, source, destination } = spi;
    let device = Device::new(bus, ce0.into_alternate::<0>());
    let mut spi = refused(&mut report, SpiDma { spi: device, transmit, receive, source, destination }, 8);
    report.is("the device works", spi.spi.write(&[1, 2, 3]).is_ok());

    let SpiDma { spi: device, transmit, receive, source, destination } = spi;
    let (bus, ce0) = device.release();
    let (spi0, (miso, mosi, sclk)) = Spi0::from_bus(bus);
    let mut bus = spi0.into_sleeping_bus(miso, mosi, sclk);
    assert!(bus.enable(&Config::default(), core_hz).is_ok());
    let spi = refused(&mut report, SpiDma { spi: bus, transmit, receive, source, destination }, 8);
    let SpiDma { spi: bus, transmit, receive, source, destination } = spi;
    let device = Device::new(bus, ce0);
    let mut spi = refused(&mut report, SpiDma { spi: device, transmit, receive, source, destination }, 8);
    report.is("a device that sleeps works", spi.spi.write(&[1, 2, 3]).is_ok());
    let Ok(transfer) = spi.receive.copy(spi.source, spi.destination, 8) else { panic!("8 bytes were refused") };
    let copied = transfer.wait(1_000_000).is_ok_and(|(_, regions)| regions.destination[..] == [1, 2, 3, 4, 5, 6, 7, 8]);
    report.is("channel and regions work", copied);

    for reason in [
        Reason::NotWholeWords { bytes: 7 },
        Reason::TooLongPulse { index: 3, cycles: 1_351, period_cycles: 1_350 },
        Reason::StillSending,
        Reason::MiniUart,
        Reason::Spi(Error::NotEnabled),
    ] {
        report!(report, "{reason}");
    }
    report.end()
}
