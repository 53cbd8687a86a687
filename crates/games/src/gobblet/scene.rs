//! Drawing: the board in the middle, the hand of the first player on its left and the hand of the
//! second player on its right.

use tussle_core::{Drawn, Form, Game, Ink, Row, Scene, Turn};

use super::notation::{PLAYERS, piece_name};
use super::{Gobblet, Move, State};
use crate::board::bold_label;

/// Radius of a piece by size: big, medium, small.
const RADII: [f32; 3] = [0.45, 0.345, 0.24];
/// Height of the line above the board with the names of the players.
const HEAD: f32 = 0.5;
/// Left edge of the board, after a hand two places wide and a gap.
const BOARD: f32 = 2.4;
const WIDTH: f32 = BOARD + 3.0 + BOARD;
const HEIGHT: f32 = HEAD + 3.1;

/// Returns the upper left corner of a cell.
fn cell_corner(cell: usize) -> (f32, f32) {
    (BOARD + (cell % 3) as f32, HEAD + (cell / 3) as f32)
}

/// Returns the upper left corner of a piece's place in its player's hand.
fn hand_corner(player: usize, piece: usize) -> (f32, f32) {
    let x = if player == 0 { 0.0 } else { WIDTH - 2.0 };
    (x + (piece % 2) as f32, HEAD + (piece / 2) as f32)
}

/// Draws the top piece of a stack; the pieces that it covers appear on it as rings. `stack` is
/// ordered from the bottom up.
fn paint_stack(scene: &mut Scene, (x, y): (f32, f32), stack: &[(usize, usize)]) {
    let Some((&(player, piece), covered)) = stack.split_last() else { return };
    let on_top = Ink::OnPlayer(player as u8);
    scene.disc(x, y, RADII[piece / 2], Ink::Player(player as u8));
    for &(owner, below) in covered {
        let ring = || Form::Circle { x, y, r: RADII[below / 2] };
        scene.shape(ring(), None, Some((on_top, 0.07)));
        scene.shape(ring(), None, Some((Ink::Player(owner as u8), 0.04)));
    }
    bold_label(scene, x, y, 0.2, &piece_name(player, piece), on_top);
}

impl Gobblet {
    /// Returns the status of a player above the board: to move, or the result of the game.
    fn player_status(self, state: State, player: usize) -> &'static str {
        match self.turn(&state) {
            Turn::Player(mover) if mover == player => ", to move",
            Turn::Over if self.utility(&state, player) > 0.0 => ", won",
            Turn::Over if self.utility(&state, player) == 0.0 => ", tied",
            _ => "",
        }
    }

    fn paint(self, scene: &mut Scene, state: State) {
        scene.rect(BOARD, HEAD, 3.0, 3.0, Ink::Board);
        for i in 0..=3 {
            let at = i as f32;
            scene.line((BOARD + at, HEAD), (BOARD + at, HEAD + 3.0), 0.03, Ink::Grid);
            scene.line((BOARD, HEAD + at), (BOARD + 3.0, HEAD + at), 0.03, Ink::Grid);
        }
        for cell in 0..9 {
            let (x, y) = cell_corner(cell);
            scene.label(x + 0.1, y + 0.13, 0.15, cell.to_string(), Ink::Faint);
            let stack: Vec<_> = state.stack(cell).collect();
            paint_stack(scene, (x + 0.5, y + 0.5), &stack);
        }
        let count = format!("{} of {} steps", state.steps, self.steps);
        scene.label(WIDTH * 0.5, HEAD * 0.5, 0.22, count, Ink::Faint);
        for (player, name) in PLAYERS.iter().enumerate() {
            let status = self.player_status(state, player);
            let ink = if status.is_empty() { Ink::Faint } else { Ink::Text };
            let x = hand_corner(player, 1).0;
            scene.label(x, HEAD * 0.5, 0.24, format!("{name}{status}"), ink);
            for piece in 0..6 {
                let (x, y) = hand_corner(player, piece);
                let (x, y) = (x + 0.5, y + 0.5);
                if state.is_in_hand(player, piece) {
                    paint_stack(scene, (x, y), &[(player, piece)]);
                } else {
                    // The place is still drawn: users click it to move the piece again.
                    let ring = Form::Circle { x, y, r: RADII[piece / 2] };
                    scene.shape(ring, None, Some((Ink::Faint, 0.02)));
                    scene.label(x, y, 0.2, piece_name(player, piece), Ink::Faint);
                }
            }
        }
    }

    fn text_rows(self, scene: &mut Scene, state: State) {
        let [first, second] = [0, 1]
            .map(|player| format!("{}{}", PLAYERS[player], self.player_status(state, player)));
        let mut head = Row::default();
        head.push(Ink::Player(0), format!("{first:<38}"));
        head.push(Ink::Player(1), second);
        scene.rows.push(head);
        for r in 0..3 {
            let mut row = Row::default();
            push_hand(&mut row, state, 0, r);
            for cell in 3 * r..3 * r + 3 {
                row.push(Ink::Faint, format!("  {cell} "));
                push_stack(&mut row, state, cell);
            }
            row.push(Ink::Text, "  ");
            push_hand(&mut row, state, 1, r);
            scene.rows.push(row);
        }
        let mut foot = Row::default();
        foot.push(Ink::Faint, format!("{} of {} steps", state.steps, self.steps));
        scene.rows.push(foot);
    }
}

