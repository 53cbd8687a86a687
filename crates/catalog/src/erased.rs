//! Games, positions and agents without their types: what commands, servers and arenas see.
//!
//! Everything here is called once a move, not once a node.

mod seat;

use std::any::Any;
use std::sync::Arc;

use tussle_core::{
    Choice, Game, Limits, Line, Mark, MarkKind, ParseError, Payoffs, Report, Rng, Scene, Turn,
};
use tussle_search::{KeyFunctions, PlayoutCounts, TreeFilter, TreeNode};

pub(crate) use seat::seat;

use crate::agents::build_agent;
use crate::entry::Capabilities;
use crate::params::settle;
use crate::{Catalog, Error, Evaluation, Query, Spec, TreeFile, plain};

/// The rules of some game.
pub trait AnyGame: Send + Sync {
    /// The spec string that gives this game, defaults left out.
    fn spec(&self) -> &str;
    /// The catalog that the game is from.
    fn catalog(&self) -> &Catalog;
    /// The number of players.
    fn players(&self) -> usize;
    /// The heuristics, the default one first.
    fn evaluations(&self) -> &[Evaluation];
    /// The number of symmetries of the rules, the identity included.
    fn symmetries(&self) -> usize;
    /// What finished games can be worth.
    fn payoffs(&self) -> Payoffs;
    /// Returns true if two players have opposite interests, as the game declares.
    fn is_zero_sum(&self) -> bool;
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
    fn playouts(&self, limits: &Limits, seed: u64) -> PlayoutCounts;
    /// Games from here played with some sense, random ones if the game has no others.
    fn heavy_playouts(&self, limits: &Limits, seed: u64) -> PlayoutCounts;
    /// Plays on at random to the end, chance by its probabilities.
    fn play_out(&mut self, rng: &mut Rng);
    /// Returns the key of the board, without step counts; `None` if the game has no keys.
    fn board_key(&self) -> Option<u64>;
    /// Returns the key for tables of a search that looks this far; `None` if the game has no keys.
    fn table_key(&self, reach: u32) -> Option<u64>;
    /// Returns the least board key over all symmetries, and the symmetry that gives it; `None` if the
    /// game has no keys.
    fn canonical(&self) -> Option<(u64, usize)>;
    /// Returns the least board key over all symmetries; `None` if the game has no keys.
    fn canonical_key(&self) -> Option<u64> {
        self.canonical().map(|(key, _)| key)
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
    /// The catalog that its game is from.
    fn catalog(&self) -> &Catalog;
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
        limits: &Limits,
    ) -> Result<Report<String>, Error> {
        self.analyse(position, Query::new(limits))
    }

    /// Whether the same seed gives the same answers unless the clock interferes.
    fn is_deterministic(&self) -> bool {
        true
    }

    /// The tree of the latest search, which was of this position; nothing from an agent that
    /// keeps no tree.
    fn tree(&self, position: &dyn AnyPosition, wish: &TreeFilter) -> Option<TreeNode<String>> {
        let _ = (position, wish);
        None
    }
}

/// Typed rules, the spec that asked for them, and what the game declares.
pub(crate) struct Rules<G: Game> {
    pub(crate) spec: String,
    pub(crate) game: Arc<G>,
    pub(crate) capabilities: Arc<Capabilities<G>>,
    pub(crate) catalog: Catalog,
}

impl<G: Game + 'static> Rules<G> {
    /// The same rules behind the erased layer.
    pub(crate) fn erased(self: &Arc<Self>) -> Arc<dyn AnyGame> {
        Arc::new(Typed(self.clone()))
    }

    pub(crate) fn evaluations(&self) -> &[Evaluation] {
        self.capabilities.evaluation_list()
    }

    /// Returns the keys for tables of searches, if the game is hashed.
    pub(crate) fn search_keys(&self) -> Option<KeyFunctions<G>> {
        self.capabilities.keys.as_ref().map(|keys| keys.of_searches)
    }

    /// Returns the text of a legal move.
    pub(crate) fn move_text(&self, state: &G::State, mv: G::Move) -> String {
        if let Some(notation) = &self.capabilities.notation {
            return (notation.move_text)(&self.game, state, mv);
        }
        let moves = self.game.legal_moves(state);
        let index = moves.iter().position(|&other| other == mv);
        index.map_or_else(
            || "illegal".to_owned(),
            |index| plain::move_texts(&moves).swap_remove(index),
        )
    }

    /// Returns the texts of all these moves, which are the legal ones or some of them.
    fn move_texts(&self, state: &G::State, moves: &[G::Move]) -> Vec<String> {
        if self.capabilities.notation.is_none() && moves == self.game.legal_moves(state) {
            return plain::move_texts(moves);
        }
        moves.iter().map(|&mv| self.move_text(state, mv)).collect()
    }

    /// Returns the text of a position in a game with notation; empty in others.
    pub(crate) fn position_text(&self, state: &G::State) -> String {
        let notation = self.capabilities.notation.as_ref();
        notation.map(|notation| (notation.position_text)(&self.game, state)).unwrap_or_default()
    }

    fn parse_move(&self, state: &G::State, text: &str) -> Result<G::Move, ParseError> {
        if let Some(notation) = &self.capabilities.notation {
            return (notation.parse_move)(&self.game, state, text);
        }
        let moves = self.game.legal_moves(state);
        let index = plain::move_texts(&moves).iter().position(|other| other == text);
        index
            .map(|index| moves[index])
            .ok_or_else(|| ParseError::new(format!("`{text}`: is not a legal move here")))
    }
}

