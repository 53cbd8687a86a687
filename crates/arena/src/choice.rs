//! Parsers of the command line, for commands whose options are a [`TournamentPatch`](crate::TournamentPatch).

use std::fmt::Display;
use std::str::FromStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use tussle_engine::Overrun;

use crate::Format;
use crate::export::ExportFormat;

/// Returns a parser that accepts these names. The help lists them with their summaries.
fn names<T>(
    choices: impl Iterator<Item = (&'static str, &'static str)>,
) -> impl TypedValueParser<Value = T>
where
    T: FromStr<Err: Display + std::error::Error + Send + Sync + 'static>
        + Clone
        + Send
        + Sync
        + 'static,
{
    let values = choices.map(|(name, summary)| PossibleValue::new(name).help(summary));
    PossibleValuesParser::new(values).try_map(|name| name.parse())
}

/// Returns the parser of a pairing format.
pub fn formats() -> impl TypedValueParser<Value = Format> {
    names(Format::ALL.iter().map(|format| (format.name(), format.summary())))
}

/// Returns the parser of a file format of exported games.
pub fn export_formats() -> impl TypedValueParser<Value = ExportFormat> {
    names(ExportFormat::ALL.iter().map(|format| (format.name(), format.summary())))
}

/// Returns the parser of the consequence of running out of time.
pub(crate) fn overruns() -> impl TypedValueParser<Value = Overrun> {
    names(Overrun::ALL.iter().map(|overrun| (overrun.name(), overrun.summary())))
}

/// Returns the parser of a number of games played at once.
pub(crate) fn jobs() -> impl TypedValueParser<Value = usize> {
    clap::value_parser!(u16).range(1..).map(usize::from)
}
