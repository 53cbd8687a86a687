//! Fuzz targets of all parsers. Each function accepts arbitrary bytes and panics only on a bug. The
//! cargo-fuzz targets and the ordinary tests both call them.

use std::io;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tussle_arena::{Contestant, MAX_NAME_CHARS, Next, Tournament, parse_tournament};
use tussle_catalog::book::{self, Book};
use tussle_catalog::text::is_unprintable;
use tussle_catalog::{AnyGame, Catalog, Spec, game, sgf};
use tussle_core::{Rng, TimeControl, Turn};
use tussle_engine::{EngineAgent, gtp, ugi};

use crate::data::data_files;
use tussle_conformance::is_another_spelling;

/// Parses a spec string. The canonical spec of a valid game must be valid too.
///
/// # Panics
/// If a parser has a bug.
pub fn spec(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let _ = Spec::parse(text);
    // Other targets test the parsers of files, and the fuzzer must not read arbitrary files.
    if text.contains("file") || text.contains("book") {
        return;
    }
    if let Ok(first) = game(text) {
        let again = game(first.spec()).expect("a canonical spec is valid");
        assert_eq!(again.spec(), first.spec());
        let _ = first.start().moves();
    }
    let tictactoe = game("tictactoe").expect("a game of the catalog");
    let _ = tictactoe.agent(text, 1);
    let _ = tictactoe.start().evaluate(text, 0);
}

/// Parses a position. A valid position must survive writing and parsing, and a game from it must
/// end.
///
/// # Panics
/// If a parser has a bug.
pub fn position(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    for game in variants() {
        let Ok(mut position) = game.position(text) else { continue };
        let written = position.text();
        let again = game.position(&written).expect("a written position is valid");
        assert!(again.same(position.as_ref()), "{}: {text:?} -> {written:?}", game.spec());
        let _ = position.scene();
        for evaluation in game.evaluations() {
            let value = position.evaluate(evaluation.name, 0).expect("it is listed");
            assert!(value.is_finite(), "{}: {text:?}: {}", game.spec(), evaluation.name);
        }
        assert_eq!(position.perft(1), position.moves().len() as u64, "{}: {text:?}", game.spec());
        position.play_out(&mut Rng::new(1));
        assert_eq!(position.turn(), Turn::Over, "{}: {text:?}", game.spec());
    }
}

/// Plays words as moves. Legal moves must be accepted and all others rejected.
///
/// # Panics
/// If a parser has a bug.
pub fn moves(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    for game in variants() {
        let mut position = game.start();
        for word in text.split([' ', ',']) {
            let before = position.boxed();
            let listed = before.moves().iter().any(|mv| mv == word);
            let played = position.play(word).is_ok();
            let legal = listed || played && is_another_spelling(before.as_ref(), position.as_ref());
            assert_eq!(played, legal, "{}: {word:?}", game.spec());
        }
    }
}

/// Parses a board file of keep-on-moving.
///
/// # Panics
/// If the parser has a bug.
pub fn board_file(bytes: &[u8]) {
    file("keep-on-moving", bytes);
}

/// Parses a tree file.
///
/// # Panics
/// If the parser has a bug.
pub fn tree_file(bytes: &[u8]) {
    file("tree", bytes);
}

/// Parses a record of a Go game. A valid record must survive writing and parsing.
///
/// # Panics
/// If the parser has a bug.
pub fn sgf_file(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(record) = sgf::read(text) else { return };
    let position = record.replay().expect("a parsed record is valid");
    let written = sgf::write(position.as_ref(), ["", ""]).expect("it is a game of Go");
    let again = sgf::read(&written).unwrap_or_else(|e| panic!("{text:?} -> {written:?}: {e}"));
    assert_eq!(again.moves, record.moves, "{text:?} -> {written:?}");
    assert!(again.replay().expect("it is valid").same(position.as_ref()), "{text:?}");
}

