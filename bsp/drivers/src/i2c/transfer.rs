// SPDX-License-Identifier: MIT OR Apache-2.0
//! A write or a read: what `C` and `S` have to do with it.

use super::registers::{C, S, Status};
use super::{Error, Port};

/// A write or a read.
pub(super) struct Transfer {
    pub(super) address: u8,
    pub(super) bytes: u32,
    pub(super) is_read: bool,
}

impl Transfer {
    /// Its direction, for `C`.
    pub(super) fn direction(&self) -> u32 {
        if self.is_read { C::READ::SET.value } else { 0 }
    }

    /// Its interrupts, for `C`.
    pub(super) fn requests(&self) -> u32 {
        C::INTD::SET.value | if self.is_read { C::INTR::SET.value } else { C::INTT::SET.value }
    }

    /// Whether one of them is requested.
    pub(super) fn is_requesting(&self, s: Status) -> bool {
        s.is_set(S::DONE) || if self.is_read { s.is_set(S::RXR) } else { s.is_set(S::TXW) }
    }

    /// Whether `is_so` of the status; an error where the controller tells one.
    pub(super) fn look(&self, port: &impl Port, is_so: impl Fn(Status) -> bool) -> Result<bool, Error> {
        let found = Status::new(port.s());
        let Self { address, bytes, .. } = *self;
        if found.is_set(S::ERR) {
            Err(Error::NoAcknowledge { address, left_bytes: port.dlen(), bytes })
        } else if found.is_set(S::CLKT) {
            Err(Error::Stretched { address })
        } else {
            Ok(is_so(found))
        }
    }
}
