// SPDX-License-Identifier: MIT OR Apache-2.0
//! One wrong table per sentence.

use core::time::Duration;
use std::string::{String, ToString};
use std::vec::Vec;
use std::{format, vec};

use super::{
    Band, CoreFaultEntry, Entry, Hold, Holds, Inherit, Inherits, InterruptEntry, Kind, MOST_HOLDS, MOST_INHERITS,
    MOST_TASKS, OnCoreFault, Order, PortEntry, Reserved, TaskEntry, Trigger, check, check_core, of_core,
};
use crate::TaskId;
use crate::priority::Priority;
use crate::release::OverrunPolicy;
use crate::sentence::Sentence;

const RESERVED: Reserved =
    Reserved { system_timer: 97, generic_timer: 30, serial: [153, 125], software: [15, 14, 13], intid_limit: 256 };

fn task(name: &'static str, priority: u8) -> TaskEntry {
    let (holds, inherits, wcet) = (Holds::NONE, Inherits::NONE, Duration::ZERO);
    TaskEntry {
        name,
        kind: Kind::Background,
        priority,
        core: 0,
        stack_bytes: 4_096,
        holds,
        inherits,
        wcet,
        remote_sends: 0,
    }
}

fn periodic(period: Duration, offset: Duration, deadline: Option<Duration>) -> Entry {
    let kind = Kind::Periodic { period, offset, deadline, overrun: OverrunPolicy::Skip };
    Entry::Task(TaskEntry { kind, ..task("control", 10) })
}

fn interrupt(name: &'static str, intid: u16) -> Entry {
    Entry::Interrupt(InterruptEntry { name, ..InterruptEntry::new(intid, Band::Kernel) })
}

fn sentence(entries: &[Entry]) -> String {
    wrong(entries).unwrap().as_str().to_string()
}

/// What is wrong with the table as a whole, or with what a core has of it.
fn wrong(entries: &[Entry]) -> Option<Sentence> {
    let on_core = |core| check_core(&own(entries, core), core);
    check(entries, RESERVED).and_then(|()| (0..4).try_for_each(on_core)).err()
}

fn own(entries: &[Entry], core: u8) -> Vec<Entry> {
    of_core::<100>(entries, core)[..entries.len()].to_vec()
}

const MS: Duration = Duration::from_millis(1);

#[test]
fn a_sound_table_passes() {
    let entries = [periodic(MS, Duration::ZERO, None), Entry::Task(task("logger", 254)), interrupt("uart", 145)];
    assert!(check(&entries, RESERVED).is_ok());
}

#[test]
fn priorities() {
    assert_eq!(
        sentence(&[Entry::Task(task("a", 0))]),
        "takt: task 'a' has priority 0 or none; give it one of 1 (most urgent) to 254 with .priority(n)"
    );
    assert_eq!(
        sentence(&[Entry::Task(task("a", 255))]),
        "takt: task 'a' has priority 255, which is the idle task's; give it one of 1 (most urgent) to 254 with \
         .priority(n)"
    );
}

#[test]
fn minimum_intervals() {
    let sporadic = |min_interval, deadline| {
        Entry::Task(TaskEntry { kind: Kind::Sporadic { min_interval, deadline }, ..task("control", 10) })
    };
    assert!(check(&[sporadic(MS, None)], RESERVED).is_ok());
    assert_eq!(
        sentence(&[sporadic(Duration::ZERO, None)]),
        "takt: task 'control' is sporadic and has minimum interval 0; give it one of 1 us to 1 hour with .min_interval(d), so \
         that what releases it cannot take the whole core"
    );
    assert_eq!(
        sentence(&[sporadic(Duration::from_nanos(1_500), None)]),
        "takt: task 'control' has minimum interval 1500 ns; the system timer counts whole microseconds, so give a multiple of \
         1000 ns"
    );
    assert_eq!(
        sentence(&[sporadic(Duration::from_secs(3_601), None)]),
        "takt: task 'control' has minimum interval 3601000000 us; the longest is 3600000000 us, an hour"
    );
    assert_eq!(
        sentence(&[sporadic(MS, Some(Duration::ZERO))]),
        "takt: task 'control' has deadline 0; leave .deadline(d) out for a deadline equal to the minimum interval"
    );
}

