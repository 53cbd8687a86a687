//! Games, positions and agents without their types: what commands, servers and arenas see.
//!
//! Everything here is called once a move, not once a node.

mod seat;

use std::any::Any;
use std::sync::Arc;

use tussle_core::{
    Args, Budget, Choice, Drawn, Evaluation, Evaluations, Evaluator as _, Game, Hashed, Line, Mark,
    MarkKind, Notation, ParseError, Payoffs, Report, Rng, Scene, Symmetric, Turn, ZeroSum,
};
use tussle_search::{Tally, TreeNode, TreeWish};

pub(crate) use seat::seat;

use crate::agents::{build_agent, make_duel, make_many};
use crate::params::settle;
use crate::{Error, Query, Spec, TreeFile};

/// All that a game needs to be in the catalog.
pub trait Playable: Game + Hashed + Symmetric + Notation + Evaluations + Drawn + 'static {}

impl<G: Game + Hashed + Symmetric + Notation + Evaluations + Drawn + 'static> Playable for G {}

/// The rules of some game.
pub trait AnyGame: Send + Sync {
    /// The spec string that gives this game, defaults left out.
    fn spec(&self) -> &str;
    /// The number of players.
    fn players(&self) -> usize;
    /// The heuristics, the default one first.
    fn evaluations(&self) -> &'static [Evaluation];
    /// The number of symmetries of the rules, the identity included.
    fn symmetries(&self) -> usize;
    /// What finished games can be worth.
    fn payoffs(&self) -> Payoffs;
    /// Whether its heavy playouts are more than random play.
    fn has_heavy_playout(&self) -> bool;
    /// What a line of a report is worth to every player, as far as it says; `mover` is to move
    /// where it begins.
    fn values(&self, mover: usize, line: &Line<String>) -> Option<Vec<f64>>;
    /// Returns the facts of the tree file that the game was built from; none for other games.
    fn tree_file(&self) -> Option<&TreeFile> {
        None
    }
    /// The position a game starts from.
    fn start(&self) -> Box<dyn AnyPosition>;
    /// Reads a position.
    ///
    /// # Errors
    /// If the text is malformed or these rules cannot have such a position.
    fn position(&self, text: &str) -> Result<Box<dyn AnyPosition>, Error>;
    /// An agent for this game.
    ///
    /// # Errors
    /// If no agent has this name, its parameters are wrong, or it cannot play this game.
    fn agent(&self, spec: &str, seed: u64) -> Result<Box<dyn AnyAgent>, Error>;
}

