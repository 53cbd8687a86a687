//! Answers of two agents to the same positions.

use serde::{Deserialize, Serialize};
use tussle_core::{Limits, Rng, Turn};
use tussle_view::chart::{Axis, Chart, Point, Rule, Series};
use tussle_view::{Figure, Panel};

use super::setup::{Player, StartSupport};
use super::swept::{Steps, Swept};
use super::value::{proven, value};
use super::{Context, ExperimentError, Kind, Setup};
use crate::Result;
use crate::figure::{lines_of_points, panel};
use crate::sentences::{about, game_words, percent, sentence, several};
use crate::table::groups;

/// Number of the independent random stream of chance.
const DICE_STREAM: u64 = 0;

/// Answers of all agents to every position of a game that the first agent plays against itself. The point of the plan
/// is the number of nodes per answer, the repeats are the maximum number of moves.
#[derive(Debug)]
pub(super) struct SameLine;

/// Answer of an agent in a position.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Answer {
    mv: String,
    /// For the first player.
    value: Option<f64>,
    /// For the first player: 1, 0 or -1.
    proven: Option<f64>,
    depth: u32,
}

#[derive(Debug, Default, Serialize)]
pub(super) struct Row {
    #[serde(rename = "move")]
    number: usize,
    choices: usize,
    agent: String,
    answer: String,
    value: Option<f64>,
    proven: Option<f64>,
    depth: u32,
    #[serde(skip)]
    nodes: u64,
}

impl Row {
    /// Returns true if there are several legal moves; the search of another position ends at once.
    fn is_choice(&self) -> bool {
        self.choices > 1
    }
}

impl Kind for SameLine {
    type Row = Row;

    fn swept(&self) -> Swept {
        Swept { name: "nodes per answer", steps: Steps::One }
    }

    fn start(&self) -> StartSupport {
        StartSupport::One
    }

    fn adapt(&self, setup: &mut Setup) -> Result<()> {
        let (experiment, found) = (setup.name, setup.agents.len());
        if found != 2 {
            let (expected, fix) = ("2 agents", "give --agent twice");
            return Err(ExperimentError::AgentCount { experiment, expected, found, fix }.into());
        }
        Ok(())
    }

    fn measure(&self, setup: &Setup, context: &mut Context<'_>) -> Result<Vec<Row>> {
        let nodes = setup.points.first().copied().unwrap_or(1000.0) as u64;
        let game = setup.game()?;
        let (seed, agents) = (context.seed, &setup.agents);
        let weight = (nodes / 2500).max(1);
        let total = weight * u64::from(setup.repeats) * agents.len() as u64;
        context.begin(setup.name, total);
        let mut position = setup.position(game.as_ref());
        let mut rows = Vec::new();
        let mut rng = Rng::derive(seed, &[DICE_STREAM]);
        for number in 1..=setup.repeats as usize {
            while position.turn() == Turn::Chance {
                let Some(outcome) = position.roll(&mut rng) else { break };
                position.play(&outcome)?;
            }
            if !matches!(position.turn(), Turn::Player(_)) {
                break;
            }
            let mut next = None;
            for player in agents {
                let Player { name, spec, .. } = player;
                let (game_spec, text) = (game.spec(), position.text());
                let key = format!("answer {game_spec} {text} {spec} nodes {nodes} seed {seed}");
                let answer: Answer = context.measure(&key, weight, name, |stop| {
                    let limits = player.within_time(Limits::nodes(nodes)).or_stop(stop);
                    let mut agent = setup.agent(&game, spec, seed)?;
                    let report = agent.choose(position.as_ref(), &limits)?;
                    let mv = report.best().cloned().unwrap_or_default();
                    let value = value(game.as_ref(), position.as_ref(), &report);
                    let proven = proven(position.as_ref(), &report);
                    Ok(Answer { mv, value, proven, depth: report.stats.depth })
                })?;
                let Answer { mv: answer, value, proven, depth } = answer;
                next.get_or_insert_with(|| answer.clone());
                let (choices, agent) = (position.moves().len(), name.clone());
                rows.push(Row { number, choices, agent, answer, value, proven, depth, nodes });
            }
            let Some(next) = next else { break };
            position.play(&next)?;
        }
        Ok(rows)
    }

