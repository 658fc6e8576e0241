// SPDX-License-Identifier: MIT OR Apache-2.0
//! The guest's serial interfaces: sockets that QEMU connects to.

use std::io::{ErrorKind, Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};

use super::stop::Stop;
use crate::qmp::BOUND;
use crate::terminal::LEAVE;

/// Bytes read from an interface at once, at most.
const CHUNK_BYTES: usize = 4096;
/// Chunks that may wait to be passed on; then the reader waits, then QEMU, then the guest.
const CHUNKS: usize = 64;
/// Time between two looks for QEMU's connection.
const RETRY: Duration = Duration::from_millis(5);

/// What the guest sent, in order for each interface. Ends with QEMU.
pub(super) type Chunks = Receiver<Chunk>;

/// Bytes that the guest sent.
#[derive(Debug)]
pub(super) enum Chunk {
    /// To the console.
    Console(Vec<u8>),
    /// To the second interface.
    Log(Vec<u8>),
}

/// What the guest's console receives.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Input {
    /// Nothing ever.
    #[default]
    Nothing,
    /// These bytes, from the start on, as fast as the guest takes them.
    Bytes(Vec<u8>),
    /// The same, but only once the guest has printed `prompt`: what comes before it listens would be lost.
    AfterPrompt {
        /// The last bytes that the guest prints before it listens.
        prompt: Vec<u8>,
        /// What it gets then.
        bytes: Vec<u8>,
    },
    /// Whatever this process reads from its standard input. The reading thread stays behind when the run ends, waiting for
    /// a byte that nobody will see: this is for a process that ends with its run.
    Stdin,
    /// The same, key by key, until Ctrl-], which ends the run: see [`Keys`](crate::terminal::Keys).
    Keys,
}

/// The listening side of an interface, before QEMU has been started.
#[derive(Debug)]
pub(super) struct Serial {
    listener: UnixListener,
}

impl Serial {
    /// Opens the socket.
    pub(super) fn listen(path: &Path) -> Result<Self> {
        let listener = UnixListener::bind(path).with_context(|| {
            format!(
                "the serial socket {} cannot be opened; if the path is too long, set TMPDIR to a short one",
                path.display()
            )
        })?;
        listener.set_nonblocking(true).context("the serial socket cannot be set up")?;
        Ok(Self { listener })
    }

    /// Takes QEMU's connection, which is made before QEMU answers on its control socket.
    fn accept(&self) -> Result<UnixStream> {
        let deadline = Instant::now() + BOUND;
        let stream = loop {
            match self.listener.accept() {
                Ok((stream, _)) => break stream,
                Err(error) if error.kind() == ErrorKind::WouldBlock && Instant::now() < deadline => {
                    std::thread::sleep(RETRY);
                }
                Err(error) => bail!("QEMU did not connect the guest's serial interface ({error})"),
            }
        };
        stream.set_nonblocking(false).context("the serial socket cannot be set up")?;
        Ok(stream)
    }
}

/// Takes QEMU's connections, sends the input and starts reading.
pub(super) fn connect(console: &Serial, log: Option<&Serial>, input: &Input, stop: &Stop) -> Result<Chunks> {
    let (sender, chunks) = sync_channel(CHUNKS);
    let stream = console.accept()?;
    let prompted = feed(&stream, input, stop)?;
    read_in_background(stream, Chunk::Console, prompted, sender.clone());
    if let Some(log) = log {
        read_in_background(log.accept()?, Chunk::Log, None, sender);
    }
    Ok(chunks)
}

/// Input that waits for its prompt.
struct Prompted {
    prompt: Vec<u8>,
    bytes: Vec<u8>,
    stream: UnixStream,
    /// The last bytes that were printed, as many as the prompt has but one.
    printed: Vec<u8>,
}

impl Prompted {
    /// Looks for the prompt in what was printed now. Gives itself back while it has not come.
    fn look(mut self, chunk: &[u8]) -> Option<Self> {
        self.printed.extend(chunk);
        if self.printed.windows(self.prompt.len().max(1)).any(|printed| printed == self.prompt) {
            // In the background, since the guest may print before it takes all of it.
            let Self { bytes, mut stream, .. } = self;
            std::thread::spawn(move || stream.write_all(&bytes));
            return None;
        }
        let kept = self.prompt.len().saturating_sub(1);
        self.printed.drain(..self.printed.len().saturating_sub(kept));
        Some(self)
    }
}

