//! One picture language: a game describes its board once, as plain data, and every output
//! (terminal, SVG, PNG, web) shows the same drawing.

use crate::Notation;

/// Colours by meaning. The renderer chooses what they look like, in light and dark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ink {
    /// Behind the board.
    Background,
    /// The board.
    Board,
    /// Every other cell of the board, or a part set apart.
    BoardAlt,
    /// Lines on the board.
    Grid,
    /// Cells out of use.
    Blocked,
    /// Text and coordinates.
    Text,
    /// Text that matters less.
    Faint,
    /// A player's pieces.
    Player(u8),
    /// A black (0) or a white (1) stone, where the colours belong to the game.
    Stone(u8),
    /// What a player has left behind: trails, territory.
    Trail(u8),
    /// Text and lines on top of a player's piece.
    OnPlayer(u8),
    /// Look here.
    Accent,
}

/// Where a text's position is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Anchor {
    /// At its left end.
    Start,
    /// In its middle.
    #[default]
    Middle,
    /// At its right end.
    End,
}

/// A geometric form in board units: one cell is 1 x 1, x grows to the right and y downwards.
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
        /// Where its anchor is.
        x: f32,
        /// Its vertical middle.
        y: f32,
        /// The font size in cells.
        size: f32,
        /// Which part of the text `x` is.
        anchor: Anchor,
        /// Whether it is bold.
        bold: bool,
        /// The text.
        text: String,
    },
}

/// A form and its paint.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// What is drawn.
    pub form: Form,
    /// What fills it. Texts are painted with their fill.
    pub fill: Option<Ink>,
    /// Its outline and the outline's width in cells.
    pub stroke: Option<(Ink, f32)>,
}

/// A place a person can click on, and marks can be put on.
#[derive(Clone, Debug, PartialEq)]
pub struct Spot {
    /// What a screen reader says: `b2`, `big piece 1`.
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

/// A legal move as the spots to click, in this order. Several moves may begin alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The move's text.
    pub mv: String,
    /// Indices into [`Scene::spots`].
    pub spots: Vec<usize>,
}

/// What a mark says about its spot.
#[derive(Clone, Debug, PartialEq)]
pub enum MarkKind {
    /// The latest move went here.
    LastMove,
    /// How good (1) or bad (0) a move here is.
    Heat(f32),
    /// The same where only a bound of it is known.
    HeatBound(f32),
    /// A short text.
    Label(String),
}

/// A mark on a spot, put there by whoever shows the scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// Index into [`Scene::spots`].
    pub spot: usize,
    /// What it says.
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
    /// Appends text of this colour; the row grows from left to right.
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
    /// What is painted, from the bottom up.
    pub shapes: Vec<Shape>,
    /// What can be clicked.
    pub spots: Vec<Spot>,
    /// The legal moves as clicks; filled in by the catalog from [`Drawn::clicks`].
    pub choices: Vec<Choice>,
    /// Marks on spots, painted last.
    pub marks: Vec<Mark>,
    /// The terminal drawing.
    pub rows: Vec<Row>,
}

impl Scene {
    /// An empty scene of this many cells.
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

    /// Writes a text whose middle is at this point.
    pub fn label(&mut self, x: f32, y: f32, size: f32, text: impl Into<String>, ink: Ink) {
        let (anchor, text) = (Anchor::Middle, text.into());
        self.shape(Form::Text { x, y, size, anchor, bold: false, text }, Some(ink), None);
    }

    /// Adds a clickable place and returns its index.
    pub fn spot(&mut self, name: impl Into<String>, x: f32, y: f32, w: f32, h: f32) -> usize {
        self.spots.push(Spot { name: name.into(), x, y, w, h });
        self.spots.len() - 1
    }

    /// The terminal drawing without colours, each row ended by a line break.
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

/// Positions can be drawn.
///
/// # Contract
/// The spots of a game are the same, in the same order, in every position of it, and each legal
/// move has its own sequence of clicks. A drawing that cannot show everything (a tree of a
/// million nodes) may leave spots out, and then has no clicks for the moves it does not show.
pub trait Drawn: Notation {
    /// The drawing, with its spots; `choices` and `marks` are left empty.
    fn scene(&self, state: &Self::State) -> Scene;

    /// The spots to click, in order, to make a legal move; none if the drawing does not show it.
    fn clicks(&self, state: &Self::State, mv: Self::Move) -> Vec<usize>;

    /// The spot where a legal move will show once it is made: the mark of the latest move is put
    /// there. `None` if the drawing itself shows it. The default is the last click.
    fn landing(&self, state: &Self::State, mv: Self::Move) -> Option<usize> {
        self.clicks(state, mv).last().copied()
    }

    /// The spot that says where a legal move would go, before it is made: heat is put there.
    /// Several moves may have the same one. The default is where it will show.
    fn target(&self, state: &Self::State, mv: Self::Move) -> Option<usize> {
        self.landing(state, mv)
    }
}
