//! Measurements that outlive the run that made them.
//!
//! One JSON object a line: what was measured, and what came out. A run that was stopped, or killed in the
//! middle of a line, goes on where it was.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tussle_catalog::file::{ReadError, read_bytes};

/// Measurements by what was measured.
#[derive(Debug)]
pub struct Journal {
    known: HashMap<String, serde_json::Value>,
    /// None where nobody keeps them.
    file: Option<File>,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    key: String,
    value: serde_json::Value,
}

impl Journal {
    /// One that is kept in this file, with what is in it already.
    ///
    /// # Errors
    /// If the file cannot be read or written.
    pub fn open(path: &Path) -> io::Result<Self> {
        let bytes = match read_bytes(path) {
            Ok(bytes) => bytes,
            Err(ReadError::Open(error)) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(ReadError::Open(error) | ReadError::Read(error)) => return Err(error),
            Err(error) => return Err(io::Error::new(io::ErrorKind::InvalidInput, error)),
        };
        let text = String::from_utf8_lossy(&bytes);
        let entries = text.lines().filter_map(|line| serde_json::from_str::<Entry>(line).ok());
        let known = entries.map(|entry| (entry.key, entry.value)).collect();
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        // What was torn stays alone on its line.
        if !text.is_empty() && !text.ends_with('\n') {
            file.write_all(b"\n")?;
        }
        Ok(Self { known, file: Some(file) })
    }

    /// One that nobody keeps.
    pub fn forgetful() -> Self {
        Self { known: HashMap::new(), file: None }
    }

    /// What came out, if it was measured before.
    pub fn find<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        self.known.get(key).and_then(|value| T::deserialize(value).ok())
    }

    /// Writes down what came out.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add<T: Serialize>(&mut self, key: String, value: &T) -> io::Result<()> {
        let value = serde_json::to_value(value)?;
        if let Some(file) = &mut self.file {
            let mut line =
                serde_json::to_string(&Entry { key: key.clone(), value: value.clone() })?;
            line.push('\n');
            file.write_all(line.as_bytes())?;
            file.flush()?;
        }
        self.known.insert(key, value);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_measured_is_known_again_and_a_torn_line_is_not() {
        let dir = std::env::temp_dir().join(format!("tussle-journal-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        let path = dir.join("cells.jsonl");
        let _ = std::fs::remove_file(&path);
        let mut journal = Journal::open(&path).unwrap();
        journal.add("a".to_owned(), &[1.5, 2.0]).unwrap();
        std::fs::write(&path, std::fs::read_to_string(&path).unwrap() + "{\"key\":\"b\",\"val")
            .unwrap();
        let mut journal = Journal::open(&path).unwrap();
        assert_eq!(journal.find::<Vec<f64>>("a"), Some(vec![1.5, 2.0]));
        assert_eq!(journal.find::<Vec<f64>>("b"), None);
        journal.add("b".to_owned(), &[3.0]).unwrap();
        let journal = Journal::open(&path).unwrap();
        assert_eq!(journal.find::<Vec<f64>>("b"), Some(vec![3.0]));
        std::fs::remove_dir_all(&dir).unwrap();
    }
}
