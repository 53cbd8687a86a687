//! Tests of opening books against naive computations and direct searches.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use tussle_catalog::book::{Book, BookLimits, Opening, Recipe, openings};
use tussle_catalog::recording::Recording;
use tussle_catalog::{AnyAgent, AnyGame, AnyPosition, Query, game};
use tussle_core::{Limits, Outcome, Report, StopFlag, Turn};

fn build(game: &dyn AnyGame, agent: &str, plies: u32) -> Book {
    let stop = StopFlag::default();
    let recipe = Recipe::new(game, agent, BookLimits::default(), 1, plies);
    let ask = |opening: &Opening| {
        let mut agent = game.agent(&recipe.agent, recipe.seed_for(opening)).unwrap();
        recipe.ask(agent.as_mut(), opening, &stop).unwrap().unwrap()
    };
    let entries = openings(game, plies, &stop).unwrap().iter().map(ask).collect();
    Book::new(recipe, entries, true)
}

/// Book in a file that is removed on drop.
struct BookFile(PathBuf);

impl BookFile {
    fn new(name: &str, book: &Book) -> Self {
        let path = std::env::temp_dir().join(format!("tussle-{name}-{}.book", std::process::id()));
        tussle_catalog::file::write(&path, book.text()).unwrap();
        Self(path)
    }

    fn spec(&self, agent: &str) -> String {
        format!("{agent}:book={}", self.0.display())
    }
}

impl Drop for BookFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Second implementation of tic-tac-toe, on nine characters.
mod naive {
    use std::collections::HashMap;

    pub(super) type Board = [u8; 9];

    pub(super) const EMPTY: Board = *b".........";

    pub(super) fn mover(board: &Board) -> u8 {
        if board.iter().filter(|&&c| c != b'.').count() % 2 == 0 { b'x' } else { b'o' }
    }

    fn won(board: &Board) -> bool {
        ["012", "345", "678", "036", "147", "258", "048", "246"].iter().any(|line| {
            let [a, b, c] = [0, 1, 2].map(|i| board[usize::from(line.as_bytes()[i] - b'0')]);
            a != b'.' && a == b && b == c
        })
    }

    pub(super) fn is_over(board: &Board) -> bool {
        won(board) || !board.contains(&b'.')
    }

    pub(super) fn children(board: &Board) -> Vec<Board> {
        let free = (0..9).filter(|&i| board[i] == b'.' && !is_over(board));
        let child = |i: usize| {
            let mut child = *board;
            child[i] = mover(board);
            child
        };
        free.map(child).collect()
    }

    /// Returns the value for the player to move.
    pub(super) fn value(board: &Board, known: &mut HashMap<Board, i32>) -> i32 {
        if is_over(board) {
            return if won(board) { -1 } else { 0 };
        }
        if let Some(&value) = known.get(board) {
            return value;
        }
        let value = children(board).iter().map(|child| -value(child, known)).max().unwrap();
        known.insert(*board, value);
        value
    }

    /// Returns the smallest of the eight reflections of a board.
    pub(super) fn canonical(board: &Board) -> Board {
        let turn = |b: &Board| [6, 3, 0, 7, 4, 1, 8, 5, 2].map(|i: usize| b[i]);
        let flip = |b: &Board| [2, 1, 0, 5, 4, 3, 8, 7, 6].map(|i: usize| b[i]);
        let mut views = vec![*board];
        for _ in 0..3 {
            views.push(turn(views.last().unwrap()));
        }
        views.extend(views.clone().iter().map(flip));
        *views.iter().min().unwrap()
    }

    /// Parses the text of a position, such as `x../.o./... x`.
    pub(super) fn parse(text: &str) -> Board {
        let cells: Vec<u8> = text.bytes().take(11).filter(|&c| c != b'/').collect();
        cells.try_into().unwrap()
    }
}

