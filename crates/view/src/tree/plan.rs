//! How much room the nodes of a tree take, and where each of their parts goes.
//!
//! From top to bottom a layer has the moves that lead to it, the shapes, and the notes; then there is a channel
//! for the lines to the next layer. Lines leave a node straight down and turn in the channel only, so that no line ever crosses a text.

use tussle_core::Form;

use super::layout::{Item, place};
use super::{Outline, Vertex};

/// The height of the text in a node.
pub const LABEL: f32 = 0.34;
/// The height of the texts below a node and on the lines.
pub const NOTE: f32 = 0.27;
/// From one note to the next.
pub const NOTE_STEP: f32 = 1.2 * NOTE;

/// Half the height of a node.
const R: f32 = 0.4;
const GAP: f32 = 0.26;
const MARGIN: f32 = 0.3;
/// How wide a letter is, in heights of its text, at most on average.
const LETTER: f32 = 0.64;
/// A channel is at least so high, at most so high, and grows by this part of how far its lines go sideways.
const CHANNEL: (f32, f32, f32) = (0.62, 1.9, 0.1);
/// Names up to this many letters fit into a triangle; where there are longer ones all nodes are boxes with a sign.
const SHORT: usize = 3;
/// Half the size of a box's sign.
const SIGN: f32 = 0.15;

/// Where the parts of one node go.
#[derive(Clone, Debug, PartialEq)]
pub struct Seat {
    /// The middle of its shape.
    pub x: f32,
    /// The middle of its shape.
    pub y: f32,
    /// Half the width of its shape.
    pub reach: f32,
    /// Half the height of its shape.
    pub rise: f32,
    /// Its shape; none where others are folded away.
    pub form: Option<Form>,
    /// In a box: who decides, as a small shape before the name.
    pub sign: Option<Form>,
    /// The middle of its name.
    pub label: (f32, f32),
    /// The middle of its first note; the others are [`NOTE_STEP`] below each other.
    pub notes: (f32, f32),
    /// The middle of the move's text.
    pub edge: (f32, f32),
    /// The line from its parent; it begins below the notes that the parent has, see [`Seat::below`].
    pub line: Option<[(f32, f32); 4]>,
}

impl Seat {
    /// Where lines may begin below so many notes.
    pub fn below(&self, notes: usize) -> f32 {
        match notes {
            0 => self.y + self.rise,
            _ => self.notes.1 + (notes as f32 - 0.5) * NOTE_STEP,
        }
    }
}

/// A tree's drawing without its contents.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Where every node goes.
    pub seats: Vec<Seat>,
    /// The whole drawing's width.
    pub width: f32,
    /// The whole drawing's height.
    pub height: f32,
}

/// The room that a text takes.
pub(super) fn width(text: &str, size: f32) -> f32 {
    text.chars().count() as f32 * LETTER * size
}

impl Plan {
    /// Room for these vertices, the first of which is the root. Whoever draws several states of the same tree
    /// plans it with the longest texts, and nothing jumps.
    pub fn new(vertices: &[Vertex]) -> Self {
        let is_boxed = vertices
            .iter()
            .any(|v| v.outline != Outline::Folded && v.label.chars().count() > SHORT);
        let items: Vec<Item> = vertices.iter().map(|vertex| item(vertex, is_boxed)).collect();
        let places = place(&items, GAP);
        let layers = places.iter().map(|place| place.layer).max().map_or(0, |last| last + 1);
        let mut bands = vec![Band::default(); layers];
        for (node, vertex) in vertices.iter().enumerate() {
            let band = &mut bands[places[node].layer];
            band.notes = band.notes.max(vertex.notes.len());
            band.has_moves |= !vertex.edge.is_empty();
            for &child in &vertex.children {
                band.sideways = band.sideways.max((places[child].x - places[node].x).abs());
            }
        }
        let mut top = MARGIN;
        let mut bottom = top;
        for band in &mut bands {
            band.top = top;
            band.middle = top + R + if band.has_moves { NOTE_STEP } else { 0.0 };
            bottom = band.middle + R + band.notes as f32 * NOTE_STEP;
            band.bottom = bottom;
            let (least, most, part) = CHANNEL;
            top = bottom + (part * band.sideways).clamp(least, most);
        }
        let right = (items.iter().zip(&places))
            .map(|(item, place)| place.x + item.width / 2.0)
            .fold(0.0, f32::max);
        let mut seats: Vec<Seat> = vertices
            .iter()
            .zip(&places)
            .map(|(vertex, place)| {
                seat(vertex, is_boxed, (place.x + MARGIN, bands[place.layer].middle))
            })
            .collect();
        for (node, vertex) in vertices.iter().enumerate() {
            let (x, from) = (seats[node].x, seats[node].y + seats[node].rise);
            let turn = bands[places[node].layer].bottom;
            for &child in &vertex.children {
                let to = &mut seats[child];
                let text = if vertices[child].edge.is_empty() { 0.0 } else { NOTE_STEP };
                let end = (to.x, to.y - to.rise - text);
                to.line = Some([(x, from), (x, turn), (to.x, bands[places[child].layer].top), end]);
            }
        }
        Self { seats, width: right + 2.0 * MARGIN, height: bottom + MARGIN }
    }
}

