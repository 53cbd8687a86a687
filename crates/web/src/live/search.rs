//! A search of a position: the opponent's move, or an analysis.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::{Value, json};
use tussle_catalog::{AnyAgent, AnyGame, AnyPosition, Query};
use tussle_core::{Budget, Clock, Report, StopFlag, Turn};
use tussle_lab::Analysis;

use super::Out;
use super::heat::{Maps, Shown};
use crate::Limits;
use crate::place::{Place, check_agent};
use crate::refusal::Refusal;
use crate::server::Shared;

/// Agents a page keeps between its searches, so that they may use what they know.
const KEPT: usize = 4;

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
    /// What the board shows, beside the numbers; `Maps` remembers the search then.
    heat: Option<Shown>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Clocked {
    terms: String,
    used_ms: Vec<u64>,
}

fn one() -> usize {
    1
}

/// The players of one page.
#[derive(Clone, Default)]
pub(super) struct Agents(Arc<Mutex<Vec<(String, Player)>>>);

/// An agent and its rules: it knows no position of others, equal as they may be.
type Player = (Arc<dyn AnyGame>, Box<dyn AnyAgent>);

impl Agents {
    /// The player of this name, for as long as it thinks.
    fn take(&self, name: &str) -> Option<Player> {
        let mut agents = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = agents.iter().position(|(known, _)| known == name)?;
        Some(agents.remove(at).1)
    }

    fn put(&self, name: String, agent: Player) {
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
        maps: Maps,
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
            let done = self.search(&shared.options.limits, &agents, &maps, &out, stop);
            drop(permit);
            done
        };
        crate::api::apart(work).await
    }

    fn search(
        self,
        limits: &Limits,
        agents: &Agents,
        maps: &Maps,
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
        let name = format!("{} {} {} {}", game.spec(), self.agent, self.seed, self.role);
        let (game, position, mut agent) = if let Some((game, agent)) = agents.take(&name) {
            let position = self.place.position(game.as_ref())?;
            (game, position, agent)
        } else {
            let agent = game.agent(&self.agent, self.seed)?;
            (game, position, agent)
        };
        if let Some(heat) = self.heat {
            maps.begin(out.id, heat, &game, position.as_ref());
        }
        let tell = |report: &Report<String>, agent_repeats: bool| -> Value {
            let report_of = self.told(game.as_ref(), position.as_ref(), report, agent_repeats);
            json!({ "report": report_of, "svg": maps.draw(out.id, report) })
        };
        let repeats = agent.is_deterministic();
        let mut live = |report: &Report<String>| out.news("report", tell(report, repeats));
        let query = Query { budget, lines: self.lines.max(1), live: Some(&mut live), events: None };
        let report = agent.analyse(position.as_ref(), query)?;
        let told = tell(&report, repeats);
        // The page may ask it to go on as soon as it hears.
        agents.put(name, (game, agent));
        out.answer("done", told);
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
                clock.budget(now, Duration::ZERO)
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
        json!(analysis.document())
    }
}
