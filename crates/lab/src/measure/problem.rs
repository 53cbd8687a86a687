//! Positions whose moves differ in value, with the proven value of every move.

use serde::{Deserialize, Serialize};
use tussle_catalog::{AnyGame, AnyPosition, Query};
use tussle_core::{Limits, Outcome, Rng, StopFlag, Turn};

use crate::{ExperimentError, LabError, Result};

/// Number of random games without a problem after which the search for one ends.
const MAX_ATTEMPTS: u32 = 10_000;

/// Agent that proves the value of every move. Equivalent moves stay, because a player may choose any of them.
pub(crate) const SOLVER: &str = "alphabeta-textbook:dedupe=off";

/// Search for problems: where, and how long.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Posing {
    /// Minimum and maximum number of random plies before a position.
    pub(crate) plies: (u32, u32),
    /// Maximum number of nodes to solve a position.
    pub(crate) nodes: Option<u64>,
    /// Number of random games without a problem after which the search for one ends.
    pub(crate) attempts: u32,
}

impl Posing {
    /// Returns a search that solves every position after these numbers of plies.
    pub(crate) fn exhaustive(plies: (u32, u32)) -> Self {
        Self { plies, nodes: None, attempts: MAX_ATTEMPTS }
    }
}

/// Position with the proven value of each move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Problem {
    /// Moves from the start to the position.
    moves: Vec<String>,
    /// Legal moves with their expected scores: 1 for a win, one half for a draw.
    worth: Vec<(String, f64)>,
}

impl Problem {
    /// Plays random games until a position has moves of different value, found by an exhaustive search.
    ///
    /// # Errors
    /// If the game cannot be searched or has no such positions, or the work was stopped.
    pub(crate) fn pose(
        game: &dyn AnyGame,
        Posing { plies: (least, most), nodes, attempts }: Posing,
        rng: &mut Rng,
        stop: &StopFlag,
    ) -> Result<Self> {
        let mut unsolved = 0;
        for _ in 0..attempts {
            if stop.is_stopped() {
                return Err(LabError::Stopped);
            }
            let plies = least + rng.below((most - least + 1) as usize) as u32;
            let Some(position) = stroll(game, plies, rng)? else { continue };
            let Some(worth) = worth(game, position.as_ref(), nodes, stop)? else {
                unsolved += 1;
                continue;
            };
            if worth.iter().any(|(_, points)| *points != worth[0].1) {
                return Ok(Self { moves: position.history().to_vec(), worth });
            }
        }
        let game = game.spec().to_owned();
        Err(match nodes {
            Some(nodes) if unsolved > attempts / 2 => ExperimentError::Unsolved { game, nodes },
            _ => ExperimentError::NoProblem(game),
        }
        .into())
    }

    /// Returns the position.
    pub(crate) fn position(&self, game: &dyn AnyGame) -> Result<Box<dyn AnyPosition>> {
        let mut position = game.start();
        for mv in &self.moves {
            position.play(mv)?;
        }
        Ok(position)
    }

    /// Returns the points that a move gives away; 1 for an unknown move.
    pub(crate) fn regret(&self, mv: &str) -> f64 {
        let found = self.worth.iter().find(|(other, _)| other == mv);
        found.map_or(1.0, |(_, points)| self.most() - points)
    }

    /// Returns the probability that a random move is a best one.
    pub(crate) fn chance(&self) -> f64 {
        let best = self.worth.iter().filter(|(_, points)| *points == self.most()).count();
        best as f64 / self.worth.len() as f64
    }

    fn most(&self) -> f64 {
        self.worth.iter().map(|(_, points)| *points).fold(0.0, f64::max)
    }
}

/// Returns the position after `plies` random moves, if a player is to move there.
fn stroll(game: &dyn AnyGame, plies: u32, rng: &mut Rng) -> Result<Option<Box<dyn AnyPosition>>> {
    let mut position = game.start();
    for _ in 0..plies {
        let moves = position.moves();
        if moves.is_empty() {
            return Ok(None);
        }
        position.play(&moves[rng.below(moves.len())])?;
    }
    Ok(matches!(position.turn(), Turn::Player(_)).then_some(position))
}

