//! Fields of a patch that files and pages may write in more than one form.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::{Anchor, Contestant};

/// Reads one spec or a list of specs.
pub(super) fn games<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Vec<String>>, D::Error> {
    struct Games;

    impl<'de> Visitor<'de> for Games {
        type Value = Option<Vec<String>>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("one spec or a list of specs")
        }

        fn visit_str<E: Error>(self, spec: &str) -> Result<Self::Value, E> {
            Ok(Some(vec![spec.to_owned()]))
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut specs: A) -> Result<Self::Value, A::Error> {
            let mut games = Vec::new();
            while let Some(spec) = specs.next_element()? {
                games.push(spec);
            }
            Ok(Some(games))
        }

        fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
            Ok(None)
        }
    }

    from.deserialize_any(Games)
}

/// One spec, or several that are played in turn.
#[cfg(feature = "openapi")]
#[derive(serde::Serialize, utoipa::ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only the schema is used")]
pub(super) enum OneOrSeveral {
    One(String),
    Several(Vec<String>),
}

/// An agent of a tournament.
#[cfg(feature = "openapi")]
#[derive(serde::Serialize, utoipa::ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only the schema is used")]
pub(super) enum AgentEntry {
    Spec(String),
    Named { name: Option<String>, agent: String },
}

/// Agent of a tournament file: a spec or a table.
struct Entry(Contestant);

/// Table that describes an agent.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    name: Option<String>,
    agent: String,
    folder: Option<PathBuf>,
}

impl<'de> Deserialize<'de> for Entry {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Agent;

        impl<'de> Visitor<'de> for Agent {
            type Value = Entry;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a spec or a table with `agent`")
            }

            fn visit_str<E: Error>(self, spec: &str) -> Result<Entry, E> {
                Ok(Entry(Contestant::new(spec, spec)))
            }

            fn visit_map<A: MapAccess<'de>>(self, table: A) -> Result<Entry, A::Error> {
                let Table { name, agent, folder } =
                    Table::deserialize(MapAccessDeserializer::new(table))?;
                let name = name.unwrap_or_else(|| agent.clone());
                Ok(Entry(Contestant { folder, ..Contestant::new(name, agent) }))
            }
        }

        from.deserialize_any(Agent)
    }
}

/// Reads a list of agents; an error begins with the number of the agent.
pub(super) fn agents<'de, D: Deserializer<'de>>(
    from: D,
) -> Result<Option<Vec<Contestant>>, D::Error> {
    struct Agents;

    impl<'de> Visitor<'de> for Agents {
        type Value = Option<Vec<Contestant>>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list of agents")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
            let mut agents = Vec::new();
            loop {
                let number = agents.len() + 1;
                let wrong = |e: A::Error| A::Error::custom(format_args!("agent {number}: {e}"));
                match entries.next_element().map_err(wrong)? {
                    Some(Entry(agent)) => agents.push(agent),
                    None => return Ok(Some(agents)),
                }
            }
        }
    }

    from.deserialize_any(Agents)
}

/// Reads a table of ratings by names.
pub(super) fn anchors<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Vec<Anchor>>, D::Error> {
    let anchors = Option::<BTreeMap<String, f64>>::deserialize(from)?;
    let anchor = |(agent, elo)| Anchor { agent, elo };
    Ok(anchors.map(|anchors| anchors.into_iter().map(anchor).collect()))
}
