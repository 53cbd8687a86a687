//! Serialisation of values that are text in JSON and TOML.

use std::fmt::Display;

use serde::de::Error as _;
use serde::{Deserialize as _, Deserializer};

/// Parses an optional text. An error message begins with the key.
pub(crate) fn parsed<'de, D: Deserializer<'de>, T, E: Display>(
    key: &str,
    from: D,
    parse: impl FnOnce(&str) -> Result<T, E>,
) -> Result<Option<T>, D::Error> {
    let text = Option::<String>::deserialize(from)?;
    let parsed = text.map(|text| parse(&text));
    parsed.transpose().map_err(|error| D::Error::custom(format_args!("{key}: {error}")))
}

/// Durations as text.
pub(crate) mod duration {
    use std::time::Duration;

    use serde::de::Error as _;
    use serde::{Deserialize as _, Deserializer, Serializer};
    use tussle_core::{duration_text, parse_any_duration};

    pub(crate) fn serialize<S: Serializer>(duration: &Duration, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&duration_text(*duration))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
        let text = String::deserialize(from)?;
        parse_any_duration(&text).map_err(D::Error::custom)
    }
}

/// Optional values that are written by `Display` and read by `FromStr`.
pub(crate) mod optional {
    use std::fmt::Display;
    use std::str::FromStr;

    use serde::de::Error as _;
    use serde::{Deserialize as _, Deserializer, Serializer};

    #[expect(clippy::ref_option, reason = "serde calls it so")]
    pub(crate) fn serialize<T: Display, S: Serializer>(
        value: &Option<T>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        match value {
            Some(value) => to.collect_str(value),
            None => to.serialize_none(),
        }
    }

    pub(crate) fn deserialize<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<T>, D::Error> {
        let text = Option::<String>::deserialize(from)?;
        text.map(|text| text.parse().map_err(D::Error::custom)).transpose()
    }
}
