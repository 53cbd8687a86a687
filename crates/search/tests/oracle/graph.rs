//! A random game: positions are places on levels, and the seed determines every property of a place.

use tussle_core::{Evaluator, Game, Hashed, Limits, Payoffs, Turn, ZeroSum, mix};
use tussle_search::{Agent, Query};

/// Largest evaluation, and the least with the sign changed.
pub(crate) const MAX_EVALUATION: f64 = 50.0;

/// Rules of a random game. A small width gives many transpositions.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "they are switches")]
pub(crate) struct Graph {
    pub(crate) seed: u64,
    pub(crate) players: usize,
    /// Player to move at the start.
    pub(crate) first: usize,
    /// Length of the longest game.
    pub(crate) plies: u32,
    /// Number of places per level.
    pub(crate) width: u64,
    /// Largest number of moves, without twins.
    pub(crate) branching: u64,
    /// True if the players take turns; otherwise any player may be next.
    pub(crate) takes_turns: bool,
    /// True if one of three positions is a chance node.
    pub(crate) chance: bool,
    /// True if a finished game is worth points.
    pub(crate) points: bool,
    /// True if every move has an equivalent twin.
    pub(crate) twins: bool,
    /// True if games end at the last level only.
    pub(crate) full_length: bool,
}

/// Position: a level and a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) ply: u32,
    pub(crate) place: u64,
}

/// Offset between the number of a move and that of its equivalent twin.
pub(crate) const TWIN: u16 = 100;

impl Graph {
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            seed,
            players: 2,
            first: (seed % 2) as usize,
            plies: 6,
            width: 24,
            branching: 4,
            takes_turns: !seed.is_multiple_of(3),
            chance: false,
            points: false,
            twins: false,
            full_length: false,
        }
    }

    /// Returns a random number for a place and a purpose.
    fn number(&self, at: &Place, purpose: u64) -> u64 {
        let here = mix(u64::from(at.ply) << 32 | at.place);
        mix(self.seed ^ mix(here ^ mix(purpose)))
    }

    pub(crate) fn evaluation(&self, at: &Place, player: usize) -> f64 {
        let of = |purpose| (self.number(at, purpose) % 101) as f64 - MAX_EVALUATION;
        match (self.players, player) {
            (2, 0) => of(10),
            (2, _) => 0.0 - of(10),
            _ => of(10 + player as u64),
        }
    }

    /// Returns the written result of simulation number `nth` from a place, for the first player.
    pub(crate) fn written(&self, at: &Place, nth: u64) -> f64 {
        (self.number(at, 4000 + nth) % 1_000_003) as f64 / 1_000_003.0
    }

    pub(crate) fn after(&self, at: &Place, mv: u16) -> Place {
        let mut next = *at;
        self.play(&mut next, mv);
        next
    }

    /// Returns the distinct moves, or all of them.
    pub(crate) fn list(&self, at: &Place, dedupe: bool) -> Vec<u16> {
        let mut moves = Vec::new();
        if dedupe {
            self.distinct_moves(at, &mut moves);
        } else {
            self.moves(at, &mut moves);
        }
        moves
    }

    pub(crate) fn noisy(&self, at: &Place) -> Vec<u16> {
        let mut moves = Vec::new();
        self.noisy_moves(at, &mut moves);
        moves
    }
}

impl Game for Graph {
    type State = Place;
    type Move = u16;

    fn players(&self) -> usize {
        self.players
    }

    fn start(&self) -> Place {
        Place { ply: 0, place: 0 }
    }

    fn turn(&self, at: &Place) -> Turn {
        let ends_early = at.ply > 1 && !self.full_length && self.number(at, 1).is_multiple_of(8);
        if at.ply >= self.plies || ends_early {
            return Turn::Over;
        }
        if at.ply == 0 {
            return Turn::Player(self.first);
        }
        if self.chance && self.number(at, 2).is_multiple_of(3) {
            return Turn::Chance;
        }
        let next = if self.takes_turns { at.ply as usize } else { self.number(at, 3) as usize };
        Turn::Player((self.first + next % self.players) % self.players)
    }