    fn figure(&self, setup: &Setup, rows: &[Row]) -> Result<Figure> {
        let title = format!("The same positions, asked twice ({})", game_words(&setup.game));
        // Both charts from the first move to the last.
        let last = rows.last().map_or(0.0, |row| row.number as f64);
        let x = |label| Axis::linear(label).showing(0.0..=last);
        let depth = |row: &Row| Point::new(row.number as f64, row.depth.into());
        let choices = rows.iter().filter(|row| row.is_choice());
        let depths = panel(
            "how deep they look",
            x("move number"),
            Axis::linear("depth reached (plies)"),
            lines_of_points(choices, |row| row.agent.as_str(), depth),
        );
        let (series, rules) = values(rows);
        let [label, y] = setup.axes.each_ref().map(String::as_str);
        let (title_of_values, y) = ("their values".to_owned(), Axis::linear(y));
        let values = Chart { title: title_of_values, x: x(label), y, series, rules };
        Ok(Figure { title, panels: vec![Panel::Chart(values), depths] })
    }

    fn sentences(&self, _: &Setup, rows: &[Row]) -> Vec<String> {
        let agents = groups(rows, |row| row.agent.as_str());
        let [(first, first_rows), (second, second_rows), ..] = &agents[..] else {
            return Vec::new();
        };
        let pairs = || first_rows.iter().zip(second_rows);
        let choices: Vec<_> = pairs().filter(|(row, _)| row.is_choice()).collect();
        let agreed = choices.iter().filter(|(a, b)| a.answer == b.answer).count();
        let mut said = vec![sentence(&format!(
            "{first} plays {}, in {} of which there is a choice; with {} nodes each, {second} answers as {first} \
             in {agreed} of them ({}).",
            several(first_rows.len(), "move", "moves"),
            choices.len(),
            about(first_rows[0].nodes as f64),
            percent(agreed as f64 / choices.len().max(1) as f64)
        ))];
        let mean = |depths: &mut dyn Iterator<Item = u32>| {
            about(depths.map(f64::from).sum::<f64>() / choices.len() as f64)
        };
        said.push(sentence(&format!(
            "where there is a choice {first} looks {} plies deep on average, {second} {}.",
            mean(&mut choices.iter().map(|(row, _)| row.depth)),
            mean(&mut choices.iter().map(|(_, row)| row.depth))
        )));
        let differences = pairs().filter_map(|(a, b)| Some((a.value? - b.value?).abs()));
        let differences: Vec<f64> = differences.collect();
        if !differences.is_empty() {
            let mean = differences.iter().sum::<f64>() / differences.len() as f64;
            said.push(format!("Their values differ by {} on average.", about(mean)));
        }
        for (name, rows) in &agents {
            if let Some((number, outcome)) =
                rows.iter().find_map(|row| Some((row.number, row.proven?)))
            {
                let who = match outcome {
                    x if x > 0.0 => "the first player wins",
                    x if x < 0.0 => "the second player wins",
                    _ => "it is a tie",
                };
                said.push(sentence(&format!("{name} proves at move {number} that {who}.")));
            }
        }
        said
    }
}

/// Returns the values of each agent up to its first proof, and rules where proven results are drawn.
fn values(rows: &[Row]) -> (Vec<Series>, Vec<Rule>) {
    let most =
        rows.iter().filter_map(|row| row.value).fold(1.0, |most, value| value.abs().max(most));
    // A proven result is drawn beyond all evaluations.
    let beyond = most * 1.2;
    let line = |(name, rows): (&str, Vec<&Row>)| {
        let proof = rows.iter().position(|row| row.proven.is_some());
        let until = rows.iter().take(proof.map_or(usize::MAX, |last| last + 1));
        let points = until.filter(|row| row.is_choice()).filter_map(|row| {
            let y = row.value.or_else(|| row.proven.map(|sign| sign * beyond))?;
            Some(Point::new(row.number as f64, y))
        });
        Series::line(name, points.collect())
    };
    let series = groups(rows, |row| row.agent.as_str()).into_iter().map(line).collect();
    let rules = [(1.0, "proven win"), (-1.0, "proven loss")];
    let rules =
        rules.into_iter().filter(|(sign, _)| rows.iter().any(|row| row.proven == Some(*sign)));
    let rule = |(sign, label): (f64, &str)| Rule { y: sign * beyond, label: label.to_owned() };
    (series, rules.map(rule).collect())
}
