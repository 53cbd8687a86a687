//! Data files of the games: perft counts and golden playthroughs.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

/// Data file of one game.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataFile {
    /// Seed of the golden playthrough, if the default seed gives an uninteresting game.
    pub seed: Option<u64>,
    /// Tested variants of the rules. The golden playthrough is a game of the first one.
    #[serde(rename = "variant")]
    pub variants: Vec<Variant>,
    /// Golden playthrough.
    pub golden: Option<Golden>,
}

/// Variant of the rules of a game.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Variant {
    /// Spec string. Paths in it are relative to the root of the repository.
    pub spec: String,
    /// Known numbers of move sequences of 0, 1, 2 … plies.
    #[serde(default)]
    pub perft: Vec<u64>,
}

/// Recorded game.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Golden {
    /// Text of the game, in the form of [`playthrough`](crate::playthrough::playthrough).
    pub playthrough: String,
}

/// Makes the root of the repository the current folder and returns it. Paths in specs are relative
/// to it.
///
/// # Panics
/// If the repository was moved after the build.
pub fn enter_repository() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let root = root.canonicalize().expect("the repository was not moved after the build");
    std::env::set_current_dir(&root).expect("the repository is accessible");
    root
}

/// Returns all data files with their paths, in alphabetical order.
///
/// # Panics
/// If a file cannot be read or parsed.
pub fn data_files() -> Vec<(PathBuf, DataFile)> {
    let folder = enter_repository().join("crates/games/testdata");
    let entries = fs::read_dir(&folder).expect("the folder of test data exists");
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

/// Replaces the golden playthrough at the end of a data file.
///
/// # Panics
/// If the file cannot be read or written.
pub fn record(path: &Path, playthrough: &str) {
    let text = fs::read_to_string(path).expect("a data file can be read");
    let kept = text.split("[golden]").next().unwrap_or_default().trim_end();
    let new = format!("{kept}\n\n[golden]\nplaythrough = '''\n{playthrough}'''\n");
    fs::write(path, new).expect("a data file can be written");
}
