//! A tree as a scene, which is drawn as every board is.

use tussle_core::{Anchor, Form, Ink, Scene};

use super::layout::{Item, place};

/// Who decides at a node, by its shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outline {
    /// The first player: a triangle that points up.
    Max,
    /// The second player: a triangle that points down.
    Min,
    /// Chance: a circle.
    Chance,
    /// One of many players: a square in its colour.
    Player(u8),
    /// The end, or a leaf: a rounded box.
    Leaf,
    /// Others that are not shown: text alone.
    Folded,
}

/// What has become of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fate {
    /// Nothing yet.
    #[default]
    Unseen,
    /// It is being searched.
    Open,
    /// This is where the search is.
    Current,
    /// It has its value.
    Done,
    /// It is on the best line.
    Best,
    /// It was never looked at, and need not be.
    Pruned,
}

/// A node to be drawn. The texts may be empty.
#[derive(Clone, Debug)]
pub struct Vertex {
    /// Its shape.
    pub outline: Outline,
    /// What has become of it.
    pub fate: Fate,
    /// In it: its name or value.
    pub label: String,
    /// Beside it: its window, its visits.
    pub notes: Vec<String>,
    /// On the line that leads to it: the move.
    pub edge: String,
    /// Those below it, from left to right; each comes after it in the list.
    pub children: Vec<usize>,
}

/// Half the size of a node.
const R: f32 = 0.4;
/// From one layer to the next, without the notes.
const STEP: f32 = 1.5;
const GAP: f32 = 0.3;
/// Heights of texts.
const LABEL: f32 = 0.32;
const NOTE: f32 = 0.26;
/// How wide a letter is, in heights of its text, at most on average.
const LETTER: f32 = 0.64;
const MARGIN: f32 = 0.3;

/// The room that a text takes.
fn width(text: &str, size: f32) -> f32 {
    text.chars().count() as f32 * LETTER * size
}

/// Draws a tree whose root is the first vertex. A node's spot has its number.
pub fn scene(vertices: &[Vertex]) -> Scene {
    let items: Vec<Item> = vertices.iter().map(item).collect();
    let places = place(&items, GAP);
    let layers = places.iter().map(|place| place.layer).max().map_or(0, |last| last + 1);
    // A layer is as high as the most notes in it demand.
    let mut tops = vec![MARGIN; layers + 1];
    for layer in 0..layers {
        let of_layer = vertices.iter().zip(&places).filter(|(_, place)| place.layer == layer);
        let notes = of_layer.map(|(vertex, _)| vertex.notes.len()).max().unwrap_or(0);
        tops[layer + 1] = tops[layer] + STEP + notes as f32 * 1.2 * NOTE;
    }
    let right = (items.iter().zip(&places))
        .map(|(item, place)| place.x + item.width / 2.0)
        .fold(0.0, f32::max);
    let mut scene = Scene::new(right + 2.0 * MARGIN, tops[layers] - STEP + 2.0 * R + 2.0 * MARGIN);
    let at = |node: usize| (places[node].x + MARGIN, tops[places[node].layer] + R);
    for (node, vertex) in vertices.iter().enumerate() {
        for &child in &vertex.children {
            let (x, y) = at(node);
            draw_edge(&mut scene, (x, y + vertex.depth()), at(child), &vertices[child]);
        }
    }
    for (node, vertex) in vertices.iter().enumerate() {
        draw_node(&mut scene, at(node), vertex);
    }
    scene
}

impl Vertex {
    /// Half the width of the box around its label.
    fn half(&self) -> f32 {
        (width(&self.label, LABEL) / 2.0 + 0.08).max(R)
    }

    /// Half the width of its shape: a triangle is wider where it has no text.
    fn reach(&self) -> f32 {
        match self.outline {
            Outline::Max | Outline::Min => 1.3 * self.half(),
            _ => self.half(),
        }
    }

    /// From its middle down to where lines may begin.
    fn depth(&self) -> f32 {
        R + self.notes.len() as f32 * 1.2 * NOTE
    }
}

