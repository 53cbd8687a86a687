//! `tussle check`

use clap::Args;
use serde_json::{Value, json};
use tussle_catalog::Catalog;
use tussle_catalog::text::counted;
use tussle_core::TimeControl;
use tussle_engine::{CheckError, Point, Programs, Status, check};

use crate::failure::{Failure, visible};
use crate::layout::labelled;
use crate::output;

/// Test whether your program speaks its protocol
///
/// Each check prints a line: ok, note, warning, or FAILED with what was sent, received and expected, and how to
/// fix it. A fault that shows in several checks is explained once. The exit code is 0 if no check failed.
/// `tussle docs writing-agents` has more.
///
/// Give the clock of your matches with --clock. Without it, the program has 2 s per move, and a fault that
/// shows only with less time is a warning.
///
/// Examples:
///   tussle check json:"python3 agent.py" --game gobblet
///   tussle check json:"python3 agent.py" --game go:size=5 --clock 15s+1s
///   tussle check ugi:./engine --game connect4 --json
///   tussle check "gtp:gnugo --mode gtp" --game go:size=9,superko=positional
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Check {
    /// Program: json:COMMAND, ugi:COMMAND or gtp:COMMAND
    agent: String,
    /// Game spec, name[:key=value,…]; see `tussle games`
    #[arg(long, value_name = "GAME")]
    game: String,
    /// Time control of the matches, as in `tussle match`: 2s, 15s+1s or 30s/2s
    #[arg(long, value_name = "CLOCK")]
    clock: Option<TimeControl>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

impl Check {
    pub(crate) fn run(&self, catalog: &Catalog, programs: &Programs) -> Result<(), Failure> {
        let game = catalog.game(&self.game)?;
        let mut print_error = None;
        let mut each = |point: &Point| {
            // Print each check when it is done.
            if !self.json && print_error.is_none() {
                print_error = output::print(&text(point)).err();
            }
        };
        let points =
            check(&self.agent, &game, &programs.guard, self.clock, &mut each).map_err(|error| {
                match error {
                    CheckError::Short(_) => Failure::Failed(error.to_string()),
                    other => Failure::usage(other),
                }
            })?;
        if let Some(failure) = print_error {
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
            let warnings = counted(warnings as u64, "warning");
            output::line(&format!("\n{passed} ok, {failed} failed, {warnings}"))?;
        }
        match failed {
            0 => Ok(()),
            n => Err(Failure::Failed(format!("{} failed", counted(n as u64, "check")))),
        }
    }
}

/// Returns the lines of a check.
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
        return labelled(&text[..9], &text[9..]);
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

/// Returns one line of an explanation.
fn row(name: &str, text: &str) -> String {
    labelled(&format!("           {name:<9} "), &clean(text))
}

/// Escapes the output of a program, which may contain control characters.
fn clean(text: &str) -> String {
    visible(text).replace('\n', "\\n")
}
