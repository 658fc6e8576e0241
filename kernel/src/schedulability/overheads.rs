// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the kernel's own paths take: instructions and device accesses, and what a platform makes of them.

use crate::sentence::Sentence;

/// What a path executes at the most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Instructions.
    pub instructions: u64,
    /// Reads of device registers.
    pub device_reads: u64,
    /// Writes of device registers.
    pub device_writes: u64,
    /// `dsb` instructions.
    pub barriers: u64,
}

/// How long what is counted takes, at the most. An assumption, which each claim prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Platform {
    /// An instruction, whatever it is.
    pub ns_per_instruction: u64,
    /// A read of a device register.
    pub device_read_ns: u64,
    /// A write of a device register.
    pub device_write_ns: u64,
    /// A barrier that waits for the writes before it.
    pub barrier_ns: u64,
}

impl Platform {
    /// A Raspberry Pi 4 at 1.5 GHz, by the assumptions of `make bench`'s estimate: half an instruction a cycle, 1.33 ns
    /// rounded up, code and data in the caches; device accesses as others saw them at other devices [HW 4.5], the slowest
    /// of each. Nothing here was measured by us.
    pub const RASPBERRY_PI_4: Self =
        Self { ns_per_instruction: 2, device_read_ns: 200, device_write_ns: 5, barrier_ns: 80 };

    /// QEMU with `-icount shift=4`: 16 ns an instruction, of which an access or a barrier is one.
    pub const QEMU_ICOUNT_4: Self =
        Self { ns_per_instruction: 16, device_read_ns: 0, device_write_ns: 0, barrier_ns: 0 };

    /// The assumptions, appended to `sentence`.
    #[must_use]
    pub const fn describe(&self, sentence: Sentence) -> Sentence {
        sentence
            .number(self.ns_per_instruction as u128)
            .text(" ns an instruction, and for each device read ")
            .number(self.device_read_ns as u128)
            .text(" ns, device write ")
            .number(self.device_write_ns as u128)
            .text(" ns, barrier ")
            .number(self.barrier_ns as u128)
            .text(" ns more")
    }
}

impl Cost {
    /// So many instructions, and nothing that leaves the core.
    #[must_use]
    pub const fn instructions(instructions: u64) -> Self {
        Self { instructions, device_reads: 0, device_writes: 0, barriers: 0 }
    }

    /// This path `times` over.
    #[must_use]
    pub const fn times(self, times: u64) -> Self {
        Self {
            instructions: self.instructions.saturating_mul(times),
            device_reads: self.device_reads.saturating_mul(times),
            device_writes: self.device_writes.saturating_mul(times),
            barriers: self.barriers.saturating_mul(times),
        }
    }

    /// This path and another.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self {
            instructions: self.instructions.saturating_add(other.instructions),
            device_reads: self.device_reads.saturating_add(other.device_reads),
            device_writes: self.device_writes.saturating_add(other.device_writes),
            barriers: self.barriers.saturating_add(other.barriers),
        }
    }

    /// How long it takes.
    #[must_use]
    pub const fn ns(self, platform: &Platform) -> u64 {
        self.instructions
            .saturating_mul(platform.ns_per_instruction)
            .saturating_add(self.device_reads.saturating_mul(platform.device_read_ns))
            .saturating_add(self.device_writes.saturating_mul(platform.device_write_ns))
            .saturating_add(self.barriers.saturating_mul(platform.barrier_ns))
    }
}

/// What the kernel's paths take, counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KernelCosts {
    /// A release: all timer interrupts that it may bring, to whoever runs afterwards.
    pub release: Cost,
    /// Another task's registers for one task's; a job takes two.
    pub switch: Cost,
    /// The wait at the end of a job, without its switch.
    pub wait: Cost,
    /// What a kernel interrupt takes besides its handler.
    pub kernel_interrupt: Cost,
    /// What a direct interrupt takes besides its handler.
    pub direct_interrupt: Cost,
    /// The longest step of a task during which kernel interrupts are held off.
    pub kernel_step: Cost,
    /// The longest section in which all interrupts are masked.
    pub masked: Cost,
    /// From the end of a wait for an instant that has passed until the interrupt that was pended for it comes.
    pub pend: Cost,
    /// How late a timer's interrupt may be raised after a due instant, and how early, together.
    pub timer_jitter_ns: u64,
}

/// A timer interrupt: `timer-task` and `release-…` of `budgets.toml`, which end at the first statement of the task. Without
/// a switch it is traced as 101 instructions up to `eret`. Where it is held off, another entry and return, 60. Where the next
/// deadline is near, another round, 70, with one more look at the device and one more compare value.
const TIMER_INTERRUPT: Cost = Cost {
    instructions: 107_u64.saturating_add(60).saturating_add(70),
    device_reads: 3,
    device_writes: 4,
    barriers: 1,
};

