//! The table of standard agents. To add one, add it to [`AGENTS`] and to the constructor for its kind of game.

mod alphabeta;
mod booked;
mod expectimax;
mod greedy;
mod maxn;
mod mcts;
mod minimax;
mod resolve;
mod script;
mod shared;
mod tuned;

use std::sync::Arc;

use tussle_core::{Game, ParseError, ZeroSum};
use tussle_search::{Agent, Random, UnsupportedOption};

use crate::command::program_error;
use crate::erased::{Rules, seat};
use crate::param::{Args, Param, Setting};
use crate::params::settle;
use crate::suggest::suggest;
use crate::{AnyAgent, Catalog, Error, Spec};
use alphabeta::{ALPHABETA, ALPHABETA_TEXTBOOK, PARANOID};
use booked::BookAgent;
use expectimax::EXPECTIMAX;
use greedy::GREEDY;
use maxn::MAXN;
use mcts::{MCTS, MCTS_TEXTBOOK};
use minimax::MINIMAX;
pub(crate) use resolve::{
    default_time, expanded, looks_by_plies, recorded, runs_to_a_proof, settled,
};
use resolve::{filled, resolve};
use script::{SCRIPT, Script};
pub(crate) use shared::QueryDefaults;
pub(crate) use tuned::{
    BACKGAMMON, CONNECT4, GO, GOBBLET, KEEP_ON_MOVING, LARGE_GO, PENTAGO, SMALL_GO, TICTACTOE,
    TREE, search_of, textbook,
};
pub use tuned::{Evidence, TunedAgent};

/// Name, description and parameters of an agent.
#[derive(Clone, Copy, Debug)]
pub struct AgentInfo {
    /// Name in spec strings.
    pub name: &'static str,
    /// One-line description.
    pub summary: &'static str,
    /// Parameters.
    pub params: &'static [Param],
}

const RANDOM: AgentInfo = AgentInfo {
    name: "random",
    summary: "random play: all legal moves are equally likely",
    params: &[],
};

/// Entry of a human player in lists. [`AnyGame::agent`] rejects it: programs that read the keyboard handle the spec
/// themselves.
///
/// [`AnyGame::agent`]: crate::AnyGame::agent
pub const HUMAN: AgentInfo =
    AgentInfo { name: "human", summary: "a person at the terminal", params: &[] };

/// Entry of the strongest agent of each game, which [`TunedAgent`] names. Its parameters are those of that agent.
const BEST: AgentInfo = AgentInfo {
    name: "best",
    summary: "the strongest agent of the game; `tussle games GAME` names it and its parameters",
    params: &[],
};

/// All standard agents; [`PRESETS`] are specs of them.
pub const AGENTS: &[AgentInfo] = &[
    HUMAN,
    RANDOM,
    GREEDY,
    SCRIPT,
    MINIMAX,
    ALPHABETA,
    ALPHABETA_TEXTBOOK,
    EXPECTIMAX,
    MAXN,
    PARANOID,
    MCTS,
    MCTS_TEXTBOOK,
    BEST,
];

/// Result of a constructor of agents; `None` if it does not know the name.
type ConstructorResult = Option<Result<Box<dyn AnyAgent>, ParseError>>;

/// Constructor of agents by name.
pub(crate) type MakeAgent<G> = fn(&str, &Arc<Rules<G>>, &Args, u64) -> ConstructorResult;

/// Makes an agent that plays every game.
fn make_any<G: Game + 'static>(
    name: &str,
    rules: &Arc<Rules<G>>,
    args: &Args,
    seed: u64,
) -> ConstructorResult {
    Some(match search_of(name) {
        "random" => Ok(seat(rules, Random::new(seed), QueryDefaults::default())),
        "greedy" => Ok(greedy::make(rules, args, seed)),
        "script" => Ok(Box::new(Script::new(args))),
        "maxn" => Ok(maxn::make(rules, args)),
        "expectimax" => expectimax::make(rules, args),
        "mcts" => mcts::make(rules, args, seed),
        _ => return None,
    })
}

/// Makes an agent for games of two players with opposite interests.
pub(crate) fn make_duel<G: ZeroSum + 'static>(
    name: &str,
    rules: &Arc<Rules<G>>,
    args: &Args,
    seed: u64,
) -> ConstructorResult {
    Some(match search_of(name) {
        "alphabeta" | "paranoid" => alphabeta::make(rules, args, seed),
        "minimax" => minimax::make(rules, args, seed),
        _ => return None,
    })
}

