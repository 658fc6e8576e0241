// SPDX-License-Identifier: MIT OR Apache-2.0
//! The walk of the masked sections of the shipped image, against the budgets.

use std::path::{Path, PathBuf};

use takt_host::bench::program::Program;
use takt_host::masked::{Masked, budgets};
use takt_host::sweep::source::Source;

fn workspace() -> PathBuf {
    let host = Path::new(env!("CARGO_MANIFEST_DIR"));
    host.parent().unwrap_or(host).to_owned()
}

#[test]
fn no_masked_section_of_the_image_can_be_longer_than_its_budget() {
    let named = std::env::var_os("TAKT_DEVICE_TARGET").unwrap_or_else(|| "target".into());
    let elf = workspace().join(named).join("aarch64-unknown-none-softfloat/release/takt-app");
    assert!(
        elf.exists(),
        "{} does not exist; 'make test' builds it (TAKT_DEVICE_TARGET names another target directory)",
        elf.display()
    );
    let budgets = budgets::read(&workspace().join("budgets.toml")).unwrap();
    let elf = std::fs::read(elf).unwrap();
    let (program, source) = (Program::parse(&elf).unwrap(), Source::parse(&elf).unwrap());
    let masked = Masked::of(&program, &source, &budgets).unwrap();
    assert!(masked.longest(|_| true).is_some(), "no masked section was found");
    assert_eq!(masked.excesses(&budgets), [""; 0]);
}
