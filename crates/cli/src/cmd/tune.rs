//! `tussle tune`

use std::path::PathBuf;
use std::thread::available_parallelism;

use clap::Args;
use tussle_arena::{TournamentPatch, TournamentSpec};
use tussle_catalog::Catalog;
use tussle_catalog::text::counted;
use tussle_core::{TimeControl, parse_bytes};
use tussle_engine::Programs;
use tussle_lab::LabError;
use tussle_lab::tune::{Parameter, Tuning, TuningContext, TuningEvent, TuningResult};

use crate::failure::{Failure, visible};
use crate::interrupt::stop_flag_saying;
use crate::layout::{self, Table};
use crate::output;
use crate::progress::Progress;

/// Length of random openings unless an option gives another one.
const DEFAULT_OPENING_PLIES: u32 = 4;
/// Maximum number of values in the printed table.
const MAX_PRINTED_VALUES: usize = 9;

/// Find good values of an agent's parameters
///
/// A parameter is a range of numbers, key=low..high, or a list of words, key=a|b|c. Whole ends give whole numbers,
/// unless the agent's key takes real numbers. A range of positive numbers has a logarithmic scale if its ends differ by
/// a factor of 10 or more.
///
/// Candidates play pairs of games against the agent as given. A model of the strength, fitted after each round,
/// chooses the next candidates. Then the best values play fresh games against the agent as given: only these games
/// show the gain without bias.
///
/// A program takes values in placeholders of its command: {key}, or {key=VALUE} with its present value.
///
/// Games, figure and numbers are kept in a folder. The same command resumes an interrupted run, also after `kill -9`;
/// a larger --games continues a finished one.
///
/// Examples:
///   tussle tune connect4 mcts c=0.1..2 --games 400 --nodes 1000
///   tussle tune go:size=5 mcts c=0.1..2 "rollout=random|heavy" --nodes 500
///   tussle tune connect4 "json:python3 mine.py --depth {depth=4}" depth=2..6 \
///       --clock 1s --games 100
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Tune {
    /// Spec of a game of two players
    game: String,
    /// Spec of the agent or program, with the values to compare with
    agent: String,
    /// Parameters to tune: key=low..high or key=a|b|c
    #[arg(value_name = "KEY=VALUES", required = true)]
    parameters: Vec<Parameter>,
    /// Number of games of the search
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u64).range(2..))]
    games: u64,
    /// Number of fresh games of the best values against the agent as given; 0 for none [default: as --games]
    #[arg(long, value_name = "N")]
    verify: Option<u64>,
    /// Time control: `2s` per move, `15s+1s` for the game plus an increment per move, or `30s/2s` for the
    /// first move and for each later one [default: 2s]
    #[arg(long, value_name = "CLOCK")]
    clock: Option<TimeControl>,
    /// Nodes per move. Without `--clock` a move may then take a minute
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Plies per move. Without `--clock` a move may then take a minute
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Memory of each player, such as `500MB`
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    memory: Option<u64>,
    /// Number of random moves that begin each pair of games, the same in both [default: 4]
    #[arg(long, value_name = "N", conflicts_with = "openings")]
    opening_plies: Option<u32>,
    /// File whose lines begin the pairs in turn: moves, or a position
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Seed of all random choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Number of games played in parallel; with `--nodes` or `--depth` it does not affect the result
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: u16,
    /// Folder for games, figure and numbers
    #[arg(long, value_name = "DIR", default_value = "tuning")]
    out: PathBuf,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

