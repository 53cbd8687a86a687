//! The games of a tournament.

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

use super::{App, download, reading};
use crate::asked::{Named, Picked};
use crate::board::Seen;
use crate::hall::refusal;
use crate::openapi::{FileForm, OutcomeName, VerdictName};
use crate::place::Place;
use crate::refusal::Refusal;

/// Games of one answer.
const MOST: usize = 500;

/// Selection of games.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct GameQuery {
    /// Number of games to leave out.
    #[serde(default)]
    #[param(example = 0)]
    from: usize,
    /// Number of games, 500 at most [default: 50].
    #[param(example = 20)]
    count: Option<usize>,
    /// Name of an agent.
    #[param(example = "alphabeta")]
    agent: Option<String>,
    /// `win`, `draw` or `loss` of that agent, or else of the one on the first seat.
    #[param(value_type = Option<OutcomeName>, example = "win")]
    outcome: Option<Outcome>,
    /// Verdict of the referee.
    #[param(value_type = Option<VerdictName>, example = "normal")]
    verdict: Option<String>,
}

impl GameQuery {
    fn picked(&self, config: &TournamentSpec) -> Result<tussle_arena::GameFilter, Refusal> {
        let agent = self.agent.as_ref().map(|name| {
            let index = config.agents.iter().position(|agent| agent.name == *name);
            index.ok_or_else(|| Refusal::wrong(format!("nobody is called `{name}` here")))
        });
        let verdict = self.verdict.as_deref().map(str::parse::<Verdict>);
        Ok(tussle_arena::GameFilter {
            agent: agent.transpose()?,
            outcome: self.outcome,
            verdict: verdict.transpose().map_err(Refusal::wrong)?,
        })
    }
}

/// A game in a list.
#[derive(Serialize, ToSchema)]
struct Row {
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

impl Row {
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

/// Some of the games that were selected, and how many there are.
#[derive(Serialize, ToSchema)]
pub(super) struct GameList {
    from: usize,
    total: usize,
    games: Vec<Row>,
}

/// Some of its games
#[utoipa::path(
    get,
    path = "/tournaments/{name}/games",
    operation_id = "tournament_games",
    params(("name" = String, Path, description = "Name of the tournament.", example = "cup"), GameQuery),
    responses((status = 200, description = "The answer.", body = GameList)),
)]
pub(super) async fn list(
    State(shared): App,
    Named(name): Named<String>,
    Picked(query): Picked<GameQuery>,
) -> Result<Json<GameList>, Refusal> {
    reading(shared, name, move |store, _| {
        let ids = store.pick(&query.picked(store.spec())?).map_err(|e| refusal(&e))?;
        let count = query.count.unwrap_or(50).min(MOST);
        let shown = ids.iter().skip(query.from).take(count);
        let games = shown.map(|&id| Ok(Row::new(store.spec(), record(store, id)?)));
        let games = games.collect::<Result<_, Refusal>>()?;
        Ok(Json(GameList { from: query.from, total: ids.len(), games }))
    })
    .await
}

/// One game with all its moves. `first` and `second` have the games of two; of more, `seats`.
#[derive(Serialize, ToSchema)]
#[schema(as = Played)]
struct PlayedGame<'a> {
    #[serde(flatten)]
    told: GameDocument<'a>,
    /// Names of the agents by seat.
    names: Vec<&'a str>,
    /// Their specs.
    specs: Vec<&'a str>,
    /// Result as chess writes it: `1-0`, `1/2-1/2`.
    score: String,
    /// Notes on each move: seat, time, value, depth, nodes, leaves, evaluations, pruned.
    notes: &'a [MoveNote],
    /// The file of the server that is the board, if one is. A page cannot continue such a game.
    file: Option<String>,
    /// Number of the game before it.
    previous: Option<u64>,
    /// Number of the game after it.
    next: Option<u64>,
}

/// One game with all its moves
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
    Named((name, id)): Named<(String, u64)>,
) -> Result<impl IntoResponse, Refusal> {
    let catalog = shared.options.catalog.clone();
    reading(shared, name, move |store, _| {
        let record = record(store, id)?;
        let config = store.spec();
        let [previous, next] = store.neighbours(id).map_err(|e| refusal(&e))?;
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
        let game = serde_json::to_string(&game).map_err(Refusal::failed)?;
        Ok(([(CONTENT_TYPE, "application/json")], game))
    })
    .await
}

/// A position of a game
///
/// The same as `/api/position`, also of games whose board is a file of the server.
#[utoipa::path(
    get,
    path = "/tournaments/{name}/games/{id}/position/{ply}",
    operation_id = "tournament_position",
    params(
        ("name" = String, Path, description = "Name of the tournament.", example = "cup"),
        ("id" = u64, Path, description = "Number of the game.", example = 1),
        ("ply" = usize, Path, description = "Number of moves before the position.", example = 3),
    ),
    responses((status = 200, description = "The answer.", body = Seen)),
)]
pub(super) async fn position(
    State(shared): App,
    Named((name, id, ply)): Named<(String, u64, usize)>,
) -> Result<Json<Seen>, Refusal> {
    let catalog = shared.options.catalog.clone();
    reading(shared, name, move |store, _| {
        let Record { game, start, mut moves, .. } = record(store, id)?;
        if ply > moves.len() {
            let last = moves.len();
            return Err(Refusal::missing(format!("game {id} has {last} moves; {ply} is none")));
        }
        moves.truncate(ply);
        // The spec is the store's, which was made by the operator of the server: its files may be opened.
        let place = Place { game, text: None, start, moves };
        let game = catalog.game(&place.game).map_err(|why| match catalog.named_file(&place.game) {
            Some(_) => Refusal::wrong(format!(
                "{why}; the file is looked for where the server was started: start it where the tournament was played"
            )),
            None => why.into(),
        })?;
        let position = place.position(game.as_ref())?;
        Ok(Json(Seen::new(game.as_ref(), position.as_ref())))
    })
    .await
}

/// One game as a file
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
        description = "A file to be saved.",
        content((String = "application/json"), (String = "text/csv"), (String = "text/plain")),
    )),
)]
pub(super) async fn export(
    State(shared): App,
    Named((name, id, form)): Named<(String, u64, String)>,
) -> Result<Response, Refusal> {
    let format: export::ExportFormat = form.parse().map_err(Refusal::wrong)?;
    let file = format!("{name}-{id}.{}", format.name());
    let text = reading(shared, name, move |store, _| {
        let mut text = Vec::new();
        export::write_game(store.spec(), &record(store, id)?, format, &mut text)
            .map_err(download::refused)?;
        Ok(text)
    });
    Ok(download::answer(&file, text.await?.into()))
}

fn record(store: &Store, id: u64) -> Result<Record, Refusal> {
    let found = store.game(id).map_err(|e| refusal(&e))?;
    found.ok_or_else(|| Refusal::missing(format!("game {id} is not finished, or there is none")))
}
