// SPDX-License-Identifier: MIT OR Apache-2.0
//! Words and numbers of the boot line, once in the image for all that read some.

use core::str::SplitAsciiWhitespace;

/// The next word, if there is one.
#[inline(never)]
pub(crate) fn next_word<'a>(words: &mut SplitAsciiWhitespace<'a>) -> Option<&'a str> {
    words.next()
}

/// A whole number from `minimum` to `maximum`.
#[inline(never)]
pub(crate) fn number_in(value: &str, minimum: u64, maximum: u64) -> Option<u64> {
    value.parse().ok().filter(|number| (minimum..=maximum).contains(number))
}
