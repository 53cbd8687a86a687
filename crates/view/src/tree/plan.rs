//! Layout of a drawn tree: sizes of the nodes and places of all their parts.
//!
//! A layer has from top to bottom the moves that lead to it, the shapes, the notes, and a channel for the lines to the next
//! layer. Lines leave a node straight down and turn only in the channel, so that they never cross a text.

use tussle_core::Form;

use super::layout::{Item, Place, place};
use super::{Outline, Vertex};

/// Font size of the text in a node.
pub const LABEL: f32 = 0.34;
/// Font size of the texts below and above a node.
pub const NOTE: f32 = 0.27;
/// Distance from one note to the next.
pub const NOTE_STEP: f32 = 1.2 * NOTE;

/// Half the height of a node.
const R: f32 = 0.4;
/// Gap between neighbouring nodes.
const GAP: f32 = 0.26;
/// Width of the widest line.
const PEN: f32 = 0.1;
/// Maximum width in cells of a drawing with all leaves side by side. In wider drawings leaves are stacked below each other.
const MAX_UNSTACKED_WIDTH: f32 = 20.0;
/// Maximum number of leaves in a stack.
const MAX_STACKED_LEAVES: usize = 12;
/// Space for lines to the left of stacked leaves.
const TRUNK: f32 = 0.34;
/// Gap between stacked leaves.
const ROW_GAP: f32 = 0.16;
/// Gap between a stacked leaf and the notes to its right.
const NOTE_GAP: f32 = 0.1;
/// Space around the whole tree.
const MARGIN: f32 = 0.3;
/// Upper limit of the average width of a letter, for a font size of 1.
const LETTER: f32 = 0.64;
/// Minimum height of a channel, maximum height, and height per horizontal distance that its lines cover.
const CHANNEL: (f32, f32, f32) = (0.62, 1.9, 0.1);
/// Maximum length of a name in a triangle. If any name is longer, all nodes are boxes with a small sign.
const MAX_TRIANGLE_CHARS: usize = 3;
/// Half the size of the sign in a box.
const SIGN: f32 = 0.15;

/// Places of the parts of one node.
#[derive(Clone, Debug, PartialEq)]
pub struct NodePlace {
    /// Horizontal middle of the shape.
    pub x: f32,
    /// Vertical middle of the shape.
    pub y: f32,
    /// Half the width of the shape.
    pub reach: f32,
    /// Half the height of the shape.
    pub rise: f32,
    /// Shape; `None` for a collapsed subtree.
    pub form: Option<Form>,
    /// Sign in a box: a small shape before the name that shows who moves.
    pub sign: Option<Form>,
    /// Middle of the name.
    pub label: (f32, f32),
    /// Middle of the first note. Each further note is [`NOTE_STEP`] below.
    pub notes: (f32, f32),
    /// Middle of the text of the move.
    pub edge: (f32, f32),
    /// Line from the parent, without its first point, which depends on the parent's notes (see [`NodePlace::below`]).
    pub line: Vec<(f32, f32)>,
    /// Position of the strokes across the line of a pruned node.
    pub cut: (f32, f32),
}

impl NodePlace {
    /// Returns the vertical position below the node and its `notes` notes, where lines to children begin.
    pub fn below(&self, notes: usize) -> f32 {
        match notes {
            0 => self.y + self.rise,
            _ => self.notes.1 + (notes as f32 - 0.5) * NOTE_STEP,
        }
    }
}

/// Layout of a tree drawing, without its contents.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Place of every node.
    pub nodes: Vec<NodePlace>,
    /// Width of the drawing.
    pub width: f32,
    /// Height of the drawing.
    pub height: f32,
}

/// Returns an upper estimate of the width of a text.
pub(super) fn width(text: &str, size: f32) -> f32 {
    let letter = |c: char| match c {
        '@' | '%' | 'M' | 'W' | 'm' | 'w' | '→' => 1.0,
        // East Asian scripts; emoji are below.
        '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{d7a3}' | '\u{ff00}'..='\u{ff60}' => 1.05,
        '\u{1f000}'.. => 1.35,
        _ => LETTER,
    };
    text.chars().map(letter).sum::<f32>() * size
}

