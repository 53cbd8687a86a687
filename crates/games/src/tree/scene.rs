//! The picture of a tree: the root at the top, or, where that would be too wide, at the left.

use tussle_core::{Anchor, Drawn, Form, Ink, Scene};

use super::check::Flat;
use super::outline::{self, View, What, edge_text, stats_text, values_text};
use super::{Kind, State, Tree};

/// How many children of the current node a picture shows, if the tree is not shown whole.
const DRAWN: usize = 1000;
/// Half the size of a node.
const R: f32 = 0.45;
/// A picture wider than this is turned on its side.
const WIDEST: f32 = 32.0;
/// Where on the way from the parent a move's text stands: nearer to the child, where the
/// siblings' texts are farther apart.
const ON_EDGE: f32 = 0.62;
/// Height of the texts in nodes, and of those beside them.
const INSIDE: f32 = 0.36;
const BESIDE: f32 = 0.3;

/// # Exception from the contract of spots
/// A tree that is drawn whole (up to 200 nodes) has a spot for every node, in every position
/// the same. Of a larger one only the surroundings of the current node are drawn, and there the
/// spots are the children of the current node, the first thousand of them.
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
            mv if mv < DRAWN => vec![mv],
            _ => Vec::new(),
        }
    }

    /// The node that has been reached is highlighted already.
    fn landing(&self, _: &State, _: u32) -> Option<usize> {
        None
    }

    fn target(&self, state: &State, mv: u32) -> Option<usize> {
        self.clicks(state, mv).last().copied()
    }
}

/// The texts of one item.
#[derive(Default)]
struct Texts {
    /// In the node.
    inside: String,
    /// Beside it, or below a leaf.
    beside: String,
    /// On the edge that leads to it.
    edge: String,
}

struct Picture<'a> {
    flat: &'a Flat,
    view: View,
    texts: Vec<Texts>,
    /// Whether the root is at the left.
    sideways: bool,
    /// The centres of the items.
    at: Vec<(f32, f32)>,
    size: (f32, f32),
}

impl<'a> Picture<'a> {
    fn new(flat: &'a Flat, current: u32) -> Self {
        let view = View::new(flat, current, DRAWN);
        let texts = view.items.iter().map(|item| Texts::new(flat, item.what)).collect();
        let mut picture =
            Self { flat, view, texts, sideways: false, at: Vec::new(), size: (0.0, 0.0) };
        picture.lay_out();
        if picture.size.0 > WIDEST {
            picture.sideways = true;
            picture.lay_out();
        }
        picture
    }

    /// The room an item needs across the direction of growth.
    fn breadth(&self, item: usize) -> f32 {
        let texts = &self.texts[item];
        let leaf = self.view.items[item].kids.is_empty();
        if self.sideways {
            // A text beside an inner node stands above it there.
            return if leaf || texts.beside.is_empty() { 1.1 } else { 1.8 };
        }
        let side = width(&texts.beside, BESIDE);
        let beside = if leaf { side } else { 2.0 * (R + 0.1 + side) };
        let edge = width(&texts.edge, BESIDE) / ON_EDGE;
        (2.0 * R).max(self.box_width(item)).max(beside).max(edge) + 0.35
    }

    /// The width of a leaf's box.
    fn box_width(&self, item: usize) -> f32 {
        (width(&self.texts[item].inside, INSIDE) + 0.3).max(2.0 * R)
    }

    /// The distance from one level to the next.
    fn level(&self) -> f32 {
        if !self.sideways {
            return 1.9;
        }
        let edge = self.texts.iter().map(|texts| width(&texts.edge, BESIDE)).fold(0.0, f32::max);
        let node = |item: usize| {
            let leaf = self.view.items[item].kids.is_empty();
            let above = if leaf { 0.0 } else { width(&self.texts[item].beside, BESIDE) };
            self.box_width(item).max(above)
        };
        (0..self.texts.len()).map(node).fold(0.0, f32::max) + 1.3 * edge + 1.2
    }

