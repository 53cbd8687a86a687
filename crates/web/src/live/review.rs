//! Review of a game.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use tussle_catalog::Catalog;
use tussle_core::StopFlag;
use tussle_explain::{REVIEW_NODES, ReviewError, ReviewNews, Reviewer};
use utoipa::ToSchema;

use super::{QueueNotice, TaskSender};
use crate::ServerLimits;
use crate::api_error::ApiError;
use crate::position_ref::{PositionRef, check_agent};
use crate::server::Shared;
use crate::slots::{Preemption, Share, Slot, SlotRequest};

/// Maximum number of nodes or simulations per position.
const MAX_NODES: u64 = 1_000_000;

/// Maximum search time of a review. The number of simultaneous reviews is limited, so none may run indefinitely.
const MAX_SEARCH_TIME: Duration = Duration::from_mins(30);

/// Review of a game.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReviewRequest {
    place: PositionRef,
    /// Number of moves at the beginning that belong to the opening and are not judged.
    #[serde(default)]
    opening: usize,
    /// Spec of the agent [default: one that suits the game].
    agent: Option<String>,
    /// Maximum number of nodes or simulations per position.
    nodes: Option<u64>,
    /// Time limit per position in milliseconds.
    time_ms: Option<u64>,
    /// Seed of all random choices [default: 1].
    #[serde(default = "one")]
    seed: u64,
}

/// Finished review.
#[derive(Serialize, ToSchema)]
pub(crate) struct ReviewAnswer {
    review: tussle_explain::Review,
}

fn one() -> u64 {
    1
}

impl ReviewRequest {
    /// Waits for a search slot, reviews every position, and sends the progress and the result.
    pub(super) async fn run(
        self: Box<Self>,
        shared: Arc<Shared>,
        share: Share,
        out: TaskSender,
        stop: StopFlag,
    ) -> Result<(), ApiError> {
        let queued = || out.progress("queued", &QueueNotice {});
        let agent = self.agent.clone().unwrap_or_default();
        let shares = [&share, &shared.reviews];
        let preemption = Preemption::Yield;
        let slot =
            SlotRequest { shares: &shares, agent: &agent, preemption, time: None, stop: &stop };
        let (catalog, limits) = (shared.options.catalog.clone(), shared.options.limits.clone());
        let (sender, flag) = (out.clone(), stop.clone());
        let work = move |slot: &mut Slot| self.review(&catalog, &limits, slot, &sender, &flag);
        let review = shared.slots.run(slot, queued, work).await?;
        out.send_event("done", &review).await;
        Ok(())
    }

    fn review(
        self,
        catalog: &Catalog,
        limits: &ServerLimits,
        slot: &mut Slot,
        out: &TaskSender,
        stop: &StopFlag,
    ) -> Result<ReviewAnswer, ApiError> {
        let start = PositionRef { moves: Vec::new(), ..self.place.clone() };
        let (game, start) = start.open(catalog)?;
        if let Some(agent) = &self.agent {
            check_agent(catalog, agent)?;
        }
        let default = if self.time_ms.is_none() { Some(REVIEW_NODES) } else { None };
        let reviewer = Reviewer {
            agent: self.agent,
            nodes: self.nodes.or(default).map(|nodes| nodes.clamp(1, MAX_NODES)),
            time: self.time_ms.map(|time| Duration::from_millis(time).min(limits.time)),
            memory: limits.memory,
            seed: self.seed,
            stop: stop.clone(),
        };
        let moves = (self.place.moves.as_slice(), self.opening);
        let mut searched = Duration::ZERO;
        let mut since = Instant::now();
        let mut on_news = |news: &ReviewNews| {
            out.progress("progress", news);
            searched += since.elapsed();
            // After each position other searches may run first. An error means that the task was stopped meanwhile.
            if searched > MAX_SEARCH_TIME || slot.yield_slot().is_err() {
                stop.stop();
            }
            since = Instant::now();
        };
        let review =
            tussle_explain::review(game.as_ref(), start.as_ref(), moves, &reviewer, &mut on_news);
        let review = review.map_err(|error| match error {
            ReviewError::Stopped if searched > MAX_SEARCH_TIME => ApiError::bad_request(format!(
                "the review was stopped after {} minutes of search; use fewer nodes or less time per position",
                MAX_SEARCH_TIME.as_secs() / 60
            )),
            ReviewError::Stopped => ApiError::bad_request("the review was stopped"),
            error => ApiError::bad_request(error),
        })?;
        Ok(ReviewAnswer { review })
    }
}
