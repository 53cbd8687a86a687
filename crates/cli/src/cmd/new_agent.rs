//! `tussle new-agent`

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use tussle_catalog::{Catalog, file};

use crate::failure::Failure;
use crate::output;
use crate::shell::quoted;

/// Create a starter agent that plays random moves
///
/// Protocol json: the arena sends the position, the legal moves and the clock; the agent answers with a move.
/// Protocol ugi: an engine that other programs can use too; it asks `tussle rules` for the rules.
///
/// A Python agent also gets `tussle_rules.py`, a client of `tussle rules` for the rules of any game. The
/// command prints the next steps. `tussle docs writing-agents` has more.
///
/// Examples:
///   tussle new-agent --lang python --game gobblet
///   tussle new-agent --lang rust --protocol ugi --game connect4 --out engine
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct NewAgent {
    /// Programming language
    #[arg(long, value_enum)]
    lang: Lang,
    /// Protocol between the arena and the agent
    #[arg(long, value_enum, default_value_t)]
    protocol: Protocol,
    /// Game spec, name[:key=value,…]; see `tussle games`
    #[arg(long, default_value = "tictactoe", value_name = "GAME")]
    game: String,
    /// Output: a file for Python [default: `my_agent.py`], a folder for Rust [default: `my-agent`]
    #[arg(long, value_name = "PATH")]
    out: Option<PathBuf>,
    /// Replace existing files
    #[arg(long)]
    force: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Lang {
    Python,
    Rust,
}

#[derive(Clone, Copy, Default, ValueEnum)]
enum Protocol {
    #[default]
    Json,
    Ugi,
}

/// Placeholder of the game in the templates.
const GAME_PLACEHOLDER: &str = "@GAME@";
/// The Python client of the rules service.
const CLIENT: &str = include_str!("../../../../examples/agents/python/tussle_rules.py");
/// Name of the file with the client.
const CLIENT_FILE: &str = "tussle_rules.py";

impl NewAgent {
    pub(crate) fn run(&self, catalog: &Catalog) -> Result<(), Failure> {
        let game = catalog.game(&self.game)?;
        let usual = match self.lang {
            Lang::Python => "my_agent.py",
            Lang::Rust => "my-agent",
        };
        let out = self.out.clone().unwrap_or_else(|| usual.into());
        if out.file_name().is_some_and(|name| name == CLIENT_FILE) {
            return Err(Failure::usage(format!(
                "--out {}: {CLIENT_FILE} is the client of the rules service; choose another name for \
                 your agent",
                out.display()
            )));
        }
        let files: Vec<(PathBuf, &str)> = match (self.lang, self.protocol) {
            (Lang::Python, Protocol::Json) => {
                vec![(out.clone(), include_str!("new_agent/templates/json_agent.py"))]
            }
            (Lang::Python, Protocol::Ugi) => {
                vec![(out.clone(), include_str!("new_agent/templates/ugi_agent.py"))]
            }
            (Lang::Rust, protocol) => {
                let main = match protocol {
                    Protocol::Json => include_str!("new_agent/templates/rust/json_main.rs"),
                    Protocol::Ugi => include_str!("new_agent/templates/rust/ugi_main.rs"),
                };
                let manifest = include_str!("new_agent/templates/rust/Cargo.toml.txt");
                let json = include_str!("new_agent/templates/rust/json.rs");
                vec![
                    (out.join("Cargo.toml"), manifest),
                    (out.join("src/main.rs"), main),
                    (out.join("src/json.rs"), json),
                ]
            }
        };
        if let Some((path, _)) = files.iter().find(|(path, _)| path.exists() && !self.force) {
            let path = path.display();
            return Err(Failure::usage(format!(
                "{path} exists; choose another --out, or replace it with --force"
            )));
        }
        for (path, template) in &files {
            self.write(path, &template.replace(GAME_PLACEHOLDER, game.spec()))
                .map_err(|error| Failure::cannot_write(path, &error))?;
        }
        let client = match self.lang {
            Lang::Python => self.write_client(&out.with_file_name(CLIENT_FILE))?,
            Lang::Rust => String::new(),
        };
        output::print(&format!("{client}{}", self.next(&out, game.spec())))
    }

    /// Writes the client beside a Python agent and returns a line about it. A different file of that name is
    /// replaced only with `--force`.
    fn write_client(&self, path: &Path) -> Result<String, Failure> {
        let shown = path.display();
        let what = "client for the rules of every game";
        match fs::read(path) {
            Ok(there) if there == CLIENT.as_bytes() => {
                return Ok(format!("{shown} exists: {what}\n"));
            }
            Ok(_) if !self.force => {
                return Ok(format!(
                    "kept {shown}, which differs from the file of this version; replace it with --force\n"
                ));
            }
            _ => {}
        }
        self.write(path, CLIENT).map_err(|error| Failure::cannot_write(path, &error))?;
        Ok(format!("wrote {shown}: {what}\n"))
    }

    fn write(&self, path: &Path, text: &str) -> io::Result<()> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        if self.force {
            return file::write(path, text);
        }
        // Reserve the name: another process may have created the file since the check above.
        File::create_new(path)?;
        let written = file::write(path, text);
        if written.is_err() {
            let _ = fs::remove_file(path);
        }
        written
    }

    /// Returns the next steps.
    fn next(&self, out: &Path, game: &str) -> String {
        let path = quoted(&out.display().to_string());
        let protocol = match self.protocol {
            Protocol::Json => "json",
            Protocol::Ugi => "ugi",
        };
        let (build, command) = match self.lang {
            Lang::Python => (String::new(), format!("python3 {path}")),
            Lang::Rust => {
                let manifest = quoted(&out.join("Cargo.toml").display().to_string());
                let program = quoted(&out.join("target/release/my-agent").display().to_string());
                (format!("  cargo build --release --manifest-path {manifest}\n"), program)
            }
        };
        let idea = match self.lang {
            Lang::Python => out.to_owned(),
            Lang::Rust => out.join("src/main.rs"),
        };
        let (idea, game) = (idea.display(), quoted(game));
        format!(
            "wrote {}; write your search in `choose` in {idea}\n\n{build}  \
             tussle check {protocol}:\"{command}\" --game {game}\n  \
             tussle match {game} {protocol}:\"{command}\" random --games 10\n",
            out.display()
        )
    }
}
