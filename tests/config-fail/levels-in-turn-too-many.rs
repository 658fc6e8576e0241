//! More levels in turn than there are places for.
#![no_std]
#![no_main]

use takt::prelude::*;

takt::tasks! {
    workers_0: Level::round_robin(10, millis(1)),
    workers_1: Level::round_robin(11, millis(1)),
    workers_2: Level::round_robin(12, millis(1)),
    workers_3: Level::round_robin(13, millis(1)),
    workers_4: Level::round_robin(14, millis(1)),
    workers_5: Level::round_robin(15, millis(1)),
    workers_6: Level::round_robin(16, millis(1)),
    workers_7: Level::round_robin(17, millis(1)),
    workers_8: Level::round_robin(18, millis(1)),
    task_0: Task::background(body).priority(10),
    task_1: Task::background(body).priority(11),
    task_2: Task::background(body).priority(12),
    task_3: Task::background(body).priority(13),
    task_4: Task::background(body).priority(14),
    task_5: Task::background(body).priority(15),
    task_6: Task::background(body).priority(16),
    task_7: Task::background(body).priority(17),
    task_8: Task::background(body).priority(18),
}

fn body() -> ! {
    loop {}
}