struct Typed<G: Game>(Arc<Rules<G>>);

impl<G: Game + 'static> Typed<G> {
    fn at(&self, state: G::State) -> Box<dyn AnyPosition> {
        Box::new(Position::new(&self.0, state))
    }
}

impl<G: Game + 'static> AnyGame for Typed<G> {
    fn spec(&self) -> &str {
        &self.0.spec
    }

    fn catalog(&self) -> &Catalog {
        &self.0.catalog
    }

    fn players(&self) -> usize {
        self.0.game.players()
    }

    fn evaluations(&self) -> &[Evaluation] {
        self.0.evaluations()
    }

    fn symmetries(&self) -> usize {
        let symmetry = self.0.capabilities.symmetry.as_ref();
        symmetry.map_or(1, |symmetry| (symmetry.symmetries)(&self.0.game))
    }

    fn payoffs(&self) -> Payoffs {
        self.0.game.payoffs()
    }

    fn is_zero_sum(&self) -> bool {
        self.0.capabilities.is_zero_sum
    }

    fn has_heavy_playout(&self) -> bool {
        self.0.game.has_heavy_playout()
    }

    fn values(&self, mover: usize, line: &Line<String>) -> Option<Vec<f64>> {
        if !line.values.is_empty() {
            return Some(line.values.clone());
        }
        let value = line.known_value().filter(|_| self.0.capabilities.is_zero_sum)?;
        let firsts =
            if self.0.capabilities.first_players_view || mover == 0 { value } else { 0.0 - value };
        Some(vec![firsts, 0.0 - firsts]) // no -0
    }

    fn tree_file(&self) -> Option<&TreeFile> {
        self.0.capabilities.tree_file.as_ref()
    }

    fn start(&self) -> Box<dyn AnyPosition> {
        self.at(self.0.game.start())
    }

    fn position(&self, text: &str) -> Result<Box<dyn AnyPosition>, Error> {
        if let Some(notation) = &self.0.capabilities.notation {
            return Ok(self.at((notation.parse_position)(&self.0.game, text)?));
        }
        let mut words = text.split_whitespace();
        if words.next() != Some(plain::START) {
            let what = "a position is `start` and the moves made since, with spaces between them";
            return Err(ParseError::new(format!("`{text}`: {what}")).into());
        }
        let mut position = self.start();
        for mv in words {
            position.play(mv)?;
        }
        Ok(position.without_history())
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
    /// In a game without notation: the moves made before those of `texts`, from the start.
    earlier: Vec<String>,
}

impl<G: Game + 'static> Position<G> {
    fn new(rules: &Arc<Rules<G>>, state: G::State) -> Self {
        let (past, texts, earlier) = (Vec::new(), Vec::new(), Vec::new());
        Self { rules: rules.clone(), state, past, texts, earlier }
    }

    /// Returns the moves from the start, for the text of a position in a game without notation.
    fn all_moves(&self) -> impl Iterator<Item = &String> {
        self.earlier.iter().chain(&self.texts)
    }

    /// Returns this position after `more` with an empty history.
    fn fresh(&self, state: G::State, more: Option<String>) -> Self {
        let mut fresh = Self::new(&self.rules, state);
        if self.rules.capabilities.notation.is_none() {
            fresh.earlier = self.all_moves().cloned().chain(more).collect();
        }
        fresh
    }

    fn game(&self) -> &G {
        &self.rules.game
    }

    fn texts_of(&self, moves: &[G::Move]) -> Vec<String> {
        self.rules.move_texts(&self.state, moves)
    }

    fn legal(&self) -> Vec<G::Move> {
        self.game().legal_moves(&self.state)
    }
}

