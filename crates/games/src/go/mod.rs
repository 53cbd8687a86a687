//! Go on boards of any size up to 19x19: area scoring, simple ko, no suicide.

mod actions;
mod bits;
mod eval;
mod heavy;
#[cfg(test)]
mod naive;
mod notation;
mod options;
mod patterns;
mod playout;
mod scene;
mod symmetry;
mod tactics;
#[cfg(test)]
mod tests;

use tussle_core::{Game, Hashed, ParseError, Payoffs, Rng, Turn, ZeroSum, mix, zobrist};

use crate::record::in_turn;

use bits::Bits;
pub use eval::Eval;
pub use options::{MAX_KOMI, MAX_MOVES, MAX_SIDE, Options, Repetition, Utility};
use patterns::{PATTERNS, PatternSet, Window};

/// Go on a board that fits `N` 64-bit words: [`Go<1>`](Go) for up to 7x8 points (columns x rows),
/// [`Go<2>`](Go) for up to 10x10, [`Go<4>`](Go) for up to 13x16, [`Go<8>`](Go) for up to 19x19.
/// [`Options::words`] returns the `N` of a board.
///
/// ```
/// use tussle_core::{Game, Notation, Turn};
/// use tussle_games::go::{Go, Options};
///
/// let rules = Go::<1>::new(&Options::sized(5, 5)).unwrap(); // komi 0.5
/// let mut state = rules.start();
/// for text in ["C3", "pass", "pass"] {
///     let mv = rules.parse_move(&state, text).unwrap();
///     rules.play(&mut state, mv);
/// }
/// assert_eq!(rules.turn(&state), Turn::Over);
/// assert_eq!(rules.utility(&state, 0), 1.0); // all 25 points are Black's
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Go<const N: usize> {
    options: Options,
    /// Maximum number of moves; [`u32::MAX`] if unlimited.
    cap: u32,
    /// All points of the board.
    cells: Bits<N>,
    /// Neighbours of every point, by bit number.
    around: Box<[[Bits<N>; 64]; N]>,
    /// Points outside the board in the [window](Bits::window) of every point, by bit number.
    outside: Box<[[u64; 64]; N]>,
    /// Surroundings of a point that match a pattern.
    patterns: &'static PatternSet,
}

/// Position: the stones, the player to move, the ko, the counts of moves and passes, and the
/// earlier boards.
#[derive(Debug, PartialEq, Eq)]
pub struct State<const N: usize> {
    /// Stones of Black and of White.
    stones: [Bits<N>; 2],
    /// Zobrist key of the stones.
    key: u64,
    /// Number of moves made, passes included.
    moves: u32,
    /// Point where the player to move must not retake a ko, or [`NO_POINT`].
    ko: u16,
    mover: u8,
    /// Number of consecutive passes.
    passes: u8,
    /// True if the latest move recreated an earlier board, which ends the game.
    repeated: bool,
    past: History<N>,
}

/// Earlier boards, stored as the first of them and the stones put down since. This form can be
/// written, parsed and reflected, and takes 16 bytes per board for any board size.
#[derive(Debug, PartialEq, Eq)]
struct History<const N: usize> {
    /// First known board; empty while no earlier board is known.
    origin: [Bits<N>; 2],
    steps: Vec<Step>,
}

/// Stone that was put down, with the key of the board before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step {
    before: u64,
    point: u16,
    colour: u8,
}

/// Value that stands for no point.
const NO_POINT: u16 = u16::MAX;

/// Move: a point of the board, or a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move(u16);

impl Move {
    /// Pass.
    pub const PASS: Self = Self(NO_POINT);
}

/// Zobrist keys of a stone of each colour on every point of the largest board.
static KEYS: [[u64; 8 * 64]; 2] = [zobrist(0x60), zobrist(0x61)];

#[inline]
fn stone_key(colour: usize, point: u16) -> u64 {
    KEYS[colour % 2][usize::from(point) % (8 * 64)]
}

/// Computes the key of a board.
fn key_of<const N: usize>(stones: [Bits<N>; 2]) -> u64 {
    (0..2).fold(0, |key, colour| key ^ keys_of(stones[colour], colour))
}

/// Computes the combined key of stones of one colour.
#[inline]
fn keys_of<const N: usize>(stones: Bits<N>, colour: usize) -> u64 {
    let mut key = 0;
    stones.each_unordered(|point| key ^= stone_key(colour, point));
    key
}

