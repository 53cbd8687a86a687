//! Tuning: the best values of an agent's parameters, found by games against the agent as given.
//!
//! | file | content |
//! |---|---|
//! | `parameter.rs` | ranges and lists of values, and their coordinates |
//! | `candidate.rs` | specs of candidates |
//! | `method.rs` | choice of the candidates of each round |
//! | `games.rs` | games of a round and of the verification |
//! | `result.rs` | document, table and sentences |
//! | `figure.rs` | figure |

mod candidate;
mod figure;
mod games;
mod method;
mod parameter;
mod result;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use tussle_arena::{Contestant, MAX_NAME_CHARS, Tournament, TournamentSpec};
use tussle_catalog::{Catalog, is_program};
use tussle_core::Rng;
use tussle_stats::Pentanomial;

use crate::Result;
use candidate::{Template, point_of, with_kind_of_agent};
use games::round_spec;
use method::{Batch, Search};
use parameter::Point;

pub use games::{TuningContext, TuningEvent};
pub use parameter::{Parameter, ParameterError, ValueSet};
pub use result::{Best, Candidate, CurvePoint, Gain, TunedParameter, TuningResult};

/// Name of the agent as given in the stores.
const START_NAME: &str = "as given";
/// Maximum number of combinations of extreme values that are checked before the first game.
const MAX_CHECKED: usize = 256;
/// First parts of the seeds of the rounds and of the verification.
const ROUND_SEED_PART: u64 = 0x726f_756e;
const VERIFY_SEED_PART: u64 = 0x7665_7269;

/// Error of a tuning that cannot be carried out.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TuneError {
    /// The game or the agent is unknown.
    #[error(transparent)]
    Catalog(#[from] tussle_catalog::Error),
    /// A match with the agent as given or with a candidate cannot be played.
    #[error(transparent)]
    Spec(#[from] tussle_arena::SpecError),
    /// There is no parameter to tune.
    #[error("expected at least one parameter to tune, such as c=0.1..2")]
    NoParameter,
    /// Two parameters have the same key.
    #[error("two parameters have the key `{0}`; name each key once")]
    Repeated(String),
    /// The command of a program has no placeholder for a parameter.
    #[error(
        "{spec}: expected the placeholder {{{key}}} in the command, such as `--{key} {{{key}=1.4}}` with 1.4 as the present value"
    )]
    NoPlaceholder {
        /// Spec of the program.
        spec: String,
        /// Key of the parameter.
        key: String,
    },
    /// The game is not for two players.
    #[error("{game}: expected a game of two players, found one of {players}")]
    Players {
        /// Spec of the game.
        game: String,
        /// Number of players.
        players: usize,
    },
    /// No game of a round counts.
    #[error(
        "no game of a round counts: this machine is too busy for the clock; play fewer games in parallel (--jobs), \
         or use a slower clock (--clock) or --nodes"
    )]
    NoGame,
}

/// Settings of a tuning.
#[derive(Clone, Debug)]
pub struct Tuning {
    /// Game, limits, openings and seed; without agents.
    terms: TournamentSpec,
    /// Spec of the agent, for a program with placeholders.
    agent: String,
    template: Template,
    start: Contestant,
    start_values: Vec<Option<String>>,
    parameters: Vec<Parameter>,
    /// Number of pairs of games of the search and of the verification.
    pairs: [u64; 2],
}

