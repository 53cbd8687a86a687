//! Client for programs that speak the JSON protocol: one request per line, one reply per line.

use std::time::{Duration, Instant};

use serde_json::{Map, Value};
use tussle_core::{Payoffs, TimeControl};

use super::grammar::{ReplyUnit, Request, Times, listed_moves, words, wrong_number};
use crate::external::{EngineInfo, ExternalProgram, start_deadline, told_millis};
use crate::program::Program;
use crate::seat::program::Client;
use crate::{Answer, Ask, Fault, GameStart};

/// Client for a program that speaks JSON.
#[derive(Default)]
pub(super) struct Json {
    game: Game,
    /// Number of the latest request.
    id: u64,
}

/// Description of the current game in requests.
#[derive(Default)]
struct Game {
    spec: String,
    id: u64,
    players: usize,
    /// Payoffs of the game; `None` before the first game.
    payoffs: Option<Payoffs>,
    /// Start position, if it is not the usual one.
    start: Option<String>,
    seed: u64,
}

/// Returns the times of a request.
fn times(ask: &Ask<'_>) -> Times {
    let told = |allowed| told_millis(allowed, ask.terms.margin);
    let own = ask.clocks[ask.player].allowed();
    let TimeControl::Increment { increment, .. } = ask.terms.clock else {
        let move_ms = told(own);
        return Times { move_ms, left_ms: None, increment_ms: None, rival_left_ms: None };
    };
    // For programs without their own time management, suggest the time that a built-in agent would use.
    let soft = ask.terms.move_limits(&ask.clocks[ask.player], ask.began).soft.unwrap_or(own);
    let opponents = ask.clocks.iter().enumerate().filter(|(seat, _)| *seat != ask.player);
    Times {
        move_ms: told_millis(soft, Duration::ZERO),
        left_ms: Some(told(own)),
        increment_ms: Some(increment.as_millis() as u64),
        rival_left_ms: Some(
            opponents.map(|(_, clock)| clock.allowed().as_millis() as u64).collect(),
        ),
    }
}

/// Reads the reply to a request. Late replies to earlier requests are dropped.
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
                let what = format!("a reply whose id is not {id}, the id of the request");
                return Err(program.protocol(what, &line));
            }
        }
    }
}

/// Reads the answer in a reply.
fn read(
    program: &Program,
    reply: Map<String, Value>,
    payoffs: Payoffs,
    began: Instant,
) -> Result<Answer, Fault> {
    let mv = match (reply.get("move"), reply.get("resign")) {
        (_, Some(Value::Bool(true))) => return Ok(Answer::default()),
        (Some(Value::String(mv)), _) => mv.clone(),
        _ => {
            let what = "a reply without `move`: expected one of the strings in `moves`";
            let said = serde_json::to_string(&reply).unwrap_or_default();
            return Err(program.protocol(what, &said));
        }
    };
    let reply = Value::Object(reply);
    let (unit, mut ignored) = ReplyUnit::of(&reply, payoffs);
    let value = match reply.get("value").and_then(Value::as_f64).map(|number| unit.value(number)) {
        Some(Err(why)) => {
            ignored.push(format!("`value`, {why}"));
            None
        }
        value => value.and_then(Result::ok),
    };
    let info = EngineInfo {
        value,
        depth: reply.get("depth").and_then(Value::as_u64).and_then(|n| u32::try_from(n).ok()),
        nodes: reply.get("nodes").and_then(Value::as_u64),
        pv: reply.get("pv").and_then(words).unwrap_or_default(),
    };
    let (mut listed, wrong) = listed_moves(&reply, &unit);
    ignored.extend(wrong);
    let mut report = info.report(&mv, began);
    if !listed.is_empty() {
        let report = report.get_or_insert_with(|| info.bare_report(&mv, began));
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

impl Client for Json {
    fn begin(
        &mut self,
        program: &mut ExternalProgram,
        is_new: bool,
        start: &GameStart<'_>,
    ) -> Result<(), Fault> {
        if is_new {
            program.program()?.wait_until_asleep(start_deadline());
        }
        self.game = Game {
            spec: start.game.spec().to_owned(),
            id: start.id,
            players: start.game.players(),
            payoffs: Some(start.game.payoffs()),
            start: (!start.is_usual).then(|| start.start.text()),
            seed: start.seed,
        };
        Ok(())
    }

    fn ask(&mut self, engine: &mut ExternalProgram, ask: &Ask<'_>) -> Result<Answer, Fault> {
        engine.begin_move(ask.stop)?;
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
        let program = engine.program()?;
        program.send(&line, ask.deadline)?;
        let reply = reply(program, self.id, ask.deadline)?;
        let payoffs = self.game.payoffs.unwrap_or(Payoffs::DUEL);
        read(program, reply, payoffs, ask.began)
    }

    fn wait_for_late_answer(&mut self, engine: &mut ExternalProgram, deadline: Instant) -> bool {
        let id = self.id;
        engine.program().and_then(|program| reply(program, id, deadline)).is_ok()
    }
}
