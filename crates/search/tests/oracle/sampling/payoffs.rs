//! Utilities of a game of three players whose lowest utility is not 0.

use tussle_core::{Game, Limits, Payoffs, Turn};
use tussle_search::{Agent, Mcts};

use super::listed;

/// The first of three players chooses one of these rows of utilities, and the game ends.
struct Division;

const ROWS: [[f64; 3]; 3] = [[-2.0, 1.0, 1.0], [4.0, -3.0, -1.0], [0.0, 3.0, -3.0]];

impl Game for Division {
    type State = Option<usize>;
    type Move = usize;

    fn players(&self) -> usize {
        3
    }

    fn start(&self) -> Option<usize> {
        None
    }

    fn turn(&self, chosen: &Option<usize>) -> Turn {
        if chosen.is_some() { Turn::Over } else { Turn::Player(0) }
    }

    fn moves(&self, _: &Option<usize>, out: &mut Vec<usize>) {
        out.extend(0..ROWS.len());
    }

    fn play(&self, chosen: &mut Option<usize>, row: usize) {
        *chosen = Some(row);
    }

    fn utility(&self, chosen: &Option<usize>, player: usize) -> f64 {
        chosen.map_or(0.0, |row| ROWS[row][player])
    }

    fn payoffs(&self) -> Payoffs {
        Payoffs { least: -3.0, most: 4.0, sum: 0.0, points: false }
    }
}

#[test]
fn a_report_gives_every_player_its_utility() {
    let report = Mcts::new(listed())
        .search(&Division, &Division.start(), &Limits::nodes(100))
        .expect("a report");
    assert_eq!(report.best(), Some(&1));
    for line in &report.lines {
        assert!(line.visits > 0 && line.values.len() == 3, "{line:?}");
        for (value, utility) in line.values.iter().zip(ROWS[line.mv]) {
            assert!((value - utility).abs() < 1e-9, "{line:?}");
        }
        assert!((line.value.number() - ROWS[line.mv][0]).abs() < 1e-9, "{line:?}");
    }
}