/// The room that a vertex takes, with the texts that belong to it.
fn item(vertex: &Vertex) -> Item {
    let notes = vertex.notes.iter().map(|note| width(note, NOTE)).fold(0.0, f32::max);
    let texts = notes.max(width(&vertex.edge, NOTE) + 0.2);
    Item { width: texts.max(2.0 * vertex.reach()), children: vertex.children.clone() }
}

/// Its colours: the outline and the text.
fn inks(vertex: &Vertex) -> (Ink, Ink) {
    match vertex.fate {
        Fate::Current | Fate::Best => (Ink::Accent, Ink::Text),
        Fate::Pruned | Fate::Unseen => (Ink::Grid, Ink::Faint),
        Fate::Open | Fate::Done => (Ink::Text, Ink::Text),
    }
}

fn draw_edge(scene: &mut Scene, from: (f32, f32), to: (f32, f32), child: &Vertex) {
    let (ink, text) = inks(child);
    let wide = if child.fate == Fate::Best { 0.07 } else { 0.03 };
    let ends = [from, (to.0, to.1 - 0.8 * R)];
    scene.line(ends[0], ends[1], wide, ink);
    if child.fate == Fate::Pruned {
        // Cut off: two strokes across the line.
        let (x, y) = (f32::midpoint(ends[0].0, ends[1].0), f32::midpoint(ends[0].1, ends[1].1));
        for shift in [-0.05, 0.05] {
            scene.line((x - 0.12, y + shift), (x + 0.12, y + shift - 0.08), 0.03, Ink::Accent);
        }
    }
    if !child.edge.is_empty() {
        // Near the child, where siblings are apart.
        let share = 0.72;
        let (x, y) = (
            ends[0].0 + share * (ends[1].0 - ends[0].0),
            ends[0].1 + share * (ends[1].1 - ends[0].1),
        );
        let half = width(&child.edge, NOTE) / 2.0 + 0.04;
        let form = Form::Rect { x: x - half, y: y - 0.16, w: 2.0 * half, h: 0.32, round: 0.08 };
        scene.shape(form, Some(Ink::Background), None);
        scene.label(x, y, NOTE, child.edge.clone(), text);
    }
}

fn draw_node(scene: &mut Scene, (x, y): (f32, f32), vertex: &Vertex) {
    let (stroke, text) = inks(vertex);
    let line = Some((stroke, if vertex.fate == Fate::Current { 0.08 } else { 0.04 }));
    let fill = match vertex.fate {
        Fate::Pruned | Fate::Unseen => Some(Ink::Background),
        _ => Some(Ink::Board),
    };
    let (half, reach) = (vertex.half(), vertex.reach());
    let boxed = Form::Rect { x: x - half, y: y - 0.75 * R, w: 2.0 * half, h: 1.5 * R, round: 0.1 };
    match vertex.outline {
        Outline::Max => {
            let points = vec![(x - reach, y + R), (x + reach, y + R), (x, y - R)];
            scene.shape(Form::Polygon(points), fill, line);
        }
        Outline::Min => {
            let points = vec![(x - reach, y - R), (x + reach, y - R), (x, y + R)];
            scene.shape(Form::Polygon(points), fill, line);
        }
        Outline::Chance => scene.shape(Form::Circle { x, y, r: R }, fill, line),
        Outline::Player(player) => {
            scene.shape(boxed, fill, Some((Ink::Player(player), 0.08)));
        }
        Outline::Leaf => scene.shape(boxed, fill, line),
        Outline::Folded => {}
    }
    let drop = match vertex.outline {
        Outline::Max => 0.3 * R,
        Outline::Min => -0.3 * R,
        _ => 0.0,
    };
    scene.label(x, y + drop, LABEL, vertex.label.clone(), text);
    for (i, note) in vertex.notes.iter().enumerate() {
        let form = Form::Text {
            x,
            y: y + R + NOTE * (0.8 + 1.2 * i as f32),
            size: NOTE,
            anchor: Anchor::Middle,
            bold: false,
            text: note.clone(),
        };
        scene.shape(form, Some(text), None);
    }
    scene.spot(vertex.label.clone(), x - reach, y - R, 2.0 * reach, 2.0 * R);
}
