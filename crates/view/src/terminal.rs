//! Conversion of scenes to terminal text.

use anstyle::{Ansi256Color, Style};
use tussle_core::{Ink, Row, Scene};

use crate::palette::PLAYERS;

/// Player colours from the 256-colour palette of terminals, in the order of the colours in pictures. Their medium brightness
/// is readable on black and on white.
const COLOURS: [Ansi256Color; PLAYERS] = [
    Ansi256Color(33),  // blue
    Ansi256Color(202), // vermilion
    Ansi256Color(29),  // green
    Ansi256Color(170), // reddish purple
    Ansi256Color(136), // ochre
    Ansi256Color(31),  // dark cyan
    Ansi256Color(160), // red
    Ansi256Color(244), // grey
];

/// Black from the colour cube, which terminals do not redefine.
const BLACK: Ansi256Color = Ansi256Color(16);

/// Returns the terminal drawing of a scene, with a line break after each row.
///
/// With `colour`, it contains ANSI escape codes; without, it equals [`Scene::text`].
///
/// ```
/// use tussle_core::{Ink, Row, Scene};
/// use tussle_view::text;
///
/// let mut row = Row::default();
/// row.push(Ink::Text, "a ");
/// row.push(Ink::Player(0), "x");
/// let mut scene = Scene::new(1.0, 1.0);
/// scene.rows.push(row);
/// assert_eq!(text(&scene, false), "a x\n");
/// assert_eq!(text(&scene, true), "a \u{1b}[1m\u{1b}[38;5;33mx\u{1b}[0m\n");
/// ```
pub fn text(scene: &Scene, colour: bool) -> String {
    if !colour {
        return scene.text();
    }
    let mut out = String::new();
    for row in &scene.rows {
        let mut left = trimmed_len(row);
        let mut pen = Style::new();
        for span in &row.0 {
            let text = &span.text[..span.text.len().min(left)];
            left -= text.len();
            if text.is_empty() {
                continue;
            }
            let next = style(span.ink);
            if next != pen {
                out += &pen.render_reset().to_string();
                out += &next.render().to_string();
                pen = next;
            }
            out += text;
        }
        out += &pen.render_reset().to_string();
        out.push('\n');
    }
    out
}

/// Returns the length of a row in bytes, without the spaces at its end.
fn trimmed_len(row: &Row) -> usize {
    let bytes = row.0.iter().flat_map(|span| span.text.bytes());
    bytes.enumerate().filter(|&(_, byte)| byte != b' ').last().map_or(0, |(i, _)| i + 1)
}

fn style(ink: Ink) -> Style {
    let player = |p: u8| COLOURS[usize::from(p) % PLAYERS].into();
    let plain = Style::new();
    match ink {
        Ink::Text => plain,
        Ink::Player(p) | Ink::Stone(p) => plain.fg_color(Some(player(p))).bold(),
        Ink::Trail(p) => plain.fg_color(Some(player(p))),
        Ink::OnPlayer(p) => plain.fg_color(Some(BLACK.into())).bg_color(Some(player(p))).bold(),
        Ink::Accent => plain.bold().invert(),
        Ink::Background | Ink::Board | Ink::BoardAlt | Ink::Grid | Ink::Blocked | Ink::Faint => {
            plain.dimmed()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::palette::Rgb;
    use crate::palette::tests::contrast;
    use std::collections::HashSet;
    use tussle_core::{Drawn, Notation};
    use tussle_games::TicTacToe;

    fn position() -> Scene {
        TicTacToe.scene(&TicTacToe.parse_position("x.o/.x./... o").unwrap())
    }

    /// Returns a scene with all kinds of inks, and with spaces and empty spans at the ends of rows.
    fn mixed_rows() -> Scene {
        let mut row = Row::default();
        for ink in [Ink::Faint, Ink::Player(0), Ink::OnPlayer(9), Ink::Accent, Ink::Trail(1)] {
            row.push(ink, " é ");
            row.push(ink, "");
        }
        row.push(Ink::Text, "end  ");
        row.push(Ink::Player(2), "   ");
        let mut scene = Scene::new(1.0, 1.0);
        scene.rows = vec![row, Row::default(), "  ".into(), "last".into()];
        scene
    }

    fn without_codes(text: &str) -> String {
        let mut parts = text.split("\u{1b}[");
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |out, part| out + part.split_once('m').unwrap().1)
    }

    #[test]
    fn plain_text_equals_the_scene_text_without_escape_codes() {
        for scene in [position(), mixed_rows()] {
            assert_eq!(text(&scene, false), scene.text());
            assert!(!text(&scene, false).contains('\u{1b}'));
        }
    }

    #[test]
    fn coloured_text_without_escape_codes_equals_plain_text() {
        for scene in [position(), mixed_rows()] {
            let coloured = text(&scene, true);
            assert!(coloured.contains('\u{1b}'));
            assert_eq!(without_codes(&coloured), scene.text());
        }
    }

    #[test]
    fn every_row_ends_with_a_colour_reset() {
        for scene in [position(), mixed_rows()] {
            for row in text(&scene, true).lines() {
                let last_code = row.rsplit_once("\u{1b}[").map(|(_, rest)| rest);
                assert!(last_code.is_none_or(|rest| rest.starts_with("0m")), "{row:?}");
            }
        }
    }

    #[test]
    fn player_colours_are_distinct_and_readable_on_black_and_white() {
        // The colour cube and the greys as xterm defines them.
        let rgb = |Ansi256Color(n): Ansi256Color| {
            let level = |i: u8| if i == 0 { 0 } else { 55 + 40 * i };
            match n {
                16..=231 => {
                    let n = n - 16;
                    Rgb(level(n / 36), level(n / 6 % 6), level(n % 6))
                }
                232.. => Rgb(8 + 10 * (n - 232), 8 + 10 * (n - 232), 8 + 10 * (n - 232)),
                _ => panic!("the first 16 colours differ from terminal to terminal"),
            }
        };
        for colour in COLOURS {
            for background in [Rgb(0, 0, 0), Rgb(255, 255, 255)] {
                let ratio = contrast(rgb(colour), background);
                assert!(ratio >= 3.0, "{colour:?} on {background}: {ratio}");
            }
        }
        assert_eq!(COLOURS.iter().collect::<HashSet<_>>().len(), PLAYERS);
    }
}
