//! The tournaments of a server: those it plays, each in a thread of its own, and the stores of one folder.
//!
//! A store is the only truth about a tournament, here as for `tussle tournament`: what is shown is read from
//! the file, whoever writes to it, and a tournament that was stopped goes on from it.

mod request;
mod run;
mod shelf;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Map, Value};
use tokio::sync::Semaphore;
use tussle_arena::{Schedule, Store, StoreError, Tournament, TournamentSpec};

use crate::Options;
use crate::refusal::Refusal;

pub(crate) use request::MAX_AGENTS;
use request::TournamentRequest;
pub(crate) use run::{News, Run};
use shelf::Shelf;
pub(crate) use shelf::{Listed, bare};

/// Stores that are read through at once: each takes a core.
const READERS: usize = 2;

/// Downloads at once. They wait for whoever takes them, so they must not keep readers waiting.
pub(crate) const DOWNLOADS: usize = 8;

/// Tournaments that have ended and are remembered; their stores are there all the same.
const REMEMBERED: usize = 100;

/// How often we look whether the last games have ended.
const LOOK: Duration = Duration::from_millis(20);

/// The tournaments of a server.
pub(crate) struct Hall {
    shelf: Shelf,
    options: Options,
    /// Those that were played here, by name; also when they have ended.
    runs: Mutex<BTreeMap<String, Arc<Run>>>,
    /// One for every store that may be read through.
    pub(crate) readers: Arc<Semaphore>,
    /// One for every download.
    pub(crate) downloads: Arc<Semaphore>,
}

/// A tournament that was begun.
pub(crate) struct Begun {
    pub(crate) name: String,
    /// Whether its games outlive the server.
    pub(crate) kept: bool,
}

impl Hall {
    pub(crate) fn new(options: &Options) -> Self {
        Self {
            shelf: Shelf::new(&options.stores),
            options: options.clone(),
            runs: Mutex::default(),
            readers: Arc::new(Semaphore::new(READERS)),
            downloads: Arc::new(Semaphore::new(DOWNLOADS)),
        }
    }

