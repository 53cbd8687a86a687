//! Tests of the step player in a browser without a network.

use std::path::PathBuf;

use serde_json::{Value, json};
use tussle_core::Limits;
use tussle_explain::{Explanation, explain};
use tussle_testkit::browser::{Browser, is_there};

/// Page in a browser. Its file is removed on drop.
struct Page {
    browser: Browser,
    file: PathBuf,
    explanation: Explanation,
}

impl Page {
    /// Opens the page of an explained search; `None` if no browser is installed.
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
        let explanation = explain(game.as_ref(), start.as_ref(), agent, budget, 1).unwrap();
        let file =
            std::env::temp_dir().join(format!("tussle-page-{name}-{}.html", std::process::id()));
        std::fs::write(&file, explanation.page(start.as_ref())).unwrap();
        let mut browser = Browser::start(1280, 800).unwrap();
        browser.open(&file).unwrap();
        browser.wait_for("document.querySelector('#count').textContent !== ''").unwrap();
        Some(Self { browser, file, explanation })
    }

    fn alphabeta(name: &str) -> Option<Self> {
        Self::open(name, "lecture-alphabeta.json", "alphabeta:order=none", &Limits::none())
    }

    /// Opens the page of a search of a tree, given as the text of a tree file.
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

    /// Returns the number of the current line.
    fn at(&mut self) -> usize {
        self.text("count").split(' ').next().unwrap().parse().unwrap()
    }

    /// Returns the HTML of all parts of the page, without the position and zoom of the tree.
    fn content(&mut self) -> Value {
        self.eval(
            "['tree', 'now', 'story', 'facts', 'weights', 'board', 'count', 'scrub']
                .map((id) => document.getElementById(id).outerHTML).join('\\n').replace(/viewBox=.[-0-9. ]*./, '') + document.getElementById('scrub').value",
        )
    }

    fn go_to(&mut self, line: usize) {
        self.eval(&format!(
            "(() => {{ const s = document.getElementById('scrub'); s.value = {line};
             s.dispatchEvent(new Event('input')); }})()"
        ));
    }

    fn line_with(&self, text: &str) -> usize {
        self.explanation.narration().iter().position(|line| line.text.contains(text)).unwrap() + 1
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.file);
        if !std::thread::panicking() {
            assert_eq!(self.browser.complaints(), [""; 0], "the page has errors");
        }
    }
}

#[test]
fn the_page_requests_no_other_file() {
    let Some(mut page) = Page::alphabeta("alone") else { return };
    page.eval("1");
    let requests = page.browser.requests();
    assert_eq!(requests.len(), 1, "{requests:?}");
    assert!(requests[0].starts_with("file://"));
}

#[test]
fn stepping_backwards_shows_the_same_states_as_forwards() {
    let searches = [
        ("lecture-alphabeta.json", "alphabeta:order=none", Limits::none()),
        ("lecture-mcts.json", "mcts:c=2", Limits::nodes(4)),
        ("tictactoe", "ids:depth=2", Limits::none()),
    ];
    for (number, (game, agent, budget)) in searches.into_iter().enumerate() {
        let Some(mut page) = Page::open(&format!("both-{number}"), game, agent, &budget) else {
            return;
        };
        let count = page.explanation.narration().len();
        assert_eq!(page.text("count"), format!("0 / {count}"));
        let mut states = vec![page.content()];
        for line in page.explanation.narration().iter().take(60) {
            page.browser.press("ArrowRight").unwrap();
            assert_eq!(page.text("now"), line.text);
            states.push(page.content());
        }
        while let Some(state) = states.pop() {
            assert_eq!(page.content(), state, "at {} of {count} in {game}", states.len());
            page.browser.press("ArrowLeft").unwrap();
        }
        assert_eq!(page.at(), 0);
    }
}

