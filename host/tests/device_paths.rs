//! What a byte takes from a UART's receive FIFO, and an edge at a pin, to its handler and to the task that waits for it, and
//! what each of the executive's services takes, against the budgets.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a test that cannot go on fails"
)]

use std::collections::BTreeSet;
use std::time::Duration;

mod device;

use device::{device_program, workspace};
use takt_host::run::Run;

/// Least and most of a figure, out of what the program printed.
fn figure(printed: &str, name: &str) -> (i64, i64) {
    let line = printed.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(',')).unwrap_or_else(|| {
        panic!("the program printed no line for {name}:\n{printed}");
    });
    let (least, most) = line.split_once(',').unwrap();
    (least.parse().unwrap(), most.parse().unwrap())
}

#[test]
fn a_byte_reaches_handler_and_task_within_its_budget() {
    measure("serial-latency", vec![], &["serial-handler", "serial-task"]);
}

#[test]
fn an_edge_reaches_handlers_and_task_within_its_budget() {
    measure("pin-latency", vec![17, 30], &["pin-direct-handler", "pin-handler", "pin-task"]);
}

/// Each figure has a budget, and each budget a figure.
#[test]
fn every_service_keeps_its_budget() {
    let printed = run("service-paths", vec![]) + &run("message-paths", vec![]) + &run("uncontended-paths", vec![]);
    let printed_names = printed.lines().filter_map(|line| line.split_once(',')).map(|(name, _)| name);
    let printed_names: BTreeSet<&str> = printed_names.filter(|name| name.starts_with("service-")).collect();
    let budgets = budgets();
    let budgeted: BTreeSet<&str> =
        budgets.keys().map(String::as_str).filter(|name| name.starts_with("service-")).collect();
    assert_eq!(printed_names, budgeted, "left: printed by tests/services/, right: in budgets.toml");
    budgeted.into_iter().for_each(|name| compare(&printed, &budgets, name));
}

/// The same of what crosses between cores.
#[test]
fn what_crosses_keeps_its_budget() {
    let (printed, budgets) = (run_on(2, "remote-paths", vec![]), budgets());
    let printed_names = printed.lines().filter_map(|line| line.split_once(',')).map(|(name, _)| name);
    let printed_names: BTreeSet<&str> = printed_names.filter(|name| name.starts_with("remote-")).collect();
    let budgeted: BTreeSet<&str> =
        budgets.keys().map(String::as_str).filter(|name| name.starts_with("remote-")).collect();
    assert_eq!(printed_names, budgeted, "left: printed by tests/services/remote.rs, right: in budgets.toml");
    budgeted.into_iter().for_each(|name| compare(&printed, &budgets, name));
}

/// Runs the program with these pins wired and compares its figures with their budgets.
fn measure(program: &str, wired_pins: Vec<u8>, figures: &[&str]) {
    let (printed, budgets) = (run(program, wired_pins), budgets());
    figures.iter().for_each(|name| compare(&printed, &budgets, name));
}

fn budgets() -> toml::Table {
    toml::from_str(&std::fs::read_to_string(workspace().join("budgets.toml")).unwrap()).unwrap()
}

/// What the program prints on one core.
fn run(program: &str, wired_pins: Vec<u8>) -> String {
    run_on(1, program, wired_pins)
}

/// What the program prints on so many cores.
fn run_on(cores: u8, program: &str, wired_pins: Vec<u8>) -> String {
    let elf = device_program(program);
    let timeout = Some(Duration::from_secs(120));
    let run = Run { icount: Some(4), cores: Some(cores), timeout, wired_pins, ..Run::new(elf) };
    let mut printed = Vec::new();
    let outcome = run.execute(&mut printed).unwrap();
    let printed = String::from_utf8_lossy(&printed);
    assert_eq!(outcome.status, 0, "{}\n{printed}", outcome.end);
    printed.into_owned()
}

fn compare(printed: &str, budgets: &toml::Table, name: &str) {
    let (least, most) = figure(printed, name);
    let budget = |key| budgets[name][key].as_integer().unwrap();
    assert!(most <= budget("max"), "{name}: max measured {most} ticks, budget {}", budget("max"));
    let spread = most - least;
    assert!(spread <= budget("spread"), "{name}: spread measured {spread} ticks, budget {}", budget("spread"));
}
