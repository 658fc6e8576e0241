// SPDX-License-Identifier: MIT OR Apache-2.0
//! The program as its ELF file shows it: instructions, names and sizes.

use super::footprint::Footprint;
use anyhow::{Context as _, Result, bail};
use object::LittleEndian;
use object::read::elf::ElfFile64;
use object::{Object as _, ObjectSection as _, ObjectSymbol as _, SectionKind};

/// What the names of the interrupt handler's function contain, in either way that rustc writes names.
const HANDLER: [&str; 2] = ["3irq3irq", "takt::irq::irq"];
/// The name of the vectors.
const VECTORS: &str = "takt_vectors";

/// A program of the device.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Program {
    /// Where the exception vectors begin.
    pub vectors: u64,
    /// Where the interrupt handler's function begins.
    pub handler: u64,
    /// Bytes of instructions, filled up to whole pages as the linker script does.
    pub text_bytes: u64,
    /// Bytes of constants, filled up likewise.
    pub rodata_bytes: u64,
    /// Where all bytes are.
    pub footprint: Footprint,
    /// Sections with instructions: address and bytes.
    text: Vec<(u64, Vec<u8>)>,
    /// Names of places in the text, by address.
    names: Vec<(u64, String)>,
}

impl Program {
    /// Reads an ELF file.
    ///
    /// # Errors
    /// When it is none, or has no symbols that name the vectors and the handler.
    pub fn parse(elf: &[u8]) -> Result<Self> {
        let file = ElfFile64::<LittleEndian>::parse(elf).context(
            "this is not a 64-bit little-endian ELF file; give the program that the build for the device made",
        )?;
        let mut program = Self { footprint: Footprint::of(&file), ..Self::default() };
        for section in file.sections() {
            match section.kind() {
                SectionKind::Text => {
                    let bytes = section.data().context("the instructions are not all in the file; build it again")?;
                    program.text_bytes += section.size();
                    program.text.push((section.address(), bytes.to_vec()));
                }
                SectionKind::ReadOnlyData | SectionKind::ReadOnlyString if section.address() != 0 => {
                    program.rodata_bytes += section.size();
                }
                _ => {}
            }
        }
        let mut handlers = Vec::new();
        for symbol in file.symbols().filter(|symbol| !symbol.is_undefined()) {
            let Ok(name) = symbol.name() else { continue };
            if name == VECTORS {
                program.vectors = symbol.address();
            }
            if HANDLER.iter().any(|part| name.contains(part)) {
                handlers.push(symbol.address());
            }
            // Names that begin so are the linker script's borders and the assembler's marks.
            if !name.is_empty() && !name.starts_with("__") && !name.starts_with('$') {
                program.names.push((symbol.address(), format!("{:#}", rustc_demangle::demangle(name))));
            }
        }
        program.names.sort();
        handlers.dedup();
        match (program.vectors, handlers.as_slice()) {
            (0, _) => bail!("there is no symbol {VECTORS}; give the program as it was linked, with its symbols"),
            (_, [handler]) => program.handler = *handler,
            (_, all) => bail!(
                "{} symbols are taken for the interrupt handler, the function irq of takt/src/irq.rs, but 1 is expected; \
                 give the program as it was linked, with its symbols",
                all.len()
            ),
        }
        Ok(program)
    }

    /// All instructions: address and word. What else lies among them, constants and fill, is not told apart.
    pub fn instructions(&self) -> impl Iterator<Item = (u64, u32)> {
        self.text.iter().flat_map(|(start, bytes)| {
            let words = bytes.chunks_exact(4).filter_map(|bytes| bytes.first_chunk::<4>());
            (*start..).step_by(4).zip(words.map(|bytes| u32::from_le_bytes(*bytes)))
        })
    }

    /// All names and their addresses, by address.
    pub fn names(&self) -> impl Iterator<Item = (u64, &str)> {
        self.names.iter().map(|(address, name)| (*address, name.as_str()))
    }

    /// A program of these functions, for tests: address, name and words.
    #[cfg(test)]
    pub(crate) fn of_functions(vectors: u64, functions: &[(u64, &str, &[u32])]) -> Self {
        let bytes = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect();
        Self {
            vectors,
            text: functions.iter().map(|(address, _, words)| (*address, bytes(words))).collect(),
            names: functions.iter().map(|(address, name, _)| (*address, (*name).into())).collect(),
            ..Self::default()
        }
    }

    /// A program of these instructions, for tests: address and word.
    #[cfg(test)]
    pub(crate) fn of_words(vectors: u64, handler: u64, words: &[(u64, u32)]) -> Self {
        let text = words.iter().map(|(address, word)| (*address, word.to_le_bytes().to_vec())).collect();
        Self {
            vectors,
            handler,
            text,
            names: vec![(vectors, VECTORS.into()), (handler, "irq".into())],
            ..Self::default()
        }
    }

    /// The instruction at an address.
    #[must_use]
    pub fn word(&self, address: u64) -> Option<u32> {
        self.text.iter().find_map(|(start, bytes)| {
            let offset = usize::try_from(address.checked_sub(*start)?).ok()?;
            let bytes = bytes.get(offset..)?.first_chunk::<4>()?;
            Some(u32::from_le_bytes(*bytes))
        })
    }

    /// The nearest name at or before an address, and the distance from it.
    #[must_use]
    pub fn place(&self, address: u64) -> Option<(&str, u64)> {
        let behind = self.names.partition_point(|(start, _)| *start <= address);
        let (start, name) = self.names.get(behind.checked_sub(1)?)?;
        Some((name, address - start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_are_looked_up_by_address() {
        let program = Program::of_words(0x800, 0x900, &[(0x800, 0xD503_201F), (0x804, 0xD65F_03C0)]);
        assert_eq!(program.word(0x800), Some(0xD503_201F));
        assert_eq!(program.word(0x804), Some(0xD65F_03C0));
        assert_eq!(program.word(0x802), None);
        assert_eq!(program.word(0x808), None);
        assert_eq!(program.word(0), None);
    }

    #[test]
    fn a_place_is_the_nearest_name_before_it() {
        let program = Program::of_words(0x800, 0x900, &[]);
        assert_eq!(program.place(0x800), Some(("takt_vectors", 0)));
        assert_eq!(program.place(0x8FC), Some(("takt_vectors", 0xFC)));
        assert_eq!(program.place(0x904), Some(("irq", 4)));
        assert_eq!(program.place(0x7FF), None);
    }

    #[test]
    fn what_is_no_program_is_refused() {
        let error = Program::parse(b"\x7fELF and no more").unwrap_err();
        assert!(error.to_string().contains("not a 64-bit"), "{error}");
    }
}
