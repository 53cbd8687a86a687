//! Backgammon without the doubling cube: two dice, fifteen checkers per player, and the first
//! player to bear off all checkers wins.

mod actions;
mod checkers;
mod doubles;
mod eval;
mod journeys;
mod pairs;
mod plays;
mod random;
mod scene;
mod text;

#[cfg(test)]
mod tests;

use tussle_core::{Game, Hashed, Payoffs, Rng, Symmetric, Turn, ZeroSum, mix};

use checkers::{BAR, Checkers, FAR_HOME, HOME};
pub use eval::Eval;
use plays::{Board, target};
use random::{random_play, throw};

/// Backgammon without the doubling cube.
///
/// ```
/// use tussle_core::{Game, Notation, Turn};
/// use tussle_games::Backgammon;
///
/// let game = Backgammon::default();
/// let mut state = game.start();
/// assert_eq!(game.turn(&state), Turn::Chance);
/// for text in ["31", "8/5+6/5", "66", "24/18+24/18+13/7+13/7"] {
///     let mv = game.parse_move(&state, text).unwrap();
///     game.play(&mut state, mv);
/// }
/// assert_eq!(
///     game.position_text(&state),
///     "24:2/13:5/8:2/6:4/5:2 18:2/13:3/8:3/7:2/6:5 first -"
/// );
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Backgammon {
    /// Scoring of a won game.
    pub score: Score,
}

/// Scoring of a won game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Score {
    /// 1 point; 2 for a gammon, 3 for a backgammon.
    #[default]
    Full,
    /// 1 point for every win.
    Win,
}

/// Roll of two dice, the larger one first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Roll {
    high: u8,
    low: u8,
}

impl Roll {
    /// Returns the two dice, the larger one first.
    pub fn dice(self) -> (u8, u8) {
        (self.high, self.low)
    }

    /// Returns true if both dice show the same face.
    #[inline]
    pub fn is_double(self) -> bool {
        self.high == self.low
    }
}

/// All rolls: 11, 21, 22, 31 … 66.
const ROLLS: [Roll; 21] = {
    let mut rolls = [Roll { high: 0, low: 0 }; 21];
    let (mut high, mut i) = (1, 0);
    while high <= 6 {
        let mut low = 1;
        while low <= high {
            rolls[i] = Roll { high, low };
            low += 1;
            i += 1;
        }
        high += 1;
    }
    rolls
};

/// Step of one checker with one die: the place it leaves in the lower five bits, the die above.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Step(u8);

impl Step {
    const NONE: Self = Self(0);

    #[inline]
    fn new(from: usize, die: usize) -> Self {
        Self((from | die << 5) as u8)
    }

    /// Returns the place it leaves: 1 to 24, or 25 for the bar.
    #[inline]
    fn from(self) -> usize {
        usize::from(self.0 & 31)
    }

    #[inline]
    fn die(self) -> usize {
        usize::from(self.0 >> 5)
    }

    /// Returns the place it enters; 0 is off.
    #[inline]
    fn to(self) -> usize {
        target(self.from(), self.die())
    }
}

/// Play of a roll: up to four steps, the one from the farthest place first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Play([Step; 4]);

impl Play {
    /// Play of a roll that cannot be played.
    const NONE: Self = Self([Step::NONE; 4]);

    #[inline]
    fn one(step: Step) -> Self {
        Self([step, Step::NONE, Step::NONE, Step::NONE])
    }

    #[inline]
    fn new([first, second]: [Step; 2]) -> Self {
        Self([first, second, Step::NONE, Step::NONE])
    }

    #[inline]
    fn steps(self) -> impl Iterator<Item = Step> {
        self.0.into_iter().take_while(|&step| step != Step::NONE)
    }
}

/// Move: a roll of the dice, or a player's whole play of a roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// Chance outcome.
    Roll(Roll),
    /// Play of the player to move.
    Play(Play),
}

/// Position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// Checkers of each player, with the points numbered from that player's side. The first
    /// player's point 24 is the second player's point 1.
    checkers: [Checkers; 2],
    /// Player who plays the roll, or whose roll comes next.
    mover: u8,
    /// Roll to be played; `None` before the roll.
    roll: Option<Roll>,
    /// True before the first roll of the game, which is never a double.
    opening: bool,
}

impl State {
    #[inline]
    fn mover(&self) -> usize {
        usize::from(self.mover)
    }

    /// Returns the player who has borne off all checkers.
    #[inline]
    fn winner(&self) -> Option<usize> {
        if self.checkers[0].all_off() { Some(0) } else { self.checkers[1].all_off().then_some(1) }
    }

