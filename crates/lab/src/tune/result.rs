//! Result of a tuning: document, table and sentences.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::{Value, json};
use tussle_arena::Summary;
use tussle_catalog::text::counted;
use tussle_core::TimeControl;
use tussle_stats::{Elo, Estimate, GaussianProcess, Pentanomial, SharePrediction, Wdl};
use tussle_view::{Figure, Theme, png};

use super::figure::figure;
use super::parameter::{Parameter, Point, ValueSet};
use super::{Template, Tuning};
use crate::finding::write_files;
use crate::match_score::MatchScore;
use crate::sentences::{grouped, interval, percent};
use crate::{LabError, Table};

/// Number of standard deviations around the mean that hold 95 % of a normal distribution.
const Z95: f64 = 1.96;
/// Number of points of the curve of a numeric parameter.
const CURVE_POINTS: usize = 101;
/// Coordinates that are nearer than this to an end of the range are at the end.
const EDGE: f64 = 0.03;

/// Result of a tuning. Equal settings give an equal result unless a clock limits the moves.
#[derive(Clone, Debug, Serialize)]
pub struct TuningResult {
    /// Spec of the game.
    pub game: String,
    /// Spec of the agent as given; for a program with its placeholders.
    pub agent: String,
    /// Spec of the agent as given, with the start values in place of placeholders.
    pub start: String,
    /// Method of the search.
    pub method: &'static str,
    /// Seed of all random choices.
    pub seed: u64,
    /// Time control of each player.
    pub clock: TimeControl,
    /// Nodes per move.
    pub nodes: Option<u64>,
    /// Number of random moves that begin each pair of games.
    pub opening_plies: u32,
    /// Tuned parameters.
    pub parameters: Vec<TunedParameter>,
    /// Number of games of the search.
    pub games: u64,
    /// Number of rounds of the search.
    pub rounds: u64,
    /// Best values.
    pub best: Best,
    /// Gain of the best values over the agent as given, on fresh games. `None` if no fresh games were played.
    pub gain: Option<Gain>,
    /// Measured candidates, in the order of their first games.
    pub measured: Vec<Candidate>,
    /// Sentences that are computed from the numbers.
    pub reading: Vec<String>,
    /// Figure.
    #[serde(skip)]
    pub figure: Figure,
    /// Name for files.
    #[serde(skip)]
    name: String,
}

/// Tuned parameter, with the estimated share of the points over its values.
#[derive(Clone, Debug, Serialize)]
pub struct TunedParameter {
    /// Key of the parameter.
    pub key: String,
    /// Kind of values: `integer`, `real` or `choice`.
    pub kind: &'static str,
    /// Scale of the range: `linear` or `log`; `None` for words.
    pub scale: Option<&'static str>,
    /// Lowest value and highest value; `None` for words.
    pub range: Option<(f64, f64)>,
    /// Words; empty for numbers.
    pub words: Vec<String>,
    /// Value of the agent as given, if it is known.
    pub start: Option<String>,
    /// Best value.
    pub best: String,
    /// Estimated share over this parameter, with the best values of all others.
    pub curve: Vec<CurvePoint>,
}

/// Estimated share of the points against the agent as given, at one value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CurvePoint {
    /// The value.
    pub value: String,
    /// Share of the points.
    pub share: f64,
    /// Lower end of its 95 % interval.
    pub low: f64,
    /// Upper end of its 95 % interval.
    pub high: f64,
    /// The value as a number, or the index of the word.
    #[serde(skip)]
    pub(super) number: f64,
}

/// Best values.
#[derive(Clone, Debug, Serialize)]
pub struct Best {
    /// Spec with these values.
    pub spec: String,
    /// Values by key.
    pub values: BTreeMap<String, String>,
    /// True if the agent as given is estimated to be the best.
    pub is_start: bool,
    /// Share of the points that the search estimates. It is optimistic, because the best of many estimates is chosen.
    pub share: f64,
    /// Lower end of its 95 % interval.
    pub low: f64,
    /// Upper end of its 95 % interval.
    pub high: f64,
}

/// Gain of the best values over the agent as given, on fresh games.
#[derive(Clone, Debug, Serialize)]
pub struct Gain {
    /// Number of games.
    pub games: u64,
    /// Games won, drawn and lost by the best values.
    #[serde(flatten)]
    pub score: Wdl,
    /// Pairs of games by their points.
    pub pentanomial: Pentanomial,
    /// Difference in strength.
    #[serde(flatten)]
    pub estimate: Estimate,
}

/// Candidate with its results.
#[derive(Clone, Debug, Serialize)]
pub struct Candidate {
    /// Spec of the candidate.
    pub spec: String,
    /// Values by key.
    pub values: BTreeMap<String, String>,
    /// Number of games.
    pub games: u64,
    /// Share of the points against the agent as given.
    pub share: f64,
    /// Pairs of games by their points.
    pub pentanomial: Pentanomial,
}

