//! How much room the nodes of a tree take, and where each of their parts goes.
//!
//! From top to bottom a layer has the moves that lead to it, the shapes, and the notes; then there is a channel
//! for the lines to the next layer. Lines leave a node straight down and turn in the channel only, so that no line
//! ever crosses a text.

use tussle_core::Form;

use super::layout::{Item, Place, place};
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
/// The width of the widest pen.
const PEN: f32 = 0.1;
/// A drawing that is wider than this many cells is made narrower: leaves hang below each other, at most so many.
const WIDE: f32 = 20.0;
const MOST_HANGING: usize = 12;
/// In front of leaves that hang, between them, and between them and their notes.
const TRUNK: f32 = 0.34;
const ROW_GAP: f32 = 0.16;
const BESIDE: f32 = 0.1;
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
    /// The line from its parent, but for the beginning: that is below the notes that the parent has, see
    /// [`Seat::below`].
    pub line: Vec<(f32, f32)>,
    /// Where the line is cut if it is.
    pub cut: (f32, f32),
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
    let letter = |c: char| match c {
        '@' | '%' | 'M' | 'W' | 'm' | 'w' | '→' => 1.0,
        // Scripts of East Asia, and pictures.
        '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{d7a3}' | '\u{ff00}'..='\u{ff60}' => 1.05,
        '\u{1f000}'.. => 1.35,
        _ => LETTER,
    };
    text.chars().map(letter).sum::<f32>() * size
}

impl Plan {
    /// Room for these vertices, the first of which is the root. Whoever draws several states of the same tree
    /// plans it with the longest texts, and nothing jumps.
    pub fn new(vertices: &[Vertex]) -> Self {
        let plain = Self::with(vertices, |_| false);
        if plain.width <= WIDE {
            return plain;
        }
        // Side by side they would be too wide: leaves hang below each other.
        let is_leaf =
            |&child: &usize| vertices[child].children.is_empty() && vertices[child].edge.is_empty();
        Self::with(vertices, |node| {
            let children = &vertices[node].children;
            (2..=MOST_HANGING).contains(&children.len()) && children.iter().all(is_leaf)
        })
    }

    /// `hangs` says of a node whether its children hang below each other.
    fn with(vertices: &[Vertex], hangs: impl Fn(usize) -> bool) -> Self {
        let is_boxed = vertices
            .iter()
            .any(|v| v.outline != Outline::Collapsed && v.label.chars().count() > SHORT);
        let mut sizes: Vec<Size> = vertices.iter().map(|v| Size::of(v, is_boxed)).collect();
        let mut items: Vec<Item> = (vertices.iter().zip(&sizes))
            .map(|(vertex, size)| Item { width: size.width, children: vertex.children.clone() })
            .collect();
        // Of those who hang the first is as large as all, and the others are not in the tree.
        let columns: Vec<usize> = (0..vertices.len()).filter(|&node| hangs(node)).collect();
        for &node in &columns {
            let children = &vertices[node].children;
            let all = children.iter().map(|&child| sizes[child].hanging()).fold(0.0, f32::max);
            items[node].children.truncate(1);
            items[children[0]].width = TRUNK + all;
            for &child in children {
                sizes[child].is_hanging = true;
                if child != children[0] {
                    items[child].width = 0.0;
                }
            }
        }
        let mut places = place(&items, GAP);
        for &node in &columns {
            let children = &vertices[node].children;
            for &child in children {
                places[child] = places[children[0]].clone();
            }
        }
        let bands = bands(vertices, &sizes, &places);
        let right = (items.iter().zip(&places))
            .map(|(item, place)| place.x + item.width / 2.0)
            .fold(0.0, f32::max);
        let mut seats: Vec<Seat> = (0..vertices.len())
            .map(|node| {
                let middle = (places[node].x + MARGIN, bands[places[node].layer].middle);
                seat(&vertices[node], &sizes[node], is_boxed, middle)
            })
            .collect();
        for (node, vertex) in vertices.iter().enumerate() {
            let Some(&first) = vertex.children.first() else { continue };
            let (x, turn) = (seats[node].x, bands[places[node].layer].bottom);
            let top = bands[places[first].layer].top;
            if sizes[first].is_hanging {
                let left = places[first].x + MARGIN - items[first].width / 2.0;
                let mut y = top;
                for &child in &vertex.children {
                    let row = sizes[child].row();
                    let to = hung(&vertices[child], &sizes[child], is_boxed, (left, y + row / 2.0));
                    let (trunk, end) = (left + PEN, to.x - to.reach);
                    let line = vec![(x, turn), (trunk, top), (trunk, to.y), (end, to.y)];
                    let cut = (f32::midpoint(trunk, end), to.y);
                    seats[child] = Seat { line, cut, ..to };
                    y += row;
                }
                continue;
            }
            for &child in &vertex.children {
                let to = &mut seats[child];
                let text = if vertices[child].edge.is_empty() { 0.0 } else { NOTE_STEP };
                to.line = vec![(x, turn), (to.x, top), (to.x, to.y - to.rise - text)];
                to.cut = (f32::midpoint(x, to.x), f32::midpoint(turn, top));
            }
        }
        let bottom = bands.last().map_or(MARGIN, |band| band.bottom);
        Self { seats, width: right + 2.0 * MARGIN, height: bottom + MARGIN }
    }
}

