// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the counts may come to on a board: arithmetic with assumptions, nothing that was measured.
//!
//! Instructions take cycles, at a rate that is assumed; what leaves the core takes what others saw [HW 4.5]. A write
//! without a barrier is posted; the barrier waits for those before it, and the last write is counted with it.

use std::fmt;

use super::figures::{Figure, together};

/// The Arm clock that takt asks the firmware for, in MHz.
const ARM_MHZ: u64 = 1_500;
/// Instructions per ten cycles, at the best and at the worst: an assumption, for code and data in the caches.
const INSTRUCTIONS_PER_10_CYCLES: (u64, u64) = (15, 5);
/// A read of a device register, in ns, at the best and at the worst.
const READ_NS: (u64, u64) = (100, 200);
/// A posted write, in ns.
const WRITE_NS: u64 = 5;
/// A write and the barrier that waits for it, in ns.
const WRITE_AND_BARRIER_NS: u64 = 80;
/// The paths there is an estimate for.
const PATHS: [&str; 2] = ["timer-handler", "timer-task"];

/// The estimates for the paths that were measured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Estimate(Vec<Path>);

/// A path, and what it may take at the best and at the worst.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Path {
    name: &'static str,
    of: Counted,
    least_ns: u64,
    most_ns: u64,
}

/// What was counted on a path, at the most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Counted {
    instructions: u64,
    reads: u64,
    writes: u64,
    barriers: u64,
}

impl Estimate {
    /// From the figures of the image.
    #[must_use]
    pub fn of(figures: &[Figure]) -> Self {
        let worst = together(figures);
        let most = |name: &str| {
            worst.iter().find(|figure| figure.name == name).map_or(0, |figure| u64::try_from(figure.max).unwrap_or(0))
        };
        // Before the handler's stamp nothing leaves the core.
        let outside = |name: &str, path: &str| if path == "timer-task" { most(name) } else { 0 };
        let path = |name| {
            let of = Counted {
                instructions: most(name),
                reads: outside("release-device-reads", name),
                writes: outside("release-device-writes", name),
                barriers: outside("release-dsb", name),
            };
            let (least_ns, most_ns) =
                (of.ns(INSTRUCTIONS_PER_10_CYCLES.0, READ_NS.0), of.ns(INSTRUCTIONS_PER_10_CYCLES.1, READ_NS.1));
            Path { name, of, least_ns, most_ns }
        };
        Self(PATHS.map(path).into())
    }
}

impl Counted {
    fn ns(&self, instructions_per_10_cycles: u64, read_ns: u64) -> u64 {
        let cycles = (self.instructions * 10).div_ceil(instructions_per_10_cycles);
        let barriers = self.barriers.min(self.writes);
        (cycles * 1_000).div_ceil(ARM_MHZ)
            + self.reads * read_ns
            + (self.writes - barriers) * WRITE_NS
            + barriers * WRITE_AND_BARRIER_NS
    }
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Estimate for a board. Nothing here was measured; the assumptions:")?;
        let ((best, worst), (near, far)) = (INSTRUCTIONS_PER_10_CYCLES, READ_NS);
        writeln!(
            f,
            "  Arm clock {ARM_MHZ} MHz; {}.{} to {}.{} instructions a cycle, code and data in the caches; taking the exception and \
             waking from WFI left out;",
            worst / 10,
            worst % 10,
            best / 10,
            best % 10
        )?;
        writeln!(
            f,
            "  a device read {near} to {far} ns, a posted write {WRITE_NS} ns, a write with its dsb {WRITE_AND_BARRIER_NS} ns, as others \
             saw them at other devices"
        )?;
        self.0.iter().try_for_each(|Path { name, of, least_ns, most_ns }| {
            let Counted { instructions, reads, writes, barriers } = of;
            writeln!(
                f,
                "  {name}: estimated {least_ns} to {most_ns} ns, from {instructions} instructions, {reads} reads, {writes} \
                 writes, {barriers} dsb"
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_estimate_is_a_range_with_what_it_was_made_from() {
        let figure = |name: &str, max| Figure { name: name.into(), min: 0, max, unit: "ticks" };
        let figures = [
            figure("timer-handler-busy", 18),
            figure("timer-task-idle", 90),
            figure("timer-task-busy", 105),
            figure("release-device-reads-busy", 1),
            figure("release-device-writes-busy", 3),
            figure("release-dsb-busy", 1),
        ];
        let printed = Estimate::of(&figures).to_string();
        // 12 and 36 cycles of 2/3 ns.
        assert!(printed.contains("timer-handler: estimated 8 to 24 ns, from 18 instructions, 0 reads"), "{printed}");
        // 70 and 210 cycles, a read, two posted writes, one with the barrier.
        assert!(printed.contains("timer-task: estimated 237 to 430 ns, from 105 instructions, 1 reads"), "{printed}");
        assert!(printed.starts_with("Estimate for a board. Nothing here was measured"));
        assert!(printed.contains("0.5 to 1.5 instructions a cycle"), "{printed}");
    }
}
