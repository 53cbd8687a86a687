//! A program that speaks UGI, the universal game interface.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use tussle_core::TimeControl;

use crate::external::{EngineInfo, ExternalProgram, start_deadline, told_millis};
use crate::program::Program;
use crate::{Answer, Ask, Fault, GameStart, Seat, Shortage, Usage, Verdict};

/// A program that speaks UGI.
pub(crate) struct Ugi {
    external: ExternalProgram,
    options: Options,
    /// The words that lead to the start of the game.
    start: String,
    /// It was asked and has not answered.
    owes: bool,
}

/// Which of the options that we could set the program has.
#[derive(Default)]
struct Options {
    game: bool,
    seed: bool,
}

impl Ugi {
    pub(crate) fn new(external: ExternalProgram) -> Self {
        Self { external, options: Options::default(), start: String::new(), owes: false }
    }

    fn greet(&mut self, fresh: bool, start: &GameStart<'_>) -> Result<(), Fault> {
        let deadline = start_deadline();
        let program = self.external.program()?;
        program.begin_move();
        if fresh {
            program.send("ugi", deadline)?;
            self.options = Options::default();
            loop {
                let line = expect(program, "`ugi` with `ugiok`", deadline)?;
                let mut words = line.split_ascii_whitespace();
                match (words.next(), words.next(), words.next()) {
                    (Some("ugiok"), ..) => break,
                    (Some("option"), Some("name"), Some("game")) => self.options.game = true,
                    (Some("option"), Some("name"), Some("seed")) => self.options.seed = true,
                    _ => {}
                }
            }
        }
        if self.options.game {
            let game = start.game.spec();
            program.send(&format!("setoption name game value {game}"), deadline)?;
        }
        if self.options.seed {
            program.send(&format!("setoption name seed value {}", start.seed), deadline)?;
        }
        program.send("uginewgame", deadline)?;
        program.send("isready", deadline)?;
        while expect(program, "`isready` with `readyok`", deadline)?.trim() != "readyok" {}
        Ok(())
    }

    fn ask(&mut self, ask: &Ask<'_>) -> Result<Answer, Fault> {
        let program = self.external.program()?;
        if self.owes {
            // The answer to an earlier question is still to come, and must not be taken for this.
            program.begin_move();
            program.send("stop", ask.deadline)?;
            best_move(program, ask.deadline)?;
            self.owes = false;
        }
        self.external.begin_move(ask.stop)?;
        let program = self.external.program()?;
        let mut position = format!("position {}", self.start);
        let history = ask.position.history();
        if !history.is_empty() {
            position.push_str(" moves");
            for mv in history {
                position.push(' ');
                position.push_str(mv);
            }
        }
        // One write for both lines: the program wakes up once.
        program.send(&format!("{position}\n{}", go(ask)), ask.deadline)?;
        self.owes = true;
        let (mv, told) = best_move(program, ask.deadline)?;
        self.owes = false;
        if mv == "resign" {
            return Ok(Answer::default());
        }
        let report = told.report(&mv, ask.began);
        Ok(Answer { mv: Some(mv), report, ..Answer::default() })
    }
}

/// A line that is part of an answer; `what` says to what.
fn expect(program: &mut Program, what: &str, deadline: Instant) -> Result<String, Fault> {
    program.line(deadline).map_err(|mut fault| {
        fault.what = format!("{}; it should have answered {what}", fault.what);
        fault
    })
}

/// Waits for the end of a search. Whatever else a program says is no concern of ours.
fn best_move(program: &mut Program, deadline: Instant) -> Result<(String, EngineInfo), Fault> {
    let mut told = EngineInfo::default();
    loop {
        let line = program.line(deadline)?;
        let mut words = line.split_ascii_whitespace();
        match words.next() {
            Some("bestmove") => {
                let Some(mv) = words.next() else {
                    return Err(program.protocol("`bestmove` without a move", &line));
                };
                return Ok((mv.to_owned(), told));
            }
            Some("info") => hear(&mut told, words),
            Some(word) if word.contains('\u{fffd}') => {
                let what = "bytes that are no UTF-8 text where `bestmove` was expected";
                return Err(program.protocol(what, &line));
            }
            _ => {}
        }
    }
}

