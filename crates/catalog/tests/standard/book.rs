//! Claims about opening books.

use tussle_catalog::book::{
    Book, BookDamage, BookEntry, BookError, BookLimits, EntryError, Opening, Recipe, openings, seal,
};
use tussle_catalog::{AnyGame, AnyPosition, Error, file, game};
use tussle_core::{Bound, Limits, Line, Outcome, Payoffs, Rng, StopFlag, Turn, Value};

/// Builds a book of the first plies of a game.
fn built(spec: &str, agent: &str, plies: u32) -> Book {
    let (game, stop) = (game(spec).unwrap(), StopFlag::default());
    let recipe = Recipe::new(game.as_ref(), agent, BookLimits::default(), 1, plies);
    let openings = openings(game.as_ref(), plies, &stop).unwrap();
    let ask = |opening: &Opening| {
        let mut agent = game.agent(&recipe.agent, recipe.seed_for(opening)).unwrap();
        recipe.ask(agent.as_mut(), opening, &stop).unwrap().unwrap()
    };
    let entries = openings.iter().map(ask).collect();
    Book::new(recipe, entries, true)
}

/// Returns a book with other entries.
fn changed(book: &Book, change: impl FnOnce(&mut [BookEntry])) -> Book {
    let mut entries = book.entries().to_vec();
    change(&mut entries);
    Book::new(book.recipe().clone(), entries, book.is_complete())
}

/// Returns the text of a book without its checksum.
fn lines(book: &Book) -> String {
    let text = book.text();
    text[..text.rfind("{\"checksum\"").unwrap()].to_owned()
}

