//! Heat maps: the moves of a position, coloured by a report.

use std::collections::HashSet;

use tussle_catalog::{AnyGame, AnyPosition, turns};
use tussle_core::{
    Anchor, Bound, Form, Ink, Line, Mark, MarkKind, Outcome, Report, Scene, Turn, Unit,
};

use crate::frames::{LETTER, wrapped};
use crate::number::number;

/// Font size of the legend, in cells.
const LEGEND_SIZE: f32 = 0.24;
/// Line height of the legend, in cells.
const LEGEND_STEP: f32 = 0.34;
/// Distance of the legend from the edge, in cells.
const LEGEND_GAP: f32 = 0.2;

/// Range of the heat of undecided moves, if other moves are won or lost.
const UNDECIDED_HEAT: (f32, f32) = (0.25, 0.75);

/// Quantity that colours a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heat {
    /// Value of the move.
    Worth,
    /// Share of the visits, or of the nodes.
    Visits,
    /// Win rate: the mean reward of Monte Carlo tree search, from 0 to 1. For other searches like [`Heat::Worth`].
    WinRate,
    /// Prior of the move; an agent without priors has no heat.
    Prior,
}

/// Number of spots from which only the best moves have labels.
const MAX_LABELLED_SPOTS: usize = 100;

/// Number of labels on a board with many spots.
const MAX_LABELS: usize = 8;

impl Heat {
    /// Returns the default quantity of a report: visits for Monte Carlo tree search, values for other searches.
    pub fn usual(report: &Report<String>) -> Self {
        let sampled = report.lines.iter().any(|line| line.sampled.is_some());
        if sampled { Self::Visits } else { Self::Worth }
    }

    /// Draws the position with the heat of every move, and a legend below the board.
    pub fn scene_with_legend(
        self,
        game: &dyn AnyGame,
        position: &dyn AnyPosition,
        report: &Report<String>,
    ) -> Scene {
        let mut scene = self.scene(game, position, report);
        scene.height += LEGEND_GAP;
        let letters = ((scene.width - 2.0 * LEGEND_GAP) / (LETTER * LEGEND_SIZE)) as usize;
        for line in wrapped(&self.legend(game, position, report), letters) {
            let (x, y) = (LEGEND_GAP, scene.height + LEGEND_STEP / 2.0);
            let (size, anchor, bold) = (LEGEND_SIZE, Anchor::Start, false);
            let form = Form::Text { x, y, size, anchor, bold, text: line };
            scene.shape(form, Some(Ink::Text), None);
            scene.height += LEGEND_STEP;
        }
        scene.height += LEGEND_GAP;
        scene
    }

    /// Returns the legend: a sentence about the meaning of the colours and numbers.
    pub fn legend(
        self,
        game: &dyn AnyGame,
        position: &dyn AnyPosition,
        report: &Report<String>,
    ) -> String {
        let player = turns::turn(game.players(), position.turn());
        let is_sampled = report.lines.iter().any(|line| line.sampled.is_some());
        match self {
            Self::WinRate if is_sampled => {
                let (low, best) = win_rates(&[GradedLine::all(self, game, position, report)]);
                let [low, best] = [low, best].map(|share| format!("{:.0}%", 100.0 * share));
                format!("Win rate of each move, {player} to move: red {low} or less, green {best}")
            }
            Self::Worth | Self::WinRate => {
                format!("Value of each move, {player} to move: red the worst, green the best")
            }
            Self::Visits if is_sampled => {
                "Share of the simulations behind each move: green the most".to_owned()
            }
            Self::Visits => "Share of the nodes behind each move: green the most".to_owned(),
            Self::Prior => "Prior of each move: green the most".to_owned(),
        }
    }

    /// Returns the quantity for the report of an external program: its visits, if it gives any, else its values.
    pub fn of_program(report: &Report<String>) -> Self {
        let visited = report.lines.iter().any(|line| line.visits > 0);
        if visited { Self::Visits } else { Self::Worth }
    }

    /// Draws the position with the heat of every searched move. If several moves share a spot, the best is shown.
    pub fn scene(
        self,
        game: &dyn AnyGame,
        position: &dyn AnyPosition,
        report: &Report<String>,
    ) -> Scene {
        self.scene_beside(game, position, report, &[report])
    }

