//! Setup of an experiment: the entry of the list with the user's game, agents, values and positions.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use tussle_catalog::{AnyAgent, AnyGame, AnyPosition, Catalog, Spec, is_program};
use tussle_core::{Limits, StopFlag, Turn};
use tussle_engine::{FreshAgents, Programs, check_spec, needs_moves};

use super::options::{ExperimentOptions, StartOption};
use super::swept::Swept;
use super::{Context, Experiment, ExperimentError, Group};
use crate::measure::positions::{RANDOM_PLIES, positions};
use crate::sentences::{game_words, list};
use crate::{LabError, Result};

/// Maximum length of the name of an agent in a legend, in characters.
const MAX_LEGEND_CHARS: usize = 32;

/// Time of a program for a move, if its nodes are limited.
pub(super) const PROGRAM_TIME: Duration = Duration::from_secs(2);

/// Experiment that is ready to be measured.
pub(crate) struct Setup {
    /// Name of the experiment.
    pub(super) name: &'static str,
    pub(super) question: String,
    /// Title of the figure, if it is not that of the list.
    pub(super) title: Option<String>,
    /// Spec of the game, or of several games, separated by commas and spaces.
    pub(super) game: String,
    pub(super) agents: Vec<Player>,
    /// Labels of the axes, as in the list.
    pub(super) axes: [String; 2],
    /// Values of the swept parameter.
    pub(super) points: Vec<f64>,
    /// Number of positions, games or runs per point.
    pub(super) repeats: u32,
    pub(super) start: Start,
    /// Parts that the user chose.
    pub(super) own: Own,
    /// Names of agents of the list that do not play the user's game.
    dropped: Vec<String>,
    catalog: Catalog,
    programs: Programs,
    /// Games by spec: an agent answers only positions of the very game that it was made for.
    games: RefCell<HashMap<String, Arc<dyn AnyGame>>>,
}

/// Agent of an experiment.
#[derive(Clone, Debug)]
pub(crate) struct Player {
    /// Title of the chart that has the agent.
    pub(super) group: String,
    pub(super) name: String,
    pub(super) spec: String,
    /// Name and spec of the opponent in matches, if it is not that of the list.
    pub(super) opponent: Option<(String, String)>,
    /// Number of the agent in the list, from 0.
    pub(super) place: usize,
}

impl Player {
    pub(super) fn new(name: impl Into<String>, spec: impl Into<String>) -> Self {
        let (name, spec) = (name.into(), spec.into());
        Self { group: String::new(), name, spec, opponent: None, place: 0 }
    }

    pub(super) fn is_program(&self) -> bool {
        is_program(&self.spec)
    }

    /// Returns limits with a time limit for a program, which may ignore the number of nodes.
    pub(super) fn within_time(&self, limits: Limits) -> Limits {
        if self.is_program() { limits.or_time(PROGRAM_TIME) } else { limits }
    }
}

/// Parts of a setup that the user chose.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each part is chosen on its own")]
pub(super) struct Own {
    pub(super) game: bool,
    pub(super) agents: bool,
    pub(super) range: bool,
    pub(super) start: bool,
}

/// Positions in which searches begin.
#[derive(Default)]
pub(super) enum Start {
    #[default]
    Usual,
    Random(u32),
    Given(Box<dyn AnyPosition>),
}

/// Positions in which a kind of experiment can begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StartSupport {
    /// Every run begins in one position; several runs may begin in several.
    PerRun,
    /// All searches begin in one position.
    One,
    /// The repeats are random positions; one given position takes their place.
    Repeats,
    /// The repeats are random positions of a certain kind.
    RandomOnly,
    /// Games begin with random openings.
    Openings,
    /// Games begin at the start.
    None,
}

/// Parts of a kind of experiment that a setup needs.
pub(super) struct KindFacts {
    pub(super) groups: &'static [Group],
    pub(super) swept: Swept,
    pub(super) start: StartSupport,
    /// Agents for a game that none of the list's agents plays.
    pub(super) fallback: fn(&dyn AnyGame) -> Vec<Player>,
}

impl Setup {
    /// Returns the setup of an entry of the list.
    pub(super) fn listed(
        experiment: &Experiment,
        facts: &KindFacts,
        context: &Context<'_>,
    ) -> Self {
        let plan = experiment.plan(context);
        Self {
            name: experiment.name,
            question: experiment.question.to_owned(),
            title: None,
            game: experiment.game.to_owned(),
            agents: experiment.players(facts.groups),
            axes: experiment.axes.map(str::to_owned),
            points: plan.points.to_vec(),
            repeats: plan.repeats,
            start: Start::Usual,
            own: Own::default(),
            dropped: Vec::new(),
            catalog: context.catalog.clone(),
            programs: context.programs.clone(),
            games: RefCell::default(),
        }
    }

