//! Runs the fuzz targets on mutated examples. The fuzzers in `fuzz/` run them on more input.

use std::fs;

use tussle_catalog::book::{Book, BookLimits, Opening, Recipe, openings};
use tussle_catalog::game;
use tussle_core::{Rng, StopFlag};
use tussle_testkit::data::{data_files, enter_repository};
use tussle_testkit::fuzz;

/// Runs a target on every seed, and on many mutated copies of seeds.
fn run_target(target: fn(&[u8]), seeds: &[String], rounds: usize) {
    let mut rng = Rng::new(6);
    for seed in seeds {
        target(seed.as_bytes());
    }
    for _ in 0..rounds {
        let mut bytes = seeds[rng.below(seeds.len())].clone().into_bytes();
        for _ in 0..=rng.below(4) {
            mutate(&mut bytes, seeds, &mut rng);
        }
        target(&bytes);
    }
}

/// Characters of the formats, for insertions.
const INSERTED: &[u8] = b" .,:;=/#|0129xoBXOW@-\n(){}[]\\\"";

fn mutate(bytes: &mut Vec<u8>, seeds: &[String], rng: &mut Rng) {
    let at = rng.below(bytes.len() + 1);
    let end = at + rng.below(bytes.len() - at + 1);
    match rng.below(5) {
        0 => bytes.truncate(at),
        1 => drop(bytes.drain(at..end)),
        2 => bytes.insert(at, INSERTED[rng.below(INSERTED.len())]),
        3 => {
            let copy = bytes[at..end].to_vec();
            bytes.splice(at..at, copy);
        }
        _ => {
            let other = seeds[rng.below(seeds.len())].as_bytes();
            let from = rng.below(other.len() + 1);
            bytes.splice(at..end, other[from..].iter().copied());
        }
    }
}

fn specs() -> Vec<String> {
    data_files().into_iter().flat_map(|(_, d)| d.variants).map(|v| v.spec).collect()
}

/// Returns `text` of every position of one random game of each variant.
fn game_texts(text: impl Fn(&dyn tussle_catalog::AnyPosition) -> String) -> Vec<String> {
    let mut rng = Rng::new(8);
    let mut texts = Vec::new();
    for spec in specs() {
        let mut position = game(&spec).unwrap().start();
        while !position.moves().is_empty() {
            let moves = position.moves();
            position.play(&moves[rng.below(moves.len())]).unwrap();
            texts.push(text(position.as_ref()));
        }
    }
    texts
}

#[test]
fn spec_strings_never_panic() {
    let mut seeds = specs();
    seeds.extend(["greedy:eval=pairs,ties=last", "script:moves=a1,b2", "x:y=z"].map(String::from));
    seeds.extend(
        ["mcts:c=sqrt(2)/7", "go:komi=-sqrt(4)/4", "alphabeta:draw=2*sqrt2"].map(String::from),
    );
    run_target(fuzz::spec, &seeds, 20_000);
}

#[test]
fn position_texts_never_panic() {
    run_target(fuzz::position, &game_texts(|position| position.text()), 100_000);
}

#[test]
fn move_texts_never_panic() {
    run_target(fuzz::moves, &game_texts(|position| position.history().join(" ")), 3_000);
}

#[test]
fn board_files_never_panic() {
    enter_repository();
    let seeds = ["1.2\n...\n", "1#.\n.#2\n3..\n", "12\r\n..\r\n", "....1\n####.\n2...3\n4....\n"];
    run_target(fuzz::board_file, &seeds.map(String::from), 20_000);
}

#[test]
fn tree_files_never_panic() {
    let folder = enter_repository().join("examples/trees");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let seeds: Vec<String> = files.map(|path| fs::read_to_string(path).unwrap()).collect();
    assert!(seeds.len() >= 4);
    run_target(fuzz::tree_file, &seeds, 20_000);
}

#[test]
fn sgf_files_never_panic() {
    let seeds = [
        "(;GM[1]FF[4]SZ[5]KM[0.5]RE[B+R]C[a \\] b];B[cc];W[bb](;B[tt];W[ae](;B[aa]))(;B[dd]))",
        "(;SZ[9:3]HA[2]AB[aa][ca:cb]AW[ee]AE[ca];W[ee];B[];W[])",
        "(;SZ[5]KM[-1]TUSSLE[go:superko=off][..X../...../...../...../..... O - 0 3]AB[ca];W[aa])",
    ];
    run_target(fuzz::sgf_file, &seeds.map(String::from), 20_000);
}

#[test]
fn book_files_never_panic() {
    let seeds: Vec<String> = [("tictactoe", "minimax:depth=3", 2), ("connect4", "greedy", 1)]
        .into_iter()
        .map(|(spec, agent, plies)| book_of(spec, agent, plies).text())
        .collect();
    run_target(fuzz::book_file, &seeds, 20_000);
}

#[test]
fn tournament_files_never_panic() {
    let seeds = [
        "game = \"tictactoe\"\nrounds = 3\nclock = \"1s+0s\"\nmemory = \"5MB\"\nagents = [\"random\", \"greedy\"]\n",
        "game = [\"go\", \"connect4:width=4..6\"]\nformat = \"gauntlet\"\nopening-plies = 2\nseed = 9\n\
         [[agents]]\nname = \"a\"\nagent = \"random\"\n[[agents]]\nagent = \"mcts:nodes=5\"\n",
    ];
    run_target(fuzz::tournament_file, &seeds.map(String::from), 5_000);
}

#[test]
fn engine_input_never_panics() {
    let ugi = [
        "ugi\nisready\nuginewgame\nposition startpos moves 4 4\ngo depth 2\nstop\nquery result\nquit\n",
        "position fen ....../....../....../....../......./....... x\ngo movetime 1 nodes 9\nd\n",
        "go p1time 20 p2time 30 p1inc 1 p2inc 2\nposition startpos moves 1 2 3\nquery p1turn\n",
    ];
    run_target(fuzz::ugi_input, &ugi.map(String::from), 3_000);
    let gtp = [
        "1 protocol_version\nboardsize 5\nclear_board\nkomi 0.5\nplay b C3\n7 genmove white\nundo\n",
        "list_commands\ntime_settings 30 5 2\ntime_left b 3 0\ngenmove b\nshowboard\nfinal_score\n",
        "lz-analyze b 10\nknown_command play\nplay w pass\nplay w A1 # twice\nquit\n",
    ];
    run_target(fuzz::gtp_input, &gtp.map(String::from), 3_000);
}

fn book_of(spec: &str, agent: &str, plies: u32) -> Book {
    let (game, stop) = (game(spec).unwrap(), StopFlag::default());
    let recipe = Recipe::new(game.as_ref(), agent, BookLimits::default(), 1, plies);
    let openings = openings(game.as_ref(), plies, &stop).unwrap();
    let ask = |opening: &Opening| {
        let mut agent = game.agent(&recipe.agent, recipe.seed_for(opening)).unwrap();
        recipe.ask(agent.as_mut(), opening, &stop).unwrap().unwrap()
    };
    let entries = openings.iter().map(ask).collect();
    Book::new(recipe, entries, true)
}
