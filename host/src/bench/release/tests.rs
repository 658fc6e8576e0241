// SPDX-License-Identifier: MIT OR Apache-2.0
//! On excerpts of a real log (QEMU 10.0.2, an early image) and on logs made from them. `words.txt` holds the instructions
//! that occur: address and word.

use super::*;

const IDLE: &str = include_str!("idle.log");
const BUSY: &str = include_str!("busy.log");
/// An interrupt of the UART, which goes back to the task it interrupted.
const UART: &str = include_str!("uart.log");
/// The task's first statement in the excerpts, `mrs x0, cntpct_el0`.
const FIRST_STATEMENT: u64 = 0x8_82B4;

fn program() -> Program {
    let hex = |digits: &str| u64::from_str_radix(digits, 16).unwrap();
    let words = include_str!("words.txt").lines().map(|line| {
        let (address, word) = line.split_once(' ').unwrap();
        (hex(address), u32::from_str_radix(word, 16).unwrap())
    });
    Program::of_words(0x8_0800, 0x8_1210, &words.collect::<Vec<_>>())
}

fn releases(log: &str) -> Result<Vec<Release>> {
    let program = program();
    let mut tracer = Tracer::new(&program);
    log.lines().try_for_each(|line| tracer.line(line))?;
    tracer.finish()
}

fn one(log: &str) -> Release {
    let [release] = releases(log).unwrap().try_into().unwrap();
    release
}

/// The line that says the instruction at this address is executed.
fn executed(address: u64) -> String {
    format!("Trace 0: 0x7f0000000000 [00004000/{address:016x}/00000121/ff022201] \n")
}

/// The excerpt with something put before the first line that contains `mark`.
fn with_before(log: &str, mark: &str, more: &str) -> String {
    let at = log.lines().position(|line| line.contains(mark)).unwrap();
    log.lines()
        .enumerate()
        .map(|(index, line)| if index == at { format!("{more}{line}\n") } else { format!("{line}\n") })
        .collect()
}

#[test]
fn a_release_out_of_idle_begins_with_the_call_of_the_handler() {
    let release = one(IDLE);
    assert_eq!(release.interrupted, Interrupted::Idle);
    assert_eq!(release.steps.first().unwrap().address, 0x8_1158);
    assert_eq!(release.steps.last().unwrap().address, FIRST_STATEMENT);
    let expected = Counts { instructions: 136, reads: [1, 0, 0], writes: [1, 2, 0], dsb: 1, dmb: 0, isb: 0 };
    assert_eq!(release.counts(&program()), expected);
}

#[test]
fn a_release_out_of_a_task_begins_with_the_vector() {
    let release = one(BUSY);
    assert_eq!(release.interrupted, Interrupted::Task);
    assert_eq!(release.steps.first().unwrap().address, 0x8_0880);
    assert_eq!(release.steps.last().unwrap().address, FIRST_STATEMENT);
    let expected = Counts { instructions: 160, reads: [1, 0, 0], writes: [1, 2, 0], dsb: 1, dmb: 0, isb: 0 };
    assert_eq!(release.counts(&program()), expected);
}

#[test]
fn the_acknowledgement_is_found_from_the_stamp() {
    let program = program();
    assert_eq!(one(BUSY).from_stamp_to_acknowledged(&program), Some(3));
    assert_eq!(one(IDLE).from_stamp_to_acknowledged(&program), Some(3));
    // A release without its stamp.
    let mut release = one(BUSY);
    release.steps.drain(..release.steps.len() - 2);
    assert_eq!(release.from_stamp_to_acknowledged(&program), None);
}

#[test]
fn releases_follow_one_another() {
    let kinds = |log: &str| releases(log).unwrap().iter().map(|release| release.interrupted).collect::<Vec<_>>();
    assert_eq!(kinds(&format!("{IDLE}{UART}{BUSY}{IDLE}")), [Interrupted::Idle, Interrupted::Task, Interrupted::Idle]);
}

