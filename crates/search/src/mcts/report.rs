//! Reports: lines for the moves at the root of a tree.

use std::cmp::Ordering;
use std::sync::atomic::Ordering::Relaxed;

use tussle_core::time::since;
use tussle_core::{
    Bound, Game, Line, Report, SearchStats, SelectionStats, StopReason, Turn, Value,
};

use super::Search;
use super::dump::prior_of;
use super::edge::Edge;
use super::options::FinalMove;
use super::proof::rank;
use super::reuse::RootedTree;
use super::transpositions::SharedChildren;
use super::tree::Block;
use crate::scale::ending;

/// Sums of the rewards of every player, for each root move.
#[derive(Debug)]
pub(super) struct PlayerRewards<M>(Vec<(M, u64, Vec<f64>)>);

impl<M: Copy + Eq> PlayerRewards<M> {
    pub(super) fn new() -> Self {
        Self(Vec::new())
    }

    pub(super) fn add(&mut self, mv: M, rewards: &[f64]) {
        let place = self.0.iter().position(|(known, ..)| *known == mv).unwrap_or_else(|| {
            self.0.push((mv, 0, vec![0.0; rewards.len()]));
            self.0.len() - 1
        });
        let (_, visits, totals) = &mut self.0[place];
        *visits += 1;
        totals.iter_mut().zip(rewards).for_each(|(total, reward)| *total += reward);
    }

    fn means(&self, mv: M) -> Option<Vec<f64>> {
        let (_, visits, totals) = self.0.iter().find(|(known, ..)| *known == mv)?;
        Some(totals.iter().map(|total| total / *visits as f64).collect())
    }
}

impl<'a, G: Game> Search<'a, G> {
    /// Creates the report so far.
    pub(super) fn report(&self, stopped: StopReason) -> Report<G::Move> {
        let simulations = self.simulations.0.taken();
        let RootedTree { tree, transpositions, .. } = self.rooted;
        let root = tree.edge(self.rooted.root);
        let mut lines = Vec::new();
        if let Some(block) = root.block() {
            let mut edges: Vec<_> = tree.children(block).collect();
            // The sort is stable: among equals, the first stays first.
            let sure = root.proof().least();
            edges.sort_by(|a, b| self.compare(b.1, a.1, sure));
            lines.extend(
                edges.into_iter().filter_map(|(_, edge)| self.line(edge, root.visits(), block)),
            );
        }
        if lines.is_empty() {
            lines = self.untried_lines(); // the tree had no memory for them
        }
        let judged = self.options.evaluates_leaves();
        let stats = SearchStats {
            depth: lines.iter().map(|line| line.pv.len() as u32).max().unwrap_or(0),
            nodes: simulations,
            leaves: simulations,
            evaluations: if judged { simulations } else { 0 },
            playouts: if self.options.plays_on() { simulations } else { 0 },
            table_hits: transpositions.as_ref().map_or(0, SharedChildren::hits),
            bytes: (tree.bytes() + transpositions.as_ref().map_or(0, SharedChildren::bytes)) as u64
                + self.amaf_bytes.load(Relaxed),
            ..SearchStats::default()
        };
        Report::new(lines, stats, stopped, since(self.began))
    }

    /// Returns lines without visits for all root moves.
    fn untried_lines(&self) -> Vec<Line<G::Move>> {
        let mut moves = Vec::new();
        self.game.moves(&self.rooted.state, &mut moves);
        let payoffs = self.game.payoffs();
        let least = Value::result(payoffs.least, &payoffs);
        let line = |mv| Line { bound: Bound::Lower, ..Line::new(mv, least) };
        moves.into_iter().map(line).collect()
    }

    fn line(&self, edge: Edge<'a, G::Move>, parent: u32, siblings: Block) -> Option<Line<G::Move>> {
        let visited = edge.visits() > 0;
        let mean = edge.mean();
        // The lowest result is a lower bound for an unvisited move.
        let payoffs = self.game.payoffs();
        let (value, bound) = if visited {
            (Value::mean_reward(mean, &payoffs), Bound::Exact)
        } else {
            (Value::result(payoffs.least, &payoffs), Bound::Lower)
        };
        let mv = edge.mv()?;
        let mut line = Line { bound, ..Line::new(mv, value) };
        line.visits = edge.visits().into();
        let (_, bonus) = self.options.policy.parts(edge, self.options.c, parent, mean);
        let prior = prior_of(self.options, edge, self.rooted.tree.size(siblings));
        line.sampled = Some(SelectionStats { mean: visited.then_some(mean), bonus, prior });
        if let Some(means) = self
            .player_rewards
            .as_ref()
            .and_then(|player_rewards| player_rewards.lock().ok()?.means(mv))
        {
            line.values = means.into_iter().map(|mean| self.leaves.utility(mean)).collect();
        }
        if let Some(result) = self.result(mv).filter(|_| visited) {
            line.value = result;
        } else if let Some(outcome) = edge.proof().outcome() {
            line.bound = Bound::Exact;
            let utility = self.leaves.proven_utility(outcome);
            line.value = Value::result(utility, &payoffs).proven(outcome, None);
        }
        let mut last = edge;
        while let Some(next) = last.block().and_then(|block| self.best(block))
            && line.pv.len() < 64
        {
            line.pv.extend(next.mv());
            last = next;
        }
        Some(line)
    }

    /// Returns the result for the root player, if a game of two is over after this root move.
    fn result(&self, mv: G::Move) -> Option<Value> {
        let Turn::Player(player) = self.game.turn(&self.rooted.state) else { return None };
        if self.game.players() > 2 {
            return None;
        }
        let mut state = self.rooted.state.clone();
        self.game.play(&mut state, mv);
        let outcome = ending(self.game, &state, player)?;
        let utility = self.game.utility(&state, player);
        Some(Value::result(utility, &self.game.payoffs()).proven(outcome, Some(1)))
    }

    /// Returns the child that the final move choice prefers, if any was visited.
    fn best(&self, block: Block) -> Option<Edge<'a, G::Move>> {
        let mut best: Option<Edge<'a, G::Move>> = None;
        let sure = self.rooted.tree.proof_of(block).least();
        for (_, edge) in self.rooted.tree.children(block).filter(|(_, edge)| edge.visits() > 0) {
            if best.is_none_or(|best| self.compare(edge, best, sure) == Ordering::Greater) {
                best = Some(edge);
            }
        }
        best
    }

    /// Compares two moves for the final choice: by proof, given the lower bound `sure` of the position; then by
    /// the option `final_move`; then by the mean.
    fn compare(&self, a: Edge<'_, G::Move>, b: Edge<'_, G::Move>, sure: u32) -> Ordering {
        let worth = |edge: Edge<'_, G::Move>| match self.options.final_move {
            _ if edge.visits() == 0 => f64::NEG_INFINITY,
            FinalMove::Visits => f64::from(edge.visits()),
            FinalMove::Mean => edge.mean(),
            FinalMove::Total => edge.total(),
            FinalMove::Secure => edge.mean() - self.options.c / f64::from(edge.visits()).sqrt(),
        };
        let mean = |edge: Edge<'_, G::Move>| match edge.visits() {
            0 => f64::NEG_INFINITY,
            _ => edge.mean(),
        };
        rank(a, sure)
            .cmp(&rank(b, sure))
            .then(worth(a).total_cmp(&worth(b)))
            .then(mean(a).total_cmp(&mean(b)))
    }
}
