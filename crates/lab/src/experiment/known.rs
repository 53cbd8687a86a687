//! Nodes that a search saves if it knows the value of the root.

use serde::{Deserialize, Serialize};
use tussle_core::{Limits, StopReason};
use tussle_explain::known_value_nodes;
use tussle_view::Figure;
use tussle_view::chart::{Axis, Point, Series};

use super::setup::{Start, StartSupport};
use super::swept::{Steps, Swept};
use super::{Context, ExperimentError, Kind, Setup};
use crate::Result;
use crate::figure::{panel, points};
use crate::mean::Mean;
use crate::measure::positions::positions;
use crate::sentences::{about, game_words, grouped, list, percent, sentence, several};
use crate::table::groups;

/// Move orders of a tree, in the order of the figure, and their names in sentences.
const ORDERS: [(&str, &str); 3] = [("best", "the best"), ("random", "any"), ("worst", "the worst")];

/// Maximum number of nodes of the search for the value, in a game of the user's choice.
const MAX_NODES: u64 = 5_000_000;

/// Searches of positions with and without their value. The points of the plan are the plies before them.
#[derive(Debug)]
pub(super) struct KnownValue;

/// Nodes of both searches with one move order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Nodes {
    known: u64,
    full: u64,
}

#[derive(Debug, Default, Serialize)]
pub(super) struct Row {
    #[serde(rename = "moves before")]
    plies: f64,
    position: usize,
    order: &'static str,
    #[serde(rename = "nodes known")]
    known: u64,
    #[serde(rename = "nodes full")]
    full: u64,
}

impl Kind for KnownValue {
    type Row = Row;

    fn swept(&self) -> Swept {
        Swept { name: "numbers of moves made before the search", steps: Steps::Whole(0) }
    }

    fn start(&self) -> StartSupport {
        StartSupport::Repeats
    }

    fn adapt(&self, setup: &mut Setup) -> Result<()> {
        let (experiment, found) = (setup.name, setup.agents.len());
        if found != 1 {
            let (expected, fix) = ("1 agent", "give --agent once");
            return Err(ExperimentError::AgentCount { experiment, expected, found, fix }.into());
        }
        setup.expect_no_program("is a program, whose tree is unknown; use alphabeta-textbook")?;
        let (game, player) = (setup.game()?, &setup.agents[0]);
        if !setup.takes(game.as_ref(), &player.spec, "value", "0") {
            return Err(setup.unfit(player, "has no key `value`; use alphabeta-textbook"));
        }
        if let Start::Given(_) = setup.start {
            if setup.own.range {
                let (option, why) =
                    ("--range", "has no meaning with a given position; leave one of them out");
                return Err(ExperimentError::Positions { experiment, option, why }.into());
            }
            setup.points = vec![0.0];
        }
        Ok(())
    }

    fn measure(&self, setup: &Setup, context: &mut Context<'_>) -> Result<Vec<Row>> {
        let game = setup.game()?;
        let spec = setup.agents.first().map_or("alphabeta-textbook", |agent| &agent.spec);
        let is_own = setup.own.game || setup.own.agents || setup.own.start;
        let seed = context.seed;
        let mut searches = Vec::new();
        for &plies in &setup.points {
            let few = plies as usize..=plies as usize;
            let positions = match &setup.start {
                Start::Given(position) => vec![position.boxed()],
                Start::Usual | Start::Random(_) => {
                    positions(game.as_ref(), setup.repeats, few, seed)?
                }
            };
            searches.push((plies, positions));
        }
        // The tree is stored as a whole; each move before it leaves a quarter or less.
        let weight = |plies: f64| (800.0 * 0.25_f64.powf(plies)) as u64 + 1;
        let total = searches.iter().map(|(plies, all)| weight(*plies) * all.len() as u64).sum();
        context.begin(setup.name, total);
        let mut rows: Vec<Row> = Vec::new();
        let mut first_value = None;
        for (plies, positions) in &searches {
            let mut count = 0;
            for position in positions {
                let key = format!("known {} {} {spec} seed {seed}", game.spec(), position.text());
                let (value, nodes): (f64, Vec<Nodes>) =
                    context.measure(&key, weight(*plies), "", |stop| {
                        let limits = Limits::none().or_stop(stop);
                        let most = if is_own { limits.clone().or_nodes(MAX_NODES) } else { limits.clone() };
                        let report = game.agent(spec, seed)?.choose(position.as_ref(), &most)?;
                        if is_own && report.stopped == StopReason::Nodes {
                            let why = format!(
                                "has no proven value within {} nodes; use a smaller game, or later positions",
                                grouped(MAX_NODES as f64)
                            );
                            return Err(setup.unfit_game(game.as_ref(), why));
                        }
                        let Some(line) = report.lines.first() else { return Ok((0.0, Vec::new())) };
                        let sign = if spec.contains(':') { ',' } else { ':' };
                        let known = format!("{spec}{sign}value={}", line.value.number());
                        let game = game.as_ref();
                        let counts = known_value_nodes(game, position.as_ref(), &known, &limits);
                        let of = |(order, _): &(&str, &str)| {
                            let nodes = counts.iter().find(|nodes| nodes.order == *order)?;
                            Some(Nodes { known: nodes.known, full: nodes.full })
                        };
                        Ok((line.value.number(), ORDERS.iter().filter_map(of).collect()))
                    })?;
                // A lost position needs one move only, so positions of one value are compared. A tree that is too
                // large to be stored has no counts.
                if value == *first_value.get_or_insert(value) && nodes.len() == ORDERS.len() {
                    count += 1;
                    rows.extend(ORDERS.iter().zip(nodes).map(
                        |(&(order, _), Nodes { known, full })| Row {
                            plies: *plies,
                            position: count,
                            order,
                            known,
                            full,
                        },
                    ));
                }
            }
        }
        Ok(rows)
    }

