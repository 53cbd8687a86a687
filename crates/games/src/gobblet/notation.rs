//! Text of moves and positions.

use tussle_core::{Game, Notation, ParseError, Turn};

use super::{FULL, Gobblet, Layers, Move, State, bits};

pub(super) const NAMES: [&str; 6] = ["B1", "B2", "M1", "M2", "S1", "S2"];
pub(super) const PLAYERS: [&str; 2] = ["first", "second"];

/// Returns the name of a piece in positions and drawings: capitals for the first player, small
/// letters for the second.
pub(super) fn piece_name(player: usize, piece: usize) -> String {
    if player == 0 { NAMES[piece].to_owned() } else { NAMES[piece].to_lowercase() }
}

fn named_piece(name: &str) -> Option<(usize, usize)> {
    let index = (0..12).find(|i| piece_name(i / 6, i % 6) == name)?;
    Some((index / 6, index % 6))
}

/// Returns the number of steps of this player among the first `steps` steps.
fn steps_of(player: usize, steps: u16) -> u32 {
    (u32::from(steps) + 1 - player as u32) / 2
}

/// Returns true if a player can have `on_board` pieces on the board after `steps` own steps. Each
/// step adds at most one piece, the first step adds one, and no piece returns to the hand.
fn can_have(on_board: u32, steps: u32) -> bool {
    on_board <= steps && (on_board > 0 || steps == 0)
}

/// Returns true if some step from an unfinished position leads here.
fn has_predecessor(state: State) -> bool {
    if state.steps == 0 {
        return state.pieces == [0; 2];
    }
    let steps = state.steps - 1;
    let player = usize::from(steps & 1);
    let own_steps = steps_of(player, steps);
    let could_be = |own: u64| {
        let mut pieces = state.pieces;
        pieces[player] = own;
        can_have(own.count_ones(), own_steps) && State::new(pieces, steps).lines == 0
    };
    let tops = state.pieces[player] & !Layers::new(state.pieces).covered();
    bits(tops).any(|bit| {
        let mut lifted = state.pieces;
        lifted[player] &= !(1 << bit);
        // The piece came from the hand, or from any other cell that it can occupy.
        let this_piece = FULL << (bit / 9 * 9) & !(1 << bit);
        let elsewhere = this_piece & !Layers::new(lifted).taken();
        could_be(lifted[player]) || bits(elsewhere).any(|from| could_be(lifted[player] | 1 << from))
    })
}

/// Parses the board: three rows of three stacks.
fn parse_board(board: &str) -> Result<[u64; 2], ParseError> {
    let rows: Vec<Vec<&str>> = board.split('/').map(|row| row.split(',').collect()).collect();
    if rows.len() != 3 || rows.iter().any(|row| row.len() != 3) {
        return Err(ParseError::new(
            "expected a board of three rows separated by `/`, each of three stacks separated by \
             `,`, with `.` for an empty cell",
        ));
    }
    let mut pieces = [0u64; 2];
    for (cell, &stack) in rows.iter().flatten().enumerate() {
        let letters: Vec<char> = if stack == "." { Vec::new() } else { stack.chars().collect() };
        if stack.is_empty() {
            return Err(ParseError::new(format!(
                "cell {cell} has no text; write `.` for an empty cell"
            )));
        }
        let mut below = None;
        for name in letters.chunks(2).map(String::from_iter) {
            let (player, piece) = named_piece(&name).ok_or_else(|| {
                ParseError::new(format!(
                    "cell {cell}: there is no piece `{name}`; the first player's are B1 B2 M1 M2 \
                     S1 S2, the second player's b1 b2 m1 m2 s1 s2"
                ))
            })?;
            if pieces[player] >> (9 * piece) & FULL != 0 {
                return Err(ParseError::new(format!(
                    "cell {cell}: {name} is on the board a second time"
                )));
            }
            if below.is_some_and(|size| piece / 2 >= size) {
                return Err(ParseError::new(format!(
                    "cell {cell}: {name} is not on a smaller piece; write each stack from the \
                     bottom up"
                )));
            }
            below = Some(piece / 2);
            pieces[player] |= 1 << (9 * piece + cell);
        }
    }
    Ok(pieces)
}

