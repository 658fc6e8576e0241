// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is accepted, and what each refusal says.

use super::*;
use proptest::prelude::*;
use std::format;
use std::string::{String, ToString};
use std::vec::Vec;

const LIMITS: Limits = Limits {
    min_interval_us: 50,
    max_interval_us: 10_000_000,
    max_duration_s: 2_592_000,
    min_priority: 1,
    max_priority: 99,
    max_histogram_us: 100,
    max_histogram_ticks: 6_250,
    max_threads: 4,
    cores: [0; 4],
    source: TimeBaseWord::System,
    line_bytes_per_s: 11_520,
    max_spikes: 1_024,
    has_event_ring: true,
};

/// With a measuring task on each core.
const FOUR_CORES: Limits = Limits { cores: [0, 1, 2, 3], ..LIMITS };

fn parse(arguments: &str) -> LatencyOptions {
    LatencyOptions::parse(arguments, &LIMITS).unwrap_or_else(|error| panic!("{error}"))
}

fn refusal(arguments: &str) -> String {
    LatencyOptions::parse(arguments, &LIMITS).unwrap_err().to_string()
}

fn notes(arguments: &str) -> Vec<Note> {
    parse(arguments).notes().collect()
}

#[test]
fn without_words_the_defaults_are_cyclictest_s_but_the_priority() {
    let options = parse("  ");
    assert_eq!((options.interval_us, options.distance_us, options.threads), (1_000, 500, 1));
    assert_eq!((options.loops, options.duration_s, options.histogram_rows), (None, None, None));
    assert_eq!((options.priority, options.takt_priority_of(0)), (80, 20));
    assert_eq!(options.stages, Stages { handler: false, task: true, done: false });
    assert!(!options.quiet && !options.nanoseconds && !options.sum_column);
    assert_eq!(notes(""), [Note::Endless]);
}

#[test]
fn every_form_of_every_option_is_read() {
    for form in ["-i250", "-i 250", "--interval=250", "--interval 250", "-i 100 -i 250", "-qi250", "-qi 250"] {
        assert_eq!(parse(form).interval_us, 250, "{form}");
    }
    assert_eq!(parse("-l 0").loops, None);
    assert_eq!(parse("--loops=7").loops, Some(7));
    assert_eq!(parse("-D0").duration_s, None);
    for (form, seconds) in [("-D 10", 10), ("-D2m", 120), ("--duration=3h", 10_800), ("--duration 1d", 86_400)] {
        assert_eq!(parse(form).duration_s, Some(seconds), "{form}");
    }
    for form in ["-p99", "--priority 99", "--prio=99"] {
        assert_eq!((parse(form).priority, parse(form).takt_priority_of(0)), (99, 1), "{form}");
    }
    assert_eq!(parse("-p 1").takt_priority_of(0), 99);
    assert!(parse("-q").quiet && parse("--quiet").quiet && parse("-N").nanoseconds && parse("--nsecs").nanoseconds);
    let both = Stages { handler: true, task: true, done: false };
    assert_eq!((parse("--stage handler,task").stages, parse("--stage=task,handler").stages), (both, both));
    assert_eq!(parse("--stage handler").stages, Stages { handler: true, task: false, done: false });
}

#[test]
fn threads_may_come_without_a_number() {
    for (form, threads) in [("-t", 4), ("-t -q", 4), ("-t3", 3), ("-t 3 -q", 3), ("--threads", 4), ("--threads=2", 2)] {
        assert_eq!(parse(form).threads, threads, "{form}");
    }
    assert!(parse("-t -q").quiet);
}

#[test]
fn a_thread_on_each_core_needs_an_image_that_has_them() {
    for form in ["-S", "--smp", "-Sq", "-t 2 -S", "-S -a", "-S -a 0-3", "-S --affinity=0,1,2,3"] {
        let options = LatencyOptions::parse(form, &FOUR_CORES).unwrap();
        assert_eq!((options.smp, options.threads, options.distance_us), (true, 4, 500), "{form}");
    }
    // As in cyclictest, the distance is 0 with a histogram and as given otherwise.
    assert_eq!(LatencyOptions::parse("-S -h 50", &FOUR_CORES).unwrap().distance_us, 0);
    assert_eq!(LatencyOptions::parse("-S -d 0", &FOUR_CORES).unwrap().distance_us, 0);
    assert_eq!(LatencyOptions::parse("-S -t 2", &FOUR_CORES).unwrap().threads, 2);
    for form in ["-S", "-S -t 1", "-S -a 0"] {
        assert!(
            refusal(form)
                .ends_with("needs an image that measures on each core; make run IMAGE=takt-four-cores runs one"),
            "{form}"
        );
    }
}

