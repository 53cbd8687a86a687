//! Tests of the action numbers of every game with golden files and the conformance suite.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;

use tussle_catalog::Catalog;
use tussle_conformance::{check_action_symmetries, check_actions};
use tussle_core::{Actions, Notation, Symmetric};
use tussle_games::backgammon::Score;
use tussle_games::go::{Options, Repetition};
use tussle_games::keep_on_moving::Board;
use tussle_games::tree::{Kind, Node};
use tussle_games::{
    Backgammon, Connect4, DuelTree, Go, Gobblet, KeepOnMoving, ManyTree, Pentago, PentagoTwist,
    TicTacToe,
};
use tussle_testkit::data::enter_repository;

/// Test that visits every game.
trait Visitor {
    /// Visits one variant of a game of the catalog. The golden file has the moves of the start
    /// position and of `positions`.
    fn visit<G: Actions + Notation + Symmetric>(
        &mut self,
        game: &'static str,
        variant: &str,
        rules: &G,
        positions: &[&str],
    );
}

fn visit_games(visitor: &mut impl Visitor) {
    visitor.visit("tictactoe", "3x3", &TicTacToe, &["o.x/.x./... o", "oo./.../xxx o"]);
    visit_connect4(visitor);
    let covered = "b2,.,S1M1/.,.,b1/s1,M2,s2 first 8";
    visitor.visit("gobblet", "100 steps", &Gobblet::default(), &[covered]);
    visitor.visit("gobblet", "5 steps", &Gobblet { steps: 5 }, &[]);
    visit_go(visitor);
    visit_keep_on_moving(visitor);
    visit_pentago(visitor);
    visit_backgammon(visitor);
    visit_trees(visitor);
}

fn visit_connect4(visitor: &mut impl Visitor) {
    let sized = |width, height, connect| Connect4::new(width, height, connect).unwrap();
    let full = "x....../o....../x....../o....../x....../o...... x";
    visitor.visit("connect4", "7x6", &sized(7, 6, 4), &[full]);
    visitor.visit("connect4", "9x6", &sized(9, 6, 4), &[]);
    visitor.visit("connect4", "3x2, two in a row", &sized(3, 2, 2), &[]);
}

fn visit_go(visitor: &mut impl Visitor) {
    let small = Go::<1>::new(&Options::sized(5, 5)).unwrap();
    let ko = ".XO../XO.O./.XO../...../..... X C4 0 10";
    visitor.visit("go", "5x5", &small, &["X..../.X.O./X..OX/OX.O./O...O X - 0 12", ko]);
    visitor.visit("go", "3x2", &Go::<1>::new(&Options::sized(3, 2)).unwrap(), &[]);
    let superko = Options { repetition: Repetition::Positional, ..Options::sized(2, 3) };
    visitor.visit("go", "2x3, superko", &Go::<1>::new(&superko).unwrap(), &[]);
    visitor.visit("go", "9x9", &Go::<2>::new(&Options::sized(9, 9)).unwrap(), &[]);
    visitor.visit("go", "19x19", &Go::<8>::new(&Options::sized(19, 19)).unwrap(), &[]);
}

fn visit_keep_on_moving(visitor: &mut impl Visitor) {
    const GAME: &str = "keep-on-moving";
    let builtin = (0..5).map(|i| (format!("board {i}"), Board::builtin(i).unwrap()));
    let files = ["1...2", ".1./.../.2.", "1..2/..../3..4"].map(|rows| {
        let board = Board::parse(&rows.replace('/', "\n")).unwrap();
        (format!("board {rows}"), board)
    });
    for (variant, board) in builtin.chain(files) {
        if let Ok(rules) = KeepOnMoving::<3, 2>::new(&board) {
            visitor.visit(GAME, &variant, &rules, &[]);
        } else {
            visitor.visit(GAME, &variant, &KeepOnMoving::<68, 8>::new(&board).unwrap(), &[]);
        }
    }
}

fn visit_pentago(visitor: &mut impl Visitor) {
    visitor.visit("pentago", "with early wins", &Pentago::default(), &[]);
    visitor.visit("pentago", "without early wins", &Pentago::new(false), &[]);
    visitor.visit("pentago-twist", "6x6", &PentagoTwist::default(), &[]);
}

fn visit_backgammon(visitor: &mut impl Visitor) {
    let start = "24:2/13:5/8:3/6:5 24:2/13:5/8:3/6:5 first";
    let positions = ["-", "31", "66"].map(|dice| format!("{start} {dice}"));
    let mut positions: Vec<&str> = positions.iter().map(String::as_str).collect();
    positions.extend([
        "bar:1/13:14 6:2/5:3/4:3/3:3/2:2/1:2 first 61", // no play is possible
        "14:1/1:14 22:8/6:7 first 65",                  // only one die can be played
        "bar:1/13:14 13:15 first 61",
        "bar:2/6:13 13:15 first 44",
        "6:2/3:13 13:15 first 54",
        "1:2/off:13 13:15 first 33",
    ]);
    visitor.visit("backgammon", "score=full", &Backgammon::default(), &positions);
    visitor.visit("backgammon", "score=win", &Backgammon { score: Score::Win }, &[]);
}

