//! Drawing of a tree. The root is at the top or, if the drawing would be too wide, at the left.

use tussle_core::{Anchor, Drawn, Form, Ink, Scene};

use super::check::Flat;
use super::outline::{self, Content, View, edge_text, stats_text, values_text};
use super::{Kind, State, Tree};

/// Maximum number of drawn children of the current node, if the tree is not drawn completely.
const MAX_DRAWN_CHILDREN: usize = 1000;
/// Half the size of a node.
const R: f32 = 0.45;
/// Maximum width of a drawing with the root at the top.
const MAX_UPRIGHT_WIDTH: f32 = 32.0;
/// Position of the text on an edge, as a part of its length from the parent. It is nearer to the
/// child, because the texts of siblings are farther apart there.
const EDGE_TEXT_POSITION: f32 = 0.62;
/// Height of the texts in nodes.
const NODE_TEXT_HEIGHT: f32 = 0.36;
/// Height of the texts beside nodes and on edges.
const SIDE_TEXT_HEIGHT: f32 = 0.3;

/// # Exception from the contract of spots
/// A tree with up to 200 nodes is drawn completely and has a spot for every node, the same in every
/// position. Of a larger tree, only the surroundings of the current node are drawn. There the spots
/// are the first thousand children of the current node.
impl<const DUEL: bool> Drawn for Tree<DUEL> {
    fn scene(&self, state: &State) -> Scene {
        let mut scene = Picture::new(&self.0, state.0).paint();
        scene.rows = outline::rows(&self.0, state.0);
        scene
    }

    fn clicks(&self, state: &State, mv: u32) -> Vec<usize> {
        let child = self.0.child(*state, mv).0;
        match mv as usize {
            _ if outline::is_whole(&self.0) => vec![child as usize],
            mv if mv < MAX_DRAWN_CHILDREN => vec![mv],
            _ => Vec::new(),
        }
    }

    /// Returns `None`, because the current node is already highlighted.
    fn landing(&self, _: &State, _: u32) -> Option<usize> {
        None
    }

    fn target(&self, state: &State, mv: u32) -> Option<usize> {
        self.clicks(state, mv).last().copied()
    }
}

/// Texts of one item.
#[derive(Default)]
struct Texts {
    /// Text in the node.
    inside: String,
    /// Text beside the node, or below a leaf.
    beside: String,
    /// Text on the edge into the node.
    edge: String,
}

struct Picture<'a> {
    flat: &'a Flat,
    view: View,
    texts: Vec<Texts>,
    /// True if the root is at the left.
    sideways: bool,
    /// Centres of the items.
    at: Vec<(f32, f32)>,
    size: (f32, f32),
}

impl<'a> Picture<'a> {
    fn new(flat: &'a Flat, current: u32) -> Self {
        let view = View::new(flat, current, MAX_DRAWN_CHILDREN);
        let texts = view.items.iter().map(|item| Texts::new(flat, item.content)).collect();
        let mut picture =
            Self { flat, view, texts, sideways: false, at: Vec::new(), size: (0.0, 0.0) };
        picture.lay_out();
        if picture.size.0 > MAX_UPRIGHT_WIDTH {
            picture.sideways = true;
            picture.lay_out();
        }
        picture
    }

    /// Returns the width that an item needs perpendicular to the direction of growth.
    fn breadth(&self, item: usize) -> f32 {
        let texts = &self.texts[item];
        let leaf = self.view.items[item].children.is_empty();
        if self.sideways {
            // In a sideways drawing, the text beside an inner node is above it.
            return if leaf || texts.beside.is_empty() { 1.1 } else { 1.8 };
        }
        let side = width(&texts.beside, SIDE_TEXT_HEIGHT);
        let beside = if leaf { side } else { 2.0 * (R + 0.1 + side) };
        let edge = width(&texts.edge, SIDE_TEXT_HEIGHT) / EDGE_TEXT_POSITION;
        (2.0 * R).max(self.box_width(item)).max(beside).max(edge) + 0.35
    }

    /// Returns the width of the box of a leaf.
    fn box_width(&self, item: usize) -> f32 {
        (width(&self.texts[item].inside, NODE_TEXT_HEIGHT) + 0.3).max(2.0 * R)
    }

    /// Returns the distance from one level to the next.
    fn level(&self) -> f32 {
        if !self.sideways {
            return 1.9;
        }
        let edge =
            self.texts.iter().map(|texts| width(&texts.edge, SIDE_TEXT_HEIGHT)).fold(0.0, f32::max);
        let node = |item: usize| {
            let leaf = self.view.items[item].children.is_empty();
            let above = if leaf { 0.0 } else { width(&self.texts[item].beside, SIDE_TEXT_HEIGHT) };
            self.box_width(item).max(above)
        };
        (0..self.texts.len()).map(node).fold(0.0, f32::max) + 1.3 * edge + 1.2
    }