    /// Applies the user's choices.
    pub(super) fn choose(&mut self, facts: &KindFacts, options: ExperimentOptions) -> Result<()> {
        let ExperimentOptions { game, agents, range, start, repeats } = options;
        if let Some(game) = game {
            let rules = self.catalog.game(&game)?;
            let words = game_words(rules.spec());
            self.question = self.question.replace(&game_words(&self.game), &words);
            rules.spec().clone_into(&mut self.game);
            self.own.game = true;
        }
        if !agents.is_empty() {
            self.own.agents = true;
            self.agents.clear();
            for (place, agent) in agents.into_iter().enumerate() {
                let name = agent.name.unwrap_or_else(|| legend_name(&agent.spec));
                let name = self.free_name(&name);
                self.agents.push(Player { place, ..Player::new(name, agent.spec) });
            }
        }
        if let Some(range) = range {
            self.points = facts.swept.values(self.name, &range)?;
            self.own.range = true;
        }
        self.begin_in(facts.start, start, repeats)?;
        if self.own.game && !self.own.agents {
            self.keep_agents_of_game(facts)?;
        }
        if self.own.agents {
            for game in self.game.split(", ") {
                let game = self.game_of(game)?;
                for player in &self.agents {
                    check_spec(&self.with_first_point(&player.spec), None, 1, game.as_ref())?;
                }
            }
        }
        Ok(())
    }

    /// Sets the positions and the number of repeats.
    fn begin_in(
        &mut self,
        support: StartSupport,
        start: StartOption,
        repeats: Option<u32>,
    ) -> Result<()> {
        let experiment = self.name;
        let wrong =
            |option, why| Err(ExperimentError::Positions { experiment, option, why }.into());
        if let Some(repeats) = repeats {
            self.repeats = repeats;
        }
        let (option, is_one) = match &start {
            StartOption::Usual => return Ok(()),
            StartOption::Random(_) => ("--positions", false),
            StartOption::Given(_) => ("--position", true),
        };
        match support {
            StartSupport::Openings => {
                return wrong(
                    option,
                    "has no meaning: games begin with random openings; leave it out",
                );
            }
            StartSupport::None => {
                return wrong(option, "has no meaning: games begin at the start; leave it out");
            }
            StartSupport::One if !is_one => {
                return wrong(
                    option,
                    "has no meaning: all searches begin in one position; use --position",
                );
            }
            StartSupport::RandomOnly if is_one => {
                return wrong(
                    option,
                    "has no meaning: the answer is a share of many positions; use --positions",
                );
            }
            StartSupport::Repeats | StartSupport::RandomOnly if repeats.is_some() => {
                return wrong(
                    "--repeats",
                    "has no meaning: each position is searched once; use --positions only",
                );
            }
            _ => {}
        }
        if is_one && self.game.contains(", ") {
            return wrong(
                option,
                "belongs to one game, and the experiment has several; give --game",
            );
        }
        self.own.start = true;
        match start {
            StartOption::Usual => {}
            StartOption::Random(count) => {
                if matches!(support, StartSupport::Repeats | StartSupport::RandomOnly)
                    || repeats.is_none()
                {
                    self.repeats = count;
                }
                if support == StartSupport::PerRun {
                    self.start = Start::Random(count);
                }
            }
            StartOption::Given(position) => {
                if !matches!(position.turn(), Turn::Player(_)) {
                    return wrong(
                        "--position",
                        "has no player to move; choose an earlier or later one",
                    );
                }
                if support == StartSupport::Repeats {
                    self.repeats = 1;
                }
                self.games.borrow_mut().insert(self.game.clone(), position.rules());
                self.start = Start::Given(position);
            }
        }
        Ok(())
    }

    /// Drops the agents of the list that do not play the user's game.
    fn keep_agents_of_game(&mut self, facts: &KindFacts) -> Result<()> {
        let game = self.game()?;
        let mut first_error = None;
        let mut kept = Vec::new();
        for player in std::mem::take(&mut self.agents) {
            match self.agent(&game, &self.with_first_point(&player.spec), 1) {
                Ok(_) => kept.push(player),
                Err(error) => {
                    self.dropped.push(player.name);
                    first_error.get_or_insert(error);
                }
            }
        }
        if kept.is_empty() {
            kept = (facts.fallback)(game.as_ref());
            kept.retain(|player| self.agent(&game, &player.spec, 1).is_ok());
        }
        self.agents = kept;
        match first_error {
            Some(error) if self.agents.is_empty() => Err(error),
            _ => Ok(()),
        }
    }

