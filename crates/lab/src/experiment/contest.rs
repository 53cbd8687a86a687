//! Matches against one opponent by a swept parameter: the share of the points with its interval.

use std::f64::consts::SQRT_2;
use std::time::Duration;

use serde::Serialize;
use tussle_catalog::{AnyGame, is_program};
use tussle_core::{Limits, Rng, TimeControl};
use tussle_view::Figure;
use tussle_view::chart::Axis;

use super::setup::{Player, StartSupport, swept_key, with_pair, without_key};
use super::swept::{Steps, Swept};
use super::{Context, Kind, Setup};
use crate::figure::{lines_of_points, ruled_panel};
use crate::match_score::{Comparison, MatchScore, caveats};
use crate::sentences::{game_words, grouped, list, percent, sentence, short};
use crate::table::groups;
use crate::{Duel, Result};

/// Matches of the experiment's agents at each value of the swept parameter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Matches {
    /// Title of the figure.
    pub(super) title: &'static str,
    /// Name and spec of the opponent of each agent; a single one plays against all of them.
    pub(super) opponents: &'static [(&'static str, &'static str)],
    pub(super) swept: SweptParameter,
    /// Range of shares that the figure shows at least.
    pub(super) shown: (f64, f64),
    pub(super) opening_plies: u32,
    /// Approximate time of a game in milliseconds.
    pub(super) game_ms: fn(f64) -> f64,
}

/// Swept parameter of matches, `{x}` in specs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SweptParameter {
    /// Constant of the search with this name.
    Constant(&'static str),
    /// Nodes or simulations per move.
    Nodes,
    /// Milliseconds per move, for both players.
    Milliseconds,
}

/// Time of a program for a move, in milliseconds, if the experiment sets none.
pub(super) const PROGRAM_MS: f64 = 100.0;
/// Number of simulations of a sampling agent without a limit of its own.
const SIMULATIONS: u64 = 500;

/// Safety margin beyond the time to think, so that players do not lose on time on a busy machine.
const MARGIN: Duration = Duration::from_secs(1);

impl SweptParameter {
    /// Writes a value with its name or unit. `label` is the label of the x axis, which ends with the name of a constant.
    fn value(self, label: &str, x: f64) -> String {
        match self {
            Self::Constant(name) => {
                format!("{} = {}", label.rsplit(' ').next().unwrap_or(name), short(x))
            }
            Self::Nodes => grouped(x),
            Self::Milliseconds => format!("{} ms", short(x)),
        }
    }
}

/// Returns the match with a number of milliseconds per move.
pub(super) fn with_time_per_move(duel: Duel, milliseconds: f64) -> Duel {
    let time = Duration::from_secs_f64(milliseconds / 1e3);
    let mut duel = duel.timed(TimeControl::PerMove(time + MARGIN));
    duel.spec.margin = MARGIN;
    duel
}

#[derive(Debug, Default, Serialize)]
pub(super) struct Row {
    agent: String,
    #[serde(rename = "rival")]
    opponent: String,
    #[serde(rename = "{x}")]
    x: f64,
    #[serde(flatten)]
    score: MatchScore,
    /// True if agent and opponent are equal, so that the true share is one half.
    #[serde(skip)]
    is_itself: bool,
    /// Median and 99th percentile of the opponent's time per move in milliseconds, under a time control.
    #[serde(skip)]
    opponent_ms: Option<(f64, f64)>,
}

impl Kind for Matches {
    type Row = Row;

    fn swept(&self) -> Swept {
        match self.swept {
            SweptParameter::Constant(_) => {
                Swept { name: "values of the constant", steps: Steps::Factors }
            }
            SweptParameter::Nodes => {
                Swept { name: "simulations per move", steps: Steps::WholeFactors }
            }
            SweptParameter::Milliseconds => {
                Swept { name: "milliseconds per move", steps: Steps::Factors }
            }
        }
    }

