//! The games of a tournament.

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tussle_arena::export::{self, Told};
use tussle_arena::{MoveNote, Record, Store, TournamentSpec};
use tussle_core::Outcome;
use tussle_engine::Verdict;

use super::{App, download, reading};
use crate::asked::{Named, Picked};
use crate::board::Seen;
use crate::hall::refusal;
use crate::place::Place;
use crate::refusal::Refusal;

/// Games of one answer.
const MOST: usize = 500;

/// Which games.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wish {
    #[serde(default)]
    from: usize,
    count: Option<usize>,
    agent: Option<String>,
    /// `win`, `draw` or `loss`: for that agent, or else for whoever sat first.
    outcome: Option<String>,
    verdict: Option<String>,
}

impl Wish {
    fn picked(&self, config: &TournamentSpec) -> Result<tussle_arena::Picked, Refusal> {
        let agent = self.agent.as_ref().map(|name| {
            let index = config.agents.iter().position(|agent| agent.name == *name);
            index.ok_or_else(|| Refusal::wrong(format!("nobody is called `{name}` here")))
        });
        let outcome = self.outcome.as_deref().map(|outcome| match outcome {
            "win" => Ok(Outcome::Win),
            "draw" => Ok(Outcome::Draw),
            "loss" => Ok(Outcome::Loss),
            other => {
                Err(Refusal::wrong(format!("outcome: `{other}` is neither win, draw nor loss")))
            }
        });
        let verdict = self.verdict.as_deref().map(str::parse::<Verdict>);
        Ok(tussle_arena::Picked {
            agent: agent.transpose()?,
            outcome: outcome.transpose()?,
            verdict: verdict.transpose().map_err(Refusal::wrong)?,
        })
    }
}

/// A game in a list.
#[derive(Serialize)]
struct Row<'a> {
    id: u64,
    pair: u64,
    game: &'a str,
    agents: Vec<&'a str>,
    result: String,
    winner: Option<&'a str>,
    verdict: &'static str,
    what: &'a str,
    plies: usize,
}

/// Some of the games, and how many there are.
pub(super) async fn list(
    State(shared): App,
    Named(name): Named<String>,
    Picked(wish): Picked<Wish>,
) -> Result<Json<Value>, Refusal> {
    reading(shared, name, move |store, _| {
        let ids = store.pick(&wish.picked(store.spec())?).map_err(|e| refusal(&e))?;
        let count = wish.count.unwrap_or(50).min(MOST);
        let mut rows = Vec::new();
        for &id in ids.iter().skip(wish.from).take(count) {
            let record = record(store, id)?;
            let config = store.spec();
            rows.push(json!(Row {
                id,
                pair: record.pair,
                game: &record.game,
                agents: export::names(config, &record),
                result: export::result(&record),
                winner: record.winner().map(|index| config.agents[index].name.as_str()),
                verdict: record.verdict.as_str(),
                what: &record.what,
                plies: record.moves.len(),
            }));
        }
        Ok(Json(json!({ "from": wish.from, "total": ids.len(), "games": rows })))
    })
    .await
}

/// One game with all its moves.
#[derive(Serialize)]
struct Whole<'a> {
    #[serde(flatten)]
    told: Told<'a>,
    /// Who sat where, by name and by spec.
    names: Vec<&'a str>,
    specs: Vec<&'a str>,
    /// In words as chess has them.
    score: String,
    /// What each move took.
    notes: &'a [MoveNote],
    /// The file of the server that the game is played on, if it is: a page cannot go on from there.
    file: Option<String>,
    previous: Option<u64>,
    next: Option<u64>,
}

/// One game.
pub(super) async fn game(
    State(shared): App,
    Named((name, id)): Named<(String, u64)>,
) -> Result<Json<Value>, Refusal> {
    let catalog = shared.options.catalog.clone();
    reading(shared, name, move |store, _| {
        let record = record(store, id)?;
        let config = store.spec();
        let [previous, next] = store.neighbours(id).map_err(|e| refusal(&e))?;
        let specs = record.seats.iter().map(|&index| config.agents[index].spec.as_str());
        let whole = Whole {
            told: Told::new(config, &record),
            names: export::names(config, &record),
            specs: specs.collect(),
            score: export::result(&record),
            notes: &record.notes,
            file: catalog.named_file(&record.game),
            previous,
            next,
        };
        Ok(Json(serde_json::to_value(whole).map_err(Refusal::failed)?))
    })
    .await
}

/// A position of a game, as `/position` tells of it. The spec of the game is the store's, not the page's: whoever
/// runs the server put it there, so that its files may be opened.
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

/// One game as a file.
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
