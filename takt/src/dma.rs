// SPDX-License-Identifier: MIT OR Apache-2.0
//! Memory that moves by itself: a [`Channel`] takes [`Region`]s, moves words between them or to and from a device, and gives
//! them back when it has finished. Devices that take words at their own pace are [`Sink`]s; [`SpiDma`] is SPI0 with a channel
//! for each direction.
//!
//! **Nobody touches a buffer that is lent.** A region owns memory that lives for ever, in cache lines of its own; a
//! [`Transfer`] owns the regions and the channel until [`Transfer::finish`], [`Transfer::wait`] or [`Transfer::abort`] has
//! found the channel idle. A transfer that is forgotten keeps them for good, and its memory is never used for anything else:
//! that is a loss, and safe.
//!
//! **A device requests as long as a transfer to it runs.** The transfer owns the device, so none waits for requests that
//! nobody makes, and nobody else writes to the device meanwhile.
//!
//! **The caches agree.** Lines are written back before the channel reads or writes them, and dropped before what it wrote is
//! read; the type does it.
//!
//! ```no_run
//! use takt::dma;
//! use takt::prelude::*;
//!
//! static FROM: dma::Buffer<4096> = dma::Buffer::new();
//! static TO: dma::Buffer<4096> = dma::Buffer::new();
//! static DONE: Event = Event::new();
//!
//! takt::tasks! {
//!     copied: Interrupt::kernel(dma::Channel::<5>::INTID, copied),
//!     copier: Task::background(copier).priority(20),
//! }
//!
//! fn copied() {
//!     dma::Channel::<5>::acknowledge();
//!     DONE.set_from_handler();
//! }
//! # fn copier() -> ! { loop {} }
//! ```
//!
//! and in a task `channel.copy(from, to, 4096)`, `DONE.wait()`, `transfer.finish()`.
//!
//! A channel shares SDRAM and buses with the cores: while it runs, latencies grow by what no count of instructions shows.

mod buffer;
mod channel;
mod refusal;
mod sink;
mod spi;
mod transfer;

pub use buffer::{Buffer, BufferTaken, Region};
pub use channel::{Channel, free_channels};
pub use refusal::{Reason, Refused};
pub use sink::Sink;
pub use spi::{Spi0Master, SpiDma, SpiRefused, SpiStillWriting, SpiTransfer, SpiUnfinished, SpiWhy};
pub use takt_rpi4::drivers::dma::{Fault, State, Stuck};
pub use transfer::{Copied, Sent, StillWriting, Transfer, Unfinished};