    fn start(&self) -> StartSupport {
        StartSupport::Openings
    }

    fn adapt(&self, setup: &mut Setup) -> Result<()> {
        let game = setup.game()?;
        setup.expect_two_players(game.as_ref())?;
        if setup.own.agents {
            match self.swept {
                SweptParameter::Constant(key) => oppose_constant(setup, game.as_ref(), key)?,
                SweptParameter::Nodes => oppose_without_reuse(setup, game.as_ref())?,
                SweptParameter::Milliseconds => {}
            }
        }
        if setup.own.game || setup.own.agents {
            let mut opponents: Vec<&str> =
                setup.agents.iter().map(|player| self.opponent(player).0).collect();
            opponents.dedup();
            let opponents = match opponents.as_slice() {
                [one] => *one,
                _ => "an agent without the change",
            };
            setup.title =
                Some(format!("{}: points against {opponents}", sentence(&game_words(&setup.game))));
        }
        Ok(())
    }

    fn measure(&self, setup: &Setup, context: &mut Context<'_>) -> Result<Vec<Row>> {
        let games = u64::from(setup.repeats);
        let weight = |x: f64| (self.game_ms)(x).ceil().max(1.0) as u64;
        let each: u64 = setup.points.iter().map(|&x| games * weight(x)).sum();
        context.begin(setup.name, each * setup.agents.len() as u64);
        let is_timed = self.swept == SweptParameter::Milliseconds;
        let mut rows = Vec::new();
        for player in &setup.agents {
            let (agent, spec) = (player.name.as_str(), player.spec.as_str());
            let (opponent, opponent_spec) = self.opponent(player);
            let is_program = player.is_program() || is_program(opponent_spec);
            for (place, &x) in setup.points.iter().enumerate() {
                let [own, other] =
                    [spec, opponent_spec].map(|spec| spec.replace("{x}", &x.to_string()));
                let players = [(agent, own.as_str()), (opponent, other.as_str())];
                // Every point has its own openings, so that all points together rest on many.
                let seed = Rng::derive(context.seed, &[place as u64]).next_u64() >> 32;
                let mut duel = Duel::new(&setup.game, players, games, seed);
                duel.spec.opening_plies = self.opening_plies;
                if is_timed {
                    duel = with_time_per_move(duel, x);
                } else if is_program {
                    duel = with_time_per_move(duel, PROGRAM_MS);
                }
                let summary = duel.play(context, weight(x))?;
                let times = summary.timing.agents.get(1).filter(|_| is_timed);
                rows.push(Row {
                    agent: agent.to_owned(),
                    opponent: opponent.to_owned(),
                    x,
                    score: MatchScore::of(&summary),
                    is_itself: own == other,
                    opponent_ms: times.and_then(|moves| moves.p50_ms.zip(moves.p99_ms)),
                });
            }
        }
        Ok(rows)
    }

    fn figure(&self, setup: &Setup, rows: &[Row]) -> Result<Figure> {
        let [x, y] = setup.axes.each_ref().map(String::as_str);
        let mut series =
            lines_of_points(rows, |row| row.agent.as_str(), |row| row.score.point(row.x));
        let points = series.first().map_or_else(Vec::new, |line| line.points.clone());
        // Points that double are evenly apart, and each has its number on the axis.
        let doubles = points.windows(2).all(|pair| pair[1].x == 2.0 * pair[0].x);
        let across = if doubles {
            for (place, point) in
                series.iter_mut().flat_map(|line| line.points.iter_mut().enumerate())
            {
                point.x = place as f64;
            }
            Axis::names(x, points.iter().map(|point| point.x.to_string()))
        } else {
            Axis::log(x)
        };
        let y = Axis::linear(y).showing(self.shown.0..=self.shown.1);
        let panel = ruled_panel("", [across, y], series, (0.5, "as strong as the opponent"));
        let title = setup.title.as_deref().unwrap_or(self.title).to_owned();
        Ok(Figure { title, panels: vec![panel] })
    }