#[test]
fn names() {
    assert_eq!(
        sentence(&[Entry::Task(task("a", 1)), Entry::Task(task("b", 1)), interrupt("a", 1)]),
        "takt: the name 'a' stands twice in the table; every name must differ"
    );
}

#[test]
fn periods() {
    assert_eq!(
        sentence(&[periodic(Duration::ZERO, Duration::ZERO, None)]),
        "takt: task 'control' has period 0; give it one of 1 us to 1 hour with .period(d)"
    );
    assert_eq!(
        sentence(&[periodic(Duration::from_nanos(1_500), Duration::ZERO, None)]),
        "takt: task 'control' has period 1500 ns; the system timer counts whole microseconds, so give a multiple of \
         1000 ns"
    );
    assert_eq!(
        sentence(&[periodic(MS, Duration::from_nanos(1), None)]),
        "takt: task 'control' has offset 1 ns; the system timer counts whole microseconds, so give a multiple of 1000 ns"
    );
    assert_eq!(
        sentence(&[periodic(Duration::from_secs(3_601), Duration::ZERO, None)]),
        "takt: task 'control' has period 3601000000 us; the longest is 3600000000 us, an hour"
    );
    assert_eq!(
        sentence(&[periodic(MS, Duration::ZERO, Some(Duration::ZERO))]),
        "takt: task 'control' has deadline 0; leave .deadline(d) out for a deadline equal to the period"
    );
}

#[test]
fn cores_and_stacks() {
    assert_eq!(
        sentence(&[Entry::Task(TaskEntry { core: 4, ..task("a", 1) })]),
        "takt: task 'a' is placed on core 4; the BCM2711 has the cores 0 to 3"
    );
    assert_eq!(
        sentence(&[Entry::Task(TaskEntry { stack_bytes: 1_024, ..task("a", 1) })]),
        "takt: task 'a' has a stack of 1024 bytes; give it at least 2048 with .stack_bytes(n)"
    );
    assert_eq!(
        sentence(&[Entry::Task(TaskEntry { stack_bytes: 4_100, ..task("a", 1) })]),
        "takt: task 'a' has a stack of 4100 bytes; the size must be a multiple of 16, as the procedure call standard asks"
    );
}

#[test]
fn interrupts() {
    let a_task = Entry::Task(task("a", 1));
    assert_eq!(
        sentence(&[a_task, interrupt("i", 256)]),
        "takt: interrupt 'i' has INTID 256; the GIC-400 of this board has the INTIDs 0 to 255"
    );
    assert_eq!(
        sentence(&[a_task, interrupt("i", 97)]),
        "takt: interrupt 'i' has INTID 97, which is the executive's own time base; use another"
    );
    for intid in [125, 153] {
        let told = sentence(&[a_task, interrupt("i", intid)]);
        assert_eq!(
            told,
            std::format!(
                "takt: interrupt 'i' has INTID {intid}, which has a handler already; read and write by takt::console and \
                 takt::serial"
            )
        );
    }
    assert_eq!(
        sentence(&[a_task, interrupt("i", 15)]),
        "takt: interrupt 'i' has INTID 15, by which the executive tells itself and other cores; use another of 0 to 12"
    );
    assert_eq!(
        sentence(&[a_task, interrupt("i", 5), interrupt("j", 5)]),
        "takt: interrupt 'i' has INTID 5, and so has 'j'; an interrupt has one handler"
    );
}

#[test]
fn the_number_of_tasks() {
    const NAMES: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-";
    let entries: Vec<_> = (0..64).map(|n| Entry::Task(task(&NAMES[n..=n], 1))).collect();
    assert!(check(&entries[..MOST_TASKS], RESERVED).is_ok());
    assert_eq!(sentence(&entries), "takt: the table has 64 tasks on core 0; a core takes at most 63");
    assert_eq!(sentence(&[]), "takt: the table has no task; declare at least one");
}

#[test]
fn the_order_is_by_urgency_and_stable() {
    let entries = [
        Entry::Task(task("a", 20)),
        interrupt("i", 1),
        Entry::Task(task("b", 10)),
        Entry::Task(task("c", 20)),
        Entry::Task(task("d", 200)),
    ];
    let order = Order::of(&entries);
    let id = |rank| TaskId::new(rank).unwrap();
    assert_eq!(order.tasks, 4);
    assert_eq!([0, 1, 2, 3].map(|rank| order.entry[id(rank)]), [2, 0, 3, 4]);
    assert_eq!([0, 1, 2, 3, 4].map(|rank| order.priority[id(rank)].number()), [10, 20, 20, 200, 255]);
}

