// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which crate may depend on which. A crate is named by its directory.

use std::fmt;

use anyhow::{Context as _, Result};
use serde_json::Value;

/// All arrows there are, from a room to the rooms it may depend on. A directory below `examples` or `tests` is like these.
const ARROWS: &[(&str, &[&str])] = &[
    ("app", &["measure", "log", "takt"]),
    ("examples", &["measure", "log", "takt"]),
    ("tests/event-ring", &["tests", "measure", "takt"]),
    ("tests/execution-time", &["tests", "measure", "takt"]),
    ("tests", &["measure", "log", "takt"]),
    ("tests/config-fail", &["takt"]),
    ("measure", &["takt"]),
    ("log", &["takt"]),
    ("takt", &["kernel", "bsp/rpi4"]),
    ("bsp/rpi4", &["bsp/drivers"]),
    ("bsp/drivers", &[]),
    ("kernel", &[]),
    ("host", &["kernel"]),
];

/// A dependency that no arrow allows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge {
    /// The manifest that asks for it, from the root of the workspace.
    pub manifest: String,
    /// The name of the crate that is depended on.
    pub dependency: String,
    from: String,
    to: String,
    for_tests: bool,
}

impl fmt::Display for Edge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { from, to, .. } = self;
        let Some(allowed) = arrows_from(from) else {
            return write!(
                f,
                "the crate in {from} has no place among the arrows of the workspace; give it one in \
                 host/src/house/arrows.rs"
            );
        };
        let what = if self.for_tests { "may not, even for its tests, depend on" } else { "may not depend on" };
        match allowed {
            [] => write!(f, "{from} {what} {to}: it depends on no crate of ours; remove the dependency"),
            _ => write!(f, "{from} {what} {to}, only on {}; go through these or move the code", allowed.join(" and ")),
        }
    }
}

/// The dependencies within the workspace that no arrow allows, from what `cargo metadata` printed.
///
/// Tests of a crate may use whatever is below it; everything else, build scripts included, follows the arrows.
///
/// # Errors
/// When the metadata are not as cargo documents them.
pub fn backward(metadata: &Value) -> Result<Vec<Edge>> {
    let root = text(metadata, "workspace_root")?;
    let mut found = Vec::new();
    for package in list(metadata, "packages")? {
        let manifest = below(root, text(package, "manifest_path")?).context("a manifest lies outside the workspace")?;
        let from = room(manifest.strip_suffix("/Cargo.toml").unwrap_or_default());
        for dependency in list(package, "dependencies")? {
            let path = dependency.get("path").and_then(Value::as_str);
            let Some(to) = path.and_then(|path| below(root, path)).map(room) else { continue };
            let for_tests = dependency.get("kind").and_then(Value::as_str) == Some("dev");
            let is_allowed = if for_tests { reaches(from, to) } else { points(from, to) };
            if !is_allowed {
                let (manifest, dependency) = (manifest.to_owned(), text(dependency, "name")?.to_owned());
                found.push(Edge { manifest, dependency, from: from.into(), to: to.into(), for_tests });
            }
        }
        if arrows_from(from).is_none() && !found.iter().any(|edge| edge.from == from) {
            let (manifest, dependency) = (manifest.to_owned(), text(package, "name")?.to_owned());
            found.push(Edge { manifest, dependency, from: from.into(), to: String::new(), for_tests: false });
        }
    }
    Ok(found)
}

/// The line of a manifest that names the crate first, or the first line.
#[must_use]
pub fn line_of(manifest: &str, name: &str) -> usize {
    let names = |line: &str| {
        let key = line.trim_start().strip_prefix(name)?.trim_start();
        key.starts_with(['.', '=']).then_some(())
    };
    let quoted = format!("\"{name}\"");
    let by_key = manifest.lines().position(|line| names(line).is_some());
    by_key.or_else(|| manifest.lines().position(|line| line.contains(&quoted))).map_or(1, |index| index + 1)
}

fn text<'a>(value: &'a Value, key: &str) -> Result<&'a str> {
    value.get(key).and_then(Value::as_str).with_context(|| format!("cargo metadata gives no text for {key}"))
}

fn list<'a>(value: &'a Value, key: &str) -> Result<&'a Vec<Value>> {
    value.get(key).and_then(Value::as_array).with_context(|| format!("cargo metadata gives no list for {key}"))
}

fn below<'a>(root: &str, path: &'a str) -> Option<&'a str> {
    path.strip_prefix(root)?.strip_prefix('/')
}

/// The room of a directory: itself, or `examples` or `tests` for what lies in these and has no arrows of its own.
fn room(directory: &str) -> &str {
    let within = |room: &&str| directory.strip_prefix(*room).is_some_and(|rest| rest.starts_with('/'));
    if arrows_from(directory).is_some() {
        return directory;
    }
    ["examples", "tests"].into_iter().find(within).unwrap_or(directory)
}

fn arrows_from(room: &str) -> Option<&'static [&'static str]> {
    ARROWS.iter().find(|(from, _)| *from == room).map(|(_, to)| *to)
}

fn points(from: &str, to: &str) -> bool {
    arrows_from(from).is_some_and(|allowed| allowed.contains(&to))
}