/// One layer.
#[derive(Clone, Debug, Default)]
struct Band {
    notes: usize,
    has_moves: bool,
    /// How far its lines go sideways, at most.
    sideways: f32,
    top: f32,
    middle: f32,
    bottom: f32,
}

/// Half the width of a vertex's shape.
fn reach(vertex: &Vertex, is_boxed: bool) -> f32 {
    let half = width(&vertex.label, LABEL) / 2.0;
    match vertex.outline {
        Outline::Folded => half,
        Outline::Leaf => (half + 0.1).max(R),
        _ if is_boxed && vertex.label.is_empty() => SIGN + 0.12,
        _ if is_boxed => half + SIGN + 0.14,
        // Where the text's upper edge is, the triangle is already this much narrower.
        Outline::Max | Outline::Min => (1.7 * half + 0.06).max(1.25 * R),
        Outline::Chance => (half + 0.12).max(R),
        Outline::Player(_) => (half + 0.1).max(R),
    }
}

/// The room that a vertex takes, with the texts that belong to it.
fn item(vertex: &Vertex, is_boxed: bool) -> Item {
    let notes = vertex.notes.iter().map(|note| width(note, NOTE)).fold(0.0, f32::max);
    let texts = notes.max(width(&vertex.edge, NOTE));
    // The pen's half on either side.
    let own = 2.0 * reach(vertex, is_boxed) + 0.08;
    Item { width: texts.max(own), children: vertex.children.clone() }
}

fn seat(vertex: &Vertex, is_boxed: bool, (x, y): (f32, f32)) -> Seat {
    let reach = reach(vertex, is_boxed);
    let is_sign = is_boxed && !matches!(vertex.outline, Outline::Leaf | Outline::Folded);
    let rise = if is_boxed || vertex.outline == Outline::Leaf { 0.75 * R } else { R };
    let boxed =
        |round| Form::Rect { x: x - reach, y: y - rise, w: 2.0 * reach, h: 2.0 * rise, round };
    let (mut label, mut sign) = ((x, y), None);
    let form = match vertex.outline {
        Outline::Folded => None,
        Outline::Leaf => Some(boxed(0.1)),
        outline if is_sign => {
            let middle = if vertex.label.is_empty() { x } else { x - reach + 0.08 + SIGN };
            label.0 = f32::midpoint(middle + SIGN, x + reach);
            sign = Some(shape(outline, middle, y, SIGN, SIGN));
            Some(boxed(if outline == Outline::Chance { rise } else { 0.1 }))
        }
        Outline::Player(_) => Some(boxed(0.06)),
        Outline::Chance => Some(boxed(rise)),
        outline => {
            label.1 += if outline == Outline::Max { 0.42 * R } else { -0.42 * R };
            Some(shape(outline, x, y, reach, rise))
        }
    };
    Seat {
        x,
        y,
        reach,
        rise,
        form,
        sign,
        label,
        notes: (x, y + R + 0.5 * NOTE_STEP),
        edge: (x, y - rise - 0.5 * NOTE_STEP),
        line: None,
    }
}

/// The plain shape of who decides.
fn shape(outline: Outline, x: f32, y: f32, w: f32, h: f32) -> Form {
    match outline {
        Outline::Max => Form::Polygon(vec![(x - w, y + h), (x + w, y + h), (x, y - h)]),
        Outline::Min => Form::Polygon(vec![(x - w, y - h), (x + w, y - h), (x, y + h)]),
        Outline::Chance => Form::Circle { x, y, r: h },
        _ => Form::Rect { x: x - w, y: y - h, w: 2.0 * w, h: 2.0 * h, round: 0.0 },
    }
}