/// Makes an agent for all other games.
pub(crate) fn make_many<G: Game + 'static>(
    name: &str,
    rules: &Arc<Rules<G>>,
    args: &Args,
    seed: u64,
) -> ConstructorResult {
    (name == "paranoid").then(|| alphabeta::make_paranoid(rules, args, seed))
}

/// Makes a type-erased agent if its options fit the game. `evaluation` is the index of its evaluation in the game's
/// list.
fn checked_seat<G: Game + 'static>(
    rules: &Arc<Rules<G>>,
    agent: impl Agent<G> + 'static,
    query: QueryDefaults,
    evaluation: usize,
) -> Result<Box<dyn AnyAgent>, ParseError> {
    match agent.check(&rules.game) {
        Ok(()) => Ok(seat(rules, agent, query)),
        Err(what) => Err(ParseError::new(in_keys(what, rules.evaluations()[evaluation].name))),
    }
}

/// Returns the error message with the keys of spec strings.
fn in_keys(what: UnsupportedOption, evaluation: &str) -> String {
    match what {
        UnsupportedOption::Quiescence => {
            "quiesce=on: this game lists no noisy moves; use quiesce=off".to_owned()
        }
        UnsupportedOption::HeavyRollouts => {
            "rollout=heavy: this game has no heavy playouts; use random or greedy".to_owned()
        }
        UnsupportedOption::Solver => {
            "solver=on: expected a game of two players without chance and points; use solver=off"
                .to_owned()
        }
        UnsupportedOption::Transpositions => {
            "table=on: expected a game without draws by repetition; use table=off".to_owned()
        }
        UnsupportedOption::NoTactics => {
            "prior=tactics: this game does not know promising moves; use prior=uniform".to_owned()
        }
        UnsupportedOption::Memory { .. } => "memory: expected at least 256KB".to_owned(),
        UnsupportedOption::UnknownRange => format!(
            "prune=star1: expected an evaluation with a known range, and that of `{evaluation}` is unknown; use \
             prune=none or another evaluation"
        ),
        other => other.to_string(),
    }
}

/// Name for an agent with given parameters.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// Name in spec strings.
    pub name: &'static str,
    /// Spec that it stands for, of an agent or another preset. Parameters given with the name override those of the
    /// spec.
    pub spec: &'static str,
    /// One-line description.
    pub summary: &'static str,
}

/// All presets.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: "greedy-improved",
        spec: "greedy:eval=pairs",
        summary: "the improved greedy player of the Gobblet course",
    },
    Preset {
        name: "simple",
        spec: "greedy:eval=snug,ties=first",
        summary: "the simple player of the keep-on-moving course: stays close to walls",
    },
    Preset {
        name: "ids",
        spec: "alphabeta-textbook:deepen=on",
        summary: "alpha-beta with iterative deepening",
    },
    Preset {
        name: "ids-go",
        spec: "ids:partial=off",
        summary: "the iterative deepening of the Go course: uses finished depths only",
    },
    Preset {
        name: "minimax-2020",
        spec: "minimax:deepen=on,contract=4,partial=off,shuffle=on,draw=-9999",
        summary: "the minimax player of the keep-on-moving course",
    },
    Preset {
        name: "alphabeta-2020",
        spec: "alphabeta-textbook:order=none,tt=off,window=full,deepen=on,contract=4,partial=off,\
               shuffle=on,draw=-9999,dedupe=off",
        summary: "the alpha-beta player of the keep-on-moving course",
    },
    Preset {
        name: "ordered-2020",
        spec: "alphabeta-2020:order=root",
        summary: "the course's alpha-beta player with root moves sorted by their last values",
    },
    Preset {
        name: "heavy-2020",
        spec: "ordered-2020:eval=territory,radius=15",
        summary: "the course's alpha-beta player with territory counted up to 15 steps away",
    },
    Preset {
        name: "lite-2020",
        spec: "ordered-2020:eval=territory,radius=5",
        summary: "the course's alpha-beta player with territory counted up to 5 steps away",
    },
    Preset {
        name: "mcts-go",
        spec: "mcts-textbook:expand=all,final=visits,draw=0",
        summary: "the MCTS player of the Go course: the reward of a draw is 0",
    },
    Preset {
        name: "mcts-pentago",
        spec: "mcts-textbook:c=sqrt(2/49),reuse=on,final=mean",
        summary: "the MCTS player of the Pentago course: little exploration, c = sqrt(2)/7",
    },
    // Each level has about three times as many simulations as the one below, so that it wins most games against it.
    // The lowest has few more simulations than moves.
    Preset {
        name: "level-1",
        spec: "mcts-textbook:nodes=4",
        summary: "step 1 of 10 of the ladder of strength",
    },
    Preset {
        name: "level-2",
        spec: "mcts-textbook:nodes=16",
        summary: "step 2 of 10 of the ladder of strength",
    },
    Preset {
        name: "level-3",
        spec: "mcts-textbook:nodes=50",
        summary: "step 3 of 10 of the ladder of strength",
    },
    Preset {
        name: "level-4",
        spec: "mcts-textbook:nodes=150",
        summary: "step 4 of 10 of the ladder of strength",
    },
    Preset {
        name: "level-5",
        spec: "mcts-textbook:nodes=500",
        summary: "step 5 of 10 of the ladder of strength",
    },
    Preset {
        name: "level-6",
        spec: "mcts-textbook:nodes=1500",
        summary: "step 6 of 10 of the ladder of strength",
    },
    Preset {
        name: "level-7",
        spec: "mcts-textbook:nodes=5000",
        summary: "step 7 of 10 of the ladder of strength",
    },
    Preset {
        name: "level-8",
        spec: "mcts-textbook:nodes=15000",
        summary: "step 8 of 10 of the ladder of strength",
    },
    Preset {
        name: "level-9",
        spec: "mcts-textbook:nodes=50000",
        summary: "step 9 of 10 of the ladder of strength",
    },
    Preset {
        name: "level-10",
        spec: "mcts-textbook:nodes=150000",
        summary: "step 10 of 10 of the ladder of strength",
    },
];