/// Whether a way of arrows leads there. There are no circles, which a test makes sure of.
fn reaches(from: &str, to: &str) -> bool {
    arrows_from(from).is_some_and(|allowed| allowed.iter().any(|next| *next == to || reaches(next, to)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// A package's directory and its dependencies, each a directory and a kind.
    type Package<'a> = (&'a str, &'a [(&'a str, Option<&'a str>)]);

    /// Metadata of these packages, each with a dependency from outside as well.
    fn workspace(packages: &[Package<'_>]) -> Value {
        let name = |directory: &str| format!("takt-{}", directory.replace('/', "-"));
        let packages: Vec<Value> = packages
            .iter()
            .map(|(directory, dependencies)| {
                let dependencies: Vec<Value> = dependencies
                    .iter()
                    .map(|(to, kind)| json!({"name": name(to), "kind": kind, "path": format!("/w/{to}")}))
                    .chain([json!({"name": "heapless", "kind": null})])
                    .collect();
                json!({
                    "name": name(directory),
                    "manifest_path": format!("/w/{directory}/Cargo.toml"),
                    "dependencies": dependencies,
                })
            })
            .collect();
        json!({"workspace_root": "/w", "packages": packages})
    }

    fn sentences(packages: &[Package<'_>]) -> Vec<String> {
        backward(&workspace(packages)).unwrap().iter().map(Edge::to_string).collect()
    }

    #[test]
    fn arrows_that_point_onwards_are_allowed() {
        let none = sentences(&[
            ("app", &[("takt", None), ("measure", None)]),
            ("examples/blink", &[("takt", None)]),
            ("examples", &[("takt", None)]),
            ("tests", &[("takt", None), ("measure", None)]),
            ("tests/config-fail", &[("takt", None)]),
            ("tests/event-ring", &[("takt", None), ("tests", None), ("measure", None)]),
            ("tests/execution-time", &[("takt", None), ("tests", None), ("measure", None)]),
            ("measure", &[("takt", None), ("kernel", Some("dev"))]),
            ("takt", &[("kernel", None), ("bsp/rpi4", None)]),
            ("bsp/rpi4", &[("bsp/drivers", None)]),
            ("bsp/drivers", &[]),
            ("kernel", &[]),
            ("host", &[("kernel", None)]),
        ]);
        assert_eq!(none, [""; 0]);
    }

    #[test]
    fn arrows_that_point_back_or_skip_a_room_are_named() {
        assert_eq!(
            sentences(&[("measure", &[("kernel", None)]), ("kernel", &[("bsp/drivers", None)])]),
            [
                "measure may not depend on kernel, only on takt; go through these or move the code",
                "kernel may not depend on bsp/drivers: it depends on no crate of ours; remove the dependency",
            ]
        );
        assert_eq!(sentences(&[("takt", &[("measure", None)])]).len(), 1);
        assert_eq!(sentences(&[("takt", &[("bsp/drivers", None)])]).len(), 1);
        assert_eq!(sentences(&[("host", &[("takt", None)])]).len(), 1);
        assert_eq!(sentences(&[("tests/config-fail", &[("measure", None)])]).len(), 1);
        assert_eq!(sentences(&[("examples/blink", &[("kernel", None)])]).len(), 1);
    }

    #[test]
    fn build_scripts_follow_the_arrows_and_tests_may_use_what_is_below() {
        assert_eq!(sentences(&[("measure", &[("kernel", Some("build"))])]).len(), 1);
        assert_eq!(sentences(&[("measure", &[("kernel", Some("dev"))])]).len(), 0);
        let back = sentences(&[("kernel", &[("takt", Some("dev"))])]);
        assert!(back.iter().all(|sentence| sentence.contains("even for its tests")) && back.len() == 1, "{back:?}");
    }

    #[test]
    fn a_crate_without_a_place_is_named_once() {
        let found = sentences(&[("extra", &[("takt", None)]), ("other", &[])]);
        assert_eq!(found.len(), 2);
        assert!(found.iter().all(|sentence| sentence.contains("arrows.rs")), "{found:?}");
    }

    #[test]
    fn arrows_end_in_rooms_and_lead_in_no_circle() {
        for (from, to) in ARROWS {
            assert!(to.iter().all(|to| arrows_from(to).is_some()), "{from}");
            // A room comes before those it points to, so no way leads back.
            let place = |room: &str| ARROWS.iter().position(|(known, _)| *known == room);
            assert!(to.iter().all(|to| place(to) > place(from) || *from == "host"), "{from}");
        }
        assert!(ARROWS.iter().all(|(from, _)| !points(from, "host")));
    }

    #[test]
    fn metadata_that_are_not_cargos_are_an_error() {
        assert!(backward(&json!({})).is_err());
        assert!(backward(&json!({"workspace_root": "/w", "packages": [{"name": "takt"}]})).is_err());
    }

    #[test]
    fn the_line_of_a_dependency_is_found() {
        let manifest = "[package]\nname = \"takt-app\"\n[dependencies]\ntakt-measure.workspace = true\ntakt = \"1\"\n";
        assert_eq!(line_of(manifest, "takt"), 5);
        assert_eq!(line_of(manifest, "takt-measure"), 4);
        assert_eq!(line_of(manifest, "takt-app"), 2);
        assert_eq!(line_of(manifest, "elsewhere"), 1);
    }
}
