// SPDX-License-Identifier: MIT OR Apache-2.0
//! Serial interfaces beside the console: UART2 to UART5, which are PL011s, and the mini UART.
//!
//! ```no_run
//! use takt::board::{Pin, PinTaken};
//! use takt::serial::{Config, Parity, Uart};
//!
//! fn ask(request: &[u8]) -> Result<(), PinTaken> {
//!     let pins = (Pin::<4>::take()?.into_alternate::<4>(), Pin::<5>::take()?.into_alternate::<4>());
//!     let config = Config { baud: 19_200, parity: Parity::Even, ..Config::default() };
//!     let Ok(mut modbus) = Uart::open(pins, &config) else { return Ok(()) };
//!     modbus.write_bytes(request);
//!     let first = modbus.read_byte();
//!     # let _ = first;
//!     Ok(())
//! }
//! ```
//!
//! A handler moves bytes between the device's FIFO and a ring in each direction: 1,023 bytes to be sent, 255 received. A
//! writer waits for room, so nothing that is sent is lost; what is received and finds no room is counted and lost, and so
//! is what was received badly. The handlers are installed at the start: the application's table says nothing of them.
//!
//! The pins say which port it is, and are the port's from then on; see [`UartPins`]. Who learns the port at run time opens it
//! by [`Uart::open_port`], which takes the pins itself.

mod counts;
mod io;
pub(crate) mod line;
mod open;
mod pins;
pub(crate) mod receiver;
pub(crate) mod transmitter;

pub use counts::{ReceiveCounts, ReceiveError};
pub use open::{NotOpened, OpenError};
pub use pins::UartPins;
pub use takt_rpi4::drivers::aux_uart::BaudError as MiniBaudError;
pub use takt_rpi4::drivers::pl011::{Config, EnableError, Parity, StopBits};

use core::marker::PhantomData;
use core::sync::atomic::{AtomicBool, Ordering};

use takt_kernel::time::Instant;
use takt_rpi4::devices;
use takt_rpi4::drivers::pl011::Pl011;

use crate::board::{Peripheral, TakeError};
use crate::event::TimedOut;
use crate::exclusive::device_exclusively;
use crate::{board, console};
use line::Line;
use pins::TakenPins;
use receiver::Receiver;
use transmitter::Transmitter;

/// The size of the ring for what is sent, in bytes.
const SENT_BYTES: usize = 1_024;
/// The size of the ring for what was received, in bytes.
const RECEIVED_BYTES: usize = 256;

/// A serial interface, and its pins by their alternate:
///
/// | port | TX, RX | alternate |
/// |---|---|---|
/// | UART2 | 0, 1 | 4 |
/// | UART3 | 4, 5 | 4 |
/// | UART4 | 8, 9 | 4 |
/// | UART5 | 12, 13 | 4 |
/// | mini UART | 40, 41: the headphone jack | 5 |
///
/// [HW 5.1, 5.2]. QEMU has the mini UART alone of these, and its bytes need no pins there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Port {
    /// UART2.
    Uart2,
    /// UART3.
    Uart3,
    /// UART4.
    Uart4,
    /// UART5.
    Uart5,
    /// The mini UART: no parity, one stop bit, and a baud that follows the core clock. See
    /// [`aux_uart`](takt_rpi4::drivers::aux_uart).
    Mini,
}

impl Port {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Uart2, Self::Uart3, Self::Uart4, Self::Uart5, Self::Mini];

    /// What a boot word calls it: `uart2` to `uart5`, `mini`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Uart2 => "uart2",
            Self::Uart3 => "uart3",
            Self::Uart4 => "uart4",
            Self::Uart5 => "uart5",
            Self::Mini => "mini",
        }
    }

    /// The port of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|port| port.name() == name)
    }

    /// Whether everything written to the port so far has left the board; so it has where the port is not open. Anyone may
    /// call this.
    #[must_use]
    pub fn is_idle(self) -> bool {
        let state = self.state();
        if !state.is_open.load(Ordering::Relaxed) {
            return true;
        }
        !state.sent.is_sending() && !self.pl011().map_or_else(|| devices::aux_uart().is_busy(), |uart| uart.is_busy())
    }

    fn peripheral(self) -> Peripheral {
        match self {
            Self::Uart2 => Peripheral::Uart(2),
            Self::Uart3 => Peripheral::Uart(3),
            Self::Uart4 => Peripheral::Uart(4),
            Self::Uart5 => Peripheral::Uart(5),
            Self::Mini => Peripheral::MiniUart,
        }
    }

    fn state(self) -> &'static State {
        match self {
            Self::Uart2 => &UART2,
            Self::Uart3 => &UART3,
            Self::Uart4 => &UART4,
            Self::Uart5 => &UART5,
            Self::Mini => &MINI,
        }
    }

    /// The device, where it is a PL011.
    fn pl011(self) -> Option<Pl011<'static>> {
        match self.peripheral() {
            Peripheral::Uart(number) => devices::uart_2_to_5(usize::from(number)),
            _ => None,
        }
    }
}

