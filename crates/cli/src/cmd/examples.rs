//! `tussle examples`

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use tussle_catalog::file;

use crate::embedded::{self, Example};
use crate::failure::Failure;
use crate::layout::Table;
use crate::output;

/// List, print or write the example files of the book
///
/// Commands of the book name files as examples/…; with --out examples they work in any folder.
///
/// Examples:
///   tussle examples
///   tussle examples trees/coin.json
///   tussle examples tournaments --out examples
///   tussle examples --out examples
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Examples {
    /// Example file or folder, as `tussle examples` lists them [default: all]
    name: Option<String>,
    /// Folder to write to; files keep their paths below it
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace existing files
    #[arg(long, requires = "out")]
    force: bool,
}

impl Examples {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let chosen = match &self.name {
            None => embedded::examples().collect(),
            Some(name) => embedded::examples_named(name).map_err(Failure::usage)?,
        };
        match (&self.out, chosen.as_slice()) {
            (Some(out), examples) => self.write(out, examples),
            (None, [example]) => output::print(example.text),
            (None, examples) => {
                let mut table = Table::new(["example", "contents"]);
                for example in examples {
                    table.add_row([example.path, example.about]);
                }
                output::print(&table.text())
            }
        }
    }

    /// Writes files below a folder. No file is written if one would replace a different file.
    fn write(&self, out: &Path, examples: &[Example]) -> Result<(), Failure> {
        let mut lines = String::new();
        let mut missing = Vec::new();
        for example in examples {
            let path = out.join(example.path);
            let shown = path.display();
            match fs::read(&path) {
                Ok(there) if there == example.text.as_bytes() => {
                    lines += &format!("{shown} exists\n");
                }
                Ok(_) if !self.force => {
                    return Err(Failure::usage(format!(
                        "{shown} exists and differs from the example; --force replaces it"
                    )));
                }
                _ => {
                    lines += &format!("wrote {shown}\n");
                    missing.push((path, example));
                }
            }
        }
        for (path, example) in missing {
            let write = || -> std::io::Result<()> {
                if let Some(folder) = path.parent() {
                    fs::create_dir_all(folder)?;
                }
                file::write(&path, example.text)?;
                if example.text.starts_with("#!") {
                    make_executable(&path)?;
                }
                Ok(())
            };
            write().map_err(|error| Failure::cannot_write(&path, &error))?;
        }
        output::print(&lines)
    }
}

#[cfg(unix)]
fn make_executable(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn make_executable(_path: &Path) -> std::io::Result<()> {
    Ok(())
}
