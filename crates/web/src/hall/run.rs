//! A tournament that is played here.

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

/// Things that happened and are worth a line; the first ones tell the story.
const NOTES: usize = 20;

/// Error of a tournament that cannot be started.
#[derive(Debug, thiserror::Error)]
pub(super) enum PlayError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("no thread for another tournament: {0}")]
    Thread(#[source] io::Error),
}

/// A tournament that is played here, or was.
pub(crate) struct Run {
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    /// Whether its store outlives the server.
    pub(crate) kept: bool,
    pub(crate) jobs: usize,
    /// Threads of each of its games.
    pub(crate) threads: usize,
    stop: StopFlag,
    news: watch::Sender<News>,
}

/// How far a run has come.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct News {
    pub(crate) running: bool,
    /// It ends when the current games have.
    pub(crate) stopping: bool,
    /// Games in the store.
    pub(crate) played: u64,
    /// Games when all that can be played is played; withdrawals make them fewer.
    pub(crate) scheduled: u64,
    /// The game that ended last.
    pub(crate) latest: Option<Latest>,
    /// By agent, the games of this run.
    pub(crate) scores: Vec<Wdl>,
    /// Where the test stands.
    pub(crate) sprt: Option<SprtStatus>,
    /// Seconds until the end, if it goes on like this.
    pub(crate) eta_s: Option<f64>,
    /// What else happened: losses by other verdicts, games played again, agents withdrawn.
    pub(crate) notes: Vec<String>,
    /// Why it ended before its time.
    pub(crate) error: Option<String>,
    /// When this run began, and how many games were there already.
    #[serde(skip)]
    pub(crate) began: Instant,
    #[serde(skip)]
    pub(crate) before: u64,
}

/// The game that ended last.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Latest {
    id: u64,
    agents: Vec<String>,
    result: String,
    #[schema(value_type = crate::openapi::VerdictName)]
    verdict: &'static str,
}

impl Run {
    /// Games at once, and threads of each.
    pub(super) fn new(
        name: &str,
        path: PathBuf,
        (jobs, threads): (usize, usize),
        scheduled: u64,
    ) -> Arc<Self> {
        let news = News {
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
            began: Instant::now(),
            before: 0,
        };
        let (name, news) = (name.to_owned(), watch::Sender::new(news));
        let stop = StopFlag::default();
        Arc::new(Self { name, path, kept: true, jobs, threads, stop, news })
    }

    /// The same with its store.
    pub(super) fn at(&self, path: &Path, kept: bool) -> Arc<Self> {
        let news = watch::Sender::new(self.news.borrow().clone());
        let (name, path, stop) = (self.name.clone(), path.to_owned(), self.stop.clone());
        let (jobs, threads) = (self.jobs, self.threads);
        Arc::new(Self { name, path, kept, jobs, threads, stop, news })
    }

    pub(crate) fn is_running(&self) -> bool {
        self.news.borrow().running
    }

    /// How far it has come, from now on.
    pub(crate) fn news(&self) -> watch::Receiver<News> {
        self.news.subscribe()
    }

    pub(super) fn stop(&self) {
        self.stop.stop();
        self.news.send_modify(|news| news.stopping = news.running);
    }

    pub(super) fn fail(&self, why: &str) {
        self.news.send_modify(|news| {
            news.running = false;
            news.error = Some(why.to_owned());
        });
    }

    /// Plays what is missing, in a thread of its own.
    pub(super) fn play(
        self: Arc<Self>,
        tournament: Tournament,
        mut store: Store,
        guard: Guard,
    ) -> Result<(), PlayError> {
        let agents = tournament.spec().agents.len();
        let before = store.len()?;
        self.news.send_modify(|news| {
            (news.played, news.before) = (before, before);
            news.scores = vec![Wdl::default(); agents];
        });
        let work = move || {
            let ended = Ended(&self);
            let mut tell = |event: Event<'_>| {
                self.news.send_modify(|news| news.take(&tournament, &event));
            };
            let played = run(&tournament, &mut store, &guard, self.jobs, &self.stop, &mut tell);
            if let Err(error) = played {
                self.news.send_modify(|news| news.error = Some(error.to_string()));
            }
            // Whoever hears of the end may open it for writing.
            drop(store);
            drop(ended);
        };
        let thread = std::thread::Builder::new().name("tussle-tournament".to_owned());
        thread.spawn(work).map(drop).map_err(PlayError::Thread)
    }
}

/// Says that a run has ended, however it came to that.
struct Ended<'a>(&'a Run);

impl Drop for Ended<'_> {
    fn drop(&mut self) {
        let broken = std::thread::panicking();
        self.0.news.send_modify(|news| {
            (news.running, news.stopping, news.eta_s) = (false, false, None);
            if broken && news.error.is_none() {
                news.error =
                    Some("the run broke off; what it has played is in the store".to_owned());
            }
        });
    }
}

impl News {
    fn take(&mut self, tournament: &Tournament, event: &Event<'_>) {
        let config = tournament.spec();
        if self.notes.len() < NOTES {
            self.notes.extend(event.line(config));
        }
        if let Event::Started(outlook) | Event::Withdrawn(_, outlook) = event {
            self.scheduled = outlook.attainable();
        }
        if let Event::Finished(record, test) = event {
            self.count(record);
            self.sprt = *test;
            let names = export::names(config, record);
            self.latest = Some(Latest {
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
        let each = self.began.elapsed().as_secs_f64() / (self.played - self.before) as f64;
        self.eta_s = Some(each * self.scheduled.saturating_sub(self.played) as f64);
    }
}
