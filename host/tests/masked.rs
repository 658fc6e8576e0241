// SPDX-License-Identifier: MIT OR Apache-2.0
//! The walk of the masked sections of the shipped image, against the budgets.

mod device;

use device::{device_program, workspace};
use takt_host::bench::program::Program;
use takt_host::masked::{Masked, budgets};
use takt_host::sweep::source::Source;

#[test]
fn no_masked_section_of_the_image_can_be_longer_than_its_budget() {
    let elf = device_program("takt-app");
    let budgets = budgets::read(&workspace().join("budgets.toml")).unwrap();
    let elf = std::fs::read(elf).unwrap();
    let (program, source) = (Program::parse(&elf).unwrap(), Source::parse(&elf).unwrap());
    let masked = Masked::of(&program, &source, &budgets).unwrap();
    assert!(masked.longest(|_| true).is_some(), "no masked section was found");
    assert_eq!(masked.excesses(&budgets), [""; 0]);
}
