//! The page that plays a search, in a real browser without a network.

use std::path::PathBuf;

use serde_json::{Value, json};
use tussle_core::Limits;
use tussle_explain::{Explanation, explain};
use tussle_testkit::browser::{Browser, is_there};

/// A page in a browser. Its file is gone with it.
struct Page {
    browser: Browser,
    file: PathBuf,
    told: Explanation,
}

impl Page {
    /// None where there is no browser.
    fn open(name: &str, game: &str, agent: &str, budget: &Limits) -> Option<Self> {
        if !is_there() {
            return None;
        }
        let game = match game.strip_suffix(".json") {
            Some(_) if game.starts_with('/') => format!("tree:file={game}"),
            Some(_) => {
                format!("tree:file={}/../../examples/trees/{game}", env!("CARGO_MANIFEST_DIR"))
            }
            None => game.to_owned(),
        };
        let game = tussle_catalog::game(&game).unwrap();
        let start = game.start();
        let told = explain(game.as_ref(), start.as_ref(), agent, budget, 1).unwrap();
        let file =
            std::env::temp_dir().join(format!("tussle-page-{name}-{}.html", std::process::id()));
        std::fs::write(&file, told.page(start.as_ref())).unwrap();
        let mut browser = Browser::start(1280, 800).unwrap();
        browser.open(&file).unwrap();
        browser.wait_for("document.querySelector('#count').textContent !== ''").unwrap();
        Some(Self { browser, file, told })
    }

    fn alphabeta(name: &str) -> Option<Self> {
        Self::open(name, "lecture-alphabeta.json", "alphabeta:order=none", &Limits::none())
    }

    /// A tree that is written here.
    fn of_tree(name: &str, text: &str, agent: &str) -> Option<Self> {
        let file =
            std::env::temp_dir().join(format!("tussle-tree-{name}-{}.json", std::process::id()));
        std::fs::write(&file, text).unwrap();
        let page = Self::open(name, file.to_str().unwrap(), agent, &Limits::none());
        std::fs::remove_file(&file).unwrap();
        page
    }

    fn eval(&mut self, script: &str) -> Value {
        self.browser.eval(script).unwrap()
    }

    fn text(&mut self, id: &str) -> String {
        self.eval(&format!("document.getElementById({id:?}).textContent"))
            .as_str()
            .unwrap()
            .to_owned()
    }

    /// Which line it is at.
    fn at(&mut self) -> usize {
        self.text("count").split(' ').next().unwrap().parse().unwrap()
    }

    /// All that the page says. Where one looks from is no part of it.
    fn body(&mut self) -> Value {
        self.eval(
            "['tree', 'now', 'story', 'facts', 'weights', 'board', 'count', 'scrub']
                .map((id) => document.getElementById(id).outerHTML).join('\\n').replace(/viewBox=.[-0-9. ]*./, '') + document.getElementById('scrub').value",
        )
    }

    fn go(&mut self, line: usize) {
        self.eval(&format!(
            "(() => {{ const s = document.getElementById('scrub'); s.value = {line};
             s.dispatchEvent(new Event('input')); }})()"
        ));
    }

    fn line_that_says(&self, text: &str) -> usize {
        self.told.narration().iter().position(|line| line.text.contains(text)).unwrap() + 1
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.file);
        if !std::thread::panicking() {
            assert_eq!(self.browser.complaints(), [""; 0], "no errors in the page");
        }
    }
}

#[test]
fn it_asks_for_nothing_but_itself() {
    let Some(mut page) = Page::alphabeta("alone") else { return };
    page.eval("1");
    let requests = page.browser.requests();
    assert_eq!(requests.len(), 1, "{requests:?}");
    assert!(requests[0].starts_with("file://"));
}

