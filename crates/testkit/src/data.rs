//! The data files: known counts and golden playthroughs.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

/// One game's data file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataFile {
    /// The seed of the golden playthrough, if the usual one gives a game that shows little.
    pub seed: Option<u64>,
    /// The variants of the rules that are tested; the first one is also played through.
    #[serde(rename = "variant")]
    pub variants: Vec<Variant>,
    /// The golden playthrough.
    pub golden: Option<Golden>,
}

/// One variant of a game's rules.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Variant {
    /// Its spec string; files are named from the root of the repository.
    pub spec: String,
    /// Known counts of move sequences of 0, 1, 2 … plies.
    #[serde(default)]
    pub perft: Vec<u64>,
}

/// A recorded game.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Golden {
    /// As [`playthrough`](crate::playthrough::playthrough) writes it.
    pub playthrough: String,
}

/// The root of the repository. Tests go there, because specs name files from it.
///
/// # Panics
/// If the sources are not where they were built.
pub fn enter_repository() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let root = root.canonicalize().expect("the repository is where it was built");
    std::env::set_current_dir(&root).expect("the repository can be entered");
    root
}

/// Every data file with its path, in alphabetical order.
///
/// # Panics
/// If a file cannot be read or is not of the right form.
pub fn data_files() -> Vec<(PathBuf, DataFile)> {
    let folder = enter_repository().join("crates/games/testdata");
    let entries = fs::read_dir(&folder).expect("there is a folder of test data");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("the folder can be listed").path())
        .filter(|path| path.extension().is_some_and(|e| e == "toml"))
        .collect();
    paths.sort();
    paths
        .into_iter()
        .map(|path| {
            let text = fs::read_to_string(&path).expect("a data file can be read");
            let data = toml::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            (path, data)
        })
        .collect()
}

/// Puts a new golden playthrough at the end of a data file, in place of the old one.
///
/// # Panics
/// If the file cannot be read or written.
pub fn record(path: &Path, playthrough: &str) {
    let text = fs::read_to_string(path).expect("a data file can be read");
    let kept = text.split("[golden]").next().unwrap_or_default().trim_end();
    let new = format!("{kept}\n\n[golden]\nplaythrough = '''\n{playthrough}'''\n");
    fs::write(path, new).expect("a data file can be written");
}