    /// Like [`scene`](Self::scene), on the common scale of all these reports, so that their pictures can be compared.
    pub fn scene_beside(
        self,
        game: &dyn AnyGame,
        position: &dyn AnyPosition,
        report: &Report<String>,
        all: &[&Report<String>],
    ) -> Scene {
        let mut scene = position.scene();
        let known = |report| GradedLine::all(self, game, position, report);
        let all: Vec<Vec<GradedLine<'_>>> = all.iter().copied().map(known).collect();
        let mut known = known(report);
        if self == Self::Prior {
            known.retain(|known| known.line.sampled.is_some());
        }
        let glows = match self {
            Self::Worth => by_value(&known, &all),
            Self::Visits => by_visits(&known, &all),
            Self::WinRate => by_win_rate(&known, &all),
            Self::Prior => by_prior(&known, &all),
        };
        let labels = if scene.spots.len() > MAX_LABELLED_SPOTS { MAX_LABELS } else { usize::MAX };
        let hottest = least_of(labels, &glows);
        let (mut taken, mut written) = (HashSet::new(), 0);
        for (known, glow) in known.iter().zip(glows) {
            let Ok(Some(spot)) = position.target(&known.line.mv) else { continue };
            // Lines are sorted, the best first.
            if taken.insert(spot) {
                let labelled = glow.heat() >= hottest && written < labels;
                written += usize::from(labelled);
                scene.marks.push(Mark { spot, kind: glow.mark });
                let label = if labelled { glow.label } else { String::new() };
                scene.marks.push(Mark { spot, kind: MarkKind::Label(label) });
            }
        }
        scene
    }
}

/// Line with a value or a bound.
struct GradedLine<'a> {
    line: &'a Line<String>,
    grade: Grade,
}

/// Value of a move for the player to move.
#[derive(Clone, Copy, PartialEq)]
enum Grade {
    Lost,
    /// Points or an evaluation.
    Worth(f64),
    Won,
}

struct Glow {
    mark: MarkKind,
    label: String,
}

impl Glow {
    fn heat(&self) -> f32 {
        match self.mark {
            MarkKind::Heat(heat) | MarkKind::HeatBound(heat) => heat,
            MarkKind::LastMove | MarkKind::Label(_) => 0.0,
        }
    }
}

/// Returns the least heat among the `number` moves with the highest heat.
fn least_of(number: usize, glows: &[Glow]) -> f32 {
    let mut heats: Vec<f32> = glows.iter().map(Glow::heat).collect();
    heats.sort_by(|a, b| b.total_cmp(a));
    heats.get(number.saturating_sub(1)).copied().unwrap_or(0.0)
}

impl<'a> GradedLine<'a> {
    fn all(
        heat: Heat,
        game: &dyn AnyGame,
        position: &dyn AnyPosition,
        report: &'a Report<String>,
    ) -> Vec<Self> {
        // External programs may report visits without values.
        let is_visited = |line: &Line<String>| {
            heat == Heat::Visits && line.bound == Bound::Exact && line.visits > 0
        };
        let lines = report.lines.iter();
        lines
            .filter(|line| line.known_value().is_some() || is_visited(line))
            .filter_map(|line| Self::new(game, position, report, line))
            .collect()
    }

    fn new(
        game: &dyn AnyGame,
        position: &dyn AnyPosition,
        report: &Report<String>,
        line: &'a Line<String>,
    ) -> Option<Self> {
        let Turn::Player(mover) = position.turn() else { return None };
        let values = game.values(mover, line);
        let worth =
            values.and_then(|values| values.get(mover).copied()).unwrap_or(line.value.number());
        let payoffs = game.payoffs();
        // A bound may have the score of a win or a loss without a proof: "at most a win".
        let reached = |outcome, score| {
            let is_end = line.value.unit() == Unit::Result && line.value.expected_score() == score;
            let bound = line.outcome().is_none() && line.bound != Bound::Exact && is_end;
            let lines = &report.lines;
            line.outcome() == Some(outcome)
                || bound && lines.iter().any(|other| other.outcome() == Some(outcome))
        };
        let grade = if payoffs.points {
            Grade::Worth(worth)
        } else if reached(Outcome::Win, 1.0) {
            Grade::Won
        } else if reached(Outcome::Loss, 0.0) {
            Grade::Lost
        } else {
            Grade::Worth(worth)
        };
        Some(Self { line, grade })
    }