/// Everything that was measured.
pub(super) struct Measurements<'a> {
    pub(super) model: &'a GaussianProcess<'a>,
    pub(super) best: Point,
    pub(super) prediction: SharePrediction,
    pub(super) is_start: bool,
    pub(super) measured: Vec<(Point, Pentanomial)>,
    pub(super) rounds: u64,
    pub(super) pairs: u64,
    pub(super) faults: u64,
    pub(super) verification: Option<&'a Summary>,
}

/// Returns share and 95 % interval of a prediction, within 0 to 1.
fn bounded(SharePrediction { share, deviation }: SharePrediction) -> [f64; 3] {
    [share, share - Z95 * deviation, share + Z95 * deviation].map(|x| x.clamp(0.0, 1.0))
}

/// Evaluates the games of a tuning.
pub(super) fn evaluate(tuning: &Tuning, all: &Measurements<'_>) -> TuningResult {
    let terms = &tuning.terms;
    let values = |point: &Point| -> BTreeMap<String, String> {
        let keys = tuning.parameters.iter().map(|parameter| parameter.key.clone());
        keys.zip(tuning.values(point)).collect()
    };
    let [share, low, high] = bounded(all.prediction);
    // The agent as given may have values that no spec of a candidate writes in the same way.
    let spec = if all.is_start { tuning.start.spec.clone() } else { tuning.spec_at(&all.best) };
    let best = Best { spec, values: values(&all.best), is_start: all.is_start, share, low, high };
    let gain = all.verification.and_then(Summary::duel).map(|meeting| Gain {
        games: meeting.games,
        score: meeting.score,
        pentanomial: meeting.pentanomial,
        estimate: meeting.estimate,
    });
    let candidate = |(point, pentanomial): &(Point, Pentanomial)| Candidate {
        spec: tuning.spec_at(point),
        values: values(point),
        games: 2 * pentanomial.pairs(),
        share: MatchScore::of_pairs(pentanomial, pentanomial.pairs()).share,
        pentanomial: *pentanomial,
    };
    let parameters: Vec<TunedParameter> =
        (0..tuning.parameters.len()).map(|place| tuned_parameter(tuning, all, place)).collect();
    let figure = figure(tuning, all, &parameters, gain.as_ref());
    let mut result = TuningResult {
        game: terms.games.concat(),
        agent: tuning.agent.clone(),
        start: tuning.start.spec.clone(),
        method: "thompson-sampling",
        seed: terms.seed,
        clock: terms.clock,
        nodes: terms.nodes,
        opening_plies: terms.opening_plies,
        parameters,
        games: 2 * all.pairs,
        rounds: all.rounds,
        best,
        gain,
        measured: all.measured.iter().map(candidate).collect(),
        reading: Vec::new(),
        figure,
        name: tuning.name(),
    };
    result.reading = sentences(tuning, all, &result);
    result
}

fn tuned_parameter(tuning: &Tuning, all: &Measurements<'_>, place: usize) -> TunedParameter {
    let parameter = &tuning.parameters[place];
    let grid = parameter.grid();
    let step = (grid.len() - 1).div_ceil(CURVE_POINTS - 1).max(1);
    let mut shown: Vec<f64> = grid.iter().copied().step_by(step).collect();
    shown.extend(grid.last());
    shown.push(all.best[place]);
    shown.sort_by(f64::total_cmp);
    shown.dedup();
    let point = |at: f64| {
        let mut point = all.best.clone();
        point[place] = at;
        let [share, low, high] = bounded(all.model.predict(&point));
        CurvePoint { value: parameter.text(at), share, low, high, number: parameter.number(at) }
    };
    let kind = match parameter.values {
        ValueSet::Integer { .. } => "integer",
        ValueSet::Real { .. } => "real",
        ValueSet::Choice(_) => "choice",
    };
    let range = parameter.ends();
    TunedParameter {
        key: parameter.key.clone(),
        kind,
        scale: range.map(|_| if parameter.is_log() { "log" } else { "linear" }),
        range,
        words: parameter.words().to_vec(),
        start: tuning.start_values[place].clone(),
        best: parameter.text(all.best[place]),
        curve: shown.into_iter().map(point).collect(),
    }
}

/// Writes an Elo difference with its 95 % error: `+63 ± 30 Elo`.
fn elo_words(elo: &Elo) -> Option<String> {
    let Elo { value: Some(value), error: Some(error) } = elo else { return None };
    Some(format!("{value:+.0} ± {error:.0} Elo"))
}

