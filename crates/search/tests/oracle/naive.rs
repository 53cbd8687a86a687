//! Naive searches: values of positions by their definitions.

use tussle_core::{Bound, Game, Line, Outcome, Turn, Unit, Value};

use crate::graph::{Graph, Place};

/// Score of a win at the root; later wins are lower by their distance in plies.
pub(crate) const WIN: f64 = 1e6;

/// Naive minimax search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Naive<'a> {
    pub(crate) game: &'a Graph,
    pub(crate) draw: f64,
    /// True if finished games are evaluated.
    pub(crate) eval_ends: bool,
    pub(crate) quiescence: bool,
    pub(crate) dedupe: bool,
}

/// Number of nodes of a kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) nodes: u64,
    pub(crate) leaves: u64,
    pub(crate) evaluations: u64,
    pub(crate) cutoffs: u64,
    pub(crate) pruned: u64,
}

impl<'a> Naive<'a> {
    pub(crate) fn new(game: &'a Graph) -> Self {
        Self { game, draw: 0.0, eval_ends: false, quiescence: false, dedupe: true }
    }

    fn root(&self) -> usize {
        self.game.first
    }

    fn end(&self, at: &Place, ply: u32) -> f64 {
        let utility = self.game.utility(at, self.root());
        let is_points = self.game.points;
        match utility {
            _ if self.eval_ends => self.game.evaluation(at, self.root()),
            points if is_points => points,
            x if x > 0.0 => WIN - f64::from(ply),
            x if x < 0.0 => f64::from(ply) - WIN,
            _ => self.draw,
        }
    }

    /// Returns the value of a position for the root player.
    pub(crate) fn value(&self, at: &Place, depth: u32, ply: u32, counts: &mut Counts) -> f64 {
        counts.nodes += 1;
        let turn = self.game.turn(at);
        let Turn::Player(mover) = turn else {
            counts.leaves += 1;
            counts.evaluations += u64::from(self.eval_ends);
            return self.end(at, ply);
        };
        if depth == 0 {
            counts.leaves += 1;
            counts.evaluations += 1;
            return if self.quiescence {
                self.quiet(at, ply)
            } else {
                self.game.evaluation(at, self.root())
            };
        }
        let moves = self.game.list(at, self.dedupe);
        let values = moves
            .iter()
            .map(|&mv| self.value(&self.game.after(at, mv), depth - 1, ply + 1, counts));
        let values: Vec<f64> = values.collect();
        self.best(mover, &values)
    }

    /// Returns the value of a position, without counts.
    pub(crate) fn score(&self, at: &Place, depth: u32, ply: u32) -> f64 {
        self.value(at, depth, ply, &mut Counts::default())
    }

    fn best(&self, mover: usize, values: &[f64]) -> f64 {
        let values = values.iter().copied();
        if mover == self.root() {
            values.fold(f64::NEG_INFINITY, f64::max)
        } else {
            values.fold(f64::INFINITY, f64::min)
        }
    }

    /// Returns the value of a naive quiescence search: the best of the evaluation and all noisy moves.
    fn quiet(&self, at: &Place, ply: u32) -> f64 {
        let Turn::Player(mover) = self.game.turn(at) else { return self.end(at, ply) };
        let mut values = vec![self.game.evaluation(at, self.root())];
        for mv in self.game.noisy(at) {
            values.push(self.quiet(&self.game.after(at, mv), ply + 1));
        }
        self.best(mover, &values)
    }

    /// Returns the value of every root move, in the order of the moves.
    pub(crate) fn root_values(&self, depth: u32) -> (Vec<(u16, f64)>, Counts) {
        let mut counts = Counts { nodes: 1, ..Counts::default() };
        let start = self.game.start();
        let value =
            |mv: u16| (mv, self.value(&self.game.after(&start, mv), depth - 1, 1, &mut counts));
        let moves = self.game.list(&start, self.dedupe);
        (moves.into_iter().map(value).collect(), counts)
    }

