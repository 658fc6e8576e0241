// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where masked sections begin.

use super::code::Code;
use super::saved::Saved;
use super::walk::State;
use crate::bench::instruction::masks_interrupts;

/// The vectors that an interrupt takes: out of a task, and out of a handler [ARM D1.3.2].
const VECTORS: [u64; 2] = [0x80, 0x280];

/// What masks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// An instruction, `MSR DAIFSet`.
    Instruction,
    /// An interrupt is taken.
    Vector,
    /// The idle task, which is masked always, has looked for an interrupt or waited.
    Idle,
}

/// The beginning of a masked section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Start {
    /// The instruction that masks or looks, or the vector's first.
    pub address: u64,
    /// What masks.
    pub cause: Cause,
    /// The first instruction during which an interrupt has to wait.
    pub first: State,
}

/// All of them, by address.
#[must_use]
pub fn starts(code: &Code<'_>, vectors: u64) -> Vec<Start> {
    let mut starts: Vec<Start> = VECTORS
        .into_iter()
        .map(|offset| vectors + offset)
        .filter(|address| code.word(*address).is_some())
        .map(|address| Start { address, cause: Cause::Vector, first: State::at(address) })
        .collect();
    for (address, word) in code.instructions() {
        let behind = address + 4;
        if masks_interrupts(word) {
            let saved = Saved::at_start(address, |address| code.word(address));
            starts.push(Start { address, cause: Cause::Instruction, first: State { address: behind, saved } });
        } else if code.is_idle_look(address, word) {
            starts.push(Start { address, cause: Cause::Idle, first: State::at(behind) });
        }
    }
    starts.sort_by_key(|start| start.address);
    starts
}
