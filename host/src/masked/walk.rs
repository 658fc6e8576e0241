// SPDX-License-Identifier: MIT OR Apache-2.0
//! The longest way from an instruction to the end of masking.
//!
//! Every way is walked that the instructions allow: both sides of each branch, into calls and back, on into whoever may be
//! resumed. What a stretch of code takes does not depend on who called it, so it is walked once: from each place the
//! longest way to an end and the longest way back to the caller are remembered, and a call is the way to and fro.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt;

use super::code::Code;
use super::flow::{Flow, failure_of_exclusive_store};
use super::saved::Saved;

/// Why no longest way exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unbounded {
    /// The way comes here again.
    Loop(u64),
    /// Whoever is called here is not known.
    Pointer(u64),
    /// Where this jump leads is not known.
    Jump(u64),
    /// Nobody is known to have called the function that returns.
    Caller(u64),
    /// There are no instructions here.
    NoCode(u64),
}

impl Unbounded {
    /// The instruction it is about.
    #[must_use]
    pub fn address(self) -> u64 {
        match self {
            Self::Loop(at) | Self::Pointer(at) | Self::Jump(at) | Self::Caller(at) | Self::NoCode(at) => at,
        }
    }
}

impl fmt::Display for Unbounded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Loop(at) => write!(f, "loops through {at:#x}"),
            Self::Pointer(at) => write!(f, "calls through a pointer at {at:#x}"),
            Self::Jump(at) => write!(f, "jumps through a register at {at:#x}, and it is not known where to"),
            Self::Caller(at) => write!(f, "returns from the function at {at:#x}, which nobody is known to call"),
            Self::NoCode(at) => write!(f, "leads to {at:#x}, where there are no instructions"),
        }
    }
}

/// Where a way begins, and what is known there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct State {
    /// The first instruction that counts.
    pub address: u64,
    /// Which registers hold `DAIF`.
    pub saved: Saved,
}

impl State {
    /// At an instruction, with nothing known.
    #[must_use]
    pub fn at(address: u64) -> Self {
        Self { address, saved: Saved::default() }
    }
}

/// Where a way goes behind its first stretch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Onward {
    /// It is there.
    Done,
    /// It goes on here, or in a function from which it does not come back.
    To(State),
    /// Through a function and then here.
    Through(State, State),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Way {
    instructions: u64,
    onward: Onward,
}

/// The longest ways from one place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Ways {
    to_end: Option<Way>,
    to_caller: Option<Way>,
}

/// What a way is to reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Goal {
    End,
    Caller,
}

/// The longest way of a section: stretches, each but the last up to a return behind whose call the next begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// How many instructions it is.
    pub instructions: u64,
    stretches: Vec<(State, Goal)>,
}

/// Walks, and remembers what was walked.
#[derive(Debug)]
pub struct Walk<'a> {
    code: &'a Code<'a>,
    /// Calls through pointers that are known: walked past, and what they call is not counted.
    known_pointers: BTreeSet<u64>,
    /// Those of them that were walked past.
    passed_pointers: BTreeSet<u64>,
    /// What was called that never returns.
    never_returns: BTreeSet<u64>,
    done: HashMap<State, Result<Ways, Unbounded>>,
    begun: HashSet<State>,
    returned_to: BTreeMap<u64, Option<Result<Option<Found>, Unbounded>>>,
}

impl<'a> Walk<'a> {
    /// Has walked nothing yet.
    #[must_use]
    pub fn new(code: &'a Code<'a>, known_pointers: BTreeSet<u64>) -> Self {
        Self {
            code,
            known_pointers,
            passed_pointers: BTreeSet::new(),
            never_returns: BTreeSet::new(),
            done: HashMap::new(),
            begun: HashSet::new(),
            returned_to: BTreeMap::new(),
        }
    }

    /// The functions that were called on the way and never return; they are not counted.
    #[must_use]
    pub fn never_returns(&self) -> &BTreeSet<u64> {
        &self.never_returns
    }

    /// The known calls through pointers that were walked past.
    #[must_use]
    pub fn passed_pointers(&self) -> &BTreeSet<u64> {
        &self.passed_pointers
    }

