//! What a core executes while others send to each other: nothing, by QEMU's log of every instruction, against the budgets.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a test that cannot go on fails"
)]

use std::io::{BufRead, BufReader};
use std::time::Duration;

mod device;

use device::{device_program, workspace};
use serde::Deserialize;
use takt_host::run::Run;

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Budgets {
    uninvolved_core: Budget,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Budget {
    max: u64,
}

/// How many instructions cores 0, 1 and 2 execute from the reset to the end. The boot line always has the same length: while core
/// 0 reads it, the others wait for it, and count.
fn instructions(sends: u64, involved: u64) -> [u64; 3] {
    let append = format!("sends={sends:03} involved={involved:03}");
    let (icount, cores, timeout) = (Some(4), Some(3), Some(Duration::from_secs(120)));
    let run = Run { icount, cores, timeout, append, ..Run::new(device_program("uninvolved")) };
    let mut console = Vec::new();
    let (outcome, log) = run.trace(&mut console).unwrap();
    assert_eq!(outcome.status, 0, "{}\n{}", String::from_utf8_lossy(&console), outcome.qemu_messages);
    let mut log = BufReader::new(log);
    let (mut line, mut counts) = (Vec::new(), [0_u64; 3]);
    while log.read_until(b'\n', &mut line).unwrap() > 0 {
        // "Trace 2: 0x7f…" is an instruction of core 2.
        for (count, beginning) in counts.iter_mut().zip([b"Trace 0:", b"Trace 1:", b"Trace 2:"]) {
            *count += u64::from(line.starts_with(beginning));
        }
        line.clear();
    }
    counts
}

#[test]
fn a_core_that_is_not_involved_executes_nothing() {
    const TIMES: u64 = 100;
    let budgets: Budgets = toml::from_str(&std::fs::read_to_string(workspace().join("budgets.toml")).unwrap()).unwrap();
    let [asks, answers, bystands] = instructions(0, 0);
    let with_sends = instructions(TIMES, 0);
    let with_core_2 = instructions(0, TIMES);
    assert!(with_sends[0] > asks + 100 * TIMES && with_sends[1] > answers + 100 * TIMES, "involved: {with_sends:?}");
    assert!((bystands..=bystands + budgets.uninvolved_core.max * TIMES).contains(&with_sends[2]), "{with_sends:?}");
    assert!(with_core_2[2] > bystands + 100 * TIMES, "core 2, when it is involved: {with_core_2:?}");
    assert_eq!(with_core_2[1], answers, "core 1, when it is not involved");
    println!("sends {with_sends:?}, involved {with_core_2:?}, neither {:?}", [asks, answers, bystands]);
}
