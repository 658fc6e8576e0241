// SPDX-License-Identifier: MIT OR Apache-2.0
//! The QEMU process of a run. It is ended when this is dropped.

use std::fs::File;
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Error, Result, anyhow, bail};

use super::arguments::qemu_arguments;
use super::{End, Run};
use crate::qemu::Qemu;
use crate::scratch::Scratch;

/// Where QEMU's own messages go, in the run's directory.
const MESSAGES: &str = "messages";
/// Time between two looks at a process that is about to end.
const RETRY: Duration = Duration::from_millis(5);

/// A started QEMU.
#[derive(Debug)]
pub(super) struct Machine {
    child: Child,
    messages: PathBuf,
}

impl Machine {
    /// Starts QEMU in the run's directory. It has no terminal and is in a process group of its own, so that a Ctrl-C comes
    /// to us alone.
    pub(super) fn start(qemu: &Qemu, run: &Run, with_log: bool, scratch: &Scratch) -> Result<Self> {
        use std::os::unix::process::CommandExt as _;
        let messages = scratch.file(MESSAGES);
        let output = File::create(&messages).context("the file for QEMU's messages cannot be made")?;
        let error_output = output.try_clone().context("the file for QEMU's messages cannot be shared")?;
        let child = qemu
            .command()
            .args(qemu_arguments(run, with_log))
            .current_dir(scratch.path())
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(output)
            .stderr(error_output)
            .spawn()
            .context("QEMU cannot be started")?;
        Ok(Self { child, messages })
    }

    /// Whether the process still runs.
    pub(super) fn is_alive(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// How QEMU ended, which has to be within the bound.
    pub(super) fn wait(&mut self, bound: Duration) -> Result<End> {
        let deadline = Instant::now() + bound;
        loop {
            match self.child.try_wait().context("QEMU's exit status cannot be read")? {
                Some(status) => return Ok(End::of_process(status)),
                None if Instant::now() >= deadline => bail!("QEMU closed the guest's console but did not end"),
                None => std::thread::sleep(RETRY),
            }
        }
    }

    /// Ends QEMU and waits for that. A process that has ended already is left alone.
    pub(super) fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// What QEMU itself has printed.
    pub(super) fn messages(&self) -> String {
        let bytes = std::fs::read(&self.messages).unwrap_or_default();
        String::from_utf8_lossy(&bytes).trim_end().to_owned()
    }

    /// The error, with how QEMU fared and what it printed.
    pub(super) fn explain(&mut self, error: Error) -> Error {
        let state = match self.child.try_wait() {
            Ok(Some(status)) => format!("QEMU ended with {status}"),
            _ => "QEMU was still running".to_owned(),
        };
        let messages = self.messages();
        let printed =
            if messages.is_empty() { " and printed nothing".into() } else { format!(" and printed:\n{messages}") };
        anyhow!("{error:#}; {state}{printed}")
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        self.kill();
    }
}
