//! Drawing of the board from the first player's side, with that player's home board at the lower
//! right. The points have the numbers of the player to move.

use tussle_core::{Drawn, Form, Game, Ink, Notation, Row, Scene, Turn};

use super::checkers::{BAR, OFF};
use super::text::PLAYERS;
use super::{Backgammon, Move, State};
use crate::board::bold_label;

/// Height of the numbers above and below the board.
const NUMBERS: f32 = 0.5;
/// Width of the frame. The next constants are the left edges of the parts of the board.
const FRAME: f32 = 0.25;
const LEFT: f32 = FRAME;
const MIDDLE: f32 = LEFT + 6.0;
const RIGHT: f32 = MIDDLE + 1.0;
const TRAY: f32 = RIGHT + 6.0 + FRAME;
const WIDTH: f32 = TRAY + 1.0 + FRAME;
/// Upper edge of the upper points. The next constants are the length of a point, the height of the
/// strip between the points where the dice are, the lower edge of the lower points and the centre.
const TOP: f32 = NUMBERS + FRAME;
const LENGTH: f32 = 4.8;
const STRIP: f32 = 1.7;
const BOTTOM: f32 = TOP + 2.0 * LENGTH + STRIP;
const HEIGHT: f32 = BOTTOM + FRAME + NUMBERS;
const CENTRE: f32 = TOP + LENGTH + STRIP * 0.5;

const RADIUS: f32 = 0.46;
/// Maximum number of checkers drawn per stack. A larger stack has its number of checkers on it.
const MAX_SHOWN_CHECKERS: u32 = 5;

// Numbers of spots: first the points in the first player's numbering, then the spots below, then the faces of a die.
const BAR_SPOT: usize = 24;
const OFF_SPOTS: [usize; 2] = [25, 26];
const NONE_SPOT: usize = 27;
const FACE_SPOTS: usize = 28;

/// Returns the left edge of the column of a point, in the first player's numbering, and true if the
/// point is an upper one.
fn column(point: usize) -> (f32, bool) {
    let x = match point {
        1..=6 => RIGHT + (6 - point) as f32,
        7..=12 => LEFT + (12 - point) as f32,
        13..=18 => LEFT + (point - 13) as f32,
        _ => RIGHT + (point - 19) as f32,
    };
    (x, point > 12)
}

/// Converts between a player's numbering of the points and the first player's.
fn first_numbering(player: usize, point: usize) -> usize {
    if player == 0 { point } else { BAR - point }
}

/// Returns the spot of a player's place.
fn place_spot(player: usize, place: usize) -> usize {
    match place {
        OFF => OFF_SPOTS[player],
        BAR => BAR_SPOT,
        point => first_numbering(player, point) - 1,
    }
}

/// Returns the middle of a clickable die face, 1 to 6.
fn face_middle(face: usize) -> (f32, f32) {
    (RIGHT + face as f32 - 0.5, CENTRE)
}

fn paint_board(scene: &mut Scene) {
    let (w, h) = (WIDTH, HEIGHT - 2.0 * NUMBERS);
    let frame = Form::Rect { x: 0.0, y: NUMBERS, w, h, round: 0.15 };
    scene.shape(frame, Some(Ink::Grid), None);
    let inner = h - 2.0 * FRAME;
    for x in [LEFT, RIGHT] {
        scene.rect(x, TOP, 6.0, inner, Ink::Board);
    }
    // Draw the darker triangles first, because a heat map is drawn above the last light surface.
    for (parity, ink) in [(1, Ink::Grid), (0, Ink::BoardAlt)] {
        for point in (1..25).filter(|point| point % 2 == parity) {
            let (x, upper) = column(point);
            let (base, tip) = if upper { (TOP, TOP + LENGTH) } else { (BOTTOM, BOTTOM - LENGTH) };
            let corners = vec![(x + 0.02, base), (x + 0.98, base), (x + 0.5, tip)];
            scene.shape(Form::Polygon(corners), Some(ink), Some((Ink::Grid, 0.03)));
        }
    }
    for y in [TOP, BOTTOM - LENGTH] {
        scene.rect(TRAY, y, 1.0, LENGTH, Ink::BoardAlt);
    }
    scene.rect(MIDDLE + 0.04, TOP, 0.92, inner, Ink::BoardAlt);
}