    /// Returns true if neither player can ever move: both have checkers on the bar, and all six
    /// points of both home boards are held. No play leads to such a position: a player who is still
    /// on the bar after a play can only have entered checkers, and these are in the opponent's home
    /// board.
    fn is_deadlock(&self) -> bool {
        self.checkers.iter().all(|c| c.count(BAR) > 0 && c.held() & HOME == HOME)
    }

    /// Makes a play of the player to move and passes the turn.
    #[inline]
    fn make(&mut self, play: Play) {
        let mover = self.mover();
        let [first, second] = &mut self.checkers;
        let (own, opponent) = if mover == 0 { (first, second) } else { (second, first) };
        for step in play.steps() {
            let to = step.to();
            own.remove(step.from());
            own.add(to);
            let across = BAR - to;
            if to != checkers::OFF && opponent.blots() >> across & 1 != 0 {
                opponent.remove(across);
                opponent.add(BAR);
            }
        }
        self.mover = 1 - self.mover;
        self.roll = None;
    }
}

impl Backgammon {
    /// Returns the points of the winner, given the loser's checkers.
    #[inline]
    fn win_points(self, loser: Checkers) -> f64 {
        if self.score == Score::Win || !loser.none_off() {
            1.0
        } else if loser.taken() & (FAR_HOME | 1 << BAR) == 0 {
            2.0
        } else {
            3.0
        }
    }
}

impl Game for Backgammon {
    type State = State;
    type Move = Move;

    fn start(&self) -> State {
        let checkers = [Checkers::at_start(); 2];
        State { checkers, mover: 0, roll: None, opening: true }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        if state.roll.is_some() {
            Turn::Player(state.mover())
        } else if state.winner().is_some() {
            Turn::Over
        } else {
            Turn::Chance
        }
    }

    #[inline]
    fn moves(&self, state: &State, out: &mut Vec<Move>) {
        if let Some(roll) = state.roll {
            plays::append(&Board::new(state, state.mover()), roll, out);
        } else if self.turn(state) == Turn::Chance {
            let rolls = ROLLS.into_iter().filter(|roll| !(state.opening && roll.is_double()));
            out.extend(rolls.map(Move::Roll));
        }
    }

    fn payoffs(&self) -> Payoffs {
        let max = match self.score {
            Score::Full => 3.0,
            Score::Win => 1.0,
        };
        Payoffs { least: -max, most: max, ..Payoffs::DUEL }
    }

    fn has_chance(&self) -> bool {
        true
    }

    #[inline]
    fn play(&self, state: &mut State, mv: Move) {
        match mv {
            Move::Roll(roll) => {
                state.roll = Some(roll);
                state.opening = false;
            }
            Move::Play(play) => state.make(play),
        }
    }

    #[inline]
    fn utility(&self, state: &State, player: usize) -> f64 {
        match state.winner() {
            Some(winner) => {
                let points = self.win_points(state.checkers[1 - winner]);
                if winner == player { points } else { -points }
            }
            None => 0.0,
        }
    }

    #[inline]
    fn probability(&self, state: &State, outcome: Move) -> f64 {
        match outcome {
            _ if state.opening => 1.0 / 15.0,
            Move::Roll(roll) if roll.is_double() => 1.0 / 36.0,
            _ => 1.0 / 18.0,
        }
    }

    #[inline]
    fn sample(&self, state: &State, rng: &mut Rng, _: &mut Vec<Move>) -> Move {
        Move::Roll(throw(state.opening, rng))
    }

    #[inline]
    fn playout(&self, state: &mut State, rng: &mut Rng, _: &mut Vec<Move>) -> u32 {
        let mut plies = 0;
        loop {
            let rolled = match state.roll {
                Some(roll) => roll,
                None if state.winner().is_some() => return plies,
                None => {
                    plies += 1;
                    throw(state.opening, rng)
                }
            };
            let play = random_play(&Board::new(state, state.mover()), rolled, rng);
            state.opening = false;
            state.make(play);
            plies += 1;
        }
    }
}

impl ZeroSum for Backgammon {}

impl Hashed for Backgammon {
    #[inline]
    fn board_key(&self, state: &State) -> u64 {
        let dice = state.roll.map_or(0, |roll| u64::from(roll.high) << 3 | u64::from(roll.low));
        let turn = dice << 2 | u64::from(state.mover) << 1 | u64::from(state.opening);
        let pair = |low: u32, high: u32| u64::from(high) << 32 | u64::from(low);
        state
            .checkers
            .into_iter()
            .fold(mix(turn), |key, Checkers([a, b, c, d])| mix(mix(key ^ pair(a, b)) ^ pair(c, d)))
    }
}

impl Symmetric for Backgammon {}
