//! Conversion of scenes to SVG.

mod marks;
mod paint;

use std::fmt::{self, Display, Formatter, Write as _};

use tussle_core::{Anchor, Form, Ink, Mark, MarkKind, Scene, Shape, Spot};

use crate::Theme;

#[cfg(test)]
pub(crate) use marks::HEAT_OPACITY;
use paint::{Colour, Colours, Paint};

/// Size of a cell in pixels.
pub const CELL: f32 = 48.0;

/// Space around the scene on each side, in pixels.
pub const PADDING: f32 = 16.0;

/// Height of capital letters and digits in the font, for a font size of 1.
///
/// Half of it below the middle is the baseline. It is computed here because renderers disagree about `dominant-baseline`.
const CAP_HEIGHT: f32 = 0.729;

/// Draws a scene as a self-contained SVG of [`CELL`] pixels per cell.
///
/// A point of the scene lies at `PADDING + CELL * x`, `PADDING + CELL * y` in the picture. For screen readers, the
/// title names the latest move, and the description is the terminal drawing. Texts are escaped. Marks on spots that do
/// not exist are left out.
///
/// ```
/// use tussle_core::{Ink, Scene};
/// use tussle_view::{Theme, svg};
///
/// let mut scene = Scene::new(2.0, 1.0);
/// scene.label(1.0, 0.5, 0.5, "a < b", Ink::Text);
/// let picture = svg(&scene, Theme::Dark);
/// assert!(picture.contains(r#"viewBox="0 0 128 80""#));
/// assert!(picture.contains(">a &lt; b</text>"));
/// ```
pub fn svg(scene: &Scene, theme: Theme) -> String {
    Drawing { scene, colours: Colours::Theme(theme) }.to_string()
}

/// Draws a scene for a page with a light and a dark theme.
///
/// The colours are CSS custom properties. The style element of the drawing gives each a `light-dark(…)` value, which
/// follows the `color-scheme` of the enclosing element. Browsers without that function show the light colours.
///
/// ```
/// use tussle_core::{Ink, Scene};
/// use tussle_view::svg_for_page;
///
/// let mut scene = Scene::new(1.0, 1.0);
/// scene.disc(0.5, 0.5, 0.4, Ink::Player(0));
/// let picture = svg_for_page(&scene);
/// assert!(picture.contains(r#" fill="var(--ink-player-0)"/>"#));
/// assert!(picture.contains("--ink-player-0:light-dark(#0b4f94,#86c8f4);"));
/// ```
pub fn svg_for_page(scene: &Scene) -> String {
    Drawing { scene, colours: Colours::page() }.to_string()
}

struct Drawing<'a> {
    scene: &'a Scene,
    colours: Colours,
}

impl Display for Drawing<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (w, h) = (side(self.scene.width), side(self.scene.height));
        writeln!(
            f,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" \
             viewBox=\"0 0 {w} {h}\" role=\"img\" \
             font-family=\"Tussle Sans, DejaVu Sans, Verdana, sans-serif\" \
             stroke-linecap=\"round\" stroke-linejoin=\"round\">"
        )?;
        self.describe(f)?;
        let background = self.ink(Ink::Background);
        writeln!(f, "<rect width=\"{w}\" height=\"{h}\" fill=\"{background}\"/>")?;
        let mut heats = self.heats().into_iter().peekable();
        for (below, shape) in self.scene.shapes.iter().enumerate() {
            while let Some(heat) = heats.next_if(|heat| heat.level <= below) {
                self.heat(f, &heat)?;
            }
            self.shape(f, shape)?;
        }
        heats.try_for_each(|heat| self.heat(f, &heat))?;
        self.frames(f)?;
        self.labels(f)?;
        self.colours.write_style(f)?;
        f.write_str("</svg>\n")
    }
}

