//! Embeds the pages that docs/SUMMARY.md lists and the files that examples/README.md lists.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut code = String::new();
    for (name, folder, index) in
        [("PAGES", "docs", "SUMMARY.md"), ("EXAMPLES", "examples", "README.md")]
    {
        let folder = root.join(folder);
        embed(&mut code, name, &folder, index);
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    fs::write(out.join("embedded.rs"), code).expect("OUT_DIR is writable");
    println!("cargo:rerun-if-changed=build.rs");
}

/// Writes a constant with the index and one with all files that the index links to by relative links in list items.
fn embed(code: &mut String, name: &str, folder: &Path, index: &str) {
    let folder = folder.canonicalize().unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let index = folder.join(index);
    let text = fs::read_to_string(&index).unwrap_or_else(|e| panic!("{}: {e}", index.display()));
    println!("cargo:rerun-if-changed={}", index.display());
    let index = index.display().to_string();
    writeln!(code, "const {name}_INDEX: &str = include_str!({index:?});").expect("a String");
    writeln!(code, "const {name}: &[(&str, &str)] = &[").expect("a String");
    for line in text.lines().map(str::trim_start) {
        if !line.starts_with("- [") && !line.starts_with('[') {
            continue;
        }
        let Some((path, _)) = line.split_once("](").and_then(|(_, rest)| rest.split_once(')'))
        else {
            continue;
        };
        if path.is_empty() {
            continue;
        }
        let file = folder.join(path).display().to_string();
        println!("cargo:rerun-if-changed={file}");
        writeln!(code, "    ({path:?}, include_str!({file:?})),").expect("a String");
    }
    writeln!(code, "];").expect("a String");
}