/// Takes what is of use from an `info` line.
fn hear<'a>(told: &mut EngineInfo, mut words: impl Iterator<Item = &'a str>) {
    while let Some(word) = words.next() {
        match word {
            "depth" => told.depth = words.next().and_then(|n| n.parse().ok()).or(told.depth),
            "nodes" => told.nodes = words.next().and_then(|n| n.parse().ok()).or(told.nodes),
            "score" => {
                told.value = match words.next() {
                    Some("cp") => {
                        words.next().and_then(|n| n.parse::<f64>().ok()).map(|n| n / 100.0)
                    }
                    Some(number) => number.parse().ok().filter(|n: &f64| n.is_finite()),
                    None => None,
                };
            }
            // The rest of the line is moves or free text.
            "pv" => {
                told.pv = words.map(str::to_owned).collect();
                return;
            }
            "string" => return,
            _ => {}
        }
    }
}

/// The command that starts the search.
fn go(ask: &Ask<'_>) -> String {
    let margin = |seat| if seat == ask.player { ask.terms.margin } else { Duration::ZERO };
    let mut go = "go".to_owned();
    if let TimeControl::Increment { increment, .. } = ask.terms.clock {
        for (seat, clock) in ask.clocks.iter().enumerate() {
            let _ = write!(go, " p{}time {}", seat + 1, told_millis(clock.allowed(), margin(seat)));
        }
        for seat in 1..=ask.clocks.len() {
            let _ = write!(go, " p{seat}inc {}", increment.as_millis());
        }
    } else {
        let allowed = ask.clocks[ask.player].allowed();
        let _ = write!(go, " movetime {}", told_millis(allowed, ask.terms.margin));
    }
    if let Some(depth) = ask.terms.depth {
        let _ = write!(go, " depth {depth}");
    }
    if let Some(nodes) = ask.terms.nodes {
        let _ = write!(go, " nodes {nodes}");
    }
    go
}

impl Seat for Ugi {
    fn prepare(&mut self) -> Result<(), Shortage> {
        if std::mem::take(&mut self.owes) {
            self.external.end(); // it never came to an end of its last search
        }
        self.external.prepare()
    }

    fn begin(&mut self, start: &GameStart<'_>) -> Result<(), Fault> {
        if std::mem::take(&mut self.owes) {
            self.external.end(); // it never came to an end of its last search
        }
        let fresh = self.external.ensure()?;
        self.start = if start.is_usual {
            "startpos".to_owned()
        } else {
            format!("fen {}", start.start.text())
        };
        let greeted = self.greet(fresh, start);
        self.external.settle_start(greeted)
    }

    fn choose(&mut self, ask: &Ask<'_>) -> Result<Answer, Fault> {
        let answer = self.ask(ask);
        self.external.settle(answer)
    }

    fn is_just_late(&mut self, patience: Duration) -> bool {
        let deadline = Instant::now() + patience;
        let owes = std::mem::take(&mut self.owes);
        let withheld = self.external.usage().withheld;
        let answer = self.external.program().and_then(|program| {
            if owes {
                // First it may come to an answer by itself, as if it had had the time that was
                // withheld from it. After that only one that we ask for is to be had.
                let alone = deadline.min(Instant::now() + withheld);
                if matches!(best_move(program, alone), Err(fault) if fault.verdict == Verdict::Time)
                {
                    program.send("stop", deadline)?;
                    best_move(program, deadline)?;
                }
            }
            Ok(())
        });
        self.external.measure();
        // If it was not even asked, it did not read the question.
        let late = answer.is_ok() && owes;
        if !late {
            self.external.end_late();
        }
        late
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
    use super::*;

    #[test]
    fn info_is_read_leniently() {
        let told = |line: &str| {
            let mut told = EngineInfo::default();
            hear(&mut told, line.split_ascii_whitespace());
            told
        };
        let pv = ["depth", "8"].map(str::to_owned).to_vec();
        let full = EngineInfo { value: Some(-1.07), depth: Some(3), nodes: Some(16), pv };
        assert_eq!(told("depth 3 seldepth 9 score cp -107 time 0 nodes 16 pv depth 8"), full);
        assert_eq!(told("score 0.25 depth x").value, Some(0.25));
        assert_eq!(told("string depth 3"), EngineInfo::default());
        assert_eq!(told("score"), EngineInfo::default());
    }
}