/// Returns the stones of `opponent` that a new stone captures.
///
/// `beside` is the set of neighbours of the new stone, and `near` the set of points beside a
/// liberty. The flood fill starts from the stones beside any liberty of the board, because hardly
/// any stone is far from a liberty.
#[expect(
    clippy::inline_always,
    reason = "left to the compiler, random games on 9x9 took 1.6x the time"
)]
#[inline(always)]
fn captured<const N: usize>(beside: Bits<N>, opponent: Bits<N>, near: Bits<N>) -> Bits<N> {
    let mut alive = opponent & near;
    if N < 8 {
        // On small boards a step is cheap. One step before the test makes its branch easier to
        // predict.
        alive = alive | alive.beside() & opponent;
    }
    let pressed = beside & opponent & !alive;
    if pressed.is_empty() {
        return Bits::EMPTY;
    }
    loop {
        let next = alive | alive.beside() & opponent;
        if (pressed & !next).is_empty() {
            return Bits::EMPTY;
        }
        if next == alive {
            return opponent & !alive;
        }
        alive = next;
    }
}

/// Returns true if a stone with the neighbours `beside` is connected to an own stone that has a
/// liberty.
#[inline]
fn is_connected<const N: usize>(beside: Bits<N>, own: Bits<N>, near: Bits<N>) -> bool {
    let friends = beside & own;
    !friends.is_empty() && (friends.meets(near) || (own & near).reaches(own, friends))
}

impl<const N: usize> Clone for State<N> {
    fn clone(&self) -> Self {
        let past = History { origin: self.past.origin, steps: self.past.steps.clone() };
        Self { past, ..*self }
    }

    /// Reuses the memory of the earlier boards.
    fn clone_from(&mut self, source: &Self) {
        let mut steps = std::mem::take(&mut self.past.steps);
        steps.clone_from(&source.past.steps);
        *self = Self { past: History { origin: source.past.origin, steps }, ..*source };
    }
}

impl<const N: usize> State<N> {
    /// Creates a position without earlier boards.
    fn new(stones: [Bits<N>; 2], mover: usize) -> Self {
        Self {
            stones,
            key: key_of(stones),
            moves: 0,
            ko: NO_POINT,
            mover: mover as u8,
            passes: 0,
            repeated: false,
            past: History { origin: [Bits::EMPTY; 2], steps: Vec::new() },
        }
    }

    #[inline]
    fn mover(&self) -> usize {
        usize::from(self.mover)
    }

    #[inline]
    fn occupied(&self) -> Bits<N> {
        self.stones[0] | self.stones[1]
    }

    #[inline]
    fn colour_at(&self, point: u16) -> Option<usize> {
        (0..2).find(|&colour| self.stones[colour].has(point))
    }
}

impl<const N: usize> History<N> {
    /// Returns true if a board with this key and number of stones occurred before. That is
    /// impossible as long as nothing was captured.
    #[inline]
    fn has(&self, key: u64, stones: u32) -> bool {
        let put_down = self.steps.len() as u32 + self.origin[0].count() + self.origin[1].count();
        stones < put_down && self.steps.iter().any(|step| step.before == key)
    }

    /// Returns the number of plies since a board with this key occurred. Two consecutive stones of
    /// one colour have a pass between them.
    fn plies_since(&self, key: u64) -> u32 {
        let last = self.steps.iter().rposition(|step| step.before == key).unwrap_or(0);
        let gaps = self.steps[last..].windows(2);
        1 + gaps.map(|pair| 1 + u32::from(pair[0].colour == pair[1].colour)).sum::<u32>()
    }
}

