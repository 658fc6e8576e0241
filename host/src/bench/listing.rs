// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every instruction of a release: where it stands, and which device or barrier it reaches. The word is there to be
//! disassembled with any tool.

use std::fmt;

use super::instruction::Barrier;
use super::program::Program;
use super::release::{Interrupted, Release, Step};

/// Prints a release.
#[derive(Debug)]
pub struct Listing<'a> {
    /// What to print.
    pub release: &'a Release,
    /// Where names and instructions come from.
    pub program: &'a Program,
}

impl fmt::Display for Listing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let who = match self.release.interrupted {
            Interrupted::Idle => "the idle task",
            Interrupted::Task => "a task",
        };
        writeln!(f, "the longest traced release that interrupts {who}: {} instructions", self.release.steps.len())?;
        let mut name_before = "";
        for (index, step) in self.release.steps.iter().enumerate() {
            let (name, offset) = self.program.place(step.address).unwrap_or(("?", 0));
            if name != name_before {
                writeln!(f, "{name}")?;
                name_before = name;
            }
            self.write_step(f, index + 1, step, offset)?;
        }
        Ok(())
    }
}

impl Listing<'_> {
    fn write_step(&self, f: &mut fmt::Formatter<'_>, number: usize, step: &Step, offset: u64) -> fmt::Result {
        let word = self.program.word(step.address);
        let shown = word.map_or_else(|| "????????".to_owned(), |word| format!("{word:08x}"));
        write!(f, "{number:>5}  {:#x}  +{offset:#05x}  {shown}", step.address)?;
        if let Some(barrier) = word.and_then(Barrier::of) {
            write!(f, "  {}", barrier.name())?;
        }
        for access in &step.accesses {
            let (verb, device) = (if access.is_write { "write" } else { "read" }, access.device.name());
            write!(f, "  {verb} {device} {:#x}: {:#x}", access.address, access.value)?;
        }
        writeln!(f)
    }
}

#[cfg(test)]
mod tests {
    use super::super::trace::{Access, Device};
    use super::*;

    #[test]
    fn accesses_and_barriers_stand_at_their_instructions() {
        let access = Access { is_write: false, device: Device::Gic, address: 0xFF84_200C, value: 0x61 };
        let step = |address, accesses: &[Access]| Step { address, accesses: accesses.to_vec() };
        let steps = vec![step(0x880, &[]), step(0x900, &[access]), step(0x904, &[])];
        let release = Release { interrupted: Interrupted::Task, steps };
        let program =
            Program::of_words(0x800, 0x900, &[(0x880, 0xA900_07E0), (0x900, 0xB940_0101), (0x904, 0xD503_3E9F)]);
        assert_eq!(
            Listing { release: &release, program: &program }.to_string(),
            "the longest traced release that interrupts a task: 3 instructions\n\
             takt_vectors\n    1  0x880  +0x080  a90007e0\n\
             irq\n    2  0x900  +0x000  b9400101  read gic 0xff84200c: 0x61\n    3  0x904  +0x004  d5033e9f  dsb\n"
        );
    }
}
