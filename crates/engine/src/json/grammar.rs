//! Grammar of JSON requests and replies.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tussle_core::{Line, Payoffs};

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

/// Times of a player in a request. The field names are those of the protocol.
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

/// Explains a number that makes a reply invalid JSON: NaN or infinity, which Python writes, or a number beyond the range of
/// 64 bits. `None` for other errors.
pub(super) fn wrong_number(line: &str, error: &serde_json::Error) -> Option<String> {
    let before = line.get(..error.column())?;
    let (keys, _) = before.rsplit_once(':')?;
    let rest = &line[keys.len() + 1..];
    let value = rest[..rest.find([',', '}', ']']).unwrap_or(rest.len())].trim();
    let key = keys.trim_end().strip_suffix('"')?.rsplit('"').next()?;
    let number = value.parse::<f64>().ok()?; // also reads NaN and Infinity
    (!number.is_finite()).then(|| format!(": `{key}` is {value}, expected a finite number or null"))
}

/// Allowed values of the field `unit`, for messages.
const UNITS: &str = "`result`, `points`, `evaluation` or `expected-score`";

/// Unit of the values in a reply, with the payoffs of the game.
pub(super) struct ReplyUnit {
    word: UnitWord,
    payoffs: Payoffs,
}

/// Error of a value outside the range of its unit.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("expected a number from {low} to {high}, found {number}")]
pub(super) struct OutOfRange {
    low: f64,
    high: f64,
    number: f64,
}

/// Field `unit` of a reply.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum UnitWord {
    Result,
    Points,
    #[default]
    Evaluation,
    ExpectedScore,
}

impl ReplyUnit {
    /// Reads the `unit` of a reply. If it is invalid, also returns the problem, and the values count as evaluations.
    pub(super) fn of(reply: &Value, payoffs: Payoffs) -> (Self, Vec<String>) {
        let given = reply.get("unit").filter(|unit| !unit.is_null());
        let word = given.map_or(Ok(UnitWord::default()), UnitWord::deserialize);
        let why = match &word {
            Err(_) => format!("expected {UNITS}"),
            Ok(UnitWord::Points) if !payoffs.points => "in a game without points".to_owned(),
            Ok(UnitWord::Result) if payoffs.points => "in a game that counts points".to_owned(),
            Ok(word) => return (Self { word: *word, payoffs }, Vec::new()),
        };
        let wrong = given.map(|unit| format!("`unit` {}, {why}", shown(unit)));
        (Self { word: UnitWord::default(), payoffs }, wrong.into_iter().collect())
    }

    /// Converts a number to a value.
    ///
    /// # Errors
    /// If the number is outside the range of the unit.
    pub(super) fn value(&self, number: f64) -> Result<tussle_core::Value, OutOfRange> {
        let (low, high) = match self.word {
            UnitWord::Evaluation => return Ok(number.into()),
            UnitWord::Result => (self.payoffs.least, self.payoffs.most),
            UnitWord::ExpectedScore => (0.0, 1.0),
            UnitWord::Points => return Ok(tussle_core::Value::result(number, &self.payoffs)),
        };
        if !(low..=high).contains(&number) {
            return Err(OutOfRange { low, high, number });
        }
        Ok(match self.word {
            // An expected score does not determine points.
            UnitWord::ExpectedScore if self.payoffs.points => {
                tussle_core::Value::mean_reward(number, &Payoffs::DUEL)
            }
            UnitWord::ExpectedScore => tussle_core::Value::mean_reward(number, &self.payoffs),
            _ => tussle_core::Value::result(number, &self.payoffs),
        })
    }
}

/// Reads a list of texts.
pub(super) fn words(list: &Value) -> Option<Vec<String>> {
    list.as_array()?.iter().map(|mv| mv.as_str().map(str::to_owned)).collect()
}

/// Reads the `moves` of a reply. Returns a line for each valid entry, and the problems of the others. Moves may be illegal.
pub(super) fn listed_moves(reply: &Value, unit: &ReplyUnit) -> (Vec<Line<String>>, Vec<String>) {
    let list = match reply.get("moves") {
        None | Some(Value::Null) => return (Vec::new(), Vec::new()),
        Some(Value::Array(list)) => list,
        Some(other) => {
            return (Vec::new(), vec![format!("`moves`, which is not a list: {}", shown(other))]);
        }
    };
    let (mut lines, mut wrong) = (Vec::new(), Vec::new());
    for entry in list {
        match listed_move(entry, unit) {
            Some(line) => lines.push(line),
            None => wrong.push(format!("`{}` in `moves`", shown(entry))),
        }
    }
    (lines, wrong)
}

