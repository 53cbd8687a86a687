//! Search of a position: the opponent's move, or an analysis.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use tussle_catalog::{AnyGame, AnyPosition, Query, is_program};
use tussle_core::{Limits, PlayerClock, Report, StopFlag, TimeControl, Turn};
use tussle_engine::Terms;
use tussle_explain::{Analysis, AnalysisDocument};
use utoipa::ToSchema;

use super::heat::HeatKind;
use super::players::{self, Player};
use super::{CHANCE_IS_TO_MOVE, Page, QueueNotice, TaskSender};
use crate::ServerLimits;
use crate::api_error::ApiError;
use crate::board::PositionView;
use crate::position_ref::{PositionRef, check_agent, check_depth};
use crate::server::Shared;
use crate::slots::{Preemption, Slot, SlotRequest};

/// Default time per move of an external program.
const DEFAULT_PROGRAM_TIME: Duration = Duration::from_secs(5);
/// Maximum time per move of an external program.
const MAX_PROGRAM_TIME: Duration = Duration::from_secs(30);

/// Safety margin for the time that an answer needs to reach the page, which stops the clock.
const SAFETY_MARGIN: Duration = Duration::from_millis(30);

/// Search of a position.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Search {
    pub(crate) place: PositionRef,
    /// Spec of the agent: `mcts:nodes=1000`. On a server with --allow-programs also `ugi:COMMAND`, `gtp:COMMAND` or
    /// `json:COMMAND`.
    pub(crate) agent: String,
    /// Searches with the same game, agent, seed and role use the same player, which keeps its tree and its random numbers.
    /// Therefore the same search sent again may give other numbers.
    #[serde(default)]
    pub(crate) role: String,
    /// Seed of all random choices.
    #[serde(default)]
    pub(crate) seed: u64,
    /// Maximum number of nodes or simulations.
    pub(crate) nodes: Option<u64>,
    /// Maximum depth in plies.
    pub(crate) depth: Option<u32>,
    /// Time limit in milliseconds. The server's own limit applies too.
    pub(crate) time_ms: Option<u64>,
    pub(crate) clock: Option<GameClock>,
    /// Number of moves that get an exact value [default: 1].
    #[serde(default = "one")]
    pub(crate) lines: usize,
    /// Heat map on the board. Another message can change it.
    pub(crate) heat: Option<HeatKind>,
    /// True if `done` is to contain the position after the best move.
    #[serde(default)]
    pub(crate) play: bool,
    /// True if the user of the page has read the command of the program and clicked to start it. Without it, the answer to a
    /// browser that names a program is an `error` with `confirm`.
    #[serde(default)]
    pub(crate) confirmed: bool,
}

/// Clock of a game, with the times of the earlier moves of the player to move.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GameClock {
    /// Time control: `15s+1s`, `100ms`.
    #[schema(value_type = String)]
    terms: TimeControl,
    used_ms: Vec<u64>,
}

impl GameClock {
    fn player_clock(&self) -> PlayerClock {
        let mut clock = self.terms.player_clock();
        for &used in &self.used_ms {
            let _ = clock.press(Duration::from_millis(used)); // the page decides time forfeits
        }
        clock
    }
}

fn one() -> usize {
    1
}

/// Report of a search, with its drawings.
#[derive(Serialize, ToSchema)]
pub(crate) struct SearchNews<'a> {
    pub(crate) report: AnalysisDocument<'a>,
    /// Board with the heat map, if the search has one.
    svg: Option<String>,
    /// Position after the best move, if `play` requests it; only in `done`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    after: Option<PositionView>,
}

