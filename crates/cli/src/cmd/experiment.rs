//! `tussle experiment`

use std::path::PathBuf;

use clap::Args;
use tussle_catalog::Catalog;
use tussle_core::format::rough_duration;
use tussle_engine::Programs;
use tussle_lab::{
    AgentOption, EXPERIMENTS, ExperimentContext, ExperimentOptions, Finding, LabError, StartOption,
    SweepRange, experiment,
};

use crate::args::StartPosition;
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
/// With `--game` and `--agent`, the experiment asks the same question about your game and your agents. An
/// error says if the question has no meaning for them. `tussle docs experiments` has a table of the options.
///
/// Examples:
///   tussle experiment
///   tussle experiment leaves-vs-depth --quick --out figures
///   tussle experiment all --quick --out figures
///   tussle experiment depth-vs-time --game connect4 --agent "json:python3 mine.py" --agent ids --range 0.05,0.1,0.2
///   tussle experiment visits-heatmap --game gobblet --agent mcts
///   tussle experiment c-sweep --game connect4 --agent "mcts-textbook:nodes=500,c={x}" --range 0.2..2
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Experiment {
    /// Name of an experiment, or `all`
    name: Option<String>,
    /// Game spec, name[:key=value,…], instead of the experiment's game
    #[arg(long, value_name = "GAME", requires = "name")]
    game: Option<String>,
    /// Agent spec, or a program: json:COMMAND, ugi:COMMAND, gtp:COMMAND; NAME=SPEC gives it a name in the
    /// legend. `{x}` in a spec is the swept parameter. Repeat the option for several agents
    #[arg(long = "agent", value_name = "AGENT", requires = "name")]
    agents: Vec<AgentOption>,
    /// Values of the swept parameter (seconds, plies, nodes, c, threads, sizes): a,b,c or low..high
    #[arg(long, value_name = "VALUES", requires = "name", allow_hyphen_values = true)]
    range: Option<SweepRange>,
    /// Number of random positions in which the searches begin
    #[arg(long, value_name = "N", requires = "name", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    positions: Option<u32>,
    #[command(flatten)]
    from: StartPosition,
    /// Number of runs, games or positions per value
    #[arg(long, value_name = "N", requires = "name", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    repeats: Option<u32>,
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
    pub(crate) fn run(&self, catalog: &Catalog, programs: &Programs) -> Result<(), Failure> {
        let Some(name) = &self.name else {
            if self.from.is_given() {
                return Err(Failure::usage(
                    "--position, --sgf and --moves need the name of an experiment; `tussle experiment` lists them",
                ));
            }
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
        if chosen.len() > 1 && !self.options(chosen[0], catalog)?.is_empty() {
            return Err(Failure::usage(
                "all: --game, --agent, --range, --repeats and positions belong to one experiment; give its name",
            ));
        }
        let mut progress = LabProgress::default();
        let mut bench = match &self.out {
            Some(folder) => ExperimentContext::with_folder(folder, &mut progress)?,
            None => ExperimentContext::new(&mut progress),
        };
        bench.catalog = catalog.clone();
        bench.programs = programs.clone();
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
            let options = self.options(experiment, catalog)?;
            let finding =
                experiment.run_with(options, &mut bench).map_err(|error| match error {
                    LabError::Stopped => {
                        Failure::Failed(format!("stopped before the end; {again}"))
                    }
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

    /// Returns the user's choices for an experiment.
    fn options(
        &self,
        experiment: &tussle_lab::Experiment,
        catalog: &Catalog,
    ) -> Result<ExperimentOptions, Failure> {
        let mut game = self.game.clone();
        let start = match self.positions {
            Some(_) if self.from.is_given() => {
                return Err(Failure::usage(
                    "--positions: expected either a number of random positions or one position (--position, --sgf, \
                     --moves); leave one of them out",
                ));
            }
            Some(count) => StartOption::Random(count),
            None if self.from.is_given() => {
                let of = game.as_deref().unwrap_or(experiment.game);
                let of = of.split(", ").next().unwrap_or_default();
                let (rules, position) = self.from.open(catalog, of)?;
                // A record sets the rules of its game.
                game = game.map(|_| rules.spec().to_owned());
                StartOption::Given(position)
            }
            None => StartOption::Usual,
        };
        let (agents, range, repeats) = (self.agents.clone(), self.range.clone(), self.repeats);
        Ok(ExperimentOptions { game, agents, range, start, repeats })
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
