//! A search of a position: the opponent's move, or an analysis.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::{Value, json};
use tussle_catalog::{AnyGame, AnyPosition, Query};
use tussle_core::{Limits, Report, StopFlag, TimeControl, Turn};
use tussle_engine::{PlayerSpec, Terms};
use tussle_explain::Analysis;

use super::heat::Shown;
use super::players::{Player, Program};
use super::{Out, Page};
use crate::ServerLimits;
use crate::place::{Place, check_agent, check_depth};
use crate::refusal::Refusal;
use crate::server::Shared;
use crate::slots::{Asker, Manner, Slot};

/// How long a program has for a move if nobody says anything, and how long at most.
const USUAL: Duration = Duration::from_secs(5);
const LONGEST: Duration = Duration::from_secs(30);

/// What lies between an answer and the page that stops the clock.
const MARGIN: Duration = Duration::from_millis(30);

/// What is to be searched, by whom, how long.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Search {
    pub(crate) place: Place,
    pub(crate) agent: String,
    /// Searches with the same agent, seed and role are made by one and the same player.
    #[serde(default)]
    pub(crate) role: String,
    #[serde(default)]
    pub(crate) seed: u64,
    pub(crate) nodes: Option<u64>,
    pub(crate) depth: Option<u32>,
    pub(crate) time_ms: Option<u64>,
    /// The clock of a game, and what this player's moves took so far.
    pub(crate) clock: Option<Clocked>,
    /// How many moves get an exact value.
    #[serde(default = "one")]
    pub(crate) lines: usize,
    /// What the board shows, beside the numbers; the page's maps remember the search then.
    pub(crate) heat: Option<Shown>,
    /// True if the person at the page has read the command of the program and clicked to start it.
    #[serde(default)]
    pub(crate) confirmed: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Clocked {
    terms: String,
    used_ms: Vec<u64>,
}

fn one() -> usize {
    1
}

impl Search {
    /// Waits for a turn, searches, tells.
    pub(super) async fn run(
        self: Box<Self>,
        shared: Arc<Shared>,
        page: Page,
        out: Out,
        stop: StopFlag,
    ) -> Result<(), Refusal> {
        let queued = || out.news("queued", json!({}));
        let news = {
            let out = out.clone();
            move |told| out.news("report", told)
        };
        let found = self.find(&shared, &page, out.id, stop, queued, news).await?;
        out.say("done", found).await;
        Ok(())
    }

    /// Waits for a turn and searches: `queued` hears if that takes a while, `news` what is found on the way.
    pub(crate) async fn find(
        self: Box<Self>,
        shared: &Arc<Shared>,
        page: &Page,
        id: u64,
        stop: StopFlag,
        queued: impl FnOnce(),
        mut news: impl FnMut(Value) + Send + 'static,
    ) -> Result<Value, Refusal> {
        let program = self.is_program(shared, page)?;
        let (all, page) = (shared.clone(), page.clone());
        let (share, agent, flag) = (page.share.clone(), self.agent.clone(), stop.clone());
        let manner = Manner::Stops;
        // Its budget has a time already.
        let asker = Asker { shares: &[&share], agent: &agent, manner, time: None, stop: &flag };
        let work = move |_: &mut Slot| self.search(program, &all, &page, id, &mut news, &stop);
        shared.slots.run(asker, queued, work).await
    }

    /// Returns true if the agent is a program that may be started; refuses agents that may not play.
    fn is_program(&self, shared: &Shared, page: &Page) -> Result<bool, Refusal> {
        match PlayerSpec::parse(&self.agent) {
            PlayerSpec::Program { .. } => {
                shared.options.check_programs()?;
                // A page takes agents from its address, and any site can link to any address.
                if page.in_browser && !self.confirmed {
                    return Err(Refusal::unconfirmed(format!(
                        "{}: a program from an address starts after a click on the page",
                        self.agent
                    )));
                }
                Ok(true)
            }
            PlayerSpec::Agent(_) => {
                check_agent(&shared.options.catalog, &self.agent)?;
                check_depth(self.depth)?;
                Ok(false)
            }
        }
    }

