// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ending a run from outside.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;

/// A request to stop, shared between a run and whoever may end it. Clones are the same request.
#[derive(Debug, Clone, Default)]
pub struct Stop {
    /// The number of the signal; 0 for none.
    signal: Arc<AtomicUsize>,
    /// Whether somebody has left by the key for it.
    has_left: Arc<AtomicBool>,
}

impl Stop {
    /// A request that SIGINT (Ctrl-C), SIGTERM and SIGHUP make. A second signal ends this process at once, for the case
    /// that it hangs on a reader of its output; then QEMU ends with it, but temporary files stay.
    ///
    /// # Errors
    /// When the system refuses a handler.
    pub fn on_signals() -> io::Result<Self> {
        let stop = Self::default();
        let seen = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            // In this order: the first signal finds `seen` false, the next true.
            flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&seen))?;
            flag::register(signal, Arc::clone(&seen))?;
            flag::register_usize(signal, Arc::clone(&stop.signal), usize::try_from(signal).unwrap_or(usize::MAX))?;
        }
        Ok(stop)
    }

    /// Somebody at the terminal wants to leave.
    pub(super) fn leave(&self) {
        self.has_left.store(true, Ordering::Relaxed);
    }

    /// Whether somebody does.
    pub(super) fn has_left(&self) -> bool {
        self.has_left.load(Ordering::Relaxed)
    }

    /// The signal that asks for the end, if one does.
    #[must_use]
    pub fn signal(&self) -> Option<i32> {
        match i32::try_from(self.signal.load(Ordering::Relaxed)) {
            Ok(0) => None,
            Ok(signal) => Some(signal),
            Err(_) => Some(i32::MAX),
        }
    }
}
