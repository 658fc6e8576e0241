// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether options go together, and with what the image and the serial line can do.

use super::{Format, LatencyOptions, Limits, OptionError};

/// The bytes of a line of `-v`: thread, cycle and latency in eight digits each, two colons and the line feed.
const SAMPLE_BYTES: u64 = 27;

/// Refuses what does not go together.
pub(super) fn check<'a>(options: &LatencyOptions, limits: &Limits) -> Result<(), OptionError<'a>> {
    let last_thread = options.threads.saturating_sub(1);
    let further_us = u64::from(options.distance_us).saturating_mul(u64::from(last_thread));
    let interval_us = further_us.saturating_add(u64::from(options.interval_us));
    if interval_us > u64::from(limits.max_interval_us) {
        return Err(OptionError::LastInterval {
            thread: last_thread,
            interval_us,
            max_interval_us: limits.max_interval_us,
        });
    }
    if options.priority_spread && u32::from(options.priority.saturating_sub(limits.min_priority)) < last_thread {
        return Err(OptionError::LastPriority { thread: last_thread, priority: options.priority });
    }
    if options.verbose && options.is_live() {
        check_verbose(options, limits)?;
    }
    if options.format == Format::Xenomai && options.interval_us > 1_000_000 {
        return Err(OptionError::Conflict {
            option: "--format xenomai",
            needs: "a line each second: an interval of at most 1000000 us",
        });
    }
    if options.format == Format::Xenomai && options.threads > 1 {
        return Err(OptionError::Conflict { option: "--format xenomai", needs: "one thread; leave -t and -S out" });
    }
    Ok(())
}

/// A line of 115200 baud carries 11,520 bytes a second, and a thread of 1 kHz makes 27,000.
fn check_verbose<'a>(options: &LatencyOptions, limits: &Limits) -> Result<(), OptionError<'a>> {
    let stages = options.stages;
    if [stages.handler, stages.task, stages.done].iter().filter(|is_wanted| **is_wanted).count() > 1 {
        return Err(OptionError::Conflict { option: "-v", needs: "one stage; give one to --stage" });
    }
    let samples_per_1000_s =
        |thread| 1_000_000_000_u64.checked_div(u64::from(options.interval_us_of(thread))).unwrap_or(u64::MAX);
    let all: u64 = (0..options.threads).map(samples_per_1000_s).sum();
    let bytes_per_1000_s = all.saturating_mul(SAMPLE_BYTES);
    let carried_per_1000_s = u64::from(limits.line_bytes_per_s).saturating_mul(1_000);
    if bytes_per_1000_s.div_ceil(u64::from(options.of.max(1))) > carried_per_1000_s {
        return Err(OptionError::LineTooSlow {
            bytes_per_s: bytes_per_1000_s.div_ceil(u64::from(options.of.max(1))).div_ceil(1_000),
            line_bytes_per_s: limits.line_bytes_per_s,
            of: bytes_per_1000_s.div_ceil(carried_per_1000_s.max(1)),
        });
    }
    Ok(())
}
