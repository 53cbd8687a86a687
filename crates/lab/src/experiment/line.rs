//! Two agents answer the same moves.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tussle_core::{Limits, Turn};
use tussle_view::chart::{Axis, Chart, Point, Rule, Series};
use tussle_view::{Figure, Panel};

use super::Experiment;
use super::value::{proven, value};
use super::words::{about, game as game_words, percent, sentence, several};
use crate::{Bench, Finding, LabError, Table};

/// What one agent says of one position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Said {
    mv: String,
    /// For the first player.
    value: Option<f64>,
    /// For the first player: 1, 0 or -1.
    proven: Option<f64>,
    depth: u32,
}

/// A position of the line, and what both say.
struct Station {
    choices: usize,
    said: Vec<Said>,
}

/// The first agent plays a game against itself, and all agents answer every position of it.
pub(super) fn run(experiment: &Experiment, bench: &mut Bench<'_>) -> Result<Finding, LabError> {
    let plan = experiment.plan(bench);
    let nodes = plan.points.first().copied().unwrap_or(1000.0) as u64;
    let game = tussle_catalog::game(experiment.game)?;
    let (seed, agents) = (bench.seed, experiment.agents);
    let weight = (nodes / 2500).max(1);
    bench.begin(experiment.name, weight * u64::from(plan.repeats) * agents.len() as u64);
    let mut position = game.start();
    let mut stations: Vec<Station> = Vec::new();
    while stations.len() < plan.repeats as usize && position.turn() != Turn::Over {
        let mut said = Vec::new();
        for &(name, spec) in agents {
            let (game_spec, text) = (game.spec(), position.text());
            let key = format!("answer {game_spec} {text} {spec} nodes {nodes} seed {seed}");
            said.push(bench.measure(&key, weight, name, |stop| {
                let budget = Limits::nodes(nodes).or_stop(stop);
                let report = game.agent(spec, seed)?.choose(position.as_ref(), &budget)?;
                let mv = report.best().cloned().unwrap_or_default();
                let value = value(game.as_ref(), position.as_ref(), &report);
                let proven = proven(position.as_ref(), &report);
                Ok(Said { mv, value, proven, depth: report.stats.depth })
            })?);
        }
        let Some(next) = said.first().map(|said| said.mv.clone()) else { break };
        stations.push(Station { choices: position.moves().len(), said });
        position.play(&next)?;
    }
    let names: Vec<&str> = agents.iter().map(|agent| agent.0).collect();
    let title = format!("The same positions, asked twice ({})", game_words(experiment.game));
    let panels =
        vec![Panel::Chart(values(experiment, &names, &stations)), depths(&names, &stations)];
    Ok(Finding {
        name: experiment.name.to_owned(),
        question: experiment.question.to_owned(),
        figure: Figure { title, panels },
        table: table(&names, &stations),
        reading: reading(&names, &stations, nodes),
    })
}

/// The positions in which there is something to choose; a search of the others is over at once.
fn choices(stations: &[Station]) -> impl Iterator<Item = (usize, &Station)> {
    stations.iter().enumerate().filter(|(_, station)| station.choices > 1)
}

fn values(experiment: &Experiment, names: &[&str], stations: &[Station]) -> Chart {
    let all = stations.iter().flat_map(|station| &station.said).filter_map(|said| said.value);
    let most = all.fold(1.0_f64, |most, value| most.max(value.abs()));
    // What is proven lies beyond every evaluation, but still on the paper.
    let beyond = most * 1.2;
    let series = names.iter().enumerate().map(|(i, name)| {
        // Once it is proven, there is no more to tell.
        let proof = stations.iter().position(|station| station.said[i].proven.is_some());
        let points = choices(stations).filter(|(ply, _)| proof.is_none_or(|last| *ply <= last));
        let points = points.filter_map(|(ply, station)| {
            let said = &station.said[i];
            let y = said.value.or_else(|| said.proven.map(|sign| sign * beyond))?;
            Some(Point::new((ply + 1) as f64, y))
        });
        Series::line(*name, points.collect())
    });
    let all = || stations.iter().flat_map(|station| &station.said).filter_map(|said| said.proven);
    let mut rules = Vec::new();
    for (sign, label) in [(1.0, "proven win"), (-1.0, "proven loss")] {
        if all().any(|proven| proven == sign) {
            rules.push(Rule { y: sign * beyond, label: label.to_owned() });
        }
    }
    let [x, y] = experiment.axes;
    let title = "what they think".to_owned();
    // Both charts from the first move to the last.
    let x = Axis::linear(x).showing(0.0..=stations.len() as f64);
    Chart { title, x, y: Axis::linear(y), series: series.collect(), rules }
}

