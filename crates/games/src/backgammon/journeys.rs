//! Parser of plays in informal notation: `13/11+6/5` with the steps in any order, `24/18/13` or
//! `24/13` for one checker, and `8/4(2)` for two.

use tussle_core::ParseError;

use super::checkers::{BAR, OFF};
use super::plays::{Board, target};
use super::text::roll_text;
use super::{Move, Play, Roll, State, Step};

/// Returns the name of a place: the number of a point, `bar` or `off`.
pub(super) fn place_name(place: usize) -> String {
    match place {
        OFF => "off".to_owned(),
        BAR => "bar".to_owned(),
        point => point.to_string(),
    }
}

pub(super) fn parse_place(text: &str) -> Option<usize> {
    (OFF..=BAR).find(|&place| place_name(place) == text)
}

/// Journey of one checker from a place to another, with one die or several.
#[derive(Clone, Copy)]
struct Journey {
    at: usize,
    to: usize,
    is_hit: bool,
}

/// Parses the journeys of a play, at most four.
fn parse(text: &str) -> Result<Vec<Journey>, ParseError> {
    let mut journeys = Vec::new();
    for part in text.split('+') {
        let (way, times) = match part.strip_suffix(')').and_then(|part| part.split_once('(')) {
            Some((way, times)) => (way, (1..=4).find(|n: &usize| n.to_string() == times)),
            None => (part, Some(1)),
        };
        let places: Option<Vec<(usize, bool)>> = way
            .split('/')
            .map(|name| {
                let place = parse_place(name.strip_suffix('*').unwrap_or(name))?;
                Some((place, name.ends_with('*')))
            })
            .collect();
        let (Some(places), Some(times)) = (places.filter(|places| places.len() > 1), times) else {
            return Err(ParseError::new(format!(
                "`{part}`: expected the places of one checker, as in `13/8` (points 24 to 1, `bar`, \
                 `off`, `*` for a hit); join several checkers with `+`"
            )));
        };
        let way = places.windows(2).map(|w| Journey { at: w[0].0, to: w[1].0, is_hit: w[1].1 });
        for _ in 0..times {
            journeys.extend(way.clone());
        }
        if journeys.len() > 4 {
            return Err(ParseError::new("a play has at most four steps"));
        }
    }
    match journeys.iter().find(|way| way.at <= way.to) {
        Some(&Journey { at, to, .. }) => Err(ParseError::new(format!(
            "checkers move from higher points to lower ones; found {}/{}",
            place_name(at),
            place_name(to)
        ))),
        None => Ok(journeys),
    }
}

fn dice_of(roll: Roll) -> Vec<usize> {
    let dice = [usize::from(roll.high), usize::from(roll.low)];
    if roll.is_double() { [dice, dice].concat() } else { dice.into() }
}

/// Finds every way to make the journeys with these dice in legal steps. Calls `arrive` with the
/// position after them and the dice that are left.
fn travel(
    state: &State,
    dice: &[usize],
    journeys: &[Journey],
    arrive: &mut impl FnMut(&State, &[usize]),
) {
    if journeys.is_empty() {
        arrive(state, dice);
        return;
    }
    let board = Board::new(state, state.mover());
    for (i, &die) in dice.iter().enumerate() {
        let repeated = dice[..i].contains(&die);
        for (k, way) in journeys.iter().enumerate() {
            let to = target(way.at, die);
            if repeated || to < way.to || board.sources(die) >> way.at & 1 == 0 {
                continue;
            }
            let mut next = *state;
            next.make(Play::one(Step::new(way.at, die)));
            next.mover = state.mover;
            let mut dice = dice.to_vec();
            dice.remove(i);
            let mut journeys = journeys.to_vec();
            if to == way.to {
                journeys.remove(k);
            } else {
                journeys[k].at = to;
            }
            travel(&next, &dice, &journeys, arrive);
        }
    }
}

