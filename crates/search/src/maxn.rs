//! Max^n: every player takes what is best for itself.

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
use crate::score::{DEEPEST, moves};
use crate::{Agent, Deepening, Query, SearchError, TerminalValue};

/// Options of [`Maxn`].
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct MaxnOptions {
    /// True to leave a node once its mover has so much that the mover before it cannot gain there
    /// (shallow pruning) [default: true].
    pub shallow_pruning: bool,
    /// Iterative deepening.
    pub deepening: Deepening,
    /// Value of a finished game [default: its result].
    pub finished: TerminalValue,
    /// True to search one of several equivalent moves only [default: true].
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

/// Max^n, for games with any number of players, with chance or without. Of equally good moves a
/// player takes the first.
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
    /// Creates a player that values positions at its horizon with `evaluator`.
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
            stakes: None,
            pv: Pv::new(),
            watch: task.limits.checker(),
            stats: SearchStats::default(),
            observer,
        };
        deepen(&mut search, &first, task)
    }
}

/// The scores players can have, alone and together.
#[derive(Clone, Copy, Debug)]
struct Stakes {
    least: f64,
    most: f64,
    sum: f64,
}

impl Stakes {
    /// Either these or the others.
    fn or(self, others: Self) -> Self {
        Self {
            least: self.least.min(others.least),
            most: self.most.max(others.most),
            sum: self.sum.max(others.sum),
        }
    }
}

/// Bounds that a search cuts by.
#[derive(Clone, Copy, Debug)]
struct Cuts {
    /// Scores of finished games.
    ends: Stakes,
    /// All scores, if they are known.
    all: Option<Stakes>,
    /// True if finished games are evaluated.
    eval_ends: bool,
}

impl Cuts {
    fn new(scale: &Scale, players: usize, is_antisymmetric: bool, eval_ends: bool) -> Self {
        let (least, most) = scale.ends();
        let ends = Stakes { least, most, sum: scale.sum() };
        let is_zero_sum = players == 2 && is_antisymmetric;
        let horizons = scale.horizons().map(|(low, high)| Stakes {
            least: low,
            most: high,
            sum: if is_zero_sum { 0.0 } else { high * players as f64 },
        });
        let all = horizons.map(|horizons| if eval_ends { horizons } else { horizons.or(ends) });
        Self { ends, all, eval_ends }
    }

    /// Returns the scores that a search to this depth meets.
    fn stakes(&self, depth: u32) -> Option<Stakes> {
        // A search without a horizon meets ends only.
        if depth >= DEEPEST && !self.eval_ends { Some(self.ends) } else { self.all }
    }
}

/// A player who has a choice with this score already, one ply above.
#[derive(Clone, Copy)]
struct Above {
    player: usize,
    has: f64,
}

/// What was found at a node, besides the values in its row.
#[derive(Clone, Copy)]
struct Found {
    /// How the game may end for the root player.
    ends: Ends,
    /// The node was left early: the mover above has no reason to come here.
    spurned: bool,
}

