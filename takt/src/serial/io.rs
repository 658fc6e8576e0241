// SPDX-License-Identifier: MIT OR Apache-2.0
//! The traits of `embedded-io` for whatever reads and writes bytes here.

use embedded_io::{ErrorType, Read, ReadReady, Write, WriteReady};

use super::{ReceiveError, Uart};
use crate::console::Console;

/// Reading waits for the first byte and then takes what there is. Where something went wrong since the last read, it
/// answers with that first, each cause once, however often it happened: the counts tell. Writing waits for room and does
/// not fail.
macro_rules! implement_embedded_io {
    ($interface:ty) => {
        impl ErrorType for $interface {
            type Error = ReceiveError;
        }

        impl Read for $interface {
            fn read(&mut self, into: &mut [u8]) -> Result<usize, ReceiveError> {
                let now = self.receive_counts();
                if let Some(error) = self.told.catch_up(&now) {
                    return Err(error);
                }
                let Some((first, rest)) = into.split_first_mut() else { return Ok(0) };
                *first = self.read_byte();
                let mut count = 1_usize;
                for place in rest {
                    let Some(byte) = self.try_read_byte() else { break };
                    *place = byte;
                    count = count.saturating_add(1);
                }
                Ok(count)
            }
        }

        impl ReadReady for $interface {
            fn read_ready(&mut self) -> Result<bool, ReceiveError> {
                Ok(self.has_byte() || self.told != self.receive_counts())
            }
        }

        impl Write for $interface {
            fn write(&mut self, bytes: &[u8]) -> Result<usize, ReceiveError> {
                self.write_bytes(bytes);
                Ok(bytes.len())
            }

            fn flush(&mut self) -> Result<(), ReceiveError> {
                Self::flush(self);
                Ok(())
            }
        }

        impl WriteReady for $interface {
            fn write_ready(&mut self) -> Result<bool, ReceiveError> {
                Ok(self.has_room())
            }
        }
    };
}

implement_embedded_io!(Console);
implement_embedded_io!(Uart);
