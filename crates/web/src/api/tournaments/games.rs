//! Requests for the games of a tournament.

use axum::Json;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use tussle_arena::export::{self, GameDocument};
use tussle_arena::{MoveNote, Record, Store, TournamentSpec};
use tussle_core::Outcome;
use tussle_engine::Verdict;
use utoipa::{IntoParams, ToSchema};

use super::{App, download, read_store};
use crate::api_error::ApiError;
use crate::board::PositionView;
use crate::extract::{PathParams, QueryParams};
use crate::manager::store_error;
use crate::openapi::{FileForm, OutcomeName, VerdictName};
use crate::position_ref::PositionRef;

/// Maximum number of games in one answer.
const MAX_GAMES_PER_ANSWER: usize = 500;

/// Selection of games.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct GameQuery {
    /// Number of games to skip.
    #[serde(default)]
    #[param(example = 0)]
    from: usize,
    /// Number of games, at most 500 [default: 50].
    #[param(example = 20)]
    count: Option<usize>,
    /// Name of an agent.
    #[param(example = "alphabeta")]
    agent: Option<String>,
    /// `win`, `draw` or `loss` of that agent; without `agent`, of the one on the first seat.
    #[param(value_type = Option<OutcomeName>, example = "win")]
    outcome: Option<Outcome>,
    /// Verdict of the referee.
    #[param(value_type = Option<VerdictName>, example = "normal")]
    verdict: Option<String>,
}

impl GameQuery {
    fn selection(&self, config: &TournamentSpec) -> Result<tussle_arena::GameFilter, ApiError> {
        let agent = self.agent.as_ref().map(|name| {
            let index = config.agents.iter().position(|agent| agent.name == *name);
            index.ok_or_else(|| {
                ApiError::bad_request(format!("agent: this tournament has no agent named `{name}`"))
            })
        });
        let verdict = self.verdict.as_deref().map(str::parse::<Verdict>);
        Ok(tussle_arena::GameFilter {
            agent: agent.transpose()?,
            outcome: self.outcome,
            verdict: verdict.transpose().map_err(ApiError::bad_request)?,
        })
    }
}

/// Game in a list.
#[derive(Serialize, ToSchema)]
struct GameSummary {
    id: u64,
    pair: u64,
    game: String,
    agents: Vec<String>,
    result: String,
    winner: Option<String>,
    #[schema(value_type = VerdictName)]
    verdict: &'static str,
    what: String,
    plies: usize,
}

impl GameSummary {
    fn new(config: &TournamentSpec, record: Record) -> Self {
        Self {
            id: record.id,
            pair: record.pair,
            agents: export::names(config, &record).into_iter().map(str::to_owned).collect(),
            result: export::result(&record),
            winner: record.winner().map(|index| config.agents[index].name.clone()),
            verdict: record.verdict.as_str(),
            plies: record.moves.len(),
            game: record.game,
            what: record.what,
        }
    }
}

/// Part of the selected games, with their total number.
#[derive(Serialize, ToSchema)]
pub(super) struct GameList {
    from: usize,
    total: usize,
    games: Vec<GameSummary>,
}

/// List games of a tournament
#[utoipa::path(
    get,
    path = "/tournaments/{name}/games",
    operation_id = "tournament_games",
    params(("name" = String, Path, description = "Name of the tournament.", example = "cup"), GameQuery),
    responses((status = 200, description = "The answer.", body = GameList)),
)]
pub(super) async fn list(
    State(shared): App,
    PathParams(name): PathParams<String>,
    QueryParams(query): QueryParams<GameQuery>,
) -> Result<Json<GameList>, ApiError> {
    read_store(shared, name, move |store, _| {
        let ids = store.pick(&query.selection(store.spec())?).map_err(|e| store_error(&e))?;
        let count = query.count.unwrap_or(50).min(MAX_GAMES_PER_ANSWER);
        let shown = ids.iter().skip(query.from).take(count);
        let games = shown.map(|&id| Ok(GameSummary::new(store.spec(), record(store, id)?)));
        let games = games.collect::<Result<_, ApiError>>()?;
        Ok(Json(GameList { from: query.from, total: ids.len(), games }))
    })
    .await
}

/// Game with all its moves. Games of two players have `first` and `second`, games of more players have `seats`.
#[derive(Serialize, ToSchema)]
struct PlayedGame<'a> {
    #[serde(flatten)]
    told: GameDocument<'a>,
    /// Names of the agents by seat.
    names: Vec<&'a str>,
    /// Specs of the agents by seat.
    specs: Vec<&'a str>,
    /// Result in chess notation: `1-0`, `1/2-1/2`.
    score: String,
    /// Notes on each move: seat, time, value, depth, nodes, leaves, evaluations, pruned.
    notes: &'a [MoveNote],
    /// File of the server with the board, if the game has one. A page cannot continue such a game.
    file: Option<String>,
    /// Number of the previous game.
    previous: Option<u64>,
    /// Number of the next game.
    next: Option<u64>,
}

