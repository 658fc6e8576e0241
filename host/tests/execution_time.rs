//! What accounting execution times takes, in instructions, against the budgets: the same program with and without it.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a test that cannot go on fails"
)]

use std::collections::BTreeMap;
use std::time::Duration;

mod device;

use device::{device_program, workspace};
use takt_host::run::Run;

/// The greatest of each row `name,min,max` that a program prints, run with this boot line.
fn rows(program: &str, append: &str) -> BTreeMap<String, i64> {
    let (limit, append) = (Some(Duration::from_secs(120)), append.to_owned());
    let run = Run { icount: Some(4), cores: Some(1), timeout: limit, append, ..Run::new(device_program(program)) };
    let mut console = Vec::new();
    let outcome = run.execute(&mut console).unwrap();
    let console = String::from_utf8(console).unwrap();
    assert_eq!(outcome.status, 0, "{console}");
    let row = |line: &str| {
        let mut fields = line.split(',');
        let (name, _, max) = (fields.next()?, fields.next()?, fields.next()?);
        Some((name.to_owned(), max.parse().ok()?))
    };
    console.lines().filter(|line| !line.starts_with('#')).filter_map(row).collect()
}

/// How much more each of these figures is, in the program that accounts, at the most.
fn most_more(program: &str, append: &str, figures: &[&str]) -> i64 {
    let (without, with) = (rows(program, append), rows(&accounting(program), append));
    let more = figures.iter().map(|&name| {
        let (without, with) = (without.get(name), with.get(name));
        with.zip(without).map(|(with, without)| with - without).unwrap_or_else(|| panic!("no row {name}"))
    });
    more.max().unwrap()
}

/// The same program, built with the feature.
fn accounting(program: &str) -> String {
    format!("{}-with-execution-time", program.strip_prefix("takt-").unwrap_or(program))
}

fn budget(name: &str) -> i64 {
    let budgets: toml::Table =
        toml::from_str(&std::fs::read_to_string(workspace().join("budgets.toml")).unwrap()).unwrap();
    budgets[name]["max"].as_integer().unwrap()
}

fn keeps(name: &str, more: i64) {
    let most = budget(name);
    assert!(more <= most, "{name}: {more} instructions more than without, budget {most}");
}

#[test]
fn a_switch_and_a_kernel_handler_keep_their_budgets() {
    let services = "service-paths";
    let switches = ["service-semaphore-give-task", "service-event-set-task", "service-inherit-mutex-unlock-task"];
    keeps("execution-time-switch", most_more(services, "", &switches));
    keeps("execution-time-handler", most_more(services, "", &["service-handler-semaphore-give-task"]));
}

#[test]
fn a_release_and_a_yield_keep_their_budgets() {
    let bench = "icount=4 autorun=\"bench -l 500; exit\"";
    keeps("execution-time-handler", most_more("takt-app", bench, &["timer-task-idle", "timer-task-busy"]));
    keeps("execution-time-switch", most_more("takt-app", bench, &["yield"]));
}

#[test]
fn who_does_not_switch_pays_nothing() {
    let figures = ["service-semaphore-give", "service-semaphore-take", "service-mutex-lock", "service-mutex-unlock"];
    assert_eq!(most_more("service-paths", "", &figures), 0, "instructions more than without");
}