    /// Gives every item a strip of the drawing that contains the strips of its children side by
    /// side. Its width is the larger one of the width of the item and the sum of its children's
    /// widths.
    fn lay_out(&mut self) {
        let items = &self.view.items;
        let mut strips: Vec<f32> = (0..items.len()).map(|item| self.breadth(item)).collect();
        let mut of_children = vec![0.0; items.len()];
        for (i, item) in items.iter().enumerate().rev() {
            of_children[i] = item.children.iter().map(|&child| strips[child]).sum();
            strips[i] = of_children[i].max(strips[i]);
        }
        let mut starts = vec![0.0; items.len()];
        let mut depths = vec![0u16; items.len()];
        for (i, item) in items.iter().enumerate() {
            let mut start = starts[i] + (strips[i] - of_children[i]) / 2.0;
            for &child in &item.children {
                (starts[child], depths[child]) = (start, depths[i] + 1);
                start += strips[child];
            }
        }
        let level = self.level();
        let deepest = f32::from(depths.iter().copied().max().unwrap_or(0));
        let turn = |across: f32, down: f32| {
            if self.sideways { (down, across) } else { (across, down) }
        };
        // The margin before the first level, and the space for the leaves' texts after the last.
        let (before, after) = if self.sideways {
            let leaf =
                |i: usize| self.box_width(i) + width(&self.texts[i].beside, SIDE_TEXT_HEIGHT);
            let leaves = (0..items.len()).map(leaf).fold(0.0, f32::max);
            (self.box_width(0) / 2.0 + 0.4, leaves + 0.4)
        } else {
            (R + 0.4, R + 0.8)
        };
        let place =
            |i: usize| turn(starts[i] + strips[i] / 2.0, before + level * f32::from(depths[i]));
        let at = (0..items.len()).map(place).collect();
        let size = turn(strips[0], before + level * deepest + after);
        (self.at, self.size) = (at, size);
    }

    fn paint(&self) -> Scene {
        let mut scene = Scene::new(self.size.0, self.size.1);
        scene.rect(0.0, 0.0, self.size.0, self.size.1, Ink::Background);
        for (i, item) in self.view.items.iter().enumerate() {
            for &child in &item.children {
                scene.line(self.at[i], self.at[child], 0.04, Ink::Grid);
            }
        }
        for (i, item) in self.view.items.iter().enumerate() {
            for &child in &item.children {
                self.paint_edge_text(&mut scene, i, child);
            }
        }
        for (i, item) in self.view.items.iter().enumerate() {
            match item.content {
                Content::Node(node) => self.paint_node(&mut scene, i, node),
                Content::More(_) | Content::Gap(_) => self.paint_rest(&mut scene, i),
            }
        }
        self.add_spots(&mut scene);
        scene
    }

    fn paint_edge_text(&self, scene: &mut Scene, from: usize, to: usize) {
        let text = &self.texts[to].edge;
        if text.is_empty() {
            return;
        }
        let ((x0, y0), (x1, y1)) = (self.at[from], self.at[to]);
        let (x, y) = (x0 + EDGE_TEXT_POSITION * (x1 - x0), y0 + EDGE_TEXT_POSITION * (y1 - y0));
        clear(scene, x, y, width(text, SIDE_TEXT_HEIGHT) + 0.1, SIDE_TEXT_HEIGHT + 0.06);
        scene.label(x, y, SIDE_TEXT_HEIGHT, text, Ink::Text);
    }

    fn paint_rest(&self, scene: &mut Scene, item: usize) {
        let (x, y) = self.at[item];
        let text = &self.texts[item].inside;
        clear(scene, x, y, width(text, NODE_TEXT_HEIGHT) + 0.2, NODE_TEXT_HEIGHT + 0.2);
        scene.label(x, y, NODE_TEXT_HEIGHT, text, Ink::Faint);
    }

