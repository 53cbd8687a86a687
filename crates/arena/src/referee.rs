//! The referee: keeps the clocks, checks that moves are legal, and gives the verdict.

use std::time::{Duration, Instant};

use tussle_catalog::{AnyGame, AnyPosition, turns};
use tussle_core::format::fine_duration;
use tussle_core::{PlayerClock, Report, Rng, StopReason, Turn};
use tussle_engine::{
    Answer, Ask, Fault, GameStart, Overrun, Seat, Terms, Usage, Verdict, deadline, harmless,
    illegal_move, wait_for_late_answer,
};

use crate::dealer::Job;
use crate::lateness::LateAnswer;
use crate::openings::Opening;
use crate::{MoveNote, Record, RunError, SetupError, Slot, Tournament};

/// Rules, opening and limits of a game to be played.
pub(crate) struct GameSetup<'a> {
    pub(crate) game: &'a dyn AnyGame,
    pub(crate) slot: &'a Slot,
    pub(crate) opening: &'a Opening,
    pub(crate) terms: &'a Terms,
    /// Seed of the tournament.
    pub(crate) seed: u64,
}

impl<'a> GameSetup<'a> {
    /// Returns the setup of a job's game.
    pub(crate) fn of(tournament: &'a Tournament, job: &'a Job) -> Self {
        let Tournament { spec: config, games, terms, .. } = tournament;
        let Job { slot, opening, .. } = job;
        Self { game: games[slot.game].as_ref(), slot, opening, terms, seed: config.seed }
    }
}

/// A game in progress.
struct Game<'a, 'b> {
    setup: &'a GameSetup<'a>,
    seats: &'a mut [&'b mut dyn Seat],
    position: Box<dyn AnyPosition>,
    clocks: Vec<PlayerClock>,
    chance: Rng,
    stand_in: Rng,
    notes: Vec<MoveNote>,
    overruns: u64,
    untimed: bool,
    /// Late move that ended the game.
    late: Option<LateMove>,
}

/// Late move.
#[derive(Clone, Copy)]
struct LateMove {
    granted: Duration,
    used: Duration,
    /// False if no answer came at all.
    is_answered: bool,
    usage: Usage,
}

/// Game that the referee has finished.
#[derive(Clone, Debug)]
pub(crate) struct RefereedGame {
    pub(crate) record: Record,
    /// Late answer that caused the verdict [`Verdict::Host`].
    pub(crate) excused: Option<LateAnswer>,
}

/// Way in which a game ended.
enum End {
    /// The game is over by its rules.
    Over,
    /// The player in this seat resigned.
    Resigned(usize),
    /// The player in this seat cannot continue.
    Fault(usize, Fault),
}

/// Plays one game. If the verdict is [`Verdict::Host`], the machine was too busy, and the dealer decides whether the
/// game is rerun.
///
/// # Errors
/// If the opening cannot be played, or the rules of the game fail.
pub(crate) fn play(
    setup: &GameSetup<'_>,
    seats: &mut [&mut dyn Seat],
) -> Result<RefereedGame, RunError> {
    let GameSetup { game, slot, opening, terms, seed } = *setup;
    let rules = || match game.failure() {
        Some(source) => Err(RunError::Rules { game: game.spec().to_owned(), source }),
        None => Ok(()),
    };
    let opened = opening.open(game);
    rules()?;
    let [start, position] = opened.map_err(SetupError::from)?;
    let players = game.players();
    let own = |part: usize| Rng::derive(seed, &[slot.id, part as u64]);
    let mut table = Game {
        setup,
        seats,
        notes: vec![MoveNote::default(); position.history().len()],
        position,
        clocks: vec![terms.clock.player_clock(); players],
        chance: own(players),
        stand_in: own(players + 1),
        overruns: 0,
        untimed: true,
        late: None,
    };
    let begun = (0..players).find_map(|player| {
        let is_usual = opening.start.is_none();
        let (id, seed) = (slot.id, own(player).next_u64());
        let start = GameStart { game, start: start.as_ref(), is_usual, player, id, seed, terms };
        table.seats[player].begin(&start).err().map(|fault| End::Fault(player, fault))
    });
    let end = begun.unwrap_or_else(|| table.play());
    let deterministic = table.untimed && table.seats.iter().all(|seat| seat.is_deterministic());
    table.seats.iter_mut().for_each(|seat| seat.end());

    let (utilities, culprit, fault) = match end {
        End::Over => {
            let utilities = table.position.utilities().unwrap_or_default();
            (utilities, None, Fault::new(Verdict::Normal, ""))
        }
        End::Resigned(player) => {
            let what = format!("{} resigned", turns::player(players, player));
            (turns::defeat(players, player), None, Fault::new(Verdict::Normal, what))
        }
        End::Fault(player, fault) => (turns::defeat(players, player), Some(player), fault),
    };
    // After an error of the rules every game looks finished, and every agent seems to be at fault. Another worker may meet
    // the error at any time, so nothing asks the rules after this.
    rules()?;
    let fault = Fault { what: harmless(&fault.what, 500), ..fault };
    let is_timed = matches!(fault.verdict, Verdict::Time | Verdict::Hang | Verdict::Host);
    let late = table.late.filter(|_| is_timed);
    let is_excused = |late: &LateMove| late.is_answered && fault.verdict == Verdict::Host;
    let excused = late
        .filter(is_excused)
        .map(|LateMove { granted, usage, .. }| LateAnswer { granted, usage });
    let record = Record {
        id: slot.id,
        pair: slot.pair,
        game: game.spec().to_owned(),
        seats: slot.seats.clone(),
        start: opening.start.clone(),
        opening: opening.moves.len(),
        moves: table.position.history().to_vec(),
        utilities,
        verdict: fault.verdict,
        culprit,
        what: fault.what,
        evidence: fault.evidence,
        deterministic: deterministic && !is_timed,
        overruns: table.overruns,
        notes: table.notes,
        late: late.map_or(0, |late| micros(late.used)),
    };
    Ok(RefereedGame { record, excused })
}