    fn search(
        self,
        program: bool,
        shared: &Shared,
        page: &Page,
        id: u64,
        news: &mut dyn FnMut(Value),
        stop: &StopFlag,
    ) -> Result<Value, Refusal> {
        let limits = &shared.options.limits;
        let Place { game: spec, text, .. } = &self.place;
        let name = format!("{spec} {text:?} {} {} {}", self.agent, self.seed, self.role);
        let (rules, player) = match page.players.take(&name) {
            Some((rules, player, _)) => (rules, Some(player)),
            None => (self.place.rules(&shared.options.catalog)?, None),
        };
        let position = self.place.position(rules.as_ref())?;
        let (game, position) = (rules.as_ref(), position.as_ref());
        match position.turn() {
            Turn::Player(_) => {}
            Turn::Chance => return Err(Refusal::wrong("chance is to move: roll first")),
            Turn::Over => {
                let known = Report::finished(Vec::new(), Duration::ZERO);
                return Ok(
                    json!({ "report": self.told(game, position, &known, true), "svg": null }),
                );
            }
        }
        if let Some(heat) = self.heat {
            page.maps.begin(id, heat, &rules, position);
        }
        let tell = |report: &Report<String>, repeats| {
            let svg = self.heat.and_then(|_| page.maps.draw(id, report));
            json!({ "report": self.told(game, position, report, repeats), "svg": svg })
        };
        let mut player = match player {
            Some(player) => player,
            None if program => {
                let guard = &shared.options.guard;
                let room = &shared.programs;
                Player::Program(Program::new(&rules, &self.agent, self.seed, guard, room)?)
            }
            None => Player::Agent(game.agent(&self.agent, self.seed)?),
        };
        let (report, repeats) = match &mut player {
            Player::Agent(agent) => {
                let budget = self.budget(limits)?.or_stop(stop);
                let repeats = agent.is_deterministic();
                let mut live = |report: &Report<String>| news(tell(report, repeats));
                let lines = self.lines.max(1);
                let query = Query { lines, live: Some(&mut live), ..Query::new(&budget) };
                (agent.analyse(position, query)?, repeats)
            }
            Player::Program(program) => {
                let (terms, used) = self.terms()?;
                (program.choose(position, &terms, &used, game.players(), stop)?, false)
            }
        };
        let told = tell(&report, repeats);
        // The tables of a search by plies are large, and hardly worth more than making them again.
        if program || !shared.options.catalog.looks_by_plies(&self.agent)? {
            page.players.put(name, (rules, player), report.stats.bytes, &shared.kept);
        }
        Ok(told)
    }

    /// Terms of a program, and the times of its moves so far. It is not told to stop, so it must not have long.
    fn terms(&self) -> Result<(Terms, Vec<Duration>), Refusal> {
        let time = self.time_ms.map_or(USUAL, Duration::from_millis).min(LONGEST);
        let (clock, used) = match &self.clock {
            Some(Clocked { terms, used_ms }) => {
                let used = used_ms.iter().copied().map(Duration::from_millis).collect();
                (terms.parse::<TimeControl>().map_err(Refusal::wrong)?, used)
            }
            None => (TimeControl::PerMove(time), Vec::new()),
        };
        Ok((Terms { clock, nodes: self.nodes, depth: self.depth, ..Terms::default() }, used))
    }

    fn budget(&self, limits: &ServerLimits) -> Result<Limits, Refusal> {
        let now = Instant::now();
        let mut budget = match &self.clock {
            Some(Clocked { terms, used_ms }) => {
                let mut clock =
                    terms.parse::<TimeControl>().map_err(Refusal::wrong)?.player_clock();
                for used in used_ms {
                    // Whether it was in time is for the page to say.
                    let _ = clock.press(Duration::from_millis(*used));
                }
                clock.limits(now, MARGIN)
            }
            None => Limits::none(),
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
        let analysis = Analysis {
            game,
            position,
            agent,
            seed,
            report,
            savings: &[], // not counted on the clock, on which every search of a page is
            is_deterministic,
            visited: None,
        };
        json!(analysis.document())
    }
}
