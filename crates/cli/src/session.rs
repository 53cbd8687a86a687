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
use crate::interrupt::stop_flag_saying;
use crate::progress::Progress;

/// What a run left behind.
pub(crate) struct Played {
    pub(crate) store: Store,
    pub(crate) elapsed: Duration,
    /// What to say at the very end if not all games were played.
    unfinished: Option<String>,
}

impl Played {
    /// The last word, when the results have been printed.
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
            "no game counts: this machine is too busy for a clock of {clock}"
        )))
    }
}

/// Says what is about to be played.
pub(crate) fn announce(tournament: &Tournament, quietly: bool) {
    if quietly {
        return;
    }
    let (config, _) = tournament.spec().for_display(&[]);
    let names: Vec<&str> = config.agents.iter().map(|agent| agent.name.as_str()).collect();
    eprintln!(
        "{}: {}, {}, {}, seed {}",
        config.games.join(", "),
        visible(&names.join(" v ")),
        games_in_words(tournament),
        terms_in_words(tournament.terms()),
        config.seed,
    );
}

/// How many games there are, in words.
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

/// What a player may spend, in words.
fn terms_in_words(terms: &Terms) -> String {
    let text = duration_text;
    let mut words = match terms.clock {
        TimeControl::PerMove(limit) => format!("{} a move", text(limit)),
        TimeControl::Increment { base: bank, increment } => {
            format!("{} and {} more with each move", text(bank), text(increment))
        }
        TimeControl::FirstMove { first, later } => {
            format!("{} for the first move, {} for each later one", text(first), text(later))
        }
    };
    if let Some(nodes) = terms.nodes {
        words += &format!(", {nodes} nodes a move");
    }
    if let Some(depth) = terms.depth {
        words += &format!(", {depth} plies a move");
    }
    words
}

/// Opens the store of a tournament: its file, or memory that ends with the program.
fn open(tournament: &Tournament, path: Option<&Path>) -> Result<Store, Failure> {
    Ok(match path {
        Some(path) => Store::open_or_create(path, tournament.spec())?,
        None => Store::in_memory(tournament.spec())?,
    })
}

/// Plays the games that are missing in the store, `jobs` of them at once [default: 1], with a live line.
pub(crate) fn play(
    tournament: &Tournament,
    path: Option<&Path>,
    jobs: Option<usize>,
    programs: &Programs,
) -> Result<Played, Failure> {
    let (mut store, jobs) = (open(tournament, path)?, jobs.unwrap_or(1));
    let is_kept = path.is_some();
    let cores = available_parallelism().map_or(1, usize::from);
    if jobs > cores {
        eprintln!("note: {jobs} games at once on {cores} cores: players will wait for a processor");
    }
    let before = store.len()?;
    let all = tournament.schedule().share();
    if before > 0 {
        let are = if before == 1 { "is" } else { "are" };
        eprintln!("{before} of the {} {are} in the store already", counted(all, "game"));
    }
    let again = if is_kept {
        format!("to go on: {}", command_line())
    } else {
        "the games of this run are lost; --store FILE would keep them".to_owned()
    };
    let first = "finishing the current games; Ctrl-C once more stops at once";
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
        let kept =
            if is_kept { again } else { "--store FILE keeps games for another run".to_owned() };
        let why = cause.map(|cause| format!(": {cause}")).unwrap_or_default();
        let (finished, all) = (outlook.played, counted(outlook.attainable(), "game"));
        format!("stopped after {finished} of {all}{why}; {kept}")
    });
    Ok(Played { store, elapsed, unfinished })
}

/// The command that was typed.
fn command_line() -> String {
    let words: Vec<String> = std::env::args().collect();
    shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| words.join(" "))
}

/// Where a test stands, for the live line.
fn test_in_words(test: &SprtStatus) -> String {
    let SprtStatus { sprt, llr, lower, upper, .. } = test;
    let llr = llr.map_or_else(|| "-".to_owned(), |llr| format!("{llr:.2}"));
    format!(", LLR {llr} ({lower:.2}, {upper:.2}) [{}, {}]", sprt.elo0, sprt.elo1)
}

/// The live line.
struct Live {
    /// The tournament, with long names shortened.
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
