// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where the bytes of an image are: by crate, and which stacks were used how far.
//!
//! A symbol belongs to the crate that its name begins with. What was inlined is counted where it was inlined to; what has
//! no name, as most constants, and what the linker fills up is `other`.

use std::fmt;

use object::read::elf::ElfFile64;
use object::{LittleEndian, Object as _, ObjectSection as _, ObjectSymbol as _, SectionIndex, SectionKind};

use super::figures::Figure;

/// How memory is used: the columns.
const KINDS: [&str; 4] = ["text", "rodata", "data", "bss"];
/// Crates that are not named after takt but have a row of their own.
const NAMED: [&str; 2] = ["core", "heapless"];
/// The row for everything else.
const OTHER: &str = "other";

/// Bytes of each kind, in the order of [`KINDS`].
type Bytes = [u64; KINDS.len()];

/// A program's bytes by crate, and all of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Footprint {
    crates: Vec<(String, Bytes)>,
    whole: Bytes,
}

/// How far a stack was used, as the image says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stack {
    /// Whose it is.
    pub name: String,
    /// The most that was in use, in bytes.
    pub used: u64,
    /// Its size in bytes.
    pub size: u64,
}

impl Footprint {
    /// Adds a program's symbols and sections up.
    #[must_use]
    pub fn of(file: &ElfFile64<'_, LittleEndian>) -> Self {
        let mut footprint = Self::default();
        let kind_in = |index: SectionIndex| file.section_by_index(index).ok().and_then(|section| kind(&section));
        for section in file.sections() {
            if let Some(bytes) = kind(&section).and_then(|kind| footprint.whole.get_mut(kind)) {
                *bytes += section.size();
            }
        }
        for symbol in file.symbols() {
            let Some(kind) = symbol.section_index().and_then(kind_in) else { continue };
            let name = format!("{:#}", rustc_demangle::demangle(symbol.name().unwrap_or_default()));
            footprint.add(crate_of(&name), kind, symbol.size());
        }
        footprint.crates.retain(|(_, bytes)| bytes.iter().sum::<u64>() > 0);
        footprint.crates.sort();
        footprint
    }

    fn add(&mut self, name: &str, kind: usize, size: u64) {
        if name == OTHER {
            return;
        }
        let row = self.crates.iter().position(|(one, _)| one == name).unwrap_or_else(|| {
            self.crates.push((name.to_owned(), Bytes::default()));
            self.crates.len() - 1
        });
        if let Some(bytes) = self.crates.get_mut(row).and_then(|(_, bytes)| bytes.get_mut(kind)) {
            *bytes += size;
        }
    }

    /// The crates, the rest, and the whole.
    fn rows(&self) -> Vec<(&str, Bytes)> {
        let mut rows: Vec<(&str, Bytes)> = self.crates.iter().map(|(name, bytes)| (name.as_str(), *bytes)).collect();
        let rest = std::array::from_fn(|kind| {
            let named = rows.iter().filter_map(|(_, bytes)| bytes.get(kind)).sum();
            self.whole.get(kind).map_or(0, |whole| whole.saturating_sub(named))
        });
        rows.extend([(OTHER, rest), ("whole", self.whole)]);
        rows
    }

    /// The rows as figures, for programs.
    #[must_use]
    pub fn figures(&self) -> Vec<Figure> {
        let row = |(name, bytes): (&str, Bytes)| {
            let name = name.replace('_', "-");
            KINDS.into_iter().zip(bytes).map(move |(kind, size)| figure(format!("footprint-{name}-{kind}"), size))
        };
        self.rows().into_iter().flat_map(row).collect()
    }
}

impl fmt::Display for Footprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [text, rodata, data, bss] = KINDS;
        writeln!(f, "{:<36} {text:>8} {rodata:>8} {data:>8} {bss:>8}", "footprint by crate, bytes")?;
        self.rows().into_iter().try_for_each(|(name, [text, rodata, data, bss])| {
            writeln!(f, "{name:<36} {text:>8} {rodata:>8} {data:>8} {bss:>8}")
        })
    }
}

