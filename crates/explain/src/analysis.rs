//! The report of a search as JSON, for `tussle analyse --json` and the web board.

use serde::Serialize;
use tussle_catalog::{AnyGame, AnyPosition, TreeNode, turns};
use tussle_core::{Line, Outcome, Report, SearchStats, StopReason, Turn, Value};

use crate::KnownValueNodes;

/// Search of a position and its answer.
#[derive(Clone, Copy)]
pub struct Analysis<'a> {
    /// The game.
    pub game: &'a dyn AnyGame,
    /// The position that was searched.
    pub position: &'a dyn AnyPosition,
    /// Spec of the agent.
    pub agent: &'a str,
    /// Seed of all random choices of the search.
    pub seed: u64,
    /// Report of the search.
    pub report: &'a Report<String>,
    /// Nodes that a known value of the root saves.
    pub savings: &'a [KnownValueNodes],
    /// True if the agent is deterministic, unless a time limit ends the search.
    pub is_deterministic: bool,
    /// Nodes of a tree file in the order in which they were entered, if the document should list them.
    pub visited: Option<&'a [String]>,
}

impl<'a> Analysis<'a> {
    /// Creates the analysis of a deterministic agent, without the optional counts of some commands.
    pub fn new(
        game: &'a dyn AnyGame,
        position: &'a dyn AnyPosition,
        agent: &'a str,
        seed: u64,
        report: &'a Report<String>,
    ) -> Self {
        Self {
            game,
            position,
            agent,
            seed,
            report,
            savings: &[],
            is_deterministic: true,
            visited: None,
        }
    }

    /// Returns the JSON document.
    pub fn document(&self) -> AnalysisDocument<'a> {
        AnalysisDocument::new(self)
    }

    /// Returns true if the same query gives the same answer.
    fn is_repeatable(&self) -> bool {
        let in_time = !matches!(self.report.stopped, StopReason::Time | StopReason::StopFlag);
        self.is_deterministic && in_time
    }
}

/// An analysis as JSON, as `tussle analyse --json` prints it; docs/how-to/analyse.md explains every number. Everything but
/// `timing` is the same in every run with the same seed and nodes.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Analysis))]
pub struct AnalysisDocument<'a> {
    game: &'a str,
    agent: &'a str,
    position: String,
    turn: String,
    best: Option<&'a str>,
    value: Option<f64>,
    /// Value of the position to each player.
    values: Option<Vec<f64>>,
    outcome: Option<&'static str>,
    distance: Option<u32>,
    /// Unit of the value; null if there is none.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<schemas::Unit>))]
    unit: Option<&'static str>,
    /// Expected share of a win, from 0 (loss) over 0.5 (draw) to 1 (win); null if the value is unknown.
    expected_score: Option<f64>,
    lines: Vec<LineDocument<'a>>,
    #[cfg_attr(feature = "openapi", schema(value_type = schemas::Stats))]
    stats: &'a SearchStats,
    /// Nodes that a known value of the root saves; left out if they were not counted.
    #[serde(skip_serializing_if = "<[KnownValueNodes]>::is_empty")]
    savings: &'a [KnownValueNodes],
    /// Nodes of a tree in the order in which they were entered; only `tussle analyse --json` lists them.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    visited: Option<&'a [String]>,
    stopped: &'static str,
    deterministic: bool,
    seed: u64,
    timing: Timing,
}

/// A [`Line`] with `move` for `mv`, null for an unknown value, and empty `values` left out.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = Line, description = "A move and its value."))]
struct LineDocument<'a> {
    #[serde(rename = "move")]
    mv: &'a str,
    value: Option<f64>,
    #[serde(skip_serializing_if = "<[f64]>::is_empty")]
    values: &'a [f64],
    #[cfg_attr(feature = "openapi", schema(value_type = schemas::Bound))]
    bound: &'static str,
    outcome: Option<&'static str>,
    distance: Option<u32>,
    /// Unit of the value; null if there is none.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<schemas::Unit>))]
    unit: Option<&'static str>,
    /// Expected share of a win, from 0 (loss) over 0.5 (draw) to 1 (win); null if the value is unknown.
    expected_score: Option<f64>,
    visits: u64,
    #[serde(flatten)]
    #[cfg_attr(feature = "openapi", schema(value_type = SelectionTerms))]
    selection: Option<SelectionTerms>,
    pv: &'a [String],
}

