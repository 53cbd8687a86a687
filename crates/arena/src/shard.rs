//! Parts of a tournament, for several machines.

use std::fmt;
use std::num::NonZeroU64;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Error of a text that should name a shard.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ShardError {
    /// The text is not two numbers with a slash between them.
    #[error("`{0}` is no shard; write K/N, such as 1/4 for the first of four")]
    Form(String),
    /// The number of the shard is 0 or larger than the number of shards.
    #[error("there is no shard {part} of {of}; they are 1/{of} to {of}/{of}")]
    OutOfRange {
        /// Number of the shard as it was written.
        part: u64,
        /// Number of shards.
        of: NonZeroU64,
    },
}

/// One of several parts of a schedule: every n-th pair. Together they have every game once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Shard {
    /// Which, from 0.
    part: u64,
    of: NonZeroU64,
}

impl Shard {
    /// Whether a pair is in it.
    pub fn has(self, pair: u64) -> bool {
        pair % self.of == self.part
    }

    /// The first pair from this one on that is in it.
    pub fn after(self, pair: u64) -> u64 {
        let of = self.of.get();
        let at = pair % of;
        let ahead = if self.part >= at { self.part - at } else { of - (at - self.part) };
        pair.saturating_add(ahead)
    }

    /// How many of the first `pairs` are in it.
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
    fn every_pair_is_in_one_shard() {
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
    fn nonsense_is_refused() {
        for text in ["", "1", "0/3", "4/3", "1/0", "0/0", "a/b", "-1/2", "1/2/3"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
        assert_eq!("2/3".parse::<Shard>().expect("a shard").to_string(), "2/3");
    }
}