#[test]
fn an_interrupt_that_goes_back_is_no_release() {
    assert_eq!(releases(UART).unwrap(), []);
    // An idle that is not left.
    let woken: String = [0x8_1158, 0x8_1210, 0x8_114C].into_iter().map(executed).collect();
    assert_eq!(one(&format!("{woken}{IDLE}")).counts(&program()).instructions, 136);
}

#[test]
fn a_release_that_acknowledges_no_timer_is_none() {
    assert_eq!(releases(&BUSY.replace("addr 0xff84200c value 0x61", "addr 0xff84200c value 0x99")).unwrap(), []);
    assert_eq!(releases(&BUSY.replace("addr 0xff84200c value 0x61", "addr 0xff84200c value 0x1e")).unwrap().len(), 1);
}

#[test]
fn an_instruction_that_is_not_executed_does_not_count() {
    let again =
        format!("{}Stopped execution of TB chain before 0x7f0000000000 [{:016x}]\n", executed(0x8_12D4), 0x8_12D4);
    assert_eq!(one(&with_before(BUSY, "00000000000812d4", &again)), one(BUSY));
    // Not even where it would be the end.
    let again = again.replace("812d4", "882b4");
    assert_eq!(one(&with_before(BUSY, "00000000000882b4", &again)), one(BUSY));
}

#[test]
fn an_access_that_is_logged_twice_counts_once() {
    let line = BUSY.lines().find(|line| line.contains("addr 0xff84200c")).unwrap().to_owned() + "\n";
    assert_eq!(one(&with_before(BUSY, "addr 0xff84200c", &line)), one(BUSY));
    let with_its_instruction = format!("{}{line}", executed(0x8_1220));
    assert_eq!(one(&with_before(BUSY, "0000000000081220", &with_its_instruction)), one(BUSY));
}

#[test]
fn an_interrupt_before_the_first_statement_is_part_of_the_release() {
    let uart: String = UART
        .lines()
        .skip_while(|line| !line.starts_with("Taking"))
        .take_while(|line| !line.starts_with("Exception return"))
        .map(|line| format!("{line}\n"))
        .collect();
    let own = uart.lines().filter(|line| line.starts_with("Trace")).count() as u64;
    let release = one(&with_before(BUSY, "00000000000882b4", &uart));
    let counts = release.counts(&program());
    assert_eq!(counts.instructions, 160 + own);
    assert_eq!(counts.reads.first(), Some(&2));
    assert_eq!(release.steps.last().unwrap().address, FIRST_STATEMENT);
}

#[test]
fn the_first_start_of_a_task_is_no_release() {
    // msr daifclr, #6 and then br x1 instead of the read of the counter.
    let program = program();
    let start = [0x8_0880, 0x8_0884].map(executed).concat();
    let first_start = Program::of_words(
        program.vectors,
        program.handler,
        &[(0x10, 0xD500_40BF), (0x14, 0xD503_46FF), (0x18, 0xD61F_0020), (0x1C, 0xD53B_E020)],
    );
    let mut tracer = Tracer::new(&first_start);
    let log = start + &[0x10, 0x14, 0x18, 0x1C].map(executed).concat();
    log.lines().try_for_each(|line| tracer.line(line)).unwrap();
    assert_eq!(tracer.finish().unwrap(), []);
}

#[test]
fn a_release_without_an_end_is_an_error() {
    let endless = executed(0x8_0880) + &executed(0x8_1294).repeat(MOST_STEPS + 1);
    let error = releases(&endless).unwrap_err().to_string();
    assert!(error.contains("no task has begun"), "{error}");
}

#[test]
fn a_log_that_ends_early_holds_the_releases_that_ended() {
    let cut: String = BUSY.lines().take(100).map(|line| format!("{line}\n")).collect();
    assert_eq!(releases(&format!("{IDLE}{cut}")).unwrap().len(), 1);
    assert_eq!(releases("").unwrap(), []);
}