    /// Returns a spec with the first value of the swept parameter.
    pub(super) fn with_first_point(&self, spec: &str) -> String {
        spec.replace("{x}", &self.points.first().copied().unwrap_or(1.0).to_string())
    }

    /// Returns a name that no agent has yet.
    fn free_name(&self, name: &str) -> String {
        let is_taken = |name: &str| self.agents.iter().any(|agent| agent.name == name);
        let mut free = name.to_owned();
        let mut number = 2;
        while is_taken(&free) {
            free = format!("{name} #{number}");
            number += 1;
        }
        free
    }

    /// Returns the game of an experiment with one game.
    pub(super) fn game(&self) -> Result<Arc<dyn AnyGame>> {
        self.game_of(&self.game)
    }

    pub(super) fn game_of(&self, spec: &str) -> Result<Arc<dyn AnyGame>> {
        if let Some(game) = self.games.borrow().get(spec) {
            return Ok(Arc::clone(game));
        }
        let game = self.catalog.game(spec)?;
        self.games.borrow_mut().insert(spec.to_owned(), Arc::clone(&game));
        Ok(game)
    }

    pub(super) fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// Returns an agent of the catalog or a program.
    pub(super) fn agent(
        &self,
        game: &Arc<dyn AnyGame>,
        spec: &str,
        seed: u64,
    ) -> Result<Box<dyn AnyAgent>> {
        Ok(self.programs.agent(game, spec, seed)?)
    }

    /// Returns a source of fresh agents.
    pub(super) fn agents_of(&self, game: &Arc<dyn AnyGame>, spec: &str) -> Result<FreshAgents> {
        Ok(self.programs.agents(game, spec)?)
    }

    /// Makes a measurement by the clock. A program works in another process, so that the time of this thread says nothing
    /// about the load of the machine.
    pub(super) fn timed<T: Serialize + DeserializeOwned>(
        context: &mut Context<'_>,
        player: &Player,
        key: &str,
        weight: u64,
        measurement: impl FnOnce(&StopFlag) -> Result<T, LabError>,
    ) -> Result<T> {
        if player.is_program() {
            context.measure(key, weight, &player.name, measurement)
        } else {
            context.timed(key, weight, &player.name, measurement)
        }
    }

    /// Returns the position in which all searches begin.
    pub(super) fn position(&self, game: &dyn AnyGame) -> Box<dyn AnyPosition> {
        match &self.start {
            Start::Given(position) => position.boxed(),
            Start::Usual | Start::Random(_) => game.start(),
        }
    }

    /// Returns the positions of the runs, the first one for the first run.
    pub(super) fn positions_of_runs(
        &self,
        game: &dyn AnyGame,
        seed: u64,
    ) -> Result<Vec<Box<dyn AnyPosition>>> {
        match self.start {
            Start::Random(count) => {
                let positions = positions(game, count, RANDOM_PLIES, seed)?;
                self.check_moves_suffice()?;
                Ok(positions)
            }
            Start::Usual | Start::Given(_) => Ok(vec![self.position(game)]),
        }
    }

    /// Returns random positions, or the given one.
    pub(super) fn random_positions(
        &self,
        game: &dyn AnyGame,
        seed: u64,
    ) -> Result<Vec<Box<dyn AnyPosition>>> {
        self.check_moves_suffice()?;
        match &self.start {
            Start::Given(position) => Ok(vec![position.boxed()]),
            Start::Usual | Start::Random(_) => positions(game, self.repeats, RANDOM_PLIES, seed),
        }
    }

    /// Returns an error if an agent cannot set up positions.
    pub(super) fn check_moves_suffice(&self) -> Result<()> {
        match self.agents.iter().find(|player| needs_moves(&player.spec)) {
            Some(player) => Err(self
                .unfit(player, "cannot set up positions; use a program that speaks JSON or UGI")),
            None => Ok(()),
        }
    }

    /// Returns what a measurement's key needs to name another position than the start of the game.
    pub(super) fn key_of_position(&self, position: &dyn AnyPosition) -> String {
        match self.start {
            Start::Usual => String::new(),
            Start::Random(_) | Start::Given(_) => format!(" at {}", position.text()),
        }
    }

