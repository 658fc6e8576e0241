//! An image without the feature says that it accounts nothing, in a sentence that names the feature: never zeros, as if
//! nobody had executed anything.
#![no_std]
#![no_main]

use core::fmt::Display;

use takt::TaskHandle;
use takt::execution_time::{self, CpuUse};
use takt::prelude::*;
use takt_tests::{Report, report};

takt::tasks! {
    reporter: Task::background(reporter).priority(254).stack_bytes(16_384),
}

fn is_refused<T>(report: &mut Report, what: impl Display, answer: Result<T, execution_time::NotAccounted>) {
    report.is(what, answer.is_err());
}

fn reporter() -> ! {
    let mut report = Report::new();
    report.is("the image says so", !execution_time::IS_ON);
    is_refused(&mut report, "the calling task has none", execution_time::this_task_half_ticks());
    is_refused(&mut report, "interrupts have none", execution_time::interrupts_half_ticks());
    if let Some(task) = TaskHandle::running() {
        is_refused(&mut report, "a task has none", task.executed_half_ticks());
        if let Some(told) = task.report() {
            is_refused(&mut report, "nor in its report", told.execution());
        }
    }
    is_refused(&mut report, "the use of the core is not known", CpuUse::since_start().look().map(drop));
    if let Err(error) = execution_time::this_task_half_ticks() {
        report!(report, "{error}");
    }
    report.end()
}
