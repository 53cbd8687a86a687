//! Tournaments: begin them, see how they stand, read their games.

mod download;
mod games;

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tussle_arena::{Format, Store, StoreError, Summary, TournamentSpec};
use tussle_stats::{SequentialTest, SprtStatus};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::apart;
use crate::asked::{Asked, Named};
use crate::hall::{self, Listed, MAX_AGENTS, refusal, share};
use crate::openapi::{Running, TournamentRequest};
use crate::refusal::Refusal;
use crate::server::Shared;

/// Points of a curve: more than a screen has pixels are not seen.
const POINTS: usize = 600;

type App = State<Arc<Shared>>;

/// Returns everything below `/api/tournaments` with its description.
pub(super) fn routes() -> OpenApiRouter<Arc<Shared>> {
    OpenApiRouter::new()
        .routes(routes!(list, start))
        .routes(routes!(tournament))
        .routes(routes!(stop))
        .routes(routes!(resume))
        .routes(routes!(sprt))
        .routes(routes!(games::list))
        .routes(routes!(games::game))
        .routes(routes!(games::position))
        .routes(routes!(games::export))
        .routes(routes!(download::whole))
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

/// The tournaments of a server.
#[derive(Serialize, ToSchema)]
struct TournamentList {
    /// Folder of the stores.
    folder: String,
    tournaments: Vec<Listed>,
    /// Pairing formats.
    formats: Vec<FormatRow>,
    /// True if programs may play.
    programs: bool,
    /// Games that this server plays at once.
    jobs: usize,
}

/// All tournaments, the latest first
#[utoipa::path(
    get,
    path = "/tournaments",
    operation_id = "tournaments",
    responses((status = 200, description = "The answer.", body = TournamentList)),
)]
async fn list(State(shared): App) -> Result<Json<TournamentList>, Refusal> {
    apart(move || {
        Ok(Json(TournamentList {
            folder: shared.hall.folder(),
            tournaments: shared.hall.list()?,
            formats: Format::ALL.iter().map(|&format| FormatRow::of(format)).collect(),
            programs: shared.options.allow_programs,
            jobs: shared.options.limits.jobs,
        }))
    })
    .await
}

/// Pairing format, for forms.
#[derive(Serialize, ToSchema)]
struct FormatRow {
    #[schema(value_type = Format)]
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

/// A tournament that is played now.
#[derive(Serialize, ToSchema)]
struct StartedTournament {
    name: String,
    /// True if its games outlive the server.
    kept: bool,
    /// Reason, if they do not.
    note: Option<String>,
}

impl StartedTournament {
    fn new(begun: hall::Begun, shared: &Shared) -> Json<Self> {
        let note = (!begun.kept).then(|| {
            format!(
                "{} cannot be written: the games are kept until the server ends",
                shared.hall.folder()
            )
        });
        Json(Self { name: begun.name, kept: begun.kept, note })
    }
}

/// Begin a tournament, or go on with it
///
/// 409: it is being played, or its store has another tournament. 403: it needs programs or files.
#[utoipa::path(
    post,
    path = "/tournaments",
    request_body(
        content = TournamentRequest,
        example = json!({
            "name": "cup", "game": "tictactoe", "agents": ["alphabeta", "random"], "rounds": 4, "nodes": 50,
            "opening-plies": 2, "sprt": "elo0=0,elo1=50",
        }),
    ),
    responses((status = 200, description = "The answer.", body = StartedTournament)),
)]
async fn start(
    State(shared): App,
    Asked(wish): Asked<Map<String, Value>>,
) -> Result<Json<StartedTournament>, Refusal> {
    apart(move || Ok(StartedTournament::new(shared.hall.start(wish)?, &shared))).await
}

#[derive(Serialize, ToSchema)]
struct Stopping {
    stopping: bool,
}

/// Let its current games end, and begin no other
///
/// 409: this server does not play it.
#[utoipa::path(
    post,
    path = "/tournaments/{name}/stop",
    params(("name" = String, Path, description = "Name of the tournament.", example = "cup")),
    responses((status = 200, description = "The answer.", body = Stopping)),
)]
async fn stop(State(shared): App, Named(name): Named<String>) -> Result<Json<Stopping>, Refusal> {
    apart(move || {
        shared.hall.stop(&name)?;
        Ok(Json(Stopping { stopping: true }))
    })
    .await
}

