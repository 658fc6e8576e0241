//! The short sweep, against the budgets: what a direct handler may be kept waiting, and that every path ends as it does
//! undisturbed. `make sweep` is the whole one.

use std::path::{Path, PathBuf};

use takt_host::run::Stop;
use takt_host::sweep::worst::{by_latency, by_masked};
use takt_host::sweep::{Sweep, budgets};

fn workspace() -> PathBuf {
    let host = Path::new(env!("CARGO_MANIFEST_DIR"));
    host.parent().unwrap_or(host).to_owned()
}

#[test]
fn no_path_keeps_a_direct_handler_waiting_longer_than_its_budget() {
    let named = std::env::var_os("TAKT_DEVICE_TARGET").unwrap_or_else(|| "target".into());
    let elf = workspace().join(named).join("aarch64-unknown-none-softfloat/release/sweep");
    assert!(
        elf.exists(),
        "{} does not exist; 'make test' builds it (TAKT_DEVICE_TARGET names another target directory)",
        elf.display()
    );
    let budgets = budgets::read(&workspace().join("budgets.toml")).unwrap();
    let swept = Sweep { elf, is_short: true, stop: Stop::default() }.sweep().unwrap();
    let latest = by_latency(&swept.worst).unwrap();
    let latency = latest.section.first.latency;
    assert!(latency <= budgets.latency.unwrap(), "{}: latency {latency}, {}", latest.path, latest.line);
    let longest = by_masked(&swept.worst).unwrap();
    let masked = longest.section.masked;
    assert!(masked <= budgets.masked.unwrap(), "{}: masked {masked}, {}", longest.path, longest.line);
}
