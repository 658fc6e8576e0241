// SPDX-License-Identifier: MIT OR Apache-2.0
//! The walk on programs of a few instructions.

use std::collections::BTreeMap;

use super::budgets::Budgets;
use super::walk::Unbounded;
use super::{Length, Masked, Who};
use crate::bench::program::Program;

const MASK: u32 = 0xD503_42DF; // msr daifset, #2
const MASK_ALL: u32 = 0xD503_4FDF; // msr daifset, #15
const UNMASK: u32 = 0xD503_46FF; // msr daifclr, #6
const UNMASK_SERROR: u32 = 0xD503_44FF; // msr daifclr, #4
const READ_MASK_TO_X8: u32 = 0xD53B_4228; // mrs x8, daif
const NOP: u32 = 0xD503_201F;
const RET: u32 = 0xD65F_03C0;
const ERET: u32 = 0xD69F_03E0;
const WFI: u32 = 0xD503_207F;
const LOOK: u32 = 0xD538_C100; // mrs x0, isr_el1
const BRK: u32 = 0xD420_0020;
const BLR_X8: u32 = 0xD63F_0100;
const BR_X9: u32 = 0xD61F_0120;
const LOAD_EXCLUSIVE: u32 = 0xC85F_7D09; // ldxr x9, [x8]
const STORE_EXCLUSIVE: u32 = 0xC80A_7D09; // stxr w10, x9, [x8]

/// Words ahead; negative ones are behind.
fn field(words: i32, low: u32, width: u32) -> u32 {
    (words.cast_unsigned() & ((1 << width) - 1)) << low
}

fn b(words: i32) -> u32 {
    0x1400_0000 | field(words, 0, 26)
}

fn bl(words: i32) -> u32 {
    0x9400_0000 | field(words, 0, 26)
}

fn cbz(words: i32) -> u32 {
    0xB400_0000 | field(words, 5, 19)
}

fn cbnz_w10(words: i32) -> u32 {
    0x3500_000A | field(words, 5, 19)
}

fn tbnz_w8_7(words: i32) -> u32 {
    0x3738_0008 | field(words, 5, 14)
}

fn adr_x9(words: i32) -> u32 {
    0x1000_0009 | field(words, 5, 19)
}

const STORE_X9: u32 = 0xF900_00E9; // str x9, [x7]

const TASK: u64 = 0x1000;
const OTHER: u64 = 0x2000;

fn walked(functions: &[(u64, &str, &[u32])], budgets: &Budgets) -> anyhow::Result<Masked> {
    let program = Program::of_functions(0x8000, functions);
    Masked::with_names(
        &program,
        |address| program.place(address).map(|(name, _)| name.to_owned()).into_iter().collect(),
        budgets,
    )
}

/// Lengths of the sections that begin at these places; none for those that never unmask.
fn lengths(functions: &[(u64, &str, &[u32])]) -> Vec<Option<u64>> {
    let masked = walked(functions, &Budgets::default()).unwrap();
    let length = |length: &Length| match length {
        Length::Counted { instructions, addresses } => {
            assert_eq!(usize::try_from(*instructions).unwrap(), addresses.len(), "{addresses:#x?}");
            Some(*instructions)
        }
        Length::Never => None,
        other => panic!("{other:?}"),
    };
    masked.sections.iter().map(|section| length(&section.length)).collect()
}

fn unbounded(functions: &[(u64, &str, &[u32])]) -> Unbounded {
    let masked = walked(functions, &Budgets::default()).unwrap();
    match masked.sections[0].length {
        Length::Unbounded(why) => why,
        ref other => panic!("{other:?}"),
    }
}

#[test]
fn a_straight_line_counts_the_unmasking_and_not_the_masking() {
    assert_eq!(lengths(&[(TASK, "task", &[NOP, MASK, NOP, NOP, UNMASK, NOP])]), [Some(3)]);
}

#[test]
fn unmasking_errors_alone_is_no_end() {
    assert_eq!(lengths(&[(TASK, "task", &[MASK, UNMASK_SERROR, NOP, UNMASK])]), [Some(3)]);
}

#[test]
fn the_longer_side_of_a_diamond_counts() {
    // One side is the branch alone, the other two and a jump.
    assert_eq!(lengths(&[(TASK, "task", &[MASK, cbz(4), NOP, NOP, b(2), NOP, NOP, UNMASK])]), [Some(6)]);
}

#[test]
fn masking_once_more_counts_and_is_a_section_of_its_own() {
    assert_eq!(lengths(&[(TASK, "task", &[MASK, NOP, MASK_ALL, NOP, UNMASK])]), [Some(4), Some(2)]);
}