#[test]
fn an_affinity_is_accepted_where_the_image_has_it() {
    let accepted = |arguments, limits| LatencyOptions::parse(arguments, limits).is_ok();
    for form in ["-a", "-a 0", "-a0 -t 4", "--affinity=0", "-a 0,1", "-a -q"] {
        assert!(accepted(form, &LIMITS), "{form}");
    }
    for form in ["-a -t", "-a 0-3 -t 4", "-a 0,1-2 -t 3", "-a 0"] {
        assert!(accepted(form, &FOUR_CORES), "{form}");
    }
    let where_it_is = "in the image of make run IMAGE=takt-four-cores thread n is on core n";
    for (form, limits, has) in [
        ("-a -t 2", &LIMITS, "-a puts thread 1 on core 1, but this image has it on core 0"),
        ("--affinity 2", &LIMITS, "--affinity puts thread 0 on core 2, but this image has it on core 0"),
        ("-a 0 -t 2", &FOUR_CORES, "-a puts thread 1 on core 0, but this image has it on core 1"),
        ("-a 0,2 -t 2", &FOUR_CORES, "-a puts thread 1 on core 2, but this image has it on core 1"),
    ] {
        let refusal = LatencyOptions::parse(form, limits).unwrap_err().to_string();
        assert_eq!(refusal, format!("latency: {has}; {where_it_is}"), "{form}");
    }
    for value in ["4", "0-4", "3-0", "0,", "0-", "1--2", "00", "x", "0:3", "/"] {
        let expected = format!("latency: the value of -a is {value}; a set of cores such as 0-3 or 0,2 is expected");
        assert_eq!(refusal(&format!("-a{value}")), expected);
    }
}

#[test]
fn threads_may_begin_one_after_the_other() {
    assert_eq!(parse("-l 5").aligned_us, None);
    for (form, us) in [("-A", 0), ("-A -q", 0), ("-A50", 50), ("-A 50", 50), ("--aligned", 0), ("--aligned=7", 7)] {
        assert_eq!(parse(form).aligned_us, Some(us), "{form}");
    }
    let expected = "latency: the value of -A is 10000001; an offset of 0 to 10000000 us is expected";
    assert_eq!(refusal("-A 10000001"), expected);
}

#[test]
fn the_event_ring_is_that_of_core_0() {
    let options = LatencyOptions::parse("-S --freeze-on-max -l 5", &FOUR_CORES).unwrap();
    assert_eq!(options.notes().collect::<Vec<_>>(), [Note::FreezeOfCore0]);
    assert_eq!(notes("--freeze-on-max -l 5"), []);
}

#[test]
fn what_ends_a_run_and_what_is_shown_of_it_is_read() {
    let usual = parse("");
    assert_eq!((usual.break_us, usual.spike_us, usual.spike_nodes, usual.max_us), (None, None, 1_024, None));
    assert_eq!((usual.verbose, usual.of, usual.format), (false, 1, Format::Cyclictest));
    for form in ["-b 50", "-b50", "--breaktrace=50"] {
        assert_eq!(parse(form).break_us, Some(50), "{form}");
    }
    let options = parse("--spike=20 --spike-nodes 3 --max-us 100 -P --explain -M -R");
    assert_eq!((options.spike_us, options.spike_nodes, options.max_us), (Some(20), 3, Some(100)));
    assert!(options.percentiles && options.explain && options.refresh_on_maximum && options.resolution);
    for (value, format) in [
        ("cyclictest", Format::Cyclictest),
        ("cyclictest-2.7", Format::Cyclictest27),
        ("xenomai", Format::Xenomai),
        ("json", Format::Json),
    ] {
        assert_eq!(parse(&std::format!("--format={value}")).format, format);
    }
    assert!(parse("").is_live() && !parse("-q").is_live() && !parse("--format json").is_live());
    let expected = "latency: the value of --format is xml; cyclictest, cyclictest-2.7, xenomai or json is expected";
    assert_eq!(refusal("--format xml"), expected);
    assert_eq!(refusal("-b 0"), "latency: the value of -b is 0; a latency of 1 to 10000000 us is expected");
    assert_eq!(
        refusal("--spike-nodes 1025"),
        "latency: the value of --spike-nodes is 1025; a number of 1 to 1024 is expected"
    );
    assert_eq!(refusal("--format xenomai -t 2"), "latency: --format xenomai needs one thread; leave -t and -S out");
}

