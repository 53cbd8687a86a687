//! The referee: keeps the clocks, looks whether moves are legal, and judges.

use std::time::{Duration, Instant};

use tussle_catalog::{AnyGame, AnyPosition, turns};
use tussle_core::{PlayerClock, Report, Rng, Stopped, Turn};

use crate::openings::Opening;
use crate::program::harmless;
use crate::{Answer, Ask, Fault, GameStart, MoveNote, Overrun, Record, Seat, Slot, Terms, Verdict};

/// How long a player whose time ran out may still show that it is alive. The game is lost
/// already; this tells slow from stuck.
const PATIENCE: Duration = Duration::from_secs(1);
/// Legal moves that are told beside an illegal one.
const SHOWN_MOVES: usize = 20;

/// What a game needs.
pub(crate) struct Sitting<'a> {
    pub(crate) game: &'a dyn AnyGame,
    pub(crate) slot: &'a Slot,
    pub(crate) opening: &'a Opening,
    pub(crate) terms: &'a Terms,
    /// The seed of the tournament.
    pub(crate) seed: u64,
}

/// A game in progress.
struct Game<'a, 'b> {
    sitting: &'a Sitting<'a>,
    seats: &'a mut [&'b mut dyn Seat],
    position: Box<dyn AnyPosition>,
    clocks: Vec<PlayerClock>,
    chance: Rng,
    stand_in: Rng,
    notes: Vec<MoveNote>,
    overruns: u64,
    untimed: bool,
}

/// How a game came to its end.
enum End {
    /// By the rules.
    Over,
    Resigned(usize),
    Fault(usize, Fault),
}

/// Plays one game. Its verdict may be [`Verdict::Host`]: then it is to be played again.
///
/// # Errors
/// If the opening cannot be played.
pub(crate) fn play(sitting: &Sitting<'_>, seats: &mut [&mut dyn Seat]) -> Result<Record, String> {
    let Sitting { game, slot, opening, terms, seed } = *sitting;
    let [start, position] = opening.open(game)?;
    let players = game.players();
    let own = |part: usize| Rng::derive(seed, &[slot.id, part as u64]);
    let mut table = Game {
        sitting,
        seats,
        notes: vec![MoveNote::default(); position.history().len()],
        position,
        clocks: vec![terms.clock.start(); players],
        chance: own(players),
        stand_in: own(players + 1),
        overruns: 0,
        untimed: true,
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
    let fault = Fault { what: harmless(&fault.what, 500), ..fault };
    let is_timed = matches!(fault.verdict, Verdict::Time | Verdict::Hang | Verdict::Host);
    Ok(Record {
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
    })
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
                // Only players make moves that are not legal.
                let Turn::Player(player) = self.position.turn() else { return End::Over };
                return End::Fault(player, self.illegal(&mv, &e.to_string()));
            }
            self.notes.push(note);
        }
    }

    /// A move of this player, or `None` if it gives up.
    fn ask(&mut self, player: usize) -> Result<Option<(String, MoveNote)>, Fault> {
        let terms = self.sitting.terms;
        let allowed = self.clocks[player].allowed();
        let began = Instant::now();
        // A clock beyond the end of time never runs out.
        let deadline = began.checked_add(allowed);
        let deadline = deadline.unwrap_or_else(|| began + Duration::from_hours(24 * 365));
        let position = self.position.as_ref();
        let ask = Ask { position, clocks: &self.clocks, player, began, deadline, terms };
        let answer = self.seats[player].choose(&ask);
        let used = began.elapsed();
        let in_time = self.clocks[player].press(used);
        let late = match answer {
            Ok(answer) if in_time => return Ok(self.answered(player, used, answer)),
            Ok(_) => {
                let over = used.saturating_sub(allowed);
                let what = format!("answered {} after its time had run out", in_words(over));
                self.judge(player, over, Fault::new(Verdict::Time, what))
            }
            Err(fault) if fault.verdict == Verdict::Time => {
                if terms.overrun == Overrun::RandomMove {
                    fault
                } else if self.seats[player].is_just_late(PATIENCE) {
                    self.judge(player, began.elapsed().saturating_sub(allowed), fault)
                } else {
                    let what = format!("{}, and none came in the second after that", fault.what);
                    let over = began.elapsed().saturating_sub(allowed);
                    self.judge(player, over, Fault { verdict: Verdict::Hang, what, ..fault })
                }
            }
            Err(other) => return Err(other),
        };
        if terms.overrun == Overrun::Loss || late.verdict != Verdict::Time {
            return Err(late);
        }
        // A bank that ran out has only its increments left.
        if self.clocks[player].forgive().is_zero() {
            return Err(late);
        }
        self.overruns += 1;
        self.untimed = false;
        let mut moves = self.position.moves();
        let mv = moves.swap_remove(self.stand_in.below(moves.len()));
        Ok(Some((mv, self.note(player, used, None))))
    }

    fn answered(
        &mut self,
        player: usize,
        used: Duration,
        answer: Answer,
    ) -> Option<(String, MoveNote)> {
        let report = answer.report;
        let by_clock =
            |report: &Report<String>| matches!(report.stopped, Stopped::Time | Stopped::Asked);
        self.untimed &= !report.as_ref().is_some_and(by_clock);
        let note = self.note(player, used, report.as_ref());
        answer.mv.map(|mv| (mv, note))
    }

    fn note(&self, player: usize, used: Duration, report: Option<&Report<String>>) -> MoveNote {
        let micros = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        MoveNote {
            seat: Some(player),
            used: micros(used),
            left: micros(self.clocks[player].allowed()),
            ..report.map(MoveNote::of).unwrap_or_default()
        }
    }

    /// Whose fault it is that a player was late by this much.
    fn judge(&self, player: usize, over: Duration, fault: Fault) -> Fault {
        let withheld = self.seats[player].withheld();
        if withheld <= over {
            return fault;
        }
        let what = format!(
            "{}, but this machine gave it no processor for {} of that move",
            fault.what,
            in_words(withheld)
        );
        Fault { verdict: Verdict::Host, what, ..fault }
    }

    fn illegal(&self, mv: &str, why: &str) -> Fault {
        let moves = self.position.moves();
        let more = if moves.len() > SHOWN_MOVES { " …" } else { "" };
        let some = moves.iter().take(SHOWN_MOVES).map(String::as_str).collect::<Vec<_>>();
        Fault {
            verdict: Verdict::Illegal,
            what: format!("wanted to play `{}`: {}", harmless(mv, 60), harmless(why, 200)),
            evidence: vec![
                format!("position: {}", self.position.text()),
                format!("{} legal moves: {}{more}", moves.len(), some.join(" ")),
            ],
        }
    }
}

/// A time for people.
fn in_words(time: Duration) -> String {
    let micros = time.as_secs_f64() * 1e6;
    if micros < 1e3 { format!("{micros:.0} µs") } else { format!("{:.1} ms", micros / 1e3) }
}

#[cfg(test)]
mod tests;
