//! `tussle experiment`

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use tussle_lab::{EXPERIMENTS, ExperimentContext, Finding, LabError, experiment};

use crate::failure::Failure;
use crate::interrupt::stop_flag_saying;
use crate::lab::Shown;
use crate::output;

/// Answer a question about searches by a figure, its numbers and a few sentences
///
/// Without a name, the experiments are listed; `all` carries out every one. With `--out`, the folder gets
/// NAME.svg, NAME.png, NAME.csv, NAME.json and NAME.md, and remembers every measurement: the same command goes
/// on where it was stopped. Without `--quick` an experiment may take hours; the bar says how long.
///
/// Examples:
///   tussle experiment
///   tussle experiment leaves-vs-depth --quick --out figures
///   tussle experiment all --quick --out figures
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Experiment {
    /// Which experiment, or `all`.
    name: Option<String>,
    /// Measure less: minutes instead of hours.
    #[arg(long)]
    quick: bool,
    /// The folder for figures, numbers and all measurements.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Seed of everything random.
    #[arg(long, default_value_t = 1, requires = "name")]
    seed: u64,
    /// How many games at once, where games are played.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..), requires = "name")]
    jobs: u16,
    /// One JSON document with the numbers.
    #[arg(long)]
    json: bool,
}

impl Experiment {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let Some(name) = &self.name else {
            // Who says how to carry it out wants more than a list.
            if self.quick || self.out.is_some() {
                return Err(Failure::Usage(
                    "which experiment? Name one, or `all`; `tussle experiment` lists them"
                        .to_owned(),
                ));
            }
            return self.list();
        };
        let chosen = match name.as_str() {
            "all" => EXPERIMENTS.iter().collect(),
            name => vec![experiment(name)?],
        };
        let mut shown = Shown::default();
        let mut bench = match &self.out {
            Some(folder) => ExperimentContext::with_folder(folder, &mut shown)?,
            None => ExperimentContext::new(&mut shown),
        };
        bench.is_quick = self.quick;
        bench.seed = self.seed;
        bench.jobs = self.jobs.into();
        let again = match &self.out {
            Some(_) => "the same command goes on from here",
            None => "nothing is kept; --out DIR would keep it",
        };
        bench.stop = stop_flag_saying(
            "finishing the current measurement; Ctrl-C once more stops at once".to_owned(),
            again.to_owned(),
        );
        let mut findings = Vec::new();
        for experiment in chosen {
            let finding = experiment.run(&mut bench).map_err(|error| match error {
                LabError::Stopped => Failure::Failed(format!("stopped before the end; {again}")),
                error => error.into(),
            })?;
            let written = match &self.out {
                Some(folder) => finding.write(folder)?,
                None => Vec::new(),
            };
            if !self.json {
                output::print(&text(&finding, &written))?;
            }
            findings.push(finding);
        }
        if self.json {
            let documents: Vec<_> = findings.iter().map(Finding::json).collect();
            match documents.as_slice() {
                [one] => output::json(one)?,
                all => output::json(&all)?,
            }
        }
        Ok(())
    }

    fn list(&self) -> Result<(), Failure> {
        if self.json {
            let all: Vec<_> = EXPERIMENTS
                .iter()
                .map(|experiment| {
                    serde_json::json!({
                        "name": experiment.name,
                        "question": experiment.question,
                        "game": experiment.game,
                        "agents": experiment.agents.iter().map(|agent| agent.1).collect::<Vec<_>>(),
                        "axes": experiment.axes,
                        "seconds": {
                            "quick": experiment.estimate(true).as_secs(),
                            "full": experiment.estimate(false).as_secs(),
                        },
                    })
                })
                .collect();
            return output::json(&all);
        }
        let mut table = crate::table::new(["experiment", "question", "--quick", "full"]);
        for experiment in EXPERIMENTS {
            let [quick, full] = [true, false].map(|quick| about(experiment.estimate(quick)));
            table.add_row([experiment.name, experiment.question, &quick, &full]);
        }
        output::print(&crate::table::text(&table))
    }
}

/// A time as a rough guess should be told.
fn about(time: Duration) -> String {
    match time.as_secs() {
        seconds @ ..60 => format!("{} s", seconds.max(1)),
        seconds @ ..5400 => format!("{} min", seconds.div_ceil(60)),
        seconds => format!("{} h", seconds.div_ceil(3600)),
    }
}

fn text(finding: &Finding, written: &[PathBuf]) -> String {
    let mut text = format!("{}: {}\n\n", finding.name, finding.question);
    for sentence in &finding.reading {
        text += sentence;
        text += "\n";
    }
    if let [first, ..] = written {
        text += &format!("\nfigure and numbers: {}\n", first.with_extension("*").display());
    }
    text + "\n"
}
