// SPDX-License-Identifier: MIT OR Apache-2.0
//! The words, and the figures of the kernel.

use super::super::{
    Cost, InterruptLoad, Job, KernelCosts, Level, Platform, Policy, Reason, Set, Source, check, claim, unproven,
};
use super::{bounds, ceiling, interrupt, job, miss, sentence, set};

const US: u64 = 1_000;
const CONTROL: Job<'static> = job("control", 10, 1_000 * US, 400 * US);
const JOBS: &[Job<'static>] =
    &[CONTROL, job("logger", 5, 2_000 * US, 310 * US), Job { locks: LOCKS, ..job("tuner", 20, 90_000 * US, US) }];
const LOCKS: &[super::Hold<'static>] = &[ceiling("limits", 10, 280_500)];
const CAN: &[InterruptLoad<'static>] = &[interrupt("can", 250 * US, 1_300 * US)];

/// Reckoned by the compiler.
const TOLD: crate::sentence::Sentence = match check(&Set { interrupts: CAN, ..set(JOBS) }) {
    Ok(()) => panic!("it can miss"),
    Err(sentence) => sentence,
};

#[test]
fn a_miss_names_who_takes_most() {
    assert_eq!(
        TOLD.as_str(),
        "takt: task 'control' can respond after 1240.5 us, deadline 1000 us: 400 us of it its own, 310 us from 'logger', \
         280.5 us from 'tuner' holding a lock, 250 us from interrupt 'can'"
    );
}

#[test]
fn the_shares_of_a_miss_are_the_largest_and_add_up() {
    let miss = miss(&Set { interrupts: CAN, ..set(JOBS) }, 0);
    let shares: std::vec::Vec<_> =
        miss.shares.iter().flatten().map(|share| (share.source, share.name, share.ns)).collect();
    assert_eq!(
        shares,
        [
            (Source::Own, "", 400_000),
            (Source::Task, "logger", 310_000),
            (Source::Lock, "tuner", 280_500),
            (Source::Interrupt, "can", 250_000)
        ]
    );
}

#[test]
fn a_miss_of_a_later_job_says_which() {
    let jobs = [job("1", 1, 70 * US, 26 * US), Job { deadline_ns: 117 * US, ..job("2", 2, 100 * US, 62 * US) }];
    assert_eq!(
        sentence(&set(&jobs)),
        "takt: task '2' can respond after 118 us, deadline 117 us, in job 5 of a busy 518 us: 310 us of it its own, \
         208 us from '1'"
    );
}

#[test]
fn a_miss_of_a_level_and_one_without_end() {
    let jobs = [
        Job { deadline_ns: 4_321, ..job("a", 5, 10_000, 3_000) },
        Job { deadline_ns: 7_010, ..job("b", 5, 12_000, 5_000) },
    ];
    let levels = [Level { priority: 5, policy: Policy::EarliestDeadlineFirst }];
    assert_eq!(
        sentence(&Set { levels: &levels, ..set(&jobs) }),
        "takt: task 'a' and its equals, the first deadline first, can have to do 8 us within 7.01 us: 5 us of it from \
         'b', 3 us from 'a'"
    );
    let jobs = [job("a", 1, 10 * US, 6 * US), job("b", 2, 20 * US, 10 * US)];
    assert_eq!(
        sentence(&set(&jobs)),
        "takt: task 'b' can respond ever later: it and what is as urgent or more ask for 1100 thousandths of the core; \
         within its deadline of 20 us 12 us of it from 'a', 10 us its own"
    );
}

#[test]
fn a_ceiling_below_a_user_is_refused() {
    let jobs = [Job { locks: &[ceiling("x", 7, 1)], ..job("a", 5, 20, 3) }];
    assert_eq!(
        sentence(&set(&jobs)),
        "takt: task 'a' of priority 5 locks 'x', whose ceiling 7 is less urgent; the ceiling must be that of its most \
         urgent user or above"
    );
    assert!(check(&set(&[Job { locks: &[ceiling("x", 5, 1)], ..job("a", 5, 20, 3) }])).is_ok());
}

#[test]
fn what_is_unproven_passes_and_says_why() {
    let jobs = [Job { wcet_ns: None, ..job("a", 5, 20, 3) }];
    assert!(check(&set(&jobs)).is_ok());
    let told = |reason| std::string::String::from(unproven("a", reason).as_str());
    assert_eq!(
        told(Reason::NoWcet("b")),
        "task 'a' is unproven: 'b' has no worst-case execution time; declare one with .wcet(d)"
    );
    assert_eq!(
        told(Reason::Background("b")),
        "task 'a' is unproven: 'b' is a background task, which has no deadline and no end"
    );
    assert_eq!(
        told(Reason::NoPeriod("b")),
        "task 'a' is unproven: nobody said how often 'b' is released, and the timer's interrupts run above all tasks"
    );
    assert_eq!(
        told(Reason::InterruptNoWcet("i")),
        "task 'a' is unproven: interrupt 'i' has no worst-case execution time"
    );
    assert_eq!(
        told(Reason::InterruptNoInterarrival("i")),
        "task 'a' is unproven: interrupt 'i' has no least distance in time"
    );
    assert_eq!(
        told(Reason::Sender("b")),
        "task 'a' is unproven: 'b' may send to its core, and is unproven itself, so that nobody knows when it sends"
    );
    assert_eq!(
        told(Reason::NotSettled { rounds: 2_000 }),
        "task 'a' is unproven: no bound was found in 2000 rounds; the core is too near to full"
    );
}

#[test]
fn a_claim_carries_its_assumptions() {
    assert_eq!(
        claim(&Platform::RASPBERRY_PI_4).as_str(),
        "checked under the declared budgets and platform assumptions: 2 ns an instruction, and for each device read 200 \
         ns, device write 5 ns, barrier 80 ns more"
    );
}

#[test]
fn costs_become_time() {
    let cost = Cost { instructions: 10, device_reads: 2, device_writes: 3, barriers: 1 };
    assert_eq!(cost.ns(&Platform::RASPBERRY_PI_4), 20 + 400 + 15 + 80);
    assert_eq!(cost.ns(&Platform::QEMU_ICOUNT_4), 160);
    assert_eq!(cost.times(2).ns(&Platform::RASPBERRY_PI_4), 1_030);
    assert_eq!(Cost::instructions(u64::MAX).ns(&Platform::RASPBERRY_PI_4), u64::MAX);
}

/// The `max` of a section of `budgets.toml`.
fn budget(name: &str) -> u64 {
    let text = include_str!("../../../../budgets.toml");
    let section = text.split_once(&std::format!("[{name}]\n")).unwrap().1;
    let line = section.lines().find_map(|line| line.strip_prefix("max = ")).unwrap();
    line.split_whitespace().next().unwrap().parse().unwrap()
}

#[test]
fn the_kernels_figures_are_the_budgets() {
    let costs = KernelCosts::budgeted(63);
    let interrupt = costs.release;
    // Two interrupts, each the budgeted path, another round and another entry.
    assert_eq!(interrupt.instructions, 2 * (budget("timer-task") + 60 + 70));
    assert_eq!(interrupt.device_reads, 2 * (budget("release-device-reads") + 1));
    assert_eq!(interrupt.device_writes, 2 * (budget("release-device-writes") + 1));
    assert_eq!(interrupt.barriers, 2 * budget("release-dsb"));
    assert_eq!(costs.switch.instructions, budget("sweep-masked"));
    assert_eq!(costs.kernel_interrupt.instructions, budget("timer-task") + 60);
    assert_eq!(costs.direct_interrupt.instructions, 2 * 38);
    assert_eq!(costs.masked.instructions, budget("masked-static-interrupt"));
}

#[test]
fn accounting_takes_at_least_what_was_measured() {
    let (without, with) = (KernelCosts::budgeted(8), KernelCosts::budgeted(8).accounted());
    // docs/adr/0032-execution-time-is-an-option.md: to a released task, a switch, and by the walk.
    assert!(with.release.instructions - without.release.instructions >= 2 * 24);
    assert!(with.switch.instructions - without.switch.instructions >= 13);
    assert!(with.masked.instructions - without.masked.instructions >= 29);
    assert_eq!(with.release.device_reads, without.release.device_reads);
    assert!(
        with.kernel_step.instructions - with.wait.instructions
            > without.kernel_step.instructions - without.wait.instructions
    );
}

#[test]
fn a_wait_is_bounded_by_what_was_measured() {
    // `wait` of docs/measuring.md, at the most; with its switch, which is counted apart.
    for (tasks, most) in [(2, 123), (8, 145), (32, 289), (63, 475)] {
        let wait = KernelCosts::budgeted(tasks).wait.instructions;
        assert!((most + 31..most + 50).contains(&wait), "{tasks}: {wait}");
    }
    // What the sweep saw a kernel handler kept waiting for: by a wait among few and among 20, and by the console.
    for (tasks, most) in [(2, 184), (4, 221), (22, 293)] {
        assert!(KernelCosts::budgeted(tasks).kernel_step.instructions >= most, "{tasks}");
    }
    assert_eq!(KernelCosts::budgeted(0).wait, KernelCosts::budgeted(2).wait);
}

#[test]
fn each_overhead_is_the_time_of_its_cost() {
    let platform = Platform { ns_per_instruction: 1, device_read_ns: 1_000, device_write_ns: 10_000, barrier_ns: 0 };
    let costs = KernelCosts::budgeted(2);
    let overheads = costs.on(&platform);
    let pairs = [
        (overheads.release_ns, costs.release),
        (overheads.switch_ns, costs.switch),
        (overheads.wait_ns, costs.wait),
        (overheads.kernel_interrupt_ns, costs.kernel_interrupt),
        (overheads.direct_interrupt_ns, costs.direct_interrupt),
        (overheads.kernel_step_ns, costs.kernel_step),
        (overheads.masked_ns, costs.masked),
        (overheads.pend_ns, costs.pend),
    ];
    for (ns, cost) in pairs {
        assert_eq!(ns, cost.instructions + cost.device_reads * 1_000 + cost.device_writes * 10_000);
        assert!(ns > 0);
    }
    assert_eq!(overheads.timer_jitter_ns, 1_200);
}

/// The whole of it on a Raspberry Pi 4, as a guide to how much the kernel weighs.
#[test]
fn one_task_on_a_raspberry_pi_4() {
    let jobs = [job("a", 1, 1_000_000, 100_000)];
    let overheads = KernelCosts::budgeted(1).on(&Platform::RASPBERRY_PI_4);
    let [bound] = bounds(&Set { overheads, ..set(&jobs) })[..] else { panic!("one task") };
    let parts = overheads.release_ns
        + 2 * overheads.switch_ns
        + overheads.wait_ns
        + overheads.kernel_step_ns
        + overheads.masked_ns
        + overheads.timer_jitter_ns;
    assert_eq!(bound, 100_000 + parts);
}

/// The largest table there is: 63 tasks and three interrupts, which with the kernel ask for most of the core.
const LARGEST: [Job<'static>; 63] = {
    let mut jobs = [job("a", 1, 1_000_000, 8_000); 63];
    let (mut index, mut priority) = (0, 1);
    while index < 63 {
        jobs[index].priority = priority;
        priority += 1;
        jobs[index].period_ns = 1_000_000 + 7_000 * index as u64;
        jobs[index].deadline_ns = jobs[index].period_ns;
        index += 1;
    }
    jobs
};

#[allow(long_running_const_eval, reason = "what the compiler takes for it is what this test shows")]
const LARGEST_IS_CHECKED: bool = check(&Set {
    interrupts: &[interrupt("i", 1_000, 20_000); 3],
    overheads: KernelCosts::budgeted(63).on(&Platform::RASPBERRY_PI_4),
    ..set(&LARGEST)
})
.is_ok();

#[test]
fn the_largest_table_is_checked_by_the_compiler() {
    const { assert!(LARGEST_IS_CHECKED) };
}
