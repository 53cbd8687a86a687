//! Explain page: the step player in its frame, and the tree explorer.

use serde_json::json;
use tussle_testkit::browser::Browser;

use crate::served::open;

/// Script: the document in the frame, if it is loaded.
const FRAME: &str = "document.querySelector('iframe')?.contentDocument";

fn framed(browser: &mut Browser, selector: &str) -> String {
    let there = format!("Boolean({FRAME}?.querySelector({selector:?})?.textContent)");
    browser.wait_for(&there).unwrap();
    let text = browser.eval(&format!("{FRAME}.querySelector({selector:?}).textContent")).unwrap();
    text.as_str().unwrap_or_default().to_owned()
}

fn go(browser: &mut Browser, hash: &str) {
    browser.eval(&format!("location.hash = {hash:?}")).unwrap();
}

#[test]
fn the_step_player_steps_through_a_lecture_tree() {
    let Some((_served, mut browser)) = open("#explain") else { return };
    browser.wait_for("document.querySelectorAll('.card').length > 8").unwrap();
    let (x, y) = browser.middle(".card").unwrap();
    browser.click(x, y).unwrap();
    let answer = framed(&mut browser, "#answer");
    assert!(answer.contains("B, worth 8 to MAX"), "{answer}");
    // Arrow keys reach the step player.
    browser.press("ArrowRight").unwrap();
    browser
        .wait_for(&format!("{FRAME}.querySelector('#count').textContent.startsWith('1 ')"))
        .unwrap();
    browser.press("End").unwrap();
    browser
        .wait_for(&format!("/^(\\d+) \\/ \\1$/.test({FRAME}.querySelector('#count').textContent)"))
        .unwrap();
    let story = framed(&mut browser, "#story");
    assert!(story.contains("K pruned") && story.contains("G with N and O pruned"), "{story}");
    assert!(!story.contains("depth 1"), "the lecture searches to the end at once: {story}");

    // The frame follows the theme of the page.
    for theme in ["light", "dark"] {
        browser.eval("document.getElementById('theme').click()").unwrap();
        let same = format!(
            "document.documentElement.dataset.theme === {theme:?} && {FRAME}.documentElement.dataset.theme === {theme:?}"
        );
        browser.wait_for(&same).unwrap();
    }
    assert!(browser.complaints().is_empty(), "{:?}", browser.complaints());
}

#[test]
fn positions_are_explained_or_the_page_says_why_not() {
    let Some((_served, mut browser)) =
        open("#explain/go:size=5/moves/C3?agent=mcts-textbook&nodes=40")
    else {
        return;
    };
    assert_eq!(framed(&mut browser, "#title"), "mcts-textbook searches go:size=5");
    assert!(framed(&mut browser, "#note").contains("It took 40 simulations"));
    go(&mut browser, "#explain/tree:file=ucb1-exercise");
    browser
        .wait_for(&format!(
            "{FRAME}?.querySelector('pre')?.textContent.includes('So d is 1/5.') === true"
        ))
        .unwrap();
    assert!(browser.complaints().is_empty(), "{:?}", browser.complaints());

    // The address contains the user's own tree.
    let own = r#"{"root":"A","nodes":{"A":{"max":["B","C"]},"B":3,"C":{"stats":null}}}"#;
    go(&mut browser, &format!("#explain/tree?agent=minimax&text={}", own.replace('"', "%22")));
    browser
        .wait_for(&format!(
            "{FRAME}?.querySelector('.why')?.textContent.includes('no value: C') === true"
        ))
        .unwrap();
    go(&mut browser, "#explain/go:size=5?agent=minmax");
    browser.wait_for(&format!("{FRAME}?.querySelector('.why')?.textContent.includes('did you mean `minimax`') === true")).unwrap();
    go(&mut browser, "#explain/tictactoe/moves/z9");
    browser
        .wait_for(
            "document.querySelector('.explained .wrong')?.textContent.includes('z9') === true",
        )
        .unwrap();

    // In a finished game the page links to the last position that can be explained.
    go(&mut browser, "#explain/tictactoe/moves/a1,b1,a2,b2,a3");
    browser
        .wait_for("document.querySelector('.explained')?.textContent.includes('over') === true")
        .unwrap();
    browser.eval("document.querySelector('.pill').click()").unwrap();
    assert!(framed(&mut browser, "#answer").contains("a3"));
}

