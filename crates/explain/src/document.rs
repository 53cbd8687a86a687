//! An explanation as JSON.

use serde::Serialize;
use tussle_catalog::recording::{self, NodeKind};
use tussle_catalog::{AnyGame, AnyPosition};
use tussle_core::{Outcome, Value};

use crate::analysis::{Analysis, AnalysisDocument, finite};
use crate::{Explanation, NarrationLine, Saving};

/// A recorded search as JSON, as `tussle explain --json` writes it; docs/how-to/explain.md explains the steps.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Explained))]
pub struct ExplanationDocument<'a> {
    #[serde(flatten)]
    recorded: RecordedDocument<'a>,
    report: AnalysisDocument<'a>,
}

/// The search, its tree, its steps and its narration.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Recorded))]
pub(crate) struct RecordedDocument<'a> {
    game: &'a str,
    agent: &'a str,
    position: &'a str,
    nodes: Vec<Node<'a>>,
    steps: Vec<Step<'a>>,
    /// Narration of the steps.
    story: Vec<StoryLine>,
    summary: Vec<String>,
    /// Nodes of the principal variation, from the root.
    best_line: Vec<usize>,
    /// Visited and unvisited nodes; null for Monte Carlo tree search.
    saving: Option<&'a Saving>,
    /// Move that wins at once, if the search chose another one.
    missed_win: Option<&'a str>,
    /// True if the search had more steps than were kept.
    cut_short: bool,
}

/// A node of the tree.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = ExplainedNode))]
struct Node<'a> {
    name: &'a str,
    #[serde(rename = "move")]
    mv: Option<&'a str>,
    /// Index of the parent.
    parent: Option<usize>,
    kind: Kind,
    /// Player to move, from 1.
    player: Option<usize>,
    /// Plies from the root.
    depth: usize,
    /// True if the search entered the node.
    seen: bool,
    /// Probability of an outcome of chance.
    probability: Option<f64>,
}

/// Role of the player to move at a node.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = NodeKind))]
#[serde(rename_all = "lowercase")]
enum Kind {
    Max,
    Min,
    Chance,
    Player,
    End,
}

/// A step of the search. `node` and the like are indices of nodes; an infinite end of a window is null.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = ExplainedStep))]
#[serde(tag = "step", rename_all = "kebab-case")]
enum Step<'a> {
    /// A new iteration of iterative deepening, or a new simulation, starts.
    Iteration { number: u32 },
    /// A node is entered with this window.
    Enter {
        node: usize,
        #[serde(flatten)]
        window: Window,
    },
    /// A node has its value without further search.
    Leaf {
        node: usize,
        values: Vec<f64>,
        /// Origin of the value.
        kind: &'static str,
        #[serde(flatten)]
        proven: ProvenResult,
    },
    /// The value of a child narrowed the window of a node.
    Window {
        node: usize,
        /// The child.
        by: usize,
        #[serde(flatten)]
        window: Window,
    },
    /// The other children of a node are pruned.
    Cut { node: usize, reason: &'static str, skipped: &'a [usize] },
    /// A node is finished.
    Leave {
        node: usize,
        values: Vec<f64>,
        #[serde(flatten)]
        proven: ProvenResult,
    },
    /// Selection compares all children of a node.
    Weigh { node: usize, children: Vec<Weight> },
    /// Selection enters this node.
    Select { node: usize },
    /// The children of a node are added to the tree.
    Expand { node: usize, children: &'a [usize] },
    /// A playout or evaluation from a node ended with this value.
    Simulate {
        node: usize,
        value: f64,
        /// Weight of the playout, if the value mixes it with an evaluation.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "openapi", schema(nullable = false))]
        lambda: Option<f64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "openapi", schema(nullable = false))]
        evaluation: Option<f64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "openapi", schema(nullable = false))]
        rollout: Option<f64>,
    },
    /// The result is added to a node.
    BackUp {
        node: usize,
        visits: u64,
        /// Sum of rewards; null for a chance outcome, for which only visits are counted.
        total: Option<f64>,
    },
}

/// Ends of a window, with outcome and distance of an end that is a proven result.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = ExplainedWindow))]
struct Window {
    alpha: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    alpha_outcome: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    alpha_distance: Option<u32>,
    beta: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    beta_outcome: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    beta_distance: Option<u32>,
}

/// Outcome and distance of a node's value, if it is one number and a proven result.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = ExplainedResult))]
struct ProvenResult {
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    outcome: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    distance: Option<u32>,
}

/// Weight of a child.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = ExplainedWeight))]
struct Weight {
    node: usize,
    visits: u64,
    /// Mean value; null without visits.
    mean: Option<f64>,
    /// Exploration bonus; null if infinite.
    bonus: Option<f64>,
}

/// A line of the narration.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
struct StoryLine {
    text: String,
    /// Number of steps before the line.
    steps: usize,
    node: Option<usize>,
    /// Plies from the root.
    depth: usize,
}

