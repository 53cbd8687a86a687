//! Texts and drawings of type-erased positions.

use tussle_core::{Choice, Game, Mark, MarkKind, Scene};

use super::Position;
use crate::{Error, plain};

/// Text and drawing of a position, for terminals, pictures and protocols.
pub trait PositionDrawing {
    /// Returns the text of the position, on one line.
    fn text(&self) -> String;
    /// Returns the drawing, with the legal moves as clicks and a mark on the latest move.
    fn scene(&self) -> Scene;
    /// Returns the spot of the drawing that shows the value of a legal move in a heat map, if there is one.
    ///
    /// # Errors
    /// If the move is not legal here.
    fn target(&self, mv: &str) -> Result<Option<usize>, Error>;
}

impl<G: Game + 'static> PositionDrawing for Position<G> {
    fn text(&self) -> String {
        if let Some(notation) = &self.rules.capabilities.notation {
            return (notation.position_text)(self.game(), &self.state);
        }
        self.all_moves().fold(plain::START.to_owned(), |text, mv| text + " " + mv)
    }

    fn scene(&self) -> Scene {
        let game = self.game();
        let legal = self.legal();
        let texts = self.texts_of(&legal).into_iter();
        let Some(drawing) = &self.rules.capabilities.drawing else {
            let mut scene = plain::scene(game, &self.state);
            let choices = texts.enumerate().map(|(spot, mv)| Choice { mv, spots: vec![spot] });
            scene.choices.extend(choices.take(scene.spots.len()));
            return scene;
        };
        let mut scene = (drawing.scene)(game, &self.state);
        for (mv, text) in legal.into_iter().zip(texts) {
            let spots = (drawing.clicks)(game, &self.state, mv);
            if !spots.is_empty() {
                scene.choices.push(Choice { mv: text, spots });
            }
        }
        if let Some((mv, before)) = self.past.last() {
            // The latest move was legal in the position before it.
            let spot = (drawing.landing)(game, before, *mv);
            scene.marks.extend(spot.map(|spot| Mark { spot, kind: MarkKind::LastMove }));
        }
        scene
    }

    fn target(&self, text: &str) -> Result<Option<usize>, Error> {
        let mv = self.rules.parse_move(&self.state, text)?;
        let drawing = self.rules.capabilities.drawing.as_ref();
        Ok(drawing.and_then(|drawing| (drawing.target)(self.game(), &self.state, mv)))
    }
}