fn locks(priority: u8, holds: &[(u8, Duration)]) -> Entry {
    let holds = holds.iter().fold(Holds::NONE, |holds, &(ceiling, time)| holds.with(Hold::new(ceiling, time)));
    Entry::Task(TaskEntry { holds, ..task("control", priority) })
}

#[test]
fn ceilings() {
    const US: Duration = Duration::from_micros(1);
    assert_eq!(
        sentence(&[locks(10, &[(5, US), (11, US)])]),
        "takt: task 'control' locks a mutex of ceiling 11, which is less urgent than its own priority 10; give the mutex \
         the ceiling of its most urgent user"
    );
    assert_eq!(
        sentence(&[locks(10, &[(255, US)])]),
        "takt: task 'control' locks a mutex of ceiling 255; a ceiling is a priority, 1 (most urgent) to 254"
    );
    assert_eq!(
        sentence(&[locks(10, &[(10, Duration::ZERO)])]),
        "takt: task 'control' locks a mutex of ceiling 10 for no time; give the longest time for which it holds it, 1 ns to \
         1 s"
    );
    assert_eq!(
        sentence(&[locks(10, &[(10, Duration::from_secs(2))])]),
        "takt: task 'control' locks a mutex of ceiling 10 for more than a second; give the longest time for which it holds \
         it, 1 ns to 1 s"
    );
    assert_eq!(
        sentence(&[locks(10, &[(10, US); MOST_HOLDS + 1])]),
        "takt: task 'control' locks more than 8 mutexes; join some, or split the task"
    );
    let holds = Holds::NONE.with(Hold::preemption(Duration::ZERO));
    assert_eq!(
        sentence(&[Entry::Task(TaskEntry { holds, ..task("control", 10) })]),
        "takt: task 'control' locks preemption for no time; give the longest time for which it holds it, 1 ns to 1 s"
    );
    let holds = Holds::NONE.with(Hold::preemption(US));
    let preemption = [Entry::Task(TaskEntry { holds, ..task("control", 10) })];
    assert!(check(&preemption, RESERVED).is_ok());
    assert!(Order::of(&preemption).ceilings.contains(Priority::ABOVE_ALL));
    let sound = [locks(10, &[(10, US), (5, US)]), Entry::Task(task("other", 5))];
    assert!(check(&sound, RESERVED).is_ok());
    let ceilings = Order::of(&sound).ceilings;
    assert_eq!(ceilings.len(), 2);
    assert!([5, 10].iter().all(|&number| ceilings.contains(Priority::new(number).unwrap())));
}

#[test]
fn too_many_tasks_and_ceilings() {
    let names: Vec<String> = (0..MOST_TASKS).map(|number| std::format!("t{number}")).collect();
    let mut entries: Vec<Entry> = names.iter().map(|name| Entry::Task(task(String::leak(name.clone()), 100))).collect();
    assert!(check(&entries, RESERVED).is_ok());
    entries[0] = locks(100, &[(100, Duration::from_micros(1))]);
    assert_eq!(
        sentence(&entries),
        "takt: the table has 63 tasks and 1 different ceilings; together a core takes at most 63"
    );
}

#[test]
fn execution_times() {
    const LONG: Duration = Duration::from_secs(3_601);
    assert_eq!(
        sentence(&[Entry::Task(TaskEntry { wcet: LONG, ..task("a", 1) })]),
        "takt: task 'a' has a worst-case execution time of 3601000000 us; the longest is 3600000000 us, an hour"
    );
    let entry = InterruptEntry { name: "can", ..InterruptEntry::new(145, Band::Kernel) };
    for wrong in [InterruptEntry { wcet: LONG, ..entry }, InterruptEntry { minimum_interarrival: LONG, ..entry }] {
        assert_eq!(
            sentence(&[Entry::Interrupt(wrong), Entry::Task(task("a", 1))]),
            "takt: interrupt 'can' has INTID 145 and a time of more than an hour; give .wcet(d) and .min_interarrival(d) of \
             up to an hour"
        );
    }
}

