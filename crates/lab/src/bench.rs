//! Where experiments are carried out: what they may spend, what they remember, who watches.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::Serialize;
use serde::de::DeserializeOwned;
use tussle_core::StopFlag;
use tussle_engine::cpu_time;

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
    load: Load,
}

/// Share of its time that a timed measurement may wait for a processor. A search that loses less comes to the same
/// depth, or to the next one.
const MAX_WAITING_SHARE: f64 = 0.2;

/// Counts of timed measurements, and of those that had to wait for a processor.
#[derive(Clone, Copy, Debug, Default)]
struct Load {
    measurements: u32,
    disturbed: u32,
}

impl Load {
    /// Counts a measurement of `wall` seconds in which a processor worked for `worked` seconds.
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
            load: Load::default(),
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

    /// Like [`measure`](Self::measure), for work of this thread alone whose result depends on the clock: takes down
    /// how long the thread waited for a processor, which [`busy_warning`](Self::busy_warning) tells.
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

    /// Takes down the time that something timed took and the processor time it had. Without them, those of an
    /// earlier run of the same thing count, if they were kept.
    pub(crate) fn take_time(
        &mut self,
        key: &str,
        spent: Option<[Duration; 2]>,
    ) -> Result<(), LabError> {
        let key = format!("{} processor time of {key}", env!("CARGO_PKG_VERSION"));
        let spent = match spent {
            Some(spent) => {
                let spent = spent.map(|time| time.as_secs_f64());
                self.journal.add(key, &spent).map_err(|error| {
                    LabError::Folder(self.folder.clone().unwrap_or_default(), error)
                })?;
                Some(spent)
            }
            None => self.journal.find(&key),
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

    /// The file for the games of a match, if they are kept.
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

    struct SilentWatch;

    impl Watch for SilentWatch {
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
    fn the_warning_survives_a_run_that_goes_on_later() {
        let folder = std::env::temp_dir().join(format!("tussle-busy-{}", std::process::id()));
        let run = || {
            let mut watch = SilentWatch;
            let mut bench = Bench::keeping(&folder, &mut watch).unwrap();
            // A thread that sleeps has no processor for as long.
            let sleep = |_: &StopFlag| {
                std::thread::sleep(Duration::from_millis(20));
                Ok(7)
            };
            assert_eq!(bench.timed("nap", 1, "", sleep).unwrap(), 7);
            [bench.busy_warning(), bench.busy_warning()]
        };
        let (first, second) = (run(), run());
        std::fs::remove_dir_all(&folder).unwrap();
        assert!(first[0].is_some() && first[1].is_none(), "{first:?}");
        assert_eq!(first, second);
    }
}
