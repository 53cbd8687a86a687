//! Play page: moves by mouse, keys and dragging, and the controls of a game.

use serde_json::Value;
use tussle_catalog::{AnyGame, game, game_from_text, turns};
use tussle_core::Rng;
use tussle_testkit::browser::Browser;
use tussle_web::Options;

use crate::served::{TestServer, open, open_sized};

/// Script: state of the board. `at` has the legal spots with their middles, `chosen` is true if part of a move is chosen, and
/// `sign` changes with every move.
const BOARD_STATE: &str = "(() => {
  const legal = [...document.querySelectorAll('.board.active .spot.legal')];
  const at = legal.map((spot) => { const r = spot.getBoundingClientRect();
    return [Number(spot.dataset.spot), r.x + r.width / 2, r.y + r.height / 2]; });
  const over = document.querySelector('.banner')?.hidden === false;
  const sign = [document.querySelectorAll('.move').length, at.map((spot) => spot[0]), over].join();
  return { over, at, chosen: document.querySelector('.spot.chosen') !== null, sign };
})()";

/// Returns the game and the moves in the address.
pub(crate) fn place(browser: &mut Browser) -> (String, Vec<String>) {
    let script = "import('/assets/link.js').then((link) => link.parse(location.hash).place)";
    // The address is updated with a delay.
    let there = "import('/assets/link.js').then((link) => \
        link.parse(location.hash).place.moves.length === document.querySelectorAll('.move').length)";
    browser.wait_for(there).unwrap();
    let place = browser.eval(script).unwrap();
    let moves = place["moves"].as_array().unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    (text(&place["game"]), moves.iter().map(text).collect())
}

pub(crate) fn visit(served: &TestServer, browser: &mut Browser, hash: &str, title: &str) {
    browser.visit(&format!("{}/{hash}", served.url)).unwrap();
    let there = format!("document.title === {:?}", format!("{title} · Tussle"));
    browser.wait_for(&there).unwrap();
}

pub(crate) fn press_button(browser: &mut Browser, text: &str) {
    // The page may still change its layout: wait until the button is twice in the same place.
    let script = format!(
        "(() => {{ const b = [...document.querySelectorAll('button')].find((b) => b.textContent === {text:?}); \
         if (!b) return null; b.scrollIntoView({{ block: 'center' }}); \
         const r = b.getBoundingClientRect(); const at = [r.x + r.width / 2, r.y + r.height / 2]; \
         const before = window.buttonSeenAt; window.buttonSeenAt = String(at); \
         return before === String(at) && b.contains(document.elementFromPoint(...at)) ? at : null; }})()"
    );
    browser.wait_for(&format!("{script} !== null")).unwrap();
    let at = browser.eval(&script).unwrap();
    browser.click(at[0].as_f64().unwrap(), at[1].as_f64().unwrap()).unwrap();
}

pub(crate) fn moves_are(browser: &mut Browser, count: usize) {
    let there = format!("document.querySelectorAll('.move').length === {count}");
    browser.wait_for(&there).unwrap();
}

pub(crate) fn spot(browser: &mut Browser, name: &str) -> (f64, f64) {
    // The label may continue with the pieces on the spot.
    browser.middle(&format!(".spot:is([aria-label='{name}'], [aria-label^='{name}, '])")).unwrap()
}

/// Returns the errors in the console, without those about requests that the server rejects as expected.
fn complaints(browser: &Browser) -> Vec<&String> {
    let expected = ["/assets/analysis.js", "/api/position"];
    let is_unexpected = |error: &&String| !expected.iter().any(|part| error.contains(part));
    browser.complaints().iter().filter(is_unexpected).collect()
}

