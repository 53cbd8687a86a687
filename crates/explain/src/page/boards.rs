//! Compact form of many boards: each is a list of strokes, and a stroke is stored once for all boards that have it.

use std::collections::HashMap;

use serde_json::{Value, json};
use tussle_core::Scene;
use tussle_view::{Theme, svg};

/// Boards of one game, with shared strokes.
#[derive(Default)]
pub(super) struct Boards {
    strokes: Vec<String>,
    known: HashMap<String, usize>,
    written: Vec<String>,
    numbers: HashMap<String, usize>,
    colours: Vec<(String, String)>,
    size: Option<(String, String)>,
    /// Number of letters of all boards.
    pub(super) letters: usize,
}

impl Boards {
    /// Adds a board and returns its number.
    pub(super) fn add(&mut self, scene: &Scene) -> usize {
        // Both themes draw the same strokes in the same order and differ only in colours.
        let (light, dark) = (svg(scene, Theme::Light), svg(scene, Theme::Dark));
        if self.size.is_none() {
            let attribute = |name: &str| {
                let (_, rest) = light.split_once(&format!(" {name}=\""))?;
                rest.split_once('"').map(|(value, _)| value.to_owned())
            };
            self.size = attribute("width").zip(attribute("height"));
        }
        let mut board = Runs::default();
        for (light, dark) in strokes(&light).zip(strokes(&dark)) {
            let stroke = self.with_variables(light, dark);
            let next = self.strokes.len();
            let number = *self.known.entry(stroke.clone()).or_insert(next);
            if number == next {
                self.letters += stroke.len();
                self.strokes.push(stroke);
            }
            board.push(number);
        }
        let board = board.text();
        let next = self.written.len();
        let number = *self.numbers.entry(board.clone()).or_insert(next);
        if number == next {
            self.letters += board.len();
            self.written.push(board);
        }
        number
    }

    /// Returns a stroke with colours replaced by variables of the page.
    fn with_variables(&mut self, light: &str, dark: &str) -> String {
        let mut whole = String::with_capacity(light.len());
        for (i, (own, other)) in light.split('"').zip(dark.split('"')).enumerate() {
            if i > 0 {
                whole.push('"');
            }
            // Colours are attributes in quotes; texts contain no quotes.
            if i % 2 == 1 && own.starts_with('#') {
                whole.push_str(&format!("var(--c{})", self.colour(own, other)));
            } else {
                whole.push_str(own);
            }
        }
        whole
    }

    fn colour(&mut self, light: &str, dark: &str) -> usize {
        let pair = (light.to_owned(), dark.to_owned());
        self.colours.iter().position(|known| *known == pair).unwrap_or_else(|| {
            self.colours.push(pair);
            self.colours.len() - 1
        })
    }

    /// Returns all boards as JSON.
    pub(super) fn json(&self) -> Value {
        let (width, height) = self.size.clone().unwrap_or_default();
        json!({
            "width": width,
            "height": height,
            "strokes": self.strokes,
            "boards": self.written,
            "light": self.colours.iter().map(|pair| &pair.0).collect::<Vec<_>>(),
            "dark": self.colours.iter().map(|pair| &pair.1).collect::<Vec<_>>(),
        })
    }
}

/// Splits a picture into its painted elements.
fn strokes(picture: &str) -> impl Iterator<Item = &str> {
    let body = match picture.split_once("</desc>\n").or_else(|| picture.split_once("</title>\n")) {
        Some((_, body)) => body,
        None => picture,
    };
    // The first element is the background of the picture.
    body.split_inclusive(">\n")
        .map(|line| line.trim_end_matches('\n'))
        .skip(1)
        .filter(|line| *line != "</svg>")
}

/// Formats a list of numbers, with ranges: `0-45,60,47`.
#[derive(Default)]
struct Runs {
    done: Vec<(usize, usize)>,
}

impl Runs {
    fn push(&mut self, number: usize) {
        match self.done.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => self.done.push((number, number)),
        }
    }

    fn text(&self) -> String {
        let run = |&(first, last): &(usize, usize)| {
            if first == last { first.to_string() } else { format!("{first}-{last}") }
        };
        self.done.iter().map(run).collect::<Vec<_>>().join(",")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rebuilds a board, as the page does.
    fn drawn(boards: &Boards, number: usize, dark: bool) -> String {
        let mut all = String::new();
        for run in boards.written[number].split(',') {
            let (first, last) = run.split_once('-').unwrap_or((run, run));
            for stroke in first.parse::<usize>().unwrap()..=last.parse::<usize>().unwrap() {
                all += &boards.strokes[stroke];
                all += "\n";
            }
        }
        for (i, (light, night)) in boards.colours.iter().enumerate() {
            all = all.replace(&format!("var(--c{i})"), if dark { night } else { light });
        }
        all
    }

    #[test]
    fn boards_come_out_as_they_went_in_and_share_what_they_can() {
        let game = tussle_catalog::game("go:size=5").unwrap();
        let mut position = game.start();
        let mut boards = Boards::default();
        let mut whole = 0;
        for mv in ["C3", "B3", "C2", "pass", "D4"] {
            position.play(mv).unwrap();
            let scene = position.scene();
            let number = boards.add(&scene);
            for (theme, dark) in [(Theme::Light, false), (Theme::Dark, true)] {
                let picture = svg(&scene, theme);
                whole += picture.len();
                assert!(picture.ends_with(&format!("{}</svg>\n", drawn(&boards, number, dark))));
            }
        }
        assert_eq!(boards.add(&position.scene()), 4, "the same again");
        assert!(boards.letters * 5 < whole, "{} of {whole}", boards.letters);
    }
}