    /// Returns the expected score for the player to move, from 0 to 1, if the move was simulated or is proven.
    fn win_rate(&self) -> Option<f64> {
        match self.grade {
            Grade::Won => Some(1.0),
            Grade::Lost => Some(0.0),
            Grade::Worth(_) => {
                let mean = self.line.sampled.and_then(|sampled| sampled.mean)?;
                // In games with points, the mean is a number of points.
                let value = self.line.value;
                Some(if value.unit() == Unit::Points { value.expected_score() } else { mean })
            }
        }
    }

    /// Returns a short label: `W5` is a win in 5 plies, `L4` a loss in 4, `=` a draw.
    fn label(&self) -> String {
        let Line { bound, value, .. } = *self.line;
        let (outcome, value) = (value.outcome(), value.number());
        let plies = self.line.distance().map_or_else(String::new, |plies| plies.to_string());
        let sign = match bound {
            Bound::Exact => "",
            Bound::Lower => "≥",
            Bound::Upper => "≤",
        };
        match self.grade {
            Grade::Won => format!("{sign}W{plies}"),
            Grade::Lost => format!("{sign}L{plies}"),
            Grade::Worth(_) if bound == Bound::Exact && outcome == Some(Outcome::Draw) => {
                "=".to_owned()
            }
            Grade::Worth(_) if bound == Bound::Exact && value > 0.0 => {
                let text = fitting(value);
                if text == "0" { text } else { format!("+{text}") }
            }
            Grade::Worth(_) => format!("{sign}{}", fitting(value)),
        }
    }
}

/// Returns the heat by value: 1 for the best move, 0 for the worst; wins and losses have the extremes.
fn by_value(known: &[GradedLine<'_>], all: &[Vec<GradedLine<'_>>]) -> Vec<Glow> {
    let has = |grade| all.iter().flatten().any(|known| known.grade == grade);
    let (low, high) = (
        if has(Grade::Lost) { UNDECIDED_HEAT.0 } else { 0.0 },
        if has(Grade::Won) { UNDECIDED_HEAT.1 } else { 1.0 },
    );
    let worths = all.iter().flatten().filter_map(|known| match known.grade {
        Grade::Worth(worth) => Some(worth),
        _ => None,
    });
    let worst = worths.clone().fold(f64::INFINITY, f64::min);
    let best = worths.fold(f64::NEG_INFINITY, f64::max);
    let heat = |known: &GradedLine<'_>| match known.grade {
        Grade::Won => 1.0,
        Grade::Lost => 0.0,
        // If all moves are equal, all count as the best.
        Grade::Worth(_) if best == worst => high,
        Grade::Worth(worth) => low + (high - low) * ((worth - worst) / (best - worst)) as f32,
    };
    let mark = |known: &GradedLine<'_>| match known.line.bound {
        Bound::Exact => MarkKind::Heat(heat(known)),
        _ => MarkKind::HeatBound(heat(known)),
    };
    known.iter().map(|known| Glow { mark: mark(known), label: known.label() }).collect()
}

/// Returns the heat by visits.
fn by_visits(known: &[GradedLine<'_>], all: &[Vec<GradedLine<'_>>]) -> Vec<Glow> {
    let shares = |known: &[GradedLine<'_>]| -> Vec<f64> {
        let visits = || known.iter().map(|known| known.line.visits);
        let sum = visits().sum::<u64>().max(1) as f64;
        visits().map(|visits| visits as f64 / sum).collect()
    };
    let most = all.iter().flat_map(|known| shares(known)).fold(0.0, f64::max);
    let heat = |(known, share): (&GradedLine<'_>, f64)| {
        let label = match known.grade {
            Grade::Worth(_) => percent(share, most),
            _ => known.label(),
        };
        let heat = if most > 0.0 { share / most } else { 0.0 };
        Glow { mark: MarkKind::Heat(heat as f32), label }
    };
    known.iter().zip(shares(known)).map(heat).collect()
}

