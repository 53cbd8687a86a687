//! `tussle check`

use clap::Args;
use serde_json::{Value, json};
use tussle_catalog::Catalog;
use tussle_core::TimeControl;
use tussle_engine::{CheckError, Point, Programs, Status, check};

use crate::failure::{Failure, visible};
use crate::output;

/// Test whether a program speaks its protocol: for authors of agents
///
/// Every point is a line: ok, a note, a warning, or FAILED with what was sent, received and expected,
/// and how to fix it. A fault that shows in several points is explained once. Exit code 0
/// if nothing failed. `tussle docs writing-agents` has more.
///
/// Name the clock of your matches with --clock. Without it the program has 2 s per move, and what
/// goes wrong in less time is only a warning.
///
/// Examples:
///   tussle check json:"python3 agent.py" --game gobblet
///   tussle check json:"python3 agent.py" --game go:size=5 --clock 15s+1s
///   tussle check ugi:./engine --game connect4 --json
///   tussle check "gtp:gnugo --mode gtp" --game go:size=9,superko=positional,cap=off
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Check {
    /// The program: ugi:COMMAND, gtp:COMMAND or json:COMMAND.
    agent: String,
    /// The game: name[:key=value,…], as `tussle games` lists them.
    #[arg(long, value_name = "GAME")]
    game: String,
    /// Time control of the matches, as in `tussle match`: 2s, 15s+1s or 30s/2s.
    #[arg(long, value_name = "CLOCK")]
    clock: Option<TimeControl>,
    /// One JSON document.
    #[arg(long)]
    json: bool,
}

impl Check {
    pub(crate) fn run(&self, catalog: &Catalog, programs: &Programs) -> Result<(), Failure> {
        let game = catalog.game(&self.game)?;
        let mut unheard = None;
        let mut each = |point: &Point| {
            // Whoever waits sees each point when it is done.
            if !self.json && unheard.is_none() {
                unheard = output::print(&text(point)).err();
            }
        };
        let points =
            check(&self.agent, &game, &programs.guard, self.clock, &mut each).map_err(|error| {
                match error {
                    CheckError::Short(_) => Failure::Failed(error.to_string()),
                    other => Failure::usage(other),
                }
            })?;
        if let Some(failure) = unheard {
            return Err(failure);
        }
        let count = |status: Status| points.iter().filter(|point| point.status == status).count();
        let (passed, failed, warnings) =
            (count(Status::Ok), count(Status::Failed), count(Status::Warning));
        if self.json {
            let protocol = self.agent.split(':').next().unwrap_or_default().trim();
            let checks: Vec<Value> = points
                .iter()
                .map(|p| json!({ "name": p.name, "status": p.status, "detail": p.detail() }))
                .collect();
            output::json(&json!({
                "agent": self.agent, "protocol": protocol, "game": game.spec(),
                "passed": passed, "failed": failed, "warnings": warnings, "checks": checks,
            }))?;
        } else {
            let plural = if warnings == 1 { "" } else { "s" };
            output::line(&format!("\n{passed} ok, {failed} failed, {warnings} warning{plural}"))?;
        }
        match failed {
            0 => Ok(()),
            1 => Err(Failure::Failed("one point failed".to_owned())),
            n => Err(Failure::Failed(format!("{n} points failed"))),
        }
    }
}

/// A point for people.
fn text(point: &Point) -> String {
    let word = match point.status {
        Status::Ok => "ok",
        Status::Note => "note",
        Status::Warning => "warning",
        Status::Failed => "FAILED",
    };
    let mut text = format!("{word:<8} {}", point.name);
    if point.expected.is_empty() {
        if !point.received.is_empty() {
            text += &format!(": {}", clean(&point.received));
        }
        return text + "\n";
    }
    text.push('\n');
    for (i, line) in point.sent.iter().enumerate() {
        text += &row(if i == 0 { "sent" } else { "" }, line);
    }
    text += &row("received", &point.received);
    for (i, line) in point.evidence.iter().enumerate() {
        text += &row(if i == 0 { "stderr" } else { "" }, line);
    }
    text += &row("expected", &point.expected);
    text + &row("to fix", &point.fix)
}

/// One line of an explanation.
fn row(name: &str, text: &str) -> String {
    format!("           {name:<9} {}\n", clean(text))
}

/// What a program wrote must not reach a terminal as it is.
fn clean(text: &str) -> String {
    visible(text).replace('\n', "\\n")
}
