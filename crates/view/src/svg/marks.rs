//! Marks on spots. Heat is drawn between the board and the pieces, frames and labels above everything.

use std::fmt::{self, Formatter};

use tussle_core::{Anchor, Form, Ink, Mark, MarkKind, Shape, Spot};

use super::{Drawing, EscapedText, Paint, at, inset, length, text};

/// Opacity of a heat mark over the board.
pub(crate) const HEAT_OPACITY: f32 = 0.6;

/// Gap between a heat mark and the edge of its spot, as a fraction of the spot's shorter side.
const HEAT_GAP: f32 = 0.06;

/// Maximum number of lines in the hatching of a spot.
const MAX_HATCH_LINES: f32 = 1000.0;

/// Width of a digit in the font, for a font size of 1.
const DIGIT_WIDTH: f32 = 0.636;

impl Drawing<'_> {
    /// Returns the heat marks in drawing order.
    pub(super) fn heats(&self) -> Vec<Heat<'_>> {
        let heat = |mark: &Mark| {
            let spot = self.scene.spots.get(mark.spot)?;
            let (value, exact) = heat_of(&mark.kind)?;
            Some(Heat { level: ground(&self.scene.shapes, spot), spot, value, exact })
        };
        let mut heats: Vec<_> = self.scene.marks.iter().filter_map(heat).collect();
        heats.sort_by_key(|heat| heat.level);
        heats
    }

    pub(super) fn heat(&self, f: &mut Formatter<'_>, heat: &Heat<'_>) -> fmt::Result {
        if !heat.exact {
            return self.hatch(f, heat.spot, heat.value);
        }
        f.write_str("<rect")?;
        inset(f, heat.spot, HEAT_GAP)?;
        let colour = self.colours.get(Paint::Heat(heat.value));
        writeln!(f, " fill=\"{colour}\" fill-opacity=\"{HEAT_OPACITY}\"/>")
    }

    /// Draws hatching for a heat that is only a bound.
    ///
    /// The lines are drawn one by one: an SVG pattern would need an identifier, which two pictures on a page would share.
    fn hatch(&self, f: &mut Formatter<'_>, spot: &Spot, heat: f32) -> fmt::Result {
        let short = spot.w.min(spot.h);
        let (gap, step) = (HEAT_GAP * short, 0.17 * short);
        let (x, y, w, h) = (spot.x + gap, spot.y + gap, spot.w - 2.0 * gap, spot.h - 2.0 * gap);
        let (colour, width) = (self.colours.get(Paint::Heat(heat)), length(0.045 * short));
        f.write_str("<rect")?;
        inset(f, spot, HEAT_GAP)?;
        let pen = format!("stroke=\"{colour}\" stroke-width=\"{width}\"");
        writeln!(f, " fill=\"none\" {pen}/>")?;
        f.write_str("<path d=\"")?;
        // On each line x + y is constant. The outermost lines are left out because the corners are round.
        let lines = if short > 0.0 { ((w + h) / step).min(MAX_HATCH_LINES) as u32 } else { 0 };
        for c in (1..lines).map(|line| step * line as f32) {
            let (left, low) = (x + (c - h).max(0.0), y + c.min(h));
            let (right, high) = (x + c.min(w), y + (c - w).max(0.0));
            write!(f, "M{} {}L{} {}", at(left), at(low), at(right), at(high))?;
        }
        writeln!(f, "\" fill=\"none\" {pen} stroke-opacity=\"{HEAT_OPACITY}\"/>")
    }

    /// Draws frames around the spots of the latest move.
    pub(super) fn frames(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for mark in self.scene.marks.iter().filter(|mark| mark.kind == MarkKind::LastMove) {
            if let Some(spot) = self.scene.spots.get(mark.spot) {
                self.frame(f, spot)?;
            }
        }
        Ok(())
    }

    fn frame(&self, f: &mut Formatter<'_>, spot: &Spot) -> fmt::Result {
        f.write_str("<rect")?;
        inset(f, spot, 0.06)?;
        let colour = self.ink(Ink::Accent);
        let width = length(0.05 * spot.w.min(spot.h));
        writeln!(f, " fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"/>")
    }

    /// Draws the labels of spots.
    pub(super) fn labels(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for mark in &self.scene.marks {
            let MarkKind::Label(label) = &mark.kind else { continue };
            let Some(spot) = self.scene.spots.get(mark.spot) else { continue };
            let mut on_spot = self.scene.marks.iter().filter(|other| other.spot == mark.spot);
            self.label(f, spot, label, on_spot.find_map(|mark| heat_of(&mark.kind)))?;
        }
        Ok(())
    }

    /// Draws a label to the right of its spot, for buttons whose own text leaves no room.
    fn label_beside(&self, f: &mut Formatter<'_>, spot: &Spot, label: &str) -> fmt::Result {
        let (x, y) = (spot.x + spot.w + 0.12, spot.y + 0.5 * spot.h);
        text(f, x, y, 0.28, Anchor::Start, false)?;
        writeln!(f, " fill=\"{}\">{}</text>", self.ink(Ink::Text), EscapedText(label))
    }

    /// Draws a label in its spot, as large as fits.
    ///
    /// It is near the lower edge of a spot with a piece, and on the upper edge of a spot with a text. An outline in the
    /// colour of the ground separates it from the drawing below.
    fn label(
        &self,
        f: &mut Formatter<'_>,
        spot: &Spot,
        label: &str,
        heat: Option<(f32, bool)>,
    ) -> fmt::Result {
        let any = |on: fn(&Shape, &Spot) -> bool| self.scene.shapes.iter().any(|s| on(s, spot));
        let (taken, written) = (any(is_piece_on), any(is_text_in));
        if written && !taken && spot.h < 0.8 * spot.w {
            return self.label_beside(f, spot, label);
        }
        let (height, level) = match (taken, written) {
            (true, _) => (0.23, 0.82),
            (false, true) => (0.26, 0.0),
            (false, false) => (0.28, 0.5),
        };
        let digits = label.chars().count().max(1) as f32;
        let short = if written { spot.w.min(1.0) } else { spot.w.min(spot.h) };
        let size = (height * short).min(0.88 * spot.w / (DIGIT_WIDTH * digits));
        let (x, y) = (spot.x + 0.5 * spot.w, spot.y + level * spot.h);
        text(f, x, y, size, Anchor::Middle, false)?;
        write!(f, " fill=\"{}\"", self.ink(Ink::Text))?;
        let edge = match heat {
            Some((heat, true)) if !taken && !written => Some(Paint::HeatOnBoard(heat)),
            None if !taken && !written => None,
            _ => Some(Paint::Ink(Ink::Board)),
        };
        if let Some(edge) = edge {
            let edge = self.colours.get(edge);
            let width = length(0.26 * size);
            write!(f, " stroke=\"{edge}\" stroke-width=\"{width}\" paint-order=\"stroke\"")?;
        }
        writeln!(f, ">{}</text>", EscapedText(label))
    }
}

