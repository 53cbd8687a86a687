//! Heat maps of searches.
//!
//! The latest report is kept, so that a page can switch to another map without searching again.

use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use tussle_catalog::{AnyGame, AnyPosition};
use tussle_core::{MarkKind, Report};
use tussle_explain::Heat;
use tussle_view::svg_for_page;
use utoipa::ToSchema;

use super::TaskSender;
use crate::api_error::ApiError;

/// Number that the colours of a heat map show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum HeatKind {
    #[default]
    Hidden,
    Value,
    Visits,
    Prior,
}

/// Request for another map of a search that runs or has ended.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct HeatRequest {
    /// Id of the search.
    search: u64,
    heat: HeatKind,
}

/// Board with the requested map.
#[derive(Serialize, ToSchema)]
pub(crate) struct HeatDrawing {
    svg: Option<String>,
}

/// Heat map of the latest search of a page that requested one. It is drawn again if the page chooses other contents.
#[derive(Clone, Default)]
pub(super) struct HeatMaps(Arc<Mutex<Option<HeatMap>>>);

struct HeatMap {
    search: u64,
    heat: HeatKind,
    game: Arc<dyn AnyGame>,
    position: Box<dyn AnyPosition>,
    report: Option<Report<String>>,
}

impl HeatMaps {
    /// Replaces the search by one that begins.
    pub(super) fn begin(
        &self,
        search: u64,
        heat: HeatKind,
        game: &Arc<dyn AnyGame>,
        position: &dyn AnyPosition,
    ) {
        let (game, position) = (game.clone(), position.boxed());
        *self.lock() = Some(HeatMap { search, heat, game, position, report: None });
    }

    /// Stores a report and draws its map.
    pub(super) fn draw(&self, search: u64, report: &Report<String>) -> Option<String> {
        let mut map = self.lock();
        let map = map.as_mut().filter(|map| map.search == search)?;
        map.report = Some(report.clone());
        map.svg()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<HeatMap>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl HeatMap {
    fn svg(&self) -> Option<String> {
        let heat = match self.heat {
            HeatKind::Hidden => return None,
            HeatKind::Value => Heat::Worth,
            HeatKind::Visits => Heat::Visits,
            HeatKind::Prior => Heat::Prior,
        };
        let mut scene =
            heat.scene(self.game.as_ref(), self.position.as_ref(), self.report.as_ref()?);
        for mark in &mut scene.marks {
            if let MarkKind::Label(label) = &mut mark.kind {
                *label = page_label(label);
            }
        }
        Some(svg_for_page(&scene))
    }
}

/// Formats a label of the board like the same number elsewhere on the page: `−0.20` for `-0.2`.
fn page_label(label: &str) -> String {
    let is_one_digit = |whole: &str| whole.chars().filter(char::is_ascii_digit).count() == 1;
    let padded = match label.split_once('.') {
        // Labels from 10 on keep their one decimal, because the cells of the board are small.
        Some((whole, fraction)) if fraction.len() == 1 && is_one_digit(whole) => {
            format!("{label}0")
        }
        _ => label.to_owned(),
    };
    padded.replace('-', "−")
}

impl HeatRequest {
    /// Draws the latest report with the new map, and uses this map for later reports too.
    pub(super) async fn run(self, maps: HeatMaps, out: TaskSender) -> Result<(), ApiError> {
        crate::api::run_blocking(move || {
            let svg = {
                let mut map = maps.lock();
                let map = map.as_mut().filter(|map| map.search == self.search);
                let map = map.ok_or_else(|| {
                    ApiError::not_found(format!(
                        "search {}: not the latest search with a heat map",
                        self.search
                    ))
                })?;
                map.heat = self.heat;
                map.svg()
            };
            out.send_blocking(out.text("done", &HeatDrawing { svg })?);
            Ok(())
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use super::page_label;

    #[test]
    fn labels_on_the_board_are_formatted_like_the_numbers_of_the_page() {
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
            assert_eq!(page_label(label), page);
        }
    }
}
