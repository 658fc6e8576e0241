// SPDX-License-Identifier: MIT OR Apache-2.0
//! Links the example that logs with the table of defmt's messages, which stays in the ELF file.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-link-arg-bin=logging=-Tdefmt.x");
}
