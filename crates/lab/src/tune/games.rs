//! Games of a tuning: the candidates of a round against the agent as given, and the verification.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use tussle_arena::{
    Contestant, Event, Format, Record, Store, Summary, Tournament, TournamentSpec, run,
};
use tussle_catalog::Catalog;
use tussle_core::StopFlag;
use tussle_engine::Guard;
use tussle_stats::{GameResult, Pentanomial};

use super::TuneError;
use crate::measure::duel::file_name;
use crate::{LabError, Result};

/// Progress of a tuning.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum TuningEvent<'a> {
    /// The total number of games is known, or has changed.
    Total(u64),
    /// This many games were finished by an earlier run.
    Known(u64),
    /// A game is finished.
    Finished,
    /// A fault, a rerun or a shortage, in words.
    Line(&'a str),
    /// A round is evaluated: the best values, and their estimated share of the points.
    Best(&'a str, f64),
}

/// Everything that a tuning needs besides its settings.
pub struct TuningContext<'a> {
    /// Games and agents.
    pub catalog: &'a Catalog,
    /// Supervisor of programs.
    pub guard: &'a Guard,
    /// Number of games played in parallel; it does not affect the result.
    pub jobs: usize,
    /// Ends the work early when raised; finished games are kept.
    pub stop: StopFlag,
    /// Folder for the games; `None` if they are not kept.
    pub folder: Option<PathBuf>,
    /// Receiver of the progress.
    pub observer: &'a mut dyn FnMut(TuningEvent<'_>),
}

impl TuningContext<'_> {
    /// Plays the missing games of a tournament, and returns its store.
    pub(super) fn play(&mut self, spec: TournamentSpec, key: &str) -> Result<Store> {
        let tournament = Tournament::new(spec, self.catalog)?;
        let mut store = match &self.folder {
            Some(folder) => {
                let path = store_path(folder, key)?;
                Store::open_or_create(&path, tournament.spec())?
            }
            None => Store::in_memory(tournament.spec())?,
        };
        let games = tournament.schedule().share();
        let known = store.len()?;
        (self.observer)(TuningEvent::Known(known));
        if known < games {
            let observer = &mut *self.observer;
            run(&tournament, &mut store, self.guard, self.jobs, &self.stop, &mut |event| {
                if let Some(line) = event.line(tournament.spec()) {
                    observer(TuningEvent::Line(&line));
                }
                if let Event::Finished(..) = event {
                    observer(TuningEvent::Finished);
                }
            })?;
        }
        if store.len()? < games {
            return Err(LabError::Stopped);
        }
        Ok(store)
    }

    /// Plays a round of the candidates against the first agent, and returns the results of each candidate.
    pub(super) fn play_round(
        &mut self,
        spec: TournamentSpec,
        key: &str,
        faults: &mut u64,
    ) -> Result<Vec<Pentanomial>> {
        let candidates = spec.agents.len() - 1;
        let store = self.play(spec, key)?;
        let mut results = PairResults::default();
        store.for_each(|record| {
            *faults += u64::from(record.culprit.is_some() && !record.is_void());
            results.add(&record);
            Ok::<_, LabError>(())
        })?;
        let results = results.of(candidates);
        if results.iter().all(|result| result.pairs() == 0) {
            return Err(TuneError::NoGame.into());
        }
        Ok(results)
    }

    /// Plays two agents against each other, and returns the summary.
    pub(super) fn play_match(&mut self, spec: TournamentSpec, key: &str) -> Result<Summary> {
        let store = self.play(spec, key)?;
        Ok(Summary::of(&store)?)
    }
}

/// Returns the file for the games with this key.
fn store_path(folder: &Path, key: &str) -> Result<PathBuf> {
    let games = folder.join("games");
    std::fs::create_dir_all(&games).map_err(|error| LabError::Folder(games.clone(), error))?;
    // Results may differ between versions.
    let key = format!("{} {key}", env!("CARGO_PKG_VERSION"));
    Ok(games.join(file_name(&key) + ".db"))
}

/// Results of the pairs of a round, for the candidates.
#[derive(Debug, Default)]
struct PairResults {
    /// Candidate and results of the games, by pair.
    pairs: BTreeMap<u64, (usize, Vec<GameResult>)>,
}

impl PairResults {
    fn add(&mut self, record: &Record) {
        let Some(seat) = record.seats.iter().position(|&agent| agent != 0) else { return };
        if !record.is_void() {
            let pair = self.pairs.entry(record.pair).or_insert((record.seats[seat], Vec::new()));
            pair.1.push(record.result(seat));
        }
    }

    /// Returns the results of each candidate. A pair with a void game does not count.
    fn of(&self, candidates: usize) -> Vec<Pentanomial> {
        let mut results = vec![Pentanomial::default(); candidates];
        for (candidate, games) in self.pairs.values() {
            if let &[first, second] = games.as_slice() {
                results[candidate - 1].add([first, second]);
            }
        }
        results
    }
}

/// Returns the tournament of a round: the agent as given against each candidate.
pub(super) fn round_spec(
    terms: &TournamentSpec,
    start: &Contestant,
    candidates: Vec<Contestant>,
    pairs_each: u64,
    seed: u64,
) -> TournamentSpec {
    let mut agents = vec![start.clone()];
    agents.extend(candidates);
    TournamentSpec {
        agents,
        format: Format::Gauntlet,
        rounds: pairs_each,
        limit: None,
        seed,
        ..terms.clone()
    }
}
