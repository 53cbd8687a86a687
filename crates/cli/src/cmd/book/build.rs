//! `tussle book build`

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use serde::Serialize;
use tussle_catalog::book::{Book, BookEntry, BookLimits, Opening, Recipe, openings};
use tussle_catalog::text::counted;
use tussle_catalog::{AnyGame, Catalog, is_program};
use tussle_core::{Limits, StopFlag, spawn_scoped};
use tussle_engine::{PlayerError, Programs, needs_moves};

use crate::failure::Failure;
use crate::progress::Progress;
use crate::{interrupt, output};

/// Build an opening book from the answers of an agent
///
/// The book has every position that is reached in fewer than N plies, so that N plies can be played from it.
/// Of positions that are reflections of one another, the agent is asked about one. A chance event is a
/// ply. Without a limit, an agent that searches gets 1 s per position; for proven answers, give a depth that no
/// game reaches.
///
/// A program must not depend on earlier positions: each position is a new game with its own seed.
///
/// Ctrl-C keeps the answers so far in a book of their own, FILE.part; the same command resumes there. The
/// same seed and a limit other than time give the same bytes, whatever --jobs is.
///
/// Examples:
///   tussle book build tictactoe --agent minimax --plies 9 --out t.book
///   tussle book build connect4 --agent minimax --plies 4 --depth 6 --out c.book
///   tussle book build gobblet --agent ids --plies 2 --time 5s --out g.book
///   tussle book build tictactoe --agent "json:python3 a.py" --plies 2 --out m.book
#[derive(Args)]
#[command(
    verbatim_doc_comment,
    override_usage = "tussle book build [OPTIONS] --agent SPEC --plies N --out FILE GAME"
)]
pub(super) struct Build {
    /// Game spec, name[:key=value,…]; see `tussle games`
    game: String,
    /// Agent spec, name[:key=value,…], see `tussle agents`; or a program: json:COMMAND, ugi:COMMAND
    #[arg(long, value_name = "SPEC")]
    agent: String,
    /// Number of plies that can be played from the book
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    plies: u32,
    /// Output file
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Time limit per position
    #[arg(long, value_parser = tussle_core::parse_duration, value_name = "TIME")]
    time: Option<Duration>,
    /// Node limit per position
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Depth limit in plies
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Seed of all random choices of the agent
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of positions that are searched in parallel [default: number of processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Time per position of an agent that searches, if no limit is given.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// Interval at which the answers so far are saved, in case of a crash or power failure.
const SAVE_INTERVAL: Duration = Duration::from_mins(1);

#[derive(Serialize)]
struct Document<'a> {
    out: &'a Path,
    recipe: &'a Recipe,
    entries: usize,
    proven: usize,
    /// Number of entries from an interrupted run.
    resumed: usize,
    timing: Timing,
}

#[derive(Serialize)]
struct Timing {
    elapsed_ms: f64,
}

/// Names the plies that a book covers: `first ply`, `first 9 plies`.
fn first_plies(plies: u32) -> String {
    if plies == 1 { "first ply".to_owned() } else { format!("first {plies} plies") }
}

impl Build {
    pub(super) fn run(&self, catalog: &Catalog, programs: &Programs) -> Result<(), Failure> {
        let began = Instant::now();
        let rules = catalog.game(&self.game)?;
        let game = rules.as_ref();
        // Report a wrong agent before the long work.
        drop(programs.agents(&rules, &self.agent)?);
        if needs_moves(&self.agent) {
            return Err(Failure::usage(format!(
                "--agent {}: GTP cannot set up the positions of a book; use a program that speaks UGI or JSON",
                self.agent
            )));
        }
        let limits = self.limits(game)?;
        let recipe = Recipe::new(game, &self.agent, limits, self.seed, self.plies);
        // Report an output file that cannot be written before the long work.
        output::check_writable(&self.out)?;

        let stop = interrupt::stop_flag();
        eprintln!("{}: collecting the positions of the {}", game.spec(), first_plies(self.plies));
        let all = openings(game, self.plies, &stop)?;
        if stop.is_stopped() {
            return Err(Failure::Failed("interrupted before the first answer".to_owned()));
        }
        let total = all.len();
        if total == 0 {
            return Err(Failure::usage(format!(
                "no player is to move in the {} of {}; use more --plies",
                first_plies(self.plies),
                game.spec()
            )));
        }
        let part = Part { path: self.part(), recipe: &recipe };
        let mut entries = part.read();
        let resumed = entries.len();
        if resumed > 0 {
            eprintln!("{} already has {}", part.path.display(), counted(resumed as u64, "answer"));
        }
        let known: HashSet<u64> = entries.iter().map(|entry| entry.key).collect();
        let open = all.into_iter().filter(|opening| !known.contains(&opening.key)).collect();
        eprintln!("asking {} about {}", self.agent, counted(total as u64, "position"));
        self.ask_all((&rules, programs), &part, open, &mut entries, &stop)?;

        let proven = entries.iter().filter(|entry| entry.line.outcome().is_some()).count();
        let done = entries.len();
        if done < total {
            return Err(part.interrupted(entries, total));
        }
        let book = Book::new(recipe.clone(), entries, true);
        output::write(&self.out, book.text())?;
        part.remove();
        if self.json {
            return output::json(&Document {
                out: &self.out,
                recipe: &recipe,
                entries: done,
                proven,
                resumed,
                timing: Timing { elapsed_ms: began.elapsed().as_secs_f64() * 1e3 },
            });
        }
        output::report(&format!(
            "{}: {} for the {} of {}, {proven} proven\n",
            self.out.display(),
            counted(done as u64, "position"),
            first_plies(self.plies),
            recipe.game,
        ))
    }

