//! The contracts of a game, along one random game.

use std::collections::{HashMap, HashSet};

use tussle_catalog::{AnyGame, AnyPosition};
use tussle_core::{Limits, Rng, Turn};

/// Maximum number of plies of a game; a longer one counts as endless.
const MAX_GAME_PLIES: usize = 100_000;

/// Number of legal moves above which a drawing need not have clicks for all of them.
const MAX_REQUIRED_CLICKS: usize = 1000;

/// Number of first positions of a game that get the expensive checks. The last position gets them
/// too.
const THOROUGH_PLIES: usize = 60;

/// Plays one random game and checks every contract in its positions.
///
/// # Panics
/// If the game breaks a contract; the message names the contract, the position and the moves that
/// lead to it.
pub fn check(game: &dyn AnyGame, seed: u64) {
    let mut rng = Rng::new(seed);
    let mut walk = Walk { game, keys: HashMap::new(), boards: HashMap::new() };
    let mut position = game.start();
    assert!(position.turn() != Turn::Over, "{}: the game is over at its start", game.spec());
    while position.turn() != Turn::Over {
        let ply = position.history().len();
        assert!(
            ply < MAX_GAME_PLIES,
            "{}: seed {seed}: no end after {MAX_GAME_PLIES} plies",
            game.spec()
        );
        walk.check_position(position.as_mut(), &mut rng, ply < THOROUGH_PLIES);
        let mv = random_move(position.as_ref(), &mut rng);
        position.play(&mv).expect("a listed move is legal");
    }
    walk.check_position(position.as_mut(), &mut rng, true);
    let plies = position.history().len();
    let taken_back = (0..=plies).take_while(|_| position.undo()).count();
    assert_eq!(taken_back, plies, "{}: undo", game.spec());
    assert!(
        position.same(game.start().as_ref()),
        "{}: undoing all moves does not give the start",
        game.spec()
    );
}

fn random_move(position: &dyn AnyPosition, rng: &mut Rng) -> String {
    position.roll(rng).unwrap_or_else(|| {
        let moves = position.moves();
        moves[rng.below(moves.len())].clone()
    })
}

struct Walk<'a> {
    game: &'a dyn AnyGame,
    /// Position text of every table key.
    keys: HashMap<u64, String>,
    /// Board key of every position text.
    boards: HashMap<String, u64>,
}

