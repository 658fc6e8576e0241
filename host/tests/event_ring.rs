//! What an event of the event ring takes, in instructions, against the budgets.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;
use takt_host::run::Run;

fn workspace() -> PathBuf {
    let host = Path::new(env!("CARGO_MANIFEST_DIR"));
    host.parent().unwrap_or(host).to_owned()
}

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

#[test]
fn no_event_takes_more_than_its_budget() {
    let named = std::env::var_os("TAKT_DEVICE_TARGET").unwrap_or_else(|| "target".into());
    let elf = workspace().join(named).join("aarch64-unknown-none-softfloat/release/event-cost");
    assert!(
        elf.exists(),
        "{} does not exist; 'make test' builds it (TAKT_DEVICE_TARGET names another target directory)",
        elf.display()
    );
    let budgets: Budgets = toml::from_str(&std::fs::read_to_string(workspace().join("budgets.toml")).unwrap()).unwrap();
    let run = Run { icount: Some(4), cores: Some(1), timeout: Some(Duration::from_secs(60)), ..Run::new(elf) };
    let mut console = Vec::new();
    let outcome = run.execute(&mut console).unwrap();
    let console = String::from_utf8(console).unwrap();
    assert_eq!(outcome.status, 0, "{console}");
    let rows = rows(&console);
    for name in ["masked", "masked-at"] {
        assert!(rows[name] <= budgets.event_masked.max, "{name} takes {} instructions", rows[name]);
    }
    assert!(rows["mark"] <= budgets.event_mark.max, "mark takes {} instructions", rows["mark"]);
}
