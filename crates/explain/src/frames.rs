//! Frames: pictures of the tree after each step of a search.

mod collapse;
mod sequence;
mod state;

use std::path::{Path, PathBuf};

use tussle_catalog::file;
use tussle_core::{Anchor, Form, Ink, Scene};
use tussle_view::{EscapedText, Theme, svg};

use crate::{Explanation, NarrationLine};
pub(crate) use collapse::SlotContent;
pub(crate) use sequence::{FrameSequence, LEAVES, widen};
pub(crate) use state::{State, is_sampling};

/// Maximum number of frames of a search.
pub const MAX_FRAMES: usize = 1000;

/// Font size of the caption, in cells.
const CAPTION: f32 = 0.4;
/// Line height of the caption, in cells.
const CAPTION_STEP: f32 = 0.55;
/// Average width of a letter, as a multiple of the font size.
pub(crate) const LETTER: f32 = 0.58;
/// Minimum width of a caption, in cells.
const MIN_CAPTION_WIDTH: f32 = 16.0;

impl Explanation {
    /// Draws the tree after the first `steps` steps. Nodes have the same positions in all pictures of a search.
    pub fn picture(&self, steps: usize) -> Scene {
        let lines = self.narration();
        let sequence = FrameSequence::new(self, &lines, LEAVES);
        let mut state = State::new(self);
        match lines.iter().rfind(|line| line.steps == steps) {
            Some(line) => state.advance_to(line),
            None => state.advance(steps),
        }
        sequence.scene(&state)
    }
}

/// Result of [`Explanation::frames`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frames {
    /// The files, in order.
    pub files: Vec<PathBuf>,
    /// Number of narration lines without a picture, beyond [`MAX_FRAMES`].
    pub left_out: usize,
}

impl Explanation {
    /// Writes one SVG picture for each line of the narration, `0001.svg` and so on, with the line as its caption.
    ///
    /// If there are more than [`MAX_FRAMES`] lines, only the first lines and the last one get pictures. Pictures with
    /// higher numbers, from an earlier search, are removed.
    ///
    /// # Errors
    /// If the directory cannot be made, or a file cannot be written or removed.
    pub fn frames(&self, dir: &Path, theme: Theme) -> std::io::Result<Frames> {
        let lines = self.narration();
        let sequence = FrameSequence::new(self, &lines, LEAVES);
        let shown = first_and_last(&lines, MAX_FRAMES);
        let mut state = State::new(self);
        let captions: Vec<&str> = shown.iter().map(|line| line.text.as_str()).collect();
        let files = write_frames(dir, theme, &captions, sequence.plan.width, |number| {
            state.advance_to(shown[number]);
            sequence.scene(&state)
        })?;
        Ok(Frames { files, left_out: lines.len() - shown.len() })
    }
}

/// Writes a numbered SVG file for each caption; `draw` is called for them in order and returns scenes of this
/// width. Pictures with higher numbers are removed.
pub(crate) fn write_frames(
    dir: &Path,
    theme: Theme,
    captions: &[&str],
    width: f32,
    mut draw: impl FnMut(usize) -> Scene,
) -> std::io::Result<Vec<PathBuf>> {
    std::fs::create_dir_all(dir)?;
    let mut files = Vec::with_capacity(captions.len());
    // All frames have the same height, so that the tree does not jump.
    let letters = caption_letters(width);
    let rows = captions.iter().map(|text| wrapped(text, letters).len()).max().unwrap_or(0);
    for (number, text) in captions.iter().enumerate() {
        let scene = captioned(draw(number), text, rows);
        let path = dir.join(format!("{:04}.svg", number + 1));
        // The title of the scene is the caption.
        let line = text.replace(char::is_control, " "); // XML forbids control characters
        let title = format!("<title>{}</title>", EscapedText(&line));
        let picture = svg(&scene, theme).replacen("<title>Position</title>", &title, 1);
        file::write(&path, picture)?;
        files.push(path);
    }
    // Remove the frames of an earlier, longer search.
    for number in captions.len() + 1..=MAX_FRAMES {
        let old = dir.join(format!("{number:04}.svg"));
        if old.is_file() {
            std::fs::remove_file(old)?;
        }
    }
    Ok(files)
}

/// Returns all lines if there are at most `most`, otherwise the first lines and the last one.
pub(crate) fn first_and_last(lines: &[NarrationLine], most: usize) -> Vec<&NarrationLine> {
    match lines {
        [first @ .., last] if lines.len() > most => {
            first.iter().take(most.saturating_sub(1)).chain([last]).collect()
        }
        all => all.iter().collect(),
    }
}

