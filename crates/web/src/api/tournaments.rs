//! Tournaments: begin them, see how they stand, read their games.

mod download;
mod games;

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::routing::{get, post};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use tussle_arena::{Format, Store, StoreError, Summary};
use tussle_stats::SequentialTest;

use super::{Route, apart};
use crate::asked::{Asked, Named};
use crate::hall::{Begun, MAX_AGENTS, refusal, share};
use crate::refusal::Refusal;
use crate::server::Shared;

/// Points of a curve: more than a screen has pixels are not seen.
const POINTS: usize = 600;

type App = State<Arc<Shared>>;

/// Everything below `/api/tournaments`.
pub(super) fn table() -> Vec<Route> {
    vec![
        ("get", "/tournaments", get(list)),
        ("post", "/tournaments", post(start)),
        ("get", "/tournaments/{name}", get(tournament)),
        ("post", "/tournaments/{name}/stop", post(stop)),
        ("post", "/tournaments/{name}/resume", post(resume)),
        ("get", "/tournaments/{name}/sprt", get(sprt)),
        ("get", "/tournaments/{name}/games", get(games::list)),
        ("get", "/tournaments/{name}/games/{id}", get(games::game)),
        ("get", "/tournaments/{name}/games/{id}/position/{ply}", get(games::position)),
        ("get", "/tournaments/{name}/games/{id}/export/{form}", get(games::export)),
        ("get", "/tournaments/{name}/export/{form}", get(download::whole)),
    ]
}

/// Reads a store where it keeps no other request waiting, and not too many at once.
async fn reading<T: Send + 'static>(
    shared: Arc<Shared>,
    name: String,
    read: impl FnOnce(&Store, &Shared) -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let permit = shared.hall.readers.clone().acquire_owned().await;
    let permit = permit.map_err(|_| Refusal::busy("the server is ending"))?;
    apart(move || {
        let _permit = permit; // also if nobody waits for the answer any more
        read(&shared.hall.read(&name)?, &shared)
    })
    .await
}

async fn list(State(shared): App) -> Result<Json<Value>, Refusal> {
    apart(move || {
        let hall = &shared.hall;
        let limits = &shared.options.limits;
        Ok(Json(json!({
            "folder": hall.folder(),
            "tournaments": hall.list()?,
            "formats": Format::ALL.iter().map(|&format| FormatRow::of(format)).collect::<Vec<_>>(),
            "programs": shared.options.allow_programs,
            "jobs": limits.jobs,
        })))
    })
    .await
}

/// Pairing format, for forms.
#[derive(Serialize)]
struct FormatRow {
    name: &'static str,
    summary: &'static str,
    /// True if a tournament is as long as its number of games, not of its rounds.
    endless: bool,
    /// By number of agents, the pairs in a round of a two-player game.
    pairs: Vec<usize>,
}

impl FormatRow {
    fn of(format: Format) -> Self {
        Self {
            name: format.name(),
            summary: format.summary(),
            endless: format.is_endless(),
            pairs: (0..=MAX_AGENTS).map(|agents| format.pairs_per_round(agents)).collect(),
        }
    }
}

async fn start(
    State(shared): App,
    Asked(wish): Asked<Map<String, Value>>,
) -> Result<Json<Value>, Refusal> {
    apart(move || Ok(begun(&shared.hall.start(wish)?, &shared))).await
}

fn begun(begun: &Begun, shared: &Shared) -> Json<Value> {
    let note = (!begun.kept).then(|| {
        format!(
            "{} cannot be written: the games are kept until the server ends",
            shared.hall.folder()
        )
    });
    Json(json!({ "name": begun.name, "kept": begun.kept, "note": note }))
}

async fn stop(State(shared): App, Named(name): Named<String>) -> Result<Json<Value>, Refusal> {
    apart(move || {
        shared.hall.stop(&name)?;
        Ok(Json(json!({ "stopping": true })))
    })
    .await
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Again {
    jobs: Option<usize>,
}

async fn resume(
    State(shared): App,
    Named(name): Named<String>,
    Asked(Again { jobs }): Asked<Again>,
) -> Result<Json<Value>, Refusal> {
    apart(move || Ok(begun(&shared.hall.resume(&name, jobs)?, &shared))).await
}

/// The document of `tussle results --json` without its games, and how far the tournament has come.
async fn tournament(
    State(shared): App,
    Named(name): Named<String>,
) -> Result<Json<Value>, Refusal> {
    let asked = name.clone();
    reading(shared, name, move |store, shared| {
        let wrong = |e: StoreError| refusal(&e);
        // Before the games are read: a run that has ended by then has written all of them.
        let run = shared.hall.run(&asked);
        let news = run.as_ref().map(|run| run.news().borrow().clone());
        let here = news.as_ref().is_some_and(|news| news.running);
        let elsewhere = !here && Store::is_in_use(store.path());
        let summary = Summary::of(store).map_err(wrong)?;
        let mut told = serde_json::to_value(&summary).map_err(Refusal::failed)?;
        let (played, scheduled) = (summary.games + summary.surplus + summary.void, share(store.spec()));
        let answered = summary.sprt.is_some_and(|test| test.accepted.is_some());
        told["config"] = serde_json::to_value(store.spec()).map_err(Refusal::failed)?;
        told["players"] = summary.players.into();
        told["state"] = json!({
            "running": if here { Some("here") } else if elsewhere { Some("elsewhere") } else { None },
            "stopping": news.as_ref().is_some_and(|news| news.stopping),
            "played": played,
            "scheduled": scheduled,
            "complete": summary.remaining == 0 || answered,
            "kept": run.as_ref().is_none_or(|run| run.kept),
            "jobs": run.as_ref().map(|run| run.jobs),
            "notes": news.as_ref().map(|news| news.notes.clone()).unwrap_or_default(),
            "error": news.and_then(|news| news.error),
        });
        Ok(Json(told))
    })
    .await
}

/// How the test has come to where it stands: the ratio after so many pairs.
async fn sprt(State(shared): App, Named(name): Named<String>) -> Result<Json<Value>, Refusal> {
    reading(shared, name, |store, _| {
        let Some(sprt) = store.spec().sprt else {
            return Err(Refusal::missing("this tournament has no test that ends it"));
        };
        let mut test = SequentialTest::new(sprt);
        let mut points: Vec<(u64, f64)> = Vec::new();
        let mut step = 1;
        let read = store.for_each(|record| {
            if let Some(game) = record.paired_game() {
                test.add(game);
            }
            // The ratio is not free: it is only computed where it may be a point.
            if test.pairs() >= points.last().map_or(1, |(pairs, _)| pairs + step) {
                let status = test.status();
                points.extend(status.llr.map(|llr| (status.pairs, llr)));
                if points.len() > POINTS {
                    step *= 2;
                    let mut at = 0;
                    points.retain(|_| {
                        at += 1;
                        at % 2 == 1
                    });
                }
            }
            Ok::<_, StoreError>(())
        });
        read.map_err(|e| refusal(&e))?;
        let status = test.status();
        if let Some(llr) = status.llr.filter(|_| points.last().map(|p| p.0) != Some(status.pairs)) {
            points.push((status.pairs, llr));
        }
        Ok(Json(json!({ "standing": status, "points": points })))
    })
    .await
}
