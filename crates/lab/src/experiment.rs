//! Experiments: questions about searches that are answered by a figure.

mod contest;
mod depth;
mod error;
mod growing;
mod jobs;
mod known;
mod line;
mod list;
mod options;
mod parallel;
mod regret;
mod rollouts;
mod setup;
mod sizes;
mod speedup;
mod spread;
mod swept;
mod time;
mod value;
mod visits;

#[cfg(test)]
mod own_tests;
#[cfg(test)]
mod sampling_tests;
#[cfg(test)]
mod tests;

use std::fmt::Debug;
use std::time::Duration;

use serde::Serialize;
use tussle_catalog::AnyGame;
use tussle_view::Figure;

use crate::table::Table;
use crate::unknown::unknown;
use crate::{ExperimentContext as Context, Finding, LabError, ProgressObserver, Result};

pub use error::ExperimentError;
pub use list::EXPERIMENTS;
pub use options::{AgentOption, ExperimentOptions, StartOption, SweepRange};

use setup::{KindFacts, Player, Setup, StartSupport};
use swept::Swept;

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

    /// Returns the groups of the list's agents.
    fn groups(&self) -> &'static [Group] {
        ALL
    }

    /// Returns the swept parameter.
    fn swept(&self) -> Swept;

    /// Returns the positions in which searches can begin.
    fn start(&self) -> StartSupport;

    /// Returns agents for a game that none of the list's agents plays.
    fn fallback(_: &dyn AnyGame) -> Vec<Player>
    where
        Self: Sized,
    {
        Vec::new()
    }

    /// Checks that the question has a meaning for the user's choices, and completes them. Not called for the experiment as
    /// the list has it.
    fn adapt(&self, setup: &mut Setup) -> Result<()>;

    /// Announces the work, and measures.
    fn measure(&self, setup: &Setup, context: &mut Context<'_>) -> Result<Vec<Self::Row>>;

    /// Draws the rows.
    fn figure(&self, setup: &Setup, rows: &[Self::Row]) -> Result<Figure>;

    /// Computes sentences from the rows.
    fn sentences(&self, setup: &Setup, rows: &[Self::Row]) -> Vec<String>;
}

/// [`Kind`] with any type of rows.
pub(crate) trait AnyKind: Debug + Sync {
    fn run(
        &self,
        experiment: &Experiment,
        options: ExperimentOptions,
        context: &mut Context<'_>,
    ) -> Result<Finding>;

    /// Returns the setup as the list has it.
    #[cfg(test)]
    fn setup(&self, experiment: &Experiment, context: &Context<'_>) -> Setup;
}

fn facts<K: Kind>(kind: &K) -> KindFacts {
    let (groups, swept, start) = (kind.groups(), kind.swept(), kind.start());
    KindFacts { groups, swept, start, fallback: K::fallback }
}

impl<K: Kind> AnyKind for K {
    fn run(
        &self,
        experiment: &Experiment,
        options: ExperimentOptions,
        context: &mut Context<'_>,
    ) -> Result<Finding> {
        let facts = facts(self);
        let mut setup = Setup::listed(experiment, &facts, context);
        if !options.is_empty() {
            setup.choose(&facts, options)?;
            self.adapt(&mut setup)?;
        }
        let rows = self.measure(&setup, context)?;
        let mut reading = self.sentences(&setup, &rows);
        reading.extend(setup.description());
        reading.extend(context.busy_warning());
        Ok(Finding {
            name: setup.name.to_owned(),
            question: setup.question.clone(),
            figure: self.figure(&setup, &rows)?,
            table: Table::of(&rows, &setup.axes[0])?,
            reading,
        })
    }

    #[cfg(test)]
    fn setup(&self, experiment: &Experiment, context: &Context<'_>) -> Setup {
        Setup::listed(experiment, &facts(self), context)
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

impl Experiment {
    fn plan(&self, context: &Context<'_>) -> &Plan {
        if context.is_quick { &self.quick } else { &self.full }
    }

    /// Returns the agents with the titles of their groups.
    fn players(&self, groups: &'static [Group]) -> Vec<Player> {
        let titles = groups.iter().enumerate().flat_map(|(i, group)| {
            let is_last = i + 1 == groups.len();
            std::iter::repeat_n(group.title, if is_last { usize::MAX } else { group.agents })
        });
        let agents = self.agents.iter().enumerate();
        let player = |(group, (place, &(name, spec))): (&str, (usize, &(&str, &str)))| Player {
            group: group.to_owned(),
            place,
            ..Player::new(name, spec)
        };
        titles.zip(agents).map(player).collect()
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
        self.run_with(ExperimentOptions::default(), context)
    }

    /// Carries it out on the user's game, agents, values and positions.
    ///
    /// # Errors
    /// If the question has no meaning for these choices, a measurement fails or the work was stopped.
    pub fn run_with(
        &self,
        options: ExperimentOptions,
        context: &mut Context<'_>,
    ) -> Result<Finding, LabError> {
        self.kind.run(self, options, context)
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
