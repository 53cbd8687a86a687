//! Verdicts of games, and faults with their evidence.

use std::fmt;
use std::str::FromStr;

/// Way in which a game was decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verdict {
    /// The rules of the game, or a resignation.
    #[default]
    Normal,
    /// The player's answer was late.
    Time,
    /// The player's move is illegal.
    Illegal,
    /// The player's program ended or could not be started.
    Crash,
    /// The player did not answer, not even during the grace period after its time.
    Hang,
    /// The player's program exceeded its memory limit.
    Memory,
    /// The player's program wrote a message that its protocol does not allow, or far too much output.
    Protocol,
    /// The player was late because this machine was too busy. The game is rerun, and is void if every attempt has this
    /// verdict.
    Host,
}

impl Verdict {
    /// All verdicts.
    pub const ALL: [Self; 8] = [
        Self::Normal,
        Self::Time,
        Self::Illegal,
        Self::Crash,
        Self::Hang,
        Self::Memory,
        Self::Protocol,
        Self::Host,
    ];

    /// Returns the name in results.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::Time => "time",
            Self::Illegal => "illegal",
            Self::Crash => "crash",
            Self::Hang => "hang",
            Self::Memory => "memory",
            Self::Protocol => "protocol",
            Self::Host => "host",
        }
    }

    /// Returns true if the verdict counts as a strike; enough strikes withdraw an agent. A late answer does not count.
    pub fn is_strike(self) -> bool {
        matches!(self, Self::Illegal | Self::Crash | Self::Hang | Self::Memory | Self::Protocol)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Error of a text that does not name a verdict.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown verdict `{0}`")]
pub struct UnknownVerdict(pub String);

impl FromStr for Verdict {
    type Err = UnknownVerdict;

    fn from_str(text: &str) -> Result<Self, UnknownVerdict> {
        let known = Self::ALL.into_iter().find(|verdict| verdict.as_str() == text);
        known.ok_or_else(|| UnknownVerdict(text.to_owned()))
    }
}

/// Fault of a player that ends its game, with evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Verdict of the game.
    pub verdict: Verdict,
    /// Description of the fault, in one sentence without a full stop.
    pub what: String,
    /// Last lines that the program wrote to standard error, or the message that its protocol does not allow.
    pub evidence: Vec<String>,
}

impl Fault {
    /// Creates a fault without evidence.
    pub fn new(verdict: Verdict, what: impl Into<String>) -> Self {
        Self { verdict, what: what.into(), evidence: Vec::new() }
    }
}

impl fmt::Display for Fault {
    /// Writes the verdict, the description, and one line per piece of evidence.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.verdict != Verdict::Normal {
            write!(f, "{}: ", self.verdict)?;
        }
        f.write_str(&self.what)?;
        self.evidence.iter().try_for_each(|line| write!(f, "\n  {line}"))
    }
}

#[cfg(test)]
mod tests {
    use super::Verdict;

    #[test]
    fn parsing_the_name_of_a_verdict_gives_the_verdict() {
        for verdict in Verdict::ALL {
            assert_eq!(verdict.as_str().parse(), Ok(verdict));
        }
        assert!("fine".parse::<Verdict>().is_err());
    }
}
