//! Drawings of positions as plain data. A game describes its board once, and every output
//! (terminal, SVG, PNG, web) shows the same drawing.

use crate::Notation;

/// Colours by meaning. The renderer chooses the actual colours, for light and dark backgrounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ink {
    /// Area behind the board.
    Background,
    /// The board.
    Board,
    /// Every other cell of the board, or a separate part of it.
    BoardAlt,
    /// Lines on the board.
    Grid,
    /// Cells that cannot be used.
    Blocked,
    /// Text and coordinates.
    Text,
    /// Less important text.
    Faint,
    /// A player's pieces.
    Player(u8),
    /// A black (0) or a white (1) stone, where the colours belong to the game.
    Stone(u8),
    /// A player's trail or territory.
    Trail(u8),
    /// Text and lines on top of a player's piece.
    OnPlayer(u8),
    /// Highlight that draws attention.
    Accent,
}

/// Part of a text that lies at its position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Anchor {
    /// The left end.
    Start,
    /// The middle.
    #[default]
    Middle,
    /// The right end.
    End,
}

/// A geometric form in board units: one cell is 1 x 1, x increases to the right and y downwards.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// A rectangle with rounded corners.
    Rect {
        /// Left edge.
        x: f32,
        /// Upper edge.
        y: f32,
        /// Width.
        w: f32,
        /// Height.
        h: f32,
        /// Radius of the corners.
        round: f32,
    },
    /// A circle.
    Circle {
        /// Centre.
        x: f32,
        /// Centre.
        y: f32,
        /// Radius.
        r: f32,
    },
    /// A closed outline.
    Polygon(Vec<(f32, f32)>),
    /// An open line through these points.
    Polyline(Vec<(f32, f32)>),
    /// One line of text, centred vertically.
    Text {
        /// Horizontal position of the anchor.
        x: f32,
        /// Vertical middle.
        y: f32,
        /// Font size in cells.
        size: f32,
        /// Part of the text that lies at `x`.
        anchor: Anchor,
        /// True for bold text.
        bold: bool,
        /// The text.
        text: String,
    },
}

/// A form and its paint.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// The form.
    pub form: Form,
    /// Colour of the area, or of a text.
    pub fill: Option<Ink>,
    /// Colour and width of the outline; the width is in cells.
    pub stroke: Option<(Ink, f32)>,
}

/// Rectangle of a drawing that users can click on and that can carry marks.
#[derive(Clone, Debug, PartialEq)]
pub struct Spot {
    /// Label for screen readers: `b2`, `big piece 1`.
    pub name: String,
    /// Left edge.
    pub x: f32,
    /// Upper edge.
    pub y: f32,
    /// Width.
    pub w: f32,
    /// Height.
    pub h: f32,
}

/// A legal move as a sequence of clicks on spots. Several moves may start with the same clicks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The move's text.
    pub mv: String,
    /// Indices into [`Scene::spots`].
    pub spots: Vec<usize>,
}

/// Meaning of a mark.
#[derive(Clone, Debug, PartialEq)]
pub enum MarkKind {
    /// The target of the latest move.
    LastMove,
    /// Value of a move here, from 0 (bad) to 1 (good).
    Heat(f32),
    /// Bound of the value of a move here, from 0 to 1.
    HeatBound(f32),
    /// A short text.
    Label(String),
}

/// A mark on a spot. Games leave marks to the code that shows the scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// Index into [`Scene::spots`].
    pub spot: usize,
    /// Meaning of the mark.
    pub kind: MarkKind,
}

/// A run of text of one colour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// The text.
    pub text: String,
    /// Its colour on a terminal.
    pub ink: Ink,
}

/// One row of the terminal drawing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row(pub Vec<Span>);

impl Row {
    /// Appends text of this colour at the right end.
    pub fn push(&mut self, ink: Ink, text: impl Into<String>) {
        self.0.push(Span { text: text.into(), ink });
    }
}

impl From<&str> for Row {
    fn from(text: &str) -> Self {
        let mut row = Self::default();
        row.push(Ink::Text, text);
        row
    }
}

