//! Experiments: questions that are answered by a figure.

mod contest;
mod depth;
mod points;
mod regret;
mod rollouts;
mod sample;
#[cfg(test)]
mod sampling_tests;
mod spread;
mod table;
mod visits;

use self::contest::{Contest, Varied};
use self::regret::Regret;
use self::rollouts::{Played, Rollouts};
use crate::{Bench, Finding, LabError};

pub use table::EXPERIMENTS;

/// An experiment, as the table declares it.
#[derive(Debug)]
pub struct Experiment {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it answers.
    pub question: &'static str,
    /// The game it is about.
    pub game: &'static str,
    /// Who takes part: names in the legend and specs.
    pub agents: &'static [(&'static str, &'static str)],
    /// From left to right in the figure, and from bottom to top: what, and in which unit.
    pub axes: [&'static str; 2],
    /// What is measured.
    pub measure: Measure,
    /// What is changed, from left to right, and how often each is measured: in minutes.
    pub quick: Plan,
    /// The same without hurry.
    pub full: Plan,
}

/// How much is measured.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// What is changed: depths, seconds, nodes, constants.
    pub points: &'static [f64],
    /// Positions, games or runs for each of them.
    pub repeats: u32,
}

/// What is measured.
#[derive(Clone, Copy, Debug)]
pub enum Measure {
    /// A number of a search so many plies deep.
    ToDepth(Stat),
    /// How a search spreads its visits over the root's moves; `{x}` in specs is what is changed.
    Spread,
    /// Visits and win rates of all moves after these ones, on boards.
    Visits(&'static [&'static str]),
    /// Points against a rival.
    Contest(Contest),
    /// Points of ways to play simulations to their ends.
    Rollouts(Rollouts),
    /// How often a proven best move is picked.
    Regret(Regret),
}

/// A number that a search reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stat {
    /// Leaves reached.
    Leaves,
}

impl Experiment {
    /// The plan for this bench.
    pub(crate) fn plan(&self, bench: &Bench<'_>) -> &Plan {
        if bench.is_quick { &self.quick } else { &self.full }
    }

    /// Carries it out.
    ///
    /// # Errors
    /// If a measurement fails or the work was stopped.
    pub fn run(&self, bench: &mut Bench<'_>) -> Result<Finding, LabError> {
        match &self.measure {
            Measure::ToDepth(stat) => depth::run(self, *stat, bench),
            Measure::Spread => spread::run(self, bench),
            Measure::Visits(moves) => visits::run(self, moves, bench),
            Measure::Contest(contest) => contest::run(self, contest, bench),
            Measure::Rollouts(rollouts) => rollouts::run(self, rollouts, bench),
            Measure::Regret(regret) => regret::run(self, regret, bench),
        }
    }
}

/// The experiment of this name.
///
/// # Errors
/// If there is none; the message lists those there are.
pub fn experiment(name: &str) -> Result<&'static Experiment, LabError> {
    let found = EXPERIMENTS.iter().find(|experiment| experiment.name == name);
    found.ok_or_else(|| {
        let names: Vec<&str> = EXPERIMENTS.iter().map(|experiment| experiment.name).collect();
        LabError::Usage(format!("there is no experiment `{name}`; there are {}", names.join(", ")))
    })
}
