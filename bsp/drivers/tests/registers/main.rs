// SPDX-License-Identifier: MIT OR Apache-2.0
//! The drivers against arrays of words that pose as the devices. What a register must hold comes from the manual, and
//! each test names the section.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a test may fail where it stands"
)]

mod asleep;
mod aux_uart;
mod bus_clock;
mod clock_manager;
mod dma;
mod gic400_cpu_interface;
mod gic400_distributor;
mod gpio;
mod i2c;
mod i2c_model;
mod mailbox;
mod pl011;
mod power_management;
mod published;
mod pwm;
mod rng200;
mod spi;
mod spi_by_dma;
mod spi_model;
mod system_timer;
mod thermal;
mod words;
