//! Result of an experiment: figure, table and sentences.

use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tussle_catalog::file;
use tussle_view::{Figure, Theme, png};

use crate::{LabError, Table};

/// Result of an experiment.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Name of the experiment.
    pub name: String,
    /// Question of the experiment.
    pub question: String,
    /// Figure.
    pub figure: Figure,
    /// Numbers of the figure.
    pub table: Table,
    /// Sentences that are computed from the numbers.
    pub reading: Vec<String>,
}

impl Finding {
    /// Returns everything but the figure.
    pub fn json(&self) -> Value {
        serde_json::json!({
            "experiment": self.name,
            "question": self.question,
            "columns": self.table.columns,
            "rows": self.table.rows,
            "reading": self.reading,
        })
    }

    /// Writes NAME.svg, NAME.png, NAME.csv, NAME.json and NAME.md into a folder, and returns their paths.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write(&self, folder: &Path) -> Result<Vec<PathBuf>, LabError> {
        let name = &self.name;
        let svg = self.figure.svg(Theme::Light);
        let png = png(&svg, 2.0)?;
        let json = serde_json::to_string_pretty(&self.json()).map_err(io::Error::from);
        let json = json.map_err(|error| LabError::Folder(folder.to_owned(), error))? + "\n";
        let words = format!(
            "# {name}\n\n{}\n\n![{name}]({name}.svg)\n\n{}\n",
            self.question,
            self.reading.join("\n\n")
        );
        let files = [
            ("svg", svg.into_bytes()),
            ("png", png),
            ("csv", self.table.csv().into_bytes()),
            ("json", json.into_bytes()),
            ("md", words.into_bytes()),
        ];
        write_files(folder, name, files)
    }
}

/// Writes the files NAME.END into a folder, and returns their paths.
pub(crate) fn write_files<const N: usize>(
    folder: &Path,
    name: &str,
    files: [(&str, Vec<u8>); N],
) -> Result<Vec<PathBuf>, LabError> {
    let mut written = Vec::new();
    for (end, bytes) in files {
        let path = folder.join(format!("{name}.{end}"));
        file::write(&path, bytes).map_err(|error| LabError::Folder(path.clone(), error))?;
        written.push(path);
    }
    Ok(written)
}
