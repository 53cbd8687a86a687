//! Playout policies against random playouts, with equal simulations and with equal time.

use serde::Serialize;
use tussle_view::Figure;
use tussle_view::chart::{Axis, Series, SeriesStyle};

use super::contest::with_time_per_move;
use super::{Context, Experiment, ExperimentError, Kind};
use crate::figure::{lines_of_points, ruled_panel};
use crate::match_score::{Comparison, MatchScore, caveats};
use crate::sentences::{grouped, list};
use crate::table::groups;
use crate::{Duel, Result};

/// Matches in several games. The points of the plan are the simulations and the milliseconds per move.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlayoutPolicies {
    pub(super) games: &'static [PlayoutGame],
    /// Name and spec of the opponent.
    pub(super) opponent: (&'static str, &'static str),
}

/// Game of the experiment.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlayoutGame {
    /// Name in the figure.
    pub(super) name: &'static str,
    pub(super) spec: &'static str,
    pub(super) opening_plies: u32,
    /// Approximate number of moves of a game.
    pub(super) plies: f64,
    /// Approximate time of a simulation of the slowest agent, in milliseconds.
    pub(super) simulation_ms: f64,
}

/// Budget that both players have.
#[derive(Clone, Copy)]
enum Budget {
    Simulations(f64),
    Milliseconds(f64),
}

impl Budget {
    fn name(self) -> String {
        match self {
            Self::Simulations(n) => format!("{} simulations a move", grouped(n)),
            Self::Milliseconds(t) => format!("{t} ms a move"),
        }
    }

    /// Returns the approximate time of a game in milliseconds.
    fn weight(self, game: &PlayoutGame) -> u64 {
        let per_move = match self {
            Self::Simulations(n) => n * game.simulation_ms,
            Self::Milliseconds(t) => t,
        };
        (per_move * game.plies).ceil() as u64
    }
}

#[derive(Debug, Default, Serialize)]
pub(super) struct Row {
    playouts: &'static str,
    #[serde(rename = "rival")]
    opponent: &'static str,
    equal: String,
    game: &'static str,
    #[serde(flatten)]
    score: MatchScore,
}

impl Kind for PlayoutPolicies {
    type Row = Row;

    fn measure(&self, experiment: &Experiment, context: &mut Context<'_>) -> Result<Vec<Row>> {
        let plan = experiment.plan(context);
        let &[simulations, milliseconds] = plan.points else {
            return Err(ExperimentError::Budgets(experiment.name).into());
        };
        let budgets = [Budget::Simulations(simulations), Budget::Milliseconds(milliseconds)];
        let each = self.games.iter().flat_map(|game| budgets.map(|budget| budget.weight(game)));
        let all = each.sum::<u64>() * u64::from(plan.repeats) * experiment.agents.len() as u64;
        context.begin(experiment.name, all);
        let (opponent, opponent_spec) = self.opponent;
        let mut rows = Vec::new();
        for budget in budgets {
            for &(playouts, spec) in experiment.agents {
                for game in self.games {
                    let [own, other] = [spec, opponent_spec].map(|spec| match budget {
                        Budget::Simulations(n) => format!("{spec},nodes={n}"),
                        Budget::Milliseconds(_) => spec.to_owned(),
                    });
                    let players = [(playouts, own.as_str()), (opponent, other.as_str())];
                    let mut duel = Duel::new(game.spec, players, plan.repeats.into(), context.seed);
                    duel.spec.opening_plies = game.opening_plies;
                    if let Budget::Milliseconds(t) = budget {
                        duel = with_time_per_move(duel, t);
                    }
                    let score = MatchScore::of(&duel.play(context, budget.weight(game))?);
                    rows.push(Row {
                        playouts,
                        opponent,
                        equal: budget.name(),
                        game: game.name,
                        score,
                    });
                }
            }
        }
        Ok(rows)
    }

    fn figure(&self, experiment: &Experiment, rows: &[Row]) -> Result<Figure> {
        let [x, y] = experiment.axes;
        let place = |row: &Row| self.games.iter().position(|game| game.name == row.game);
        let point = |row: &Row| row.score.point(place(row).map_or(f64::NAN, |place| place as f64));
        let bars = |line: Series| Series {
            name: line.name + " playouts",
            style: SeriesStyle::Bars,
            ..line
        };
        let panel = |(budget, rows): (&str, Vec<&Row>)| {
            let series = lines_of_points(rows, |row| row.playouts, point);
            let games = Axis::names(x, self.games.iter().map(|game| game.name));
            let axes = [games, Axis::linear(y).showing(0.0..=1.0)];
            let bars = series.into_iter().map(bars).collect();
            ruled_panel(format!("{budget} for both"), axes, bars, (0.5, ""))
        };
        let panels = groups(rows, |row| row.equal.as_str()).into_iter().map(panel).collect();
        let title = format!("Playouts with some sense against {} ones", self.opponent.0);
        Ok(Figure { title, panels })
    }

    fn sentences(&self, _: &Experiment, rows: &[Row]) -> Vec<String> {
        let matches = groups(rows, |row| (row.equal.as_str(), row.playouts));
        let mut said: Vec<String> = matches.iter().map(|(_, rows)| sentence(rows)).collect();
        said.extend(caveats(rows.iter().map(|row| &row.score)));
        said
    }
}

/// Compares one playout policy with random playouts in all games.
fn sentence(rows: &[&Row]) -> String {
    let words = |row: &&Row| {
        let comparison = match row.score.comparison() {
            Comparison::Stronger => "stronger",
            Comparison::Weaker => "weaker",
            Comparison::Open => "too few games to tell",
        };
        format!("{} in {}: {comparison}", row.score.text(), row.game)
    };
    let words: Vec<String> = rows.iter().map(words).collect();
    let (Row { equal, playouts, opponent, .. }, scores) =
        (rows[0], list(&words).replace(": ", " – "));
    format!("At {equal}, {playouts} playouts score against {opponent} playouts: {scores}.")
}
