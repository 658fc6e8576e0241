// SPDX-License-Identifier: MIT OR Apache-2.0
//! A sentence built while the compiler runs, so that a wrong table stops the build with words and not with a code.

/// The longest sentence, in bytes; what would not fit is cut.
const LENGTH: usize = 320;

/// Text of up to 320 bytes that a `const fn` can append to.
#[derive(Clone, Copy, Debug)]
pub struct Sentence {
    bytes: [u8; LENGTH],
    length: usize,
}

#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "runs in the compiler and in tests alone, where a mistake stops the build"
)]
impl Sentence {
    /// `text` as a sentence.
    #[must_use]
    pub const fn new(text: &str) -> Self {
        Self { bytes: [0; LENGTH], length: 0 }.text(text)
    }

    /// This sentence with `text` appended.
    #[must_use]
    pub const fn text(mut self, text: &str) -> Self {
        let text = text.as_bytes();
        let mut index = 0;
        while index < text.len() && self.length < LENGTH {
            self.bytes[self.length] = text[index];
            self.length += 1;
            index += 1;
        }
        self
    }

    /// This sentence with `number` appended in decimal.
    #[must_use]
    pub const fn number(self, number: u128) -> Self {
        let sentence = if number >= 10 { self.number(number / 10) } else { self };
        let digit = [b'0' + (number % 10) as u8];
        match core::str::from_utf8(&digit) {
            Ok(digit) => sentence.text(digit),
            Err(_) => sentence,
        }
    }

    /// The words.
    pub const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.bytes.split_at(self.length).0) {
            Ok(words) => words,
            Err(_) => "takt: the sentence was cut inside a character; shorten the name in it",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Sentence;

    #[test]
    fn words_and_numbers() {
        assert_eq!(Sentence::new("task '").text("a").text("' has ").number(0).as_str(), "task 'a' has 0");
        assert_eq!(Sentence::new("").number(1_234_567_890).as_str(), "1234567890");
    }

    #[test]
    fn what_does_not_fit_is_cut() {
        let long = std::string::String::from_utf8(std::vec![b'x'; 400]).unwrap();
        assert_eq!(Sentence::new(&long).as_str().len(), 320);
    }
}
