//! Reviews of finished games: an assessment of every move, and better moves.
//!
//! Every position of the game is searched, the last one first. A move is judged by two positions: the one
//! after it and the one after the best move. Both are searched in the same way, because the value of a move
//! that a search hardly visited cannot be compared with that of its favourite.

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

use judge::{Judge, PositionValue};
use scale::Scale;
use sentence::SentenceParts;
pub use summary::PlayerSummary;
use verdict::Finding;
pub use verdict::MoveVerdict;

/// Advice for a review with an unsuitable agent.
const JUDGE_HINT: &str = "use mcts in any game, alphabeta in a game of two players without chance, or another search \
                       such as expectimax or maxn";

/// Error of a game that cannot be reviewed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReviewError {
    /// The game has no moves.
    #[error("the game has no moves to review")]
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
        "{0}: a review compares values of many positions on one scale, and that of a program's values is not known; \
         {JUDGE_HINT}"
    )]
    Program(String),
    /// The agent of this name does not search.
    #[error("{0} does not search, so it cannot judge; {JUDGE_HINT}")]
    NoSearch(String),
    /// The agent of this name gives no value for each player.
    #[error(
        "{0} gives a value to the player to move only: use --agent maxn, or mcts with more than two players"
    )]
    NoValues(String),
    /// A chance node has no outcomes.
    #[error("a chance node has no outcomes: `moves` must list at least one there")]
    NoOutcome,
}

/// Agent and limits of a review.
#[derive(Clone, Debug)]
pub struct Reviewer {
    /// Spec of the agent [default: alpha-beta searches for proofs, Monte Carlo tree search values unproven positions;
    /// max^n in a game of two players that is not declared to be zero-sum].
    pub agent: Option<String>,
    /// Simulations or nodes for each position.
    pub nodes: Option<u64>,
    /// Time for each position.
    pub time: Option<Duration>,
    /// Memory limit of the tables and trees of one search, in bytes.
    pub memory: usize,
    /// Seed of all random choices.
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

/// Assessment of every move of a game. With a node limit, the same seed gives the same document.
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
    /// Time for each position, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub time_ms: Option<u64>,
    /// Seed of all random choices.
    pub seed: u64,
    /// Number of players.
    pub players: usize,
    /// Unit of losses: the difference between a win and a draw, or in games with points the largest difference of
    /// values in the game.
    pub unit: f64,
    /// Value of each position to every player, from the start on.
    pub values: Vec<Vec<f64>>,
    /// Assessments of all moves except those of the opening and chance outcomes.
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
    /// Number of moves before this one.
    pub ply: usize,
    /// Player who made the move, from 0.
    pub player: usize,
    /// Name of the player.
    pub turn: String,
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Verdict.
    pub verdict: MoveVerdict,
    /// Loss in units; 0 if it is not significant.
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
    /// Value of the move.
    pub value: f64,
    /// `win`, `draw` or `loss`, if proven.
    pub outcome: Option<&'static str>,
    /// Plies to the end, if proven.
    pub distance: Option<u32>,
    /// Principal variation; it begins with the move.
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
    /// Number of moves before the latest searched position.
    pub ply: usize,
    /// Value of this position for every player, as the agent reports it.
    pub values: Vec<f64>,
}

/// Reviews the game with these moves from a position. The first `opening` moves are not assessed.
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

/// Returns a caveat if most moves could not be judged.
fn caution(summary: &[PlayerSummary], reviewer: &Reviewer) -> Option<String> {
    let choices: usize = summary.iter().map(|one| one.choices).sum();
    let judged: usize = summary.iter().map(|one| one.judged).sum();
    let few = if reviewer.nodes.is_some() { "this number of nodes" } else { "this time limit" };
    (2 * judged < choices)
        .then(|| format!("with {few} most moves cannot be judged: {judged} of {choices} could be"))
}

/// Returns the best move and its value, unless it is the played one. If the search's favourite move turns out to be
/// lost, the next favourites are tried, and the value of the position is theirs.
fn better(
    judge: &mut Judge<'_>,
    position: &dyn AnyPosition,
    (player, mv, played): (usize, &str, &PositionValue),
    here: &mut PositionValue,
) -> Result<Option<(String, PositionValue)>, ReviewError> {
    let Some((first, rest)) = here.line.split_first().map(|(mv, rest)| (mv.clone(), rest.to_vec()))
    else {
        return Ok(None);
    };
    if here.is_proven() {
        // A proven value is reused without another search.
        let distance = here.distance.map(|plies| plies.saturating_sub(1));
        let measured = PositionValue { line: rest, distance, ..here.clone() };
        return Ok((first != mv).then_some((first, measured)));
    }
    let is_lost = |measured: &PositionValue| measured.outcomes[player] == Some(Outcome::Loss);
    if first == mv && !is_lost(played) {
        return Ok(None);
    }
    let mut found: Option<(String, PositionValue)> = None;
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

/// Played move of a position with its search results.
struct Choice {
    ply: usize,
    player: usize,
    mv: String,
    forced: bool,
    /// True if every move is proven to lose.
    all_lose: bool,
    /// Value of the position after the played move.
    played: PositionValue,
    /// Best move and the value of the position after it, unless it was played.
    best: Option<(String, PositionValue)>,
}

impl Choice {
    fn measured(&self) -> Option<&PositionValue> {
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
        let worth = |mv: &str, measured: &PositionValue| MoveWorth {
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
        let words = sentence::sentence(&SentenceParts {
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