    fn moves(&self, at: &Place, out: &mut Vec<u16>) {
        if self.turn(at) == Turn::Over {
            return;
        }
        let least = if at.ply == 0 { self.branching } else { 1 };
        let count = least + self.number(at, 4) % (self.branching + 1 - least);
        for mv in 0..count as u16 {
            out.push(mv);
            if self.twins && self.turn(at) != Turn::Chance {
                out.push(mv + TWIN);
            }
        }
    }

    fn distinct_moves(&self, at: &Place, out: &mut Vec<u16>) {
        let mut moves = Vec::new();
        self.moves(at, &mut moves);
        out.extend(moves.into_iter().filter(|&mv| mv < TWIN));
    }

    fn play(&self, at: &mut Place, mv: u16) {
        let place = self.number(at, 1000 + u64::from(mv % TWIN)) % self.width;
        *at = Place { ply: at.ply + 1, place };
    }

    fn utility(&self, at: &Place, player: usize) -> f64 {
        let number = self.number(at, 5);
        let sign = if player == 0 { 1.0 } else { -1.0 };
        match self.players {
            2 if self.points => sign * ((number % 41) as f64 - 20.0),
            2 => sign * ((number % 3) as f64 - 1.0),
            players => {
                let winners = 1 + number % ((1 << players) - 1);
                let wins = winners >> player & 1 == 1;
                if wins { 1.0 / f64::from(winners.count_ones()) } else { 0.0 }
            }
        }
    }

    fn payoffs(&self) -> Payoffs {
        if self.points {
            Payoffs { least: -20.0, most: 20.0, sum: 0.0, points: true }
        } else {
            Payoffs::of_players(self.players)
        }
    }

    fn has_chance(&self) -> bool {
        self.chance
    }

    fn probability(&self, at: &Place, outcome: u16) -> f64 {
        let weight = |mv: u16| (1 + self.number(at, 2000 + u64::from(mv)) % 3) as f64;
        weight(outcome) / self.list(at, false).into_iter().map(weight).sum::<f64>()
    }

    fn move_classes(&self) -> &'static [&'static str] {
        &["low", "middle", "high"]
    }

    fn move_class(&self, at: &Place, mv: u16) -> usize {
        (self.number(at, 3000 + u64::from(mv % TWIN)) % 3) as usize
    }

    fn has_noisy_moves(&self) -> bool {
        true
    }

    fn noisy_moves(&self, at: &Place, out: &mut Vec<u16>) {
        let moves = self.list(at, true);
        out.extend(moves.into_iter().filter(|&mv| self.move_class(at, mv) == 0));
    }
}

impl ZeroSum for Graph {}

impl Hashed for Graph {
    fn board_key(&self, at: &Place) -> u64 {
        self.number(at, 6)
    }
}

/// Evaluator of a [`Graph`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Judge {
    pub(crate) has_range: bool,
    pub(crate) is_antisymmetric: bool,
}

impl Judge {
    pub(crate) const NEW: Self = Self { has_range: true, is_antisymmetric: true };
}

impl Evaluator<Graph> for Judge {
    fn value(&self, game: &Graph, at: &Place, player: usize) -> f64 {
        game.evaluation(at, player)
    }

    fn range(&self, _: &Graph) -> Option<(f64, f64)> {
        self.has_range.then_some((-MAX_EVALUATION, MAX_EVALUATION))
    }

    fn is_antisymmetric(&self) -> bool {
        self.is_antisymmetric
    }
}

/// Runs a search for exact values of all root moves.
pub(crate) fn all_lines<A: Agent<Graph>>(
    agent: &mut A,
    game: &Graph,
    limits: &Limits,
) -> tussle_core::Report<u16> {
    agent.run(game, &game.start(), Query::new(limits).lines(1000)).expect("a report")
}