#[test]
fn a_core_s_own_line_has_no_trigger_to_choose() {
    let wrong = InterruptEntry { name: "own", trigger: Trigger::Edge, ..InterruptEntry::new(27, Band::Kernel) };
    assert_eq!(
        sentence(&[Entry::Interrupt(wrong), Entry::Task(task("a", 1))]),
        "takt: interrupt 'own' has INTID 27, which is software generated or a core's own, and triggers as the board has it; \
         leave out .edge_triggered()"
    );
}

const US: Duration = Duration::from_micros(1);

/// A task that locks these mutexes with inheritance for so long, and one of this ceiling, if it is not 0.
fn inherits(name: &'static str, priority: u8, mutexes: &[&'static str], longest: Duration, ceiling: u8) -> Entry {
    let inherits = mutexes.iter().fold(Inherits::NONE, |inherits, mutex| inherits.with(Inherit::new(mutex, longest)));
    let holds = if ceiling == 0 { Holds::NONE } else { Holds::NONE.with(Hold::new(ceiling, US)) };
    Entry::Task(TaskEntry { inherits, holds, ..task(name, priority) })
}

#[test]
fn mutexes_with_inheritance() {
    assert_eq!(
        sentence(&[inherits("a", 10, &["bus", ""], US, 0)]),
        "takt: task 'a' locks mutex ''; give it the name that the mutex has"
    );
    assert_eq!(
        sentence(&[inherits("a", 10, &["bus", "log", "bus"], US, 0)]),
        "takt: task 'a' locks mutex 'bus' twice; name it once, with the longest time for which the task holds it"
    );
    assert_eq!(
        sentence(&[inherits("a", 10, &["bus"], Duration::ZERO, 0)]),
        "takt: task 'a' locks mutex 'bus' for no time; give the longest time for which it holds it, 1 ns to 1 s"
    );
    assert_eq!(
        sentence(&[inherits("a", 10, &["bus"], Duration::from_secs(2), 0)]),
        "takt: task 'a' locks mutex 'bus' for more than a second; give the longest time for which it holds it, 1 ns to 1 s"
    );
    assert_eq!(
        sentence(&[inherits("a", 10, &["bus"; MOST_INHERITS + 1], US, 0)]),
        "takt: task 'a' locks more than 6 mutexes with inheritance; join some, or split the task"
    );
    let sound = [inherits("a", 10, &["bus", "log"], US, 0), Entry::Task(task("b", 5))];
    assert!(check(&sound, RESERVED).is_ok());
    assert!(Order::of(&sound).inherits && !Order::of(&[Entry::Task(task("b", 5))]).inherits);
}

#[test]
fn a_task_cannot_become_more_urgent_than_its_own_ceilings() {
    // 'low' may hold 'bus' while 'middle' waits for it, who may hold 'log' while 'high' waits for that.
    let table = |ceiling, last| {
        [
            inherits("low", 30, &["bus"], US, ceiling),
            inherits("high", 10, &[last], US, 0),
            inherits("middle", 20, &["bus", "log"], US, 0),
        ]
    };
    assert_eq!(
        sentence(&table(15, "log")),
        "takt: task 'low' locks a mutex of ceiling 15 and inherits the priority 10 of task 'high', which is more urgent; give \
         the mutex that ceiling, or both mutexes inheritance"
    );
    assert!(wrong(&table(10, "log")).is_none());
    assert!(wrong(&table(15, "other")).is_none());
    assert!(wrong(&table(21, "other")).is_some());
}

#[test]
fn a_mutex_with_inheritance_takes_a_place() {
    let names: Vec<String> = (0..MOST_TASKS).map(|number| std::format!("t{number}")).collect();
    let mut entries: Vec<Entry> = names.iter().map(|name| Entry::Task(task(String::leak(name.clone()), 100))).collect();
    entries[0] = inherits("t0", 100, &["bus"], US, 0);
    assert_eq!(
        sentence(&entries),
        "takt: the table has 63 tasks and 0 different ceilings; with a mutex with inheritance a core takes at most 62 together"
    );
    let _ = entries.pop();
    assert!(check(&entries, RESERVED).is_ok());
}

#[test]
fn each_core_has_its_own_tasks() {
    let on = |core, name, priority| Entry::Task(TaskEntry { core, ..task(name, priority) });
    let entries = [on(1, "a", 30), on(0, "b", 20), on(1, "c", 10), interrupt("i", 60)];
    assert!(wrong(&entries).is_none());
    let order = |core| {
        let order = Order::of(&of_core::<4>(&entries, core));
        TaskId::all().take(order.tasks).map(|task| order.entry[task]).collect::<Vec<_>>()
    };
    assert_eq!([order(0), order(1), order(2)], [vec![1], vec![2, 0], vec![]]);
}