impl Tuning {
    /// Creates a tuning of the first agent of `spec` by `games` games, verified by `verification_games` fresh ones. The
    /// numbers are rounded up to pairs of games.
    ///
    /// # Errors
    /// If the game is not for two players, or the agent does not take one of the values at the ends of the ranges.
    pub fn new(
        spec: TournamentSpec,
        parameters: Vec<Parameter>,
        [games, verification_games]: [u64; 2],
        catalog: &Catalog,
    ) -> Result<Self, TuneError> {
        let mut terms = spec;
        let given = if terms.agents.is_empty() {
            Contestant::new("", "")
        } else {
            terms.agents.swap_remove(0)
        };
        terms.agents = Vec::new();
        // A fault loses a game; a withdrawn agent would end the search.
        terms.strikes = 0;
        let game = catalog.game(terms.games.first().map_or("", String::as_str))?;
        if game.players() != 2 {
            let (game, players) = (game.spec().to_owned(), game.players());
            return Err(TuneError::Players { game, players });
        }
        if parameters.is_empty() {
            return Err(TuneError::NoParameter);
        }
        for (i, parameter) in parameters.iter().enumerate() {
            if parameters[..i].iter().any(|other| other.key == parameter.key) {
                return Err(TuneError::Repeated(parameter.key.clone()));
            }
        }
        let agent = given.spec.clone();
        let parameters: Vec<Parameter> = if is_program(&agent) {
            parameters
        } else {
            let typed = |parameter| with_kind_of_agent(parameter, &agent, catalog);
            parameters.into_iter().map(typed).collect()
        };
        let template = Template::new(&agent, &parameters)?;
        let start_values = template.start_values(&agent, &parameters, game.as_ref());
        let start_spec = template.start_spec(&agent, &parameters, &start_values);
        let start = Contestant { name: START_NAME.to_owned(), spec: start_spec, ..given };
        let pairs = [games.div_ceil(2).max(1), verification_games.div_ceil(2)];
        let tuning = Self { terms, agent, template, start, start_values, parameters, pairs };
        tuning.check(catalog)?;
        Ok(tuning)
    }

    /// Returns the number of games of the search and of the verification.
    pub fn games(&self) -> [u64; 2] {
        self.pairs.map(|pairs| 2 * pairs)
    }

    /// Returns the spec of the agent as given.
    pub fn start_spec(&self) -> &str {
        &self.start.spec
    }

    /// Returns a name of the tuning for files: game, agent and keys.
    pub fn name(&self) -> String {
        let keys = self.parameters.iter().map(|parameter| parameter.key.as_str());
        let agent = match &self.template {
            Template::Agent(spec) => spec.name.as_str(),
            Template::Program(_) => "program",
        };
        let game = self.terms.games.first().map_or("", String::as_str);
        let words: Vec<&str> = [game, agent].into_iter().chain(keys).collect();
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        words.join("-").chars().map(plain).take(60).collect()
    }

    /// Checks the agent as given, and candidates with all combinations of the ends of the ranges.
    fn check(&self, catalog: &Catalog) -> Result<(), TuneError> {
        let mut ends: Vec<Point> = vec![Vec::new()];
        for parameter in &self.parameters {
            let count = parameter.words().len();
            let own: Vec<f64> = match count {
                0 => vec![0.0, 1.0],
                _ => (0..count).map(|i| i as f64).collect(),
            };
            let with = |point: &Point| {
                let point = point.clone();
                own.iter().map(move |&at| [point.as_slice(), &[at]].concat()).collect::<Vec<_>>()
            };
            ends = ends.iter().flat_map(with).take(MAX_CHECKED).collect();
        }
        let candidates = self.contestants(&ends);
        Tournament::new(round_spec(&self.terms, &self.start, candidates, 1, 1), catalog)?;
        Ok(())
    }

    /// Returns the values at a point.
    fn values(&self, point: &Point) -> Vec<String> {
        let text = |(parameter, &at): (&Parameter, &f64)| parameter.text(at);
        self.parameters.iter().zip(point).map(text).collect()
    }

    /// Returns the spec at a point.
    fn spec_at(&self, point: &Point) -> String {
        self.template.with_values(&self.parameters, &self.values(point))
    }

    /// Returns the values at a point as text: `c=0.5,d=3`.
    fn words_at(&self, point: &Point) -> String {
        let named = self.parameters.iter().zip(self.values(point));
        let pairs: Vec<String> =
            named.map(|(parameter, value)| format!("{}={value}", parameter.key)).collect();
        pairs.join(",")
    }

    /// Returns the contestants at these points, with distinct names.
    fn contestants(&self, points: &[Point]) -> Vec<Contestant> {
        let mut counts: BTreeMap<String, u32> = BTreeMap::new();
        let contestant = |(i, point): (usize, &Point)| {
            let mut name = self.words_at(point);
            // Leave room for the number.
            if name.chars().count() + 8 > MAX_NAME_CHARS {
                name = format!("candidate {}", i + 1);
            }
            let count = counts.entry(name.clone()).or_default();
            *count += 1;
            if *count > 1 {
                name += &format!("#{count}");
            }
            Contestant { name, spec: self.spec_at(point), ..self.start.clone() }
        };
        points.iter().enumerate().map(contestant).collect()
    }

