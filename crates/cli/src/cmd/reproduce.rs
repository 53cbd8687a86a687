//! `tussle reproduce`

use std::path::{Path, PathBuf};
use std::thread::available_parallelism;

use clap::Args;
use tussle_lab::{
    ExperimentContext, LabError, REPRODUCTIONS, ReportSettings, Reproduction, ReproductionResult,
    Verdict, page, reproduction,
};

use crate::failure::Failure;
use crate::interrupt::stop_flag_saying;
use crate::lab::Shown;
use crate::output;

mod text;

/// Where a full run keeps its games unless it is told.
const FOLDER: &str = "reproduction";

/// Run published tables and figures again, beside the published numbers
///
/// Each number comes with its sample size, its 95 % interval and a verdict: agrees, differs, or the published
/// sample is too small to tell. Alone, the command lists what there is; a name runs one quickly; `--quick` or
/// `--full` without names runs all. Where moves were limited by time, games are played at the published effort,
/// which is what the verdict is about, and at the published time, of which `--quick` leaves out the most.
///
/// With `--out`, the folder gets report.html and report.json and remembers all games: the same command goes on
/// where it was stopped. `--full` takes hours, says how many, and keeps its games in ./reproduction unless told
/// otherwise.
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
    /// Which ones; all with `--quick` or `--full`.
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Which ones, with commas between them.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    only: Vec<String>,
    /// Minutes: fewer games, and little at the published time.
    #[arg(long, conflicts_with = "full")]
    quick: bool,
    /// Hours: many games, and all at the published time.
    #[arg(long)]
    full: bool,
    /// List what there is, and how long it takes.
    #[arg(long, conflicts_with_all = ["quick", "full", "only", "names", "html", "out"])]
    list: bool,
    /// Write a report page that needs nothing else.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// The folder that remembers all games and measurements.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Seed of everything random.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many games at once [default: one a core, but one alone where a clock runs]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// One JSON document.
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
                let why = format!("{option} needs a name, --quick or --full; see tussle reproduce");
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
        // Nobody should learn after hours that the report cannot be written.
        if let Some(path) = &self.html {
            output::check_writable(path)?;
        }
        let folder = self.out.clone().or_else(|| self.full.then(|| FOLDER.into()));
        let mut shown = Shown::default();
        let mut bench = match &folder {
            Some(folder) => ExperimentContext::with_folder(folder, &mut shown)?,
            None => ExperimentContext::new(&mut shown),
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
                "all that is finished is kept in {}; the same command goes on from there",
                folder.display()
            ),
            None => "nothing is kept; --out DIR would keep it".to_owned(),
        };
        let first = "finishing the games that are played; Ctrl-C once more stops at once";
        bench.stop = stop_flag_saying(first.to_owned(), again.clone());
        let millis = |one: &&Reproduction| one.millis(!self.full, jobs, timed_jobs);
        let estimate = text::duration(chosen.iter().map(millis).sum::<u64>() as f64 / 1000.0);
        let count = chosen.len();
        let number = if count == 1 { "one".to_owned() } else { count.to_string() };
        let kept = folder.as_ref().map_or(String::new(), |f| format!(", kept in {}", f.display()));
        eprintln!("{number} to run again, about {estimate}{kept}");

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
                        output::print(&text::one(&done))?;
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
            // A part must not take the place of a report that is whole.
            return Err(Failure::Failed(format!("stopped before the end; {again}")));
        }
        self.write(&all, &setting, folder.as_deref())
    }

    /// An option that says nothing unless something is run.
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
        output::print(&text::summary(all, &pages))
    }
}
