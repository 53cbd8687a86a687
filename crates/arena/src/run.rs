//! Plays what is missing in a store, several games at once.

use std::collections::{BTreeSet, HashMap};
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::sync::{
    Condvar, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard,
};
use std::thread;
use std::time::{Duration, Instant};

use tussle_catalog::text::counted;
use tussle_core::{StopFlag, spawn_scoped};
use tussle_engine::{Guard, PlayerSpec, Seat, Shortage, Verdict, files_are_short};
use tussle_stats::{SequentialTest, SprtStatus};

use crate::lateness::{Late, is_by_own_clock};
use crate::openings::{OpeningError, Openings, OpeningsError};
use crate::referee::{self, Played, Sitting};
use crate::{
    Contestant, Next, Opening, Outlook, Record, Schedule, SeatError, Slot, Store, StoreError,
    Tournament, TournamentSpec, UnscheduledGame, Withdrawals,
};

/// Number of times that a game is excused because this machine was at fault. Then it is played with no other game in
/// progress, and that verdict stands.
const EXCUSES: u32 = 3;
/// Number of late answers of a player that are remembered.
const MAX_LATE: usize = 128;

/// How often somebody who waits for a round to end looks whether the run does.
const LOOK: Duration = Duration::from_millis(50);

/// Number of threads beyond which more are of no use: no machine has that many processors to spare, and the
/// kernel would refuse memory to the ones there are.
const MAX_WORKERS: usize = 1024;

/// Number of seats that are kept between games. The guard of each program looks after it 50 times a second:
/// hundreds of them would take the processors from the programs that play.
const MAX_IDLE_SEATS: usize = 32;

/// Time that the last worker waits for descriptors, processes or memory that a program needs to start.
const SHORTAGE_PATIENCE: Duration = Duration::from_secs(5);

/// What is told while games are played.
#[derive(Debug)]
pub enum Event<'a> {
    /// The store was read, and the first game begins.
    Started(Outlook),
    /// A game is finished and in the store; with the status of the match's sequential test.
    Finished(&'a Record, Option<SprtStatus>),
    /// A game is to be played again, because this machine was at fault.
    Replayed(&'a Record),
    /// A contestant, by its index, was withdrawn after too many faults, which changes what can be played.
    Withdrawn(usize, Outlook),
    /// This machine is short of threads, descriptors, processes or memory: fewer games at once are played.
    Fewer {
        /// Number of games played at once from now on.
        jobs: usize,
        /// Error of the system that names what is short.
        why: String,
    },
}

impl Event<'_> {
    /// What happened, if it is worth a line: a loss by another verdict than the rules', a game that is played again,
    /// somebody who is withdrawn.
    pub fn line(&self, config: &TournamentSpec) -> Option<String> {
        match self {
            Self::Finished(record, _) => {
                let Record { id, verdict, what, .. } = record;
                let name = &config.agents[record.seats[record.culprit?]].name;
                if record.is_void() {
                    return Some(format!("game {id} is void: {name} {what}"));
                }
                Some(format!("game {id}: {name} lost by {verdict}: {what}"))
            }
            Self::Replayed(record) => {
                Some(format!("game {} is played again: {}", record.id, record.what))
            }
            Self::Started(_) => None,
            Self::Withdrawn(agent, _) => {
                let name = &config.agents[*agent].name;
                Some(format!("{name} is withdrawn after {}", counted(config.strikes, "fault")))
            }
            Self::Fewer { jobs, why } => {
                let games = if *jobs == 1 { "game" } else { "games" };
                Some(format!("{jobs} {games} at once from here on: {why}"))
            }
        }
    }
}

