//! Invariants of the crates: their graph, their descriptions, the dependencies of `core`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::sources::{ROOT, crate_folders, shown};

/// Returns the packages of the workspace, as `cargo metadata` describes them.
fn packages() -> Vec<Value> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let arguments = ["metadata", "--no-deps", "--offline", "--format-version", "1"];
    let output = Command::new(cargo).args(arguments).current_dir(ROOT).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    metadata["packages"].as_array().unwrap().clone()
}

/// Returns the dependencies of a package that are neither for its tests nor for its build script.
fn dependencies(package: &Value) -> impl Iterator<Item = &Value> {
    package["dependencies"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|dependency| dependency["kind"].is_null())
}

/// Returns a crate's name without the `tussle-` that most have.
fn short(name: &Value) -> String {
    let name = name.as_str().unwrap();
    name.strip_prefix("tussle-").unwrap_or(name).to_owned()
}

#[test]
fn the_crate_graph_is_the_one_in_the_docs() {
    let mut graph = BTreeMap::new();
    for package in packages() {
        let ours = dependencies(&package).filter(|dependency| dependency["path"].is_string());
        let mut ours: Vec<_> = ours.map(|dependency| short(&dependency["name"])).collect();
        ours.sort();
        graph.insert(short(&package["name"]), ours);
    }
    let page = fs::read_to_string(Path::new(ROOT).join(PAGE)).unwrap();
    let block =
        page.split("```text crate-graph\n").nth(1).and_then(|rest| rest.split("```").next());
    let mut documented = BTreeMap::new();
    for line in block.unwrap_or_else(|| panic!("{PAGE} has no block ```text crate-graph")).lines() {
        let (name, ours) = line.split_once(':').unwrap_or_else(|| panic!("{PAGE}: {line}"));
        let mut ours: Vec<_> = ours.split_whitespace().map(str::to_owned).collect();
        ours.sort();
        documented.insert(name.to_owned(), ours);
    }
    for (name, ours) in &graph {
        let line = format!("{name}: {}", ours.join(" "));
        assert_eq!(
            documented.remove(name).as_ref(),
            Some(ours),
            "the crate graph in {PAGE} is out of date: if the new dependency is meant, write `{}`",
            line.trim_end()
        );
    }
    assert!(documented.is_empty(), "{PAGE} lists crates that do not exist: {documented:?}");
}

/// Page with the crate graph, from the root of the repository.
const PAGE: &str = "docs/architecture.md";

#[test]
fn every_crate_says_in_one_sentence_what_it_is_for() {
    let workspace = fs::read_to_string(Path::new(ROOT).join("Cargo.toml")).unwrap();
    let mut seen = Vec::new();
    for folder in crate_folders() {
        let manifest = folder.join("Cargo.toml");
        let text = fs::read_to_string(&manifest).unwrap();
        let line = text.lines().find_map(|line| line.strip_prefix("description = \""));
        let description = line.and_then(|line| line.strip_suffix('"')).unwrap_or_default();
        assert!(
            !description.is_empty() && !description.contains(". ") && !description.ends_with('.'),
            "{}: write `description = \"…\"`: one sentence of its own, without a full stop",
            shown(&manifest)
        );
        assert!(
            !workspace.contains(description) && !seen.contains(&description.to_owned()),
            "{}: the description is that of another crate: say what this one is for",
            shown(&manifest)
        );
        seen.push(description.to_owned());

        let library = folder.join("src/lib.rs");
        let text = fs::read_to_string(&library).unwrap();
        let lines = text.lines().map_while(|line| line.strip_prefix("//! "));
        let purpose = lines.collect::<Vec<_>>().join(" ");
        assert!(
            purpose.ends_with('.') && !purpose.contains(". "),
            "{}: begin with one sentence that says what the crate is for, and an empty `//!` line: {purpose:?}",
            shown(&library)
        );
    }
}

#[test]
fn core_has_no_dependencies_by_default() {
    let packages = packages();
    let core = packages.iter().find(|package| package["name"] == "tussle-core").unwrap();
    let needed: Vec<_> =
        dependencies(core).filter(|dependency| dependency["optional"] == false).collect();
    assert!(
        needed.is_empty() && core["features"].get("default").is_none(),
        "tussle-core has no dependencies by default; put what needs one into the crate that uses it, or behind a \
         feature that is off: {needed:?}"
    );
}