/// A game in progress: a position and the moves that led to it.
pub trait AnyPosition: Send {
    /// Whose turn it is.
    fn turn(&self) -> Turn;
    /// The position in one line.
    fn text(&self) -> String;
    /// The legal moves, in the game's order.
    fn moves(&self) -> Vec<String>;
    /// The first move of every class of equivalent moves.
    fn distinct_moves(&self) -> Vec<String>;
    /// The probability of each of [`moves`](AnyPosition::moves), if chance is to move.
    fn probabilities(&self) -> Vec<f64>;
    /// An outcome drawn by its probability, if chance is to move.
    fn roll(&self, rng: &mut Rng) -> Option<String>;
    /// Makes a move.
    ///
    /// # Errors
    /// If it is not legal here; the position is unchanged then.
    fn play(&mut self, mv: &str) -> Result<(), Error>;
    /// Takes the latest move back; false if there is none.
    fn undo(&mut self) -> bool;
    /// Returns the position after a move as searches see it, by [`Game::visit`]; its history is
    /// empty.
    ///
    /// # Errors
    /// If the move is not legal here.
    fn visit(&mut self, mv: &str) -> Result<Box<dyn AnyPosition>, Error>;
    /// The moves made since this position was started or read.
    fn history(&self) -> &[String];
    /// What the finished game is worth to each player.
    fn utilities(&self) -> Option<Vec<f64>>;
    /// What an evaluation (a spec such as `territory:radius=5`; empty for the default one)
    /// says for a player.
    ///
    /// # Errors
    /// If the game has no such evaluation or player.
    fn evaluate(&self, evaluation: &str, player: usize) -> Result<f64, Error>;
    /// The drawing, with the legal moves as clicks and the latest move marked.
    fn scene(&self) -> Scene;
    /// The spot of the drawing that says where a legal move would go, if there is one.
    ///
    /// # Errors
    /// If the move is not legal here.
    fn target(&self, mv: &str) -> Result<Option<usize>, Error>;
    /// The number of move sequences of this length from here.
    fn perft(&mut self, depth: u32) -> u64;
    /// The number of move sequences of this length that begin with each legal move, told to
    /// `each` one after another; nothing for length 0.
    fn divide(&mut self, depth: u32, each: &mut dyn FnMut(String, u64));
    /// Random games from here.
    fn playouts(&self, budget: &Budget, seed: u64) -> Tally;
    /// Games from here played with some sense, random ones if the game has no others.
    fn heavy_playouts(&self, budget: &Budget, seed: u64) -> Tally;
    /// Plays on at random to the end, chance by its probabilities.
    fn play_out(&mut self, rng: &mut Rng);
    /// The key of the board, without step counts.
    fn board_key(&self) -> u64;
    /// The key for tables of a search that looks this far.
    fn table_key(&self, reach: u32) -> u64;
    /// The least board key over all symmetries, and the symmetry that gives it.
    fn canonical(&self) -> (u64, usize);
    /// The least board key over all symmetries.
    fn canonical_key(&self) -> u64 {
        self.canonical().0
    }
    /// The position seen through a symmetry; its history is empty.
    fn reflect(&self, symmetry: usize) -> Box<dyn AnyPosition>;
    /// A legal move's text, seen through a symmetry.
    ///
    /// # Errors
    /// If the move is not legal here.
    fn reflect_move(&self, mv: &str, symmetry: usize) -> Result<String, Error>;
    /// The legal move that is written like this when seen through a symmetry, if there is one:
    /// the way back from [`reflect_move`](AnyPosition::reflect_move).
    fn unreflect_move(&self, mv: &str, symmetry: usize) -> Option<String>;
    /// Whether the other is the same position of the same type of game; histories do not count.
    fn same(&self, other: &dyn AnyPosition) -> bool;
    /// A copy.
    fn boxed(&self) -> Box<dyn AnyPosition>;
    /// A copy that knows nothing of the moves that led here.
    fn without_history(&self) -> Box<dyn AnyPosition>;
    /// For getting the type back.
    fn as_any(&self) -> &dyn Any;
    /// The spec of its game.
    fn game_spec(&self) -> &str;
}

/// An agent for some game.
pub trait AnyAgent: Send {
    /// Answers a query about a position.
    ///
    /// # Errors
    /// If the position belongs to another game, or the agent has no answer.
    fn analyse(
        &mut self,
        position: &dyn AnyPosition,
        query: Query<'_>,
    ) -> Result<Report<String>, Error>;

    /// Chooses a move for the player to move.
    ///
    /// # Errors
    /// As [`analyse`](AnyAgent::analyse).
    fn choose(
        &mut self,
        position: &dyn AnyPosition,
        budget: &Budget,
    ) -> Result<Report<String>, Error> {
        self.analyse(position, Query::new(budget))
    }

    /// Whether the same seed gives the same answers unless the clock interferes.
    fn is_deterministic(&self) -> bool {
        true
    }

    /// The tree of the latest search, which was of this position; nothing from an agent that
    /// keeps no tree.
    fn tree(&self, position: &dyn AnyPosition, wish: &TreeWish) -> Option<TreeNode<String>> {
        let _ = (position, wish);
        None
    }
}

/// Makes an agent, if it knows one of this name.
pub(crate) type Make<G> =
    fn(&str, &Arc<Rules<G>>, &Args, u64) -> Option<Result<Box<dyn AnyAgent>, ParseError>>;

