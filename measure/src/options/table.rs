// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which options there are and what they are called.

/// What an option is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    Interval,
    Distance,
    Loops,
    Duration,
    Priority,
    Histogram,
    HistogramOfAll,
    Quiet,
    Nanoseconds,
    Threads,
    Smp,
    Affinity,
    Aligned,
    PrioritySpread,
    Verbose,
    Of,
    Break,
    Spike,
    SpikeNodes,
    RefreshOnMaximum,
    Resolution,
    Source,
    Stage,
    Format,
    MaximumUs,
    Percentiles,
    Explain,
    FreezeOnMaximum,
    LockMemory,
    Nanosleep,
}

/// Whether an option takes a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Argument {
    None,
    Optional,
    Required,
}

/// One option with its names, dashes included.
pub(super) struct Spec {
    pub(super) key: Key,
    pub(super) argument: Argument,
    names: &'static [&'static str],
}

const fn option(key: Key, argument: Argument, names: &'static [&'static str]) -> Spec {
    Spec { key, argument, names }
}

static OPTIONS: [Spec; 30] = [
    option(Key::Interval, Argument::Required, &["-i", "--interval"]),
    option(Key::Distance, Argument::Required, &["-d", "--distance"]),
    option(Key::Loops, Argument::Required, &["-l", "--loops"]),
    option(Key::Duration, Argument::Required, &["-D", "--duration"]),
    option(Key::Priority, Argument::Required, &["-p", "--priority", "--prio"]),
    option(Key::Histogram, Argument::Required, &["-h", "--histogram"]),
    option(Key::HistogramOfAll, Argument::Required, &["-H", "--histofall"]),
    option(Key::Quiet, Argument::None, &["-q", "--quiet"]),
    option(Key::Nanoseconds, Argument::None, &["-N", "--nsecs"]),
    option(Key::Threads, Argument::Optional, &["-t", "--threads"]),
    option(Key::Smp, Argument::None, &["-S", "--smp"]),
    option(Key::Affinity, Argument::Optional, &["-a", "--affinity"]),
    option(Key::Aligned, Argument::Optional, &["-A", "--aligned"]),
    option(Key::PrioritySpread, Argument::None, &["--priospread"]),
    option(Key::Verbose, Argument::None, &["-v", "--verbose"]),
    option(Key::Of, Argument::Required, &["-o", "--oscope"]),
    option(Key::Break, Argument::Required, &["-b", "--breaktrace"]),
    option(Key::Spike, Argument::Required, &["--spike"]),
    option(Key::SpikeNodes, Argument::Required, &["--spike-nodes"]),
    option(Key::RefreshOnMaximum, Argument::None, &["-M", "--refresh_on_max"]),
    option(Key::Resolution, Argument::None, &["-R", "--resolution"]),
    option(Key::Source, Argument::Required, &["-s", "--source"]),
    option(Key::Stage, Argument::Required, &["--stage"]),
    option(Key::Format, Argument::Required, &["--format"]),
    option(Key::MaximumUs, Argument::Required, &["--max-us"]),
    option(Key::Percentiles, Argument::None, &["-P", "--percentiles"]),
    option(Key::Explain, Argument::None, &["--explain"]),
    option(Key::FreezeOnMaximum, Argument::None, &["--freeze-on-max"]),
    option(Key::LockMemory, Argument::None, &["-m", "--mlockall"]),
    option(Key::Nanosleep, Argument::None, &["-n", "--nanosleep"]),
];

/// The option with this letter, and the name it was found by.
pub(super) fn find_short(letter: char) -> Option<(&'static Spec, &'static str)> {
    let letter = u8::try_from(letter).ok()?;
    find(|name| name.as_bytes() == [b'-', letter])
}

/// The option with this long name (given without its dashes), and the name it was found by.
pub(super) fn find_long(long: &str) -> Option<(&'static Spec, &'static str)> {
    find(|name| name.as_bytes().strip_prefix(b"--") == Some(long.as_bytes()))
}

/// The first name of every option.
#[expect(clippy::indexing_slicing, reason = "in a constant: what is out of bounds is refused by the compiler")]
pub static NAMES: [&str; OPTIONS.len()] = {
    let mut names = [""; OPTIONS.len()];
    let mut index = 0;
    while index < OPTIONS.len() {
        names[index] = OPTIONS[index].names[0];
        index += 1;
    }
    names
};

fn find(is_meant: impl Fn(&str) -> bool) -> Option<(&'static Spec, &'static str)> {
    OPTIONS.iter().find_map(|spec| {
        let name = spec.names.iter().find(|name| is_meant(name))?;
        Some((spec, *name))
    })
}
