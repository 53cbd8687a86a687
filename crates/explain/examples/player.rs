//! Writes pages of searches to a directory, to be looked at: `player DIR [NAME]`. For a named search it writes the
//! frames too.

use std::error::Error;
use std::path::PathBuf;

use tussle_core::Limits;
use tussle_explain::explain;
use tussle_view::Theme;

/// The file's name, the game, the moves, the agent, the nodes it may spend.
const PAGES: [(&str, &str, &str, &str, Option<u64>); 12] = [
    ("alphabeta", "tree:file=lecture-alphabeta", "", "alphabeta:order=none", None),
    ("mcts", "tree:file=lecture-mcts", "", "mcts:c=2", Some(4)),
    ("star1", "tree:file=star1", "", "expectimax:prune=star1", None),
    ("coin", "tree:file=coin", "", "expectimax", None),
    ("kplayer", "tree:file=kplayer", "", "maxn", None),
    ("ucb1", "tree:file=ucb1-exercise", "", "mcts:c=1.4142", Some(2)),
    ("ids", "tictactoe", "", "ids:depth=3", None),
    ("gobblet", "gobblet", "3", "alphabeta-textbook:depth=2", None),
    ("go", "go:size=5", "", "mcts-textbook", Some(200)),
    ("pentago", "pentago-twist", "", "mcts-textbook", Some(100)),
    ("keep", "keep-on-moving:file=triangle", "", "maxn:depth=3", None),
    ("backgammon", "backgammon", "1", "expectimax:depth=2", None),
];

fn main() -> Result<(), Box<dyn Error>> {
    let dir = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| "pages".to_owned()));
    let only = std::env::args().nth(2);
    std::fs::create_dir_all(&dir)?;
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    for (name, game, moves, agent, nodes) in PAGES {
        if only.as_ref().is_some_and(|only| only != name) {
            continue;
        }
        let spec = match game.split_once("file=") {
            Some(("tree:", file)) => format!("tree:file={examples}/trees/{file}.json"),
            Some((kind, file)) => format!("{kind}file={examples}/boards/{file}.txt"),
            None => game.to_owned(),
        };
        let game = tussle_catalog::game(&spec)?;
        let mut position = game.start();
        match moves.parse::<usize>() {
            // A number of moves of some game.
            Ok(count) => {
                for turn in 0..count {
                    let moves = position.moves();
                    position.play(&moves[(7 * turn + 3) % moves.len()])?;
                }
            }
            Err(_) => moves.split_whitespace().try_for_each(|mv| position.play(mv))?,
        }
        let budget = nodes.map_or_else(Limits::none, Limits::nodes);
        match explain(game.as_ref(), position.as_ref(), agent, &budget, 1) {
            Ok(told) => {
                let page = told.page(position.as_ref());
                let file = dir.join(format!("{name}.html"));
                println!(
                    "{}: {} kB, {} steps, {} nodes",
                    file.display(),
                    page.len() / 1000,
                    told.steps.len(),
                    told.tree.nodes().len()
                );
                std::fs::write(file, page)?;
                if only.is_some() {
                    let written = told.frames(&dir.join(name), Theme::Light)?;
                    println!("{} frames", written.files.len());
                }
            }
            Err(error) => println!("{name}: {error}"),
        }
    }
    Ok(())
}