#[test]
fn the_tree_in_the_page_has_the_texts_of_the_pictures() {
    let Some(mut page) = Page::alphabeta("same") else { return };
    for line in [4, 13, 20, page.explanation.narration().len()] {
        page.go_to(line);
        let drawn = page.eval(
            "[...document.querySelectorAll('#tree .slot:not(.f0) text')].map((t) => t.textContent).filter((t) => t)",
        );
        let steps = page.explanation.narration()[line - 1].steps;
        let scene = page.explanation.picture(steps);
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
fn the_keyboard_controls_the_page() {
    let Some(mut page) = Page::alphabeta("keys") else { return };
    let count = page.explanation.narration().len();
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
    page.go_to(5);
    assert_eq!(page.eval(current), page.explanation.narration()[4].text.as_str());
    // With the focus on the slider, an arrow key is still one step, not two.
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
fn the_space_key_plays_and_pauses() {
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
    let count = page.explanation.narration().len();
    page.browser
        .wait_for(&format!("document.getElementById('count').textContent.startsWith('{count} ')"))
        .unwrap();
    assert_eq!(page.text("play"), "Play", "playing stops at the last line");
}

#[test]
fn a_click_on_a_line_goes_to_it() {
    let Some(mut page) = Page::alphabeta("click") else { return };
    let (x, y) = page.browser.middle("[data-line='7']").unwrap();
    page.browser.click(x, y).unwrap();
    assert_eq!(page.at(), 7);
    let (x, y) = page.browser.middle("#last").unwrap();
    page.browser.click(x, y).unwrap();
    assert_eq!(page.at(), page.explanation.narration().len());
    assert_eq!(
        page.eval("document.querySelectorAll('#tree .slot.f5').length"),
        4,
        "the best line must be A, B, D and I"
    );
}

#[test]
fn pruned_nodes_are_grey_and_show_the_reason() {
    let Some(mut page) = Page::alphabeta("pruned") else { return };
    let slot = page.eval("[...document.querySelectorAll('.slot')].find((g) => g.textContent.startsWith('K')).dataset.slot");
    let selector = format!("[data-slot='{}']", slot.as_str().unwrap());
    let class = format!("document.querySelector({selector:?}).classList.contains('f6')");
    let line = page.line_with("K pruned");
    page.go_to(line - 1);
    assert_eq!(page.eval(&class), false);
    page.go_to(line);
    assert_eq!(page.eval(&class), true);
    let (x, y) = page.browser.middle(&selector).unwrap();
    page.browser.point(x, y).unwrap();
    let reason = page.explanation.narration()[line - 1].text.clone();
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
    let Some(mut page) = Page::open("board", "tictactoe", "mcts-textbook", &Limits::nodes(40))
    else {
        return;
    };
    page.browser.press("End").unwrap();
    let node = "document.getElementById('board').dataset.node";
    let stones = "document.querySelectorAll('#board line, #board circle, #board polyline, #board path').length";
    page.go_to(1);
    let empty = page.eval(stones);
    page.browser.press("End").unwrap();
    let child = page.eval("[...document.querySelectorAll('.slot.min:not(.f0)')][0].dataset.slot");
    let (x, y) =
        page.browser.middle(&format!("[data-slot='{}'] .hit", child.as_str().unwrap())).unwrap();
    page.browser.point(x, y).unwrap();
    page.browser.wait_for(&format!("{node} !== '0'")).unwrap();
    assert_ne!(page.eval(stones), empty, "the board of the child has a stone");
}

#[test]
fn both_terms_of_the_weight_of_every_child_are_shown() {
    let Some(mut page) = Page::open("terms", "lecture-mcts.json", "mcts:c=2", &Limits::nodes(4))
    else {
        return;
    };
    let line = page.line_with("21.6651");
    page.go_to(line);
    let weights = page.text("weights");
    for number in ["1.6651", "21.6651", "11.6651"] {
        assert!(weights.contains(number), "{number} in {weights}");
    }
    page.browser.press("Home").unwrap();
    assert_eq!(page.text("weights"), "", "no weights before the first step");
}

#[test]
fn the_page_fits_on_a_phone_and_a_projector() {
    let Some(mut page) = Page::open("wide", "go:size=5", "mcts-textbook", &Limits::nodes(50))
    else {
        return;
    };
    let count = page.explanation.narration().len();
    for (width, height) in [(360, 740), (768, 1024), (1024, 600), (1920, 1080)] {
        page.browser.resize(width, height).unwrap();
        page.go_to(count / 2);
        page.browser.wait_for(&format!("innerWidth === {width}")).unwrap();
        let over = page
            .eval("document.documentElement.scrollWidth - document.documentElement.clientWidth");
        assert_eq!(over, 0, "{width} pixels");
        // The current node is visible.
        let inside = page.eval(
            "(() => { const s = document.getElementById('tree').getBoundingClientRect();
             const n = (document.querySelector('.slot.f3') ?? document.querySelector('.slot')).getBoundingClientRect();
             return n.left >= s.left - 1 && n.right <= s.right + 1 && n.top >= s.top - 1 && n.bottom <= s.bottom + 1; })()",
        );
        assert_eq!(inside, true, "{width} pixels");
    }
}

#[test]
fn keys_zoom_in_and_fit_the_whole_tree() {
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
        json!(page.explanation.tree.nodes().len())
    );
}

/// Returns the selector of the node with this name.
fn slot(page: &mut Page, name: &str) -> String {
    let slot = page.eval(&format!(
        "[...document.querySelectorAll('.slot')].find((g) => g.querySelector('text').textContent === {name:?}).dataset.slot"
    ));
    format!("[data-slot='{}']", slot.as_str().unwrap())
}