    /// Plays the games that are missing, and evaluates all of them.
    ///
    /// # Errors
    /// If a game cannot be played, the games cannot be kept, or the work was stopped.
    pub fn run(&self, context: &mut TuningContext<'_>) -> Result<TuningResult> {
        let [pairs, verification_pairs] = self.pairs;
        (context.observer)(TuningEvent::Total(2 * (pairs + verification_pairs)));
        let start = point_of(&self.parameters, &self.start_values);
        // A value far outside the ranges tells nothing about the values inside.
        let start = start.filter(|point| self.is_near(point));
        let mut search = Search::new(self.parameters.clone(), start.clone(), self.terms.seed);
        let mut measured: Vec<(Point, Pentanomial)> = Vec::new();
        let mut faults = 0;
        while search.pairs() < pairs {
            let batch = search.next_round(pairs - search.pairs());
            let results = self.play_round(&batch, search.rounds(), context, &mut faults)?;
            for (point, result) in batch.points.iter().zip(&results) {
                match measured.iter_mut().find(|(known, _)| known == point) {
                    Some((_, all)) => *all += *result,
                    None => measured.push((point.clone(), *result)),
                }
            }
            search.add(&batch, &results);
            let (best, prediction) = search.best(&search.model());
            let words = self.words_at(&best);
            (context.observer)(TuningEvent::Best(&words, prediction.share));
        }
        let model = search.model();
        let (best, prediction) = search.best(&model);
        let is_start = start.as_ref() == Some(&best);
        let verification = if is_start || verification_pairs == 0 {
            (context.observer)(TuningEvent::Total(2 * pairs));
            None
        } else {
            Some(self.verify(&best, context)?)
        };
        Ok(result::evaluate(
            self,
            &result::Measurements {
                model: &model,
                best,
                prediction,
                is_start,
                measured,
                rounds: search.rounds(),
                pairs: search.pairs(),
                faults,
                verification: verification.as_ref(),
            },
        ))
    }

    /// Returns true if all numbers of a point are in their ranges or not farther away than half of the range.
    fn is_near(&self, point: &Point) -> bool {
        let is_near = |(parameter, at): (&Parameter, &f64)| {
            !parameter.words().is_empty() || (-0.5..=1.5).contains(at)
        };
        self.parameters.iter().zip(point).all(is_near)
    }

    fn play_round(
        &self,
        batch: &Batch,
        round: u64,
        context: &mut TuningContext<'_>,
        faults: &mut u64,
    ) -> Result<Vec<Pentanomial>> {
        let seed = self.seed(ROUND_SEED_PART, round);
        let candidates = self.contestants(&batch.points);
        let spec = round_spec(&self.terms, &self.start, candidates, batch.pairs_each, seed);
        let key = format!("{} round {} {}", self.name(), round + 1, digest(&spec));
        context.play_round(spec, &key, faults)
    }

    fn verify(
        &self,
        best: &Point,
        context: &mut TuningContext<'_>,
    ) -> Result<tussle_arena::Summary> {
        let tuned = self.contestants(std::slice::from_ref(best));
        let agents = tuned.into_iter().chain([self.start.clone()]).collect();
        let seed = self.seed(VERIFY_SEED_PART, 0);
        let terms = TournamentSpec { agents, seed, ..self.terms.clone() };
        let spec = terms.with_games(2 * self.pairs[1]);
        let key = format!("{} verify {}", self.name(), digest(&spec));
        context.play_match(spec, &key)
    }

    /// Returns the seed of a round or of the verification.
    fn seed(&self, part: u64, number: u64) -> u64 {
        // Seeds of tournaments are stored as signed numbers.
        Rng::derive(self.terms.seed, &[part, number]).next_u64() >> 32
    }
}

/// Returns a text that differs between different tournaments.
fn digest(spec: &TournamentSpec) -> String {
    serde_json::to_string(spec).unwrap_or_default()
}
