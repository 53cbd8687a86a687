//! A tournament that this server plays.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use serde::Serialize;
use tokio::sync::watch;
use tussle_arena::{Event, Record, Store, StoreError, Tournament, export, run};
use tussle_core::StopFlag;
use tussle_engine::Guard;
use tussle_stats::{SprtStatus, Wdl};
use utoipa::ToSchema;

/// Maximum number of notes of a run. Only the first ones are kept.
const MAX_NOTES: usize = 20;

/// Error of a tournament that cannot be started.
#[derive(Debug, thiserror::Error)]
pub(super) enum PlayError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("cannot start a thread for the tournament: {0}")]
    Thread(#[source] io::Error),
}

/// Tournament that this server plays or has played.
pub(crate) struct Run {
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    /// True if the store stays when the server ends.
    pub(crate) kept: bool,
    pub(crate) jobs: usize,
    /// Number of threads of each game.
    pub(crate) threads: usize,
    stop: StopFlag,
    progress: watch::Sender<RunProgress>,
}

/// Progress of a run.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct RunProgress {
    pub(crate) running: bool,
    /// True if the run stops after the current games.
    pub(crate) stopping: bool,
    /// Number of games in the store.
    pub(crate) played: u64,
    /// Number of games when the run is complete. Withdrawals reduce it.
    pub(crate) scheduled: u64,
    /// Game that ended last.
    pub(crate) latest: Option<LatestGame>,
    /// Wins, draws and losses of each agent in this run.
    pub(crate) scores: Vec<Wdl>,
    /// SPRT status.
    pub(crate) sprt: Option<SprtStatus>,
    /// Estimated seconds until the end.
    pub(crate) eta_s: Option<f64>,
    /// Lines about faults, reruns and withdrawn agents.
    pub(crate) notes: Vec<String>,
    /// Error that ended the run early.
    pub(crate) error: Option<String>,
    /// Start of this run.
    #[serde(skip)]
    pub(crate) started: Instant,
    /// Number of games in the store at the start of this run.
    #[serde(skip)]
    pub(crate) games_before: u64,
}

/// Game that ended last.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct LatestGame {
    id: u64,
    agents: Vec<String>,
    result: String,
    #[schema(value_type = crate::openapi::VerdictName)]
    verdict: &'static str,
}

impl Run {
    /// Creates a run with this number of parallel games and threads per game.
    pub(super) fn new(
        name: &str,
        path: PathBuf,
        (jobs, threads): (usize, usize),
        scheduled: u64,
    ) -> Arc<Self> {
        let progress = RunProgress {
            running: true,
            stopping: false,
            played: 0,
            scheduled,
            latest: None,
            scores: Vec::new(),
            sprt: None,
            eta_s: None,
            notes: Vec::new(),
            error: None,
            started: Instant::now(),
            games_before: 0,
        };
        let (name, progress) = (name.to_owned(), watch::Sender::new(progress));
        let stop = StopFlag::default();
        Arc::new(Self { name, path, kept: true, jobs, threads, stop, progress })
    }

    /// Returns this run with the path of its store.
    pub(super) fn with_store(&self, path: &Path, kept: bool) -> Arc<Self> {
        let progress = watch::Sender::new(self.progress.borrow().clone());
        let (name, path, stop) = (self.name.clone(), path.to_owned(), self.stop.clone());
        let (jobs, threads) = (self.jobs, self.threads);
        Arc::new(Self { name, path, kept, jobs, threads, stop, progress })
    }

    pub(crate) fn is_running(&self) -> bool {
        self.progress.borrow().running
    }

    /// Subscribes to the progress of the run.
    pub(crate) fn progress(&self) -> watch::Receiver<RunProgress> {
        self.progress.subscribe()
    }

    pub(super) fn stop(&self) {
        self.stop.stop();
        self.progress.send_modify(|progress| progress.stopping = progress.running);
    }

    pub(super) fn fail(&self, error: &str) {
        self.progress.send_modify(|progress| {
            progress.running = false;
            progress.error = Some(error.to_owned());
        });
    }

    /// Plays the missing games in a new thread.
    pub(super) fn play(
        self: Arc<Self>,
        tournament: Tournament,
        mut store: Store,
        guard: Guard,
    ) -> Result<(), PlayError> {
        let agents = tournament.spec().agents.len();
        let stored = store.len()?;
        self.progress.send_modify(|progress| {
            (progress.played, progress.games_before) = (stored, stored);
            progress.scores = vec![Wdl::default(); agents];
        });
        let work = move || {
            let end = EndGuard(&self);
            let mut on_event = |event: Event<'_>| {
                self.progress.send_modify(|progress| progress.add_event(&tournament, &event));
            };
            let played = run(&tournament, &mut store, &guard, self.jobs, &self.stop, &mut on_event);
            if let Err(error) = played {
                self.progress.send_modify(|progress| progress.error = Some(error.to_string()));
            }
            // Close the store first: a client that sees the end may open it for writing.
            drop(store);
            drop(end);
        };
        let thread = std::thread::Builder::new().name("tussle-tournament".to_owned());
        thread.spawn(work).map(drop).map_err(PlayError::Thread)
    }
}

/// Reports the end of a run when dropped, even after a panic.
struct EndGuard<'a>(&'a Run);

impl Drop for EndGuard<'_> {
    fn drop(&mut self) {
        let is_panic = std::thread::panicking();
        self.0.progress.send_modify(|progress| {
            (progress.running, progress.stopping, progress.eta_s) = (false, false, None);
            if is_panic && progress.error.is_none() {
                progress.error = Some(
                    "internal error: the run panicked; its finished games are stored".to_owned(),
                );
            }
        });
    }
}

impl RunProgress {
    fn add_event(&mut self, tournament: &Tournament, event: &Event<'_>) {
        let config = tournament.spec();
        if self.notes.len() < MAX_NOTES {
            self.notes.extend(event.line(config));
        }
        if let Event::Started(outlook) | Event::Withdrawn(_, outlook) = event {
            self.scheduled = outlook.attainable();
        }
        if let Event::Finished(record, test) = event {
            self.count(record);
            self.sprt = *test;
            let names = export::names(config, record);
            self.latest = Some(LatestGame {
                id: record.id,
                agents: names.into_iter().map(str::to_owned).collect(),
                result: export::result(record),
                verdict: record.verdict.as_str(),
            });
        }
    }

    fn count(&mut self, record: &Record) {
        self.played += 1;
        for (seat, &agent) in record.seats.iter().enumerate() {
            if let Some(score) = self.scores.get_mut(agent).filter(|_| !record.is_void()) {
                score.add(record.result(seat));
            }
        }
        let seconds_per_game =
            self.started.elapsed().as_secs_f64() / (self.played - self.games_before) as f64;
        self.eta_s = Some(seconds_per_game * self.scheduled.saturating_sub(self.played) as f64);
    }
}
