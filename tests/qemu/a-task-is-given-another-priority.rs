//! Any task can be given another priority at any time, and it counts at once: a task that waits for a semaphore is served by
//! its new one, one that is ready comes in front, one that sleeps wakes with it, and the task that runs lets others run. A
//! priority at which a task could not lock its mutex is refused, and nothing happens.
// run: --icount 4 --cores 1
// run: --icount 4 --cores 1 --append timebase=generic
#![no_std]
#![no_main]

use takt::clock;
use takt::kernel::priority::Priority;
use takt::prelude::*;
use takt::{AboveCeiling, TaskHandle};
use takt_tests::{Gate, Log, Report, busy_for_us, report};

takt::tasks! {
    first: Task::background(first).priority(10),
    second: Task::background(second).priority(20),
    third: Task::background(third).priority(30).locks(&SHARED, micros(10)),
    sleeper: Task::background(sleeper).priority(40),
    reporter: Task::background(reporter).priority(100),
    lower: Task::background(lower).priority(200),
}

static LOG: Log<20> = Log::new();
static DONE: Gate = Gate::new(3);
static SEMAPHORE: Semaphore = Semaphore::new(0);
static SHARED: Mutex<u32, 25> = Mutex::new(0);

fn first() -> ! {
    SEMAPHORE.take();
    LOG.note(&"first");
    DONE.arrive_and_rest()
}

fn second() -> ! {
    SEMAPHORE.take();
    LOG.note(&"second");
    DONE.arrive_and_rest()
}

fn third() -> ! {
    SEMAPHORE.take();
    SHARED.lock(|times| *times += 1);
    LOG.note(&"third");
    DONE.arrive_and_rest()
}

fn sleeper() -> ! {
    loop {
        takt::sleep_for(millis(1));
        LOG.note(&"the sleeper");
    }
}

fn lower() -> ! {
    for words in [&"lower", &"lower once more"] {
        LOG.note(words);
        let _ = set("lower", 200);
    }
    takt_tests::rest()
}

/// Gives a task a priority, and answers with the number of its former one.
fn set(name: &str, priority: u8) -> Result<u8, AboveCeiling> {
    let (Some(task), Some(priority)) = (TaskHandle::named(name), Priority::new(priority)) else {
        panic!("there is no task {name}, or no priority {priority}");
    };
    task.set_priority(priority).map(Priority::number)
}

fn reporter() -> ! {
    let mut report = Report::new();
    report.is("no task is called 'fourth'", TaskHandle::named("fourth").is_none());
    let own = TaskHandle::running().map(|task| (task.name(), task.priority().number()));
    report.is("this is 'reporter' at 100", own == Some(("reporter", 100)));
    report.is("third, which waits, becomes more urgent than first: refused", set("third", 5).is_err());
    report.is("at its mutex's ceiling it is not", set("third", 25) == Ok(30));
    report.is("second becomes less urgent than both", set("second", 50) == Ok(20));
    report.is("first becomes the least urgent of the three", set("first", 60) == Ok(10));
    let _ = (SEMAPHORE.give(), SEMAPHORE.give(), SEMAPHORE.give());
    LOG.print(&mut report);
    report!(report, "a task that is ready becomes more urgent, and less again:");
    let was = set("lower", 90);
    LOG.print(&mut report);
    report.is("it had 200", was == Ok(200));
    report!(report, "this one becomes less urgent, and the other gives itself back:");
    let _ = set("lower", 110);
    let _ = set("reporter", 120);
    LOG.note(&"the reporter again");
    LOG.print(&mut report);
    report!(report, "a sleeper becomes less urgent than this one, and more urgent again:");
    sleep_until(clock::from_now(micros(1_100)));
    LOG.print(&mut report);
    let _ = set("sleeper", 240);
    busy_for_us(2_000);
    LOG.note(&"the reporter was busy");
    let _ = set("sleeper", 30);
    LOG.print(&mut report);
    DONE.wait();
    report.priorities();
    if let Err(refused) = set("third", 24) {
        report!(report, "{refused}");
    }
    report.end()
}
