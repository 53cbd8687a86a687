//! Backgammon without the doubling cube: two dice, fifteen checkers a side, first one off wins.

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

/// Backgammon.
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
    /// What a won game is worth.
    pub score: Score,
}

/// What a won game is worth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Score {
    /// 1; 2 for a gammon, 3 for a backgammon.
    #[default]
    Full,
    /// 1, however it was won.
    Win,
}

/// Two dice, the larger one first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Roll {
    high: u8,
    low: u8,
}

impl Roll {
    /// The two dice, the larger one first.
    pub fn dice(self) -> (u8, u8) {
        (self.high, self.low)
    }

    /// Whether both show the same.
    #[inline]
    pub fn is_double(self) -> bool {
        self.high == self.low
    }
}

/// Every roll: 11, 21, 22, 31 … 66.
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

/// One checker's step with one die: the place it leaves in the lower five bits, the die above.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Step(u8);

impl Step {
    const NONE: Self = Self(0);

    #[inline]
    fn new(from: usize, die: usize) -> Self {
        Self((from | die << 5) as u8)
    }

    /// The place it leaves: 1 to 24, or 25 for the bar.
    #[inline]
    fn from(self) -> usize {
        usize::from(self.0 & 31)
    }

    #[inline]
    fn die(self) -> usize {
        usize::from(self.0 >> 5)
    }

    /// The place it comes to: 0 is off.
    #[inline]
    fn to(self) -> usize {
        target(self.from(), self.die())
    }
}

/// What a player does with a roll: up to four steps, the farthest checker's first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Play([Step; 4]);

impl Play {
    /// Nothing can be moved.
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

/// A roll of the dice, or a player's whole play for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// An outcome of chance.
    Roll(Roll),
    /// A player's play.
    Play(Play),
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// Each player's checkers, as that player counts the points. The first player's point 24 is
    /// the second one's point 1.
    checkers: [Checkers; 2],
    /// Who plays, or is about to roll.
    mover: u8,
    /// What is rolled, if it is.
    roll: Option<Roll>,
    /// Whether the first roll of the game is to come, which is never a double.
    opening: bool,
}

impl State {
    #[inline]
    fn mover(&self) -> usize {
        usize::from(self.mover)
    }

    /// The player who has borne off every checker.
    #[inline]
    fn winner(&self) -> Option<usize> {
        if self.checkers[0].all_off() { Some(0) } else { self.checkers[1].all_off().then_some(1) }
    }

    /// Whether neither player can ever move: both have checkers on the bar and all six points of
    /// both homes are held. No play leads there, because who is still on the bar after it has
    /// at most entered checkers, and they stand in the rival's home.
    fn is_deadlock(&self) -> bool {
        self.checkers.iter().all(|c| c.count(BAR) > 0 && c.held() & HOME == HOME)
    }

    /// Moves the mover's checkers and hands the dice over.
    #[inline]
    fn make(&mut self, play: Play) {
        let mover = self.mover();
        let [first, second] = &mut self.checkers;
        let (own, rival) = if mover == 0 { (first, second) } else { (second, first) };
        for step in play.steps() {
            let to = step.to();
            own.remove(step.from());
            own.add(to);
            let across = BAR - to;
            if to != checkers::OFF && rival.blots() >> across & 1 != 0 {
                rival.remove(across);
                rival.add(BAR);
            }
        }
        self.mover = 1 - self.mover;
        self.roll = None;
    }
}

impl Backgammon {
    /// What the winner gets for these checkers left to the loser.
    #[inline]
    fn prize(self, loser: Checkers) -> f64 {
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
        let most = match self.score {
            Score::Full => 3.0,
            Score::Win => 1.0,
        };
        Payoffs { least: -most, most, ..Payoffs::DUEL }
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
                let prize = self.prize(state.checkers[1 - winner]);
                if winner == player { prize } else { -prize }
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
