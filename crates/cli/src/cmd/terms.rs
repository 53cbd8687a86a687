//! What matches and games at the terminal are played on: the options they share.

use std::time::Duration;

use clap::{Args, ValueEnum};
use tussle_core::{Clock, duration_text, parse_any_duration};

/// The clock, the seed and the style.
#[derive(Args)]
pub(super) struct Terms {
    /// An agent's time: `2s` a move, `15s+1s` for the game and more with each move, or
    /// `30s/2s` for its first move and each later one. Running out of it loses.
    #[arg(long, default_value = "2s", value_name = "CLOCK")]
    pub(super) clock: Clock,
    /// How much sooner than its clock demands an agent is told to answer.
    #[arg(long, default_value = "10ms", value_parser = parse_any_duration, value_name = "TIME")]
    pub(super) margin: Duration,
    /// Seed of everything random.
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,
    /// How to print games and results.
    #[arg(long, value_enum, default_value_t)]
    pub(super) style: Style,
}

/// How to print games and results.
#[derive(Clone, Copy, Default, PartialEq, ValueEnum)]
pub(super) enum Style {
    /// Tables.
    #[default]
    Plain,
    /// As the university courses print it.
    Course,
}

impl Terms {
    /// The clock in words.
    pub(super) fn clock_in_words(&self) -> String {
        let text = duration_text;
        match self.clock {
            Clock::Move(limit) => format!("{} a move", text(limit)),
            Clock::Bank { bank, increment } => {
                format!("{} and {} more with each move", text(bank), text(increment))
            }
            Clock::First { first, later } => {
                format!("{} for the first move, {} for each later one", text(first), text(later))
            }
        }
    }
}