    /// The longest way from a place to an end; `None` where interrupts are never unmasked.
    ///
    /// # Errors
    /// When there is no longest way.
    pub fn longest(&mut self, start: State) -> Result<Option<Found>, Unbounded> {
        let ways = self.ways(start)?;
        let mut longest =
            ways.to_end.map(|way| Found { instructions: way.instructions, stretches: vec![(start, Goal::End)] });
        let Some(back) = ways.to_caller else { return Ok(longest) };
        let function = self.code.function(start.address);
        let sites = self.code.return_sites(function);
        if sites.is_empty() {
            return Err(Unbounded::Caller(function));
        }
        for site in sites {
            let Some(mut found) = self.behind_call(site)? else { continue };
            found.instructions += back.instructions;
            if longest.as_ref().is_none_or(|longest| longest.instructions < found.instructions) {
                found.stretches.insert(0, (start, Goal::Caller));
                longest = Some(found);
            }
        }
        Ok(longest)
    }

    /// Every instruction of a longest way.
    #[must_use]
    pub fn addresses(&self, found: &Found) -> Vec<u64> {
        let mut addresses = Vec::new();
        for (state, goal) in &found.stretches {
            self.write_out(*state, *goal, &mut addresses);
        }
        addresses
    }

    /// The longest way from behind a call on, after the return.
    fn behind_call(&mut self, site: u64) -> Result<Option<Found>, Unbounded> {
        match self.returned_to.get(&site) {
            Some(Some(found)) => return found.clone(),
            Some(None) => return Err(Unbounded::Loop(site)),
            None => {}
        }
        self.returned_to.insert(site, None);
        let found = if self.code.returns().leads_on(site) { self.longest(State::at(site)) } else { Ok(None) };
        self.returned_to.insert(site, Some(found.clone()));
        found
    }

    /// The longest ways from a place, remembered.
    fn ways(&mut self, state: State) -> Result<Ways, Unbounded> {
        if let Some(done) = self.done.get(&state) {
            return *done;
        }
        if !self.begun.insert(state) {
            return Err(Unbounded::Loop(state.address));
        }
        let ways = self.stretch(state);
        self.begun.remove(&state);
        self.done.insert(state, ways);
        ways
    }

    /// The longest ways over a straight stretch and on from there.
    fn stretch(&mut self, state: State) -> Result<Ways, Unbounded> {
        let State { mut address, mut saved } = state;
        let mut instructions = 0;
        loop {
            let word = self.code.word(address).ok_or(Unbounded::NoCode(address))?;
            instructions += 1;
            let here = Some(Way { instructions, onward: Onward::Done });
            if self.code.end(address, word).is_some() {
                return Ok(Ways { to_end: here, to_caller: None });
            }
            let flow = Flow::of(address, word);
            let next = address + 4;
            match flow {
                Flow::Next => saved = saved.after(word),
                Flow::CallThroughPointer if self.known_pointers.contains(&address) => {
                    self.passed_pointers.insert(address);
                    saved = saved.after_call();
                }
                Flow::CallThroughPointer => return Err(Unbounded::Pointer(address)),
                Flow::Call(callee) => return self.call(instructions, callee, State { address: next, saved }),
                Flow::Return => return Ok(Ways { to_end: None, to_caller: here }),
                _ => {
                    let targets = self.targets(address, flow, saved)?;
                    // Who is resumed has other registers.
                    let saved = if flow == Flow::JumpThroughPointer { Saved::default() } else { saved };
                    return self.onward(instructions, targets.into_iter().map(|address| State { address, saved }));
                }
            }
            address = next;
        }
    }

    /// Where a branch can lead.
    fn targets(&self, address: u64, flow: Flow, saved: Saved) -> Result<Vec<u64>, Unbounded> {
        let next = address + 4;
        Ok(match flow {
            Flow::Jump(target) => vec![target],
            Flow::Branch(_) if self.repeats_exclusive_store(address) => vec![next],
            Flow::Branch(target) => vec![target, next],
            Flow::BitTest { register, bit, when_set, target } => match saved.bit(register, bit) {
                Some(is_set) if is_set == when_set => vec![target],
                Some(_) => vec![next],
                None => vec![target, next],
            },
            Flow::JumpThroughPointer => {
                self.code.resumes(address).ok_or(Unbounded::Jump(address))?.into_iter().collect()
            }
            _ => vec![],
        })
    }