#[test]
fn it_goes_forwards_and_backwards_through_the_same_states() {
    let all = [
        ("lecture-alphabeta.json", "alphabeta:order=none", Limits::none()),
        ("lecture-mcts.json", "mcts:c=2", Limits::nodes(4)),
        ("tictactoe", "ids:depth=2", Limits::none()),
    ];
    for (number, (game, agent, budget)) in all.into_iter().enumerate() {
        let Some(mut page) = Page::open(&format!("both-{number}"), game, agent, &budget) else {
            return;
        };
        let count = page.told.narration().len();
        assert_eq!(page.text("count"), format!("0 / {count}"));
        let mut states = vec![page.body()];
        for line in page.told.narration().iter().take(60) {
            page.browser.press("ArrowRight").unwrap();
            assert_eq!(page.text("now"), line.text);
            states.push(page.body());
        }
        while let Some(state) = states.pop() {
            assert_eq!(page.body(), state, "at {} of {count} in {game}", states.len());
            page.browser.press("ArrowLeft").unwrap();
        }
        assert_eq!(page.at(), 0);
    }
}

#[test]
fn the_tree_in_the_page_is_the_one_in_the_pictures() {
    let Some(mut page) = Page::alphabeta("same") else { return };
    for line in [4, 13, 20, page.told.narration().len()] {
        page.go(line);
        let drawn = page.eval(
            "[...document.querySelectorAll('#tree .slot:not(.f0) text')].map((t) => t.textContent).filter((t) => t)",
        );
        let steps = page.told.narration()[line - 1].steps;
        let scene = page.told.picture(steps);
        let mut texts: Vec<String> = (scene.shapes.iter())
            .filter_map(|shape| match &shape.form {
                tussle_core::Form::Text { text, .. } => Some(text.clone()),
                _ => None,
            })
            .collect();
        let mut drawn: Vec<String> = serde_json::from_value(drawn).unwrap();
        texts.sort();
        drawn.sort();
        assert_eq!(drawn, texts, "after {steps} steps");
    }
}

#[test]
fn it_is_used_with_the_keyboard() {
    let Some(mut page) = Page::alphabeta("keys") else { return };
    let count = page.told.narration().len();
    for (key, at) in [
        ("End", count),
        ("ArrowRight", count),
        ("ArrowLeft", count - 1),
        ("Home", 0),
        ("ArrowLeft", 0),
        ("PageDown", 10),
        ("ArrowDown", 11),
        ("ArrowUp", 10),
        ("PageUp", 0),
    ] {
        page.browser.press(key).unwrap();
        assert_eq!(page.at(), at, "{key}");
    }
    let current = "document.querySelector('#story [aria-current]')?.textContent ?? ''";
    assert_eq!(page.eval(current), "");
    page.go(5);
    assert_eq!(page.eval(current), page.told.narration()[4].text.as_str());
    // The slider has the focus: an arrow is still one step, not two.
    page.eval("document.getElementById('scrub').focus()");
    page.browser.press("ArrowRight").unwrap();
    assert_eq!(page.at(), 6);
    assert_eq!(page.eval("document.getElementById('now').getAttribute('aria-live')"), "polite");
    let theme = "document.documentElement.dataset.theme";
    assert_eq!(page.eval(theme), "light");
    page.browser.press("t").unwrap();
    assert_eq!(page.eval(theme), "dark");
}

#[test]
fn it_plays_and_pauses() {
    let Some(mut page) = Page::alphabeta("play") else { return };
    page.eval("(() => { const s = document.getElementById('speed'); s.value = '20'; })()");
    page.browser.press(" ").unwrap();
    assert_eq!(page.text("play"), "Pause");
    page.browser.wait_for("parseInt(document.getElementById('count').textContent) > 3").unwrap();
    page.browser.press(" ").unwrap();
    assert_eq!(page.text("play"), "Play");
    let at = page.at();
    page.eval("new Promise((done) => setTimeout(done, 300))");
    assert_eq!(page.at(), at, "paused");
    page.browser.press(" ").unwrap();
    let count = page.told.narration().len();
    page.browser
        .wait_for(&format!("document.getElementById('count').textContent.startsWith('{count} ')"))
        .unwrap();
    assert_eq!(page.text("play"), "Play", "it ends with the story");
}

