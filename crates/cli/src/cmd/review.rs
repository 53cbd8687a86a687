//! `tussle review`

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use serde::Serialize;
use tussle_arena::{Record, Store, TournamentSpec, export};
use tussle_catalog::{AnyGame, AnyPosition, Catalog};
use tussle_engine::Verdict;
use tussle_explain::{REVIEW_NODES, Review as Reviewed, ReviewNews, Reviewer, review};

use crate::args::{StartPosition, Theme};
use crate::failure::Failure;
use crate::progress::Progress;
use crate::report::one_line;
use crate::{interrupt, output, stored, table, turns};

/// Look at a game afterwards: which moves were mistakes, and what was better
///
/// Every position is searched. A move is judged by the positions that it and the best move lead to, both
/// searched in the same way; what is proven counts first. Without --agent proofs are looked for, and Monte
/// Carlo tree search says the rest. `tussle docs review` explains the verdicts.
///
/// Examples:
///   tussle review S.db 7
///   tussle review S.db 7 --nodes 20000 --svg values.svg
///   tussle review --game tictactoe --moves a1,b1,b2,c3 --all
///   tussle review --game go --sgf game.sgf --agent mcts --time 1s --json
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Review {
    /// The store.
    #[arg(value_name = "STORE", required_unless_present = "game", requires = "number", conflicts_with_all = ["position", "sgf", "moves"])]
    store: Option<PathBuf>,
    /// The number of the game, as `tussle results` gives it.
    #[arg(value_name = "GAME")]
    number: Option<u64>,
    /// A game that is in no store: its rules; --moves or --sgf say how it went.
    #[arg(long, value_name = "SPEC", conflicts_with = "store")]
    game: Option<String>,
    #[command(flatten)]
    from: StartPosition,
    /// Agent that judges, name[:key=value,…]; see `tussle agents`. Not a program: its values have no known scale.
    #[arg(long, value_name = "AGENT")]
    agent: Option<String>,
    /// Simulations or nodes for each position; 4000 unless there is a time.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// The time for each position.
    #[arg(long, value_parser = tussle_core::parse_duration)]
    time: Option<Duration>,
    /// Seed of everything random in the searches.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Tell every move, not only those that were wrong.
    #[arg(long)]
    all: bool,
    /// Write the value of the game, move by move, as SVG to this file.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Colours of the picture.
    #[arg(long, value_enum, default_value_t)]
    theme: Theme,
    /// One JSON document.
    #[arg(long)]
    json: bool,
}

/// What is looked at.
struct Played {
    title: String,
    game: Arc<dyn AnyGame>,
    start: Box<dyn AnyPosition>,
    moves: Vec<String>,
    /// How many of the moves nobody chose.
    opening: usize,
    /// How it ended, if not by the rules: nobody sees that on the board.
    ended: Option<String>,
}

/// A review, and how its game ended.
#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    review: &'a Reviewed,
    #[serde(skip_serializing_if = "Option::is_none")]
    ended: Option<&'a str>,
}

impl Review {
    pub(crate) fn run(&self, catalog: &Catalog) -> Result<(), Failure> {
        let played = self.played(catalog)?;
        let review = self.look(&played)?;
        if self.json {
            let ended = played.ended.as_deref();
            output::json(&Document { review: &review, ended })?;
        } else {
            output::print(&self.text(&played, &review))?;
        }
        // The answer may have taken long: it is out before a file can fail.
        if let Some(path) = &self.svg {
            let svg = review.figure().svg(self.theme.into());
            output::write(path, svg)?;
        }
        Ok(())
    }

