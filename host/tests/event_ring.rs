//! What an event of the event ring takes, in instructions, against the budgets; and that what `latency --freeze-on-max`
//! prints explains its maximum. The lines of that differ with every change of code, so there is no golden output for it.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::arithmetic_side_effects,
    reason = "a test that cannot go on fails"
)]

use std::collections::BTreeMap;
use std::time::Duration;

mod device;

use device::{device_program, workspace};
use serde::Deserialize;
use takt_host::run::Run;

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Budgets {
    event_masked: Budget,
    event_mark: Budget,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Budget {
    max: i64,
}

/// The greatest of each row `name,min,max`.
fn rows(console: &str) -> BTreeMap<&str, i64> {
    let row = |line| {
        let mut fields = str::split(line, ',');
        let (name, _, max) = (fields.next()?, fields.next()?, fields.next()?);
        Some((name, max.parse().ok()?))
    };
    console.lines().filter(|line| !line.starts_with('#')).filter_map(row).collect()
}

/// What a program with the event ring prints, run with this boot line.
fn console(program: &str, append: &str) -> String {
    let elf = device_program(program);
    let append = append.to_owned();
    let limit = Some(Duration::from_secs(60));
    let run = Run { icount: Some(4), cores: Some(1), timeout: limit, append, ..Run::new(elf) };
    let mut console = Vec::new();
    let outcome = run.execute(&mut console).unwrap();
    let console = String::from_utf8(console).unwrap();
    assert_eq!(outcome.status, 0, "{console}");
    console
}

#[test]
fn no_event_takes_more_than_its_budget() {
    let budgets: Budgets = toml::from_str(&std::fs::read_to_string(workspace().join("budgets.toml")).unwrap()).unwrap();
    let console = console("event-cost", "");
    let rows = rows(&console);
    for name in ["masked", "masked-at"] {
        assert!(rows[name] <= budgets.event_masked.max, "{name} takes {} instructions", rows[name]);
    }
    assert!(rows["mark"] <= budgets.event_mark.max, "mark takes {} instructions", rows["mark"]);
}

/// The fields behind `# Trace NAME: `.
fn header<'c>(dump: &'c str, name: &str) -> Vec<&'c str> {
    let beginning = format!("# Trace {name}: ");
    let line = dump.lines().find_map(|line| line.strip_prefix(&beginning));
    line.unwrap_or_else(|| panic!("no line '{beginning}' in\n{dump}")).split(',').collect()
}

#[test]
fn freezing_on_the_maximum_explains_it() {
    // Both slots are due at once in the first cycle: the second then waits for the first one's job.
    let console =
        console("app-with-event-ring", "icount=4 autorun=\"latency -i 1000 -l 20 -t 2 -q --freeze-on-max; exit\"");
    let (_, dump) = console.split_once("# Trace version: 1").expect("a dump");
    let number = |text: &str| text.parse::<u64>().unwrap();
    let [rank, _, due, lateness] = header(dump, "maximum")[..] else { panic!("{dump}") };
    let events: Vec<(u64, String)> = dump
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .map(|line| {
            let (stamp, rest) = line.split_once(',').unwrap();
            (number(stamp), rest.strip_prefix("0,").unwrap().to_owned())
        })
        .collect();
    assert_eq!(header(dump, "events"), [events.len().to_string()]);
    assert!(dump.contains(&format!("# Trace end: {} events", events.len())));
    assert!(events.len() > 16, "too few events to explain anything:\n{dump}");
    assert!(events.is_sorted_by_key(|(stamp, _)| *stamp), "stamps go back:\n{dump}");
    // It ends where the task runs, a few ticks before the stamp that is the maximum.
    let start = (number(due) + number(lateness)) / 2;
    let (switched, last) = events.last().unwrap();
    assert!(last.starts_with("switch,") && last.ends_with(&format!(",{rank}")), "{last} is not the switch to {rank}");
    assert!((1..64).contains(&start.saturating_sub(*switched)), "switched at {switched}, first statement at {start}");
    // From its release on there is what it waited for: another slot's release, turn and wait.
    let released = events.iter().rposition(|(_, event)| *event == format!("release,{rank}")).expect("its release");
    let other = if rank == "0" { "1" } else { "0" };
    assert!(events[..released].iter().any(|(_, event)| *event == format!("release,{other}")), "{dump}");
    assert!(events[released..].iter().any(|(_, event)| *event == format!("block,{other}")), "{dump}");
}

#[test]
fn a_maximum_is_told_as_a_story() {
    let commands =
        "latency -i 1000 -l 20 -t 2 -q --stage task -N; trace freeze-over 1; latency -i 1000 -l 20 -t 2 -q; exit";
    let console = console("app-with-event-ring", &format!("icount=4 autorun=\"{commands}\""));
    let story: Vec<&str> = console.lines().filter_map(|line| line.strip_prefix("# Story: ")).collect();
    let (head, who) = (story.first().unwrap(), story.last().unwrap());
    let [_, _, due, lateness] = header(&console, "maximum")[..] else { panic!("{console}") };
    let lateness_ns = lateness.parse::<u64>().unwrap() * 8;
    assert!(head.contains(&format!(" began {lateness_ns} ns behind its due instant")), "{head}, {due}");
    // Who had the core had it for the whole lateness, the other slot for most of it.
    let shares: Vec<u64> = who.split(", ").map(|share| share.rsplit(' ').nth(1).unwrap().parse().unwrap()).collect();
    assert_eq!(shares.iter().sum::<u64>(), lateness_ns, "{who}");
    for part in ["idle has the core", "slot_0 is released", "from slot_0 to slot_1", "slot_1's first statement"] {
        assert!(story.iter().any(|line| line.ends_with(part)), "no '{part}' in {story:#?}");
    }
}

#[test]
fn the_trace_is_of_what_ran_between_start_and_stop() {
    let switches_of_bench = |commands: &str| {
        let console = console("app-with-event-ring", &format!("icount=4 autorun=\"{commands}; exit\""));
        let (_, dump) = console.rsplit_once("# Trace version: 1").expect("a dump");
        let rank = |name: &str| {
            let line = dump.lines().find(|line| line.ends_with(&format!(",{name},110"))).expect("the task's line");
            line.strip_prefix("# Trace task: ").unwrap().split(',').next().unwrap().to_owned()
        };
        let switch = format!(",0,switch,{},{}", rank("yield_first"), rank("yield_second"));
        dump.lines().filter(|line| line.ends_with(&switch)).count()
    };
    assert_eq!(
        switches_of_bench("trace start; bench -l 5; trace stop; latency -l 3 -q; trace dump"),
        10,
        "by two clocks"
    );
    assert_eq!(switches_of_bench("trace start; trace stop; bench -l 5; trace"), 0, "what came behind stop");
    assert_eq!(switches_of_bench("bench -l 5; trace start; latency -l 3 -q; trace"), 0, "what came before start");
}
