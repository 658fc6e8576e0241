//! QEMU's flash, by the published driver `w25q32jv`.

use core::convert::Infallible;
use core::fmt::Debug;

use takt::hal::digital::{ErrorType, OutputPin};
use takt::hal::spi::{Operation, SpiDevice};
use w25q32jv::W25q32jv;

use crate::{Report, report};

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

/// Reports what the flash says that it is.
pub fn identify(report: &mut Report, device: &mut impl SpiDevice<Error: Debug>) {
    let mut id = [0; 3];
    let asked = device.transaction(&mut [Operation::Write(&[0x9F]), Operation::Read(&mut id)]);
    report!(report, "JEDEC identifier {id:02x?}, {asked:?}");
}

/// Erases a sector, writes into it and reads what is there afterwards.
pub fn erase_write_and_read(report: &mut Report, device: impl SpiDevice<Error: Debug>) {
    let Ok(mut flash) = W25q32jv::new(device, Nowhere, Nowhere) else { panic!("its pins failed") };
    report!(report, "sector 1 erased: {:?}", flash.erase_sector(1));
    let mut page = [0; 600];
    page.iter_mut().enumerate().for_each(|(index, byte)| *byte = (index * 3 + index / 256) as u8);
    report!(report, "600 bytes written across pages: {:?}", flash.write_blocking(4_100, &page));
    let mut read = [0; 608];
    report!(report, "608 bytes read: {:?}", flash.read(4_096, &mut read));
    report.is("they are what was written", read[4..604] == page);
    report.is("those beside them are erased", read[..4] == [0xFF; 4] && read[604..] == [0xFF; 4]);
}
