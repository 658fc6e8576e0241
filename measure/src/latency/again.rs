// SPDX-License-Identifier: MIT OR Apache-2.0
//! The commands `hist` and `spikes`: the last run's results, from the records that the slots still have.

use core::fmt::Write;

use heapless::Vec;
use takt::clock;
use takt::handover::Taken;

use super::block;
use super::report::Report;
use crate::boot_line::{ArgumentError, no_arguments};
use crate::commands::{Entry, Session};
use crate::options::{Format, LatencyOptions};
use crate::refusal::Refusal;
use crate::slots::{self, N_SLOTS, Record};
use crate::words::next_word;

pub(crate) static HIST: Entry = Entry {
    name: "hist",
    usage: "[OPTION]...",
    summary: "print the last latency run again, with its histogram",
    help: "As the run printed it, or as --format says: cyclictest, cyclictest-2.7 or json. A run without -h has the rows that hold\n\
           samples. -P, --explain: percentiles; the result in words. bench, xlatency and sweep take its place.\n\
           hist --format cyclictest-2.7 -P",
    words: &["--format", "-P", "--explain"],
    run: hist,
};

pub(crate) static SPIKES: Entry = Entry {
    name: "spikes",
    usage: "",
    summary: "print the spikes of the last latency run again",
    help: "Those of a run with --spike US.\n\
           spikes",
    words: &[],
    run: spikes,
};

fn hist<'a>(session: &mut Session, arguments: &'a str) -> Result<(), Refusal<'a>> {
    let mut options = session.last_run.ok_or(Refusal::NoRun { command: "hist" })?;
    if options.histogram_rows.is_none() {
        options.format = Format::Cyclictest27;
    }
    options.quiet = true;
    read(&mut options, arguments)?;
    let rate = clock::rate();
    let block = block(rate, &options);
    options.histogram_rows = Some(block.rows);
    let report = Report { options: &options, block, rate, facts: session.provenance.facts };
    let _ = report.write(&mut session.console, &records(&report), false);
    Ok(())
}

fn read<'a>(options: &mut LatencyOptions, arguments: &'a str) -> Result<(), ArgumentError<'a>> {
    let mut words = arguments.split_ascii_whitespace();
    while let Some(word) = next_word(&mut words) {
        match word {
            "-P" => options.percentiles = true,
            "--explain" => options.explain = true,
            "--format" => options.format = format(next_word(&mut words).unwrap_or(""))?,
            _ => return Err(ArgumentError::UnknownWord { command: "hist", word, valid: "--format, -P, --explain" }),
        }
    }
    Ok(())
}

fn format(value: &str) -> Result<Format, ArgumentError<'_>> {
    const VALID: &str = "cyclictest, cyclictest-2.7 or json";
    match value {
        "cyclictest" => Ok(Format::Cyclictest),
        "cyclictest-2.7" => Ok(Format::Cyclictest27),
        "json" => Ok(Format::Json),
        _ => Err(ArgumentError::BadValue { command: "hist", option: "--format", valid: VALID, value }),
    }
}

fn spikes<'a>(session: &mut Session, arguments: &'a str) -> Result<(), Refusal<'a>> {
    no_arguments("spikes", arguments)?;
    let options = session.last_run.ok_or(Refusal::NoRun { command: "spikes" })?;
    let above_us = options.spike_us.ok_or(Refusal::NoSpikes)?;
    let rate = clock::rate();
    let report = Report { options: &options, block: block(rate, &options), rate, facts: session.provenance.facts };
    let _ = writeln!(session.console, "# Spikes: above {above_us} us");
    let _ = report.write_spikes(&mut session.console, &records(&report));
    Ok(())
}

fn records(report: &Report<'_>) -> Vec<Taken<'static, Record>, N_SLOTS> {
    (0..report.threads()).filter_map(slots::record).collect()
}