impl Game<'_, '_> {
    fn play(&mut self) -> End {
        loop {
            let (mv, note) = match self.position.turn() {
                Turn::Over => return End::Over,
                Turn::Chance => {
                    (self.position.roll(&mut self.chance).unwrap_or_default(), MoveNote::default())
                }
                Turn::Player(player) => match self.ask(player) {
                    Ok(Some(made)) => made,
                    Ok(None) => return End::Resigned(player),
                    Err(fault) => return End::Fault(player, fault),
                },
            };
            if let Err(e) = self.position.play(&mv) {
                // Only players make illegal moves.
                let Turn::Player(player) = self.position.turn() else { return End::Over };
                return End::Fault(
                    player,
                    illegal_move(self.position.as_ref(), &mv, &e.to_string()),
                );
            }
            self.notes.push(note);
        }
    }

    /// Asks a player for a move. Returns `None` if it resigns.
    fn ask(&mut self, player: usize) -> Result<Option<(String, MoveNote)>, Fault> {
        let terms = self.setup.terms;
        let allowed = self.clocks[player].allowed();
        let began = Instant::now();
        let deadline = deadline(began, allowed);
        let (position, stop) = (self.position.as_ref(), None);
        let ask = Ask { position, clocks: &self.clocks, player, began, deadline, terms, stop };
        let answer = self.seats[player].choose(&ask);
        let used = began.elapsed();
        let in_time = self.clocks[player].press(used);
        let granted = allowed;
        let late = match answer {
            Ok(answer) if in_time => return Ok(self.answered(player, used, answer)),
            Ok(_) => {
                let over = used.saturating_sub(granted);
                let what = format!("answered {} after its time had run out", fine_duration(over));
                let usage = self.seats[player].usage();
                let late = LateMove { granted, used, is_answered: true, usage };
                self.judge(late, Fault::new(Verdict::Time, what))
            }
            Err(fault) if fault.verdict == Verdict::Time => {
                if terms.overrun == Overrun::RandomMove {
                    let usage = self.seats[player].usage();
                    let late = LateMove { granted, used, is_answered: false, usage };
                    self.late = Some(late);
                    self.state(&late, fault)
                } else {
                    let (fault, is_answered) = wait_for_late_answer(self.seats[player], fault)?;
                    let (used, usage) = (began.elapsed(), self.seats[player].usage());
                    self.judge(LateMove { granted, used, is_answered, usage }, fault)
                }
            }
            Err(other) => return Err(other),
        };
        if terms.overrun == Overrun::Loss || late.verdict != Verdict::Time {
            return Err(late);
        }
        // Without time for the next move, a random move would not help.
        if self.clocks[player].forgive().is_zero() {
            return Err(late);
        }
        self.overruns += 1;
        self.untimed = false;
        self.late = None;
        let mut moves = self.position.moves();
        let mv = moves.swap_remove(self.stand_in.below(moves.len()));
        Ok(Some((mv, MoveNote { overrun: true, ..self.note(player, used, None) })))
    }

    fn answered(
        &mut self,
        player: usize,
        used: Duration,
        answer: Answer,
    ) -> Option<(String, MoveNote)> {
        let report = answer.report;
        let by_clock = |report: &Report<String>| {
            matches!(report.stopped, StopReason::Time | StopReason::StopFlag)
        };
        self.untimed &= !report.as_ref().is_some_and(by_clock);
        let note = self.note(player, used, report.as_ref());
        answer.mv.map(|mv| (mv, note))
    }

    fn note(&self, player: usize, used: Duration, report: Option<&Report<String>>) -> MoveNote {
        MoveNote {
            seat: Some(player),
            used: micros(used),
            left: micros(self.clocks[player].allowed()),
            ..report.map(MoveNote::of).unwrap_or_default()
        }
    }

    /// Decides whether the player or the machine is at fault for a late move.
    fn judge(&mut self, late: LateMove, fault: Fault) -> Fault {
        self.late = Some(late);
        let lateness = late.used.saturating_sub(late.granted);
        let verdict = if late.usage.excuses(lateness) { Verdict::Host } else { fault.verdict };
        Fault { verdict, ..self.state(&late, fault) }
    }

    /// Adds the measured times to the description of a fault.
    fn state(&self, late: &LateMove, fault: Fault) -> Fault {
        let LateMove { granted, used, is_answered, usage } = late;
        let ply = self.position.history().len() + 1;
        let answer = if *is_answered { "answer after" } else { "no answer until" };
        let stalled = if usage.stalled > usage.withheld {
            format!(", the arena stalled for {}", fine_duration(usage.stalled))
        } else {
            String::new()
        };
        let what = format!(
            "{} (ply {ply}: {} granted, {answer} {}; CPU time received {}, waited for a processor {}{stalled})",
            fault.what,
            fine_duration(*granted),
            fine_duration(*used),
            fine_duration(usage.cpu),
            fine_duration(usage.waited),
        );
        Fault { what, ..fault }
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