#[test]
fn a_call_is_walked_to_its_return_each_time() {
    let task = [MASK, bl(1023), bl(1022), UNMASK];
    assert_eq!(lengths(&[(TASK, "task", &task), (OTHER, "called", &[NOP, RET])]), [Some(7)]);
}

#[test]
fn a_call_may_unmask() {
    let task = [MASK, bl(1023), NOP, NOP, UNMASK];
    // The callee unmasks on one of two ways; the other comes back.
    assert_eq!(lengths(&[(TASK, "task", &task), (OTHER, "called", &[cbz(3), UNMASK, RET, RET])]), [Some(6)]);
}

#[test]
fn a_return_goes_behind_every_call_and_tail_call() {
    let mask: &[u32] = &[MASK, RET];
    let long = [bl(-1024), NOP, NOP, NOP, UNMASK];
    let tail = [b(-2048)];
    let calls_tail = [bl(-1024), NOP, NOP, NOP, NOP, NOP, UNMASK];
    let functions =
        [(TASK, "mask", mask), (OTHER, "long", &long), (0x3000, "tail", &tail), (0x4000, "caller", &calls_tail)];
    assert_eq!(lengths(&functions), [Some(7)]);
    assert_eq!(lengths(&functions[..2]), [Some(5)]);
}

#[test]
fn a_return_to_nobody_has_no_bound() {
    assert_eq!(unbounded(&[(TASK, "mask", &[MASK, RET])]), Unbounded::Caller(TASK));
}

#[test]
fn a_loop_has_no_bound_and_neither_has_recursion() {
    assert_eq!(unbounded(&[(TASK, "task", &[MASK, NOP, cbz(-1), UNMASK])]), Unbounded::Loop(0x1004));
    let calls: &[u32] = &[MASK, bl(1023), UNMASK];
    let recursive = [(TASK, "task", calls), (OTHER, "again", &[cbz(2), bl(-1), RET])];
    assert_eq!(unbounded(&recursive), Unbounded::Loop(OTHER));
}

#[test]
fn a_loop_behind_the_end_or_around_the_section_does_not_matter() {
    assert_eq!(lengths(&[(TASK, "task", &[MASK, NOP, UNMASK, NOP, cbz(-1), b(-5)])]), [Some(2)]);
}

#[test]
fn an_exclusive_store_does_not_fail_while_masked() {
    let add = [MASK, LOAD_EXCLUSIVE, STORE_EXCLUSIVE, cbnz_w10(-2), UNMASK];
    assert_eq!(lengths(&[(TASK, "task", &add)]), [Some(4)]);
}

#[test]
fn what_never_returns_is_not_counted() {
    let task = [MASK, cbz(2), bl(1022), UNMASK];
    let panic = [NOP, NOP, NOP, b(0)];
    assert_eq!(lengths(&[(TASK, "task", &task), (OTHER, "panic", &panic)]), [Some(2)]);
    assert_eq!(lengths(&[(TASK, "task", &[MASK, WFI, b(-1)])]), [None]);
    assert_eq!(lengths(&[(TASK, "task", &[MASK, BRK])]), [None]);
    let masked = walked(&[(TASK, "task", &task), (OTHER, "panic", &panic)], &Budgets::default()).unwrap();
    assert_eq!(masked.never_returns, ["panic"]);
}

#[test]
fn who_asked_first_unmasks_where_its_section_began_and_nowhere_else() {
    let asks = [READ_MASK_TO_X8, MASK, NOP, tbnz_w8_7(2), UNMASK, NOP, NOP, UNMASK];
    assert_eq!(lengths(&[(TASK, "task", &asks)]), [Some(3)]);
    // The same within a section that began before: it stays masked.
    let within = [[MASK].as_slice(), &asks].concat();
    assert_eq!(lengths(&[(TASK, "task", &within)]), [Some(7), Some(3)]);
}

#[test]
fn a_switch_leads_to_everybody_who_may_be_resumed() {
    // The length between the address taken, the store and the jump does not matter.
    let switch = [MASK, adr_x9(5), NOP, STORE_X9, NOP, BR_X9, NOP, UNMASK, RET];
    assert_eq!(lengths(&[(TASK, "task", &switch)]), [Some(7)]);
    let other = [adr_x9(4), STORE_X9, NOP, BR_X9, NOP, NOP, NOP, UNMASK, RET];
    assert_eq!(lengths(&[(TASK, "task", &switch), (OTHER, "other", &other)]), [Some(9)]);
    let named = [NOP, NOP, NOP, NOP, NOP, ERET];
    let prepares = [adr_x9(1024), RET];
    let functions = [(TASK, "task", switch.as_slice()), (OTHER, "prepare", &prepares), (0x3000, "takt_start", &named)];
    assert_eq!(lengths(&functions), [Some(11)]);
}

