// SPDX-License-Identifier: MIT OR Apache-2.0
//! Drivers for the devices of the BCM2711 that takt uses, each *given* its register block.
//!
//! In the order a sample meets them:
//!
//! * [`system_timer`]: the 1 MHz counter and its compare registers, core 0's time base
//! * [`gic400`]: the interrupt controller, distributor and CPU interface
//! * [`pl011`]: the console UART, and UART2 to UART5
//! * [`aux_uart`]: the mini UART
//! * [`mailbox`]: questions to the VideoCore firmware
//! * [`gpio`]: pins, their levels and events
//! * [`pwm`], and [`clock_manager`] for its clock
//! * [`power_management`]: watchdog, reset, why the last one was
//! * [`rng200`], [`thermal`]: random words, the chip's temperature
//! * [`clock`]: what bounds a driver's waits, and [`wait`]: looking or asleep
//! * [`spi`]: the serial bus SPI0, behind `embedded-hal`
//! * [`i2c`]: the two-wire bus BSC1, behind `embedded-hal`
//! * [`dma`]: a channel that moves memory by itself
//!
//! Rules of this crate:
//!
//! 1. **No address.** A driver is constructed from a reference to its registers; which address that is, the board
//!    crate knows. On a PC the tests give it an array of words.
//! 2. **No `unsafe`**, no allocation, no panic, no floating point.
//! 3. **The manual's names** for registers and fields, its access widths, and its access rights in the type: what is
//!    set or cleared by writing ones has no read-modify-write.
//! 4. **`&self` or `&mut self`** says whether two holders can disturb each other. One access that the device completes
//!    by itself (a set or clear register, a compare register) takes `&self`. A read with an effect, a read-modify-write
//!    and a sequence take `&mut self`.
//! 5. **No barrier.** Where one is due, the documentation says so and the caller issues it.
//!
//! Square brackets name the source of a number: `[GIC2 4.4.4]` the Arm GICv2 architecture specification, `[PL011 3.3]`
//! the PL011 manual, `[BCM2711 10]` the BCM2711 peripherals manual, `[HW 4.1]` this project's collection of facts.
#![no_std]
#![forbid(unsafe_code)]

pub mod aux_uart;
pub mod clock;
pub mod clock_manager;
mod core_divider;
pub mod dma;
pub mod gic400;
pub mod gpio;
pub mod i2c;
pub mod mailbox;
pub mod pl011;
pub mod power_management;
pub mod pwm;
pub mod rng200;
pub mod spi;
pub mod system_timer;
pub mod thermal;
pub mod wait;