#[test]
fn a_core_takes_63_tasks_and_four_take_four_times_as_many() {
    let names: Vec<String> = (0..100).map(|number| format!("task_{number}")).collect();
    let mut entries: Vec<Entry> = (0..64)
        .map(|number| Entry::Task(TaskEntry { core: u8::from(number == 63), ..task(names[number].clone().leak(), 10) }))
        .collect();
    assert!(wrong(&entries).is_none());
    entries[63] = Entry::Task(TaskEntry { core: 0, ..task("last", 10) });
    assert_eq!(sentence(&entries), "takt: the table has 64 tasks on core 0; a core takes at most 63");
}

#[test]
fn a_mutex_does_not_cross() {
    let locking = |core, name| {
        let inherits = Inherits::NONE.with(Inherit::new("log", Duration::from_micros(1)));
        Entry::Task(TaskEntry { core, inherits, ..task(name, 10) })
    };
    assert!(wrong(&[locking(2, "a"), locking(2, "b")]).is_none());
    assert_eq!(
        sentence(&[locking(0, "a"), locking(2, "b")]),
        "takt: mutex 'log' is locked by task 'a' on core 0 and by task 'b' on core 2; a mutex does not cross cores: let a task on \
         one of them do the work, and send it messages"
    );
}

#[test]
fn ports_belong_to_cores_with_tasks() {
    let port = |name, core| Entry::Port(PortEntry { name, core });
    let on_core_2 = Entry::Task(TaskEntry { core: 2, ..task("a", 10) });
    assert!(wrong(&[on_core_2, port("p", 2)]).is_none());
    assert_eq!(
        sentence(&[on_core_2, port("p", 1)]),
        "takt: port 'p' belongs to core 1, on which the table has no task; give it the core of the tasks that use it"
    );
    // Behind a port is an inbox, at which nobody looks where the others do not run.
    let on_core_0 = Entry::Task(task("b", 10));
    assert!(wrong(&[on_core_0, on_core_2, port("p", 0)]).is_none());
    assert_eq!(
        sentence(&[on_core_0, port("p", 0)]),
        "takt: port 'p' is the way for other cores, and every task of the table is on core 0; use the object itself, a \
         MessageQueue in place of Lanes, or place a task on another core with .core(n)"
    );
    let names: Vec<&str> = (0..64).map(|number| &*format!("port_{number}").leak()).collect();
    let mut entries: Vec<Entry> = names.iter().map(|name| port(name, 2)).collect();
    entries.push(on_core_2);
    assert_eq!(
        sentence(&entries),
        "takt: the table has 64 ports; at most 63 have a bit in a core's inbox: let tasks share some"
    );
}

#[test]
fn one_line_says_what_becomes_of_the_other_cores() {
    let line = |name| Entry::CoreFault(CoreFaultEntry { name, policy: OnCoreFault::Isolate });
    assert!(wrong(&[Entry::Task(task("a", 10)), line("x")]).is_none());
    assert_eq!(
        sentence(&[Entry::Task(task("a", 10)), line("x"), line("y")]),
        "takt: both 'x' and 'y' say what becomes of the other cores when one faults; keep one of the lines"
    );
}

#[test]
fn who_takes_an_interrupt() {
    let on = |core, intid| {
        let entry = InterruptEntry { name: "i", core, ..InterruptEntry::new(intid, Band::Kernel) };
        [Entry::Task(task("a", 10)), Entry::Task(TaskEntry { core: 3, ..task("b", 10) }), Entry::Interrupt(entry)]
    };
    assert_eq!(
        sentence(&on(2, 60)),
        "takt: interrupt 'i' is to be taken on core 2, on which the table has no task, so that it sleeps; give it a core with tasks"
    );
    assert!(wrong(&on(3, 60)).is_none());
    assert_eq!(
        sentence(&on(4, 60)),
        "takt: interrupt 'i' has INTID 60 and is to be taken on core 4; the BCM2711 has the cores 0 to 3"
    );
    assert_eq!(
        sentence(&on(1, 3)),
        "takt: interrupt 'i' has INTID 3, which is software generated or a core's own, and is taken on core 0 only; leave out \
         .core(n)"
    );
}