    /// Returns the value for `who` by textbook alpha-beta (fail-soft), and counts nodes.
    pub(crate) fn alphabeta(
        &self,
        at: &Place,
        depth: u32,
        ply: u32,
        who: usize,
        [mut alpha, beta]: [f64; 2],
        counts: &mut Counts,
    ) -> f64 {
        let sign = if who == self.root() { 1.0 } else { -1.0 };
        counts.nodes += 1;
        let turn = self.game.turn(at);
        let Turn::Player(mover) = turn else {
            counts.leaves += 1;
            return sign * self.end(at, ply);
        };
        if depth == 0 {
            counts.leaves += 1;
            counts.evaluations += 1;
            return sign * self.game.evaluation(at, self.root());
        }
        if mover != who {
            counts.nodes -= 1;
            return -self.alphabeta(at, depth, ply, mover, [-beta, -alpha], counts);
        }
        let moves = self.game.list(at, self.dedupe);
        let mut best = f64::NEG_INFINITY;
        for (i, &mv) in moves.iter().enumerate() {
            let child = self.game.after(at, mv);
            let value = self.alphabeta(&child, depth - 1, ply + 1, who, [alpha, beta], counts);
            best = best.max(value);
            alpha = alpha.max(best);
            if alpha >= beta {
                let left = moves.len() - i - 1;
                counts.cutoffs += u64::from(left > 0);
                counts.pruned += left as u64;
                break;
            }
        }
        best
    }

    /// Returns the counts of a textbook alpha-beta search for one best move.
    pub(crate) fn count_alphabeta(&self, depth: u32) -> Counts {
        let mut counts = Counts { nodes: 1, ..Counts::default() };
        let start = self.game.start();
        let mut alpha = f64::NEG_INFINITY;
        for mv in self.game.list(&start, self.dedupe) {
            let child = self.game.after(&start, mv);
            let window = [alpha, f64::INFINITY];
            let value = self.alphabeta(&child, depth - 1, 1, self.root(), window, &mut counts);
            alpha = alpha.max(value);
        }
        counts
    }

    /// Asserts that a reported value is this one.
    pub(crate) fn assert_value(&self, value: Value, score: f64, what: &str) {
        if score.abs() > WIN / 2.0 {
            let plies = (WIN - score.abs()) as u32;
            let outcome = if score > 0.0 { Outcome::Win } else { Outcome::Loss };
            assert_eq!(value.outcome(), Some(outcome), "{what}: {value:?} {score}");
            assert_eq!(value.distance(), Some(plies), "{what}: {value:?} {score}");
            assert_eq!(value.number(), score.signum(), "{what}: {value:?} {score}");
        } else {
            assert_eq!(value.number(), score, "{what}: {value:?}");
            let no_result = matches!(value.outcome(), None | Some(Outcome::Draw));
            assert!(no_result || self.game.points, "{what}: {value:?} {score}");
        }
    }

    /// Asserts that the value of a line is correct for its depth, exactly or as a bound.
    pub(crate) fn assert_line(&self, line: &Line<u16>, depth: u32, what: &str) {
        let start = self.game.start();
        let child = self.game.after(&start, line.mv);
        let score = self.score(&child, depth - 1, 1);
        let what = &format!("{what}, {} at depth {depth}: {:?}", line.mv, line.value);
        if line.bound == Bound::Exact {
            self.assert_value(line.value, score, what);
            return;
        }
        let told = score_of(line.value, self.game.points);
        // A win that is only a bound has no distance.
        let slack = if told.abs() > WIN / 2.0 { 100.0 } else { 0.0 };
        match line.bound {
            Bound::Upper => assert!(score <= told + slack, "{what}, true {score}"),
            _ => assert!(score >= told - slack, "{what}, true {score}"),
        }
    }
}

/// Returns the score of a reported value.
pub(crate) fn score_of(value: Value, points: bool) -> f64 {
    let plies = f64::from(value.distance().unwrap_or(0));
    match value.outcome() {
        _ if points => value.number(),
        Some(Outcome::Win) => WIN - plies,
        Some(Outcome::Loss) => plies - WIN,
        // At most a win, or at least a loss.
        None if value.unit() == Unit::Result && value.number().abs() == 1.0 => WIN * value.number(),
        _ => value.number(),
    }
}
