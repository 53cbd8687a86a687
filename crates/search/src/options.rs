//! Options that several searches share.

/// Maximum number of threads of a search; larger numbers are reduced to it.
pub const MAX_THREADS: usize = 256;

/// Iterative deepening of a search by depth.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct Deepening {
    /// True to search 1, 2, 3 … plies deep, one after another [default: `None`, which means true if
    /// time or nodes are limited].
    pub iterative: Option<bool>,
    /// Starts another depth only if this many times the time of the last one is left [default: `None`].
    pub contract: Option<f64>,
    /// True to use the finished root moves of a depth that was cut short [default: true].
    pub partial: bool,
}

impl Default for Deepening {
    fn default() -> Self {
        Self { iterative: None, contract: None, partial: true }
    }
}

/// Value of a finished game in a search by depth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum TerminalValue {
    /// Its result: a win outranks every evaluation.
    #[default]
    Result,
    /// The value of the evaluator.
    Evaluation,
}
