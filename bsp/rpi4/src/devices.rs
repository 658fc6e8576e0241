// SPDX-License-Identifier: MIT OR Apache-2.0
//! The board's devices: each driver with its register block. Addresses come from `map.rs`.

use core::ops::Deref;

use takt_drivers::aux_uart::AuxUart;
use takt_drivers::clock_manager::ClockGenerator;
use takt_drivers::dma::Channel;
use takt_drivers::gic400::{CpuInterface, Distributor};
use takt_drivers::gpio::Gpio;
use takt_drivers::i2c::I2cRegisters;
use takt_drivers::pl011::Pl011;
use takt_drivers::power_management::PowerManagement;
use takt_drivers::pwm::Pwm;
use takt_drivers::rng200::Rng200;
use takt_drivers::spi::SpiRegisters;
use takt_drivers::system_timer::SystemTimer;
use takt_drivers::thermal::Thermal;

use crate::{guarded, map};

/// The interrupt controller's distributor.
#[inline(always)]
pub fn distributor() -> Distributor<'static> {
    // SAFETY: the address is the distributor's on this board, mapped as device memory for the life of the image.
    Distributor::new(unsafe { &*(map::GICD as *const _) })
}

/// This core's interface to the interrupt controller.
#[inline(always)]
pub fn cpu_interface() -> CpuInterface<'static> {
    // SAFETY: as above, of the CPU interface, which is banked per core.
    CpuInterface::new(unsafe { &*(map::GICC as *const _) })
}

/// The system timer.
#[inline(always)]
pub fn system_timer() -> SystemTimer<'static> {
    // SAFETY: as above, of the system timer.
    SystemTimer::new(unsafe { &*(map::SYSTEM_TIMER as *const _) })
}

/// The console's serial interface.
#[inline(always)]
pub fn uart0() -> Pl011<'static> {
    // SAFETY: as above, of UART0.
    Pl011::new(unsafe { &*(map::UART0 as *const _) })
}

/// UART `n`, 2 to 5; `None` for any other number. QEMU does not have them: ask [`has_uart`] before anything else.
pub fn uart_2_to_5(n: usize) -> Option<Pl011<'static>> {
    let address = *map::UARTS_2_TO_5.get(n.checked_sub(2)?)?;
    // SAFETY: as above, of the UART.
    Some(Pl011::new(unsafe { &*(address as *const _) }))
}

/// Whether UART `n`, 2 to 5, is there: its flags answer, and are some that a PL011 shows.
pub fn has_uart(n: usize) -> bool {
    /// `UARTFR` [PL011 3.2].
    const FLAGS: usize = 0x18;
    let Some(&address) = n.checked_sub(2).and_then(|index| map::UARTS_2_TO_5.get(index)) else { return false };
    // Not the data register, a read of which takes a byte.
    answers(address.wrapping_add(FLAGS)) && uart_2_to_5(n).is_some_and(|uart| uart.is_present())
}

/// The mini UART.
#[inline(always)]
pub fn aux_uart() -> AuxUart<'static> {
    // SAFETY: as above, of the AUX block.
    AuxUart::new(unsafe { &*(map::AUX as *const _) })
}

/// The pins. Who uses one directly goes behind the back of its owner.
#[inline(always)]
pub fn gpio() -> Gpio<'static> {
    // SAFETY: as above, of the pins.
    Gpio::new(unsafe { &*(map::GPIO as *const _) })
}

/// PWM block 0. QEMU does not have it: ask [`has_pwm0`] before anything else.
#[inline(always)]
pub fn pwm0() -> Pwm<'static> {
    // SAFETY: as above, of PWM block 0.
    Pwm::new(unsafe { &*(map::PWM0 as *const _) })
}

/// Whether PWM block 0 is there: `CTL` answers.
pub fn has_pwm0() -> bool {
    answers(map::PWM0)
}

/// PWM block 1. QEMU does not have it: ask [`has_pwm1`] before anything else.
#[inline(always)]
pub fn pwm1() -> Pwm<'static> {
    // SAFETY: as above, of PWM block 1.
    Pwm::new(unsafe { &*(map::PWM1 as *const _) })
}

