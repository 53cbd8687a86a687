//! Text of moves and positions.

use tussle_core::{Game, Notation, ParseError, Turn};

use super::checkers::{BAR, Checkers, OFF};
use super::journeys::{self, place_name};
use super::plays::Board;
use super::{Backgammon, Move, Play, ROLLS, Roll, State};

pub(super) const PLAYERS: [&str; 2] = ["first", "second"];

pub(super) fn roll_text(roll: Roll) -> String {
    format!("{}{}", roll.high, roll.low)
}

/// Parses a roll of two digits in either order.
fn parse_roll(text: &str) -> Option<Roll> {
    ROLLS
        .into_iter()
        .find(|roll| text == roll_text(*roll) || text == format!("{}{}", roll.low, roll.high))
}

/// Returns the reason why a text is not a roll.
fn roll_error(text: &str) -> String {
    let mut faces = text.chars().filter(|face| !('1'..='6').contains(face));
    match faces.next() {
        Some(face) if text.chars().count() == 2 && text.chars().all(|c| c.is_ascii_digit()) => {
            format!("no die shows {face}; the faces are 1 to 6")
        }
        _ => "expected a roll of two dice without a space, as in `31`".to_owned(),
    }
}

fn play_text(board: &Board, play: Play) -> String {
    let mut hit = Vec::new();
    let steps: Vec<String> = play
        .steps()
        .map(|step| {
            let to = step.to();
            let star = if board.hits(to) && !hit.contains(&to) { "*" } else { "" };
            hit.push(to);
            format!("{}/{}{star}", place_name(step.from()), place_name(to))
        })
        .collect();
    if steps.is_empty() { "none".to_owned() } else { steps.join("+") }
}

fn checkers_text(checkers: Checkers) -> String {
    let places = (OFF..=BAR).rev().filter(|&place| checkers.count(place) > 0);
    let places = places.map(|place| format!("{}:{}", place_name(place), checkers.count(place)));
    places.collect::<Vec<_>>().join("/")
}

fn parse_checkers(text: &str, player: &str) -> Result<Checkers, ParseError> {
    let mut checkers = Checkers::default();
    let mut all = 0;
    for part in text.split('/') {
        let parsed = part.split_once(':').and_then(|(place, count)| {
            let place = journeys::parse_place(place)?;
            let count = (1..=15u32).find(|n| n.to_string() == count)?;
            Some((place, count))
        });
        let Some((place, count)) = parsed else {
            return Err(ParseError::new(format!(
                "`{part}`: expected checkers of the {player} player as place:number, with a place \
                 from 24 to 1, `bar` or `off` and a number from 1 to 15, separated by `/`, as in \
                 `24:2/13:5/8:3/6:5`"
            )));
        };
        if checkers.count(place) > 0 {
            return Err(ParseError::new(format!(
                "`{part}`: the {player} player's {} is given twice",
                named(place)
            )));
        }
        all += count;
        checkers.put(place, count);
    }
    if all == 15 {
        Ok(checkers)
    } else {
        Err(ParseError::new(format!(
            "the {player} player must have 15 checkers on the board, on the bar and off, found {all}"
        )))
    }
}

/// Returns the name of a place as it appears in a sentence.
fn named(place: usize) -> String {
    match place {
        OFF | BAR => format!("`{}`", place_name(place)),
        point => format!("point {point}"),
    }
}