/// Change of a tournament that is resumed.
#[derive(Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
struct Resume {
    /// Games that are played at once [default: as before].
    jobs: Option<usize>,
}

/// Go on with it
#[utoipa::path(
    post,
    path = "/tournaments/{name}/resume",
    params(("name" = String, Path, description = "Name of the tournament.", example = "cup")),
    request_body(content = Resume, example = json!({ "jobs": 1 })),
    responses((status = 200, description = "The answer.", body = StartedTournament)),
)]
async fn resume(
    State(shared): App,
    Named(name): Named<String>,
    Asked(Resume { jobs }): Asked<Resume>,
) -> Result<Json<StartedTournament>, Refusal> {
    apart(move || Ok(StartedTournament::new(shared.hall.resume(&name, jobs)?, &shared))).await
}

/// The document of `tussle results --json` without its games, and how far the tournament has come.
#[derive(Serialize, ToSchema)]
struct Results {
    #[serde(flatten)]
    summary: Summary,
    config: TournamentSpec,
    /// Number of players of a game.
    players: usize,
    state: TournamentState,
}

/// Progress of a tournament.
#[derive(Serialize, ToSchema)]
struct TournamentState {
    /// `here` by this server, `elsewhere` by another process; null if it is not being played.
    #[schema(value_type = Option<Running>)]
    running: Option<&'static str>,
    /// True if it ends when the current games have.
    stopping: bool,
    /// Games in the store.
    played: u64,
    /// Games of the whole schedule.
    scheduled: u64,
    /// True if no game is left that can be played, or the test has its answer.
    complete: bool,
    /// True if its games outlive the server.
    kept: bool,
    /// Games at once; null if it was not played here.
    jobs: Option<usize>,
    /// Events worth a line: losses by other verdicts, games played again, agents withdrawn.
    notes: Vec<String>,
    /// Error that ended it early.
    error: Option<String>,
}

/// The results and the state of a tournament
#[utoipa::path(
    get,
    path = "/tournaments/{name}",
    params(("name" = String, Path, description = "Name of the tournament.", example = "cup")),
    responses((status = 200, description = "The answer.", body = Results)),
)]
async fn tournament(
    State(shared): App,
    Named(name): Named<String>,
) -> Result<Json<Results>, Refusal> {
    let asked = name.clone();
    reading(shared, name, move |store, shared| {
        let wrong = |e: StoreError| refusal(&e);
        // Before the games are read: a run that has ended by then has written all of them.
        let run = shared.hall.run(&asked);
        let news = run.as_ref().map(|run| run.news().borrow().clone());
        let here = news.as_ref().is_some_and(|news| news.running);
        let elsewhere = !here && Store::is_in_use(store.path());
        let summary = Summary::of(store).map_err(wrong)?;
        let answered = summary.sprt.is_some_and(|test| test.accepted.is_some());
        let state = TournamentState {
            running: if here {
                Some("here")
            } else if elsewhere {
                Some("elsewhere")
            } else {
                None
            },
            stopping: news.as_ref().is_some_and(|news| news.stopping),
            played: summary.games + summary.surplus + summary.void,
            scheduled: share(store.spec()),
            complete: summary.remaining == 0 || answered,
            kept: run.as_ref().is_none_or(|run| run.kept),
            jobs: run.as_ref().map(|run| run.jobs),
            notes: news.as_ref().map(|news| news.notes.clone()).unwrap_or_default(),
            error: news.and_then(|news| news.error),
        };
        let (config, players) = (store.spec().clone(), summary.players);
        Ok(Json(Results { summary, config, players, state }))
    })
    .await
}

/// The log-likelihood ratio of a test over the pairs.
#[derive(Serialize, ToSchema)]
struct SprtCurve {
    standing: SprtStatus,
    /// Points of the curve: pairs, and the log-likelihood ratio after them.
    #[schema(value_type = Vec<Vec<f64>>)]
    points: Vec<(u64, f64)>,
}

/// The course of its test
///
/// 404: it has no test.
#[utoipa::path(
    get,
    path = "/tournaments/{name}/sprt",
    params(("name" = String, Path, description = "Name of the tournament.", example = "cup")),
    responses((status = 200, description = "The answer.", body = SprtCurve)),
)]
async fn sprt(State(shared): App, Named(name): Named<String>) -> Result<Json<SprtCurve>, Refusal> {
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
        Ok(Json(SprtCurve { standing: status, points }))
    })
    .await
}
