// SPDX-License-Identifier: MIT OR Apache-2.0
//! Golden output: what a program must print, in a file beside it, and how that file says which runs to make.
//!
//! A program `NAME.rs` has one golden file for each of its runs: `NAME.stdout`, `NAME.2.stdout`, `NAME.3.stdout`. The bytes
//! must be equal, except that `{..}` in a golden line stands for any text within that line: for what truly differs from
//! build to build, such as the hash of an image.

mod difference;
mod directive;
mod files;

pub use difference::{blessed, difference};
pub use directive::{Directive, DirectiveError, directives};
pub use files::{golden_name, names, orphans};