    fn sentences(&self, setup: &Setup, rows: &[Row]) -> Vec<String> {
        let (swept, label) = (self.swept, setup.axes[0].as_str());
        let mut sentences = Vec::new();
        for (_, rows) in groups(rows, |row| row.agent.as_str()) {
            sentences.extend(comparisons(swept, label, &rows));
            sentences.extend(calibration(&rows));
            match swept {
                SweptParameter::Constant(_) => sentences.extend(best(swept, label, &rows)),
                SweptParameter::Nodes => sentences.push(together(&rows)),
                SweptParameter::Milliseconds => sentences.extend(strength_slope(&rows)),
            }
        }
        sentences.extend(opponent_times(rows));
        sentences.extend(caveats(rows.iter().map(|row| &row.score)));
        sentences
    }
}

impl Matches {
    /// Returns the name and the spec of an agent's opponent.
    fn opponent<'a>(&'a self, player: &'a Player) -> (&'a str, &'a str) {
        match &player.opponent {
            Some((name, spec)) => (name, spec),
            None => self.opponents[player.place % self.opponents.len()],
        }
    }
}

/// Lets each of the user's agents play against itself with a usual value of the swept key: √2 for `key`, the default for
/// another one, and for a limit or a program the middle of the range.
fn oppose_constant(setup: &mut Setup, game: &dyn AnyGame, key: &'static str) -> Result<()> {
    match setup.sweep_key(game, key)? {
        Some(swept) if swept == key => {}
        Some(swept) => setup.axes[0] = swept,
        None => "x".clone_into(&mut setup.axes[0]),
    }
    setup.limit_sampling(game, SIMULATIONS)?;
    let middle = setup.points.get(setup.points.len() / 2).copied().unwrap_or(1.0);
    let is_limited = |spec: &str| {
        let is_endless = game.runs_to_a_proof(spec).unwrap_or(true);
        !is_endless && matches!(game.default_time(spec, &Limits::none()), Ok(None))
    };
    for player in &mut setup.agents {
        let (name, spec) = match swept_key(&player.spec) {
            Some(swept) if swept == key => {
                let spec = with_pair(&player.spec, key, &SQRT_2.to_string());
                (format!("{key} = √2"), spec)
            }
            Some(swept) if is_limited(&without_key(&player.spec, &swept)) => {
                (format!("the default {swept}"), without_key(&player.spec, &swept))
            }
            Some(swept) => {
                let spec = player.spec.replace("{x}", &middle.to_string());
                (format!("{swept} = {}", short(middle)), spec)
            }
            None => {
                let spec = player.spec.replace("{x}", &middle.to_string());
                (format!("x = {}", short(middle)), spec)
            }
        };
        player.opponent = Some((name, spec));
    }
    Ok(())
}

/// Lets each of the user's agents play with tree reuse against itself without.
fn oppose_without_reuse(setup: &mut Setup, game: &dyn AnyGame) -> Result<()> {
    for i in 0..setup.agents.len() {
        let player = &setup.agents[i];
        let spec = with_pair(&player.spec, "nodes", "{x}");
        if player.is_program() || !setup.takes(game, &spec, "reuse", "on") {
            let why = "has no key `reuse`; use an agent that keeps its tree, such as mcts";
            return Err(setup.unfit(player, why));
        }
        let name = format!("{} without reuse", player.name);
        let player = &mut setup.agents[i];
        player.opponent = Some((name, with_pair(&spec, "reuse", "off")));
        player.spec = with_pair(&spec, "reuse", "on");
    }
    Ok(())
}

/// Returns the rows of an agent in which its opponent is another one.
fn others<'a>(rows: &[&'a Row]) -> impl Iterator<Item = &'a Row> {
    rows.iter().copied().filter(|row| !row.is_itself)
}

