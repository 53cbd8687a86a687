//! Takes screenshots of every page, light and dark, wide and narrow: `screenshots FOLDER [NAME]`.
//!
//! Use it for the pictures of the book, and to check all pages after a change.

use std::path::{Path, PathBuf};

use tussle_arena::{Contestant, Store, Tournament, TournamentSpec, run};
use tussle_core::StopFlag;
use tussle_engine::Guard;
use tussle_testkit::browser::Browser;
use tussle_web::{Options, Server};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Screenshot of a page: name, address, and a script that must be true before the screenshot is taken.
type Shot = (&'static str, &'static str, &'static str);

const SHOTS: &[Shot] = &[
    ("new-game", "#", "!!document.querySelector('form, dialog')"),
    ("go", "#go:size=5/moves/C3,D3,D2,C2?second=mcts&analyse=mcts&heat=visits", VISITS),
    ("gobblet", "#gobblet/moves/B1@4,B1@0,M1@8?first=human&second=human", BOARD),
    ("pentago-twist", "#pentago-twist?first=human&second=human", BOARD),
    ("backgammon", "#backgammon?first=human&second=level-3&seed=3", BOARD),
    ("keep-on-moving", "#keep-on-moving:board=4?first=human&second=level-3", BOARD),
    ("explain", "#explain", "document.querySelectorAll('main a, main button').length > 5"),
    ("explain-tree", "#explain/tree:file=lecture-alphabeta?agent=alphabeta", FRAME),
    (
        "explorer",
        "#explain/go:size=5?agent=mcts&nodes=2000&view=tree",
        "!!document.querySelector('[role=tree]')",
    ),
    ("tournaments", "#tournaments", "document.body.textContent.includes('field')"),
    ("tournament", "#tournaments/field.db", "document.querySelectorAll('table').length > 1"),
    ("replay", "#tournaments/field.db/game/3/6", BOARD),
];

const BOARD: &str = "document.querySelectorAll('.board svg').length > 1";
const VISITS: &str =
    "document.querySelector('.board .drawing')?.textContent.includes('%') ?? false";
const FRAME: &str = "!!document.querySelector('iframe')?.contentDocument?.querySelector('svg')";

/// Width, height and suffix of the name.
const SIZES: &[(u32, u32, &str)] = &[(1280, 860, ""), (390, 844, "-phone")];

fn main() -> Result<()> {
    let mut args = std::env::args().skip(1);
    let folder = PathBuf::from(args.next().ok_or("screenshots FOLDER [NAME]")?);
    let only = args.next();
    std::fs::create_dir_all(&folder)?;
    let stores = std::env::temp_dir().join(format!("tussle-screenshots-{}", std::process::id()));
    std::fs::create_dir_all(&stores)?;
    play_field(&stores.join("field.db"))?;
    let server = Server::bind(Options { stores: stores.clone(), ..Options::default() })?;
    let url = format!("http://{}", server.address());
    let stop = StopFlag::default();
    let raised = stop.clone();
    let serving = std::thread::spawn(move || server.run(&raised));
    for &(width, height, suffix) in SIZES {
        for theme in ["light", "dark"] {
            let mut browser = Browser::start(width, height)?;
            browser.prefer(theme)?;
            for (name, address, ready) in SHOTS {
                if only.as_deref().is_some_and(|only| only != *name) {
                    continue;
                }
                browser.visit("about:blank")?;
                browser.visit(&format!("{url}/{address}"))?;
                if let Err(error) = browser.wait_for(ready) {
                    eprintln!("{name}: {error}");
                }
                // Let searches run for a moment and animations end.
                browser.eval("new Promise(done => setTimeout(done, 1500))")?;
                let file = folder.join(format!("{name}{suffix}-{theme}.png"));
                browser.screenshot(&file)?;
                println!("{}", file.display());
            }
            for complaint in browser.complaints() {
                eprintln!("{theme} {width}: {complaint}");
            }
        }
    }
    stop.stop();
    serving.join().map_err(|_| "the server panicked")??;
    std::fs::remove_dir_all(stores)?;
    Ok(())
}

/// Plays a tournament for the screenshots.
fn play_field(path: &Path) -> Result<()> {
    let agents = ["random", "greedy", "level-2", "level-3", "level-5"];
    let agents = agents.iter().map(|agent| Contestant::new(*agent, *agent)).collect();
    let mut config = TournamentSpec::new(vec!["connect4".to_owned()], agents);
    (config.rounds, config.opening_plies, config.nodes) = (4, 2, Some(500));
    let tournament = Tournament::new(config, &tussle_catalog::Catalog::standard())?;
    let mut store = Store::open_or_create(path, tournament.spec())?;
    let guard = Guard::none();
    run(&tournament, &mut store, &guard, 1, &StopFlag::default(), &mut |_| {})?;
    Ok(())
}
