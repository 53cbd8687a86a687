//! Options that several searches share.

/// Maximum number of threads of a search; larger numbers are reduced to it.
pub const MAX_THREADS: usize = 256;

/// Iterative deepening of a classical search.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct Deepening {
    /// True to search to depth 1, 2, 3 and so on [default: `None`, which means true if time or
    /// nodes are limited].
    pub iterative: Option<bool>,
    /// Starts the next depth only if at least this many times the duration of the last depth is left
    /// [default: `None`, which means that any time is enough].
    pub contract: Option<f64>,
    /// True to use the finished root moves of an interrupted depth [default: true].
    pub partial: bool,
    /// Number of plies from one depth to the next; 0 counts as 1 [default: 1]. With a depth limit, the first
    /// depth is chosen such that the last step is whole.
    pub step: u32,
}

impl Default for Deepening {
    fn default() -> Self {
        Self { iterative: None, contract: None, partial: true, step: 1 }
    }
}

/// Value of a finished game in a classical search.
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