    /// Gives every item a strip of the picture: as broad as it or its kids need, whichever is
    /// more, the kids' strips side by side in it.
    fn lay_out(&mut self) {
        let items = &self.view.items;
        let mut strips: Vec<f32> = (0..items.len()).map(|item| self.breadth(item)).collect();
        let mut of_kids = vec![0.0; items.len()];
        for (i, item) in items.iter().enumerate().rev() {
            of_kids[i] = item.kids.iter().map(|&kid| strips[kid]).sum();
            strips[i] = of_kids[i].max(strips[i]);
        }
        let mut starts = vec![0.0; items.len()];
        let mut depths = vec![0u16; items.len()];
        for (i, item) in items.iter().enumerate() {
            let mut start = starts[i] + (strips[i] - of_kids[i]) / 2.0;
            for &kid in &item.kids {
                (starts[kid], depths[kid]) = (start, depths[i] + 1);
                start += strips[kid];
            }
        }
        let level = self.level();
        let deepest = f32::from(depths.iter().copied().max().unwrap_or(0));
        let turn = |across: f32, down: f32| {
            if self.sideways { (down, across) } else { (across, down) }
        };
        // The margin before the first level, and room for the leaves' texts after the last.
        let (before, after) = if self.sideways {
            let leaf = |i: usize| self.box_width(i) + width(&self.texts[i].beside, BESIDE);
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
            for &kid in &item.kids {
                scene.line(self.at[i], self.at[kid], 0.04, Ink::Grid);
            }
        }
        for (i, item) in self.view.items.iter().enumerate() {
            for &kid in &item.kids {
                self.paint_edge_text(&mut scene, i, kid);
            }
        }
        for (i, item) in self.view.items.iter().enumerate() {
            match item.what {
                What::Node(node) => self.paint_node(&mut scene, i, node),
                What::More(_) | What::Gap(_) => self.paint_rest(&mut scene, i),
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
        let (x, y) = (x0 + ON_EDGE * (x1 - x0), y0 + ON_EDGE * (y1 - y0));
        clear(scene, x, y, width(text, BESIDE) + 0.1, BESIDE + 0.06);
        scene.label(x, y, BESIDE, text, Ink::Text);
    }

    fn paint_rest(&self, scene: &mut Scene, item: usize) {
        let (x, y) = self.at[item];
        let text = &self.texts[item].inside;
        clear(scene, x, y, width(text, INSIDE) + 0.2, INSIDE + 0.2);
        scene.label(x, y, INSIDE, text, Ink::Faint);
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
            scene.label(x, y + sink, INSIDE, &texts.inside, on);
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
                clear(scene, x, y, width(&text, BESIDE), BESIDE); // from edges that pass
            }
            let form = Form::Text { x, y, size: BESIDE, anchor, bold: here, text };
            scene.shape(form, Some(ink), None);
        }
    }

    fn add_spots(&self, scene: &mut Scene) {
        let whole: Vec<usize> = (0..self.view.items.len()).collect();
        let items = if outline::is_whole(self.flat) {
            &whole
        } else {
            &self.view.items[self.view.current].kids
        };
        for &item in items {
            if let What::Node(node) = self.view.items[item].what {
                let (x, y) = self.at[item];
                // A little larger than what is drawn, so that marks show around it.
                let (w, h) = (self.box_width(item) + 0.2, 2.0 * R + 0.1);
                let name = &*self.flat.names[node as usize];
                scene.spot(name, x - w / 2.0, y - h / 2.0, w, h);
            }
        }
    }
}

impl Texts {
    fn new(flat: &Flat, what: What) -> Self {
        let node = match what {
            What::Node(node) => node,
            What::More(hidden) => {
                return Self { inside: format!("… {hidden}"), ..Self::default() };
            }
            What::Gap(levels) => {
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

/// A triangle that points up (1) or down (-1).
fn triangle(x: f32, y: f32, up: f32) -> Form {
    let (tip, base) = (y - up * (R + 0.1), y + up * (R - 0.05));
    Form::Polygon(vec![(x, tip), (x + R + 0.1, base), (x - R - 0.1, base)])
}

/// Makes room for a text whose middle is here.
fn clear(scene: &mut Scene, x: f32, y: f32, w: f32, h: f32) {
    scene.rect(x - w / 2.0, y - h / 2.0, w, h, Ink::Background);
}

/// About how wide a text is.
fn width(text: &str, size: f32) -> f32 {
    0.6 * size * text.chars().count() as f32
}

/// A text cut to a length that a picture can bear.
fn shorten(text: &str) -> String {
    const LONGEST: usize = 16;
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    text.chars().take(LONGEST - 1).chain(['…']).collect()
}