/// Why a run ended before all games were played.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The store could not be written; the games in it are safe.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A game could not be set up.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// This machine is short of threads, descriptors, processes or memory; all finished games are in the store.
    #[error(
        "this machine is short of descriptors, processes or memory: {0}; \
         raise the limits (ulimit -n, ulimit -u), or play fewer games at once (--jobs)"
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
    /// A player has no seat.
    #[error(transparent)]
    Seat(#[from] SeatError),
    /// The store contains the result of a game that is not one of the schedule.
    #[error(transparent)]
    UnscheduledGame(#[from] UnscheduledGame),
}

/// Plays all games that the store does not have yet, `jobs` at once. Raising `stop` lets
/// the current games finish and begins no other, nor one of them again. A game is in the store before the
/// next one begins on its seats.
///
/// # Errors
/// If the store cannot be written, a game cannot be set up, or this machine is short of what a game takes; all
/// finished games are in the store.
pub fn run(
    tournament: &Tournament,
    store: &mut Store,
    guard: &Guard,
    jobs: usize,
    stop: &StopFlag,
    tell: &mut dyn FnMut(Event<'_>),
) -> Result<(), RunError> {
    let withdrawals = Withdrawals::of(store)?;
    tell(Event::Started(withdrawals.outlook()));
    let mut queue = Queue {
        next: 0,
        schedule: tournament.schedule.clone(),
        test: tournament.spec.sprt.map(SequentialTest::new),
        finished: store.finished()?,
        withdrawn: withdrawals.withdrawn().collect(),
        openings: tournament.openings().map_err(SetupError::from)?,
        workers: 0,
        returned: Vec::new(),
    };
    queue.read(store)?;
    let is_program =
        |agent: &Contestant| matches!(PlayerSpec::parse(&agent.spec), PlayerSpec::Program { .. });
    let hall = Hall {
        tournament,
        guard,
        stop,
        programs: tournament.spec.agents.iter().map(is_program).collect(),
        queue: Mutex::new(queue),
        news: Condvar::new(),
        tables: Tables::default(),
        idle: Mutex::new(Vec::new()),
        starting: Mutex::new(()),
    };
    let games = usize::try_from(tournament.schedule.share()).unwrap_or(usize::MAX);
    let wanted = jobs.min(games).max(1);
    if wanted > MAX_WORKERS {
        let why = format!("{jobs} threads are too many");
        tell(Event::Fewer { jobs: MAX_WORKERS, why });
    }
    let (results, finished) = mpsc::channel();
    thread::scope(|scope| {
        for started in 0..wanted.min(MAX_WORKERS) {
            let (hall, results) = (&hall, results.clone());
            hall.queue().workers += 1;
            let Err(error) = spawn_scoped(scope, move || hall.work(&results)) else { continue };
            hall.queue().workers -= 1;
            let why = format!("cannot start a thread: {error}");
            if started == 0 {
                return Err(RunError::Short(Shortage(why)));
            }
            tell(Event::Fewer { jobs: started, why });
            break;
        }
        drop(results);
        let kept = keep(&hall, store, withdrawals, &finished, tell);
        if kept.is_err() {
            stop.stop();
        }
        // Whoever still plays finds nobody to report to, and ends.
        drop(finished);
        kept
    })?;
    Ok(store.verify()?)
}

/// What a worker reports, and how it learns that it may go on.
enum News {
    Finished(Record, SyncSender<()>),
    Replay(Record),
    /// A worker has ended for lack of what its programs need: the number of the others, and the error.
    Fewer(usize, String),
    Failed(RunError),
}

/// Writes down what the workers report until they are done.
fn keep(
    hall: &Hall<'_>,
    store: &mut Store,
    mut withdrawals: Withdrawals,
    news: &Receiver<News>,
    tell: &mut dyn FnMut(Event<'_>),
) -> Result<(), RunError> {
    while let Ok(first) = news.recv() {
        // All that has come in meanwhile goes into one transaction.
        let mut records = Vec::new();
        let mut waiting = Vec::new();
        let (mut replayed, mut failure) = (Vec::new(), None);
        for item in std::iter::once(first).chain(news.try_iter()) {
            match item {
                News::Finished(record, go_on) => {
                    records.push(record);
                    waiting.push(go_on);
                }
                News::Replay(record) => replayed.push(record),
                News::Fewer(jobs, why) => tell(Event::Fewer { jobs, why }),
                News::Failed(why) => failure = Some(why),
            }
        }
        store.add(&records)?;
        for record in replayed {
            store.add_replay(record.id, record.culprit.unwrap_or(0), &record.what)?;
            tell(Event::Replayed(&record));
        }
        for record in &records {
            let standing = hall.take(record)?;
            tell(Event::Finished(record, standing));
            withdrawals.add(record);
            let Some(agent) = record.struck() else { continue };
            if withdrawals.is_withdrawn(agent) && hall.queue().withdrawn.insert(agent) {
                tell(Event::Withdrawn(agent, withdrawals.outlook()));
            }
        }
        if let Some(failure) = failure {
            return Err(failure);
        }
        for go_on in waiting {
            let _ = go_on.send(()); // a worker that has ended needs no permission
        }
    }
    Ok(())
}

/// Nobody waits for the results of a worker that has panicked.
struct Alarm<'a>(&'a StopFlag);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop();
        }
    }
}