/// A send to another core: 59 instructions in QEMU for a signal of 16 bytes, the most (`remote-…` in `budgets.toml`).
const REMOTE_SEND: Cost = Cost { instructions: 64, device_reads: 0, device_writes: 1, barriers: 1 };
/// One letter that is delivered: up to 330 instructions in QEMU from the vector to the task, of which the way in and out, 110, is
/// counted once more; and a timer that is armed, for a sporadic task.
const REMOTE_RECEIVE: Cost = Cost { instructions: 330, device_reads: 0, device_writes: 1, barriers: 1 };

/// A look at a job that has a budget, in a timer interrupt: 203 instructions in QEMU from the stamp to the task, the way in and out
/// among them, which is counted once more; and another round with the timer, 70.
const LOOK: Cost = Cost { instructions: 300, device_reads: 2, device_writes: 3, barriers: 1 };
/// What a look takes besides that demotes the task: 141 in QEMU, and a walk past 62 that are ready where the task was, and along a
/// chain.
const DEMOTION_INSTRUCTIONS: u64 = 900;
/// What the end of a demoted job takes besides: 425 in QEMU with one ceiling, and a walk past as many as there can be.
const END_OF_DEMOTION_INSTRUCTIONS: u64 = 1_100;

/// What a release takes for each equal of an earlier deadline: twelve in the listing, and as many where one is released behind
/// another in the same interrupt. What a look whether a turn has ended takes for each equal: 23 in the listing.
const PASSING_INSTRUCTIONS: u64 = 24;

/// What an interrupt takes more where execution time is accounted: 24 measured to the first statement of a released task, 27
/// where a handler wakes one.
const ACCOUNTED_INTERRUPT: Cost = Cost::instructions(28);
/// A switch: 12 to 13 measured.
const ACCOUNTED_SWITCH: Cost = Cost::instructions(13);
/// A wait: the job's time is read and added, 48 in the listing.
const ACCOUNTED_WAIT: Cost = Cost::instructions(60);
/// The longest masked section: 121 in place of 92 by `make masked`'s walk.
const ACCOUNTED_MASKED: Cost = Cost::instructions(29);

impl KernelCosts {
    /// The budgets of this version with `tasks` tasks on the core. The sources are `budgets.toml` and the table of
    /// `make scaling` in `docs/measuring.md`; a test compares.
    ///
    /// * *Release*: two timer interrupts. One may come for nothing, when its deadline had been found passed before; it is
    ///   traced as 91 instructions. Each release counts in full, also where several share an interrupt: then a further one
    ///   takes 41 at the most.
    /// * *Switch*: `sweep-masked`, of which the switch to an interrupted task is the longest.
    /// * *Wait*: 123 with two tasks, 31 more where the release had passed, and 6 for each further task, which may be due
    ///   earlier; a compare value, and perhaps a look at the device and an interrupt that is pended.
    /// * *Kernel interrupt*: traced as 55 instructions before the handler and 40 behind it with a switch; `timer-task`
    ///   stands for both, and 60 for being held off.
    /// * *Direct interrupt*: 37 before the handler; twice as much for both ways.
    /// * *Kernel step*: a wait, and another entry and return, 60, for what is held off. By the sweep that is longer than the
    ///   steps of events and of the console, which keep a kernel handler waiting for 184 at the most.
    /// * *Masked*: `masked-static-interrupt`.
    /// * *Pend*: a write to the interrupt controller and what it takes to arrive, as an access that is waited for.
    /// * *Jitter*: compare values are whole microseconds, rounded up, and the phase of the system timer is expected to be
    ///   known to 0.1 us either way.
    #[must_use]
    pub const fn budgeted(tasks: usize) -> Self {
        let others = (tasks as u64).saturating_sub(2);
        let wait = Cost {
            instructions: 157_u64.saturating_add(others.saturating_mul(6)),
            device_reads: 1,
            device_writes: 2,
            barriers: 0,
        };
        let kernel_step = Cost { instructions: wait.instructions.saturating_add(60), ..wait };
        Self {
            release: TIMER_INTERRUPT.times(2),
            switch: Cost::instructions(42),
            wait,
            kernel_interrupt: Cost { instructions: 167, device_reads: 1, device_writes: 1, barriers: 1 },
            direct_interrupt: Cost { instructions: 76, device_reads: 1, device_writes: 1, barriers: 1 },
            kernel_step,
            masked: Cost { instructions: 94, device_reads: 1, device_writes: 1, barriers: 1 },
            pend: Cost { instructions: 0, device_reads: 1, device_writes: 1, barriers: 1 },
            timer_jitter_ns: 1_200,
        }
    }

