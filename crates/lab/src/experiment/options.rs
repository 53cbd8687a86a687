//! Changes to an experiment: the user's game, agents, values, positions and repeats.

use std::str::FromStr;

use tussle_catalog::{AnyPosition, parse_number};
use tussle_core::ParseError;

use super::error::expected;

/// Changes to an experiment of the list. Fields that are `None` or empty change nothing.
#[derive(Default)]
pub struct ExperimentOptions {
    /// Spec of the game.
    pub game: Option<String>,
    /// Agents, instead of all agents of the list.
    pub agents: Vec<AgentOption>,
    /// Values of the swept parameter.
    pub range: Option<SweepRange>,
    /// Positions in which searches begin.
    pub start: StartOption,
    /// Number of runs, games or positions per value.
    pub repeats: Option<u32>,
}

/// Agent of an experiment: the spec of an agent or a program, and its name in the figure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentOption {
    /// Name in the legend [default: the spec, shortened].
    pub name: Option<String>,
    /// Spec, in which `{x}` is the swept parameter.
    pub spec: String,
}

/// Values of the swept parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum SweepRange {
    /// These values.
    Values(Vec<f64>),
    /// Values from the first to the second; the experiment chooses the steps.
    Between(f64, f64),
}

/// Positions in which searches begin.
#[derive(Default)]
pub enum StartOption {
    /// Those of the list.
    #[default]
    Usual,
    /// This number of random positions.
    Random(u32),
    /// This position.
    Given(Box<dyn AnyPosition>),
}

impl ExperimentOptions {
    /// Returns true if the experiment stays as the list has it.
    pub fn is_empty(&self) -> bool {
        let Self { game, agents, range, start, repeats } = self;
        let is_usual = matches!(start, StartOption::Usual);
        game.is_none() && agents.is_empty() && range.is_none() && is_usual && repeats.is_none()
    }
}

/// Parses `SPEC` or `NAME=SPEC`. A name has no colon, so that `mcts:c=1` is a spec.
impl FromStr for AgentOption {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let (name, spec) = match text.split_once('=') {
            Some((name, spec)) if !name.contains(':') => (Some(name.trim()), spec),
            _ => (None, text),
        };
        if spec.trim().is_empty() || name.is_some_and(str::is_empty) {
            return Err(expected("an agent, SPEC or NAME=SPEC", text));
        }
        Ok(Self { name: name.map(str::to_owned), spec: spec.trim().to_owned() })
    }
}

/// Parses `a,b,c` or `low..high`; numbers may be written as in specs.
impl FromStr for SweepRange {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let number = |part: &str| {
            parse_number(part.trim())
                .ok_or_else(|| expected("numbers a,b,c or a range low..high", text))
        };
        if let Some((low, high)) = text.split_once("..") {
            return Ok(Self::Between(number(low)?, number(high)?));
        }
        Ok(Self::Values(text.split(',').map(number).collect::<Result<_, _>>()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_precedes_the_spec_and_a_spec_keeps_its_keys() {
        let parsed = |text: &str| {
            let AgentOption { name, spec } = text.parse().unwrap();
            (name.unwrap_or_default(), spec)
        };
        let pair = |name: &str, spec: &str| (name.to_owned(), spec.to_owned());
        assert_eq!(parsed("mcts"), pair("", "mcts"));
        assert_eq!(parsed("mcts:c=1,nodes=5"), pair("", "mcts:c=1,nodes=5"));
        assert_eq!(parsed("wide=mcts:c=1"), pair("wide", "mcts:c=1"));
        assert_eq!(parsed("json:./a --c=1"), pair("", "json:./a --c=1"));
        assert_eq!(parsed("mine=json:./a --c=1"), pair("mine", "json:./a --c=1"));
        let why = "=mcts".parse::<AgentOption>().unwrap_err().to_string();
        assert_eq!(why, "expected an agent, SPEC or NAME=SPEC, found `=mcts`");
    }

    #[test]
    fn a_range_is_a_list_or_two_ends() {
        let parsed = |text: &str| text.parse::<SweepRange>();
        assert_eq!(parsed("0.1, sqrt(4)"), Ok(SweepRange::Values(vec![0.1, 2.0])));
        assert_eq!(parsed("0.2..2"), Ok(SweepRange::Between(0.2, 2.0)));
        let why = parsed("1,x").unwrap_err().to_string();
        assert_eq!(why, "expected numbers a,b,c or a range low..high, found `1,x`");
    }
}