/// Receiver of the reports of a search.
pub(crate) trait Listener: Clone + Send + 'static {
    /// Called if the search waits for a slot.
    fn queued(&self);
    /// Receives an intermediate report.
    fn report(&self, news: &SearchNews<'_>);
    /// Returns the final answer as JSON.
    fn answer(&self, news: &SearchNews<'_>) -> Result<String, ApiError>;
}

impl Listener for TaskSender {
    fn queued(&self) {
        self.progress("queued", &QueueNotice {});
    }

    fn report(&self, news: &SearchNews<'_>) {
        self.progress("report", news);
    }

    fn answer(&self, news: &SearchNews<'_>) -> Result<String, ApiError> {
        self.text("done", news)
    }
}

impl Search {
    /// Waits for a search slot, searches, and sends the reports and the answer.
    pub(super) async fn run(
        self: Box<Self>,
        shared: Arc<Shared>,
        page: Page,
        out: TaskSender,
        stop: StopFlag,
    ) -> Result<(), ApiError> {
        let answer = self.find(&shared, &page, out.id, stop, out.clone()).await?;
        out.send(answer).await;
        Ok(())
    }

    /// Waits for a search slot and searches; returns the answer of the listener. `id` identifies the search in the page's heat
    /// maps.
    pub(crate) async fn find(
        self: Box<Self>,
        shared: &Arc<Shared>,
        page: &Page,
        id: u64,
        stop: StopFlag,
        listener: impl Listener,
    ) -> Result<String, ApiError> {
        self.check(shared, page)?;
        let (all, page) = (shared.clone(), page.clone());
        let (share, agent, flag) = (page.share.clone(), self.agent.clone(), stop.clone());
        let preemption = Preemption::Stop;
        // No time limit here, because the limits of the search have one.
        let slot =
            SlotRequest { shares: &[&share], agent: &agent, preemption, time: None, stop: &flag };
        let reports = listener.clone();
        let work = move |_: &mut Slot| self.search(&all, &page, id, &reports, &stop);
        shared.slots.run(slot, || listener.queued(), work).await
    }

    /// Rejects agents that may not search: programs without permission, and agents that open files or search too deep.
    fn check(&self, shared: &Shared, page: &Page) -> Result<(), ApiError> {
        if !is_program(&self.agent) {
            check_agent(&shared.options.catalog, &self.agent)?;
            return check_depth(self.depth);
        }
        shared.options.check_programs()?;
        // The agent may come from the address of the page, and any site can link to any address.
        if page.in_browser && !self.confirmed {
            return Err(ApiError::unconfirmed(format!(
                "{}: the user of the page must confirm this program before it starts",
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
    ) -> Result<String, ApiError> {
        let PositionRef { game: spec, text, .. } = &self.place;
        let name = format!("{spec} {text:?} {} {} {}", self.agent, self.seed, self.role);
        let (rules, player) = match page.players.take(&name) {
            Some((rules, player, _)) => (rules, Some(player)),
            None => (self.place.rules(&shared.options.catalog)?, None),
        };
        let game = rules.as_ref();
        let position = self.place.position(game)?;
        let mover = match position.turn() {
            Turn::Player(mover) => mover,
            Turn::Chance => return Err(ApiError::bad_request(CHANCE_IS_TO_MOVE)),
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
                let chosen = chosen.map_err(|fault| players::fault_error(&fault))?;
                let resigned = || ApiError::bad_request("the program resigned");
                (chosen.ok_or_else(resigned)?.report, false)
            }
        };
        let (svg, bytes) = (map(&report), report.stats.bytes);
        let document = self.document(game, position.as_ref(), &report, repeats);
        let best = report.best().filter(|_| self.play);
        let after = best.and_then(|best| {
            let mut after = position.boxed();
            after.play(best).ok().map(|()| PositionView::new(game, after.as_ref()))
        });
        let answer = listener.answer(&SearchNews { report: document, svg, after })?;
        // The tables of classical searches are large and quick to fill again, so keep only other players.
        if is_program(&self.agent) || !game.looks_by_plies(&self.agent)? {
            page.players.put(name, (rules, player), bytes, &shared.kept);
        }
        Ok(answer)
    }

    /// Returns the limits of an external program. It cannot be stopped early, so its time is short.
    fn terms(&self) -> Terms {
        let time =
            self.time_ms.map_or(DEFAULT_PROGRAM_TIME, Duration::from_millis).min(MAX_PROGRAM_TIME);
        let clock = self.clock.as_ref().map_or(TimeControl::PerMove(time), |clock| clock.terms);
        Terms { clock, nodes: self.nodes, depth: self.depth, ..Terms::default() }
    }

    /// Returns the limits of a built-in agent.
    fn agent_limits(&self, server: &ServerLimits) -> Limits {
        let now = Instant::now();
        let game = self.clock.as_ref().map(|clock| clock.player_clock().limits(now, SAFETY_MARGIN));
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

    /// Returns the document of a report. It has no `savings`: these are only computed for searches without a time limit, and
    /// every search of a page has one.
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