#[test]
fn only_a_task_resumes_what_was_held_off() {
    let task = [MASK, adr_x9(4), STORE_X9, NOP, BR_X9, UNMASK, RET];
    // The handler's answer is resumed by assembly, whose jump would otherwise lead to itself.
    let held_off = [NOP, NOP, adr_x9(3), STORE_X9, BR_X9, NOP, UNMASK];
    let prepares = [adr_x9(0x400), RET];
    let functions =
        [(TASK, "task", task.as_slice()), (OTHER, "prepare", &prepares), (0x3000, "takt_run_held_off", &held_off)];
    assert_eq!(lengths(&functions), [Some(11)]);
}

#[test]
fn nobody_is_resumed_at_the_vectors() {
    let switch = [MASK, adr_x9(5), NOP, STORE_X9, NOP, BR_X9, NOP, UNMASK, RET];
    let installs = [adr_x9(0x1800), RET];
    let abort = [NOP, NOP, NOP, NOP, NOP, NOP, NOP, ERET];
    let functions =
        [(TASK, "task", switch.as_slice()), (OTHER, "install", &installs), (0x8000, "takt_vectors", &abort)];
    assert_eq!(lengths(&functions), [Some(7)]);
}

#[test]
fn nobody_is_resumed_where_another_core_begins() {
    let switch = [MASK, adr_x9(5), NOP, STORE_X9, NOP, BR_X9, NOP, UNMASK, RET];
    let releases = [adr_x9(0x1800), RET];
    let begins = [NOP, NOP, NOP, NOP, NOP, NOP, NOP, ERET];
    let functions =
        [(TASK, "task", switch.as_slice()), (OTHER, "release", &releases), (0x8000, "takt_other_core", &begins)];
    assert_eq!(lengths(&functions), [Some(7)]);
}

#[test]
fn another_jump_through_a_register_has_no_bound() {
    assert_eq!(unbounded(&[(TASK, "task", &[MASK, adr_x9(2), BR_X9, UNMASK])]), Unbounded::Jump(0x1008));
}

#[test]
fn vectors_and_the_idle_task_are_masked_and_belong_to_the_interrupt_path() {
    // The vector at 0x8080 and the idle task call the handler, which unmasks, masks and returns to them.
    let vector = [NOP, bl(0x5DF), ERET];
    let handler = [NOP, UNMASK, MASK, NOP, RET];
    let idle = [WFI, LOOK, cbz(-2), bl(-0x22D), ERET];
    let functions =
        [(0x8080, "takt_vectors", vector.as_slice()), (0x9800, "irq", &handler), (0xA0A8, "takt_idle_in_wfi", &idle)];
    assert_eq!(lengths(&functions), [Some(4), Some(3), Some(1), Some(4)]);
    let masked = walked(&functions, &Budgets::default()).unwrap();
    assert!(masked.sections.iter().all(|section| section.who == Who::Interrupt));
}

fn exceptions(table: &str, name: &str) -> Budgets {
    let mut budgets = Budgets::default();
    let reasons = BTreeMap::from([(name.to_owned(), "Once, at boot.".to_owned())]);
    if table == "uncounted" {
        budgets.masked_static_uncounted = reasons
    } else {
        budgets.masked_static_pointers = reasons
    }
    budgets
}

#[test]
fn a_call_through_a_pointer_has_no_bound_unless_it_is_known() {
    let calls = [(TASK, "other", [MASK, BLR_X8, NOP, UNMASK].as_slice())];
    assert_eq!(unbounded(&calls), Unbounded::Pointer(0x1004));
    let masked = walked(&calls, &exceptions("pointers", "other")).unwrap();
    assert!(matches!(masked.sections[0].length, Length::Counted { instructions: 3, .. }));
    assert_eq!(masked.known_pointers.keys().copied().collect::<Vec<_>>(), [0x1004]);
}

#[test]
fn an_exception_excuses_what_has_no_bound_and_is_refused_where_nothing_needs_it() {
    let words = [MASK, NOP, cbz(-1), UNMASK];
    let loops = [(TASK, "boot", words.as_slice())];
    let masked = walked(&loops, &exceptions("uncounted", "boot")).unwrap();
    assert!(matches!(masked.sections[0].length, Length::Uncounted { .. }));
    assert!(masked.excesses(&Budgets::default()).is_empty());
    let bounded = [(TASK, "boot", [MASK, UNMASK].as_slice())];
    for (functions, name) in [(&loops, "reboot"), (&bounded, "boot")] {
        let error = walked(functions, &exceptions("uncounted", name)).unwrap_err().to_string();
        assert!(error.contains(name) && error.contains("nothing needs it"), "{error}");
    }
}
