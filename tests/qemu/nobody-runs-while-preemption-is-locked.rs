//! While a task has locked preemption, interrupts come and no other task runs, however urgent: neither one that a handler
//! wakes, nor one whose instant has come, nor one that becomes more urgent. It may lock once more, and a mutex, within; when
//! it has ended, the most urgent runs at once.
// run: --icount 4 --cores 1
// run: --icount 4 --cores 1 --append timebase=generic
#![no_std]
#![no_main]

use takt::TaskHandle;
use takt::kernel::priority::Priority;
use takt::prelude::*;
use takt_tests::{Gate, Log, busy_for_us, raise};

takt::tasks! {
    wake: Interrupt::kernel(3, wake),
    direct: Interrupt::direct(4, direct),
    urgent: Task::background(urgent).priority(1),
    sleeper: Task::background(sleeper).priority(2),
    locker: Task::background(locker).priority(20).locks_preemption(millis(5)).locks(&SHARED, micros(10)),
    equal: Task::background(equal).priority(20),
    reporter: Task::background(reporter).priority(254),
}

static LOG: Log<30> = Log::new();
static DONE: Gate = Gate::new(1);
static URGENT: Event = Event::new();
static SHARED: Mutex<u32, 20> = Mutex::new(0);

fn wake() {
    LOG.note(&"  a kernel handler wakes the most urgent task");
    URGENT.set_from_handler();
}

fn direct() {
    LOG.note(&"  a direct handler comes");
}

fn urgent() -> ! {
    loop {
        URGENT.wait();
        LOG.note(&"the most urgent task");
    }
}

fn sleeper() -> ! {
    takt::sleep_for(millis(2));
    LOG.note(&"the sleeper");
    takt_tests::rest()
}

fn equal() -> ! {
    LOG.note(&"the equal");
    takt_tests::rest()
}

fn locker() -> ! {
    LOG.note(&"preemption is locked");
    let answer = preemption_lock(|| {
        raise(3);
        raise(4);
        LOG.note(&"  and once more");
        preemption_lock(|| URGENT.set());
        LOG.note(&"  and a mutex within");
        SHARED.lock(|times| *times += 1);
        LOG.note(&"  an instant comes for which another sleeps");
        busy_for_us(3_000);
        LOG.note(&"  an equal becomes more urgent");
        if let (Some(equal), Some(priority)) = (TaskHandle::named("equal"), Priority::new(10)) {
            let _ = equal.set_priority(priority);
        }
        LOG.note(&"  and ends");
        42
    });
    LOG.note(if answer == 42 { &"preemption was locked" } else { &"the answer is lost" });
    SHARED.lock(|_| {
        LOG.note(&"a mutex, and preemption within");
        preemption_lock(|| raise(3));
    });
    LOG.note(&"both are unlocked");
    DONE.arrive_and_rest()
}

fn reporter() -> ! {
    LOG.report_after(&DONE).end()
}