    /// Whether this branches back because an exclusive store failed. While masked nobody else of this core stores there, and
    /// takt runs on one: it does not fail.
    fn repeats_exclusive_store(&self, address: u64) -> bool {
        let status = self.code.word(address - 4).and_then(failure_of_exclusive_store);
        let word = self.code.word(address);
        word.is_some_and(|word| word & 0x7F00_0000 == 0x3500_0000 && Some(word & 0x1F) == status)
    }

    /// The longest ways over one of several places.
    fn onward(&mut self, before: u64, targets: impl Iterator<Item = State>) -> Result<Ways, Unbounded> {
        let mut longest = Ways::default();
        for target in targets {
            if !self.code.returns().leads_on(target.address) {
                self.never_returns.extend(self.called_for_good(target.address));
                continue;
            }
            let ways = self.ways(target)?;
            let over = |way: Way| Way { instructions: before + way.instructions, onward: Onward::To(target) };
            longest.to_end = longer(longest.to_end, ways.to_end.map(over));
            longest.to_caller = longer(longest.to_caller, ways.to_caller.map(over));
        }
        Ok(longest)
    }

    /// The function called on a way that leads nowhere, if a call is how it begins.
    fn called_for_good(&self, mut address: u64) -> Option<u64> {
        loop {
            match Flow::of(address, self.code.word(address)?) {
                Flow::Next => address += 4,
                Flow::Call(callee) => return Some(callee).filter(|callee| !self.code.returns().returns(*callee)),
                _ => return None,
            }
        }
    }

    /// The longest ways into a function: to an end within it, or through it and on.
    fn call(&mut self, before: u64, callee: u64, next: State) -> Result<Ways, Unbounded> {
        if !self.code.returns().returns(callee) {
            self.never_returns.insert(callee);
            return Ok(Ways::default());
        }
        let called = State::at(callee);
        let within = self.ways(called)?;
        let mut longest = Ways {
            to_end: within
                .to_end
                .map(|way| Way { instructions: before + way.instructions, onward: Onward::To(called) }),
            to_caller: None,
        };
        let Some(through) = within.to_caller else { return Ok(longest) };
        let next = State { saved: next.saved.after_call(), ..next };
        if self.code.returns().leads_on(next.address) {
            let behind = self.ways(next)?;
            let over = |way: Way| Way {
                instructions: before + through.instructions + way.instructions,
                onward: Onward::Through(called, next),
            };
            longest.to_end = longer(longest.to_end, behind.to_end.map(over));
            longest.to_caller = behind.to_caller.map(over);
        }
        Ok(longest)
    }

    fn write_out(&self, state: State, goal: Goal, addresses: &mut Vec<u64>) {
        let Some(Ok(ways)) = self.done.get(&state) else { return };
        let Some(way) = (if goal == Goal::End { ways.to_end } else { ways.to_caller }) else { return };
        let mut address = state.address;
        // The stretch, which ends where something else than the next instruction follows.
        while let Some(word) = self.code.word(address) {
            addresses.push(address);
            let is_straight = Flow::of(address, word) == Flow::Next || self.known_pointers.contains(&address);
            if !is_straight || self.code.end(address, word).is_some() {
                break;
            }
            address += 4;
        }
        match way.onward {
            Onward::Done => {}
            Onward::To(next) => self.write_out(next, goal, addresses),
            Onward::Through(called, next) => {
                self.write_out(called, Goal::Caller, addresses);
                self.write_out(next, goal, addresses);
            }
        }
    }
}

/// The longer of two ways; of equals the first.
fn longer(one: Option<Way>, other: Option<Way>) -> Option<Way> {
    match (one, other) {
        (Some(a), Some(b)) if b.instructions > a.instructions => Some(b),
        (Some(a), _) => Some(a),
        (None, other) => other,
    }
}
