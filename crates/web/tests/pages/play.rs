//! Playing.

use crate::served::open;

#[test]
fn the_board_shows_where_stones_may_go() {
    let Some((_served, mut browser)) = open("#go:size=5/moves/C3?first=human&second=human") else {
        return;
    };
    browser.wait_for("document.querySelectorAll('.spot.legal').length === 25").unwrap();
    assert!(browser.complaints().is_empty(), "{:?}", browser.complaints());
}
