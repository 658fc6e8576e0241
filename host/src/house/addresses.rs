// SPDX-License-Identifier: MIT OR Apache-2.0
//! Device addresses and interrupt numbers are written in the board's map alone, each with its source.

use super::Finding;
use super::source::Source;

/// Where they are written.
pub const MAP: &str = "bsp/rpi4/src/map.rs";

/// Where the devices of the BCM2711 lie: PCIe and its like, the classic peripherals, the Arm's own block.
const DEVICES: [std::ops::RangeInclusive<u64>; 2] = [0xFC00_0000..=0xFEFF_FFFF, 0xFF80_0000..=0xFF8F_FFFF];

/// Device addresses outside the map, comments included. The host tool and the tests are the other side of the devices and
/// may name them.
#[must_use]
pub fn device_addresses(source: &Source) -> Vec<Finding> {
    if source.path == MAP || source.is_in("host") || source.is_in("tests") {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (index, line) in source.text.lines().enumerate() {
        for (at, _) in line.match_indices("0x") {
            let Some(digits) = device_address(line.get(at + 2..).unwrap_or_default()) else { continue };
            let sentence =
                format!("the device address 0x{digits} may stand in {MAP} alone; name the constant from there");
            found.push(Finding { path: source.path.clone(), line: index + 1, sentence });
        }
    }
    found
}

/// The hexadecimal digits at the start, if they are the address of a device.
fn device_address(text: &str) -> Option<&str> {
    let end = text.find(|c: char| !c.is_ascii_hexdigit() && c != '_').unwrap_or(text.len());
    let digits = text.get(..end)?.trim_end_matches('_');
    let address = u64::from_str_radix(&digits.replace('_', ""), 16).ok()?;
    DEVICES.iter().any(|range| range.contains(&address)).then_some(digits)
}

/// Interrupt numbers outside the map: an `Intid` made from a number. The drivers define the type and test it.
#[must_use]
pub fn interrupt_numbers(source: &Source) -> Vec<Finding> {
    if source.path == MAP || source.is_in("bsp/drivers") || source.is_in("host") || source.is_in_tests() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (index, line) in source.code.lines().enumerate() {
        for (at, _) in line.match_indices("Intid::") {
            let Some(call) = call_with_number(line.get(at..).unwrap_or_default()) else { continue };
            let sentence =
                format!("{call} is an interrupt number, which may stand in {MAP} alone; name the constant from there");
            found.push(Finding { path: source.path.clone(), line: index + 1, sentence });
        }
    }
    found
}

/// `Intid::spi(65)` at the start, if what is passed begins with a digit.
fn call_with_number(text: &str) -> Option<&str> {
    let (name, behind) = text.split_once('(')?;
    let is_made = ["new", "sgi", "ppi", "spi"].contains(&name.strip_prefix("Intid::")?.trim());
    let is_number = behind.trim_start().starts_with(|c: char| c.is_ascii_digit());
    let end = text.find(')').map_or(text.len(), |at| at + 1);
    (is_made && is_number).then_some(text.get(..end)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn addresses(path: &str, text: &str) -> usize {
        device_addresses(&Source::new(path, text.into())).len()
    }

    fn numbers(path: &str, text: &str) -> usize {
        interrupt_numbers(&Source::new(path, text.into())).len()
    }

    #[test]
    fn device_addresses_are_found_outside_the_map_even_in_comments() {
        for text in
            ["let a = 0xFE20_1000;", "// at 0xfe003004", "0xFF84_1000usize", "0x0000_0000_FD58_0000_u64", "0xfc00_0000"]
        {
            assert_eq!(addresses("takt/src/a.rs", text), 1, "{text}");
            assert_eq!(addresses("bsp/rpi4/src/boot.s", text), 1, "{text}");
        }
        let found = device_addresses(&Source::new("takt/src/a.rs", "\n\n let a = [0xFE00_3000, 0xFE00_B880];".into()));
        assert_eq!(found.len(), 2);
        assert_eq!(
            found.first().unwrap().to_string(),
            "takt/src/a.rs:3: the device address 0xFE00_3000 may stand in bsp/rpi4/src/map.rs alone; name the constant from \
             there"
        );
    }

    #[test]
    fn other_numbers_are_no_device_addresses() {
        for text in [
            "0xFE",
            "0xFFFF_FFFF",
            "0xFE00_0000_0000",
            "0xFF00_0000",
            "0xFF7F_FFFF",
            "0xFF90_0000",
            "FE20_1000",
            "0xD8",
        ] {
            assert_eq!(addresses("takt/src/a.rs", text), 0, "{text}");
        }
    }

    #[test]
    fn the_map_the_host_and_the_tests_may_name_addresses() {
        for path in ["bsp/rpi4/src/map.rs", "host/src/image.rs", "host/tests/guests/assembly.rs", "tests/qemu/a.rs"] {
            assert_eq!(addresses(path, "0xFE20_1000"), 0, "{path}");
        }
        assert_eq!(addresses("bsp/drivers/tests/a.rs", "0xFE20_1000"), 1);
    }

    #[test]
    fn interrupt_numbers_are_found_outside_the_map() {
        for text in ["Intid::spi(65)", "let i = Intid::ppi( 14 );", "gic400::Intid::new(97)", "Intid::sgi(0)"] {
            assert_eq!(numbers("takt/src/a.rs", text), 1, "{text}");
        }
        let found = interrupt_numbers(&Source::new("takt/src/a.rs", "let i = Intid::spi(65);".into()));
        assert!(found.first().unwrap().sentence.starts_with("Intid::spi(65) is an interrupt number"));
    }

    #[test]
    fn interrupt_numbers_that_are_named_or_only_mentioned_are_fine() {
        for text in ["Intid::new(intid)", "Intid::NONE", "// Intid::spi(65)", "\"Intid::spi(65)\"", "Intid::number(9)"]
        {
            assert_eq!(numbers("takt/src/a.rs", text), 0, "{text}");
        }
        for path in
            ["bsp/rpi4/src/map.rs", "bsp/drivers/src/gic400.rs", "bsp/drivers/tests/registers/a.rs", "tests/src/lib.rs"]
        {
            assert_eq!(numbers(path, "Intid::spi(65)"), 0, "{path}");
        }
    }
}