#[test]
fn a_click_on_a_line_goes_there() {
    let Some(mut page) = Page::alphabeta("click") else { return };
    let (x, y) = page.browser.middle("[data-line='7']").unwrap();
    page.browser.click(x, y).unwrap();
    assert_eq!(page.at(), 7);
    let (x, y) = page.browser.middle("#last").unwrap();
    page.browser.click(x, y).unwrap();
    assert_eq!(page.at(), page.told.narration().len());
    assert_eq!(
        page.eval("document.querySelectorAll('#tree .slot.f5').length"),
        4,
        "A, B, D and I are the best line"
    );
}

#[test]
fn who_is_pruned_is_grey_and_says_why() {
    let Some(mut page) = Page::alphabeta("pruned") else { return };
    let slot = page.eval("[...document.querySelectorAll('.slot')].find((g) => g.textContent.startsWith('K')).dataset.slot");
    let selector = format!("[data-slot='{}']", slot.as_str().unwrap());
    let class = format!("document.querySelector({selector:?}).classList.contains('f6')");
    let line = page.line_that_says("K pruned");
    page.go(line - 1);
    assert_eq!(page.eval(&class), false);
    page.go(line);
    assert_eq!(page.eval(&class), true);
    let (x, y) = page.browser.middle(&selector).unwrap();
    page.browser.point(x, y).unwrap();
    let reason = page.told.narration()[line - 1].text.clone();
    page.browser.wait_for("document.querySelector('#facts .why') !== null").unwrap();
    assert!(page.text("facts").contains(&format!("Pruned: {reason}")));
    let title = page
        .eval(&format!("document.querySelector({selector:?}).querySelector('title').textContent"));
    assert!(title.as_str().unwrap().contains(&reason), "{title}");
    page.browser.point(1.0, 1.0).unwrap();
    page.browser.wait_for("document.querySelector('#facts .why') === null").unwrap();
}

#[test]
fn the_board_under_the_pointer_is_drawn() {
    let Some(mut page) = Page::open("board", "tictactoe", "mcts", &Limits::nodes(40)) else {
        return;
    };
    page.browser.press("End").unwrap();
    let node = "document.getElementById('board').dataset.node";
    let stones = "document.querySelectorAll('#board line, #board circle, #board polyline, #board path').length";
    page.go(1);
    let empty = page.eval(stones);
    page.browser.press("End").unwrap();
    let child = page.eval("[...document.querySelectorAll('.slot.min:not(.f0)')][0].dataset.slot");
    let (x, y) =
        page.browser.middle(&format!("[data-slot='{}'] .hit", child.as_str().unwrap())).unwrap();
    page.browser.point(x, y).unwrap();
    page.browser.wait_for(&format!("{node} !== '0'")).unwrap();
    assert_ne!(page.eval(stones), empty, "a stone is on it");
}

#[test]
fn both_terms_of_every_child_are_told() {
    let Some(mut page) = Page::open("terms", "lecture-mcts.json", "mcts:c=2", &Limits::nodes(4))
    else {
        return;
    };
    let line = page.line_that_says("21.6651");
    page.go(line);
    let weights = page.text("weights");
    for number in ["1.6651", "21.6651", "11.6651"] {
        assert!(weights.contains(number), "{number} in {weights}");
    }
    page.browser.press("Home").unwrap();
    assert_eq!(page.text("weights"), "", "nothing is weighed before the first step");
}

#[test]
fn it_fits_a_phone_and_a_projector() {
    let Some(mut page) = Page::open("wide", "go:size=5", "mcts", &Limits::nodes(50)) else {
        return;
    };
    let count = page.told.narration().len();
    for (width, height) in [(360, 740), (768, 1024), (1024, 600), (1920, 1080)] {
        page.browser.resize(width, height).unwrap();
        page.go(count / 2);
        page.browser.wait_for(&format!("innerWidth === {width}")).unwrap();
        let over = page
            .eval("document.documentElement.scrollWidth - document.documentElement.clientWidth");
        assert_eq!(over, 0, "{width} pixels");
        // The place where the search is can be seen.
        let inside = page.eval(
            "(() => { const s = document.getElementById('tree').getBoundingClientRect();
             const n = (document.querySelector('.slot.f3') ?? document.querySelector('.slot')).getBoundingClientRect();
             return n.left >= s.left - 1 && n.right <= s.right + 1 && n.top >= s.top - 1 && n.bottom <= s.bottom + 1; })()",
        );
        assert_eq!(inside, true, "{width} pixels");
    }
}