impl Drawing<'_> {
    fn ink(&self, ink: Ink) -> Colour {
        self.colours.get(Paint::Ink(ink))
    }

    fn describe(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("<title>Position")?;
        let latest = |mark: &&Mark| mark.kind == MarkKind::LastMove;
        let spots = self.scene.marks.iter().filter(latest);
        for (i, spot) in spots.filter_map(|mark| self.scene.spots.get(mark.spot)).enumerate() {
            write!(f, "{} {}", if i == 0 { ", last move" } else { "" }, EscapedText(&spot.name))?;
        }
        f.write_str("</title>\n")?;
        if !self.scene.rows.is_empty() {
            writeln!(f, "<desc>{}</desc>", EscapedText(&self.scene.text()))?;
        }
        Ok(())
    }

    fn shape(&self, f: &mut Formatter<'_>, shape: &Shape) -> fmt::Result {
        if shape.fill.is_none() && shape.stroke.is_none() {
            return Ok(());
        }
        match &shape.form {
            &Form::Rect { x, y, w, h, round } => {
                f.write_str("<rect")?;
                rect(f, x, y, w, h, round)?;
            }
            &Form::Circle { x, y, r } => {
                write!(f, "<circle cx=\"{}\" cy=\"{}\" r=\"{}\"", at(x), at(y), length(r))?;
            }
            Form::Polygon(points) => path(f, "polygon", points)?,
            Form::Polyline(points) => path(f, "polyline", points)?,
            &Form::Text { x, y, size, anchor, bold, .. } => text(f, x, y, size, anchor, bold)?,
        }
        match shape.fill {
            Some(ink) => write!(f, " fill=\"{}\"", self.ink(ink))?,
            None => f.write_str(" fill=\"none\"")?,
        }
        if let Some((ink, width)) = shape.stroke {
            let (ink, width) = (self.ink(ink), length(width));
            write!(f, " stroke=\"{ink}\" stroke-width=\"{width}\"")?;
        }
        match &shape.form {
            Form::Text { text, .. } => writeln!(f, ">{}</text>", EscapedText(text)),
            _ => f.write_str("/>\n"),
        }
    }
}

/// Writes the position and size of a rectangle as attributes.
fn rect(f: &mut Formatter<'_>, x: f32, y: f32, w: f32, h: f32, round: f32) -> fmt::Result {
    let (x, y, w, h) = (at(x), at(y), length(w), length(h));
    write!(f, " x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\"")?;
    if round > 0.0 { write!(f, " rx=\"{}\"", length(round)) } else { Ok(()) }
}

/// Writes a rounded rectangle inside a spot; the gap is a fraction of the spot's shorter side.
fn inset(f: &mut Formatter<'_>, spot: &Spot, gap: f32) -> fmt::Result {
    let short = spot.w.min(spot.h);
    let gap = gap * short;
    rect(f, spot.x + gap, spot.y + gap, spot.w - 2.0 * gap, spot.h - 2.0 * gap, 0.1 * short)
}

fn path(f: &mut Formatter<'_>, element: &str, points: &[(f32, f32)]) -> fmt::Result {
    write!(f, "<{element} points=\"")?;
    for (i, &(x, y)) in points.iter().enumerate() {
        write!(f, "{}{},{}", if i == 0 { "" } else { " " }, at(x), at(y))?;
    }
    f.write_char('"')
}

/// Writes the opening tag of a text whose vertical middle is `y`, without the closing `>`.
fn text(
    f: &mut Formatter<'_>,
    x: f32,
    y: f32,
    size: f32,
    anchor: Anchor,
    bold: bool,
) -> fmt::Result {
    let (x, baseline, size) = (at(x), at(y + 0.5 * CAP_HEIGHT * size), length(size));
    write!(f, "<text x=\"{x}\" y=\"{baseline}\" font-size=\"{size}\"")?;
    f.write_str(match anchor {
        Anchor::Start => "",
        Anchor::Middle => " text-anchor=\"middle\"",
        Anchor::End => " text-anchor=\"end\"",
    })?;
    f.write_str(if bold { " font-weight=\"bold\"" } else { "" })
}

/// Number of pixels, printed with at most two decimals.
struct Pixels(f32);

impl Display for Pixels {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        // NaN and inf are syntax errors in SVG, and huge values are long strings of digits.
        let value = if self.0.is_finite() { self.0.clamp(-1e6, 1e6) } else { 0.0 };
        let hundredths = (f64::from(value) * 100.0).round();
        write!(f, "{}", (hundredths + 0.0) / 100.0) // + 0.0 turns -0 into 0
    }
}

