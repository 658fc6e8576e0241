//! Tasks of which one can respond after its deadline, with a kernel that takes no time, so that the figures
//! stay when a budget changes.
#![no_std]
#![no_main]

use takt::kernel::schedulability::{Hold, InterruptLoad, Job, Kind, Overheads, Set, stop_if_can_miss};
use takt::kernel::table::Band;

const US: u64 = 1_000;

const CONTROL: Job<'static> = Job {
    name: "control",
    priority: 10,
    period_ns: 1_000 * US,
    deadline_ns: 1_000 * US,
    wcet_ns: Some(400 * US),
    jitter_ns: 0,
    kind: Kind::Periodic,
    locks: &[],
};

const LIMITS: Hold<'static> = Hold { object: "limits", ceiling: Some(10), hold_ns: 280 * US };

const CAN: InterruptLoad<'static> = InterruptLoad {
    name: "can",
    wcet_ns: Some(250 * US),
    minimum_interarrival_ns: Some(2_000 * US),
    band: Band::Kernel,
    jitter_ns: 0,
    is_sent: false,
};

const JOBS: &[Job<'static>] = &[
    CONTROL,
    Job { name: "logger", priority: 5, period_ns: 2_000 * US, wcet_ns: Some(310 * US), ..CONTROL },
    Job { name: "tuner", priority: 20, period_ns: 50_000 * US, deadline_ns: 50_000 * US, locks: &[LIMITS], ..CONTROL },
];

const _: () = stop_if_can_miss(&Set { jobs: JOBS, interrupts: &[CAN], levels: &[], overheads: Overheads::NONE });