/// Adds a player's pieces in hand of one size, six characters wide.
fn push_hand(row: &mut Row, state: State, player: usize, size: usize) {
    for piece in [2 * size, 2 * size + 1] {
        if state.is_in_hand(player, piece) {
            row.push(Ink::Player(player as u8), piece_name(player, piece) + " ");
        } else {
            row.push(Ink::Faint, ".. ");
        }
    }
}

/// Adds a stack from the bottom up, six characters wide.
fn push_stack(row: &mut Row, state: State, cell: usize) {
    let mut used = 0;
    for (player, piece) in state.stack(cell) {
        row.push(Ink::Player(player as u8), piece_name(player, piece));
        used += 2;
    }
    let rest = if used == 0 { ".     " } else { &"      "[used..] };
    row.push(Ink::Faint, rest);
}

impl Drawn for Gobblet {
    fn scene(&self, state: &State) -> Scene {
        let mut scene = Scene::new(WIDTH, HEIGHT);
        self.paint(&mut scene, *state);
        for cell in 0..9 {
            let (x, y) = cell_corner(cell);
            scene.spot(format!("cell {cell}"), x, y, 1.0, 1.0);
        }
        for player in 0..2 {
            for piece in 0..6 {
                let (x, y) = hand_corner(player, piece);
                scene.spot(piece_name(player, piece), x, y, 1.0, 1.0);
            }
        }
        self.text_rows(&mut scene, *state);
        scene
    }

    /// Returns two spots: the place of the piece in the hand, wherever the piece is, and the cell.
    fn clicks(&self, state: &State, mv: Move) -> Vec<usize> {
        vec![9 + 6 * state.mover() + mv.piece(), mv.cell()]
    }
}

#[cfg(test)]
mod tests {
    use super::super::notation::NAMES;
    use super::super::tests::{RULES, after, moves, random_games};
    use super::*;
    use tussle_core::Ink::{Faint, OnPlayer, Player};

    #[test]
    fn the_terminal_shows_stacks_and_hands_side_by_side() {
        let state = after("S1@0 M2@0 B1@0 S1@4 M1@8");
        assert_eq!(
            RULES.scene(&state).text(),
            "first                                 second, to move\n\
             .. B2   0 S1m2B1  1 .       2 .       b1 b2\n\
             .. M2   3 .       4 s1      5 .       m1 ..\n\
             .. S2   6 .       7 .       8 M1      .. s2\n\
             5 of 100 steps\n"
        );
    }

    #[test]
    fn clicks_name_the_piece_and_then_the_cell_and_differ_for_each_move() {
        random_games(20, |state| {
            if RULES.turn(state) == Turn::Over {
                return;
            }
            let spots = RULES.scene(state).spots;
            assert_eq!(spots.len(), 21);
            let mut seen = Vec::new();
            for mv in moves(RULES, state) {
                let clicks = RULES.clicks(state, mv);
                let names: Vec<&str> = clicks.iter().map(|&i| spots[i].name.as_str()).collect();
                assert!(names[0].eq_ignore_ascii_case(NAMES[mv.piece()]));
                assert_eq!(names[1], format!("cell {}", mv.cell()));
                assert!(!seen.contains(&clicks));
                seen.push(clicks);
            }
        });
    }

    #[test]
    fn covered_pieces_are_rings_and_spots_are_inside_the_scene() {
        let ring_inks = |line: &str| {
            let scene = RULES.scene(&after(line));
            for spot in &scene.spots {
                assert!(spot.x >= 0.0 && spot.x + spot.w <= scene.width + 1e-4);
                assert!(spot.y >= 0.0 && spot.y + spot.h <= scene.height + 1e-4);
            }
            let rings =
                scene.shapes.iter().filter(|shape| matches!(shape.form, Form::Circle { .. }));
            rings.filter_map(|ring| ring.stroke.map(|(ink, _)| ink)).collect::<Vec<_>>()
        };
        assert_eq!(ring_inks("S1@0"), [Faint]);
        assert_eq!(ring_inks("S1@0 M2@0"), [OnPlayer(1), Player(0), Faint, Faint]);
    }
}
