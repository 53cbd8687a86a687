//! Matches between two agents in this process, with statistics.

use std::fmt;

use tussle_core::{Game, Limits, Rng, RulesError, Turn};
use tussle_search::{Agent, SearchError};
use tussle_stats::{Estimate, GameResult, Pentanomial, Wdl};

/// Number of openings tried for a pair before [`MatchError::NoOpening`].
const MAX_OPENING_TRIES: u64 = 1000;

/// A match between two agents: pairs of games from one opening, with swapped seats.
///
/// The agents get the limits for every move, and the match trusts them to keep these. Matches with
/// clocks, verdicts and a store, also for programs in other languages, are the business of `tussle
/// match` and the crate `tussle-arena`.
///
/// ```
/// use tussle::games::Connect4;
/// use tussle::prelude::*;
/// use tussle::search::{Mcts, MctsOptions, agent_fn};
/// use tussle::Match;
///
/// let game = Connect4::default();
/// let mut mcts = Mcts::new(MctsOptions::default());
/// let mut first_move = agent_fn(|game: &Connect4, state, _limits| game.legal_moves(state)[0]);
/// let limits = Limits::nodes(100);
/// let result = Match::new(&game).pairs(5).opening_plies(2).limits(limits).play(&mut mcts, &mut first_move)?;
/// assert_eq!(result.score.games(), 10);
/// println!("{result}"); // +10 =0 -0, all won
/// # Ok::<(), tussle::MatchError>(())
/// ```
#[derive(Debug)]
#[must_use = "a match is played by `play`"]
pub struct Match<'a, G: Game> {
    game: &'a G,
    pairs: u64,
    opening_plies: u32,
    limits: Limits,
    seed: u64,
}

impl<'a, G: Game> Match<'a, G> {
    /// Creates a match of one pair from the start of the game, without limits. Agents such as
    /// [`Mcts`](tussle_search::Mcts) need [`limits`](Match::limits) to end.
    pub fn new(game: &'a G) -> Self {
        Self { game, pairs: 1, opening_plies: 0, limits: Limits::none(), seed: 0 }
    }

    /// Sets the number of pairs of games.
    pub fn pairs(self, pairs: u64) -> Self {
        Self { pairs, ..self }
    }

    /// Sets the number of random plies with which every pair begins. Deterministic agents repeat
    /// the same game without them.
    pub fn opening_plies(self, opening_plies: u32) -> Self {
        Self { opening_plies, ..self }
    }

    /// Sets the limits of every move.
    pub fn limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// Sets the seed of openings and of chance.
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Plays all games and returns the results of `first`.
    ///
    /// # Errors
    /// If the game is not for two players, every opening of that length ends the game, an agent returns
    /// an error, it chooses an illegal move, or the rules of the game fail.
    pub fn play(
        &self,
        first: &mut dyn Agent<G>,
        second: &mut dyn Agent<G>,
    ) -> Result<MatchResult, MatchError> {
        if self.game.players() != 2 {
            return Err(MatchError::Players(self.game.players()));
        }
        let mut result = MatchResult::default();
        for pair in 0..self.pairs {
            let opening = self.opening(pair)?;
            let mut points = [GameResult::Draw; 2];
            for (swapped, points) in points.iter_mut().enumerate() {
                let utilities =
                    self.play_game(&opening, pair, swapped, &mut [&mut *first, &mut *second])?;
                *points = compare(utilities[swapped], utilities[1 - swapped]);
                result.score.add(*points);
                result.by_seat[swapped].add(*points);
            }
            result.pairs.add(points);
        }
        Ok(result)
    }

    /// Returns a position after random plies in which the game is not over.
    fn opening(&self, pair: u64) -> Result<G::State, MatchError> {
        let tries = if self.opening_plies == 0 { 1 } else { MAX_OPENING_TRIES };
        for attempt in 0..tries {
            let mut rng = Rng::derive(self.seed, &[pair, attempt]);
            let mut state = self.game.start();
            let mut plies = 0;
            loop {
                let mv = match self.game.turn(&state) {
                    Turn::Over => {
                        self.check_rules()?;
                        break;
                    }
                    Turn::Chance => self.game.sample(&state, &mut rng, &mut Vec::new()),
                    Turn::Player(_) if plies == self.opening_plies => return Ok(state),
                    Turn::Player(_) => {
                        plies += 1;
                        let moves = self.game.legal_moves(&state);
                        self.check_rules()?;
                        if moves.is_empty() {
                            break; // the rules contradict themselves; another opening may be sound
                        }
                        moves[rng.below(moves.len())]
                    }
                };
                self.game.play(&mut state, mv);
            }
        }
        Err(MatchError::NoOpening { plies: self.opening_plies })
    }

