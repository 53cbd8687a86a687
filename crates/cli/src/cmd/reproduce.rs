//! `tussle reproduce`

use std::path::{Path, PathBuf};
use std::thread::available_parallelism;
use std::time::Duration;

use clap::Args;
use tussle_catalog::text::counted;
use tussle_core::format::rough_duration;
use tussle_lab::{
    ExperimentContext, LabError, REPRODUCTIONS, ReportSettings, Reproduction, ReproductionResult,
    Verdict, page, reproduction,
};

use crate::failure::Failure;
use crate::interrupt::stop_flag_saying;
use crate::lab::LabProgress;
use crate::output;

mod text;

/// Default folder for the games of a full run.
const DEFAULT_FOLDER: &str = "reproduction";

/// Reproduce published tables and figures, and compare the numbers
///
/// Each number has its sample size, its 95 % interval and a verdict: agrees, differs, or the published sample
/// is too small to tell. Without arguments, list the reproductions. A name runs one of them quickly; `--quick` or
/// `--full` without names runs all.
///
/// Where the published moves were limited by time, games are played with the published effort, which decides the
/// verdict, and with the published time, for which `--quick` plays fewer games.
///
/// With `--out`, the folder gets report.html, report.json and all games: the same command resumes an interrupted
/// run. `--full` takes hours, prints an estimate, and keeps its games in ./reproduction by default.
///
/// Examples:
///   tussle reproduce
///   tussle reproduce gobblet
///   tussle reproduce --quick --html report.html
///   tussle reproduce --full --only go-mcts,pentago-c --out reproduction
#[derive(Args)]
#[command(verbatim_doc_comment)]
#[expect(clippy::struct_excessive_bools, reason = "switches of a command line")]
pub(crate) struct Reproduce {
    /// Names of reproductions [default with `--quick` or `--full`: all]
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Names of reproductions, separated by commas
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    only: Vec<String>,
    /// Minutes: fewer games, and few at the published time
    #[arg(long, conflicts_with = "full")]
    quick: bool,
    /// Hours: many games, and all at the published time
    #[arg(long)]
    full: bool,
    /// List the reproductions with their estimated time
    #[arg(long, conflicts_with_all = ["quick", "full", "only", "names", "html", "out"])]
    list: bool,
    /// HTML file for a report without external files
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Folder for the report, all games and measurements
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Seed of all random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of games played in parallel [default: number of cores; 1 for games with a clock]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

impl Reproduce {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let cores = available_parallelism().map_or(1, std::num::NonZero::get);
        let jobs = self.jobs.map_or(cores, usize::from);
        let timed_jobs = self.jobs.map_or(1, usize::from);
        let names: Vec<&String> = self.names.iter().chain(&self.only).collect();
        if self.list || (names.is_empty() && !self.quick && !self.full) {
            if let Some(option) = self.option_without_names() {
                let why = format!(
                    "{option} needs a name, --quick or --full; `tussle reproduce` lists the names"
                );
                return Err(Failure::usage(why));
            }
            return text::list(self.json, jobs, timed_jobs);
        }
        let mut chosen: Vec<&'static Reproduction> = Vec::new();
        for name in names {
            let one = reproduction(name)?;
            if !chosen.iter().any(|known| std::ptr::eq(*known, one)) {
                chosen.push(one);
            }
        }
        if chosen.is_empty() {
            chosen = REPRODUCTIONS.iter().collect();
        }
        // Report an output file that cannot be written before the long work.
        if let Some(path) = &self.html {
            output::check_writable(path)?;
        }
        let folder = self.out.clone().or_else(|| self.full.then(|| DEFAULT_FOLDER.into()));
        let mut progress = LabProgress::default();
        let mut bench = match &folder {
            Some(folder) => ExperimentContext::with_folder(folder, &mut progress)?,
            None => ExperimentContext::new(&mut progress),
        };
        if let Some(folder) = &folder {
            output::check_writable(&folder.join("report.html"))?;
            output::check_writable(&folder.join("report.json"))?;
        }
        bench.is_quick = !self.full;
        bench.seed = self.seed;
        bench.jobs = jobs;
        let again = match &folder {
            Some(folder) => format!(
                "finished games are kept in {}; to resume, run the same command again",
                folder.display()
            ),
            None => "the games are lost; keep them with --out DIR".to_owned(),
        };
        let first = "finishing the current games; press Ctrl-C again to stop at once";
        bench.stop = stop_flag_saying(first.to_owned(), again.clone());
        let millis = |one: &&Reproduction| one.millis(!self.full, jobs, timed_jobs);
        let estimate = rough_duration(Duration::from_millis(chosen.iter().map(millis).sum()));
        let count = chosen.len();
        let number = counted(count as u64, "reproduction");
        let kept = folder.as_ref().map_or(String::new(), |f| format!(", kept in {}", f.display()));
        eprintln!("{number}, about {estimate}{kept}");

        let setting = ReportSettings {
            version: env!("CARGO_PKG_VERSION"),
            mode: if self.full { "--full" } else { "--quick" },
            seed: self.seed,
            jobs: [jobs, timed_jobs],
            asked: count,
        };
        let mut all: Vec<ReproductionResult> = Vec::new();
        let mut stopped = false;
        for one in chosen {
            match one.run(&mut bench, timed_jobs) {
                Ok(done) => {
                    if !self.json {
                        output::report(&text::one(&done))?;
                    }
                    all.push(done);
                }
                Err(LabError::Stopped) => {
                    stopped = true;
                    break;
                }
                Err(error) => return Err(error.into()),
            }
        }
        drop(bench);
        if stopped {
            // A partial report must not replace a complete one.
            return Err(Failure::Failed(format!("stopped before the end; {again}")));
        }
        self.write(&all, &setting, folder.as_deref())
    }

    /// Returns an option that has no effect when nothing is run.
    fn option_without_names(&self) -> Option<&'static str> {
        match (&self.html, &self.out) {
            (Some(_), _) => Some("--html"),
            (_, Some(_)) => Some("--out"),
            _ => None,
        }
    }

    fn write(
        &self,
        all: &[ReproductionResult],
        setting: &ReportSettings,
        folder: Option<&Path>,
    ) -> Result<(), Failure> {
        let html = page(all, setting);
        let count = |verdict| all.iter().filter(|one| one.verdict == verdict).count();
        let document = serde_json::json!({
            "version": setting.version,
            "mode": setting.mode.trim_start_matches('-'),
            "seed": setting.seed,
            "asked": setting.asked,
            "agree": count(Verdict::Agrees),
            "differ": count(Verdict::Differs),
            "too_small": count(Verdict::TooSmall),
            "reproductions": all,
        });
        let mut pages: Vec<PathBuf> = self.html.iter().cloned().collect();
        if let Some(folder) = folder {
            pages.push(folder.join("report.html"));
            output::json_file(&folder.join("report.json"), &document)?;
        }
        for path in &pages {
            output::write(path, &html)?;
        }
        if self.json {
            return output::json(&document);
        }
        output::report(&text::summary(all, &pages))
    }
}