/// Plays until the page shows the result. `pick` chooses among the legal spots: it returns an index into their list.
fn play_on(browser: &mut Browser, mut pick: impl FnMut(&[u64], bool) -> usize) {
    let mut last = Value::Null;
    for _ in 0..1500 {
        let changed = format!(
            "(() => {{ const now = {BOARD_STATE}; return now.over || (now.at.length > 0 && now.sign !== {last}); }})()"
        );
        if let Err(why) = browser.wait_for(&changed) {
            let said = "[location.hash, document.querySelector('#main').innerText, document.querySelector('#toasts').innerText].join()";
            panic!("{:?}: {why}", browser.eval(said));
        }
        let offered = browser.eval(BOARD_STATE).unwrap();
        if offered["over"] == true {
            return;
        }
        let at = offered["at"].as_array().unwrap();
        if at.is_empty() {
            continue; // the opponent's turn
        }
        let spots: Vec<u64> = at.iter().map(|spot| spot[0].as_u64().unwrap()).collect();
        let one = &at[pick(&spots, offered["chosen"] == true)];
        browser.click(one[1].as_f64().unwrap(), one[2].as_f64().unwrap()).unwrap();
        last = offered["sign"].clone();
    }
    panic!("the game does not end");
}

/// Checks that the page shows the winner that the rules give after the moves in the address.
fn check_result(browser: &mut Browser, rules: &dyn AnyGame) {
    let (_, moves) = place(browser);
    let mut position = rules.start();
    for mv in &moves {
        position.play(mv).unwrap();
    }
    let utilities = position.utilities().unwrap_or_else(|| panic!("{moves:?} is not over"));
    let winner = turns::winner(&utilities).map_or("null".to_owned(), |who| who.to_string());
    let shown = browser.eval("document.querySelector('.banner').dataset.winner").unwrap();
    assert_eq!(shown, winner, "{moves:?}");
}

#[test]
fn every_game_can_be_played_to_its_end_by_clicks() {
    let Some((served, mut browser)) = open("#") else { return };
    let mut rng = Rng::derive(9, &[]);
    for spec in [
        "tictactoe",
        "connect4",
        "gobblet",
        "go:size=3",
        "keep-on-moving",
        "pentago",
        "pentago-twist",
    ] {
        visit(&served, &mut browser, &format!("#{spec}?second=random&pace=0&seed=1"), spec);
        play_on(&mut browser, |spots, _| rng.below(spots.len()));
        check_result(&mut browser, game(spec).unwrap().as_ref());
    }
    assert_eq!(complaints(&browser), Vec::<&String>::new());
}

#[test]
fn backgammon_can_be_played_to_its_end_by_clicks() {
    let Some((_served, mut browser)) = open("#backgammon?second=greedy&pace=0&seed=3") else {
        return;
    };
    // Moves the farthest checker as far as possible, so that at least one side brings its checkers home.
    play_on(&mut browser, |spots, chosen| if chosen { 0 } else { spots.len() - 1 });
    check_result(&mut browser, game("backgammon").unwrap().as_ref());
    assert_eq!(complaints(&browser), Vec::<&String>::new());
}

#[test]
fn clicks_of_a_backgammon_move_in_any_order_give_the_position_of_the_rules() {
    let Some((_served, mut browser)) = open("#") else { return };
    // Random clicks; the position after them must be that of the rules after the resulting move.
    let walk = "(async () => {
      const { plays, halfway } = await import('/assets/backgammon.js');
      const { api } = await import('/assets/net.js');
      let state = 7;
      const random = (n) => (state = (state * 48271) % 2147483647) % n;
      const sides = (position) => position.split(' ').slice(0, 2).join(' ');
      const moves = [], wrong = [], turned = [];
      for (let turn = 0; turn < 40; turn++) {
        const place = () => ({ game: 'backgammon', moves });
        moves.push((await api('roll', { place: place(), seed: 5 })).move);
        const seen = await api('position', place());
        if (seen.legal[0] === 'none') { moves.push('none'); continue; }
        const clicks = plays(seen.board.choices, seen.position);
        let move;
        for (let walk = 0; walk < 4; walk++) {
          let clicked = [], way = clicks.after(clicked);
          while (way.next.size) {
            const spot = [...way.next][random(way.next.size)];
            clicked = [...clicked, ...clicks.expand(clicked, spot)];
            way = clicks.after(clicked);
          }
          if (!way.complete.length) { wrong.push([seen.position, clicked]); continue; }
          const { move: found, spots } = way.complete[0];
          if (spots.join() !== clicked.join()) turned.push(found);
          const after = await api('position', { game: 'backgammon', moves: [...moves, found] });
          if (sides(after.position) !== sides(halfway(seen.position, clicked))) wrong.push([seen.position, clicked, found]);
          move = found;
        }
        moves.push(move ?? seen.legal[0]);
      }
      return { wrong, turned: turned.length };
    })()";
    let walked = browser.eval(walk).unwrap();
    assert_eq!(walked["wrong"], serde_json::json!([]));
    assert!(walked["turned"].as_u64() > Some(10), "another order than the rules' own: {walked}");
}

