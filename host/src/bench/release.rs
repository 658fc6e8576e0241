// SPDX-License-Identifier: MIT OR Apache-2.0
//! Releases of tasks, cut out of QEMU's log of instructions and accesses.
//!
//! A release begins with the first instruction of the vector when a task is interrupted, and with the idle task's call of
//! the handler when none is. It ends with the read of the counter that is the woken task's first statement: the one behind
//! the instruction that unmasks interrupts on the task's stack. Both are part of it. It has to acknowledge a timer's
//! interrupt, or it is something else. An interrupt that comes before the end is part of it, as it is of the lateness.

use anyhow::{Result, bail};

use super::instruction::{
    Barrier, is_exception_return, is_wait_for_interrupt, reads_the_counter, selects_the_task_stack, unmasks_interrupts,
};
use super::program::Program;
use super::trace::{Access, Device, Record, record};

/// Where the vector for an interrupt of a task lies among the vectors [ARM D1.3.1], and that for one of a handler.
const TASK_VECTOR: u64 = 0x80;
const NESTED_VECTOR: u64 = 0x280;
/// The register of the GIC's CPU interface that acknowledges, in its 4 KiB [GIC2 4.4.4].
const ACKNOWLEDGE: u64 = 0x00C;
/// The timers' interrupts: system timer compare 1, generic timer.
const TIMERS: [u64; 2] = [97, 30];
/// No release is this long: its end was not recognised.
const MOST_STEPS: usize = 10_000;

/// An executed instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Its address.
    pub address: u64,
    /// The device registers it read or wrote.
    pub accesses: Vec<Access>,
}

impl Step {
    /// Whether it reads a timer's interrupt from the register that acknowledges.
    fn acknowledges_a_timer(&self) -> bool {
        let is_timer = |access: &Access| {
            !access.is_write
                && access.device == Device::Gic
                && access.address & 0xFFF == ACKNOWLEDGE
                && TIMERS.contains(&(access.value & 0x3FF))
        };
        self.accesses.iter().any(is_timer)
    }
}

/// Who was interrupted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interrupted {
    /// The idle task, which calls the handler.
    Idle,
    /// A task, by way of the vector.
    Task,
}

/// One release, from the interrupt to the task's first statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Release {
    /// Who was interrupted.
    pub interrupted: Interrupted,
    /// What was executed.
    pub steps: Vec<Step>,
}

/// What a release consists of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// All instructions.
    pub instructions: u64,
    /// Reads of device registers, in the order of [`Device::ALL`].
    pub reads: [u64; 3],
    /// Writes of device registers.
    pub writes: [u64; 3],
    /// Data synchronisation barriers.
    pub dsb: u64,
    /// Data memory barriers.
    pub dmb: u64,
    /// Instruction synchronisation barriers.
    pub isb: u64,
}

impl Release {
    /// Counts what there is.
    #[must_use]
    pub fn counts(&self, program: &Program) -> Counts {
        let mut counts = Counts { instructions: self.steps.len() as u64, ..Counts::default() };
        for step in &self.steps {
            match program.word(step.address).and_then(Barrier::of) {
                Some(Barrier::Dsb) => counts.dsb += 1,
                Some(Barrier::Dmb) => counts.dmb += 1,
                Some(Barrier::Isb) => counts.isb += 1,
                None => {}
            }
            for access in &step.accesses {
                let by_device = if access.is_write { &mut counts.writes } else { &mut counts.reads };
                let mut devices = by_device.iter_mut().zip(Device::ALL);
                if let Some((count, _)) = devices.find(|(_, device)| *device == access.device) {
                    *count += 1;
                }
            }
        }
        counts
    }

    /// From the handler's stamp, its first read of the counter, to the instruction behind the acknowledging read: how
    /// many instructions later that is. `None` where it does not come in this order.
    #[must_use]
    pub fn from_stamp_to_acknowledged(&self, program: &Program) -> Option<u64> {
        let stamp = self.steps.iter().position(|step| program.word(step.address).is_some_and(reads_the_counter))?;
        let read = self.steps.iter().position(Step::acknowledges_a_timer)?;
        (read + 1).checked_sub(stamp).map(|distance| distance as u64)
    }

    fn acknowledges_a_timer(&self) -> bool {
        self.steps.iter().any(Step::acknowledges_a_timer)
    }
}

