//! Progress of tournaments, including those that another process plays.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use tussle_core::StopFlag;
use utoipa::ToSchema;

use super::TaskSender;
use crate::api::run_blocking;
use crate::api_error::ApiError;
use crate::manager::{Run, RunProgress, total_games};
use crate::server::Shared;

/// Minimum interval between two progress messages.
const MIN_MESSAGE_INTERVAL: Duration = Duration::from_millis(250);

/// Interval at which a store that another process writes is read.
const STORE_POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Request to follow a tournament.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Watch {
    /// Name of the tournament.
    tournament: String,
}

/// Progress of a tournament. If another process plays it, only the counts are known.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum Progress {
    /// Played by this server.
    Here(Box<RunProgress>),
    /// Played by another process.
    Elsewhere(Counts),
}

/// Numbers of games of a tournament that another process plays.
#[derive(Serialize, ToSchema)]
pub(crate) struct Counts {
    played: u64,
    scheduled: u64,
    running: bool,
    /// Estimated seconds until the end.
    eta_s: Option<f64>,
}

impl Watch {
    /// Sends progress until the tournament or the page ends.
    pub(super) async fn run(
        self,
        shared: Arc<Shared>,
        out: TaskSender,
        stop: StopFlag,
    ) -> Result<(), ApiError> {
        let last = match shared.tournaments.run(&self.tournament).filter(|run| run.is_running()) {
            Some(run) => follow(&shared, run, &out, &stop).await,
            None => self.poll_store(&shared, &out, &stop).await?,
        };
        out.send_event("done", &last).await;
        Ok(())
    }

    /// Reads the store once per [`STORE_POLL_INTERVAL`] until the tournament ends.
    async fn poll_store(
        &self,
        shared: &Arc<Shared>,
        out: &TaskSender,
        stop: &StopFlag,
    ) -> Result<Progress, ApiError> {
        let mut first = None;
        let started = Instant::now();
        loop {
            let (shared, name) = (shared.clone(), self.tournament.clone());
            let (played, scheduled, running) = run_blocking(move || {
                let store = shared.tournaments.read(&name)?;
                let played = store.len().map_err(|e| crate::manager::store_error(&e))?;
                let running = tussle_arena::Store::is_in_use(store.path());
                Ok((played, total_games(store.spec()), running))
            })
            .await?;
            let new = played.saturating_sub(*first.get_or_insert(played));
            let left = scheduled.saturating_sub(played) as f64;
            let eta =
                (running && new > 0).then(|| started.elapsed().as_secs_f64() / new as f64 * left);
            let progress = Progress::Elsewhere(Counts { played, scheduled, running, eta_s: eta });
            if !running || stop.is_stopped() {
                return Ok(progress);
            }
            out.progress("progress", &progress);
            tokio::time::sleep(STORE_POLL_INTERVAL).await;
        }
    }
}

/// Sends the progress of a run of this server until it ends.
async fn follow(shared: &Shared, mut run: Arc<Run>, out: &TaskSender, stop: &StopFlag) -> Progress {
    let mut updates = run.progress();
    loop {
        let progress = updates.borrow_and_update().clone();
        if !progress.running || stop.is_stopped() {
            return Progress::Here(Box::new(progress));
        }
        out.progress("progress", &progress);
        tokio::time::sleep(MIN_MESSAGE_INTERVAL).await;
        let changed = tokio::time::timeout(STORE_POLL_INTERVAL, updates.changed()).await;
        if matches!(changed, Ok(Err(_))) {
            // The run was replaced: its store was opened, or it was started again.
            match shared.tournaments.run(&run.name) {
                Some(again) if !Arc::ptr_eq(&again, &run) => run = again,
                _ => return Progress::Here(Box::new(RunProgress { running: false, ..progress })),
            }
            updates = run.progress();
        }
    }
}
