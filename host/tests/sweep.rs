//! The short sweep, against the budgets: what a direct handler may be kept waiting, and a kernel handler with the task that
//! it wakes, and that every path ends as it does undisturbed. `make sweep` is the whole one.

mod device;

use device::{device_program, workspace};
use takt_host::run::Stop;
use takt_host::sweep::{Sweep, budgets, verdict};

#[test]
fn no_path_keeps_an_interrupt_waiting_longer_than_its_budget() {
    let budgets = budgets::read(&workspace().join("budgets.toml")).unwrap();
    let (direct, kernel) = (device_program("sweep"), device_program("sweep-kernel"));
    let swept = Sweep { direct, kernel, is_short: true, stop: Stop::default() }.sweep().unwrap();
    let over = verdict::over(&swept, &budgets);
    assert!(over.is_empty(), "{}", over.join("\n"));
    for budget in [budgets.latency, budgets.masked, budgets.kernel_handler, budgets.kernel_task] {
        assert!(budget.is_some(), "budgets.toml has a budget for each figure of the sweep");
    }
}
