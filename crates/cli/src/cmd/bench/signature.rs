//! `tussle bench` without a subcommand: a number that shows whether a change altered a search.

use std::time::Instant;

use clap::Args;
use serde::Serialize;
use tussle_core::Limits;

use crate::failure::Failure;
use crate::layout::Table;
use crate::output;
use crate::progress::Progress;

/// Search of the signature.
struct Search {
    game: &'static str,
    /// Moves before the search, separated by blanks.
    moves: &'static str,
    agent: &'static str,
}

const fn search(game: &'static str, moves: &'static str, agent: &'static str) -> Search {
    Search { game, moves, agent }
}

/// Searches of every family, with different options, on games of every kind. They take some seconds.
const SEARCHES: &[Search] = &[
    search("tictactoe", "", "minimax"),
    search("tictactoe", "b2", "alphabeta-textbook:order=none,tt=off,window=full"),
    search("connect4", "", "alphabeta-textbook:depth=11"),
    search("connect4", "4 4 4 3 5", "alphabeta-textbook:eval=windows,depth=11,deepen=on"),
    search(
        "connect4",
        "4 3 3",
        "alphabeta-textbook:eval=windows,depth=9,tt=off,deepen=on,window=aspiration",
    ),
    search("gobblet", "B1@4", "alphabeta-textbook:depth=5"),
    search("go:size=5", "C3 C4 D4", "alphabeta-textbook:depth=5,eval=area"),
    search("go:size=5", "C3", "ids:depth=4,quiesce=on"),
    search("keep-on-moving:board=2", "", "alphabeta-textbook"),
    search("keep-on-moving:board=4", "", "ordered-2020:depth=20"),
    search("pentago-twist", "b5:0r", "alphabeta-textbook:depth=3"),
    search("pentago", "b5:0r", "alphabeta-textbook:depth=2,order=root"),
    search("gobblet", "S1@0", "expectimax:depth=2,opponent=course"),
    search("backgammon", "31 8/5+6/5 62", "expectimax:depth=2,prune=star1"),
    search("connect4", "4", "maxn:depth=6"),
    search("connect4", "4", "paranoid:depth=8"),
    search("tictactoe", "a1", "mcts-textbook:solver=on"),
    search("connect4:width=4,height=4", "2", "mcts-textbook:solver=on,table=on"),
    search("connect4", "", "mcts-textbook:nodes=60000"),
    search("connect4", "4", "mcts-textbook:nodes=30000,policy=puct,prior=eval,rollout=heavy"),
    search("gobblet", "", "mcts-textbook:nodes=30000,rollout=heavy"),
    search("go:size=5", "C3", "mcts-textbook:nodes=30000"),
    search("go:size=9", "E5 C3", "mcts-go:nodes=5000"),
    search("pentago-twist", "", "mcts-pentago:nodes=20000"),
    search("backgammon", "31", "mcts-textbook:nodes=2000"),
];

/// Seed of every search.
const SEED: u64 = 1;

/// `tussle bench` without a subcommand.
#[derive(Args)]
pub(super) struct Signature {
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document {
    signature: u64,
    searches: Vec<SearchRow>,
    timing: Timing,
}

#[derive(Serialize)]
struct Timing {
    elapsed_ms: f64,
    nodes_per_s: f64,
}

/// Result of one search.
#[derive(Serialize)]
struct SearchRow {
    game: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    moves: &'static str,
    agent: &'static str,
    best: String,
    nodes: u64,
    /// Contribution to the signature.
    count: u64,
}

impl Signature {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let mut progress = Progress::new("searches", SEARCHES.len() as u64);
        let began = Instant::now();
        let mut searches = Vec::new();
        for search in SEARCHES {
            searches.push(search.run()?);
            progress.step();
        }
        let seconds = began.elapsed().as_secs_f64();
        drop(progress);
        let nodes: u64 = searches.iter().map(|search| search.nodes).sum();
        let document = Document {
            signature: searches.iter().map(|search| search.count).sum(),
            searches,
            timing: Timing { elapsed_ms: seconds * 1e3, nodes_per_s: nodes as f64 / seconds },
        };
        if self.json { output::json(&document) } else { print(&document) }
    }
}

impl Search {
    fn run(&self) -> Result<SearchRow, Failure> {
        let game = tussle_catalog::game(self.game)?;
        let mut position = game.start();
        for mv in self.moves.split_whitespace() {
            position.play(mv)?;
        }
        let mut agent = game.agent(self.agent, SEED)?;
        let report = agent.choose(position.as_ref(), &Limits::none())?;
        let nodes = report.stats.nodes;
        let best = report.lines.first().map(|line| line.mv.clone()).unwrap_or_default();
        // With a limit of simulations, their number is known beforehand; the visits of the best move are not.
        let visits = report.lines.first().map_or(0, |line| line.visits);
        let count = if self.agent.contains("nodes=") { visits } else { nodes };
        let Self { game, moves, agent } = *self;
        Ok(SearchRow { game, moves, agent, best, nodes, count })
    }
}

fn print(document: &Document) -> Result<(), Failure> {
    let mut table = Table::new(["game", "after", "agent", "best", "nodes", "counts"]);
    table.numbers(4..=5);
    for search in &document.searches {
        table.add_row([
            search.game,
            search.moves,
            search.agent,
            &search.best,
            &search.nodes.to_string(),
            &search.count.to_string(),
        ]);
    }
    output::print(&table.text())?;
    output::line(&format!("\nsignature: {}", document.signature))
}
