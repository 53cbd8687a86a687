//! What a tree says about the moves at its root.

use std::cmp::Ordering;
use std::time::Duration;

use tussle_core::{Bound, Evaluations, Line, Outcome, Report, Stats, Stopped};

use super::leaf::Leaves;
use super::settings::{Final, Switches};
use super::tree::{Edge, Id, Proof, Tree};

/// A tree after a search.
pub(super) struct Found<'a, G: Evaluations> {
    pub(super) game: &'a G,
    pub(super) tree: &'a Tree<G::Move>,
    pub(super) root: Id,
    pub(super) switches: &'a Switches,
    pub(super) leaves: &'a Leaves<'a, G>,
}

impl<G: Evaluations> Found<'_, G> {
    pub(super) fn report(
        &self,
        simulations: u64,
        stopped: Stopped,
        elapsed: Duration,
    ) -> Report<G::Move> {
        let mut edges: Vec<&Edge<G::Move>> = match self.tree.edge(self.root).block() {
            Some(block) => self.tree.edges(block).iter().collect(),
            None => Vec::new(),
        };
        // A stable sort: the first of equals stays first.
        edges.sort_by(|a, b| self.compare(b, a));
        let lines: Vec<_> = edges.into_iter().filter_map(|edge| self.line(edge)).collect();
        let stats = Stats {
            depth: lines.iter().map(|line| line.pv.len() as u32).max().unwrap_or(0),
            nodes: simulations,
            leaves: simulations,
            playouts: simulations,
            bytes: self.tree.bytes() as u64,
            ..Stats::default()
        };
        Report { lines, stats, savings: Vec::new(), stopped, elapsed }
    }

    fn line(&self, edge: &Edge<G::Move>) -> Option<Line<G::Move>> {
        let mv = edge.mv()?;
        let mean = edge.mean();
        let mut line = Line::new(mv, self.leaves.utility(mean) + 0.0);
        line.visits = edge.visits().into();
        line.bound = if edge.visits() == 0 { Bound::Lower } else { Bound::Exact };
        line.outcome = match edge.proof() {
            Proof::Unknown => None,
            Proof::Win => Some(Outcome::Win),
            Proof::Draw => Some(Outcome::Draw),
            Proof::Loss => Some(Outcome::Loss),
        };
        if let Some(outcome) = line.outcome {
            let payoffs = self.game.payoffs();
            line.value = match outcome {
                Outcome::Win => payoffs.most,
                Outcome::Draw => 0.0,
                Outcome::Loss => payoffs.least,
            };
        }
        let mut last = edge;
        while let Some(block) = last.block()
            && let Some(next) = self.best(self.tree.edges(block))
            && line.pv.len() < 64
        {
            line.pv.extend(next.mv());
            last = next;
        }
        Some(line)
    }

    /// The child that would be chosen, if any was visited.
    fn best<'e>(&self, edges: &'e [Edge<G::Move>]) -> Option<&'e Edge<G::Move>> {
        let mut best: Option<&Edge<G::Move>> = None;
        for edge in edges.iter().filter(|edge| edge.visits() > 0) {
            if best.is_none_or(|best| self.compare(edge, best) == Ordering::Greater) {
                best = Some(edge);
            }
        }
        best
    }

    /// Which of two moves to play rather: what is proven first, then by the switch; ties by the
    /// mean.
    fn compare(&self, a: &Edge<G::Move>, b: &Edge<G::Move>) -> Ordering {
        let proven = |edge: &Edge<G::Move>| match edge.proof() {
            Proof::Win => 2,
            Proof::Loss => 0,
            Proof::Unknown | Proof::Draw => 1,
        };
        let worth = |edge: &Edge<G::Move>| match self.switches.choice {
            _ if edge.visits() == 0 => f64::NEG_INFINITY,
            Final::Visits => f64::from(edge.visits()),
            Final::Mean => edge.mean(),
            Final::Total => edge.total(),
            Final::Secure => edge.mean() - self.switches.c / f64::from(edge.visits()).sqrt(),
        };
        let mean = |edge: &Edge<G::Move>| match edge.visits() {
            0 => f64::NEG_INFINITY,
            _ => edge.mean(),
        };
        proven(a)
            .cmp(&proven(b))
            .then(worth(a).total_cmp(&worth(b)))
            .then(mean(a).total_cmp(&mean(b)))
    }
}
