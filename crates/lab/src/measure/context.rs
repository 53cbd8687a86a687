//! Context of experiments and reproductions: seed, workers, measurement cache and progress.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::Serialize;
use serde::de::DeserializeOwned;
use tussle_catalog::Catalog;
use tussle_core::{Rng, StopFlag};
use tussle_engine::{Guard, Programs, cpu_time};

use super::cache::MeasurementCache;
use super::duel::file_name;
use crate::LabError;

/// Receiver of the progress of an experiment or a reproduction.
pub trait ProgressObserver {
    /// Begins work of this weight, which is an estimate of its time in milliseconds.
    fn begin(&mut self, what: &str, weight: u64);
    /// Reports that work of this weight is done.
    fn done(&mut self, weight: u64, news: &str);
}

/// Context in which measurements are made.
pub struct ExperimentContext<'a> {
    /// True for plans of minutes, false for plans of hours.
    pub is_quick: bool,
    /// Seed of everything random.
    pub seed: u64,
    /// Number of games played at once.
    pub jobs: usize,
    /// Number of games played at once under a time control, where each takes processor time from the others.
    pub timed_jobs: usize,
    /// Games and agents by name.
    pub catalog: Catalog,
    /// Settings for starting programs.
    pub programs: Programs,
    /// Ends the work early when raised.
    pub stop: StopFlag,
    pub(crate) observer: &'a mut dyn ProgressObserver,
    cache: MeasurementCache,
    /// Folder of the games; `None` if they are not kept.
    folder: Option<PathBuf>,
    load: Load,
}

/// Share of its time that a timed measurement may wait for a processor. A search that loses less reaches the same
/// depth or the next one.
const MAX_WAITING_SHARE: f64 = 0.2;

/// Counts of timed measurements, and of those that had to wait for a processor.
#[derive(Clone, Copy, Debug, Default)]
struct Load {
    measurements: u32,
    disturbed: u32,
}

impl Load {
    /// Counts a measurement of `wall` seconds with `worked` seconds of processor time.
    fn add(&mut self, [wall, worked]: [f64; 2]) {
        self.measurements += 1;
        self.disturbed += u32::from(wall - worked > MAX_WAITING_SHARE * wall);
    }

    fn warning(self) -> Option<String> {
        let Self { measurements, disturbed } = self;
        (disturbed > 0).then(|| {
            format!(
                "The machine was busy: {disturbed} of {measurements} timed measurements waited for a processor for more \
                 than {:.0} % of their time, so what was timed may differ on an idle machine.",
                100.0 * MAX_WAITING_SHARE
            )
        })
    }
}

impl<'a> ExperimentContext<'a> {
    /// Creates a context that keeps nothing on disk.
    pub fn new(observer: &'a mut dyn ProgressObserver) -> Self {
        Self {
            is_quick: true,
            seed: 1,
            jobs: 1,
            timed_jobs: 1,
            catalog: Catalog::standard(),
            programs: Programs::new(Guard::none()),
            stop: StopFlag::default(),
            observer,
            cache: MeasurementCache::in_memory(),
            folder: None,
            load: Load::default(),
        }
    }

    /// Creates a context that keeps measurements and games in a folder and reads those that it has.
    ///
    /// # Errors
    /// If the folder cannot be created or written.
    pub fn with_folder(
        folder: &Path,
        observer: &'a mut dyn ProgressObserver,
    ) -> Result<Self, LabError> {
        let refused = |error: io::Error| LabError::Folder(folder.to_owned(), error);
        std::fs::create_dir_all(folder).map_err(refused)?;
        let cache = MeasurementCache::open(&folder.join("measured.jsonl")).map_err(refused)?;
        Ok(Self { cache, folder: Some(folder.to_owned()), ..Self::new(observer) })
    }

    /// Announces work of this weight.
    pub fn begin(&mut self, what: &str, weight: u64) {
        self.observer.begin(what, weight);
    }

    /// Returns the seed of a numbered run.
    pub(crate) fn run_seed(&self, run: u32) -> u64 {
        Rng::derive(self.seed, &[run.into()]).next_u64()
    }

