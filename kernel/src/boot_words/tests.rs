// SPDX-License-Identifier: MIT OR Apache-2.0
//! Boot lines as they should be, and as they come.

use super::{BootWords, Word};
use proptest::prelude::*;
use std::format;
use std::string::String;
use std::vec::Vec;

fn words(line: &str) -> Vec<Word<'_>> {
    BootWords::new(line).collect()
}

fn word<'a>(key: &'a str, value: Option<&'a str>) -> Word<'a> {
    Word { key, value, open_quote: false }
}

fn has_spin(line: &str) -> bool {
    BootWords::new(line).any(|word| word.is("idle", "spin"))
}

#[test]
fn a_word_is_a_key_and_may_have_a_value() {
    assert_eq!(
        words("quiet a=1 b= =c d=e=f"),
        [word("quiet", None), word("a", Some("1")), word("b", Some("")), word("", Some("c")), word("d", Some("e=f")),]
    );
}

#[test]
fn nothing_and_blanks_are_no_words() {
    for line in ["", " ", "\t\n\r \u{c}"] {
        assert_eq!(words(line), [], "{line:?}");
    }
    assert_eq!(words("\ta\t\tb=1\r\n"), [word("a", None), word("b", Some("1"))]);
}

#[test]
fn quotes_hold_a_word_together() {
    assert_eq!(words("a=\"b c\" d"), [word("a", Some("b c")), word("d", None)]);
    assert_eq!(words("\"a=b c\"\td"), [word("a", Some("b c")), word("d", None)]);
    assert_eq!(words("a=\"\" \"\""), [word("a", Some("")), word("", None)]);
    // Elsewhere they hold it together as well, and are part of it.
    assert_eq!(words("a=b\" \"c d"), [word("a", Some("b\" \"c")), word("d", None)]);
}

#[test]
fn a_quote_that_nothing_closes_ends_with_its_word() {
    let open = |key, value| Word { key, value: Some(value), open_quote: true };
    assert_eq!(words("a=\"b c d"), [open("a", "\"b"), word("c", None), word("d", None)]);
    assert_eq!(words("\"a=b c"), [open("a", "b"), word("c", None)]);
    assert_eq!(words("a=\"b c\" d=\"e f"), [word("a", Some("b c")), open("d", "\"e"), word("f", None)]);
    assert_eq!(words("\""), [Word { key: "", value: None, open_quote: true }]);
}

#[test]
fn a_word_is_itself_in_either_quotes_and_nothing_else() {
    for line in ["idle=spin", "a idle=spin\n", "idle=\"spin\"", "\"idle=spin\"", "model=\"Pi idle=spin"] {
        assert!(has_spin(line), "{line}");
    }
    for line in ["", "idle", "spin", "idle=", "idle=spin2", "xidle=spin", "Idle=spin", "idle=spin=", "idle= spin"] {
        assert!(!has_spin(line), "{line}");
    }
    for line in
        ["autorun=\"a; idle=spin\"", "autorun=\"a idle=spin b\"", "\"x idle=spin\"", "idle=\"spin", "\"idle=spin"]
    {
        assert!(!has_spin(line), "{line}");
    }
}

#[test]
fn a_line_may_be_long_and_of_any_characters() {
    let long = format!("{} \u{e4}=\"\u{1f980} \u{a0}\" idle=spin {}", "a=\"b c\" ".repeat(20_000), "x".repeat(100_000));
    let words = words(&long);
    assert_eq!(words.len(), 20_003);
    assert_eq!(words.get(20_000), Some(&word("\u{e4}", Some("\u{1f980} \u{a0}"))));
    assert!(has_spin(&long));
}

/// Any text, with more of the characters that matter than chance would give.
const ODD_LINE: &str = "([a-c]|[ \t\n]|[=\"]|idle=spin|\\PC){0,60}";

proptest! {
    #[test]
    fn whatever_is_no_blank_comes_once_and_in_order(line in ODD_LINE) {
        let mut left = line.as_str();
        for Word { key, value, .. } in BootWords::new(&line) {
            for part in [key, value.unwrap_or("")] {
                let (skipped, rest) = left.split_at(left.find(part).unwrap());
                prop_assert!(skipped.chars().all(|skipped| matches!(skipped, '"' | '=') || skipped.is_ascii_whitespace()));
                left = rest.strip_prefix(part).unwrap();
            }
        }
        prop_assert!(left.chars().all(|left| matches!(left, '"' | '=') || left.is_ascii_whitespace()));
    }

    #[test]
    fn one_word_at_the_most_opens_a_quote_that_nothing_closes(line in ODD_LINE) {
        let open = BootWords::new(&line).filter(|word| word.open_quote).count();
        prop_assert_eq!(open, line.matches('"').count() % 2);
    }

    #[test]
    fn without_quotes_a_line_is_split_at_its_blanks(line in "([a-c]|[ \t\r\n]|=|[^\"\\pC]){0,60}") {
        let split: Vec<Word<'_>> = line.split_ascii_whitespace().map(|text| match text.split_once('=') {
            Some((key, value)) => word(key, Some(value)),
            None => word(text, None),
        }).collect();
        prop_assert_eq!(words(&line), split);
    }

    #[test]
    fn a_word_is_found_between_any_others_but_not_in_their_quotes(
        before in "([a-c= ]|\"[a-c= ]{0,5}\"){0,9}", behind in "[a-c=\" ]{0,20}", inner in "[a-c= ]{0,9}",
    ) {
        let line = format!("{before} idle=spin {behind}");
        prop_assert!(has_spin(&line), "{}", line);
        let closed: String = behind.replace('"', "");
        let quoted = format!("{before} a=\"{inner} idle=spin {inner}\" {closed}");
        prop_assert!(!has_spin(&quoted), "{}", quoted);
    }
}