    /// Returns the search limits per position.
    fn limits(&self, game: &dyn AnyGame) -> Result<BookLimits, Failure> {
        let given = self.time.is_some() || self.nodes.is_some() || self.depth.is_some();
        let mut time = self.time;
        let is_program = is_program(&self.agent);
        if !given && (is_program || game.runs_to_a_proof(&self.agent)?) {
            time = Some(DEFAULT_TIME);
        }
        let limits = Limits { nodes: self.nodes, soft: time, ..Limits::none() };
        if !is_program {
            time = game.default_time(&self.agent, &limits)?.or(time);
        }
        if let (Some(time), None) = (time, self.time) {
            eprintln!("no limit given: {} s per position", time.as_secs());
        }
        let time_ms = time.map(|time| time.as_secs_f64() * 1e3);
        Ok(BookLimits { time_ms, nodes: self.nodes, depth: self.depth })
    }

    /// Returns the file of an interrupted run.
    fn part(&self) -> PathBuf {
        let mut name = self.out.clone().into_os_string();
        name.push(".part");
        name.into()
    }

    fn jobs(&self) -> usize {
        let processors = || thread::available_parallelism().map_or(1, usize::from);
        self.jobs.map_or_else(processors, usize::from)
    }

    /// Asks about every position until the flag is raised.
    fn ask_all(
        &self,
        (game, programs): (&Arc<dyn AnyGame>, &Programs),
        part: &Part<'_>,
        open: Vec<Opening>,
        entries: &mut Vec<BookEntry>,
        stop: &StopFlag,
    ) -> Result<(), Failure> {
        let mut progress = Progress::new("positions", open.len() as u64);
        let mut saved = Instant::now();
        let open = Mutex::new(open.into_iter());
        let next = || open.lock().ok().and_then(|mut open| open.next());
        let (answers, answered) = mpsc::channel();
        thread::scope(|scope| {
            for started in 0..self.jobs() {
                let answers = answers.clone();
                let work = move || {
                    let mut agents = match programs.agents(game, &self.agent) {
                        Ok(agents) => agents,
                        Err(error) => {
                            let _ = answers.send(Err(error));
                            return;
                        }
                    };
                    while let Some(opening) = next() {
                        let agent = agents.fresh(part.recipe.seed_for(&opening));
                        let answer = agent.and_then(|agent| part.recipe.ask(agent, &opening, stop));
                        // A program that is stopped has no answer.
                        if stop.is_stopped() && !matches!(answer, Ok(Some(_))) {
                            return;
                        }
                        if answers.send(answer.map_err(PlayerError::Agent)).is_err() {
                            return; // the receiver was closed by an error
                        }
                    }
                };
                if let Err(error) = spawn_scoped(scope, work) {
                    if started == 0 {
                        return Err(Failure::Failed(format!("cannot start a thread: {error}")));
                    }
                    let wanted = self.jobs();
                    let line = format!("note: using {started} of {wanted} threads: {error}");
                    progress.line(&line);
                    break;
                }
            }
            drop(answers);
            for answer in answered {
                match answer {
                    Ok(entry) => entries.extend(entry),
                    Err(error) => {
                        stop.stop();
                        return Err(part.failed(entries, error));
                    }
                }
                progress.step();
                if saved.elapsed() >= SAVE_INTERVAL {
                    part.write(entries.clone())?;
                    saved = Instant::now();
                }
            }
            Ok(())
        })
    }
}

/// Book of an interrupted run.
struct Part<'a> {
    path: PathBuf,
    recipe: &'a Recipe,
}

impl Part<'_> {
    /// Returns the entries of an interrupted run with the same recipe.
    fn read(&self) -> Vec<BookEntry> {
        let book = self.path.to_str().and_then(|path| Book::load(path).ok());
        let book = book.filter(|book| book.recipe() == self.recipe);
        book.map_or_else(Vec::new, |book| book.entries().to_vec())
    }

    fn write(&self, entries: Vec<BookEntry>) -> Result<(), Failure> {
        let book = Book::new(self.recipe.clone(), entries, false);
        output::write(&self.path, book.text())
    }

    /// Removes the file once the whole book is written.
    fn remove(&self) {
        if !self.read().is_empty() {
            let _ = std::fs::remove_file(&self.path);
        }
    }

    /// Saves the answers before an error; the message then says how to resume.
    fn failed(&self, entries: &[BookEntry], error: PlayerError) -> Failure {
        if entries.is_empty() || self.write(entries.to_vec()).is_err() {
            return error.into();
        }
        let (path, done) = (self.path.display(), entries.len());
        Failure::Failed(format!(
            "{error}\n{path} has {}; to resume, run the same command again",
            counted(done as u64, "answer")
        ))
    }

    /// Saves the answers so far; the message says how to resume.
    fn interrupted(&self, entries: Vec<BookEntry>, total: usize) -> Failure {
        let done = entries.len();
        if done == 0 {
            return Failure::Failed("interrupted before the first answer".to_owned());
        }
        match self.write(entries) {
            Err(failure) => failure,
            Ok(()) => Failure::Failed(format!(
                "interrupted: {} has {done} of {total} positions; to resume, run the same command again",
                self.path.display(),
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::first_plies;

    #[test]
    fn one_ply_is_written_in_the_singular() {
        assert_eq!([1, 9].map(first_plies), ["first ply", "first 9 plies"]);
    }
}
