//! Experiments: questions about searches that are answered by a figure.

mod contest;
mod depth;
mod growing;
mod jobs;
mod known;
mod line;
mod list;
mod parallel;
mod regret;
mod rollouts;
mod sizes;
mod speedup;
mod spread;
mod time;
mod value;
mod visits;

#[cfg(test)]
mod sampling_tests;
#[cfg(test)]
mod tests;

use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use tussle_catalog::AnyGame;
use tussle_view::Figure;

use crate::table::Table;
use crate::unknown::unknown;
use crate::{ExperimentContext as Context, Finding, LabError, ProgressObserver, Result};

pub use list::EXPERIMENTS;

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

/// Experiment, as the list declares it.
#[derive(Debug)]
pub struct Experiment {
    /// Name on the command line.
    pub name: &'static str,
    /// Question that it answers.
    pub question: &'static str,
    /// Spec of the game, or of several games, separated by commas and spaces.
    pub game: &'static str,
    /// Names of the agents in the legend, and their specs. `{x}` in a spec is the swept parameter.
    pub agents: &'static [(&'static str, &'static str)],
    /// Labels of the x axis, which has the swept parameter, and of the y axis, with units. For boards: labels of
    /// the differences between boards, and of their contents.
    pub axes: [&'static str; 2],
    /// Kind of measurement.
    pub(crate) kind: &'static dyn AnyKind,
    /// Plan of minutes.
    pub(crate) quick: Plan,
    /// Plan of minutes to hours.
    pub(crate) full: Plan,
}

/// Amount of work of an experiment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// Values of the swept parameter: depths, seconds, nodes or constants.
    pub(crate) points: &'static [f64],
    /// Number of positions, games or runs per point.
    pub(crate) repeats: u32,
}

/// Kind of experiment, as its steps.
pub(crate) trait Kind: Debug + Sync {
    /// Row of the table: the measurements of one point.
    type Row: Serialize + Default;

    /// Announces the work, and measures.
    fn measure(&self, experiment: &Experiment, context: &mut Context<'_>)
    -> Result<Vec<Self::Row>>;

    /// Draws the rows.
    fn figure(&self, experiment: &Experiment, rows: &[Self::Row]) -> Result<Figure>;

    /// Computes sentences from the rows.
    fn sentences(&self, experiment: &Experiment, rows: &[Self::Row]) -> Vec<String>;
}

/// [`Kind`] with any type of rows.
pub(crate) trait AnyKind: Debug + Sync {
    fn run(&self, experiment: &Experiment, context: &mut Context<'_>) -> Result<Finding>;
}

impl<K: Kind> AnyKind for K {
    fn run(&self, experiment: &Experiment, context: &mut Context<'_>) -> Result<Finding> {
        let rows = self.measure(experiment, context)?;
        let mut reading = self.sentences(experiment, &rows);
        reading.extend(context.busy_warning());
        Ok(Finding {
            name: experiment.name.to_owned(),
            question: experiment.question.to_owned(),
            figure: self.figure(experiment, &rows)?,
            table: Table::of(&rows, experiment.axes[0])?,
            reading,
        })
    }
}

/// Agents of an experiment that share a chart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    /// Title of the chart.
    pub(crate) title: &'static str,
    /// Number of agents; the last group has all that are left.
    pub(crate) agents: usize,
}

/// All agents in one chart.
const ALL: &[Group] = &[Group { title: "", agents: usize::MAX }];

/// Agent of an experiment.
#[derive(Clone, Copy, Debug)]
struct Player {
    group: &'static str,
    name: &'static str,
    spec: &'static str,
}

impl Experiment {
    fn plan(&self, context: &Context<'_>) -> &Plan {
        if context.is_quick { &self.quick } else { &self.full }
    }

    fn game(&self) -> Result<Arc<dyn AnyGame>> {
        Ok(tussle_catalog::game(self.game)?)
    }

    /// Returns the agents with the titles of their groups.
    fn players(&self, groups: &'static [Group]) -> impl Iterator<Item = Player> {
        let titles = groups.iter().enumerate().flat_map(|(i, group)| {
            let is_last = i + 1 == groups.len();
            std::iter::repeat_n(group.title, if is_last { usize::MAX } else { group.agents })
        });
        let agents = self.agents.iter();
        titles.zip(agents).map(|(group, &(name, spec))| Player { group, name, spec })
    }

    /// Returns an estimate of the time that it takes.
    pub fn estimate(&self, is_quick: bool) -> Duration {
        struct Weight(u64);
        impl ProgressObserver for Weight {
            fn begin(&mut self, _: &str, weight: u64) {
                self.0 = weight;
            }
            fn done(&mut self, _: u64, _: &str) {}
        }
        let mut weight = Weight(0);
        let mut context = Context::new(&mut weight);
        context.is_quick = is_quick;
        // The experiment announces its work, and ends at its first measurement.
        context.stop.stop();
        let _ = self.run(&mut context);
        Duration::from_millis(weight.0)
    }

    /// Carries it out.
    ///
    /// # Errors
    /// If a measurement fails or the work was stopped.
    pub fn run(&self, context: &mut Context<'_>) -> Result<Finding, LabError> {
        self.kind.run(self, context)
    }
}

/// Returns the experiment of this name.
///
/// # Errors
/// If there is none; the message lists the names.
pub fn experiment(name: &str) -> Result<&'static Experiment, LabError> {
    let found = EXPERIMENTS.iter().find(|experiment| experiment.name == name);
    let names = EXPERIMENTS.iter().map(|experiment| experiment.name);
    found.ok_or_else(|| unknown("experiment", name, names))
}