impl<G: Game + 'static> AnyPosition for Position<G> {
    fn turn(&self) -> Turn {
        self.game().turn(&self.state)
    }

    fn text(&self) -> String {
        if let Some(notation) = &self.rules.capabilities.notation {
            return (notation.position_text)(self.game(), &self.state);
        }
        self.all_moves().fold(plain::START.to_owned(), |text, mv| text + " " + mv)
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
            self.rules.move_text(&self.state, outcome)
        })
    }

    fn play(&mut self, text: &str) -> Result<(), Error> {
        let mv = self.rules.parse_move(&self.state, text)?;
        // A game may read more spellings than the one it writes.
        let text = self.rules.move_text(&self.state, mv);
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
        let mv = self.rules.parse_move(&self.state, text)?;
        let text = self.rules.move_text(&self.state, mv);
        let child = self.rules.game.visit(&mut self.state, mv, |child| child.clone());
        Ok(Box::new(self.fresh(child, Some(text))))
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
        let table = [crate::Param {
            key: "eval",
            kind: crate::ParamKind::Evaluation,
            default: "",
            help: "",
        }];
        let args = settle(&spec, &table, self.rules.evaluations())?;
        let (index, args) = args.evaluation("eval");
        let evaluator = self.rules.capabilities.make_evaluator(index, &args);
        Ok(evaluator.value(game, &self.state, player))
    }

    fn scene(&self) -> Scene {
        let game = self.game();
        let legal = self.legal();
        let texts = self.texts_of(&legal).into_iter();
        let Some(drawing) = &self.rules.capabilities.drawing else {
            let mut scene = plain::scene(game, &self.state);
            let choices = texts.enumerate().map(|(spot, mv)| Choice { mv, spots: vec![spot] });
            scene.choices.extend(choices.take(scene.spots.len()));
            return scene;
        };
        let mut scene = (drawing.scene)(game, &self.state);
        for (mv, text) in legal.into_iter().zip(texts) {
            let spots = (drawing.clicks)(game, &self.state, mv);
            if !spots.is_empty() {
                scene.choices.push(Choice { mv: text, spots });
            }
        }
        if let Some((mv, before)) = self.past.last() {
            // The latest move was legal in the position before it.
            let spot = (drawing.landing)(game, before, *mv);
            scene.marks.extend(spot.map(|spot| Mark { spot, kind: MarkKind::LastMove }));
        }
        scene
    }

    fn target(&self, text: &str) -> Result<Option<usize>, Error> {
        let mv = self.rules.parse_move(&self.state, text)?;
        let drawing = self.rules.capabilities.drawing.as_ref();
        Ok(drawing.and_then(|drawing| (drawing.target)(self.game(), &self.state, mv)))
    }

    fn perft(&mut self, depth: u32) -> u64 {
        // Rules that fail count nothing below the failure.
        tussle_search::perft(&*self.rules.game, &mut self.state, depth).unwrap_or_default()
    }

    fn divide(&mut self, depth: u32, each: &mut dyn FnMut(String, u64)) {
        let Some(rest) = depth.checked_sub(1) else { return };
        for mv in self.legal() {
            let text = self.rules.move_text(&self.state, mv);
            let game = &*self.rules.game;
            let perft = |child: &mut G::State| tussle_search::perft(game, child, rest);
            each(text, game.visit(&mut self.state, mv, perft).unwrap_or_default());
        }
    }

    fn playouts(&self, limits: &Limits, seed: u64) -> PlayoutCounts {
        tussle_search::playouts(self.game(), &self.state, limits, seed).unwrap_or_default()
    }

    fn heavy_playouts(&self, limits: &Limits, seed: u64) -> PlayoutCounts {
        tussle_search::heavy_playouts(self.game(), &self.state, limits, seed).unwrap_or_default()
    }

    fn play_out(&mut self, rng: &mut Rng) {
        self.rules.game.playout(&mut self.state, rng, &mut Vec::new());
        self.past.clear();
        self.texts.clear();
    }

    fn board_key(&self) -> Option<u64> {
        let keys = self.rules.capabilities.keys.as_ref()?;
        Some((keys.board_key)(self.game(), &self.state))
    }

    fn table_key(&self, reach: u32) -> Option<u64> {
        let keys = self.rules.capabilities.keys.as_ref()?;
        Some((keys.table_key)(self.game(), &self.state, reach))
    }

    fn canonical(&self) -> Option<(u64, usize)> {
        match &self.rules.capabilities.symmetry {
            Some(symmetry) => Some((symmetry.canonical)(self.game(), &self.state)),
            None => self.board_key().map(|key| (key, 0)),
        }
    }

    fn reflect(&self, symmetry: usize) -> Box<dyn AnyPosition> {
        match &self.rules.capabilities.symmetry {
            Some(table) => {
                let state = (table.reflect)(self.game(), &self.state, symmetry);
                Box::new(Self::new(&self.rules, state))
            }
            None => self.without_history(),
        }
    }

    fn reflect_move(&self, text: &str, symmetry: usize) -> Result<String, Error> {
        let mv = self.rules.parse_move(&self.state, text)?;
        let Some(table) = &self.rules.capabilities.symmetry else {
            return Ok(self.rules.move_text(&self.state, mv));
        };
        let there = (table.reflect)(self.game(), &self.state, symmetry);
        let reflected = (table.reflect_move)(self.game(), mv, symmetry);
        Ok(self.rules.move_text(&there, reflected))
    }

    fn unreflect_move(&self, text: &str, symmetry: usize) -> Option<String> {
        let seen = |mv: &String| self.reflect_move(mv, symmetry).is_ok_and(|seen| seen == text);
        self.moves().into_iter().find(seen)
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
            earlier: self.earlier.clone(),
        })
    }

    fn without_history(&self) -> Box<dyn AnyPosition> {
        Box::new(self.fresh(self.state.clone(), None))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn game_spec(&self) -> &str {
        &self.rules.spec
    }

    fn catalog(&self) -> &Catalog {
        &self.rules.catalog
    }
}