/// Returns the value of every move, if all of them can be proven.
fn worth(
    game: &dyn AnyGame,
    position: &dyn AnyPosition,
    nodes: Option<u64>,
    stop: &StopFlag,
) -> Result<Option<Vec<(String, f64)>>> {
    let limits = Limits { nodes, ..Limits::none() }.or_stop(stop);
    let query = Query { lines: usize::MAX, ..Query::new(&limits) };
    let report = game.agent(SOLVER, 1)?.analyse(position, query)?;
    if stop.is_stopped() {
        return Err(LabError::Stopped);
    }
    let points = |outcome| match outcome {
        Outcome::Win => 1.0,
        Outcome::Draw => 0.5,
        Outcome::Loss => 0.0,
    };
    let all = report.lines.into_iter().map(|line| {
        let points = points(line.outcome()?);
        Some((line.mv, points))
    });
    Ok(all.collect::<Option<Vec<_>>>().filter(|worth| worth.len() == position.moves().len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solved(game: &str, moves: &[&str]) -> Vec<(String, f64)> {
        let game = tussle_catalog::game(game).unwrap();
        let mut position = game.start();
        for mv in moves {
            position.play(mv).unwrap();
        }
        let mut worth =
            worth(game.as_ref(), position.as_ref(), None, &StopFlag::default()).unwrap().unwrap();
        worth.sort_by(|a, b| a.0.cmp(&b.0));
        worth
    }

    /// Returns the value of a position for its player, by exhaustive search without pruning.
    fn naive(position: &mut dyn AnyPosition) -> f64 {
        let Turn::Player(mover) = position.turn() else { unreachable!("a player is to move") };
        let mut most = 0.0_f64;
        for mv in position.moves() {
            position.play(&mv).unwrap();
            let own = match position.utilities() {
                Some(utilities) => f64::midpoint(utilities[mover], 1.0),
                None => 1.0 - naive(position),
            };
            most = most.max(own);
            position.undo();
        }
        most
    }

    #[test]
    fn the_centre_loses_to_no_corner_but_an_edge_loses_to_the_centre() {
        // After a corner only the centre holds the draw.
        let answers = solved("tictactoe", &["a1"]);
        assert_eq!(answers.len(), 8);
        for (mv, points) in answers {
            assert_eq!(points, if mv == "b2" { 0.5 } else { 0.0 }, "{mv}");
        }
        assert!(solved("tictactoe", &[]).iter().all(|(_, points)| *points == 0.5));
    }

    #[test]
    fn problems_have_the_values_of_an_exhaustive_search() {
        let game = tussle_catalog::game("connect4:width=4,height=3,connect=3").unwrap();
        for i in 0..20 {
            let mut rng = Rng::derive(9, &[i]);
            let problem = Problem::pose(
                game.as_ref(),
                Posing::exhaustive((2, 5)),
                &mut rng,
                &StopFlag::default(),
            )
            .unwrap();
            let mut position = problem.position(game.as_ref()).unwrap();
            for (mv, points) in &problem.worth {
                position.play(mv).unwrap();
                let expected = match position.utilities() {
                    Some(utilities) => {
                        f64::midpoint(utilities[usize::from(problem.moves.len() % 2 == 1)], 1.0)
                    }
                    None => 1.0 - naive(position.as_mut()),
                };
                assert_eq!(*points, expected, "{:?} {mv}", problem.moves);
                position.undo();
            }
            assert!(problem.chance() < 1.0);
        }
    }

    #[test]
    fn a_game_without_choices_poses_no_problem() {
        let game = tussle_catalog::game("connect4:width=1,height=4").unwrap();
        let stop = StopFlag::default();
        let refused =
            Problem::pose(game.as_ref(), Posing::exhaustive((0, 2)), &mut Rng::new(1), &stop);
        let refused = refused.err();
        assert!(matches!(refused, Some(LabError::Experiment(ExperimentError::NoProblem(_)))));
    }
}
