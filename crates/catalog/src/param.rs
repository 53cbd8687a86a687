//! Parameters of games, agents and evaluations, and their checked values.

/// Kind of values that a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ParamKind {
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
    /// The name of one of the game's [evaluations](crate::Evaluation) [default: the first]. The spec also has the
    /// parameters of the evaluation.
    Evaluation,
}

/// One parameter of a game, an agent or an evaluation.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// The key in the spec string.
    pub key: &'static str,
    /// The values it takes.
    pub kind: ParamKind,
    /// Default value, as a spec would write it; empty means unset.
    pub default: &'static str,
    /// One line of help.
    pub help: &'static str,
}

/// A parameter's value, checked against its [`ParamKind`].
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Setting {
    /// The parameter has no default and was not given.
    Unset,
    /// Value of [`ParamKind::Int`] or [`ParamKind::Bytes`], or a number of [`ParamKind::IntOr`].
    Int(i64),
    /// Value of [`ParamKind::Float`], or a number of [`ParamKind::FloatOr`].
    Float(f64),
    /// Value of [`ParamKind::Switch`].
    Switch(bool),
    /// Value of [`ParamKind::Choice`], or the word that another kind accepts instead of a number or a file.
    Choice(&'static str),
    /// Value of [`ParamKind::Words`].
    Words(Vec<String>),
    /// Value of [`ParamKind::File`]: the path as it was given, and the text of the file.
    File {
        /// The path as it was given.
        path: String,
        /// The file's text.
        text: String,
    },
    /// Value of [`ParamKind::Evaluation`]: the index in the game's list, and its parameters.
    Evaluation(usize, Args),
}

/// The values of all parameters of a table, given or default.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Args(Vec<(&'static str, Setting)>);

impl Args {
    /// Creates the table from checked values, one for each parameter.
    pub(crate) fn new(settings: Vec<(&'static str, Setting)>) -> Self {
        Self(settings)
    }

    /// Replaces the value of `key`; returns `None` if the table has no such key.
    pub(crate) fn with(mut self, key: &str, setting: Setting) -> Option<Self> {
        self.0.iter_mut().find(|(k, _)| *k == key)?.1 = setting;
        Some(self)
    }

    /// Returns the value of `key`, if the table has it.
    pub(crate) fn get(&self, key: &str) -> Option<&Setting> {
        self.0.iter().find(|(k, _)| *k == key).map(|(_, setting)| setting)
    }

    /// Returns the index of the chosen evaluation in the game's list, and its parameters. If none is chosen, returns
    /// the first one with its defaults.
    pub(crate) fn evaluation(&self, key: &str) -> (usize, Self) {
        match self.get(key) {
            Some(Setting::Evaluation(index, args)) => (*index, args.clone()),
            _ => (0, Self::default()),
        }
    }
}
