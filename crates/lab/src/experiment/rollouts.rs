//! Ways to play a simulation to its end, against random play: at equal simulations and at equal time.

use tussle_view::chart::{Axis, Chart, Rule, Series};
use tussle_view::{Figure, Panel};

use super::contest::thinking;
use super::points::{Points, Verdict, caveats};
use super::words::{grouped, list};
use super::{Experiment, ExperimentError};
use crate::{Bench, Duel, Finding, LabError, Table};

/// In which games, and whom the experiment's agents meet.
#[derive(Clone, Copy, Debug)]
pub struct Rollouts {
    /// Names in the figure and specs.
    pub games: &'static [Played],
    /// Name and spec of the rival.
    pub rival: (&'static str, &'static str),
}

/// A game of the experiment.
#[derive(Clone, Copy, Debug)]
pub struct Played {
    /// Its name in the figure.
    pub name: &'static str,
    /// Its spec.
    pub spec: &'static str,
    /// Random moves before the players take over.
    pub opening_plies: u32,
    /// About how many moves a game has.
    pub plies: f64,
    /// About how long a simulation of the slowest agent takes, in milliseconds.
    pub cost: f64,
}

/// What both sides have equally much of.
#[derive(Clone, Copy)]
enum Equal {
    Simulations(f64),
    Milliseconds(f64),
}

impl Equal {
    fn name(self) -> String {
        match self {
            Self::Simulations(n) => format!("{} simulations a move", grouped(n)),
            Self::Milliseconds(t) => format!("{t} ms a move"),
        }
    }

    /// About how many milliseconds a game takes.
    fn weight(self, game: &Played) -> u64 {
        let a_move = match self {
            Self::Simulations(n) => n * game.cost,
            Self::Milliseconds(t) => t,
        };
        (a_move * game.plies).ceil() as u64
    }
}

/// Plays all matches. The points of the plan are the simulations and the milliseconds a move.
pub(super) fn run(
    experiment: &Experiment,
    rollouts: &Rollouts,
    bench: &mut Bench<'_>,
) -> Result<Finding, LabError> {
    let plan = experiment.plan(bench);
    let &[simulations, milliseconds] = plan.points else {
        return Err(ExperimentError::Budgets(experiment.name).into());
    };
    let equals = [Equal::Simulations(simulations), Equal::Milliseconds(milliseconds)];
    let each = rollouts.games.iter().flat_map(|game| equals.map(|equal| equal.weight(game)));
    let all = each.sum::<u64>() * u64::from(plan.repeats) * experiment.agents.len() as u64;
    bench.begin(experiment.name, all);

    let (rival, rival_spec) = rollouts.rival;
    let [x, y] = experiment.axes;
    let mut table =
        Table::new(["playouts", "rival", "equal", x].into_iter().chain(Points::COLUMNS));
    let (mut panels, mut reading, mut every) = (Vec::new(), Vec::new(), Vec::new());
    for equal in equals {
        let mut series = Vec::new();
        for &(agent, spec) in experiment.agents {
            let mut bars = Vec::new();
            let mut told = Vec::new();
            for (i, game) in rollouts.games.iter().enumerate() {
                let limited = |spec: &str| match equal {
                    Equal::Simulations(n) => format!("{spec},nodes={n}"),
                    Equal::Milliseconds(_) => spec.to_owned(),
                };
                let (own, other) = (limited(spec), limited(rival_spec));
                let players = [(agent, own.as_str()), (rival, other.as_str())];
                let mut duel = Duel::new(game.spec, players, plan.repeats.into(), bench.seed);
                duel.spec.opening_plies = game.opening_plies;
                if let Equal::Milliseconds(t) = equal {
                    duel = thinking(duel, t);
                }
                let points = Points::of(&duel.play(bench, equal.weight(game))?);
                let row = [agent.into(), rival.into(), equal.name().into(), game.name.into()];
                table.add(row.into_iter().chain(points.cells()).collect());
                bars.push(points.at(i as f64));
                told.push((game.name, points));
                every.push(points);
            }
            reading.push(sentence(agent, rival, equal, &told));
            series.push(Series::bars(format!("{agent} playouts"), bars));
        }
        panels.push(Panel::Chart(Chart {
            title: format!("{} for both", equal.name()),
            x: Axis::names(x, rollouts.games.iter().map(|game| game.name)),
            y: Axis::linear(y).showing(0.0..=1.0),
            series,
            rules: vec![Rule { y: 0.5, label: String::new() }],
        }));
    }
    reading.extend(caveats(every.iter()));
    Ok(Finding {
        name: experiment.name.to_owned(),
        question: experiment.question.to_owned(),
        figure: Figure { title: format!("Playouts with some sense against {rival} ones"), panels },
        table,
        reading,
    })
}

fn sentence(agent: &str, rival: &str, equal: Equal, told: &[(&str, Points)]) -> String {
    let words: Vec<String> = told
        .iter()
        .map(|(game, points)| {
            let verdict = match points.verdict() {
                Verdict::Stronger => "stronger",
                Verdict::Weaker => "weaker",
                Verdict::Open => "too few games to tell",
            };
            format!("{} in {game}: {verdict}", points.text())
        })
        .collect();
    format!(
        "At {}, {agent} playouts score against {rival} ones {}.",
        equal.name(),
        list(&words).replace(": ", " – ")
    )
}
