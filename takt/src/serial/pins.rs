// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which pins a port is wired to [HW 5.1, 5.2]: as types, and by number for who learns only at run time which port it is.
//!
//! The receiving pin is pulled up: an idle line is high, so one that nobody drives receives nothing; pins 9 and 13 are pulled
//! down after a reset. The sending pin is driven, and its pull stays as it is.

use takt_rpi4::drivers::gpio::{Function, PinNumber, Pull};

use super::Port;
use crate::board::{Alternate, AnyPin, PinTaken};

impl Port {
    /// The numbers of TX and RX, and of the alternate that gives them to the port.
    const fn wiring(self) -> ([PinNumber; 2], u8) {
        match self {
            Self::Uart2 => ([PinNumber::at::<0>(), PinNumber::at::<1>()], 4),
            Self::Uart3 => ([PinNumber::at::<4>(), PinNumber::at::<5>()], 4),
            Self::Uart4 => ([PinNumber::at::<8>(), PinNumber::at::<9>()], 4),
            Self::Uart5 => ([PinNumber::at::<12>(), PinNumber::at::<13>()], 4),
            Self::Mini => ([PinNumber::at::<40>(), PinNumber::at::<41>()], 5),
        }
    }

    /// Whether these are the port's pins, for the check that the types below say the same.
    pub(super) const fn has_pins(self, [tx, rx]: [u8; 2], of: u8) -> bool {
        let ([transmit, receive], alternate) = self.wiring();
        transmit.number() == tx && receive.number() == rx && alternate == of
    }
}

/// The pins of a port that were taken by number, and what they were set to before.
pub(super) struct TakenPins([(AnyPin, Function, Option<Pull>); 2]);

impl TakenPins {
    /// Takes the pins of `port` and gives them to it.
    pub(super) fn of(port: Port) -> Result<Self, PinTaken> {
        let ([transmit, receive], alternate) = port.wiring();
        let transmit = AnyPin::take(transmit)?;
        let receive = match AnyPin::take(receive) {
            Ok(receive) => receive,
            Err(taken) => {
                transmit.give_back();
                return Err(taken);
            }
        };
        let pins = Self([transmit, receive].map(|pin| {
            let (function, pull) = pin.setting();
            (pin, function, pull)
        }));
        let Self([(transmit, ..), (receive, ..)]) = &pins;
        receive.set_pull(Pull::Up);
        if let Some(function) = Function::alternate(alternate) {
            receive.set_function(function);
            transmit.set_function(function);
        }
        Ok(pins)
    }

    /// Sets the pins as they were, and gives them back.
    pub(super) fn restore(self) {
        for (pin, function, pull) in self.0 {
            pin.set_function(function);
            if let Some(pull) = pull {
                pin.set_pull(pull);
            }
            pin.give_back();
        }
    }
}

mod sealed {
    use super::{Alternate, Pull};

    /// Not for others to implement.
    pub trait Sealed: Sized {
        /// The numbers of TX and RX.
        const NUMBERS: [u8; 2];
        /// That of their alternate.
        const ALTERNATE: u8;
        /// The same with the receiving pin pulled up.
        fn with_pull(self) -> Self;
    }

    impl<const TX: u8, const RX: u8, const A: u8> Sealed for (Alternate<TX, A>, Alternate<RX, A>) {
        const NUMBERS: [u8; 2] = [TX, RX];
        const ALTERNATE: u8 = A;

        fn with_pull(self) -> Self {
            (self.0, self.1.with_pull(Pull::Up))
        }
    }
}

#[diagnostic::on_unimplemented(
    message = "takt: these are not TX and RX of a serial port, in this order and by its alternate",
    note = "by alternate 4: pins 0 and 1 (UART2), 4 and 5 (UART3), 8 and 9 (UART4), 12 and 13 (UART5)",
    note = "by alternate 5: pins 40 and 41 (mini UART)"
)]
/// TX and RX of a port, in this order [HW 5.1, 5.2]: by alternate 4 pins 0 and 1 of UART2, 4 and 5 of UART3, 8 and 9 of
/// UART4, 12 and 13 of UART5; by alternate 5 pins 40 and 41 of the mini UART.
pub trait UartPins: sealed::Sealed {
    /// The port.
    const PORT: Port;
}
impl UartPins for (Alternate<0, 4>, Alternate<1, 4>) {
    const PORT: Port = Port::Uart2;
}
impl UartPins for (Alternate<4, 4>, Alternate<5, 4>) {
    const PORT: Port = Port::Uart3;
}
impl UartPins for (Alternate<8, 4>, Alternate<9, 4>) {
    const PORT: Port = Port::Uart4;
}
impl UartPins for (Alternate<12, 4>, Alternate<13, 4>) {
    const PORT: Port = Port::Uart5;
}
impl UartPins for (Alternate<40, 5>, Alternate<41, 5>) {
    const PORT: Port = Port::Mini;
}
