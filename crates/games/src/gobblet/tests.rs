use super::eval::Eval;
use super::*;
use crate::fast_playouts::assert_matches_default_playout;
use tussle_core::{Evaluator as _, Notation};

pub(super) const RULES: Gobblet = Gobblet { steps: 100 };

pub(super) fn moves(rules: Gobblet, state: &State) -> Vec<Move> {
    let mut out = Vec::new();
    rules.moves(state, &mut out);
    out
}

fn after_with(rules: Gobblet, line: &str) -> State {
    let mut state = rules.start();
    for text in line.split_whitespace() {
        let mv = rules.parse_move(&state, text).unwrap();
        rules.play(&mut state, mv);
    }
    state
}

pub(super) fn after(line: &str) -> State {
    after_with(RULES, line)
}

/// Plays random games and calls `visit` with every position, including the last one.
pub(super) fn random_games(games: u64, mut visit: impl FnMut(&State)) {
    for seed in 0..games {
        let (mut state, mut rng) = (RULES.start(), Rng::new(seed));
        visit(&state);
        while RULES.turn(&state) != Turn::Over {
            let list = moves(RULES, &state);
            RULES.play(&mut state, list[rng.below(list.len())]);
            visit(&state);
        }
    }
}

mod counts {
    use super::*;

    type Generate = fn(&Gobblet, &State, &mut Vec<Move>);

    fn perft(generate: Generate, state: &mut State, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        if RULES.turn(state) == Turn::Over {
            return 0;
        }
        let mut list = Vec::new();
        generate(&RULES, state, &mut list);
        list.into_iter()
            .map(|mv| RULES.visit(state, mv, |child| perft(generate, child, depth - 1)))
            .sum()
    }

    #[test]
    fn named_pieces_give_54_2700_123624_sequences() {
        let counts = [1, 2, 3].map(|depth| perft(Gobblet::moves, &mut RULES.start(), depth));
        assert_eq!(counts, [54, 2_700, 123_624]);
    }

    #[test]
    fn identical_pieces_give_27_675_20313_572472_sequences() {
        let counts =
            [1, 2, 3, 4].map(|depth| perft(Gobblet::distinct_moves, &mut RULES.start(), depth));
        assert_eq!(counts, [27, 675, 20_313, 572_472]);
    }

    #[test]
    fn random_games_last_about_12_steps_with_10_to_54_moves_each_about_35_on_average() {
        let (games, mut positions, mut branches, mut least, mut most) = (20_000, 0, 0, 54, 0);
        random_games(games, |state| {
            if RULES.turn(state) != Turn::Over {
                let n = moves(RULES, state).len();
                (least, most) = (n.min(least), n.max(most));
                branches += n;
                positions += 1;
            }
        });
        let length = f64::from(positions) / games as f64;
        let branching = branches as f64 / f64::from(positions);
        assert!((11.0..13.0).contains(&length), "{length} steps");
        assert!((33.0..37.0).contains(&branching), "{branching} moves");
        assert!(least >= 10 && most == 54, "{least} to {most} moves");
    }
}

/// Second implementation of the rules, on lists, which follows the text of the rules.
mod naive {
    use super::*;

    #[derive(Clone, Default)]
    struct Table {
        /// Stacks of (player, piece) from the bottom up.
        cells: [Vec<(usize, usize)>; 9],
        steps: usize,
    }

    fn size(piece: usize) -> usize {
        3 - piece / 2
    }

    impl Table {
        fn mover(&self) -> usize {
            self.steps % 2
        }

        fn place(&self, piece: usize) -> Option<usize> {
            self.cells.iter().position(|stack| stack.contains(&(self.mover(), piece)))
        }

        fn is_legal(&self, piece: usize, cell: usize) -> bool {
            let free = self
                .place(piece)
                .is_none_or(|from| self.cells[from].last() == Some(&(self.mover(), piece)));
            free && self.cells[cell].iter().all(|&(_, below)| size(below) < size(piece))
        }

        fn moves(&self) -> Vec<(usize, usize)> {
            let all = (0..9).flat_map(|cell| (0..6).map(move |piece| (piece, cell)));
            all.filter(|&(piece, cell)| self.is_legal(piece, cell)).collect()
        }

        fn make(&mut self, (piece, cell): (usize, usize)) {
            if let Some(from) = self.place(piece) {
                self.cells[from].pop();
            }
            self.cells[cell].push((self.mover(), piece));
            self.steps += 1;
        }

