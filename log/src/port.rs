// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where messages go: the boot word `log=uart2` to `log=uart5`, `log=mini` or `log=off`. Without one they go to the mini
//! UART in QEMU, whose second `-serial` it is, and nowhere on a board, where its pins are the console's.

use core::fmt;

use takt::board::{Platform, command_line, facts};
use takt::handover::Handover;
use takt::kernel::boot_words::BootWords;
use takt::serial::{Config, OpenError, Port, Uart};

/// Where messages go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Destination {
    /// To this interface, at 115200 8N1.
    Port(Port),
    /// Nowhere: the boot line says `log=off`, or nothing on a board.
    Nowhere,
    /// Nowhere: the boot line names an interface that there is not.
    Unknown,
    /// Nowhere: the interface could not be opened.
    Closed(OpenError),
}

impl fmt::Display for Destination {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Port(port) => write!(formatter, "log messages go to {}, 115200 8N1", port.name()),
            Self::Nowhere => formatter.write_str(
                "log messages go nowhere; name an interface by a word of the boot line, log=uart2 to log=uart5 or log=mini",
            ),
            Self::Unknown => formatter.write_str(
                "log messages go nowhere, since the boot line names an interface that there is not; valid are log=uart2 to \
                 log=uart5, log=mini and log=off",
            ),
            Self::Closed(error) => write!(formatter, "log messages go nowhere: {error}"),
        }
    }
}

/// What [`open`] found.
static DESTINATION: Handover<Option<Destination>> = Handover::new(None);

/// Where messages go; `None` before the task that sends them has begun, or while another task asks. Called by tasks.
pub fn destination() -> Option<Destination> {
    *DESTINATION.take()?
}

/// Opens the interface that messages go to, if they go to one, and takes its pins.
pub(crate) fn open() -> Option<Uart> {
    let opened = chosen().map(|port| Uart::open_port(port, &Config::default()).map_err(Destination::Closed));
    let (uart, found) = match opened {
        Ok(Ok(uart)) => {
            let port = uart.port();
            (Some(uart), Destination::Port(port))
        }
        Ok(Err(found)) | Err(found) => (None, found),
    };
    if let Some(mut place) = DESTINATION.take() {
        *place = Some(found);
    }
    uart
}

/// The interface that is asked for, or why there is none.
fn chosen() -> Result<Port, Destination> {
    let asked = BootWords::new(command_line()).find(|word| word.key == "log" && !word.open_quote);
    match asked.map(|word| word.value.unwrap_or("")) {
        Some("off") => Err(Destination::Nowhere),
        Some(name) => Port::named(name).ok_or(Destination::Unknown),
        None if facts().is_some_and(|facts| facts.platform == Platform::Qemu) => Ok(Port::Mini),
        None => Err(Destination::Nowhere),
    }
}
