//! Table of the pairing formats. A new format is a file in this folder and a line in the table.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use tussle_catalog::text::joined;

use super::pairing::{Length, PairingFormat, Rounds};
use super::{adaptive, gauntlet, round_robin, swiss};
use crate::TournamentSpec;

macro_rules! formats {
    ($($(#[$doc:meta])* $format:ident: $pairing:path,)*) => {
        /// Pairing format: rule that decides which agents are paired.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(into = "String", try_from = "String")]
        pub enum Format {
            $($(#[$doc])* $format,)*
        }

        impl Format {
            /// All formats, the default one first.
            pub const ALL: &[Self] = &[$(Self::$format),*];

            fn pairing(self) -> &'static dyn PairingFormat {
                match self {
                    $(Self::$format => &$pairing,)*
                }
            }
        }
    };
}

formats! {
    /// Every agent meets every other agent.
    RoundRobin: round_robin::RoundRobin,
    /// The first agent meets each of the others.
    Gauntlet: gauntlet::Gauntlet,
    /// Each round pairs agents with similar points and avoids rematches.
    Swiss: swiss::SwissFormat,
    /// Games go to the pairings that tell most about the ranking.
    Adaptive: adaptive::AdaptiveFormat,
}

/// Error of a text that does not name a pairing format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown format `{name}`: expected {}", names())]
pub struct UnknownFormat {
    /// Name that was given.
    pub name: String,
}

/// Returns the names of the formats in a sentence.
fn names() -> String {
    let names: Vec<&str> = Format::ALL.iter().map(|format| format.name()).collect();
    joined(&names, "or")
}

impl Format {
    /// Returns the name in tournament files, on the command line and in stores.
    pub fn name(self) -> &'static str {
        self.pairing().name()
    }

    /// Returns a one-line description for help and forms.
    pub fn summary(self) -> &'static str {
        self.pairing().summary()
    }

    /// Returns the name with its article, for sentences.
    pub(crate) fn title(self) -> &'static str {
        self.pairing().title()
    }

    /// Returns the words that name the format when a tournament is announced; `None` for formats that need none.
    pub fn announcement(self, spec: &TournamentSpec) -> Option<String> {
        self.pairing().announcement(spec)
    }

    /// Returns true if each round is paired from the results of earlier rounds.
    pub fn is_paired_by_results(self) -> bool {
        matches!(self.rounds(), Rounds::ByResults(_))
    }

    /// Returns true if a tournament ends after a number of games, not after a number of rounds.
    pub fn is_endless(self) -> bool {
        matches!(self.default_length(0), Length::Games(_))
    }

    /// Returns the number of pairs in a round of a two-player game if no agent is withdrawn.
    pub fn pairs_per_round(self, agents: usize) -> usize {
        match self.rounds() {
            Rounds::Fixed(pairings) => pairings(agents, 2).len(),
            Rounds::ByResults(_) => self.pairs_of_round(agents, agents),
        }
    }

    /// Returns the default length of a tournament.
    pub(crate) fn default_length(self, agents: u64) -> Length {
        self.pairing().default_length(agents)
    }

    pub(super) fn rounds(self) -> Rounds {
        self.pairing().rounds()
    }

    /// Returns the number of pairs in a later round of a result-based format if `active` of the agents are not withdrawn.
    pub(crate) fn pairs_of_round(self, active: usize, agents: usize) -> usize {
        self.pairing().pairs_of_round(active, agents)
    }

    /// Returns true if agents with equally many games are ranked by points, not by ratings.
    pub(crate) fn ranks_by_points(self) -> bool {
        self.pairing().ranks_by_points()
    }

    /// Returns the agent whose rating is 0 if no anchor is given.
    pub(crate) fn reference_agent(self) -> Option<usize> {
        self.pairing().reference_agent()
    }
}

impl Default for Format {
    fn default() -> Self {
        Self::ALL[0]
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        let format = Self::ALL.iter().find(|format| format.name() == name);
        format.copied().ok_or_else(|| UnknownFormat { name: name.to_owned() })
    }
}

impl TryFrom<String> for Format {
    type Error = UnknownFormat;

    fn try_from(name: String) -> Result<Self, UnknownFormat> {
        name.parse()
    }
}

impl From<Format> for String {
    fn from(format: Format) -> Self {
        format.name().to_owned()
    }
}

#[cfg(feature = "openapi")]
impl utoipa::PartialSchema for Format {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        let names = Self::ALL.iter().map(|format| format.name());
        utoipa::openapi::ObjectBuilder::new()
            .schema_type(utoipa::openapi::schema::Type::String)
            .description(Some("Pairing format."))
            .enum_values(Some(names))
            .into()
    }
}

#[cfg(feature = "openapi")]
impl utoipa::ToSchema for Format {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_format_is_read_by_its_own_name() {
        for format in Format::ALL {
            assert_eq!(format.name().parse(), Ok(*format));
            let json = serde_json::to_string(format).expect("JSON");
            assert_eq!(json, format!("{:?}", format.name()));
        }
        let error = "knockout".parse::<Format>().expect_err("no such format").to_string();
        let start = "unknown format `knockout`: expected round-robin, gauntlet, swiss";
        let last = Format::ALL.last().map(|format| format!(" or {format}"));
        assert!(error.starts_with(start) && error.ends_with(&last.unwrap()), "{error}");
    }

    #[test]
    fn the_number_of_pairs_per_round_depends_on_the_format() {
        let pairs = |agents| Format::ALL.iter().map(move |format| format.pairs_per_round(agents));
        assert!(pairs(5).take(3).eq([10, 4, 2]));
        assert!(pairs(2).take(3).eq([1, 1, 1]));
    }
}
