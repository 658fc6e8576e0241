//! Guests of a few instructions, as the words a raw image holds. Encodings: Arm ARM, C6.2.

/// The PL011, with its data register first.
pub(crate) const UART: u32 = 0xFE20_1000;
/// The system timer's control and status register; the counter follows at 4, compare register 1 at 16.
pub(crate) const SYSTEM_TIMER: u32 = 0xFE00_3000;
/// Pending interrupts 96 to 127 at the GIC's distributor.
pub(crate) const GICD_ISPENDR3: u32 = 0xFF84_120C;
/// The watchdog's reset control.
pub(crate) const PM_RSTC: u32 = 0xFE10_001C;

/// Scratch memory behind every image, for the block that an exit passes.
const EXIT_BLOCK: u32 = 0x9_0000;

/// A raw image in the making. Register 1 holds addresses, register 0 values, register 2 the exit status.
#[derive(Default)]
pub(crate) struct Guest {
    words: Vec<u32>,
}

impl Guest {
    /// Adds instructions by their encoding.
    pub(crate) fn code(mut self, words: &[u32]) -> Self {
        self.words.extend(words);
        self
    }

    /// `movz`, `movk`: a 32-bit value into a register.
    pub(crate) fn load(self, register: u32, value: u32) -> Self {
        let (low, high) = (value & 0xFFFF, value >> 16);
        self.code(&[0xD280_0000 | low << 5 | register, 0xF2A0_0000 | high << 5 | register])
    }

    /// Stores a value at an address.
    pub(crate) fn store(self, address: u32, value: u32) -> Self {
        self.load(1, address).load(0, value).code(&[0xB900_0020]) // str w0, [x1]
    }

    /// Switches the PL011 on and leaves its address in register 1.
    pub(crate) fn console(self) -> Self {
        self.store(UART + 0x30, 0x301).load(1, UART) // UARTCR: UARTEN, TXE, RXE
    }

    /// Prints a text.
    pub(crate) fn print(self, text: &str) -> Self {
        text.bytes().fold(self.console(), |guest, byte| guest.load(0, byte.into()).code(&[0xB900_0020]))
    }

    /// Copies the console's input to its output until a `q` has been copied.
    pub(crate) fn echo_until_q(self) -> Self {
        self.console().code(&[
            0xB940_1820,                       // again: ldr w0, [x1, #0x18]   UARTFR
            0x3727_FFE0,                       //        tbnz w0, #4, again    RXFE
            0xB940_0022,                       //        ldr w2, [x1]
            0xB900_0022,                       //        str w2, [x1]
            0x7100_005F | (b'q' as u32) << 10, //        cmp w2, #'q'
            0x54FF_FF61,                       //        b.ne again
        ])
    }

    /// Lets the system timer's compare register 1 match, and reads whether that made INTID 97 pending (bit 1).
    pub(crate) fn system_timer_pending_in_w2(self) -> Self {
        self.load(1, SYSTEM_TIMER)
            .code(&[
                0xB940_0420, // ldr w0, [x1, #4]    CLO
                0x1101_9000, // add w0, w0, #100
                0xB900_1020, // str w0, [x1, #16]   C1
                0xB940_0020, // again: ldr w0, [x1] CS
                0x360F_FFE0, // tbz w0, #1, again
            ])
            .load(1, GICD_ISPENDR3)
            .code(&[0xB940_0022]) // ldr w2, [x1]
    }

    /// Exits by semihosting with the value of register 2.
    pub(crate) fn exit_with_w2(self) -> Self {
        self.load(1, EXIT_BLOCK).load(0, 0x2_0026).code(&[
            0xF900_0020, // str x0, [x1]        ADP_Stopped_ApplicationExit
            0xF900_0422, // str x2, [x1, #8]
            0xD280_0300, // mov x0, #0x18       SYS_EXIT
            0xD45E_0000, // hlt #0xf000
        ])
    }

    /// Exits by semihosting with this status.
    pub(crate) fn exit(self, status: u32) -> Self {
        self.load(2, status).exit_with_w2()
    }

    /// Stays where it is.
    pub(crate) fn for_ever(self) -> Self {
        self.code(&[0x1400_0000]) // b .
    }

    /// The image.
    pub(crate) fn bytes(self) -> Vec<u8> {
        self.words.into_iter().flat_map(u32::to_le_bytes).collect()
    }
}
