//! Runs a tournament at the terminal: announcement, store, progress, Ctrl-C.

use std::path::Path;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use tussle_arena::{Event, Outlook, RunError, Store, StoreError, Tournament, TournamentSpec, run};
use tussle_catalog::text::counted;
use tussle_catalog::turns;
use tussle_core::{Outcome, TimeControl, duration_text};
use tussle_engine::{Programs, Terms};
use tussle_stats::SprtStatus;

use crate::failure::{Failure, visible};
use crate::grammar::{is_or_are, plies};
use crate::interrupt::stop_flag_saying;
use crate::layout;
use crate::progress::Progress;

/// Outcome of a run.
pub(crate) struct RunResult {
    pub(crate) store: Store,
    pub(crate) elapsed: Duration,
    /// Error message if not all games were played.
    unfinished: Option<String>,
}

impl RunResult {
    /// Returns an error if the run was stopped early or no game counts. Called after the results are printed.
    pub(crate) fn end(self) -> Result<(), Failure> {
        if let Some(why) = self.unfinished {
            return Err(Failure::Failed(why));
        }
        let (mut games, mut void) = (0, 0);
        self.store.for_each(|record| {
            games += 1;
            void += u64::from(record.is_void());
            Ok::<_, StoreError>(())
        })?;
        if void == 0 || void < games {
            return Ok(());
        }
        let clock = &self.store.spec().clock;
        Err(Failure::Failed(format!(
            "no game counts: this machine is too busy for the clock {clock}; play fewer games at once (--jobs), \
             or use a slower clock (--clock)"
        )))
    }
}

/// Prints what is about to be played.
pub(crate) fn announce(tournament: &Tournament, quietly: bool) {
    if quietly {
        return;
    }
    let (config, _) = tournament.spec().for_display(&[]);
    let names: Vec<&str> = config.agents.iter().map(|agent| agent.name.as_str()).collect();
    let line = format!(
        "{}: {}, {}, {}, seed {}",
        config.games.join(", "),
        visible(&names.join(" v ")),
        games_in_words(tournament),
        terms_in_words(tournament.terms()),
        config.seed,
    );
    eprintln!("{}", layout::fit_in(&line, layout::stderr_width()));
}

/// Describes the number of games.
fn games_in_words(tournament: &Tournament) -> String {
    let (all, share) = (tournament.schedule().len(), tournament.schedule().share());
    let games = counted(all, "game");
    let spec = tournament.spec();
    match (spec.sprt, spec.shard, spec.format.announcement(spec)) {
        (Some(sprt), _, _) => format!("at most {games}, SPRT {sprt}"),
        (None, Some(shard), _) => format!("{share} of {games} (shard {shard})"),
        (None, None, Some(format)) => format!("{format}, {games}"),
        (None, None, None) => games,
    }
}

/// Describes the time and resource limits.
fn terms_in_words(terms: &Terms) -> String {
    let text = duration_text;
    let mut words = match terms.clock {
        TimeControl::PerMove(limit) => format!("{} per move", text(limit)),
        TimeControl::Increment { base: bank, increment } => {
            format!("{} per game plus {} per move", text(bank), text(increment))
        }
        TimeControl::FirstMove { first, later } => {
            format!("{} for the first move, {} for each later one", text(first), text(later))
        }
    };
    if let Some(nodes) = terms.nodes {
        words += &format!(", {nodes} nodes per move");
    }
    if let Some(depth) = terms.depth {
        words += &format!(", {} per move", plies(depth.into()));
    }
    words
}

/// Opens the store of a tournament: its file, or a store in memory.
fn open(tournament: &Tournament, path: Option<&Path>) -> Result<Store, Failure> {
    Ok(match path {
        Some(path) => Store::open_or_create(path, tournament.spec())?,
        None => Store::in_memory(tournament.spec())?,
    })
}

