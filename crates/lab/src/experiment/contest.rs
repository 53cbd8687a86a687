//! Matches against one rival while something is changed: the share of the points, with its error.

use std::time::Duration;

use tussle_core::{Rng, TimeControl};
use tussle_view::Figure;
use tussle_view::chart::{Axis, Chart, Rule, Series};

use super::Experiment;
use super::points::{Points, Verdict, caveats};
use super::words::{grouped, list, percent, short};
use crate::{Bench, Duel, Finding, LabError, Table};

/// Matches of the experiment's agents.
#[derive(Clone, Copy, Debug)]
pub struct Contest {
    /// What the figure shows.
    pub title: &'static str,
    /// Whom each agent meets: name and spec. One is enough for all.
    pub rivals: &'static [(&'static str, &'static str)],
    /// What is changed.
    pub varied: Varied,
    /// Shares that are shown at least.
    pub shown: (f64, f64),
    /// Random moves before the players take over.
    pub opening_plies: u32,
    /// About how many milliseconds a game takes.
    pub cost: fn(f64) -> f64,
}

/// What is changed from left to right. In specs `{x}` stands for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Varied {
    /// A constant of the search, called so.
    Constant(&'static str),
    /// Nodes or simulations a move.
    Nodes,
    /// Milliseconds a move, for both players; a rival that has nodes of its own needs less.
    Milliseconds,
}

/// Beyond the time to think, so that a busy machine makes nobody lose on time.
const MARGIN: Duration = Duration::from_secs(1);

impl Varied {
    /// A value of it in words.
    fn name(self, x: f64) -> String {
        match self {
            Self::Constant(name) => format!("{name} = {}", short(x)),
            Self::Nodes => grouped(x),
            Self::Milliseconds => format!("{} ms", short(x)),
        }
    }
}

/// Lets the agents think for this long per move, and no shorter.
pub(super) fn thinking(duel: Duel, milliseconds: f64) -> Duel {
    let time = Duration::from_secs_f64(milliseconds / 1e3);
    let mut duel = duel.timed(TimeControl::PerMove(time + MARGIN));
    duel.spec.margin = MARGIN;
    duel
}

/// The points of one agent, from left to right.
struct Row {
    agent: &'static str,
    rival: &'static str,
    points: Vec<(f64, Points)>,
    /// Where agent and rival are the same: nobody is stronger there, whatever the games say.
    itself: Option<(f64, Points)>,
    /// The rival's time for a move in milliseconds: in the middle of all its moves, and for the slowest of a
    /// hundred. Only where the clock has a say.
    times: Vec<(f64, f64)>,
}

impl Row {
    /// All points where there is something to find out.
    fn compared(&self) -> impl Iterator<Item = &(f64, Points)> {
        let itself = self.itself.map(|(x, _)| x);
        self.points.iter().filter(move |(x, _)| Some(*x) != itself)
    }
}