    /// Plays one game, in which agent `swapped` is the first player, and returns the utilities of the
    /// players.
    fn play_game(
        &self,
        opening: &G::State,
        pair: u64,
        swapped: usize,
        agents: &mut [&mut dyn Agent<G>; 2],
    ) -> Result<[f64; 2], MatchError> {
        let mut rng = Rng::derive(self.seed, &[pair, u64::MAX, swapped as u64]);
        let mut state = opening.clone();
        loop {
            let mv = match self.game.turn(&state) {
                Turn::Over => {
                    let utilities = [0, 1].map(|player| self.game.utility(&state, player));
                    self.check_rules()?;
                    return Ok(utilities);
                }
                Turn::Chance => self.game.sample(&state, &mut rng, &mut Vec::new()),
                Turn::Player(player) => {
                    let agent = player ^ swapped;
                    let report = agents[agent].search(self.game, &state, &self.limits);
                    let report = report.map_err(|error| match error {
                        SearchError::Rules(error) => MatchError::Rules(error),
                        error => MatchError::Search { agent, error },
                    })?;
                    let best = report.best().copied();
                    let is_legal = |mv: &G::Move| self.game.legal_moves(&state).contains(mv);
                    let best = best.filter(is_legal);
                    self.check_rules()?;
                    best.ok_or(MatchError::IllegalMove { agent, pair })?
                }
            };
            self.game.play(&mut state, mv);
        }
    }

    /// Returns the error of the rules, if they have failed.
    fn check_rules(&self) -> Result<(), MatchError> {
        self.game.failure().map_or(Ok(()), |error| Err(MatchError::Rules(error)))
    }
}

fn compare(own: f64, other: f64) -> GameResult {
    match own.total_cmp(&other) {
        std::cmp::Ordering::Greater => GameResult::Win,
        std::cmp::Ordering::Equal => GameResult::Draw,
        std::cmp::Ordering::Less => GameResult::Loss,
    }
}

/// Results of a [`Match`] for its first agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct MatchResult {
    /// All games.
    pub score: Wdl,
    /// Games in which the first agent moved first, and those in which it moved second.
    pub by_seat: [Wdl; 2],
    /// Pairs of games by their points.
    pub pairs: Pentanomial,
}

impl MatchResult {
    /// Returns the estimated difference in strength with its 95 % interval. The samples are pairs,
    /// because the games of a pair are not independent.
    pub fn estimate(&self) -> Estimate {
        Estimate::from_pairs(&self.pairs)
    }
}

impl fmt::Display for MatchResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Wdl { wins, draws, losses } = self.score;
        write!(f, "+{wins} ={draws} -{losses}")?;
        let elo = self.estimate().elo;
        match (elo.value, elo.error) {
            (Some(value), Some(error)) => write!(f, ", Elo {value:+.0} ± {error:.0}"),
            _ if self.score.games() == 0 => Ok(()),
            _ if draws + losses == 0 => f.write_str(", all won"),
            _ if draws + wins == 0 => f.write_str(", all lost"),
            _ => f.write_str(", too few games for an error bar"),
        }
    }
}

/// Error that ended a [`Match`]. Agents are 0 and 1 in the order of [`Match::play`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MatchError {
    /// The game is not for two players.
    Players(usize),
    /// Every opening of this length ended the game.
    NoOpening {
        /// Random plies of an opening.
        plies: u32,
    },
    /// An agent returned an error.
    Search {
        /// The agent.
        agent: usize,
        /// Its error.
        error: SearchError,
    },
    /// An agent chose an illegal move.
    IllegalMove {
        /// The agent.
        agent: usize,
        /// Number of the pair, from 0.
        pair: u64,
    },
    /// The rules of the game failed.
    Rules(RulesError),
}

impl fmt::Display for MatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Players(players) => {
                write!(f, "a match is between two players, and this game has {players}")
            }
            Self::NoOpening { plies } => write!(
                f,
                "no undecided opening of {plies} random plies in {MAX_OPENING_TRIES} tries; use fewer plies"
            ),
            Self::Search { agent, error } => write!(f, "agent {agent}: {error}"),
            Self::IllegalMove { agent, pair } => {
                write!(f, "agent {agent} chose an illegal move in pair {pair}")
            }
            Self::Rules(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for MatchError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Search { error, .. } => error.source(),
            Self::Rules(error) => error.source(),
            _ => None,
        }
    }
}
