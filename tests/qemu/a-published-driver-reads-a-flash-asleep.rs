// run: --wire-bus spi0 --device w25q32,id=flash,bus=spi --chip-select 8=flash

//! The published driver `w25q32jv` writes and reads QEMU's flash on a bus that sleeps, and sees no difference.
#![no_std]
#![no_main]

use core::convert::Infallible;

use embedded_hal_bus::spi::ExclusiveDevice;
use takt::Delay;
use takt::board::spi::Config;
use takt::board::{Level, Pin, Spi0};
use takt::hal::digital::{ErrorType, OutputPin};
use takt::hal::spi::{Operation, SpiDevice as _};
use takt::prelude::*;
use takt_tests::{Report, buses, report};
use w25q32jv::W25q32jv;

takt::tasks! {
    spi0: Spi0::interrupt(),
    reporter: Task::background(reporter).priority(254).stack_bytes(32_768),
}

/// A pin that is not connected.
struct Nowhere;

impl ErrorType for Nowhere {
    type Error = Infallible;
}

impl OutputPin for Nowhere {
    fn set_low(&mut self) -> Result<(), Infallible> {
        Ok(())
    }

    fn set_high(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

fn reporter() -> ! {
    let mut report = Report::new();
    let (mut bus, core_hz) = buses::sleeping_spi0();
    assert!(bus.enable(&Config { frequency_hz: 20_000_000, ..Config::default() }, core_hz).is_ok());
    let Ok(pin) = Pin::<8>::take() else { panic!("pin 8 was taken before") };
    let Ok(mut device) = ExclusiveDevice::new(bus, pin.into_output(Level::High), Delay);
    let mut id = [0; 3];
    let asked = device.transaction(&mut [Operation::Write(&[0x9F]), Operation::Read(&mut id)]);
    report!(report, "JEDEC identifier {id:02x?}, {asked:?}");
    report!(report, "interrupts for a command and its answer: {}", device.bus().wait().wakes());
    let mut erased = [0; 200];
    let asked = device.transaction(&mut [Operation::Write(&[0x03, 0, 0x10, 0]), Operation::Read(&mut erased)]);
    report.is("200 bytes read are erased", asked.is_ok() && erased == [0xFF; 200]);
    report!(report, "interrupts for 200 bytes after a command: {}", device.bus().wait().wakes() - 2);

    let Ok(mut flash) = W25q32jv::new(device, Nowhere, Nowhere) else { panic!("its pins failed") };
    report!(report, "sector 1 erased: {:?}", flash.erase_sector(1));
    let mut page = [0; 600];
    page.iter_mut().enumerate().for_each(|(index, byte)| *byte = (index * 3 + index / 256) as u8);
    report!(report, "600 bytes written across pages: {:?}", flash.write_blocking(4_100, &page));
    let mut read = [0; 608];
    report!(report, "608 bytes read: {:?}", flash.read(4_096, &mut read));
    report.is("they are what was written", read[4..604] == page);
    report.is("those beside them are erased", read[..4] == [0xFF; 4] && read[604..] == [0xFF; 4]);
    report.is("nothing is spurious", takt::interrupt_counts().spurious == 0);
    report.end()
}
