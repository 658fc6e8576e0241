// SPDX-License-Identifier: MIT OR Apache-2.0
//! The program as the walk needs it: who calls whom, where a switch of tasks leads, who never returns.

use std::collections::{BTreeMap, BTreeSet};

use super::flow::{Flow, place_taken, place_taken_by_page, stores};
use super::returns::Returns;
use crate::bench::instruction::{asks_for_interrupts, is_wait_for_interrupt, unmasks_interrupts};
use crate::bench::program::Program;

/// How the idle task's ways are called: there `WFI` and the look at `ISR_EL1` let an interrupt in.
const IDLE: &str = "takt_idle_";
/// What a task's switch resumes when an interrupt was held off meanwhile: it calls the handler. A handler answers the context
/// of a task or of the idle task, so the jump behind it, which is assembly, never leads here.
const HELD_OFF: &str = "takt_run_held_off";
/// Where another core begins: its address goes into the spin table, and no task begins there.
const OTHER_CORE: &str = "takt_other_core";
/// How many instructions behind an `ADR` its place is stored and the switch made.
const SWITCH_LENGTH: usize = 64;

/// What ends a masked section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// `MSR DAIFClr`.
    Unmask,
    /// `ERET`.
    ExceptionReturn,
    /// The idle task waits or looks for an interrupt.
    Idle,
}

/// A program's instructions and what is known of them as a whole.
#[derive(Debug)]
pub struct Code<'a> {
    program: &'a Program,
    instructions: BTreeMap<u64, u32>,
    /// Where a task is resumed.
    resumes: BTreeSet<u64>,
    /// The jumps that resume one, each with the places at which the task that it leaves goes on.
    switches: BTreeMap<u64, BTreeSet<u64>>,
    /// Behind which calls a function returns, by its first address.
    return_sites: BTreeMap<u64, BTreeSet<u64>>,
    /// Which functions end in which other, by the first address of the latter.
    tail_callers: BTreeMap<u64, BTreeSet<u64>>,
    returns: Returns,
}

impl<'a> Code<'a> {
    /// Reads all instructions.
    #[must_use]
    pub fn of(program: &'a Program) -> Self {
        let mut code = Self {
            program,
            instructions: program.instructions().collect(),
            resumes: BTreeSet::new(),
            switches: BTreeMap::new(),
            return_sites: BTreeMap::new(),
            tail_callers: BTreeMap::new(),
            returns: Returns::default(),
        };
        code.find_resumes();
        code.find_callers();
        code.returns = Returns::of(&code);
        code
    }

    /// The instruction at an address.
    #[must_use]
    pub fn word(&self, address: u64) -> Option<u32> {
        self.instructions.get(&address).copied()
    }

    /// All instructions: address and word.
    pub fn instructions(&self) -> impl DoubleEndedIterator<Item = (u64, u32)> {
        self.instructions.iter().map(|(address, word)| (*address, *word))
    }