/// Returns the heat by win rate: 1 for the best move, 0 for moves that are at least twice as far behind it as the
/// median move, so that a single bad move does not make all others look alike. Unvisited moves have no label.
/// Reports of other searches have no win rates and are drawn by values.
fn by_win_rate(known: &[GradedLine<'_>], all: &[Vec<GradedLine<'_>>]) -> Vec<Glow> {
    if known.iter().all(|known| known.line.sampled.is_none()) {
        return by_value(known, all);
    }
    let (low, best) = win_rates(all);
    let glow = |known: &GradedLine<'_>| {
        let Some(rate) = known.win_rate() else {
            return Glow { mark: MarkKind::Heat(0.0), label: String::new() };
        };
        let heat = if best > low { ((rate - low) / (best - low)).max(0.0) } else { 1.0 };
        let label = match known.grade {
            Grade::Worth(_) => format!("{:.0}%", 100.0 * rate),
            _ => known.label(),
        };
        Glow { mark: MarkKind::Heat(heat as f32), label }
    };
    known.iter().map(glow).collect()
}

/// Returns the win rates that have the colours of the worst and the best.
fn win_rates(all: &[Vec<GradedLine<'_>>]) -> (f64, f64) {
    let mut rates: Vec<f64> = all.iter().flatten().filter_map(GradedLine::win_rate).collect();
    rates.sort_by(f64::total_cmp);
    let best = rates.last().copied().unwrap_or(1.0);
    let middle = rates.get(rates.len() / 2).copied().unwrap_or(best);
    let low = (best - 2.0 * (best - middle)).max(rates.first().copied().unwrap_or(0.0));
    (low, best)
}

/// Returns the glow of the priors, 1 for the largest.
fn by_prior(known: &[GradedLine<'_>], all: &[Vec<GradedLine<'_>>]) -> Vec<Glow> {
    let prior = |known: &GradedLine<'_>| known.line.sampled.map_or(0.0, |sampled| sampled.prior);
    let most = all.iter().flatten().map(prior).fold(0.0, f64::max);
    let glow = |known: &GradedLine<'_>| {
        let prior = prior(known);
        let heat = if most > 0.0 { prior / most } else { 0.0 };
        Glow { mark: MarkKind::Heat(heat as f32), label: percent(prior, most) }
    };
    known.iter().map(glow).collect()
}

/// A share, with a decimal where all are small.
fn percent(share: f64, most: f64) -> String {
    let digits = usize::from(most < 0.02);
    format!("{:.digits$}%", 100.0 * share)
}

