// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where the linker script put things.

macro_rules! linker_symbols {
    ($($(#[$doc:meta])* $name:ident = $symbol:ident;)*) => {
        unsafe extern "C" {
            $(static $symbol: u8;)*
        }
        $($(#[$doc])* pub fn $name() -> usize { (&raw const $symbol) as usize })*
    };
}

linker_symbols! {
    /// The first byte of the code.
    text_start = __text_start;
    /// The first byte behind the code.
    text_end = __text_end;
    /// The first byte behind the constants.
    rodata_end = __rodata_end;
    /// The first byte of the page that cores without caches share.
    noncacheable_start = __noncacheable_start;
    /// The first byte behind it.
    noncacheable_end = __noncacheable_end;
    /// The first byte behind all statics.
    bss_end = __bss_end;
    /// Where the stack of the core's handlers begins.
    exception_stack_top = __exception_stack_top;
    /// The page below the handlers' stack.
    exception_stack_guard = __exception_stack_guard;
    /// The page below the stack on which faults are reported.
    emergency_stack_guard = __emergency_stack_guard;
}

/// The part of the image that nobody changes while it runs: text and constants, the first bytes of `kernel8.img`.
pub fn constant_image() -> &'static [u8] {
    let length = rodata_end().saturating_sub(text_start());
    // SAFETY: the linker script lays text and constants out as one run of bytes between the two symbols, all mapped
    // readable and none writable.
    unsafe { core::slice::from_raw_parts(text_start() as *const u8, length) }
}
