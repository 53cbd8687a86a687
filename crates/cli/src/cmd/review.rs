//! `tussle review`

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use serde::Serialize;
use tussle_arena::{Record, Store, TournamentSpec, export};
use tussle_catalog::{AnyGame, AnyPosition, Catalog};
use tussle_engine::Verdict;
use tussle_explain::{
    PlayerSummary, REVIEW_NODES, Review as Reviewed, ReviewNews, Reviewer, review,
};

use crate::args::{StartPosition, Theme};
use crate::failure::Failure;
use crate::layout::Table;
use crate::progress::Progress;
use crate::report::one_line;
use crate::{interrupt, layout, output, stored, turns};

/// Review a game: find the mistakes and the better moves
///
/// Every position is searched. A move is judged by comparing the position after it with the position after the
/// best move, both searched with the same limits; proven results come first. Without --agent, proven values are
/// searched for first, and Monte Carlo tree search evaluates the other positions. `tussle docs review` describes the
/// verdicts.
///
/// Examples:
///   tussle review S.db 7
///   tussle review S.db 7 --nodes 20000 --svg values.svg
///   tussle review --game tictactoe --moves a1,b1,b2,c3 --all
///   tussle review --game go --sgf game.sgf --agent mcts --time 1s --json
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Review {
    /// Store of a match or tournament
    #[arg(value_name = "STORE", required_unless_present = "game", requires = "number", conflicts_with_all = ["position", "sgf", "moves"])]
    store: Option<PathBuf>,
    /// Number of the game; see `tussle results STORE --games`
    #[arg(value_name = "GAME")]
    number: Option<u64>,
    /// Game spec of a game that is not in a store; give its moves with --moves or --sgf
    #[arg(long, value_name = "SPEC", conflicts_with = "store")]
    game: Option<String>,
    #[command(flatten)]
    from: StartPosition,
    /// Agent that judges, name[:key=value,…]; see `tussle agents`. Not a program, because the scale of its
    /// values is unknown
    #[arg(long, value_name = "AGENT")]
    agent: Option<String>,
    /// Simulations or nodes per position [default: 4000, or unlimited with --time]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Time limit per position
    #[arg(long, value_parser = tussle_core::parse_duration)]
    time: Option<Duration>,
    /// Seed of all random choices of the searches
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// List all moves, not only the mistakes
    #[arg(long)]
    all: bool,
    /// SVG file for a chart of the value after each move
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Colours of the picture
    #[arg(long, value_enum, default_value_t)]
    theme: Theme,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Game to review.
struct ReviewedGame {
    title: String,
    game: Arc<dyn AnyGame>,
    start: Box<dyn AnyPosition>,
    moves: Vec<String>,
    /// Number of opening moves, which no player chose.
    opening: usize,
    /// Reason for the end, if the game did not end by its rules.
    ended: Option<String>,
}

/// Review with the reason for the end of the game.
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
        let review = self.judge(&played)?;
        if self.json {
            let ended = played.ended.as_deref();
            output::json(&Document { review: &review, ended })?;
        } else {
            output::report(&self.text(&played, &review))?;
        }
        // The review may have taken long: print it before writing a file can fail.
        if let Some(path) = &self.svg {
            let svg = review.figure().svg(self.theme.into());
            output::write(path, svg)?;
        }
        Ok(())
    }

    fn played(&self, catalog: &Catalog) -> Result<ReviewedGame, Failure> {
        if let Some(spec) = &self.game {
            let (game, mut position) = self.from.open(catalog, spec)?;
            let moves = position.history().to_vec();
            while position.undo() {}
            let title = game.spec().to_owned();
            return Ok(ReviewedGame {
                title,
                game,
                start: position,
                moves,
                opening: 0,
                ended: None,
            });
        }
        let (Some(path), Some(number)) = (&self.store, self.number) else {
            return Err(Failure::usage("expected a store and the number of a game, or --game"));
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
        Ok(ReviewedGame {
            title: one_line(&format!("game {number} of {}: {names}", record.game)),
            game,
            start,
            opening: record.opening,
            ended: ending(store.spec(), &record),
            moves: record.moves,
        })
    }

    fn judge(&self, played: &ReviewedGame) -> Result<Reviewed, Failure> {
        let ReviewedGame { game, start, moves, opening, .. } = played;
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

    fn text(&self, played: &ReviewedGame, review: &Reviewed) -> String {
        let effort = match (review.nodes, self.time) {
            (Some(nodes), _) => format!("{nodes} nodes per position"),
            (None, time) => format!("{:?} per position", time.unwrap_or_default()),
        };
        let mut text = format!("{}\n{}, {effort}\n\n", played.title, review.agent);
        let listed = || review.moves.iter().filter(|judged| self.all || judged.verdict.is_fault());
        for judged in listed() {
            let verdict = format!("{:10}  ", judged.verdict.name());
            text += &layout::labelled(&verdict, &one_line(&judged.words));
        }
        if let Some(caution) = &review.caution {
            text += &format!("{caution}\n");
        } else if listed().next().is_none() {
            text += "no mistakes found\n";
        }
        if let Some(ended) = &played.ended {
            text += &format!("{ended}\n");
        }
        let players = || review.summary.iter();
        let mut rows =
            Table::new(std::iter::once("").chain(players().map(|one| one.turn.as_str())));
        rows.numbers(1..=players().count());
        let mut add = |name: &str, number: fn(&PlayerSummary) -> String| {
            rows.add_row(std::iter::once(name.to_owned()).chain(players().map(number)));
        };
        add("choices", |one| one.choices.to_string());
        add("judged", |one| one.judged.to_string());
        add("best", |one| one.best.to_string());
        add("good", |one| one.good.to_string());
        add("inaccuracies", |one| one.inaccuracies.to_string());
        add("mistakes", |one| one.mistakes.to_string());
        add("blunders", |one| one.blunders.to_string());
        add("mean loss", |one| layout::number(one.mean_loss, 3));
        add("accuracy", |one| layout::number(one.accuracy, 0));
        format!("{text}\n{}", rows.text())
    }
}

/// Returns why a game ended that did not end by its rules: resigned, late, crashed.
fn ending(config: &TournamentSpec, record: &Record) -> Option<String> {
    let (names, result) = (export::names(config, record), turns::result(&record.utilities));
    let who = record.culprit.map_or_else(String::new, |seat| {
        format!(" of {} ({})", names[seat], turns::player(names.len(), seat))
    });
    let what = if record.what.is_empty() { String::new() } else { format!(": {}", record.what) };
    let reason = match record.verdict {
        Verdict::Normal if record.what.is_empty() => return None,
        Verdict::Normal => format!("the game ended, {result}{what}"),
        Verdict::Host => format!("the game is void{what}"),
        verdict => format!("the game ended by a fault{who}, {verdict}, {result}{what}"),
    };
    Some(one_line(&reason))
}