/// Plays the games that are missing in the store, `jobs` in parallel [default: 1], with a progress line.
pub(crate) fn play(
    tournament: &Tournament,
    path: Option<&Path>,
    jobs: Option<usize>,
    programs: &Programs,
) -> Result<RunResult, Failure> {
    let (mut store, jobs) = (open(tournament, path)?, jobs.unwrap_or(1));
    let is_kept = path.is_some();
    let cores = available_parallelism().map_or(1, usize::from);
    if jobs > cores {
        eprintln!(
            "note: --jobs {jobs} on {}: players will wait for a processor",
            counted(cores as u64, "core")
        );
    }
    let before = store.len()?;
    let all = tournament.schedule().share();
    if before > 0 {
        let are = is_or_are(before);
        eprintln!("{before} of {} {are} already in the store", counted(all, "game"));
    }
    let again = if is_kept {
        format!("to resume: {}", command_line())
    } else {
        "the games of this run are lost; keep them with --store FILE".to_owned()
    };
    let first = "finishing the current games; press Ctrl-C again to stop at once";
    let stop = stop_flag_saying(first.to_owned(), again.clone());

    let began = Instant::now();
    let mut live = Live::new(tournament);
    let played = run(tournament, &mut store, &programs.guard, jobs, &stop, &mut |event| {
        live.take(&event);
    });
    let outlook = live.outlook;
    drop(live);
    let elapsed = began.elapsed();
    let cause = match played {
        Err(RunError::Store(error)) => return Err(error.into()),
        Err(RunError::Setup(error)) => return Err(Failure::usage(error)),
        Err(end @ (RunError::Short(_) | RunError::Rules { .. })) => Some(end),
        Ok(()) => None,
    };
    let is_stopped = cause.is_some() || stop.is_stopped();
    let unfinished = (is_stopped && outlook.remaining > 0).then(|| {
        let kept = if is_kept {
            again
        } else {
            "to resume later, keep the games with --store FILE".to_owned()
        };
        let why = cause.map(|cause| format!(": {cause}")).unwrap_or_default();
        let (finished, all) = (outlook.played, counted(outlook.attainable(), "game"));
        format!("stopped after {finished} of {all}{why}; {kept}")
    });
    Ok(RunResult { store, elapsed, unfinished })
}

/// Returns the command as it was typed.
fn command_line() -> String {
    let words: Vec<String> = std::env::args().collect();
    shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| words.join(" "))
}

/// Describes the state of a sequential test for the progress line.
fn test_in_words(test: &SprtStatus) -> String {
    let SprtStatus { sprt, llr, lower, upper, .. } = test;
    let llr = llr.map_or_else(|| "-".to_owned(), |llr| format!("{llr:.2}"));
    format!(", LLR {llr} ({lower:.2}, {upper:.2}) [{}, {}]", sprt.elo0, sprt.elo1)
}

/// Progress line of a run.
struct Live {
    /// Tournament with shortened names.
    config: TournamentSpec,
    progress: Progress,
    outlook: Outlook,
    /// Wins, draws and losses of the first contestant in this run.
    score: [u64; 3],
}

impl Live {
    fn new(tournament: &Tournament) -> Self {
        let (config, _) = tournament.spec().for_display(&[]);
        let progress = Progress::new("games", tournament.schedule().share());
        Self { config, progress, outlook: Outlook::default(), score: [0; 3] }
    }

    fn take(&mut self, event: &Event<'_>) {
        let config = &self.config;
        if let Event::Finished(record, test) = event
            && let Some(seat) = record.seats.iter().position(|&agent| agent == 0)
        {
            let place = match turns::outcome(&record.utilities, seat) {
                Outcome::Win => 0,
                Outcome::Draw => 1,
                Outcome::Loss => 2,
            };
            self.score[place] += u64::from(!record.is_void());
            let [wins, draws, losses] = self.score;
            let name = visible(&config.agents[0].name);
            let test = test.as_ref().map(test_in_words).unwrap_or_default();
            self.progress.tell(format!("{name} +{wins} ={draws} -{losses}{test}"));
        }
        if let Some(mut line) = event.line(config) {
            if matches!(event, Event::Withdrawn(..)) {
                line += " (--strikes 0 keeps it)";
            }
            self.progress.line(&visible(&line));
        }
        match event {
            Event::Started(outlook) => {
                self.outlook = *outlook;
                self.progress.set_total(outlook.attainable());
                self.progress.skip(outlook.played);
            }
            Event::Finished(..) => {
                self.outlook.count();
                self.progress.step();
            }
            Event::Withdrawn(_, outlook) => {
                self.outlook = *outlook;
                self.progress.set_total(outlook.attainable());
            }
            Event::Replayed(_) | Event::Conflict(_) | Event::Fewer { .. } => {}
        }
    }
}