    /// Returns a measurement from the cache, or makes it. The key contains everything that the result depends on.
    ///
    /// # Errors
    /// If the measurement fails, cannot be kept, or the work was stopped.
    pub(crate) fn measure<T: Serialize + DeserializeOwned>(
        &mut self,
        key: &str,
        weight: u64,
        news: &str,
        measurement: impl FnOnce(&StopFlag) -> Result<T, LabError>,
    ) -> Result<T, LabError> {
        // Results may differ between versions.
        let key = &format!("{} {key}", env!("CARGO_PKG_VERSION"));
        if let Some(known) = self.cache.find(key) {
            self.observer.done(weight, news);
            return Ok(known);
        }
        if self.stop.is_stopped() {
            return Err(LabError::Stopped);
        }
        let value = measurement(&self.stop)?;
        // An interrupted measurement is not kept.
        if self.stop.is_stopped() {
            return Err(LabError::Stopped);
        }
        self.cache
            .add(key.to_owned(), &value)
            .map_err(|error| LabError::Folder(self.folder.clone().unwrap_or_default(), error))?;
        self.observer.done(weight, news);
        Ok(value)
    }

    /// Like [`measure`](Self::measure), for work of this thread whose result depends on the clock. Records how long the
    /// thread waited for a processor, for [`busy_warning`](Self::busy_warning).
    pub(crate) fn timed<T: Serialize + DeserializeOwned>(
        &mut self,
        key: &str,
        weight: u64,
        news: &str,
        measurement: impl FnOnce(&StopFlag) -> Result<T, LabError>,
    ) -> Result<T, LabError> {
        let mut spent = None;
        let value = self.measure(key, weight, news, |stop| {
            let (began, worked) = (Instant::now(), cpu_time());
            let value = measurement(stop)?;
            spent = Some([began.elapsed(), cpu_time().saturating_sub(worked)]);
            Ok(value)
        })?;
        self.take_time(key, spent)?;
        Ok(value)
    }

    /// Records the wall time and the processor time of a timed measurement; `None` takes those of an earlier run from
    /// the cache.
    pub(crate) fn take_time(
        &mut self,
        key: &str,
        spent: Option<[Duration; 2]>,
    ) -> Result<(), LabError> {
        let key = format!("{} processor time of {key}", env!("CARGO_PKG_VERSION"));
        let spent = match spent {
            Some(spent) => {
                let spent = spent.map(|time| time.as_secs_f64());
                self.cache.add(key, &spent).map_err(|error| {
                    LabError::Folder(self.folder.clone().unwrap_or_default(), error)
                })?;
                Some(spent)
            }
            None => self.cache.find(&key),
        };
        if let Some(spent) = spent {
            self.load.add(spent);
        }
        Ok(())
    }

    /// Returns a warning if timed measurements since the last call had to wait for a processor.
    pub(crate) fn busy_warning(&mut self) -> Option<String> {
        std::mem::take(&mut self.load).warning()
    }

    /// Returns the file for the games of a match; `None` if they are not kept.
    pub(crate) fn store(&self, key: &str) -> Result<Option<PathBuf>, LabError> {
        let Some(folder) = &self.folder else { return Ok(None) };
        let games = folder.join("games");
        std::fs::create_dir_all(&games).map_err(|error| LabError::Folder(games.clone(), error))?;
        let key = format!("{} {key}", env!("CARGO_PKG_VERSION"));
        Ok(Some(games.join(file_name(&key) + ".db")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Silent;

    impl ProgressObserver for Silent {
        fn begin(&mut self, _: &str, _: u64) {}
        fn done(&mut self, _: u64, _: &str) {}
    }

    #[test]
    fn a_timed_measurement_that_waits_for_a_processor_gives_a_warning() {
        let mut load = Load::default();
        load.add([1.0, 1.0]);
        load.add([1.0, 0.81]);
        assert_eq!(load.warning(), None);
        load.add([0.1, 0.05]);
        let warning = load.warning().unwrap();
        assert!(
            warning.starts_with("The machine was busy: 1 of 3 timed measurements"),
            "{warning}"
        );
    }

    #[test]
    fn a_resumed_run_gives_the_same_warning() {
        let folder = std::env::temp_dir().join(format!("tussle-busy-{}", std::process::id()));
        let run = || {
            let mut observer = Silent;
            let mut context = ExperimentContext::with_folder(&folder, &mut observer).unwrap();
            // A sleeping thread does not get processor time.
            let sleep = |_: &StopFlag| {
                std::thread::sleep(Duration::from_millis(20));
                Ok(7)
            };
            assert_eq!(context.timed("nap", 1, "", sleep).unwrap(), 7);
            [context.busy_warning(), context.busy_warning()]
        };
        let (first, second) = (run(), run());
        std::fs::remove_dir_all(&folder).unwrap();
        assert!(first[0].is_some() && first[1].is_none(), "{first:?}");
        assert_eq!(first, second);
    }
}
