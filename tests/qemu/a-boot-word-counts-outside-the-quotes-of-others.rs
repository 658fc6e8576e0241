// SPDX-License-Identifier: MIT OR Apache-2.0
// run: --append 'quiet idle=spin timebase=generic'
// run: --append '"idle=spin" timebase="generic"'
// run: --append 'model="Pi idle=spin timebase=generic'
// run: --append 'autorun="idle=spin timebase=generic" "x idle=spin" y=" timebase=generic "'
// run: --append 'idle=spinning xtimebase=generic timebase="generic'

//! The start heeds its boot words where they stand alone, in quotes of their own or behind a stray quote. Within the quotes
//! of another word they are part of that, and a word that opens a quote which nothing closes is none.
#![no_std]
#![no_main]

use takt::prelude::*;
use takt_tests::{Report, facts, report};

takt::tasks! {
    reporter: Task::background(reporter).priority(254),
}

fn reporter() -> ! {
    let mut report = Report::new();
    let facts = facts();
    report!(report, "{:?}, {:?}", facts.time_base, facts.idle);
    report.end()
}
