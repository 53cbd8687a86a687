//! What the board shows of a search. The latest report is kept, so that another map needs no other search.

use std::sync::{Arc, Mutex, PoisonError};

use serde::Deserialize;
use serde_json::json;
use tussle_catalog::{AnyGame, AnyPosition};
use tussle_core::Report;
use tussle_lab::Heat;
use tussle_view::svg_for_page;

use super::Out;
use crate::refusal::Refusal;

/// What the board shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Shown {
    #[default]
    Hidden,
    Value,
    Visits,
    Prior,
}

/// Another map of a search that runs or has ended.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Change {
    /// The number under which the search was asked for.
    search: u64,
    heat: Shown,
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
        let scene = heat.scene(self.game.as_ref(), self.position.as_ref(), self.report.as_ref()?);
        Some(svg_for_page(&scene))
    }
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
            out.answer("done", json!({ "svg": svg }));
            Ok(())
        })
        .await
    }
}