impl Gobblet {
    fn read_position(self, text: &str) -> Result<State, ParseError> {
        let fields: Vec<&str> = text.split_whitespace().collect();
        let &[board, mover, steps] = fields.as_slice() else {
            return Err(ParseError::new(
                "expected the board, the player to move and the number of steps, as in \
                 `S1m2,.,./.,B1,./.,.,. second 3`",
            ));
        };
        let pieces = parse_board(board)?;
        let taken: u16 = steps.parse().ok().filter(|&n| n <= self.steps).ok_or_else(|| {
            ParseError::new(format!(
                "`{steps}`: expected the number of steps, from 0 to {}",
                self.steps
            ))
        })?;
        let state = State::new(pieces, taken);
        let due = PLAYERS[state.mover()];
        if mover != due {
            return Err(ParseError::new(format!(
                "after {taken} steps it is `{due}`'s turn, not `{mover}`'s"
            )));
        }
        for player in 0..2 {
            let (on_board, own) = (pieces[player].count_ones(), steps_of(player, taken));
            if !can_have(on_board, own) {
                let name = PLAYERS[player];
                return Err(ParseError::new(format!(
                    "the {name} player cannot have {on_board} pieces on the board after {own} own \
                     steps: each step adds one piece or moves one, and no piece returns to the hand"
                )));
            }
        }
        if !has_predecessor(state) {
            return Err(ParseError::new("no step from an unfinished game leads to this position"));
        }
        Ok(state)
    }

    fn illegality(self, state: State, text: &str) -> String {
        if self.turn(&state) == Turn::Over {
            return "the game is over".to_owned();
        }
        let Some((name, target)) = text.split_once('@') else {
            return "a move is a piece, `@` and a cell from 0 to 8, as in `B1@4`".to_owned();
        };
        let Some(piece) = NAMES.iter().position(|&known| known == name) else {
            let capitals = name.to_ascii_uppercase();
            return if NAMES.contains(&capitals.as_str()) {
                format!("pieces of moves have capital letters; write `{capitals}@{target}`")
            } else {
                format!("there is no piece `{name}`; the pieces are B1 B2 M1 M2 S1 S2")
            };
        };
        let Some(cell) = (0..9usize).find(|cell| cell.to_string() == target) else {
            return format!(
                "there is no cell `{target}`; cells are 0 to 8, row by row from the upper left"
            );
        };
        let mover = state.mover();
        let described = |(player, piece): (usize, usize)| {
            let whose = if player == mover { "your own" } else { "the opponent's" };
            format!("{whose} {}", NAMES[piece])
        };
        if let Some(from) = state.cell_of(mover, piece)
            && let Some(top) = state.top(from)
        {
            if top != (mover, piece) {
                return format!("{name} is covered by {} on cell {from}", described(top));
            }
            if from == cell {
                return format!("{name} is already on cell {cell}; move it to another one");
            }
        }
        match state.top(cell) {
            Some(top) if state.legal() >> Move::new(piece, cell).0 & 1 == 0 => {
                format!("{} on cell {cell} is not smaller than {name}", described(top))
            }
            _ => "is a legal move".to_owned(),
        }
    }
}

impl Notation for Gobblet {
    fn move_text(&self, _: &State, mv: Move) -> String {
        format!("{}@{}", NAMES[mv.piece()], mv.cell())
    }

