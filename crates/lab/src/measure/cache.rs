//! File of finished measurements, read when an interrupted run resumes.
//!
//! Each line is a JSON object with the key and the result of a measurement. An incomplete line, which a killed run
//! leaves behind, is ignored.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tussle_catalog::file::{ReadError, read_bytes};

/// Finished measurements by key.
#[derive(Debug)]
pub(super) struct MeasurementCache {
    known: HashMap<String, serde_json::Value>,
    /// `None` for a cache in memory only.
    file: Option<File>,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    key: String,
    value: serde_json::Value,
}

impl MeasurementCache {
    /// Opens a cache file and reads its measurements.
    ///
    /// # Errors
    /// If the file cannot be read or written.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
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
        // An incomplete line gets its end, so that the next one is complete.
        if !text.is_empty() && !text.ends_with('\n') {
            file.write_all(b"\n")?;
        }
        Ok(Self { known, file: Some(file) })
    }

    /// Creates a cache without a file.
    pub(super) fn in_memory() -> Self {
        Self { known: HashMap::new(), file: None }
    }

    /// Returns a finished measurement.
    pub(super) fn find<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        self.known.get(key).and_then(|value| T::deserialize(value).ok())
    }

    /// Adds a finished measurement.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(super) fn add<T: Serialize>(&mut self, key: String, value: &T) -> io::Result<()> {
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
    fn a_reopened_cache_has_its_measurements_and_ignores_an_incomplete_line() {
        let dir = std::env::temp_dir().join(format!("tussle-cache-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        let path = dir.join("cells.jsonl");
        let _ = std::fs::remove_file(&path);
        let mut cache = MeasurementCache::open(&path).unwrap();
        cache.add("a".to_owned(), &[1.5, 2.0]).unwrap();
        std::fs::write(&path, std::fs::read_to_string(&path).unwrap() + "{\"key\":\"b\",\"val")
            .unwrap();
        let mut cache = MeasurementCache::open(&path).unwrap();
        assert_eq!(cache.find::<Vec<f64>>("a"), Some(vec![1.5, 2.0]));
        assert_eq!(cache.find::<Vec<f64>>("b"), None);
        cache.add("b".to_owned(), &[3.0]).unwrap();
        let cache = MeasurementCache::open(&path).unwrap();
        assert_eq!(cache.find::<Vec<f64>>("b"), Some(vec![3.0]));
        std::fs::remove_dir_all(&dir).unwrap();
    }
}
