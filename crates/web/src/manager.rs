//! Tournaments of a server: those it plays, each in its own thread, and the stores in its folder.
//!
//! As for `tussle tournament`, the store holds the whole state of a tournament. Results are read from the file, no matter
//! which process writes it, and a stopped tournament resumes from it.

mod request;
mod run;
mod store_folder;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Map, Value};
use tokio::sync::Semaphore;
use tussle_arena::{Schedule, Store, StoreError, Tournament, TournamentSpec};

use crate::Options;
use crate::api_error::ApiError;

pub(crate) use request::MAX_AGENTS;
use request::TournamentRequest;
pub(crate) use run::{Run, RunProgress};
use store_folder::StoreFolder;
pub(crate) use store_folder::{TournamentEntry, without_extension};

/// Maximum number of stores that are read at the same time. Each reader uses a core.
const MAX_READERS: usize = 2;

/// Maximum number of downloads at the same time. They have their own limit because a slow client can block them.
pub(crate) const MAX_DOWNLOADS: usize = 8;

/// Maximum number of ended runs whose state is kept in memory. Their stores stay in any case.
const MAX_ENDED_RUNS: usize = 100;

/// Interval at which [`TournamentManager::end`] checks whether the last games have ended.
const END_POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Runs and lists the tournaments of a server.
pub(crate) struct TournamentManager {
    stores: StoreFolder,
    options: Options,
    /// Runs of this server by name, including ended ones.
    runs: Mutex<BTreeMap<String, Arc<Run>>>,
    /// Permits to read a store.
    pub(crate) readers: Arc<Semaphore>,
    /// Permits to download.
    pub(crate) downloads: Arc<Semaphore>,
}

/// Tournament that was started or resumed.
pub(crate) struct StartedRun {
    pub(crate) name: String,
    /// True if the games stay when the server ends.
    pub(crate) kept: bool,
}

impl TournamentManager {
    pub(crate) fn new(options: &Options) -> Self {
        Self {
            stores: StoreFolder::new(&options.stores),
            options: options.clone(),
            runs: Mutex::default(),
            readers: Arc::new(Semaphore::new(MAX_READERS)),
            downloads: Arc::new(Semaphore::new(MAX_DOWNLOADS)),
        }
    }

