// SPDX-License-Identifier: MIT OR Apache-2.0
//! From which instructions a return or the end of a masked section can be reached at all. The others lead to a panic, a
//! fault or a core that sleeps for good: nobody waits for these to unmask.

use std::collections::BTreeSet;

use super::code::Code;
use super::flow::Flow;

/// The instructions that lead somewhere.
#[derive(Debug, Default)]
pub struct Returns {
    /// From these their function can return.
    to_caller: BTreeSet<u64>,
    /// From these interrupts can be unmasked.
    to_end: BTreeSet<u64>,
}

impl Returns {
    /// Finds them, from the ends backwards until nothing is added.
    #[must_use]
    pub fn of(code: &Code<'_>) -> Self {
        let mut found = Self::default();
        loop {
            let before = found.to_caller.len() + found.to_end.len();
            for (address, word) in code.instructions().rev() {
                let (to_caller, to_end) = found.leads(code, address, word);
                to_caller.then(|| found.to_caller.insert(address));
                to_end.then(|| found.to_end.insert(address));
            }
            if found.to_caller.len() + found.to_end.len() == before {
                return found;
            }
        }
    }

    /// Whether the function can return from this instruction on.
    #[must_use]
    pub fn returns(&self, address: u64) -> bool {
        self.to_caller.contains(&address)
    }

    /// Whether a return or an end can be reached.
    #[must_use]
    pub fn leads_on(&self, address: u64) -> bool {
        self.to_caller.contains(&address) || self.to_end.contains(&address)
    }

    /// Whether an instruction leads to a return, and to an end, as far as is known.
    fn leads(&self, code: &Code<'_>, address: u64, word: u32) -> (bool, bool) {
        let of = |address: u64| (self.to_caller.contains(&address), self.to_end.contains(&address));
        let either = |one: (bool, bool), other: (bool, bool)| (one.0 || other.0, one.1 || other.1);
        if code.end(address, word).is_some() {
            // A function that unmasks may return later.
            let goes_on = !matches!(Flow::of(address, word), Flow::ExceptionReturn);
            return (goes_on && self.returns(address + 4), true);
        }
        match Flow::of(address, word) {
            Flow::Next => of(address + 4),
            Flow::Jump(target) => of(target),
            Flow::Branch(target) | Flow::BitTest { target, .. } => either(of(target), of(address + 4)),
            // Who calls what never returns is not heard of again.
            Flow::Call(target) if !self.returns(target) => (false, false),
            Flow::Call(target) => (self.returns(address + 4), of(target).1 || of(address + 4).1),
            Flow::CallThroughPointer => of(address + 4),
            Flow::JumpThroughPointer => match code.resumes(address) {
                Some(resumes) => (
                    code.resumed_later(address).any(|place| self.returns(place)),
                    resumes.iter().any(|place| of(*place).1),
                ),
                // A table or a tail call through a pointer: as a rule these return.
                None => (true, false),
            },
            Flow::Return => (true, false),
            Flow::ExceptionReturn | Flow::Fault => (false, false),
        }
    }
}
