//! `tussle new-game`

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use tussle_catalog::{Catalog, file};

use crate::failure::Failure;
use crate::output;
use crate::shell::quoted;

/// Create a crate for your own game, with the whole command line
///
/// The crate has the rules (src/lib.rs), a test of them and a main.rs. It builds with the checkout of Tussle
/// that this program was built from, or with --path; the checkout does not change.
///
/// Examples:
///   tussle new-game checkerish --out checkerish
///   tussle new-game my-chess --out games/my-chess --path ../tussle
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct NewGame {
    /// Name of the game in spec strings: lower-case letters, digits and hyphens
    name: String,
    /// Language of the rules
    #[arg(long, value_enum, default_value_t)]
    lang: Lang,
    /// Folder of the new crate
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Checkout of Tussle to build with [default: the one this program was built from]
    #[arg(long, value_name = "CHECKOUT")]
    path: Option<PathBuf>,
    /// Replace existing files
    #[arg(long)]
    force: bool,
}

#[derive(Clone, Copy, Default, ValueEnum)]
enum Lang {
    #[default]
    Rust,
}

/// Folder of this crate when the program was built.
const BUILT_FROM: &str = env!("CARGO_MANIFEST_DIR");

/// Names that cargo or the crate itself needs.
const RESERVED: [&str; 14] = [
    "tussle",
    "tussle-cli",
    "tussle-catalog",
    "test",
    "core",
    "std",
    "alloc",
    "proc-macro",
    "state",
    "self",
    "examples",
    "deps",
    "build",
    "incremental",
];

/// File with the versions of all dependencies.
const LOCK_FILE: &str = "Cargo.lock";

/// Maximum length of a name, in bytes.
const MAX_NAME_BYTES: usize = 64;

impl NewGame {
    pub(crate) fn run(&self, catalog: &Catalog) -> Result<(), Failure> {
        let Lang::Rust = self.lang;
        self.check_name(catalog)?;
        let checkout = self.checkout()?;
        let files = [
            (".gitignore", "/target\n"),
            ("Cargo.toml", include_str!("new_game/templates/Cargo.toml.txt")),
            ("src/lib.rs", include_str!("new_game/templates/lib.rs.txt")),
            ("src/main.rs", include_str!("new_game/templates/main.rs.txt")),
            ("tests/rules.rs", include_str!("new_game/templates/rules.rs.txt")),
        ];
        let mut names = files.iter().map(|(name, _)| *name).chain([LOCK_FILE]);
        let is_there = |name: &&str| self.out.join(name).exists();
        if let Some(name) = names.find(is_there).filter(|_| !self.force) {
            let path = self.out.join(name);
            return Err(Failure::usage(format!(
                "{} exists; choose another --out, or replace it with --force",
                path.display()
            )));
        }
        for (name, template) in files {
            let text = template
                .replace("@NAME@", &self.name)
                .replace("@TYPE@", &type_name(&self.name))
                .replace("@CRATE@", &self.name.replace('-', "_"))
                .replace("@CHECKOUT@", &toml_text(&checkout));
            self.write(name, &text)?;
        }
        // The versions of dependencies that Tussle is tested with; cargo adds the new crate to them.
        if let Ok(versions) = fs::read_to_string(checkout.join(LOCK_FILE)) {
            self.write(LOCK_FILE, &versions)?;
        }
        output::print(&self.next_steps())
    }

    fn check_name(&self, catalog: &Catalog) -> Result<(), Failure> {
        let name = &self.name;
        let is_word = name.starts_with(|c: char| c.is_ascii_lowercase())
            && !name.ends_with('-')
            && !name.contains("--")
            && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
        if !is_word {
            return Err(Failure::usage(format!(
                "`{name}`: expected lower-case letters, digits and single hyphens, as in `my-game`"
            )));
        }
        if RESERVED.contains(&name.as_str()) || KEYWORDS.contains(&name.as_str()) {
            return Err(Failure::usage(format!(
                "`{name}`: a Rust crate cannot have this name; choose another, as in `my-{name}`"
            )));
        }
        if name.len() > MAX_NAME_BYTES {
            return Err(Failure::usage(format!(
                "the name has {} letters; use at most {MAX_NAME_BYTES}",
                name.len()
            )));
        }
        if catalog.expanded(name).is_ok() {
            return Err(Failure::usage(format!(
                "`{name}`: Tussle has an agent of this name; choose another, as in `my-{name}`"
            )));
        }
        if catalog.entry(name).is_ok() {
            return Err(Failure::usage(format!(
                "`{name}`: Tussle has a game of this name; choose another, as in `my-{name}`"
            )));
        }
        Ok(())
    }

    /// Returns the checkout to build with.
    fn checkout(&self) -> Result<PathBuf, Failure> {
        let built_from = Path::new(BUILT_FROM).ancestors().nth(2).unwrap_or(Path::new(BUILT_FROM));
        let path = self.path.as_deref().unwrap_or(built_from);
        if path.join("crates/cli/Cargo.toml").is_file() {
            return std::path::absolute(path)
                .map_err(|error| Failure::usage(format!("--path {}: {error}", path.display())));
        }
        let shown = path.display();
        Err(Failure::usage(match self.path {
            Some(_) => format!(
                "--path {shown}: expected a checkout of Tussle, but it has no crates/cli/Cargo.toml"
            ),
            None => format!(
                "the checkout that this program was built from does not exist ({shown}); clone the repository of \
                 Tussle, and give its path with --path"
            ),
        }))
    }

    /// Writes a file of the crate.
    fn write(&self, name: &str, text: &str) -> Result<(), Failure> {
        let path = self.out.join(name);
        let write = || -> io::Result<()> {
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder)?;
            }
            if !self.force {
                File::create_new(&path)?;
            }
            file::write(&path, text)
        };
        write().map_err(|error| Failure::cannot_write(&path, &error))
    }

    fn next_steps(&self) -> String {
        let (name, out) = (&self.name, self.out.display());
        let folder = quoted(&out.to_string());
        format!(
            "wrote {out}; write your rules in {out}/src/lib.rs\n\n  \
             cd {folder} && cargo test\n  \
             cargo run --release -- match {name} mcts random --games 4\n  \
             cargo run --release -- play {name}\n  \
             cargo run --release -- serve\n"
        )
    }
}

/// Keywords of Rust that would pass as names.
const KEYWORDS: [&str; 48] = [
    "abstract", "become", "override", "priv", "typeof", "unsized", "virtual", "yield", "as",
    "async", "await", "box", "break", "const", "continue", "crate", "do", "dyn", "else", "enum",
    "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro",
    "match", "mod", "move", "mut", "pub", "ref", "return", "static", "struct", "super", "trait",
    "true", "try", "type", "use", "while",
];

/// Returns the name of the type for a game's name: `my-game` becomes `MyGameRules`.
fn type_name(name: &str) -> String {
    let capital = |word: &str| {
        let (first, rest) = word.split_at(word.len().min(1));
        first.to_ascii_uppercase() + rest
    };
    // The suffix keeps it apart from types of the language and of Tussle, such as `Option` and `State`.
    name.split('-').map(capital).collect::<String>() + "Rules"
}

/// Returns a path as the inside of a basic string of TOML.
fn toml_text(path: &Path) -> String {
    path.display().to_string().replace('\\', "\\\\").replace('"', "\\\"")
}

#[cfg(test)]
mod tests {
    use super::type_name;

    #[test]
    fn types_are_named_after_their_games() {
        assert_eq!(type_name("my-game-2"), "MyGame2Rules");
        assert_eq!(type_name("vec"), "VecRules");
    }
}
