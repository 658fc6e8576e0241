// SPDX-License-Identifier: MIT OR Apache-2.0
//! A frame in the making.

/// The longest frame, in bytes, as it is sent: framing included.
pub const FRAME_BYTES: usize = 256;

/// The bytes of one frame, which come a few at a time.
#[derive(Clone, Debug)]
pub struct Frame {
    bytes: [u8; FRAME_BYTES],
    /// How many were pushed, including those that found no room.
    length: usize,
}

impl Frame {
    /// An empty frame.
    #[must_use]
    pub const fn new() -> Self {
        Self { bytes: [0; FRAME_BYTES], length: 0 }
    }

    /// Forgets what is in it.
    pub fn clear(&mut self) {
        self.length = 0;
    }

    /// Appends `bytes`. Once they do not fit, the frame is too long and nothing more goes in.
    pub fn push(&mut self, bytes: &[u8]) {
        let end = self.length.saturating_add(bytes.len());
        if let Some(place) = self.bytes.get_mut(self.length..end) {
            place.copy_from_slice(bytes);
        }
        self.length = end;
    }

    /// The frame; `None` where it is too long.
    #[must_use]
    pub fn whole(&self) -> Option<&[u8]> {
        self.bytes.get(..self.length)
    }
}

impl Default for Frame {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_pushed_is_in_it_in_order() {
        let mut frame = Frame::new();
        assert_eq!(frame.whole(), Some(&[][..]));
        frame.push(b"ab");
        frame.push(b"");
        frame.push(b"c");
        assert_eq!(frame.whole(), Some(&b"abc"[..]));
        frame.clear();
        frame.push(b"d");
        assert_eq!(frame.whole(), Some(&b"d"[..]));
    }

    #[test]
    fn a_frame_that_fills_the_buffer_is_whole_and_one_byte_more_is_too_long() {
        let mut frame = Frame::new();
        frame.push(&[1; FRAME_BYTES - 1]);
        frame.push(&[2]);
        assert_eq!(frame.whole().map(<[u8]>::len), Some(FRAME_BYTES));
        frame.push(&[3]);
        assert_eq!(frame.whole(), None);
    }

    #[test]
    fn a_frame_stays_too_long_until_it_is_cleared() {
        let mut frame = Frame::new();
        frame.push(&[1; FRAME_BYTES - 1]);
        frame.push(&[2; 2]);
        // Would fit by itself.
        frame.push(&[3]);
        assert_eq!(frame.whole(), None);
        frame.clear();
        assert_eq!(frame.whole(), Some(&[][..]));
    }
}
