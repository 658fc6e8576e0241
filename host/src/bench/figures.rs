// SPDX-License-Identifier: MIT OR Apache-2.0
//! All numbers in one form: a name, the least and the most.
//!
//! Names end in `-idle` and `-busy` where the idle task and where a task was interrupted. A budget is for both.

use super::Measured;
use super::release::{Counts, Interrupted, Release};
use super::trace::Device;

/// One measured number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figure {
    /// Its name.
    pub name: String,
    /// The least.
    pub min: i64,
    /// The most.
    pub max: i64,
    /// What is counted: `ticks` (one instruction each), `instructions`, `accesses`, `barriers` or `bytes`.
    pub unit: &'static str,
}

impl Figure {
    /// How far the least and the most are apart.
    #[must_use]
    pub fn spread(&self) -> i64 {
        self.max.saturating_sub(self.min)
    }

    /// The name without what says who was interrupted.
    #[must_use]
    pub fn path(&self) -> &str {
        let name = self.name.as_str();
        name.strip_suffix("-idle").or_else(|| name.strip_suffix("-busy")).unwrap_or(name)
    }
}

/// All figures: the image's own, the traced releases, the size.
#[must_use]
pub fn figures(measured: &Measured) -> Vec<Figure> {
    let timings = measured.timings.iter();
    let mut all: Vec<Figure> =
        timings.map(|one| Figure { name: one.name.clone(), min: one.min, max: one.max, unit: "ticks" }).collect();
    insert_acknowledged(&mut all, measured);
    let traced = |interrupted, suffix| {
        let alike = measured.releases.iter().filter(|release| release.interrupted == interrupted);
        of_counts(&alike.map(|release| release.counts(&measured.program)).collect::<Vec<_>>(), suffix)
    };
    // Stable: what is counted stays in order, idle before busy.
    let mut counts = [traced(Interrupted::Idle, "idle"), traced(Interrupted::Task, "busy")].concat();
    let order: Vec<String> = counts.iter().map(|figure| figure.path().to_owned()).collect();
    counts.sort_by_key(|figure| order.iter().position(|path| path == figure.path()));
    all.extend(counts);
    let program = &measured.program;
    let sizes = [
        ("image-text", program.text_bytes),
        ("image-rodata", program.rodata_bytes),
        ("image-text-and-rodata", program.text_bytes + program.rodata_bytes),
    ];
    all.extend(sizes.map(|(name, bytes)| Figure {
        name: name.into(),
        min: signed(bytes),
        max: signed(bytes),
        unit: "bytes",
    }));
    all
}

/// What of a release is counted, by name and unit.
fn parts(counts: &Counts) -> Vec<(String, u64, &'static str)> {
    let mut parts = vec![("instructions".to_owned(), counts.instructions, "instructions")];
    for (what, by_device) in [("reads", counts.reads), ("writes", counts.writes)] {
        parts.push((format!("device-{what}"), by_device.iter().sum(), "accesses"));
        let named = Device::ALL.into_iter().zip(by_device);
        parts.extend(named.map(|(device, count)| (format!("{}-{what}", device.name()), count, "accesses")));
    }
    let barriers = [("dsb", counts.dsb), ("dmb", counts.dmb), ("isb", counts.isb)];
    parts.extend(barriers.map(|(name, count)| (name.to_owned(), count, "barriers")));
    parts
}

/// The least and the most of each part over releases that are alike; nothing for no release.
fn of_counts(counts: &[Counts], suffix: &str) -> Vec<Figure> {
    let mut all: Vec<Figure> = Vec::new();
    for one in counts {
        for (index, (part, count, unit)) in parts(one).into_iter().enumerate() {
            let count = signed(count);
            match all.get_mut(index) {
                Some(figure) => (figure.min, figure.max) = (figure.min.min(count), figure.max.max(count)),
                None => all.push(Figure { name: format!("release-{part}-{suffix}"), min: count, max: count, unit }),
            }
        }
    }
    all
}

/// For each path with `-idle` and `-busy`, a figure over both.
#[must_use]
pub fn together(figures: &[Figure]) -> Vec<Figure> {
    let mut all: Vec<Figure> = Vec::new();
    for figure in figures.iter().filter(|figure| figure.path() != figure.name) {
        match all.iter_mut().find(|one| one.name == figure.path()) {
            Some(one) => (one.min, one.max) = (one.min.min(figure.min), one.max.max(figure.max)),
            None => all.push(Figure { name: figure.path().to_owned(), ..figure.clone() }),
        }
    }
    all
}

/// The path from the due instant to the statement behind the acknowledging read: the handler's stamp, and from there on
/// what is traced. Stands behind the stamps it is made from.
fn insert_acknowledged(all: &mut Vec<Figure>, measured: &Measured) {
    let ends = [(Interrupted::Idle, "idle"), (Interrupted::Task, "busy")];
    let rows: Vec<Figure> = ends
        .into_iter()
        .filter_map(|(interrupted, suffix)| {
            let stamp = all.iter().find(|figure| figure.name == format!("timer-handler-{suffix}"))?;
            let alike = measured.releases.iter().filter(|release| release.interrupted == interrupted);
            let later = alike.filter_map(|release| release.from_stamp_to_acknowledged(&measured.program));
            let (least, most) = later.map(signed).fold(None, |range: Option<(i64, i64)>, one| {
                Some(range.map_or((one, one), |(least, most)| (least.min(one), most.max(one))))
            })?;
            let name = format!("timer-handler-acknowledged-{suffix}");
            Some(Figure { name, min: stamp.min + least, max: stamp.max + most, unit: stamp.unit })
        })
        .collect();
    let behind = all.iter().rposition(|figure| figure.path() == "timer-handler").map_or(all.len(), |last| last + 1);
    all.splice(behind..behind, rows);
}

fn signed(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// The release with the most instructions among those that interrupted this.
#[must_use]
pub fn longest(releases: &[Release], interrupted: Interrupted) -> Option<&Release> {
    releases.iter().filter(|release| release.interrupted == interrupted).max_by_key(|release| release.steps.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_the_name_without_who_was_interrupted() {
        let figure = |name: &str| Figure { name: name.into(), min: 2, max: 7, unit: "ticks" };
        assert_eq!(figure("timer-task-busy").path(), "timer-task");
        assert_eq!(figure("timer-task-idle").path(), "timer-task");
        assert_eq!(figure("yield").path(), "yield");
        assert_eq!(figure("yield").spread(), 5);
    }

    #[test]
    fn counts_of_several_releases_become_the_least_and_the_most() {
        let one = Counts { instructions: 133, reads: [1, 0, 0], writes: [1, 2, 0], dsb: 1, ..Counts::default() };
        let other = Counts { instructions: 140, reads: [1, 1, 0], dmb: 2, ..one };
        let all = of_counts(&[one, other], "busy");
        let find = |name: &str| all.iter().find(|figure| figure.name == name).map(|figure| (figure.min, figure.max));
        assert_eq!(find("release-instructions-busy"), Some((133, 140)));
        assert_eq!(find("release-device-reads-busy"), Some((1, 2)));
        assert_eq!(find("release-system-timer-reads-busy"), Some((0, 1)));
        assert_eq!(find("release-device-writes-busy"), Some((3, 3)));
        assert_eq!(find("release-gic-writes-busy"), Some((1, 1)));
        assert_eq!(find("release-dmb-busy"), Some((0, 2)));
        assert_eq!(find("release-isb-busy"), Some((0, 0)));
        assert!(of_counts(&[], "busy").is_empty());
    }
}