        fn has_line(&self, player: usize) -> bool {
            let own = |r: usize, c: usize| {
                self.cells[3 * r + c].last().is_some_and(|&(owner, _)| owner == player)
            };
            (0..3).any(|i| (0..3).all(|j| own(i, j)) || (0..3).all(|j| own(j, i)))
                || (0..3).all(|i| own(i, i))
                || (0..3).all(|i| own(i, 2 - i))
        }

        /// The first player's result, if the game is over.
        fn result(&self, cap: usize) -> Option<f64> {
            match (self.has_line(0), self.has_line(1)) {
                _ if self.steps == cap => Some(0.0),
                (true, false) => Some(1.0),
                (false, true) => Some(-1.0),
                (true, true) => Some(0.0),
                (false, false) => None,
            }
        }
    }

    #[test]
    fn random_games_match_the_naive_rules() {
        for (cap, games) in [(100, 3_000), (12, 1_000), (1, 5)] {
            let rules = Gobblet { steps: cap };
            let mut rng = Rng::new(u64::from(cap));
            for _ in 0..games {
                let (mut state, mut table) = (rules.start(), Table::default());
                loop {
                    let result = table.result(usize::from(cap));
                    assert_eq!(rules.turn(&state) == Turn::Over, result.is_some());
                    if let Some(result) = result {
                        assert_eq!(rules.utility(&state, 0), result);
                        assert_eq!(rules.utility(&state, 1), -result);
                        break;
                    }
                    let list = moves(rules, &state);
                    let named: Vec<_> = list.iter().map(|mv| (mv.piece(), mv.cell())).collect();
                    assert_eq!(named, table.moves());
                    let n = rng.below(list.len());
                    table.make(named[n]);
                    rules.play(&mut state, list[n]);
                    for (cell, stack) in table.cells.iter().enumerate() {
                        assert!(state.stack(cell).eq(stack.iter().copied()));
                    }
                }
            }
        }
    }
}

mod results {
    use super::*;

    fn result(state: &State) -> Option<f64> {
        (RULES.turn(state) == Turn::Over).then(|| RULES.utility(state, 0))
    }

    #[test]
    fn lifting_a_piece_can_lose_the_game() {
        let line = "S1@3 M1@0 B1@0 M2@1 S2@4 B1@2";
        assert_eq!(result(&after(line)), None);
        assert_eq!(result(&after(&format!("{line} B1@8"))), Some(-1.0));
    }

    #[test]
    fn covering_the_uncovered_line_again_saves_the_game() {
        let line = "S1@3 M1@0 B1@0 M2@1 S2@4 B1@2";
        assert_eq!(result(&after(&format!("{line} B1@1"))), None);
    }

    #[test]
    fn lines_of_both_players_are_a_tie() {
        let line = "S1@3 M1@0 B1@0 M2@1 S2@4 B1@2 B1@5";
        assert_eq!(result(&after(line)), Some(0.0));
        assert_eq!(after(line).lines, 0b11);
    }

    #[test]
    fn the_last_step_ties_even_if_it_makes_a_line() {
        let line = "S1@0 S1@8 S2@1 S2@7 M1@2";
        assert_eq!(result(&after(line)), Some(1.0));
        let five = Gobblet { steps: 5 };
        let state = after_with(five, line);
        assert_eq!(five.turn(&state), Turn::Over);
        assert_eq!((five.utility(&state, 0), five.utility(&state, 1)), (0.0, 0.0));
        assert_eq!(Eval::Pairs.value(&five, &state, 0), 0.0);
        let six = Gobblet { steps: 6 };
        assert_eq!(six.utility(&after_with(six, line), 0), 1.0);
    }

    #[test]
    fn a_game_of_100_steps_is_a_tie() {
        // Both players move B1 back and forth.
        let walk = "B1@0 B1@8 B1@1 B1@7 ".repeat(25);
        let moves: Vec<&str> = walk.split_whitespace().collect();
        assert_eq!(result(&after(&moves[..99].join(" "))), None);
        assert_eq!(result(&after(&moves.join(" "))), Some(0.0));
        // Here step 100 completes the second player's row.
        let line = moves[..94].join(" ") + " S1@1 M1@6 S1@4 S1@5 S1@1 S1@7";
        assert_eq!(after(&line).lines, 0b10);
        assert_eq!(result(&after(&line)), Some(0.0));
        let longer = Gobblet { steps: 101 };
        assert_eq!(longer.utility(&after_with(longer, &line), 0), -1.0);
    }