impl<const N: usize> Go<N> {
    /// Creates the game with these options.
    ///
    /// # Errors
    /// If an option is out of range, options contradict each other, or the board needs another
    /// number of words.
    pub fn new(options: &Options) -> Result<Self, ParseError> {
        options.check()?;
        let (width, height) = (options.width, options.height);
        if !Bits::<N>::fits(width, height) || !matches!(N, 1 | 2 | 4 | 8) {
            return Err(ParseError::new(format!(
                "a board of {width}x{height} points needs {} words, found {N}",
                options.words()
            )));
        }
        let mut cells = Bits::EMPTY;
        for row in 0..height {
            (0..width).for_each(|column| cells.insert(Bits::<N>::index(column, row)));
        }
        let mut around = Box::new([[Bits::EMPTY; 64]; N]);
        for (point, beside) in around.as_flattened_mut().iter_mut().enumerate() {
            *beside = Bits::single(point as u16).beside() & cells;
        }
        let mut outside = Box::new([[Window::ALL; 64]; N]);
        cells.each(|point| {
            let (column, row) = Bits::<N>::place(point);
            let window = &mut outside.as_flattened_mut()[usize::from(point)];
            for (x, y) in (0..5).flat_map(|y| (0..5).map(move |x| (x, y))) {
                let inside =
                    (2..width + 2).contains(&(column + x)) && (2..height + 2).contains(&(row + y));
                *window &= !(u64::from(inside) << (8 * y + x));
            }
        });
        let cap = options.cap.unwrap_or(u32::MAX);
        Ok(Self { options: *options, cap, cells, around, outside, patterns: &PATTERNS })
    }

    /// Options of this game.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Returns the neighbours of a point.
    #[inline]
    fn around(&self, point: u16) -> Bits<N> {
        self.around.as_flattened()[usize::from(point) % Bits::<N>::LEN]
    }

    /// Returns the [windows](Bits::window) of two sets of stones around a point, both with the points
    /// outside the board.
    #[inline]
    fn windows(&self, point: u16, stones: [Bits<N>; 2]) -> [Window; 2] {
        let outside = self.outside.as_flattened()[usize::from(point) % Bits::<N>::LEN];
        stones.map(|stones| Window(stones.window(point) | outside))
    }

    /// Returns the point of the latest move, or [`NO_POINT`] if it was a pass or is not known.
    #[inline]
    fn latest(state: &State<N>) -> u16 {
        let latest = state.past.steps.last().filter(|_| state.passes == 0);
        latest.map_or(NO_POINT, |step| step.point)
    }

    /// Returns the line of a point, counted from the edge, at most 2.
    #[inline]
    fn line(&self, point: u16) -> u16 {
        let (column, row) = Bits::<N>::place(point);
        let columns = column.min(self.options.width - 1 - column);
        let rows = row.min(self.options.height - 1 - row);
        columns.min(rows).min(2) as u16
    }

    /// Returns true if an empty point is an eye of the player with the stones `own`.
    #[inline]
    fn is_eye(&self, point: u16, own: Bits<N>, opponent: Bits<N>) -> bool {
        (self.around(point) & !own).is_empty() && {
            let corners = Bits::single(point).across() & self.cells;
            let lost = (corners & opponent).count();
            lost == 0 || lost == 1 && corners.count() == 4
        }
    }

    #[inline]
    fn empty(&self, state: &State<N>) -> Bits<N> {
        self.cells & !state.occupied()
    }

    /// Returns the points where the player to move can put a stone, without regard to superko.
    #[inline]
    fn playable(&self, state: &State<N>) -> Bits<N> {
        let (own, opponent) = (state.stones[state.mover()], state.stones[1 - state.mover()]);
        let empty = self.empty(state);
        let open = empty & empty.beside(); // a stone has a liberty there
        let mut shut = empty & !open;
        if state.ko != NO_POINT {
            shut.remove(state.ko);
        }
        if shut.is_empty() {
            return open;
        }
        // A stone is legal beside an own group that has a liberty elsewhere. One flood fill decides
        // this for most of the remaining points.
        let safe = (own & open.beside()).flood(own);
        let mut playable = open | shut & safe.beside();
        (shut & !playable).each(|point| {
            let (beside, mut liberties) = (self.around(point), empty);
            liberties.remove(point);
            let near = liberties.beside();
            if is_connected(beside, own, near) || !captured(beside, opponent, near).is_empty() {
                playable.insert(point);
            }
        });
        playable
    }

    /// Returns true if a stone on a playable point would recreate an earlier board.
    fn would_repeat(&self, state: &State<N>, point: u16) -> bool {
        let mover = state.mover();
        let taken = self.taken_by(state, point);
        let key = state.key ^ stone_key(mover, point) ^ keys_of(taken, 1 - mover);
        // The current board is not in `past` yet. That is correct: a move that puts down a stone
        // cannot recreate it.
        state.past.has(key, state.occupied().count() - taken.count())
    }

    /// Returns the stones that a stone on this point captures.
    #[inline]
    fn taken_by(&self, state: &State<N>, point: u16) -> Bits<N> {
        let mut liberties = self.empty(state);
        liberties.remove(point);
        captured(self.around(point), state.stones[1 - state.mover()], liberties.beside())
    }

