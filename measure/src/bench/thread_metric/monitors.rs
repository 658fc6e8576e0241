// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the performance monitors counted, for each operation.

use core::fmt::{self, Write};

use takt::rpi4::counter;
use takt::rpi4::pmu::{self, COUNTERS, Event};

/// What they hold.
pub(super) struct Monitors {
    cycles: u64,
    events: [u32; COUNTERS],
}

/// What they counted in between.
pub(super) struct Spent {
    cycles: u64,
    events: [u32; COUNTERS],
}

impl Monitors {
    pub(super) fn now() -> Self {
        pmu::enable();
        Self { cycles: counter::cycles(), events: pmu::counts() }
    }

    pub(super) fn since(&self, before: &Self) -> Spent {
        let mut events = self.events;
        events.iter_mut().zip(before.events).for_each(|(after, before)| *after = after.wrapping_sub(before));
        Spent { cycles: self.cycles.wrapping_sub(before.cycles), events }
    }
}

/// The names of the columns, in the order of [`Event::ALL`] behind the cycles.
pub(super) fn write_head(out: &mut dyn Write, window_ms: u32) {
    let _ = writeln!(
        out,
        "# Bench: pmu, {window_ms} ms each; what 1000 operations take; - is not counted here, and QEMU's cycles are nanoseconds"
    );
    let _ = out.write_str(
        "# name,operations,cycles,instructions,l1i_refills,l1d_refills,l2d_refills,l1d_tlb_refills,bus_accesses\n",
    );
}

/// A row: what a thousand operations take.
pub(super) fn write_row(out: &mut dyn Write, name: &str, spent: &Spent, operations: u64) -> fmt::Result {
    let of_thousand = |count: u64| count.wrapping_mul(1_000).checked_div(operations).unwrap_or(0);
    write!(out, "pmu-")?;
    name.chars()
        .try_for_each(|letter| out.write_char(if letter == ' ' { '-' } else { letter.to_ascii_lowercase() }))?;
    write!(out, ",{operations},{}", of_thousand(spent.cycles))?;
    for (event, count) in Event::ALL.into_iter().zip(spent.events) {
        if event.is_counted() {
            write!(out, ",{}", of_thousand(u64::from(count)))?;
        } else {
            out.write_str(",-")?;
        }
    }
    out.write_str("\n")
}
