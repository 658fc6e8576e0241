// SPDX-License-Identifier: MIT OR Apache-2.0
//! A core that runs a set of tasks, nanosecond by nanosecond as far as anybody could tell: from event to event.
//!
//! It is written from what takt does, not from the analysis. Direct interrupts run first, then kernel interrupts and
//! releases, one after the other; tasks by their priority, raised while they hold a lock. A kernel step holds kernel
//! interrupts off, a masked section all. A job begins and ends with a switch, which is masked, and waits in a kernel step.
//! A release that comes while its task still runs goes through the timer when that has ended.

use takt_kernel::schedulability::{Policy, Set};
use takt_kernel::table::Band;

/// What a stretch of a job does to others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stretch {
    /// Nothing.
    Plain,
    /// Holds a lock with this ceiling.
    Lock(u8),
    /// Holds kernel interrupts off.
    Step,
    /// Holds all interrupts off.
    Masked,
}

/// A job: when it is due, when its release is raised, and what it does.
#[derive(Clone, Debug)]
pub(crate) struct Release {
    pub(crate) due: i64,
    pub(crate) raised: i64,
    pub(crate) stretches: Vec<(Stretch, i64)>,
}

/// What happens: the releases of each task, and the instants of each interrupt, both in order of time.
#[derive(Clone, Debug)]
pub(crate) struct Scenario {
    pub(crate) releases: Vec<Vec<Release>>,
    pub(crate) interrupts: Vec<Vec<i64>>,
}

/// A job that was released.
struct Active {
    task: usize,
    due: i64,
    deadline: i64,
    stretches: Vec<(Stretch, i64)>,
    /// The stretch it is in, and whether it has begun that: only then it holds the lock.
    at: usize,
    has_begun: bool,
    /// The order among equals.
    turn: u64,
    /// What is left of its turn.
    slice: i64,
}

/// Who has the core.
#[derive(Clone, Copy)]
enum Runs {
    Handler(usize),
    Job(usize),
    Nobody,
}

/// A handler that was raised: what is left of it, and which task it releases.
struct Raised {
    is_direct: bool,
    has_begun: bool,
    left: i64,
    releases: Option<usize>,
}

pub(crate) struct Core<'s, 'a> {
    set: &'s Set<'a>,
    scenario: &'s Scenario,
    now: i64,
    next_release: Vec<usize>,
    /// Whether a task's release is raised, or its job has not ended.
    is_busy: Vec<bool>,
    /// Before this the release of a task is not raised: it was pended by a wait for an instant that had passed.
    not_before: Vec<i64>,
    next_interrupt: Vec<usize>,
    handlers: Vec<Raised>,
    jobs: Vec<Active>,
    turns: u64,
    /// The worst response of each task, of the jobs that ended.
    pub(crate) worst: Vec<i64>,
    /// Whether a job ended after its deadline.
    pub(crate) missed: Vec<bool>,
}

fn ns(time: u64) -> i64 {
    i64::try_from(time).unwrap()
}

impl<'s, 'a> Core<'s, 'a> {
    pub(crate) fn new(set: &'s Set<'a>, scenario: &'s Scenario) -> Self {
        let tasks = set.jobs.len();
        Self {
            set,
            scenario,
            now: i64::MIN,
            next_release: vec![0; tasks],
            is_busy: vec![false; tasks],
            not_before: vec![i64::MIN; tasks],
            next_interrupt: vec![0; set.interrupts.len()],
            handlers: Vec::new(),
            jobs: Vec::new(),
            turns: 0,
            worst: vec![0; tasks],
            missed: vec![false; tasks],
        }
    }

    /// Runs until nothing is left to do.
    pub(crate) fn run(&mut self) {
        loop {
            self.raise();
            let who = self.choose();
            let Some(until) = self.next_event(who) else { return };
            let passed = if matches!(who, Runs::Nobody) { 0 } else { until - self.now };
            self.now = until;
            match who {
                Runs::Handler(index) => self.handle(index, passed),
                Runs::Job(index) => self.work(index, passed),
                Runs::Nobody => {}
            }
        }
    }

    /// Raises what is due by now.
    fn raise(&mut self) {
        for (index, interrupt) in self.set.interrupts.iter().enumerate() {
            while self.scenario.interrupts[index].get(self.next_interrupt[index]).is_some_and(|&at| at <= self.now) {
                self.next_interrupt[index] += 1;
                let is_direct = interrupt.band == Band::Direct;
                let overheads = &self.set.overheads;
                let around = if is_direct { overheads.direct_interrupt_ns } else { overheads.kernel_interrupt_ns };
                let left = ns(interrupt.wcet_ns.unwrap() + around);
                self.handlers.push(Raised { is_direct, has_begun: false, left, releases: None });
            }
        }
        for task in 0..self.set.jobs.len() {
            if self.raised_at(task).is_some_and(|at| at <= self.now) {
                self.is_busy[task] = true;
                let left = ns(self.set.overheads.release_ns);
                self.handlers.push(Raised { is_direct: false, has_begun: false, left, releases: Some(task) });
            }
        }
    }

    /// When the next release of a task is raised; its job has to have ended.
    fn raised_at(&self, task: usize) -> Option<i64> {
        let next = self.scenario.releases[task].get(self.next_release[task]);
        next.filter(|_| !self.is_busy[task]).map(|release| release.raised.max(self.not_before[task]))
    }