    /// Describes the game and the agents, for a setup with choices of the user.
    pub(super) fn description(&self) -> Option<String> {
        let Own { game, agents, range, start } = self.own;
        if !(game || agents || range || start) {
            return None;
        }
        let agents = self.agents.iter().map(|Player { name, spec, .. }| {
            if name == spec { name.clone() } else { format!("{name} = {spec}") }
        });
        let agents: Vec<String> = agents.collect();
        let mut said = format!("Game: {}. Agents: {}.", self.game, agents.join("; "));
        if let Start::Given(position) = &self.start {
            said += &format!(" Position: {}.", position.text());
        }
        if !self.dropped.is_empty() {
            said +=
                &format!(" Left out, because they do not play this game: {}.", list(&self.dropped));
        }
        Some(said)
    }

    /// Returns the error of an agent that does not fit the experiment.
    pub(super) fn unfit(&self, player: &Player, why: impl Into<String>) -> LabError {
        let (experiment, agent, why) = (self.name, player.spec.clone(), why.into());
        ExperimentError::Agent { experiment, agent, why }.into()
    }

    /// Returns the error of an agent whose reports lack a number.
    pub(super) fn unreported(&self, player: &Player, what: &str) -> LabError {
        self.unfit(player, format!("reports no {what}; use an agent that does"))
    }

    /// Returns the error of a game that does not fit the experiment.
    pub(super) fn unfit_game(&self, game: &dyn AnyGame, why: impl Into<String>) -> LabError {
        let (experiment, game, why) = (self.name, game.spec().to_owned(), why.into());
        ExperimentError::Game { experiment, game, why }.into()
    }

    /// Returns an error unless a player is to move in the position in which the searches begin.
    pub(super) fn expect_player_to_move(&self, game: &dyn AnyGame) -> Result<()> {
        if matches!(self.position(game).turn(), Turn::Player(_)) {
            return Ok(());
        }
        let why = "begins with a move of chance; give a position after it (--moves or --position)";
        Err(self.unfit_game(game, why))
    }

    /// Returns an error unless two players play the game.
    pub(super) fn expect_two_players(&self, game: &dyn AnyGame) -> Result<()> {
        match game.players() {
            2 => Ok(()),
            n => Err(self.unfit_game(game, format!("has {n} players; use a game of two players"))),
        }
    }

    /// Returns an error unless every agent searches by plies.
    pub(super) fn expect_plies(&self, game: &dyn AnyGame) -> Result<()> {
        for player in self.agents.iter().filter(|player| !player.is_program()) {
            if !game.looks_by_plies(&self.with_first_point(&player.spec))? {
                return Err(self.unfit(
                    player,
                    "does not search by plies; use an agent with a depth limit, such as alphabeta",
                ));
            }
        }
        Ok(())
    }

    /// Returns an error if an agent is a program.
    pub(super) fn expect_no_program(&self, why: &str) -> Result<()> {
        match self.agents.iter().find(|player| player.is_program()) {
            Some(player) => Err(self.unfit(player, why)),
            None => Ok(()),
        }
    }

    /// Returns true if an agent of the catalog can have a key with this value.
    pub(super) fn takes(&self, game: &dyn AnyGame, spec: &str, key: &str, value: &str) -> bool {
        let spec = with_pair(&self.with_first_point(spec), key, value);
        !is_program(&spec) && game.agent(&spec, 1).is_ok()
    }

    /// Adds a number of nodes to the specs of sampling agents without a limit.
    pub(super) fn limit_sampling(&mut self, game: &dyn AnyGame, nodes: u64) -> Result<()> {
        for i in 0..self.agents.len() {
            let player = &self.agents[i];
            if player.is_program() || self.limits_itself(game, &player.spec)? {
                continue;
            }
            if game.looks_by_plies(&self.with_first_point(&player.spec))? {
                let why = "has no limit of its own; add depth=N or nodes=N to its spec";
                return Err(self.unfit(player, why));
            }
            self.agents[i].spec = with_pair(&player.spec, "nodes", &nodes.to_string());
        }
        Ok(())
    }

    /// Lets agents visit equivalent moves, which they would count as one, unless their specs say what to do with them.
    pub(super) fn keep_equivalent_moves(&mut self, game: &dyn AnyGame) {
        for i in 0..self.agents.len() {
            let spec = &self.agents[i].spec;
            let is_given = Spec::parse(spec).is_ok_and(|spec| spec.value("dedupe").is_some());
            if !is_given && self.takes(game, spec, "dedupe", "off") {
                self.agents[i].spec = with_pair(spec, "dedupe", "off");
            }
        }
    }