#[test]
fn a_tree_can_be_played_to_a_leaf() {
    let hash = "#tree:file=lecture-alphabeta?first=human&second=human";
    let Some((_served, mut browser)) = open(hash) else { return };
    play_on(&mut browser, |_, _| 0);
    let text = include_str!("../../../../examples/trees/lecture-alphabeta.json");
    check_result(&mut browser, game_from_text("tree", "file", text).unwrap().as_ref());
}

#[test]
fn a_game_can_be_played_by_keys_alone() {
    let Some((_served, mut browser)) = open("#?game=tictactoe&second=human") else { return };
    browser.wait_for("document.activeElement?.classList.contains('start') === true").unwrap();
    browser.wait_for("document.querySelectorAll('.preview .spot').length === 9").unwrap();
    browser.press("Enter").unwrap();
    browser.wait_for("document.title === 'tictactoe · Tussle'").unwrap();
    let tabs = (0..40).find(|_| {
        browser.press("Tab").unwrap();
        browser.eval("document.activeElement.classList.contains('spot')").unwrap() == true
    });
    assert!(tabs.is_some(), "the board is not reached by Tab");
    let name = |browser: &mut Browser| {
        browser.eval("document.activeElement.getAttribute('aria-label')").unwrap()
    };
    assert_eq!(name(&mut browser), "a3");
    // X takes the upper row, O the middle one. Arrow keys stop only at free cells.
    let keys = [
        ("", "a3"),
        ("ArrowDown", "a2"),
        ("ArrowUp", "b3"),
        ("ArrowDown", "b2"),
        ("ArrowUp", "c3"),
    ];
    for (i, (arrow, cell)) in keys.into_iter().enumerate() {
        browser.wait_for("document.querySelector('.board.active') !== null").unwrap();
        if !arrow.is_empty() {
            browser.press(arrow).unwrap();
        }
        assert_eq!(name(&mut browser), cell);
        browser.press("Enter").unwrap();
        moves_are(&mut browser, i + 1);
    }
    check_result(&mut browser, game("tictactoe").unwrap().as_ref());
    // Outside the board, arrow keys step through the moves.
    browser.eval("document.activeElement.blur()").unwrap();
    browser.press("Home").unwrap();
    browser.wait_for("document.querySelector('.move[aria-current]') === null").unwrap();
    browser.press("ArrowRight").unwrap();
    browser.wait_for("document.querySelector('.move[aria-current]')?.dataset.ply === '1'").unwrap();
}

