// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a transaction comes to: adjacent operations of one kind are one transfer, and between a write and a read stands a
//! repeated start.

use embedded_hal::i2c::Operation;

use super::Error;

/// The longest transfer, in bytes: `DLEN` has 16 bits.
const LONGEST_BYTES: usize = 0xFFFF;

/// A transaction that the controller can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Plan {
    /// No operation at all.
    Nothing,
    /// A write of so many bytes; with none, the address alone.
    Write(u32),
    /// A read of so many bytes, at least 1.
    Read(u32),
    /// A write and, after a repeated start, a read, both of at least 1 byte.
    WriteRead(u32, u32),
}

impl Plan {
    /// The plan for these operations.
    pub(super) fn of(operations: &[Operation<'_>]) -> Result<Self, Error> {
        let (mut write, mut read) = (None::<usize>, None::<usize>);
        for operation in operations {
            match operation {
                Operation::Write(_) if read.is_some() => return Err(Error::WriteAfterRead),
                Operation::Write(bytes) => write = Some(write.unwrap_or(0).saturating_add(bytes.len())),
                Operation::Read(bytes) => read = Some(read.unwrap_or(0).saturating_add(bytes.len())),
            }
        }
        Ok(match (write.map(length).transpose()?, read.map(length).transpose()?) {
            (None, None) => Self::Nothing,
            (Some(write), None) => Self::Write(write),
            (_, Some(0)) => return Err(Error::EmptyRead),
            (None, Some(read)) => Self::Read(read),
            (Some(0), Some(_)) => return Err(Error::EmptyWriteBeforeRead),
            (Some(write), Some(read)) => Self::WriteRead(write, read),
        })
    }
}

fn length(bytes: usize) -> Result<u32, Error> {
    match u32::try_from(bytes) {
        Ok(length) if bytes <= LONGEST_BYTES => Ok(length),
        _ => Err(Error::TooLong { bytes }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adjacent_operations_of_a_kind_are_one_transfer() {
        let (mut a, mut b) = ([0; 3], [0; 4]);
        let mut operations =
            [Operation::Write(&[1]), Operation::Write(&[]), Operation::Read(&mut a), Operation::Read(&mut b)];
        assert_eq!(Plan::of(&operations), Ok(Plan::WriteRead(1, 7)));
        assert_eq!(Plan::of(&operations[..2]), Ok(Plan::Write(1)));
        assert_eq!(Plan::of(&operations[1..2]), Ok(Plan::Write(0)));
        assert_eq!(Plan::of(&operations[2..]), Ok(Plan::Read(7)));
        assert_eq!(Plan::of(&operations[..0]), Ok(Plan::Nothing));
        assert_eq!(Plan::of(&operations[1..]), Err(Error::EmptyWriteBeforeRead));
        operations.swap(0, 3);
        assert_eq!(Plan::of(&operations), Err(Error::WriteAfterRead));
        assert_eq!(Plan::of(&[Operation::Write(&[1]), Operation::Read(&mut [])]), Err(Error::EmptyRead));
    }

    #[test]
    fn a_transfer_has_65535_bytes_at_most() {
        let bytes = [0; 40_000];
        let one = Operation::Write(&bytes[..25_535]);
        assert_eq!(Plan::of(&[Operation::Write(&bytes), one]), Ok(Plan::Write(65_535)));
        let one = Operation::Write(&bytes[..25_536]);
        assert_eq!(Plan::of(&[Operation::Write(&bytes), one]), Err(Error::TooLong { bytes: 65_536 }));
    }
}
