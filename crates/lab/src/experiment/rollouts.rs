//! Playout policies against random playouts, with equal simulations and with equal time.

use serde::Serialize;
use tussle_view::Figure;
use tussle_view::chart::{Axis, Series, SeriesStyle};

use super::contest::with_time_per_move;
use super::setup::{StartSupport, with_pair};
use super::swept::{Steps, Swept};
use super::{Context, ExperimentError, Kind, Setup};
use crate::figure::{lines_of_points, ruled_panel};
use crate::match_score::{Comparison, MatchScore, caveats};
use crate::sentences::{game_words, grouped, list};
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
    fn weight(self, game: &Game) -> u64 {
        let per_move = match self {
            Self::Simulations(n) => n * game.simulation_ms,
            Self::Milliseconds(t) => t,
        };
        (per_move * game.plies).ceil() as u64
    }
}

#[derive(Debug, Default, Serialize)]
pub(super) struct Row {
    playouts: String,
    #[serde(rename = "rival")]
    opponent: String,
    equal: String,
    game: String,
    #[serde(flatten)]
    score: MatchScore,
}

impl Kind for PlayoutPolicies {
    type Row = Row;

    fn swept(&self) -> Swept {
        Swept { name: "simulations and milliseconds per move", steps: Steps::Pair }
    }

    fn start(&self) -> StartSupport {
        StartSupport::Openings
    }

    fn adapt(&self, setup: &mut Setup) -> Result<()> {
        let game = setup.game.split(", ").next().unwrap_or_default();
        let game = setup.game_of(game)?;
        setup.expect_two_players(game.as_ref())?;
        if !setup.own.agents {
            return Ok(());
        }
        for i in 0..setup.agents.len() {
            let player = &setup.agents[i];
            if player.is_program() || !setup.takes(game.as_ref(), &player.spec, "rollout", "random")
            {
                let why =
                    "has no key `rollout`; use an agent with playouts, such as mcts:rollout=heavy";
                return Err(setup.unfit(player, why));
            }
            let spec = with_pair(&player.spec, "rollout", "random");
            setup.agents[i].opponent = Some((self.opponent.0.to_owned(), spec));
        }
        Ok(())
    }

    fn measure(&self, setup: &Setup, context: &mut Context<'_>) -> Result<Vec<Row>> {
        let [simulations, milliseconds] = setup.points[..] else {
            return Err(ExperimentError::Budgets(setup.name).into());
        };
        let budgets = [Budget::Simulations(simulations), Budget::Milliseconds(milliseconds)];
        let games = self.games(setup);
        let each = games.iter().flat_map(|game| budgets.map(|budget| budget.weight(game)));
        let all = each.sum::<u64>() * u64::from(setup.repeats) * setup.agents.len() as u64;
        context.begin(setup.name, all);
        let mut rows = Vec::new();
        for budget in budgets {
            for player in &setup.agents {
                let (playouts, spec) = (player.name.as_str(), player.spec.as_str());
                let (opponent, opponent_spec) = match &player.opponent {
                    Some((name, spec)) => (name.as_str(), spec.as_str()),
                    None => self.opponent,
                };
                for game in &games {
                    let [own, other] = [spec, opponent_spec].map(|spec| match budget {
                        Budget::Simulations(n) => with_pair(spec, "nodes", &n.to_string()),
                        Budget::Milliseconds(_) => spec.to_owned(),
                    });
                    let players = [(playouts, own.as_str()), (opponent, other.as_str())];
                    let mut duel =
                        Duel::new(&game.spec, players, setup.repeats.into(), context.seed);
                    duel.spec.opening_plies = game.opening_plies;
                    if let Budget::Milliseconds(t) = budget {
                        duel = with_time_per_move(duel, t);
                    }
                    let score = MatchScore::of(&duel.play(context, budget.weight(game))?);
                    rows.push(Row {
                        playouts: playouts.to_owned(),
                        opponent: opponent.to_owned(),
                        equal: budget.name(),
                        game: game.name.clone(),
                        score,
                    });
                }
            }
        }
        Ok(rows)
    }

    fn figure(&self, setup: &Setup, rows: &[Row]) -> Result<Figure> {
        let [x, y] = setup.axes.each_ref().map(String::as_str);
        let games = self.games(setup);
        let place = |row: &Row| games.iter().position(|game| game.name == row.game);
        let point = |row: &Row| row.score.point(place(row).map_or(f64::NAN, |place| place as f64));
        let bars = |line: Series| Series {
            name: line.name + " playouts",
            style: SeriesStyle::Bars,
            ..line
        };
        let panel = |(budget, rows): (&str, Vec<&Row>)| {
            let series = lines_of_points(rows, |row| row.playouts.as_str(), point);
            let games = Axis::names(x, games.iter().map(|game| game.name.clone()));
            let axes = [games, Axis::linear(y).showing(0.0..=1.0)];
            let bars = series.into_iter().map(bars).collect();
            ruled_panel(format!("{budget} for both"), axes, bars, (0.5, ""))
        };
        let panels = groups(rows, |row| row.equal.as_str()).into_iter().map(panel).collect();
        let title = format!("Playouts with some sense against {} ones", self.opponent.0);
        Ok(Figure { title, panels })
    }

    fn sentences(&self, _: &Setup, rows: &[Row]) -> Vec<String> {
        let matches = groups(rows, |row| (row.equal.as_str(), row.playouts.as_str()));
        let mut said: Vec<String> = matches.iter().map(|(_, rows)| sentence(rows)).collect();
        said.extend(caveats(rows.iter().map(|row| &row.score)));
        said
    }
}

/// Game of a setup.
struct Game {
    name: String,
    spec: String,
    opening_plies: u32,
    plies: f64,
    simulation_ms: f64,
}

impl PlayoutPolicies {
    /// Returns the games of the list, or the user's.
    fn games(&self, setup: &Setup) -> Vec<Game> {
        if setup.own.game {
            let (name, spec) = (game_words(&setup.game), setup.game.clone());
            // Unknown games are taken to be like those of the list.
            return vec![Game { name, spec, opening_plies: 2, plies: 30.0, simulation_ms: 0.02 }];
        }
        let game = |game: &PlayoutGame| {
            let &PlayoutGame { name, spec, opening_plies, plies, simulation_ms } = game;
            let (name, spec) = (name.to_owned(), spec.to_owned());
            Game { name, spec, opening_plies, plies, simulation_ms }
        };
        self.games.iter().map(game).collect()
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
