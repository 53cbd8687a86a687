//! Experiments with sampling searches and matches, on tiny plans.

use std::path::{Path, PathBuf};

use tussle_core::StopFlag;
use tussle_view::Theme;

use super::{Experiment, Plan, experiment};
use crate::{ExperimentContext, Finding, LabError, ProgressObserver};

/// Adds up what it is observer, and stops the work after a while.
struct Observer {
    begun: u64,
    done: u64,
    /// Number of measurements before the work is stopped.
    patience: u32,
    stop: StopFlag,
}

impl Observer {
    fn patient() -> Self {
        Self { begun: 0, done: 0, patience: u32::MAX, stop: StopFlag::default() }
    }
}

impl ProgressObserver for Observer {
    fn begin(&mut self, _: &str, weight: u64) {
        assert_eq!(self.begun, 0, "work begins once");
        self.begun = weight;
    }

    fn done(&mut self, weight: u64, _: &str) {
        self.done += weight;
        self.patience = self.patience.saturating_sub(1);
        if self.patience == 0 {
            self.stop.stop();
        }
    }
}

/// The experiment of the table with another plan.
fn tiny(name: &str, points: &'static [f64], repeats: u32) -> Experiment {
    Experiment { quick: Plan { points, repeats }, ..*experiment(name).unwrap() }
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("tussle-lab-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

fn run(
    experiment: &Experiment,
    folder: &Path,
    observer: &mut Observer,
) -> Result<Finding, LabError> {
    let stop = observer.stop.clone();
    let mut context = ExperimentContext::with_folder(folder, observer)?;
    context.stop = stop;
    experiment.run(&mut context)
}

fn assert_same(one: &Finding, other: &Finding) {
    assert_eq!(one.json(), other.json());
    assert_eq!(one.figure.svg(Theme::Light), other.figure.svg(Theme::Light));
}

#[test]
fn finished_measurements_are_not_repeated() {
    for experiment in [
        tiny("visits-vs-c", &[0.1, 1.0], 3),
        tiny("visits-heatmap", &[0.01, 0.02], 1),
        tiny("strength-vs-time", &[0.5, 1.0], 2),
        tiny("c-sweep", &[0.2, 1.0], 2),
        tiny("reuse", &[50.0, 100.0], 2),
        tiny("rollout-policy", &[20.0, 0.5], 2),
        tiny("regret", &[10.0, 100.0], 3),
    ] {
        let folder = folder(experiment.name);
        let mut observer = Observer::patient();
        let first = run(&experiment, &folder, &mut observer).unwrap();
        assert!(!first.reading.is_empty() && !first.table.rows.is_empty(), "{}", experiment.name);
        assert_eq!(observer.done, observer.begun, "{}", experiment.name);
        let columns = &first.table.columns;
        let is_twice = |name| columns.iter().filter(|other| *other == name).count() > 1;
        assert!(!columns.iter().any(is_twice), "{}: {columns:?}", experiment.name);
        let svg = first.figure.svg(Theme::Light);
        for shown in experiment.axes[1].split(", ") {
            assert!(svg.contains(shown), "{}: {shown}", experiment.name);
        }
        // A raised flag allows no new measurement.
        let mut observer = Observer::patient();
        observer.stop.stop();
        let again = run(&experiment, &folder, &mut observer).unwrap();
        assert_eq!(observer.done, observer.begun, "{}", experiment.name);
        assert_same(&first, &again);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}

#[test]
fn a_stopped_run_resumes_to_the_same_result() {
    for experiment in [
        tiny("visits-vs-c", &[0.1, 1.0], 3),
        tiny("reuse", &[50.0, 100.0], 4),
        tiny("regret", &[10.0, 100.0], 6),
    ] {
        let folder = folder(&format!("stopped-{}", experiment.name));
        let mut observer = Observer { patience: 3, ..Observer::patient() };
        let stopped = run(&experiment, &folder, &mut observer);
        assert!(matches!(stopped, Err(LabError::Stopped)), "{}", experiment.name);
        let resumed = run(&experiment, &folder, &mut Observer::patient()).unwrap();
        let mut observer = Observer::patient();
        let straight = experiment.run(&mut ExperimentContext::new(&mut observer)).unwrap();
        assert_same(&resumed, &straight);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}

#[test]
fn another_seed_gives_other_numbers() {
    let experiment = tiny("visits-vs-c", &[0.1, 1.0], 3);
    let rows = [1, 2].map(|seed| {
        let mut observer = Observer::patient();
        let mut context = ExperimentContext::new(&mut observer);
        context.seed = seed;
        experiment.run(&mut context).unwrap().table
    });
    assert_ne!(rows[0], rows[1]);
}

#[test]
fn few_games_give_a_caveat() {
    let experiment = tiny("c-sweep", &[1.0, 2.0], 2);
    let mut observer = Observer::patient();
    let finding = experiment.run(&mut ExperimentContext::new(&mut observer)).unwrap();
    assert!(finding.reading.iter().any(|sentence| sentence.contains("too few games to tell")));
}

#[test]
fn every_budget_is_measured_for_itself() {
    let agents = &[("alphabeta", "alphabeta:tt=4")];
    let experiment = Experiment { agents, ..tiny("regret", &[10.0, 1e7], 20) };
    let mut observer = Observer::patient();
    let finding = experiment.run(&mut ExperimentContext::new(&mut observer)).unwrap();
    let shares: Vec<f64> =
        finding.table.rows.iter().map(|row| row[2].as_f64().unwrap_or(f64::NAN)).collect();
    assert!(shares[0] < 1.0 && shares[1] == 1.0, "{shares:?}");
}