    fn runs(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Run>>> {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the run of this name, if this server started one.
    pub(crate) fn run(&self, name: &str) -> Option<Arc<Run>> {
        self.runs().get(without_extension(name)).cloned()
    }

    /// Returns the path of the store folder, for messages.
    pub(crate) fn folder(&self) -> String {
        self.stores.folder().display().to_string()
    }

    /// Lists all tournaments, the latest first.
    pub(crate) fn list(&self) -> Result<Vec<TournamentEntry>, ApiError> {
        let unsaved: Vec<Arc<Run>> =
            self.runs().values().filter(|run| !run.kept).cloned().collect();
        let mut all = self.stores.list()?;
        all.extend(unsaved.iter().map(|run| store_folder::read_entry(&run.name, &run.path)));
        for entry in &mut all {
            entry.set_run(self.run(&entry.name).as_deref());
        }
        all.sort_by(|a, b| b.modified.cmp(&a.modified).then_with(|| a.name.cmp(&b.name)));
        self.stores.find_early_ends(&mut all, |name| self.path(name));
        Ok(all)
    }

    /// Returns the path of a tournament's store. The name must have been checked.
    fn path(&self, name: &str) -> PathBuf {
        self.run(name).map_or_else(|| self.stores.path(name), |run| run.path.clone())
    }

    /// Opens a tournament for reading.
    pub(crate) fn read(&self, name: &str) -> Result<Store, ApiError> {
        let name = store_folder::check_name(name)?;
        Store::read(&self.path(name)).map_err(|error| match error {
            StoreError::Missing(_) => {
                ApiError::not_found(format!("there is no tournament {name} in {}", self.folder()))
            }
            other => store_error(&other),
        })
    }

    /// Starts or resumes the tournament that a page requests.
    pub(crate) fn start(&self, fields: Map<String, Value>) -> Result<StartedRun, ApiError> {
        let request = TournamentRequest::read(fields, &self.options)?;
        let TournamentRequest { name, tournament, jobs } = request;
        let limit = self.options.limits.stores;
        let is_new = name.as_deref().is_none_or(|name| !self.stores.has(without_extension(name)));
        if is_new && self.stores.count() >= limit {
            return Err(ApiError::busy(format!(
                "the folder {} already has {limit} tournaments, the maximum; move some to another folder",
                self.folder()
            )));
        }
        let name = match name {
            Some(name) => store_folder::check_name(&name)?.to_owned(),
            None => self.stores.new_name(&tournament.spec().games[0], &self.names()),
        };
        self.begin(&name, tournament, jobs)
    }

    /// Resumes a stopped tournament.
    pub(crate) fn resume(&self, name: &str, jobs: Option<usize>) -> Result<StartedRun, ApiError> {
        jobs.map_or(Ok(()), request::check_jobs)?;
        let spec = self.read(name)?.spec().clone().with_recorded_options();
        let tournament = request::look_up(spec, &self.options)?;
        let before = self.run(name).map(|run| run.jobs);
        self.begin(store_folder::check_name(name)?, tournament, jobs.or(before).unwrap_or(1))
    }

    /// Stops a tournament after its current games.
    pub(crate) fn stop(&self, name: &str) -> Result<(), ApiError> {
        if let Some(run) = self.run(name).filter(|run| run.is_running()) {
            run.stop();
            return Ok(());
        }
        self.read(name)?; // an error if the tournament does not exist
        Err(ApiError::conflict(format!("{name}: this server is not playing this tournament")))
    }

    /// Stops all tournaments and waits at most `timeout` for the games that are being played.
    ///
    /// Games that are already stored are safe in any case.
    pub(crate) fn end(&self, timeout: Duration) {
        let runs: Vec<Arc<Run>> = self.runs().values().cloned().collect();
        for run in &runs {
            run.stop();
        }
        let end = Instant::now() + timeout;
        while runs.iter().any(|run| run.is_running()) && Instant::now() < end {
            std::thread::sleep(END_POLL_INTERVAL);
        }
    }

    fn names(&self) -> Vec<String> {
        self.runs().keys().cloned().collect()
    }

    fn begin(
        &self,
        name: &str,
        tournament: Tournament,
        jobs: usize,
    ) -> Result<StartedRun, ApiError> {
        let games = tournament.schedule().share();
        let threads = request::threads(tournament.spec());
        let run = Run::new(name, self.stores.path(name), (jobs, threads), games);
        let previous = self.reserve(&run)?;
        match self.open(name, tournament.spec(), previous.as_deref()) {
            Ok((store, kept)) => {
                let run = run.with_store(store.path(), kept);
                self.runs().insert(name.to_owned(), run.clone());
                run.clone().play(tournament, store, self.options.guard.clone()).map_err(
                    |error| {
                        run.fail(&error.to_string());
                        ApiError::internal(error)
                    },
                )?;
                Ok(StartedRun { name: name.to_owned(), kept })
            }
            Err(error) => {
                let mut runs = self.runs();
                runs.remove(name);
                runs.extend(previous.map(|previous| (name.to_owned(), previous)));
                Err(error)
            }
        }
    }

    /// Registers a run if the limits of the server allow it, and returns the previous run of the same name.
    fn reserve(&self, run: &Arc<Run>) -> Result<Option<Arc<Run>>, ApiError> {
        let limits = &self.options.limits;
        let mut runs = self.runs();
        if runs.get(&run.name).is_some_and(|run| run.is_running()) {
            return Err(ApiError::conflict(format!(
                "{}: this tournament is already being played",
                run.name
            )));
        }
        let playing = || runs.values().filter(|run| run.is_running());
        if playing().count() >= limits.tournaments {
            return Err(ApiError::busy(format!(
                "this server plays at most {} tournaments at the same time; stop one first",
                limits.tournaments
            )));
        }
        // A game whose agents use N threads counts as N games.
        let taken: usize = playing().map(|run| run.jobs.saturating_mul(run.threads)).sum();
        if run.jobs.saturating_mul(run.threads) > limits.jobs - taken.min(limits.jobs) {
            let threads = match run.threads {
                1 => String::new(),
                threads => format!(" (threads={threads} counts as {threads} games)"),
            };
            return Err(ApiError::busy(format!(
                "jobs: this server plays at most {} games in parallel{threads}, and {taken} are taken; use fewer jobs \
                 or stop another tournament",
                limits.jobs
            )));
        }
        // Forget the run of a store in the folder first: a store in the temporary folder is known only by its run.
        let ended = |run: &Arc<Run>| !run.is_running();
        if runs.values().filter(|run| ended(run)).count() >= MAX_ENDED_RUNS {
            let forgotten =
                runs.values().find(|run| ended(run) && run.kept).map(|run| run.name.clone());
            match forgotten {
                Some(forgotten) => runs.remove(&forgotten),
                None if runs.contains_key(&run.name) => None,
                None => {
                    return Err(ApiError::busy(
                        "the store folder is not writable, and the server cannot keep more temporary tournaments; \
                         restart it with another folder (--stores)",
                    ));
                }
            };
        }
        Ok(runs.insert(run.name.clone(), run.clone()))
    }

    /// Opens or creates the store of a tournament; returns it and whether it stays when the server ends.
    fn open(
        &self,
        name: &str,
        spec: &TournamentSpec,
        previous: Option<&Run>,
    ) -> Result<(Store, bool), ApiError> {
        let open = |path: &Path| Store::open_or_create(path, spec);
        if let Some(run) = previous.filter(|run| !run.kept) {
            return Ok((open(&run.path).map_err(|e| store_error(&e))?, false));
        }
        let path = self.stores.path(name);
        let kept =
            self.stores.create().map_err(|source| StoreError::Io { path: path.clone(), source });
        match kept.and_then(|()| open(&path)) {
            Ok(store) => Ok((store, true)),
            Err(StoreError::ReadOnly(_) | StoreError::Io { .. }) if !path.exists() => {
                let temporary = self.stores.temporary_path(name).map_err(ApiError::internal)?;
                Ok((open(&temporary).map_err(|e| store_error(&e))?, false))
            }
            Err(error) => Err(store_error(&error)),
        }
    }
}

/// Returns the number of games in a store when all are played.
pub(crate) fn total_games(spec: &TournamentSpec) -> u64 {
    Schedule::new(spec, spec.players).share()
}

/// Converts an error of a store.
pub(crate) fn store_error(error: &StoreError) -> ApiError {
    match error {
        StoreError::Changed { .. } | StoreError::Locked { .. } => ApiError::conflict(error),
        StoreError::Missing(_) => ApiError::not_found(error),
        error if error.is_usage() => ApiError::bad_request(error),
        error => ApiError::internal(error),
    }
}
