// SPDX-License-Identifier: MIT OR Apache-2.0
//! `takt` on the PC. Everything is in the library, so that the tests and later commands reuse it.
#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    takt_host::command::main()
}
