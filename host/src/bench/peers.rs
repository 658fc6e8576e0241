// SPDX-License-Identifier: MIT OR Apache-2.0
//! What other executives need for the same, on the same emulated board.

/// The figures of others for one of ours. A figure is text, since some are several.
#[derive(Debug, Clone, Copy)]
pub struct Peers {
    /// Our figure's name.
    pub name: &'static str,
    /// A minimum written by hand in assembly.
    pub floor: &'static str,
    /// FreeRTOS.
    pub freertos: &'static str,
    /// ThreadX.
    pub threadx: &'static str,
    /// NuttX.
    pub nuttx: &'static str,
}

/// Where they have something to be compared with.
pub const PEERS: &[Peers] = &[
    Peers { name: "timer-handler", floor: "18", freertos: "26", threadx: "38", nuttx: "90" },
    Peers { name: "timer-task", floor: "", freertos: "285", threadx: "281", nuttx: "" },
    Peers { name: "timer-handler-idle", floor: "", freertos: "26", threadx: "23", nuttx: "90" },
    Peers { name: "timer-handler-busy", floor: "18", freertos: "26", threadx: "38", nuttx: "90" },
    Peers { name: "timer-task-idle", floor: "", freertos: "285", threadx: "281", nuttx: "" },
    Peers { name: "yield", floor: "21", freertos: "110", threadx: "87/80", nuttx: "267" },
];

/// Under which conditions the figures came about.
pub const CONDITIONS: &str = "\
Peers, measured on QEMU 10.0.2 -M raspi4b -icount shift=0,sleep=off, core 0, the others in WFI; n = 1000, min = max:
  FreeRTOS   4269c69a16f9 (after V10.4.3-792), port GCC/ARM_AARCH64 as guest at EL1, no floating-point context
  ThreadX    7ad78c40e970 (6.4.2), port cortex_a72/gnu; yield: default options / error checking off and its speed options
  NuttX      4ebc8a7291df, its arm64 bcm2711 port, which saves the floating-point file at every exception
  floor      a minimum in assembly that saves what it must and decides nothing
  GCC 12.2.0 -O2. Handler: from the expiry to the counter read in its first line; FreeRTOS and NuttX have acknowledged by
  then, takt and ThreadX acknowledge in the handler. Task: a periodic sleep of one tick at 1 kHz, idle; ThreadX with its
  speed options (281 to 284). Yield: one task's call to the other's first line, equal priority.
  Counts of instructions are not times: each weighs 1 here, also a barrier or a device access.";

/// The peers' figures for one of ours.
#[must_use]
pub fn of(name: &str) -> Option<&'static Peers> {
    PEERS.iter().find(|peers| peers.name == name)
}

#[cfg(test)]
mod tests {
    use super::super::lines::NAMES;
    use super::*;

    #[test]
    fn peers_stand_beside_figures_that_exist() {
        assert!(PEERS.iter().all(|peers| NAMES.iter().any(|name| name.starts_with(peers.name))));
        assert_eq!(of("yield").unwrap().nuttx, "267");
        assert!(of("counter-read").is_none());
    }
}
