// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where the linker script put things.

macro_rules! linker_symbols {
    ($($(#[$doc:meta])* $seen:vis $name:ident = $symbol:ident;)*) => {
        unsafe extern "C" {
            $(static $symbol: u8;)*
        }
        $($(#[$doc])* $seen fn $name() -> usize { (&raw const $symbol) as usize })*
    };
}

linker_symbols! {
    /// The first byte of the code.
    pub text_start = __text_start;
    /// The first byte behind the code.
    pub text_end = __text_end;
    /// The first byte behind the constants.
    pub rodata_end = __rodata_end;
    /// The first byte of the page that cores without caches share.
    pub noncacheable_start = __noncacheable_start;
    /// The first byte behind it.
    pub noncacheable_end = __noncacheable_end;
    /// The first byte behind all statics.
    pub bss_end = __bss_end;
    core_0_exception_stack_top = __exception_stack_top;
    core_0_exception_stack_guard = __exception_stack_guard;
    core_0_emergency_stack_guard = __emergency_stack_guard;
}

/// From a core's stacks to those of the next: two of 16 KiB with their guard pages. The linker script checks it.
pub(crate) const CORE_STACKS_BYTES: usize = 0xA000;

/// `address`, which is in the stacks of core 0, in those of `core`, 0 to 3.
fn of_core(address: usize, core: usize) -> usize {
    address.wrapping_add(core.min(3).wrapping_mul(CORE_STACKS_BYTES))
}

/// Where the stack of the handlers of `core`, 0 to 3, begins.
pub fn exception_stack_top(core: usize) -> usize {
    of_core(core_0_exception_stack_top(), core)
}

/// The page below the handlers' stack of `core`, 0 to 3.
pub fn exception_stack_guard(core: usize) -> usize {
    of_core(core_0_exception_stack_guard(), core)
}

/// The page below the stack on which faults of `core`, 0 to 3, are reported.
pub fn emergency_stack_guard(core: usize) -> usize {
    of_core(core_0_emergency_stack_guard(), core)
}

/// The part of the image that nobody changes while it runs: text and constants, the first bytes of `kernel8.img`.
pub fn constant_image() -> &'static [u8] {
    let length = rodata_end().saturating_sub(text_start());
    // SAFETY: the linker script lays text and constants out as one run of bytes between the two symbols, all mapped
    // readable and none writable.
    unsafe { core::slice::from_raw_parts(text_start() as *const u8, length) }
}
