//! Max^n: every player maximises its own value.

use std::sync::Arc;

use tussle_core::{
    Bound, CutReason, Evaluator, Event, Game, LeafKind, LimitChecker, Observer, Report,
    SearchStats, StopReason, Turn, Value,
};

use crate::agent::{failure, root_player};
use crate::deepening::{Best, Iterate, Root, Task, deepen};
use crate::fault::FaultCell;
use crate::pv::Pv;
use crate::scale::{Ends, Scale};
use crate::score::{MAX_PLIES, moves};
use crate::{Agent, Deepening, Query, SearchError, TerminalValue};

/// Options of [`Maxn`].
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct MaxnOptions {
    /// True for shallow pruning: a node is cut off once its player has a value at which the player one ply
    /// parent prefers another move [default: true].
    pub shallow_pruning: bool,
    /// Iterative deepening.
    pub deepening: Deepening,
    /// Value of a finished game [default: its result].
    pub finished: TerminalValue,
    /// True to search only one of several equivalent moves [default: true].
    pub dedupe: bool,
}

impl Default for MaxnOptions {
    fn default() -> Self {
        Self {
            shallow_pruning: true,
            deepening: Deepening::default(),
            finished: TerminalValue::Result,
            dedupe: true,
        }
    }
}

/// Max^n search, for games with any number of players, with chance or without.
///
/// Among equally good moves, a player takes the first.
#[derive(Clone)]
pub struct Maxn<G: Game> {
    options: MaxnOptions,
    evaluator: Arc<dyn Evaluator<G>>,
}

impl<G: Game> std::fmt::Debug for Maxn<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Maxn").field("options", &self.options).finish_non_exhaustive()
    }
}

impl<G: Game> Maxn<G> {
    /// Creates an agent that values positions at the horizon with `evaluator`.
    pub fn new(options: MaxnOptions, evaluator: impl Evaluator<G> + 'static) -> Self {
        Self { options, evaluator: Arc::new(evaluator) }
    }
}

impl<G: Game> Agent<G> for Maxn<G> {
    fn run(
        &mut self,
        game: &G,
        state: &G::State,
        mut query: Query<'_, G::Move>,
    ) -> Result<Report<G::Move>, SearchError> {
        let root = root_player(game, state)?;
        let MaxnOptions { shallow_pruning, deepening, finished, dedupe } = self.options;
        let mut first = Vec::new();
        moves(game, state, dedupe, &mut first);
        let observer = query.events.take();
        let task = Task::new(deepening, false, query);
        let scale = Scale::new(game, &*self.evaluator);
        let eval_ends = finished == TerminalValue::Evaluation;
        let cuts = shallow_pruning.then(|| {
            let is_antisymmetric = self.evaluator.is_antisymmetric();
            Cuts::new(&scale, game.players(), is_antisymmetric, eval_ends)
        });
        let mut search = Search {
            game,
            evaluator: &*self.evaluator,
            faults: FaultCell::default(),
            scale,
            eval_ends,
            dedupe,
            cuts,
            root,
            players: game.players(),
            lines: task.lines,
            position: state,
            buffer: Vec::new(),
            rows: Vec::new(),
            bounds: None,
            pv: Pv::new(),
            watch: task.limits.checker(),
            stats: SearchStats::default(),
            largest: 0.0,
            observer,
        };
        deepen(&mut search, &first, task)
    }
}

/// Bounds of the scores of one player, and of the sum over all players.
#[derive(Clone, Copy, Debug)]
struct ScoreBounds {
    least: f64,
    most: f64,
    sum: f64,
}

impl ScoreBounds {
    /// Returns bounds that hold for both sets of scores.
    fn or(self, others: Self) -> Self {
        Self {
            least: self.least.min(others.least),
            most: self.most.max(others.most),
            sum: self.sum.max(others.sum),
        }
    }
}

/// Bounds by which a search prunes.
#[derive(Clone, Copy, Debug)]
struct Cuts {
    /// Bounds of the scores of finished games.
    ends: ScoreBounds,
    /// Bounds of all scores, if they are known.
    all: Option<ScoreBounds>,
    /// True if finished games are valued by the evaluator.
    eval_ends: bool,
}

