//! Analysis, value graph and review.

use tussle_testkit::browser::Browser;

use crate::served::open;

/// Clicks the first element that a selector finds, once it does not move and nothing covers it.
fn click(browser: &mut Browser, selector: &str) {
    let bare = format!(
        "(() => {{ const e = document.querySelector({selector:?}); if (!e) return false; e.scrollIntoView({{block: 'center'}}); \
         const r = e.getBoundingClientRect(), y = r.y + r.height / 2, was = click.y; click.y = y; \
         return was === y && e.contains(document.elementFromPoint(r.x + r.width / 2, y)); }})()"
    );
    browser.eval("globalThis.click = {}; 0").unwrap();
    browser.wait_for(&bare).unwrap();
    let (x, y) = browser.middle(selector).unwrap();
    browser.click(x, y).unwrap();
}

fn text(browser: &mut Browser, script: &str) -> String {
    browser.eval(script).unwrap().as_str().unwrap_or_default().to_owned()
}

/// Returns a script that is true if the position after `ply` moves is shown.
fn at(ply: usize) -> String {
    format!("(document.querySelector('.moves [aria-current]')?.dataset.ply ?? '0') === '{ply}'")
}

const DRAWING: &str = "document.querySelector('.drawing').innerHTML";
/// Script: the percentages on the heat map, in any order.
const LABELS: &str = "[...document.querySelectorAll('.drawing text[paint-order]')].map(t => t.textContent).filter(t => t.endsWith('%')).map(t => parseInt(t))";
const STOPPED: &str = "document.querySelector('.go')?.textContent === 'Continue'";

#[test]
fn the_heat_map_changes_with_its_switch_and_agrees_with_the_lines() {
    let Some((_served, mut browser)) =
        open("#tictactoe?first=human&second=human&analyse=mcts-textbook:nodes=3000&heat=visits")
    else {
        return;
    };
    browser.wait_for(STOPPED).unwrap();
    // The shares of the visits, from the lines and from the board.
    let lines =
        "[...document.querySelectorAll('.lines .numbers .faint')].map(n => Number(n.textContent))";
    let agree = format!(
        "(() => {{ const lines = {lines}, labels = {LABELS}; \
         return lines.length === 5 && labels.length === 9 \
           && lines.every(n => labels.some(l => Math.abs(l - n / 30) < 0.6)); }})()"
    );
    let seen = format!("JSON.stringify([{lines}, {LABELS}])");
    assert_eq!(browser.eval(&agree).unwrap(), true, "{}", text(&mut browser, &seen));
    // Another map can be chosen after the search.
    let mut drawings = vec![text(&mut browser, DRAWING)];
    for heat in ["value", "prior", "hidden"] {
        click(&mut browser, &format!("input[name=heat][value={heat}]"));
        let last = serde_json::to_string(drawings.last().unwrap()).unwrap();
        browser.wait_for(&format!("{DRAWING} !== {last}")).unwrap();
        let now = text(&mut browser, DRAWING);
        assert!(!drawings.contains(&now), "{heat}");
        drawings.push(now);
        let address = text(&mut browser, "location.hash");
        assert_eq!(address.contains(&format!("heat={heat}")), heat != "value", "{address}");
    }
    assert_eq!(browser.eval(&format!("{LABELS}.length")).unwrap(), 0);
    assert!(browser.complaints().is_empty(), "{:?}", browser.complaints());
}

#[test]
fn lines_can_be_previewed_and_played_and_a_stopped_search_keeps_its_result() {
    let Some((_served, mut browser)) =
        open("#go:size=5?first=human&second=human&analyse=mcts-textbook&heat=hidden")
    else {
        return;
    };
    browser.wait_for("document.querySelectorAll('.lines .moves').length === 5").unwrap();
    click(&mut browser, ".go");
    browser.wait_for(STOPPED).unwrap();
    let found = text(&mut browser, "document.querySelector('.stats').textContent");
    assert!(found.contains("visits"), "{found}");
    // The search continues where it stopped.
    let visits = "Number(document.querySelector('.lines .numbers .faint').textContent.replace('k', 'e3').replace('M', 'e6'))";
    let before = browser.eval(visits).unwrap();
    click(&mut browser, ".go");
    browser.wait_for(&format!("{visits} > 1.2 * {before}")).unwrap();
    click(&mut browser, ".go");
    browser.wait_for(STOPPED).unwrap();
    // Pointing at a move previews it on the board.
    let stones = "document.querySelectorAll('.drawing circle').length";
    let empty = browser.eval(stones).unwrap().as_u64().unwrap();
    let second = ".lines li .move:nth-child(2)";
    let (x, y) = browser.middle(second).unwrap();
    browser.point(x, y).unwrap();
    browser.wait_for(&format!("{stones} >= {}", empty + 2)).unwrap();
    assert!(!text(&mut browser, "location.hash").contains("moves"));
    browser.point(2.0, 2.0).unwrap();
    browser.wait_for(&format!("{stones} === {empty}")).unwrap();
    let line = "[...document.querySelector('.lines .moves').children].slice(0, 2).map(m => m.textContent).join(',')";
    let line = text(&mut browser, line);
    click(&mut browser, second);
    browser.wait_for(&format!("location.hash.includes('/moves/{line}?')")).unwrap();
    // The analysis searches the new position.
    browser.wait_for("document.querySelector('.go').textContent === 'Stop'").unwrap();
    assert!(browser.complaints().is_empty(), "{:?}", browser.complaints());
}

