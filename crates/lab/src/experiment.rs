//! Experiments: questions that are answered by a figure.

mod contest;
mod depth;
mod growing;
mod jobs;
mod known;
mod line;
mod points;
mod positions;
mod regret;
mod rollouts;
pub(crate) mod sample;
mod sizes;
mod speedup;
mod spread;
mod table;
mod time;
mod value;
mod visits;
mod words;

#[cfg(test)]
mod sampling_tests;
#[cfg(test)]
mod tests;

use std::time::Duration;

use self::contest::{Contest, Varied};
use self::growing::{Asked, Grown};
use self::regret::Regret;
use self::rollouts::{Played, Rollouts};
use crate::unknown::unknown;
use crate::{Bench, Finding, LabError, Watch};

pub use table::EXPERIMENTS;

/// Error of an experiment that cannot be carried out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExperimentError {
    /// The experiment of this name does not have two budgets.
    #[error("{0} needs two budgets")]
    Budgets(&'static str),
    /// The experiment of this name has no agent.
    #[error("{0} needs an agent")]
    NoAgent(&'static str),
    /// The memory of the agent ends the search before the tree has this size.
    #[error("{spec}: the tree cannot grow to {size} simulations")]
    TreeTooSmall {
        /// Spec of the agent.
        spec: String,
        /// Number of simulations.
        size: u64,
    },
    /// The game of this spec offers no choice soon after its start.
    #[error("{0} has no position with a choice soon after its start")]
    NoPosition(String),
    /// The game of this spec has no position whose moves differ in value.
    #[error("{0} poses no problems: all moves are alike")]
    NoProblem(String),
}

/// An experiment, as the table declares it.
#[derive(Debug)]
pub struct Experiment {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it answers.
    pub question: &'static str,
    /// The game it is about, or several with commas and spaces between them.
    pub game: &'static str,
    /// Who takes part: names in the legend and specs.
    pub agents: &'static [(&'static str, &'static str)],
    /// From left to right in the figure, and from bottom to top: what, and in which unit. Where boards are shown:
    /// what differs between them, and what is on them.
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
    /// How deep searches come in so many seconds.
    DepthInTime(&'static [Group]),
    /// A number of a search so many plies deep.
    ToDepth(Stat, &'static [Group]),
    /// What a search says a position is worth, the longer it looks.
    Value(Against, &'static [Group]),
    /// What two agents say of every position of a game.
    SameLine,
    /// What it saves to know the value of the root.
    KnownValue,
    /// What more threads are good for.
    Speedup,
    /// What a tree costs, the larger it grows, in these games.
    Growing(Asked, &'static [Grown]),
    /// How long random games take, the larger this parameter of the game, which is the side of its board.
    Playouts(&'static str),
    /// Games a second, the more are played at once: so many for each agent.
    Jobs(&'static [u64]),
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
    /// Evaluations made.
    Evaluations,
    /// Children left out.
    Pruned,
    /// States entered, root and leaves included.
    Nodes,
}

/// What makes a search look longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Against {
    /// More plies.
    Depth,
    /// More seconds.
    Time,
}

/// So many of an experiment's agents share a chart.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// The title of their chart.
    pub title: &'static str,
    /// How many; the last group has all that are left.
    pub agents: usize,
}

impl Experiment {
    /// The plan for this bench.
    pub(crate) fn plan(&self, bench: &Bench<'_>) -> &Plan {
        if bench.is_quick { &self.quick } else { &self.full }
    }

    /// Its agents, chart by chart.
    fn grouped<'a>(
        &'a self,
        groups: &[Group],
    ) -> Vec<(&'static str, &'a [(&'static str, &'static str)])> {
        let mut rest = self.agents;
        let mut grouped = Vec::new();
        for (i, group) in groups.iter().enumerate() {
            let is_last = i + 1 == groups.len();
            let count = if is_last { rest.len() } else { group.agents.min(rest.len()) };
            let (these, others) = rest.split_at(count);
            rest = others;
            if !these.is_empty() {
                grouped.push((group.title, these));
            }
        }
        grouped
    }

    /// About how long it takes.
    pub fn estimate(&self, is_quick: bool) -> Duration {
        struct Weight(u64);
        impl Watch for Weight {
            fn begin(&mut self, _: &str, weight: u64) {
                self.0 = weight;
            }
            fn done(&mut self, _: u64, _: &str) {}
        }
        let mut weight = Weight(0);
        let mut bench = Bench::new(&mut weight);
        bench.is_quick = is_quick;
        // It announces its work and is stopped before it does any.
        bench.stop.stop();
        let _ = self.run(&mut bench);
        Duration::from_millis(weight.0)
    }

    /// Carries it out.
    ///
    /// # Errors
    /// If a measurement fails or the work was stopped.
    pub fn run(&self, bench: &mut Bench<'_>) -> Result<Finding, LabError> {
        let mut finding = match self.measure {
            Measure::DepthInTime(groups) => time::run(self, groups, bench),
            Measure::ToDepth(stat, groups) => depth::run(self, stat, groups, bench),
            Measure::Value(against, groups) => value::run(self, against, groups, bench),
            Measure::SameLine => line::run(self, bench),
            Measure::KnownValue => known::run(self, bench),
            Measure::Speedup => speedup::run(self, bench),
            Measure::Growing(asked, games) => growing::run(self, asked, games, bench),
            Measure::Playouts(param) => sizes::run(self, param, bench),
            Measure::Jobs(games) => jobs::run(self, games, bench),
            Measure::Spread => spread::run(self, bench),
            Measure::Visits(moves) => visits::run(self, moves, bench),
            Measure::Contest(contest) => contest::run(self, &contest, bench),
            Measure::Rollouts(rollouts) => rollouts::run(self, &rollouts, bench),
            Measure::Regret(regret) => regret::run(self, &regret, bench),
        }?;
        finding.reading.extend(bench.busy_warning());
        Ok(finding)
    }
}

/// The experiment of this name.
///
/// # Errors
/// If there is none; the message lists those there are.
pub fn experiment(name: &str) -> Result<&'static Experiment, LabError> {
    let found = EXPERIMENTS.iter().find(|experiment| experiment.name == name);
    let names = EXPERIMENTS.iter().map(|experiment| experiment.name);
    found.ok_or_else(|| unknown("experiment", name, names))
}
