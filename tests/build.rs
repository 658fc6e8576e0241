// SPDX-License-Identifier: MIT OR Apache-2.0
//! Links the programs that log with the table of defmt's messages, which stays in the ELF file.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    for program in [
        "a-direct-handler-that-logs-is-a-fault",
        "bytes-that-are-no-message-are-said",
        "messages-from-tasks-and-handlers-come-in-order",
        "messages-that-find-no-room-are-counted",
        "the-boot-line-chooses-where-messages-go",
    ] {
        println!("cargo::rustc-link-arg-bin={program}=-Tdefmt.x");
    }
}
