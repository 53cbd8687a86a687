//! What an experiment found: a figure, its numbers, and a few sentences.

use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::Value;
use tussle_arena::export::csv_line;
use tussle_catalog::file;
use tussle_view::{Figure, Theme, png};

use crate::LabError;

/// What an experiment found.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The experiment.
    pub name: String,
    /// What was asked.
    pub question: String,
    /// What it looks like.
    pub figure: Figure,
    /// The numbers in the figure.
    pub table: Table,
    /// What it says, in sentences.
    pub reading: Vec<String>,
}

/// Rows of numbers and words.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Table {
    /// Names of the columns.
    pub columns: Vec<String>,
    /// The rows, each with one entry a column.
    pub rows: Vec<Vec<Value>>,
}

impl Table {
    /// One with these columns.
    pub fn new<S: Into<String>>(columns: impl IntoIterator<Item = S>) -> Self {
        Self { columns: columns.into_iter().map(Into::into).collect(), rows: Vec::new() }
    }

    /// Adds a row.
    pub fn add(&mut self, row: Vec<Value>) {
        debug_assert_eq!(row.len(), self.columns.len());
        self.rows.push(row);
    }

    /// Comma-separated values (RFC 4180).
    pub fn csv(&self) -> String {
        let cell = |value: &Value| match value {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let rows = self.rows.iter().map(|row| row.iter().map(cell).collect());
        let lines = std::iter::once(self.columns.clone()).chain(rows);
        lines.map(|fields: Vec<String>| csv_line(&fields) + "\r\n").collect()
    }
}

impl Finding {
    /// All of it but the picture.
    pub fn json(&self) -> Value {
        serde_json::json!({
            "experiment": self.name,
            "question": self.question,
            "columns": self.table.columns,
            "rows": self.table.rows,
            "reading": self.reading,
        })
    }

    /// Writes NAME.svg, NAME.png, NAME.csv, NAME.json and NAME.md into a folder, and names them.
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
        let files: [(&str, Vec<u8>); 5] = [
            ("svg", svg.into_bytes()),
            ("png", png),
            ("csv", self.table.csv().into_bytes()),
            ("json", json.into_bytes()),
            ("md", words.into_bytes()),
        ];
        let mut written = Vec::new();
        for (end, bytes) in files {
            let path = folder.join(format!("{name}.{end}"));
            file::write(&path, bytes).map_err(|error| LabError::Folder(path.clone(), error))?;
            written.push(path);
        }
        Ok(written)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_written_as_spreadsheets_read_them() {
        let mut table = Table::new(["agent", "depth"]);
        table.add(vec!["a \"b\", c".into(), 3.into()]);
        table.add(vec!["d".into(), Value::Null]);
        assert_eq!(table.csv(), "agent,depth\r\n\"a \"\"b\"\", c\",3\r\nd,\r\n");
    }
}
