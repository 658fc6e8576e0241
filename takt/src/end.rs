// SPDX-License-Identifier: MIT OR Apache-2.0
//! The end of a run, where an application wants one.

/// Ends the run: QEMU ends with `status`, a board stops for good. Whoever has the console flushes it before.
///
/// ```no_run
/// fn finish(passed: bool) -> ! {
///     takt::exit(if passed { 0 } else { 1 })
/// }
/// ```
pub fn exit(status: u8) -> ! {
    takt_rpi4::end::exit(u32::from(status))
}
