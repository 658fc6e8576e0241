// SPDX-License-Identifier: MIT OR Apache-2.0
//! The thermometer against HARDWARE 8.6.

use takt_drivers::thermal::{NotValid, Thermal};

use crate::words::Words;

fn read(status: u32) -> Result<i32, NotValid> {
    let device = Words::<1>::filled(status);
    let read = Thermal::new(device.pose()).milli_celsius();
    assert_eq!(device.differing_from(status), [], "it is only read");
    read
}

#[test]
fn a_code_is_a_temperature_the_smaller_the_warmer() {
    // 410040 - 487 * code thousandths of a degree.
    assert_eq!(read(1 << 10 | 740), Ok(49_660));
    assert_eq!(read(1 << 16 | 842), Ok(-14));
    assert_eq!(read(1 << 16 | 1 << 10), Ok(410_040));
    assert_eq!(read(u32::MAX), Ok(410_040 - 487 * 1_023));
}

#[test]
fn without_either_bit_the_value_is_not_valid() {
    assert_eq!(read(740), Err(NotValid { status: 740 }));
    assert_eq!(read(!(1 << 10 | 1 << 16)), Err(NotValid { status: 0xFFFE_FBFF }));
    assert_eq!(
        NotValid { status: 0 }.to_string(),
        "thermometer: the value is not valid (AVS_RO_TEMP_STATUS 0x0 has neither bit 16 nor bit 10); read it again, or \
         ask the firmware"
    );
}