/// Whether PWM block 1 is there: `CTL` answers.
pub fn has_pwm1() -> bool {
    answers(map::PWM1)
}

/// The clock generator of both PWM blocks.
#[inline(always)]
pub fn pwm_clock() -> ClockGenerator<'static> {
    // SAFETY: as above, of the generator's two registers in the clock manager.
    ClockGenerator::new(unsafe { &*(map::CM_PWM as *const _) })
}

/// Watchdog and reset.
#[inline(always)]
pub fn power_management() -> PowerManagement<'static> {
    // SAFETY: as above, of the power management block.
    PowerManagement::new(unsafe { &*(map::POWER_MANAGEMENT as *const _) })
}

/// The generator of random numbers. QEMU does not have it: ask [`has_rng200`] before anything else.
#[inline(always)]
pub fn rng200() -> Rng200<'static> {
    // SAFETY: as above, of the RNG200.
    Rng200::new(unsafe { &*(map::RNG200 as *const _) })
}

/// Whether the generator of random numbers is there: `RNG_CTRL` answers.
pub fn has_rng200() -> bool {
    answers(map::RNG200)
}

/// The thermometer. QEMU does not have it: ask [`has_thermal`] before anything else.
#[inline(always)]
pub fn thermal() -> Thermal<'static> {
    // SAFETY: as above, of the thermometer's register.
    Thermal::new(unsafe { &*(map::THERMAL as *const _) })
}

/// Whether the thermometer is there: its register answers.
pub fn has_thermal() -> bool {
    answers(map::THERMAL)
}

/// Whether anything answers at a register of this board.
fn answers(register: usize) -> bool {
    // SAFETY: the callers give registers out of the map, of 32 bits, a read of which changes nothing.
    unsafe { guarded::read(register) }.is_some()
}

/// The way to the registers of SPI0. It has no size, and any task may have it.
#[derive(Clone, Copy, Debug)]
pub struct Spi0;

impl Deref for Spi0 {
    type Target = SpiRegisters;

    #[inline(always)]
    fn deref(&self) -> &SpiRegisters {
        // SAFETY: as above, of SPI0.
        unsafe { &*(map::SPI0 as *const _) }
    }
}

/// The way to the registers of I2C1. It has no size, and any task may have it.
#[derive(Clone, Copy, Debug)]
pub struct I2c1;

impl Deref for I2c1 {
    type Target = I2cRegisters;

    #[inline(always)]
    fn deref(&self) -> &I2cRegisters {
        // SAFETY: as above, of I2C1.
        unsafe { &*(map::I2C1 as *const _) }
    }
}

/// A DMA channel, 0 to 10; a greater number is taken as 10.
#[inline(always)]
pub fn dma_channel(number: u8) -> Channel<'static> {
    let number = if number < 10 { number as usize } else { 10 };
    let address = map::DMA.wrapping_add(map::DMA_CHANNEL_BYTES.wrapping_mul(number));
    // SAFETY: as above, of a channel; eleven of them lie in a row.
    Channel::new(unsafe { &*(address as *const _) })
}

/// The counter, the low half of the system timer, and the counter again, with as little as possible between and the same
/// on either side.
#[inline(always)]
pub fn bracketed_system_timer() -> (u64, u32, u64) {
    /// CLO [HW 4.1].
    const LOW: usize = map::SYSTEM_TIMER + 0x04;
    let (before, low, after): (u64, u32, u64);
    // SAFETY: reading CLO and the counter has no effect; the address is the system timer's on this board.
    unsafe {
        core::arch::asm!(
            "isb",
            "mrs {before}, cntpct_el0",
            "isb",
            "ldr {low:w}, [{address}]",
            "isb",
            "mrs {after}, cntpct_el0",
            address = in(reg) LOW,
            before = out(reg) before,
            low = out(reg) low,
            after = out(reg) after,
            options(nostack, preserves_flags),
        );
    }
    (before, low, after)
}
