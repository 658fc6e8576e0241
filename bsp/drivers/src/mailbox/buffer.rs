// SPDX-License-Identifier: MIT OR Apache-2.0
//! The memory that a request and its reply share.
//!
//! Word 0 is the length in bytes, word 1 the code, then follow the tags and a zero word. A tag is its number, the bytes
//! its value has room for, a word that the reply fills with bit 31 and the reply's bytes, and the value `[HW 6]`.

use core::fmt;
use core::iter::repeat;
use core::marker::PhantomData;

use tock_registers::interfaces::{Readable, Writeable};
use tock_registers::registers::InMemoryRegister;

use super::tags::Tag;

/// The words of a buffer.
const WORDS: u32 = 1024;
/// The words before a tag's value.
const TAG_HEADER_WORDS: u32 = 3;
/// Where the first tag stands.
const FIRST_TAG: u32 = 2;

/// 4 KiB of request and reply, in cache lines of its own (64 bytes each): no neighbour shares one `[HW 11]`, pitfall 19.
/// The board keeps it below 1 GiB, and one is enough.
#[repr(C, align(64))]
pub struct PropertyBuffer {
    words: [InMemoryRegister<u32>; WORDS as usize],
}

impl Default for PropertyBuffer {
    fn default() -> Self {
        Self::new()
    }
}

impl PropertyBuffer {
    /// A buffer of zeros.
    #[must_use]
    pub const fn new() -> Self {
        Self { words: [const { InMemoryRegister::new(0) }; WORDS as usize] }
    }

    /// Starts a request without tags. Slots of an earlier one have no reply from now on.
    pub fn request(&mut self) -> Request<'_> {
        let mut request = Request { buffer: self, end: FIRST_TAG };
        request.finish(FIRST_TAG);
        request
    }

    /// The reply to a tag, after a successful call; `None` if the firmware does not know the tag. The board's firmware
    /// then leaves the tag unmarked, QEMU marks it and answers with no bytes `[HW 12]`.
    #[must_use]
    pub fn reply<T: Tag>(&self, slot: &Slot<T>) -> Option<T::Reply> {
        let (length_bytes, values) = self.value(slot.tag, T::ID)?;
        if length_bytes < T::REPLY_WORDS.wrapping_mul(4) {
            return None;
        }
        let mut words = [0; _];
        for (word, value) in words.iter_mut().zip(values) {
            *word = value.get();
        }
        Some(T::reply(words))
    }

    /// Copies the command line out and returns its length in bytes; 0 if there is none or the firmware does not know
    /// the tag. It ends before the first zero byte.
    pub fn command_line(&self, slot: &Slot<GetCommandLine>, into: &mut [u8]) -> Result<usize, CommandLineTooLong> {
        let Some((length_bytes, values)) = self.value(slot.tag, GetCommandLine::ID) else { return Ok(0) };
        let length = length_bytes as usize;
        if length > size_of_val(values) {
            return Err(CommandLineTooLong { needed_bytes: length });
        }
        let text =
            || values.iter().flat_map(|word| word.get().to_le_bytes()).take(length).take_while(|&byte| byte != 0);
        let needed_bytes = text().count();
        if needed_bytes > into.len() {
            return Err(CommandLineTooLong { needed_bytes });
        }
        into.iter_mut().zip(text()).for_each(|(byte, from)| *byte = from);
        Ok(needed_bytes)
    }

    /// The buffer's code: 0 in a request, the firmware's verdict in a reply.
    pub(super) fn code(&self) -> u32 {
        let [_, code, ..] = &self.words;
        code.get()
    }

    /// The length in bytes that the firmware gives for a tag's reply, never 0, and the room its value has. `None` for a
    /// tag that was not answered.
    fn value(&self, tag: u32, id: u32) -> Option<(u32, &[InMemoryRegister<u32>])> {
        let [number, room_bytes, response, values @ ..] = self.words.get(tag as usize..)? else { return None };
        let (response, room_words) = (response.get(), room_bytes.get() / 4);
        let length_bytes = response & 0x7FFF_FFFF;
        let is_answered = number.get() == id && response != length_bytes && length_bytes > 0;
        values.get(..room_words as usize).filter(|_| is_answered).map(|room| (length_bytes, room))
    }
}