impl Walk<'_> {
    fn check_position(&mut self, position: &mut dyn AnyPosition, rng: &mut Rng, thorough: bool) {
        // Prefix of every message below: game, moves and position.
        let here = format!(
            "{} after [{}], at `{}`",
            self.game.spec(),
            position.history().join(","),
            position.text()
        );
        self.check_turn_moves_and_result(position, &here);
        check_move_texts(position, &here);
        self.check_keys(position, &here);
        if !thorough {
            return;
        }
        self.check_position_text(position, &here);
        check_undo(position, rng, &here);
        check_visits(position, rng, &here);
        self.check_distinct_moves(position, &here);
        check_probabilities(position, &here);
        check_illegal_moves(position, rng, &here);
        self.check_symmetries(position, rng, &here);
        self.check_evaluations(position, &here);
        check_drawing(position, &here);
        check_playouts(self.game, position, rng, &here);
        check_perft(position, &here);
    }

    fn check_turn_moves_and_result(&self, position: &dyn AnyPosition, here: &str) {
        let over = position.turn() == Turn::Over;
        assert_eq!(position.moves().is_empty(), over, "{here}: moves and turn disagree");
        let utilities = position.utilities();
        assert_eq!(utilities.is_some(), over, "{here}: result and turn disagree");
        if let Turn::Player(player) = position.turn() {
            assert!(player < self.game.players(), "{here}: there is no player {player}");
        }
        let Some(utilities) = utilities else { return };
        assert_eq!(utilities.len(), self.game.players(), "{here}");
        assert!(utilities.iter().all(|u| u.is_finite()), "{here}: {utilities:?}");
        if let [first, second] = utilities[..]
            && self.game.is_zero_sum()
        {
            assert_eq!(first, -second, "{here}: two players, but not zero-sum");
        }
    }

    fn check_position_text(&self, position: &dyn AnyPosition, here: &str) {
        let text = position.text();
        let parsed = self.game.position(&text).unwrap_or_else(|e| panic!("{here}: {e}"));
        assert!(parsed.same(position), "{here}: parses as another position: {}", parsed.text());
        assert_eq!(parsed.text(), text, "{here}");
        assert_eq!(parsed.moves(), position.moves(), "{here}: equal positions, other moves");
        assert_eq!(parsed.turn(), position.turn(), "{here}");
        assert_eq!(parsed.utilities(), position.utilities(), "{here}");
        // A key that moves update must equal the key of the parsed position.
        assert_eq!(parsed.board_key(), position.board_key(), "{here}: incremental key");
        for reach in [0, 1, 10, u32::MAX] {
            assert_eq!(parsed.table_key(reach), position.table_key(reach), "{here}: key {reach}");
        }
    }

    fn check_keys(&mut self, position: &dyn AnyPosition, here: &str) {
        let text = position.text();
        let (Some(key), Some(board_key)) = (position.table_key(u32::MAX), position.board_key())
        else {
            return;
        };
        let before = self.keys.entry(key).or_insert_with(|| text.clone());
        assert_eq!(*before, text, "{here}: two positions have the same key");
        let board = self.boards.entry(text).or_insert(board_key);
        assert_eq!(*board, board_key, "{here}: the position has two keys");
    }

    fn check_symmetries(&self, position: &dyn AnyPosition, rng: &mut Rng, here: &str) {
        assert!(position.reflect(0).same(position), "{here}: symmetry 0 is not the identity");
        let moves = position.moves();
        for s in 0..self.game.symmetries() {
            let image = position.reflect(s);
            assert_eq!(image.turn(), position.turn(), "{here}: symmetry {s}");
            assert_eq!(image.canonical_key(), position.canonical_key(), "{here}: symmetry {s}");
            let reflect = |mv: &String| position.reflect_move(mv, s).expect("it is legal");
            let mirrored: HashSet<String> = moves.iter().map(reflect).collect();
            let there: HashSet<String> = image.moves().into_iter().collect();
            assert_eq!(mirrored, there, "{here}: moves under symmetry {s}");
            let Some(mv) = pick(&moves, rng) else { continue };
            let mut played = position.boxed();
            played.play(mv).expect("it is legal");
            let mut image = image;
            image.play(&reflect(mv)).expect("its image is legal");
            assert!(image.same(played.reflect(s).as_ref()), "{here}: {mv} under symmetry {s}");
        }
    }

    fn check_distinct_moves(&self, position: &mut dyn AnyPosition, here: &str) {
        let moves = position.moves();
        let distinct = position.distinct_moves();
        let mut rest = moves.iter();
        for mv in &distinct {
            assert!(rest.any(|m| m == mv), "{here}: distinct move `{mv}` is new or out of order");
        }
        // A move that is left out must lead to a position with the same turn, number of moves and
        // evaluations as a move that is kept.
        let mut after = |mv: &String| {
            position.play(mv).expect("it is legal");
            let mut seen = format!("{:?} {}", position.turn(), position.moves().len());
            for evaluation in self.game.evaluations() {
                for player in 0..self.game.players() {
                    seen += &format!(" {:?}", position.evaluate(evaluation.name, player));
                }
            }
            position.undo();
            seen
        };
        let kept: HashSet<String> = distinct.iter().map(&mut after).collect();
        for mv in moves.iter().filter(|mv| !distinct.contains(mv)) {
            assert!(kept.contains(&after(mv)), "{here}: no distinct move is equivalent to `{mv}`");
        }
    }

    fn check_evaluations(&self, position: &dyn AnyPosition, here: &str) {
        for evaluation in self.game.evaluations() {
            let name = evaluation.name;
            let value = |player| position.evaluate(name, player).expect("it is listed");
            let values: Vec<f64> = (0..self.game.players()).map(value).collect();
            assert!(values.iter().all(|v| v.is_finite()), "{here}: {name} is {values:?}");
            if let ([a, b], true) = (&values[..], evaluation.antisymmetric) {
                assert_eq!(*a, -*b, "{here}: {name} is declared antisymmetric");
            }
        }
    }
}

fn pick<'a>(moves: &'a [String], rng: &mut Rng) -> Option<&'a String> {
    (!moves.is_empty()).then(|| &moves[rng.below(moves.len())])
}

fn check_move_texts(position: &dyn AnyPosition, here: &str) {
    let moves = position.moves();
    let bad = |c: char| c.is_whitespace() || c.is_control() || ",>|".contains(c);
    for mv in &moves {
        assert!(!mv.is_empty() && !mv.contains(bad), "{here}: `{mv}` is not a valid move text");
    }
    let unique: HashSet<&String> = moves.iter().collect();
    assert_eq!(unique.len(), moves.len(), "{here}: two moves have the same text");
    assert_eq!(position.moves(), moves, "{here}: the order of moves changes");
    let text = position.text();
    assert!(!text.is_empty() && !text.contains(char::is_control), "{here}: `{text}`");
}

fn check_undo(position: &mut dyn AnyPosition, rng: &mut Rng, here: &str) {
    let before = position.boxed();
    for _ in 0..12 {
        let moves = position.moves();
        let Some(mv) = pick(&moves, rng) else { return };
        position.play(mv).expect("a listed move is legal");
        assert_eq!(position.history().last(), Some(mv), "{here}");
        assert!(position.undo(), "{here}");
        assert!(position.same(before.as_ref()), "{here}: {mv} is not taken back");
        assert_eq!(position.board_key(), before.board_key(), "{here}: key after undoing {mv}");
        assert_eq!(position.moves(), moves, "{here}: moves after undoing {mv}");
    }
}

