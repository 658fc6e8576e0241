// SPDX-License-Identifier: MIT OR Apache-2.0
//! What cyclictest shows while it runs, and what it adds when a run is over.

use super::capture::{Recorded, one_tick_per_us};
use super::{board, column, text};
use takt_kernel::report::{
    Break, Column, Dialect, Reduction, Resolution, Sample, Spike, write_break, write_cursor_up, write_sample,
    write_spikes, write_status, write_verbose_head,
};

fn recorded(half_ticks: &[i64]) -> Recorded {
    let mut histogram = Recorded::new();
    half_ticks.iter().for_each(|&value| histogram.record(value, 0));
    histogram
}

#[test]
fn the_status_block_is_drawn_over_itself() {
    let (first, second) = (recorded(&[2, 34, 4]), recorded(&[2, 42, 6]));
    let columns = [
        Column { id: 412, cycles: 60_000, latest_half_ticks: Some(4), ..column(0, first.view()) },
        Column { id: 413, cycles: 40_000, interval_us: 1_500, latest_half_ticks: Some(6), ..column(1, second.view()) },
    ];
    let (rate, columns) = (one_tick_per_us(), columns.map(|column| column.summary()));
    let printed = text(|out| {
        write_status(out, "fifo", &columns, Resolution::Microseconds, rate)?;
        write_cursor_up(out, columns.len())?;
        write_status(out, "rr", &columns[..1], Resolution::Microseconds, rate)
    });
    let expected = concat!(
        "policy: fifo: loadavg: n/a          \n\n",
        "T: 0 (  412) P:80 I:1000 C:  60000 Min:      1 Act:    2 Avg:    6 Max:      17\n",
        "T: 1 (  413) P:80 I:1500 C:  40000 Min:      1 Act:    3 Avg:    8 Max:      21\n",
        "\x1b[4A",
        "policy: rr: loadavg: n/a          \n\n",
        "T: 0 (  412) P:80 I:1000 C:  60000 Min:      1 Act:    2 Avg:    6 Max:      17\n",
    );
    assert_eq!(printed, expected);
}

#[test]
fn a_verbose_run_prints_every_sample() {
    let sample = |cycle, lateness_half_ticks| Sample { cycle, lateness_half_ticks };
    let rate = one_tick_per_us();
    let printed = text(|out| {
        write_verbose_head(out, Dialect::Dense, 4, [1_000, 1_500].into_iter(), 500)?;
        write_sample(out, 0, sample(0, 6), Resolution::Microseconds, rate)?;
        write_sample(out, 0, sample(1, 4), Resolution::Microseconds, rate)?;
        write_sample(out, 1, sample(0, 8), Resolution::Microseconds, rate)
    });
    let expected = "Max CPUs = 4\nThread 0 Interval: 1500\nThread 1 Interval: 2000\n       0:       0:       3\n       \
                    0:       1:       2\n       1:       0:       4\n";
    assert_eq!(printed, expected);
    let head = text(|out| write_verbose_head(out, Dialect::Sparse, 1, [].into_iter(), 0));
    assert_eq!(head, "Max CPUs = 1\nOnline CPUs = 1\n");
    let early = text(|out| write_sample(out, 1, sample(123_456_789, -3), Resolution::Nanoseconds, board()));
    assert_eq!(early, "       1:123456789:     -28\n");
}

#[test]
fn a_reduction_keeps_the_first_largest_also_where_nothing_is_above_zero() {
    let reduced = |of, values: &[i64]| -> Vec<(u64, i64)> {
        let mut reduction = Reduction::new(of);
        let samples = (0..).zip(values).map(|(cycle, &lateness_half_ticks)| Sample { cycle, lateness_half_ticks });
        samples.filter_map(|sample| reduction.add(sample)).map(|it| (it.cycle, it.lateness_half_ticks)).collect()
    };
    assert_eq!(reduced(3, &[1, 5, 5, 0, 0, 0, -4, -2, -3, 9]), [(1, 5), (3, 0), (7, -2)]);
    assert_eq!(reduced(1, &[3, 0, -1]), [(0, 3), (1, 0), (2, -1)]);
    assert_eq!(reduced(0, &[7]), [(0, 7)]);
}

#[test]
fn spikes_are_listed_and_counted() {
    let spike = |thread, lateness_half_ticks, at_us| Spike { thread, lateness_half_ticks, at_us };
    let spikes = [spike(0, 246, 5_000_123), spike(11, 2_000_000, 123_456_789_012)];
    let printed = text(|out| write_spikes(out, spikes.into_iter(), 7, Resolution::Microseconds, one_tick_per_us()));
    let expected = "\nT: 0 Spike:     123: TS:      5000123\nT:11 Spike: 1000000: TS: 123456789012\nspikes = 7\n\n";
    assert_eq!(printed, expected);
    assert_eq!(text(|out| write_spikes(out, [].into_iter(), 0, Resolution::Microseconds, one_tick_per_us())), "");
}

#[test]
fn the_trailer_tells_who_broke_the_run() {
    let histogram = recorded(&[]);
    let columns = [column(0, histogram.view()), Column { id: 413, ..column(1, histogram.view()) }];
    let trailer = |broke, resolution| text(|out| write_break(out, &columns, broke, resolution, board()));
    let broke = Some(Break { id: 413, lateness_half_ticks: 108 * 51 });
    let expected = "# Thread Ids: 00000 00413\n# Break thread: 413\n# Break value: 51\n";
    assert_eq!(trailer(broke, Resolution::Microseconds), expected);
    assert!(trailer(broke, Resolution::Nanoseconds).ends_with("# Break value: 51000\n"));
    assert_eq!(trailer(None, Resolution::Microseconds), "# Thread Ids: 00000 00413\n");
}
