//! The reference: everything in plain sight.

/// What a task waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Awaited {
    Mutex(usize),
    Semaphore,
    Event,
    Flags { flags: u32, all: bool, clears: bool },
    Barrier,
    CondVar,
}

/// A lock that a task holds, in the order in which it took them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lock {
    Inherit(usize),
    Ceiling(usize),
}

/// What the model knows of a task.
#[derive(Debug)]
pub(crate) struct Task {
    pub(crate) priority: u8,
    pub(crate) awaited: Option<Awaited>,
    /// When it began to wait, in steps: who has waited longest among equals.
    pub(crate) since: u64,
    /// Its deadline, while it waits for a time and that has not come.
    pub(crate) deadline: Option<u64>,
    /// Its deadline has come, and it has not run since.
    pub(crate) is_overdue: bool,
    pub(crate) locks: Vec<Lock>,
    /// The flags that it got last.
    pub(crate) received: u32,
}

/// All of it.
#[derive(Debug)]
pub(crate) struct Model {
    pub(crate) tasks: Vec<Task>,
    pub(crate) ceilings: [u8; 2],
    pub(crate) count: u32,
    pub(crate) is_set: bool,
    pub(crate) flags: u32,
    pub(crate) arrived: usize,
}

/// How many meet at the barrier.
pub(crate) const MEET: usize = 3;
/// The most that the semaphore counts.
pub(crate) const MOST: u32 = 2;

impl Model {
    pub(crate) fn owner(&self, mutex: usize) -> Option<usize> {
        (0..self.tasks.len()).find(|&task| self.tasks[task].locks.contains(&Lock::Inherit(mutex)))
    }

    /// How urgent a task is by what it holds that others wait for, from scratch.
    pub(crate) fn inherited(&self, task: usize) -> u8 {
        let lent = self.tasks[task].locks.iter().flat_map(|lock| match *lock {
            Lock::Inherit(mutex) => self.waiters(Awaited::Mutex(mutex)),
            Lock::Ceiling(_) => Vec::new(),
        });
        lent.map(|waiter| self.inherited(waiter)).chain([self.tasks[task].priority]).min().unwrap()
    }

    /// The same, with the ceilings at which it runs; one whose time is over comes before all.
    pub(crate) fn urgency(&self, task: usize) -> u8 {
        if self.tasks[task].is_overdue && matches!(self.tasks[task].awaited, Some(Awaited::Mutex(_))) {
            return 0;
        }
        // A ceiling comes before its equals.
        let ceilings = self.tasks[task].locks.iter().filter_map(|lock| match *lock {
            Lock::Ceiling(which) => Some(self.ceilings[which] * 2 - 1),
            Lock::Inherit(_) => None,
        });
        ceilings.chain([self.inherited(task) * 2]).min().unwrap()
    }

    pub(crate) fn is_ready(&self, task: usize) -> bool {
        self.tasks[task].awaited.is_none() || self.tasks[task].is_overdue
    }

    /// Who waits for this, those whose time is over included, the one that has waited longest first.
    pub(crate) fn waiters(&self, awaited: Awaited) -> Vec<usize> {
        let same = |other: Option<Awaited>| match (awaited, other) {
            (Awaited::Flags { .. }, Some(Awaited::Flags { .. })) => true,
            (one, other) => Some(one) == other,
        };
        let mut found: Vec<usize> = (0..self.tasks.len()).filter(|&task| same(self.tasks[task].awaited)).collect();
        found.sort_by_key(|&task| self.tasks[task].since);
        found
    }

    /// Who is next among those that wait for this.
    pub(crate) fn next(&self, awaited: Awaited) -> Option<usize> {
        self.waiters(awaited).into_iter().min_by_key(|&task| self.inherited(task))
    }

    /// The task waits no longer.
    pub(crate) fn wake(&mut self, task: usize) {
        let task = &mut self.tasks[task];
        (task.awaited, task.deadline, task.is_overdue) = (None, None, false);
    }

    /// The task leaves its latest lock, for the next waiter, which this answers.
    pub(crate) fn hand_over(&mut self, task: usize, mutex: usize) -> Option<usize> {
        let next = self.next(Awaited::Mutex(mutex));
        assert_eq!(self.tasks[task].locks.pop(), Some(Lock::Inherit(mutex)));
        if let Some(next) = next {
            self.wake(next);
            self.tasks[next].locks.push(Lock::Inherit(mutex));
        }
        next
    }

    /// Sets flags: who is woken, in order.
    pub(crate) fn set_flags(&mut self, flags: u32) -> Vec<usize> {
        self.flags |= flags;
        let mut woken = Vec::new();
        let any = Awaited::Flags { flags: 0, all: false, clears: false };
        let mut all = self.waiters(any);
        all.sort_by_key(|&task| self.inherited(task));
        for task in all {
            let Some(Awaited::Flags { flags, all, clears }) = self.tasks[task].awaited else { continue };
            let found = self.flags & flags;
            if found == 0 || (all && found != flags) {
                continue;
            }
            if clears {
                self.flags &= !found;
            }
            self.wake(task);
            self.tasks[task].received = found;
            woken.push(task);
        }
        woken
    }

    /// Whether `task` would wait for itself if it waited for the mutex.
    pub(crate) fn is_circle(&self, task: usize, mutex: usize) -> bool {
        let mut wanted = mutex;
        loop {
            match self.owner(wanted) {
                None => return false,
                Some(owner) if owner == task => return true,
                Some(owner) => match self.tasks[owner].awaited {
                    Some(Awaited::Mutex(next)) => wanted = next,
                    _ => return false,
                },
            }
        }
    }
}
