//! Example of a game with every capability: Nim. A game consists of one such file.
//!
//! Players take any number of counters from one heap, and the player who takes the last counter wins.

use tussle_catalog::{Catalog, Entry, Key};
use tussle_core::{
    Drawn, Evaluator, Game, Hashed, Ink, Notation, ParseError, Row, Scene, Symmetric, Turn,
    ZeroSum, mix,
};

/// Maximum number of heaps.
const MAX_HEAPS: usize = 8;

/// Nim with heaps of 1, 2, 3 … counters.
#[derive(Clone, Debug)]
pub struct Nim {
    heaps: usize,
}

impl Default for Nim {
    fn default() -> Self {
        Self { heaps: 3 }
    }
}

/// Position: the counters left in each heap, and the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    heaps: [u8; MAX_HEAPS],
    mover: usize,
}

/// Move: takes this many counters from this heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Take {
    heap: u8,
    counters: u8,
}

// 1. The rules. They are enough for `mcts`, see heap.rs.
impl Game for Nim {
    type State = State;
    type Move = Take;

    fn start(&self) -> State {
        let mut heaps = [0; MAX_HEAPS];
        for (i, heap) in heaps.iter_mut().enumerate().take(self.heaps) {
            *heap = i as u8 + 1;
        }
        State { heaps, mover: 0 }
    }

    fn turn(&self, state: &State) -> Turn {
        if state.heaps == [0; MAX_HEAPS] { Turn::Over } else { Turn::Player(state.mover) }
    }

    fn moves(&self, state: &State, out: &mut Vec<Take>) {
        for (heap, &left) in state.heaps.iter().enumerate() {
            out.extend((1..=left).map(|counters| Take { heap: heap as u8, counters }));
        }
    }

    fn play(&self, state: &mut State, take: Take) {
        state.heaps[usize::from(take.heap)] -= take.counters;
        state.mover = 1 - state.mover;
    }

    fn utility(&self, state: &State, player: usize) -> f64 {
        if player == state.mover { -1.0 } else { 1.0 } // the other player took the last counter
    }
}

// 2. Capabilities that some searches need.
impl ZeroSum for Nim {}

impl Hashed for Nim {
    fn board_key(&self, state: &State) -> u64 {
        mix(u64::from_le_bytes(state.heaps) ^ mix(state.mover as u64))
    }
}

impl Symmetric for Nim {}

// 3. Moves and positions as text: `c2` takes two counters from the third heap.
impl Notation for Nim {
    fn move_text(&self, _: &State, take: Take) -> String {
        format!("{}{}", char::from(b'a' + take.heap), take.counters)
    }

    fn position_text(&self, state: &State) -> String {
        let heaps: Vec<String> = state.heaps[..self.heaps].iter().map(u8::to_string).collect();
        format!("{} {}", heaps.join("/"), state.mover + 1)
    }

    fn parse_position(&self, text: &str) -> Result<State, ParseError> {
        let wrong = || {
            ParseError::new(format!(
                "`{text}`: expected the heaps and the player to move, as in `1/2/3 1`"
            ))
        };
        let (heaps, mover) = text.split_once(' ').ok_or_else(wrong)?;
        let mut state = self.start();
        state.mover = match mover {
            "1" => 0,
            "2" => 1,
            _ => return Err(wrong()),
        };
        if heaps.split('/').count() != self.heaps {
            return Err(wrong());
        }
        for (heap, left) in state.heaps.iter_mut().zip(heaps.split('/')) {
            let left = left.parse().map_err(|_| wrong())?;
            if left > *heap {
                let max = *heap;
                return Err(ParseError::new(format!(
                    "`{text}`: expected at most {max} counters in this heap, found {left}"
                )));
            }
            *heap = left;
        }
        Ok(state)
    }
}

// 4. A heuristic for searches that do not reach the end of the game.
/// Heuristic: 1 for the winner under best play, -1 for the loser. If the xor of the heaps is 0, the player who
/// moved last wins; otherwise the player to move wins. Rust code passes it to a search:
/// `AlphaBeta::new(options, NimSum)`.
#[derive(Clone, Copy, Debug)]
pub struct NimSum;

impl Evaluator<Nim> for NimSum {
    fn value(&self, _: &Nim, state: &State, player: usize) -> f64 {
        let balanced = state.heaps.iter().fold(0, |xor, heap| xor ^ heap) == 0;
        if balanced == (state.mover == player) { -1.0 } else { 1.0 }
    }

    fn is_antisymmetric(&self) -> bool {
        true
    }
}

// 5. A drawing, for the terminal, pictures and the web board.
impl Drawn for Nim {
    fn scene(&self, state: &State) -> Scene {
        let mut scene = Scene::new(self.heaps as f32, self.heaps as f32 + 0.5);
        scene.rect(0.0, 0.0, scene.width, scene.height, Ink::Board);
        for (heap, &left) in state.heaps[..self.heaps].iter().enumerate() {
            let x = heap as f32;
            let mut row = Row::default();
            row.push(Ink::Faint, format!("{} ", char::from(b'a' + heap as u8)));
            row.push(Ink::Player(0), "o".repeat(left.into()));
            scene.rows.push(row);
            for n in 0..self.heaps {
                let y = (self.heaps - 1 - n) as f32;
                if n < usize::from(left) {
                    scene.disc(x + 0.5, y + 0.5, 0.35, Ink::Player(0));
                }
                scene.spot(format!("take {} from this heap", n + 1), x, y, 1.0, 1.0);
            }
            let name = char::from(b'a' + heap as u8);
            scene.label(x + 0.5, self.heaps as f32 + 0.25, 0.3, name, Ink::Text);
        }
        scene
    }

    fn clicks(&self, _: &State, take: Take) -> Vec<usize> {
        vec![usize::from(take.heap) * self.heaps + usize::from(take.counters) - 1]
    }
}

// 6. The entry in the catalog: name, parameters for spec strings such as `nim:heaps=5`, and capabilities.
const KEYS: &[Key<Nim>] =
    &[Key::int("heaps", (1, 8), "3", |nim, n| nim.heaps = n as usize, "number of heaps")];

/// Returns a catalog with this game only.
pub fn catalog() -> Catalog {
    let nim = Entry::with_params("nim", KEYS, Ok)
        .summary("take counters from heaps; the last counter wins")
        .evaluator(
            "nim-sum",
            "1 for the winner under best play, -1 for the loser, by the xor of the heaps",
            NimSum,
        )
        .complete();
    Catalog::empty().with(nim)
}
