//! Players outside a match: built-in agents or programs that are asked about single positions.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tussle_catalog::{AnyAgent, AnyGame, AnyPosition, Error, Query, is_program};
use tussle_core::{
    Limits, Line, PlayerClock, Report, SearchStats, StopFlag, StopReason, TimeControl, Turn,
};

use crate::judging::{deadline, illegal_move, wait_for_late_answer};
use crate::program::harmless;
use crate::{
    Ask, Fault, GameStart, Guard, PlayerError, PlayerSpec, Seat, Terms, Verdict, check_spec,
    seat_for,
};

/// Maximum number of repeated requests for a position, if this machine caused the late answer.
const MAX_EXCUSED_ATTEMPTS: u32 = 2;

/// Settings for starting programs, shared by all parts of a program that may start one.
///
/// ```
/// use tussle_engine::{Guard, Programs};
///
/// let programs = Programs::new(Guard::none());
/// let game = tussle_catalog::game("tictactoe")?;
/// assert!(programs.agent(&game, "greedy", 1).is_ok());
/// # Ok::<(), tussle_engine::PlayerError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Programs {
    /// Command that starts a supervisor.
    pub guard: Guard,
    /// Memory limit in bytes for all processes of a program together [default: no limit].
    pub memory: Option<u64>,
    /// Receiver of warnings about ignored parts of replies.
    pub warn: fn(&str),
}

impl Programs {
    /// Creates settings without a memory limit. Warnings are dropped.
    pub fn new(guard: Guard) -> Self {
        Self { guard, memory: None, warn: |_| {} }
    }

    /// Returns an agent by its spec: an agent of the catalog, or a program (`json:`, `ugi:`, `gtp:`).
    ///
    /// A program is started by its first query. Its time is the time limit of the query, or else the default time of a
    /// match.
    ///
    /// # Errors
    /// If the agent or program does not exist, or cannot play this game.
    pub fn agent(
        &self,
        game: &Arc<dyn AnyGame>,
        spec: &str,
        seed: u64,
    ) -> Result<Box<dyn AnyAgent>, PlayerError> {
        match PlayerSpec::parse(spec) {
            PlayerSpec::Agent(spec) => Ok(game.agent(&spec, seed)?),
            PlayerSpec::Program { .. } => Ok(Box::new(self.player(game, spec, seed)?)),
        }
    }

    /// Returns a player for a game with clocks, by the spec of an agent or a program.
    ///
    /// # Errors
    /// Like [`agent`](Programs::agent).
    pub fn player(
        &self,
        game: &Arc<dyn AnyGame>,
        spec: &str,
        seed: u64,
    ) -> Result<Player, PlayerError> {
        check_spec(spec, None, seed, game.as_ref())?;
        let terms = Terms { memory: self.memory, ..Terms::default() };
        let seat = seat_for(spec, None, &self.guard, &terms)
            .map_err(|error| PlayerError::Program { spec: spec.to_owned(), source: error.into() });
        Ok(Player {
            spec: spec.to_owned(),
            game: Arc::clone(game),
            seed,
            is_program: is_program(spec),
            seat: seat?,
            warn: Some(self.warn),
            games: 0,
            known: None,
        })
    }

    /// Returns a source of fresh agents.
    ///
    /// # Errors
    /// Like [`agent`](Programs::agent).
    pub fn agents(&self, game: &Arc<dyn AnyGame>, spec: &str) -> Result<FreshAgents, PlayerError> {
        let source = match PlayerSpec::parse(spec) {
            PlayerSpec::Agent(spec) => {
                let agent = game.agent(&spec, 0)?;
                Source::Catalog(spec, agent)
            }
            PlayerSpec::Program { .. } => Source::Program(self.player(game, spec, 0)?),
        };
        Ok(FreshAgents { game: Arc::clone(game), source })
    }
}

/// Source of fresh agents of one spec. A program is started once, and each fresh agent is a new game for it.
pub struct FreshAgents {
    game: Arc<dyn AnyGame>,
    source: Source,
}

enum Source {
    /// Spec of a catalog agent, and the latest agent.
    Catalog(String, Box<dyn AnyAgent>),
    Program(Player),
}

impl FreshAgents {
    /// Returns an agent without any state of earlier agents.
    ///
    /// # Errors
    /// If the agent cannot be made.
    pub fn fresh(&mut self, seed: u64) -> Result<&mut dyn AnyAgent, Error> {
        match &mut self.source {
            Source::Catalog(spec, agent) => {
                *agent = self.game.agent(spec, seed)?;
                Ok(agent.as_mut())
            }
            Source::Program(player) => {
                player.seed = seed;
                player.known = None;
                Ok(player)
            }
        }
    }
}

