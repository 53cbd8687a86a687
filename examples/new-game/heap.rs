//! Example of a game with rules only. Players take one, two or three counters from a heap, and the player
//! who takes the last counter wins. Matches, analyses, explanations and the web board need nothing else.

use tussle_catalog::{Catalog, Entry};
use tussle_core::{Game, Turn};

/// Rules, with the number of counters at the start.
pub struct Heap(pub u32);

/// Position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    counters: u32,
    mover: usize,
}

impl Game for Heap {
    type State = State;
    /// Number of counters to take.
    type Move = u32;

    fn start(&self) -> State {
        State { counters: self.0, mover: 0 }
    }

    fn turn(&self, state: &State) -> Turn {
        if state.counters == 0 { Turn::Over } else { Turn::Player(state.mover) }
    }

    fn moves(&self, state: &State, out: &mut Vec<u32>) {
        out.extend(1..=state.counters.min(3));
    }

    fn play(&self, state: &mut State, take: u32) {
        *state = State { counters: state.counters - take, mover: 1 - state.mover };
    }

    fn utility(&self, state: &State, player: usize) -> f64 {
        if player == state.mover { -1.0 } else { 1.0 } // the other player took the last counter
    }
}

/// Returns a catalog with the games of Tussle and this game.
pub fn catalog() -> Catalog {
    Catalog::standard().with(Entry::new("heap", Heap(21)).summary("take the last counter"))
}