fn sentences(tuning: &Tuning, all: &Measurements<'_>, result: &TuningResult) -> Vec<String> {
    let mut sentences = vec![best_sentence(result)];
    match (&result.gain, all.is_start) {
        (Some(gain), _) => sentences.push(gain_sentence(gain, &result.start)),
        (None, false) => sentences.push(
            "No fresh games were played: the estimate of the search is too high, because the best of many is chosen."
                .to_owned(),
        ),
        (None, true) => {}
    }
    for (parameter, &at) in tuning.parameters.iter().zip(&all.best) {
        sentences.extend(edge_sentence(parameter, at));
    }
    if all.faults > 0 {
        let games = counted(all.faults, "game");
        sentences
            .push(format!("{games} of the search ended by a fault or a late answer, which loses."));
    }
    if let Some(summary) = all.verification {
        sentences.extend(summary.warnings.iter().cloned());
    }
    sentences
}

fn best_sentence(result: &TuningResult) -> String {
    let games = grouped(result.games as f64);
    if result.best.is_start {
        return format!(
            "After {games} games no value is estimated to be better than {} as given.",
            result.start
        );
    }
    let Best { spec, share, low, high, .. } = &result.best;
    format!(
        "Best of {games} games: {spec}, with an estimated {} of the points against {} (95 % interval {}).",
        percent(*share),
        result.start,
        interval(*low, *high)
    )
}

fn gain_sentence(gain: &Gain, start: &str) -> String {
    let Gain { games, score, estimate, .. } = gain;
    let Wdl { wins, draws, losses } = score;
    let size = elo_words(&estimate.elo).map_or_else(String::new, |elo| format!(": {elo} (95 %)"));
    let share = estimate.score.map_or_else(|| "no share".to_owned(), percent);
    let verdict = match (estimate.least, estimate.beyond) {
        (Some(least), _) if least > 0.0 => "stronger than as given",
        (Some(_), _) => "weaker than as given: keep the values as given, or tune with more games",
        (None, Some(beyond)) if beyond > 0.0 => "stronger than as given",
        _ => "too few games to show a difference",
    };
    let games = grouped(*games as f64);
    format!(
        "On {games} fresh games it scores {share} (+{wins} ={draws} -{losses}) against {start}{size}; {verdict}."
    )
}

/// Advises a wider range if the best value is at its end.
fn edge_sentence(parameter: &Parameter, at: f64) -> Option<String> {
    parameter.ends()?;
    let end = match at {
        at if at <= EDGE => "lower",
        at if at >= 1.0 - EDGE => "upper",
        _ => return None,
    };
    let (key, value) = (&parameter.key, parameter.text(at));
    Some(format!(
        "{key}={value} is at the {end} end of the range: a wider range may have a better value."
    ))
}

impl TuningResult {
    /// Returns the measured candidates as a table.
    pub fn table(&self) -> Table {
        let keys = self.parameters.iter().map(|parameter| parameter.key.clone());
        let more = ["games", "share of the points"].map(str::to_owned);
        let pairs = ["0", "0.5", "1", "1.5", "2"].map(|points| format!("pairs {points}"));
        let row = |candidate: &Candidate| {
            let values = self.parameters.iter().map(|parameter| &candidate.values[&parameter.key]);
            let mut row: Vec<Value> = values.map(|value| json!(value)).collect();
            row.push(json!(candidate.games));
            row.push(json!(candidate.share));
            row.extend(candidate.pentanomial.0.map(|count| json!(count)));
            row
        };
        Table {
            columns: keys.chain(more).chain(pairs).collect(),
            rows: self.measured.iter().map(row).collect(),
        }
    }

    /// Writes figure, table, document and sentences into a folder, and returns their paths.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write(&self, folder: &Path) -> Result<Vec<PathBuf>, LabError> {
        let name = &self.name;
        let svg = self.figure.svg(Theme::Light);
        let png = png(&svg, 2.0)?;
        let json = serde_json::to_string_pretty(self).map_err(io::Error::from);
        let json = json.map_err(|error| LabError::Folder(folder.to_owned(), error))? + "\n";
        let words = format!(
            "# Tuning of {} in {}\n\n![{name}]({name}.svg)\n\n{}\n",
            self.agent,
            self.game,
            self.reading.join("\n\n")
        );
        let files = [
            ("svg", svg.into_bytes()),
            ("png", png),
            ("csv", self.table().csv().into_bytes()),
            ("json", json.into_bytes()),
            ("md", words.into_bytes()),
        ];
        write_files(folder, name, files)
    }
}

impl Template {
    /// Returns a short name of the agent for titles.
    pub(super) fn title(&self) -> &str {
        match self {
            Self::Agent(spec) => &spec.name,
            Self::Program(_) => "the program",
        }
    }
}
