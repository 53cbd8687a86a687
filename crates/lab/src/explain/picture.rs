//! Single pictures of a search.

use std::path::{Path, PathBuf};

use tussle_core::{Anchor, Form, Ink, Scene};
use tussle_view::{Theme, svg};

use super::film::{Film, LEAVES};
use super::state::State;
use super::{Beat, Explanation, story};

/// No more frames than this are written; nobody looks at more.
pub const MOST_FRAMES: usize = 1000;

/// The caption's height and how far its lines are apart.
const CAPTION: f32 = 0.4;
const CAPTION_STEP: f32 = 0.55;
/// How wide a letter of the caption is, on average.
const LETTER: f32 = 0.58;
/// A caption is not narrower than this many cells.
const NARROWEST: f32 = 16.0;

impl Explanation {
    /// Draws the tree after the first `steps` steps. All pictures of a search have the same places.
    pub fn picture(&self, steps: usize) -> Scene {
        let film = Film::new(self, &story(self), LEAVES);
        let mut state = State::new(self);
        state.advance(steps);
        film.scene(&state)
    }
}

/// What was written by [`frames`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frames {
    /// The files, in order.
    pub files: Vec<PathBuf>,
    /// How many lines of the story have no picture, because there are too many.
    pub left_out: usize,
}

/// Writes one SVG picture for each line of the story, `0001.svg` and so on, with the line as its caption. Where
/// there are more than [`MOST_FRAMES`] lines, the first of them and the last have pictures.
///
/// # Errors
/// If the directory cannot be made or a file cannot be written.
pub fn frames(told: &Explanation, dir: &Path, theme: Theme) -> std::io::Result<Frames> {
    std::fs::create_dir_all(dir)?;
    let beats = story(told);
    let film = Film::new(told, &beats, LEAVES);
    let shown = first_and_last(&beats, MOST_FRAMES);
    let mut state = State::new(told);
    let mut files = Vec::with_capacity(shown.len());
    for (number, beat) in shown.iter().enumerate() {
        state.advance(beat.steps);
        let scene = captioned(film.scene(&state), &beat.text);
        let file = dir.join(format!("{:04}.svg", number + 1));
        std::fs::write(&file, svg(&scene, theme))?;
        files.push(file);
    }
    Ok(Frames { files, left_out: beats.len() - shown.len() })
}

/// All of them if there are not too many, otherwise the first and the very last.
pub(super) fn first_and_last(beats: &[Beat], most: usize) -> Vec<&Beat> {
    match beats {
        [first @ .., last] if beats.len() > most => {
            first.iter().take(most.saturating_sub(1)).chain([last]).collect()
        }
        all => all.iter().collect(),
    }
}

/// A scene with a text above it.
fn captioned(scene: Scene, text: &str) -> Scene {
    let width = scene.width.max(NARROWEST);
    let lines = wrapped(text, ((width - 0.6) / (LETTER * CAPTION)) as usize);
    let top = 0.3 + lines.len() as f32 * CAPTION_STEP;
    let mut whole = Scene::new(width, scene.height + top);
    for (i, line) in lines.into_iter().enumerate() {
        let y = 0.35 + (i as f32 + 0.5) * CAPTION_STEP;
        let (x, size, anchor, bold) = (0.3, CAPTION, Anchor::Start, false);
        whole.shape(Form::Text { x, y, size, anchor, bold, text: line }, Some(Ink::Text), None);
    }
    let aside = (width - scene.width) / 2.0;
    for mut shape in scene.shapes {
        shape.form = moved(shape.form, aside, top);
        whole.shapes.push(shape);
    }
    whole
}

fn moved(form: Form, dx: f32, dy: f32) -> Form {
    let all = |points: Vec<(f32, f32)>| points.into_iter().map(|(x, y)| (x + dx, y + dy)).collect();
    match form {
        Form::Rect { x, y, w, h, round } => Form::Rect { x: x + dx, y: y + dy, w, h, round },
        Form::Circle { x, y, r } => Form::Circle { x: x + dx, y: y + dy, r },
        Form::Polygon(points) => Form::Polygon(all(points)),
        Form::Polyline(points) => Form::Polyline(all(points)),
        Form::Text { x, y, size, anchor, bold, text } => {
            Form::Text { x: x + dx, y: y + dy, size, anchor, bold, text }
        }
    }
}

/// Lines of at most so many letters, broken between words.
fn wrapped(text: &str, letters: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.len() - 1;
        let line = &mut lines[last];
        if line.is_empty() {
            line.push_str(word);
        } else if line.chars().count() + 1 + word.chars().count() <= letters {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}