    fn played(&self, catalog: &Catalog) -> Result<Played, Failure> {
        if let Some(spec) = &self.game {
            let (game, mut position) = self.from.open(catalog, spec)?;
            let moves = position.history().to_vec();
            while position.undo() {}
            let title = game.spec().to_owned();
            return Ok(Played { title, game, start: position, moves, opening: 0, ended: None });
        }
        let (Some(path), Some(number)) = (&self.store, self.number) else {
            return Err(Failure::usage("name a store and the number of a game, or give --game"));
        };
        if let Some(svg) = &self.svg {
            Failure::unless_other_file(svg, path)?;
        }
        let store = Store::read(path)?;
        let record = stored::game(path, &store, number)?;
        let names = export::names(store.spec(), &record).join(" v ");
        let game = catalog.game(&record.game)?;
        let start = match &record.start {
            Some(text) => game.position(text)?,
            None => game.start(),
        };
        Ok(Played {
            title: one_line(&format!("game {number} of {}: {names}", record.game)),
            game,
            start,
            opening: record.opening,
            ended: ending(store.spec(), &record),
            moves: record.moves,
        })
    }

    fn look(&self, played: &Played) -> Result<Reviewed, Failure> {
        let Played { game, start, moves, opening, .. } = played;
        if moves.is_empty() {
            let why = match &played.ended {
                Some(ended) => format!("the game has no moves to review: {ended}"),
                None => "the game has no moves to review: give --moves or --sgf".to_owned(),
            };
            return Err(Failure::usage(why));
        }
        let usual = self.time.is_none().then_some(REVIEW_NODES);
        let reviewer = Reviewer {
            agent: self.agent.clone(),
            nodes: self.nodes.or(usual),
            time: self.time,
            seed: self.seed,
            stop: interrupt::stop_flag(),
            ..Reviewer::default()
        };
        let mut progress = Progress::new("reviewing", moves.len() as u64 + 1);
        let mut tell = |_: &ReviewNews| progress.step();
        Ok(review(game.as_ref(), start.as_ref(), (moves, *opening), &reviewer, &mut tell)?)
    }

    fn text(&self, played: &Played, review: &Reviewed) -> String {
        let effort = match (review.nodes, self.time) {
            (Some(nodes), _) => format!("{nodes} nodes a position"),
            (None, time) => format!("{:?} a position", time.unwrap_or_default()),
        };
        let mut text = format!("{}\n{}, {effort}\n\n", played.title, review.agent);
        let told = || review.moves.iter().filter(|judged| self.all || judged.verdict.is_fault());
        for judged in told() {
            text += &format!("{:10}  {}\n", judged.verdict.name(), one_line(&judged.words));
        }
        if let Some(caution) = &review.caution {
            text += &format!("{caution}\n");
        } else if told().next().is_none() {
            text += "no mistakes were found\n";
        }
        if let Some(ended) = &played.ended {
            text += &format!("{ended}\n");
        }
        let headings =
            ["player", "choices", "judged", "best", "good", "inaccuracies", "mistakes", "blunders"];
        let mut rows = table::new(headings.into_iter().chain(["mean loss", "accuracy"]));
        table::numbers(&mut rows, 1..10);
        for one in &review.summary {
            let mut row = vec![one.turn.clone()];
            let known = [one.choices, one.judged, one.best, one.good];
            let counts = known.into_iter().chain([one.inaccuracies, one.mistakes, one.blunders]);
            row.extend(counts.map(|count| count.to_string()));
            row.push(table::number(one.mean_loss, 3));
            row.push(table::number(one.accuracy, 0));
            rows.add_row(row);
        }
        format!("{text}\n{}", table::text(&rows))
    }
}

/// How a game ended that did not end by the rules: given up, late, crashed.
fn ending(config: &TournamentSpec, record: &Record) -> Option<String> {
    let (names, result) = (export::names(config, record), turns::result(&record.utilities));
    let who = record.culprit.map_or_else(String::new, |seat| {
        format!(" of {} ({})", names[seat], turns::player(names.len(), seat))
    });
    let what = if record.what.is_empty() { String::new() } else { format!(": {}", record.what) };
    let told = match record.verdict {
        Verdict::Normal if record.what.is_empty() => return None,
        Verdict::Normal => format!("the game ended, {result}{what}"),
        Verdict::Host => format!("the game is void{what}"),
        verdict => format!("the game ended by a fault{who}, {verdict}, {result}{what}"),
    };
    Some(one_line(&told))
}
