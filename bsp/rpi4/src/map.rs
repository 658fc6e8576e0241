// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every address and every interrupt number of the board, and nothing else.
//!
//! Addresses are the Arm physical ones in low-peripheral mode. An INTID is 32 + the SPI number of the device tree
//! [HW 3.1].

use takt_drivers::dma::Endpoint;
use takt_drivers::gic400::Intid;

/// What a RAM address is as the VideoCore sees it, without allocation in its cache: + 0xC0000000 [HW 2.2].
pub const VIDEOCORE_UNCACHED: usize = 0xC000_0000;

/// The words that release cores 0 to 3 from the firmware's stub: 0xD8, 0xE0, 0xE8, 0xF0 [HW 1.4].
pub const SPIN_TABLE: usize = 0xD8;

/// System timer [HW 4.1].
pub const SYSTEM_TIMER: usize = 0xFE00_3000;
/// DMA channel 0; channel n lies n times [`DMA_CHANNEL_BYTES`] above it [HW 8.5].
pub const DMA: usize = 0xFE00_7000;
/// From one DMA channel to the next [HW 8.5].
pub const DMA_CHANNEL_BYTES: usize = 0x100;
/// VideoCore mailboxes [HW 6].
pub const MAILBOX: usize = 0xFE00_B880;
/// Power management: watchdog and reset [HW 7].
pub const POWER_MANAGEMENT: usize = 0xFE10_0000;
/// Clock manager, the PWM blocks' generator: CM_PWMCTL and CM_PWMDIV [HW 8.1].
pub const CM_PWM: usize = 0xFE10_10A0;
/// RNG200, random numbers [HW 8.6].
pub const RNG200: usize = 0xFE10_4000;
/// GPIO, the pins [HW 5.3].
pub const GPIO: usize = 0xFE20_0000;
/// PWM block 0 [HW 8.2].
pub const PWM0: usize = 0xFE20_C000;
/// PWM block 1 [HW 8.2].
pub const PWM1: usize = 0xFE20_C800;
/// AVS_RO_TEMP_STATUS, the thermometer's register in the AVS block [HW 8.6].
pub const THERMAL: usize = 0xFD5D_2200;
/// PL011 UART0 [HW 5.1].
pub const UART0: usize = 0xFE20_1000;
/// PL011 UART2 to UART5 [HW 5.1]. QEMU does not have them.
pub const UARTS_2_TO_5: [usize; 4] = [0xFE20_1400, 0xFE20_1600, 0xFE20_1800, 0xFE20_1A00];
/// AUX block with the mini UART [HW 5.2].
pub const AUX: usize = 0xFE21_5000;
/// SPI0 [HW 8.3].
pub const SPI0: usize = 0xFE20_4000;
/// I2C1, which is BSC1 [HW 8.4].
pub const I2C1: usize = 0xFE80_4000;
/// GIC-400 distributor [HW 2.1].
pub const GICD: usize = 0xFF84_1000;
/// GIC-400 CPU interface [HW 2.1].
pub const GICC: usize = 0xFF84_2000;

/// The 2 MiB blocks in which the devices above lie; nothing else of the device space is mapped.
pub const DEVICE_BLOCKS: [usize; 5] = [0xFD40_0000, 0xFE00_0000, 0xFE20_0000, 0xFE80_0000, 0xFF80_0000];