/// Plays all matches.
pub(super) fn run(
    experiment: &Experiment,
    contest: &Contest,
    bench: &mut Bench<'_>,
) -> Result<Finding, LabError> {
    let plan = experiment.plan(bench);
    let games = u64::from(plan.repeats);
    let weight = |x: f64| (contest.cost)(x).ceil().max(1.0) as u64;
    let each: u64 = plan.points.iter().map(|&x| games * weight(x)).sum();
    bench.begin(experiment.name, each * experiment.agents.len() as u64);
    let mut rows = Vec::new();
    let columns = ["agent", "rival", experiment.axes[0]];
    let mut table = Table::new(columns.into_iter().chain(Points::COLUMNS));
    for (i, &(agent, spec)) in experiment.agents.iter().enumerate() {
        let (rival, rival_spec) = contest.rivals[i % contest.rivals.len()];
        let (mut points, mut times, mut itself) = (Vec::new(), Vec::new(), None);
        for (place, &x) in plan.points.iter().enumerate() {
            let [own, other] = [spec, rival_spec].map(|spec| spec.replace("{x}", &x.to_string()));
            let players = [(agent, own.as_str()), (rival, other.as_str())];
            // Openings of their own: what all points say together must not rest on the same few.
            let seed = Rng::derive(bench.seed, &[place as u64]).next_u64() >> 32;
            let mut duel = Duel::new(experiment.game, players, games, seed);
            duel.spec.opening_plies = contest.opening_plies;
            if contest.varied == Varied::Milliseconds {
                duel = thinking(duel, x);
            }
            let summary = duel.play(bench, weight(x))?;
            if contest.varied == Varied::Milliseconds
                && let Some(moves) = summary.timing.agents.get(1)
            {
                times.extend(moves.p50_ms.zip(moves.p99_ms));
            }
            let result = Points::of(&summary);
            table.add(
                [agent.into(), rival.into(), x.into()].into_iter().chain(result.cells()).collect(),
            );
            if own == other {
                itself = Some((x, result));
            }
            points.push((x, result));
        }
        rows.push(Row { agent, rival, points, itself, times });
    }
    let [x, y] = experiment.axes;
    // What doubles is evenly apart, and every point has its number.
    let doubles = plan.points.windows(2).all(|pair| pair[1] == 2.0 * pair[0]);
    let across = if doubles {
        Axis::names(x, plan.points.iter().map(ToString::to_string))
    } else {
        Axis::log(x)
    };
    let line = |row: &Row| {
        let place = |i: usize, x: f64| if doubles { i as f64 } else { x };
        let points = row.points.iter().enumerate();
        let points = points.map(|(i, (x, points))| points.at(place(i, *x))).collect();
        Series::line(row.agent, points)
    };
    let chart = Chart {
        x: across,
        y: Axis::linear(y).showing(contest.shown.0..=contest.shown.1),
        series: rows.iter().map(line).collect(),
        rules: vec![Rule { y: 0.5, label: "as strong as the rival".to_owned() }],
        ..Chart::default()
    };
    Ok(Finding {
        name: experiment.name.to_owned(),
        question: experiment.question.to_owned(),
        figure: Figure::chart(contest.title, chart),
        reading: reading(contest.varied, &rows),
        table,
    })
}

fn reading(varied: Varied, rows: &[Row]) -> Vec<String> {
    let mut sentences = Vec::new();
    for row in rows {
        sentences.extend(verdicts(varied, row));
        sentences.extend(calibration(row));
        match varied {
            Varied::Constant(_) => sentences.extend(best(varied, row)),
            Varied::Nodes => sentences.push(together(row)),
            Varied::Milliseconds => sentences.extend(slope(row)),
        }
    }
    sentences.extend(pace(rows));
    sentences.extend(caveats(rows.iter().flat_map(|row| &row.points).map(|(_, points)| points)));
    sentences
}

/// Where the agent is stronger than its rival, where weaker, and where nobody knows.
fn verdicts(varied: Varied, row: &Row) -> Option<String> {
    let Row { agent, rival, .. } = row;
    row.compared().next()?;
    let of = |verdict| -> Vec<String> {
        let those = row.compared().filter(|(_, points)| points.verdict() == verdict);
        those
            .map(|(x, points)| format!("{} ({})", varied.name(*x), percent(points.share)))
            .collect()
    };
    let about = match varied {
        Varied::Constant(_) => "with",
        Varied::Nodes => "at a budget of",
        Varied::Milliseconds => "thinking for",
    };
    let games: u64 = row.compared().map(|(_, points)| points.games).sum();
    let mut parts = Vec::new();
    for (verdict, what) in [
        (Verdict::Stronger, "stronger than"),
        (Verdict::Weaker, "weaker than"),
        (Verdict::Open, "not to be told from"),
    ] {
        let those = of(verdict);
        if !those.is_empty() {
            parts.push(format!("{what} {rival} {about} {}", list(&those)));
        }
    }
    let mut sentence = format!("{agent} ({} games): {}", grouped(games as f64), parts.join("; "));
    if !of(Verdict::Open).is_empty() {
        sentence += ", where the 95 % interval holds 50 %: too few games to tell";
    }
    Some(sentence + ".")
}

/// What the games of an agent against itself say of the measurement.
fn calibration(row: &Row) -> Option<String> {
    let (_, points) = row.itself?;
    let tail = match points.verdict() {
        Verdict::Open => "as it should be near 50 %",
        _ => "though it should be near 50 %: this interval misses by chance",
    };
    let Row { agent, rival, .. } = row;
    Some(format!("{agent}: {rival} against itself scores {}, {tail}.", points.text()))
}

