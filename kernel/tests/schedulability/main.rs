// SPDX-License-Identifier: MIT OR Apache-2.0
//! The analysis against a simulated core: no set that it accepts misses a deadline or exceeds a bound, and of those that it
//! refuses a good share is seen to miss.
//!
//! The analysis must hold for everything that can happen; a simulation shows a few things that do. So the share of refused
//! sets that miss is a lower bound of those that can.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "the hot-path lints are for the executive; a test that cannot go on fails"
)]

mod sets;
mod simulator;

use sets::{Owned, Random, scenario};
use simulator::Core;
use takt_kernel::schedulability::{Kind, Level, Policy, Set, Verdict, verdict};

/// How many accepted sets there have to be, by each of the workers.
const ACCEPTED: u32 = 2_500;
const WORKERS: u64 = 4;
/// How often something else happens to a set; a refused one is given more chances to miss.
const SCENARIOS: u32 = 3;
const SCENARIOS_OF_REFUSED: u32 = 6;
/// Of a hundred refused sets so many at least have to be seen to miss; 68 are.
const LEAST_PERCENT: u32 = 60;

#[derive(Clone, Copy, Debug, Default)]
struct Count {
    accepted: u32,
    refused: u32,
    unproven: u32,
    missed: u32,
    /// Accepted sets with a level of each kind, so that none is left out.
    edf: u32,
    round_robin: u32,
    /// Bounds that a job reached exactly.
    reached: u32,
    bounds: u32,
}

#[test]
fn no_accepted_set_misses_and_many_refused_ones_do() {
    let counts: Vec<Count> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..WORKERS).map(|worker| scope.spawn(move || trials(worker))).collect();
        workers.into_iter().map(|worker| worker.join().unwrap()).collect()
    });
    let sum = |field: fn(&Count) -> u32| counts.iter().map(field).sum::<u32>();
    let (refused, missed) = (sum(|count| count.refused), sum(|count| count.missed));
    println!(
        "{} sets accepted, none misses ({} of them with earliest deadline first, {} with turns); {} of {} bounds are reached; \
         {refused} refused, {missed} of these seen to miss ({} %); {} unproven",
        sum(|count| count.accepted),
        sum(|count| count.edf),
        sum(|count| count.round_robin),
        sum(|count| count.reached),
        sum(|count| count.bounds),
        missed * 100 / refused,
        sum(|count| count.unproven),
    );
    assert!(sum(|count| count.accepted) >= 10_000);
    assert!(sum(|count| count.edf) >= 1_000 && sum(|count| count.round_robin) >= 1_000);
    assert!(missed * 100 >= refused * LEAST_PERCENT, "the analysis refuses too much");
}

fn trials(worker: u64) -> Count {
    let mut count = Count::default();
    let mut seed = worker << 32;
    while count.accepted < ACCEPTED {
        seed += 1;
        let owned = Owned::random(&mut Random::new(seed));
        let jobs = owned.jobs();
        let set = owned.set(&jobs);
        let verdicts: Vec<Verdict<'_>> = (0..jobs.len())
            .filter(|&index| jobs[index].kind != Kind::Background)
            .map(|index| verdict(&set, index).unwrap())
            .collect();
        if verdicts.iter().any(|verdict| matches!(verdict, Verdict::CanMiss(_))) {
            count.refused += 1;
            count.missed += u32::from(misses(&set, seed));
        } else if verdicts.iter().any(|verdict| matches!(verdict, Verdict::Unproven(_))) {
            count.unproven += 1;
        } else {
            count.accepted += 1;
            let is_used = |level: &&Level| set.jobs.iter().any(|job| job.priority == level.priority);
            let has =
                |is: fn(&Policy) -> bool| u32::from(set.levels.iter().filter(is_used).any(|level| is(&level.policy)));
            count.edf += has(|policy| *policy == Policy::EarliestDeadlineFirst);
            count.round_robin += has(|policy| matches!(policy, Policy::RoundRobin { .. }));
            holds(&set, &verdicts, seed, &mut count);
        }
    }
    count
}

/// Whether a task of a refused set is seen to miss.
fn misses(set: &Set<'_>, seed: u64) -> bool {
    (0..SCENARIOS_OF_REFUSED).any(|trial| {
        let scenario = scenario(&mut Random::new(seed ^ u64::from(trial) << 56), set, trial % 2 == 0);
        let mut core = Core::new(set, &scenario);
        core.run();
        let is_asked = |&(index, _): &(usize, &bool)| set.jobs[index].kind != Kind::Background;
        core.missed.iter().enumerate().filter(is_asked).any(|(_, &missed)| missed)
    })
}

/// An accepted set keeps its bounds.
fn holds(set: &Set<'_>, verdicts: &[Verdict<'_>], seed: u64, count: &mut Count) {
    let mut worst = vec![0; verdicts.len()];
    for trial in 0..SCENARIOS {
        let scenario = scenario(&mut Random::new(seed ^ u64::from(trial) << 56), set, trial % 3 != 2);
        let mut core = Core::new(set, &scenario);
        core.run();
        for (index, verdict) in verdicts.iter().enumerate() {
            let bound = match verdict {
                Verdict::Bounded { response_ns } => *response_ns,
                _ => set.jobs[index].deadline_ns,
            };
            let seen = core.worst[index];
            assert!(
                seen <= i64::try_from(bound).unwrap(),
                "seed {seed:#x}, trial {trial}: task '{}' responds after {seen}, bound {bound}\n{set:#?}\n{scenario:?}",
                set.jobs[index].name
            );
            assert!(!core.missed[index]);
            worst[index] = worst[index].max(seen);
        }
    }
    for (verdict, seen) in verdicts.iter().zip(worst) {
        if let Verdict::Bounded { response_ns } = verdict {
            count.bounds += 1;
            count.reached += u32::from(seen == i64::try_from(*response_ns).unwrap());
        }
    }
}
