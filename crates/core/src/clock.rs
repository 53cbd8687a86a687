//! How much time a player has.

mod player;

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

pub use player::PlayerClock;

use crate::duration::{duration_text, parse_any_duration, parse_duration};
use crate::notation::ParseError;

/// How much time a player has: the terms of a game.
///
/// A text form goes with each: `2s` is the time for every move, `15s+1s` a bank and what every
/// move puts into it, `30s/2s` the time for the first move and for every later one.
///
/// ```
/// use std::time::Duration;
/// use tussle_core::Clock;
///
/// let clock: Clock = "15s+1s".parse()?;
/// let (bank, increment) = (Duration::from_secs(15), Duration::from_secs(1));
/// assert_eq!(clock, Clock::Bank { bank, increment });
/// assert_eq!(clock.to_string(), "15s+1s");
/// # Ok::<(), tussle_core::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(into = "String", try_from = "String"))]
pub enum Clock {
    /// The same time for every move; what a move does not need is lost.
    Move(Duration),
    /// A store of time for the whole game.
    Bank {
        /// What is there at the start.
        bank: Duration,
        /// What each of the player's moves adds when it has been made.
        increment: Duration,
    },
    /// One time for the player's first move and another for each later one.
    First {
        /// For the first move.
        first: Duration,
        /// For every other one.
        later: Duration,
    },
}

impl Clock {
    /// The clock of a player who has not moved yet.
    pub fn start(self) -> PlayerClock {
        PlayerClock::new(self)
    }
}

impl FromStr for Clock {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let why = |error: ParseError| {
            ParseError::new(format!(
                "{error}; a clock is 2s (a move), 15s+1s (a bank and an increment) or 30s/2s (the \
                 first move and later ones)"
            ))
        };
        if let Some((bank, increment)) = text.split_once('+') {
            let bank = parse_duration(bank).map_err(why)?;
            return Ok(Self::Bank { bank, increment: parse_any_duration(increment).map_err(why)? });
        }
        if let Some((first, later)) = text.split_once('/') {
            let first = parse_duration(first).map_err(why)?;
            return Ok(Self::First { first, later: parse_duration(later).map_err(why)? });
        }
        Ok(Self::Move(parse_duration(text).map_err(why)?))
    }
}

#[cfg(feature = "serde")]
impl From<Clock> for String {
    fn from(clock: Clock) -> Self {
        clock.to_string()
    }
}

#[cfg(feature = "serde")]
impl TryFrom<String> for Clock {
    type Error = ParseError;

    fn try_from(text: String) -> Result<Self, ParseError> {
        text.parse()
    }
}

impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = duration_text;
        match *self {
            Self::Move(limit) => f.write_str(&text(limit)),
            Self::Bank { bank, increment } => write!(f, "{}+{}", text(bank), text(increment)),
            Self::First { first, later } => write!(f, "{}/{}", text(first), text(later)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_form_is_read_and_written() {
        let s = Duration::from_secs;
        for (text, clock) in [
            ("2s", Clock::Move(s(2))),
            ("15s+1s", Clock::Bank { bank: s(15), increment: s(1) }),
            ("300s+0s", Clock::Bank { bank: s(300), increment: s(0) }),
            ("30s/2s", Clock::First { first: s(30), later: s(2) }),
            ("1.5s/50ms", { Clock::First { first: s(3) / 2, later: Duration::from_millis(50) } }),
        ] {
            assert_eq!(text.parse(), Ok(clock), "{text}");
            assert_eq!(clock.to_string(), text);
        }
        assert_eq!("1m+500ms".parse::<Clock>().map(|c| c.to_string()).as_deref(), Ok("60s+500ms"));
    }

    #[test]
    fn anything_else_is_refused_with_the_three_forms() {
        for bad in [
            "",
            "soon",
            "2",
            "0s",
            "0s+1s",
            "15s+",
            "+1s",
            "15s+1",
            "1s+1s+1s",
            "30s/0s",
            "30s/",
            "/2s",
            "1s/2s/3s",
            "15s+1s/2s",
            "15 s+1 s",
            "15s-1s",
        ] {
            let message = bad.parse::<Clock>().expect_err(bad).to_string();
            assert!(message.contains("15s+1s (a bank"), "{bad}: {message}");
        }
    }
}
