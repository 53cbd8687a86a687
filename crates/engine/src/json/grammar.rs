//! The grammar of JSON requests and replies.

use serde::Serialize;
use serde_json::Value;
use tussle_core::Line;

use crate::program::harmless;

/// Request for a move.
#[derive(Serialize)]
pub(super) struct Request<'a> {
    pub(super) id: u64,
    pub(super) op: &'static str,
    pub(super) game: &'a str,
    pub(super) game_id: u64,
    pub(super) player: usize,
    pub(super) players: usize,
    pub(super) position: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) start: Option<&'a str>,
    pub(super) history: &'a [String],
    pub(super) moves: Vec<String>,
    pub(super) seed: u64,
    pub(super) clock: Times,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) nodes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) depth: Option<u32>,
}

/// Time of a player in a request. The names are those of the protocol.
#[derive(Serialize)]
#[allow(clippy::struct_field_names)]
pub(super) struct Times {
    pub(super) move_ms: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) left_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) increment_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rival_left_ms: Option<Vec<u64>>,
}

/// Names the number that makes a reply invalid JSON: NaN and infinity, which Python writes, and numbers
/// beyond the range of 64 bits.
pub(super) fn wrong_number(line: &str, error: &serde_json::Error) -> Option<String> {
    let before = line.get(..error.column())?;
    let (keys, _) = before.rsplit_once(':')?;
    let rest = &line[keys.len() + 1..];
    let value = rest[..rest.find([',', '}', ']']).unwrap_or(rest.len())].trim();
    let key = keys.trim_end().strip_suffix('"')?.rsplit('"').next()?;
    let number = value.parse::<f64>().ok()?; // also reads NaN and Infinity
    (!number.is_finite()).then(|| format!(": `{key}` is {value}, expected a finite number or null"))
}

/// Reads a list of texts.
pub(super) fn words(list: &Value) -> Option<Vec<String>> {
    list.as_array()?.iter().map(|mv| mv.as_str().map(str::to_owned)).collect()
}

/// Reads the `moves` of a reply: a line for each move, and what is wrong with the others. Moves may be
/// illegal.
pub(super) fn listed_moves(reply: &Value) -> (Vec<Line<String>>, Vec<String>) {
    let list = match reply.get("moves") {
        None | Some(Value::Null) => return (Vec::new(), Vec::new()),
        Some(Value::Array(list)) => list,
        Some(other) => {
            return (Vec::new(), vec![format!("`moves`, which is not a list: {}", shown(other))]);
        }
    };
    let (mut lines, mut wrong) = (Vec::new(), Vec::new());
    for entry in list {
        match listed_move(entry) {
            Some(line) => lines.push(line),
            None => wrong.push(format!("`{}` in `moves`", shown(entry))),
        }
    }
    (lines, wrong)
}

/// Reads one of the `moves` of a reply.
fn listed_move(entry: &Value) -> Option<Line<String>> {
    let told = |key: &str| entry.get(key).filter(|value| !value.is_null());
    let value = match told("value") {
        Some(value) => Some(value.as_f64()?),
        None => None,
    };
    let visits = told("visits").map_or(Some(0), Value::as_u64)?;
    let mv = entry.get("move")?.as_str()?;
    let searched = value.is_some();
    Some(Line { visits, searched, ..Line::new(mv.to_owned(), value.unwrap_or(0.0)) })
}

/// Returns the beginning of a JSON value, for messages.
fn shown(value: &Value) -> String {
    harmless(&value.to_string(), 60)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn listed_moves_are_read_and_malformed_ones_are_named() {
        let (lines, wrong) = listed_moves(&json!({ "moves": [
            { "move": "a1", "visits": 7, "value": -0.5 }, { "move": "b2" },
            { "move": "c3", "visits": -1 }, { "move": 3 }, "a2",
            { "move": "b1", "value": "good" }, { "move": "b3", "visits": null, "value": null },
        ]}));
        let told: Vec<_> =
            lines.iter().map(|line| (line.mv.as_str(), line.visits, line.known_value())).collect();
        assert_eq!(told, [("a1", 7, Some(-0.5)), ("b2", 0, None), ("b3", 0, None)]);
        assert_eq!(wrong.len(), 4, "{wrong:?}");
        assert!(wrong[0].contains(r#"{"move":"c3","visits":-1}"#), "{wrong:?}");
        let none = (Vec::new(), Vec::new());
        assert_eq!(listed_moves(&json!({ "moves": null })), none);
        assert_eq!(listed_moves(&json!({})), none);
        assert!(listed_moves(&json!({ "moves": {} })).1[0].contains("not a list"));
    }

    #[test]
    fn a_number_that_json_does_not_have_is_named() {
        let why = |line: &str| {
            let error = serde_json::from_str::<Value>(line).expect_err(line);
            wrong_number(line, &error)
        };
        for (line, part) in [
            (r#"{"move":"a1","value":NaN}"#, "`value` is NaN, expected a finite number"),
            (r#"{"move":"a:1", "value" : 1e999 ,"depth":1}"#, "`value` is 1e999,"),
            (r#"{"value":-1e400,"move":"a1"}"#, "`value` is -1e400,"),
            (r#"{"nodes":Infinity,"move":"a1"}"#, "`nodes` is Infinity,"),
            (r#"{"é":"ü","depth":-Infinity"#, "`depth` is -Infinity,"),
        ] {
            assert!(why(line).is_some_and(|why| why.contains(part)), "{line}: {:?}", why(line));
        }
        for line in ["hello", "NaN", "{", r#"{"move":a1}"#, r#"{"a":"NaN" 1e999}"#, ":", "{\"é"] {
            assert_eq!(why(line), None, "{line}");
        }
    }
}
