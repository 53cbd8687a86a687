//! The table of games. A new game is one line here.

mod go;
mod keep_on_moving;
mod tree;
mod tree_file;

use std::sync::Arc;

use tussle_core::{Args, Described, Evaluation, Evaluations, Param, ParseError, Setting, ZeroSum};
use tussle_games::{Backgammon, Connect4, Gobblet, Pentago, PentagoTwist, TicTacToe};

use crate::erased::Rules;
use crate::params::{canonical, settle};
use crate::suggest::suggest;
use crate::{AnyGame, Error, Playable, Spec};

pub use go::go_options;
pub use tree_file::TreeFile;

/// Every game there is.
pub const GAMES: &[Entry] = &[
    Entry::duel::<TicTacToe>(),
    Entry::duel::<Connect4>(),
    Entry::duel::<Gobblet>(),
    go::GO,
    keep_on_moving::KEEP_ON_MOVING,
    Entry::duel::<PentagoTwist>(),
    Entry::duel::<Pentago>(),
    Entry::duel::<Backgammon>(),
    tree::TREE,
];

/// One game of the catalog.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Its name in spec strings.
    pub name: &'static str,
    /// One line on what game it is.
    pub summary: &'static str,
    /// The parameters of its rules.
    pub params: &'static [Param],
    /// Its heuristics, the default one first.
    pub evaluations: &'static [Evaluation],
    pub(crate) build: Build,
}

/// Makes a game from its canonical spec and its parameters.
pub(crate) type Build = fn(String, &Args) -> Result<Arc<dyn AnyGame>, ParseError>;

impl Entry {
    /// The entry of a game for two players with opposite interests.
    pub const fn duel<G: Playable + ZeroSum + Described>() -> Self {
        let build: Build =
            |spec, args| Ok(Rules::duel(spec, G::from_args(args)?).agents(G::AGENTS).erase());
        Self { build, ..Self::many::<G>() }
    }

    /// The entry of any other game.
    pub const fn many<G: Playable + Described>() -> Self {
        Self {
            name: G::NAME,
            summary: G::SUMMARY,
            params: G::PARAMS,
            evaluations: <G as Evaluations>::EVALUATIONS,
            build: |spec, args| {
                Ok(Rules::many(spec, G::from_args(args)?).agents(G::AGENTS).erase())
            },
        }
    }
}

/// The game a spec string asks for.
///
/// # Errors
/// If no game has this name, or its parameters are wrong; the message names the valid ones.
pub fn game(spec: &str) -> Result<Arc<dyn AnyGame>, Error> {
    game_from(GAMES, spec)
}

/// The same from another table: a program that adds games of its own has one.
///
/// # Errors
/// As [`game`].
pub fn game_from(games: &[Entry], spec: &str) -> Result<Arc<dyn AnyGame>, Error> {
    let spec = Spec::parse(spec)?;
    let entry = find(games, &spec.name)?;
    let args = settle(&spec, entry.params, &[])?;
    (entry.build)(canonical(&spec, entry.params), &args)
        .map_err(|reason| Error::Rules { spec: spec.name, reason })
}

/// A game whose file is at hand as text: `key` is the parameter that names a file.
///
/// # Errors
/// As [`game`]; also if the game has no such parameter.
pub fn game_from_text(name: &str, key: &str, text: &str) -> Result<Arc<dyn AnyGame>, Error> {
    let entry = find(GAMES, name)?;
    let settings = settle(&Spec { name: name.to_owned(), pairs: Vec::new() }, entry.params, &[])?;
    let file = Setting::File { path: "text".to_owned(), text: text.to_owned() };
    let args = settings.with(key, file).ok_or_else(|| {
        Error::Spec(format!("{name}: {}", suggest(key, "keys", entry.params.iter().map(|p| p.key))))
    })?;
    (entry.build)(format!("{name}:{key}=text"), &args)
        .map_err(|reason| Error::Rules { spec: name.to_owned(), reason })
}

/// The entry of the game with this name.
///
/// # Errors
/// If no game has this name; the message names the valid ones.
pub fn entry(name: &str) -> Result<&'static Entry, Error> {
    find(GAMES, name)
}

fn find<'a>(games: &'a [Entry], name: &str) -> Result<&'a Entry, Error> {
    games.iter().find(|entry| entry.name == name).ok_or_else(|| {
        let help = suggest(name, "games", games.iter().map(|entry| entry.name));
        Error::Spec(format!("unknown game `{name}`; {help}"))
    })
}
