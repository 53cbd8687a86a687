//! `tussle explain`

mod limits;
mod pictures;
mod refusal;
mod work;

use clap::Args;
use tussle_catalog::{Catalog, is_program};
use tussle_core::Turn;
use tussle_explain::{Explanation, MAX_TEXT_LINES};

use self::pictures::Pictures;
use crate::args::{SearchLimits, StartPosition};
use crate::failure::Failure;
use crate::output;
use crate::start::roll_first;

/// Explain a search step by step: windows, cutoffs with reasons, simulations, depths
///
/// The steps are those of the real search. Lines are indented by depth; values are those of the first player,
/// MAX. A tree with wins and visits is solved as an exercise about UCB1. `tussle docs explain` describes the
/// output.
///
/// Examples:
///   tussle explain tree:file=examples/trees/lecture-alphabeta.json
///   tussle explain tree:file=examples/trees/lecture-mcts.json --agent mcts:c=2
///   tussle explain tree:file=examples/trees/ucb1-exercise.json --svg pictures
///   tussle explain connect4 --moves 4,4 --agent ids --depth 3
///   tussle explain go:size=5 --agent mcts --nodes 200 --html search.html
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Explain {
    /// Game spec, name[:key=value,…]; see `tussle games`
    game: String,
    #[command(flatten)]
    from: StartPosition,
    /// Agent spec, name[:key=value,…]; see `tussle agents`. Programs cannot be explained [default:
    /// alphabeta]
    #[arg(long, value_name = "AGENT")]
    agent: Option<String>,
    #[command(flatten)]
    limits: SearchLimits,
    /// Seed of all random choices of the search
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print all lines, without a maximum
    #[arg(long)]
    all: bool,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    pictures: Pictures,
}

/// Agent that searches by default.
const DEFAULT_AGENT: &str = "alphabeta";

impl Explain {
    pub(crate) fn run(&self, catalog: &Catalog) -> Result<(), Failure> {
        if let Some(program) = self.agent.as_deref().filter(|agent| is_program(agent)) {
            return Err(Failure::usage(format!(
                "--agent {program}: the search of a program cannot be explained; use an agent such as mcts or \
                 alphabeta, or `tussle analyse --agent {}` for the program's answer",
                shlex::try_quote(program).unwrap_or_default()
            )));
        }
        let (game, position) = self.from.open(catalog, &self.game)?;
        if let Some(exercise) =
            work::exercise(game.as_ref(), position.as_ref(), self.agent.as_deref())?
        {
            limits::note_idle(&self.limits, "an exercise needs no search");
            work::print(game.spec(), &exercise, self.json)?;
            return self.pictures.write_exercise(&exercise, game.spec());
        }
        let agent = self.agent.as_deref().unwrap_or(DEFAULT_AGENT);
        match position.turn() {
            Turn::Player(_) => {}
            Turn::Over => {
                return Err(Failure::usage(
                    "the game is over in this position: there is nothing to search",
                ));
            }
            Turn::Chance => return Err(roll_first(position.as_ref())),
        }
        // Report a wrong agent before all else.
        game.agent(agent, self.seed)?;
        let limits = limits::search_limits(&self.limits, position.as_ref(), agent)?;
        let told =
            tussle_explain::explain(game.as_ref(), position.as_ref(), agent, &limits, self.seed)
                .map_err(refusal::failure)?;
        if self.json {
            output::json(&told.document(game.as_ref(), position.as_ref()))?;
        } else {
            output::report(&self.text(&told))?;
        }
        // The search may have taken long: print the result before writing a file can fail.
        self.pictures.write(&told, position.as_ref())
    }

    fn text(&self, told: &Explanation) -> String {
        let narration = told.narration_text((!self.all).then_some(MAX_TEXT_LINES));
        let summary = told.summary().join("\n");
        format!("{}\n\n{narration}\n{summary}\n", heading(told))
    }
}

/// Returns the heading: agent, game, position and players.
fn heading(told: &Explanation) -> String {
    let start = format!("{} searches {}", told.agent, told.game);
    if told.tree.has_names() {
        return format!("{start} from {}", told.position);
    }
    let frame =
        if told.tree.players() > 2 { "" } else { "\nMAX is the first player, MIN the second" };
    format!("{start}\nposition: {}{frame}", told.position)
}