impl Plan {
    /// Computes the layout of a tree whose root is the first vertex.
    ///
    /// To draw several states of the same tree, plan it once with the longest text of each node; then nodes keep their places.
    pub fn new(vertices: &[Vertex]) -> Self {
        let plain = Self::with(vertices, |_| false);
        if plain.width <= MAX_UNSTACKED_WIDTH {
            return plain;
        }
        // Too wide: stack the leaves.
        let is_leaf =
            |&child: &usize| vertices[child].children.is_empty() && vertices[child].edge.is_empty();
        Self::with(vertices, |node| {
            let children = &vertices[node].children;
            (2..=MAX_STACKED_LEAVES).contains(&children.len()) && children.iter().all(is_leaf)
        })
    }

    /// Computes the layout; `is_stacked` returns true if the children of a node are stacked.
    fn with(vertices: &[Vertex], is_stacked: impl Fn(usize) -> bool) -> Self {
        let is_boxed = vertices.iter().any(|v| {
            v.outline != Outline::Collapsed && v.label.chars().count() > MAX_TRIANGLE_CHARS
        });
        let mut sizes: Vec<Size> = vertices.iter().map(|v| Size::of(v, is_boxed)).collect();
        let mut items: Vec<Item> = (vertices.iter().zip(&sizes))
            .map(|(vertex, size)| Item { width: size.width, children: vertex.children.clone() })
            .collect();
        // The first leaf of a stack gets the width of the whole stack, and the others have no place of their own.
        let columns: Vec<usize> = (0..vertices.len()).filter(|&node| is_stacked(node)).collect();
        for &node in &columns {
            let children = &vertices[node].children;
            let all =
                children.iter().map(|&child| sizes[child].stacked_width()).fold(0.0, f32::max);
            items[node].children.truncate(1);
            items[children[0]].width = TRUNK + all;
            for &child in children {
                sizes[child].is_stacked = true;
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
        let mut nodes: Vec<NodePlace> = (0..vertices.len())
            .map(|node| {
                let middle = (places[node].x + MARGIN, bands[places[node].layer].middle);
                place_node(&vertices[node], &sizes[node], is_boxed, middle)
            })
            .collect();
        for (node, vertex) in vertices.iter().enumerate() {
            let Some(&first) = vertex.children.first() else { continue };
            let (x, turn) = (nodes[node].x, bands[places[node].layer].bottom);
            let top = bands[places[first].layer].top;
            if sizes[first].is_stacked {
                let left = places[first].x + MARGIN - items[first].width / 2.0;
                let mut y = top;
                for &child in &vertex.children {
                    let row = sizes[child].row();
                    let to =
                        stacked(&vertices[child], &sizes[child], is_boxed, (left, y + row / 2.0));
                    let (trunk, end) = (left + PEN, to.x - to.reach);
                    let line = vec![(x, turn), (trunk, top), (trunk, to.y), (end, to.y)];
                    let cut = (f32::midpoint(trunk, end), to.y);
                    nodes[child] = NodePlace { line, cut, ..to };
                    y += row;
                }
                continue;
            }
            for &child in &vertex.children {
                let to = &mut nodes[child];
                let text = if vertices[child].edge.is_empty() { 0.0 } else { NOTE_STEP };
                to.line = vec![(x, turn), (to.x, top), (to.x, to.y - to.rise - text)];
                to.cut = (f32::midpoint(x, to.x), f32::midpoint(turn, top));
            }
        }
        let bottom = bands.last().map_or(MARGIN, |band| band.bottom);
        Self { nodes, width: right + 2.0 * MARGIN, height: bottom + MARGIN }
    }
}

/// Computes the layers of a tree, from top to bottom.
fn bands(vertices: &[Vertex], sizes: &[Size], places: &[Place]) -> Vec<Band> {
    let layers = places.iter().map(|place| place.layer).max().map_or(0, |last| last + 1);
    let mut bands = vec![Band::default(); layers];
    for (node, vertex) in vertices.iter().enumerate() {
        let band = &mut bands[places[node].layer];
        if !sizes[node].is_stacked {
            band.rise = band.rise.max(sizes[node].rise);
            band.notes = band.notes.max(vertex.notes.len());
        }
        band.has_moves |= !vertex.edge.is_empty();
        for &child in &vertex.children {
            band.sideways = band.sideways.max((places[child].x - places[node].x).abs());
        }
        let rows = vertex.children.iter().filter(|&&child| sizes[child].is_stacked);
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

/// Layer of a tree.
#[derive(Clone, Debug, Default)]
struct Band {
    notes: usize,
    has_moves: bool,
    /// Maximum horizontal distance that the lines to the next layer cover.
    sideways: f32,
    /// Height of the highest stack of leaves.
    column: f32,
    rise: f32,
    top: f32,
    middle: f32,
    bottom: f32,
}

/// Size of a vertex.
struct Size {
    /// Half the width of the shape.
    reach: f32,
    /// Half the height of the shape.
    rise: f32,
    /// Width of the longest note, and number of notes.
    notes: (f32, usize),
    /// Width of the shape and the texts above and below it.
    width: f32,
    is_stacked: bool,
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
            is_stacked: false,
        }
    }

    /// Returns the width with the notes to the right of the shape.
    fn stacked_width(&self) -> f32 {
        2.0 * self.reach + PEN + NOTE_GAP + self.notes.0
    }

    /// Returns the height of this leaf in a stack.
    fn row(&self) -> f32 {
        (2.0 * self.rise + ROW_GAP).max(self.notes.1 as f32 * NOTE_STEP)
    }
}

/// Returns half the width of a vertex's shape.
fn reach(vertex: &Vertex, is_boxed: bool) -> f32 {
    let half = width(&vertex.label, LABEL) / 2.0;
    match vertex.outline {
        // The text of a collapsed subtree is smaller.
        Outline::Collapsed => width(&vertex.label, NOTE) / 2.0,
        Outline::Leaf => (half + 0.1).max(R),
        _ if is_boxed && vertex.label.is_empty() => SIGN + 0.12,
        _ if is_boxed => half + SIGN + 0.16,
        // At the upper edge of the text the triangle is narrower than at its base.
        Outline::Max | Outline::Min => (1.7 * half + 0.06).max(1.25 * R),
        Outline::Chance => (half + 0.12).max(R),
        Outline::Player(_) => (half + 0.1).max(R),
    }
}

/// Places a stacked leaf with its notes to the right. `left` is the left edge of the stack.
fn stacked(vertex: &Vertex, size: &Size, is_boxed: bool, (left, y): (f32, f32)) -> NodePlace {
    let x = left + TRUNK + PEN / 2.0 + size.reach;
    let mut place = place_node(vertex, size, is_boxed, (x, y));
    let (wide, count) = size.notes;
    place.notes.0 = x + size.reach + PEN / 2.0 + NOTE_GAP + wide / 2.0;
    place.notes.1 = y - 0.5 * (count.max(1) as f32 - 1.0) * NOTE_STEP;
    place
}

/// Places the parts of a node around the middle of its shape.
fn place_node(vertex: &Vertex, size: &Size, is_boxed: bool, (x, y): (f32, f32)) -> NodePlace {
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
    NodePlace {
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

/// Returns the shape of an outline, without a text.
fn shape(outline: Outline, x: f32, y: f32, w: f32, h: f32) -> Form {
    match outline {
        Outline::Max => Form::Polygon(vec![(x - w, y + h), (x + w, y + h), (x, y - h)]),
        Outline::Min => Form::Polygon(vec![(x - w, y - h), (x + w, y - h), (x, y + h)]),
        Outline::Chance => Form::Circle { x, y, r: h },
        _ => Form::Rect { x: x - w, y: y - h, w: 2.0 * w, h: 2.0 * h, round: 0.0 },
    }
}