#[test]
fn each_further_thread_may_be_one_less_urgent() {
    let options = parse("-p 50 -t 3 --priospread");
    assert_eq!([0, 1, 2].map(|thread| options.priority_of(thread)), [50, 49, 48]);
    assert_eq!([0, 1, 2].map(|thread| options.takt_priority_of(thread)), [50, 51, 52]);
    assert_eq!(parse("-p 4 -t 4 --priospread").priority_of(3), 1);
    let expected = "latency: --priospread leaves thread 3 no priority, below 3 for the first; give a higher -p";
    assert_eq!(refusal("-p 3 -t 4 --priospread"), expected);
}

#[test]
fn a_timer_is_accepted_where_it_is_the_one_of_the_run() {
    assert_eq!(parse("-s system"), parse(""));
    let expected =
        "latency: -s asks for the generic timer, which is not the one of this run; boot with the word timebase=generic";
    assert_eq!(refusal("-s generic"), expected);
    assert_eq!(refusal("-s hpet"), "latency: the value of -s is hpet; system or generic is expected");
}

#[test]
fn every_sample_is_shown_only_where_the_line_carries_it() {
    for form in ["-v -i 2400", "-v -i 1000 -o 3", "-v -q -i 100", "-v -i 1000 -t 2 -h 5 -o 5"] {
        assert!(parse(form).verbose, "{form}");
    }
    for (form, bytes, of) in
        [("-v -i 1000", 27_000, 3), ("-v -i 1000 -t 2 -h 5 -o 2", 27_000, 5), ("-v -i 100 -o 23", 11_740, 24)]
    {
        let expected = std::format!(
            "latency: -v would print {bytes} bytes a second, but the serial line carries 11520; give -o {of}, a longer \
             interval, or fewer threads"
        );
        assert_eq!(refusal(form), expected, "{form}");
    }
    assert_eq!(refusal("-v -i 5000 --stage handler,task"), "latency: -v needs one stage; give one to --stage");
}

#[test]
fn the_older_and_the_newer_histogram_options_combine_as_in_cyclictest() {
    for (form, rows, sum) in [("-h 60", 60, false), ("--histogram=60", 60, false), ("-H40", 40, true)] {
        assert_eq!((parse(form).histogram_rows, parse(form).sum_column), (Some(rows), sum), "{form}");
    }
    let both = parse("--histofall 40 -h 60");
    assert_eq!((both.histogram_rows, both.sum_column), (Some(60), true));
    // What is possible depends on -N, wherever it stands.
    assert_eq!(parse("-h 6250 -N").histogram_rows, Some(6_250));
}

#[test]
fn further_threads_have_longer_intervals_except_with_a_histogram() {
    let options = parse("-t 3");
    assert_eq!([0, 1, 2].map(|thread| options.interval_us_of(thread)), [1_000, 1_500, 2_000]);
    assert_eq!(parse("-t 3 -d 10").interval_us_of(2), 1_020);
    assert_eq!(parse("-t 3 -h 50").interval_us_of(2), 1_000);
    assert_eq!(notes("-t 3 -d 10 -h 50 -l 5"), [Note::NoDistance]);
    assert_eq!(notes("-t 3 -d 0 -h 50 -l 5"), []);
}

#[test]
fn freezing_needs_an_image_that_records_events() {
    assert!(parse("-q --freeze-on-max -l 5").freeze_on_maximum && !parse("-l 5").freeze_on_maximum);
    let limits = Limits { has_event_ring: false, ..LIMITS };
    let refusal = LatencyOptions::parse("-l 5 --freeze-on-max", &limits).unwrap_err().to_string();
    assert_eq!(
        refusal,
        "latency: --freeze-on-max needs an image that records events; make run EVENT_RING=1 builds one"
    );
    assert!(LatencyOptions::parse("-l 5", &limits).is_ok());
}

#[test]
fn options_without_effect_are_noted_once_each() {
    assert_eq!(notes("-m -n --mlockall -mn -l 5"), [Note::LockMemory, Note::Nanosleep]);
    assert_eq!(Note::LockMemory.to_string(), "latency: -m changes nothing, all memory is always resident");
}

