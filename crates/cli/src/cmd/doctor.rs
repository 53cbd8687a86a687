//! `tussle doctor`

mod machine;
mod programs;

use clap::Args;
use serde::Serialize;
use tussle_catalog::text::counted;
use tussle_engine::Programs;

use crate::failure::Failure;
use crate::layout::Table;
use crate::output;

/// Check this machine: processor, limits, clock and useful programs
///
/// The command changes nothing. Each check is `ok`, a `note` (slower, or a feature is missing), or a `problem`: a
/// part of tussle cannot work, and the exit code is 1.
///
/// Examples:
///   tussle doctor
///   tussle doctor --json
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Doctor {
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document {
    version: &'static str,
    /// True if no check is a problem.
    ok: bool,
    checks: Vec<Check>,
}

/// Result of a check.
#[derive(Debug, Serialize)]
struct Check {
    name: &'static str,
    status: Status,
    found: String,
    /// Meaning of the result, and what to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Status {
    Ok,
    Note,
    Problem,
}

impl Status {
    fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Note => "note",
            Self::Problem => "problem",
        }
    }
}

impl Check {
    fn ok(name: &'static str, found: impl Into<String>) -> Self {
        Self { name, status: Status::Ok, found: found.into(), advice: None }
    }

    fn note(name: &'static str, found: impl Into<String>, advice: impl Into<String>) -> Self {
        let advice = Some(advice.into());
        Self { name, status: Status::Note, found: found.into(), advice }
    }

    fn problem(name: &'static str, found: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { status: Status::Problem, ..Self::note(name, found, advice) }
    }
}

impl Doctor {
    pub(crate) fn run(&self, programs: &Programs) -> Result<(), Failure> {
        let guard = &programs.guard;
        let mut checks = machine::checks();
        checks.extend(programs::checks(guard));
        let problems = checks.iter().filter(|check| check.status == Status::Problem).count();
        let document = Document { version: env!("CARGO_PKG_VERSION"), ok: problems == 0, checks };
        if self.json {
            output::json(&document)?;
        } else {
            print(&document)?;
        }
        match problems {
            0 => Ok(()),
            n => Err(Failure::Failed(format!(
                "{} found; the list says what to do",
                counted(n as u64, "problem")
            ))),
        }
    }
}

fn print(document: &Document) -> Result<(), Failure> {
    let mut table = Table::new(["check", "", "found"]);
    for check in &document.checks {
        let advice = check.advice.as_ref().map(|advice| format!("\n  {advice}"));
        let found = check.found.clone() + &advice.unwrap_or_default();
        table.add_row([check.name, check.status.word(), &found]);
    }
    output::line(&format!("tussle {}\n", document.version))?;
    output::print(&table.text())
}