    /// Returns the stacks from the bottom up, cell by cell, then the player to move and the number
    /// of steps: `S1m2,.,./.,B1,./.,.,. second 3`.
    fn position_text(&self, state: &State) -> String {
        let stack = |cell: usize| -> String {
            let names: String =
                state.stack(cell).map(|(player, piece)| piece_name(player, piece)).collect();
            if names.is_empty() { ".".to_owned() } else { names }
        };
        let row = |r: usize| [stack(3 * r), stack(3 * r + 1), stack(3 * r + 2)].join(",");
        let mover = PLAYERS[state.mover()];
        format!("{}/{}/{} {mover} {}", row(0), row(1), row(2), state.steps)
    }

    fn parse_position(&self, text: &str) -> Result<State, ParseError> {
        self.read_position(text).map_err(|error| ParseError::new(format!("`{text}`: {error}")))
    }

    fn why_illegal(&self, state: &State, text: &str) -> String {
        self.illegality(*state, text)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{RULES, after, moves, random_games};
    use super::*;
    use tussle_core::{Drawn, Rng};

    #[test]
    fn position_text_matches_the_documentation() {
        assert_eq!(RULES.position_text(&RULES.start()), ".,.,./.,.,./.,.,. first 0");
        let state = after("S1@0 M2@0 B1@4");
        assert_eq!(RULES.position_text(&state), "S1m2,.,./.,B1,./.,.,. second 3");
    }

    #[test]
    fn positions_of_random_games_survive_writing_and_parsing() {
        random_games(2_000, |state| {
            let text = RULES.position_text(state);
            assert_eq!(RULES.parse_position(&text).as_ref(), Ok(state), "{text}");
        });
    }

    #[test]
    fn impossible_positions_are_rejected() {
        for (text, why) in [
            ("", "expected the board, the player"),
            (".,.,./.,.,./.,.,. first", "expected the board, the player"),
            (".,.,./.,.,./.,.,. first 0 0", "expected the board, the player"),
            (".,.,./.,.,. first 0", "three rows"),
            (".,.,./.,./.,.,. first 0", "three rows"),
            (".,.,./.,,./.,.,. first 0", "has no text"),
            ("X1,.,./.,.,./.,.,. second 1", "no piece `X1`"),
            ("B,.,./.,.,./.,.,. second 1", "no piece `B`"),
            ("B3,.,./.,.,./.,.,. second 1", "no piece `B3`"),
            ("é1,.,./.,.,./.,.,. second 1", "no piece `é1`"),
            ("B1,B1,./.,b1,./.,.,. second 3", "a second time"),
            ("B1b1,.,./.,.,./.,.,. first 2", "is not on a smaller"),
            ("M1s1,.,./.,.,./.,.,. first 2", "is not on a smaller"),
            ("B1,.,./.,.,./.,.,. second x", "from 0 to 100"),
            ("B1,.,./.,.,./.,.,. second -1", "from 0 to 100"),
            ("B1,.,./.,b1,./.,.,. second 101", "from 0 to 100"),
            ("B1,.,./.,b1,./.,.,. second 99999999999", "from 0 to 100"),
            ("B1,.,./.,.,./.,.,. first 1", "`second`'s turn"),
            ("B1,.,./.,.,./.,.,. black 1", "`second`'s turn"),
            ("B1,.,./.,.,./.,.,. first 2", "second player cannot have 0"),
            (".,.,./.,b1,./.,.,. first 2", "first player cannot have 0"),
            ("B1,B2,./.,b1,./.,.,. first 2", "first player cannot have 2"),
            ("B1,.,./.,.,./.,.,. first 0", "first player cannot have 1"),
            // Both lines existed before the last step, wherever its piece came from.
            ("B1,B2,M1/b1,b2,m1/S1,s1,. first 8", "no step from"),
            // The second player moved last, uncovered nothing, and the first player has a line.
            ("S1,S2,M1/.,s1,./s2,.,b1 first 6", "no step from"),
            // All pieces of the second player are covered, so it cannot have moved last.
            ("s1B1,.,./.,.,./.,.,. first 2", "no step from"),
        ] {
            let error = RULES.parse_position(text).unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
        }
    }

    #[test]
    fn parsed_positions_can_be_written_drawn_and_played() {
        let letters: Vec<char> = "BMSbms1212.,/ 9é".chars().collect();
        let (mut rng, mut parsed) = (Rng::new(8), 0);
        random_games(1_000, |state| {
            let mut text: Vec<char> = RULES.position_text(state).chars().collect();
            for _ in 0..=rng.below(2) {
                let (at, letter) = (rng.below(text.len()), letters[rng.below(letters.len())]);
                match rng.below(3) {
                    0 => text[at] = letter,
                    1 => text.insert(at, letter),
                    _ => drop(text.remove(at)),
                }
            }
            let Ok(mut state) = RULES.parse_position(&String::from_iter(text)) else { return };
            parsed += 1;
            assert_eq!(RULES.parse_position(&RULES.position_text(&state)).as_ref(), Ok(&state));
            assert_eq!(RULES.scene(&state).spots.len(), 21);
            if RULES.turn(&state) != Turn::Over {
                assert!(moves(RULES, &state).len() >= 10);
            }
            RULES.playout(&mut state, &mut rng, &mut Vec::new());
            assert_eq!(RULES.turn(&state), Turn::Over);
        });
        assert!(parsed > 100, "only {parsed} of the changed texts are positions");
    }

    #[test]
    fn finished_positions_can_be_parsed() {
        for line in [
            "S1@0 S1@8 S2@1 S2@7 M1@2",
            "S1@3 M1@0 B1@0 M2@1 S2@4 B1@2 B1@8",
            "S1@3 M1@0 B1@0 M2@1 S2@4 B1@2 B1@5",
        ] {
            let state = after(line);
            assert_eq!(RULES.turn(&state), Turn::Over);
            assert_eq!(RULES.parse_position(&RULES.position_text(&state)), Ok(state));
        }
    }

    #[test]
    fn errors_of_illegal_moves_name_the_reason() {
        let state = after("S1@0 M2@0 B1@4 B1@8");
        for (text, why) in [
            ("S1@3", "S1 is covered by the opponent's M2 on cell 0"),
            ("M1@4", "your own B1 on cell 4 is not smaller than M1"),
            ("M1@0", "the opponent's M2 on cell 0 is not smaller than M1"),
            ("B1@4", "B1 is already on cell 4; move it to another one"),
            ("B1@9", "there is no cell `9`; cells are 0 to 8, row by row from the upper left"),
            ("B1@", "there is no cell ``; cells are 0 to 8, row by row from the upper left"),
            ("B3@1", "there is no piece `B3`; the pieces are B1 B2 M1 M2 S1 S2"),
            ("b2@1", "pieces of moves have capital letters; write `B2@1`"),
            ("a1", "a move is a piece, `@` and a cell from 0 to 8, as in `B1@4`"),
        ] {
            let error = RULES.parse_move(&state, text).unwrap_err().to_string();
            assert_eq!(error, format!("`{text}`: {why}"));
        }
        let over = after("S1@0 S1@8 S2@1 S2@7 M1@2");
        let error = RULES.parse_move(&over, "B1@4").unwrap_err().to_string();
        assert_eq!(error, "`B1@4`: the game is over");
    }

    #[test]
    fn why_illegal_gives_a_reason_for_every_illegal_move() {
        random_games(200, |state| {
            let legal: Vec<String> = if RULES.turn(state) == Turn::Over {
                Vec::new()
            } else {
                moves(RULES, state).iter().map(|&mv| RULES.move_text(state, mv)).collect()
            };
            for name in NAMES {
                for cell in 0..9 {
                    let text = format!("{name}@{cell}");
                    let reason = RULES.why_illegal(state, &text);
                    assert_eq!(reason == "is a legal move", legal.contains(&text), "{text}");
                }
            }
        });
    }
}
