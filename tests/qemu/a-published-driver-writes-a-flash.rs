// run: --device w25q32,id=flash,bus=spi --chip-select 8=flash

//! The published driver `w25q32jv` erases, writes and reads QEMU's flash on SPI0, selected by GPIO 8 as a plain output
//! through `embedded-hal-bus`'s `ExclusiveDevice`.
#![no_std]
#![no_main]

use core::convert::Infallible;

use embedded_hal_bus::spi::ExclusiveDevice;
use takt::board::{Spi0, core_hz};
use takt::hal::digital::{ErrorType, OutputPin};
use takt::hal::spi::{Operation, SpiDevice as _};
use takt::prelude::*;
use takt::rpi4::counter::Counter;
use takt::rpi4::drivers::clock::Delay;
use takt::rpi4::drivers::spi::Config;
use takt_tests::{Report, report};
use w25q32jv::W25q32jv;

takt::tasks! {
    reporter: Task::background(reporter).priority(254).stack_bytes(32_768),
}

/// GPIO 8 as an output.
struct Pin8;

impl Pin8 {
    /// GPFSEL0, GPSET0, GPCLR0.
    const GPFSEL0: *mut u32 = 0xFE20_0000 as *mut u32;
    const GPSET0: *mut u32 = 0xFE20_001C as *mut u32;
    const GPCLR0: *mut u32 = 0xFE20_0028 as *mut u32;

    fn new() -> Self {
        // SAFETY: the device is mapped, and this program has no other pins.
        unsafe { Self::GPFSEL0.write_volatile(1 << 24) };
        Self
    }
}

impl ErrorType for Pin8 {
    type Error = Infallible;
}

impl OutputPin for Pin8 {
    fn set_low(&mut self) -> Result<(), Infallible> {
        // SAFETY: as above.
        unsafe { Self::GPCLR0.write_volatile(1 << 8) };
        Ok(())
    }

    fn set_high(&mut self) -> Result<(), Infallible> {
        // SAFETY: as above.
        unsafe { Self::GPSET0.write_volatile(1 << 8) };
        Ok(())
    }
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
    let (Some(spi), Some(core_hz)) = (Spi0::take(), core_hz()) else { panic!("there is no SPI0") };
    let mut bus = spi.into_bus(());
    assert!(bus.enable(&Config { frequency_hz: 20_000_000, ..Config::default() }, core_hz).is_ok());
    let Ok(mut device) = ExclusiveDevice::new(bus, Pin8::new(), Delay(Counter));
    let mut id = [0; 3];
    let asked = device.transaction(&mut [Operation::Write(&[0x9F]), Operation::Read(&mut id)]);
    report!(report, "JEDEC identifier {id:02x?}, {asked:?}");
    let Ok(mut flash) = W25q32jv::new(device, Nowhere, Nowhere) else { panic!("its pins failed") };
    report!(report, "sector 1 erased: {:?}", flash.erase_sector(1));
    let mut page = [0; 600];
    page.iter_mut().enumerate().for_each(|(index, byte)| *byte = (index * 3 + index / 256) as u8);
    report!(report, "600 bytes written across pages: {:?}", flash.write_blocking(4_100, &page));
    let mut read = [0; 608];
    report!(report, "608 bytes read: {:?}", flash.read(4_096, &mut read));
    report.is("they are what was written", read[4..604] == page);
    report.is("those beside them are erased", read[..4] == [0xFF; 4] && read[604..] == [0xFF; 4]);
    report.end()
}
