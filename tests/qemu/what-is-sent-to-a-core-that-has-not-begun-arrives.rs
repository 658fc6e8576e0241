//! What core 0 sends before another core has set up its part of the interrupt controller arrives all the same, and so does what it
//! sends behind that.
// run: --icount 4 --cores 4
// run: --icount 4 --cores 4 --append timebase=generic
#![no_std]
#![no_main]

use takt::prelude::*;
use takt_tests::{Report, report, rest};

takt::tasks! {
    on_1: TO_1.port(),
    on_2: TO_2.port(),
    on_3: TO_3.port(),
    answers: ANSWERS.port(),
    answers_on_1: Task::background(answers_on_1).core(1).priority(10).remote_sends(1),
    answers_on_2: Task::background(answers_on_2).core(2).priority(10).remote_sends(1),
    answers_on_3: Task::background(answers_on_3).core(3).priority(10).remote_sends(1),
    sender: Task::background(sender).core(0).priority(10).remote_sends(3),
}

static TO_1: Lanes<u32, 4, 1> = Lanes::new();
static TO_2: Lanes<u32, 4, 2> = Lanes::new();
static TO_3: Lanes<u32, 4, 3> = Lanes::new();
static ANSWERS: Lanes<u32, 4, 0> = Lanes::new();

fn answer<const CORE: u8>(questions: &Lanes<u32, 4, CORE>) -> ! {
    for _ in 0..2 {
        if ANSWERS.send(10 * questions.receive() + u32::from(CORE)).is_err() {
            panic!("a lane of 4 is full");
        }
    }
    rest()
}

fn answers_on_1() -> ! {
    answer(&TO_1)
}

fn answers_on_2() -> ! {
    answer(&TO_2)
}

fn answers_on_3() -> ! {
    answer(&TO_3)
}

fn sender() -> ! {
    let mut sums = [0; 2];
    for (question, sum) in (1..).zip(&mut sums) {
        if TO_1.send(question).is_err() || TO_2.send(question).is_err() || TO_3.send(question).is_err() {
            panic!("a lane of 4 is full");
        }
        *sum = (0..3).map(|_| ANSWERS.receive()).sum::<u32>();
    }
    let mut report = Report::new();
    report!(report, "the answers add up to {sums:?}");
    report.end()
}