/// Player outside a match.
///
/// A program is started by the first request and ends when the player is dropped. A new game begins whenever a position
/// does not continue the last one.
pub struct Player {
    spec: String,
    game: Arc<dyn AnyGame>,
    seed: u64,
    is_program: bool,
    seat: Box<dyn Seat>,
    /// Receiver of the first warning; `None` after that.
    warn: Option<fn(&str)>,
    /// Number of games that have begun.
    games: u64,
    /// Start of the current game and its moves up to the last answer.
    known: Option<(String, Vec<String>)>,
}

/// Move of a player.
#[derive(Clone, Debug)]
pub struct ChosenMove {
    /// Report of the search; its first line is the move, which is legal.
    pub report: Report<String>,
    /// Time on the player's clock.
    pub took: Duration,
}

impl Player {
    /// Returns true if the player is a program.
    pub fn is_program(&self) -> bool {
        self.is_program
    }

    /// Asks for a move. Returns `None` if the player resigns. The used time is subtracted from the player's clock, without
    /// the time to start a program.
    ///
    /// # Errors
    /// If the player does not answer with a legal move in time. The verdict is [`Verdict::Host`] if this machine caused the
    /// late answer.
    pub fn choose(
        &mut self,
        position: &dyn AnyPosition,
        clocks: &mut [PlayerClock],
        terms: &Terms,
        stop: Option<&StopFlag>,
    ) -> Result<Option<ChosenMove>, Fault> {
        let Turn::Player(player) = position.turn() else {
            return Err(Fault::new(Verdict::Host, "was asked where no player is to move"));
        };
        let mut start = position.boxed();
        while start.undo() {}
        let text = start.text();
        let continues = |(known, moves): &(String, Vec<String>)| {
            !self.is_program || *known == text && position.history().starts_with(moves)
        };
        if !self.known.as_ref().is_some_and(continues) {
            let is_usual = start.same(self.game.start().as_ref());
            let (game, start, id) = (self.game.as_ref(), start.as_ref(), self.games);
            let seed = self.seed;
            self.games += 1;
            self.seat.begin(&GameStart { game, start, is_usual, player, id, seed, terms })?;
        }
        self.known = None; // until there is an answer
        let allowed = clocks[player].allowed();
        let began = Instant::now();
        let deadline = deadline(began, allowed);
        let ask = Ask { position, clocks, player, began, deadline, terms, stop };
        let answer = self.seat.choose(&ask);
        let took = began.elapsed();
        let in_time = clocks[player].press(took);
        let answer = match answer {
            Ok(answer) if in_time => answer,
            Ok(_) => {
                let late = took.saturating_sub(allowed);
                let what = format!("answered {late:.1?} after its time had run out");
                return Err(self.excused(Fault::new(Verdict::Time, what), late));
            }
            Err(fault) if fault.verdict == Verdict::Time => {
                if stop.is_some_and(StopFlag::is_stopped) {
                    return Err(fault);
                }
                let (fault, _) = wait_for_late_answer(self.seat.as_mut(), fault)?;
                return Err(self.excused(fault, began.elapsed().saturating_sub(allowed)));
            }
            Err(fault) => return Err(fault),
        };
        let Some(mv) = answer.mv else { return Ok(None) };
        let mut after = position.boxed();
        after.play(&mv).map_err(|why| illegal_move(position, &mv, &why.to_string()))?;
        let mv = after.history().last().cloned().unwrap_or(mv);
        self.known = Some((text, position.history().to_vec()));
        let report = match answer.report {
            Some(report) if !self.is_program => report,
            report => {
                let mut warnings = answer.ignored;
                let report = self.verified(position, &mv, report, took, &mut warnings);
                if let (Some(first), Some(warn)) = (warnings.first(), self.warn.take()) {
                    let more = match warnings.len() - 1 {
                        0 => String::new(),
                        more => format!(", and {more} more"),
                    };
                    warn(&format!("warning: {}: ignored {first}{more}", self.spec));
                }
                report
            }
        };
        Ok(Some(ChosenMove { report, took }))
    }

    /// Changes the verdict of a late answer to [`Verdict::Host`] if the player waited for a processor at least as long as
    /// the answer was late.
    fn excused(&self, fault: Fault, lateness: Duration) -> Fault {
        let is_excused = self.seat.usage().excuses(lateness);
        Fault { verdict: if is_excused { Verdict::Host } else { fault.verdict }, ..fault }
    }