impl Cuts {
    fn new(scale: &Scale, players: usize, is_antisymmetric: bool, eval_ends: bool) -> Self {
        let (least, most) = scale.ends();
        let ends = ScoreBounds { least, most, sum: scale.sum() };
        let is_zero_sum = players == 2 && is_antisymmetric;
        let horizons = scale.horizons().map(|(low, high)| ScoreBounds {
            least: low,
            most: high,
            sum: if is_zero_sum { 0.0 } else { high * players as f64 },
        });
        let all = horizons.map(|horizons| if eval_ends { horizons } else { horizons.or(ends) });
        Self { ends, all, eval_ends }
    }

    /// Returns the bounds of the scores in a search to this depth.
    fn bounds(&self, depth: u32) -> Option<ScoreBounds> {
        // All leaves of a search without a horizon are finished games.
        if depth >= MAX_PLIES && !self.eval_ends { Some(self.ends) } else { self.all }
    }
}

/// Best score so far of the player who moves one ply above.
#[derive(Clone, Copy)]
struct ParentChoice {
    player: usize,
    score: f64,
}

/// Result of a node, besides the values in its row.
#[derive(Clone, Copy)]
struct NodeResult {
    /// Possible outcomes for the root player.
    ends: Ends,
    /// True if the node was cut off, because the player one ply above prefers another move.
    is_refuted: bool,
}

struct Search<'a, G: Game, O> {
    game: &'a G,
    evaluator: &'a dyn Evaluator<G>,
    faults: FaultCell,
    scale: Scale,
    eval_ends: bool,
    dedupe: bool,
    /// Bounds for pruning; `None` without pruning.
    cuts: Option<Cuts>,
    root: usize,
    players: usize,
    /// Number of best root moves that get exact values.
    lines: usize,
    /// Position at the root.
    position: &'a G::State,
    buffer: Vec<G::Move>,
    /// One row of values per ply: a score for every player, by which moves are compared, then a utility for
    /// every player, which is reported if the value does not depend on evaluations.
    rows: Vec<f64>,
    bounds: Option<ScoreBounds>,
    pv: Pv<G::Move>,
    watch: LimitChecker,
    /// Counters. A value is proven if the number of evaluations did not change during its search.
    stats: SearchStats,
    /// Largest evaluation so far.
    largest: f64,
    observer: O,
}