#[test]
fn the_review_lists_blunders_and_leads_to_them() {
    // The second player answers the corner at the edge; the first misses the win that this gives.
    let Some((_served, mut browser)) =
        open("#tictactoe/moves/a1,b1,a2,a3,b2,c2,c1,c3,b3?first=human&second=human")
    else {
        return;
    };
    browser.wait_for("document.querySelector('.drawing svg') !== null").unwrap();
    // The value of the last position is known without a search.
    click(&mut browser, ".history [data-ply='8']");
    browser.wait_for(&at(8)).unwrap();
    assert_eq!(browser.eval("document.querySelectorAll('.graph circle').length").unwrap(), 1);
    click(&mut browser, ".review .begin");
    browser.wait_for("document.querySelectorAll('.faults li').length > 0").unwrap();
    let list = text(&mut browser, "document.querySelector('.faults').textContent");
    assert!(list.contains("move 2, second: b1 turns a draw into a loss"), "{list}");
    assert!(list.contains("move 7, first: c1 turns a win in 1 into a draw"), "{list}");
    assert_eq!(
        browser.eval("document.querySelectorAll('.faults li').length").unwrap(),
        2,
        "{list}"
    );
    assert_eq!(browser.eval("document.querySelectorAll('.graph .blunder').length").unwrap(), 2);
    click(&mut browser, ".faults li:last-child .jump");
    browser.wait_for(&at(6)).unwrap();
    // The board shows the better line without playing it.
    let before = text(&mut browser, DRAWING);
    click(&mut browser, ".faults li:last-child .walk");
    let before = serde_json::to_string(&before).unwrap();
    browser.wait_for(&format!("{DRAWING} !== {before}")).unwrap();
    assert_eq!(browser.eval(&at(6)).unwrap(), true);
    // The graph leads to other positions, by clicks and by keys.
    browser.eval("document.querySelector('.graph').scrollIntoView()").unwrap();
    let edge = "(() => { const r = document.querySelector('.graph').getBoundingClientRect(); return [r.x + 4, r.y + 40]; })()";
    let edge = browser.eval(edge).unwrap();
    browser.click(edge[0].as_f64().unwrap(), edge[1].as_f64().unwrap()).unwrap();
    browser.wait_for(&at(0)).unwrap();
    browser.eval("document.querySelector('.graph').focus()").unwrap();
    browser.press("ArrowRight").unwrap();
    browser.wait_for(&at(1)).unwrap();
    browser.press("PageDown").unwrap();
    browser.wait_for(&at(2)).unwrap();
    let told = "document.querySelector('.graph').getAttribute('aria-valuetext')";
    browser.wait_for(&format!("{told}.includes('after move 2, b1: +1.00 for first')")).unwrap();
    assert!(browser.complaints().is_empty(), "{:?}", browser.complaints());
}

#[test]
fn the_analysis_keeps_the_game_and_its_address() {
    let game = "a1,b2,c3,a3";
    let hash = format!("#tictactoe/moves/{game}?first=human&second=human&clock=5m%2B3s");
    let Some((_served, mut browser)) = open(&hash) else { return };
    browser.wait_for("document.querySelector('.drawing svg') !== null").unwrap();
    let seed = browser.eval("history.state.seed").unwrap();
    assert!(seed.is_u64(), "{seed}");
    click(&mut browser, ".history [data-ply='1']");
    browser.wait_for(&at(1)).unwrap();
    click(&mut browser, ".toggle");
    let whole = format!("location.hash.includes('/moves/{game}?')");
    browser.wait_for(&format!("{whole} && location.hash.includes('analyse=mcts')")).unwrap();
    assert_eq!(browser.eval("history.state.seed").unwrap(), seed);
    // A line from an earlier position becomes a new game; Back returns to this one.
    browser.wait_for("document.querySelector('.lines .move') !== null").unwrap();
    click(&mut browser, ".lines .move");
    browser.wait_for("/moves.a1,[abc][123][?]/.test(location.hash)").unwrap();
    browser.wait_for(&at(2)).unwrap();
    browser.eval("history.back()").unwrap();
    browser.wait_for(&format!("{whole} && {}", at(4))).unwrap();
    assert_eq!(browser.eval("history.state.seed").unwrap(), seed);
}
