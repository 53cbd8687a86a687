//! `tussle analyse`

mod live;
mod tables;
mod tree;
mod words;

use std::sync::Arc;
use std::time::Duration;

use clap::{Args, ValueEnum};
use tussle_catalog::recording::Recording;
use tussle_catalog::{AnyGame, AnyPosition, Catalog, Query, TreeNode, is_program};
use tussle_core::{Limits, ParseError, Report, Scene, Turn};
use tussle_engine::Programs;
use tussle_explain::{Analysis, Heat, KnownValueNodes, known_value_nodes};

use self::live::DepthLines;
use self::tree::Tree;
use crate::args::{Picture, SearchLimits, StartPosition};
use crate::failure::{Failure, check_rules};
use crate::output::{self, tell};
use crate::start::{check_start, roll_first};

/// Search a position: print the best lines, proven results and search statistics
///
/// While the search runs, standard error shows the result of each depth, or every quarter of a second that of
/// the simulations.
///
/// Limits may be combined; the search ends at the first limit it reaches. Without a limit it ends with a
/// proof (mcts: after 2 seconds) or with Ctrl-C, and prints the result so far.
///
/// A picture shows the value of each move: filled where the value is exact, hatched where only a bound
/// (≤, ≥) is known. `tussle docs analyse` explains every number.
///
/// Examples:
///   tussle analyse connect4 --moves 4,4 --time 2s
///   tussle analyse tictactoe --moves a1 --lines all --svg heat.svg
///   tussle analyse gobblet --agent minimax --depth 3 --json
///   tussle analyse tree:file=examples/trees/star1.json --agent expectimax
///   tussle analyse go:size=5 --agent mcts --time 1s --svg visits.svg
///   tussle analyse go:size=5 --agent mcts --nodes 2000 --tree tree.json
///   tussle analyse go --agent mcts-go --nodes 2000 --png rates.png --heat winrate
///   tussle analyse gobblet --agent "json:python3 agent.py" --time 1s
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Analyse {
    /// Game spec, name[:key=value,…]; see `tussle games`
    game: String,
    #[command(flatten)]
    from: StartPosition,
    /// Agent spec, name[:key=value,…], see `tussle agents`; or a program: json:COMMAND, ugi:COMMAND,
    /// gtp:COMMAND
    #[arg(long, default_value = "alphabeta", value_name = "AGENT")]
    agent: String,
    #[command(flatten)]
    limits: SearchLimits,
    /// Number of best moves that get an exact value and a row, or `all` [default: 1; programs: all that
    /// they list]
    #[arg(long, value_parser = lines)]
    lines: Option<usize>,
    /// Seed of all random choices of the search
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    picture: Picture,
    /// Number that the colours of the picture show, with a legend below the board [default: visits for
    /// mcts, value for others]
    #[arg(long, value_enum, value_name = "WHAT")]
    heat: Option<ShownHeat>,
    #[command(flatten)]
    tree: Tree,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Number that the colours of a heat map show.
#[derive(Clone, Copy, ValueEnum)]
enum ShownHeat {
    /// Value of each move, from the worst to the best
    Value,
    /// Share of the simulations or nodes behind each move
    Visits,
    /// Win rate of each move (mcts); searches by depth show values
    Winrate,
}

impl From<ShownHeat> for Heat {
    fn from(shown: ShownHeat) -> Self {
        match shown {
            ShownHeat::Value => Self::Worth,
            ShownHeat::Visits => Self::Visits,
            ShownHeat::Winrate => Self::WinRate,
        }
    }
}

fn lines(text: &str) -> Result<usize, ParseError> {
    if text == "all" {
        return Ok(usize::MAX);
    }
    let number = text.parse().ok().filter(|&n| n > 0);
    number.ok_or_else(|| ParseError::new("expected a number from 1, or `all`"))
}

/// Largest number of nodes in the field `visited`.
const MAX_VISITED: usize = 10_000;

/// Maximum number of recorded steps. A node has at most five: enter, leaf, window, cut, leave.
const MAX_STEPS: usize = 6 * MAX_VISITED;

/// Returns the names of the nodes of a tree in the order in which the search entered them.
fn visited(recording: &Recording) -> Vec<String> {
    recording.entered().take(MAX_VISITED).map(|node| node.name.clone()).collect()
}

/// Results of a search.
struct SearchResult {
    report: Report<String>,
    savings: Vec<KnownValueNodes>,
    is_deterministic: bool,
    /// Names of the nodes of a tree in the order in which they were entered, for `--json`.
    visited: Option<Vec<String>>,
    /// Search tree, for `--tree`.
    tree: Option<TreeNode<String>>,
}

impl Analyse {
    pub(crate) fn run(&self, catalog: &Catalog, programs: &Programs) -> Result<(), Failure> {
        let (game, position) = self.from.open(catalog, &self.game)?;
        self.check_heat(game.as_ref(), position.as_ref())?;
        let searched = self.search(&game, position.as_ref(), programs)?;
        let analysis = Analysis {
            game: game.as_ref(),
            position: position.as_ref(),
            agent: &self.agent,
            seed: self.seed,
            report: &searched.report,
            savings: &searched.savings,
            is_deterministic: searched.is_deterministic,
            visited: searched.visited.as_deref(),
        };
        if self.json {
            output::json(&analysis.document())?;
        } else {
            output::print(&tables::text(&analysis, self.lines()))?;
        }
        // The search may have taken long: print the result before writing a file can fail.
        if self.picture.is_wanted() {
            self.picture.write(&self.heat_map(&analysis)?)?;
        }
        self.tree.write(&analysis, searched.tree.as_ref())
    }

    /// Returns an error if `--heat` is given without a picture, or if no move leads to a spot of the board.
    fn check_heat(&self, game: &dyn AnyGame, position: &dyn AnyPosition) -> Result<(), Failure> {
        if self.heat.is_none() {
            return Ok(());
        }
        if !self.picture.is_wanted() {
            return Err(Failure::usage("--heat needs a picture: add --svg FILE or --png FILE"));
        }
        let moves = position.moves();
        let has_spot = |mv: &String| matches!(position.target(mv), Ok(Some(_)));
        if !moves.is_empty() && !moves.iter().any(has_spot) {
            return Err(Failure::usage(format!(
                "--heat: the moves of {} do not lead to spots of a board; leave --heat out",
                game.spec()
            )));
        }
        Ok(())
    }

    fn heat_map(&self, analysis: &Analysis<'_>) -> Result<Scene, Failure> {
        let &Analysis { game, position, report, .. } = analysis;
        let Some(shown) = self.heat else {
            let is_program = is_program(&self.agent);
            let heat = if is_program { Heat::of_program(report) } else { Heat::usual(report) };
            return Ok(heat.scene(game, position, report));
        };
        let scene = Heat::from(shown).scene_with_legend(game, position, report);
        if report.lines.len() == 1 && position.moves().len() > 1 {
            return Err(Failure::usage(format!(
                "--heat: {} reports one move only; use alphabeta, mcts or greedy",
                self.agent
            )));
        }
        Ok(scene)
    }

    fn search(
        &self,
        game: &Arc<dyn AnyGame>,
        position: &dyn AnyPosition,
        programs: &Programs,
    ) -> Result<SearchResult, Failure> {
        let mut agent = programs.agent(game, &self.agent, self.seed)?;
        check_start(&self.agent, game.as_ref(), position)?;
        let filter = self.tree.filter();
        if filter.is_some() && !agent.keeps_tree() {
            return Err(Failure::usage(format!(
                "--tree: {} does not keep its search tree; use --agent mcts",
                self.agent
            )));
        }
        let is_recorded = self.json && !is_program(&self.agent) && game.tree_file().is_some();
        let mut recording = is_recorded.then(|| Recording::new(MAX_STEPS));
        let mut savings = Vec::new();
        let report = match position.turn() {
            // A finished game needs no search, and rules that failed before the search allow none.
            Turn::Over => {
                check_rules(game.as_ref())?;
                Report::finished(Vec::new(), Duration::ZERO)
            }
            Turn::Chance => return Err(roll_first(position)),
            Turn::Player(_) => {
                let limits = self.search_limits(game.as_ref())?;
                let mut shown = DepthLines::new();
                let mut live = |report: &Report<String>| shown.show(report);
                let query = Query {
                    limits: limits.clone(),
                    lines: self.lines(),
                    live: Some(&mut live),
                    recording: recording.as_mut(),
                    keep_tree: filter.is_some(),
                };
                let report = agent.analyse(position, query)?;
                // An answer from an opening book has no nodes.
                if report.stats.nodes > 0 {
                    savings = known_value_nodes(game.as_ref(), position, &self.agent, &limits);
                }
                report
            }
        };
        Ok(SearchResult {
            is_deterministic: agent.is_deterministic(),
            tree: filter.and_then(|filter| agent.tree(position, &filter)),
            visited: recording.as_ref().map(visited),
            report,
            savings,
        })
    }

    /// Returns the number of moves that get an exact value and a row.
    fn lines(&self) -> usize {
        self.lines.unwrap_or(if is_program(&self.agent) { usize::MAX } else { 1 })
    }

    fn search_limits(&self, game: &dyn AnyGame) -> Result<Limits, Failure> {
        let SearchLimits { time, nodes, depth } = &self.limits;
        let unlimited = time.is_none() && nodes.is_none() && depth.is_none();
        if is_program(&self.agent) {
            if unlimited {
                let usual = tussle_engine::Terms::default().clock;
                tell(&format!("no limit given: the program has {usual}; change it with --time"));
            }
            return Ok(self.limits.given());
        }
        self.limits.note_idle_depth(game, &self.agent)?;
        let endless = unlimited && game.runs_to_a_proof(&self.agent)?;
        // Install the Ctrl-C handler before announcing it.
        let limits = self.limits.given();
        if endless {
            tell("no limit given: searching until a result is proven; stop with Ctrl-C");
        }
        if let Some(time) = game.default_time(&self.agent, &limits)? {
            tell(&format!(
                "no limit given: {} searches for {} s; change it with --time or --nodes",
                self.agent,
                time.as_secs()
            ));
            return Ok(limits.or_time(time));
        }
        Ok(limits)
    }
}
