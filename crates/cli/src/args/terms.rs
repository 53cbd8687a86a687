//! What matches and games at the terminal are played on: the options they share.

use std::time::Duration;

use clap::{Args, ValueEnum};
use tussle_core::{TimeControl, parse_any_duration};

/// The clock, the seed and the style.
#[derive(Args)]
pub(crate) struct Terms {
    /// A player's time: `2s` a move (unless said otherwise), `15s+1s` for the game and more with
    /// each move, or `30s/2s` for its first move and each later one. Running out of it loses.
    #[arg(long, value_name = "CLOCK")]
    pub(crate) clock: Option<TimeControl>,
    /// How much sooner than its clock demands a player is told to answer; 10ms unless said
    /// otherwise.
    #[arg(long, value_parser = parse_any_duration, value_name = "TIME")]
    pub(crate) margin: Option<Duration>,
    /// Seed of everything random; 1 unless said otherwise.
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// How to print games and results.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) style: Style,
}

/// How to print games and results.
#[derive(Clone, Copy, Default, PartialEq, ValueEnum)]
pub(crate) enum Style {
    /// Tables.
    #[default]
    Plain,
    /// As the university courses print it.
    Course,
}

impl Terms {
    pub(crate) fn clock(&self) -> TimeControl {
        self.clock.unwrap_or(tussle_engine::Terms::default().clock)
    }

    pub(crate) fn margin(&self) -> Duration {
        self.margin.unwrap_or(tussle_engine::Terms::default().margin)
    }

    pub(crate) fn seed(&self) -> u64 {
        self.seed.unwrap_or(1)
    }
}
