// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where the tests find the workspace and what is built for the device.
#![allow(dead_code, reason = "each test uses what it needs")]

use std::path::{Path, PathBuf};

/// The workspace's directory.
pub(crate) fn workspace() -> PathBuf {
    let host = Path::new(env!("CARGO_MANIFEST_DIR"));
    host.parent().unwrap_or(host).to_owned()
}

/// Where the programs for the device are built.
pub(crate) fn device_target() -> PathBuf {
    let named = std::env::var_os("TAKT_DEVICE_TARGET").unwrap_or_else(|| "target".into());
    workspace().join(named).join("aarch64-unknown-none-softfloat/release")
}

/// What is said where a program is not there.
pub(crate) fn is_missing(elf: &Path) -> String {
    format!(
        "{} does not exist; 'make test' builds it (TAKT_DEVICE_TARGET names another target directory)",
        elf.display()
    )
}

/// A program for the device, which has to be built.
pub(crate) fn device_program(name: &str) -> PathBuf {
    let elf = device_target().join(name);
    assert!(elf.exists(), "{}", is_missing(&elf));
    elf
}