    fn figure(&self, setup: &Setup, rows: &[Row]) -> Result<Figure> {
        let title = format!("Nodes with a known value ({})", game_words(&setup.game));
        let [x, y] = setup.axes.each_ref().map(String::as_str);
        let Some((first, by_order)) = groups(rows, |row| row.plies).into_iter().next() else {
            return Ok(Figure { title, panels: Vec::new() });
        };
        let place = |row: &Row| ORDERS.iter().position(|(order, _)| *order == row.order);
        let order = |row: &Row| place(row).map_or(f64::NAN, |place| place as f64);
        // A logarithmic axis has no zero for bars to stand on.
        let dots = searches(&by_order, order).map(|(name, points)| Series::dots(name, points));
        let orders = Axis::names("which move comes first", ORDERS.map(|(order, _)| order));
        let any: Vec<&Row> = rows.iter().filter(|row| row.order == "random").collect();
        let lines =
            searches(&any, |row| row.plies).map(|(name, points)| Series::line(name, points));
        let panels = vec![
            panel(after(setup, first), orders, Axis::log(y), dots.into()),
            panel("any move first", Axis::linear(x), Axis::log(y), lines.into()),
        ];
        Ok(Figure { title, panels })
    }

    fn sentences(&self, setup: &Setup, rows: &[Row]) -> Vec<String> {
        let Some(most) = rows.iter().map(|row| row.position).max() else {
            return vec!["No tree was small enough to be laid out.".to_owned()];
        };
        let mut said = Vec::new();
        for (plies, rows) in groups(rows, |row| row.plies) {
            let part = |(order, words): (&str, &str)| {
                let rows: Vec<&Row> =
                    rows.iter().copied().filter(|row| row.order == order).collect();
                let [(_, full), (_, known)] =
                    searches(&rows, |_| 0.0).map(|(name, points)| (name, points[0].y));
                let (share, known, full) = (percent(known / full), about(known), about(full));
                format!("{known} nodes instead of {full} ({share}) with {words} move first")
            };
            let parts = ORDERS.map(part);
            let place = after(setup, plies);
            said.push(sentence(&format!(
                "{place}, a search that knows the value needs {}.",
                list(&parts)
            )));
        }
        said.push(format!(
            "Geometric means over up to {} with the same value as the first one, with 95 % intervals. Known values \
             are those that a full search found; any move first is one random order of each tree.",
            several(most, "position", "positions")
        ));
        said
    }
}

/// Returns the mean nodes of the search for the value, and those of the search that knows it.
fn searches(rows: &[&Row], x: impl Fn(&Row) -> f64) -> [(&'static str, Vec<Point>); 2] {
    let mean = |nodes: fn(&Row) -> u64| {
        points(rows.iter().copied(), &x, |row| nodes(row) as f64, Mean::geometric)
    };
    [("value to be found", mean(|row| row.full)), ("value known", mean(|row| row.known))]
}

/// Describes the first position of the searches.
fn after(setup: &Setup, plies: f64) -> String {
    match plies as usize {
        0 if matches!(setup.start, Start::Given(_)) => "from the given position".to_owned(),
        0 => "from the start of the game".to_owned(),
        n => format!("after {}", several(n, "move", "moves")),
    }
}