/// A number that fits a cell.
fn fitting(value: f64) -> String {
    match value.abs() {
        x if x >= 100_000.0 => format!("{value:.0e}"),
        x if x >= 100.0 => format!("{value:.0}"),
        x if x >= 10.0 => number((value * 10.0).round() / 10.0),
        _ => number((value * 100.0).round() / 100.0),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tussle_core::{Limits, Payoffs, Report, SearchStats, SelectionStats, StopReason, Value};

    use super::*;

    fn line(mv: &str, value: f64, bound: Bound, outcome: Option<Outcome>) -> Line<String> {
        let result = Value::result(value, &Payoffs::DUEL);
        let value = match outcome {
            Some(outcome) => result.proven(outcome, None),
            None if bound != Bound::Exact && value.abs() == 1.0 => result,
            None => Value::from(value),
        };
        Line { bound, ..Line::new(mv.to_owned(), value) }
    }

    /// Returns the map of the start of a game: name, heat and label of each spot.
    fn marks(heat: Heat, game: &str, lines: Vec<Line<String>>) -> Vec<(String, f32, String)> {
        let game = tussle_catalog::game(game).unwrap();
        let report =
            Report::new(lines, SearchStats::default(), StopReason::Finished, Duration::ZERO);
        let start = game.start();
        let Scene { spots, marks, .. } = heat.scene(game.as_ref(), start.as_ref(), &report);
        let pair = |pair: &[Mark]| {
            let MarkKind::Label(label) = &pair[1].kind else { panic!("{:?}", pair[1]) };
            let heat = match pair[0].kind {
                MarkKind::Heat(heat) => heat,
                MarkKind::HeatBound(heat) => heat + 100.0,
                _ => panic!("{:?}", pair[0]),
            };
            assert_eq!(pair[0].spot, pair[1].spot);
            (spots[pair[0].spot].name.clone(), heat, label.clone())
        };
        marks.chunks(2).map(pair).collect()
    }

    fn expected(marks: &[(&str, f32, &str)]) -> Vec<(String, f32, String)> {
        marks.iter().map(|&(spot, heat, label)| (spot.into(), heat, label.into())).collect()
    }

    #[test]
    fn the_best_is_hottest_and_the_worst_coldest() {
        let lines = [("b2", 5.0), ("a1", 3.0), ("c1", -15.0), ("c3", 0.0)];
        let mut lines = lines.map(|(mv, value)| line(mv, value, Bound::Exact, None)).to_vec();
        lines[3].searched = false;
        let shown = expected(&[("b2", 1.0, "+5"), ("a1", 0.9, "+3"), ("c1", 0.0, "-15")]);
        assert_eq!(marks(Heat::Worth, "tictactoe", lines), shown);
    }

    #[test]
    fn wins_and_losses_lie_beyond_every_evaluation() {
        let (win, loss) = (Some(Outcome::Win), Some(Outcome::Loss));
        let mut lines = vec![
            line("b2", 1.0, Bound::Exact, win),
            line("a1", 30.0, Bound::Exact, None),
            line("a2", 0.0, Bound::Exact, Some(Outcome::Draw)),
            line("a3", -30.0, Bound::Exact, None),
            line("c1", -1.0, Bound::Exact, loss),
        ];
        lines[0].value = Value::win(Some(5));
        lines[4].value = Value::loss(Some(4));
        let shown = expected(&[
            ("b2", 1.0, "W5"),
            ("a1", 0.75, "+30"),
            ("a2", 0.5, "="),
            ("a3", 0.25, "-30"),
            ("c1", 0.0, "L4"),
        ]);
        assert_eq!(marks(Heat::Worth, "tictactoe", lines), shown);
    }

    #[test]
    fn bounds_have_other_labels_than_values() {
        let lines = vec![
            line("b2", 4.0, Bound::Exact, None),
            line("a1", 3.0, Bound::Upper, None),
            line("c1", 0.0, Bound::Lower, None),
        ];
        let shown = expected(&[("b2", 1.0, "+4"), ("a1", 100.75, "≤3"), ("c1", 100.0, "≥0")]);
        assert_eq!(marks(Heat::Worth, "tictactoe", lines), shown);
    }

    #[test]
    fn at_most_a_win_differs_from_an_evaluation_of_1() {
        let lines = vec![
            line("b2", 1.0, Bound::Exact, Some(Outcome::Win)),
            line("a1", 1.0, Bound::Upper, None),
            line("c1", 40.0, Bound::Upper, None),
            line("c2", 20.0, Bound::Upper, None),
        ];
        let shown = [("b2", 1.0, "W"), ("a1", 101.0, "≤W"), ("c1", 100.75, "≤40")];
        assert_eq!(marks(Heat::Worth, "tictactoe", lines)[..3], expected(&shown));
    }

    #[test]
    fn of_several_moves_to_one_cell_the_best_is_shown() {
        let lines = [("B1@4", 2.0), ("S1@4", 1.0), ("M1@0", 0.0), ("B1@0", 0.0)];
        let lines = lines.map(|(mv, value)| line(mv, value, Bound::Exact, None)).to_vec();
        let shown = expected(&[("cell 4", 1.0, "+2"), ("cell 0", 0.0, "0")]);
        assert_eq!(marks(Heat::Worth, "gobblet", lines), shown);
        // A stone is put down where it is clicked, wherever a twist carries it.
        let twist = vec![line("a6:0r", 1.0, Bound::Exact, None)];
        assert_eq!(marks(Heat::Worth, "pentago-twist", twist), expected(&[("a6", 1.0, "+1")]));
    }

    #[test]
    fn a_search_that_samples_is_judged_by_its_visits() {
        let mut lines = vec![
            line("b2", 0.1, Bound::Exact, None),
            line("a1", 0.2, Bound::Exact, None),
            line("c1", 1.0, Bound::Exact, Some(Outcome::Win)),
        ];
        for (line, visits) in lines.iter_mut().zip([60, 30, 10]) {
            line.visits = visits;
            line.sampled = Some(SelectionStats { mean: Some(0.5), bonus: 0.1, prior: 0.1 });
        }
        let report = Report::new(
            lines.clone(),
            SearchStats::default(),
            StopReason::Finished,
            Duration::ZERO,
        );
        assert_eq!(Heat::usual(&report), Heat::Visits);
        let shown = [("b2", 1.0, "60%"), ("a1", 0.5, "30%")];
        assert_eq!(marks(Heat::Visits, "tictactoe", lines)[..2], expected(&shown));
    }

    #[test]
    fn the_map_of_a_program_shows_the_visits_in_its_reply() {
        let told =
            |mv: &str, visits| Line { visits, searched: false, ..Line::new(mv.to_owned(), 0.0) };
        let lines = vec![told("b2", 60), told("a1", 20), told("c1", 0)];
        let report = |lines| {
            Report::new(lines, SearchStats::default(), StopReason::Finished, Duration::ZERO)
        };
        assert_eq!(Heat::of_program(&report(lines.clone())), Heat::Visits);
        let shown = expected(&[("b2", 1.0, "75%"), ("a1", 1.0 / 3.0, "25%")]);
        assert_eq!(marks(Heat::Visits, "tictactoe", lines), shown);
        let valued = vec![line("b2", 0.5, Bound::Exact, None)];
        assert_eq!(Heat::of_program(&report(valued)), Heat::Worth);
    }

    #[test]
    fn pictures_beside_each_other_share_one_scale() {
        let game = tussle_catalog::game("tictactoe").unwrap();
        let report = |visits: [u64; 2]| {
            let lines = ["b2", "a1"].into_iter().zip(visits).map(|(mv, visits)| {
                let sampled = Some(SelectionStats { mean: Some(0.5), bonus: 0.1, prior: 0.1 });
                Line { visits, sampled, ..line(mv, 0.0, Bound::Exact, None) }
            });
            let (lines, stats) = (lines.collect(), SearchStats::default());
            Report::new(lines, stats, StopReason::Finished, Duration::ZERO)
        };
        // Shares count, not visits: half and half beside all and nothing.
        let (even, sure) = (report([500, 500]), report([8, 0]));
        let start = game.start();
        let heats = |report| -> Vec<f32> {
            let all = [&even, &sure];
            let scene = Heat::Visits.scene_beside(game.as_ref(), start.as_ref(), report, &all);
            let heats = scene.marks.iter().filter_map(|mark| match mark.kind {
                MarkKind::Heat(heat) => Some(heat),
                _ => None,
            });
            heats.collect()
        };
        assert_eq!((heats(&even), heats(&sure)), (vec![0.5, 0.5], vec![1.0, 0.0]));
    }

    #[test]
    fn win_rates_are_percentages_and_untried_moves_have_none() {
        let mut lines =
            ["b2", "a1", "c1", "c2", "c3"].map(|mv| line(mv, 0.0, Bound::Exact, None)).to_vec();
        for (line, mean) in
            lines.iter_mut().zip([Some(0.5), Some(0.75), Some(0.25), Some(0.1), None])
        {
            line.sampled = Some(SelectionStats { mean, bonus: 0.1, prior: 0.1 });
        }
        let shown = [
            ("b2", 0.5, "50%"),
            ("a1", 1.0, "75%"),
            ("c1", 0.0, "25%"),
            ("c2", 0.0, "10%"),
            ("c3", 0.0, ""),
        ];
        assert_eq!(marks(Heat::WinRate, "tictactoe", lines), expected(&shown));
    }

    #[test]
    fn win_rates_of_points_are_expected_scores() {
        let game = tussle_catalog::game("go:size=3,utility=margin").unwrap();
        let mut agent = game.agent("mcts:nodes=200", 1).unwrap();
        let start = game.start();
        let report = agent.choose(start.as_ref(), &Limits::none()).unwrap();
        let best = GradedLine::all(Heat::WinRate, game.as_ref(), start.as_ref(), &report);
        let rates: Vec<f64> = best.iter().filter_map(GradedLine::win_rate).collect();
        assert!(
            !rates.is_empty() && rates.iter().all(|rate| (0.0..=1.0).contains(rate)),
            "{rates:?}"
        );
    }

    #[test]
    fn a_proven_win_has_a_win_rate_of_1() {
        let mut lines = vec![
            line("b2", 1.0, Bound::Exact, Some(Outcome::Win)),
            line("a1", 0.0, Bound::Exact, None),
            line("c1", -1.0, Bound::Exact, Some(Outcome::Loss)),
        ];
        for line in &mut lines {
            line.sampled = Some(SelectionStats { mean: Some(0.6), bonus: 0.1, prior: 0.1 });
        }
        let shown = expected(&[("b2", 1.0, "W"), ("a1", 0.5, "60%"), ("c1", 0.0, "L")]);
        let told = marks(Heat::WinRate, "tictactoe", lines);
        let near = |(a, b): (&(String, f32, String), &(String, f32, String))| {
            a.0 == b.0 && (a.1 - b.1).abs() < 1e-6 && a.2 == b.2
        };
        assert!(told.iter().zip(&shown).all(near), "{told:?}");
    }

    #[test]
    fn a_search_without_win_rates_is_drawn_by_its_values_and_the_legend_says_so() {
        let lines = vec![
            line("b2", 4.0, Bound::Exact, None),
            line("a1", 2.0, Bound::Exact, None),
            line("c1", 0.0, Bound::Exact, None),
        ];
        let told = |heat| marks(heat, "tictactoe", lines.clone());
        assert_eq!(told(Heat::WinRate), told(Heat::Worth));
        let game = tussle_catalog::game("tictactoe").unwrap();
        let legend = |lines: Vec<Line<String>>| {
            let report =
                Report::new(lines, SearchStats::default(), StopReason::Finished, Duration::ZERO);
            Heat::WinRate.legend(game.as_ref(), game.start().as_ref(), &report)
        };
        assert_eq!(
            legend(lines.clone()),
            "Value of each move, first to move: red the worst, green the best"
        );
        let mut sampled = lines.clone();
        for (line, mean) in sampled.iter_mut().zip([0.5, 0.75, 0.25]) {
            line.sampled = Some(SelectionStats { mean: Some(mean), bonus: 0.1, prior: 0.1 });
        }
        assert_eq!(
            legend(sampled),
            "Win rate of each move, first to move: red 25% or less, green 75%"
        );
    }

    #[test]
    fn the_legend_lies_below_the_board_and_fits_its_width() {
        let game = tussle_catalog::game("tictactoe").unwrap();
        let lines = vec![line("b2", 4.0, Bound::Exact, None)];
        let report =
            Report::new(lines, SearchStats::default(), StopReason::Finished, Duration::ZERO);
        let start = game.start();
        let plain = Heat::Worth.scene(game.as_ref(), start.as_ref(), &report);
        let scene = Heat::Worth.scene_with_legend(game.as_ref(), start.as_ref(), &report);
        assert_eq!(scene.marks, plain.marks);
        let legend = &scene.shapes[plain.shapes.len()..];
        let mut words = Vec::new();
        for shape in legend {
            let Form::Text { x, y, size, text, .. } = &shape.form else { panic!("{shape:?}") };
            assert!(*y > plain.height && *y < scene.height, "{y}");
            assert!(x + text.chars().count() as f32 * size * LETTER <= scene.width, "{text}");
            words.push(text.as_str());
        }
        assert_eq!(words.join(" "), Heat::Worth.legend(game.as_ref(), start.as_ref(), &report));
    }

    #[test]
    fn priors_are_shown_as_they_were_and_nothing_where_nothing_was_expected() {
        let mut lines = ["b2", "a1", "c1"].map(|mv| line(mv, 0.0, Bound::Exact, None)).to_vec();
        assert_eq!(marks(Heat::Prior, "tictactoe", lines.clone()), []);
        for (line, prior) in lines.iter_mut().zip([0.2, 0.4, 0.1]) {
            line.sampled = Some(SelectionStats { mean: None, bonus: 0.1, prior });
        }
        let shown = expected(&[("b2", 0.5, "20%"), ("a1", 1.0, "40%"), ("c1", 0.25, "10%")]);
        assert_eq!(marks(Heat::Prior, "tictactoe", lines), shown);
    }

    #[test]
    fn on_a_crowded_board_only_the_best_moves_have_numbers() {
        let game = tussle_catalog::game("go:size=19").unwrap();
        let lines = game.start().moves().into_iter().zip(0..);
        let lines = lines.map(|(mv, n)| line(&mv, f64::from(n), Bound::Exact, None)).collect();
        let shown = marks(Heat::Worth, "go:size=19", lines);
        assert!(shown.len() > 300);
        let labelled = shown.iter().filter(|(_, _, label)| !label.is_empty());
        assert_eq!(labelled.count(), MAX_LABELS);
    }
}