#[test]
fn pieces_can_be_dragged_from_the_hand_and_on_the_board() {
    let Some((_served, mut browser)) = open("#gobblet?second=human") else { return };
    browser.wait_for("document.querySelectorAll('.spot.legal').length === 6").unwrap();
    for (i, (from, to)) in
        [("B1", "cell 4"), ("s1", "cell 0"), ("cell 4", "cell 0")].into_iter().enumerate()
    {
        let (from, to) = (spot(&mut browser, from), spot(&mut browser, to));
        browser.drag(from, to).unwrap();
        moves_are(&mut browser, i + 1);
        browser.wait_for("document.querySelector('.board.active') !== null").unwrap();
    }
    assert_eq!(place(&mut browser).1, ["B1@4", "S1@0", "B1@0"]);
    // A piece cannot cover one that is not smaller; the page shows the error of the rules.
    let (from, to) = (spot(&mut browser, "b2"), spot(&mut browser, "cell 0"));
    browser.drag(from, to).unwrap();
    let said = "document.querySelector('.toast')?.textContent.includes('is not smaller') === true";
    browser.wait_for(said).unwrap();
}

#[test]
fn undo_swap_resign_and_rematch_work() {
    let Some((served, mut browser)) = open("#go:size=5?second=level-1&pace=0") else { return };
    browser.wait_for("document.querySelectorAll('.spot.legal').length > 25").unwrap();
    let at = spot(&mut browser, "C3");
    browser.click(at.0, at.1).unwrap();
    moves_are(&mut browser, 2);
    browser.wait_for("document.querySelector('.board.active') !== null").unwrap();
    browser.click(at.0, at.1).unwrap();
    let taken =
        "document.querySelector('.toast')?.textContent.includes('a stone already') === true";
    browser.wait_for(taken).unwrap();
    // The status announces the agent's move, and labels name the pieces on spots, for screen readers.
    let heard =
        "/^Level 1 played .*[.] Your turn$/.test(document.querySelector('.status').textContent)";
    browser.wait_for(heard).unwrap();
    assert_eq!(
        browser
            .eval("document.querySelectorAll(\".spot[aria-label=\\\"C3, first's\\\"]\").length")
            .unwrap(),
        1
    );
    // A move in the list keeps the focus after it was chosen.
    browser.eval("document.querySelector('[data-ply=\"1\"]').focus()").unwrap();
    browser.press("Enter").unwrap();
    browser.wait_for("document.activeElement.matches('[data-ply=\"1\"][aria-current]')").unwrap();
    press_button(&mut browser, "Back to the game");
    browser.wait_for("document.activeElement.matches('.spot')").unwrap();
    // Undo takes back the agent's move too.
    press_button(&mut browser, "Undo");
    moves_are(&mut browser, 0);
    browser.wait_for("document.activeElement.matches('.spot')").unwrap();
    press_button(&mut browser, "Swap sides");
    moves_are(&mut browser, 1);
    browser.wait_for("document.querySelector('.board.active') !== null").unwrap();
    press_button(&mut browser, "Resign");
    press_button(&mut browser, "Really resign?");
    browser.wait_for("document.querySelector('.banner').textContent.includes('resigned')").unwrap();
    browser.wait_for("document.activeElement.closest('.banner') !== null").unwrap();
    assert_eq!(browser.eval("document.querySelector('.banner').dataset.winner").unwrap(), "0");
    press_button(&mut browser, "Rematch");
    browser
        .wait_for("location.hash.includes('first=human&second=level-1') && document.querySelectorAll('.spot.legal').length > 25")
        .unwrap();
    moves_are(&mut browser, 0);
    // Undo keeps the roll of the dice.
    visit(&served, &mut browser, "#backgammon/moves/31?second=random&pace=0", "backgammon");
    let mut steps = 0;
    while browser.eval("document.querySelectorAll('.move').length").unwrap() == 1 && steps < 4 {
        browser.wait_for("document.querySelectorAll('.spot.legal').length > 0").unwrap();
        let legal = browser.middle(".spot.legal").unwrap();
        let before = browser.eval(BOARD_STATE).unwrap()["sign"].clone();
        browser.click(legal.0, legal.1).unwrap();
        browser.wait_for(&format!("({BOARD_STATE}).sign !== {before}")).unwrap();
        steps += 1;
    }
    browser
        .wait_for("document.querySelectorAll('.move').length >= 5 && document.querySelector('.board.active') !== null")
        .unwrap();
    press_button(&mut browser, "Undo");
    moves_are(&mut browser, 1);
    assert_eq!(place(&mut browser).1, ["31"]);
}

