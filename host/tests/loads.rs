//! The loads of the console, with counted instructions: each does its rounds, half as many at half the level; each disturbs as it
//! says, and none tears a line. Counts are judged within a run, never the PC's time.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a test that cannot go on fails"
)]

mod device;

use std::time::Duration;

use device::device_program;
use takt_host::run::{Input, Run};

/// What an image prints for these commands.
fn console(image: &str, cores: u8, commands: &str) -> String {
    let append = format!("icount=4 autorun=\"{commands}; exit\"");
    let timeout = Some(Duration::from_secs(120));
    let run = Run { icount: Some(4), cores: Some(cores), timeout, append, ..Run::new(device_program(image)) };
    let mut console = Vec::new();
    let outcome = run.execute(&mut console).unwrap();
    let console = String::from_utf8(console).unwrap();
    assert_eq!(outcome.status, 0, "{console}\n{}", outcome.qemu_messages);
    assert!(outcome.guest_errors.is_empty(), "{:?}", outcome.guest_errors);
    console
}

fn on_core_0(commands: &str) -> String {
    console("takt-app", 1, commands)
}

/// The rounds of a kind on a core, as each report has them at its end.
fn rounds(console: &str, kind: &str, core: u32) -> Vec<u64> {
    let reports = console.lines().filter_map(|line| line.strip_prefix("# Load ran: "));
    let parts = reports.flat_map(|report| report.split("; "));
    let ours = parts.filter_map(|part| part.strip_prefix(kind)?.strip_suffix(&format!(" rounds on {core}")));
    ours.map(|rounds| rounds.trim().parse().unwrap()).collect()
}

/// The number behind these words.
fn number(console: &str, words: &str) -> Vec<u64> {
    let behind = console.lines().filter_map(|line| Some(line.split_once(words)?.1.trim_start()));
    behind.map(|rest| rest.split([' ', '\n']).next().unwrap().parse().unwrap()).collect()
}

const KINDS: [&str; 9] = ["cpu", "memory", "cache", "tlb", "interrupts", "messages", "uart", "dma", "mailbox"];

#[test]
fn half_the_level_is_half_the_rounds() {
    for kind in KINDS {
        let run = "latency -i 1000 -l 200 -q";
        let console = on_core_0(&format!(
            "load {kind} 100; {run}; load {kind} 50; {run}; load {kind} 20; {run}; load {kind} 0; {run}"
        ));
        let rounds = rounds(&console, kind, 0);
        let [full, half, fifth] = rounds[..] else { panic!("a fourth report has {kind}, or one has not: {rounds:?}") };
        // A line of the flood takes 1.7 ms: of these some fit into 10 ms, and into the half of it.
        let tolerance = if kind == "uart" { 20 } else { 5 };
        assert!(full > 100, "{kind}: {rounds:?}");
        assert!((half * 100 / full).abs_diff(50) <= tolerance, "{kind}: {rounds:?}");
        assert!((fifth * 100 / full).abs_diff(20) <= tolerance, "{kind}: {rounds:?}");
    }
}

#[test]
fn kinds_take_turns() {
    let console = on_core_0("load cpu,memory,messages; latency -i 1000 -l 100 -q");
    let each: Vec<u64> = ["cpu", "memory", "messages"].iter().map(|kind| rounds(&console, kind, 0)[0]).collect();
    assert!(each.iter().max().unwrap() - each.iter().min().unwrap() <= 1, "{each:?}");
}

#[test]
fn what_keeps_interrupts_waiting_is_seen_and_what_only_reckons_is_not() {
    let max = |load: &str| {
        let console = on_core_0(&format!("{load}latency -i 1000 -l 300 -q -N -h 2 --stage handler"));
        number(&console, "# Max Latencies: ")[0]
    };
    let busy = max("load cpu; ");
    // A busy core interrupted, by the counts of the bench: an image whose loads disturb more than they say would show here.
    assert!((18..=20).contains(&busy), "{busy}");
    for kind in ["memory", "cache", "tlb", "dma"] {
        let max = max(&format!("load {kind}; "));
        assert!(max <= busy + 1, "{kind}: {max}, and {busy} beside a load that reckons");
    }
    for kind in ["interrupts", "messages", "uart"] {
        let max = max(&format!("load {kind}; "));
        assert!(max > busy + 5, "{kind}: {max}, and {busy} beside a load that reckons");
    }
}

#[test]
fn a_flood_tears_no_line_and_loses_none() {
    let console =
        on_core_0("load uart; latency -i 200 -l 1000 -h 400 -q; info; latency -i 200 -l 1000 -h 400 -q; load stop");
    let lines: Vec<&str> = console.lines().collect();
    let flood: Vec<u64> =
        lines.iter().filter_map(|line| line.strip_prefix("# Load uart ")).map(|n| n.parse().unwrap()).collect();
    assert!(flood.len() > 200, "{}", flood.len());
    assert!(flood.iter().copied().eq(0..flood.len() as u64), "{flood:?}");
    assert!(
        lines.iter().all(|line| !line.contains("Load uart") || line.len() == "# Load uart 0000000".len()),
        "{console}"
    );
    // The rest is what is printed without it: two histograms of 400 rows, whole.
    let rows = lines.iter().filter(|line| line.len() == 13 && line.as_bytes()[6] == b' ' && !line.starts_with('#'));
    assert_eq!(rows.count(), 800);
    // They went on beside the measurement, between its head and its result.
    let head = lines.iter().position(|line| line.starts_with("# Run: ")).unwrap();
    let result = lines.iter().position(|line| *line == "# Histogram").unwrap();
    assert!(lines[head + 1..result].iter().filter(|line| line.starts_with("# Load uart ")).count() > 100, "{console}");
}

