// run: --append serror=window
// run: --append serror=before --status 101
// run: --append serror=behind --status 101
// run: --append serror=ram --status 101
//! Where the processor reports an absent device by an SError, it is one as well: from the guarded load up to the mark. Before
//! or behind that, or where the syndrome tells of RAM, it is a fault.
//!
//! QEMU has no such SError, so the program sets the registers as the processor does when it takes one, and goes to the
//! vector.
#![no_std]
#![no_main]

use core::arch::asm;

use takt::board::command_line;
use takt::kernel::boot_words::BootWords;
use takt::prelude::*;
use takt_tests::{Report, report};

takt::tasks! {
    reporter: Task::background(reporter).priority(254),
}

/// `ESR_EL1` as a Raspberry Pi 4 was seen to have it: a device refused [HW 9].
const REFUSED: u64 = 0xBF00_0002;
/// The bus found nobody.
const NOBODY: u64 = 0xBF00_0000;
/// Two bits in RAM were wrong.
const RAM: u64 = 0xBF00_0001;

/// `ldr w0, [x0]`: the guarded load.
const LOAD: u32 = 0xB940_0000;
/// `mov w1, wzr`: the mark.
const MARK: u32 = 0x2A1F_03E1;

unsafe extern "C" {
    static takt_guarded_read: [u32; 16];
}

/// Where the guarded read has this instruction.
fn address_of(instruction: u32) -> usize {
    // SAFETY: the function has more than 16 instructions, and text is readable.
    match unsafe { &takt_guarded_read }.iter().find(|word| **word == instruction) {
        Some(found) => core::ptr::from_ref(found) as usize,
        None => panic!("the guarded read has no instruction {instruction:#x}"),
    }
}

/// Takes an SError in the guarded read, before the instruction `at`; what the guarded read then says of an answer.
fn take_serror(at: usize, syndrome: u64) -> u64 {
    let answered;
    // SAFETY: what an exception changes is what is set here; the guarded read returns to the label, or the run ends.
    unsafe {
        asm!(
            // As in the guarded read: x2 has the masks before, interrupts are masked.
            "mrs x2, daif",
            "adr x30, 2f",
            "msr daifset, #15",
            "msr elr_el1, {at}",
            "msr esr_el1, {syndrome}",
            "mov {vector}, #0x84", // SP_EL0 of EL1, interrupts masked
            "msr spsr_el1, {vector}",
            "mrs {vector}, vbar_el1",
            "add {vector}, {vector}, #0x180",
            "msr spsel, #1",
            "br {vector}",
            "2:",
            at = in(reg) at,
            syndrome = in(reg) syndrome,
            vector = out(reg) _,
            inout("x1") 7_u64 => answered,
            out("x0") _, out("x2") _, out("x30") _,
        );
    }
    answered
}

fn reporter() -> ! {
    let mut report = Report::new();
    let (load, mark) = (address_of(LOAD), address_of(MARK));
    let asked = BootWords::new(command_line()).find(|word| word.key == "serror").and_then(|word| word.value);
    report!(report, "{} instructions from the load to the mark", (mark - load) / 4);
    report.flush();
    let _ = match asked {
        Some("before") => take_serror(load - 4, REFUSED),
        Some("behind") => take_serror(mark + 4, REFUSED),
        Some("ram") => take_serror(load + 4, RAM),
        _ => 0,
    };
    for at in (load..=mark).step_by(4) {
        report.is(
            format_args!("no answer, taken before instruction {}", (at - load) / 4),
            take_serror(at, REFUSED) == 0 && take_serror(at, NOBODY) == 0,
        );
    }
    report.is("interrupts are on", !takt::rpi4::interrupts::are_masked());
    report.end()
}
