// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which handler an interrupt has: filled from the table at the start, constant afterwards.

use core::cell::UnsafeCell;

use takt_kernel::table::{Band, Entry};
use takt_rpi4::drivers::gic400::{CoreSet, Distributor, GicError, Intid, Priority};
use takt_rpi4::{devices, interrupts, map};

use crate::fault;
use crate::serial;
use crate::table::{Run, Table};

/// The priority of direct interrupts in the interrupt controller.
const DIRECT: Priority = Priority::at::<2>();
/// The priority of all kernel interrupts: one, so that they do not nest.
pub(crate) const KERNEL: Priority = Priority::at::<8>();

/// What may stand in an INTID's place.
type Place = Option<fn()>;

/// The handlers of one band, by INTID.
struct Handlers(UnsafeCell<[Place; map::INTID_LIMIT as usize]>);

// SAFETY: written at boot, with interrupts masked, and only read afterwards.
unsafe impl Sync for Handlers {}

static DIRECT_HANDLERS: Handlers = Handlers(UnsafeCell::new([None; map::INTID_LIMIT as usize]));
static KERNEL_HANDLERS: Handlers = Handlers(UnsafeCell::new([None; map::INTID_LIMIT as usize]));

impl Handlers {
    #[inline(always)]
    fn find(&self, intid: Intid) -> Option<fn()> {
        // SAFETY: see above.
        unsafe { &*self.0.get() }.get(usize::from(intid.number())).copied().flatten()
    }
}

/// The direct handler of interrupt `intid`: it preempts kernel handlers and may not call the kernel.
#[inline(always)]
pub(crate) fn direct(intid: Intid) -> Option<fn()> {
    DIRECT_HANDLERS.find(intid)
}

/// The kernel handler of interrupt `intid`.
#[inline(always)]
pub(crate) fn kernel(intid: Intid) -> Option<fn()> {
    KERNEL_HANDLERS.find(intid)
}

/// Installs the table's handlers and those of the serial interfaces, and lets their interrupts through.
pub(crate) fn install(table: &'static Table) {
    set(map::UART0_INTID, Band::Kernel, serial::uart_handler);
    set(map::AUX_INTID, Band::Kernel, serial::aux_handler);
    for line in table.lines {
        if let (Entry::Interrupt(entry), Run::Handler(handler)) = (line.entry, line.run) {
            set(Intid::new(entry.intid), entry.band, handler);
        }
    }
    interrupts::controller_is_configured(); // (d)
}

fn set(intid: Intid, band: Band, handler: fn()) {
    let (handlers, priority) = match band {
        Band::Direct => (&DIRECT_HANDLERS, DIRECT),
        Band::Kernel => (&KERNEL_HANDLERS, KERNEL),
    };
    // SAFETY: at boot, with interrupts masked; nobody holds a reference.
    let places = unsafe { &mut *handlers.0.get() };
    if let Some(place) = places.get_mut(usize::from(intid.number())) {
        *place = Some(handler);
    }
    if let Err(error) = let_through(&devices::distributor(), intid, priority) {
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