impl<G: Game, O: Observer<G::Move>> Search<'_, G, O> {
    fn row(&self, ply: u32) -> &[f64] {
        let width = 2 * self.players;
        &self.rows[ply as usize * width..][..width]
    }

    fn scores(&self, ply: u32) -> &[f64] {
        &self.row(ply)[..self.players]
    }

    /// Returns the rows of `ply` and of the next ply.
    fn two_rows(&mut self, ply: u32) -> (&mut [f64], &mut [f64]) {
        let width = 2 * self.players;
        self.rows[ply as usize * width..][..2 * width].split_at_mut(width)
    }

    /// Puts the values of `state`, the position after `mv`, into the row of its ply.
    fn value(
        &mut self,
        state: &mut G::State,
        mv: G::Move,
        depth: u32,
        ply: u32,
        parent: Option<ParentChoice>,
    ) -> Result<NodeResult, StopReason> {
        if let Some(why) = self.watch.check(self.stats.nodes) {
            return Err(why);
        }
        self.stats.nodes += 1;
        self.stats.depth = self.stats.depth.max(ply);
        self.pv.clear(ply as usize);
        self.make_room(ply);
        let turn = self.game.turn(state);
        // If the player to move gets this score, the player one ply above prefers its best move so far.
        let refuting = match (turn, parent, self.bounds) {
            (Turn::Player(mover), Some(parent), Some(bounds)) if mover != parent.player => {
                bounds.sum - parent.score - bounds.least * (self.players as f64 - 2.0)
            }
            _ => f64::INFINITY,
        };
        if self.observer.is_active() {
            let (alpha, beta) = (Value::BELOW_ALL, self.scale.value(refuting, self.largest));
            self.observer.event(Event::Enter { mv: Some(mv), alpha, beta });
        }
        let base = self.buffer.len();
        let found = match turn {
            Turn::Over => self.leaf(state, LeafKind::End, ply)?,
            _ if depth == 0 => self.leaf(state, LeafKind::Evaluation, ply)?,
            Turn::Player(mover) => self.choice(state, mover, refuting, depth, ply)?,
            Turn::Chance => self.average(state, depth, ply)?,
        };
        self.buffer.truncate(base);
        self.leave(ply);
        Ok(found)
    }

    fn make_room(&mut self, ply: u32) {
        let needed = (ply as usize + 2) * 2 * self.players;
        if self.rows.len() < needed {
            self.rows.resize(needed, 0.0);
        }
    }

    /// Copies the row of the best move for `mover`.
    fn choice(
        &mut self,
        state: &mut G::State,
        mover: usize,
        refuting: f64,
        depth: u32,
        ply: u32,
    ) -> Result<NodeResult, StopReason> {
        let base = self.buffer.len();
        moves(self.game, state, self.dedupe, &mut self.buffer);
        let most = self.bounds.map_or(f64::INFINITY, |bounds| bounds.most);
        let mut best: Option<(f64, Ends)> = None;
        for i in base..self.buffer.len() {
            let mv = self.buffer[i];
            let parent = best.map(|(score, _)| ParentChoice { player: mover, score });
            let found = self
                .game
                .visit(state, mv, |child| self.value(child, mv, depth - 1, ply + 1, parent))?;
            let own = self.scores(ply + 1)[mover];
            if found.is_refuted || best.is_some_and(|(score, _)| own <= score) {
                continue;
            }
            best = Some((own, found.ends));
            self.pv.set(ply as usize, mv);
            let (here, below) = self.two_rows(ply);
            here.copy_from_slice(below);
            if (own >= refuting || own >= most) && i + 1 < self.buffer.len() {
                self.cut(i + 1);
                return Ok(NodeResult { ends: found.ends, is_refuted: own >= refuting });
            }
        }
        // A player to move has a move, unless the rules have failed.
        let (_, ends) = best.ok_or(StopReason::StopFlag)?;
        Ok(NodeResult { ends, is_refuted: false })
    }

    /// Computes the mean of the rows of all outcomes by their probabilities.
    fn average(
        &mut self,
        state: &mut G::State,
        depth: u32,
        ply: u32,
    ) -> Result<NodeResult, StopReason> {
        let base = self.buffer.len();
        self.game.moves(state, &mut self.buffer);
        let (mut total, mut ends) = (0.0, Ends::NONE);
        self.two_rows(ply).0.fill(0.0);
        for i in base..self.buffer.len() {
            let mv = self.buffer[i];
            let probability = self.game.probability(state, mv);
            if probability == 0.0 {
                continue;
            }
            total += probability;
            let found = self
                .game
                .visit(state, mv, |child| self.value(child, mv, depth - 1, ply + 1, None))?;
            ends = ends.or(found.ends);
            let (here, below) = self.two_rows(ply);
            here.iter_mut().zip(below).for_each(|(sum, value)| *sum += probability * *value);
        }
        self.two_rows(ply).0.iter_mut().for_each(|sum| *sum /= total);
        Ok(NodeResult { ends, is_refuted: false })
    }

    /// Counts a cutoff that skips the moves in the buffer from index `from` on.
    fn cut(&mut self, from: usize) {
        let skipped = &self.buffer[from..];
        self.stats.cutoffs += 1;
        self.stats.pruned += skipped.len() as u64;
        if self.observer.is_active() {
            self.observer.event(Event::Cut { reason: CutReason::Shallow, skipped });
        }
    }

    fn leaf(
        &mut self,
        state: &G::State,
        kind: LeafKind,
        ply: u32,
    ) -> Result<NodeResult, StopReason> {
        let (game, players, scale) = (self.game, self.players, &self.scale);
        let evaluated = kind == LeafKind::Evaluation || self.eval_ends;
        let row = &mut self.rows[ply as usize * 2 * players..];
        for player in 0..players {
            if evaluated {
                let value = self.faults.checked(self.evaluator.value(game, state, player), player);
                let value = value.ok_or(StopReason::StopFlag)?;
                self.largest = self.largest.max(value.abs());
                row[player] = scale.horizon(value);
                row[players + player] = f64::NAN;
            } else {
                let utility = game.utility(state, player);
                row[player] = scale.end(utility);
                row[players + player] = utility;
            }
        }
        let ends = if evaluated { Ends::UNKNOWN } else { scale.ending(row[players + self.root]) };
        self.stats.leaves += 1;
        self.stats.evaluations += u64::from(evaluated);
        if self.observer.is_active() {
            let values = &self.told(ply);
            self.observer.event(Event::Leaf { values, kind });
        }
        Ok(NodeResult { ends, is_refuted: false })
    }

    fn leave(&mut self, ply: u32) {
        if self.observer.is_active() {
            let values = &self.told(ply);
            self.observer.event(Event::Leave { values });
        }
    }

    /// Returns the value of every player at a ply, for observers.
    fn told(&self, ply: u32) -> Vec<Value> {
        self.scores(ply).iter().map(|&score| self.scale.value(score, self.largest)).collect()
    }

    /// Sets the result of the root move just searched.
    fn set_result(
        &self,
        root: &mut Root<G::Move>,
        found: NodeResult,
        parent: Option<ParentChoice>,
    ) {
        root.values.clear();
        if let (true, Some(ParentChoice { score, .. })) = (found.is_refuted, parent) {
            // The only known fact is that the move is not better.
            root.score = score;
            root.value = Some(if root.proven {
                self.scale.result(self.scale.utility(score))
            } else {
                self.scale.value(score, self.largest)
            });
            root.bound = Bound::Upper;
            return;
        }
        let (scores, utilities) = self.row(1).split_at(self.players);
        root.score = scores[self.root];
        root.values.extend_from_slice(if root.proven { utilities } else { scores });
        let own = root.values[self.root];
        root.value = Some(match found.ends.certain() {
            _ if !root.proven => self.scale.value(own, self.largest),
            Some(outcome) => self.scale.result(own).proven(outcome, None),
            None => self.scale.result(own),
        });
        root.bound = Bound::Exact;
    }
}