#[test]
fn links_restore_a_game_or_name_their_error() {
    let hash = "#go:size=5/moves/C3,D3?first=human&second=human&clock=5m%2B3s";
    let Some((served, mut browser)) = open(hash) else { return };
    browser.wait_for("document.querySelectorAll('.spot.legal').length === 24").unwrap();
    moves_are(&mut browser, 2);
    let clock =
        "[...document.querySelectorAll('.clock')].every((c) => /^[45]:/.test(c.textContent))";
    browser.wait_for(clock).unwrap();
    // A player without time loses.
    visit(&served, &mut browser, "#tictactoe?second=human&clock=300ms", "tictactoe");
    let flag = "document.querySelector('.banner').textContent.includes('ran out of time')";
    browser.wait_for(flag).unwrap();
    assert_eq!(browser.eval("document.querySelector('.banner').dataset.winner").unwrap(), "1");
    assert_eq!(browser.eval("document.querySelector('.clock').textContent").unwrap(), "0.0 s");
    browser.visit(&format!("{}/#go:size=5/moves/C3,C3,D3?second=human", served.url)).unwrap();
    let said = "document.querySelector('.astray')?.textContent.includes('there is a stone already') === true";
    browser.wait_for(said).unwrap();
    press_button(&mut browser, "Show the position after 1 legal move");
    moves_are(&mut browser, 1);
    browser.visit(&format!("{}/#gow/moves/C3", served.url)).unwrap();
    let said =
        "document.querySelector('.astray')?.textContent.includes('did you mean `go`') === true";
    browser.wait_for(said).unwrap();
    press_button(&mut browser, "New game");
    browser.wait_for("document.querySelector('.newgame') !== null").unwrap();
    // Back returns to the page with the error.
    browser.eval("history.back()").unwrap();
    browser.wait_for("document.querySelector('.astray') !== null").unwrap();
}

#[test]
fn the_fields_follow_the_spec_and_errors_are_shown() {
    let Some((_served, mut browser)) = open("#") else { return };
    browser.wait_for("document.querySelectorAll('.preview .spot').length === 26").unwrap();
    let spec = "document.querySelector('.more .spec').value";
    assert_eq!(browser.eval(spec).unwrap(), "go:size=5");
    let fill = |browser: &mut Browser, field: &str, value: &str| {
        let script = format!(
            "(() => {{ const f = document.querySelector({field:?}); f.value = {value:?}; \
             f.dispatchEvent(new Event('input', {{ bubbles: true }})); }})()"
        );
        browser.eval(&script).unwrap();
    };
    fill(&mut browser, ".params input", "3");
    browser.wait_for("document.querySelectorAll('.preview .spot').length === 10").unwrap();
    assert_eq!(browser.eval(spec).unwrap(), "go:size=3");
    fill(&mut browser, ".more .spec", "connect4:width=5");
    browser.wait_for("document.querySelector('.params input').value === '5'").unwrap();
    fill(&mut browser, ".more .spec", "connect4:widht=5");
    browser
        .wait_for("document.querySelector('.newgame .wrong').textContent.includes('did you mean `width`') && document.querySelector('.start').disabled")
        .unwrap();
    // An own board, with three players and seats.
    fill(&mut browser, ".more .spec", "keep-on-moving:board=0");
    browser.wait_for("document.querySelector('.files textarea') !== null").unwrap();
    fill(&mut browser, ".files textarea", "1..2\n....\n3...");
    browser.wait_for("document.querySelectorAll('.seat').length === 3").unwrap();
    browser.eval("document.querySelector('form').requestSubmit()").unwrap();
    browser.wait_for("document.querySelectorAll('.player').length === 3").unwrap();
    browser.eval("location.reload()").unwrap();
    browser.wait_for("document.querySelectorAll('.player').length === 3").unwrap();
    assert_eq!(complaints(&browser), Vec::<&String>::new());
}

