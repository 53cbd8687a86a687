//! Depth that searches reach in a time.

use std::time::Duration;

use serde::Serialize;
use tussle_core::Limits;
use tussle_view::Figure;
use tussle_view::chart::{Axis, Series};

use super::setup::{Start, StartSupport};
use super::swept::{Steps, Swept};
use super::{Context, Group, Kind, Setup};
use crate::Result;
use crate::figure::{lines, panel};
use crate::mean::{Mean, slope};
use crate::sentences::{about, game_words, list, placed, several};
use crate::table::groups;

/// Search of one position for the seconds of the plan, by every agent.
#[derive(Debug)]
pub(super) struct DepthInTime(pub(super) &'static [Group]);

#[derive(Debug, Default, Serialize)]
pub(super) struct Row {
    group: String,
    agent: String,
    seconds: f64,
    run: u32,
    depth: u32,
}

fn depths(rows: Vec<&Row>) -> Vec<Series> {
    lines(
        rows,
        |row| row.agent.as_str(),
        |row| row.seconds,
        |row| row.depth.into(),
        Mean::arithmetic,
    )
}

impl Kind for DepthInTime {
    type Row = Row;

    fn groups(&self) -> &'static [Group] {
        self.0
    }

    fn swept(&self) -> Swept {
        Swept { name: "times in seconds", steps: Steps::Factors }
    }

    fn start(&self) -> StartSupport {
        StartSupport::PerRun
    }

    fn adapt(&self, setup: &mut Setup) -> Result<()> {
        if let Start::Random(_) = setup.start {
            return Ok(());
        }
        setup.expect_player_to_move(setup.game()?.as_ref())
    }

    fn measure(&self, setup: &Setup, context: &mut Context<'_>) -> Result<Vec<Row>> {
        let game = setup.game()?;
        let starts = setup.positions_of_runs(game.as_ref(), context.seed)?;
        let millis = |seconds: f64| (seconds * 1000.0).round() as u64;
        let once: u64 = setup.points.iter().map(|&seconds| millis(seconds)).sum();
        // Players that do not begin a depth that they cannot finish use about half of their time.
        let total = once / 2 * u64::from(setup.repeats) * setup.agents.len() as u64;
        context.begin(setup.name, total);
        let mut rows = Vec::new();
        for player in &setup.agents {
            let first_row = rows.len();
            for &seconds in &setup.points {
                for run in 0..setup.repeats {
                    let start = starts[run as usize % starts.len()].as_ref();
                    let (spec, seed, ms) = (&player.spec, context.run_seed(run), millis(seconds));
                    let (rules, place) = (game.spec(), setup.key_of_position(start));
                    let key = format!("in time {rules} {spec} {ms} ms seed {seed}{place}");
                    let depth = Setup::timed(context, player, &key, ms / 2, |stop| {
                        let mut agent = setup.agent(&game, spec, seed)?;
                        let limits =
                            Limits::none().or_stop(stop).or_time(Duration::from_millis(ms));
                        Ok(agent.choose(start, &limits)?.stats.depth)
                    })?;
                    let (group, agent) = (player.group.clone(), player.name.clone());
                    rows.push(Row { group, agent, seconds, run: run + 1, depth });
                }
            }
            if rows[first_row..].iter().all(|row| row.depth == 0) {
                return Err(setup.unreported(player, "depth"));
            }
        }
        Ok(rows)
    }

    fn figure(&self, setup: &Setup, rows: &[Row]) -> Result<Figure> {
        let [x, y] = setup.axes.each_ref().map(String::as_str);
        let chart = |(group, rows): (&str, Vec<&Row>)| {
            panel(group, Axis::log(x), Axis::linear(y), depths(rows))
        };
        let title = format!("Depth reached in a time ({})", game_words(&setup.game));
        let panels = groups(rows, |row| row.group.as_str()).into_iter().map(chart).collect();
        Ok(Figure { title, panels })
    }

    fn sentences(&self, setup: &Setup, rows: &[Row]) -> Vec<String> {
        let mut sentences = Vec::new();
        for (group, rows) in groups(rows, |row| row.group.as_str()) {
            let longest = rows.last().map_or(0.0, |row| row.seconds);
            let (mut reached, mut costs) = (Vec::new(), Vec::new());
            for Series { name, points, .. } in depths(rows) {
                reached.push(format!(
                    "{name} {} plies",
                    about(points.last().map_or(0.0, |last| last.y))
                ));
                // Depth grows with the logarithm of time, so a ply is a factor.
                let trend: Vec<_> = points.iter().map(|point| (point.x.ln(), point.y)).collect();
                let cost = slope(&trend).recip().exp();
                if cost.is_finite() && cost > 1.0 {
                    costs.push(format!("{name} {} times", about(cost)));
                }
            }
            let mut said = placed(group, &format!("in {} s {}.", about(longest), list(&reached)));
            if !costs.is_empty() {
                said += &format!(
                    " Each ply more takes {} the time, going by the line through all points.",
                    list(&costs)
                );
            }
            sentences.push(said);
        }
        sentences.push(match rows.iter().map(|row| row.run).max() {
            Some(runs @ 2..) => format!(
                "Lines are means of {runs} runs with different seeds, bands the 95 % intervals of these means (Student's); \
                 where there is no band all runs came equally deep."
            ),
            _ => "One run each.".to_owned(),
        });
        if let Start::Random(count) = setup.start {
            let positions = several(count as usize, "random position", "random positions");
            sentences.push(format!("The runs begin in {positions}, one after the other."));
        }
        sentences
    }
}