    /// Puts the swept parameter into the specs of the user's agents: as the value of a key, unless a spec has it already.
    /// Returns the key that has it, if all agents have it in the same one.
    pub(super) fn sweep_key(&mut self, game: &dyn AnyGame, key: &str) -> Result<Option<String>> {
        let mut keys = Vec::new();
        for i in 0..self.agents.len() {
            let player = &self.agents[i];
            if !player.spec.contains("{x}") {
                let first = self.points.first().copied().unwrap_or(1.0).to_string();
                if player.is_program() || !self.takes(game, &player.spec, key, &first) {
                    let why = format!(
                        "has no key `{key}`; write {{x}} for the swept value into the spec of an agent, such as mcts:{key}={{x}}"
                    );
                    return Err(self.unfit(player, why));
                }
                self.agents[i].spec = with_pair(&player.spec, key, "{x}");
            }
            keys.push(swept_key(&self.agents[i].spec));
        }
        keys.dedup();
        Ok(if let [key] = keys.as_slice() { key.clone() } else { None })
    }

    /// Adds the least number of workers, with which others are compared, to the swept values.
    pub(super) fn begin_at_one(&mut self) {
        if self.points.first().is_none_or(|first| *first > 1.0) {
            self.points.insert(0, 1.0);
        }
    }

    /// Returns true if the spec of an agent limits its searches.
    pub(super) fn limits_itself(&self, game: &dyn AnyGame, spec: &str) -> Result<bool> {
        let spec = self.with_first_point(spec);
        let is_endless =
            game.runs_to_a_proof(&spec)? || game.default_time(&spec, &Limits::none())?.is_some();
        Ok(!is_endless)
    }
}

/// Returns a spec with this key, instead of the value that it has.
pub(super) fn with_pair(spec: &str, key: &str, value: &str) -> String {
    let Ok(mut parsed) = Spec::parse(spec) else { return spec.to_owned() };
    parsed.pairs.retain(|(other, _)| other != key);
    parsed.pairs.push((key.to_owned(), value.to_owned()));
    parsed.to_string()
}

/// Returns the key of an agent's spec whose value is the swept parameter; `None` for programs.
pub(super) fn swept_key(spec: &str) -> Option<String> {
    let spec = Spec::parse(spec).ok().filter(|_| !is_program(spec))?;
    spec.pairs.into_iter().find(|(_, value)| value.contains("{x}")).map(|(key, _)| key)
}

/// Returns a spec without a key.
pub(super) fn without_key(spec: &str, key: &str) -> String {
    let Ok(mut parsed) = Spec::parse(spec) else { return spec.to_owned() };
    parsed.pairs.retain(|(other, _)| other != key);
    parsed.to_string()
}

/// Returns the name of an agent without a name: its spec. Of a long command, the folders are left out; of any other long
/// spec, the middle.
fn legend_name(spec: &str) -> String {
    let is_long = |text: &str| text.chars().count() > MAX_LEGEND_CHARS;
    let mut name = spec.to_owned();
    if is_long(&name) && is_program(spec) {
        let words = spec.split_whitespace().map(|word| word.rsplit('/').next().unwrap_or(word));
        let protocol = spec.split(':').next().unwrap_or_default();
        name = words.collect::<Vec<_>>().join(" ");
        if !name.starts_with(protocol) {
            name = format!("{protocol}:{name}");
        }
    }
    if !is_long(&name) {
        return name;
    }
    let count = name.chars().count();
    let end = MAX_LEGEND_CHARS / 3;
    let head: String = name.chars().take(MAX_LEGEND_CHARS - 1 - end).collect();
    let tail: String = name.chars().skip(count - end).collect();
    format!("{head}…{tail}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_specs_are_short_in_legends() {
        assert_eq!(legend_name("mcts:c=1"), "mcts:c=1");
        let program = legend_name("json:python3 /home/somebody/course/agents/mine.py");
        assert_eq!(program, "json:python3 mine.py");
        let program = legend_name("json:/home/somebody/course/agents/build/mine");
        assert_eq!(program, "json:mine");
        let long = legend_name("alphabeta-textbook:order=none,tt=off,window=full");
        assert_eq!((long.chars().count(), &long[..19]), (32, "alphabeta-textbook:"));
        assert!(long.ends_with("indow=full"), "{long}");
    }

    #[test]
    fn a_pair_replaces_the_value_of_its_key() {
        assert_eq!(with_pair("mcts", "c", "{x}"), "mcts:c={x}");
        assert_eq!(with_pair("mcts:c=1,nodes=5", "c", "2"), "mcts:nodes=5,c=2");
        assert_eq!(without_key("mcts:c=1,nodes=5", "c"), "mcts:nodes=5");
        assert_eq!(swept_key("mcts:nodes=5,fpu={x}").as_deref(), Some("fpu"));
        assert_eq!(swept_key("json:./a --c={x}"), None);
    }
}