fn read_position(text: &str) -> Result<State, ParseError> {
    let fields: Vec<&str> = text.split_whitespace().collect();
    let &[first, second, mover, dice] = fields.as_slice() else {
        return Err(ParseError::new(
            "expected the checkers of the first and of the second player, each with the points \
             numbered from the owner's side, the player to move, and the dice or `-` before the \
             roll, as in `24:2/13:5/8:3/6:5 24:2/13:5/8:3/6:5 first 31`",
        ));
    };
    let checkers = [parse_checkers(first, "first")?, parse_checkers(second, "second")?];
    if let Some(point) =
        (1..25).find(|&p| checkers.iter().zip([p, BAR - p]).all(|(c, p)| c.count(p) > 0))
    {
        return Err(ParseError::new(format!(
            "both players have checkers on the first player's point {point}, which is the \
             second player's point {}",
            BAR - point
        )));
    }
    let mover = match mover {
        "first" => 0,
        "second" => 1,
        _ => {
            return Err(ParseError::new(format!(
                "`{mover}`: expected `first` or `second` as the player to move"
            )));
        }
    };
    let opening = dice == "opening";
    let roll = match dice {
        "-" | "opening" => None,
        _ => Some(parse_roll(dice).ok_or_else(|| {
            ParseError::new(format!("`{dice}`: {}, or `-` before the roll", roll_error(dice)))
        })?),
    };
    let state = State { checkers, mover, roll, opening };
    let start = Backgammon::default().start();
    if opening && state != start {
        return Err(ParseError::new(
            "`opening`: only the first roll from the start position is an opening roll, with the \
             first player to move; write `-` for any other roll",
        ));
    }
    if let Some(winner) = state.winner() {
        if state.checkers[1 - winner].all_off() {
            return Err(ParseError::new("only one player can have borne off all checkers"));
        }
        if winner == state.mover() || roll.is_some() {
            let (winner, loser) = (PLAYERS[winner], PLAYERS[1 - winner]);
            return Err(ParseError::new(format!(
                "the {winner} player has borne off all checkers, so the game is over; write \
                 `{loser} -` after the checkers"
            )));
        }
    }
    if state.is_deadlock() {
        return Err(ParseError::new(
            "both players are on the bar and both home boards are closed; no play leads to this \
             position, and neither player could ever move",
        ));
    }
    Ok(state)
}

impl Notation for Backgammon {
    fn move_text(&self, state: &State, mv: Move) -> String {
        match mv {
            Move::Roll(roll) => roll_text(roll),
            Move::Play(play) => play_text(&Board::new(state, state.mover()), play),
        }
    }

    fn position_text(&self, state: &State) -> String {
        let [first, second] = state.checkers.map(checkers_text);
        let dice = match state.roll {
            Some(roll) => roll_text(roll),
            None if state.opening => "opening".to_owned(),
            None => "-".to_owned(),
        };
        format!("{first} {second} {} {dice}", PLAYERS[state.mover()])
    }

    fn parse_position(&self, text: &str) -> Result<State, ParseError> {
        read_position(text).map_err(|error| ParseError::new(format!("`{text}`: {error}")))
    }

    /// Accepts every spelling that leads to exactly one legal position: the steps in another order,
    /// `24/18` or `24/23/18` for several steps of one checker, `8/4(2)` for two equal steps, hits
    /// without `*`, and `13` for the roll `31`.
    fn parse_move(&self, state: &State, text: &str) -> Result<Move, ParseError> {
        let mut moves = Vec::new();
        self.moves(state, &mut moves);
        if let Some(&mv) = moves.iter().find(|&&mv| self.move_text(state, mv) == text) {
            return Ok(mv);
        }
        let meant = match state.roll {
            Some(roll) => journeys::plays_meant(state, roll, text, &moves),
            None => parse_roll(text).map(Move::Roll).into_iter().collect(),
        };
        match meant[..] {
            [mv] if moves.contains(&mv) => Ok(mv),
            [_, ..] if state.roll.is_some() => {
                let ways: Vec<String> =
                    meant.iter().map(|&mv| format!("`{}`", self.move_text(state, mv))).collect();
                let ways = ways.join(" or ");
                Err(ParseError::new(format!("`{text}`: ambiguous; write {ways}")))
            }
            _ => Err(ParseError::new(format!("`{text}`: {}", self.why_illegal(state, text)))),
        }
    }

