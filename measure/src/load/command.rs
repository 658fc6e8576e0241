// SPDX-License-Identifier: MIT OR Apache-2.0
//! The `load` command.

use core::fmt::Write;
use core::sync::atomic::Ordering;

use takt::clock;

use super::devices;
use super::order::Order;
use super::station::{HELL, STATIONS, note_change, write_list, write_running};
use super::{CORES, KINDS, Kind};
use crate::commands::{Entry, Session};
use crate::refusal::Refusal;

pub(crate) static COMMAND: Entry = Entry {
    name: "load",
    usage: "[KIND,... [LEVEL]]",
    summary: "disturb measurements on purpose; list or stop that",
    help: "KIND[,KIND]... [LEVEL] [-c CORE[,CORE]|all] runs these in the background, on core 0 unless told: each for the first LEVEL\n\
           per cent of every 10 ms, 100 without, 0 to stop it. Without words: what runs, and its rounds since it was asked for.\n\
           cpu         integers, out of registers\n\
           memory      a stream through 2 MiB, twice the level-2 cache\n\
           cache       drives the lines of vectors and interrupt path out of the caches\n\
           tlb         drops the translations, touches pages\n\
           interrupts  software interrupts of the same core\n\
           messages    a semaphore and a message between two tasks, there and back\n\
           uart        lines on this line, as many as 115200 baud carry; they wait while a prompt stands. Core 0, as the next two\n\
           dma         copies by a DMA channel\n\
           mailbox     calls of the firmware\n\
           hell [-s SEED] runs random bursts of all, 15 to 25 s, with pauses of up to 30 s, on each core; the seed is printed.\n\
           stop ends all. Reports name what runs.\n\
           load memory,cache 50; latency -l 10000; load stop\n\
           load hell -s 1; latency -D 10m -q; load stop",
    words: &[
        "cpu",
        "memory",
        "cache",
        "tlb",
        "interrupts",
        "messages",
        "uart",
        "dma",
        "mailbox",
        "hell",
        "stop",
        "all",
        "-c",
        "-s",
    ],
    run,
};

/// How long the load tasks, which are the least urgent, may take to their first statement.
const PATIENCE_MS: u64 = 20;

fn run<'a>(session: &mut Session, arguments: &'a str) -> Result<(), Refusal<'a>> {
    let order = Order::parse(arguments)?;
    match order {
        Order::List => drop(write_list(&mut session.console)),
        Order::Stop => {
            let _ = write_list(&mut session.console);
            stop();
            let_take_notice(session);
            let _ = session.console.write_str("# Load: all stopped\n");
        }
        Order::Hell { seed } => {
            await_task(session, 0)?;
            // In bursts all kinds come. Where the channel is somebody else's, its rounds stay 0.
            let dma = devices::take_dma();
            begin_hell(seed.unwrap_or_else(|| clock::now().half_ticks()));
            let_take_notice(session);
            let _ = write_running(&mut session.console);
            if let Err(refusal) = dma {
                let _ = writeln!(session.console, "# Note: {refusal}");
            }
        }
        Order::Set { kinds, level, cores } => {
            set(session, kinds, level, cores)?;
            let_take_notice(session);
            let _ = write_running(&mut session.console);
        }
    }
    Ok(())
}

/// Has these kinds run on core 0 all the time.
pub(crate) fn start(session: &mut Session, kinds: [bool; KINDS]) -> Result<(), Refusal<'static>> {
    set(session, kinds, 100, Some([true, false, false, false]))?;
    let_take_notice(session);
    Ok(())
}

/// Ends all loads, whoever wanted them.
pub(crate) fn stop_all(session: &mut Session) {
    stop();
    let_take_notice(session);
}

/// Waits until core `core` can be loaded, where its tasks have not run yet.
fn await_task(session: &mut Session, core: usize) -> Result<(), Refusal<'static>> {
    let is_present = || STATIONS.get(core).is_some_and(super::station::Station::is_present);
    let deadline = clock::from_now(clock::millis(PATIENCE_MS));
    match session.wait_until(deadline, is_present) {
        None => Err(Refusal::NoLoadTask { core }),
        Some(_) => Ok(()),
    }
}

/// Lets the load tasks, which are the least urgent, end the round that they are in: what is printed then is so.
fn let_take_notice(session: &mut Session) {
    let _ = session.wait_until(clock::from_now(clock::millis(1)), || false);
}

fn set(
    session: &mut Session,
    kinds: [bool; KINDS],
    level: u8,
    cores: Option<[bool; CORES]>,
) -> Result<(), Refusal<'static>> {
    for core in meant(cores.unwrap_or([true, false, false, false])) {
        await_task(session, core)?;
    }
    let meant_kinds = || Kind::ALL.into_iter().zip(kinds).filter(|(_, is_meant)| *is_meant).map(|(kind, _)| kind);
    if level > 0 && meant_kinds().any(|kind| kind == Kind::Dma) {
        devices::take_dma()?;
    }
    let cores = cores.unwrap_or_else(|| STATIONS.each_ref().map(super::station::Station::is_present));
    for station in meant(cores).filter_map(|core| STATIONS.get(core)) {
        meant_kinds().for_each(|kind| station.ask(kind, level));
        note_change();
        station.wake_by_console();
    }
    Ok(())
}

fn meant(cores: [bool; CORES]) -> impl Iterator<Item = usize> {
    cores.into_iter().enumerate().filter(|(_, is_meant)| *is_meant).map(|(core, _)| core)
}

fn begin_hell(seed: u64) {
    HELL.seed.store(seed, Ordering::Relaxed);
    HELL.bursts.store(0, Ordering::Relaxed);
    HELL.generation.fetch_add(1, Ordering::Relaxed);
    HELL.is_on.store(true, Ordering::Relaxed);
    for station in &STATIONS {
        for kind in Kind::ALL {
            // The rounds are counted from here on.
            station.ask(kind, station.asked_level(kind));
        }
    }
    note_change();
    if let Some(station) = STATIONS.first() {
        station.wake_by_console();
    }
}

fn stop() {
    HELL.is_on.store(false, Ordering::Relaxed);
    for station in STATIONS.iter().filter(|station| station.is_present()) {
        Kind::ALL.into_iter().for_each(|kind| station.ask(kind, 0));
        note_change();
        station.wake_by_console();
    }
}
