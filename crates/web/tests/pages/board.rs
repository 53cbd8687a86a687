//! The board: pointer, keys and focus.

use tussle_testkit::browser::Browser;

use crate::play::{moves_are, place, press_button, spot, visit};
use crate::served::open;

const CHOSEN: &str = "[...document.querySelectorAll('.spot.chosen')].map((s) => s.getAttribute('aria-label').split(',')[0]).join()";

fn active(browser: &mut Browser) {
    browser.wait_for("document.querySelector('.board.active') !== null").unwrap();
}

fn click_spot(browser: &mut Browser, name: &str) {
    let (x, y) = spot(browser, name);
    browser.click(x, y).unwrap();
}

fn drag(browser: &mut Browser, from: &str, to: &str) {
    let (from, to) = (spot(browser, from), spot(browser, to));
    browser.drag(from, to).unwrap();
}

/// Waits until `count` moves were made and a person is to move.
fn played(browser: &mut Browser, count: usize) {
    moves_are(browser, count);
    active(browser);
}

#[test]
fn a_drag_moves_the_piece_under_the_pointer_even_if_another_one_was_chosen() {
    let Some((_served, mut browser)) = open("#gobblet?first=human&second=human") else { return };
    active(&mut browser);
    click_spot(&mut browser, "B1");
    assert_eq!(browser.eval(CHOSEN).unwrap(), "B1");
    drag(&mut browser, "S1", "cell 0");
    played(&mut browser, 1);
    // A piece that is dropped outside the board returns to its place.
    let from = spot(&mut browser, "b1");
    browser.drag(from, (from.0, 2.0)).unwrap();
    assert_eq!(browser.eval(CHOSEN).unwrap(), "");
    drag(&mut browser, "s1", "cell 4");
    played(&mut browser, 2);
    // A click on an own piece puts the chosen one on top of it if the rules allow this …
    click_spot(&mut browser, "B1");
    click_spot(&mut browser, "cell 0");
    played(&mut browser, 3);
    drag(&mut browser, "s2", "cell 5");
    played(&mut browser, 4);
    // … and a drag moves it away, although another piece is chosen that could go there.
    click_spot(&mut browser, "M1");
    drag(&mut browser, "cell 0", "cell 8");
    played(&mut browser, 5);
    click_spot(&mut browser, "m1");
    click_spot(&mut browser, "b1");
    assert_eq!(browser.eval(CHOSEN).unwrap(), "b1", "a click on another piece chooses that one");
    assert_eq!(place(&mut browser).1, ["S1@0", "S1@4", "B1@0", "S2@5", "B1@8"]);
}

#[test]
fn a_drag_moves_the_checker_under_the_pointer_and_used_dice_fade() {
    let hash = "#backgammon/moves/41?first=human&second=human&pace=0";
    let Some((_served, mut browser)) = open(hash) else { return };
    active(&mut browser);
    click_spot(&mut browser, "point 6");
    drag(&mut browser, "point 8", "point 4");
    // The 4 is used and the 1 is not. In backgammon's drawing the higher die is first.
    let faded = "[...document.querySelectorAll('.drawing rect.used')].length === 1 && document.querySelectorAll('.drawing circle.used').length === 4";
    browser.wait_for(faded).unwrap();
    drag(&mut browser, "point 6", "point 5");
    browser.wait_for("document.querySelectorAll('.move').length >= 2").unwrap();
    let moves = place(&mut browser).1;
    assert!(moves[1].contains("8/4") && moves[1].contains("6/5"), "{moves:?}");
}

