//! A program that speaks JSON: one request a line, one reply a line.

use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::{Map, Value};
use tussle_core::{Line, TimeControl};

use crate::external::{EngineInfo, ExternalProgram, start_deadline, told_millis};
use crate::program::{Program, harmless};
use crate::{Answer, Ask, Fault, GameStart, Seat, Shortage, Usage};

/// A program that speaks JSON.
pub(crate) struct Json {
    external: ExternalProgram,
    game: Game,
    /// The number of the latest request.
    id: u64,
}

/// What requests say about the game.
#[derive(Default)]
struct Game {
    spec: String,
    id: u64,
    players: usize,
    /// Where it began, if not as usual.
    start: Option<String>,
    seed: u64,
}

#[derive(Serialize)]
struct Request<'a> {
    id: u64,
    op: &'static str,
    game: &'a str,
    game_id: u64,
    player: usize,
    players: usize,
    position: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<&'a str>,
    history: &'a [String],
    moves: Vec<String>,
    seed: u64,
    clock: Times,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
}

/// The names are those of the protocol.
#[derive(Serialize)]
#[allow(clippy::struct_field_names)]
struct Times {
    move_ms: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    left_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    increment_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rival_left_ms: Option<Vec<u64>>,
}

impl Json {
    pub(crate) fn new(external: ExternalProgram) -> Self {
        Self { external, game: Game::default(), id: 0 }
    }

    fn ask(&mut self, ask: &Ask<'_>) -> Result<Answer, Fault> {
        self.external.begin_move(ask.stop)?;
        self.id += 1;
        let request = Request {
            id: self.id,
            op: "move",
            game: &self.game.spec,
            game_id: self.game.id,
            player: ask.player,
            players: self.game.players,
            position: ask.position.text(),
            start: self.game.start.as_deref(),
            history: ask.position.history(),
            moves: ask.position.moves(),
            seed: self.game.seed,
            clock: times(ask),
            nodes: ask.terms.nodes,
            depth: ask.terms.depth,
        };
        let line = serde_json::to_string(&request).unwrap_or_default();
        let program = self.external.program()?;
        program.send(&line, ask.deadline)?;
        let reply = reply(program, self.id, ask.deadline)?;
        read(program, reply, ask.began)
    }
}

/// What the player is told about time.
fn times(ask: &Ask<'_>) -> Times {
    let told = |allowed| told_millis(allowed, ask.terms.margin);
    let own = ask.clocks[ask.player].allowed();
    let TimeControl::Increment { increment, .. } = ask.terms.clock else {
        let move_ms = told(own);
        return Times { move_ms, left_ms: None, increment_ms: None, rival_left_ms: None };
    };
    // Whoever does not want to plan gets a plan: what an agent of ours would spend.
    let soft = ask.terms.budget(&ask.clocks[ask.player], ask.began).soft.unwrap_or(own);
    let rivals = ask.clocks.iter().enumerate().filter(|(seat, _)| *seat != ask.player);
    Times {
        move_ms: told_millis(soft, Duration::ZERO),
        left_ms: Some(told(own)),
        increment_ms: Some(increment.as_millis() as u64),
        rival_left_ms: Some(rivals.map(|(_, clock)| clock.allowed().as_millis() as u64).collect()),
    }
}

/// The reply to a request; those to earlier ones, which came too late, are dropped.
fn reply(program: &mut Program, id: u64, deadline: Instant) -> Result<Map<String, Value>, Fault> {
    loop {
        let line = program.line(deadline)?;
        if line.trim().is_empty() {
            continue;
        }
        let reply = match serde_json::from_str(&line) {
            Ok(Value::Object(reply)) => reply,
            Ok(_) => return Err(program.protocol("a reply that is not a JSON object", &line)),
            Err(error) => {
                let why = wrong_number(&line, &error).unwrap_or_default();
                let what = format!("a reply that is not a JSON object{why}");
                return Err(program.protocol(what, &line));
            }
        };
        match reply.get("id") {
            None | Some(Value::Null) => return Ok(reply),
            Some(Value::Number(number)) if number.as_u64() == Some(id) => return Ok(reply),
            Some(Value::Number(number)) if number.as_u64().is_some_and(|other| other < id) => {}
            Some(_) => {
                let what = format!("a reply with an id that is not that of the request, {id}");
                return Err(program.protocol(what, &line));
            }
        }
    }
}

