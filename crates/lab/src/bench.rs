//! Where experiments are carried out: what they may spend, what they remember, who watches.

use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use tussle_core::StopFlag;

use crate::duel::file_name;
use crate::{Journal, LabError};

/// Who wants to know how far the work is.
pub trait Watch {
    /// Work of so much weight begins: milliseconds, about.
    fn begin(&mut self, what: &str, weight: u64);
    /// So much of it is done.
    fn done(&mut self, weight: u64, news: &str);
}

/// Where measurements are made.
pub struct Bench<'a> {
    /// Minutes instead of hours.
    pub is_quick: bool,
    /// Seed of everything random.
    pub seed: u64,
    /// Games at once.
    pub jobs: usize,
    /// Games at once where a clock runs: each takes time from the others.
    pub timed_jobs: usize,
    /// Raised by whoever wants it to end.
    pub stop: StopFlag,
    pub(crate) watch: &'a mut dyn Watch,
    journal: Journal,
    /// Where games are kept.
    folder: Option<PathBuf>,
}

impl<'a> Bench<'a> {
    /// One that forgets everything.
    pub fn new(watch: &'a mut dyn Watch) -> Self {
        Self {
            is_quick: true,
            seed: 1,
            jobs: 1,
            timed_jobs: 1,
            stop: StopFlag::default(),
            watch,
            journal: Journal::forgetful(),
            folder: None,
        }
    }

    /// One that keeps what it measured in a folder, and goes on from there.
    ///
    /// # Errors
    /// If the folder cannot be made or written.
    pub fn keeping(folder: &Path, watch: &'a mut dyn Watch) -> Result<Self, LabError> {
        let refused = |error: io::Error| LabError::Folder(folder.to_owned(), error);
        std::fs::create_dir_all(folder).map_err(refused)?;
        let journal = Journal::open(&folder.join("measured.jsonl")).map_err(refused)?;
        Ok(Self { journal, folder: Some(folder.to_owned()), ..Self::new(watch) })
    }

    /// Announces work of so much weight.
    pub fn begin(&mut self, what: &str, weight: u64) {
        self.watch.begin(what, weight);
    }

    /// One measurement: what is known of it, or what it gives now. The key says all that it depends on.
    ///
    /// # Errors
    /// If the measurement fails, cannot be kept, or the work was stopped.
    pub fn measure<T: Serialize + DeserializeOwned>(
        &mut self,
        key: &str,
        weight: u64,
        news: &str,
        measurement: impl FnOnce(&StopFlag) -> Result<T, LabError>,
    ) -> Result<T, LabError> {
        // Another version may measure something else.
        let key = &format!("{} {key}", env!("CARGO_PKG_VERSION"));
        if let Some(known) = self.journal.find(key) {
            self.watch.done(weight, news);
            return Ok(known);
        }
        if self.stop.is_stopped() {
            return Err(LabError::Stopped);
        }
        let value = measurement(&self.stop)?;
        // What was cut short is no measurement.
        if self.stop.is_stopped() {
            return Err(LabError::Stopped);
        }
        self.journal
            .add(key.to_owned(), &value)
            .map_err(|error| LabError::Folder(self.folder.clone().unwrap_or_default(), error))?;
        self.watch.done(weight, news);
        Ok(value)
    }

    /// The file for the games of a match, if they are kept.
    pub(crate) fn store(&self, key: &str) -> Result<Option<PathBuf>, LabError> {
        let Some(folder) = &self.folder else { return Ok(None) };
        let games = folder.join("games");
        std::fs::create_dir_all(&games).map_err(|error| LabError::Folder(games.clone(), error))?;
        let key = format!("{} {key}", env!("CARGO_PKG_VERSION"));
        Ok(Some(games.join(file_name(&key) + ".db")))
    }
}