fn check_visits(position: &mut dyn AnyPosition, rng: &mut Rng, here: &str) {
    let before = position.boxed();
    let moves = position.moves();
    for _ in 0..12 {
        let Some(mv) = pick(&moves, rng) else { return };
        let visited = position.visit(mv).expect("a listed move is legal");
        let mut played = before.boxed();
        played.play(mv).expect("a listed move is legal");
        assert!(visited.same(played.as_ref()), "{here}: a visit of {mv} has another position");
        assert!(position.same(before.as_ref()), "{here}: a visit of {mv} changed the position");
        assert_eq!(position.history(), before.history(), "{here}: a visit of {mv} is recorded");
    }
}

fn check_probabilities(position: &dyn AnyPosition, here: &str) {
    if position.turn() != Turn::Chance {
        return;
    }
    let odds = position.probabilities();
    assert!(odds.iter().all(|&p| p > 0.0 && p <= 1.0), "{here}: {odds:?}");
    let sum: f64 = odds.iter().sum();
    assert!((sum - 1.0).abs() < 1e-9, "{here}: probabilities sum to {sum}");
}

fn check_illegal_moves(position: &mut dyn AnyPosition, rng: &mut Rng, here: &str) {
    let before = position.boxed();
    let moves = position.moves();
    let mut wrong: Vec<String> =
        ["", " ", "?", "pass!", "a0", "-1", "99999999999999999999", "é", "\u{0}", "a1a1"]
            .map(str::to_owned)
            .into();
    if let Some(mv) = pick(&moves, rng) {
        wrong.extend([format!("{mv} "), format!("{mv}{mv}"), mv.to_uppercase() + "x"]);
        wrong.extend(mv.char_indices().map(|(i, _)| mv[..i].to_owned()));
    }
    for text in wrong.iter().filter(|text| !moves.contains(text)) {
        if position.play(text).is_ok() {
            assert!(
                is_another_spelling(before.as_ref(), position),
                "{here}: `{text}` is accepted, but leads to a position that no legal move leads to"
            );
            position.undo();
        }
        assert!(
            position.same(before.as_ref()),
            "{here}: `{text}` was rejected but changed the position"
        );
    }
}

/// Returns true if some legal move leads from `before` to `after`. Games can accept several
/// spellings of a move.
pub fn is_another_spelling(before: &dyn AnyPosition, after: &dyn AnyPosition) -> bool {
    before.moves().iter().any(|mv| {
        let mut listed = before.boxed();
        listed.play(mv).is_ok() && listed.same(after)
    })
}

fn check_playouts(game: &dyn AnyGame, position: &dyn AnyPosition, rng: &mut Rng, here: &str) {
    let mut copy = position.without_history();
    copy.play_out(rng);
    assert_eq!(copy.turn(), Turn::Over, "{here}: a playout did not end");
    let utilities = copy.utilities().expect("it is over");
    assert_eq!(utilities.len(), game.players(), "{here}");
    let two_games = Limits::nodes(2);
    let Some(tally) = position.heavy_playouts(&two_games, rng.next_u64()) else { return };
    let over = position.turn() == Turn::Over;
    assert_eq!(tally.plies == 0, over, "{here}: heavy playouts of {} plies", tally.plies);
    assert_eq!(tally.wins.iter().sum::<u64>() + tally.draws, 2, "{here}");
}

fn check_perft(position: &mut dyn AnyPosition, here: &str) {
    let before = position.boxed();
    let moves = position.moves();
    assert_eq!(position.perft(1), moves.len() as u64, "{here}: perft(1)");
    let mut second = 0;
    for mv in &moves {
        position.play(mv).expect("it is legal");
        second += position.moves().len() as u64;
        position.undo();
    }
    assert_eq!(position.perft(2), second, "{here}: perft(2)");
    assert!(position.same(before.as_ref()), "{here}: perft changed the position");
}

fn check_drawing(position: &dyn AnyPosition, here: &str) {
    let scene = position.scene();
    assert!(!scene.rows.is_empty() && !scene.shapes.is_empty(), "{here}: the drawing is empty");
    for spot in &scene.spots {
        let inside = spot.x >= 0.0
            && spot.y >= 0.0
            && spot.x + spot.w <= scene.width + 1e-3
            && spot.y + spot.h <= scene.height + 1e-3;
        assert!(
            inside,
            "{here}: {spot:?} is outside the drawing of {}x{}",
            scene.width, scene.height
        );
    }
    assert!(scene.marks.iter().all(|mark| mark.spot < scene.spots.len()), "{here}: marks");
    let moves = position.moves().len();
    let crowded = moves > MAX_REQUIRED_CLICKS || position.turn() == Turn::Chance;
    assert!(scene.choices.len() == moves || crowded, "{here}: some moves have no clicks");
    let mut seen = HashSet::new();
    for choice in &scene.choices {
        assert!(choice.spots.iter().all(|&s| s < scene.spots.len()), "{here}: {}", choice.mv);
        assert!(
            seen.insert(&choice.spots),
            "{here}: {} has the same clicks as another move",
            choice.mv
        );
        let target = position.target(&choice.mv).expect("a listed move is legal");
        assert!(target.is_none_or(|s| s < scene.spots.len()), "{here}: {}", choice.mv);
    }
}