/// Names the number that makes a reply invalid JSON: NaN and infinity, which Python writes, and numbers
/// beyond the range of 64 bits.
fn wrong_number(line: &str, error: &serde_json::Error) -> Option<String> {
    let before = line.get(..error.column())?;
    let (keys, _) = before.rsplit_once(':')?;
    let rest = &line[keys.len() + 1..];
    let value = rest[..rest.find([',', '}', ']']).unwrap_or(rest.len())].trim();
    let key = keys.trim_end().strip_suffix('"')?.rsplit('"').next()?;
    let number = value.parse::<f64>().ok()?; // also reads NaN and Infinity
    (!number.is_finite()).then(|| format!(": `{key}` is {value}, expected a finite number or null"))
}

/// The answer in a reply.
fn read(program: &Program, reply: Map<String, Value>, began: Instant) -> Result<Answer, Fault> {
    let mv = match (reply.get("move"), reply.get("resign")) {
        (_, Some(Value::Bool(true))) => return Ok(Answer::default()),
        (Some(Value::String(mv)), _) => mv.clone(),
        _ => {
            let what = "a reply without `move`, which is one of the strings in `moves`";
            let said = serde_json::to_string(&reply).unwrap_or_default();
            return Err(program.protocol(what, &said));
        }
    };
    let told = EngineInfo {
        value: reply.get("value").and_then(Value::as_f64),
        depth: reply.get("depth").and_then(Value::as_u64).and_then(|n| u32::try_from(n).ok()),
        nodes: reply.get("nodes").and_then(Value::as_u64),
        pv: reply.get("pv").and_then(words).unwrap_or_default(),
    };
    let (mut listed, ignored) = listed_moves(&Value::Object(reply));
    let mut report = told.report(&mv, began);
    if !listed.is_empty() {
        let report = report.get_or_insert_with(|| told.bare_report(&mv, began));
        // The chosen move takes its visits, and a missing value, from its entry in the list.
        if let (Some(at), Some(chosen)) =
            (listed.iter().position(|line| line.mv == mv), report.lines.first_mut())
        {
            let line = listed.remove(at);
            chosen.visits = line.visits;
            if !chosen.searched {
                (chosen.value, chosen.searched) = (line.value, line.searched);
            }
        }
        report.lines.append(&mut listed);
    }
    Ok(Answer { mv: Some(mv), report, ignored })
}

/// Reads a list of texts.
fn words(list: &Value) -> Option<Vec<String>> {
    list.as_array()?.iter().map(|mv| mv.as_str().map(str::to_owned)).collect()
}

/// Reads the `moves` of a reply: a line for each move, and what is wrong with the others. Moves may be
/// illegal.
pub(crate) fn listed_moves(reply: &Value) -> (Vec<Line<String>>, Vec<String>) {
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

impl Seat for Json {
    fn prepare(&mut self) -> Result<(), Shortage> {
        self.external.prepare()
    }

    fn begin(&mut self, start: &GameStart<'_>) -> Result<(), Fault> {
        if self.external.ensure()? {
            self.external.program()?.wait_until_it_rests(start_deadline());
        }
        self.game = Game {
            spec: start.game.spec().to_owned(),
            id: start.id,
            players: start.game.players(),
            start: (!start.is_usual).then(|| start.start.text()),
            seed: start.seed,
        };
        Ok(())
    }

    fn choose(&mut self, ask: &Ask<'_>) -> Result<Answer, Fault> {
        let answer = self.ask(ask);
        self.external.settle(answer)
    }

    fn is_just_late(&mut self, patience: Duration) -> bool {
        let deadline = Instant::now() + patience;
        let id = self.id;
        let reply = self.external.program().and_then(|program| reply(program, id, deadline));
        self.external.measure();
        if reply.is_err() {
            self.external.end_late();
        }
        reply.is_ok()
    }

    fn excess(&mut self) -> Option<Fault> {
        self.external.excess()
    }

    fn usage(&self) -> Usage {
        self.external.usage()
    }

    fn is_deterministic(&self) -> bool {
        false // nobody knows
    }
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
