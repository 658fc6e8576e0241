// SPDX-License-Identifier: MIT OR Apache-2.0
//! A value that tasks own in turn.

use core::cell::UnsafeCell;
use core::marker::PhantomData;
use core::ops::{Deref, DerefMut};
use core::sync::atomic::{AtomicBool, Ordering};

/// A static value with one owner at a time: a task takes it, works on it with interrupts on for as long as it likes, and
/// gives it back, usually just before it sets an [`Event`](crate::Event) that the next owner waits for.
///
/// It is not a lock: who finds it taken is told so and does not wait. The value never moves, so it may be large.
#[derive(Debug)]
pub struct Handover<T> {
    is_taken: AtomicBool,
    value: UnsafeCell<T>,
}

// SAFETY:
// - `take` makes at most one `Taken` at a time, and only it reaches the value: the value is used by one task at a time.
// - The flag is released after the last use by one owner and acquired before the first by the next.
// - Owners may be different tasks, hence `T: Send`.
unsafe impl<T: Send> Sync for Handover<T> {}

impl<T> Handover<T> {
    /// A value that nobody owns yet.
    pub const fn new(value: T) -> Self {
        Self { is_taken: AtomicBool::new(false), value: UnsafeCell::new(value) }
    }

    /// Takes the value until the result is dropped; `None` where somebody has it.
    pub fn take(&self) -> Option<Taken<'_, T>> {
        if self.is_taken.swap(true, Ordering::Acquire) {
            return None;
        }
        Some(Taken { from: self, value: PhantomData })
    }
}

/// The value of a [`Handover`] in the hands of its present owner; dropped, it is free for the next.
#[derive(Debug)]
#[must_use = "dropped at once, the value is free again at once"]
pub struct Taken<'a, T> {
    from: &'a Handover<T>,
    /// As `Send` and as `Sync` as a unique reference.
    value: PhantomData<&'a mut T>,
}

impl<T> Deref for Taken<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: the flag is set, so this is the one `Taken`, and it is borrowed for as long as the reference lives.
        unsafe { &*self.from.value.get() }
    }
}

impl<T> DerefMut for Taken<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as above, and borrowed uniquely.
        unsafe { &mut *self.from.value.get() }
    }
}

impl<T> Drop for Taken<'_, T> {
    fn drop(&mut self) {
        self.from.is_taken.store(false, Ordering::Release);
    }
}