#[test]
fn arrow_keys_step_through_the_game_after_a_click_on_the_board() {
    let Some((served, mut browser)) = open("#") else { return };
    for (game, clicks) in [
        ("connect4", ["column 4", "column 3"]),
        ("tictactoe", ["b2", "a1"]),
        ("go:size=5", ["C3", "D3"]),
    ] {
        visit(&served, &mut browser, &format!("#{game}?first=human&second=human"), game);
        active(&mut browser);
        for (i, name) in clicks.into_iter().enumerate() {
            click_spot(&mut browser, name);
            played(&mut browser, i + 1);
        }
        let shown = |ply: &str| {
            format!(
                "(document.querySelector('.move[aria-current]')?.dataset.ply ?? '0') === '{ply}'"
            )
        };
        for (key, ply) in [
            ("ArrowLeft", "1"),
            ("ArrowLeft", "0"),
            ("ArrowRight", "1"),
            ("End", "2"),
            ("Home", "0"),
        ] {
            browser.press(key).unwrap();
            browser.wait_for(&shown(ply)).unwrap_or_else(|e| panic!("{game}, {key}: {e}"));
        }
    }
    // On a board that was reached by Tab, arrow keys move the cursor on the board.
    visit(&served, &mut browser, "#tictactoe?first=human&second=human", "tictactoe");
    active(&mut browser);
    click_spot(&mut browser, "b2");
    played(&mut browser, 1);
    let reached = (0..60).any(|_| {
        browser.press("Tab").unwrap();
        browser.eval("document.activeElement.classList.contains('spot')").unwrap() == true
    });
    assert!(reached, "the board is not reached by Tab");
    browser.press("ArrowRight").unwrap();
    assert_eq!(browser.eval("document.activeElement.getAttribute('aria-label')").unwrap(), "b3");
    assert_eq!(browser.eval("document.querySelectorAll('.move[aria-current]').length").unwrap(), 1);
}

#[test]
fn a_double_click_makes_one_move_without_an_error() {
    let Some((served, mut browser)) = open("#") else { return };
    for (game, first, second) in [
        ("connect4", "column 4", "column 3"),
        ("go:size=5", "C3", "D3"),
        ("tictactoe", "b2", "a1"),
        ("pentago", "a1", "b1"),
    ] {
        visit(&served, &mut browser, &format!("#{game}?first=human&second=human"), game);
        active(&mut browser);
        for (i, name) in [first, second].into_iter().enumerate() {
            let (x, y) = spot(&mut browser, name);
            if game == "pentago" {
                // The first click places the stone; the double click turns a quadrant.
                browser.click(x, y).unwrap();
                let (x, y) = browser.middle(".spot.legal[aria-label^='quadrant']").unwrap();
                browser.double_click(x, y).unwrap();
            } else {
                browser.double_click(x, y).unwrap();
            }
            played(&mut browser, i + 1);
        }
        assert_eq!(
            browser.eval("document.querySelectorAll('.toast').length").unwrap(),
            0,
            "{game}"
        );
    }
    // It is the same if an agent moves next.
    let hash = "#go:size=5?first=human&second=mcts&pace=0";
    visit(&served, &mut browser, hash, "go:size=5");
    active(&mut browser);
    let (x, y) = spot(&mut browser, "C3");
    browser.double_click(x, y).unwrap();
    played(&mut browser, 2);
    assert_eq!(browser.eval("document.querySelectorAll('.toast').length").unwrap(), 0);
    // Two single clicks are two clicks. A toast disappears with its game.
    browser.click(x, y).unwrap();
    let said = "document.querySelector('.toast')?.textContent.includes('a stone already') === true";
    browser.wait_for(said).unwrap();
    visit(&served, &mut browser, "#tictactoe?first=human&second=human", "tictactoe");
    assert_eq!(browser.eval("document.querySelectorAll('.toast').length").unwrap(), 0);
    // An empty toast is not shown.
    browser.eval("import('/assets/dom.js').then(({ toast }) => toast(''))").unwrap();
    assert_eq!(browser.eval("document.querySelectorAll('.toast').length").unwrap(), 0);
}