/// What a port has beside its device.
struct State {
    sent: Transmitter<SENT_BYTES>,
    received: Receiver<RECEIVED_BYTES>,
    /// Whether the handler looks after it.
    is_open: AtomicBool,
}

impl State {
    const fn new() -> Self {
        Self { sent: Transmitter::new(), received: Receiver::new(), is_open: AtomicBool::new(false) }
    }
}

static UART2: State = State::new();
static UART3: State = State::new();
static UART4: State = State::new();
static UART5: State = State::new();
static MINI: State = State::new();

/// Whether any of UART2 to UART5 is open.
static ANY_PL011_IS_OPEN: AtomicBool = AtomicBool::new(false);

/// The handler of the line that all PL011s share: each is asked.
pub(crate) fn uart_handler() {
    console::serve();
    if ANY_PL011_IS_OPEN.load(Ordering::Relaxed) {
        Port::ALL.into_iter().for_each(serve_pl011);
    }
}

#[cold]
fn serve_pl011(port: Port) {
    let state = port.state();
    let Some(mut uart) = port.pl011().filter(|_| state.is_open.load(Ordering::Relaxed)) else { return };
    serve_requests(&mut uart, &state.received, |uart| state.sent.serve(uart));
}

/// Does what a PL011 asks for; `send` gives it bytes.
#[inline(always)]
pub(crate) fn serve_requests<'a, const RECEIVED: usize>(
    uart: &mut Pl011<'a>,
    received: &Receiver<RECEIVED>,
    send: impl Fn(&mut Pl011<'a>),
) {
    let requests = uart.requests();
    if requests.receive() {
        received.serve(uart);
    }
    if requests.overrun() {
        received.count(ReceiveError::Overrun);
        uart.clear_overrun();
    }
    if requests.transmit() {
        send(uart);
    }
}

/// The handler of the AUX block's line.
pub(crate) fn aux_handler() {
    if MINI.is_open.load(Ordering::Relaxed) {
        let mut uart = devices::aux_uart();
        MINI.received.serve(&mut uart);
        // A receive interrupt may come while the FIFO still has bytes to send.
        if MINI.sent.is_sending() && uart.is_transmit_fifo_empty() {
            MINI.sent.serve(&mut uart);
        }
    }
}

/// An open port. One task holds it; it stays open.
#[derive(Debug)]
pub struct Uart {
    port: Port,
    /// What went wrong with input and was told by `embedded_io`.
    told: ReceiveCounts,
    not_shared: PhantomData<*const ()>,
}

impl Uart {
    /// Sets the port of these pins up for both directions, and pulls RX up. The pins are the port's from then on. Called by
    /// tasks.
    ///
    /// # Errors
    /// See [`OpenError`]. The port is free again, nothing was sent, and the pins come back.
    pub fn open<P: UartPins>(pins: P, config: &Config) -> Result<Self, NotOpened<P>> {
        const {
            assert!(
                P::PORT.has_pins(P::NUMBERS, P::ALTERNATE),
                "takt: the pins of a port as types and by number differ"
            )
        };
        let pins = pins.with_pull();
        match claim(P::PORT).and_then(|()| Self::enable(P::PORT, config)) {
            // The pins end here: nobody else can have them.
            Ok(uart) => Ok(uart),
            Err(error) => Err(NotOpened { error, pins }),
        }
    }

    /// The same for a port that is known at run time alone: takes its pins, too. Called by tasks.
    ///
    /// # Errors
    /// See [`OpenError`]. The port and the pins are free again and as they were, and nothing was sent.
    pub fn open_port(port: Port, config: &Config) -> Result<Self, OpenError> {
        claim(port)?;
        let pins = TakenPins::of(port).map_err(|taken| OpenError::Pin(port, taken)).inspect_err(|_| give_back(port))?;
        match Self::enable(port, config) {
            Ok(uart) => Ok(uart),
            Err(error) => {
                pins.restore();
                Err(error)
            }
        }
    }

    /// Sets up a port that is the caller's; gives it back where that fails.
    fn enable(port: Port, config: &Config) -> Result<Self, OpenError> {
        let enabled = match port.pl011() {
            Some(uart) => enable_pl011(uart, port, config),
            None => enable_mini(config),
        };
        enabled.inspect_err(|_| give_back(port))?;
        Ok(Self { port, told: ReceiveCounts::default(), not_shared: PhantomData })
    }