impl Stack {
    /// Reads the image's line, `# Stack: NAME USED of SIZE bytes`; `None` for any other.
    #[must_use]
    pub fn parse(line: &str) -> Option<Self> {
        let words: Vec<&str> = line.strip_prefix("# Stack: ")?.split_whitespace().collect();
        let [name, used, "of", size, "bytes"] = words.as_slice() else { return None };
        Some(Self { name: (*name).to_owned(), used: used.parse().ok()?, size: size.parse().ok()? })
    }

    /// The line as figures, for programs.
    #[must_use]
    pub fn figures(&self) -> [Figure; 2] {
        let name = self.name.replace('_', "-");
        let name = name.trim_matches(['(', ')']);
        [figure(format!("stack-used-{name}"), self.used), figure(format!("stack-size-{name}"), self.size)]
    }
}

impl fmt::Display for Stack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, used, size } = self;
        write!(f, "{name:<36} {used:>8} of {size:>5}")
    }
}

fn figure(name: String, size: u64) -> Figure {
    let size = i64::try_from(size).unwrap_or(i64::MAX);
    Figure { name, min: size, max: size, unit: "bytes" }
}

/// Which of [`KINDS`] a section is of; `None` where it takes no memory.
fn kind<'data>(section: &impl object::ObjectSection<'data>) -> Option<usize> {
    if section.address() == 0 {
        return None;
    }
    match section.kind() {
        SectionKind::Text => Some(0),
        SectionKind::ReadOnlyData | SectionKind::ReadOnlyString => Some(1),
        SectionKind::Data => Some(2),
        SectionKind::UninitializedData => Some(3),
        _ => None,
    }
}

/// The crate that a demangled name begins with, of those that have a row.
fn crate_of(name: &str) -> &str {
    let path = name.trim_start_matches(['<', '&', '*', '(', '[']);
    let path = ["mut ", "const ", "dyn "].into_iter().fold(path, |path, word| path.strip_prefix(word).unwrap_or(path));
    match path.split_once("::") {
        Some((first, _)) if first.starts_with("takt") || NAMED.contains(&first) => first,
        _ => OTHER,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_crate_is_what_a_name_begins_with() {
        assert_eq!(crate_of("takt::irq::irq"), "takt");
        assert_eq!(crate_of("<takt_kernel::sentence::Sentence as core::fmt::Write>::write_str"), "takt_kernel");
        assert_eq!(crate_of("<&mut takt::console::Console as core::fmt::Write>::write_char"), "takt");
        assert_eq!(crate_of("core::fmt::write"), "core");
        assert_eq!(["<u8 as core::fmt::Display>::fmt", "memset", ""].map(crate_of), [OTHER; 3]);
    }

    #[test]
    fn what_no_crate_has_is_other() {
        let mut footprint = Footprint { whole: [100, 20, 0, 0], ..Footprint::default() };
        footprint.add("takt", 0, 60);
        footprint.add("takt", 0, 5);
        footprint.add(OTHER, 0, 9);
        assert_eq!(footprint.rows(), [("takt", [65, 0, 0, 0]), (OTHER, [35, 20, 0, 0]), ("whole", [100, 20, 0, 0])]);
        assert!(footprint.figures().contains(&figure("footprint-other-rodata".into(), 20)));
    }

    #[test]
    fn a_stack_is_read_from_its_line() {
        let stack = Stack::parse("# Stack: slot_0 1536 of 4096 bytes").unwrap();
        assert_eq!(stack, Stack { name: "slot_0".into(), used: 1536, size: 4096 });
        assert_eq!(
            stack.figures().map(|figure| (figure.name, figure.max)),
            [("stack-used-slot-0".to_owned(), 1536), ("stack-size-slot-0".to_owned(), 4096)]
        );
        let exceptions = Stack::parse("# Stack: (exceptions) 16 of 16384 bytes").unwrap();
        assert_eq!(exceptions.figures().map(|figure| figure.name), ["stack-used-exceptions", "stack-size-exceptions"]);
        for line in ["# Stack: a b of 4096 bytes", "# Task: a 1 of 2 bytes", "# Stack: a 1 of 2"] {
            assert_eq!(Stack::parse(line), None, "{line}");
        }
    }
}
