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

/// Tell a search step by step: windows, cuts and their reasons, simulations, what each depth changed
///
/// The steps are those of the real search. Lines are indented as deep as the search was; values are those of the
/// first player, MAX. A tree with wins and visits is worked out as an exercise about UCB1. `tussle docs explain`
/// says how to read it.
///
/// Examples:
///   tussle explain tree:file=examples/trees/lecture-alphabeta.json --agent alphabeta:order=none
///   tussle explain tree:file=examples/trees/lecture-mcts.json --agent mcts:c=2 --nodes 4
///   tussle explain tree:file=examples/trees/ucb1-exercise.json --svg pictures
///   tussle explain connect4 --moves 4,4 --agent ids --depth 3
///   tussle explain go:size=5 --agent mcts --nodes 200 --html search.html
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Explain {
    /// The game: name[:key=value,…], as `tussle games` lists them.
    game: String,
    #[command(flatten)]
    from: StartPosition,
    /// Agent that searches, name[:key=value,…]; see `tussle agents`. Programs cannot be explained [default: alphabeta]
    #[arg(long, value_name = "AGENT")]
    agent: Option<String>,
    #[command(flatten)]
    limits: SearchLimits,
    /// Seed of everything random in the search.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Every line, however many there are.
    #[arg(long)]
    all: bool,
    /// One JSON document.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    pictures: Pictures,
}

/// Who searches if nobody is named.
const DEFAULT: &str = "alphabeta";

impl Explain {
    pub(crate) fn run(&self, catalog: &Catalog) -> Result<(), Failure> {
        if let Some(program) = self.agent.as_deref().filter(|agent| is_program(agent)) {
            return Err(Failure::usage(format!(
                "--agent {program}: explain shows the steps of a search, and a program tells only its answer; use \
                 an agent such as mcts or alphabeta, or `tussle analyse --agent {}` for what the program tells",
                shlex::try_quote(program).unwrap_or_default()
            )));
        }
        let (game, position) = self.from.open(catalog, &self.game)?;
        if let Some(exercise) =
            work::exercise(game.as_ref(), position.as_ref(), self.agent.as_deref())?
        {
            limits::note_idle(&self.limits, "an exercise is worked out, not searched");
            work::print(game.spec(), &exercise, self.json)?;
            return self.pictures.write_exercise(&exercise, game.spec());
        }
        let agent = self.agent.as_deref().unwrap_or(DEFAULT);
        match position.turn() {
            Turn::Player(_) => {}
            Turn::Over => {
                return Err(Failure::usage("the game is over here: there is nothing to search"));
            }
            Turn::Chance => return Err(roll_first(position.as_ref())),
        }
        // What is wrong with it is said before anything else.
        game.agent(agent, self.seed)?;
        let limits = limits::search_limits(&self.limits, position.as_ref(), agent)?;
        let told =
            tussle_explain::explain(game.as_ref(), position.as_ref(), agent, &limits, self.seed)
                .map_err(refusal::failure)?;
        if self.json {
            output::json(&told.document(game.as_ref(), position.as_ref()))?;
        } else {
            output::print(&self.text(&told))?;
        }
        // The story may have taken long: it is out before a file can fail.
        self.pictures.write(&told, position.as_ref())
    }

    fn text(&self, told: &Explanation) -> String {
        let narration = told.narration_text((!self.all).then_some(MAX_TEXT_LINES));
        let summary = told.summary().join("\n");
        format!("{}\n\n{narration}\n{summary}\n", heading(told))
    }
}

/// What is searched, and for whom the numbers are.
fn heading(told: &Explanation) -> String {
    let start = format!("{} searches {}", told.agent, told.game);
    if told.tree.has_names() {
        return format!("{start} from {}", told.position);
    }
    let frame =
        if told.tree.players() > 2 { "" } else { "\nMAX is the first player, MIN the second" };
    format!("{start}\nposition: {}{frame}", told.position)
}