fn visit_trees(visitor: &mut impl Visitor) {
    let nodes = vec![
        Node::inner("A", Kind::Max, &["B", "C", "D"]),
        Node::inner("B", Kind::Chance, &["E", "F", "G", "H"]),
        Node::inner("C", Kind::Min, &["I", "J"]),
        Node::leaf("D", 1.0),
        Node::leaf("E", 2.0),
        Node::leaf("F", -3.0),
        Node::leaf("G", 4.0),
        Node::leaf("H", 0.0),
        Node::leaf("I", -1.0),
        Node::leaf("J", 5.0),
    ];
    let tree = DuelTree::new(nodes, "A").unwrap();
    visitor.visit("tree", "max, min and chance", &tree, &["B", "C"]);
    let leaf = |name: &str, values: [f64; 3]| Node {
        values: values.into(),
        ..Node::inner(name, Kind::Leaf, &[])
    };
    let nodes = vec![
        Node::inner("A", Kind::Player(1), &["B", "C"]),
        Node::inner("B", Kind::Player(3), &["D", "E"]),
        leaf("C", [1.0, 2.0, 3.0]),
        leaf("D", [3.0, 2.0, 1.0]),
        leaf("E", [0.0, 5.0, 0.0]),
    ];
    visitor.visit("tree", "three players", &ManyTree::new(nodes, "A").unwrap(), &["B"]);
}

/// Number of random games per variant.
const SEEDS: u64 = 4;

struct Conformance;

impl Visitor for Conformance {
    fn visit<G: Actions + Notation + Symmetric>(
        &mut self,
        game: &'static str,
        variant: &str,
        rules: &G,
        _: &[&str],
    ) {
        println!("{game}, {variant}");
        for seed in 0..SEEDS {
            check_actions(rules, seed);
            check_action_symmetries(rules, seed);
        }
    }
}

#[test]
fn action_numbers_of_every_game_conform() {
    visit_games(&mut Conformance);
}

/// Number of moves per line of a golden file.
const MOVES_PER_LINE: usize = 10;

/// Text of every golden file, by the name of the game.
#[derive(Default)]
struct Golden(BTreeMap<&'static str, String>);

impl Visitor for Golden {
    fn visit<G: Actions + Notation + Symmetric>(
        &mut self,
        game: &'static str,
        variant: &str,
        rules: &G,
        positions: &[&str],
    ) {
        let text = self.0.entry(game).or_default();
        if !text.is_empty() {
            text.push('\n');
        }
        let (actions, outcomes) = (rules.actions(), rules.chance_actions());
        writeln!(text, "{game}, {variant}: {actions} actions, {outcomes} of chance").unwrap();
        let parse = |position: &&str| rules.parse_position(position).unwrap();
        for state in [rules.start()].into_iter().chain(positions.iter().map(parse)) {
            let mut moves = Vec::new();
            rules.moves(&state, &mut moves);
            moves.sort_by_key(|&mv| rules.action(&state, mv));
            let name =
                |&mv| format!("{}={}", rules.action(&state, mv), rules.move_text(&state, mv));
            let names: Vec<String> = moves.iter().map(name).collect();
            writeln!(text, "\nposition {}", rules.position_text(&state)).unwrap();
            for row in names.chunks(MOVES_PER_LINE) {
                writeln!(text, "{}", row.join(" ")).unwrap();
            }
        }
    }
}

/// `UPDATE_GOLDEN=1 cargo test` rewrites the files, for a new game or position. The number of an
/// existing move must not change.
#[test]
fn action_numbers_match_the_golden_files() {
    let folder = enter_repository().join("crates/games/testdata/actions");
    let mut golden = Golden::default();
    visit_games(&mut golden);
    for (game, text) in &golden.0 {
        let path = folder.join(format!("{game}.txt"));
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            fs::write(&path, text).unwrap();
        }
        let recorded = fs::read_to_string(&path).unwrap_or_default();
        assert!(
            recorded == *text,
            "{}: the action numbers have changed, but nets and programs depend on them. Restore \
             the numbering. For a new game or position, run the tests with UPDATE_GOLDEN=1 and \
             commit the difference. The new text:\n{text}",
            path.display()
        );
    }
    for entry in Catalog::standard().games() {
        assert!(golden.0.contains_key(entry.name), "no golden file for the game {}", entry.name);
    }
    assert_eq!(
        golden.0.len(),
        Catalog::standard().games().len(),
        "some golden file has no game in the catalog"
    );
}