/// Reads one of the `moves` of a reply.
fn listed_move(entry: &Value, unit: &ReplyUnit) -> Option<Line<String>> {
    let given = |key: &str| entry.get(key).filter(|value| !value.is_null());
    let value = match given("value") {
        Some(value) => Some(unit.value(value.as_f64()?).ok()?),
        None => None,
    };
    let visits = given("visits").map_or(Some(0), Value::as_u64)?;
    let mv = entry.get("move")?.as_str()?;
    let searched = value.is_some();
    Some(Line {
        visits,
        searched,
        ..Line::new(mv.to_owned(), value.unwrap_or(tussle_core::Value::ZERO))
    })
}

/// Returns the beginning of a JSON value, for messages.
fn shown(value: &Value) -> String {
    harmless(&value.to_string(), 60)
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use tussle_core::Unit;

    use super::*;

    fn listed_moves(reply: &Value) -> (Vec<Line<String>>, Vec<String>) {
        let (unit, wrong) = ReplyUnit::of(reply, Payoffs::DUEL);
        assert!(wrong.is_empty(), "{wrong:?}");
        super::listed_moves(reply, &unit)
    }

    #[test]
    fn a_value_is_read_in_the_unit_of_its_reply() {
        let points = Payoffs { least: -81.0, most: 81.0, sum: 0.0, points: true };
        for (reply, payoffs, unit, number, score) in [
            (json!({ "value": 10 }), Payoffs::DUEL, Unit::Evaluation, 10.0, 0.75),
            (json!({ "value": 10, "unit": null }), points, Unit::Evaluation, 10.0, 0.75),
            (json!({ "value": 0.5, "unit": "result" }), Payoffs::DUEL, Unit::Result, 0.5, 0.75),
            (json!({ "value": 0.5, "unit": "result" }), Payoffs::SHARED, Unit::Result, 0.5, 0.5),
            (
                json!({ "value": 0.75, "unit": "expected-score" }),
                Payoffs::DUEL,
                Unit::Result,
                0.5,
                0.75,
            ),
            (json!({ "value": 0.75, "unit": "expected-score" }), points, Unit::Result, 0.5, 0.75),
            (json!({ "value": 10, "unit": "points" }), points, Unit::Points, 10.0, 0.75),
        ] {
            let (read, wrong) = ReplyUnit::of(&reply, payoffs);
            assert!(wrong.is_empty(), "{reply}: {wrong:?}");
            let value = read.value(reply["value"].as_f64().unwrap()).unwrap();
            assert_eq!(
                (value.unit(), value.number(), value.expected_score()),
                (unit, number, score)
            );
        }
    }

    #[test]
    fn an_invalid_unit_and_a_value_out_of_range_are_reported() {
        for (unit, why) in [
            (json!("cp"), "`unit` \"cp\", expected `result`, `points`"),
            (json!(3), "`unit` 3, expected"),
            (json!("points"), "`unit` \"points\", in a game without points"),
        ] {
            let (read, wrong) = ReplyUnit::of(&json!({ "unit": unit }), Payoffs::DUEL);
            assert!(wrong.concat().starts_with(why), "{wrong:?}");
            assert_eq!(read.value(7.0).unwrap().unit(), Unit::Evaluation);
        }
        let (read, _) = ReplyUnit::of(&json!({ "unit": "expected-score" }), Payoffs::DUEL);
        assert_eq!(read.value(3.0), Err(OutOfRange { low: 0.0, high: 1.0, number: 3.0 }));
        let listed = json!({ "unit": "result", "moves": [{ "move": "a1", "value": 8 }] });
        let (lines, wrong) = listed_moves(&listed);
        assert_eq!((lines.len(), wrong.len()), (0, 1));
    }

    #[test]
    fn listed_moves_are_read_and_malformed_ones_are_reported() {
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
    fn a_number_that_is_not_valid_json_is_reported() {
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
