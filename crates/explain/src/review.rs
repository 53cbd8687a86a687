//! A game looked at afterwards: what every choice was worth, and what would have been better.
//!
//! Every position of the game is searched, the last one first. A move is judged by the positions that it and
//! the best move lead to, both searched in the same way: what a search thinks of its favourite and what it
//! thinks of a move it hardly tried cannot be compared.

mod chart;
mod judge;
mod scale;
mod sentence;
mod summary;
#[cfg(test)]
mod tests;
mod verdict;

use std::time::Duration;

use serde::Serialize;
use tussle_catalog::{AnyGame, AnyPosition, Error, turns};
use tussle_core::{Outcome, StopFlag, Turn};

use judge::{Judge, Measured};
use scale::Scale;
use sentence::Told;
pub use summary::PlayerSummary;
use verdict::Finding;
pub use verdict::MoveVerdict;

/// Advice about an agent that cannot judge.
const JUDGE_HINT: &str = "mcts can in every game, alphabeta where two play without dice; \
                       expectimax, maxn and the others that search can too";

/// Error of a game that cannot be reviewed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReviewError {
    /// The game has no moves.
    #[error("there is no move to look at")]
    NoMove,
    /// A move is not legal.
    #[error("move {number}: {source}")]
    Move {
        /// Number of the move, from 1.
        number: usize,
        /// Error of the game.
        source: Error,
    },
    /// Error of the game or of the agent.
    #[error(transparent)]
    Catalog(#[from] Error),
    /// The stop flag of the [`Reviewer`] was raised.
    #[error("stopped before the end")]
    Stopped,
    /// The spec names a program.
    #[error(
        "{0}: a review compares values of many positions on one scale, and those of a program have none that is known; \
         {JUDGE_HINT}"
    )]
    Program(String),
    /// The agent of this name does not search.
    #[error("{0} does not search, so it cannot judge; {JUDGE_HINT}")]
    NoSearch(String),
    /// The agent of this name gives no value for each player.
    #[error("{0} does not say what a position is worth to everybody: use --agent mcts")]
    NoValues(String),
    /// Chance is to move and has no outcome.
    #[error("chance has nothing to do")]
    NoOutcome,
}

/// Agent and limits of a review.
#[derive(Clone, Debug)]
pub struct Reviewer {
    /// Spec of the agent; without one, alpha-beta looks for proofs and Monte Carlo tree search does the rest.
    pub agent: Option<String>,
    /// Simulations or nodes for each position.
    pub nodes: Option<u64>,
    /// Time for each position.
    pub time: Option<Duration>,
    /// Bytes for the tables and trees of one search.
    pub memory: usize,
    /// Seed of everything random.
    pub seed: u64,
    /// Flag that ends the review.
    pub stop: StopFlag,
}

/// Default number of simulations for each position.
pub const REVIEW_NODES: u64 = 4000;

impl Default for Reviewer {
    fn default() -> Self {
        Self {
            agent: None,
            nodes: Some(REVIEW_NODES),
            time: None,
            memory: 256 << 20,
            seed: 1,
            stop: StopFlag::default(),
        }
    }
}

/// Assessment of every move of a game. The same seed and nodes give the same bytes.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Review {
    /// Spec of the game.
    pub game: String,
    /// Spec of the agent.
    pub agent: String,
    /// Simulations or nodes for each position.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub nodes: Option<u64>,
    /// Milliseconds for each position.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub time_ms: Option<u64>,
    /// Seed of everything random.
    pub seed: u64,
    /// Number of players.
    pub players: usize,
    /// One unit of loss: what lies between a win and a draw; where points are counted, the most that was at stake.
    pub unit: f64,
    /// Value of each position to every player, from the start on.
    pub values: Vec<Vec<f64>>,
    /// Assessment of every move but those of the opening and of chance.
    pub moves: Vec<MoveAssessment>,
    /// Summary of each player.
    pub summary: Vec<PlayerSummary>,
    /// Caveat, if most moves could not be judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub caution: Option<String>,
}

