// SPDX-License-Identifier: MIT OR Apache-2.0
//! ELF file to raw image: what `objcopy -O binary` does, with the refusals a board would only show as silence.
//!
//! The firmware (and QEMU, given a raw image) copies the file to 0x80000 and jumps to its first byte, so the image is the
//! loadable segments at their *physical* addresses, counted from there, with zeros in the gaps. Bytes that exist in
//! memory only (`.bss`) are not in the file; the start-up code clears them.

use std::fmt;

use object::LittleEndian;
use object::elf::{EM_AARCH64, PT_LOAD};
use object::read::elf::{ElfFile64, FileHeader as _, ProgramHeader as _};

/// Where the firmware puts a 64-bit `kernel8.img`, and where it enters it.
pub const LOAD_ADDRESS: u64 = 0x8_0000;

/// First address behind the ARM's RAM in the first GiB with the default share of the VideoCore (76 MiB).
pub const RAM_END: u64 = 0x3B40_0000;

/// An image larger than this is taken for a mistake in the linker script (one far-off section, and a gap before it).
pub const LARGEST_IMAGE_BYTES: u64 = 64 << 20;

/// Why no image can be made of an ELF file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ImageError {
    /// Not a 64-bit little-endian ELF file at all; what the parser said.
    NotElf(String),
    /// An ELF file for another processor (its `e_machine`).
    NotAarch64(u16),
    /// No segment has bytes to load.
    Empty,
    /// The lowest loadable address is not [`LOAD_ADDRESS`].
    WrongStart(u64),
    /// The entry point is not the first byte of the image.
    WrongEntry(u64),
    /// A segment (first address, size) reaches outside RAM.
    OutsideRam(u64, u64),
    /// The segment at the first address starts before the one below it has ended at the second.
    Overlap(u64, u64),
    /// A segment's bytes are not all in the file (its address).
    Truncated(u64),
    /// The image would be this many bytes.
    TooLarge(u64),
}

impl fmt::Display for ImageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotElf(why) => write!(
                f,
                "this is not a 64-bit little-endian ELF file ({why}); give the program that the build for the device made"
            ),
            Self::NotAarch64(machine) => write!(
                f,
                "this ELF file is for another processor (machine {machine}, AArch64 is {}); build for the device with \
                 scripts/device-cargo",
                EM_AARCH64.0
            ),
            Self::Empty => write!(
                f,
                "this ELF file has no bytes to load; check that it was linked with linker/kernel8.ld and has code"
            ),
            Self::WrongStart(at) => write!(
                f,
                "the lowest loadable address is {at:#x}, but the firmware loads at {LOAD_ADDRESS:#x}; link with \
                 linker/kernel8.ld"
            ),
            Self::WrongEntry(at) => write!(
                f,
                "the entry point is {at:#x}, but a raw image is entered at its first byte, {LOAD_ADDRESS:#x}; the start-up \
                 code must be linked first"
            ),
            Self::OutsideRam(at, size) => write!(
                f,
                "the segment at {at:#x} of {size:#x} bytes is not in RAM, which ends at {RAM_END:#x}; check the addresses in \
                 the linker script"
            ),
            Self::Overlap(at, end) => write!(
                f,
                "the segment at {at:#x} begins before the one below it ends at {end:#x}; check the load addresses in the \
                 linker script"
            ),
            Self::Truncated(at) => {
                write!(f, "the bytes of the segment at {at:#x} are not all in the file; build it again")
            }
            Self::TooLarge(size) => write!(
                f,
                "the image would be {size} bytes, and more than {LARGEST_IMAGE_BYTES} is taken for a mistake; look for a \
                 section far from the others in the linker script"
            ),
        }
    }
}

impl std::error::Error for ImageError {}

/// Whether the file is an ELF file, by its first four bytes; anything else is taken as a raw image.
#[must_use]
pub fn is_elf(file: &[u8]) -> bool {
    file.starts_with(b"\x7fELF")
}

/// One loadable segment: the part of it that RAM must hold, and the bytes that come from the file.
struct Segment<'data> {
    address: u64,
    memory_bytes: u64,
    contents: &'data [u8],
}

impl Segment<'_> {
    fn end(&self) -> u64 {
        self.address.saturating_add(self.memory_bytes)
    }
}