#[test]
fn a_second_search_of_a_node_resets_its_subtree() {
    let tree = r#"{"root": "A", "nodes": {"A": {"max": ["B", "C"]}, "B": 3, "C": {"min": ["D", "E"]},
        "D": {"max": ["F", "G"]}, "E": {"max": ["H", "I"]}, "F": 7, "G": 8, "H": 9, "I": 5}}"#;
    let Some(mut page) = Page::of_tree("again", tree, "alphabeta") else { return };
    let count = page.explanation.narration().len();
    let pruned = "document.querySelectorAll('#tree .slot.f6').length";
    let again = page.line_with("searched again");
    page.go_to(again - 1);
    assert_eq!(page.eval(pruned), 2, "the null window pruned G and I");
    page.go_to(again);
    assert_eq!(page.eval(pruned), 0);
    page.go_to(0);
    let mut states = vec![page.content()];
    for line in 1..=count {
        page.go_to(line);
        states.push(page.content());
    }
    while let Some(state) = states.pop() {
        assert_eq!(page.content(), state, "at {}", states.len());
        page.browser.press("ArrowLeft").unwrap();
    }
}

#[test]
fn the_node_of_the_current_line_is_highlighted() {
    let searches = [
        ("star1.json", "expectimax:prune=star1", Limits::none()),
        ("lecture-mcts.json", "mcts:c=2", Limits::nodes(4)),
    ];
    for (number, (game, agent, budget)) in searches.into_iter().enumerate() {
        let Some(mut page) = Page::open(&format!("out-{number}"), game, agent, &budget) else {
            return;
        };
        for (i, line) in page.explanation.narration().iter().enumerate() {
            let Some(node) = line.node else { continue };
            page.go_to(i + 1);
            let name = page.explanation.tree.nodes()[node].name.clone();
            assert!(page.text("facts").starts_with(&format!("{name},")), "{}", line.text);
            let drawn = page.eval(
                "document.querySelector('#tree .slot.f3 text')?.textContent ?? 'the best line'",
            );
            let is_last = line.steps == page.explanation.steps.len();
            assert!(drawn == name.as_str() || is_last, "{drawn} at {}", line.text);
        }
    }
}

#[test]
fn a_clicked_node_stays_selected_until_released() {
    let Some(mut page) = Page::alphabeta("keep") else { return };
    let place = slot(&mut page, "F");
    let (x, y) = page.browser.middle(&format!("{place} .hit")).unwrap();
    page.browser.click(x, y).unwrap();
    page.browser.point(1.0, 1.0).unwrap();
    for line in [3, 20, 24] {
        page.go_to(line);
        assert!(page.text("facts").starts_with("F, MAX to move"), "at {line}");
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
    assert_eq!(page.eval(kept), 0, "the second click must release the node");
}

#[test]
fn a_number_in_the_address_goes_to_that_line() {
    let Some(mut page) = Page::alphabeta("hash") else { return };
    page.eval("location.hash = '#12'");
    page.browser
        .wait_for("document.getElementById('count').textContent.startsWith('12 ')")
        .unwrap();
}

#[test]
fn a_button_released_outside_the_page_ends_dragging() {
    let Some(mut page) = Page::alphabeta("drag") else { return };
    page.browser.press("+").unwrap();
    let moved = |page: &mut Page, buttons: u8| {
        page.eval(&format!(
            "(() => {{ const tree = document.getElementById('tree'), before = tree.getAttribute('viewBox');
             tree.setPointerCapture = () => {{}}; // no pointer is really pressed
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
fn long_names_leave_space_for_the_narration() {
    let long = "L".repeat(300);
    let mut nodes: Vec<String> = (0..150)
        .map(|i| format!(r#""n{i}": {{"{}": ["n{}"]}}"#, ["max", "min"][i % 2], i + 1))
        .collect();
    nodes.push(format!(r#""n150": {{"max": ["{long}", "m"]}}, "{long}": 4, "m": 2"#));
    let tree = format!(r#"{{"root": "n0", "nodes": {{{}}}}}"#, nodes.join(", "));
    let Some(mut page) = Page::of_tree("long", &tree, "minimax") else { return };
    let line = page.line_with(&long);
    for (width, height) in [(1280, 720), (360, 740)] {
        page.browser.resize(width, height).unwrap();
        page.browser.wait_for(&format!("innerWidth === {width}")).unwrap();
        page.go_to(line);
        let room = page.eval("document.getElementById('story').clientHeight");
        assert!(room.as_f64().unwrap() > 80.0, "{room} pixels at {width}");
        let over = page
            .eval("document.documentElement.scrollWidth - document.documentElement.clientWidth");
        assert_eq!(over, 0, "{width} pixels");
    }
    assert!(page.text("facts").contains(&long), "the facts must have the complete name");
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
fn the_weights_show_a_mean_for_every_visited_child() {
    let Some(mut page) =
        Page::open("puct", "tictactoe", "mcts-textbook:policy=puct", &Limits::nodes(20))
    else {
        return;
    };
    page.browser.press("End").unwrap();
    page.go_to(
        page.explanation
            .narration()
            .iter()
            .rposition(|line| line.text.contains("compares"))
            .unwrap()
            + 1,
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
