//! How far typing and printing move a measurement, by a flood inside the guest, against the budgets.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

use std::time::Duration;

mod device;

use device::{device_program, workspace};
use serde::Deserialize;
use takt_host::run::Run;

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Budgets {
    console_flood_handler: Budget,
    console_flood_task: Budget,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Budget {
    max: i64,
}

#[test]
fn a_flood_keeps_the_timer_waiting_for_one_handler_and_no_longer() {
    let budgets: Budgets = toml::from_str(&std::fs::read_to_string(workspace().join("budgets.toml")).unwrap()).unwrap();
    let timeout = Some(Duration::from_secs(120));
    let run = Run { icount: Some(4), cores: Some(1), timeout, ..Run::new(device_program("console-flood")) };
    let mut console = Vec::new();
    let outcome = run.execute(&mut console).unwrap();
    let console = String::from_utf8(console).unwrap();
    let figures: Vec<&str> =
        console.lines().filter(|line| line.contains("console-") || line.starts_with('#')).collect();
    // No byte was lost and no release skipped.
    assert_eq!(outcome.status, 0, "{figures:#?}");
    let most = |name: &str| -> i64 {
        let row = figures.iter().find_map(|line| line.strip_prefix(name)?.strip_prefix(',')).unwrap();
        row.rsplit(',').next().unwrap().parse().unwrap()
    };
    assert!(most("console-silence-task") < 100, "{figures:#?}");
    assert!(most("console-flood-handler") > most("console-silence-handler") + 50, "there is a flood: {figures:#?}");
    assert!(most("console-flood-handler") <= budgets.console_flood_handler.max, "{figures:#?}");
    assert!(most("console-flood-task") <= budgets.console_flood_task.max, "{figures:#?}");
}