/// A release whose end has not come.
#[derive(Debug)]
struct Open {
    release: Release,
    /// How many interrupts were taken since.
    nested: usize,
    is_on_task_stack: bool,
    /// The address of the task's first statement, once it is certain.
    end: Option<u64>,
}

/// Reads a log line by line and gathers the releases in it.
#[derive(Debug)]
pub struct Tracer<'a> {
    program: &'a Program,
    /// The latest instruction, of which it is not yet certain that it was executed.
    pending: Option<Step>,
    /// The address of the one before.
    before: u64,
    open: Option<Open>,
    found: Vec<Release>,
}

impl<'a> Tracer<'a> {
    /// Nothing read yet.
    #[must_use]
    pub fn new(program: &'a Program) -> Self {
        Self { program, pending: None, before: 0, open: None, found: Vec::new() }
    }

    /// Takes the next line.
    ///
    /// # Errors
    /// When a release does not end.
    pub fn line(&mut self, line: &str) -> Result<()> {
        match record(line) {
            Some(Record::Instruction(address)) => {
                self.settle()?;
                self.pending = Some(Step { address, accesses: Vec::new() });
            }
            Some(Record::NotExecuted(address)) => {
                self.pending.take_if(|pending| pending.address == address);
            }
            Some(Record::Access(access)) => self.access(access),
            None => {}
        }
        Ok(())
    }

    /// The releases, in order.
    ///
    /// # Errors
    /// When a release does not end.
    pub fn finish(mut self) -> Result<Vec<Release>> {
        self.settle()?;
        Ok(self.found)
    }

    /// Notes an access; QEMU may log one twice, with or without its instruction.
    fn access(&mut self, access: Access) {
        let Some(pending) = &mut self.pending else { return };
        let last = self.open.as_ref().and_then(|open| open.release.steps.last());
        if last.is_some_and(|last| last.address == pending.address && last.accesses.contains(&access)) {
            self.pending = None;
        } else if !pending.accesses.iter().any(|one| (one.is_write, one.address) == (access.is_write, access.address)) {
            pending.accesses.push(access);
        }
    }

    /// The pending instruction was executed.
    fn settle(&mut self) -> Result<()> {
        let Some(step) = self.pending.take() else { return Ok(()) };
        let address = step.address;
        let before = std::mem::replace(&mut self.before, address);
        let vector = address.wrapping_sub(self.program.vectors);
        match self.open.take() {
            Some(mut open) => {
                if vector == TASK_VECTOR || vector == NESTED_VECTOR {
                    open.nested += 1;
                }
                open.release.steps.push(step);
                self.go_on(open, address)?;
            }
            None if vector == TASK_VECTOR => self.begin(Interrupted::Task, vec![step]),
            None if address == self.program.handler => {
                let call = Step { address: before, accesses: Vec::new() };
                self.begin(Interrupted::Idle, vec![call, step]);
            }
            None => {}
        }
        Ok(())
    }

    fn begin(&mut self, interrupted: Interrupted, steps: Vec<Step>) {
        let release = Release { interrupted, steps };
        self.open = Some(Open { release, nested: 0, is_on_task_stack: false, end: None });
    }

    /// Looks at the instruction that was added last: the end, the way back, or neither.
    fn go_on(&mut self, mut open: Open, address: u64) -> Result<()> {
        if open.end == Some(address) {
            self.found.extend(Some(open.release).filter(Release::acknowledges_a_timer));
            return Ok(());
        }
        if open.release.steps.len() > MOST_STEPS {
            bail!(
                "in the trace, {MOST_STEPS} instructions behind an interrupt no task has begun; the end of a release is \
                 known by msr spsel, #0, then msr daifclr and mrs cntpct_el0 side by side, as in switch_voluntarily \
                 (bsp/rpi4/src/context.rs)"
            );
        }
        let word = self.program.word(address).unwrap_or_default();
        let goes_back = is_exception_return(word) || is_wait_for_interrupt(word);
        if goes_back && open.nested == 0 {
            return Ok(());
        }
        if is_exception_return(word) {
            open.nested -= 1;
        }
        open.is_on_task_stack |= selects_the_task_stack(word);
        if open.is_on_task_stack && open.end.is_none() && unmasks_interrupts(word) {
            let next = address + 4;
            if !self.program.word(next).is_some_and(reads_the_counter) {
                // The first start of a task, which is no release.
                return Ok(());
            }
            open.end = Some(next);
        }
        self.open = Some(open);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