/// Selection terms of a move: the two parts of its upper confidence bound, their sum, and the
/// prior. A move that was never tried has no mean, and a bonus beyond all numbers. Searches that do not sample have none.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
struct SelectionTerms {
    mean: Option<f64>,
    bonus: Option<f64>,
    /// The mean plus the bonus, which selects the next simulation.
    uct: Option<f64>,
    #[cfg_attr(feature = "openapi", schema(required = false))]
    prior: f64,
}

#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = SearchTiming))]
struct Timing {
    elapsed_ms: f64,
    nodes_per_s: f64,
}

/// Schemas of types of `tussle-core`, which has no dependencies.
#[cfg(feature = "openapi")]
mod schemas {
    #![expect(dead_code, reason = "only the schemas are used")]

    use utoipa::ToSchema;

    /// Counts of a search; docs/how-to/analyse.md explains them.
    #[derive(ToSchema)]
    pub(super) struct Stats {
        depth: u32,
        nodes: u64,
        leaves: u64,
        evaluations: u64,
        cutoffs: u64,
        pruned: u64,
        table_hits: u64,
        playouts: u64,
        bytes: u64,
    }

    /// Unit of a value.
    #[derive(ToSchema)]
    #[schema(rename_all = "lowercase")]
    pub(super) enum Unit {
        Result,
        Points,
        Evaluation,
    }

    /// Relation of a reported value to the true one.
    #[derive(ToSchema)]
    #[schema(rename_all = "lowercase")]
    pub(super) enum Bound {
        Exact,
        Lower,
        Upper,
    }
}

impl<'a> AnalysisDocument<'a> {
    fn new(analysis: &Analysis<'a>) -> Self {
        let &Analysis { game, position, report, .. } = analysis;
        let best = report.lines.first();
        let known = best.filter(|line| line.searched).map(|line| line.value);
        let mut document = Self {
            game: game.spec(),
            agent: analysis.agent,
            position: position.text(),
            turn: turns::turn(game.players(), position.turn()),
            best: best.map(|line| line.mv.as_str()),
            value: known.and_then(|value| finite(value.number())),
            unit: known.map(|value| value.unit().as_str()),
            expected_score: known.map(Value::expected_score),
            values: match position.turn() {
                Turn::Player(mover) => best.and_then(|line| game.values(mover, line)),
                _ => None,
            },
            outcome: report.outcome().map(Outcome::as_str),
            distance: report.outcome().and(best).and_then(Line::distance),
            lines: report.lines.iter().map(LineDocument::new).collect(),
            stats: &report.stats,
            savings: analysis.savings,
            visited: analysis.visited,
            stopped: report.stopped.as_str(),
            deterministic: analysis.is_repeatable(),
            seed: analysis.seed,
            timing: Timing {
                elapsed_ms: report.elapsed.as_secs_f64() * 1e3,
                nodes_per_s: report.stats.nodes as f64 / report.elapsed.as_secs_f64().max(1e-9),
            },
        };
        if let Some(utilities) = position.utilities() {
            let payoffs = game.payoffs();
            let value = utilities.first().map(|&utility| Value::result(utility, &payoffs));
            document.value = utilities.first().copied();
            document.unit = value.map(|value| value.unit().as_str());
            document.expected_score = value
                .map(|value| value.proven(turns::outcome(&utilities, 0), None).expected_score());
            document.outcome = Some(turns::outcome(&utilities, 0).as_str());
            document.distance = Some(0);
            document.values = Some(utilities);
        }
        document
    }
}