    /// Puts a stone on the board, removes the captured stones and returns them. Does not change the
    /// player to move and the earlier boards.
    #[inline]
    fn put(&self, state: &mut State<N>, point: u16) -> Bits<N> {
        let mover = state.mover();
        let beside = self.around(point);
        let taken = self.taken_by(state, point);
        state.ko = NO_POINT;
        state.key ^= stone_key(mover, point);
        if !taken.is_empty() {
            let alone = !beside.meets(state.stones[mover]) && !beside.meets(self.empty(state));
            if alone && taken.count() == 1 {
                state.ko = taken.first().unwrap_or(NO_POINT);
            }
            state.key ^= keys_of(taken, 1 - mover);
            state.stones[1 - mover] = state.stones[1 - mover] & !taken;
        }
        state.stones[mover].insert(point);
        taken
    }

    /// Returns the areas of Black and White: their stones, and the empty points from which only
    /// stones of that colour can be reached.
    #[inline]
    fn areas(&self, state: &State<N>) -> [u32; 2] {
        let empty = self.empty(state);
        let [black, white] = state.stones.map(|stones| (stones.beside() & empty).flood(empty));
        [(state.stones[0] | black & !white).count(), (state.stones[1] | white & !black).count()]
    }

    /// Returns Black's area minus White's area minus komi.
    #[inline]
    fn score(&self, state: &State<N>) -> f64 {
        let [black, white] = self.areas(state);
        f64::from(black) - f64::from(white) - self.options.komi
    }

    /// Makes a move and returns the token for [`Undo::take_back`].
    #[inline]
    fn make(&self, state: &mut State<N>, mv: Move) -> Undo<N> {
        let undo = Undo { taken: Bits::EMPTY, key: state.key, ko: state.ko, passes: state.passes };
        let Move(point) = mv;
        let taken = if mv == Move::PASS {
            state.passes += 1;
            state.ko = NO_POINT;
            Bits::EMPTY
        } else {
            let before = state.stones;
            let taken = self.put(state, point);
            state.passes = 0;
            if self.options.repetition != Repetition::Off {
                let History { origin, steps } = &mut state.past;
                if steps.is_empty() {
                    *origin = before;
                }
                steps.push(Step { before: undo.key, point, colour: state.mover });
                state.repeated = state.past.has(state.key, state.occupied().count());
            }
            taken
        };
        state.mover ^= 1;
        state.moves += 1;
        Undo { taken, ..undo }
    }
}

/// Parts of a state that a move overwrites.
struct Undo<const N: usize> {
    /// Stones that the move captured.
    taken: Bits<N>,
    key: u64,
    ko: u16,
    passes: u8,
}

impl<const N: usize> Undo<N> {
    /// Takes back the latest move, `mv`.
    #[inline]
    fn take_back(self, state: &mut State<N>, mv: Move) {
        state.mover ^= 1;
        state.moves -= 1;
        state.key = self.key;
        state.ko = self.ko;
        state.passes = self.passes;
        state.repeated = false;
        let Move(point) = mv;
        if mv == Move::PASS {
            return;
        }
        let mover = state.mover();
        state.stones[mover].remove(point);
        state.stones[1 - mover] = state.stones[1 - mover] | self.taken;
        let History { origin, steps } = &mut state.past;
        steps.pop();
        if steps.is_empty() {
            *origin = [Bits::EMPTY; 2];
        }
    }
}

impl<const N: usize> Game for Go<N> {
    type State = State<N>;
    type Move = Move;

    fn start(&self) -> State<N> {
        State::new([Bits::EMPTY; 2], 0)
    }

    #[inline]
    fn turn(&self, state: &State<N>) -> Turn {
        if state.passes >= 2 || state.repeated || state.moves >= self.cap {
            Turn::Over
        } else {
            Turn::Player(state.mover())
        }
    }

    #[inline]
    fn moves(&self, state: &State<N>, out: &mut Vec<Move>) {
        if self.turn(state) == Turn::Over {
            return;
        }
        let playable = self.playable(state);
        out.reserve(playable.count() as usize + 1);
        if self.options.repetition == Repetition::Positional {
            playable.each(|point| {
                if !self.would_repeat(state, point) {
                    out.push(Move(point));
                }
            });
        } else {
            playable.each(|point| out.push(Move(point)));
        }
        out.push(Move::PASS);
    }