impl<G: Game, O: Observer<G::Move>> Iterate<G::Move> for Search<'_, G, O> {
    fn iterate(
        &mut self,
        depth: u32,
        roots: &mut [Root<G::Move>],
    ) -> Result<(), (StopReason, usize)> {
        self.bounds = self.cuts.and_then(|cuts| cuts.bounds(depth));
        self.stats.nodes += 1;
        self.buffer.clear();
        self.make_room(0);
        if self.observer.is_active() {
            self.observer.event(Event::Iteration(depth));
            let (alpha, beta) = (Value::BELOW_ALL, Value::ABOVE_ALL);
            self.observer.event(Event::Enter { mv: None, alpha, beta });
        }
        let mut best = Best::new(self.lines);
        for (done, root) in roots.iter_mut().enumerate() {
            let SearchStats { nodes, evaluations, .. } = self.stats;
            let parent = best.last_exact().map(|score| ParentChoice { player: self.root, score });
            let mut state = self.position.clone();
            self.game.play(&mut state, root.mv);
            let found = self.value(&mut state, root.mv, depth - 1, 1, parent);
            root.visits += self.stats.nodes - nodes;
            let found = found.map_err(|why| (why, done))?;
            root.searched(depth, self.stats.evaluations == evaluations, self.pv.line(1));
            self.set_result(root, found, parent);
            if root.bound == Bound::Exact {
                if best.first().is_none_or(|score| root.score > score) {
                    let (here, below) = self.two_rows(0);
                    here.copy_from_slice(below);
                }
                best.add(root.score);
            }
        }
        self.leave(0);
        Ok(())
    }

    fn stats(&self) -> SearchStats {
        self.stats.clone()
    }

    fn least(&self) -> Value {
        self.scale.least()
    }

    fn is_final(&self, root: &Root<G::Move>) -> bool {
        root.proven && root.bound == Bound::Exact && root.score >= self.scale.top()
    }

    fn failure(&self) -> Option<SearchError> {
        failure(self.game, &self.faults)
    }
}
