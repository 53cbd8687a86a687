//! A review of a whole game.

use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use tussle_core::StopFlag;
use tussle_lab::{LabError, REVIEW_NODES, Reviewer};

use super::Out;
use crate::Limits;
use crate::place::{Place, check_agent};
use crate::refusal::Refusal;
use crate::server::Shared;

/// More simulations for one position take more patience than a page has.
const MOST_NODES: u64 = 1_000_000;

/// The game to be reviewed, by whom, how hard.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Review {
    place: Place,
    /// Moves at the beginning that nobody chose.
    #[serde(default)]
    opening: usize,
    agent: Option<String>,
    nodes: Option<u64>,
    time_ms: Option<u64>,
    #[serde(default = "one")]
    seed: u64,
}

fn one() -> u64 {
    1
}

impl Review {
    /// Waits for a turn, looks at every position, tells how far it is and last what was found.
    pub(super) async fn run(
        self: Box<Self>,
        shared: Arc<Shared>,
        out: Out,
        stop: StopFlag,
    ) -> Result<(), Refusal> {
        let permit = if let Ok(permit) = shared.searches.clone().try_acquire_owned() {
            permit
        } else {
            out.news("queued", json!({}));
            let permit = shared.searches.clone().acquire_owned().await;
            permit.map_err(|_| Refusal::busy("the server is ending"))?
        };
        crate::api::apart(move || {
            let done = self.review(&shared.options.limits, &out, stop);
            drop(permit);
            done
        })
        .await
    }

    fn review(self, limits: &Limits, out: &Out, stop: StopFlag) -> Result<(), Refusal> {
        let start = Place { moves: Vec::new(), ..self.place.clone() };
        let (game, start) = start.open()?;
        if let Some(agent) = &self.agent {
            check_agent(agent)?;
        }
        let usual = if self.time_ms.is_none() { Some(REVIEW_NODES) } else { None };
        let reviewer = Reviewer {
            agent: self.agent,
            nodes: self.nodes.or(usual).map(|nodes| nodes.clamp(1, MOST_NODES)),
            time: self.time_ms.map(|time| Duration::from_millis(time).min(limits.time)),
            memory: limits.memory,
            seed: self.seed,
            stop,
        };
        let moves = (self.place.moves.as_slice(), self.opening);
        let mut tell = |news: &_| out.news("progress", json!(news));
        let found = tussle_lab::review(game.as_ref(), start.as_ref(), moves, &reviewer, &mut tell);
        let review = found.map_err(|error| match error {
            LabError::Stopped => Refusal::wrong("stopped"),
            error => Refusal::wrong(error),
        })?;
        out.answer("done", json!({ "review": review }));
        Ok(())
    }
}
