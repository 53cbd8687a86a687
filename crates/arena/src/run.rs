//! Runs of a tournament: connect the dealer, a crew and the store to play the games that are missing.

use std::thread;

use tussle_core::{RulesError, StopFlag};
use tussle_engine::{Guard, Shortage};

use crate::crew::{Crew, Machine, Report, Threads};
use crate::dealer::{Deal, Dealer, Ruling};
use crate::openings::{OpeningError, OpeningsError};
use crate::{Event, Offer, Record, SeatError, Store, StoreError, Tournament, UnscheduledGame};

/// Error that ended a run before all games were played.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The store could not be written; the games in it are safe.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A game could not be set up.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The rules of a game failed: no later result of that game would be true.
    #[error("{game}: {source}")]
    Rules {
        /// The game.
        game: String,
        /// First error of its rules.
        source: RulesError,
    },
    /// This machine is short of threads, descriptors, processes or memory; all finished games are in the store.
    #[error(
        "this machine is short of descriptors, processes or memory: {0}; \
         raise the limits (ulimit -n, ulimit -u), or play fewer games in parallel (--jobs)"
    )]
    Short(#[source] Shortage),
}

/// Error of a game that could not be set up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SetupError {
    /// The openings of the tournament cannot be made.
    #[error(transparent)]
    Openings(#[from] OpeningsError),
    /// The opening of the game cannot be played.
    #[error(transparent)]
    Opening(#[from] OpeningError),
    /// The seat of a player cannot be made.
    #[error(transparent)]
    Seat(#[from] SeatError),
    /// The store has a game that is not in the schedule.
    #[error(transparent)]
    UnscheduledGame(#[from] UnscheduledGame),
}

/// Plays all games that are not in the store, `jobs` in parallel.
///
/// Each finished game is durable before its worker starts another one. After `stop` is raised, running games finish, and
/// no game is started or rerun.
///
/// # Errors
/// If the store cannot be written, a game cannot be set up, the rules of a game fail, or this machine is short of
/// descriptors, processes or memory. All finished games are in the store.
pub fn run(
    tournament: &Tournament,
    store: &mut Store,
    guard: &Guard,
    jobs: usize,
    stop: &StopFlag,
    observer: &mut dyn FnMut(Event<'_>),
) -> Result<(), RunError> {
    let machine = Machine::new(tournament, guard, stop);
    let games = usize::try_from(tournament.schedule.share()).unwrap_or(usize::MAX);
    thread::scope(|scope| {
        let mut crew = Threads::start(scope, &machine, jobs.min(games).max(1));
        let played = run_with(tournament, store, &mut crew, stop, observer);
        if played.is_err() {
            stop.stop();
        }
        // Dropping the crew ends the workers after their current games.
        drop(crew);
        played
    })?;
    Ok(store.verify()?)
}

/// Plays all games that are not in the store with a crew. Results are durable before their workers continue, and a result
/// that the store does not accept is not counted.
pub(crate) fn run_with(
    tournament: &Tournament,
    store: &mut Store,
    crew: &mut dyn Crew,
    stop: &StopFlag,
    observer: &mut dyn FnMut(Event<'_>),
) -> Result<(), RunError> {
    let mut dealer = resumed(tournament, store)?;
    observer(Event::Started(dealer.outlook()));
    loop {
        deal(&mut dealer, crew, stop)?;
        let reports = crew.reports();
        if reports.is_empty() {
            return Ok(());
        }
        handle_reports(reports, &mut dealer, store, observer)?;
        crew.release();
    }
}

/// Returns a dealer with the results of the store.
fn resumed<'a>(tournament: &'a Tournament, store: &Store) -> Result<Dealer<'a>, RunError> {
    let read = |mut dealer: Dealer<'a>| {
        let add = |record: Record| Ok(dealer.resume(&record).map_err(SetupError::from)?);
        store.for_each(add).map(|()| dealer)
    };
    let new = || Dealer::new(tournament).map_err(SetupError::from);
    match read(new()?) {
        Err(RunError::Setup(SetupError::UnscheduledGame(_)))
            if tournament.schedule.is_paired_by_results() =>
        {
            // Earlier versions paired rounds without regard to illegal moves.
            read(new()?.without_illegal_strikes())
        }
        dealer => dealer,
    }
}

/// Gives jobs to free workers until the crew is busy or the dealer has none.
fn deal(dealer: &mut Dealer<'_>, crew: &mut dyn Crew, stop: &StopFlag) -> Result<(), SetupError> {
    while crew.is_free() {
        let deal = if stop.is_stopped() { Deal::Over } else { dealer.deal()? };
        match deal {
            Deal::Job(job) => crew.play(job),
            Deal::Later => break,
            Deal::Over => {
                crew.dismiss();
                break;
            }
        }
    }
    Ok(())
}

/// Handles the reports of a crew: stores the results, then counts those that the store accepts.
fn handle_reports(
    reports: Vec<Report>,
    dealer: &mut Dealer<'_>,
    store: &mut Store,
    observer: &mut dyn FnMut(Event<'_>),
) -> Result<(), RunError> {
    let (mut results, mut excused, mut failure) = (Vec::new(), Vec::new(), None);
    for report in reports {
        match report {
            Report::Played(attempt, played) => match dealer.rule(attempt, *played) {
                Ok(Ruling::Stands(record)) => results.push(record),
                Ok(Ruling::Excused(record)) => excused.push(record),
                Ok(Ruling::Stale) => {}
                Err(error) => failure = Some(SetupError::from(error).into()),
            },
            Report::Returned(id) => dealer.take_back(id),
            Report::Fewer { workers, why } => observer(Event::Fewer { jobs: workers, why }),
            Report::Failed(error) => failure = Some(error),
        }
    }
    let offers = store.offer(&results)?;
    for record in &excused {
        store.add_replay(record.id, record.culprit.unwrap_or(0), &record.what)?;
        observer(Event::Replayed(record));
    }
    for (record, offer) in results.iter().zip(offers) {
        match offer {
            Offer::Accepted => count(record, dealer, observer)?,
            Offer::Known => {}
            Offer::Conflict => observer(Event::Conflict(record)),
        }
    }
    failure.map_or(Ok(()), Err)
}

/// Counts a result that the store has accepted.
fn count(
    record: &Record,
    dealer: &mut Dealer<'_>,
    observer: &mut dyn FnMut(Event<'_>),
) -> Result<(), SetupError> {
    let effect = dealer.count(record)?;
    observer(Event::Finished(record, effect.sprt));
    if let Some(agent) = effect.withdrawn {
        observer(Event::Withdrawn(agent, dealer.outlook()));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
