// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where in the source an instruction comes from, by the line tables of the ELF file.

use std::fmt;
use std::rc::Rc;

use addr2line::Context;
use anyhow::{Context as _, Result};
use gimli::{Dwarf, EndianRcSlice, LittleEndian as Little};
use object::LittleEndian;
use object::read::elf::ElfFile64;
use object::{Object as _, ObjectSection as _};

type Reader = EndianRcSlice<Little>;

/// The line tables of a program.
pub struct Source(Context<Reader>);

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Source").finish_non_exhaustive()
    }
}

/// Functions of these files mask or read a register for whoever calls them, so the caller's line says more.
const CALLED_BY_ALL: [&str; 4] =
    ["rpi4/src/interrupts.rs", "takt/src/core_state.rs", "takt/src/turn.rs", "takt/src/gate.rs"];

impl Source {
    /// Reads the line tables of an ELF file.
    ///
    /// # Errors
    /// When it is none, or its line tables are broken.
    pub fn parse(elf: &[u8]) -> Result<Self> {
        let file = ElfFile64::<LittleEndian>::parse(elf).context("this is not a 64-bit little-endian ELF file")?;
        let dwarf = Dwarf::load(|section| -> Result<Reader> {
            let data = file.section_by_name(section.name()).map_or(Ok(&[][..]), |section| section.data())?;
            Ok(Reader::new(Rc::from(data), Little))
        })
        .context("the line tables cannot be read; build the program with the release profile")?;
        Ok(Self(Context::from_dwarf(dwarf).context("the line tables cannot be read")?))
    }

    /// `file:line` of an instruction, in the function of ours that called whatever was inlined to mask. Assembly has no
    /// line, and the idle task, 0, no instruction.
    #[must_use]
    pub fn line(&self, address: u64) -> String {
        if address == 0 {
            return "the idle task".to_owned();
        }
        let mut lines = self.lines(address);
        let innermost = lines.first().cloned();
        lines.retain(|line| !CALLED_BY_ALL.iter().any(|file| line.contains(file)));
        lines.retain(|line| !line.starts_with('/'));
        // What is nobody's of ours stands in a library, wherever that lies.
        let library = |line: String| line.rsplit_once("/library/").map_or(line.clone(), |(_, rest)| rest.to_owned());
        lines.into_iter().next().or(innermost.map(library)).unwrap_or_else(|| "?".to_owned())
    }

    /// `file:line` of an instruction itself; empty for assembly.
    #[must_use]
    pub fn innermost(&self, address: u64) -> String {
        self.lines(address).into_iter().next().unwrap_or_default()
    }

    /// `file: function` of an instruction, from the innermost inlined function outwards; without parameters of types. Line
    /// tables alone know the last part of a name only, so the file belongs to it. Assembly has none.
    #[must_use]
    pub fn functions(&self, address: u64) -> Vec<String> {
        let mut functions = Vec::new();
        let Ok(mut frames) = self.0.find_frames(address).skip_all_loads() else { return functions };
        while let Ok(Some(frame)) = frames.next() {
            let file = frame.location.and_then(|location| location.file).map(within_the_workspace);
            let name = frame.function.as_ref().and_then(|function| function.raw_name().ok());
            let name = name.map(|name| format!("{:#}", rustc_demangle::demangle(&name)));
            if let (Some(file), Some(name)) = (file, name) {
                let last = name.rsplit("::").next().filter(|_| !name.contains('<')).unwrap_or(&name);
                functions.push(format!("{file}: {}", last.split('<').next().unwrap_or(last)));
            }
        }
        functions
    }

    /// The lines of an instruction, from the innermost inlined function outwards.
    fn lines(&self, address: u64) -> Vec<String> {
        let mut lines = Vec::new();
        let Ok(mut frames) = self.0.find_frames(address).skip_all_loads() else { return lines };
        while let Ok(Some(frame)) = frames.next() {
            let Some(location) = frame.location else { continue };
            if let (Some(file), Some(line)) = (location.file, location.line) {
                lines.push(format!("{}:{line}", within_the_workspace(file)));
            }
        }
        lines
    }
}

/// The path of a file without the directory that is worked in.
fn within_the_workspace(file: &str) -> &str {
    let here = std::env::current_dir().unwrap_or_default();
    here.to_str().and_then(|here| file.strip_prefix(here)).map_or(file, |rest| rest.trim_start_matches('/'))
}