/// Returns the number of letters of a caption that fit above a tree.
fn caption_letters(width: f32) -> usize {
    ((width.max(MIN_CAPTION_WIDTH) - 0.6) / (LETTER * CAPTION)) as usize
}

/// Returns a scene with a text above it, in room for `rows` lines.
fn captioned(scene: Scene, text: &str, rows: usize) -> Scene {
    let width = scene.width.max(MIN_CAPTION_WIDTH);
    let lines = wrapped(text, caption_letters(scene.width));
    let top = 0.3 + rows as f32 * CAPTION_STEP;
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

/// Breaks a text into lines of at most `letters` letters: between words, or inside a word longer than a line.
pub(crate) fn wrapped(text: &str, letters: usize) -> Vec<String> {
    let letters = letters.max(1);
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let all: Vec<char> = word.chars().collect();
        for part in all.chunks(letters) {
            let part: String = part.iter().collect();
            let last = lines.len() - 1;
            let line = &mut lines[last];
            if line.is_empty() {
                line.push_str(&part);
            } else if line.chars().count() + 1 + part.chars().count() <= letters {
                line.push(' ');
                line.push_str(&part);
            } else {
                lines.push(part);
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain;
    use tussle_core::Limits;

    #[test]
    fn every_line_has_a_frame_with_the_same_node_positions() {
        let tree =
            concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/trees/lecture-alphabeta.json");
        let game = tussle_catalog::game(&format!("tree:file={tree}")).unwrap();
        let (agent, limits) = ("alphabeta:order=none", Limits::none());
        let told = explain(game.as_ref(), game.start().as_ref(), agent, &limits, 1).unwrap();
        let dir = std::env::temp_dir().join(format!("tussle-frames-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        for old in ["0002.svg", "0099.svg", "1001.svg", "99.svg", "0099.svg.txt"] {
            std::fs::write(dir.join(old), "old").unwrap();
        }
        let written = told.frames(&dir, Theme::Dark).unwrap();
        let is_there = |name: &str| dir.join(name).is_file();
        assert!(!is_there("0099.svg"), "of a longer search");
        assert!(["1001.svg", "99.svg", "0099.svg.txt"].into_iter().all(is_there), "not of ours");
        let lines = told.narration();
        assert_eq!((written.files.len(), written.left_out), (lines.len(), 0));
        let head = |file: &PathBuf| {
            let picture = std::fs::read_to_string(file).unwrap();
            picture.split_once('>').unwrap().0.to_owned()
        };
        assert!(written.files.iter().all(|file| head(file) == head(&written.files[0])), "sizes");
        for (file, line) in written.files.iter().zip(&lines) {
            let picture = std::fs::read_to_string(file).unwrap();
            // The caption may be broken into lines, and its signs are escaped.
            let title = format!("<title>{}</title>", EscapedText(&line.text));
            assert!(picture.contains(&title), "{}", line.text);
            let word = line.text.split_whitespace().next().unwrap();
            assert!(picture.contains(&format!(">{word}")), "{}", line.text);
        }
        assert!(written.files[0].ends_with("0001.svg"));
        std::fs::remove_dir_all(&dir).unwrap();
        let places = |steps: usize| told.picture(steps).spots;
        assert_eq!(places(0), places(17));
        assert_eq!(places(0), places(told.steps.len()));
    }

    #[test]
    fn too_many_lines_are_reduced_to_the_first_and_the_last() {
        let line = |steps| NarrationLine {
            text: String::new(),
            steps,
            node: None,
            depth: 0,
            is_leaf: false,
        };
        let lines: Vec<NarrationLine> = (0..10).map(line).collect();
        let steps = |most| first_and_last(&lines, most).iter().map(|b| b.steps).collect::<Vec<_>>();
        assert_eq!(steps(10), (0..10).collect::<Vec<_>>());
        assert_eq!(steps(4), [0, 1, 2, 9]);
    }

    #[test]
    fn captions_are_broken_between_words() {
        assert_eq!(wrapped("a beta  gamma d", 7), ["a beta", "gamma d"]);
        assert_eq!(wrapped("", 7), [""]);
        assert_eq!(wrapped("a betagammadelta e", 7), ["a", "betagam", "madelta", "e"]);
    }
}