/// The layers of a tree from top to bottom.
fn bands(vertices: &[Vertex], sizes: &[Size], places: &[Place]) -> Vec<Band> {
    let layers = places.iter().map(|place| place.layer).max().map_or(0, |last| last + 1);
    let mut bands = vec![Band::default(); layers];
    for (node, vertex) in vertices.iter().enumerate() {
        let band = &mut bands[places[node].layer];
        if !sizes[node].is_hanging {
            band.rise = band.rise.max(sizes[node].rise);
            band.notes = band.notes.max(vertex.notes.len());
        }
        band.has_moves |= !vertex.edge.is_empty();
        for &child in &vertex.children {
            band.sideways = band.sideways.max((places[child].x - places[node].x).abs());
        }
        let rows = vertex.children.iter().filter(|&&child| sizes[child].is_hanging);
        let column: f32 = rows.map(|&child| sizes[child].row()).sum();
        if let Some(next) = bands.get_mut(places[node].layer + 1) {
            next.column = next.column.max(column);
        }
    }
    let mut top = MARGIN;
    for band in &mut bands {
        band.top = top;
        band.middle = top + band.rise + if band.has_moves { NOTE_STEP } else { 0.0 };
        band.bottom = band.middle + band.rise + band.notes as f32 * NOTE_STEP;
        band.bottom = band.bottom.max(top + band.column);
        let (least, most, part) = CHANNEL;
        top = band.bottom + (part * band.sideways).clamp(least, most);
    }
    bands
}

/// One layer.
#[derive(Clone, Debug, Default)]
struct Band {
    notes: usize,
    has_moves: bool,
    /// How far its lines go sideways, at most.
    sideways: f32,
    /// How high its highest column of hanging leaves is.
    column: f32,
    rise: f32,
    top: f32,
    middle: f32,
    bottom: f32,
}

/// The room that a vertex takes.
struct Size {
    /// Half the width and height of its shape.
    reach: f32,
    rise: f32,
    /// How wide its notes are, and how many.
    notes: (f32, usize),
    /// How wide it is with the texts that belong to it.
    width: f32,
    is_hanging: bool,
}

impl Size {
    fn of(vertex: &Vertex, is_boxed: bool) -> Self {
        let reach = reach(vertex, is_boxed);
        let notes = vertex.notes.iter().map(|note| width(note, NOTE)).fold(0.0, f32::max);
        let own = 2.0 * reach + PEN;
        let texts = notes.max(width(&vertex.edge, NOTE));
        Self {
            reach,
            rise: if is_boxed { 0.75 * R } else { R },
            notes: (notes, vertex.notes.len()),
            width: texts.max(own),
            is_hanging: false,
        }
    }

    /// Its width where its notes are beside it.
    fn hanging(&self) -> f32 {
        2.0 * self.reach + PEN + BESIDE + self.notes.0
    }

    /// Its height there.
    fn row(&self) -> f32 {
        (2.0 * self.rise + ROW_GAP).max(self.notes.1 as f32 * NOTE_STEP)
    }
}

/// Half the width of a vertex's shape.
fn reach(vertex: &Vertex, is_boxed: bool) -> f32 {
    let half = width(&vertex.label, LABEL) / 2.0;
    match vertex.outline {
        // Its letters are smaller.
        Outline::Collapsed => width(&vertex.label, NOTE) / 2.0,
        Outline::Leaf => (half + 0.1).max(R),
        _ if is_boxed && vertex.label.is_empty() => SIGN + 0.12,
        _ if is_boxed => half + SIGN + 0.16,
        // Where the text's upper edge is, the triangle is already this much narrower.
        Outline::Max | Outline::Min => (1.7 * half + 0.06).max(1.25 * R),
        Outline::Chance => (half + 0.12).max(R),
        Outline::Player(_) => (half + 0.1).max(R),
    }
}

/// A leaf that hangs: its notes are beside it. `left` is where its column begins.
fn hung(vertex: &Vertex, size: &Size, is_boxed: bool, (left, y): (f32, f32)) -> Seat {
    let x = left + TRUNK + PEN / 2.0 + size.reach;
    let mut seat = seat(vertex, size, is_boxed, (x, y));
    let (wide, count) = size.notes;
    seat.notes.0 = x + size.reach + PEN / 2.0 + BESIDE + wide / 2.0;
    seat.notes.1 = y - 0.5 * (count.max(1) as f32 - 1.0) * NOTE_STEP;
    seat
}

fn seat(vertex: &Vertex, size: &Size, is_boxed: bool, (x, y): (f32, f32)) -> Seat {
    let (reach, rise) = (size.reach, size.rise);
    let is_sign = is_boxed && !matches!(vertex.outline, Outline::Leaf | Outline::Collapsed);
    let boxed =
        |round| Form::Rect { x: x - reach, y: y - rise, w: 2.0 * reach, h: 2.0 * rise, round };
    let (mut label, mut sign) = ((x, y), None);
    let form = match vertex.outline {
        Outline::Collapsed => None,
        Outline::Leaf => Some(boxed(0.1)),
        outline if is_sign => {
            let middle = if vertex.label.is_empty() { x } else { x - reach + 0.1 + SIGN };
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
        notes: (x, y + rise + 0.5 * NOTE_STEP),
        edge: (x, y - rise - 0.5 * NOTE_STEP),
        line: Vec::new(),
        cut: (x, y),
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
