// SPDX-License-Identifier: MIT OR Apache-2.0
//! The Raspberry Pi 4 under takt: what only this board and this processor know.
//!
//! In the order in which the machine meets it: [`map`] has every address and interrupt number; `boot.s` brings core 0
//! from the firmware to EL1, [`mmu`] turns the memory map on, [`cores`] sends the other cores to sleep; [`vectors`] and
//! [`context`] save and switch, [`core_pointer`] finds a core's state; [`counter`], [`generic_timer`], [`devices`] [`interrupts`] and [`pair`] are what the
//! interrupt path uses; [`mailbox`] asks the firmware; [`guarded`] asks whether a device is there;
//! [`end`] ends a run.
//!
//! This crate knows nothing of tasks or of the kernel: what it calls upwards is named to it by the macros
//! [`entry!`] and [`vectors!`]. Assembly stands here and nowhere else.

#![no_std]

pub mod boot;
pub mod cache;
pub mod context;
pub mod core_pointer;
pub mod cores;
pub mod counter;
pub mod devices;
pub mod end;
pub mod generic_timer;
pub mod guarded;
pub mod interrupts;
pub mod layout;
pub mod mailbox;
pub mod map;
pub mod mmu;
pub mod pair;
pub mod pmu;
pub mod vectors;
pub mod virtual_timer;

pub use takt_drivers as drivers;
