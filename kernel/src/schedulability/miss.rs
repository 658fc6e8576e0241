// SPDX-License-Identifier: MIT OR Apache-2.0
//! Who makes a task late, the largest first, and the sentence about it.

use super::blocking::{Below, Blocking, blocking};
use super::edf::deadlines;
use super::load::{WHOLE, interrupt_ns, jobs_ns, releases, timer_ns};
use super::settle::Asker;
use super::{Job, Set};
use crate::sentence::Sentence;

/// A task whose jobs can end late, and of what that is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Miss<'a> {
    /// The task.
    pub task: &'a str,
    /// Its deadline.
    pub deadline_ns: u64,
    /// How late it can be.
    pub asked: Asked,
    /// Of what, the largest first.
    pub shares: [Option<Share<'a>>; SHARES],
}

/// How many shares are kept.
const SHARES: usize = 4;

/// How much is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// A job ends so long after it is due.
    Response {
        /// How long.
        ns: u64,
        /// It may be longer: the rounds had ended.
        is_least: bool,
        /// Which job of the busy period, from 1.
        job: u64,
        /// From the beginning of the busy period to that job's end, of which the shares are parts.
        window_ns: u64,
    },
    /// The level must do more until a deadline than there is time.
    Demand {
        /// How much.
        ns: u64,
        /// From the beginning of the busy period to the deadline.
        within_ns: u64,
    },
    /// The core is asked for more than it has, and jobs end ever later. The shares are those of the first deadline.
    Endless {
        /// How much of the core, in thousandths, rounded up.
        permille: u64,
    },
}

impl Asked {
    /// `share` of the core is asked for.
    pub(super) const fn endless(share: u128) -> Self {
        let permille = share.saturating_mul(1_000).div_ceil(WHOLE);
        #[expect(clippy::cast_possible_truncation, reason = "compared in the same line")]
        Self::Endless { permille: if permille > u64::MAX as u128 { u64::MAX } else { permille as u64 } }
    }
}

/// A part of what is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share<'a> {
    /// What kind of thing asks for it.
    pub source: Source,
    /// Its name, where it has one.
    pub name: &'a str,
    /// How much.
    pub ns: u64,
}

/// What keeps a task from ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Its own jobs.
    Own,
    /// The jobs of another task.
    Task,
    /// An interrupt.
    Interrupt,
    /// What a task sends, which may be one of another core.
    Sends,
    /// The timer's interrupts.
    Timer,
    /// A less urgent task that holds a lock.
    Lock,
    /// Less urgent tasks that hold locks and inherit the priority, one after the other.
    Chain,
    /// A kernel step and a masked section of a less urgent task.
    Kernel,
}

/// The miss of a task whose `jobs` jobs end at the end of a window.
pub(super) const fn of_response<'a>(
    set: &Set<'a>,
    asker: Asker,
    own: &Job<'a>,
    jobs: u64,
    window_ns: u64,
    asked: Asked,
) -> Miss<'a> {
    let mut miss = Miss { task: own.name, deadline_ns: own.deadline_ns, asked, shares: [None; SHARES] };
    miss.add(Source::Own, "", jobs_ns(set, own, jobs, asker.gap_ns));
    miss.add_others(set, asker.own, asker, own.priority, window_ns);
    miss.add_blocking(&blocking(set, Below { priority: own.priority, deadline_ns: None }));
    miss
}

/// The miss of a level at a deadline.
pub(super) const fn of_demand<'a>(
    set: &Set<'a>,
    asker: Asker,
    below: Below,
    own: &Job<'a>,
    window_ns: u64,
    asked: Asked,
) -> Miss<'a> {
    let mut miss = Miss { task: own.name, deadline_ns: own.deadline_ns, asked, shares: [None; SHARES] };
    let mut rest = set.jobs;
    while let [first, others @ ..] = rest {
        if first.priority == own.priority {
            miss.add(Source::Task, first.name, jobs_ns(set, first, deadlines(set, first, window_ns), asker.gap_ns));
        }
        rest = others;
    }
    miss.add_others(set, asker.own, asker, own.priority.saturating_sub(1), window_ns);
    miss.add_blocking(&blocking(set, below));
    miss
}