/// Draws a stack of checkers in a column, from `base` with the distance `step` per checker.
fn paint_stack(scene: &mut Scene, player: usize, count: u32, x: f32, base: f32, step: f32) {
    let shown = count.min(MAX_SHOWN_CHECKERS);
    for i in 0..shown {
        let y = base + step * (i as f32 + 0.5);
        let disc = Form::Circle { x, y, r: RADIUS };
        scene.shape(disc, Some(Ink::Player(player as u8)), Some((Ink::OnPlayer(0), 0.035)));
        let ring = Form::Circle { x, y, r: RADIUS * 0.68 };
        scene.shape(ring, None, Some((Ink::OnPlayer(player as u8), 0.015)));
    }
    if count > MAX_SHOWN_CHECKERS {
        let y = base + step * (shown as f32 - 0.5);
        bold_label(scene, x, y, 0.42, &count.to_string(), Ink::OnPlayer(player as u8));
    }
}

fn paint_checkers(scene: &mut Scene, state: &State) {
    for (player, checkers) in state.checkers.iter().enumerate() {
        for point in 1..25 {
            let (x, upper) = column(first_numbering(player, point));
            let (base, step) = if upper { (TOP, 0.94) } else { (BOTTOM, -0.94) };
            paint_stack(scene, player, checkers.count(point), x + 0.5, base, step);
        }
        // Checkers on the bar are near the middle, on the side where they enter.
        let side = if player == 0 { -1.0 } else { 1.0 };
        let base = CENTRE + 0.1 * side;
        paint_stack(scene, player, checkers.count(BAR), MIDDLE + 0.5, base, 0.94 * side);
        let base = if player == 0 { BOTTOM } else { TOP };
        for i in 0..checkers.count(OFF) {
            // Checkers that are off are drawn from the side.
            let y = base + side * (0.31 * (i as f32 + 0.5) + 0.05);
            let slab = Form::Rect { x: TRAY + 0.08, y: y - 0.14, w: 0.84, h: 0.28, round: 0.06 };
            let edge = Some((Ink::OnPlayer(0), 0.02));
            scene.shape(slab, Some(Ink::Player(player as u8)), edge);
        }
        if checkers.count(OFF) > 0 {
            let y = CENTRE - side * 0.4;
            let count = checkers.count(OFF).to_string();
            bold_label(scene, TRAY + 0.5, y, 0.4, &count, Ink::Text);
        }
    }
}

/// Returns the positions of the pips of a die face, relative to the middle, in sides of the die.
fn pips(face: usize) -> &'static [(f32, f32)] {
    const D: f32 = 0.27;
    match face {
        1 => &[(0.0, 0.0)],
        2 => &[(-D, -D), (D, D)],
        3 => &[(-D, -D), (0.0, 0.0), (D, D)],
        4 => &[(-D, -D), (D, D), (-D, D), (D, -D)],
        5 => &[(-D, -D), (D, D), (0.0, 0.0), (-D, D), (D, -D)],
        _ => &[(-D, -D), (D, D), (-D, D), (D, -D), (-D, 0.0), (D, 0.0)],
    }
}

/// Draws a rolled die in the player's colour, or the outline of a die face to click.
fn paint_die(scene: &mut Scene, (x, y): (f32, f32), face: usize, player: u8, is_rolled: bool) {
    let side = if is_rolled { 0.96 } else { 0.74 };
    let (corner_x, corner_y) = (x - side * 0.5, y - side * 0.5);
    let form = Form::Rect { x: corner_x, y: corner_y, w: side, h: side, round: 0.16 };
    let (fill, edge, pip) = if is_rolled {
        (Some(Ink::Player(player)), None, Ink::OnPlayer(player))
    } else {
        (None, Some((Ink::Player(player), 0.04)), Ink::Player(player))
    };
    scene.shape(form, fill, edge);
    for (dx, dy) in pips(face) {
        scene.disc(x + dx * side, y + dy * side, 0.09 * side, pip);
    }
}

impl Backgammon {
    fn paint_dice(self, scene: &mut Scene, state: &State) {
        let Some(roll) = state.roll else {
            if self.turn(state) == Turn::Chance {
                for face in 1..=6 {
                    paint_die(scene, face_middle(face), face, state.mover, false);
                }
            }
            return;
        };
        let dice = if roll.is_double() { vec![roll.high; 4] } else { vec![roll.high, roll.low] };
        for (i, &face) in dice.iter().enumerate() {
            let offset = 1.25 * (i as f32 - 0.5 * (dice.len() - 1) as f32);
            let middle = (RIGHT + 3.0 + offset, CENTRE);
            paint_die(scene, middle, usize::from(face), state.mover, true);
        }
    }