/// Reads until the socket is closed.
fn read_in_background(
    mut stream: UnixStream,
    kind: fn(Vec<u8>) -> Chunk,
    mut prompted: Option<Prompted>,
    sender: SyncSender<Chunk>,
) {
    std::thread::spawn(move || {
        let mut buffer = vec![0; CHUNK_BYTES];
        loop {
            match stream.read(&mut buffer) {
                Ok(0) => return,
                Ok(count) => {
                    let chunk: Vec<u8> = buffer.iter().take(count).copied().collect();
                    prompted = prompted.and_then(|prompted| prompted.look(&chunk));
                    // Nobody listens any more: the run has failed and ends QEMU.
                    if sender.send(kind(chunk)).is_err() {
                        return;
                    }
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                // QEMU ended with input of ours unread: the end of the console like any other.
                Err(_) => return,
            }
        }
    });
}

/// Sends the input in the background, or answers with what waits for a prompt. The socket is not closed at its end, since
/// QEMU would close the console with it.
fn feed(stream: &UnixStream, input: &Input, stop: &Stop) -> Result<Option<Prompted>> {
    let mut stream = stream.try_clone().context("the serial socket cannot be set up")?;
    match input.clone() {
        Input::Nothing => {}
        Input::Bytes(bytes) => {
            std::thread::spawn(move || stream.write_all(&bytes));
        }
        Input::AfterPrompt { prompt, bytes } => {
            return Ok(Some(Prompted { prompt, bytes, stream, printed: Vec::new() }));
        }
        Input::Stdin => {
            std::thread::spawn(move || std::io::copy(&mut std::io::stdin().lock(), &mut stream));
        }
        Input::Keys => {
            let stop = stop.clone();
            std::thread::spawn(move || pass_keys_on(&mut std::io::stdin().lock(), &mut stream, &stop));
        }
    }
    Ok(None)
}

/// Passes keys on, up to the one that leaves, to the end of the input, or to that of the guest.
fn pass_keys_on(keys: &mut impl Read, guest: &mut impl Write, stop: &Stop) {
    let mut buffer = [0; CHUNK_BYTES];
    while let Ok(count) = keys.read(&mut buffer) {
        let typed = buffer.get(..count).unwrap_or_default();
        let before = typed.iter().take_while(|byte| **byte != LEAVE).count();
        if guest.write_all(typed.get(..before).unwrap_or_default()).is_err() {
            return;
        }
        if before < count || count == 0 {
            return stop.leave();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What arrives after these chunks were printed.
    fn sent_after(prompt: &str, chunks: &[&str]) -> String {
        let (ours, mut theirs) = UnixStream::pair().unwrap();
        let prompted = Prompted {
            prompt: prompt.into(),
            bytes: "input".into(),
            stream: ours.try_clone().unwrap(),
            printed: Vec::new(),
        };
        let waits = chunks.iter().try_fold(prompted, |prompted, chunk| prompted.look(chunk.as_bytes()));
        drop((waits, ours));
        let mut sent = String::new();
        theirs.read_to_string(&mut sent).unwrap();
        sent
    }

    #[test]
    fn keys_go_to_the_guest_up_to_the_one_that_leaves() {
        for (typed, passed) in [("ab\x03c\x1d", "ab\x03c"), ("\x1dab", ""), ("abc", "abc")] {
            let (mut guest, stop) = (Vec::new(), Stop::default());
            pass_keys_on(&mut typed.as_bytes(), &mut guest, &stop);
            assert_eq!(guest, passed.as_bytes());
            assert!(stop.has_left(), "by the key, and at the end of the terminal");
        }
    }

    #[test]
    fn a_prompt_is_found_within_and_across_chunks() {
        for chunks in [&["ready\n"][..], &["not yet, ready\nmore"], &["re", "ad", "y\n"], &["rready", "\n"]] {
            assert_eq!(sent_after("ready\n", chunks), "input", "{chunks:?}");
        }
        for chunks in [&[][..], &["ready"], &["read", "\n"], &["ready", "", " \n"]] {
            assert_eq!(sent_after("ready\n", chunks), "", "{chunks:?}");
        }
    }
}