    #[inline]
    fn play(&self, state: &mut State<N>, mv: Move) {
        self.make(state, mv);
    }

    /// Makes the move and takes it back, because a copy would allocate memory for the earlier
    /// boards.
    #[inline]
    fn visit<R>(&self, state: &mut State<N>, mv: Move, then: impl FnOnce(&mut State<N>) -> R) -> R {
        let undo = self.make(state, mv);
        let result = then(state);
        undo.take_back(state, mv);
        result
    }

    #[inline]
    fn utility(&self, state: &State<N>, player: usize) -> f64 {
        if state.repeated {
            return 0.0;
        }
        let score = if player == 0 { self.score(state) } else { -self.score(state) };
        match self.options.utility {
            Utility::Margin => score,
            Utility::Win if score > 0.0 => 1.0,
            Utility::Win if score < 0.0 => -1.0,
            Utility::Win => 0.0,
        }
    }

    fn payoffs(&self) -> Payoffs {
        match self.options.utility {
            Utility::Win => Payoffs::DUEL,
            Utility::Margin => {
                let max = f64::from(self.cells.count()) + self.options.komi.abs();
                Payoffs { least: -max, most: max, sum: 0.0, points: true }
            }
        }
    }

    #[inline]
    fn playout(&self, state: &mut State<N>, rng: &mut Rng, _: &mut Vec<Move>) -> u32 {
        self.random_game(state, rng, |_| ())
    }

    fn recorded_playout(
        &self,
        state: &mut State<N>,
        rng: &mut Rng,
        _: &mut Vec<Move>,
        record: &mut Vec<(usize, Move)>,
    ) -> u32 {
        let visit = in_turn(state.mover(), record);
        self.random_game(state, rng, visit)
    }

    fn has_noisy_moves(&self) -> bool {
        true
    }

    /// Appends the captures.
    fn noisy_moves(&self, state: &State<N>, out: &mut Vec<Move>) {
        let base = out.len();
        self.moves(state, out);
        let mut kept = base;
        for i in base..out.len() {
            let mv = out[i];
            if mv != Move::PASS && !self.taken_by(state, mv.0).is_empty() {
                out[kept] = mv;
                kept += 1;
            }
        }
        out.truncate(kept);
    }

    fn has_heavy_playout(&self) -> bool {
        true
    }

    #[inline]
    fn heavy_playout(&self, state: &mut State<N>, rng: &mut Rng, _: &mut Vec<Move>) -> u32 {
        self.heavy_game(state, rng, |_| ())
    }

    fn recorded_heavy_playout(
        &self,
        state: &mut State<N>,
        rng: &mut Rng,
        _: &mut Vec<Move>,
        record: &mut Vec<(usize, Move)>,
    ) -> u32 {
        let visit = in_turn(state.mover(), record);
        self.heavy_game(state, rng, visit)
    }
}

impl<const N: usize> ZeroSum for Go<N> {}

impl<const N: usize> Hashed for Go<N> {
    /// Covers the stones, the player to move, the ko and the passes, but not the earlier boards.
    #[inline]
    fn board_key(&self, state: &State<N>) -> u64 {
        let State { mover, passes, repeated, ko, .. } = *state;
        let rest = [u64::from(mover), u64::from(passes) << 1, u64::from(repeated) << 3];
        mix(state.key ^ mix(rest[0] | rest[1] | rest[2] | u64::from(ko) << 4))
    }

    /// With positional superko, the key also covers the set of earlier boards, because they make
    /// moves illegal.
    #[inline]
    fn table_key(&self, state: &State<N>, reach: u32) -> u64 {
        let mut key = self.board_key(state);
        if self.options.repetition == Repetition::Positional {
            let boards = state.past.steps.iter().map(|step| mix(step.before));
            key = mix(key ^ boards.fold(0, u64::wrapping_add));
        }
        let ends = self.cap != u32::MAX && self.cap - state.moves <= reach;
        if ends { mix(key ^ u64::from(state.moves)) } else { key }
    }

    fn has_repetition_draws(&self) -> bool {
        self.options.repetition == Repetition::Draw
    }

    fn repeated_after(&self, state: &State<N>) -> Option<u32> {
        state.repeated.then(|| state.past.plies_since(state.key))
    }
}