/// Lists where the agent is stronger than its opponent, where weaker, and where the games do not tell.
fn comparisons(swept: SweptParameter, label: &str, rows: &[&Row]) -> Option<String> {
    let Row { agent, opponent, .. } = others(rows).next()?;
    let of = |comparison| -> Vec<String> {
        others(rows)
            .filter(|row| row.score.comparison() == comparison)
            .map(|row| format!("{} ({})", swept.value(label, row.x), percent(row.score.share)))
            .collect()
    };
    let about = match swept {
        SweptParameter::Constant(_) => "with",
        SweptParameter::Nodes => "at a budget of",
        SweptParameter::Milliseconds => "thinking for",
    };
    let games: u64 = others(rows).map(|row| row.score.games).sum();
    let mut parts = Vec::new();
    for (comparison, what) in [
        (Comparison::Stronger, "stronger than"),
        (Comparison::Weaker, "weaker than"),
        (Comparison::Open, "not distinguishable from"),
    ] {
        let those = of(comparison);
        if !those.is_empty() {
            parts.push(format!("{what} {opponent} {about} {}", list(&those)));
        }
    }
    let mut sentence = format!("{agent} ({} games): {}", grouped(games as f64), parts.join("; "));
    if !of(Comparison::Open).is_empty() {
        sentence += ", where the 95 % interval holds 50 %: too few games to tell";
    }
    Some(sentence + ".")
}

/// Compares the games of an agent against itself with a share of one half.
fn calibration(rows: &[&Row]) -> Option<String> {
    let Row { agent, opponent, score, .. } = rows.iter().find(|row| row.is_itself)?;
    let tail = match score.comparison() {
        Comparison::Open => "as it should be near 50 %",
        _ => "though it should be near 50 %: this interval misses by chance",
    };
    Some(format!("{agent}: {opponent} against itself scores {}, {tail}.", score.text()))
}

/// Names the value with the largest share, and those that may be as good.
fn best(swept: SweptParameter, label: &str, rows: &[&Row]) -> Option<String> {
    let most = others(rows).max_by(|a, b| a.score.share.total_cmp(&b.score.share))?;
    let is_near = |row: &&&Row| {
        if row.is_itself {
            // The true share of equal players is one half.
            most.score.low <= 0.5
        } else {
            row.x != most.x && row.score.high >= most.score.low
        }
    };
    let near: Vec<String> =
        rows.iter().filter(is_near).map(|row| swept.value(label, row.x)).collect();
    let tail = if near.is_empty() {
        "the intervals of all others lie below its own".to_owned()
    } else {
        format!("the intervals of {} overlap its own, so the best may be one of them", list(&near))
    };
    let (agent, value, score) = (&most.agent, swept.value(label, most.x), most.score.text());
    Some(format!("{agent}: {value} scores most, {score}; {tail}."))
}

/// Adds up all budgets: many small differences may be a significant one together.
fn together(rows: &[&Row]) -> String {
    let all = MatchScore::together(rows.iter().map(|row| &row.score));
    let comparison = match all.comparison() {
        Comparison::Stronger => "it is stronger",
        Comparison::Weaker => "it is weaker",
        Comparison::Open => "too few games to tell",
    };
    let Row { agent, opponent, .. } = rows[0];
    format!("{agent}: over all budgets it scores {} against {opponent}: {comparison}.", all.text())
}

/// States the time that the opponent took under a time control.
fn opponent_times(rows: &[Row]) -> Option<String> {
    let times = || rows.iter().filter_map(|row| row.opponent_ms);
    let most = |get: fn((f64, f64)) -> f64| times().map(get).fold(0.0, f64::max);
    times().next()?;
    Some(format!(
        "Times depend on the machine and its load. The opponent's median time per move was {:.1} ms, and the \
         99th percentile {:.1} ms, in the match where it was slowest.",
        most(|times| times.0),
        most(|times| times.1)
    ))
}