    /// Returns the line with the player to move or the result of the game.
    fn status(self, state: &State) -> String {
        let mover = PLAYERS[state.mover()];
        match self.turn(state) {
            Turn::Chance if state.opening => format!("{mover} to open"),
            Turn::Chance => format!("{mover} to roll"),
            Turn::Player(_) => {
                let mut plays = Vec::new();
                self.moves(state, &mut plays);
                let stuck = plays.iter().any(|&mv| self.move_text(state, mv) == "none");
                format!("{mover} {}", if stuck { "cannot move" } else { "to play" })
            }
            Turn::Over => {
                let winner = state.winner().unwrap_or(0);
                let points = Self::default().win_points(state.checkers[1 - winner]);
                let how = ["", " a gammon", " a backgammon"][points as usize - 1];
                format!("{} won{how}", PLAYERS[winner])
            }
        }
    }

    fn text_rows(self, scene: &mut Scene, state: &State) {
        let numbers = |points: &[usize], edge: &str| {
            let name = |p: &usize| format!("{:->3}", first_numbering(state.mover(), *p));
            let half = |points: &[usize]| points.iter().map(name).collect::<String>();
            let mut row = Row::default();
            let (left, right) = points.split_at(6);
            row.push(Ink::Faint, format!("{edge}{}-------{}-+", half(left), half(right)));
            row
        };
        let upper: Vec<usize> = (13..25).collect();
        let lower: Vec<usize> = (1..13).rev().collect();
        scene.rows.push(numbers(&upper, "+"));
        for level in 0..MAX_SHOWN_CHECKERS {
            scene.rows.push(level_row(state, &upper, level, 0));
        }
        let mut strip = Row::default();
        strip.push(Ink::Faint, "|                   | BAR|                   |");
        if let Some(roll) = state.roll {
            let (high, low) = roll.dice();
            strip.push(Ink::Player(state.mover), format!("  dice {high} {low}"));
        }
        scene.rows.push(strip);
        for level in (0..MAX_SHOWN_CHECKERS).rev() {
            scene.rows.push(level_row(state, &lower, level, 1));
        }
        scene.rows.push(numbers(&lower, "+"));
        let mut foot = Row::default();
        for (player, name) in PLAYERS.into_iter().enumerate() {
            let (symbol, checkers) = (SYMBOLS[player], state.checkers[player]);
            let (pips, off) = (checkers.pips(), checkers.count(OFF));
            let ink = Ink::Player(player as u8);
            foot.push(ink, format!("{symbol} {name}: {pips} pips, {off} off   "));
        }
        scene.rows.push(foot);
        scene.rows.push(self.status(state).as_str().into());
    }
}

const SYMBOLS: [char; 2] = ['X', 'O'];

/// Returns the text of a stack at one level: a checker, nothing, or at the last level the number of
/// checkers.
fn stack_cell(count: u32, level: u32, symbol: char) -> String {
    if level + 1 == MAX_SHOWN_CHECKERS && count > MAX_SHOWN_CHECKERS {
        format!("{count:>3}")
    } else if level < count {
        format!("  {symbol}")
    } else {
        "   ".to_owned()
    }
}

/// Returns one row of checkers. `on_bar` is the player whose checkers on the bar are in this half.
fn level_row(state: &State, points: &[usize], level: u32, on_bar: usize) -> Row {
    let mut row = Row::default();
    row.push(Ink::Faint, "|");
    for (i, &point) in points.iter().enumerate() {
        if i == 6 {
            let count = state.checkers[on_bar].count(BAR);
            row.push(Ink::Faint, " |");
            let bar = stack_cell(count, MAX_SHOWN_CHECKERS - 1 - level, SYMBOLS[on_bar]);
            row.push(Ink::Player(on_bar as u8), bar);
            row.push(Ink::Faint, " |");
        }
        let owner = (0..2).find(|&p| state.checkers[p].count(first_numbering(p, point)) > 0);
        match owner {
            Some(player) => {
                let count = state.checkers[player].count(first_numbering(player, point));
                row.push(Ink::Player(player as u8), stack_cell(count, level, SYMBOLS[player]));
            }
            None => row.push(Ink::Faint, "   "),
        }
    }
    row.push(Ink::Faint, " |");
    row
}