#[test]
fn pages_fit_the_width_of_a_phone() {
    let Some((served, mut browser)) = open_sized("#", 360, 740) else { return };
    browser.wait_for("document.querySelectorAll('.preview .spot').length === 26").unwrap();
    let fits = "document.documentElement.scrollWidth <= innerWidth";
    assert_eq!(browser.eval(fits).unwrap(), true, "the form");
    for spec in ["go:size=9", "gobblet", "backgammon", "pentago"] {
        visit(&served, &mut browser, &format!("#{spec}?second=human"), spec);
        assert_eq!(browser.eval(fits).unwrap(), true, "{spec}");
        // The board is above the players.
        let order = "document.querySelector('.board').getBoundingClientRect().y \
                     < document.querySelector('.players').getBoundingClientRect().y";
        assert_eq!(browser.eval(order).unwrap(), true, "{spec}");
    }
}

#[test]
fn an_agent_moves_after_the_server_is_back() {
    let Some((served, mut browser)) = open("#go:size=5?second=mcts") else { return };
    browser.wait_for("document.querySelectorAll('.spot.legal').length > 25").unwrap();
    let at = spot(&mut browser, "C3");
    browser.click(at.0, at.1).unwrap();
    browser.wait_for("document.querySelector('.player.thinks') !== null").unwrap();
    let port = served.url.rsplit(':').next().unwrap().parse().unwrap();
    drop(served);
    browser.wait_for("document.querySelector('#connection').textContent.includes('lost')").unwrap();
    moves_are(&mut browser, 1);
    let _again = TestServer::new(Options { port, ..Options::default() });
    moves_are(&mut browser, 2);
}

#[test]
fn a_failed_request_is_repeated_when_the_server_is_back() {
    let hash = "#go:size=5/moves/C3,D3?first=human&second=human&pace=0";
    let Some((served, mut browser)) = open(hash) else { return };
    browser.wait_for("document.querySelectorAll('.spot.legal').length > 20").unwrap();
    let port = served.url.rsplit(':').next().unwrap().parse().unwrap();
    drop(served);
    browser.wait_for("document.querySelector('#connection').textContent.includes('lost')").unwrap();
    press_button(&mut browser, "Undo");
    let said = "document.querySelector('.status .wrong') !== null";
    browser.wait_for(said).unwrap();
    let _again = TestServer::new(Options { port, ..Options::default() });
    browser
        .wait_for(&format!("!({said}) && document.querySelector('.board.active') !== null"))
        .unwrap();
    moves_are(&mut browser, 1);
}

#[test]
fn invalid_settings_are_reported_before_the_game_starts() {
    let Some((served, mut browser)) = open("#?game=go:size=5&second=mcts:foo=1") else { return };
    browser
        .wait_for("/second: .*foo/.test(document.querySelector('.newgame .wrong')?.textContent) && document.querySelector('.start').disabled")
        .unwrap();
    for (query, why) in [
        ("clock=xx", "clock"),
        ("seed=abc", "seed"),
        ("seed=-5", "seed"),
        ("second=mctss", "second"),
    ] {
        browser
            .visit(&format!("{}/#tictactoe/moves/a1,b2?first=human&{query}", served.url))
            .unwrap();
        let said = format!(
            "document.querySelector('.astray .wrong')?.textContent.toLowerCase().includes('{why}') === true"
        );
        browser.wait_for(&said).unwrap();
        press_button(&mut browser, "Continue without it");
        browser.wait_for("document.querySelectorAll('.move').length >= 2").unwrap();
        let left = format!("!location.hash.includes({query:?})");
        browser.wait_for(&left).unwrap();
    }
}