/// Get a game with all its moves
#[utoipa::path(
    get,
    path = "/tournaments/{name}/games/{id}",
    operation_id = "tournament_game",
    params(
        ("name" = String, Path, description = "Name of the tournament.", example = "cup"),
        ("id" = u64, Path, description = "Number of the game.", example = 1),
    ),
    responses((status = 200, description = "The answer.", body = PlayedGame<'static>)),
)]
pub(super) async fn game(
    State(shared): App,
    PathParams((name, id)): PathParams<(String, u64)>,
) -> Result<impl IntoResponse, ApiError> {
    let catalog = shared.options.catalog.clone();
    read_store(shared, name, move |store, _| {
        let record = record(store, id)?;
        let config = store.spec();
        let [previous, next] = store.neighbours(id).map_err(|e| store_error(&e))?;
        let specs = record.seats.iter().map(|&index| config.agents[index].spec.as_str());
        let game = PlayedGame {
            told: GameDocument::new(config, &record),
            names: export::names(config, &record),
            specs: specs.collect(),
            score: export::result(&record),
            notes: &record.notes,
            file: catalog.named_file(&record.game),
            previous,
            next,
        };
        let game = serde_json::to_string(&game).map_err(ApiError::internal)?;
        Ok(([(CONTENT_TYPE, "application/json")], game))
    })
    .await
}

/// Get a position of a game
///
/// The answer is that of `/api/position`. Games whose board is a file of the server work too.
#[utoipa::path(
    get,
    path = "/tournaments/{name}/games/{id}/position/{ply}",
    operation_id = "tournament_position",
    params(
        ("name" = String, Path, description = "Name of the tournament.", example = "cup"),
        ("id" = u64, Path, description = "Number of the game.", example = 1),
        ("ply" = usize, Path, description = "Number of moves before the position.", example = 3),
    ),
    responses((status = 200, description = "The answer.", body = PositionView)),
)]
pub(super) async fn position(
    State(shared): App,
    PathParams((name, id, ply)): PathParams<(String, u64, usize)>,
) -> Result<Json<PositionView>, ApiError> {
    let catalog = shared.options.catalog.clone();
    read_store(shared, name, move |store, _| {
        let Record { game, start, mut moves, .. } = record(store, id)?;
        if ply > moves.len() {
            let last = moves.len();
            return Err(ApiError::not_found(format!(
                "game {id}: expected a ply from 0 to {last}, found {ply}"
            )));
        }
        moves.truncate(ply);
        // The spec comes from a store, which the operator of the server made, so its files may be opened.
        let place = PositionRef { game, text: None, start, moves };
        let game = catalog.game(&place.game).map_err(|why| match catalog.named_file(&place.game) {
            Some(_) => ApiError::bad_request(format!(
                "{why}; the path is relative to the folder of the server: start `tussle serve` in the folder in which the \
                 tournament was played"
            )),
            None => why.into(),
        })?;
        let position = place.position(game.as_ref())?;
        Ok(Json(PositionView::new(game.as_ref(), position.as_ref())))
    })
    .await
}

/// Download a game as a file
#[utoipa::path(
    get,
    path = "/tournaments/{name}/games/{id}/export/{form}",
    operation_id = "export_game",
    params(
        ("name" = String, Path, description = "Name of the tournament.", example = "cup"),
        ("id" = u64, Path, description = "Number of the game.", example = 1),
        ("form" = FileForm, Path, description = "`sgf` for Go only, `json` for whole tournaments only.", example = "pgn"),
    ),
    responses((
        status = 200,
        description = "A file to save.",
        content((String = "application/json"), (String = "text/csv"), (String = "text/plain")),
    )),
)]
pub(super) async fn export(
    State(shared): App,
    PathParams((name, id, form)): PathParams<(String, u64, String)>,
) -> Result<Response, ApiError> {
    let format: export::ExportFormat = form.parse().map_err(ApiError::bad_request)?;
    let file = format!("{name}-{id}.{}", format.name());
    let text = read_store(shared, name, move |store, _| {
        let mut text = Vec::new();
        export::write_game(store.spec(), &record(store, id)?, format, &mut text)
            .map_err(download::export_error)?;
        Ok(text)
    });
    Ok(download::answer(&file, text.await?.into()))
}

fn record(store: &Store, id: u64) -> Result<Record, ApiError> {
    let found = store.game(id).map_err(|e| store_error(&e))?;
    found.ok_or_else(|| ApiError::not_found(format!("game {id} does not exist or is not finished")))
}
