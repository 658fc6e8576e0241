//! The table of both programs, which differ in the interrupt that is fired.

/// Declares it, with that interrupt.
macro_rules! table {
    ($probe:expr) => {
        use takt::prelude::*;

        takt::tasks! {
            probe: $probe,
            waker: Interrupt::kernel(actors::WAKER, actors::wake_the_waiter),
            waker_of_two: Interrupt::kernel(actors::WAKER_OF_TWO, actors::wake_two),
            woken: Task::background(probe::woken).priority(1),
            urgent: Task::slot(actors::released::<{ actors::URGENT }>).priority(actors::URGENT_PRIORITY),
            second: Task::slot(actors::released::<{ actors::SECOND }>).priority(actors::SECOND_PRIORITY),
            timers: Task::background(takt::timer::task).priority(25),
            sporadic: Task::sporadic(actors::sporadic).min_interval(micros(1)).priority(26),
            postponed: Task::sporadic(actors::postponed).min_interval(millis(2)).priority(27),
            waiter: Task::background(actors::waiter).priority(30),
            contender: Task::background(actors::contender).priority(30).locks_inherit("bus", millis(1)),
            impatient: Task::background(actors::impatient).priority(30).locks_inherit("bus", millis(1)),
            worker: Task::background(actors::worker).priority(30).locks_inherit("jobs", millis(1)),
            flags_waiter: Task::background(actors::flags_waiter).priority(30),
            barrier_waiter: Task::background(actors::barrier_waiter).priority(30),
            reader: Task::background(actors::reader).priority(31),
            follower: Task::background(actors::follower).priority(32),
            addressee: Task::background(actors::addressee).priority(33),
            crowd_0: Task::slot(actors::crowd).priority(40),
            crowd_1: Task::slot(actors::crowd).priority(40),
            crowd_2: Task::slot(actors::crowd).priority(40),
            crowd_3: Task::slot(actors::crowd).priority(40),
            crowd_4: Task::slot(actors::crowd).priority(40),
            crowd_5: Task::slot(actors::crowd).priority(40),
            crowd_6: Task::slot(actors::crowd).priority(40),
            crowd_7: Task::slot(actors::crowd).priority(40),
            crowd_8: Task::slot(actors::crowd).priority(40),
            crowd_9: Task::slot(actors::crowd).priority(40),
            crowd_10: Task::slot(actors::crowd).priority(40),
            crowd_11: Task::slot(actors::crowd).priority(40),
            crowd_12: Task::slot(actors::crowd).priority(40),
            crowd_13: Task::slot(actors::crowd).priority(40),
            crowd_14: Task::slot(actors::crowd).priority(40),
            crowd_15: Task::slot(actors::crowd).priority(40),
            crowd_16: Task::slot(actors::crowd).priority(40),
            crowd_17: Task::slot(actors::crowd).priority(40),
            crowd_18: Task::slot(actors::crowd).priority(40),
            crowd_19: Task::slot(actors::crowd).priority(40),
            driver: Task::background(walk::driver)
                .priority(200)
                .locks_preemption(micros(100))
                .stack_bytes(32 * 1024)
                .locks_inherit("bus", millis(1))
                .locks_inherit("jobs", millis(1)),
            equal: Task::background(actors::equal).priority(200),
            lower: Task::slot(actors::released::<{ actors::LOWER }>).priority(250),
            taker: Task::background(actors::taker).priority(252),
            listener: Task::background(actors::listener).priority(254),
        }
    };
}
