//! Requests below `/api/tournaments`: start, stop and list tournaments, and read results and games.

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

use super::run_blocking;
use crate::api_error::ApiError;
use crate::extract::{JsonBody, PathParams};
use crate::manager::{self, MAX_AGENTS, TournamentEntry, store_error, total_games};
use crate::openapi::{RunLocation, TournamentRequest};
use crate::server::Shared;

/// Maximum number of points of a curve; a screen could not show more.
const MAX_CURVE_POINTS: usize = 600;

type App = State<Arc<Shared>>;

/// Returns all routes below `/api/tournaments` with their descriptions.
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

/// Reads a store in a blocking thread; at most as many stores at the same time as there are reader permits.
async fn read_store<T: Send + 'static>(
    shared: Arc<Shared>,
    name: String,
    read: impl FnOnce(&Store, &Shared) -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let permit = shared.tournaments.readers.clone().acquire_owned().await;
    let permit = permit.map_err(|_| ApiError::busy("the server is shutting down"))?;
    run_blocking(move || {
        let _permit = permit; // held until the read ends, even if the client is gone
        read(&shared.tournaments.read(&name)?, &shared)
    })
    .await
}

/// Tournaments of a server.
#[derive(Serialize, ToSchema)]
struct TournamentList {
    /// Folder of the stores.
    folder: String,
    tournaments: Vec<TournamentEntry>,
    /// Pairing formats.
    formats: Vec<FormatRow>,
    /// True if external programs may play.
    programs: bool,
    /// Maximum number of games that this server plays in parallel.
    jobs: usize,
}

/// List all tournaments, the latest first
#[utoipa::path(
    get,
    path = "/tournaments",
    operation_id = "tournaments",
    responses((status = 200, description = "The answer.", body = TournamentList)),
)]
async fn list(State(shared): App) -> Result<Json<TournamentList>, ApiError> {
    run_blocking(move || {
        Ok(Json(TournamentList {
            folder: shared.tournaments.folder(),
            tournaments: shared.tournaments.list()?,
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
    /// True if the length is a number of games, not of rounds.
    endless: bool,
    /// Pairings per round of a two-player game, by number of agents.
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

/// Tournament that was started.
#[derive(Serialize, ToSchema)]
struct StartedTournament {
    name: String,
    /// True if the games stay when the server ends.
    kept: bool,
    /// Reason, if they do not stay.
    note: Option<String>,
}

impl StartedTournament {
    fn new(started: manager::StartedRun, shared: &Shared) -> Json<Self> {
        let note = (!started.kept).then(|| {
            format!(
                "the folder {} is not writable: the games are kept only until the server ends",
                shared.tournaments.folder()
            )
        });
        Json(Self { name: started.name, kept: started.kept, note })
    }
}

/// Start or resume a tournament
///
/// 409: the tournament is being played, or its store belongs to another tournament. 403: it needs programs or files.
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
    JsonBody(fields): JsonBody<Map<String, Value>>,
) -> Result<Json<StartedTournament>, ApiError> {
    run_blocking(move || Ok(StartedTournament::new(shared.tournaments.start(fields)?, &shared)))
        .await
}

#[derive(Serialize, ToSchema)]
struct Stopping {
    stopping: bool,
}

/// Stop a tournament
///
/// Games that are being played finish first. 409: this server does not play the tournament.
#[utoipa::path(
    post,
    path = "/tournaments/{name}/stop",
    params(("name" = String, Path, description = "Name of the tournament.", example = "cup")),
    responses((status = 200, description = "The answer.", body = Stopping)),
)]
async fn stop(
    State(shared): App,
    PathParams(name): PathParams<String>,
) -> Result<Json<Stopping>, ApiError> {
    run_blocking(move || {
        shared.tournaments.stop(&name)?;
        Ok(Json(Stopping { stopping: true }))
    })
    .await
}

/// Options of a resumed tournament.
#[derive(Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
struct Resume {
    /// Number of games played in parallel [default: as before].
    jobs: Option<usize>,
}

/// Resume a tournament
#[utoipa::path(
    post,
    path = "/tournaments/{name}/resume",
    params(("name" = String, Path, description = "Name of the tournament.", example = "cup")),
    request_body(content = Resume, example = json!({ "jobs": 1 })),
    responses((status = 200, description = "The answer.", body = StartedTournament)),
)]
async fn resume(
    State(shared): App,
    PathParams(name): PathParams<String>,
    JsonBody(Resume { jobs }): JsonBody<Resume>,
) -> Result<Json<StartedTournament>, ApiError> {
    run_blocking(move || {
        Ok(StartedTournament::new(shared.tournaments.resume(&name, jobs)?, &shared))
    })
    .await
}

/// Document of `tussle results --json` without the games, and the progress of the tournament.
#[derive(Serialize, ToSchema)]
struct Results {
    #[serde(flatten)]
    summary: Summary,
    config: TournamentSpec,
    /// Number of players in a game.
    players: usize,
    state: TournamentState,
}

/// Progress of a tournament.
#[derive(Serialize, ToSchema)]
struct TournamentState {
    /// Process that plays the tournament: `here` is this server, `elsewhere` another process; null if it is not played now.
    #[schema(value_type = Option<RunLocation>)]
    running: Option<&'static str>,
    /// True if the tournament stops after the current games.
    stopping: bool,
    /// Number of games in the store.
    played: u64,
    /// Number of games in the whole schedule.
    scheduled: u64,
    /// True if no game is left to play, or the SPRT has accepted a hypothesis.
    complete: bool,
    /// True if the games stay when the server ends.
    kept: bool,
    /// Number of games played in parallel; null if this server did not play the tournament.
    jobs: Option<usize>,
    /// Lines about faults, reruns and withdrawn agents.
    notes: Vec<String>,
    /// Error that ended the run early.
    error: Option<String>,
}

/// Get the results and the state of a tournament
#[utoipa::path(
    get,
    path = "/tournaments/{name}",
    params(("name" = String, Path, description = "Name of the tournament.", example = "cup")),
    responses((status = 200, description = "The answer.", body = Results)),
)]
async fn tournament(
    State(shared): App,
    PathParams(name): PathParams<String>,
) -> Result<Json<Results>, ApiError> {
    let run_name = name.clone();
    read_store(shared, name, move |store, shared| {
        // Read the state before the games: a run that has ended by then has written all its games.
        let run = shared.tournaments.run(&run_name);
        let progress = run.as_ref().map(|run| run.progress().borrow().clone());
        let here = progress.as_ref().is_some_and(|progress| progress.running);
        let elsewhere = !here && Store::is_in_use(store.path());
        let summary = Summary::of(store).map_err(|e| store_error(&e))?;
        let has_answer = summary.sprt.is_some_and(|test| test.accepted.is_some());
        let state = TournamentState {
            running: if here {
                Some("here")
            } else if elsewhere {
                Some("elsewhere")
            } else {
                None
            },
            stopping: progress.as_ref().is_some_and(|progress| progress.stopping),
            played: summary.games + summary.surplus + summary.void,
            scheduled: total_games(store.spec()),
            complete: summary.remaining == 0 || has_answer,
            kept: run.as_ref().is_none_or(|run| run.kept),
            jobs: run.as_ref().map(|run| run.jobs),
            notes: progress.as_ref().map(|progress| progress.notes.clone()).unwrap_or_default(),
            error: progress.and_then(|progress| progress.error),
        };
        let (config, players) = (store.spec().clone(), summary.players);
        Ok(Json(Results { summary, config, players, state }))
    })
    .await
}

