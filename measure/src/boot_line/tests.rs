// SPDX-License-Identifier: MIT OR Apache-2.0
//! takt's words among the firmware's.

use super::*;
use proptest::prelude::*;
use std::string::{String, ToString};
use std::vec::Vec;

/// What a board's firmware puts before and behind the words of `cmdline.txt`.
const FIRMWARE: &str = "coherent_pool=1M 8250.nr_uarts=1 snd_bcm2835.enable_hdmi=0 video=HDMI-A-1:1920x1080M@60 \
                        smsc95xx.macaddr=DC:A6:32:00:00:01 vc_mem.mem_base=0x3ec00000 console=ttyS0,115200 quiet";

fn refusal(line: &str) -> String {
    BootLine::parse(line).unwrap_err().to_string()
}

#[test]
fn the_firmware_s_words_are_passed_over() {
    assert_eq!(BootLine::parse(FIRMWARE), Ok(BootLine::default()));
    assert_eq!(BootLine::parse(""), Ok(BootLine::default()));
    assert_eq!(BootLine::parse("autorum=\"exit\" Idle=x"), Ok(BootLine::default()));
}

#[test]
fn takt_s_words_are_found_among_them() {
    let autorun = "latency -i 1000 -l 10000 -h 100; exit";
    let line = std::format!("{FIRMWARE} idle=wfi autorun=\"{autorun}\"\ttimebase=generic icount=4\n");
    let expected = BootLine {
        autorun: Some(autorun),
        idle: Some(Idle::Wfi),
        icount: Some(4),
        time_base: Some(TimeBaseWord::Generic),
    };
    assert_eq!(BootLine::parse(&line), Ok(expected));
    let line = BootLine::parse("idle=spin timebase=system icount=\"0\" autorun=exit").unwrap();
    assert_eq!((line.idle, line.time_base), (Some(Idle::Spin), Some(TimeBaseWord::System)));
    assert_eq!((line.icount, line.autorun), (Some(0), Some("exit")));
}

#[test]
fn quotes_may_stand_around_the_whole_word_and_hold_nothing() {
    assert_eq!(BootLine::parse("a \"autorun=info; exit\" b").unwrap().autorun, Some("info; exit"));
    assert_eq!(BootLine::parse("autorun=\"\"").unwrap().autorun, Some(""));
}

#[test]
fn bad_values_are_answered_with_the_valid_ones() {
    assert_eq!(refusal("idle=fast"), "boot line: the value of idle is fast; spin or wfi is expected");
    assert_eq!(refusal("idle"), "boot line: the value of idle is missing; spin or wfi is expected");
    assert_eq!(refusal("icount=11"), "boot line: the value of icount is 11; a shift of 0 to 10 is expected");
    assert_eq!(refusal("timebase="), "boot line: the value of timebase is missing; system or generic is expected");
    assert_eq!(refusal("idle=wfi idle=spin"), "boot line: idle is given twice; it is expected once");
}

#[test]
fn a_missing_end_quote_is_refused_only_in_a_word_of_takt_s() {
    let sentence = "boot line: the value of autorun opens a quote (\") that nothing closes";
    assert_eq!(refusal("a=b autorun=\"latency; exit"), sentence);
    assert_eq!(refusal("\"autorun=latency; exit"), sentence);
    let line = BootLine::parse("model=\"Pi idle=wfi").unwrap();
    assert_eq!(line.idle, Some(Idle::Wfi));
}

#[test]
fn commands_are_read_one_after_the_other() {
    let list = " latency -i 250 -q ;; info;help ; exit 3; \ttrace";
    let read: Vec<_> = commands(list).map(|Command { name, arguments }| (name, arguments)).collect();
    assert_eq!(read, [("latency", "-i 250 -q"), ("info", ""), ("help", ""), ("exit", "3"), ("trace", "")]);
    assert_eq!(commands("").next(), None);
}

#[test]
fn arguments_that_cannot_be_used_are_answered_with_the_valid_ones() {
    let times = Times { command: "bench", what: "cycles", usual: 10, maximum: 1_000 };
    for (arguments, read) in [("", 10), ("-l 5", 5), ("-l7", 7), (" -l  1000 ", 1_000)] {
        assert_eq!(times.read(arguments), Ok(read));
    }
    for (arguments, status) in [("", 0), ("3", 3), ("255", 255)] {
        assert_eq!(exit_status(arguments), Ok(status));
    }
    assert_eq!(no_arguments("info", " "), Ok(()));
    let refusals = [
        times.read("5").unwrap_err(),
        times.read("-l").unwrap_err(),
        times.read("-l 0").unwrap_err(),
        times.read("-l 1001").unwrap_err(),
        times.read("-l 5 6").unwrap_err(),
        exit_status("256").unwrap_err(),
        exit_status("1 2").unwrap_err(),
        no_arguments("info", "now").unwrap_err(),
    ];
    let expected = [
        "bench: the word 5 is unknown; valid is -l",
        "bench: the value of -l is missing; a number of cycles of 1 to 1000 is expected",
        "bench: the value of -l is 0; a number of cycles of 1 to 1000 is expected",
        "bench: the value of -l is 1001; a number of cycles of 1 to 1000 is expected",
        "bench: the word 6 is not expected; nothing may follow",
        "exit: the status is 256; a number of 0 to 255 is expected",
        "exit: the word 2 is not expected; nothing may follow",
        "info: the word now is not expected; nothing may follow",
    ];
    assert!(refusals.iter().map(ToString::to_string).eq(expected), "{refusals:?}");
}

#[test]
fn an_exit_is_found_in_whatever_line() {
    for line in
        ["autorun=exit", "autorun=\"latency; exit 3\"", "\"autorun=info;exit\"", "autorun=\"latency; exit", "exit"]
    {
        assert!(asks_for_exit(line), "{line}");
    }
    for line in ["", FIRMWARE, "autorun=\"latency -i 1000\"", "exits=1 on_exit"] {
        assert!(!asks_for_exit(line), "{line}");
    }
}

proptest! {
    #[test]
    fn any_line_is_read_or_refused(line in "([a-z]{0,3}|autorun|idle|icount)?[=\" ;\\PC]{0,40}") {
        if let Ok(BootLine { autorun: Some(list), .. }) = BootLine::parse(&line) {
            commands(list).for_each(|command| assert!(!command.name.contains(';') && !command.name.is_empty()));
        }
    }

    #[test]
    fn an_autorun_survives_whatever_stands_before_it(words in "[a-z0-9=,.:]{0,30}( [a-z0-9=,.:]{0,10}){0,4}") {
        let line = std::format!("{words} autorun=\"info; exit\"");
        if let Ok(found) = BootLine::parse(&line) {
            prop_assert_eq!(found.autorun, Some("info; exit"));
        }
    }
}