/// Played move, best move, loss and verdict.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MoveAssessment {
    /// Number of moves before it.
    pub ply: usize,
    /// Player who made it, from 0.
    pub player: usize,
    /// Name of that player.
    pub turn: String,
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Verdict.
    pub verdict: MoveVerdict,
    /// Loss in units; 0 if it may be noise.
    pub loss: f64,
    /// True if the search was precise enough to show a mistake.
    pub judged: bool,
    /// Value of the played move.
    pub played: MoveWorth,
    /// Value of the best move.
    pub best: MoveWorth,
    /// The assessment as a sentence.
    pub words: String,
}

/// Value of a move to the player who makes it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MoveWorth {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its value.
    pub value: f64,
    /// `win`, `draw` or `loss`, if proven.
    pub outcome: Option<&'static str>,
    /// Plies to the end, if proven.
    pub distance: Option<u32>,
    /// The move and its continuation.
    pub line: Vec<String>,
}

/// Progress of a review.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReviewNews {
    /// Number of positions that were searched.
    pub done: usize,
    /// Number of all positions.
    pub total: usize,
    /// Number of moves before the latest of them.
    pub ply: usize,
    /// Its value to every player, as the agent reports it.
    pub values: Vec<f64>,
}

/// Reviews the game that these moves make from a position; the first `opening` of them are not assessed.
///
/// # Errors
/// If there is no move or one is not legal, if the agent cannot judge the game, or if the stop flag is raised.
pub fn review(
    game: &dyn AnyGame,
    start: &dyn AnyPosition,
    (moves, opening): (&[String], usize),
    reviewer: &Reviewer,
    tell: &mut dyn FnMut(&ReviewNews),
) -> Result<Review, ReviewError> {
    if moves.is_empty() {
        return Err(ReviewError::NoMove);
    }
    let mut position = start.without_history();
    for (i, mv) in moves.iter().enumerate() {
        position.play(mv).map_err(|source| ReviewError::Move { number: i + 1, source })?;
    }
    let moves = position.history().to_vec(); // as the game writes them
    let total = moves.len() + 1;
    let mut judge = Judge::new(game, reviewer)?;
    let mut found = vec![judge.measure(position.as_ref())?];
    let mut choices = Vec::new();
    tell(&ReviewNews { done: 1, total, ply: moves.len(), values: found[0].values.clone() });
    for (ply, mv) in moves.iter().enumerate().rev() {
        position.undo();
        let after = found.last().cloned();
        let mut here = judge.measure(position.as_ref())?;
        if let (Turn::Player(player), Some(played), true) = (position.turn(), after, ply >= opening)
        {
            let forced = position.moves().len() == 1;
            let all_lose = here.outcomes[player] == Some(Outcome::Loss);
            let best = if forced {
                None
            } else {
                better(&mut judge, position.as_ref(), (player, mv, &played), &mut here)?
            };
            let mv = mv.clone();
            choices.push(Choice { ply, player, mv, forced, all_lose, played, best });
        }
        judge.stepped();
        tell(&ReviewNews { done: total - ply, total, ply, values: here.values.clone() });
        found.push(here);
    }
    found.reverse();
    choices.reverse();
    let players = game.players();
    let scale = Scale::new(game, found.iter().chain(choices.iter().filter_map(Choice::measured)));
    let judged: Vec<MoveAssessment> =
        choices.into_iter().map(|choice| choice.judged(players, &scale)).collect();
    let summary: Vec<PlayerSummary> =
        (0..players).map(|player| PlayerSummary::new(players, player, &judged)).collect();
    Ok(Review {
        game: game.spec().to_owned(),
        agent: judge.name(),
        nodes: reviewer.nodes,
        time_ms: reviewer.time.map(|time| time.as_millis() as u64),
        seed: reviewer.seed,
        players,
        unit: scale.unit,
        caution: caution(&summary, reviewer),
        summary,
        values: found.into_iter().map(|measured| scale.values(&measured)).collect(),
        moves: judged,
    })
}

