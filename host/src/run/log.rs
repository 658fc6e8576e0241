// SPDX-License-Identifier: MIT OR Apache-2.0
//! Log messages: frames of `defmt` on the guest's second serial interface, decoded with the table in the image's ELF file.

use std::fmt;
use std::path::Path;

use anyhow::{Result, anyhow, bail};
use defmt_decoder::{DecodeError, Frame, Locations, StreamDecoder};

/// The messages that an image may log, and where in its source each stands.
pub struct Table {
    table: defmt_decoder::Table,
    /// Empty where the image has no line tables, or not for every message.
    places: Locations,
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Table").field("messages", &self.table.indices().count()).finish_non_exhaustive()
    }
}

impl Table {
    /// The table of an ELF file; `None` where it has none, or is no ELF file.
    ///
    /// # Errors
    /// When there is one that cannot be read, as when the image was made with another version of `defmt`.
    pub fn of(file: &[u8]) -> Result<Option<Self>> {
        if !crate::image::is_elf(file) {
            return Ok(None);
        }
        let Some(table) = defmt_decoder::Table::parse(file)?.filter(|table| table.indices().next().is_some()) else {
            return Ok(None);
        };
        if !table.encoding().can_recover() {
            bail!("its encoding has no frames; leave defmt's feature encoding-raw out");
        }
        let places = table.get_locations(file).map_err(|error| anyhow!("where its messages stand: {error}"))?;
        Ok(Some(Self { table, places }))
    }

    fn place(&self, frame: &Frame<'_>) -> Option<String> {
        let place = self.places.get(&frame.index())?;
        Some(format!("{}:{}", shortened(&place.file).display(), place.line))
    }
}

/// The path without the directory that the image was built in, which is above the one of its manifest or of `Cargo.lock`.
fn shortened(file: &Path) -> &Path {
    let root = file.ancestors().skip(1).find(|directory| directory.join("Cargo.lock").is_file());
    root.and_then(|root| file.strip_prefix(root).ok()).unwrap_or(file)
}

/// A line of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LogLine {
    /// A message.
    Message {
        /// When it was logged, in seconds of the guest's counter.
        timestamp: String,
        /// How grave it is, in capitals; empty for what is printed regardless.
        level: String,
        /// What it says.
        text: String,
        /// File and line, where the image tells.
        place: Option<String>,
    },
    /// A frame that is none of the image's messages.
    Garbled,
    /// The run ended in the middle of a frame.
    Incomplete,
}

impl fmt::Display for LogLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Message { timestamp, level, text, place } => {
                write!(f, "log {timestamp} {level:<5} {text}")?;
                place.as_ref().map_or(Ok(()), |place| write!(f, " ({place})"))
            }
            Self::Garbled => write!(
                f,
                "log: a frame cannot be decoded; bytes were lost, something else than takt-log writes to the second serial \
                 interface, or the ELF file is not that of the image"
            ),
            Self::Incomplete => {
                write!(f, "log: the run ended in the middle of a frame; takt_log::flush waits until all have left")
            }
        }
    }
}

/// What has been received so far.
pub(super) struct Messages<'t> {
    table: &'t Table,
    decoder: Box<dyn StreamDecoder + Send + Sync + 't>,
    is_inside_frame: bool,
}

impl<'t> Messages<'t> {
    pub(super) fn new(table: &'t Table) -> Self {
        Self { table, decoder: table.table.new_stream_decoder(), is_inside_frame: false }
    }

    /// Takes bytes in and gives on the lines that they complete.
    pub(super) fn decode(&mut self, bytes: &[u8], log: &mut dyn FnMut(LogLine)) {
        self.is_inside_frame = bytes.last().map_or(self.is_inside_frame, |&last| last != FRAME_END);
        self.decoder.received(bytes);
        loop {
            let line = match self.decoder.decode() {
                Ok(frame) => LogLine::Message {
                    timestamp: frame.display_timestamp().map(|timestamp| timestamp.to_string()).unwrap_or_default(),
                    level: frame.level().map(|level| level.as_str().to_uppercase()).unwrap_or_default(),
                    text: frame.display_message().to_string(),
                    place: self.table.place(&frame),
                },
                Err(DecodeError::Malformed) => LogLine::Garbled,
                Err(DecodeError::UnexpectedEof) => return,
            };
            log(line);
        }
    }

    /// Says where the last frame is missing its end.
    pub(super) fn end(self, log: &mut dyn FnMut(LogLine)) {
        if self.is_inside_frame {
            log(LogLine::Incomplete);
        }
    }
}

/// What ends a frame in rzCOBS, `defmt`'s encoding.
const FRAME_END: u8 = 0;