    /// Returns the report of a program with only its legal moves, in the notation of the game. The chosen move is first, the
    /// others are sorted by visits and value.
    fn verified(
        &self,
        position: &dyn AnyPosition,
        mv: &str,
        report: Option<Report<String>>,
        took: Duration,
        warnings: &mut Vec<String>,
    ) -> Report<String> {
        let mut report = report.unwrap_or_else(|| {
            let lines = vec![Line { searched: false, ..Line::new(mv.to_owned(), 0.0) }];
            Report::new(lines, SearchStats::default(), StopReason::Finished, took)
        });
        let mut seen = HashSet::from([mv.to_owned()]);
        let mut lines = Vec::with_capacity(report.lines.len());
        let mut there = position.without_history();
        for (i, mut line) in report.lines.drain(..).enumerate() {
            let told = std::mem::take(&mut line.pv);
            if i == 0 {
                mv.clone_into(&mut line.mv);
            } else if let Err(why) = there.play(&line.mv) {
                let (mv, why) = (harmless(&line.mv, 60), harmless(&why.to_string(), 200));
                warnings.push(format!("`{mv}` in `moves`, which is not legal: {why}"));
                continue;
            } else {
                line.mv = there.history().last().cloned().unwrap_or_default();
                there.undo();
                if !seen.insert(line.mv.clone()) {
                    warnings.push(format!("`{}`, which is in `moves` twice", line.mv));
                    continue;
                }
            }
            // Keep the moves of the line up to the first illegal one.
            let follows = told.iter().all(|mv| there.play(mv).is_ok());
            line.pv = there.history().to_vec();
            while there.undo() {}
            if line.pv.first() != Some(&line.mv) {
                line.pv = vec![line.mv.clone()];
            }
            if !follows {
                warnings.push(format!("the rest of `pv` after {}", line.pv.join(" ")));
            }
            if has_values_for_first_player(self.game.as_ref()) && position.turn() == Turn::Player(1)
            {
                // The expected score stays that of the player to move.
                line.value = line.value.with_number(0.0 - line.value.number());
            }
            lines.push(line);
        }
        let known = |line: &Line<String>| line.known_value().unwrap_or(f64::NEG_INFINITY);
        if let Some(others) = lines.get_mut(1..) {
            others.sort_by(|a, b| {
                b.visits.cmp(&a.visits).then_with(|| known(b).total_cmp(&known(a)))
            });
        }
        Report { lines, ..report }
    }

    fn failed(&self, fault: &Fault) -> Error {
        Error::Program { agent: self.spec.clone(), what: fault.to_string() }
    }
}

impl AnyAgent for Player {
    fn analyse(
        &mut self,
        position: &dyn AnyPosition,
        query: Query<'_>,
    ) -> Result<Report<String>, Error> {
        if position.game_spec() != self.game.spec() {
            let (agent, position) = (self.game.spec().to_owned(), position.game_spec().to_owned());
            return Err(Error::WrongGame { agent, position });
        }
        if !matches!(position.turn(), Turn::Player(_)) {
            return Err(Error::NoPlayerToMove);
        }
        let stop = query.limits.stop.as_ref();
        let mut attempts = 0;
        let report = loop {
            let terms = terms_within(&query.limits);
            let mut clocks = vec![terms.clock.player_clock(); self.game.players()];
            match self.choose(position, &mut clocks, &terms, stop) {
                Ok(Some(chosen)) => break chosen.report,
                Ok(None) => {
                    let fault = Fault::new(Verdict::Normal, "resigned instead of a move");
                    return Err(self.failed(&fault));
                }
                Err(fault) if fault.verdict == Verdict::Host && attempts < MAX_EXCUSED_ATTEMPTS => {
                    attempts += 1;
                }
                Err(fault) => return Err(self.failed(&fault)),
            }
        };
        if let Some(live) = query.live {
            live(&report);
        }
        Ok(report)
    }

    fn is_deterministic(&self) -> bool {
        self.seat.is_deterministic()
    }
}

/// Returns the time and resource limits of one move. Without a time limit, the time control is the default of a match, or a
/// long one if nodes or plies are limited.
fn terms_within(limits: &Limits) -> Terms {
    let usual = Terms::default();
    let is_limited = limits.nodes.is_some() || limits.depth.is_some();
    let clock = match limits.hard.or(limits.soft) {
        Some(time) => {
            let gone = limits.started.map_or(Duration::ZERO, |started| started.elapsed());
            TimeControl::PerMove(time.saturating_sub(gone).max(Duration::from_millis(1)))
        }
        None if is_limited => Terms::LIMITED_CLOCK,
        None => usual.clock,
    };
    let memory = limits.memory.map(|bytes| bytes as u64);
    Terms { clock, nodes: limits.nodes, depth: limits.depth, memory, ..usual }
}

/// Returns true if the values of this game are always those of the first player.
fn has_values_for_first_player(game: &dyn AnyGame) -> bool {
    let values = game.values(1, &Line::new(String::new(), 1.0));
    values.is_some_and(|values| values.first() == Some(&1.0))
}
