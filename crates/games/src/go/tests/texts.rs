//! Tests of the errors of positions and moves.

use super::*;

#[test]
fn impossible_positions_are_rejected() {
    let rules = go::<1>(5, 5);
    let empty = "...../...../...../...../.....";
    for (text, reason) in [
        (String::new(), "expected the rows"),
        (format!("{empty} X - 0"), "expected the rows"),
        (format!("{empty} X - 0 0 XA1 XB1"), "expected the rows"),
        ("...../...../...../..... X - 0 0".into(), "5 rows of 5 points"),
        ("...../...../...../...../...é. X - 0 0".into(), "expected X, O or . for each point"),
        ("...../...../...../X..../OX... X - 0 0".into(), "stone on A1 has no liberty"),
        ("XXXXX/XXXXX/XXXXX/XXXXX/XXXXX X - 0 0".into(), "no liberty"),
        (format!("{empty} x - 0 0"), "X or O"),
        (format!("{empty} X - 1 0"), "consecutive passes from 0 to 0"),
        (format!("{empty} X - 3 9"), "consecutive passes from 0 to 2"),
        (format!("{empty} X - 0 51"), "0 to 50"),
        (format!("{empty} X - 0 +1"), "0 to 50"),
        (format!("{empty} X A1 0 1"), "cannot have captured a single stone"),
        // B2 would capture a single stone, but B1 beside it is an own stone.
        ("...../...../.XO../X.XO./.XX.. O B2 0 5".into(), "cannot have captured a single stone"),
        ("...../...../.XO../X.XO./.XO.. X B2 0 5".into(), "cannot have captured a single stone"),
        ("...../...../.XO../X.XO./.XO.. O B2 1 5".into(), "cannot have captured a single stone"),
        ("...../...../.XO../X.XO./.XO.. O B2 0 0".into(), "cannot have captured a single stone"),
        (format!("{empty} X - 0 2 XA1,OB1"), "another position, `...../...../...../...../XO..."),
        ("...../...../...../...../XO... O - 0 2 XA1,OB1".into(), "lead to"),
        ("...../...../...../...../XO... X - 0 1 XA1,OB1".into(), "at least"),
        ("...../...../...../...../XX... O - 0 2 XA1,XB1".into(), "at least"),
        (
            "...../...../...../...../XO... X - 0 2 XA1,OA1".into(),
            "`OA1`: this earlier stone was illegal",
        ),
        ("...../...../...../...../XO... X - 0 2 XA1,B1".into(), "`B1`: expected an earlier stone"),
        ("...../...../...../...../XO... X - 0 2 XA1,".into(), "``: expected an earlier stone"),
    ] {
        let error = rules.parse_position(&text).unwrap_err().to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
    let small = two_by_two(Repetition::Draw);
    for (text, reason) in [
        ("../X. X - 1 8 XA1,OB2,XB1,OA2,XA1,OB1,XA1", "no pass can follow it"),
        (".O/X. X - 0 8 XA1,OB2,XB1,OA2,XA1,OB1,XA1,OB2", "`OB2`: this earlier stone was illegal"),
    ] {
        let error = small.parse_position(text).unwrap_err().to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
    let superko = two_by_two(Repetition::Positional);
    let text = "../X. O - 0 7 XA1,OB2,XB1,OA2,XA1,OB1,XA1";
    assert!(superko.parse_position(text).unwrap_err().to_string().contains("illegal"));
    let off = two_by_two(Repetition::Off);
    assert!(off.parse_position(text).unwrap_err().to_string().contains("leave them out"));
}

#[test]
fn errors_of_illegal_moves_name_the_reason() {
    let rules = go::<2>(9, 9);
    let state = play(&rules, &rules.position_text(&rules.start()), "J9");
    for (text, reason) in [
        ("J9", "there is a stone already"),
        ("j8", "columns are capital letters; write J8"),
        ("I1", "a move is a vertex, A1 to J9 (there is no column I), or pass"),
        ("A10", "a move is a vertex"),
        ("A01", "a move is a vertex"),
        ("PASS", "a move is a vertex"),
    ] {
        let error = rules.parse_move(&state, text).unwrap_err().to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
}