/// Returns the Elo per doubling, by a straight line through all points.
fn strength_slope(rows: &[&Row]) -> Option<String> {
    let point =
        |row: &&Row| row.score.elo().map(|(elo, error)| (row.x.log2(), elo, error.max(1.0)));
    let points: Vec<(f64, f64, f64)> = rows.iter().filter_map(point).collect();
    let (slope, error) = weighted_slope(&points)?;
    let (Row { agent, opponent, .. }, error) = (rows[0], 1.96 * error);
    let tail = if slope.abs() > error { "" } else { ": too few games to tell whether it matters" };
    Some(format!(
        "{agent}: doubling changes its strength against {opponent} by {slope:+.0} ± {error:.0} Elo (straight \
         line through {} points){tail}.",
        points.len()
    ))
}

/// Returns the slope of the line through points (x, y, standard error of y), and its standard error.
fn weighted_slope(points: &[(f64, f64, f64)]) -> Option<(f64, f64)> {
    let weight = |error: f64| 1.0 / (error * error);
    let sum = |of: &dyn Fn(f64, f64) -> f64| -> f64 {
        points.iter().map(|&(x, y, error)| weight(error) * of(x, y)).sum()
    };
    let all = sum(&|_, _| 1.0);
    let (x0, y0) = (sum(&|x, _| x) / all, sum(&|_, y| y) / all);
    let spread = sum(&|x, _| (x - x0).powi(2));
    // A line needs points at two places.
    (points.len() > 1 && spread > 0.0)
        .then(|| (sum(&|x, y| (x - x0) * (y - y0)) / spread, spread.sqrt().recip()))
}

#[cfg(test)]
mod tests {
    use tussle_stats::Pentanomial;

    use super::*;
    use crate::experiment::own_tests::listed;

    const SWEEP: Matches = Matches {
        title: "",
        opponents: &[],
        swept: SweptParameter::Constant("c"),
        shown: (0.0, 1.0),
        opening_plies: 0,
        game_ms: |_| 1.0,
    };

    #[test]
    fn an_agent_is_never_stronger_than_itself() {
        let lucky = MatchScore::of_pairs(&Pentanomial([5, 0, 10, 0, 85]), 100);
        let even = MatchScore::of_pairs(&Pentanomial([50, 0, 0, 0, 50]), 100);
        let setup = listed("c-sweep");
        let said = |itself: MatchScore| {
            let [agent, opponent] = ["a", "r"].map(str::to_owned);
            let row = |x, score| {
                let (agent, opponent) = (agent.clone(), opponent.clone());
                Row { agent, opponent, x, score, ..Row::default() }
            };
            let rows = [row(1.0, even), Row { is_itself: true, ..row(2.0, itself) }];
            SWEEP.sentences(&setup, &rows).join(" ")
        };
        let text = said(lucky);
        assert!(!text.contains("stronger"), "{text}");
        assert!(text.contains("r against itself scores 90 %"), "{text}");
        assert!(text.contains("misses by chance") && text.contains("c = 1 scores most"), "{text}");
        let text = said(even);
        assert!(text.contains("as it should be near 50 %"), "{text}");
    }

    #[test]
    fn a_line_is_found_with_the_error_it_has() {
        let mut rng = Rng::new(5);
        let mut near = 0;
        for _ in 0..1000 {
            // The sum of twelve is as good as normal.
            let mut noise = || (0..12).map(|_| rng.unit()).sum::<f64>() - 6.0;
            let points: Vec<_> = (0..5)
                .map(|i| (f64::from(i), 70.0 * f64::from(i) - 30.0, 10.0 + 5.0 * f64::from(i)))
                .map(|(x, y, error)| (x, y + error * noise(), error))
                .collect();
            let (slope, error) = weighted_slope(&points).unwrap();
            near += u32::from((slope - 70.0).abs() < 1.96 * error);
        }
        assert!((930..=970).contains(&near), "{near}");
        assert_eq!(weighted_slope(&[(1.0, 2.0, 3.0)]), None);
    }
}
