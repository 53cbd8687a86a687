//! A review of a whole game.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use tussle_catalog::Catalog;
use tussle_core::StopFlag;
use tussle_explain::{REVIEW_NODES, ReviewError, ReviewNews, Reviewer};
use utoipa::ToSchema;

use super::{Out, QueueNotice};
use crate::ServerLimits;
use crate::place::{Place, check_agent};
use crate::refusal::Refusal;
use crate::server::Shared;
use crate::slots::{Asker, Manner, Share, Slot};

/// More simulations for one position take more patience than a page has.
const MOST_NODES: u64 = 1_000_000;

/// Nobody else gets a review while many go on, so none goes on for ever.
const LONGEST: Duration = Duration::from_mins(30);

/// Review of a game.
#[derive(Deserialize, ToSchema)]
#[schema(as = ReviewRequest)]
#[serde(deny_unknown_fields)]
pub(crate) struct Review {
    place: Place,
    /// Moves at the beginning that nobody chose.
    #[serde(default)]
    opening: usize,
    /// Spec of the agent [default: one that suits the game].
    agent: Option<String>,
    /// Nodes or simulations for each position.
    nodes: Option<u64>,
    /// Milliseconds for each position.
    time_ms: Option<u64>,
    /// Seed of everything random [default: 1].
    #[serde(default = "one")]
    seed: u64,
}

/// A finished review.
#[derive(Serialize, ToSchema)]
pub(crate) struct ReviewAnswer {
    review: tussle_explain::Review,
}

fn one() -> u64 {
    1
}

impl Review {
    /// Waits for a turn, looks at every position, tells how far it is and last what was found.
    pub(super) async fn run(
        self: Box<Self>,
        shared: Arc<Shared>,
        share: Share,
        out: Out,
        stop: StopFlag,
    ) -> Result<(), Refusal> {
        let queued = || out.news("queued", &QueueNotice {});
        let agent = self.agent.clone().unwrap_or_default();
        let shares = [&share, &shared.reviews];
        let manner = Manner::GoesOn;
        let asker = Asker { shares: &shares, agent: &agent, manner, time: None, stop: &stop };
        let (catalog, limits) = (shared.options.catalog.clone(), shared.options.limits.clone());
        let (teller, flag) = (out.clone(), stop.clone());
        let work = move |slot: &mut Slot| self.review(&catalog, &limits, slot, &teller, &flag);
        let review = shared.slots.run(asker, queued, work).await?;
        out.say("done", &review).await;
        Ok(())
    }

    fn review(
        self,
        catalog: &Catalog,
        limits: &ServerLimits,
        slot: &mut Slot,
        out: &Out,
        stop: &StopFlag,
    ) -> Result<ReviewAnswer, Refusal> {
        let start = Place { moves: Vec::new(), ..self.place.clone() };
        let (game, start) = start.open(catalog)?;
        if let Some(agent) = &self.agent {
            check_agent(catalog, agent)?;
        }
        let usual = if self.time_ms.is_none() { Some(REVIEW_NODES) } else { None };
        let reviewer = Reviewer {
            agent: self.agent,
            nodes: self.nodes.or(usual).map(|nodes| nodes.clamp(1, MOST_NODES)),
            time: self.time_ms.map(|time| Duration::from_millis(time).min(limits.time)),
            memory: limits.memory,
            seed: self.seed,
            stop: stop.clone(),
        };
        let moves = (self.place.moves.as_slice(), self.opening);
        let mut searched = Duration::ZERO;
        let mut since = Instant::now();
        let mut tell = |news: &ReviewNews| {
            out.news("progress", news);
            searched += since.elapsed();
            // After every position others may search first. Who stopped waiting for that was stopped.
            if searched > LONGEST || slot.make_way().is_err() {
                stop.stop();
            }
            since = Instant::now();
        };
        let found =
            tussle_explain::review(game.as_ref(), start.as_ref(), moves, &reviewer, &mut tell);
        let review = found.map_err(|error| match error {
            ReviewError::Stopped if searched > LONGEST => Refusal::wrong(format!(
                "a review searches for {} minutes at most: ask for less at each position",
                LONGEST.as_secs() / 60
            )),
            ReviewError::Stopped => Refusal::wrong("stopped"),
            error => Refusal::wrong(error),
        })?;
        Ok(ReviewAnswer { review })
    }
}