/// What the workers share.
struct Hall<'a> {
    tournament: &'a Tournament,
    guard: &'a Guard,
    stop: &'a StopFlag,
    /// By contestant: whether it is a program.
    programs: Vec<bool>,
    /// Seats between two games, the one that was idle longest first, each with the index of its
    /// contestant.
    idle: Mutex<Vec<(usize, Box<dyn Seat>)>>,
    /// Held while programs are started: what one game finds free no other takes.
    starting: Mutex<()>,
    queue: Mutex<Queue>,
    /// A game was added to the queue's results.
    news: Condvar,
    tables: Tables,
}

/// Which games are still to be played.
struct Queue {
    next: u64,
    schedule: Schedule,
    test: Option<SequentialTest>,
    finished: BTreeSet<u64>,
    withdrawn: BTreeSet<usize>,
    openings: Openings,
    /// Workers that may still take a game.
    workers: usize,
    /// Games that workers gave back.
    returned: Vec<(Slot, Opening)>,
}

impl Queue {
    /// Takes the results in the store into account.
    fn read(&mut self, store: &Store) -> Result<(), RunError> {
        // Nothing else depends on them, and there may be many.
        if !self.schedule.is_drawn() && self.test.is_none() {
            return Ok(());
        }
        let (schedule, test) = (self.schedule.clone(), self.test.clone());
        let read = store.for_each(|record| self.add(&record));
        if matches!(read, Err(RunError::Setup(SetupError::UnscheduledGame(_))))
            && schedule.is_drawn()
        {
            // Earlier versions drew rounds without regard to illegal moves.
            (self.schedule, self.test) = (schedule.without_illegal_strikes(), test);
            return store.for_each(|record| self.add(&record));
        }
        read
    }

    fn add(&mut self, record: &Record) -> Result<(), RunError> {
        self.schedule.add(record).map_err(SetupError::from)?;
        if let (Some(test), Some(game)) = (&mut self.test, record.paired_game()) {
            test.add(game);
        }
        Ok(())
    }

    /// Whether a game is not played because somebody was withdrawn. Where results decide who meets
    /// whom, a round is played as it was drawn, or it would depend on who was quicker.
    fn is_off(&self, slot: &Slot) -> bool {
        !self.schedule.is_drawn() && slot.seats.iter().any(|agent| self.withdrawn.contains(agent))
    }

    fn has_answer(&self) -> bool {
        self.test.as_ref().is_some_and(|test| test.accepted().is_some())
    }
}