/// A drawing of a position.
///
/// ```
/// use tussle_core::{Ink, Scene};
///
/// let mut scene = Scene::new(3.0, 1.0);
/// scene.rect(0.0, 0.0, 3.0, 1.0, Ink::Board);
/// scene.disc(1.5, 0.5, 0.4, Ink::Player(0));
/// scene.rows.push(". X .".into());
/// assert_eq!(scene.text(), ". X .\n");
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// Width in cells.
    pub width: f32,
    /// Height in cells.
    pub height: f32,
    /// Shapes in the order of painting: later ones cover earlier ones.
    pub shapes: Vec<Shape>,
    /// Clickable spots.
    pub spots: Vec<Spot>,
    /// Legal moves as clicks; filled in by the catalog from [`Drawn::clicks`].
    pub choices: Vec<Choice>,
    /// Marks on spots, painted last.
    pub marks: Vec<Mark>,
    /// The terminal drawing.
    pub rows: Vec<Row>,
}

impl Scene {
    /// Creates an empty scene with a size in cells.
    pub fn new(width: f32, height: f32) -> Self {
        Self { width, height, ..Self::default() }
    }

    /// Paints a form.
    pub fn shape(&mut self, form: Form, fill: Option<Ink>, stroke: Option<(Ink, f32)>) {
        self.shapes.push(Shape { form, fill, stroke });
    }

    /// Paints a plain rectangle.
    pub fn rect(&mut self, x: f32, y: f32, w: f32, h: f32, ink: Ink) {
        self.shape(Form::Rect { x, y, w, h, round: 0.0 }, Some(ink), None);
    }

    /// Paints a plain disc.
    pub fn disc(&mut self, x: f32, y: f32, r: f32, ink: Ink) {
        self.shape(Form::Circle { x, y, r }, Some(ink), None);
    }

    /// Paints a line.
    pub fn line(&mut self, from: (f32, f32), to: (f32, f32), width: f32, ink: Ink) {
        self.shape(Form::Polyline(vec![from, to]), None, Some((ink, width)));
    }

    /// Paints a text centred at this point.
    pub fn label(&mut self, x: f32, y: f32, size: f32, text: impl Into<String>, ink: Ink) {
        let (anchor, text) = (Anchor::Middle, text.into());
        self.shape(Form::Text { x, y, size, anchor, bold: false, text }, Some(ink), None);
    }

    /// Adds a clickable spot and returns its index.
    pub fn spot(&mut self, name: impl Into<String>, x: f32, y: f32, w: f32, h: f32) -> usize {
        self.spots.push(Spot { name: name.into(), x, y, w, h });
        self.spots.len() - 1
    }

    /// Returns the terminal drawing without colours, with a line break after each row.
    pub fn text(&self) -> String {
        let mut out = String::new();
        for row in &self.rows {
            for span in &row.0 {
                out.push_str(&span.text);
            }
            out.truncate(out.trim_end_matches(' ').len());
            out.push('\n');
        }
        out
    }
}

/// Game whose positions can be drawn.
///
/// # Contract
/// The spots of a game are the same, in the same order, in all of its positions, and each legal
/// move has its own sequence of clicks. A drawing that cannot show everything (a tree of a
/// million nodes) may omit spots; the moves to them then have no clicks.
pub trait Drawn: Notation {
    /// Returns the drawing of a position, with its spots and without `choices` and `marks`.
    fn scene(&self, state: &Self::State) -> Scene;

    /// Returns the spots to click, in order, to make a legal move; none if the drawing does not show it.
    fn clicks(&self, state: &Self::State, mv: Self::Move) -> Vec<usize>;

    /// Returns the spot that gets the mark of the latest move after this legal move [default: the last
    /// click]. `None` if the drawing itself shows the latest move.
    fn landing(&self, state: &Self::State, mv: Self::Move) -> Option<usize> {
        self.clicks(state, mv).last().copied()
    }

    /// Returns the spot that shows the value of a legal move in a heat map [default: that of
    /// [`landing`](Drawn::landing)]. Several moves may share a spot.
    fn target(&self, state: &Self::State, mv: Self::Move) -> Option<usize> {
        self.landing(state, mv)
    }
}
