// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is printed of a run when it is over.

use core::fmt::{self, Write};

use heapless::Vec;
use takt::board::{Facts, TimeBase};
use takt::handover::Taken;
use takt::kernel::report::{
    Block, Break, Column, Resolution, Stage, Summary, write_break, write_cursor_up, write_explanation, write_histogram,
    write_json, write_json_line, write_notes, write_percentiles, write_status, write_summary_line,
};
use takt::kernel::time::Rate;
use takt::rpi4::map;

use crate::options::{Format, LatencyOptions};
use crate::slots::{self, N_SLOTS, Record};
use crate::watch::STAGES;

/// Each slot at each stage.
pub(super) const MAX_COLUMNS: usize = 12;
const _: () = assert!(MAX_COLUMNS == STAGES.len() * N_SLOTS, "a column for each slot at each stage");

/// What a report is made of besides the records.
pub(super) struct Report<'a> {
    pub(super) options: &'a LatencyOptions,
    pub(super) block: Block,
    pub(super) rate: Rate,
    pub(super) facts: &'a Facts,
}

impl Report<'_> {
    /// How many slots measure.
    pub(super) fn threads(&self) -> usize {
        usize::try_from(self.options.threads).unwrap_or(N_SLOTS)
    }

    pub(super) fn resolution(&self) -> Resolution {
        if self.options.nanoseconds { Resolution::Nanoseconds } else { Resolution::Microseconds }
    }

    /// Whether this stage was asked for.
    pub(super) fn has(&self, stage: Stage) -> bool {
        match stage {
            Stage::Handler => self.options.stages.handler,
            Stage::Task => self.options.stages.task,
            Stage::Done => self.options.stages.done,
        }
    }

    /// What stands in parentheses.
    pub(super) fn id(&self, stage: Stage, core: u8, rank: u32) -> u32 {
        // The other cores have their generic timer.
        let intid = match self.facts.time_base {
            TimeBase::SystemTimer if core == 0 => map::SYSTEM_TIMER_1_INTID,
            _ => map::GENERIC_TIMER_INTID,
        };
        if stage == Stage::Handler { u32::from(intid.number()) } else { rank }
    }

    /// Writes what was measured; `was_drawn` says that the status was drawn, and is to be drawn over.
    pub(super) fn write(&self, out: &mut dyn Write, records: &[Taken<'_, Record>], was_drawn: bool) -> fmt::Result {
        let columns = self.columns(records);
        let (options, rate) = (self.options, self.rate);
        if options.format == Format::Json {
            return columns.iter().try_for_each(|column| {
                write_json(out, column, rate)?;
                out.write_str("\n")
            });
        }
        self.write_summary(out, &columns, was_drawn)?;
        if options.histogram_rows.is_some() {
            write_histogram(out, &self.block, &columns)?;
        }
        if options.spike_us.is_some() {
            self.write_spikes(out, records)?;
        }
        if options.break_us.is_some() {
            self.write_break(out, records, &columns)?;
        }
        write_notes(out, &self.block, &columns)?;
        if options.percentiles {
            columns.iter().try_for_each(|column| write_percentiles(out, column, rate))?;
        }
        if options.explain {
            columns.iter().try_for_each(|column| write_explanation(out, column, rate))?;
        }
        columns.iter().try_for_each(|column| write_json_line(out, column, rate))
    }

    /// The summary lines: with the status around them where it was shown, and with `-q` only where there is no histogram.
    fn write_summary(&self, out: &mut dyn Write, columns: &[Column<'_>], was_drawn: bool) -> fmt::Result {
        let summaries: Vec<Summary, MAX_COLUMNS> = columns.iter().map(Column::summary).collect();
        let options = self.options;
        if options.is_live() && !options.verbose {
            if was_drawn {
                write_cursor_up(out, summaries.len())?;
            }
            return write_status(out, POLICY, &summaries, self.resolution(), self.rate);
        }
        if options.histogram_rows.is_some() || options.is_live() {
            return Ok(());
        }
        summaries.iter().try_for_each(|summary| write_summary_line(out, summary, self.resolution(), self.rate))
    }

    fn write_break(&self, out: &mut dyn Write, records: &[Taken<'_, Record>], columns: &[Column<'_>]) -> fmt::Result {
        let broke = records.iter().find_map(|record| {
            let lateness_half_ticks = record.found.broke_half_ticks?;
            let stage = if self.options.stages.task { Stage::Task } else { Stage::Handler };
            Some(Break { id: self.id(stage, record.core, record.rank), lateness_half_ticks })
        });
        write_break(out, columns, broke, self.resolution(), self.rate)
    }

    /// A column for each thread at each stage that was asked for, thread by thread.
    pub(super) fn columns<'r>(&self, records: &'r [Taken<'_, Record>]) -> Vec<Column<'r>, MAX_COLUMNS> {
        let each = records.iter().zip(0_u32..).flat_map(|(record, thread)| {
            STAGES.map(|stage| {
                let lateness = record.at(stage);
                Column {
                    thread,
                    core: record.core,
                    id: self.id(stage, record.core, record.rank),
                    priority: self.options.priority_of(thread),
                    interval_us: self.options.interval_us_of(thread),
                    cycles: record.cycles,
                    latest_half_ticks: lateness.latest_half_ticks,
                    histogram: lateness.histogram.view(),
                    overruns: record.overruns,
                    task: record.name.unwrap_or("unnamed"),
                    stage,
                }
            })
        });
        each.filter(|column| self.has(column.stage)).collect()
    }
}

/// All slots are scheduled by fixed priority, first come first served among equals.
pub(super) const POLICY: &str = "fifo";

/// The rank of a thread's task, for lines that are written while it runs.
pub(super) fn rank_of(thread: u32) -> u32 {
    usize::try_from(thread).map_or(0, slots::rank)
}