fn damage(text: &str) -> String {
    match Book::parse(text) {
        Err(BookError::Damaged(damage)) => damage.to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_text_of_a_book_parses_to_the_same_book() {
    for book in [
        built("tictactoe", "minimax", 4),
        built("connect4:width=5", "minimax:depth=3", 3),
        built("gobblet", "greedy", 1),
    ] {
        let text = book.text();
        let read = Book::parse(&text).unwrap();
        assert_eq!(read, book);
        assert_eq!(read.text(), text);
    }
}

#[test]
fn a_book_keeps_value_and_proof_of_a_move() {
    let book = changed(&built("tictactoe", "random", 1), |entries| {
        let line = &mut entries[0].line;
        line.searched = true;
        line.value = Value::result(0.1 + 0.2, &Payoffs::DUEL).proven(Outcome::Loss, Some(4));
        line.values = vec![1.0 / 3.0, -2e-300];
        line.bound = Bound::Upper;
    });
    assert_eq!(Book::parse(&book.text()).unwrap(), book);
    // A move without a value has null instead.
    let book = changed(&book, |entries| entries[0].line.searched = false);
    let read = Book::parse(&book.text()).unwrap();
    assert_eq!(read.entries()[0].line.known_value(), None);
    assert_eq!(read.text(), book.text());
}

#[test]
fn every_changed_byte_is_detected() {
    let text = built("tictactoe", "minimax:depth=1", 2).text();
    for at in 0..text.len() {
        for bit in 0..8 {
            let mut bytes = text.clone().into_bytes();
            bytes[at] ^= 1 << bit;
            // Files that are not UTF-8 are rejected before they are parsed.
            let Ok(changed) = String::from_utf8(bytes) else { continue };
            assert!(Book::parse(&changed).is_err(), "byte {at}, bit {bit}: {changed}");
        }
    }
}

#[test]
fn every_missing_end_is_detected() {
    let text = built("tictactoe", "minimax:depth=1", 2).text();
    for at in 0..text.len() {
        assert!(Book::parse(&text[..at]).is_err(), "{at}");
    }
    let end = text.len() - 60;
    assert_eq!(damage(&text[..end]), "it ends in line 5, before its checksum");
    assert_eq!(damage(&text[..text.len() - 1]), "it ends in line 6, before its checksum");
}

#[test]
fn errors_of_damaged_books_name_the_line() {
    let book = built("tictactoe", "minimax:depth=1", 2);
    let (text, lines) = (book.text(), lines(&book));
    assert_eq!(
        damage(&text.replacen("\"ply\":1", "\"ply\":7", 1)),
        "line 3: expected a ply below 2, found 7"
    );
    assert!(damage(&text.replacen("\"ply\":1", "ply:1", 1)).starts_with("line 3, column 2: "));
    assert_eq!(damage(&text.replacen("... x", "..o x", 1)), "its checksum is wrong");
    assert_eq!(damage(&text.replace('\n', "\r\n")), "its checksum is wrong");

    // Lines with a correct checksum are checked too.
    let sealed = |from: &str, to: &str| damage(&seal(lines.replacen(from, to, 1)));
    assert_eq!(sealed("\"entries\":4", "\"entries\":5"), "expected 5 entries, found 4");
    assert!(sealed("\"key\":\"", "\"key\":\"+").contains("is not a key"));
    assert!(sealed("\"move\":", "\"mvoe\":").contains("line 2, column"), "unknown field");
    let [header, entry] = [0, 1].map(|n| lines.lines().nth(n).unwrap());
    let twice = |again: &str| damage(&seal(format!("{header}\n{entry}\n{again}\n")));
    assert_eq!(twice(entry), "line 3 is not sorted by ply and key");
    let later = entry.replace("\"ply\":0", "\"ply\":1");
    assert_eq!(twice(&later), "line 3: its position is in the book twice");
}

#[test]
fn files_of_other_formats_are_rejected() {
    for text in ["", "\n", "{}", "null", "hello", "{\"format\":\"png\",\"version\":1}", "[1]\n"] {
        assert_eq!(Book::parse(text), Err(BookError::NotABook), "{text:?}");
    }
    let newer = "{\"format\":\"tussle-book\",\"version\":2,\"and\":\"more\"}\n";
    assert_eq!(Book::parse(newer), Err(BookError::Version(2)));
    // A book that ends within its first line.
    let why = damage("{\"format\":\"tussle-book\",\"vers");
    assert_eq!(why, "it ends in line 1, before its checksum");
}

#[test]
fn a_book_of_another_game_is_rejected() {
    let book = built("connect4:width=5", "greedy", 1);
    let wanted = |spec: &str| book.fits(game(spec).unwrap().as_ref()).map_err(|e| e.to_string());
    assert_eq!(wanted("connect4:width=5"), Ok(()));
    assert_eq!(wanted("connect4:width=05"), Ok(()));
    assert_eq!(
        wanted("connect4").unwrap_err(),
        "the opening book was made for connect4:width=5, not connect4"
    );
    // It has no answers for another game either.
    let other = game("connect4").unwrap();
    assert_eq!(book.answer(other.as_ref(), other.start().as_ref()), Ok(None));
}

#[test]
fn a_book_of_a_changed_tree_file_is_rejected() {
    let path = std::env::temp_dir().join(format!("tussle-book-{}.json", std::process::id()));
    let spec = format!("tree:file={}", path.display());
    let tree = "{\"root\":\"A\",\"nodes\":{\"A\":{\"max\":[\"B\",\"C\"]},\"B\":1,\"C\":2}}";
    std::fs::write(&path, tree).unwrap();
    let book = built(&spec, "minimax", 1);
    assert_eq!(book.entries()[0].line.mv, "C");
    assert_eq!(book.fits(game(&spec).unwrap().as_ref()), Ok(()));
    std::fs::write(&path, tree.replace(":2", ":0")).unwrap();
    let changed = book.fits(game(&spec).unwrap().as_ref());
    std::fs::remove_file(&path).unwrap();
    assert_eq!(changed, Err(BookError::ChangedRules(spec)));
}

/// Returns a book of tic-tac-toe with a given move for the start.
fn with_first_move(mv: &str) -> Book {
    let book = built("tictactoe", "minimax:depth=1", 1);
    changed(&book, |entries| mv.clone_into(&mut entries[0].line.mv))
}

#[test]
fn an_illegal_move_is_damage() {
    let game = game("tictactoe").unwrap();
    for mv in ["d4", "", "b2 ", "\u{0}"] {
        let book = Book::parse(&with_first_move(mv).text()).unwrap();
        let answer = book.answer(game.as_ref(), game.start().as_ref());
        let source = EntryError::Move(mv.to_owned());
        let position = game.start().text();
        assert_eq!(answer, Err(BookDamage::Entry { position, source }.into()));
        assert_eq!(book.check(game.as_ref()).map(|()| None), answer);
    }
    let book = with_first_move("b2");
    assert_eq!(book.check(game.as_ref()), Ok(()));
    let book = changed(&book, |entries| entries[0].position = "x../.../... o".to_owned());
    let damage = book.check(game.as_ref());
    let Err(BookError::Damaged(BookDamage::Entry { source, .. })) = damage else {
        panic!("{damage:?}")
    };
    assert_eq!(source, EntryError::Key);
}

#[test]
fn the_error_of_an_agent_names_the_damaged_book() {
    let path = std::env::temp_dir().join(format!("tussle-damaged-{}.book", std::process::id()));
    let path = path.to_str().unwrap();
    let game = game("tictactoe").unwrap();
    file::write(path.as_ref(), with_first_move("d4").text()).unwrap();
    let mut agent = game.agent(&format!("minimax:book={path}"), 1).unwrap();
    let answer = agent.choose(game.start().as_ref(), &Limits::none());
    std::fs::write(path, b"\xff\xfe").unwrap();
    let not_text = Book::load(path);
    std::fs::remove_file(path).unwrap();
    let message = answer.unwrap_err().to_string();
    assert!(message.starts_with(path) && message.contains("the move `d4` is illegal"), "{message}");
    assert!(matches!(not_text, Err(Error::Book { reason: BookError::Unreadable(_), .. })));
}

#[test]
fn only_the_stored_position_gets_the_proof() {
    let game = game("gobblet").unwrap();
    let book = changed(&built("gobblet", "greedy", 3), |entries| {
        for entry in entries {
            entry.line.value = Value::win(Some(3));
        }
    });
    let after = |moves: &str| {
        let mut position = game.start();
        moves.split(' ').for_each(|mv| position.play(mv).unwrap());
        book.answer(game.as_ref(), position.as_ref()).unwrap().unwrap()
    };
    let soon = after("B1@0 B1@8");
    // The same board four steps later, closer to the step limit.
    let late = after("B1@0 B1@8 B1@1 B1@7 B1@0 B1@8");
    assert_eq!((&soon.mv, soon.value.number()), (&late.mv, late.value.number()));
    assert_eq!((soon.outcome(), soon.distance()), (Some(Outcome::Win), Some(3)));
    assert_eq!((late.outcome(), late.distance()), (None, None));
}

/// Returns a position whose history forbids a move, and that move.
fn forbidden_by_history(
    game: &dyn AnyGame,
) -> (Box<dyn AnyPosition>, Box<dyn AnyPosition>, String) {
    let mut rng = Rng::new(1);
    loop {
        let mut position = game.start();
        while position.turn() != Turn::Over {
            let text = position.text();
            let present: Vec<&str> = text.split(' ').take(5).collect();
            let fresh = game.position(&present.join(" ")).unwrap();
            let legal = position.moves();
            if let Some(mv) = fresh.moves().into_iter().find(|mv| !legal.contains(mv)) {
                return (position, fresh, mv);
            }
            position.play(&legal[rng.below(legal.len())]).unwrap();
        }
    }
}

#[test]
fn a_move_that_only_the_history_forbids_gives_no_answer() {
    let game = game("go:size=2,superko=positional").unwrap();
    let (position, fresh, mv) = forbidden_by_history(game.as_ref());
    let (key, symmetry) = fresh.canonical().unwrap();
    let line = Line::new(fresh.reflect_move(&mv, symmetry).unwrap(), 0.0);
    let entry = BookEntry { ply: 0, key, position: fresh.reflect(symmetry).text(), line };
    let recipe = Recipe::new(game.as_ref(), "random", BookLimits::default(), 1, 1);
    let book = Book::new(recipe, vec![entry], true);
    let answer = |position: &dyn AnyPosition| book.answer(game.as_ref(), position);
    assert_eq!(answer(fresh.as_ref()).unwrap().map(|line| line.mv), Some(mv));
    assert_eq!(answer(position.as_ref()), Ok(None));
}