/// The software generated interrupt by which a direct handler's message comes to a kernel handler; takt's own, the last, so
/// that an application has the low ones.
pub const MAILBOX_INTID: Intid = Intid::sgi(15);
/// The software generated interrupt by which a core hears of what other cores sent; takt's own.
pub const INBOX_INTID: Intid = Intid::sgi(14);
/// The software generated interrupt that stops a core, since another has faulted; takt's own.
pub const HALT_INTID: Intid = Intid::sgi(13);
/// The generic timer's EL1 physical timer, PPI 14 [HW 3.1].
pub const GENERIC_TIMER_INTID: Intid = Intid::ppi(14);
/// The generic timer's virtual timer, PPI 11 [HW 3.1].
pub const VIRTUAL_TIMER_INTID: Intid = Intid::ppi(11);
/// System timer compare 1, SPI 65; 0 and 2 belong to the firmware [HW 3.1].
pub const SYSTEM_TIMER_1_INTID: Intid = Intid::spi(65);
/// The PL011 UARTs, SPI 121 [HW 3.1].
pub const UART0_INTID: Intid = Intid::spi(121);
/// The AUX block: mini UART, SPI1 and SPI2, SPI 93 [HW 3.1].
pub const AUX_INTID: Intid = Intid::spi(93);
/// Events of the pins 0 to 27, SPI 113 [HW 3.1].
pub const GPIO_0_TO_27_INTID: Intid = Intid::spi(113);
/// Events of the pins 28 to 45, SPI 114 [HW 3.1].
pub const GPIO_28_TO_45_INTID: Intid = Intid::spi(114);
/// Events of the pins 46 to 57, SPI 115 [HW 3.1].
pub const GPIO_46_TO_57_INTID: Intid = Intid::spi(115);
/// Events of any pin, SPI 116 [HW 3.1].
pub const GPIO_INTID: Intid = Intid::spi(116);
/// I2C1 and its like, SPI 117 [HW 3.1].
pub const I2C1_INTID: Intid = Intid::spi(117);
/// SPI0 and its like, SPI 118 [HW 3.1].
pub const SPI0_INTID: Intid = Intid::spi(118);
/// A line that no list of this board's interrupts names, for finding out how many priority bits there are: SPI 159
/// [HW 3.1].
pub const UNUSED_INTID: Intid = Intid::spi(159);

/// The interrupt of a DMA channel, 0 to 10: SPI 80 to 86, then 87 for 7 and 8 and 88 for 9 and 10 [HW 3.1].
pub const fn dma_intid(channel: u8) -> Intid {
    Intid::spi(match channel {
        0..=6 => (channel as u16).wrapping_add(80),
        7 | 8 => 87,
        _ => 88,
    })
}

/// The FIFO of SPI0 as a DMA channel writes it, and the number of its request [HW 2.2, 8.5].
pub const SPI0_TRANSMIT: Endpoint = Endpoint { bus_address: 0x7E20_4004, dreq: 6 };
/// The FIFO of SPI0 as a DMA channel reads it [HW 2.2, 8.5].
pub const SPI0_RECEIVE: Endpoint = Endpoint { bus_address: 0x7E20_4004, dreq: 7 };
/// FIF1 of the PWM blocks 0 and 1 as a DMA channel writes it, a word for each pulse [HW 2.2, 8.2, 8.5].
pub const PWM_TRAINS: [Endpoint; 2] =
    [Endpoint { bus_address: 0x7E20_C018, dreq: 5 }, Endpoint { bus_address: 0x7E20_C818, dreq: 1 }];
/// UARTDR of UART2 to UART5 as a DMA channel writes it, a character a word [HW 2.2, 5.1, 8.5].
pub const UARTS_2_TO_5_TRANSMIT: [Endpoint; 4] = [
    Endpoint { bus_address: 0x7E20_1400, dreq: 28 },
    Endpoint { bus_address: 0x7E20_1600, dreq: 19 },
    Endpoint { bus_address: 0x7E20_1800, dreq: 30 },
    Endpoint { bus_address: 0x7E20_1A00, dreq: 21 },
];

/// The end of the RAM that a DMA channel reaches: the first GiB [HW 2.2].
pub const DMA_REACH: usize = 0x4000_0000;

/// The INTIDs that takt takes: 0 to 223, what both the board's GIC-400 and QEMU's have [HW 3.2, 12].
pub const INTID_LIMIT: u16 = 224;
