//! Positions and dice.

use axum::Json;
use serde::Deserialize;
use serde_json::{Value, json};
use tussle_core::Rng;

use super::apart;
use crate::asked::Asked;
use crate::board::Seen;
use crate::place::Place;
use crate::refusal::Refusal;

/// The position after some moves: drawing, legal moves, result.
pub(super) async fn position(Asked(place): Asked<Place>) -> Result<Json<Seen>, Refusal> {
    apart(move || {
        let (game, position) = place.open()?;
        Ok(Json(Seen::new(game.as_ref(), position.as_ref())))
    })
    .await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Roll {
    place: Place,
    /// Seed of the whole game: the same moves get the same dice.
    seed: u64,
}

/// What chance does.
pub(super) async fn roll(Asked(Roll { place, seed }): Asked<Roll>) -> Result<Json<Value>, Refusal> {
    apart(move || {
        let (_, position) = place.open()?;
        let mut rng = Rng::derive(seed, &[position.history().len() as u64]);
        let outcome = position.roll(&mut rng);
        let mv = outcome.ok_or_else(|| Refusal::wrong("chance is not to move here"))?;
        Ok(Json(json!({ "move": mv })))
    })
    .await
}
