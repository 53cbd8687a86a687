//! Heuristics of the university course from which the rules come.

use tussle_core::{Evaluator, Game, Turn};

use super::{Gobblet, LINES, State};

/// Heuristic for Gobblet Gobblers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Eval {
    /// Number of own visible pieces on the board. Wins and losses have no special value.
    Visible,
    /// Lines with exactly two own visible pieces, minus the same count for the opponent; ±10 for a
    /// win or loss.
    Pairs,
    /// 6 for a win, -6 for a loss, 0 otherwise.
    Outcome,
}

/// Returns the number of lines on which a player has exactly two visible pieces.
fn pairs(state: State, player: usize) -> f64 {
    let visible = state.visible(player);
    LINES.iter().filter(|&line| (visible & line).count_ones() == 2).count() as f64
}

impl Evaluator<Gobblet> for Eval {
    fn value(&self, game: &Gobblet, state: &State, player: usize) -> f64 {
        let over = game.turn(state) == Turn::Over;
        match self {
            Eval::Pairs if over => 10.0 * game.utility(state, player),
            Eval::Pairs => pairs(*state, player) - pairs(*state, 1 - player),
            Eval::Visible => f64::from(state.visible(player).count_ones()),
            Eval::Outcome if over => 6.0 * game.utility(state, player),
            Eval::Outcome => 0.0,
        }
    }

    fn is_antisymmetric(&self) -> bool {
        *self != Self::Visible
    }

    fn range(&self, _: &Gobblet) -> Option<(f64, f64)> {
        Some(match self {
            Eval::Visible => (0.0, 6.0),
            Eval::Pairs => (-10.0, 10.0),
            Eval::Outcome => (-6.0, 6.0),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::Move;
    use super::super::tests::{RULES, after, moves, random_games};
    use super::*;
    use tussle_core::{Notation, Rng};

    /// Returns the last of the moves with the best evaluation one ply ahead. `best` is the lowest
    /// value that a move must reach.
    fn greedy(state: &State, eval: Eval, mut best: f64) -> Move {
        let mover = state.mover();
        let mut chosen = None;
        for mv in moves(RULES, state) {
            let mut next = *state;
            RULES.play(&mut next, mv);
            let value = eval.value(&RULES, &next, mover);
            if value >= best {
                (best, chosen) = (value, Some(mv));
            }
        }
        chosen.expect("no move is below the start value")
    }

    fn greedy_game(evals: [Eval; 2]) -> (String, f64) {
        let (mut state, mut line) = (RULES.start(), Vec::new());
        while RULES.turn(&state) != Turn::Over {
            let eval = evals[state.mover()];
            let mv = greedy(&state, eval, if eval == Eval::Visible { 0.0 } else { -10.0 });
            line.push(RULES.move_text(&state, mv));
            RULES.play(&mut state, mv);
        }
        (line.join(" "), RULES.utility(&state, 0))
    }

    #[test]
    fn visible_ties_with_itself_in_the_published_19_steps() {
        let line = "S2@8 M2@8 B2@8 S2@7 M2@7 B2@7 S1@6 M1@6 B1@6 S1@5 M1@5 B1@5 B2@4 M2@3 B2@3 \
                    B2@8 M2@4 B2@4 B2@7";
        assert_eq!(greedy_game([Eval::Visible; 2]), (line.to_owned(), 0.0));
    }

    #[test]
    fn other_greedy_games_have_the_published_length_and_result() {
        let end = |evals| {
            let (line, result) = greedy_game(evals);
            (line.split(' ').count(), result)
        };
        assert_eq!(end([Eval::Visible, Eval::Pairs]), (12, -1.0));
        assert_eq!(end([Eval::Pairs, Eval::Visible]), (15, 1.0));
        assert_eq!(end([Eval::Pairs, Eval::Pairs]), (14, -1.0));
    }

    #[test]
    fn greedy_players_beat_random_ones_as_often_as_published() {
        // The published 1000 games gave 92.6 % and 98.8 %. The standard errors of the difference
        // are about 0.9 and 0.4 percentage points.
        for (eval, best, published, tolerance) in
            [(Eval::Visible, 0.0, 0.926, 0.03), (Eval::Pairs, -10.0, 0.988, 0.015)]
        {
            let (games, mut wins) = (4_000, 0);
            for seed in 0..games {
                let seat = (seed % 2) as usize;
                let (mut state, mut rng) = (RULES.start(), Rng::new(seed));
                while RULES.turn(&state) != Turn::Over {
                    let mv = if state.mover() == seat {
                        greedy(&state, eval, best)
                    } else {
                        {
                            let list = moves(RULES, &state);
                            list[rng.below(list.len())]
                        }
                    };
                    RULES.play(&mut state, mv);
                }
                wins += u32::from(RULES.utility(&state, seat) > 0.0);
            }
            let share = f64::from(wins) / games as f64;
            assert!((share - published).abs() < tolerance, "{eval:?} won {share}");
        }
    }

    #[test]
    fn visible_counts_tops_and_pairs_count_lines_with_exactly_two() {
        // B1 and M1 of the first player and S1 of the second are visible; B1 covers S2.
        let state = after("M1@4 S2@0 B1@0 S1@8");
        assert_eq!(Eval::Visible.value(&RULES, &state, 0), 2.0);
        assert_eq!(Eval::Visible.value(&RULES, &state, 1), 1.0);
        // The pair on the diagonal counts although the opponent's S1 is at its end.
        assert_eq!(Eval::Pairs.value(&RULES, &state, 0), 1.0);
        assert_eq!(Eval::Pairs.value(&RULES, &state, 1), -1.0);
        assert_eq!(Eval::Outcome.value(&RULES, &state, 0), 0.0);
        let won = after("S1@0 S1@8 S2@1 S2@7 M1@2");
        assert_eq!(Eval::Pairs.value(&RULES, &won, 1), -10.0);
        assert_eq!(Eval::Outcome.value(&RULES, &won, 0), 6.0);
        assert_eq!(Eval::Visible.value(&RULES, &won, 0), 3.0);
    }

    #[test]
    fn is_antisymmetric_is_correct_for_each_heuristic() {
        let evals = [Eval::Visible, Eval::Pairs, Eval::Outcome];
        let mut opposite = [true; 3];
        random_games(200, |state| {
            for (holds, eval) in opposite.iter_mut().zip(&evals) {
                let [mine, yours] = [0, 1].map(|player| eval.value(&RULES, state, player));
                *holds &= mine == -yours;
            }
        });
        for (eval, holds) in evals.iter().zip(opposite) {
            assert_eq!(eval.is_antisymmetric(), holds, "{eval:?}");
        }
    }
}