#[test]
fn the_focus_returns_to_the_board_if_the_browser_removes_it_from_a_disabled_button() {
    let Some((_served, mut browser)) = open("#go:size=5?first=human&second=human&pace=0") else {
        return;
    };
    active(&mut browser);
    // Some versions of Chromium remove the focus from a disabled button only later; this script removes it at once.
    let at_once = "(() => {
      const { set, get } = Object.getOwnPropertyDescriptor(HTMLButtonElement.prototype, 'disabled');
      Object.defineProperty(HTMLButtonElement.prototype, 'disabled', { get, set(on) {
        const had = document.activeElement === this;
        set.call(this, on);
        if (on && had) this.blur();
      } });
    })()";
    browser.eval(at_once).unwrap();
    let on_board = "document.activeElement.matches('.spot')";
    click_spot(&mut browser, "C3");
    played(&mut browser, 1);
    press_button(&mut browser, "Undo");
    moves_are(&mut browser, 0);
    browser.wait_for(on_board).unwrap();
    click_spot(&mut browser, "C3");
    played(&mut browser, 1);
    browser.eval("void (document.querySelector('.actions button').id = 'old')").unwrap();
    press_button(&mut browser, "Swap sides");
    let again = "document.getElementById('old') === null && document.activeElement.textContent === 'Swap sides'";
    browser.wait_for(again).unwrap();
    click_spot(&mut browser, "D3");
    played(&mut browser, 2);
    browser.press("ArrowLeft").unwrap();
    browser.wait_for("document.querySelector('.status button') !== null").unwrap();
    press_button(&mut browser, "Back to the game");
    browser.wait_for(on_board).unwrap();
    press_button(&mut browser, "Resign");
    press_button(&mut browser, "Really resign?");
    browser.wait_for("document.activeElement.closest('.banner') !== null").unwrap();
    press_button(&mut browser, "Undo");
    browser.wait_for("document.activeElement.matches('.spot, .actions button')").unwrap();
}

#[test]
fn the_play_page_has_correct_headings_labels_agents_and_errors() {
    let hash = "#connect4/moves/4,4?first=human&second=human";
    let Some((served, mut browser)) = open(hash) else { return };
    active(&mut browser);
    assert_eq!(browser.eval("document.querySelectorAll('h1').length").unwrap(), 1);
    // The main element has no outline when a link moves the focus to it.
    for _ in 0..3 {
        browser.press("Tab").unwrap();
    }
    browser.press("Enter").unwrap();
    browser.wait_for("document.activeElement.id === 'main' || document.activeElement.classList.contains('start')").unwrap();
    browser.eval("document.getElementById('main').focus()").unwrap();
    assert_eq!(
        browser.eval("getComputedStyle(document.getElementById('main')).outlineStyle").unwrap(),
        "none"
    );
    // The accessible name of the theme's button contains its visible text.
    let named = "(() => { const b = document.getElementById('theme'); \
        return b.getAttribute('aria-label').includes(b.querySelector('span').textContent.trim()); })()";
    assert_eq!(browser.eval(named).unwrap(), true);
    // The analysis lists only agents that support the game.
    visit(&served, &mut browser, hash, "connect4");
    browser.wait_for("document.querySelectorAll('.analysis select option').length > 5").unwrap();
    let offered = "[...document.querySelectorAll('.analysis select option')].map((o) => o.value)";
    let offered = browser.eval(offered).unwrap();
    let offered: Vec<&str> =
        offered.as_array().unwrap().iter().filter_map(|o| o.as_str()).collect();
    let game = tussle_catalog::game("connect4").unwrap();
    for name in offered.iter().filter(|name| !name.is_empty()) {
        assert!(game.agent(name, 0).is_ok(), "{name} is listed for connect4");
    }
    assert!(offered.contains(&"greedy"), "{offered:?}");
    // An invalid pace is an error.
    for pace in ["-5", "x", "1e3", "99999999999"] {
        browser.visit(&format!("{}/{hash}&pace={pace}", served.url)).unwrap();
        let said = format!(
            "document.querySelector('.astray')?.textContent.includes('pace={pace}') === true"
        );
        browser.wait_for(&said).unwrap();
    }
    browser.visit(&format!("{}/#tournaments/cup.db/game/abc", served.url)).unwrap();
    let said = "document.querySelector('.wrong')?.textContent.includes('expected a whole number') === true";
    browser.wait_for(said).unwrap();
}

#[test]
fn the_value_graph_survives_a_reload() {
    let hash = "#tictactoe?first=human&second=alphabeta&pace=0";
    let Some((_served, mut browser)) = open(hash) else { return };
    active(&mut browser);
    click_spot(&mut browser, "b2");
    played(&mut browser, 2);
    let points = "document.querySelectorAll('.graph .value').length > 0";
    browser.wait_for(points).unwrap();
    browser.wait_for("history.state?.values?.length > 0").unwrap();
    browser.eval("location.reload()").unwrap();
    browser.wait_for("performance.getEntriesByType('navigation')[0].type === 'reload'").unwrap();
    browser.wait_for(points).unwrap();
}
