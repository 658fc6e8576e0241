//! Each core runs its own tasks, released at one instant, and says so by messages; the next run is the same.
// run: --cores 4
// run: --cores 4 --append timebase=generic
#![no_std]
#![no_main]

use takt::kernel::time::Instant;
use takt::prelude::*;
use takt::rpi4::cores;
use takt_tests::{Report, facts, report};

takt::tasks! {
    releases: RELEASES.port(),
    on_0: Task::periodic(sender).core(0).priority(10).period(millis(1)).remote_sends(1),
    on_1: Task::periodic(sender).core(1).priority(10).period(millis(1)).remote_sends(1),
    on_2: Task::periodic(sender).core(2).priority(10).period(millis(1)).remote_sends(1),
    on_3: Task::periodic(sender).core(3).priority(10).period(millis(1)).remote_sends(1),
    reporter: Task::background(reporter).core(0).priority(254),
}

/// Which core, which task, and when it was due.
type Message = (usize, &'static str, Instant);

const JOBS: usize = 5;

static RELEASES: Lanes<Message, 8, 0> = Lanes::new();

fn sender(mut period: Periodic) -> ! {
    let name = takt::this_task().map_or("", |task| task.name);
    for _ in 0..JOBS {
        let release = period.wait();
        if RELEASES.send((cores::this_core(), name, release.due())).is_err() {
            panic!("a lane of 8 is full");
        }
    }
    takt_tests::rest()
}

fn reporter() -> ! {
    let mut report = Report::new();
    let mut others = facts().other_cores.running();
    let others = [others.next(), others.next(), others.next()];
    report!(report, "other cores that run: {others:?}");
    let mut due = [[None; JOBS]; 4];
    let mut names = [""; 4];
    for _ in 0..4 * JOBS {
        let (core, name, instant) = RELEASES.receive();
        names[core] = name;
        if let Some(place) = due[core].iter_mut().find(|place| place.is_none()) {
            *place = Some(instant);
        }
    }
    for (core, name) in names.iter().enumerate() {
        report!(report, "core {core} ran {name}");
        report.is("  its releases are those of core 0", due[core] == due[0]);
    }
    let apart = |jobs: &[Option<Instant>; JOBS]| {
        jobs.windows(2).all(|pair| matches!(pair, [Some(one), Some(next)] if next.since(*one) == 125_000))
    };
    report.is("and a millisecond apart", due.iter().all(apart));
    report.is("no message was dropped", RELEASES.counts().dropped == [0; 4]);
    report.end()
}