fn depths(names: &[&str], stations: &[Station]) -> Panel {
    let series = names.iter().enumerate().map(|(i, name)| {
        let points = choices(stations);
        let depth = |station: &Station| f64::from(station.said[i].depth);
        let points = points.map(|(ply, station)| Point::new((ply + 1) as f64, depth(station)));
        Series::line(*name, points.collect())
    });
    let x = Axis::linear("move number").showing(0.0..=stations.len() as f64);
    let y = Axis::linear("depth reached (plies)");
    let title = "how deep they look".to_owned();
    Panel::Chart(Chart { title, x, y, series: series.collect(), ..Chart::default() })
}

fn table(names: &[&str], stations: &[Station]) -> Table {
    let mut table = Table::new(["move", "choices", "agent", "answer", "value", "proven", "depth"]);
    let number = |value: Option<f64>| value.map_or(Value::Null, Into::into);
    for (ply, station) in stations.iter().enumerate() {
        for (name, said) in names.iter().zip(&station.said) {
            table.add(vec![
                (ply + 1).into(),
                station.choices.into(),
                (*name).into(),
                said.mv.as_str().into(),
                number(said.value),
                number(said.proven),
                said.depth.into(),
            ]);
        }
    }
    table
}

fn reading(names: &[&str], stations: &[Station], nodes: u64) -> Vec<String> {
    let [first, second, ..] = names else { return Vec::new() };
    let real: Vec<&Station> = stations.iter().filter(|station| station.choices > 1).collect();
    let agreed = real.iter().filter(|station| station.said[0].mv == station.said[1].mv).count();
    let mut said = vec![sentence(&format!(
        "{first} plays {}, in {} of which there is a choice; with {} nodes each, {second} answers as {first} \
         in {agreed} of them ({}).",
        several(stations.len(), "move", "moves"),
        real.len(),
        about(nodes as f64),
        percent(agreed as f64 / real.len().max(1) as f64)
    ))];
    let mean = |i: usize| {
        real.iter().map(|station| f64::from(station.said[i].depth)).sum::<f64>() / real.len() as f64
    };
    said.push(sentence(&format!(
        "where there is a choice {first} looks {} plies deep on average, {second} {}.",
        about(mean(0)),
        about(mean(1))
    )));
    let pairs: Vec<f64> = stations
        .iter()
        .filter_map(|station| Some((station.said[0].value? - station.said[1].value?).abs()))
        .collect();
    if !pairs.is_empty() {
        let mean = pairs.iter().sum::<f64>() / pairs.len() as f64;
        said.push(format!("Their values differ by {} on average.", about(mean)));
    }
    for (i, name) in names.iter().enumerate() {
        let is_sure = |station: &Station| station.said[i].proven.is_some();
        let known = stations.iter().position(is_sure);
        if let Some((ply, outcome)) =
            known.and_then(|ply| Some((ply, stations[ply].said[i].proven?)))
        {
            let who = match outcome {
                x if x > 0.0 => "the first player wins",
                x if x < 0.0 => "the second player wins",
                _ => "it is a tie",
            };
            said.push(sentence(&format!("{name} proves at move {} that {who}.", ply + 1)));
        }
    }
    said
}