impl Explanation {
    /// Returns the search, its tree, its steps and its narration.
    pub(crate) fn recorded_document(&self) -> RecordedDocument<'_> {
        RecordedDocument {
            game: &self.game,
            agent: &self.agent,
            position: &self.position,
            nodes: self.tree.nodes().iter().map(Node::new).collect(),
            steps: self.steps.iter().map(|step| Step::new(self, step)).collect(),
            story: self.narration().into_iter().map(StoryLine::from).collect(),
            summary: self.summary(),
            best_line: self.best_line(),
            saving: self.saving.as_ref(),
            missed_win: self.missed_win.as_deref(),
            cut_short: self.is_cut_short,
        }
    }

    /// Returns the search, its tree, its steps and its narration as JSON, with the analysis as its `report`. The game and
    /// the position are those of the search.
    pub fn document<'a>(
        &'a self,
        game: &'a dyn AnyGame,
        position: &'a dyn AnyPosition,
    ) -> ExplanationDocument<'a> {
        let analysis = Analysis {
            savings: &self.known_value,
            is_deterministic: self.is_deterministic,
            ..Analysis::new(game, position, &self.agent, self.seed, &self.report)
        };
        ExplanationDocument { recorded: self.recorded_document(), report: analysis.document() }
    }
}

impl<'a> Node<'a> {
    fn new(node: &'a recording::Node) -> Self {
        let (kind, player) = match node.kind {
            NodeKind::Max => (Kind::Max, Some(1)),
            NodeKind::Min => (Kind::Min, Some(2)),
            NodeKind::Chance => (Kind::Chance, None),
            NodeKind::Player(player) => (Kind::Player, Some(player + 1)),
            NodeKind::End => (Kind::End, None),
        };
        Self {
            name: &node.name,
            mv: node.mv.as_deref(),
            parent: node.parent,
            kind,
            player,
            depth: node.depth,
            seen: node.is_seen,
            probability: node.probability,
        }
    }
}

impl<'a> Step<'a> {
    fn new(told: &Explanation, step: &'a recording::Step) -> Self {
        use recording::Step as Recorded;

        match step {
            &Recorded::Iteration(number) => Self::Iteration { number },
            &Recorded::Enter { node, alpha, beta } => {
                Self::Enter { node, window: Window::new(alpha, beta) }
            }
            Recorded::Leaf { node, values, kind } => Self::Leaf {
                node: *node,
                values: numbers(values),
                kind: kind.as_str(),
                proven: ProvenResult::new(values),
            },
            &Recorded::Window { node, by, alpha, beta } => {
                Self::Window { node, by, window: Window::new(alpha, beta) }
            }
            Recorded::Cut { node, reason, skipped } => {
                Self::Cut { node: *node, reason: reason.as_str(), skipped }
            }
            Recorded::Leave { node, values } => Self::Leave {
                node: *node,
                values: numbers(values),
                proven: ProvenResult::new(values),
            },
            Recorded::Weigh { node, children } => {
                let weight = |child: &recording::ChildWeight| Weight {
                    node: child.node,
                    visits: child.visits,
                    mean: finite(child.mean),
                    bonus: finite(child.bonus),
                };
                Self::Weigh { node: *node, children: children.iter().map(weight).collect() }
            }
            &Recorded::Select { node } => Self::Select { node },
            Recorded::Expand { node, children } => Self::Expand { node: *node, children },
            Recorded::Simulate { node, value, mix } => Self::Simulate {
                node: *node,
                value: *value,
                lambda: mix.as_ref().map(|mix| mix.lambda),
                evaluation: mix.as_ref().map(|mix| mix.evaluation),
                rollout: mix.as_ref().map(|mix| mix.rollout),
            },
            &Recorded::BackUp { node, visits, total } => {
                let nodes = told.tree.nodes();
                let is_below_chance =
                    nodes[node].parent.is_some_and(|parent| nodes[parent].kind == NodeKind::Chance);
                Self::BackUp { node, visits, total: (!is_below_chance).then_some(total) }
            }
        }
    }
}

impl Window {
    fn new(alpha: Value, beta: Value) -> Self {
        Self {
            alpha: finite(alpha.number()),
            alpha_outcome: alpha.outcome().map(Outcome::as_str),
            alpha_distance: alpha.distance(),
            beta: finite(beta.number()),
            beta_outcome: beta.outcome().map(Outcome::as_str),
            beta_distance: beta.distance(),
        }
    }
}

/// Returns the value of a node for the first player, or for each player.
fn numbers(values: &[Value]) -> Vec<f64> {
    values.iter().map(|value| value.number()).collect()
}

impl ProvenResult {
    fn new(values: &[Value]) -> Self {
        let single = match values {
            [value] => Some(value),
            _ => None,
        };
        Self {
            outcome: single.and_then(|value| value.outcome()).map(Outcome::as_str),
            distance: single.and_then(|value| value.distance()),
        }
    }
}

impl From<NarrationLine> for StoryLine {
    fn from(line: NarrationLine) -> Self {
        let NarrationLine { text, steps, node, depth, .. } = line;
        Self { text, steps, node, depth }
    }
}