/// Number of levels of limited strength: `level-1` (weakest) to `level-10` (strongest).
pub const LEVELS: usize = 10;

/// Replaces the name of a preset with its spec, also if that names another preset. Parameters that were given
/// override those of the preset.
fn expand(mut spec: Spec) -> Result<Spec, Error> {
    while let Some(preset) = PRESETS.iter().find(|preset| preset.name == spec.name) {
        let preset = Spec::parse(preset.spec)?;
        spec = Spec { name: preset.name.clone(), pairs: filled(&spec.pairs, preset) };
    }
    Ok(spec)
}

/// Queries about agents by their specs.
impl Catalog {
    /// Returns the spec of an agent with all presets replaced: the name of an agent and all given parameters. Leaves
    /// `best`, which depends on the game; [`AnyGame::expanded_agent`](crate::AnyGame::expanded_agent) replaces it.
    ///
    /// # Errors
    /// If no agent or preset has this name.
    pub fn expanded(&self, spec: &str) -> Result<Spec, Error> {
        self.agent_name(spec)?;
        expand(Spec::parse(spec)?)
    }

    /// Returns true if a spec names a human player.
    ///
    /// # Errors
    /// If no agent or preset has this name, or parameters were given for a human player.
    pub fn is_human(&self, spec: &str) -> Result<bool, Error> {
        let human = self.agent_name(spec)? == HUMAN.name;
        if human {
            settle(&Spec::parse(spec)?, HUMAN.params, &[])?;
        }
        Ok(human)
    }

    /// Returns the name in an agent's spec, which must be in the catalog.
    fn agent_name(&self, spec: &str) -> Result<String, Error> {
        let parsed = Spec::parse(spec);
        let ours = || AGENTS.iter().map(|a| a.name).chain(PRESETS.iter().map(|p| p.name));
        let names = || ours().chain(self.own_agents().iter().map(|agent| agent.name));
        let is_known = |spec: &Spec| names().any(|known| known == spec.name);
        if !parsed.as_ref().is_ok_and(is_known)
            && let Some(error) = program_error(spec)
        {
            return Err(error);
        }
        let name = parsed?.name;
        if names().any(|known| known == name) {
            return Ok(name);
        }
        let help = suggest(&name, "agents", names());
        Err(Error::Spec(format!("unknown agent `{name}`; {help}")))
    }
}

/// Makes an agent that was added to the catalog, if it has one of this name.
fn make_own<G: Game + 'static>(
    rules: &Arc<Rules<G>>,
    spec: &Spec,
    seed: u64,
) -> Result<Option<Box<dyn AnyAgent>>, Error> {
    let agents = rules.catalog.own_agents();
    if agents.iter().all(|agent| agent.name != spec.name) {
        return Ok(None);
    }
    settle(spec, &[], &[])?;
    let mut named = agents.iter().filter(|agent| agent.name == spec.name);
    let made = named.find_map(|agent| agent.make(rules, seed));
    if made.is_none() {
        let (agent, game) = (&spec.name, &rules.spec);
        return Err(Error::Spec(format!("{agent}: this agent does not play {game}")));
    }
    Ok(made)
}

