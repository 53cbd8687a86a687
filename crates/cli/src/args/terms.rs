//! Options that matches and games at the terminal share.

use std::time::Duration;

use clap::{Args, ValueEnum};
use tussle_core::{TimeControl, parse_any_duration};

/// Clock, seed and output style.
#[derive(Args)]
pub(crate) struct Terms {
    /// Time control: `2s` per move, `15s+1s` for the game plus an increment per move, or `30s/2s` for the
    /// first move and for each later one. A player that runs out of time loses [default: 2s]
    #[arg(long, value_name = "CLOCK")]
    pub(crate) clock: Option<TimeControl>,
    /// Safety margin, subtracted from the time a player is told it has [default: 10ms]
    #[arg(long, value_parser = parse_any_duration, value_name = "TIME")]
    pub(crate) margin: Option<Duration>,
    /// Seed of all random choices [default: 1]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Style of printed games and results
    #[arg(long, value_enum, default_value_t)]
    pub(crate) style: Style,
}

/// Style of printed games and results.
#[derive(Clone, Copy, Default, PartialEq, ValueEnum)]
pub(crate) enum Style {
    /// Tables
    #[default]
    Plain,
    /// The printout of the university course of this game
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
