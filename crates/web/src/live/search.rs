//! A search of a position: the opponent's move, or an analysis.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use tussle_catalog::{AnyGame, AnyPosition, Query, is_program};
use tussle_core::{Limits, PlayerClock, Report, StopFlag, TimeControl, Turn};
use tussle_engine::Terms;
use tussle_explain::{Analysis, AnalysisDocument};
use utoipa::ToSchema;

use super::heat::Shown;
use super::players::{self, Player};
use super::{Out, Page, QueueNotice};
use crate::ServerLimits;
use crate::board::Seen;
use crate::place::{Place, check_agent, check_depth};
use crate::refusal::Refusal;
use crate::server::Shared;
use crate::slots::{Asker, Manner, Slot};

/// How long a program has for a move if nobody says anything, and how long at most.
const USUAL: Duration = Duration::from_secs(5);
const LONGEST: Duration = Duration::from_secs(30);

/// What lies between an answer and the page that stops the clock.
const MARGIN: Duration = Duration::from_millis(30);

/// Search of a position.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Search {
    pub(crate) place: Place,
    /// Spec of the agent: `mcts:nodes=1000`. With --allow-programs also `ugi:COMMAND`, `gtp:COMMAND`, `json:COMMAND`.
    pub(crate) agent: String,
    /// Searches of one agent, seed and role are made by the same player, who remembers. The seed is what it began with: its
    /// random numbers go on, so the same search sent again may give other numbers.
    #[serde(default)]
    pub(crate) role: String,
    /// Seed of everything random.
    #[serde(default)]
    pub(crate) seed: u64,
    /// Nodes or simulations.
    pub(crate) nodes: Option<u64>,
    /// Plies.
    pub(crate) depth: Option<u32>,
    /// Milliseconds. The server has a limit of its own.
    pub(crate) time_ms: Option<u64>,
    pub(crate) clock: Option<GameClock>,
    /// Number of moves that get an exact value [default: 1].
    #[serde(default = "one")]
    pub(crate) lines: usize,
    /// Map on the board, which another message can change.
    pub(crate) heat: Option<Shown>,
    /// True if `done` has to show the position after the best move.
    #[serde(default)]
    pub(crate) play: bool,
    /// True if the person at the page has read the command of the program and clicked to start it. Without it a browser's
    /// search for a program is answered with an `error` that has `confirm`.
    #[serde(default)]
    pub(crate) confirmed: bool,
}

/// The clock of a game, and the time of the earlier moves of the player to move.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GameClock {
    /// `15s+1s`, `100ms`.
    #[schema(value_type = String)]
    terms: TimeControl,
    used_ms: Vec<u64>,
}

impl GameClock {
    fn player_clock(&self) -> PlayerClock {
        let mut clock = self.terms.player_clock();
        for &used in &self.used_ms {
            let _ = clock.press(Duration::from_millis(used)); // the page decides who lost on time
        }
        clock
    }
}

fn one() -> usize {
    1
}

/// Report of a search.
#[derive(Serialize, ToSchema)]
#[schema(as = Drawn)]
pub(crate) struct SearchNews<'a> {
    pub(crate) report: AnalysisDocument<'a>,
    /// The board with `heat`.
    svg: Option<String>,
    /// The position after the best move, if `play` asks for it; in `done` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    after: Option<Seen>,
}

