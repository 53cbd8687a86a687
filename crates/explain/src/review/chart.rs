//! Chart of the values of a game.

use tussle_catalog::turns;
use tussle_view::Figure;
use tussle_view::chart::{Axis, Chart, Point, Rule, Series};

use super::{MoveVerdict, Review};

impl Review {
    /// Draws the value of every position for the first player, or for every player if there are more than two.
    /// Inaccuracies, mistakes and blunders are marked.
    pub fn figure(&self) -> Figure {
        let shown = if self.players == 2 { 1 } else { self.players };
        let at = |ply: usize, player: usize| {
            let value = self.values.get(ply).and_then(|values| values.get(player));
            value.map(|&value| Point::new(ply as f64, value))
        };
        let line = |player| {
            let points = (0..self.values.len()).filter_map(|ply| at(ply, player)).collect();
            Series::line(turns::player(self.players, player), points)
        };
        let mut series: Vec<Series> = (0..shown).map(line).collect();
        for verdict in [MoveVerdict::Inaccuracy, MoveVerdict::Mistake, MoveVerdict::Blunder] {
            // The position that the move led to.
            let faults = self.moves.iter().filter(|judged| judged.verdict == verdict);
            let player = |player: usize| if shown == 1 { 0 } else { player };
            let points: Vec<Point> =
                faults.filter_map(|judged| at(judged.ply + 1, player(judged.player))).collect();
            if !points.is_empty() {
                series.push(Series::dots(verdict.name(), points));
            }
        }
        let whose = if shown == 1 { "worth to the first player" } else { "worth to each player" };
        let limit = if self.players == 2 { -self.unit..=self.unit } else { 0.0..=self.unit };
        let rules =
            if shown == 1 { vec![Rule { y: 0.0, label: String::new() }] } else { Vec::new() };
        let chart = Chart {
            title: String::new(),
            x: Axis::linear("moves"),
            y: Axis::linear(whose).showing(limit),
            series,
            rules,
        };
        Figure::chart(format!("{}: the value of the game", self.game), chart)
    }
}
