//! Texts and drawings for games that declare neither notation nor drawing.
//!
//! The text of a move is its `Debug` output without punctuation. The text of a position is the list of
//! moves that lead to it, because a state without [`Notation`](tussle_core::Notation) cannot be read
//! back. The drawing is the `Debug` output of the state, above one button per legal move; output of several lines is
//! a board, whose columns are aligned.

use std::fmt::Debug;

use tussle_core::{Anchor, Form, Game, Ink, Scene, Turn};

/// First word of a position's text.
pub(crate) const START: &str = "start";

/// Maximum length of a `Debug` output that is drawn as one line.
const MAX_LINE_CHARS: usize = 60;

/// Longest `Debug` output of a state that is drawn character by character.
const MAX_BOARD_BYTES: usize = 2000;

/// Returns the texts of the moves that a game lists for one position, each different from the others.
pub(crate) fn move_texts<M: Debug>(moves: &[M]) -> Vec<String> {
    let mut texts: Vec<String> = Vec::with_capacity(moves.len());
    for mv in moves {
        let text = word(&format!("{mv:?}"));
        let same = |other: &&String| other.split('#').next() == Some(&text);
        match texts.iter().filter(same).count() {
            0 => texts.push(text),
            earlier => texts.push(format!("{text}#{}", earlier + 1)),
        }
    }
    texts
}

/// Returns a text with letters, digits and the signs of numbers only; runs of other characters become one
/// hyphen.
fn word(text: &str) -> String {
    let mut word = String::new();
    let mut gap = false;
    for c in text.chars() {
        if c.is_alphanumeric() || matches!(c, '-' | '+' | '.' | '_' | '*') {
            if gap && !word.is_empty() {
                word.push('-');
            }
            gap = false;
            word.push(c);
        } else {
            gap = true;
        }
    }
    if word.is_empty() { "move".to_owned() } else { word }
}

/// Draws a state as text, with one button per legal move.
pub(crate) fn scene<G: Game>(game: &G, state: &G::State) -> Scene {
    const LINE: f32 = 0.5;
    const CHAR: f32 = 0.3;
    const BUTTON: f32 = 0.8;
    let text = match format!("{state:?}") {
        line if line.len() <= MAX_LINE_CHARS || line.contains('\n') => line,
        _ => format!("{state:#?}"),
    };
    let lines: Vec<&str> = text.lines().collect();
    let moves = match game.turn(state) {
        Turn::Player(_) => move_texts(&game.legal_moves(state)),
        Turn::Chance | Turn::Over => Vec::new(),
    };
    let longest = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or(0) as f32;
    let button = 0.4 + CHAR * longest(&mut moves.iter().map(|text| text.chars().count()));
    let board = 1.0 + CHAR * longest(&mut lines.iter().map(|line| line.chars().count()));
    let width = board.max(8.0).max(button + 0.2);
    let per_row = ((width - 0.2) / button).max(1.0) as usize;
    let top = 1.0 + LINE * lines.len() as f32;
    let rows = moves.len().div_ceil(per_row);
    let mut scene = Scene::new(width, top + BUTTON * rows as f32 + 0.2);
    scene.rect(0.0, 0.0, scene.width, scene.height, Ink::Board);
    // Pictures have a proportional font. Columns of a board need characters on a grid.
    let is_board = lines.len() > 1 && text.len() <= MAX_BOARD_BYTES;
    for (n, line) in lines.iter().enumerate() {
        let mut write = |x, anchor, text| {
            let (y, size) = (0.75 + LINE * n as f32, 0.45);
            let form = Form::Text { x, y, size, anchor, bold: false, text };
            scene.shape(form, Some(Ink::Text), None);
        };
        if is_board {
            for (column, c) in line.chars().enumerate().filter(|(_, c)| !c.is_whitespace()) {
                write(0.5 + CHAR * (column as f32 + 0.5), Anchor::Middle, c.to_string());
            }
        } else {
            write(0.5, Anchor::Start, (*line).to_owned());
        }
        scene.rows.push((*line).into());
    }
    for (n, text) in moves.into_iter().enumerate() {
        let x = 0.1 + button * (n % per_row) as f32;
        let y = top + BUTTON * (n / per_row) as f32;
        let (w, h) = (button - 0.1, BUTTON - 0.1);
        let form = Form::Rect { x, y, w, h, round: 0.15 };
        scene.shape(form, Some(Ink::BoardAlt), Some((Ink::Grid, 0.03)));
        scene.label(x + w / 2.0, y + h / 2.0, 0.4, text.clone(), Ink::Text);
        scene.spot(text, x, y, w, h);
    }
    scene
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    #[allow(dead_code)] // only printed
    enum Step {
        Left,
        Jump { from: i8, to: i8 },
    }

    #[test]
    fn moves_are_written_as_one_word_each() {
        assert_eq!(move_texts(&[3, 14]), ["3", "14"]);
        assert_eq!(move_texts(&[(1, -2)]), ["1--2"]);
        assert_eq!(move_texts(&["a, b>c|d e"]), ["a-b-c-d-e"]);
        assert_eq!(
            move_texts(&[Step::Left, Step::Jump { from: 0, to: -1 }]),
            ["Left", "Jump-from-0-to--1"]
        );
    }

    /// Three cells in two rows, of which the first one is taken.
    struct Cells;

    #[derive(Clone, PartialEq, Eq)]
    struct Board;

    impl Debug for Board {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("X .\n. .\n")
        }
    }

    impl Game for Cells {
        type State = Board;
        type Move = u8;

        fn start(&self) -> Board {
            Board
        }

        fn turn(&self, _: &Board) -> Turn {
            Turn::Player(0)
        }

        fn moves(&self, _: &Board, out: &mut Vec<u8>) {
            out.push(1);
        }

        fn play(&self, _: &mut Board, _: u8) {}

        fn utility(&self, _: &Board, _: usize) -> f64 {
            0.0
        }
    }

    #[test]
    fn columns_of_a_board_are_aligned() {
        let scene = scene(&Cells, &Board);
        let texts = scene.shapes.iter().filter_map(|shape| match &shape.form {
            Form::Text { x, y, text, .. } => Some((text.as_str(), *x, *y)),
            _ => None,
        });
        let cells: Vec<_> = texts.filter(|(text, ..)| ["X", "."].contains(text)).collect();
        let [first, right, below, last] = cells[..] else { panic!("{cells:?}") };
        assert_eq!((first.0, first.1, right.1), ("X", below.1, last.1));
        assert!(first.1 < right.1 && right.2 < below.2, "{cells:?}");
        assert_eq!(scene.rows.len(), 2);
    }

    #[test]
    fn moves_that_print_alike_are_numbered() {
        assert_eq!(move_texts(&["a b", "a-b", "a,b", "()"]), ["a-b", "a-b#2", "a-b#3", "move"]);
    }
}