    fn paint_node(&self, scene: &mut Scene, item: usize, node: u32) {
        let (x, y) = self.at[item];
        let kind = self.flat.vertices[node as usize].kind;
        let here = item == self.view.current;
        let stroke = Some(if here { (Ink::Accent, 0.12) } else { (Ink::Grid, 0.04) });
        let (form, fill, on, sink) = match kind {
            Kind::Max => (triangle(x, y, 1.0), outline::ink(kind), Ink::OnPlayer(0), 0.14),
            Kind::Min => (triangle(x, y, -1.0), outline::ink(kind), Ink::OnPlayer(1), -0.14),
            Kind::Player(k) => {
                let disc = Form::Circle { x, y, r: R };
                (disc, outline::ink(kind), Ink::OnPlayer(k as u8 - 1), 0.0)
            }
            Kind::Chance => (Form::Circle { x, y, r: R }, Ink::BoardAlt, Ink::Text, 0.0),
            Kind::Leaf => {
                let w = self.box_width(item);
                let (x, y, h) = (x - w / 2.0, y - R + 0.1, 2.0 * R - 0.2);
                (Form::Rect { x, y, w, h, round: 0.06 }, Ink::Board, Ink::Text, 0.0)
            }
        };
        scene.shape(form, Some(fill), stroke);
        let texts = &self.texts[item];
        if !texts.inside.is_empty() {
            scene.label(x, y + sink, NODE_TEXT_HEIGHT, &texts.inside, on);
        }
        if !texts.beside.is_empty() {
            let ink = if here { Ink::Accent } else { Ink::Text };
            let (x, y, anchor) = match (kind, self.sideways) {
                (Kind::Leaf, false) => (x, y + R + 0.15, Anchor::Middle),
                (Kind::Leaf, true) => (x + self.box_width(item) / 2.0 + 0.12, y, Anchor::Start),
                (_, false) => (x + R + 0.1, y, Anchor::Start),
                (_, true) => (x, y - R - 0.28, Anchor::Middle),
            };
            let text = texts.beside.clone();
            if anchor == Anchor::Middle {
                clear(scene, x, y, width(&text, SIDE_TEXT_HEIGHT), SIDE_TEXT_HEIGHT); // from edges that pass
            }
            let form = Form::Text { x, y, size: SIDE_TEXT_HEIGHT, anchor, bold: here, text };
            scene.shape(form, Some(ink), None);
        }
    }

    fn add_spots(&self, scene: &mut Scene) {
        let whole: Vec<usize> = (0..self.view.items.len()).collect();
        let items = if outline::is_whole(self.flat) {
            &whole
        } else {
            &self.view.items[self.view.current].children
        };
        for &item in items {
            if let Content::Node(node) = self.view.items[item].content {
                let (x, y) = self.at[item];
                // Slightly larger than the drawn node, so that marks are visible around it.
                let (w, h) = (self.box_width(item) + 0.2, 2.0 * R + 0.1);
                let name = &*self.flat.names[node as usize];
                scene.spot(name, x - w / 2.0, y - h / 2.0, w, h);
            }
        }
    }
}

impl Texts {
    fn new(flat: &Flat, content: Content) -> Self {
        let node = match content {
            Content::Node(node) => node,
            Content::More(hidden) => {
                return Self { inside: format!("… {hidden}"), ..Self::default() };
            }
            Content::Gap(levels) => {
                return Self { inside: format!("… {levels} levels"), ..Self::default() };
            }
        };
        let name = shorten(&flat.names[node as usize]);
        let (values, stats) = (values_text(flat, node), stats_text(flat, node));
        let edge = edge_text(flat, node).map_or_else(String::new, |text| shorten(&text));
        match flat.vertices[node as usize].kind {
            Kind::Leaf => {
                let inside = values.or(stats).unwrap_or_else(|| "?".to_owned());
                Self { inside, beside: name, edge }
            }
            kind => {
                let (inside, name) = match kind {
                    Kind::Player(k) => (k.to_string(), Some(name)),
                    _ if name.chars().count() <= 2 => (name, None),
                    _ => (String::new(), Some(name)),
                };
                let beside: Vec<String> = [name, values, stats].into_iter().flatten().collect();
                Self { inside, beside: beside.join(" "), edge }
            }
        }
    }
}

/// Returns a triangle that points up (1) or down (-1).
fn triangle(x: f32, y: f32, up: f32) -> Form {
    let (tip, base) = (y - up * (R + 0.1), y + up * (R - 0.05));
    Form::Polygon(vec![(x, tip), (x + R + 0.1, base), (x - R - 0.1, base)])
}

/// Clears the background of a text centred at (`x`, `y`).
fn clear(scene: &mut Scene, x: f32, y: f32, w: f32, h: f32) {
    scene.rect(x - w / 2.0, y - h / 2.0, w, h, Ink::Background);
}

/// Returns the approximate width of a text.
fn width(text: &str, size: f32) -> f32 {
    0.6 * size * text.chars().count() as f32
}

/// Cuts a text to the maximum length in a drawing.
fn shorten(text: &str) -> String {
    const MAX_TEXT_CHARS: usize = 16;
    if text.chars().count() <= MAX_TEXT_CHARS {
        return text.to_owned();
    }
    text.chars().take(MAX_TEXT_CHARS - 1).chain(['…']).collect()
}
