// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether a set may stand, in sentences.

#![expect(clippy::result_large_err, reason = "the error is a sentence that only the compiler ever holds")]

use super::{Hold, Job, Platform, Reason, Set, Verdict, verdict};
use crate::sentence::Sentence;

/// Whether no task of the set can miss its deadline, as far as that is known: a task of which nothing can be said passes,
/// and is to be listed with [`unproven`].
///
/// # Errors
/// A sentence that names the first task that can miss, by how much, and who takes most of the time; or a lock whose
/// ceiling is below one that locks it.
pub const fn check(set: &Set<'_>) -> Result<(), Sentence> {
    let mut jobs = set.jobs;
    while let [first, rest @ ..] = jobs {
        if let Err(sentence) = check_ceilings(first) {
            return Err(sentence);
        }
        jobs = rest;
    }
    let mut index = 0_usize;
    while let Some(known) = verdict(set, index) {
        if let Verdict::CanMiss(miss) = known {
            return Err(miss.sentence());
        }
        index = index.saturating_add(1);
    }
    Ok(())
}

/// Stops the build with a sentence where a task can miss its deadline.
///
/// The compiler warns of constants that take it long (`long_running_const_eval`), so a caller allows that.
///
/// # Panics
/// With the sentence of [`check`].
#[expect(clippy::panic, reason = "runs in the compiler, where a panic is how a build stops")]
pub const fn stop_if_can_miss(set: &Set<'_>) {
    if let Err(sentence) = check(set) {
        panic!("{}", sentence.as_str());
    }
}

/// With which words a bound is printed.
#[must_use]
pub const fn claim(platform: &Platform) -> Sentence {
    platform.describe(Sentence::new("checked under the declared budgets and platform assumptions: "))
}

/// Why nothing is said of `task`, for the list of those.
#[must_use]
pub const fn unproven(task: &str, reason: Reason<'_>) -> Sentence {
    let sentence = Sentence::new("task '").text(task).text("' is unproven: ");
    match reason {
        Reason::NoWcet(name) => {
            sentence.text("'").text(name).text("' has no worst-case execution time; declare one with .wcet(d)")
        }
        Reason::Background(name) => {
            sentence.text("'").text(name).text("' is a background task, which has no deadline and no end")
        }
        Reason::NoPeriod(name) => sentence
            .text("nobody said how often '")
            .text(name)
            .text("' is released, and the timer's interrupts run above all tasks"),
        Reason::InterruptNoWcet(name) => {
            sentence.text("interrupt '").text(name).text("' has no worst-case execution time")
        }
        Reason::InterruptNoInterarrival(name) => {
            sentence.text("interrupt '").text(name).text("' has no least distance in time")
        }
        Reason::Sender(name) => sentence
            .text("'")
            .text(name)
            .text("' may send to its core, and is unproven itself, so that nobody knows when it sends"),
        Reason::NotSettled { rounds } => {
            sentence.text("no bound was found in ").number(rounds as u128).text(" rounds; the core is too near to full")
        }
    }
}

const fn check_ceilings(job: &Job<'_>) -> Result<(), Sentence> {
    let mut locks = job.locks;
    while let [first, rest @ ..] = locks {
        if let Hold { ceiling: Some(ceiling), .. } = first
            && *ceiling > job.priority
        {
            return Err(Sentence::new("takt: task '")
                .text(job.name)
                .text("' of priority ")
                .number(job.priority as u128)
                .text(" locks '")
                .text(first.object)
                .text("', whose ceiling ")
                .number(*ceiling as u128)
                .text(" is less urgent; the ceiling must be that of its most urgent user or above"));
        }
        locks = rest;
    }
    Ok(())
}