/// Which value scores most, and which others may be as good.
fn best(varied: Varied, row: &Row) -> Option<String> {
    let by_share = |a: &&(f64, Points), b: &&(f64, Points)| a.1.share.total_cmp(&b.1.share);
    let (x, most) = row.compared().max_by(by_share)?;
    let others: Vec<String> = row
        .points
        .iter()
        .filter(|(other, points)| match row.itself {
            // The share of the rival is known to be one half.
            Some((same, _)) if *other == same => most.low <= 0.5,
            _ => other != x && points.high >= most.low,
        })
        .map(|(other, _)| varied.name(*other))
        .collect();
    let tail = if others.is_empty() {
        "the intervals of all others lie below its own".to_owned()
    } else {
        format!(
            "the intervals of {} overlap its own, so the best may be one of them",
            list(&others)
        )
    };
    let (agent, share) = (row.agent, most.text());
    Some(format!("{agent}: {} scores most, {share}; {tail}.", varied.name(*x)))
}

/// What all budgets say together: many small differences may add up to a certain one.
fn together(row: &Row) -> String {
    let all = Points::together(row.points.iter().map(|(_, points)| points));
    let verdict = match all.verdict() {
        Verdict::Stronger => "it is stronger",
        Verdict::Weaker => "it is weaker",
        Verdict::Open => "too few games to tell",
    };
    format!(
        "{}: over all budgets it scores {} against {}: {verdict}.",
        row.agent,
        all.text(),
        row.rival
    )
}

/// How long the rival took, if clocks had a say: what it was not given, it could not use.
fn pace(rows: &[Row]) -> Option<String> {
    let times = || rows.iter().flat_map(|row| &row.times);
    let most = |get: fn(&(f64, f64)) -> f64| times().map(get).fold(0.0, f64::max);
    times().next()?;
    Some(format!(
        "Times depend on the machine and on what else it does. The rival took {:.1} ms for the middle one of \
         its moves and {:.1} ms for the slowest in a hundred, in the match where it was slowest.",
        most(|times| times.0),
        most(|times| times.1)
    ))
}

/// What twice as much is worth, if the strength of all points lies on one line.
fn slope(row: &Row) -> Option<String> {
    let told: Vec<(f64, f64, f64)> = row
        .points
        .iter()
        .filter_map(|(x, points)| points.elo().map(|(elo, error)| (x.log2(), elo, error.max(1.0))))
        .collect();
    let (slope, error) = weighted_slope(&told)?;
    let (agent, rival, error) = (row.agent, row.rival, 1.96 * error);
    let tail = if slope.abs() > error { "" } else { ": too few games to tell whether it matters" };
    Some(format!(
        "{agent}: twice as much changes its strength against {rival} by {slope:+.0} ± {error:.0} Elo, by a \
         straight line through {} points{tail}.",
        told.len()
    ))
}

/// The slope of the line through points that each have a standard error, and its own.
fn weighted_slope(points: &[(f64, f64, f64)]) -> Option<(f64, f64)> {
    let weight = |error: f64| 1.0 / (error * error);
    let sum = |of: &dyn Fn(f64, f64) -> f64| -> f64 {
        points.iter().map(|&(x, y, error)| weight(error) * of(x, y)).sum()
    };
    let all = sum(&|_, _| 1.0);
    let (x0, y0) = (sum(&|x, _| x) / all, sum(&|_, y| y) / all);
    let spread = sum(&|x, _| (x - x0).powi(2));
    // A line needs two places.
    (points.len() > 1 && spread > 0.0)
        .then(|| (sum(&|x, y| (x - x0) * (y - y0)) / spread, spread.sqrt().recip()))
}

#[cfg(test)]
mod tests {
    use tussle_stats::Pentanomial;

    use super::*;

    #[test]
    fn nobody_is_stronger_than_itself() {
        let lucky = Points::of_pairs(&Pentanomial([5, 0, 10, 0, 85]), 100);
        let even = Points::of_pairs(&Pentanomial([50, 0, 0, 0, 50]), 100);
        let row = |itself: Points| Row {
            agent: "a",
            rival: "r",
            points: vec![(1.0, even), (2.0, itself)],
            itself: Some((2.0, itself)),
            times: Vec::new(),
        };
        let said = reading(Varied::Constant("c"), &[row(lucky)]).join(" ");
        assert!(!said.contains("stronger"), "{said}");
        assert!(said.contains("r against itself scores 90 %"), "{said}");
        assert!(said.contains("misses by chance") && said.contains("c = 1 scores most"), "{said}");
        let said = reading(Varied::Constant("c"), &[row(even)]).join(" ");
        assert!(said.contains("as it should be near 50 %"), "{said}");
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
