// SPDX-License-Identifier: MIT OR Apache-2.0
//! What OSADL's published plot script makes of a capture: its rules, not its text.

/// The curves and the maximum it would plot.
pub(crate) struct Plot {
    /// The maximum as it stands in the label of the x axis.
    pub(crate) maximum: String,
    /// One curve per core: latency and count, as text.
    pub(crate) curves: Vec<Vec<(String, String)>>,
}

/// Reads `capture` for `cores` cores.
pub(crate) fn plot(capture: &str, cores: usize) -> Plot {
    // The maximum: all lines with these words, cut at blanks, sorted as numbers, the last one, without leading zeros.
    let words = capture.lines().filter(|line| line.contains("Max Latencies")).flat_map(|line| line.split(' '));
    let largest = words.max_by_key(|word| word.parse::<u64>().unwrap_or(0)).unwrap();
    // The data: every line that is neither empty nor a comment, blanks turned to tabs.
    let data = capture.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let rows: Vec<String> = data.map(|line| line.replace(' ', "\t")).collect();
    let curve = |core: usize| {
        let field = |row: &str, index: usize| row.split('\t').nth(index).unwrap_or_default().to_owned();
        rows.iter().map(|row| (field(row, 0), field(row, core + 1))).collect()
    };
    Plot { maximum: largest.trim_start_matches('0').to_owned(), curves: (0..cores).map(curve).collect() }
}
