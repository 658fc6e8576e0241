// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which handler an interrupt has: filled from the table at the start, constant afterwards.

use core::cell::UnsafeCell;

use takt_kernel::table::{Band, Entry, Trigger};
use takt_rpi4::drivers::gic400::{self, CoreSet, Distributor, GicError, Intid, Priority};
use takt_rpi4::{devices, interrupts, map};

use crate::fault::{self, isolated};
use crate::home;
use crate::mailbox;
use crate::remote::inbox;
use crate::serial;
use crate::table::{Run, Table};

/// The priority of direct interrupts in the interrupt controller.
const DIRECT: Priority = Priority::at::<2>();
/// The priority of all kernel interrupts: one, so that they do not nest.
pub(crate) const KERNEL: Priority = Priority::at::<8>();

/// What an INTID has: one handler at the most.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    /// The direct handler: it preempts kernel handlers and may not call the kernel.
    pub(crate) direct: Option<fn()>,
    /// The kernel handler.
    pub(crate) kernel: Option<fn()>,
}

impl Place {
    const EMPTY: Self = Self { direct: None, kernel: None };
}

/// The places, by INTID.
struct Handlers(UnsafeCell<[Place; map::INTID_LIMIT as usize]>);

// SAFETY: written at boot, with interrupts masked, and only read afterwards.
unsafe impl Sync for Handlers {}

static HANDLERS: Handlers = Handlers(UnsafeCell::new([Place::EMPTY; map::INTID_LIMIT as usize]));

/// The handler of interrupt `intid`.
#[inline(always)]
pub(crate) fn of(intid: Intid) -> Place {
    // SAFETY: see above.
    unsafe { &*HANDLERS.0.get() }.get(usize::from(intid.number())).copied().unwrap_or(Place::EMPTY)
}

/// Installs the table's handlers and those of the serial interfaces and the mailboxes, and lets their interrupts through.
pub(crate) fn install(table: &'static Table) {
    set(map::UART0_INTID, Band::Kernel, serial::uart_handler, 0);
    set(map::AUX_INTID, Band::Kernel, serial::aux_handler, 0);
    set(map::MAILBOX_INTID, Band::Kernel, mailbox::handler, 0);
    if home::others_run() {
        set(map::INBOX_INTID, Band::Kernel, inbox::handler, 0);
        set(map::HALT_INTID, Band::Direct, isolated::halt, 0);
    }
    for line in table.lines {
        if let (Entry::Interrupt(entry), Run::Handler(handler)) = (line.entry, line.run) {
            let intid = Intid::new(entry.intid);
            if entry.trigger == Trigger::Edge
                && let Err(error) = devices::distributor().set_trigger(intid, gic400::Trigger::Edge)
            {
                fault::cannot_start(format_args!("{error}"))
            }
            set(intid, entry.band, handler, entry.core);
        }
    }
    interrupts::controller_is_configured(); // (d)
}

/// Lets through, on a core other than 0, what each core has of its own.
pub(super) fn let_own_through() {
    for (intid, priority) in [(map::MAILBOX_INTID, KERNEL), (map::INBOX_INTID, KERNEL), (map::HALT_INTID, DIRECT)] {
        if let Err(error) = let_through(&devices::distributor(), intid, priority, 0) {
            fault::cannot_start(format_args!("{error}"))
        }
    }
    interrupts::controller_is_configured(); // (d)
}

fn set(intid: Intid, band: Band, handler: fn(), core: u8) {
    let (installed, priority) = match band {
        Band::Direct => (Place { direct: Some(handler), kernel: None }, DIRECT),
        Band::Kernel => (Place { direct: None, kernel: Some(handler) }, KERNEL),
    };
    // SAFETY: at boot, with interrupts masked; nobody holds a reference.
    let places = unsafe { &mut *HANDLERS.0.get() };
    if let Some(place) = places.get_mut(usize::from(intid.number())) {
        *place = installed;
    }
    if let Err(error) = let_through(&devices::distributor(), intid, priority, core) {
        fault::cannot_start(format_args!("{error}"))
    }
}

/// Gives a line its priority and the core that takes it, and enables it. A core's own lines are those of the caller.
pub(crate) fn let_through(
    distributor: &Distributor<'_>,
    intid: Intid,
    priority: Priority,
    core: u8,
) -> Result<(), GicError> {
    distributor.set_priority(intid, priority)?;
    if intid.is_shared() {
        distributor.set_targets(intid, CoreSet::only(core))?;
    }
    distributor.enable(intid)
}