    #[test]
    fn own_smaller_pieces_may_be_covered() {
        let state = after("S1@4 S1@0 M1@4 S2@1 B1@4");
        assert!(state.stack(4).eq([(0, 4), (0, 2), (0, 0)]));
        assert_eq!(state.top(4), Some((0, 0)));
        assert_eq!(state.top(8), None);
    }
}

mod playouts {
    use super::*;

    #[test]
    fn fast_playouts_match_default_playouts() {
        // Many games end at a limit of 14 steps. The second line begins with full stacks and the
        // second player to move.
        let capped = Gobblet { steps: 14 };
        for (rules, line, games) in [
            (RULES, "", 200_000),
            (RULES, "S1@4 M1@4 B1@4 S1@0 M2@0 B2@0 S2@8", 50_000),
            (capped, "B1@4 S1@0", 50_000),
        ] {
            assert_matches_default_playout(&rules, &after_with(rules, line), games);
        }
    }

    #[test]
    fn playouts_choose_every_legal_move_equally_often() {
        for line in ["", "S1@4 M1@4 B1@4 S1@0 M2@0 B2@0 S2@8", "B1@0 B1@1 B2@3 B2@5 S1@8 M1@8"] {
            let from = after(line);
            let last = Gobblet { steps: from.steps + 1 };
            let (list, mut rng, mut scratch) = (moves(RULES, &from), Rng::new(5), Vec::new());
            let ends: Vec<State> = list
                .iter()
                .map(|&mv| {
                    let mut state = from;
                    RULES.play(&mut state, mv);
                    state
                })
                .collect();
            let (each, mut counts) = (1_000, vec![0u32; list.len()]);
            for _ in 0..each * list.len() {
                let mut state = from;
                last.playout(&mut state, &mut rng, &mut scratch);
                counts[ends.iter().position(|end| *end == state).unwrap()] += 1;
            }
            let off = counts.iter().map(|&n| (f64::from(n) - each as f64).powi(2));
            let (chi, degrees) = (off.sum::<f64>() / each as f64, (list.len() - 1) as f64);
            // Chi squared has mean `degrees` and variance `2 * degrees`: allow 4 deviations.
            assert!(chi < degrees + 4.0 * (2.0 * degrees).sqrt(), "{line}: {chi} of {degrees}");
        }
    }

    #[test]
    fn a_playout_from_a_finished_game_changes_nothing() {
        let mut state = after("S1@0 S1@8 S2@1 S2@7 M1@2");
        let before = state;
        assert_eq!(RULES.playout(&mut state, &mut Rng::new(1), &mut Vec::new()), 0);
        assert_eq!(state, before);
    }
}

mod keys {
    use super::*;

    #[test]
    fn the_table_key_has_the_step_count_only_if_the_limit_is_in_reach() {
        let (short, long) = (after("B1@0 B1@8"), after("B1@0 B1@8 B1@1 B1@7 B1@0 B1@8"));
        assert_ne!(short, long);
        assert_eq!(RULES.board_key(&short), RULES.board_key(&long));
        // The longer game has 94 steps left.
        assert_eq!(RULES.table_key(&short, 93), RULES.table_key(&long, 93));
        assert_ne!(RULES.table_key(&short, 94), RULES.table_key(&long, 94));
        assert_ne!(RULES.table_key(&short, 98), RULES.table_key(&long, 98));
    }

    #[test]
    fn board_keys_differ_by_named_piece_and_player_to_move() {
        assert_ne!(RULES.board_key(&after("B1@0")), RULES.board_key(&after("B2@0")));
        let (even, odd) = (after("B1@1 B1@8 B1@0 B1@7"), after("B1@0 B1@7"));
        assert_eq!(RULES.board_key(&even), RULES.board_key(&odd));
        let mut other = odd;
        other.steps += 1;
        assert_ne!(RULES.board_key(&other), RULES.board_key(&odd));
    }

    #[test]
    fn reflected_positions_have_reflected_moves() {
        random_games(100, |state| {
            let canonical = RULES.canonical(state).0;
            for s in 0..8 {
                let seen = RULES.reflect(state, s);
                assert_eq!(RULES.canonical(&seen).0, canonical);
                assert_eq!(RULES.turn(&seen), RULES.turn(state));
                if RULES.turn(state) == Turn::Over {
                    continue;
                }
                for mv in moves(RULES, state) {
                    let (mut made, mut reflected) = (*state, seen);
                    RULES.play(&mut made, mv);
                    let mv = RULES.reflect_move(mv, s);
                    assert!(moves(RULES, &seen).contains(&mv));
                    RULES.play(&mut reflected, mv);
                    assert_eq!(RULES.reflect(&made, s), reflected);
                }
            }
        });
    }
}
