//! `tussle experiment`

use std::path::PathBuf;

use clap::Args;
use tussle_core::format::rough_duration;
use tussle_lab::{EXPERIMENTS, ExperimentContext, Finding, LabError, experiment};

use crate::failure::Failure;
use crate::interrupt::stop_flag_saying;
use crate::lab::LabProgress;
use crate::layout::Table;
use crate::output;

/// Run an experiment about searches: a figure, its numbers and a few sentences
///
/// Without a name, list the experiments; `all` runs all of them. With `--out`, the folder gets NAME.svg,
/// NAME.png, NAME.csv, NAME.json and NAME.md, and all measurements: the same command resumes an interrupted
/// run. Without `--quick` an experiment may take hours; the progress bar shows how long.
///
/// Examples:
///   tussle experiment
///   tussle experiment leaves-vs-depth --quick --out figures
///   tussle experiment all --quick --out figures
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Experiment {
    /// Name of an experiment, or `all`
    name: Option<String>,
    /// Measure less: minutes instead of hours
    #[arg(long)]
    quick: bool,
    /// Folder for figures, numbers and measurements
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Seed of all random choices
    #[arg(long, default_value_t = 1, requires = "name")]
    seed: u64,
    /// Number of games played in parallel
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..), requires = "name")]
    jobs: u16,
    /// Print one JSON document with the numbers
    #[arg(long)]
    json: bool,
}

impl Experiment {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let Some(name) = &self.name else {
            // These options need an experiment name.
            if self.quick || self.out.is_some() {
                return Err(Failure::Usage(
                    "--quick and --out need the name of an experiment, or `all`; `tussle experiment` lists them"
                        .to_owned(),
                ));
            }
            return self.list();
        };
        let chosen = match name.as_str() {
            "all" => EXPERIMENTS.iter().collect(),
            name => vec![experiment(name)?],
        };
        let mut progress = LabProgress::default();
        let mut bench = match &self.out {
            Some(folder) => ExperimentContext::with_folder(folder, &mut progress)?,
            None => ExperimentContext::new(&mut progress),
        };
        bench.is_quick = self.quick;
        bench.seed = self.seed;
        bench.jobs = self.jobs.into();
        let again = match &self.out {
            Some(_) => "to resume, run the same command again",
            None => "the measurements are lost; keep them with --out DIR",
        };
        bench.stop = stop_flag_saying(
            "finishing the current measurement; press Ctrl-C again to stop at once".to_owned(),
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
                output::report(&text(&finding, &written))?;
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
        let mut table = Table::new(["experiment", "question", "--quick", "full"]);
        for experiment in EXPERIMENTS {
            let [quick, full] =
                [true, false].map(|quick| rough_duration(experiment.estimate(quick)));
            table.add_row([experiment.name, experiment.question, &quick, &full]);
        }
        output::print(&table.text())
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
