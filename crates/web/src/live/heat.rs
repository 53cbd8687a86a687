//! What the board shows of a search. The latest report is kept, so that another map needs no other search.

use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use tussle_catalog::{AnyGame, AnyPosition};
use tussle_core::{MarkKind, Report};
use tussle_explain::Heat;
use tussle_view::svg_for_page;
use utoipa::ToSchema;

use super::Out;
use crate::refusal::Refusal;

/// Number that the colours of the board show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Shown {
    #[default]
    Hidden,
    Value,
    Visits,
    Prior,
}

/// Another map of a search that runs or has ended.
#[derive(Deserialize, ToSchema)]
#[schema(as = Heat)]
#[serde(deny_unknown_fields)]
pub(crate) struct Change {
    /// Id of the search.
    search: u64,
    heat: Shown,
}

/// The board with the new map.
#[derive(Serialize, ToSchema)]
pub(crate) struct HeatDrawing {
    svg: Option<String>,
}

/// The search of a page whose map can be changed: the latest that asked for one.
#[derive(Clone, Default)]
pub(super) struct Maps(Arc<Mutex<Option<Map>>>);

struct Map {
    search: u64,
    heat: Shown,
    game: Arc<dyn AnyGame>,
    position: Box<dyn AnyPosition>,
    report: Option<Report<String>>,
}

impl Maps {
    /// A search begins.
    pub(super) fn begin(
        &self,
        search: u64,
        heat: Shown,
        game: &Arc<dyn AnyGame>,
        position: &dyn AnyPosition,
    ) {
        let (game, position) = (game.clone(), position.boxed());
        *self.lock() = Some(Map { search, heat, game, position, report: None });
    }

    /// The map of a report, which is kept.
    pub(super) fn draw(&self, search: u64, report: &Report<String>) -> Option<String> {
        let mut map = self.lock();
        let map = map.as_mut().filter(|map| map.search == search)?;
        map.report = Some(report.clone());
        map.svg()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Map>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Map {
    fn svg(&self) -> Option<String> {
        let heat = match self.heat {
            Shown::Hidden => return None,
            Shown::Value => Heat::Worth,
            Shown::Visits => Heat::Visits,
            Shown::Prior => Heat::Prior,
        };
        let mut scene =
            heat.scene(self.game.as_ref(), self.position.as_ref(), self.report.as_ref()?);
        for mark in &mut scene.marks {
            if let MarkKind::Label(label) = &mut mark.kind {
                *label = as_beside(label);
            }
        }
        Some(svg_for_page(&scene))
    }
}

/// A label of the board as the page writes the same number beside it: `−0.20` for `-0.2`.
fn as_beside(label: &str) -> String {
    let is_one_digit = |whole: &str| whole.chars().filter(char::is_ascii_digit).count() == 1;
    let padded = match label.split_once('.') {
        // From 10 on the board has one decimal: its cells are small.
        Some((whole, fraction)) if fraction.len() == 1 && is_one_digit(whole) => {
            format!("{label}0")
        }
        _ => label.to_owned(),
    };
    padded.replace('-', "−")
}

impl Change {
    /// Shows the latest report at once, and all that come in this way.
    pub(super) async fn run(self, maps: Maps, out: Out) -> Result<(), Refusal> {
        crate::api::apart(move || {
            let svg = {
                let mut map = maps.lock();
                let map = map.as_mut().filter(|map| map.search == self.search);
                let map = map.ok_or_else(|| Refusal::missing("this search is forgotten"))?;
                map.heat = self.heat;
                map.svg()
            };
            out.answer(out.text("done", &HeatDrawing { svg })?);
            Ok(())
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use super::as_beside;

    #[test]
    fn labels_on_the_board_are_written_as_the_numbers_beside_it() {
        for (label, page) in [
            ("-0.34", "−0.34"),
            ("+0.2", "+0.20"),
            ("≤-0.5", "≤−0.50"),
            ("+9", "+9"),
            ("-12.5", "−12.5"),
            ("W5", "W5"),
            ("2.5%", "2.5%"),
            ("=", "="),
        ] {
            assert_eq!(as_beside(label), page);
        }
    }
}
