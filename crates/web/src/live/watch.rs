//! How a tournament goes on, also one that another process plays.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::{Value, json};
use tussle_core::StopFlag;

use super::Out;
use crate::api::apart;
use crate::hall::{Run, share};
use crate::refusal::Refusal;
use crate::server::Shared;

/// News come no more often.
const BREATH: Duration = Duration::from_millis(250);

/// How often we look into a store that another process writes.
const LOOK: Duration = Duration::from_secs(1);

/// Which tournament.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Watch {
    tournament: String,
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
        out.say("done", last).await;
        Ok(())
    }

    /// Looks from time to time.
    async fn look(
        &self,
        shared: &Arc<Shared>,
        out: &Out,
        stop: &StopFlag,
    ) -> Result<Value, Refusal> {
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
            let told = json!({
                "played": played, "scheduled": scheduled, "running": running, "eta_s": eta,
            });
            if !running || stop.is_stopped() {
                return Ok(told);
            }
            out.news("progress", told);
            tokio::time::sleep(LOOK).await;
        }
    }
}

/// Tells what a run of this server tells.
async fn follow(shared: &Shared, mut run: Arc<Run>, out: &Out, stop: &StopFlag) -> Value {
    let mut news = run.news();
    loop {
        let told = news.borrow_and_update().clone();
        let text = serde_json::to_value(&told).unwrap_or_default();
        if !told.running || stop.is_stopped() {
            return text;
        }
        out.news("progress", text);
        tokio::time::sleep(BREATH).await;
        let changed = tokio::time::timeout(LOOK, news.changed()).await;
        if matches!(changed, Ok(Err(_))) {
            // Its store was opened meanwhile, or it was begun again.
            match shared.hall.run(&run.name) {
                Some(again) if !Arc::ptr_eq(&again, &run) => run = again,
                _ => return text_of_end(&told),
            }
            news = run.news();
        }
    }
}

fn text_of_end(news: &crate::hall::News) -> Value {
    let mut text = serde_json::to_value(news).unwrap_or_default();
    text["running"] = Value::Bool(false);
    text
}