#[test]
fn one_can_come_closer_and_go_back_to_the_whole() {
    let Some(mut page) = Page::alphabeta("zoom") else { return };
    let view = "document.getElementById('tree').getAttribute('viewBox')";
    let width = |view: &Value| -> f64 {
        view.as_str().unwrap().split(' ').nth(2).unwrap().parse().unwrap()
    };
    page.browser.press("f").unwrap();
    let whole = page.eval(view);
    page.browser.press("+").unwrap();
    let closer = page.eval(view);
    assert!(width(&closer) < width(&whole));
    page.browser.press("f").unwrap();
    assert_eq!(page.eval(view), whole);
    assert_eq!(
        page.eval("document.querySelectorAll('#tree .slot').length"),
        json!(page.told.tree.nodes().len())
    );
}

/// How a node of this name is found in the tree.
fn slot(page: &mut Page, name: &str) -> String {
    let slot = page.eval(&format!(
        "[...document.querySelectorAll('.slot')].find((g) => g.querySelector('text').textContent === {name:?}).dataset.slot"
    ));
    format!("[data-slot='{}']", slot.as_str().unwrap())
}

#[test]
fn who_is_searched_once_more_is_drawn_anew() {
    let tree = r#"{"root": "A", "nodes": {"A": {"max": ["B", "C"]}, "B": 3, "C": {"min": ["D", "E"]},
        "D": {"max": ["F", "G"]}, "E": {"max": ["H", "I"]}, "F": 7, "G": 8, "H": 9, "I": 5}}"#;
    let Some(mut page) = Page::of_tree("again", tree, "alphabeta") else { return };
    let count = page.told.narration().len();
    let pruned = "document.querySelectorAll('#tree .slot.f6').length";
    let again = page.line_that_says("once more");
    page.go(again - 1);
    assert_eq!(page.eval(pruned), 2, "G and I were not needed for the test");
    page.go(again);
    assert_eq!(page.eval(pruned), 0);
    page.go(0);
    let mut states = vec![page.body()];
    for line in 1..=count {
        page.go(line);
        states.push(page.body());
    }
    while let Some(state) = states.pop() {
        assert_eq!(page.body(), state, "at {}", states.len());
        page.browser.press("ArrowLeft").unwrap();
    }
}

#[test]
fn the_node_that_is_told_about_is_the_one_that_stands_out() {
    let all = [
        ("star1.json", "expectimax:prune=star1", Limits::none()),
        ("lecture-mcts.json", "mcts:c=2", Limits::nodes(4)),
    ];
    for (number, (game, agent, budget)) in all.into_iter().enumerate() {
        let Some(mut page) = Page::open(&format!("out-{number}"), game, agent, &budget) else {
            return;
        };
        for (i, line) in page.told.narration().iter().enumerate() {
            let Some(node) = line.node else { continue };
            page.go(i + 1);
            let name = page.told.tree.nodes()[node].name.clone();
            assert!(page.text("facts").starts_with(&format!("{name},")), "{}", line.text);
            let drawn = page.eval(
                "document.querySelector('#tree .slot.f3 text')?.textContent ?? 'the best line'",
            );
            let is_last = line.steps == page.told.steps.len();
            assert!(drawn == name.as_str() || is_last, "{drawn} at {}", line.text);
        }
    }
}

#[test]
fn a_node_is_kept_until_it_is_let_go() {
    let Some(mut page) = Page::alphabeta("keep") else { return };
    let place = slot(&mut page, "F");
    let (x, y) = page.browser.middle(&format!("{place} .hit")).unwrap();
    page.browser.click(x, y).unwrap();
    page.browser.point(1.0, 1.0).unwrap();
    for line in [3, 20, 24] {
        page.go(line);
        assert!(page.text("facts").starts_with("F, MAX decides"), "at {line}");
    }
    let kept = "document.querySelectorAll('.slot.kept').length";
    assert_eq!(page.eval(kept), 1);
    page.browser.press("Escape").unwrap();
    assert!(page.text("facts").starts_with("A, "), "{}", page.text("facts"));
    assert_eq!(page.eval(kept), 0);
    page.browser.click(x, y).unwrap();
    page.browser.click(x, y).unwrap();
    page.browser.point(1.0, 1.0).unwrap();
    page.browser.wait_for("!document.querySelector('#facts .hint')").unwrap();
    assert_eq!(page.eval(kept), 0, "the second click lets go");
}