    /// Name of the function that has the instruction.
    #[must_use]
    pub fn name(&self, address: u64) -> &'a str {
        self.program.place(address).map_or("?", |(name, _)| name)
    }

    /// First address of the function that has the instruction.
    #[must_use]
    pub fn function(&self, address: u64) -> u64 {
        self.program.place(address).map_or(address, |(_, offset)| address - offset)
    }

    /// Whether the instruction stands in assembly of ours, which has names without a path.
    #[must_use]
    pub fn is_assembly(&self, address: u64) -> bool {
        is_assembly(self.name(address))
    }

    /// How an instruction ends a masked section, if it does.
    #[must_use]
    pub fn end(&self, address: u64, word: u32) -> Option<End> {
        if unmasks_interrupts(word) {
            Some(End::Unmask)
        } else if Flow::of(address, word) == Flow::ExceptionReturn {
            Some(End::ExceptionReturn)
        } else {
            self.is_idle_look(address, word).then_some(End::Idle)
        }
    }

    /// Whether the idle task waits or looks for an interrupt here.
    #[must_use]
    pub fn is_idle_look(&self, address: u64, word: u32) -> bool {
        (is_wait_for_interrupt(word) || asks_for_interrupts(word)) && self.name(address).starts_with(IDLE)
    }

    /// Where the jump at an address leads, if it is one that resumes a task.
    #[must_use]
    pub fn resumes(&self, address: u64) -> Option<BTreeSet<u64>> {
        let mut resumes = self.switches.contains_key(&address).then(|| self.resumes.clone())?;
        if self.is_assembly(address) {
            resumes.retain(|place| self.program.place(*place) != Some((HELD_OFF, 0)));
        }
        Some(resumes)
    }

    /// Where the task goes on that is left by the jump at an address.
    pub fn resumed_later(&self, address: u64) -> impl Iterator<Item = u64> {
        self.switches.get(&address).into_iter().flatten().copied()
    }

    /// Who returns and who does not.
    #[must_use]
    pub fn returns(&self) -> &Returns {
        &self.returns
    }

    /// Where a function may return to: behind every call of it, and of those that end in it.
    #[must_use]
    pub fn return_sites(&self, function: u64) -> BTreeSet<u64> {
        let mut functions = vec![function];
        let mut seen = BTreeSet::from([function]);
        let mut sites = BTreeSet::new();
        while let Some(function) = functions.pop() {
            sites.extend(self.return_sites.get(&function).into_iter().flatten());
            let callers = self.tail_callers.get(&function).into_iter().flatten();
            functions.extend(callers.filter(|caller| seen.insert(**caller)));
        }
        sites
    }

    /// A switch takes the address behind its jump, stores it in the context and jumps: found without its exact length. The
    /// other places to resume at are assembly with a name of its own, whose address somebody takes. The vectors' address goes
    /// into `VBAR_EL1`, and that of another core's start into the spin table: no task begins there.
    fn find_resumes(&mut self) {
        let named: BTreeSet<u64> = self
            .program
            .names()
            .filter(|(_, name)| is_assembly(name) && *name != OTHER_CORE)
            .map(|(address, _)| address)
            .filter(|address| *address != self.program.vectors && self.instructions.contains_key(address))
            .collect();
        let (mut resumes, mut switches) = (BTreeSet::new(), BTreeMap::<u64, BTreeSet<u64>>::new());
        for (address, word) in self.instructions() {
            if let Some((place, register)) = place_taken(address, word) {
                resumes.extend(named.get(&place));
                let jump = self.jump_after_store(address + 4, register).filter(|jump| {
                    named.contains(&place)
                        || self.function(*jump) == self.function(place) && self.instructions.contains_key(&place)
                });
                if let Some(jump) = jump {
                    resumes.insert(place);
                    switches.entry(jump).or_default().insert(place);
                }
            }
            let page = |step: u64| place_taken_by_page(address, word, self.word(address + 4 * step)?);
            resumes.extend((1..8).filter_map(page).filter(|place| named.contains(place)));
        }
        (self.resumes, self.switches) = (resumes, switches);
    }

    /// The jump through a register that follows without a branch, if `register` is stored on the way.
    fn jump_after_store(&self, from: u64, register: u32) -> Option<u64> {
        let mut is_stored = false;
        for (address, word) in
            self.instructions.range(from..).take(SWITCH_LENGTH).map(|(address, word)| (*address, *word))
        {
            match Flow::of(address, word) {
                Flow::Next => is_stored |= stores(word, register),
                Flow::JumpThroughPointer => return is_stored.then_some(address),
                _ => return None,
            }
        }
        None
    }

    fn find_callers(&mut self) {
        let (mut sites, mut tails) = (BTreeMap::<u64, BTreeSet<u64>>::new(), BTreeMap::<u64, BTreeSet<u64>>::new());
        for (address, word) in self.instructions() {
            let own = self.function(address);
            let mut ends_in = |target| {
                let other = self.function(target);
                if other != own {
                    tails.entry(other).or_default().insert(own);
                }
            };
            match Flow::of(address, word) {
                Flow::Call(target) => {
                    sites.entry(self.function(target)).or_default().insert(address + 4);
                }
                Flow::Jump(target) => ends_in(target),
                Flow::Branch(target) | Flow::BitTest { target, .. } => {
                    ends_in(target);
                    ends_in(address + 4);
                }
                Flow::Next => ends_in(address + 4),
                _ => {}
            }
        }
        (self.return_sites, self.tail_callers) = (sites, tails);
    }
}

fn is_assembly(name: &str) -> bool {
    name.starts_with("takt_") && !name.contains("::")
}