/// Returns the legal plays that a text can mean.
pub(super) fn plays_meant(state: &State, roll: Roll, text: &str, legal: &[Move]) -> Vec<Move> {
    let board = Board::new(state, state.mover());
    let Ok(journeys) = parse(text) else { return Vec::new() };
    if journeys.iter().any(|way| way.is_hit && !board.hits(way.to)) {
        return Vec::new();
    }
    let mut meant = Vec::new();
    travel(state, &dice_of(roll), &journeys, &mut |end, _| {
        let same = legal.iter().find(|mv| match **mv {
            Move::Play(play) => {
                let mut after = *state;
                after.make(play);
                after.checkers == end.checkers
            }
            Move::Roll(_) => false,
        });
        meant.extend(same.filter(|mv| !meant.contains(*mv)).copied());
    });
    meant
}

/// Returns the reason why a text is not a legal play of this roll.
pub(super) fn illegality(state: &State, roll: Roll, text: &str) -> String {
    let board = Board::new(state, state.mover());
    let dice = dice_of(roll);
    let can_move = dice.iter().any(|&die| board.sources(die) != 0);
    let rolled = roll_text(roll);
    if text == "none" || !can_move {
        return if can_move {
            format!("{rolled} can be played, so it must be played")
        } else {
            format!("{rolled} cannot be played; the only move is `none`")
        };
    }
    if text.len() == 2 && text.chars().all(|c| c.is_ascii_digit()) {
        return format!("the dice already show {rolled}; enter a play, as in `13/8+6/5`");
    }
    let mut journeys = match parse(text) {
        Ok(journeys) => journeys,
        Err(error) => return error.to_string(),
    };
    if let Some(way) = journeys.iter().find(|way| way.is_hit && !board.hits(way.to)) {
        return format!("there is no checker to hit on {}", place_name(way.to));
    }
    // Move the farthest checker first, which is legal if any order is.
    journeys.sort_by_key(|way| (BAR - way.at, BAR - way.to));
    let mut complete = false;
    travel(state, &dice, &journeys, &mut |_, _| complete = true);
    if complete {
        return if roll.is_double() {
            format!("more steps of {} are possible, so they must be played", roll.high)
        } else if journeys.len() == 1 {
            format!(
                "both dice must be played if possible; if only one can be played, the larger: {}",
                roll.high
            )
        } else {
            "the play does not use all dice that can be played".to_owned()
        };
    }
    first_illegality(state, dice, &journeys)
}

/// Returns the reason why the first illegal journey is illegal.
fn first_illegality(state: &State, mut dice: Vec<usize>, journeys: &[Journey]) -> String {
    let mut state = *state;
    for way in journeys {
        let board = Board::new(&state, state.mover());
        let (from, to) = (place_name(way.at), place_name(way.to));
        let own = board.own();
        if own.count(way.at) == 0 {
            return format!("you have no checker left on {from}");
        }
        if own.count(BAR) > 0 && way.at != BAR {
            return "you have a checker on the bar, which must enter first".to_owned();
        }
        let outside = own.taken() >> 7 != 0;
        if way.to == OFF && outside && way.at <= 6 {
            return "checkers can be borne off only if all of yours are in your home, points 1 to 6"
                .to_owned();
        }
        if way.to != OFF && board.is_held(way.to) {
            return format!("the opponent holds point {to} with two or more checkers");
        }
        let mut reached = None;
        travel(&state, &dice, &[*way], &mut |end, left| {
            reached.get_or_insert_with(|| (*end, left.to_vec()));
        });
        if let Some(next) = reached {
            (state, dice) = next;
        } else if dice.is_empty() {
            return format!("no die is left for {from}/{to}");
        } else if way.to == OFF && dice.iter().any(|&die| die > way.at) {
            return format!(
                "a larger die bears off only the farthest checker, and you have one farther away \
                 than {from}"
            );
        } else {
            let left: Vec<String> = dice.iter().map(ToString::to_string).collect();
            return format!("{from}/{to} cannot be played with {}", left.join(" and "));
        }
    }
    "is not a legal play of this roll".to_owned()
}
