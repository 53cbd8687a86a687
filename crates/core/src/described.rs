//! Names, parameters and defaults: what spec strings are read against.

use crate::{Game, ParseError};

/// What values a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A whole number in this range, ends included.
    Int(i64, i64),
    /// A whole number in this range, ends included, or this word.
    IntOr(i64, i64, &'static str),
    /// A number in this range, ends included.
    Float(f64, f64),
    /// A number in this range, ends included, or this word.
    FloatOr(f64, f64, &'static str),
    /// An amount of memory: `500MB`, `2GB`, `64KB`.
    Bytes,
    /// `on` or `off`.
    Switch,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// Several words, with commas, spaces or `|` between them.
    Words,
    /// The path of a text file.
    File,
    /// One of these words, or the path of a text file.
    ChoiceOrFile(&'static [&'static str]),
    /// The name of one of the game's [`Evaluations`](crate::Evaluations); unset means the first.
    /// Its own parameters stand beside it in the spec.
    Evaluation,
}

/// One parameter of a game, an agent or an evaluation.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// The key in the spec string.
    pub key: &'static str,
    /// The values it takes.
    pub kind: Kind,
    /// The value it has when the spec does not name it, as it would be written; empty means
    /// unset.
    pub default: &'static str,
    /// One line of help.
    pub help: &'static str,
}

/// A parameter's value, checked against its [`Kind`].
#[derive(Clone, Debug, PartialEq)]
pub enum Setting {
    /// The parameter has no default and was not given.
    Unset,
    /// Of [`Kind::Int`], of [`Kind::Bytes`], or of [`Kind::IntOr`] if it is a number.
    Int(i64),
    /// Of [`Kind::Float`], or of [`Kind::FloatOr`] if it is a number.
    Float(f64),
    /// Of [`Kind::Switch`].
    Switch(bool),
    /// Of [`Kind::Choice`], or of a kind that takes a word in place of something else.
    Choice(&'static str),
    /// Of [`Kind::Words`].
    Words(Vec<String>),
    /// Of [`Kind::File`]: the path as it was given, and what the file holds.
    File {
        /// The path as it was given.
        path: String,
        /// The file's text.
        text: String,
    },
    /// Of [`Kind::Evaluation`]: the place in the game's list, and its parameters.
    Evaluation(usize, Args),
}

/// Every parameter of a table with its value, given or default.
///
/// The getters are for the code that declared the table.
///
/// # Panics
/// Each getter panics if the table has no such key of that kind, or it is unset: that is a
/// mistake in the program, not in its input.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Args(Vec<(&'static str, Setting)>);

#[allow(clippy::missing_panics_doc)] // said once, above, for all of them
impl Args {
    /// Values that were already checked, one for each parameter.
    pub fn new(settings: Vec<(&'static str, Setting)>) -> Self {
        Self(settings)
    }

    /// Returns true if no parameter is declared.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The same values with another one for `key`; `None` if there is no such key.
    pub fn with(mut self, key: &str, setting: Setting) -> Option<Self> {
        self.0.iter_mut().find(|(k, _)| *k == key)?.1 = setting;
        Some(self)
    }

    /// Returns the value of `key`, if the table has it.
    pub fn get(&self, key: &str) -> Option<&Setting> {
        self.0.iter().find(|(k, _)| *k == key).map(|(_, setting)| setting)
    }

    /// The value of `key`.
    pub fn setting(&self, key: &str) -> &Setting {
        match self.0.iter().find(|(k, _)| *k == key) {
            Some((_, setting)) => setting,
            None => panic!("no parameter `{key}` is declared"),
        }
    }

    /// Whether `key` has a value.
    pub fn is_set(&self, key: &str) -> bool {
        *self.setting(key) != Setting::Unset
    }

    /// A whole number.
    pub fn int(&self, key: &str) -> i64 {
        match self.setting(key) {
            Setting::Int(n) => *n,
            other => panic!("`{key}` is {other:?}, not a whole number"),
        }
    }

    /// A whole number; `None` if the word stands in its place.
    pub fn int_or(&self, key: &str) -> Option<i64> {
        match self.setting(key) {
            Setting::Int(n) => Some(*n),
            Setting::Choice(_) => None,
            other => panic!("`{key}` is {other:?}, neither a whole number nor a word"),
        }
    }

    /// A number.
    pub fn float(&self, key: &str) -> f64 {
        match self.setting(key) {
            Setting::Float(x) => *x,
            other => panic!("`{key}` is {other:?}, not a number"),
        }
    }

    /// An amount of memory.
    pub fn bytes(&self, key: &str) -> usize {
        usize::try_from(self.int(key)).unwrap_or(usize::MAX)
    }

    /// A number; `None` if the word stands in its place.
    pub fn float_or(&self, key: &str) -> Option<f64> {
        match self.setting(key) {
            Setting::Float(x) => Some(*x),
            Setting::Choice(_) => None,
            other => panic!("`{key}` is {other:?}, neither a number nor a word"),
        }
    }

    /// Whether a switch is on.
    pub fn switch(&self, key: &str) -> bool {
        match self.setting(key) {
            Setting::Switch(on) => *on,
            other => panic!("`{key}` is {other:?}, not a switch"),
        }
    }

    /// The chosen word.
    pub fn choice(&self, key: &str) -> &'static str {
        match self.setting(key) {
            Setting::Choice(word) => word,
            other => panic!("`{key}` is {other:?}, not a choice"),
        }
    }

    /// The words of a list.
    pub fn words(&self, key: &str) -> &[String] {
        match self.setting(key) {
            Setting::Words(words) => words,
            other => panic!("`{key}` is {other:?}, not a list of words"),
        }
    }

    /// The place of the chosen evaluation in the game's list, and its parameters.
    pub fn evaluation(&self, key: &str) -> (usize, &Args) {
        match self.setting(key) {
            Setting::Evaluation(index, args) => (*index, args),
            other => panic!("`{key}` is {other:?}, not an evaluation"),
        }
    }

    /// The path and the text of a file.
    pub fn file(&self, key: &str) -> (&str, &str) {
        match self.setting(key) {
            Setting::File { path, text } => (path, text),
            other => panic!("`{key}` is {other:?}, not a file"),
        }
    }
}

/// A game that can be asked for by name.
///
/// With this, one line in the catalog puts a game on the command line.
pub trait Described: Game + Sized {
    /// The name in spec strings.
    const NAME: &'static str;
    /// One line on what game this is.
    const SUMMARY: &'static str;
    /// The parameters of its rules.
    const PARAMS: &'static [Param];
    /// Agents that have other defaults in this game, as spec strings: `greedy:ties=random`.
    const AGENTS: &'static [&'static str] = &[];

    /// The rules with these parameters, one [`Setting`] for each of [`PARAMS`](Self::PARAMS).
    ///
    /// # Errors
    /// If the values, each in its range, do not go together.
    fn from_args(args: &Args) -> Result<Self, ParseError>;
}
