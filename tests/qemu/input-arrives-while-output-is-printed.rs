// run: --prompt ready --input 0123456789 --times 100
//! Input arrives while output is printed: of 1,000 bytes, which the ring has room for, each hundred is answered with a line, through the traits of
//! `embedded-io`. No byte is lost and none comes out of order.
#![no_std]
#![no_main]

use takt::console::Console;
use takt::io::{Read, Write};
use takt::prelude::*;

takt::tasks! {
    console: Task::background(console).priority(254),
}

/// Reads `hundreds` times a hundred bytes and answers each. Whether all came in order.
fn answer<T: Read + Write>(interface: &mut T, hundreds: usize) -> bool {
    let mut is_in_order = true;
    for hundred in 1..=hundreds {
        let mut bytes = [0; 100];
        is_in_order &= interface.read_exact(&mut bytes).is_ok();
        is_in_order &= bytes.iter().zip((b'0'..=b'9').cycle()).all(|(&byte, expected)| byte == expected);
        is_in_order &=
            writeln!(interface, "{hundred} hundred bytes have come, and this line is printed meanwhile").is_ok();
    }
    is_in_order
}

fn console() -> ! {
    let Some(mut console) = Console::take() else { panic!("the console was taken twice") };
    console.write_bytes(b"ready\n");
    let is_in_order = answer(&mut console, 10);
    let nothing_went_wrong = console.receive_counts().are_zero();
    let is_empty = console.try_read_byte().is_none();
    let all_is_so = is_in_order && nothing_went_wrong && is_empty;
    console.write_bytes(if all_is_so { b"all came, in order\n" } else { b"NOT all came in order\n" });
    console.flush();
    takt::exit(u8::from(!all_is_so))
}