/// The raw image of an AArch64 ELF file.
///
/// # Errors
/// An [`ImageError`] when the image could not run where the firmware puts it.
pub fn raw_image(elf: &[u8]) -> Result<Vec<u8>, ImageError> {
    let (entry, segments) = loadable(elf)?;
    check_placement(&segments)?;
    let filled: Vec<&Segment<'_>> = segments.iter().filter(|segment| !segment.contents.is_empty()).collect();
    let first = filled.first().ok_or(ImageError::Empty)?;
    if first.address != LOAD_ADDRESS {
        return Err(ImageError::WrongStart(first.address));
    }
    // 0 is what a linker writes when no entry symbol was named; the image starts at its first byte all the same.
    if entry != 0 && entry != LOAD_ADDRESS {
        return Err(ImageError::WrongEntry(entry));
    }
    let mut image = Vec::new();
    for segment in filled {
        let offset = segment.address - LOAD_ADDRESS;
        let size = offset.saturating_add(segment.contents.len() as u64);
        let gap_end = usize::try_from(offset).map_err(|_| ImageError::TooLarge(size))?;
        if size > LARGEST_IMAGE_BYTES {
            return Err(ImageError::TooLarge(size));
        }
        image.resize(gap_end, 0);
        image.extend_from_slice(segment.contents);
    }
    Ok(image)
}

/// The entry point and the segments that take up memory, by rising address.
fn loadable(elf: &[u8]) -> Result<(u64, Vec<Segment<'_>>), ImageError> {
    let file = ElfFile64::<LittleEndian>::parse(elf).map_err(|error| ImageError::NotElf(error.to_string()))?;
    let endian = file.endian();
    let header = file.elf_header();
    let machine = header.e_machine(endian);
    if machine != EM_AARCH64 {
        return Err(ImageError::NotAarch64(machine.0));
    }
    let mut segments = Vec::new();
    for program in file.elf_program_headers() {
        let (address, memory_bytes) = (program.p_paddr(endian), program.p_memsz(endian));
        if program.p_type(endian) != PT_LOAD || memory_bytes == 0 {
            continue;
        }
        let contents = program.data(endian, elf).map_err(|()| ImageError::Truncated(address))?;
        segments.push(Segment { address, memory_bytes, contents });
    }
    segments.sort_by_key(|segment| segment.address);
    Ok((header.e_entry(endian), segments))
}