/// Parses an opening book. A valid book must survive writing and parsing, and must answer with
/// legal moves or report that it is damaged.
///
/// # Panics
/// If the parser has a bug.
pub fn book_file(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let _ = Book::parse(text);
    // Correct the checksum, so that the parser cannot reject the damaged lines by it.
    let lines = text.rfind("{\"checksum\":").map_or(text, |at| &text[..at]);
    let Ok(book) = Book::parse(&book::seal(lines.to_owned())) else { return };
    let written = book.text();
    let again = Book::parse(&written).expect("a written book is valid");
    assert_eq!(again.text(), written, "{text:?}");
    let game = game("tictactoe").expect("a game of the catalog");
    let _ = book.check(game.as_ref());
    let mut position = game.start();
    for mv in ["b2", "a1", "c3"] {
        if let Ok(Some(line)) = book.answer(game.as_ref(), position.as_ref()) {
            assert!(position.moves().contains(&line.mv), "{text:?}");
        }
        position.play(mv).expect("it is legal");
    }
}

/// Parses a tournament file, and creates the tournament if the file is valid.
///
/// # Panics
/// If the parser has a bug.
pub fn tournament_file(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    // The fuzzer must not start programs or read files.
    if ["file", "book", "openings", "ugi", "gtp", "json"].iter().any(|word| text.contains(word)) {
        return;
    }
    let Ok(patch) = parse_tournament(text) else { return };
    let Ok(spec) = patch.into_spec() else { return };
    let Ok(tournament) = Tournament::new(spec, &Catalog::standard()) else { return };
    for agent in &tournament.spec().agents {
        let Contestant { name, spec, .. } = agent;
        assert!(!name.contains(is_unprintable) && !spec.contains(is_unprintable), "{agent:?}");
        let is_called_by_spec = name.starts_with(spec.as_str());
        // A repeated name gets `#` and a number.
        let longest = MAX_NAME_CHARS + "#".len() + usize::MAX.to_string().len();
        assert!(is_called_by_spec || name.chars().count() <= longest, "{agent:?}");
        assert!(!name.trim().is_empty(), "{agent:?}");
    }
    let schedule = tournament.schedule();
    for id in [0, schedule.len() - 1] {
        if let Next::Game(slot) = schedule.next(id) {
            assert!(slot.seats.iter().all(|&agent| agent < tournament.spec().agents.len()));
        }
    }
}

/// Sends input to a UGI engine.
///
/// # Panics
/// If the engine has a bug.
pub fn ugi_input(bytes: &[u8]) {
    if let Some(input) = without_files(bytes) {
        let game = game("connect4").expect("a game of the catalog");
        let player = EngineAgent::new(game, "alphabeta:depth=2", 1).expect("a built-in agent");
        ugi::serve(player, Duration::ZERO, input, io::sink()).expect("a sink accepts everything");
    }
}

/// Sends input to a GTP engine.
///
/// # Panics
/// If the engine has a bug.
pub fn gtp_input(bytes: &[u8]) {
    if let Some(input) = without_files(bytes) {
        let clock = TimeControl::PerMove(Duration::from_millis(1));
        let settings =
            gtp::Settings::new(&Catalog::standard(), "go", "random", 1, clock, Duration::ZERO);
        let settings = settings.expect("a game and a built-in agent of the catalog");
        gtp::serve(settings, input, io::sink()).expect("a sink accepts everything");
    }
}

/// Returns the bytes, or `None` if they contain words with which an engine reads files or changes
/// options (a large board only costs time).
fn without_files(bytes: &[u8]) -> Option<&[u8]> {
    let text = String::from_utf8_lossy(bytes);
    let names_files =
        ["file", "book", "loadsgf", "setoption"].iter().any(|word| text.contains(word));
    (!names_files).then_some(bytes)
}

/// Parses a game whose rules are in a file. A game from its start position must end.
fn file(name: &str, bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(game) = tussle_catalog::game_from_text(name, "file", text) else { return };
    let mut position = game.start();
    let _ = position.scene();
    let again = game.position(&position.text()).expect("a written position is valid");
    assert!(again.same(position.as_ref()), "{text:?}");
    position.play_out(&mut Rng::new(1));
    assert_eq!(position.turn(), Turn::Over, "{text:?}");
}

/// Returns all variants of all data files, parsed once.
fn variants() -> &'static [Arc<dyn AnyGame>] {
    static VARIANTS: OnceLock<Vec<Arc<dyn AnyGame>>> = OnceLock::new();
    VARIANTS.get_or_init(|| {
        let variants = data_files().into_iter().flat_map(|(_, data)| data.variants);
        variants.map(|variant| game(&variant.spec).expect("a listed variant is valid")).collect()
    })
}
