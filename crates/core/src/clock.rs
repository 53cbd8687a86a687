//! Time controls of players.

mod player;

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

pub use player::PlayerClock;

use crate::duration::{duration_text, parse_any_duration, parse_duration};
use crate::notation::ParseError;

/// Time control: the rule that gives each player its time.
///
/// Its text is `2s` for the time per move, `15s+1s` for a base time and an increment per move, or
/// `30s/2s` for the time of the first move and of each later one.
///
/// ```
/// use std::time::Duration;
/// use tussle_core::TimeControl;
///
/// let clock: TimeControl = "15s+1s".parse()?;
/// let (base, increment) = (Duration::from_secs(15), Duration::from_secs(1));
/// assert_eq!(clock, TimeControl::Increment { base, increment });
/// assert_eq!(clock.to_string(), "15s+1s");
/// # Ok::<(), tussle_core::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(into = "String", try_from = "String"))]
pub enum TimeControl {
    /// Time per move; unused time is lost.
    PerMove(Duration),
    /// Base time for the whole game, to which every move adds an increment (Fischer).
    Increment {
        /// Base time at the start of the game.
        base: Duration,
        /// Time added after each move.
        increment: Duration,
    },
    /// One time for the player's first move and another for each later one.
    FirstMove {
        /// Time for the first move.
        first: Duration,
        /// Time for each later move.
        later: Duration,
    },
}

impl TimeControl {
    /// Returns the clock of a player who has not moved yet.
    #[must_use]
    pub fn player_clock(self) -> PlayerClock {
        PlayerClock::new(self)
    }
}

impl FromStr for TimeControl {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let why = |error: ParseError| {
            ParseError::new(format!(
                "{error}; a clock is 2s (per move), 15s+1s (base time and increment) or 30s/2s (first \
                 move and each later move)"
            ))
        };
        if let Some((base, increment)) = text.split_once('+') {
            let base = parse_duration(base).map_err(why)?;
            return Ok(Self::Increment {
                base,
                increment: parse_any_duration(increment).map_err(why)?,
            });
        }
        if let Some((first, later)) = text.split_once('/') {
            let first = parse_duration(first).map_err(why)?;
            return Ok(Self::FirstMove { first, later: parse_duration(later).map_err(why)? });
        }
        Ok(Self::PerMove(parse_duration(text).map_err(why)?))
    }
}

#[cfg(feature = "serde")]
impl From<TimeControl> for String {
    fn from(clock: TimeControl) -> Self {
        clock.to_string()
    }
}

#[cfg(feature = "serde")]
impl TryFrom<String> for TimeControl {
    type Error = ParseError;

    fn try_from(text: String) -> Result<Self, ParseError> {
        text.parse()
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = duration_text;
        match *self {
            Self::PerMove(limit) => f.write_str(&text(limit)),
            Self::Increment { base, increment } => write!(f, "{}+{}", text(base), text(increment)),
            Self::FirstMove { first, later } => write!(f, "{}/{}", text(first), text(later)),
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
            ("2s", TimeControl::PerMove(s(2))),
            ("15s+1s", TimeControl::Increment { base: s(15), increment: s(1) }),
            ("300s+0s", TimeControl::Increment { base: s(300), increment: s(0) }),
            ("30s/2s", TimeControl::FirstMove { first: s(30), later: s(2) }),
            ("1.5s/50ms", {
                TimeControl::FirstMove { first: s(3) / 2, later: Duration::from_millis(50) }
            }),
        ] {
            assert_eq!(text.parse(), Ok(clock), "{text}");
            assert_eq!(clock.to_string(), text);
        }
        assert_eq!(
            "1m+500ms".parse::<TimeControl>().map(|c| c.to_string()).as_deref(),
            Ok("60s+500ms")
        );
    }

    #[test]
    fn other_texts_are_rejected_with_a_message_that_names_the_three_forms() {
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
            let message = bad.parse::<TimeControl>().expect_err(bad).to_string();
            assert!(message.contains("15s+1s (base time"), "{bad}: {message}");
        }
    }
}