    /// Which port this is.
    #[must_use]
    pub const fn port(&self) -> Port {
        self.port
    }

    /// Writes `bytes`, waiting for room as often as it takes. Called by the task that holds the port.
    pub fn write_bytes(&mut self, bytes: &[u8]) {
        let sent = &self.port.state().sent;
        match self.port.pl011() {
            Some(mut uart) => write(sent, bytes, &mut uart),
            None => write(sent, bytes, &mut devices::aux_uart()),
        }
    }

    /// Waits until everything written has left the board. Called by the task that holds the port.
    pub fn flush(&mut self) {
        let sent = &self.port.state().sent;
        match self.port.pl011() {
            Some(mut uart) => sent.flush(&mut uart),
            None => sent.flush(&mut devices::aux_uart()),
        }
    }

    /// Whether written bytes are still on their way to the device.
    pub(crate) fn sends_by_interrupt(&self) -> bool {
        self.port.state().sent.is_sending()
    }

    /// Lets the device request characters of a DMA channel, or no more; the mini UART does not.
    pub(crate) fn let_transmit_request(&mut self, is_let: bool) {
        if let Some(mut uart) = self.port.pl011() {
            uart.let_transmit_request(is_let);
        }
    }

    /// The next byte; waits for it, for ever if need be. Called by the task that holds the port.
    pub fn read_byte(&mut self) -> u8 {
        self.port.state().received.take()
    }

    /// The next byte; waits for it until `deadline`. Called by the task that holds the port.
    ///
    /// # Errors
    /// [`TimedOut`] where none has come.
    pub fn read_byte_until(&mut self, deadline: Instant) -> Result<u8, TimedOut> {
        self.port.state().received.take_until(deadline)
    }

    /// The next byte, if one has come. Called by the task that holds the port.
    pub fn try_read_byte(&mut self) -> Option<u8> {
        self.port.state().received.try_take()
    }

    /// Whether a byte has come that was not read. Called by the task that holds the port.
    #[must_use]
    pub fn has_byte(&self) -> bool {
        !self.port.state().received.is_empty()
    }

    /// Whether a write of one byte would not wait. Called by the task that holds the port.
    #[must_use]
    pub fn has_room(&self) -> bool {
        self.port.state().sent.has_room()
    }

    /// What went wrong with what was received since the start. What is bad is thrown away and counted here.
    #[must_use]
    pub fn receive_counts(&self) -> ReceiveCounts {
        self.port.state().received.counts()
    }

    /// When the youngest byte was taken from the device: the first statement of the part of the handler that did so. The
    /// counter's zero before the first.
    #[must_use]
    pub fn received_at(&self) -> Instant {
        self.port.state().received.stamp()
    }
}

/// Gives the port to the caller, if it is there.
fn claim(port: Port) -> Result<(), OpenError> {
    port.peripheral().claim().map_err(|error| match error {
        TakeError::Taken { .. } => OpenError::Taken(port),
        _ => OpenError::Absent(port),
    })
}

fn give_back(port: Port) {
    port.peripheral().give_back();
}

/// What goes into the FIFO goes there, the rest into the ring: so a PL011's transmit request need not stand beforehand.
fn write(sent: &Transmitter<SENT_BYTES>, bytes: &[u8], line: &mut impl Line) {
    let directly = sent.write_directly(bytes, line);
    if let Some(rest @ [_, ..]) = bytes.get(directly..) {
        sent.write(rest, line);
    }
}

fn enable_pl011(mut uart: Pl011<'static>, port: Port, config: &Config) -> Result<(), OpenError> {
    let clock_hz = board::facts().map_or(0, |facts| facts.uart_hz);
    uart.enable(config, clock_hz).map_err(|error| OpenError::Pl011(port, error))?;
    port.state().is_open.store(true, Ordering::Relaxed);
    ANY_PL011_IS_OPEN.store(true, Ordering::Relaxed);
    device_exclusively("a serial interface is opened", || uart.enable_receive_interrupts());
    Ok(())
}

fn enable_mini(config: &Config) -> Result<(), OpenError> {
    if config.parity != Parity::None || config.stop_bits != StopBits::One {
        return Err(OpenError::MiniFormat);
    }
    let machine = board::facts().and_then(|facts| facts.machine.ok());
    let core_hz = machine.and_then(|machine| machine.core_hz).ok_or(OpenError::CoreClockUnknown)?;
    let mut uart = devices::aux_uart();
    uart.enable(config.baud, core_hz).map_err(OpenError::MiniBaud)?;
    MINI.is_open.store(true, Ordering::Relaxed);
    uart.let_through(true, false);
    Ok(())
}