#[test]
fn hell_is_the_same_from_the_same_seed() {
    let loads = |seed: &str| {
        let console = on_core_0(&format!("load hell{seed}; latency -i 1000 -l 50 -q; load stop; load"));
        assert!(console.ends_with("# Load: none\n# Exit: status 0\n"), "{console}");
        console
            .lines()
            .find(|line| line.starts_with("# Load: hell -s ") && line.contains("burst 1"))
            .unwrap()
            .to_owned()
    };
    let seventh = loads(" -s 7");
    assert!(seventh.starts_with("# Load: hell -s 7, burst 1"), "{seventh}");
    assert_eq!(seventh, loads(" -s 7"));
    assert_ne!(seventh, loads(" -s 8"));
    // The seed that is printed where none was given gives the same again.
    let unnamed = loads("");
    let seed = unnamed.strip_prefix("# Load: hell").unwrap().split(',').next().unwrap();
    assert_eq!(unnamed, loads(seed));
}

#[test]
fn a_burst_ends_and_behind_a_pause_comes_the_next() {
    // With this seed the first burst has a tenth of one kind on core 0 and is 16.1 s long, its pause 1.0 s.
    let console = on_core_0(
        "load hell -s 77586; latency -i 100000 -l 155 -q; load; latency -i 10000 -l 80 -q; load; latency -i 10000 -l 90 -q; load; load stop",
    );
    let lists = console.lines().filter(|line| line.starts_with("# Load: ") && !line.ends_with("stopped"));
    let lists: Vec<&str> = lists.filter(|line| !line.contains(';')).collect();
    let in_burst = lists.iter().position(|line| line.starts_with("# Load: cpu 10 % on 0, ")).unwrap();
    let in_pause = lists.iter().position(|line| line.starts_with("# Load: cpu 0 % on 0, ")).unwrap();
    let in_next = lists.iter().position(|line| *line == "# Load: hell -s 77586, burst 2").unwrap();
    assert!(in_burst < in_pause && in_pause < in_next, "{lists:?}");
}

#[test]
fn each_core_is_loaded_by_itself_and_stalls_are_found_that_are_there() {
    // Emulated cores take turns: while another one works, core 0 stands still, and its counter goes on.
    let hwlat = "hwlat -l 1 -w 100000 --width 5000 -t 1";
    let console = console(
        "takt-four-cores",
        4,
        &format!("{hwlat}; load cpu -c 1,2,3; {hwlat}; load cpu 0 -c 2; load; load cpu 30 -c all; load; load stop"),
    );
    assert!(console.contains("# Load: cpu 100 % on 1 2 3\n"), "{console}");
    let found = number(&console, "# Hwlat: the largest gap is of ");
    let [quiet, loaded] = found[..] else { panic!("{console}") };
    assert!(quiet < 20 && loaded > 62, "{quiet} ticks alone, {loaded} beside three cores");
    let counts: Vec<&str> = console.lines().filter(|line| line.ends_with(" gaps above 1 us")).collect();
    assert_eq!(counts[0], "# Hwlat: 0 gaps above 1 us");
    assert_ne!(counts[1], "# Hwlat: 0 gaps above 1 us");
    for core in 1..=3 {
        assert!(rounds(&console, "cpu", core)[0] > 100, "{console}");
    }
    assert!(console.contains("# Load: cpu 30 % on 0 1 2 3\n"), "{console}");
    assert!(!console.contains("# Load: cpu 0 % on 2"), "{console}");
}

#[test]
fn a_prompt_is_not_disturbed_and_ctrl_c_ends_hwlat() {
    let input =
        Input::AfterPrompt { prompt: b"# takt> ".into(), bytes: b"hwlat -w 10000; version\r\x03exit 7\r".into() };
    let append = "icount=4 autorun=\"load uart; latency -i 1000 -l 20 -q\"".into();
    let timeout = Some(Duration::from_secs(60));
    let run = Run { icount: Some(4), cores: Some(1), timeout, append, input, ..Run::new(device_program("takt-app")) };
    let mut console = Vec::new();
    let outcome = run.execute(&mut console).unwrap();
    let console = String::from_utf8(console).unwrap();
    assert_eq!(outcome.status, 7, "{console}\n{}", outcome.qemu_messages);
    assert!(console.contains("# takt> hwlat -w 10000; version\n"), "{console}");
    let count = |beginning: &str| console.lines().filter(|line| line.starts_with(beginning)).count();
    // The head of latency and of hwlat, and no version.
    assert_eq!((count("# Image: takt "), count("# Ctrl-C: what stands behind")), (2, 1), "{console}");
    assert_eq!(count("# Hwlat: window 10000 us, width 5000 us, threshold 10 us, until Ctrl-C"), 1, "{console}");
    assert!(count("# Load uart ") > 5, "{console}");
    assert!(console.lines().all(|line| !line.contains("takt> ") || !line.contains("Load uart")), "{console}");
}
