// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is accepted, and what each refusal says.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use super::*;
use proptest::prelude::*;
use std::string::ToString;

fn parse(arguments: &str) -> XenomaiOptions {
    XenomaiOptions::parse(arguments, 20).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn without_words_the_defaults_are_xenomai_s() {
    assert_eq!(parse(""), XenomaiOptions::new());
    assert_eq!((parse("").period_us, parse("").priority, parse("").header_lines), (1_000, 99, 21));
}

#[test]
fn every_option_is_read() {
    for form in [
        "-t2 -p100 -T 10 -P 50 -c 1 -hgq -H 200 -B 500 -l 0 -m 30",
        "-t 2 -p 100 -qhT10 -P50 -gc1 -H200 -B500 -l0 -m30",
    ] {
        let expected = XenomaiOptions {
            mode: Mode::TimerHandler,
            period_us: 100,
            duration_s: Some(10),
            priority: 50,
            core: Some(1),
            histograms: true,
            statistics: true,
            gnuplot: true,
            buckets: 200,
            bucket_ns: 500,
            header_lines: 0,
            quiet: true,
            max_us: Some(30),
        };
        assert_eq!(parse(form), expected, "{form}");
    }
    assert!(parse("-s").statistics && !parse("-s").histograms);
    // Without an end the lines are all there is.
    assert!(!parse("-q").quiet && !parse("-q -T 0").quiet);
}

#[test]
fn refusals_name_the_word_and_what_is_valid() {
    for (arguments, expected) in [
        ("fast", "xlatency: the word fast is unknown; valid is -t -p -T -P -c -h -s -g -H -B -l -q -m"),
        ("-x", "xlatency: the word -x is unknown; valid is -t -p -T -P -c -h -s -g -H -B -l -q -m"),
        ("-", "xlatency: the word - is unknown; valid is -t -p -T -P -c -h -s -g -H -B -l -q -m"),
        ("-p 19", "xlatency: the value of -p is 19; a number of microseconds of 20 to 1000000 is expected"),
        ("-t3", "xlatency: the value of -t is 3; a number of the test mode of 0 to 2 is expected"),
        ("-P", "xlatency: the value of -P is missing; a number of the priority of 1 to 99 is expected"),
        ("-qT1m", "xlatency: the value of -T is 1m; a number of seconds of 0 to 31536000 is expected"),
    ] {
        assert_eq!(XenomaiOptions::parse(arguments, 20).unwrap_err().to_string(), expected);
    }
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused_in_one_line(arguments in "(-[a-zA-Z]{1,3} ?[0-9]{0,12} |\\PC{0,5} ){0,5}") {
        if let Err(error) = XenomaiOptions::parse(&arguments, 20) {
            prop_assert_eq!(error.to_string().lines().count(), 1);
        }
    }
}
