//! The short sweep, against the budgets: what a direct handler may be kept waiting, and a kernel handler with the task that
//! it wakes, and that every path ends as it does undisturbed. `make sweep` is the whole one.

use std::path::{Path, PathBuf};

use takt_host::run::Stop;
use takt_host::sweep::{Sweep, budgets, verdict};

fn workspace() -> PathBuf {
    let host = Path::new(env!("CARGO_MANIFEST_DIR"));
    host.parent().unwrap_or(host).to_owned()
}

fn program(name: &str) -> PathBuf {
    let named = std::env::var_os("TAKT_DEVICE_TARGET").unwrap_or_else(|| "target".into());
    let elf = workspace().join(named).join("aarch64-unknown-none-softfloat/release").join(name);
    assert!(
        elf.exists(),
        "{} does not exist; 'make test' builds it (TAKT_DEVICE_TARGET names another target directory)",
        elf.display()
    );
    elf
}

#[test]
fn no_path_keeps_an_interrupt_waiting_longer_than_its_budget() {
    let budgets = budgets::read(&workspace().join("budgets.toml")).unwrap();
    let (direct, kernel) = (program("sweep"), program("sweep-kernel"));
    let swept = Sweep { direct, kernel, is_short: true, stop: Stop::default() }.sweep().unwrap();
    let over = verdict::over(&swept, &budgets);
    assert!(over.is_empty(), "{}", over.join("\n"));
    for budget in [budgets.latency, budgets.masked, budgets.kernel_handler, budgets.kernel_task] {
        assert!(budget.is_some(), "budgets.toml has a budget for each figure of the sweep");
    }
}