impl Drawn for Backgammon {
    fn scene(&self, state: &State) -> Scene {
        let mut scene = Scene::new(WIDTH, HEIGHT);
        paint_board(&mut scene);
        paint_checkers(&mut scene, state);
        self.paint_dice(&mut scene, state);
        bold_label(&mut scene, LEFT + 3.0, CENTRE, 0.42, &self.status(state), Ink::Text);
        for point in 1..25 {
            let (x, upper) = column(point);
            let (number_y, y) = if upper {
                (NUMBERS * 0.5, TOP)
            } else {
                (HEIGHT - NUMBERS * 0.5, BOTTOM - LENGTH)
            };
            let number = first_numbering(state.mover(), point).to_string();
            scene.label(x + 0.5, number_y, 0.34, number, Ink::Faint);
            scene.spot(format!("point {point}"), x, y, 1.0, LENGTH);
        }
        scene.spot("bar", MIDDLE, TOP, 1.0, BOTTOM - TOP);
        scene.spot("first off", TRAY, BOTTOM - LENGTH, 1.0, LENGTH);
        scene.spot("second off", TRAY, TOP, 1.0, LENGTH);
        scene.spot("no play", LEFT, CENTRE - 0.5, 6.0, 1.0);
        for face in 1..=6 {
            let (x, y) = face_middle(face);
            scene.spot(format!("die {face}"), x - 0.5, y - 0.5, 1.0, 1.0);
        }
        self.text_rows(&mut scene, state);
        scene
    }

    /// Returns the two die faces of a roll, the larger one first, or the start and target of each
    /// step of a play.
    fn clicks(&self, state: &State, mv: Move) -> Vec<usize> {
        match mv {
            Move::Roll(roll) => {
                let (high, low) = roll.dice();
                [high, low].map(|face| FACE_SPOTS + usize::from(face) - 1).into()
            }
            Move::Play(play) => {
                let spot = |place| place_spot(state.mover(), place);
                let clicks: Vec<usize> =
                    play.steps().flat_map(|step| [spot(step.from()), spot(step.to())]).collect();
                if clicks.is_empty() { vec![NONE_SPOT] } else { clicks }
            }
        }
    }

    /// Returns the target of the last step. A roll has none, because the dice are drawn.
    fn landing(&self, state: &State, mv: Move) -> Option<usize> {
        match mv {
            Move::Roll(_) => None,
            Move::Play(play) => {
                play.steps().last().map(|step| place_spot(state.mover(), step.to()))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{GAME, at, legal, random_games};
    use super::*;

    #[test]
    fn the_terminal_has_the_point_numbers_of_the_player_to_move() {
        let state = at("bar:2/24:1/13:4/8:3/6:5 24:2/13:6/8:3/6:3/off:1 second 31");
        assert_eq!(
            GAME.scene(&state).text().lines().collect::<Vec<_>>(),
            [
                "+-12-11-10--9--8--7---------6--5--4--3--2--1-+",
                "|  X           O    |    |  O              X |",
                "|  X           O    |    |  O                |",
                "|  X           O    |    |  O                |",
                "|  X                |  X |                   |",
                "|                   |  X |                   |",
                "|                   | BAR|                   |  dice 3 1",
                "|  6                |    |  X                |",
                "|  O                |    |  X                |",
                "|  O           X    |    |  X                |",
                "|  O           X    |    |  X              O |",
                "|  O           X    |    |  X              O |",
                "+-13-14-15-16-17-18--------19-20-21-22-23-24-+",
                "X first: 180 pips, 0 off   O second: 168 pips, 1 off",
                "second to play",
            ]
        );
    }

    #[test]
    fn moves_have_different_clicks_that_name_their_places() {
        random_games(3, |state| {
            let spots = GAME.scene(state).spots;
            assert_eq!(spots.len(), 34);
            let mut seen = Vec::new();
            for mv in legal(state) {
                let clicks = GAME.clicks(state, mv);
                assert!(clicks.iter().all(|&i| i < spots.len()));
                assert!(!seen.contains(&clicks));
                seen.push(clicks);
            }
        });
        let clicked = |position: &str, text: &str| {
            let state = at(position);
            let mv = GAME.parse_move(&state, text).unwrap();
            let spots = GAME.scene(&state).spots;
            let names = GAME.clicks(&state, mv).into_iter().map(|i| spots[i].name.clone());
            names.collect::<Vec<_>>().join(", ")
        };
        let start = "24:2/13:5/8:3/6:5 24:2/13:5/8:3/6:5";
        assert_eq!(clicked(&format!("{start} first -"), "63"), "die 6, die 3");
        assert_eq!(
            clicked(&format!("{start} second 63"), "24/18+13/10"),
            "point 1, point 7, point 12, point 15"
        );
        let bearing = "6:15 bar:1/3:14 first";
        assert_eq!(
            clicked(&format!("{bearing} 61"), "6/off+6/5"),
            "point 6, first off, point 6, point 5"
        );
        assert_eq!(clicked("6:15 bar:1/3:14 second 66", "none"), "no play");
        assert_eq!(
            clicked("6:15 bar:1/3:14 second 61", "bar/24+24/18"),
            "bar, point 1, point 1, point 7"
        );
    }
}
