//! A search of a position: the opponent's move, or an analysis.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::{Value, json};
use tussle_catalog::{AnyAgent, AnyGame, AnyPosition, Query};
use tussle_core::{Budget, Clock, Report, StopFlag, Turn};
use tussle_lab::{Analysis, Heat};
use tussle_view::svg_for_page;

use super::Out;
use crate::Limits;
use crate::place::{Place, check_agent};
use crate::refusal::Refusal;
use crate::server::Shared;

/// Agents a page keeps between its searches, so that they may use what they know.
const KEPT: usize = 4;

/// What lies between an answer and the page that stops the clock.
const MARGIN: Duration = Duration::from_millis(30);

/// What is to be searched, by whom, how long.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Search {
    place: Place,
    agent: String,
    /// Searches with the same agent, seed and role are made by one and the same player.
    #[serde(default)]
    role: String,
    #[serde(default)]
    seed: u64,
    nodes: Option<u64>,
    depth: Option<u32>,
    time_ms: Option<u64>,
    /// The clock of a game, and what this player's moves took so far.
    clock: Option<Clocked>,
    /// How many moves get an exact value.
    #[serde(default = "one")]
    lines: usize,
    /// What the board shows, beside the numbers.
    #[serde(default)]
    heat: Shown,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Clocked {
    terms: String,
    used_ms: Vec<u64>,
}

/// What the board shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Shown {
    #[default]
    Hidden,
    Value,
    Visits,
}

fn one() -> usize {
    1
}

/// The players of one page.
#[derive(Clone, Default)]
pub(super) struct Agents(Arc<Mutex<Vec<(String, Box<dyn AnyAgent>)>>>);

impl Agents {
    /// The player of this name, for as long as it thinks.
    fn take(&self, name: &str) -> Option<Box<dyn AnyAgent>> {
        let mut agents = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = agents.iter().position(|(known, _)| known == name)?;
        Some(agents.remove(at).1)
    }

    fn put(&self, name: String, agent: Box<dyn AnyAgent>) {
        let mut agents = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if agents.len() >= KEPT {
            agents.remove(0);
        }
        agents.push((name, agent));
    }
}

impl Search {
    /// Waits for a turn, searches, tells.
    pub(super) async fn run(
        self: Box<Self>,
        shared: Arc<Shared>,
        agents: Agents,
        out: Out,
        stop: StopFlag,
    ) -> Result<(), Refusal> {
        let permit = match shared.searches.clone().try_acquire_owned() {
            Ok(permit) => permit,
            Err(_) => {
                out.news("queued", json!({}));
                let permit = shared.searches.clone().acquire_owned().await;
                permit.map_err(|_| Refusal::busy("the server is ending"))?
            }
        };
        let work = move || {
            let done = self.search(&shared.options.limits, &agents, &out, stop);
            drop(permit);
            done
        };
        crate::api::apart(work).await
    }

    fn search(
        self,
        limits: &Limits,
        agents: &Agents,
        out: &Out,
        stop: StopFlag,
    ) -> Result<(), Refusal> {
        let (game, position) = self.place.open()?;
        match position.turn() {
            Turn::Player(_) => {}
            Turn::Chance => return Err(Refusal::wrong("chance is to move: roll first")),
            Turn::Over => return Err(Refusal::wrong("the game is over")),
        }
        check_agent(&self.agent)?;
        let budget = self.budget(limits)?.stop_flag(stop);
        // The rules themselves, not their name: two boards given as text are called the same.
        let rules = Arc::as_ptr(&game);
        let name = format!("{rules:p} {} {} {}", self.agent, self.seed, self.role);
        let mut agent = match agents.take(&name) {
            Some(agent) => agent,
            None => game.agent(&self.agent, self.seed)?,
        };
        let tell = |report: &Report<String>, agent_repeats: bool| -> Value {
            self.told(game.as_ref(), position.as_ref(), report, agent_repeats)
        };
        let repeats = agent.is_deterministic();
        let mut live = |report: &Report<String>| out.news("report", tell(report, repeats));
        let query = Query { budget, lines: self.lines.max(1), live: Some(&mut live), events: None };
        let report = agent.analyse(position.as_ref(), query)?;
        out.answer("done", tell(&report, repeats));
        agents.put(name, agent);
        Ok(())
    }

    fn budget(&self, limits: &Limits) -> Result<Budget, Refusal> {
        let now = Instant::now();
        let mut budget = match &self.clock {
            Some(Clocked { terms, used_ms }) => {
                let mut clock = terms.parse::<Clock>().map_err(Refusal::wrong)?.start();
                for used in used_ms {
                    // Whether it was in time is for the page to say.
                    let _ = clock.press(Duration::from_millis(*used));
                }
                clock.budget(now, MARGIN)
            }
            None => Budget::unlimited(),
        };
        let time = self.time_ms.map_or(limits.time, Duration::from_millis).min(limits.time);
        budget.started = Some(now);
        budget.hard = Some(budget.hard.map_or(time, |hard| hard.min(time)));
        budget.soft = Some(budget.soft.map_or(time, |soft| soft.min(time)));
        budget.nodes = self.nodes;
        budget.depth = self.depth;
        budget.memory = Some(limits.memory);
        Ok(budget)
    }

    fn told(
        &self,
        game: &dyn AnyGame,
        position: &dyn AnyPosition,
        report: &Report<String>,
        is_deterministic: bool,
    ) -> Value {
        let (agent, seed) = (&self.agent, self.seed);
        let analysis =
            Analysis { game, position, agent, seed, report, is_deterministic, visited: None };
        let heat = match self.heat {
            Shown::Hidden => None,
            Shown::Value => Some(Heat::Worth),
            Shown::Visits => Some(Heat::Visits),
        };
        let svg = heat.map(|heat| svg_for_page(&heat.scene(game, position, report)));
        json!({ "report": analysis.document(), "svg": svg })
    }
}