/// Every segment must lie in RAM and none on another. `segments` is sorted by address.
fn check_placement(segments: &[Segment<'_>]) -> Result<(), ImageError> {
    let mut taken_until = 0;
    for segment in segments {
        if segment.end() > RAM_END {
            return Err(ImageError::OutsideRam(segment.address, segment.memory_bytes));
        }
        if segment.address < taken_until {
            return Err(ImageError::Overlap(segment.address, taken_until));
        }
        taken_until = segment.end();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PT_NOTE: u32 = 4;

    /// A program header of the test file: type, physical address, file bytes, memory bytes.
    struct Header(u32, u64, Vec<u8>, u64);

    fn load(address: u64, contents: &[u8]) -> Header {
        Header(PT_LOAD.0, address, contents.to_vec(), contents.len() as u64)
    }

    /// An ELF file from its specification: header of 64 bytes, program headers of 56, then the contents.
    fn elf(machine: u16, entry: u64, headers: &[Header]) -> Vec<u8> {
        let mut file = b"\x7fELF\x02\x01\x01".to_vec();
        file.resize(16, 0);
        file.extend(2u16.to_le_bytes()); // e_type: ET_EXEC
        file.extend(machine.to_le_bytes());
        file.extend(1u32.to_le_bytes()); // e_version
        file.extend(entry.to_le_bytes());
        file.extend(64u64.to_le_bytes()); // e_phoff
        file.extend(0u64.to_le_bytes()); // e_shoff
        file.extend(0u32.to_le_bytes()); // e_flags
        for half in [64, 56, u16::try_from(headers.len()).unwrap(), 0, 0, 0] {
            file.extend(half.to_le_bytes()); // e_ehsize, e_phentsize, e_phnum, e_shentsize, e_shnum, e_shstrndx
        }
        let mut offset = 64 + 56 * headers.len() as u64;
        for Header(kind, address, contents, memory_bytes) in headers {
            file.extend(kind.to_le_bytes());
            file.extend(5u32.to_le_bytes()); // p_flags
            // The virtual address differs from the physical one, which is the one that counts.
            for word in [offset, 0xFFFF_0000_0000_0000 | address, *address, contents.len() as u64, *memory_bytes, 4] {
                file.extend(word.to_le_bytes());
            }
            offset += contents.len() as u64;
        }
        for Header(_, _, contents, _) in headers {
            file.extend(contents);
        }
        file
    }

    fn image(headers: &[Header]) -> Result<Vec<u8>, ImageError> {
        raw_image(&elf(EM_AARCH64.0, LOAD_ADDRESS, headers))
    }

    #[test]
    fn an_elf_file_is_known_by_its_first_bytes() {
        assert!(is_elf(&elf(EM_AARCH64.0, 0, &[])));
        assert!(!is_elf(b"\x00\x00\x80\xd2"));
        assert!(!is_elf(b""));
    }

    #[test]
    fn segments_go_to_their_physical_addresses_and_gaps_are_zero() {
        let headers = [load(0x8_0010, b"data"), load(0x8_0000, b"code"), Header(PT_LOAD.0, 0x9_0000, vec![], 0x1000)];
        assert_eq!(image(&headers).unwrap(), b"code\0\0\0\0\0\0\0\0\0\0\0\0data");
    }

    #[test]
    fn memory_beyond_the_file_bytes_is_not_in_the_image() {
        assert_eq!(image(&[Header(PT_LOAD.0, 0x8_0000, b"code".to_vec(), 0x10_0000)]).unwrap(), b"code");
    }

    #[test]
    fn other_kinds_of_segment_are_left_out() {
        let headers = [load(0x8_0000, b"code"), Header(PT_NOTE, 0x10, b"note".to_vec(), 4)];
        assert_eq!(image(&headers).unwrap(), b"code");
    }

    #[test]
    fn an_unnamed_entry_point_is_accepted_and_any_other_refused() {
        let headers = [load(0x8_0000, b"codecode")];
        assert!(raw_image(&elf(EM_AARCH64.0, 0, &headers)).is_ok());
        assert_eq!(raw_image(&elf(EM_AARCH64.0, 0x8_0004, &headers)), Err(ImageError::WrongEntry(0x8_0004)));
    }

    #[test]
    fn what_is_not_an_aarch64_elf_file_is_refused() {
        assert!(matches!(raw_image(b"\x7fELF and no more"), Err(ImageError::NotElf(_))));
        assert!(matches!(raw_image(b""), Err(ImageError::NotElf(_))));
        assert_eq!(raw_image(&elf(62, LOAD_ADDRESS, &[load(0x8_0000, b"x")])), Err(ImageError::NotAarch64(62)));
    }

    #[test]
    fn an_image_that_cannot_be_placed_is_refused() {
        assert_eq!(image(&[]), Err(ImageError::Empty));
        assert_eq!(image(&[Header(PT_LOAD.0, 0x8_0000, vec![], 8)]), Err(ImageError::Empty));
        assert_eq!(image(&[load(0x4_0000, b"code")]), Err(ImageError::WrongStart(0x4_0000)));
        assert_eq!(image(&[load(0x8_1000, b"code")]), Err(ImageError::WrongStart(0x8_1000)));
        assert_eq!(
            image(&[load(0x8_0000, b"code"), load(0xFE20_0000, b"uart")]),
            Err(ImageError::OutsideRam(0xFE20_0000, 4))
        );
        assert_eq!(
            image(&[load(0x8_0000, b"code"), Header(PT_LOAD.0, RAM_END - 8, vec![], u64::MAX)]),
            Err(ImageError::OutsideRam(RAM_END - 8, u64::MAX))
        );
        assert_eq!(
            image(&[load(0x8_0000, b"code"), load(0x8_0002, b"more")]),
            Err(ImageError::Overlap(0x8_0002, 0x8_0004))
        );
        assert_eq!(
            image(&[load(0x8_0000, b"code"), load(0x3000_0000, b"far!")]),
            Err(ImageError::TooLarge(0x3000_0004 - LOAD_ADDRESS))
        );
    }

    #[test]
    fn a_cut_off_file_is_refused() {
        let mut file = elf(EM_AARCH64.0, LOAD_ADDRESS, &[load(0x8_0000, b"code")]);
        file.pop();
        assert_eq!(raw_image(&file), Err(ImageError::Truncated(0x8_0000)));
    }
}
