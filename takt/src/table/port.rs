// SPDX-License-Identifier: MIT OR Apache-2.0
//! How what crosses between cores is declared.

use takt_kernel::table::{Entry, PortEntry};

use super::{Declaration, Run};
use crate::remote::Port;

/// A port of the table, as declared: made by [`Remote::port`](crate::Remote::port), [`Lanes::port`](crate::Lanes::port),
/// [`Stream::port`](crate::Stream::port) and [`CoresBarrier::port`](crate::CoresBarrier::port).
#[derive(Clone, Copy)]
#[must_use = "it is a line of the table"]
pub struct PortLine {
    core: u8,
    port: &'static dyn Port,
}

impl PortLine {
    pub(crate) const fn new(core: u8, port: &'static dyn Port) -> Self {
        Self { core, port }
    }

    /// This port as a line of the table, for [`tasks!`](crate::tasks!).
    #[doc(hidden)]
    pub const fn declare(self, name: &'static str) -> Declaration {
        Declaration::new(Entry::Port(PortEntry { name, core: self.core }), Run::Port(self.port))
    }
}