    /// Who has the core.
    fn choose(&self) -> Runs {
        let running = self.running();
        let stretch = running.and_then(|index| {
            let job = &self.jobs[index];
            job.has_begun.then(|| job.stretches[job.at].0)
        });
        if let (Some(index), Some(Stretch::Masked)) = (running, stretch) {
            return Runs::Job(index);
        }
        let is_next = |handler: &Raised| handler.is_direct && handler.has_begun;
        let direct = self.handlers.iter().position(is_next);
        if let Some(index) = direct.or_else(|| self.handlers.iter().position(|handler| handler.is_direct)) {
            return Runs::Handler(index);
        }
        if let (Some(index), Some(Stretch::Step)) = (running, stretch) {
            return Runs::Job(index);
        }
        let begun = self.handlers.iter().position(|handler| handler.has_begun);
        match (begun, running) {
            (Some(index), _) => Runs::Handler(index),
            _ if !self.handlers.is_empty() => Runs::Handler(0),
            (_, Some(index)) => Runs::Job(index),
            _ => Runs::Nobody,
        }
    }

    /// The job that runs where no handler does: in a step or masked section that has begun; else the most urgent.
    fn running(&self) -> Option<usize> {
        let is_held =
            |job: &Active| job.has_begun && matches!(job.stretches[job.at].0, Stretch::Step | Stretch::Masked);
        if let Some(index) = self.jobs.iter().position(is_held) {
            return Some(index);
        }
        (0..self.jobs.len()).min_by_key(|&index| {
            let job = &self.jobs[index];
            let own = self.set.jobs[job.task].priority;
            let (priority, is_raised) = match job.stretches[job.at].0 {
                Stretch::Lock(ceiling) if job.has_begun => (ceiling.min(own), true),
                _ => (own, false),
            };
            let is_edf = self.policy(own) == Policy::EarliestDeadlineFirst;
            let deadline = if is_edf && !is_raised { job.deadline } else { 0 };
            (priority, !is_raised, deadline, job.turn)
        })
    }

    fn policy(&self, priority: u8) -> Policy {
        let of = self.set.levels.iter().find(|level| level.priority == priority);
        of.map_or(Policy::Fifo, |level| level.policy)
    }

    /// When something else may happen.
    fn next_event(&self, who: Runs) -> Option<i64> {
        let interrupts = (0..self.set.interrupts.len())
            .filter_map(|index| self.scenario.interrupts[index].get(self.next_interrupt[index]).copied());
        let releases = (0..self.set.jobs.len()).filter_map(|task| self.raised_at(task));
        let arrival = interrupts.chain(releases).min();
        let end = match who {
            Runs::Handler(index) => Some(self.now + self.handlers[index].left),
            Runs::Job(index) => {
                let job = &self.jobs[index];
                let left = job.stretches[job.at].1;
                let is_plain = job.stretches[job.at].0 == Stretch::Plain;
                Some(self.now + if is_plain { left.min(job.slice) } else { left })
            }
            Runs::Nobody => None,
        };
        [arrival, end].into_iter().flatten().min()
    }

    fn handle(&mut self, index: usize, passed: i64) {
        let handler = &mut self.handlers[index];
        handler.has_begun = true;
        handler.left -= passed;
        if handler.left > 0 {
            return;
        }
        let handler = self.handlers.remove(index);
        if let Some(task) = handler.releases {
            self.release(task);
        }
    }

    fn release(&mut self, task: usize) {
        let release = self.scenario.releases[task][self.next_release[task]].clone();
        self.next_release[task] += 1;
        let deadline = release.due + ns(self.set.jobs[task].deadline_ns);
        let turn = self.next_turn();
        let slice = self.slice(task);
        self.jobs.push(Active {
            task,
            due: release.due,
            deadline,
            stretches: release.stretches,
            at: 0,
            has_begun: false,
            turn,
            slice,
        });
    }

    fn next_turn(&mut self) -> u64 {
        self.turns += 1;
        self.turns
    }

    fn slice(&self, task: usize) -> i64 {
        match self.policy(self.set.jobs[task].priority) {
            Policy::RoundRobin { slice_ns } => ns(slice_ns),
            _ => i64::MAX,
        }
    }

    fn work(&mut self, index: usize, passed: i64) {
        let now = self.now;
        let job = &mut self.jobs[index];
        job.has_begun = true;
        job.slice = if job.slice == i64::MAX { i64::MAX } else { job.slice - passed };
        job.stretches[job.at].1 -= passed;
        if job.stretches[job.at].1 == 0 {
            job.at += 1;
            job.has_begun = false;
            if job.at == job.stretches.len() {
                let job = self.jobs.remove(index);
                self.is_busy[job.task] = false;
                self.not_before[job.task] = now + ns(self.set.overheads.pend_ns);
                self.worst[job.task] = self.worst[job.task].max(now - job.due);
                self.missed[job.task] |= now > job.deadline;
                return;
            }
        }
        let task = self.jobs[index].task;
        if self.jobs[index].slice <= 0 && self.jobs[index].stretches[self.jobs[index].at].0 == Stretch::Plain {
            self.jobs[index].slice = self.slice(task);
            self.jobs[index].turn = self.next_turn();
            let overheads = &self.set.overheads;
            let left = ns(overheads.release_ns + overheads.switch_ns);
            self.handlers.push(Raised { is_direct: false, has_begun: false, left, releases: None });
        }
    }
}
