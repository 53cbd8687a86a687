//! Shards: parts of a tournament that several machines play.

use std::fmt;
use std::num::NonZeroU64;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Error of a text that does not name a shard.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ShardError {
    /// The text is not two numbers with a slash between them.
    #[error("shard `{0}`: expected K/N, such as 1/4 for the first of four")]
    Form(String),
    /// The number of the shard is 0 or larger than the number of shards.
    #[error("shard {part}/{of}: expected a shard from 1/{of} to {of}/{of}")]
    OutOfRange {
        /// Number of the shard as it was written.
        part: u64,
        /// Number of shards.
        of: NonZeroU64,
    },
}

/// One of several parts of a schedule: every n-th pair. Each game belongs to exactly one shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Shard {
    /// Number of this shard, from 0.
    part: u64,
    /// Number of shards.
    of: NonZeroU64,
}

impl Shard {
    /// Returns true if this shard has the pair.
    pub fn has(self, pair: u64) -> bool {
        pair % self.of == self.part
    }

    /// Returns the first pair of this shard that is not before `pair`.
    pub fn after(self, pair: u64) -> u64 {
        let of = self.of.get();
        let at = pair % of;
        let ahead = if self.part >= at { self.part - at } else { of - (at - self.part) };
        pair.saturating_add(ahead)
    }

    /// Returns how many of the first `pairs` pairs this shard has.
    pub fn count(self, pairs: u64) -> u64 {
        pairs / self.of + u64::from(pairs % self.of > self.part)
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let wrong = || ShardError::Form(text.to_owned());
        let (part, of) = text.split_once('/').ok_or_else(wrong)?;
        let number = |text: &str| text.trim().parse::<u64>().map_err(|_| wrong());
        let (part, of) = (number(part)?, number(of)?);
        let of = NonZeroU64::new(of).ok_or_else(wrong)?;
        if (1..=of.get()).contains(&part) {
            return Ok(Self { part: part - 1, of });
        }
        Err(ShardError::OutOfRange { part, of })
    }
}

impl TryFrom<String> for Shard {
    type Error = ShardError;

    fn try_from(text: String) -> Result<Self, ShardError> {
        text.parse()
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> Self {
        shard.to_string()
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.part + 1, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_is_in_exactly_one_shard() {
        for of in 1..6 {
            let shards: Vec<Shard> =
                (1..=of).map(|k| format!("{k}/{of}").parse().expect("a shard")).collect();
            for pair in 0..40 {
                assert_eq!(shards.iter().filter(|shard| shard.has(pair)).count(), 1);
            }
            for pairs in 0..40 {
                for shard in &shards {
                    let next = (pairs..50).find(|&pair| shard.has(pair));
                    assert_eq!(Some(shard.after(pairs)), next);
                    let counted = (0..pairs).filter(|&pair| shard.has(pair)).count() as u64;
                    assert_eq!(shard.count(pairs), counted, "{shard}, {pairs} pairs");
                }
            }
        }
    }

    #[test]
    fn an_invalid_shard_is_rejected() {
        for text in ["", "1", "0/3", "4/3", "1/0", "0/0", "a/b", "-1/2", "1/2/3"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
        assert_eq!("2/3".parse::<Shard>().expect("a shard").to_string(), "2/3");
    }
}
