//! How a tournament goes on, also one that another process plays.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use tussle_core::StopFlag;
use utoipa::ToSchema;

use super::Out;
use crate::api::apart;
use crate::hall::{News, Run, share};
use crate::refusal::Refusal;
use crate::server::Shared;

/// News come no more often.
const BREATH: Duration = Duration::from_millis(250);

/// How often we look into a store that another process writes.
const LOOK: Duration = Duration::from_secs(1);

/// A tournament to follow.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Watch {
    /// Name of the tournament.
    tournament: String,
}

/// Progress of a tournament; of one that another process plays only the counts are known.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum Progress {
    /// It is played here.
    Here(Box<News>),
    /// It is played elsewhere.
    Elsewhere(Counts),
}

/// Counts of a store that another process writes.
#[derive(Serialize, ToSchema)]
pub(crate) struct Counts {
    played: u64,
    scheduled: u64,
    running: bool,
    /// Seconds until the end, if it goes on like this.
    eta_s: Option<f64>,
}

impl Watch {
    /// Tells until the tournament or the page ends.
    pub(super) async fn run(
        self,
        shared: Arc<Shared>,
        out: Out,
        stop: StopFlag,
    ) -> Result<(), Refusal> {
        let last = match shared.hall.run(&self.tournament).filter(|run| run.is_running()) {
            Some(run) => follow(&shared, run, &out, &stop).await,
            None => self.look(&shared, &out, &stop).await?,
        };
        out.say("done", &last).await;
        Ok(())
    }

    /// Looks from time to time.
    async fn look(
        &self,
        shared: &Arc<Shared>,
        out: &Out,
        stop: &StopFlag,
    ) -> Result<Progress, Refusal> {
        let mut first = None;
        let began = Instant::now();
        loop {
            let (shared, name) = (shared.clone(), self.tournament.clone());
            let (played, scheduled, running) = apart(move || {
                let store = shared.hall.read(&name)?;
                let played = store.len().map_err(|e| crate::hall::refusal(&e))?;
                let running = tussle_arena::Store::is_in_use(store.path());
                Ok((played, share(store.spec()), running))
            })
            .await?;
            let new = played.saturating_sub(*first.get_or_insert(played));
            let left = scheduled.saturating_sub(played) as f64;
            let eta =
                (running && new > 0).then(|| began.elapsed().as_secs_f64() / new as f64 * left);
            let told = Progress::Elsewhere(Counts { played, scheduled, running, eta_s: eta });
            if !running || stop.is_stopped() {
                return Ok(told);
            }
            out.news("progress", &told);
            tokio::time::sleep(LOOK).await;
        }
    }
}

/// Tells what a run of this server tells.
async fn follow(shared: &Shared, mut run: Arc<Run>, out: &Out, stop: &StopFlag) -> Progress {
    let mut news = run.news();
    loop {
        let told = news.borrow_and_update().clone();
        if !told.running || stop.is_stopped() {
            return Progress::Here(Box::new(told));
        }
        out.news("progress", &told);
        tokio::time::sleep(BREATH).await;
        let changed = tokio::time::timeout(LOOK, news.changed()).await;
        if matches!(changed, Ok(Err(_))) {
            // Its store was opened meanwhile, or it was begun again.
            match shared.hall.run(&run.name) {
                Some(again) if !Arc::ptr_eq(&again, &run) => run = again,
                _ => return Progress::Here(Box::new(News { running: false, ..told })),
            }
            news = run.news();
        }
    }
}