/// Log-likelihood ratio of an SPRT by number of pairs.
#[derive(Serialize, ToSchema)]
struct SprtCurve {
    standing: SprtStatus,
    /// Points of the curve: number of pairs, and log-likelihood ratio after them.
    #[schema(value_type = Vec<Vec<f64>>)]
    points: Vec<(u64, f64)>,
}

/// Get the log-likelihood ratio of the SPRT over time
///
/// 404: the tournament has no SPRT.
#[utoipa::path(
    get,
    path = "/tournaments/{name}/sprt",
    params(("name" = String, Path, description = "Name of the tournament.", example = "cup")),
    responses((status = 200, description = "The answer.", body = SprtCurve)),
)]
async fn sprt(
    State(shared): App,
    PathParams(name): PathParams<String>,
) -> Result<Json<SprtCurve>, ApiError> {
    read_store(shared, name, |store, _| {
        let Some(sprt) = store.spec().sprt else {
            return Err(ApiError::not_found("this tournament has no SPRT"));
        };
        let mut test = SequentialTest::new(sprt);
        let mut points: Vec<(u64, f64)> = Vec::new();
        let mut step = 1;
        let read = store.for_each(|record| {
            if let Some(game) = record.paired_game() {
                test.add(game);
            }
            // Computing the ratio takes time, so do it only for possible points of the curve.
            if test.pairs() >= points.last().map_or(1, |(pairs, _)| pairs + step) {
                let status = test.status();
                points.extend(status.llr.map(|llr| (status.pairs, llr)));
                if points.len() > MAX_CURVE_POINTS {
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
        read.map_err(|e| store_error(&e))?;
        let status = test.status();
        if let Some(llr) = status.llr.filter(|_| points.last().map(|p| p.0) != Some(status.pairs)) {
            points.push((status.pairs, llr));
        }
        Ok(Json(SprtCurve { standing: status, points }))
    })
    .await
}
