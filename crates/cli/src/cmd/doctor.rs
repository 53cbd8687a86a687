//! `tussle doctor`

mod machine;
mod programs;

use clap::Args;
use serde::Serialize;
use tussle_engine::Programs;

use crate::failure::Failure;
use crate::{output, table};

/// Look at this machine: processor, limits, clock, and the programs that can be used
///
/// Nothing is changed. What is fine is `ok`; a `note` costs speed or leaves something out; a
/// `problem` keeps a part of tussle from working, and ends the command with exit code 1.
///
/// Examples:
///   tussle doctor
///   tussle doctor --json
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Doctor {
    /// One JSON document.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document {
    version: &'static str,
    /// Whether nothing is a problem.
    ok: bool,
    checks: Vec<Check>,
}

/// Something that was looked at.
#[derive(Debug, Serialize)]
struct Check {
    name: &'static str,
    status: Status,
    found: String,
    /// What to do about it, or what it means.
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
            1 => Err(Failure::Failed("there is a problem; the list says what to do".to_owned())),
            n => Err(Failure::Failed(format!("there are {n} problems; the list says what to do"))),
        }
    }
}

fn print(document: &Document) -> Result<(), Failure> {
    let mut table = table::new(["what", "", "found"]);
    for check in &document.checks {
        let advice = check.advice.as_ref().map(|advice| format!("\n  {advice}"));
        let found = check.found.clone() + &advice.unwrap_or_default();
        table.add_row([check.name, check.status.word(), &found]);
    }
    output::line(&format!("tussle {}\n", document.version))?;
    output::print(&table::text(&table))
}