#[test]
fn an_address_with_a_number_goes_to_that_line() {
    let Some(mut page) = Page::alphabeta("hash") else { return };
    page.eval("location.hash = '#12'");
    page.browser
        .wait_for("document.getElementById('count').textContent.startsWith('12 ')")
        .unwrap();
}

#[test]
fn a_button_let_go_elsewhere_moves_nothing() {
    let Some(mut page) = Page::alphabeta("drag") else { return };
    page.browser.press("+").unwrap();
    let moved = |page: &mut Page, buttons: u8| {
        page.eval(&format!(
            "(() => {{ const tree = document.getElementById('tree'), before = tree.getAttribute('viewBox');
             tree.setPointerCapture = () => {{}}; // nothing is really pressed
             const send = (kind, x, buttons) => tree.dispatchEvent(new PointerEvent(kind,
               {{ pointerId: 1, pointerType: 'mouse', clientX: x, clientY: 200, buttons, bubbles: true }}));
             send('pointerdown', 300, 1);
             for (const x of [310, 330, 360]) send('pointermove', x, {buttons});
             send('pointerup', 360, 0);
             return tree.getAttribute('viewBox') !== before; }})()"
        ))
    };
    assert_eq!(moved(&mut page, 1), true);
    assert_eq!(moved(&mut page, 0), false);
}

#[test]
fn long_names_leave_room_for_the_story() {
    let long = "L".repeat(300);
    let mut nodes: Vec<String> = (0..150)
        .map(|i| format!(r#""n{i}": {{"{}": ["n{}"]}}"#, ["max", "min"][i % 2], i + 1))
        .collect();
    nodes.push(format!(r#""n150": {{"max": ["{long}", "m"]}}, "{long}": 4, "m": 2"#));
    let tree = format!(r#"{{"root": "n0", "nodes": {{{}}}}}"#, nodes.join(", "));
    let Some(mut page) = Page::of_tree("long", &tree, "minimax") else { return };
    let line = page.line_that_says(&long);
    for (width, height) in [(1280, 720), (360, 740)] {
        page.browser.resize(width, height).unwrap();
        page.browser.wait_for(&format!("innerWidth === {width}")).unwrap();
        page.go(line);
        let room = page.eval("document.getElementById('story').clientHeight");
        assert!(room.as_f64().unwrap() > 80.0, "{room} pixels at {width}");
        let over = page
            .eval("document.documentElement.scrollWidth - document.documentElement.clientWidth");
        assert_eq!(over, 0, "{width} pixels");
    }
    assert!(page.text("facts").contains(&long), "the whole name is told");
    let drawn = page.eval(
        "Math.max(...[...document.querySelectorAll('#tree .slot text')].map((t) => t.textContent.length))",
    );
    assert!(drawn.as_u64().unwrap() < 30, "{drawn}");
    let title = page.eval(&format!(
        "[...document.querySelectorAll('#tree title')].some((t) => t.textContent.includes({long:?}))"
    ));
    assert_eq!(title, true);
}

#[test]
fn a_mean_that_counts_is_shown() {
    let Some(mut page) = Page::open("puct", "tictactoe", "mcts:policy=puct", &Limits::nodes(20))
    else {
        return;
    };
    page.browser.press("End").unwrap();
    page.go(
        page.told.narration().iter().rposition(|line| line.text.contains("weighs")).unwrap() + 1
    );
    let rows = page.eval(
        "[...document.querySelectorAll('#weights tbody tr')].map((r) => [...r.cells].map((c) => c.textContent))",
    );
    let rows: Vec<Vec<String>> = serde_json::from_value(rows).unwrap();
    assert!(!rows.is_empty());
    for row in rows {
        assert_eq!(row[2] == "–", row[3] == "∞", "{row:?}");
    }
}