/// Makes an agent without its opening book from a spec with all defaults of the game. `given_name` is the name in the
/// user's spec.
fn make<G: Game + 'static>(
    rules: &Arc<Rules<G>>,
    spec: &Spec,
    given_name: &str,
    seed: u64,
) -> Result<(Box<dyn AnyAgent>, Args), Error> {
    let Some(info) = AGENTS.iter().find(|info| info.name == spec.name) else {
        return Err(Error::Spec(format!("{}: this agent has no parameters", spec.name)));
    };
    let args = settle(spec, info.params, rules.evaluations()).map_err(|error| match error {
        Error::Spec(why) if given_name != spec.name => {
            let preset = PRESETS.iter().find(|preset| preset.name == given_name);
            let stands_for = preset.map_or(spec.name.as_str(), |preset| preset.spec);
            Error::Spec(format!("{given_name} (preset for {stands_for}): {why}"))
        }
        other => other,
    })?;
    if info.name == HUMAN.name {
        return Err(Error::Spec(format!(
            "{given_name}: a human player is only possible in `tussle play`"
        )));
    }
    let made = make_any(info.name, rules, &args, seed)
        .or_else(|| (rules.capabilities.special)(info.name, rules, &args, seed));
    let agent = made
        .unwrap_or_else(|| {
            let (game, players) = (&rules.spec, rules.game.players());
            let why = if players == 2 {
                format!("which {game} does not declare (`Entry::zero_sum`); use mcts or maxn")
            } else {
                format!("but {game} has {players} players; use maxn or paranoid")
            };
            Err(ParseError::new(format!(
                "expected a game of two players with opposite interests, {why}"
            )))
        })
        .map_err(|reason| Error::Rules { spec: given_name.to_owned(), reason })?;
    Ok((agent, args))
}

pub(crate) fn build_agent<G: Game + 'static>(
    rules: &Arc<Rules<G>>,
    spec: &str,
    seed: u64,
) -> Result<Box<dyn AnyAgent>, Error> {
    rules.catalog.agent_name(spec)?;
    if let Some(own) = make_own(rules, &Spec::parse(spec)?, seed)? {
        return Ok(own);
    }
    let (agent, args) = resolve(rules, spec, seed)?.agent?;
    // Every agent with the parameter `book` can have an opening book.
    if let Some(Setting::File { path, text }) = args.get("book") {
        return Ok(Box::new(BookAgent::new(rules.erased(), path, text, agent)?));
    }
    Ok(agent)
}

#[cfg(test)]
mod tests {
    use super::{AGENTS, alphabeta, expand, expectimax, maxn, mcts, minimax};
    use crate::param::Args;
    use crate::params::settle;
    use crate::{Evaluation, Spec};

    #[test]
    fn a_preset_may_stand_for_another_one() {
        let expand = |text: &str| expand(Spec::parse(text).unwrap()).unwrap();
        let spec = expand("lite-2020:radius=7,draw=0");
        assert_eq!(spec.name, "alphabeta-textbook");
        let value = |key| spec.value(key);
        assert_eq!((value("order"), value("tt")), (Some("root"), Some("off")));
        assert_eq!((value("radius"), value("draw")), (Some("7"), Some("0")));
        assert_eq!(expand("lite-2020").value("radius"), Some("5"));
    }

    #[test]
    fn default_parameters_equal_the_defaults_of_the_library() {
        type Agree = fn(&Args) -> bool;
        let tables: [(&str, Agree); 5] = [
            ("minimax", minimax::defaults_agree),
            ("alphabeta", alphabeta::defaults_agree),
            ("expectimax", expectimax::defaults_agree),
            ("maxn", maxn::defaults_agree),
            ("mcts", mcts::defaults_agree),
        ];
        let first = Evaluation { name: "e", summary: "", params: Vec::new(), antisymmetric: true };
        let evaluations = [first];
        for (name, defaults_agree) in tables {
            let info = AGENTS.iter().find(|info| info.name == name).expect("it is listed");
            let args = settle(&Spec::parse(name).unwrap(), info.params, &evaluations);
            assert!(defaults_agree(&args.unwrap()), "{name}");
        }
    }

    #[test]
    fn the_course_player_of_pentago_explores_by_sqrt_2_sevenths() {
        let c = expand(Spec::parse("mcts-pentago").unwrap()).unwrap().value("c").map(str::to_owned);
        assert_eq!(c.and_then(|c| crate::parse_number(&c)), Some(0.202_030_508_910_442_14));
    }
}