impl<'a> Miss<'a> {
    const fn add_others(&mut self, set: &Set<'a>, own: usize, asker: Asker, priority: u8, window_ns: u64) {
        let mut index = 0_usize;
        let mut jobs = set.jobs;
        while let [first, rest @ ..] = jobs {
            if index != own && first.priority <= priority {
                let count = releases(set, first, window_ns);
                self.add(Source::Task, first.name, jobs_ns(set, first, count, asker.gap_ns));
            }
            index = index.saturating_add(1);
            jobs = rest;
        }
        let mut interrupts = set.interrupts;
        while let [first, rest @ ..] = interrupts {
            let source = if first.is_sent { Source::Sends } else { Source::Interrupt };
            self.add(source, first.name, interrupt_ns(set, first, window_ns));
            interrupts = rest;
        }
        self.add(Source::Timer, "", timer_ns(set, window_ns));
    }

    const fn add_blocking(&mut self, blocking: &Blocking<'a>) {
        self.add(Source::Lock, blocking.holder, blocking.ceiling_ns);
        self.add(Source::Chain, "", blocking.chain_ns);
        self.add(Source::Kernel, "", blocking.kernel_ns);
    }

    /// Puts a share where it belongs; the least one falls out.
    const fn add(&mut self, source: Source, name: &'a str, ns: u64) {
        if ns == 0 {
            return;
        }
        let mut share = Share { source, name, ns };
        let mut rest: &mut [Option<Share<'a>>] = &mut self.shares;
        while let [first, others @ ..] = rest {
            match first {
                Some(kept) if kept.ns >= share.ns => {}
                Some(kept) => share = core::mem::replace(kept, share),
                None => {
                    *first = Some(share);
                    return;
                }
            }
            rest = others;
        }
    }

    /// The sentence that stops the build.
    #[must_use]
    pub const fn sentence(&self) -> Sentence {
        let mut sentence = self.how_late();
        let mut shares: &[Option<Share<'a>>] = &self.shares;
        let mut link = " of it ";
        while let [Some(first), rest @ ..] = shares {
            sentence = share(us(sentence, first.ns).text(link), first);
            link = " ";
            if let [Some(_), ..] = rest {
                sentence = sentence.text(", ");
            }
            shares = rest;
        }
        sentence
    }

    const fn how_late(&self) -> Sentence {
        let sentence = Sentence::new("takt: task '").text(self.task).text("' ");
        match self.asked {
            Asked::Response { ns, is_least, job, window_ns } => {
                let sentence = sentence.text("can respond after ").text(if is_least { "more than " } else { "" });
                let sentence = us(us(sentence, ns).text(", deadline "), self.deadline_ns);
                if job == 1 {
                    return sentence.text(": ");
                }
                let sentence = sentence.text(", in job ").number(job as u128).text(" of a busy ");
                us(sentence, window_ns).text(": ")
            }
            Asked::Demand { ns, within_ns } => {
                let sentence = us(sentence.text("and its equals, the first deadline first, can have to do "), ns);
                us(sentence.text(" within "), within_ns).text(": ")
            }
            Asked::Endless { permille } => {
                let sentence = sentence.text("can respond ever later: it and what is as urgent or more ask for ");
                let sentence =
                    sentence.number(permille as u128).text(" thousandths of the core; within its deadline of ");
                us(sentence, self.deadline_ns).text(" ")
            }
        }
    }
}

const fn share(sentence: Sentence, share: &Share<'_>) -> Sentence {
    match share.source {
        Source::Own => sentence.text("its own"),
        Source::Task => sentence.text("from '").text(share.name).text("'"),
        Source::Interrupt => sentence.text("from interrupt '").text(share.name).text("'"),
        Source::Sends => sentence.text("from what '").text(share.name).text("' sends"),
        Source::Timer => sentence.text("from the timer's interrupts"),
        Source::Lock => sentence.text("from '").text(share.name).text("' holding a lock"),
        Source::Chain => sentence.text("from holders of locks that inherit"),
        Source::Kernel => sentence.text("from a kernel step of a less urgent task"),
    }
}

/// A time in microseconds, with as many decimals as it has.
const fn us(sentence: Sentence, ns: u64) -> Sentence {
    let sentence = sentence.number((ns / 1_000) as u128);
    let (tenths, hundredths, thousandths) = (ns / 100 % 10, ns / 10 % 10, ns % 10);
    let sentence = match (tenths, hundredths, thousandths) {
        (0, 0, 0) => sentence,
        (_, 0, 0) => sentence.text(".").number(tenths as u128),
        (_, _, 0) => sentence.text(".").number(tenths as u128).number(hundredths as u128),
        _ => sentence.text(".").number(tenths as u128).number(hundredths as u128).number(thousandths as u128),
    };
    sentence.text(" us")
}