/// Heat mark of a spot.
pub(super) struct Heat<'a> {
    /// Number of shapes below the mark.
    pub(super) level: usize,
    spot: &'a Spot,
    value: f32,
    exact: bool,
}

/// Returns the heat of a mark and whether it is exact; `None` for other marks and for NaN.
fn heat_of(kind: &MarkKind) -> Option<(f32, bool)> {
    let (heat, exact) = match *kind {
        MarkKind::Heat(heat) => (heat, true),
        MarkKind::HeatBound(heat) => (heat, false),
        MarkKind::LastMove | MarkKind::Label(_) => return None,
    };
    (!heat.is_nan()).then_some((heat, exact))
}

/// Returns true if the shape is a piece on this spot, or a part of one.
fn is_piece_on(shape: &Shape, spot: &Spot) -> bool {
    let ink = shape.fill.or(shape.stroke.map(|(ink, _)| ink));
    let (x, y) = middle(&shape.form);
    matches!(ink, Some(Ink::Player(_) | Ink::Stone(_) | Ink::OnPlayer(_)))
        && (spot.x..spot.x + spot.w).contains(&x)
        && (spot.y..spot.y + spot.h).contains(&y)
}

/// Returns true if the shape is a text in the middle of this spot.
fn is_text_in(shape: &Shape, spot: &Spot) -> bool {
    let (x, y) = middle(&shape.form);
    matches!(shape.form, Form::Text { .. })
        && (x - spot.x - 0.5 * spot.w).abs() < 0.25 * spot.w
        && (y - spot.y - 0.5 * spot.h).abs() < 0.25 * spot.h
}

fn middle(form: &Form) -> (f32, f32) {
    match form {
        &Form::Rect { x, y, w, h, .. } => (x + 0.5 * w, y + 0.5 * h),
        &Form::Circle { x, y, .. } | &Form::Text { x, y, .. } => (x, y),
        Form::Polygon(points) | Form::Polyline(points) => {
            let n = points.len() as f32;
            let (x, y) = points.iter().fold((0.0, 0.0), |sum, p| (sum.0 + p.0, sum.1 + p.1));
            (x / n, y / n)
        }
    }
}

/// Returns the number of shapes, in drawing order, up to the last part of the board below this spot.
///
/// Heat is drawn above these shapes and below the pieces, so that pieces keep their colours.
fn ground(shapes: &[Shape], spot: &Spot) -> usize {
    let is_surface = |shape: &Shape| {
        use Ink::{Background, Blocked, Board, BoardAlt, Grid, Trail};
        matches!(shape.fill, Some(Background | Board | BoardAlt | Grid | Blocked | Trail(_)))
    };
    let is_ground = |shape: &Shape| is_surface(shape) && is_over(&shape.form, spot);
    shapes.iter().rposition(is_ground).map_or(0, |last| last + 1)
}

/// Returns true if the bounding box of a form overlaps the heat on a spot.
fn is_over(form: &Form, spot: &Spot) -> bool {
    let (left, upper, right, lower) = match form {
        &Form::Rect { x, y, w, h, .. } => (x, y, x + w, y + h),
        &Form::Circle { x, y, r } => (x - r, y - r, x + r, y + r),
        Form::Polygon(points) | Form::Polyline(points) => {
            let far = (f32::INFINITY, f32::INFINITY, f32::NEG_INFINITY, f32::NEG_INFINITY);
            points
                .iter()
                .fold(far, |(l, u, r, d), &(x, y)| (l.min(x), u.min(y), r.max(x), d.max(y)))
        }
        Form::Text { .. } => return false,
    };
    let gap = HEAT_GAP * spot.w.min(spot.h);
    left < spot.x + spot.w - gap
        && right > spot.x + gap
        && upper < spot.y + spot.h - gap
        && lower > spot.y + gap
}