    fn why_illegal(&self, state: &State, text: &str) -> String {
        match (self.turn(state), state.roll) {
            (Turn::Over, _) => "the game is over".to_owned(),
            (_, Some(roll)) => journeys::illegality(state, roll, text),
            _ if parse_roll(text).is_some_and(Roll::is_double) && state.opening => {
                "the opening roll is never a double: each player rolls one die, and equal dice are \
                 rolled again"
                    .to_owned()
            }
            _ if text.contains('/') || text == "none" => {
                "the dice must be rolled first; enter a roll, as in `31`".to_owned()
            }
            _ => roll_error(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{GAME, at, legal, random_games};
    use super::*;

    const START: &str = "24:2/13:5/8:3/6:5 24:2/13:5/8:3/6:5";

    fn error_of(position: &str, text: &str) -> String {
        GAME.parse_move(&at(position), text).unwrap_err().to_string()
    }

    /// Returns the canonical text of a move written in another way.
    fn canonical(position: &str, text: &str) -> String {
        let state = at(position);
        GAME.move_text(&state, GAME.parse_move(&state, text).unwrap())
    }

    #[test]
    fn positions_of_random_games_survive_writing_and_parsing() {
        assert_eq!(GAME.position_text(&GAME.start()), format!("{START} first opening"));
        random_games(30, |state| {
            let text = GAME.position_text(state);
            assert_eq!(GAME.parse_position(&text).as_ref(), Ok(state), "{text}");
        });
    }

    #[test]
    fn plays_have_different_texts_that_parse_to_them() {
        random_games(10, |state| {
            let moves = legal(state);
            let mut texts = Vec::new();
            for &mv in &moves {
                let text = GAME.move_text(state, mv);
                assert_eq!(GAME.parse_move(state, &text), Ok(mv), "{text}");
                texts.push(text);
            }
            texts.sort();
            texts.dedup();
            assert_eq!(texts.len(), moves.len());
        });
    }

    #[test]
    fn other_spellings_of_a_play_are_accepted() {
        let start = |roll: &str| format!("{START} first {roll}");
        assert_eq!(canonical(&start("31"), "6/5+8/5"), "8/5+6/5");
        assert_eq!(canonical(&start("65"), "24/13"), "24/18+18/13");
        assert_eq!(canonical(&start("65"), "24/18/13"), "24/18+18/13");
        assert_eq!(canonical(&start("31"), "24/23+23/20"), "24/21+21/20");
        assert_eq!(canonical(&start("44"), "24/16+13/9(2)"), "24/20+20/16+13/9+13/9");
        assert_eq!(canonical(&start("44"), "24/20/16(2)"), "24/20+24/20+20/16+20/16");
        assert_eq!(canonical(&start("11"), "8/7(2)+6/5(2)"), "8/7+8/7+6/5+6/5");
        assert_eq!(canonical(&format!("{START} first -"), "13"), "31");
        // The star of a hit can be left out. One checker can be borne off with both dice.
        let hit = "24:1/1:14 2:1/8:14 first 51";
        assert_eq!(canonical(hit, "24/23+23/18"), "24/23*+23/18");
        assert_eq!(canonical(hit, "24/23/18"), "24/23*+23/18");
        assert_eq!(canonical("7:1/1:14 13:15 first 65", "7/off"), "7/1+1/off");
        assert_eq!(canonical("5:1/off:14 13:15 first 61", "5/off"), "5/4+4/off");
    }

    #[test]
    fn the_error_of_an_ambiguous_play_lists_both_plays() {
        let error = error_of("24:1/1:14 2:1/8:14 first 51", "24/18");
        assert!(error.contains("ambiguous; write `24/19+19/18` or `24/23*+23/18`"), "{error}");
    }

    #[test]
    fn errors_of_illegal_moves_name_the_rule() {
        let start = |roll: &str| format!("{START} first {roll}");
        let home = "6:2/3:13 13:15 first";
        for (position, text, why) in [
            (start("opening"), "77", "no die shows 7"),
            (start("opening"), "70", "no die shows 7"),
            (start("opening"), "11", "opening roll is never a double"),
            (start("opening"), "3", "a roll of two dice"),
            (start("opening"), "24/23", "must be rolled first"),
            (start("31"), "31", "the dice already show 31"),
            (start("31"), "none", "31 can be played"),
            (start("31"), "8/5+6:5", "`6:5`: expected the places of one checker"),
            (start("31"), "8/5*+6/5", "no checker to hit on 5"),
            (start("31"), "5/8+6/5", "from higher points to lower"),
            (start("31"), "8/5", "both dice must be played"),
            (start("33"), "8/5+6/3", "more steps of 3"),
            (start("31"), "8/5+7/6", "no checker left on 7"),
            (start("31"), "8/5+8/5", "8/5 cannot be played with 1"),
            (start("31"), "8/4+6/5", "no die is left for 6/5"),
            (start("51"), "24/18+8/7", "no die is left"),
            (start("51"), "13/12+6/1", "holds point 1"),
            (start("54"), "13/8+13/9(4)", "at most four steps"),
            (start("65"), "6/off+13/8", "only if all of yours are in your home"),
            ("bar:1/13:14 20:15 first 61".to_owned(), "13/7+13/12", "must enter first"),
            ("14:1/1:14 22:8/6:7 first 65".to_owned(), "14/9", "the larger: 6"),
            (format!("{home} 54"), "3/off+6/2", "you have one farther away than 3"),
            (
                "bar:1/13:14 6:2/5:3/4:3/3:3/2:2/1:2 first 61".to_owned(),
                "bar/24",
                "only move is `none`",
            ),
            ("off:15 6:15 second -".to_owned(), "31", "game is over"),
        ] {
            let error = error_of(&position, text);
            assert!(error.contains(why), "{position} {text}: {error}");
        }
    }

    #[test]
    fn impossible_positions_are_rejected() {
        for (text, why) in [
            ("", "expected the checkers"),
            (START, "expected the checkers"),
            ("24:2/13:5/8:3/6:5 24:2/13:5/8:3/6:5 first 31 x", "expected the checkers"),
            (
                "24:2/13:5/8:3/6:4 24:2/13:5/8:3/6:5 first 31",
                "first player must have 15 checkers on the board, on the bar and off, found 14",
            ),
            (
                "24:2/13:5/8:3/6:5 24:2/13:5/8:3/6:5/bar:1 first 31",
                "second player must have 15 checkers on the board, on the bar and off, found 16",
            ),
            (
                "24:2/13:5/8:3/6:5 24:2/13:5/8:3/1:5 first 31",
                "both players have checkers on the first player's point 24",
            ),
            ("24:2/13:5/8:3/8:5 24:2/13:5/8:3/6:5 first 31", "point 8 is given twice"),
            ("26:2/13:5/8:3/6:5 24:2/13:5/8:3/6:5 first 31", "`26:2`"),
            ("24:2/13:5/8:3/6:5/5:0 24:2/13:5/8:3/6:5 first 31", "`5:0`"),
            ("24:+2/13:5/8:3/6:5 24:2/13:5/8:3/6:5 first 31", "`24:+2`"),
            ("24:99999999999 24:2/13:5/8:3/6:5 first 31", "`24:99999999999`"),
            ("24:2/13:5/8:3/6:5 24:2/13:5/8:3/6:5 third 31", "`first` or `second`"),
            ("24:2/13:5/8:3/6:5 24:2/13:5/8:3/6:5 first 71", "no die shows 7"),
            ("24:2/13:5/8:3/6:5 24:2/13:5/8:3/6:5 first 3-1", "expected a roll of two dice"),
            (
                "24:2/13:5/8:3/6:5 24:2/13:5/8:3/6:5 second opening",
                "`opening`: only the first roll",
            ),
            ("24:1/13:6/8:3/6:5 24:2/13:5/8:3/6:5 first opening", "`opening`: only the first roll"),
            ("off:15 off:15 first -", "only one player"),
            ("off:15 6:15 first -", "write `second -`"),
            ("off:15 6:15 second 31", "write `second -`"),
            (
                "bar:3/6:2/5:2/4:2/3:2/2:2/1:2 bar:3/6:2/5:2/4:2/3:2/2:2/1:2 first -",
                "home boards are closed",
            ),
        ] {
            let error = GAME.parse_position(text).unwrap_err().to_string();
            assert!(error.contains(why), "{text}: {error}");
        }
    }
}
