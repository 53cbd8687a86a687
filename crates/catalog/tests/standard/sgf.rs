//! Tests of SGF files.

use tussle_catalog::game;
use tussle_catalog::sgf::{read, write};
use tussle_core::{Rng, Turn};

/// Largest number of nodes below one another that is read.
const MAX_NODES: usize = 5000;

fn refusal(text: &str) -> String {
    read(text).unwrap_err().to_string()
}

#[test]
fn only_the_main_line_is_read() {
    let record = read(
        "(;GM[1]FF[4]SZ[5]KM[0.5]PB[Ann]RE[B+R]C[a comment ;with\\] brackets]\n\
         ;B[cc]N[centre];W[bb](;B[tt];W[ae](;B[aa]))(;B[dd]))",
    )
    .unwrap();
    assert_eq!(record.spec, "go:size=5,komi=0.5,cap=off");
    assert_eq!(record.start, "...../...../...../...../..... X - 0 0");
    assert_eq!(record.moves, ["C3", "B4", "pass", "A1", "A5"]);
    assert_eq!(record.result.as_deref(), Some("B+R"));
}

#[test]
fn the_column_after_h_is_j_and_rows_count_from_below() {
    let record = read("(;SZ[19];B[ia];W[hs];B[sa])").unwrap();
    assert_eq!(record.moves, ["J19", "H1", "T19"]);
    let record = read("(;SZ[9:3];B[ia];W[ac])").unwrap();
    assert_eq!(
        (record.spec.as_str(), &record.moves[..]),
        ("go:width=9,height=3,cap=off", &["J3".to_owned(), "A1".to_owned()][..])
    );
}

#[test]
fn handicap_stones_leave_the_first_move_to_white() {
    let record = read("(;SZ[9]HA[2]AB[cg][gc];W[ee])").unwrap();
    let start =
        "........./........./......X../........./........./........./..X....../........./.........";
    assert_eq!(record.start, format!("{start} O - 0 0"));
    // Rectangles of points, a removed stone, and the player to move.
    let record = read("(;SZ[5]AB[aa:bb]AW[ee];AE[bb]PL[B])").unwrap();
    assert_eq!(record.start, "XX.../X..../...../...../....O X - 0 0");
    assert_eq!(read("(;SZ[5]AB[aa])").unwrap().start, "X..../...../...../...../..... O - 0 0");
}

#[test]
fn without_a_size_the_board_is_19x19() {
    assert_eq!(read("(;B[aa])").unwrap().spec, "go:size=19,cap=off");
}

#[test]
fn errors_name_the_move_and_the_reason() {
    for (text, reason) in [
        ("", "SGF: No game trees found"),
        ("(;SZ[5]", "Unexpected end"),
        ("(;B[aa])(;B[aa])", "expected one game in the file, found 2"),
        ("(;GM[2];B[d3])", "expected a game of Go (GM[1])"),
        ("(;SZ[20])", "expected a board of 1x1 to 19x19, found 20x20"),
        ("(;SZ[0])", "found 0x0"),
        ("(;SZ[x])", "expected a size such as SZ[9]"),
        ("(;KM[much])", "expected a komi such as KM[7.5]"),
        ("(;KM[3.75])", "komi=3.75: give a whole or half number"),
        ("(;SZ[5];B[aa];W[aa])", "move 2 (W[A5]): `A5`: there is a stone already"),
        ("(;SZ[5];B[aa];B[bb])", "move 2 (B[B4]): it is White's turn"),
        ("(;SZ[5];B[af])", "move 1: column 1, row 6 from the top is outside"),
        ("(;SZ[5];B[a])", "move 1: B[a] is not valid"),
        ("(;SZ[5]AB[ff])", "outside the board"),
        ("(;SZ[5];B[aa];AB[bb])", "set up after move 1"),
        ("(;SZ[5]AB[ab][ba];W[aa])", "move 1 (W[A5]): `A5`: that stone would have no liberty"),
        ("(;SZ[2]AB[aa:bb])", "has no liberty; it would be captured"),
        ("(;SZ[5];B[];W[];B[aa])", "move 3 (B[A5]): `A5`: the game is over"),
        ("(;SZ[5]TUSSLE[go][x])", "TUSSLE contradicts"),
        ("(;SZ[5]TUSSLE[go])", "TUSSLE: expected a spec and a position"),
    ] {
        let error = refusal(text);
        assert!(error.contains(reason), "{text}: {error}");
    }
    let deep = format!("({})", ";".repeat(MAX_NODES + 1));
    assert!(refusal(&deep).contains("expected at most 5000 nodes"));
    assert!(refusal(&"(;".repeat(200_000)).contains("expected at most 5000 nodes"));
}

#[test]
fn a_third_pass_is_left_out() {
    assert_eq!(read("(;SZ[5];B[];W[];B[])").unwrap().moves, ["pass", "pass"]);
}

#[test]
fn a_long_game_is_read() {
    let passes = ";B[aa];W[];B[ba];W[]".to_owned() + &";B[tt];W[tt]".repeat(MAX_NODES / 2 - 4);
    assert_eq!(read(&format!("(;SZ[5]{passes})")).unwrap().moves.len(), 5);
}

#[test]
fn a_written_game_parses_to_the_same_record() {
    let mut rng = Rng::new(3);
    for spec in [
        "go",
        "go:size=9",
        "go:size=19,cap=100",
        "go:width=4,height=3,superko=positional,utility=margin,komi=-1",
        "go:size=2,cap=off,komi=0",
    ] {
        for start in 0..20 {
            let mut position = game(spec).unwrap().start();
            // From the empty board, and from the middle of a game.
            for i in 0..400 {
                let moves = position.moves();
                if moves.is_empty() {
                    break;
                }
                position.play(&moves[rng.below(moves.len())]).unwrap();
                if i == start / 2 {
                    position = game(spec).unwrap().position(&position.text()).unwrap();
                }
            }
            let text = write(position.as_ref(), ["A]\\nn", ""]).unwrap();
            let record = read(&text).unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!(record.spec, position.game_spec());
            assert_eq!(record.moves, position.history());
            assert!(record.replay().unwrap().same(position.as_ref()), "{text}");
            let over = position.turn() == Turn::Over;
            assert_eq!(record.result.is_some(), over, "{text}");
        }
    }
}

#[test]
fn a_record_has_the_result_of_the_game() {
    let mut position = game("go").unwrap().start();
    for mv in ["C3", "pass", "pass"] {
        position.play(mv).unwrap();
    }
    assert_eq!(
        write(position.as_ref(), ["Ann", "Bob"]).unwrap(),
        "(;FF[4]GM[1]CA[UTF-8]AP[tussle]SZ[5]KM[0.5]PB[Ann]PW[Bob]RE[B+24.5]\
         TUSSLE[go][...../...../...../...../..... X - 0 0]\n;B[cc];W[];B[])\n"
    );
    let position = game("tictactoe").unwrap().start();
    let error = write(position.as_ref(), ["", ""]).unwrap_err().to_string();
    assert_eq!(error, "SGF: expected a game of go, found tictactoe");
}