/// Converts a coordinate to pixels.
fn at(cells: f32) -> Pixels {
    Pixels(PADDING + CELL * cells)
}

/// Converts a length to pixels; negative lengths become 0.
fn length(cells: f32) -> Pixels {
    Pixels((CELL * cells).max(0.0))
}

/// Returns the length of a side of the picture in pixels, with padding.
fn side(cells: f32) -> Pixels {
    Pixels(2.0 * PADDING + length(cells).0)
}

/// Text that is printed with XML's special characters escaped and its forbidden ones replaced by U+FFFD.
pub struct EscapedText<'a>(
    /// Text before escaping.
    pub &'a str,
);

impl Display for EscapedText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                '\n' | '\t' => f.write_char(c)?,
                '\u{fffe}' | '\u{ffff}' => f.write_char('\u{fffd}')?,
                c if c.is_control() => f.write_char('\u{fffd}')?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use resvg::usvg::{Options, Tree, roxmltree::Document};
    use tussle_core::{Drawn, Notation};
    use tussle_games::TicTacToe;

    fn marked() -> Scene {
        let state = TicTacToe.parse_position("x.o/.x./... o").unwrap();
        let mut scene = TicTacToe.scene(&state);
        for (spot, kind) in [
            (4, MarkKind::LastMove),
            (8, MarkKind::Heat(0.9)),
            (7, MarkKind::Heat(f32::NAN)),
            (6, MarkKind::HeatBound(f32::NAN)),
            (8, MarkKind::Label("0.90".into())),
            (99, MarkKind::LastMove),
        ] {
            scene.marks.push(Mark { spot, kind });
        }
        scene
    }

    #[test]
    fn a_scene_becomes_well_formed_svg_of_the_right_size() {
        for theme in [Theme::Light, Theme::Dark] {
            let picture = svg(&marked(), theme);
            let tree = Tree::from_str(&picture, &Options::default()).unwrap();
            // 3 cells and half a cell of coordinates, 48 pixels each, between paddings of 16.
            assert_eq!((tree.size().width(), tree.size().height()), (200.0, 200.0));
        }
    }

    #[test]
    fn the_title_names_the_latest_move_and_the_description_is_the_text_drawing() {
        let scene = marked();
        let picture = svg(&scene, Theme::Light);
        let xml = Document::parse(&picture).unwrap();
        let content = |name| xml.descendants().find(|n| n.has_tag_name(name)).unwrap().text();
        assert_eq!(content("title"), Some("Position, last move b2"));
        assert_eq!(content("desc"), Some(&*scene.text()));
    }

    #[test]
    fn heat_is_drawn_above_the_board_and_below_pieces_and_labels() {
        let picture = svg(&marked(), Theme::Light);
        let places = |part: &str| {
            let found: Vec<_> = picture.match_indices(part).map(|(i, _)| i).collect();
            (found[0], found[found.len() - 1])
        };
        let ink = |ink| places(&Theme::Light.ink(ink).to_string());
        assert!(ink(Ink::Board).0 < places("fill-opacity").0);
        assert!(places("fill-opacity").1 < ink(Ink::Player(0)).0.min(ink(Ink::Player(1)).0));
        assert!(ink(Ink::Player(0)).1.max(ink(Ink::Player(1)).1) < ink(Ink::Accent).0);
        assert!(ink(Ink::Accent).1 < places(">0.90<").0);
        assert_eq!(picture.matches("fill-opacity").count(), 1); // marks of NaN are not drawn
    }

    #[test]
    fn a_cell_drawn_later_does_not_hide_heat() {
        let mut scene = Scene::new(2.0, 1.0);
        for x in [0.0, 1.0] {
            scene.rect(x, 0.0, 1.0, 1.0, Ink::Board);
            scene.disc(x + 0.5, 0.5, 0.4, Ink::Player(0));
            let spot = scene.spot("a", x, 0.0, 1.0, 1.0);
            scene.marks.push(Mark { spot, kind: MarkKind::Heat(1.0) });
        }
        let picture = svg(&scene, Theme::Light);
        let seen: Vec<&str> = picture
            .lines()
            .filter_map(|line| match line {
                line if line.contains("fill-opacity") => Some("heat"),
                line if line.starts_with("<rect x") => Some("cell"),
                line if line.starts_with("<circle") => Some("piece"),
                _ => None,
            })
            .collect();
        assert_eq!(seen, ["cell", "heat", "piece", "cell", "heat", "piece"], "{picture}");
    }

    #[test]
    fn a_bound_is_hatched_inside_its_spot_and_below_the_pieces() {
        let mut scene = marked();
        scene.marks.push(Mark { spot: 3, kind: MarkKind::HeatBound(0.2) });
        let picture = svg(&scene, Theme::Light);
        let colour = Theme::Light.heat(0.2).to_string();
        let hatch = picture.rfind(&format!("stroke=\"{colour}\"")).unwrap();
        assert!(hatch < picture.find(&Theme::Light.ink(Ink::Player(0)).to_string()).unwrap());
        assert_eq!(picture.matches("fill-opacity").count(), 1, "a bound fills nothing");

        let tree = Tree::from_str(&picture, &Options::default()).unwrap();
        let lines = tree.root().children().iter().find_map(|node| match node {
            resvg::usvg::Node::Path(path) if path.data().verbs().len() > 14 => Some(path),
            _ => None,
        });
        let drawn = lines.unwrap().abs_bounding_box();
        let (spot, at) = (&scene.spots[3], |cells: f32| PADDING + CELL * cells);
        assert!(drawn.left() > at(spot.x) && drawn.right() < at(spot.x + spot.w), "{drawn:?}");
        assert!(drawn.top() > at(spot.y) && drawn.bottom() < at(spot.y + spot.h), "{drawn:?}");
        assert!(drawn.width() > 0.8 * CELL && drawn.height() > 0.8 * CELL, "{drawn:?}");
    }

    #[test]
    fn markup_in_texts_is_escaped() {
        let hostile = "</text><script>alert('&\"')</script>\u{0}\u{1b}\u{ffff}\u{85}";
        let mut scene = Scene::new(1.0, 1.0);
        let spot = scene.spot(hostile, 0.0, 0.0, 1.0, 1.0);
        scene.label(0.5, 0.5, 0.2, hostile, Ink::Text);
        scene.rows.push(hostile.into());
        scene.marks.push(Mark { spot, kind: MarkKind::LastMove });
        scene.marks.push(Mark { spot, kind: MarkKind::Label(hostile.into()) });

        let picture = svg(&scene, Theme::Light);
        let xml = Document::parse(&picture).unwrap();
        let seen = "</text><script>alert('&\"')</script>\u{fffd}\u{fffd}\u{fffd}\u{fffd}";
        let found: Vec<_> = xml
            .descendants()
            .filter(|n| n.is_element() && n.tag_name().name() != "svg")
            .map(|n| (n.tag_name().name(), n.text().unwrap_or_default()))
            .collect();
        let title = format!("Position, last move {seen}");
        let desc = format!("{seen}\n");
        assert_eq!(
            found,
            [
                ("title", title.as_str()),
                ("desc", desc.as_str()),
                ("rect", ""),
                ("text", seen),
                ("rect", ""),
                ("text", seen),
            ]
        );
    }

    #[test]
    fn numbers_are_finite_and_have_at_most_two_decimals() {
        let print = |value| Pixels(value).to_string();
        assert_eq!(print(1.0 / 3.0), "0.33");
        assert_eq!(print(12.5), "12.5");
        assert_eq!(print(-0.001), "0");
        assert_eq!(print(f32::NAN), "0");
        assert_eq!(print(f32::NEG_INFINITY), "0");
        assert_eq!(print(1e30), "1000000");

        let mut scene = Scene::new(f32::NAN, -3.0);
        scene.rect(f32::INFINITY, 0.0, -1.0, f32::NAN, Ink::Board);
        scene.disc(0.1, 0.7, -1.0, Ink::Accent);
        scene.shape(Form::Polyline(Vec::new()), None, Some((Ink::Grid, 0.1)));
        Tree::from_str(&svg(&scene, Theme::Dark), &Options::default()).unwrap();
    }

    #[test]
    fn a_label_on_a_piece_gets_an_edge() {
        let mut scene = marked();
        for spot in 0..9 {
            scene.marks.push(Mark { spot, kind: MarkKind::Label("7".into()) });
        }
        let picture = svg(&scene, Theme::Light);
        let edged: Vec<bool> = picture
            .lines()
            .filter(|line| line.ends_with(">7</text>"))
            .map(|line| line.contains("stroke="))
            .collect();
        // x.o/.x./... with heat in the last corner, whose colour the edge has there.
        assert_eq!(edged, [true, false, true, false, true, false, false, false, true]);
    }

    #[test]
    fn a_long_label_shrinks_to_fit_its_spot() {
        let mut scene = Scene::new(1.0, 1.0);
        let spot = scene.spot("a1", 0.0, 0.0, 1.0, 1.0);
        scene.marks.push(Mark { spot, kind: MarkKind::Label("0.123456789".into()) });
        let picture = svg(&scene, Theme::Light);
        let options = Options { fontdb: crate::png::fonts(), ..Options::default() };
        let tree = Tree::from_str(&picture, &options).unwrap();
        let text = tree.root().children().last().unwrap().abs_bounding_box();
        assert!(text.left() > PADDING && text.right() < PADDING + CELL, "{text:?}");
    }

    #[test]
    fn svg_for_page_defines_every_colour_once() {
        let mut scene = marked();
        scene.marks.push(Mark { spot: 3, kind: MarkKind::HeatBound(0.2) });
        let picture = svg_for_page(&scene);
        let document = Document::parse(&picture).unwrap();
        let style = document.descendants().find(|node| node.has_tag_name("style")).unwrap();
        let style = style.text().unwrap();
        let (plain, both) = style.split_once("@supports").unwrap();
        let colour = |value: &str| {
            value.strip_prefix("var(").map(|name| name.trim_end_matches(')').to_owned())
        };
        let used = document.descendants().flat_map(|node| node.attributes());
        let used: Vec<String> = used.filter_map(|attribute| colour(attribute.value())).collect();
        assert!(used.len() > 10, "{used:?}");
        for name in used {
            assert_eq!(plain.matches(&format!("{name}:#")).count(), 1, "{name}");
            assert_eq!(both.matches(&format!("{name}:light-dark(#")).count(), 1, "{name}");
        }
    }

    #[test]
    fn svg_for_page_has_the_colours_of_both_themes() {
        let mut scene = marked();
        scene.marks.push(Mark { spot: 3, kind: MarkKind::HeatBound(0.2) });
        let picture = svg_for_page(&scene);
        for (place, theme) in [Theme::Light, Theme::Dark].into_iter().enumerate() {
            let (mut drawing, style) = picture.split_once("<style>").unwrap();
            let mut themed = String::new();
            while let Some((before, rest)) = drawing.split_once("var(") {
                let (name, after) = rest.split_once(')').unwrap();
                let value = style.split(&format!("{name}:light-dark(")).nth(1).unwrap();
                let value = value.split([',', ')']).nth(place).unwrap();
                themed += &format!("{before}{value}");
                drawing = after;
            }
            assert_eq!(themed + drawing + "</svg>\n", svg(&scene, theme));
        }
    }

    #[test]
    fn letters_are_centred_vertically() {
        let mut scene = Scene::new(2.0, 2.0);
        scene.label(1.0, 1.0, 1.0, "H", Ink::Text);
        let options = Options { fontdb: crate::png::fonts(), ..Options::default() };
        let tree = Tree::from_str(&svg(&scene, Theme::Light), &options).unwrap();
        let resvg::usvg::Node::Text(text) = tree.root().children().last().unwrap() else {
            panic!("the letter is drawn last");
        };
        // The outline of the letter, not the box of the line.
        let ink = text.flattened().abs_bounding_box();
        let middle = 0.5 * (ink.top() + ink.bottom());
        assert!((middle - (PADDING + CELL)).abs() < 0.1, "{middle}");
    }
}
