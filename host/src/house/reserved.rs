// SPDX-License-Identifier: MIT OR Apache-2.0
//! What may stand in few places: `unsafe` and assembly.

use super::Finding;
use super::source::Source;

/// Where `unsafe` may stand, tests aside.
const UNSAFE_ROOMS: [&str; 3] = ["bsp/rpi4", "takt", "log"];
/// Where assembly may stand, tests aside.
const ASSEMBLY_ROOM: &str = "bsp/rpi4";

/// The keyword `unsafe`, in a block, a declaration or an attribute, outside the crates that may use it.
#[must_use]
pub fn unsafe_code(source: &Source) -> Vec<Finding> {
    if !source.is_rust() || source.is_in_tests() || UNSAFE_ROOMS.iter().any(|room| source.is_in(room)) {
        return Vec::new();
    }
    let sentence =
        format!("unsafe may stand in {} alone; use a safe function of these crates", UNSAFE_ROOMS.join(", "));
    let lines = source.words().filter(|(_, word, _)| *word == "unsafe").map(|(line, ..)| line);
    lines.map(|line| Finding { path: source.path.clone(), line, sentence: sentence.clone() }).collect()
}

/// Assembly outside the board's crate: a macro that takes some, or a file of it.
#[must_use]
pub fn assembly(source: &Source) -> Vec<Finding> {
    if source.is_in_tests() || source.is_in(ASSEMBLY_ROOM) {
        return Vec::new();
    }
    let finding = |line, what: &str| Finding {
        path: source.path.clone(),
        line,
        sentence: format!("{what} is assembly, which may stand in {ASSEMBLY_ROOM} alone; call a function from there"),
    };
    if !source.is_rust() {
        return vec![finding(1, "this file")];
    }
    let is_macro = |word: &str, rest: &str| {
        ["asm", "global_asm", "naked_asm"].contains(&word) && rest.trim_start().starts_with('!')
    };
    let calls = source.words().filter(|(_, word, rest)| is_macro(word, rest));
    calls.map(|(line, word, _)| finding(line, &format!("{word}!"))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unsafe_lines(path: &str, text: &str) -> Vec<usize> {
        unsafe_code(&Source::new(path, text.into())).iter().map(|finding| finding.line).collect()
    }

    fn assembly_lines(path: &str, text: &str) -> Vec<usize> {
        assembly(&Source::new(path, text.into())).iter().map(|finding| finding.line).collect()
    }

    const UNSAFE: &str = "fn f() {\n unsafe { g() } }\n#[unsafe(no_mangle)]\nunsafe impl Sync for A {}\n";

    #[test]
    fn unsafe_is_found_as_block_attribute_and_declaration() {
        assert_eq!(unsafe_lines("kernel/src/a.rs", UNSAFE), [2, 3, 4]);
        assert_eq!(unsafe_lines("measure/src/a.rs", UNSAFE), [2, 3, 4]);
        assert_eq!(unsafe_lines("bsp/drivers/src/a.rs", UNSAFE), [2, 3, 4]);
    }

    #[test]
    fn the_word_alone_is_not_unsafe_code() {
        let text = "#![forbid(unsafe_code)]\n// unsafe\n/* unsafe */ fn is_unsafe() { f(\"unsafe\") }\n#![deny(unsafe_op_in_unsafe_fn)]\n";
        assert_eq!(unsafe_lines("kernel/src/a.rs", text), [0; 0]);
    }

    #[test]
    fn few_crates_and_the_tests_may_use_unsafe() {
        for path in ["bsp/rpi4/src/a.rs", "takt/src/a.rs", "log/src/a.rs", "tests/qemu/a.rs", "host/tests/guests/a.rs"]
        {
            assert_eq!(unsafe_lines(path, UNSAFE), [0; 0], "{path}");
        }
    }

    #[test]
    fn assembly_is_found_in_macros_and_files() {
        assert_eq!(assembly_lines("takt/src/a.rs", "\nunsafe { core::arch::asm!(\"nop\") };\nglobal_asm !{}"), [2, 3]);
        assert_eq!(assembly_lines("takt/src/a.rs", "naked_asm!(\"ret\")"), [1]);
        assert_eq!(assembly_lines("takt/src/boot.s", "nop"), [1]);
        assert_eq!(assembly_lines("takt/src/boot.S", ""), [1]);
    }

    #[test]
    fn assembly_that_is_only_mentioned_is_fine() {
        assert_eq!(assembly_lines("takt/src/a.rs", "// asm!\nuse core::arch::asm;\nfn asm() {}\nx(\"asm!\");"), [0; 0]);
    }

    #[test]
    fn the_board_and_the_tests_may_use_assembly() {
        for path in ["bsp/rpi4/src/a.rs", "bsp/rpi4/src/boot.s", "tests/qemu/a.rs"] {
            assert_eq!(assembly_lines(path, "asm!(\"nop\")"), [0; 0], "{path}");
        }
    }
}