#[test]
fn a_complete_book_of_tic_tac_toe_has_every_position_with_its_true_value() {
    let mut all = HashSet::from([naive::EMPTY]);
    let mut level = vec![naive::EMPTY];
    while !level.is_empty() {
        let children = level.iter().flat_map(naive::children).map(|board| naive::canonical(&board));
        level = children.filter(|board| all.insert(*board)).collect();
    }
    assert_eq!(all.len(), 765, "a published number");
    let unfinished: HashSet<naive::Board> =
        all.into_iter().filter(|board| !naive::is_over(board)).collect();

    let game = game("tictactoe").unwrap();
    let book = build(game.as_ref(), "minimax", 9);
    assert_eq!(book.check(game.as_ref()), Ok(()));
    assert_eq!(book.entries().len(), unfinished.len());
    let mut known = HashMap::new();
    for entry in book.entries() {
        let board = naive::parse(&entry.position);
        assert!(unfinished.contains(&naive::canonical(&board)), "{}", entry.position);
        let value = naive::value(&board, &mut known);
        let outcome = [Outcome::Loss, Outcome::Draw, Outcome::Win][(value + 1) as usize];
        assert_eq!(entry.line.value.number(), f64::from(value), "{}", entry.position);
        assert_eq!(entry.line.outcome(), Some(outcome), "{}", entry.position);
        assert_eq!(entry.ply as usize, board.iter().filter(|&&c| c != b'.').count());
        // The move keeps that value.
        let mut after = game.position(&entry.position).unwrap();
        after.play(&entry.line.mv).unwrap();
        assert_eq!(naive::value(&naive::parse(&after.text()), &mut known), -value);
    }
}

/// Plays the agent's seat against all moves of the opponent and returns the lowest utility of the
/// agent.
fn worst_utility(agent: &mut dyn AnyAgent, seat: usize, position: &mut dyn AnyPosition) -> f64 {
    match position.turn() {
        Turn::Player(mover) if mover == seat => {
            let report = agent.choose(position, &Limits::none()).unwrap();
            assert_eq!(
                report.stats.nodes,
                0,
                "{}: the answer is not from the book",
                position.text()
            );
            assert_eq!(report.lines.len(), 1);
            position.play(report.best().unwrap()).unwrap();
            let value = worst_utility(agent, seat, position);
            position.undo();
            value
        }
        Turn::Player(_) => {
            let mut lowest = f64::INFINITY;
            for mv in position.moves() {
                position.play(&mv).unwrap();
                lowest = lowest.min(worst_utility(agent, seat, position));
                position.undo();
            }
            lowest
        }
        _ => position.utilities().unwrap()[seat],
    }
}

#[test]
fn an_agent_with_a_complete_book_never_loses_and_never_searches() {
    let game = game("tictactoe").unwrap();
    let file = BookFile::new("whole", &build(game.as_ref(), "minimax", 9));
    for seat in 0..2 {
        let mut agent = game.agent(&file.spec("minimax"), 1).unwrap();
        assert_eq!(worst_utility(agent.as_mut(), seat, game.start().as_mut()), 0.0, "seat {seat}");
    }
}

#[test]
fn the_agent_searches_after_the_end_of_the_book() {
    let game = game("connect4:width=4,height=4").unwrap();
    let file = BookFile::new("short", &build(game.as_ref(), "minimax:depth=4", 3));
    let mut with_book = game.agent(&(file.spec("minimax") + ",depth=4"), 1).unwrap();
    let mut without_book = game.agent("minimax:depth=4", 1).unwrap();
    let mut position = game.start();
    for ply in 0..8 {
        let ask =
            |agent: &mut dyn AnyAgent| agent.choose(position.as_ref(), &Limits::none()).unwrap();
        let (answer, searched) = (ask(with_book.as_mut()), ask(without_book.as_mut()));
        assert_eq!(answer.stats.nodes == 0, ply < 3, "ply {ply}");
        assert_eq!(answer.lines[0].value.number(), searched.lines[0].value.number(), "ply {ply}");
        position.play(searched.best().unwrap()).unwrap();
    }
}