#[test]
fn refusals_name_the_word_and_what_is_valid() {
    let cases = [
        ("-i 0", "the value of -i is 0; an interval of 50 to 10000000 us is expected"),
        ("--interval=fast", "the value of --interval is fast; an interval of 50 to 10000000 us is expected"),
        ("-i -5", "the value of -i is -5; an interval of 50 to 10000000 us is expected"),
        ("-i", "the value of -i is missing; an interval of 50 to 10000000 us is expected"),
        ("--interval=", "the value of --interval is empty; an interval of 50 to 10000000 us is expected"),
        ("-i 99999999999", "the value of -i is 99999999999; an interval of 50 to 10000000 us is expected"),
        ("-l many", "the value of -l is many; a number of cycles (0 for endless) is expected"),
        ("-p 0", "the value of -p is 0; a priority of 1 to 99 is expected"),
        ("--prio 100", "the value of --prio is 100; a priority of 1 to 99 is expected"),
        ("-h 0", "the value of -h is 0; a histogram of 1 to 100 us is expected"),
        ("-h 101", "the value of -h is 101; a histogram of 1 to 100 us is expected"),
        ("-h many -h 5", "the value of -h is many; a histogram of 1 to 100 us is expected"),
        ("-H 6251 -N", "the value of -H is 6251; a histogram of 1 to 6250 counter ticks is expected"),
        ("-t 5", "the value of -t is 5; a number of 1 to 4 is expected"),
        ("-d 10000001", "the value of -d is 10000001; a distance of 0 to 10000000 us is expected"),
        ("--stage nowhere", "the value of --stage is nowhere; handler, task, done or several with commas is expected"),
        ("--quiet=1", "--quiet is given 1, but takes no value"),
        ("-t 2 -i 10000000", "the distance gives thread 1 an interval of 10000500 us; at most 10000000 us is expected"),
    ];
    for (arguments, sentence) in cases {
        assert_eq!(refusal(arguments), format!("latency: {sentence}"), "{arguments}");
    }
    let duration = "a number of seconds, or with m, h or d of minutes, hours or days, up to 2592000 s, is expected";
    for value in ["5w", "31d", "-1", "h", "18446744073709551615d"] {
        let expected = format!("latency: the value of -D is {value}; {duration}");
        assert_eq!(refusal(&format!("-D {value}")), expected);
    }
}

#[test]
fn an_unknown_word_is_answered_with_the_valid_ones() {
    for (arguments, word) in [("-l 5 fast", "fast"), ("-x", "-x"), ("-qx", "-qx"), ("--numa", "--numa"), ("-", "-")] {
        let valid = "-i -d -l -D -p -h -H -q -N -t -S -a -A --priospread -v -o -b --spike --spike-nodes -M -R -s --stage \
                     --format --max-us -P --explain --freeze-on-max -m -n";
        assert_eq!(refusal(arguments), format!("latency: the word {word} is unknown; valid are {valid}"));
    }
}

/// Words that are options, values, or nearly so.
fn arguments() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        "-[a-zA-Z-]{0,3}=?[0-9]{0,4}",
        "--(aligned|affinity|smp|interval|loops|threads|histogram|stage|duration)=?",
        "[0-9]{1,25}[mhdx]?",
        "\\PC{0,4}",
    ];
    proptest::collection::vec(word, 0..8).prop_map(|words| words.join(" "))
}

proptest! {
    #[test]
    fn any_words_are_read_or_refused_in_one_line(arguments in arguments()) {
        match LatencyOptions::parse(&arguments, &LIMITS) {
            Ok(options) => {
                prop_assert!((50..=10_000_000).contains(&options.interval_us));
                prop_assert!((1..=99).contains(&options.priority) && (1..=4).contains(&options.threads));
                let most = if options.nanoseconds { 6_250 } else { 100 };
                prop_assert!(options.histogram_rows.is_none_or(|rows| (1..=most).contains(&rows)));
                prop_assert!(options.interval_us_of(options.threads.saturating_sub(1)) <= 10_000_000);
            }
            Err(error) => {
                let sentence = error.to_string();
                prop_assert!(sentence.starts_with("latency: ") && sentence.lines().count() == 1);
            }
        }
    }

    #[test]
    fn any_text_is_read_or_refused(arguments in any::<String>()) {
        let _ = LatencyOptions::parse(&arguments, &LIMITS).map_err(|error| error.to_string());
    }
}