/// Takes the reports of a search.
pub(crate) trait Listener: Clone + Send + 'static {
    /// The search waits for its turn.
    fn queued(&self);
    /// An intermediate report.
    fn report(&self, told: &SearchNews<'_>);
    /// Returns the answer as JSON.
    fn answer(&self, told: &SearchNews<'_>) -> Result<String, Refusal>;
}

impl Listener for Out {
    fn queued(&self) {
        self.news("queued", &QueueNotice {});
    }

    fn report(&self, told: &SearchNews<'_>) {
        self.news("report", told);
    }

    fn answer(&self, told: &SearchNews<'_>) -> Result<String, Refusal> {
        self.text("done", told)
    }
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
        let answer = self.find(&shared, &page, out.id, stop, out.clone()).await?;
        out.send(answer).await;
        Ok(())
    }

    /// Waits for a turn and searches; returns the listener's answer. The page's maps remember the search by its `id`.
    pub(crate) async fn find(
        self: Box<Self>,
        shared: &Arc<Shared>,
        page: &Page,
        id: u64,
        stop: StopFlag,
        listener: impl Listener,
    ) -> Result<String, Refusal> {
        self.check(shared, page)?;
        let (all, page) = (shared.clone(), page.clone());
        let (share, agent, flag) = (page.share.clone(), self.agent.clone(), stop.clone());
        let manner = Manner::Stops;
        // Its limits have a time already.
        let asker = Asker { shares: &[&share], agent: &agent, manner, time: None, stop: &flag };
        let told = listener.clone();
        let work = move |_: &mut Slot| self.search(&all, &page, id, &told, &stop);
        shared.slots.run(asker, || listener.queued(), work).await
    }

    /// Refuses agents that may not play: programs without permission, and agents that open files or search too deep.
    fn check(&self, shared: &Shared, page: &Page) -> Result<(), Refusal> {
        if !is_program(&self.agent) {
            check_agent(&shared.options.catalog, &self.agent)?;
            return check_depth(self.depth);
        }
        shared.options.check_programs()?;
        // A page takes agents from its address, and any site can link to any address.
        if page.in_browser && !self.confirmed {
            return Err(Refusal::unconfirmed(format!(
                "{}: a program from an address starts after a click on the page",
                self.agent
            )));
        }
        Ok(())
    }

    fn search(
        self,
        shared: &Shared,
        page: &Page,
        id: u64,
        listener: &impl Listener,
        stop: &StopFlag,
    ) -> Result<String, Refusal> {
        let Place { game: spec, text, .. } = &self.place;
        let name = format!("{spec} {text:?} {} {} {}", self.agent, self.seed, self.role);
        let (rules, player) = match page.players.take(&name) {
            Some((rules, player, _)) => (rules, Some(player)),
            None => (self.place.rules(&shared.options.catalog)?, None),
        };
        let game = rules.as_ref();
        let position = self.place.position(game)?;
        let mover = match position.turn() {
            Turn::Player(mover) => mover,
            Turn::Chance => return Err(Refusal::wrong("chance is to move: roll first")),
            Turn::Over => {
                let report = Report::finished(Vec::new(), Duration::ZERO);
                let report = self.document(game, position.as_ref(), &report, true);
                return listener.answer(&SearchNews { report, svg: None, after: None });
            }
        };
        if let Some(heat) = self.heat {
            page.maps.begin(id, heat, &rules, position.as_ref());
        }
        let map = |report: &_| self.heat.and_then(|_| page.maps.draw(id, report));
        let mut player = match player {
            Some(player) => player,
            None => Player::new(shared, &rules, &self.agent, self.seed)?,
        };
        let (report, repeats) = match &mut player {
            Player::Agent(agent) => {
                let limits = self.agent_limits(&shared.options.limits).or_stop(stop);
                let repeats = agent.is_deterministic();
                let mut live = |report: &Report<String>| {
                    let svg = map(report);
                    let report = self.document(game, position.as_ref(), report, repeats);
                    listener.report(&SearchNews { report, svg, after: None });
                };
                let lines = self.lines.max(1);
                let query = Query { lines, live: Some(&mut live), ..Query::new(&limits) };
                (agent.analyse(position.as_ref(), query)?, repeats)
            }
            Player::Program { player: program, .. } => {
                let terms = self.terms();
                let mut clocks = vec![terms.clock.player_clock(); game.players()];
                if let Some(clock) = &self.clock {
                    clocks[mover] = clock.player_clock();
                }
                let chosen = program.choose(position.as_ref(), &mut clocks, &terms, Some(stop));
                let chosen = chosen.map_err(|fault| players::refusal(&fault))?;
                let resigned = || Refusal::wrong("the program gives the game up");
                (chosen.ok_or_else(resigned)?.report, false)
            }
        };
        let (svg, bytes) = (map(&report), report.stats.bytes);
        let document = self.document(game, position.as_ref(), &report, repeats);
        let best = report.best().filter(|_| self.play);
        let after = best.and_then(|best| {
            let mut after = position.boxed();
            after.play(best).ok().map(|()| Seen::new(game, after.as_ref()))
        });
        let answer = listener.answer(&SearchNews { report: document, svg, after })?;
        // The tables of a search by plies are large, and hardly worth more than making them again.
        if is_program(&self.agent) || !shared.options.catalog.looks_by_plies(&self.agent)? {
            page.players.put(name, (rules, player), bytes, &shared.kept);
        }
        Ok(answer)
    }

    /// Terms of a program. It is not told to stop, so it must not have long.
    fn terms(&self) -> Terms {
        let time = self.time_ms.map_or(USUAL, Duration::from_millis).min(LONGEST);
        let clock = self.clock.as_ref().map_or(TimeControl::PerMove(time), |clock| clock.terms);
        Terms { clock, nodes: self.nodes, depth: self.depth, ..Terms::default() }
    }

    /// Limits of an agent.
    fn agent_limits(&self, server: &ServerLimits) -> Limits {
        let now = Instant::now();
        let game = self.clock.as_ref().map(|clock| clock.player_clock().limits(now, MARGIN));
        let Limits { soft, hard, .. } = game.unwrap_or_else(Limits::none);
        let time = self.time_ms.map_or(server.time, Duration::from_millis).min(server.time);
        Limits {
            started: Some(now),
            soft: Some(soft.map_or(time, |soft| soft.min(time))),
            hard: Some(hard.map_or(time, |hard| hard.min(time))),
            nodes: self.nodes,
            depth: self.depth,
            memory: Some(server.memory),
            ..Limits::none()
        }
    }

    /// Returns a report as JSON. `savings` are counted only for searches without a clock, and every search of a page has one.
    fn document<'a>(
        &'a self,
        game: &'a dyn AnyGame,
        position: &'a dyn AnyPosition,
        report: &'a Report<String>,
        is_deterministic: bool,
    ) -> AnalysisDocument<'a> {
        let analysis = Analysis::new(game, position, &self.agent, self.seed, report);
        Analysis { is_deterministic, ..analysis }.document()
    }
}