/// Where the reply to a tag of type `T` will stand.
#[derive(Debug)]
#[must_use = "the slot is the way to the tag's reply"]
pub struct Slot<T> {
    tag: u32,
    kind: PhantomData<T>,
}

/// A request being written; it can be sent at any time.
pub struct Request<'b> {
    buffer: &'b mut PropertyBuffer,
    /// The word after the last tag.
    end: u32,
}

impl Request<'_> {
    /// Adds a tag.
    pub fn add<T: Tag>(&mut self, tag: &T) -> Result<Slot<T>, BufferFull> {
        self.append(T::ID, T::VALUE_WORDS, &tag.request())
    }

    /// Adds the question for the command line.
    pub fn add_command_line(&mut self, tag: &GetCommandLine) -> Result<Slot<GetCommandLine>, BufferFull> {
        self.append(GetCommandLine::ID, tag.room_bytes.div_ceil(4), &[])
    }

    /// Adds a tag whose value has room for so many words and starts with the given ones, the rest zero.
    fn append<T>(&mut self, id: u32, value_words: u32, value: &[u32]) -> Result<Slot<T>, BufferFull> {
        let tag = self.end;
        let needed_words = value_words.saturating_add(TAG_HEADER_WORDS);
        let end = tag.saturating_add(needed_words);
        let header = [id, value_words.wrapping_mul(4), 0];
        let value = value.iter().copied().chain(repeat(0)).take(value_words as usize);
        // One word more than the tag, so that the zero word behind it fits too.
        let Some(words) = self.buffer.words.get(tag as usize..=end as usize) else {
            return Err(BufferFull { needed_words, free_words: WORDS.saturating_sub(tag).saturating_sub(1) });
        };
        words.iter().zip(header.into_iter().chain(value)).for_each(|(word, from)| word.set(from));
        self.finish(end);
        Ok(Slot { tag, kind: PhantomData })
    }

    /// Ends the request before word `end`: the zero word, the length, the code.
    fn finish(&mut self, end: u32) {
        self.end = end;
        let [length_bytes, code, ..] = &self.buffer.words;
        length_bytes.set(end.saturating_add(1).saturating_mul(4));
        code.set(0);
        if let Some(word) = self.buffer.words.get(end as usize) {
            word.set(0);
        }
    }
}

/// The question for the boot command line: `cmdline.txt` and what the firmware adds; in QEMU what `-append` holds
/// `[HW 12]`. The reply is read with [`PropertyBuffer::command_line`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GetCommandLine {
    /// How many bytes of it fit, rounded up to whole words.
    pub room_bytes: u32,
}

impl GetCommandLine {
    /// The tag's number `[HW 12]`.
    const ID: u32 = 0x0005_0001;
}

/// A request that does not fit its buffer. The tag was not added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BufferFull {
    /// The words that the tag takes.
    pub needed_words: u32,
    /// The words that are left.
    pub free_words: u32,
}

impl fmt::Display for BufferFull {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { needed_words, free_words } = self;
        write!(
            f,
            "mailbox: a tag of {needed_words} words does not fit the {free_words} that are left of {WORDS}; split the \
             request in two calls"
        )
    }
}

impl core::error::Error for BufferFull {}

/// A command line that does not fit. Nothing was copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommandLineTooLong {
    /// The room it takes, both in the request and to copy it out.
    pub needed_bytes: usize,
}

impl fmt::Display for CommandLineTooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "mailbox: the command line takes {} bytes, more than it was given room for; give it more or shorten \
             cmdline.txt",
            self.needed_bytes
        )
    }
}

impl core::error::Error for CommandLineTooLong {}
