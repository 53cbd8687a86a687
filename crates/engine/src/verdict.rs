//! How a game was decided, and what shows it.

use std::fmt;
use std::str::FromStr;

/// How a game was decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verdict {
    /// By the rules of the game, or by giving it up.
    #[default]
    Normal,
    /// The player's time ran out; its answer came late.
    Time,
    /// The player's move is not legal.
    Illegal,
    /// The player's program ended or could not be started.
    Crash,
    /// The player's time ran out, and no answer came for a while after that either.
    Hang,
    /// The player's program took more memory than it may.
    Memory,
    /// The player's program said what its protocol does not allow, or far too much.
    Protocol,
    /// The player was late because it had to wait for a processor: the machine's fault. The game is played again, and is
    /// void if that happens every time.
    Host,
}

impl Verdict {
    /// All of them.
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

    /// Its name in results.
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

    /// Returns true if it counts as a strike: enough of them withdraw a program. A late answer does not.
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

/// Why a player cannot go on, with what shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What it is.
    pub verdict: Verdict,
    /// What happened, in one sentence without a full stop.
    pub what: String,
    /// The last lines the program wrote to standard error, or what it said that was wrong.
    pub evidence: Vec<String>,
}

impl Fault {
    /// A fault without evidence yet.
    pub fn new(verdict: Verdict, what: impl Into<String>) -> Self {
        Self { verdict, what: what.into(), evidence: Vec::new() }
    }
}

impl fmt::Display for Fault {
    /// Writes the verdict, what happened, and a line for each piece of evidence.
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
    fn names_are_read_as_they_are_written() {
        for verdict in Verdict::ALL {
            assert_eq!(verdict.as_str().parse(), Ok(verdict));
        }
        assert!("fine".parse::<Verdict>().is_err());
    }
}
