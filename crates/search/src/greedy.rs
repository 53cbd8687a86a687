//! One ply of an evaluation.

use tussle_core::time::{now, since};
use tussle_core::{Args, Evaluations, Kind, Line, Param, Report, Rng, Stats, Stopped};

use crate::agent::{no_choice, player_asked};
use crate::{Agent, AgentInfo, Query};

/// [`Greedy`] in lists.
pub const GREEDY: AgentInfo = AgentInfo {
    name: "greedy",
    summary: "looks one ply ahead with an evaluation, also where that ends the game",
    params: &[
        Param {
            key: "eval",
            kind: Kind::Evaluation,
            default: "",
            help: "the evaluation; its own parameters may follow",
        },
        Param {
            key: "ties",
            kind: Kind::Choice(&["last", "first", "random"]),
            default: "last",
            help: "which of equally good moves",
        },
    ],
};

/// Which of equally good moves to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ties {
    /// The first one generated.
    First,
    /// The last one generated.
    Last,
    /// Any, equally likely.
    Random,
}

/// Plays the move after which the evaluation is largest.
///
/// A finished game is worth what the evaluation says, so with an evaluation that ignores wins
/// it may walk past one.
#[derive(Clone, Debug)]
pub struct Greedy<G: Evaluations> {
    eval: G::Eval,
    ties: Ties,
    rng: Rng,
}

impl<G: Evaluations> Greedy<G> {
    /// A greedy player; the seed matters for [`Ties::Random`].
    pub fn new(eval: G::Eval, ties: Ties, seed: u64) -> Self {
        Self { eval, ties, rng: Rng::new(seed) }
    }

    /// A greedy player with the parameters of [`GREEDY`].
    pub fn from_args(game: &G, args: &Args, seed: u64) -> Self {
        let ties = match args.choice("ties") {
            "first" => Ties::First,
            "last" => Ties::Last,
            _ => Ties::Random,
        };
        let (index, args) = args.evaluation("eval");
        Self::new(game.evaluation(index, args), ties, seed)
    }
}

impl<G: Evaluations> Agent<G> for Greedy<G> {
    fn analyse(&mut self, game: &G, state: &G::State, _: Query<'_, G::Move>) -> Report<G::Move> {
        let began = now();
        let Some(player) = player_asked(game, state) else { return no_choice() };
        let mut moves = Vec::new();
        game.moves(state, &mut moves);
        let mut state = state.clone();
        let mut lines: Vec<_> = moves
            .iter()
            .map(|&mv| {
                let undo = game.apply(&mut state, mv);
                let value = game.evaluate(&self.eval, &state, player);
                game.undo(&mut state, mv, undo);
                Line::new(mv, value)
            })
            .collect();

        let best = lines.iter().map(|line| line.value).fold(f64::NEG_INFINITY, f64::max);
        let mut ties = (0..lines.len()).filter(|&i| lines[i].value == best);
        let chosen = match self.ties {
            Ties::First => ties.next(),
            Ties::Last => ties.next_back(),
            Ties::Random => {
                let n = ties.clone().count();
                ties.nth(self.rng.below(n))
            }
        };
        let chosen = lines.remove(chosen.expect("one move is the best"));
        // A stable sort: equally good moves keep the order in which they are generated.
        lines.sort_by(|a, b| b.value.total_cmp(&a.value));
        lines.insert(0, chosen);

        let leaves = moves.len() as u64;
        let stats =
            Stats { depth: 1, nodes: 1 + leaves, leaves, evaluations: leaves, ..Stats::default() };
        Report::new(lines, stats, Stopped::Finished, since(began))
    }
}