impl Tune {
    pub(crate) fn run(&self, catalog: &Catalog, programs: &Programs) -> Result<(), Failure> {
        let games = [self.games, self.verify.unwrap_or(self.games)];
        let spec = self.spec()?;
        let tuning = Tuning::new(spec, self.parameters.clone(), games, catalog);
        let tuning = tuning.map_err(Failure::usage)?;
        self.announce(&tuning);
        std::fs::create_dir_all(&self.out).map_err(|e| Failure::cannot_write(&self.out, &e))?;
        let figure = self.out.join(tuning.name()).with_extension("svg");
        output::check_writable(&figure)?;

        let folder = self.out.display();
        let again =
            format!("finished games are kept in {folder}; to resume, run the same command again");
        let first = "finishing the current games; press Ctrl-C again to stop at once";
        let stop = stop_flag_saying(first.to_owned(), again.clone());
        let mut progress = Progress::new("games", 2 * self.games);
        let mut observer = |event: TuningEvent<'_>| show(&mut progress, &event);
        let mut context = TuningContext {
            catalog,
            guard: &programs.guard,
            jobs: self.jobs.into(),
            stop,
            folder: Some(self.out.clone()),
            observer: &mut observer,
        };
        let result = tuning.run(&mut context);
        drop(progress);
        let result = result.map_err(|error| match error {
            LabError::Stopped => Failure::Failed(format!("stopped before the end; {again}")),
            error => error.into(),
        })?;
        let written = result.write(&self.out)?;
        if self.json {
            return output::json(&result);
        }
        let mut text = text(&result);
        if let [first, ..] = written.as_slice() {
            text += &format!("\nfigure and numbers: {}\n", first.with_extension("*").display());
        }
        output::report(&text)
    }

    /// Returns the conditions of the games, with the agent as given.
    fn spec(&self) -> Result<TournamentSpec, Failure> {
        let random = self.openings.is_none().then_some(DEFAULT_OPENING_PLIES);
        let given = TournamentPatch {
            clock: self.clock,
            nodes: self.nodes,
            depth: self.depth,
            memory: self.memory,
            opening_plies: self.opening_plies.or(random),
            openings: self.openings.clone(),
            seed: Some(self.seed),
            ..TournamentPatch::default()
        };
        let named = TournamentPatch::between(&self.game, std::slice::from_ref(&self.agent));
        let spec = named.overlaid(given).into_spec().map_err(Failure::usage)?;
        match spec.games.as_slice() {
            [_] => Ok(spec),
            _ => Err(Failure::usage(format!(
                "{}: expected one game, found {}; leave the range out",
                self.game,
                spec.games.len()
            ))),
        }
    }

    fn announce(&self, tuning: &Tuning) {
        let cores = available_parallelism().map_or(1, usize::from);
        if usize::from(self.jobs) > cores {
            eprintln!(
                "note: --jobs {} on {}: players will wait for a processor",
                self.jobs,
                counted(cores as u64, "core")
            );
        }
        if self.json {
            return;
        }
        let [games, fresh] = tuning.games();
        let line = format!(
            "{}: {} against {}, {} and {} of verification, seed {}, in {}",
            self.game,
            self.parameters.iter().map(|one| one.key.as_str()).collect::<Vec<_>>().join(", "),
            visible(tuning.start_spec()),
            counted(games, "game"),
            fresh,
            self.seed,
            self.out.display()
        );
        eprintln!("{}", layout::fit_in(&line, layout::stderr_width()));
    }
}

/// Shows an event on the progress line.
fn show(progress: &mut Progress, event: &TuningEvent<'_>) {
    match event {
        TuningEvent::Total(games) => progress.set_total(*games),
        TuningEvent::Known(0) => {}
        TuningEvent::Known(games) => progress.skip(*games),
        TuningEvent::Finished => progress.step(),
        TuningEvent::Line(line) => progress.line(&visible(line)),
        TuningEvent::Best(values, share) => {
            progress.tell(format!("best {} ({:.0} %)", visible(values), 100.0 * share));
        }
        _ => {}
    }
}

/// Returns the sentences, and the estimated shares as tables.
fn text(result: &TuningResult) -> String {
    let mut text = String::new();
    for sentence in &result.reading {
        text += sentence;
        text.push('\n');
    }
    for parameter in &result.parameters {
        let mut table = Table::new([parameter.key.as_str(), "share", "95 % interval", ""]);
        let curve = &parameter.curve;
        let step = (curve.len() - 1).div_ceil(MAX_PRINTED_VALUES - 1).max(1);
        for (i, at) in curve.iter().enumerate() {
            let is_best = at.value == parameter.best;
            if i % step != 0 && i + 1 != curve.len() && !is_best {
                continue;
            }
            let percent = |share: f64| format!("{:.0} %", 100.0 * share);
            let interval = format!("{:.0} to {}", 100.0 * at.low, percent(at.high));
            let note = if is_best { "best" } else { "" };
            table.add_row([&at.value, &percent(at.share), &interval, note]);
        }
        text.push('\n');
        text += &table.text();
    }
    text
}