    fn runs(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Run>>> {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The run of this name, if it was begun here.
    pub(crate) fn run(&self, name: &str) -> Option<Arc<Run>> {
        self.runs().get(bare(name)).cloned()
    }

    /// The folder of the stores, as people know it.
    pub(crate) fn folder(&self) -> String {
        self.shelf.folder().display().to_string()
    }

    /// All tournaments, the latest first.
    pub(crate) fn list(&self) -> Result<Vec<Listed>, Refusal> {
        let elsewhere: Vec<Arc<Run>> =
            self.runs().values().filter(|run| !run.kept).cloned().collect();
        let mut all = self.shelf.list()?;
        all.extend(elsewhere.iter().map(|run| shelf::listed(&run.name, &run.path)));
        for listed in &mut all {
            listed.set_run(self.run(&listed.name).as_deref());
        }
        all.sort_by(|a, b| b.modified.cmp(&a.modified).then_with(|| a.name.cmp(&b.name)));
        self.shelf.look_for_ends(&mut all, |name| self.path(name));
        Ok(all)
    }

    /// Where a tournament is; its name was checked.
    fn path(&self, name: &str) -> PathBuf {
        self.run(name).map_or_else(|| self.shelf.path(name), |run| run.path.clone())
    }

    /// Opens a tournament for reading.
    pub(crate) fn read(&self, name: &str) -> Result<Store, Refusal> {
        let name = shelf::checked(name)?;
        Store::read(&self.path(name)).map_err(|error| match error {
            StoreError::Missing(_) => {
                Refusal::missing(format!("there is no tournament {name} in {}", self.folder()))
            }
            other => refusal(&other),
        })
    }

    /// Begins the tournament that a page asks for, or resumes it.
    pub(crate) fn start(&self, fields: Map<String, Value>) -> Result<Begun, Refusal> {
        let request = TournamentRequest::read(fields, &self.options)?;
        let TournamentRequest { name, tournament, jobs } = request;
        let most = self.options.limits.stores;
        let is_new = name.as_deref().is_none_or(|name| !self.shelf.has(bare(name)));
        if is_new && self.shelf.count() >= most {
            return Err(Refusal::busy(format!(
                "{} has {most} tournaments, which is all a page may make; move some away",
                self.folder()
            )));
        }
        let name = match name {
            Some(name) => shelf::checked(&name)?.to_owned(),
            None => self.shelf.new_name(&tournament.spec().games[0], &self.taken()),
        };
        self.begin(&name, tournament, jobs)
    }

    /// Goes on with a tournament that was stopped.
    pub(crate) fn resume(&self, name: &str, jobs: Option<usize>) -> Result<Begun, Refusal> {
        jobs.map_or(Ok(()), request::check_jobs)?;
        let spec = self.read(name)?.spec().clone();
        let tournament = request::look_up(spec, &self.options)?;
        let before = self.run(name).map(|run| run.jobs);
        self.begin(shelf::checked(name)?, tournament, jobs.or(before).unwrap_or(1))
    }

    /// Lets the current games end, and begins no other.
    pub(crate) fn stop(&self, name: &str) -> Result<(), Refusal> {
        if let Some(run) = self.run(name).filter(|run| run.is_running()) {
            run.stop();
            return Ok(());
        }
        self.read(name)?; // what is not there cannot be stopped either
        Err(Refusal::conflict(format!("{name} is not being played by this server")))
    }

    /// Begins no game more, and waits a little for those that are being played. What is in the
    /// stores is safe in any case.
    pub(crate) fn end(&self, patience: Duration) {
        let runs: Vec<Arc<Run>> = self.runs().values().cloned().collect();
        for run in &runs {
            run.stop();
        }
        let end = Instant::now() + patience;
        while runs.iter().any(|run| run.is_running()) && Instant::now() < end {
            std::thread::sleep(LOOK);
        }
    }

    fn taken(&self) -> Vec<String> {
        self.runs().keys().cloned().collect()
    }

    fn begin(&self, name: &str, tournament: Tournament, jobs: usize) -> Result<Begun, Refusal> {
        let share = tournament.schedule().share();
        let threads = request::threads(tournament.spec());
        let run = Run::new(name, self.shelf.path(name), (jobs, threads), share);
        let before = self.claim(&run)?;
        match self.open(name, tournament.spec(), before.as_deref()) {
            Ok((store, kept)) => {
                // Where it really is.
                let run = run.at(store.path(), kept);
                self.runs().insert(name.to_owned(), run.clone());
                run.clone().play(tournament, store, self.options.guard.clone()).map_err(|why| {
                    run.fail(&why.to_string());
                    Refusal::failed(why)
                })?;
                Ok(Begun { name: name.to_owned(), kept })
            }
            Err(why) => {
                let mut runs = self.runs();
                runs.remove(name);
                runs.extend(before.map(|before| (name.to_owned(), before)));
                Err(why)
            }
        }
    }

    /// Takes a place for a run, if there is one; gives back the run that had the name before.
    fn claim(&self, run: &Arc<Run>) -> Result<Option<Arc<Run>>, Refusal> {
        let limits = &self.options.limits;
        let mut runs = self.runs();
        if runs.get(&run.name).is_some_and(|run| run.is_running()) {
            return Err(Refusal::conflict(format!("{} is being played already", run.name)));
        }
        let playing = || runs.values().filter(|run| run.is_running());
        if playing().count() >= limits.tournaments {
            return Err(Refusal::busy(format!(
                "{} tournaments are being played, which is all this server does; stop one first",
                limits.tournaments
            )));
        }
        // A game whose agents have threads counts as so many games.
        let taken: usize = playing().map(|run| run.jobs.saturating_mul(run.threads)).sum();
        if run.jobs.saturating_mul(run.threads) > limits.jobs - taken.min(limits.jobs) {
            let threads = match run.threads {
                1 => String::new(),
                threads => format!(" (threads={threads} counts as {threads} games)"),
            };
            return Err(Refusal::busy(format!(
                "this server plays at most {} games at once{threads}, {taken} of which are taken; ask for fewer, or \
                 stop another tournament",
                limits.jobs
            )));
        }
        // A store in the folder is found without us; one that is not kept is only known here.
        let ended = |run: &Arc<Run>| !run.is_running();
        if runs.values().filter(|run| ended(run)).count() >= REMEMBERED {
            let lost = runs.values().find(|run| ended(run) && run.kept).map(|run| run.name.clone());
            match lost {
                Some(lost) => runs.remove(&lost),
                None if runs.contains_key(&run.name) => None,
                None => {
                    return Err(Refusal::busy(
                        "the folder cannot be written, and no more tournaments fit in here; start the server \
                         with another one (--stores)",
                    ));
                }
            };
        }
        Ok(runs.insert(run.name.clone(), run.clone()))
    }

    /// The store of a tournament, and whether it outlives the server.
    fn open(
        &self,
        name: &str,
        spec: &TournamentSpec,
        before: Option<&Run>,
    ) -> Result<(Store, bool), Refusal> {
        let open = |path: &Path| Store::open_or_create(path, spec);
        if let Some(run) = before.filter(|run| !run.kept) {
            return Ok((open(&run.path).map_err(|e| refusal(&e))?, false));
        }
        let path = self.shelf.path(name);
        let kept =
            self.shelf.make().map_err(|why| StoreError::Io { path: path.clone(), source: why });
        match kept.and_then(|()| open(&path)) {
            Ok(store) => Ok((store, true)),
            Err(StoreError::ReadOnly(_) | StoreError::Io { .. }) if !path.exists() => {
                let spare = self.shelf.spare(name).map_err(Refusal::failed)?;
                Ok((open(&spare).map_err(|e| refusal(&e))?, false))
            }
            Err(error) => Err(refusal(&error)),
        }
    }
}

/// How many games a store has when all are played.
pub(crate) fn share(spec: &TournamentSpec) -> u64 {
    Schedule::new(spec, spec.players).share()
}

/// Why a store cannot be used, as the arena says it.
pub(crate) fn refusal(error: &StoreError) -> Refusal {
    match error {
        StoreError::Changed { .. } | StoreError::Locked { .. } => Refusal::conflict(error),
        StoreError::Missing(_) => Refusal::missing(error),
        error if error.is_usage() => Refusal::wrong(error),
        error => Refusal::failed(error),
    }
}