#[test]
fn queries_that_the_book_cannot_answer_are_searched() {
    let game = game("tictactoe").unwrap();
    let file = BookFile::new("question", &build(game.as_ref(), "minimax:depth=3", 1));
    let mut agent = game.agent(&(file.spec("minimax") + ",depth=3"), 1).unwrap();
    let start = game.start();
    let mut ask = |query: Query<'_>| agent.analyse(start.as_ref(), query).unwrap();
    let budget = Limits::none();

    let mut reports = Vec::new();
    let mut live = |report: &Report<String>| reports.push(report.clone());
    let report = ask(Query { live: Some(&mut live), ..Query::new(&budget) });
    assert_eq!(report.stats.nodes, 0);
    assert_eq!(report.lines[0].pv, [report.lines[0].mv.clone()]);
    assert_eq!(reports, [report]);

    let report = ask(Query { lines: 2, ..Query::new(&budget) });
    assert!(report.stats.nodes > 0 && report.lines.len() == 9);
    let mut recording = Recording::new(1000);
    let report = ask(Query { recording: Some(&mut recording), ..Query::new(&budget) });
    assert!(report.stats.nodes > 0 && !recording.steps.is_empty());
}

/// Calls `visit` with every position of the first plies in which a player is to move, once for each
/// sequence of moves.
fn each_position(
    position: &mut dyn AnyPosition,
    plies: u32,
    visit: &mut dyn FnMut(&dyn AnyPosition),
) {
    if plies == 0 {
        return;
    }
    if matches!(position.turn(), Turn::Player(_)) {
        visit(position);
    }
    for mv in position.moves() {
        position.play(&mv).unwrap();
        each_position(position, plies - 1, visit);
        position.undo();
    }
}

/// Returns the canonical key of the position after a move.
fn key_after(position: &dyn AnyPosition, mv: &str) -> u64 {
    let mut after = position.boxed();
    after.play(mv).unwrap();
    after.canonical_key().unwrap()
}

#[test]
fn a_position_and_its_reflections_get_reflected_answers_of_equal_value() {
    for (spec, agent, plies, positions) in [
        ("connect4:width=4,height=4", "minimax:depth=4", 4, 1 + 2 + 8 + 26),
        ("tictactoe", "minimax:depth=2", 4, 1 + 3 + 12 + 38),
        ("go:size=3", "minimax:depth=2", 3, 0),
        ("keep-on-moving:board=1", "minimax:depth=6", 4, 0),
        ("gobblet", "greedy", 2, 0),
        ("backgammon", "greedy", 2, 15),
    ] {
        let game = game(spec).unwrap();
        let book = build(game.as_ref(), agent, plies);
        assert_eq!(book.check(game.as_ref()), Ok(()), "{spec}");
        let entries = book.entries().len();
        assert!(positions == 0 || entries == positions, "{spec}: {entries}");
        let mut asked = HashSet::new();
        each_position(game.start().as_mut(), plies, &mut |position| {
            let here = position.text();
            let answer = |position: &dyn AnyPosition| {
                book.answer(game.as_ref(), position).unwrap().unwrap_or_else(|| {
                    panic!("{spec}: {here} is not in the book");
                })
            };
            let line = answer(position);
            asked.insert(position.canonical_key().unwrap());
            for symmetry in 0..game.symmetries() {
                let image = position.reflect(symmetry);
                let other = answer(image.as_ref());
                assert_eq!(other.value.number(), line.value.number(), "{spec}: {here}");
                assert_eq!(
                    key_after(image.as_ref(), &other.mv),
                    key_after(position, &line.mv),
                    "{spec}: {here}: {} and {} through {symmetry}",
                    line.mv,
                    other.mv
                );
            }
        });
        assert_eq!(asked.len(), entries, "{spec}: the book has positions that no game reaches");
    }
}

#[test]
fn answers_of_the_book_equal_a_direct_search() {
    let game = game("connect4:width=4,height=4").unwrap();
    let book = build(game.as_ref(), "minimax:depth=4", 4);
    let mut agent = game.agent("minimax:depth=4", 1).unwrap();
    each_position(game.start().as_mut(), 4, &mut |position| {
        let line = book.answer(game.as_ref(), position).unwrap().unwrap();
        let query = Query { lines: usize::MAX, ..Query::new(&Limits::none()) };
        let report = agent.analyse(position, query).unwrap();
        let searched = report.lines.iter().find(|other| other.mv == line.mv).unwrap();
        assert_eq!(line.value.number(), report.lines[0].value.number(), "{}", position.text());
        assert_eq!(
            searched.value.number(),
            line.value.number(),
            "{}: {} is not the best move",
            position.text(),
            line.mv
        );
    });
}
