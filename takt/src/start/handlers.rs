// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which handler an interrupt has: filled from the table at the start, constant afterwards.

use core::cell::UnsafeCell;

use takt_kernel::table::{Band, Entry};
use takt_rpi4::drivers::gic400::{CoreSet, Distributor, GicError, Intid, Priority};
use takt_rpi4::{devices, interrupts, map};

use crate::console;
use crate::fault;
use crate::table::{Run, Table};

/// A handler and its band.
#[derive(Clone, Copy)]
pub(crate) struct Handler {
    /// What to call.
    pub(crate) run: fn(),
    /// Whether it is a direct one: preempts kernel handlers, may not call the kernel.
    pub(crate) is_direct: bool,
}

/// The priority of direct interrupts in the interrupt controller.
const DIRECT: Priority = Priority::at::<2>();
/// The priority of all kernel interrupts: one, so that they do not nest.
pub(crate) const KERNEL: Priority = Priority::at::<8>();

struct Shared(UnsafeCell<[Option<Handler>; map::INTID_LIMIT as usize]>);

// SAFETY: written at boot, with interrupts masked, and only read afterwards.
unsafe impl Sync for Shared {}

static HANDLERS: Shared = Shared(UnsafeCell::new([None; map::INTID_LIMIT as usize]));

/// The handler of interrupt `intid`.
pub(crate) fn find(intid: u16) -> Option<Handler> {
    // SAFETY: see `Shared`.
    unsafe { &*HANDLERS.0.get() }.get(usize::from(intid)).copied().flatten()
}

/// Installs the table's handlers and the console's, and lets their interrupts through.
pub(crate) fn install(table: &'static Table) {
    set(map::UART0_INTID.number(), Handler { run: console::uart0_handler, is_direct: false });
    for line in table.lines {
        if let (Entry::Interrupt(entry), Run::Handler(handler)) = (line.entry, line.run) {
            set(entry.intid, Handler { run: handler, is_direct: matches!(entry.band, Band::Direct) });
        }
    }
    interrupts::controller_is_configured(); // (d)
}

fn set(intid: u16, handler: Handler) {
    // SAFETY: at boot, with interrupts masked; nobody holds a reference.
    let handlers = unsafe { &mut *HANDLERS.0.get() };
    if let Some(place) = handlers.get_mut(usize::from(intid)) {
        *place = Some(handler);
    }
    let priority = if handler.is_direct { DIRECT } else { KERNEL };
    if let Err(error) = let_through(&devices::distributor(), Intid::new(intid), priority) {
        fault::cannot_start(format_args!("{error}"))
    }
}

/// Gives a line its priority and target and enables it.
pub(crate) fn let_through(distributor: &Distributor<'_>, intid: Intid, priority: Priority) -> Result<(), GicError> {
    distributor.set_priority(intid, priority)?;
    if intid.is_shared() {
        distributor.set_targets(intid, CoreSet::only(0))?;
    }
    distributor.enable(intid)
}