struct Search<'a, G: Game, O> {
    game: &'a G,
    evaluator: &'a dyn Evaluator<G>,
    faults: FaultCell,
    scale: Scale,
    eval_ends: bool,
    dedupe: bool,
    /// None if nothing is cut.
    cuts: Option<Cuts>,
    root: usize,
    players: usize,
    /// How many of the best root moves get exact values.
    lines: usize,
    /// The position at the root.
    position: &'a G::State,
    buffer: Vec<G::Move>,
    /// For each ply the values found there: a score for every player, as they are compared,
    /// then a utility for every player, as they are reported if no evaluation took part.
    rows: Vec<f64>,
    stakes: Option<Stakes>,
    pv: Pv<G::Move>,
    watch: LimitChecker,
    /// Values are proven if no evaluation was needed for them.
    stats: SearchStats,
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

    /// The row at `ply` and the one below it.
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
        above: Option<Above>,
    ) -> Result<Found, StopReason> {
        if let Some(why) = self.watch.check(self.stats.nodes) {
            return Err(why);
        }
        self.stats.nodes += 1;
        self.stats.depth = self.stats.depth.max(ply);
        self.pv.clear(ply as usize);
        self.make_room(ply);
        let turn = self.game.turn(state);
        // Who moves here and already has this much there need not look on.
        let enough = match (turn, above, self.stakes) {
            (Turn::Player(mover), Some(above), Some(stakes)) if mover != above.player => {
                stakes.sum - above.has - stakes.least * (self.players as f64 - 2.0)
            }
            _ => f64::INFINITY,
        };
        if self.observer.is_active() {
            let (alpha, beta) = (Value::BELOW_ALL, self.scale.value(enough));
            self.observer.event(Event::Enter { mv: Some(mv), alpha, beta });
        }
        let base = self.buffer.len();
        let found = match turn {
            Turn::Over => self.leaf(state, LeafKind::End, ply)?,
            _ if depth == 0 => self.leaf(state, LeafKind::Evaluation, ply)?,
            Turn::Player(mover) => self.choice(state, mover, enough, depth, ply)?,
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

    /// The row that is best for the mover.
    fn choice(
        &mut self,
        state: &mut G::State,
        mover: usize,
        enough: f64,
        depth: u32,
        ply: u32,
    ) -> Result<Found, StopReason> {
        let base = self.buffer.len();
        moves(self.game, state, self.dedupe, &mut self.buffer);
        let most = self.stakes.map_or(f64::INFINITY, |stakes| stakes.most);
        let mut best: Option<(f64, Ends)> = None;
        for i in base..self.buffer.len() {
            let mv = self.buffer[i];
            let above = best.map(|(has, _)| Above { player: mover, has });
            let found = self
                .game
                .visit(state, mv, |child| self.value(child, mv, depth - 1, ply + 1, above))?;
            let own = self.scores(ply + 1)[mover];
            if found.spurned || best.is_some_and(|(has, _)| own <= has) {
                continue;
            }
            best = Some((own, found.ends));
            self.pv.set(ply as usize, mv);
            let (here, below) = self.two_rows(ply);
            here.copy_from_slice(below);
            if (own >= enough || own >= most) && i + 1 < self.buffer.len() {
                self.cut(i + 1);
                return Ok(Found { ends: found.ends, spurned: own >= enough });
            }
        }
        // A player to move has a move, unless the rules have failed.
        let (_, ends) = best.ok_or(StopReason::StopFlag)?;
        Ok(Found { ends, spurned: false })
    }

    /// The mean of all rows, by their probabilities.
    fn average(&mut self, state: &mut G::State, depth: u32, ply: u32) -> Result<Found, StopReason> {
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
        Ok(Found { ends, spurned: false })
    }

    /// Skips the moves from this place of the buffer on.
    fn cut(&mut self, from: usize) {
        let skipped = &self.buffer[from..];
        self.stats.cutoffs += 1;
        self.stats.pruned += skipped.len() as u64;
        if self.observer.is_active() {
            self.observer.event(Event::Cut { reason: CutReason::Shallow, skipped });
        }
    }

    fn leaf(&mut self, state: &G::State, kind: LeafKind, ply: u32) -> Result<Found, StopReason> {
        let (game, players, scale) = (self.game, self.players, &self.scale);
        let evaluated = kind == LeafKind::Evaluation || self.eval_ends;
        let row = &mut self.rows[ply as usize * 2 * players..];
        for player in 0..players {
            if evaluated {
                let value = self.faults.checked(self.evaluator.value(game, state, player), player);
                row[player] = scale.horizon(value.ok_or(StopReason::StopFlag)?);
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
        Ok(Found { ends, spurned: false })
    }

    fn leave(&mut self, ply: u32) {
        if self.observer.is_active() {
            let values = &self.told(ply);
            self.observer.event(Event::Leave { values });
        }
    }

    /// Returns the value of every player at a ply, for observers.
    fn told(&self, ply: u32) -> Vec<Value> {
        self.scores(ply).iter().map(|&score| self.scale.value(score)).collect()
    }

    /// Writes down what stands in the row of the root move just searched.
    fn note(&self, root: &mut Root<G::Move>, found: Found, above: Option<Above>) {
        root.values.clear();
        if let (true, Some(Above { has, .. })) = (found.spurned, above) {
            // All that is known is that it is not better.
            root.score = has;
            root.value = Some(if root.proven {
                self.scale.result(self.scale.utility(has))
            } else {
                self.scale.value(has)
            });
            root.bound = Bound::Upper;
            return;
        }
        let (scores, utilities) = self.row(1).split_at(self.players);
        root.score = scores[self.root];
        root.values.extend_from_slice(if root.proven { utilities } else { scores });
        let own = root.values[self.root];
        root.value = Some(match found.ends.certain() {
            _ if !root.proven => self.scale.value(own),
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
        self.stakes = self.cuts.and_then(|cuts| cuts.stakes(depth));
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
            let above = best.last_asked().map(|has| Above { player: self.root, has });
            let mut state = self.position.clone();
            self.game.play(&mut state, root.mv);
            let found = self.value(&mut state, root.mv, depth - 1, 1, above);
            root.visits += self.stats.nodes - nodes;
            let found = found.map_err(|why| (why, done))?;
            root.searched(depth, self.stats.evaluations == evaluations, self.pv.line(1));
            self.note(root, found, above);
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