    /// The same, where so many others of a level with a policy are looked at when one is released, or when a turn may have ended.
    #[must_use]
    pub const fn passing(mut self, others: usize) -> Self {
        self.release.instructions =
            self.release.instructions.saturating_add((others as u64).saturating_mul(PASSING_INSTRUCTIONS));
        self
    }

    /// The same, in an image that accounts execution time. An interrupt may be held off and count twice; a release has two.
    #[must_use]
    pub const fn accounted(mut self) -> Self {
        self.release = self.release.and(ACCOUNTED_INTERRUPT.times(4));
        self.switch = self.switch.and(ACCOUNTED_SWITCH);
        self.wait = self.wait.and(ACCOUNTED_WAIT);
        self.kernel_interrupt = self.kernel_interrupt.and(ACCOUNTED_INTERRUPT.times(2));
        self.direct_interrupt = self.direct_interrupt.and(ACCOUNTED_INTERRUPT);
        self.kernel_step = self.kernel_step.and(ACCOUNTED_WAIT).and(ACCOUNTED_INTERRUPT);
        self.masked = self.masked.and(ACCOUNTED_MASKED);
        self
    }

    /// The same, where so many of the tasks have budgets, of which one `demotes` or none: the end of a job takes out its watch and
    /// sets another, which may be behind all others that there are, 100 instructions in QEMU for a periodic and 174 for a
    /// sporadic task among few; and it may end a demotion.
    #[must_use]
    pub const fn with_budgets(mut self, tasks: usize, budgets: usize, demotes: bool) -> Self {
        if budgets > 0 {
            let places = (tasks as u64).saturating_add(budgets as u64);
            let demotion = if demotes { END_OF_DEMOTION_INSTRUCTIONS } else { 0 };
            let more = 230_u64.saturating_add(places.saturating_mul(12)).saturating_add(demotion);
            self.wait.instructions = self.wait.instructions.saturating_add(more);
            self.kernel_step.instructions = self.kernel_step.instructions.saturating_add(more);
        }
        self
    }

    /// What sending to another core takes.
    #[must_use]
    pub const fn remote_send() -> Cost {
        REMOTE_SEND
    }

    /// What one letter takes on the core that it is sent to, besides the way in and out of its interrupt.
    #[must_use]
    pub const fn remote_receive() -> Cost {
        REMOTE_RECEIVE
    }

    /// What a look at a job that has a budget takes besides its way in and out.
    #[must_use]
    pub const fn look() -> Cost {
        LOOK
    }

    /// The same of a look that finds the job beyond.
    #[must_use]
    pub const fn look_that_demotes() -> Cost {
        Cost { instructions: LOOK.instructions.saturating_add(DEMOTION_INSTRUCTIONS), ..LOOK }
    }

    /// What they take on a platform.
    #[must_use]
    pub const fn on(&self, platform: &Platform) -> Overheads {
        Overheads {
            release_ns: self.release.ns(platform),
            switch_ns: self.switch.ns(platform),
            wait_ns: self.wait.ns(platform),
            kernel_interrupt_ns: self.kernel_interrupt.ns(platform),
            direct_interrupt_ns: self.direct_interrupt.ns(platform),
            kernel_step_ns: self.kernel_step.ns(platform),
            masked_ns: self.masked.ns(platform),
            pend_ns: self.pend.ns(platform),
            timer_jitter_ns: self.timer_jitter_ns,
        }
    }
}

/// What the kernel's paths take, in time; see [`KernelCosts`] for the fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overheads {
    /// A release.
    pub release_ns: u64,
    /// A switch; a job takes two.
    pub switch_ns: u64,
    /// The wait at the end of a job.
    pub wait_ns: u64,
    /// A kernel interrupt, besides its handler.
    pub kernel_interrupt_ns: u64,
    /// A direct interrupt, besides its handler.
    pub direct_interrupt_ns: u64,
    /// The longest step that holds kernel interrupts off.
    pub kernel_step_ns: u64,
    /// The longest masked section.
    pub masked_ns: u64,
    /// From a wait for an instant that has passed to its interrupt.
    pub pend_ns: u64,
    /// How late, and how early, a timer's interrupt may be raised.
    pub timer_jitter_ns: u64,
}

impl Overheads {
    /// A kernel that takes no time, as textbooks have it.
    pub const NONE: Self = Self {
        release_ns: 0,
        switch_ns: 0,
        wait_ns: 0,
        kernel_interrupt_ns: 0,
        direct_interrupt_ns: 0,
        kernel_step_ns: 0,
        masked_ns: 0,
        pend_ns: 0,
        timer_jitter_ns: 0,
    };
}
