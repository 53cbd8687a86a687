//! Rows of games, agents and parameters, for lists and JSON.

use serde::Serialize;

use crate::agents::PRESETS;
use crate::{AGENTS, Catalog, Evidence, GameEntry, Param, ParamKind, Spec, TunedAgent};

/// Row of a game.
#[derive(Clone, Debug, Serialize)]
pub struct GameRow {
    /// Name in spec strings.
    pub name: &'static str,
    /// One-line description.
    pub summary: &'static str,
    /// Parameters of the rules.
    pub params: Vec<ParamRow>,
    /// Evaluations, the default one first.
    pub evaluations: Vec<EvaluationRow>,
    /// Best known agents: what `mcts`, `alphabeta` and `best` stand for in this game.
    pub tuned: &'static [TunedAgent],
}

/// Row of an evaluation of a game.
#[derive(Clone, Debug, Serialize)]
pub struct EvaluationRow {
    /// Name in spec strings.
    pub name: &'static str,
    /// One-line description.
    pub summary: &'static str,
    /// True if the value for one player is always the negated value for the other.
    pub antisymmetric: bool,
    /// Parameters.
    pub params: Vec<ParamRow>,
}

/// Row of an agent or a preset.
#[derive(Clone, Debug, Serialize)]
pub struct AgentRow {
    /// Name in spec strings.
    pub name: &'static str,
    /// One-line description.
    pub summary: &'static str,
    /// Parameters; empty for a preset.
    pub params: Vec<ParamRow>,
    /// Spec that a preset stands for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stands_for: Option<&'static str>,
    /// Specs that `mcts`, `alphabeta` or `best` stands for in the games that declare them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tuned: Vec<TunedRow>,
}

/// Row of a game in which an agent has tuned options.
#[derive(Clone, Debug, Serialize)]
pub struct TunedRow {
    /// Name of the game.
    pub game: &'static str,
    /// Variants of the game that have these options; empty if all have.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub variant: &'static str,
    /// Spec that the agent stands for in this game.
    pub spec: &'static str,
    /// Match that justifies the options; `None` if none was played yet.
    pub evidence: Option<Evidence>,
}

/// Row of a parameter.
#[derive(Clone, Debug, Serialize)]
pub struct ParamRow {
    /// Key in spec strings.
    pub key: &'static str,
    /// Valid values.
    pub values: String,
    /// Default value; empty if there is none.
    pub default: &'static str,
    /// One line of help.
    pub help: &'static str,
}

impl From<&Param> for ParamRow {
    fn from(param: &Param) -> Self {
        Self {
            key: param.key,
            values: values(param.kind),
            default: param.default,
            help: param.help,
        }
    }
}

impl From<&GameEntry> for GameRow {
    fn from(game: &GameEntry) -> Self {
        let evaluations = game.evaluations.iter().map(|evaluation| EvaluationRow {
            name: evaluation.name,
            summary: evaluation.summary,
            antisymmetric: evaluation.antisymmetric,
            params: param_rows(&evaluation.params),
        });
        Self {
            name: game.name,
            summary: game.summary,
            params: param_rows(&game.params),
            evaluations: evaluations.collect(),
            tuned: game.tuned,
        }
    }
}

/// Returns the rows of a parameter table.
fn param_rows(params: &[Param]) -> Vec<ParamRow> {
    params.iter().map(ParamRow::from).collect()
}

fn values(kind: ParamKind) -> String {
    match kind {
        ParamKind::Int(low, high) => format!("{low}..{high}"),
        ParamKind::IntOr(low, high, word) => format!("{low}..{high}|{word}"),
        ParamKind::Float(low, high) => format!("{low}..{high}"),
        ParamKind::FloatOr(low, high, word) => format!("{low}..{high}|{word}"),
        ParamKind::Bytes => "MEMORY".to_owned(),
        ParamKind::Switch => "on|off".to_owned(),
        ParamKind::Choice(words) => words.join("|"),
        ParamKind::Words => "WORDS".to_owned(),
        ParamKind::File => "FILE".to_owned(),
        ParamKind::ChoiceOrFile(words) => format!("{}|FILE", words.join("|")),
        ParamKind::Evaluation => "EVALUATION".to_owned(),
    }
}

impl Catalog {
    /// Returns the standard agents, then those added by [`with_agent`](Catalog::with_agent), then all presets.
    pub fn agent_rows(&self) -> Vec<AgentRow> {
        let agents = AGENTS.iter().map(|agent| AgentRow {
            name: agent.name,
            summary: agent.summary,
            params: param_rows(agent.params),
            stands_for: None,
            tuned: self.tuned_rows(agent.name),
        });
        let own = self.own_agents().iter().map(|agent| AgentRow {
            name: agent.name,
            summary: agent.summary,
            params: Vec::new(),
            stands_for: None,
            tuned: Vec::new(),
        });
        let presets = PRESETS.iter().map(|preset| AgentRow {
            name: preset.name,
            summary: preset.summary,
            params: Vec::new(),
            stands_for: Some(preset.spec),
            tuned: Vec::new(),
        });
        agents.chain(own).chain(presets).collect()
    }

    /// Returns what an agent stands for in each game that declares it.
    fn tuned_rows(&self, name: &str) -> Vec<TunedRow> {
        let all = self.games().iter().flat_map(|game| {
            game.tuned
                .iter()
                .map(|&tuned| (game.name, tuned))
                .filter(|(_, tuned)| tuned.name == name)
        });
        all.map(|(game, TunedAgent { variant, spec, evidence, .. })| TunedRow {
            game,
            variant,
            spec,
            evidence,
        })
        .collect()
    }

    /// Returns the first parameter of a game's or an agent's spec that names a file, as `key=value`.
    /// Servers use this to reject specs that name files.
    ///
    /// ```
    /// use tussle_catalog::Catalog;
    ///
    /// let catalog = Catalog::standard();
    /// assert_eq!(catalog.named_file("tree:file=secret.json").as_deref(), Some("file=secret.json"));
    /// assert_eq!(catalog.named_file("connect4:width=5"), None);
    /// ```
    pub fn named_file(&self, spec: &str) -> Option<String> {
        let spec = Spec::parse(spec).ok()?;
        let of_games = self.games().iter().flat_map(|game| {
            let inner = game.evaluations.iter().flat_map(|evaluation| &evaluation.params);
            game.params.iter().chain(inner)
        });
        let params: Vec<&Param> =
            of_games.chain(AGENTS.iter().flat_map(|agent| agent.params)).collect();
        let is_file = |(key, value): &&(String, String)| {
            // `eval.c=2` is the parameter `c` of an evaluation.
            let key = key.rsplit('.').next().unwrap_or(key);
            params.iter().filter(|param| param.key == key).any(|param| match param.kind {
                ParamKind::File => true,
                ParamKind::ChoiceOrFile(words) => !words.contains(&value.as_str()),
                _ => false,
            })
        };
        spec.pairs.iter().find(is_file).map(|(key, value)| format!("{key}={value}"))
    }
}