impl Hall<'_> {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a result into account and returns the status of the sequential test.
    fn take(&self, record: &Record) -> Result<Option<SprtStatus>, RunError> {
        let mut queue = self.queue();
        queue.add(record)?;
        self.news.notify_all();
        Ok(queue.test.as_ref().map(SequentialTest::status))
    }

    /// The next game of the schedule that nobody has taken, with its opening. Waits for it where it
    /// is drawn from results that are to come.
    fn next(&self) -> Result<Option<(Slot, Opening)>, OpeningsError> {
        let mut queue = self.queue();
        while !self.stop.is_stopped() && !queue.has_answer() {
            if let Some(returned) = queue.returned.pop() {
                return Ok(Some(returned));
            }
            let slot = match queue.schedule.next(queue.next) {
                Next::Over => break,
                Next::Later => {
                    let waited = self.news.wait_timeout(queue, LOOK);
                    queue = waited.unwrap_or_else(PoisonError::into_inner).0;
                    continue;
                }
                Next::Elsewhere(until) => {
                    queue.next = until;
                    continue;
                }
                Next::Game(slot) => slot,
            };
            queue.next += 1;
            if queue.finished.contains(&slot.id) || queue.is_off(&slot) {
                continue;
            }
            let Queue { schedule, openings, .. } = &mut *queue;
            let opening = self.tournament.opening(openings, schedule, slot.pair)?;
            return Ok(Some((slot, opening)));
        }
        queue.workers -= 1;
        Ok(None)
    }

    /// Gives a game back and ends this worker, unless it is the last one. Returns the number of the others.
    fn give_back(&self, slot: &Slot, opening: &Opening) -> Option<usize> {
        let mut queue = self.queue();
        if queue.workers <= 1 {
            return None;
        }
        queue.workers -= 1;
        queue.returned.push((slot.clone(), opening.clone()));
        self.news.notify_all();
        Some(queue.workers)
    }

    fn idle(&self) -> MutexGuard<'_, Vec<(usize, Box<dyn Seat>)>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the seat that was idle longest. False if there is none.
    fn end_idle(&self) -> bool {
        let mut idle = self.idle();
        let oldest = (!idle.is_empty()).then(|| idle.remove(0));
        drop(idle); // a program takes a moment to end
        oldest.is_some()
    }

    /// The seats of a game, with their programs running. Where there is no room for them, idle programs end.
    fn seats(&self, slot: &Slot) -> Result<Vec<Box<dyn Seat>>, RunError> {
        let Tournament { spec: config, terms, .. } = self.tournament;
        let mut seats: Vec<Box<dyn Seat>> = Vec::new();
        for &agent in &slot.seats {
            let mut idle = self.idle();
            let kept = idle.iter().rposition(|(of, _)| *of == agent);
            let kept = kept.map(|at| idle.remove(at).1);
            drop(idle);
            let new = || config.agents[agent].seat(self.guard, terms);
            seats.push(kept.map_or_else(new, Ok).map_err(SetupError::from)?);
        }
        if !slot.seats.iter().any(|&agent| self.programs[agent]) {
            return Ok(seats);
        }
        let _starting = self.starting.lock().unwrap_or_else(PoisonError::into_inner);
        for seat in &mut seats {
            while files_are_short() && self.end_idle() {}
            if files_are_short() && self.queue().workers > 1 {
                let why = "too few file descriptors are free".to_owned();
                return Err(RunError::Short(Shortage(why)));
            }
            while let Err(shortage) = seat.prepare() {
                if !self.end_idle() {
                    return Err(RunError::Short(shortage));
                }
            }
        }
        Ok(seats)
    }

    /// Like [`seats`](Hall::seats), but waits while this machine is short of what the programs need. `None` if
    /// the worker is to end: it gave the game to the others, or the run was stopped.
    fn seats_in_time(
        &self,
        slot: &Slot,
        opening: &Opening,
        results: &Sender<News>,
    ) -> Result<Option<Vec<Box<dyn Seat>>>, RunError> {
        let until = Instant::now() + SHORTAGE_PATIENCE;
        loop {
            match self.seats(slot) {
                Ok(seats) => return Ok(Some(seats)),
                Err(RunError::Short(shortage)) => {
                    if self.stop.is_stopped() {
                        return Ok(None);
                    }
                    if let Some(others) = self.give_back(slot, opening) {
                        let _ = results.send(News::Fewer(others, shortage.0));
                        return Ok(None);
                    }
                    if Instant::now() >= until {
                        return Err(RunError::Short(shortage));
                    }
                    thread::sleep(LOOK);
                }
                Err(other) => return Err(other),
            }
        }
    }

    /// Plays one game after another until there is none left, or nobody listens any more.
    fn work(&self, results: &Sender<News>) {
        let _alarm = Alarm(self.stop);
        match self.work_on(results) {
            // Several workers end the programs sooner than one.
            Ok(()) => while self.end_idle() {},
            Err(why) => {
                let _ = results.send(News::Failed(why));
            }
        }
    }

    fn work_on(&self, results: &Sender<News>) -> Result<(), RunError> {
        let mut late = LateAnswers::default();
        while let Some((slot, opening)) = self.next().map_err(SetupError::from)? {
            let mut play = |alone| {
                let seats = self.seats_in_time(&slot, &opening, results)?;
                seats.map_or(Ok(None), |seats| self.play(&slot, &opening, seats, alone))
            };
            // A game that is stopped stays to be played; attempts have no time limit.
            let mut again =
                |record| results.send(News::Replay(record)).is_ok() && !self.stop.is_stopped();
            let Some(record) = decide(&mut late, &mut play, &mut again)? else { return Ok(()) };
            let (go_on, stored) = mpsc::sync_channel(1);
            if results.send(News::Finished(record, go_on)).is_err() || stored.recv().is_err() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Plays a game, with no other game in progress if `alone`. Nothing if the run was stopped while it waited for the
    /// others.
    fn play(
        &self,
        slot: &Slot,
        opening: &Opening,
        mut seats: Vec<Box<dyn Seat>>,
        alone: bool,
    ) -> Result<Option<Played>, RunError> {
        let turn = self.tables.take(alone);
        if alone && self.stop.is_stopped() {
            return Ok(None);
        }
        let Tournament { spec: config, games, terms, .. } = self.tournament;
        let sitting =
            Sitting { game: games[slot.game].as_ref(), slot, opening, terms, seed: config.seed };
        let mut sitters: Vec<&mut dyn Seat> =
            seats.iter_mut().map(|seat| seat.as_mut() as &mut dyn Seat).collect();
        let played = referee::play(&sitting, &mut sitters);
        drop(turn);
        let most = MAX_IDLE_SEATS.max(2 * self.queue().workers);
        let mut idle = self.idle();
        idle.extend(slot.seats.iter().copied().zip(seats));
        let excess = idle.len().saturating_sub(most);
        let oldest: Vec<_> = idle.drain(..excess).collect();
        drop(idle);
        drop(oldest); // a program takes a moment to end
        Ok(Some(played.map_err(SetupError::from)?))
    }
}

/// Lets many games be played beside each other, or one alone.
#[derive(Default)]
struct Tables(RwLock<()>);

/// The right to play a game, for as long as it lives.
enum Turn<'a> {
    Beside { _others: RwLockReadGuard<'a, ()> },
    Alone { _others: RwLockWriteGuard<'a, ()> },
}

impl Tables {
    /// Waits until a game may be played. A game that waits to be alone comes before games that have not begun.
    fn take(&self, alone: bool) -> Turn<'_> {
        if alone {
            Turn::Alone { _others: self.0.write().unwrap_or_else(PoisonError::into_inner) }
        } else {
            Turn::Beside { _others: self.0.read().unwrap_or_else(PoisonError::into_inner) }
        }
    }
}

/// Plays a game until its verdict stands. `play` is told whether no other game may be in progress, and `again` takes a
/// game that is played again; nothing is decided if `play` gives no game or `again` gives false.
fn decide(
    late: &mut LateAnswers,
    play: &mut dyn FnMut(bool) -> Result<Option<Played>, RunError>,
    again: &mut dyn FnMut(Record) -> bool,
) -> Result<Option<Record>, RunError> {
    for excuses in 0.. {
        let alone = excuses == EXCUSES;
        let Some(played) = play(alone)? else { break };
        late.add(&played);
        let record = played.record;
        if !record.is_void() {
            return Ok(Some(record));
        }
        if alone {
            return Ok(Some(late.decide(record)));
        }
        if !again(record) {
            break;
        }
    }
    Ok(None)
}

/// By player, the late answers that were excused since its last answer in time.
#[derive(Default)]
struct LateAnswers(HashMap<usize, Vec<Late>>);

impl LateAnswers {
    /// Takes a game into account.
    fn add(&mut self, Played { record, excused }: &Played) {
        for note in record.notes.iter().filter(|note| !note.overrun) {
            if let Some(agent) = note.seat.and_then(|seat| record.seats.get(seat)) {
                self.0.remove(agent);
            }
        }
        let Some(agent) = record.culprit.and_then(|seat| record.seats.get(seat)) else { return };
        match excused {
            Some(late) if late.is_certain() => {
                let answers = self.0.entry(*agent).or_default();
                answers.push(*late);
                let excess = answers.len().saturating_sub(MAX_LATE);
                answers.drain(..excess);
            }
            // Perhaps it was in time: it says nothing about the player.
            Some(_) | None => {}
        }
    }

    /// Decides a game that was late again with no other game in progress: it is void, unless the player would be late
    /// on any machine.
    fn decide(&self, record: Record) -> Record {
        let agent = record.culprit.map(|seat| record.seats[seat]);
        let answers = agent.and_then(|agent| self.0.get(&agent)).map_or(&[][..], Vec::as_slice);
        if is_by_own_clock(answers) {
            let what = format!(
                "{}; so were its last {} answers, and by its own clock: the less it computed before the deadline, the less in all",
                record.what,
                answers.len()
            );
            return Record { verdict: Verdict::Time, what, ..record };
        }
        Record { utilities: vec![0.0; record.utilities.len()], ..record }
    }
}

#[cfg(test)]
mod tests;