/// Sets the slider of the exploration constant.
fn set_c(browser: &mut Browser, c: f64) {
    let script = format!(
        "(() => {{ const c = document.querySelector('input.c'); c.value = {c}; c.dispatchEvent(new Event('input')); }})()"
    );
    browser.eval(&script).unwrap();
}

/// Script: the children of the root, each as path, visits, mean and whether it is marked as next.
const CHILDREN: &str = "[...document.querySelectorAll('.node[aria-level=\"2\"]')].map((row) => \
    [row.dataset.path, Number(row.dataset.visits), Number(row.dataset.mean), row.classList.contains('next')])";

#[test]
fn the_explorer_computes_the_selection_of_the_search() {
    let Some((_served, mut browser)) =
        open("#explain/go:size=5/moves/C3?agent=mcts-textbook:untried=listed&nodes=400&view=tree")
    else {
        return;
    };
    browser.wait_for("document.querySelectorAll('.node[aria-level=\"2\"]').length > 20").unwrap();
    let differ = "[...document.querySelectorAll('.node[data-told]')].filter((row) => row.dataset.bonus && \
                  Math.abs(row.dataset.bonus - row.dataset.told) > 1e-9).length";
    assert_eq!(browser.eval(differ).unwrap(), json!(0));

    // The marked child gets the next simulation.
    let marked = format!("{CHILDREN}.filter((row) => row[3])");
    let before = browser.eval(&marked).unwrap();
    assert_eq!(before.as_array().map(Vec::len), Some(1));
    browser.eval("document.querySelector('[data-more=\"1\"]').click()").unwrap();
    browser.wait_for("document.querySelector('.status').textContent.startsWith('401 ')").unwrap();
    let (path, visits) = (before[0][0].as_str().unwrap(), before[0][1].as_f64().unwrap());
    let after = format!("{CHILDREN}.find((row) => row[0] === {path:?})[1]");
    assert_eq!(browser.eval(&after).unwrap().as_f64(), Some(visits + 1.0));

    set_c(&mut browser, 0.0);
    let best = format!(
        "(() => {{ const all = {CHILDREN}; const next = all.find((row) => row[3]); \
         return next[2] === Math.max(...all.map((row) => row[2])); }})()"
    );
    assert_eq!(browser.eval(&best).unwrap(), json!(true), "without a bonus the best mean is next");

    // Arrow keys move through the tree, and an opened node fetches its children.
    browser.eval("document.querySelector('[aria-selected=\"true\"]').focus()").unwrap();
    browser.press("ArrowDown").unwrap();
    browser.press("ArrowRight").unwrap();
    browser.wait_for("document.querySelectorAll('.node[aria-level=\"3\"]').length > 3").unwrap();
    assert_eq!(
        browser.eval(differ).unwrap().as_f64().map(|n| n > 0.0),
        Some(true),
        "c is 0 by now"
    );
    browser.press("ArrowLeft").unwrap();
    browser.wait_for("document.querySelectorAll('.node[aria-level=\"3\"]').length === 0").unwrap();

    go(&mut browser, "#explain/go:size=5/moves/C3?agent=mcts-textbook:c=100&nodes=410&view=tree");
    browser
        .wait_for("document.querySelector('.status')?.textContent.startsWith('410 ') === true")
        .unwrap();
    set_c(&mut browser, 200.0);
    let least = format!(
        "(() => {{ const all = {CHILDREN}; const next = all.find((row) => row[3]); \
         return next[1] === Math.min(...all.map((row) => row[1])); }})()"
    );
    assert_eq!(
        browser.eval(&least).unwrap(),
        json!(true),
        "with a large bonus the least visited is next"
    );
    assert!(browser.complaints().is_empty(), "{:?}", browser.complaints());
}
