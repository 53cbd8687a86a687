//! What every parser must survive. Each function takes any bytes and panics only if something
//! is wrong; the fuzz targets and the ordinary tests both call them.

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

/// Spec strings: read or refused, and what is read is read again from its own spec.
///
/// # Panics
/// If a parser is wrong.
pub fn spec(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let _ = Spec::parse(text);
    // Files are the file parsers' business, and the fuzzer should not roam the disk.
    if text.contains("file") || text.contains("book") {
        return;
    }
    if let Ok(first) = game(text) {
        let again = game(first.spec()).expect("a canonical spec is valid");
        assert_eq!(again.spec(), first.spec());
        let _ = first.start().moves();
    }
    let tictactoe = game("tictactoe").expect("it is there");
    let _ = tictactoe.agent(text, 1);
    let _ = tictactoe.start().evaluate(text, 0);
}

/// Position texts: read or refused; what is read is written and read back the same, and can be
/// played on to the end.
///
/// # Panics
/// If a parser is wrong.
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

/// Moves: any words are played where they are legal, refused where not.
///
/// # Panics
/// If a parser is wrong.
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

/// Board files of keep-on-moving.
///
/// # Panics
/// If the parser is wrong.
pub fn board_file(bytes: &[u8]) {
    file("keep-on-moving", bytes);
}

/// Tree files.
///
/// # Panics
/// If the parser is wrong.
pub fn tree_file(bytes: &[u8]) {
    file("tree", bytes);
}

/// Records of Go games: read or refused; what is read is written and read back the same.
///
/// # Panics
/// If the parser is wrong.
pub fn sgf_file(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(record) = sgf::read(text) else { return };
    let position = record.replay().expect("a record that was read is valid");
    let written = sgf::write(position.as_ref(), ["", ""]).expect("it is a game of Go");
    let again = sgf::read(&written).unwrap_or_else(|e| panic!("{text:?} -> {written:?}: {e}"));
    assert_eq!(again.moves, record.moves, "{text:?} -> {written:?}");
    assert!(again.replay().expect("it is valid").same(position.as_ref()), "{text:?}");
}

/// Opening libraries: read or refused; what is read is written and read back the same, and
/// answers with legal moves or says that it is damaged.
///
/// # Panics
/// If the parser is wrong.
pub fn book_file(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let _ = Book::parse(text);
    // Whatever the damage, the checksum is right again: the lines themselves must be refused.
    let lines = text.rfind("{\"checksum\":").map_or(text, |at| &text[..at]);
    let Ok(book) = Book::parse(&book::seal(lines.to_owned())) else { return };
    let written = book.text();
    let again = Book::parse(&written).expect("a written book is valid");
    assert_eq!(again.text(), written, "{text:?}");
    let game = game("tictactoe").expect("it is there");
    let _ = book.check(game.as_ref());
    let mut position = game.start();
    for mv in ["b2", "a1", "c3"] {
        if let Ok(Some(line)) = book.answer(game.as_ref(), position.as_ref()) {
            assert!(position.moves().contains(&line.mv), "{text:?}");
        }
        position.play(mv).expect("it is legal");
    }
}

/// Tournament files: read or refused, and then their games and agents are.
///
/// # Panics
/// If the parser is wrong.
pub fn tournament_file(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    // Programs and files are not the parser's business.
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
        // The second of a name has a number behind it.
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

/// What a UGI engine is told: every `go` is answered, and nothing else ends it than `quit`.
///
/// # Panics
/// If the engine is wrong.
pub fn ugi_input(bytes: &[u8]) {
    if let Some(input) = harmless(bytes) {
        let game = game("connect4").expect("it is there");
        let player = EngineAgent::new(game, "alphabeta:depth=2", 1).expect("it is there");
        ugi::serve(player, Duration::ZERO, input, io::sink()).expect("nothing to fail");
    }
}

/// What a GTP engine is told.
///
/// # Panics
/// If the engine is wrong.
pub fn gtp_input(bytes: &[u8]) {
    if let Some(input) = harmless(bytes) {
        let clock = TimeControl::PerMove(Duration::from_millis(1));
        let settings =
            gtp::Settings::new(&Catalog::standard(), "go", "random", 1, clock, Duration::ZERO);
        gtp::serve(settings.expect("it is there"), input, io::sink()).expect("nothing to fail");
    }
}

/// The bytes, unless they name files: the fuzzer should not roam the disk. Large boards only cost
/// time.
fn harmless(bytes: &[u8]) -> Option<&[u8]> {
    let text = String::from_utf8_lossy(bytes);
    let names_files =
        ["file", "book", "loadsgf", "setoption"].iter().any(|word| text.contains(word));
    (!names_files).then_some(bytes)
}

/// A game whose rules are in a file: read or refused; what is read can be played.
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

/// Every variant of every data file, read once.
fn variants() -> &'static [Arc<dyn AnyGame>] {
    static VARIANTS: OnceLock<Vec<Arc<dyn AnyGame>>> = OnceLock::new();
    VARIANTS.get_or_init(|| {
        let variants = data_files().into_iter().flat_map(|(_, data)| data.variants);
        variants.map(|variant| game(&variant.spec).expect("a listed variant is valid")).collect()
    })
}