/// Most choices may be anything: said once, and loudly.
fn caution(summary: &[PlayerSummary], reviewer: &Reviewer) -> Option<String> {
    let choices: usize = summary.iter().map(|one| one.choices).sum();
    let judged: usize = summary.iter().map(|one| one.judged).sum();
    let few = if reviewer.nodes.is_some() { "so few nodes" } else { "so little time" };
    (2 * judged < choices)
        .then(|| format!("with {few} most moves cannot be judged: {judged} of {choices} could be"))
}

/// Returns the best move and its value, if it is another than the played one. If the favourite of the search turns
/// out to be lost one move later, the next favourites are tried, and their value is that of the position.
fn better(
    judge: &mut Judge<'_>,
    position: &dyn AnyPosition,
    (player, mv, played): (usize, &str, &Measured),
    here: &mut Measured,
) -> Result<Option<(String, Measured)>, ReviewError> {
    let Some((first, rest)) = here.line.split_first().map(|(mv, rest)| (mv.clone(), rest.to_vec()))
    else {
        return Ok(None);
    };
    if here.is_proven() {
        // A proven value is reused without another search.
        let distance = here.distance.map(|plies| plies.saturating_sub(1));
        let measured = Measured { line: rest, distance, ..here.clone() };
        return Ok((first != mv).then_some((first, measured)));
    }
    let is_lost = |measured: &Measured| measured.outcomes[player] == Some(Outcome::Loss);
    if first == mv && !is_lost(played) {
        return Ok(None);
    }
    let mut found: Option<(String, Measured)> = None;
    for favourite in here.favourites.iter().filter(|favourite| *favourite != mv) {
        let mut there = position.boxed();
        there.play(favourite)?;
        let mut measured = judge.measure(there.as_ref())?;
        if measured.line.is_empty() && *favourite == first {
            measured.line.clone_from(&rest);
        }
        let lost = is_lost(&measured);
        if found.is_none() || !lost {
            found = Some((favourite.clone(), measured));
        }
        if !lost {
            break;
        }
    }
    if let Some((best, measured)) = &found
        && (*best != first || is_lost(measured))
    {
        here.values.clone_from(&measured.values);
        here.variance = measured.variance;
        here.is_estimate = measured.is_estimate;
        here.line = std::iter::once(best).chain(&measured.line).cloned().collect();
    }
    Ok(found)
}

/// A choice and what is known of it.
struct Choice {
    ply: usize,
    player: usize,
    mv: String,
    forced: bool,
    /// True if every move is proven to lose.
    all_lose: bool,
    /// The position that was reached.
    played: Measured,
    /// The best move and the position after it, unless it was made.
    best: Option<(String, Measured)>,
}

impl Choice {
    fn measured(&self) -> Option<&Measured> {
        self.best.as_ref().map(|(_, measured)| measured)
    }

    fn judged(self, players: usize, scale: &Scale) -> MoveAssessment {
        let Self { ply, player, mv, forced, all_lose, played, best } = self;
        let finding = match &best {
            _ if forced => Finding::forced(),
            Some((_, best)) => verdict::judge(player, &played, best, scale),
            None => Finding::favourite(&played),
        };
        let Finding { verdict, loss, is_judged: judged } = finding;
        let worth = |mv: &str, measured: &Measured| MoveWorth {
            mv: mv.to_owned(),
            value: scale.value(measured, player),
            outcome: measured.outcomes[player].map(Outcome::as_str),
            distance: measured.distance.map(|plies| plies + 1),
            line: std::iter::once(mv)
                .chain(measured.line.iter().map(String::as_str))
                .map(str::to_owned)
                .collect(),
        };
        let (played, best) = (worth(&mv, &played), best.map(|(mv, best)| worth(&mv, &best)));
        let best = best.filter(|_| verdict != MoveVerdict::Best).unwrap_or_else(|| played.clone());
        let turn = turns::player(players, player);
        let words = sentence::sentence(&Told {
            ply,
            turn: &turn,
            verdict,
            loss,
            played: &played,
            best: &best,
            all_lose,
        });
        MoveAssessment { ply, player, turn, mv, verdict, loss, judged, played, best, words }
    }
}
