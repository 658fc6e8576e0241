//! The objects that tasks wait for against a model without urgencies, places or chains: mutexes of both kinds, a semaphore, an
//! event, flags, a barrier and a condition variable, with deadlines that come, handlers between any two steps, and priorities
//! that change.
//!
//! The model knows who holds what, who waits for what since when, and reckons anew after every step how urgent each task is.
//! Then the running task must be among the most urgent that are ready, nobody may wait who could have what it waits for, and
//! who holds nothing that is waited for must be as urgent as its own priority.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "the hot-path lints are for the executive; a test that cannot go on fails"
)]

#[path = "objects_model/model.rs"]
mod model;
#[path = "objects_model/trial.rs"]
mod trial;

use proptest::prelude::{Just, Strategy, any, prop, prop_oneof};
use proptest::proptest;
use trial::{Step, Trial};

/// The ceilings of the mutexes that have one, which no task is more urgent than.
const CEILINGS: [u8; 2] = [1, 2];
/// The priorities of the tasks: few, so that equals are frequent.
const PRIORITIES: std::ops::RangeInclusive<u8> = 3..=6;

fn deadlines() -> impl Strategy<Value = Option<u64>> {
    prop_oneof![2 => Just(None), 1 => (0_u64..30).prop_map(Some)]
}

fn steps() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (0_u64..20).prop_map(Step::Advance),
        3 => Just(Step::Yield),
        9 => (0_usize..4, deadlines()).prop_map(|(mutex, until)| Step::Lock(mutex, until)),
        8 => Just(Step::Unlock),
        3 => (0_usize..CEILINGS.len()).prop_map(Step::LockCeiling),
        2 => deadlines().prop_map(Step::Take),
        2 => any::<bool>().prop_map(Step::Give),
        2 => deadlines().prop_map(Step::WaitEvent),
        2 => any::<bool>().prop_map(Step::SetEvent),
        3 => (1_u32..8, any::<bool>(), any::<bool>(), deadlines())
            .prop_map(|(flags, all, clears, until)| Step::WaitFlags(flags, all, clears, until)),
        3 => (1_u32..8, any::<bool>()).prop_map(|(flags, by_handler)| Step::SetFlags(flags, by_handler)),
        1 => (1_u32..8).prop_map(Step::ClearFlags),
        2 => deadlines().prop_map(Step::Meet),
        3 => deadlines().prop_map(Step::WaitCondVar),
        2 => any::<bool>().prop_map(Step::Notify),
        2 => (0_usize..64, PRIORITIES).prop_map(|(pick, priority)| Step::SetPriority(pick, priority)),
    ]
}

proptest! {
    #[test]
    fn the_objects_do_as_the_model_does(
        priorities in prop::collection::vec(PRIORITIES, 2..=9).prop_map(|mut all| { all.sort_unstable(); all }),
        steps in prop::collection::vec(steps(), 1..300),
    ) {
        let mut trial = Trial::new(&priorities, CEILINGS);
        trial.agree()?;
        for step in &steps {
            trial.step(step)?;
            trial.agree()?;
        }
    }
}