/// Typed rules and the spec that asked for them.
pub(crate) struct Rules<G> {
    pub(crate) spec: String,
    pub(crate) game: G,
    /// Agents that have other defaults in this game, as [`Described::AGENTS`] lists them.
    ///
    /// [`Described::AGENTS`]: tussle_core::Described::AGENTS
    pub(crate) agents: &'static [&'static str],
    /// The agents for this kind of game: here the bounds of its type are known.
    pub(crate) special: Make<G>,
    /// Two players with opposite interests: the value of one tells the other's.
    duel: bool,
    /// Reports speak for the first player, also where the second is to move.
    pub(crate) maxs_view: bool,
    /// Facts of the tree file that the game was built from. Nodes of such a game have names.
    pub(crate) tree_file: Option<TreeFile>,
}

impl<G: Playable + ZeroSum> Rules<G> {
    /// A game of two players with opposite interests.
    pub(crate) fn duel(spec: String, game: G) -> Self {
        Self {
            spec,
            game,
            agents: &[],
            special: make_duel,
            duel: true,
            maxs_view: false,
            tree_file: None,
        }
    }
}

impl<G: Playable> Rules<G> {
    /// Any other game.
    pub(crate) fn many(spec: String, game: G) -> Self {
        Self {
            spec,
            game,
            agents: &[],
            special: make_many,
            duel: false,
            maxs_view: false,
            tree_file: None,
        }
    }

    /// The same with the game's own defaults for agents.
    pub(crate) fn agents(self, agents: &'static [&'static str]) -> Self {
        Self { agents, ..self }
    }

    /// The same with reports for the first player throughout.
    pub(crate) fn in_maxs_view(self) -> Self {
        Self { maxs_view: true, ..self }
    }

    /// Adds the facts of the tree file that the game was built from.
    pub(crate) fn tree_file(self, file: TreeFile) -> Self {
        Self { tree_file: Some(file), ..self }
    }

    /// Behind the erased layer.
    pub(crate) fn erase(self) -> Arc<dyn AnyGame> {
        Arc::new(self).erased()
    }

    /// The same rules once more behind the erased layer.
    pub(crate) fn erased(self: &Arc<Self>) -> Arc<dyn AnyGame> {
        Arc::new(Typed(self.clone()))
    }
}

struct Typed<G>(Arc<Rules<G>>);

impl<G: Playable> Typed<G> {
    fn at(&self, state: G::State) -> Box<dyn AnyPosition> {
        Box::new(Position::new(&self.0, state))
    }
}

impl<G: Playable> AnyGame for Typed<G> {
    fn spec(&self) -> &str {
        &self.0.spec
    }

    fn players(&self) -> usize {
        self.0.game.players()
    }

    fn evaluations(&self) -> &'static [Evaluation] {
        G::EVALUATIONS
    }

    fn symmetries(&self) -> usize {
        self.0.game.symmetries()
    }

    fn payoffs(&self) -> Payoffs {
        self.0.game.payoffs()
    }

    fn has_heavy_playout(&self) -> bool {
        self.0.game.has_heavy_playout()
    }

    fn values(&self, mover: usize, line: &Line<String>) -> Option<Vec<f64>> {
        if !line.values.is_empty() {
            return Some(line.values.clone());
        }
        let value = line.known_value().filter(|_| self.0.duel)?;
        let firsts = if self.0.maxs_view || mover == 0 { value } else { 0.0 - value };
        Some(vec![firsts, 0.0 - firsts]) // no -0
    }

    fn tree_file(&self) -> Option<&TreeFile> {
        self.0.tree_file.as_ref()
    }

    fn start(&self) -> Box<dyn AnyPosition> {
        self.at(self.0.game.start())
    }

    fn position(&self, text: &str) -> Result<Box<dyn AnyPosition>, Error> {
        Ok(self.at(self.0.game.parse_position(text)?))
    }

    fn agent(&self, spec: &str, seed: u64) -> Result<Box<dyn AnyAgent>, Error> {
        build_agent(&self.0, spec, seed)
    }
}