impl<'a> LineDocument<'a> {
    fn new(line: &'a Line<String>) -> Self {
        let known = line.searched.then_some(line.value);
        Self {
            mv: &line.mv,
            value: line.known_value().and_then(finite),
            unit: known.map(|value| value.unit().as_str()),
            expected_score: known.map(Value::expected_score),
            values: &line.values,
            bound: line.bound.as_str(),
            outcome: line.outcome().map(Outcome::as_str),
            distance: line.distance(),
            visits: line.visits,
            selection: line.sampled.map(|sampled| SelectionTerms {
                mean: sampled.mean,
                bonus: finite(sampled.bonus),
                uct: sampled.mean.and_then(|mean| finite(mean + sampled.bonus)),
                prior: sampled.prior,
            }),
            pv: &line.pv,
        }
    }
}

/// A subtree of a search tree as JSON: a [`TreeNode`] with `move` for `mv`, its mean, and null for an infinite bonus.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = TreeNode, no_recursion))]
#[cfg_attr(
    feature = "openapi",
    schema(description = "A node of a search tree and the nodes below it.")
)]
pub struct TreeDocument<'a> {
    #[serde(rename = "move")]
    mv: Option<&'a str>,
    /// Player to move, `chance` or `over`; chance has no exploration bonus.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    turn: Option<String>,
    visits: u64,
    total: f64,
    mean: Option<f64>,
    bonus: Option<f64>,
    prior: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    outcome: Option<&'static str>,
    /// Number of children that are not shown.
    hidden: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    children: Vec<TreeDocument<'a>>,
}

impl<'a> TreeDocument<'a> {
    /// Creates the document of a subtree.
    pub fn new(node: &'a TreeNode<String>) -> Self {
        Self {
            mv: node.mv.as_deref(),
            turn: None,
            visits: node.visits,
            total: node.total,
            mean: (node.visits > 0).then(|| node.total / node.visits as f64),
            bonus: finite(node.bonus),
            prior: node.prior,
            outcome: node.outcome.map(Outcome::as_str),
            hidden: node.hidden,
            children: node.children.iter().map(Self::new).collect(),
        }
    }

    /// Adds to every node whose turn it is there. The position is that of the first node.
    #[must_use]
    pub fn with_turns(mut self, game: &dyn AnyGame, position: &dyn AnyPosition) -> Self {
        self.add_turns(game.players(), position.boxed().as_mut());
        self
    }

    fn add_turns(&mut self, players: usize, position: &mut dyn AnyPosition) {
        self.turn = Some(turns::turn(players, position.turn()));
        for child in &mut self.children {
            if child.mv.is_some_and(|mv| position.play(mv).is_ok()) {
                child.add_turns(players, position);
                position.undo();
            }
        }
    }
}

/// Returns `None` for numbers that JSON cannot represent.
pub(crate) fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}

#[cfg(test)]
mod tests {
    use tussle_core::Limits;

    use super::*;

    fn analysed(agent: &str) -> serde_json::Value {
        let game = tussle_catalog::game("tictactoe").unwrap();
        let mut position = game.start();
        for mv in ["a1", "b1", "b2", "c1"] {
            position.play(mv).unwrap();
        }
        let mut searcher = game.agent(agent, 1).unwrap();
        let report = searcher.choose(position.as_ref(), &Limits::nodes(200)).unwrap();
        let analysis = Analysis::new(game.as_ref(), position.as_ref(), agent, 1, &report);
        serde_json::to_value(analysis.document()).unwrap()
    }

    #[test]
    fn mean_and_bonus_of_a_sampled_move_add_up() {
        let document = analysed("mcts");
        for line in document["lines"].as_array().unwrap() {
            let number = |key: &str| line[key].as_f64().unwrap();
            assert_eq!(number("mean") + number("bonus"), number("uct"), "{line}");
            assert!((number("expected_score") - number("mean")).abs() < 1e-9, "{line}");
            assert_eq!(line["unit"], "result");
        }
    }

    #[test]
    fn a_winning_move_is_the_same_to_all_searches_that_see_it() {
        for agent in ["alphabeta", "minimax", "mcts", "mcts:solver=on", "greedy"] {
            let document = analysed(agent);
            let lines = document["lines"].as_array().unwrap();
            let win = lines.iter().find(|line| line["move"] == "c3").unwrap();
            assert_eq!((&win["outcome"], &win["distance"]), (&"win".into(), &1.into()), "{agent}");
            assert_eq!(win["expected_score"], 1.0, "{agent}");
        }
    }
}