struct Position<G: Game> {
    rules: Arc<Rules<G>>,
    state: G::State,
    /// The moves made, each with the state before it; copies of the position share the states.
    past: Vec<(G::Move, Arc<G::State>)>,
    texts: Vec<String>,
}

impl<G: Playable> Position<G> {
    fn new(rules: &Arc<Rules<G>>, state: G::State) -> Self {
        Self { rules: rules.clone(), state, past: Vec::new(), texts: Vec::new() }
    }

    fn game(&self) -> &G {
        &self.rules.game
    }

    fn texts_of(&self, moves: &[G::Move]) -> Vec<String> {
        moves.iter().map(|&mv| self.game().move_text(&self.state, mv)).collect()
    }

    fn legal(&self) -> Vec<G::Move> {
        self.game().legal_moves(&self.state)
    }
}

impl<G: Playable> AnyPosition for Position<G> {
    fn turn(&self) -> Turn {
        self.game().turn(&self.state)
    }

    fn text(&self) -> String {
        self.game().position(&self.state)
    }

    fn moves(&self) -> Vec<String> {
        self.texts_of(&self.legal())
    }

    fn distinct_moves(&self) -> Vec<String> {
        let mut moves = Vec::new();
        self.game().distinct_moves(&self.state, &mut moves);
        self.texts_of(&moves)
    }

    fn probabilities(&self) -> Vec<f64> {
        if self.turn() != Turn::Chance {
            return Vec::new();
        }
        self.legal().iter().map(|&mv| self.game().probability(&self.state, mv)).collect()
    }

    fn roll(&self, rng: &mut Rng) -> Option<String> {
        (self.turn() == Turn::Chance).then(|| {
            let outcome = self.game().sample(&self.state, rng, &mut Vec::new());
            self.game().move_text(&self.state, outcome)
        })
    }

    fn play(&mut self, text: &str) -> Result<(), Error> {
        let mv = self.game().parse_move(&self.state, text)?;
        // A game may read more spellings than the one it writes.
        let text = self.game().move_text(&self.state, mv);
        self.past.push((mv, Arc::new(self.state.clone())));
        self.rules.game.play(&mut self.state, mv);
        self.texts.push(text);
        Ok(())
    }

    fn undo(&mut self) -> bool {
        let Some((_, before)) = self.past.pop() else { return false };
        self.state = Arc::unwrap_or_clone(before);
        self.texts.pop();
        true
    }

    fn visit(&mut self, text: &str) -> Result<Box<dyn AnyPosition>, Error> {
        let mv = self.game().parse_move(&self.state, text)?;
        let child = self.rules.game.visit(&mut self.state, mv, |child| child.clone());
        Ok(Box::new(Self::new(&self.rules, child)))
    }

    fn history(&self) -> &[String] {
        &self.texts
    }

    fn utilities(&self) -> Option<Vec<f64>> {
        (self.turn() == Turn::Over).then(|| {
            let game = self.game();
            (0..game.players()).map(|player| game.utility(&self.state, player)).collect()
        })
    }

    fn evaluate(&self, evaluation: &str, player: usize) -> Result<f64, Error> {
        let game = self.game();
        if player >= game.players() {
            let n = game.players();
            return Err(Error::Spec(format!(
                "there is no player {player}: they count from 0 to {}",
                n - 1
            )));
        }
        // `territory:radius=5` is read as the parameter `eval=territory` with its own beside it.
        let mut spec = Spec { name: "evaluation".to_owned(), pairs: Vec::new() };
        if !evaluation.is_empty() {
            let given = Spec::parse(evaluation)?;
            spec.pairs.push(("eval".to_owned(), given.name));
            spec.pairs.extend(given.pairs);
        }
        let table = [tussle_core::Param {
            key: "eval",
            kind: tussle_core::Kind::Evaluation,
            default: "",
            help: "",
        }];
        let args = settle(&spec, &table, G::EVALUATIONS)?;
        let (index, args) = args.evaluation("eval");
        Ok(game.evaluation(index, args).value(game, &self.state, player))
    }

    fn scene(&self) -> Scene {
        let game = self.game();
        let mut scene = game.scene(&self.state);
        for mv in self.legal() {
            let spots = game.clicks(&self.state, mv);
            if !spots.is_empty() {
                scene.choices.push(Choice { mv: game.move_text(&self.state, mv), spots });
            }
        }
        if let Some((mv, before)) = self.past.last() {
            // The latest move was legal in the position before it.
            let spot = game.landing(before, *mv);
            scene.marks.extend(spot.map(|spot| Mark { spot, kind: MarkKind::LastMove }));
        }
        scene
    }

    fn target(&self, text: &str) -> Result<Option<usize>, Error> {
        let mv = self.game().parse_move(&self.state, text)?;
        Ok(self.game().target(&self.state, mv))
    }

    fn perft(&mut self, depth: u32) -> u64 {
        tussle_search::perft(&self.rules.game, &mut self.state, depth)
    }

    fn divide(&mut self, depth: u32, each: &mut dyn FnMut(String, u64)) {
        let Some(rest) = depth.checked_sub(1) else { return };
        for mv in self.legal() {
            let text = self.game().move_text(&self.state, mv);
            let game = &self.rules.game;
            let perft = |child: &mut G::State| tussle_search::perft(game, child, rest);
            each(text, game.visit(&mut self.state, mv, perft));
        }
    }

    fn playouts(&self, budget: &Budget, seed: u64) -> Tally {
        tussle_search::playouts(self.game(), &self.state, budget, seed)
    }

    fn heavy_playouts(&self, budget: &Budget, seed: u64) -> Tally {
        tussle_search::heavy_playouts(self.game(), &self.state, budget, seed)
    }

    fn play_out(&mut self, rng: &mut Rng) {
        self.rules.game.playout(&mut self.state, rng, &mut Vec::new());
        self.past.clear();
        self.texts.clear();
    }

    fn board_key(&self) -> u64 {
        self.game().board_key(&self.state)
    }

    fn table_key(&self, reach: u32) -> u64 {
        self.game().table_key(&self.state, reach)
    }

    fn canonical(&self) -> (u64, usize) {
        self.game().canonical(&self.state)
    }

    fn reflect(&self, symmetry: usize) -> Box<dyn AnyPosition> {
        Box::new(Self::new(&self.rules, self.game().reflect(&self.state, symmetry)))
    }

    fn reflect_move(&self, text: &str, symmetry: usize) -> Result<String, Error> {
        let game = self.game();
        let mv = game.parse_move(&self.state, text)?;
        let there = game.reflect(&self.state, symmetry);
        Ok(game.move_text(&there, game.reflect_move(mv, symmetry)))
    }

    fn unreflect_move(&self, text: &str, symmetry: usize) -> Option<String> {
        let game = self.game();
        let there = game.reflect(&self.state, symmetry);
        let seen = |mv| game.move_text(&there, game.reflect_move(mv, symmetry));
        let mv = self.legal().into_iter().find(|&mv| seen(mv) == text)?;
        Some(game.move_text(&self.state, mv))
    }

    fn same(&self, other: &dyn AnyPosition) -> bool {
        let other = other.as_any().downcast_ref::<Self>();
        other.is_some_and(|other| self.state == other.state)
    }

    fn boxed(&self) -> Box<dyn AnyPosition> {
        Box::new(Self {
            rules: self.rules.clone(),
            state: self.state.clone(),
            past: self.past.clone(),
            texts: self.texts.clone(),
        })
    }

    fn without_history(&self) -> Box<dyn AnyPosition> {
        Box::new(Self::new(&self.rules, self.state.clone()))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn game_spec(&self) -> &str {
        &self.rules.spec
    }
}
