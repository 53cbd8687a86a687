//! Claims about the best known agents of the standard games.

use tussle_catalog::{AnyGame, Catalog, Entry, PRESETS, Spec, TunedAgent, game, game_from_text};
use tussle_games::{Connect4, TicTacToe};

/// Variants of all games with different capabilities.
const VARIANTS: [&str; 13] = [
    "tictactoe",
    "connect4",
    "connect4:width=4,height=4,connect=3",
    "gobblet:steps=20",
    "go",
    "go:size=9,utility=margin",
    "go:size=13,superko=positional",
    "keep-on-moving:board=4",
    "pentago-twist",
    "pentago",
    "pentago:early=off",
    "backgammon",
    "backgammon:score=win",
];

fn three_players() -> std::sync::Arc<dyn AnyGame> {
    game_from_text("keep-on-moving", "file", "1...2\n.....\n3....\n").unwrap()
}

#[test]
fn every_tuned_spec_is_a_textbook_agent_of_its_game_and_all_its_keys_are_used() {
    let catalog = Catalog::standard();
    for entry in catalog.games() {
        for agent in entry.tuned {
            let spec = Spec::parse(agent.spec).unwrap();
            match agent.name {
                "best" => {
                    assert!(catalog.expanded(agent.spec).is_ok(), "{}: {agent:?}", entry.name);
                }
                name => {
                    assert_eq!(spec.name, format!("{name}-textbook"), "{}: {agent:?}", entry.name);
                }
            }
            if entry.name == "tree" {
                continue; // it needs a file
            }
            // Each row is checked in a variant that has it.
            let variant = match agent.variant {
                "larger boards" => "go:size=9",
                _ => entry.name,
            };
            let game = catalog.game(variant).unwrap();
            game.agent(agent.spec, 1).unwrap_or_else(|error| panic!("{agent:?}: {error}"));
            let settled = game.settled_agent(agent.name).unwrap();
            for (key, value) in &spec.pairs {
                assert_eq!(settled.value(key), Some(&**value), "{}: {agent:?}", entry.name);
            }
        }
    }
}

#[test]
fn textbook_agents_have_the_same_options_in_every_game() {
    for variant in VARIANTS {
        let game = game(variant).unwrap();
        for name in ["mcts-textbook", "alphabeta-textbook"] {
            let defaults = tussle_catalog::AGENTS.iter().find(|info| info.name == name).unwrap();
            let defaults = defaults.params.iter().filter(|param| !param.default.is_empty());
            let expected: Vec<(String, String)> =
                defaults.map(|param| (param.key.to_owned(), param.default.to_owned())).collect();
            assert_eq!(game.settled_agent(name).unwrap().pairs, expected, "{variant} {name}");
        }
    }
}

#[test]
fn presets_of_courses_and_levels_are_built_on_the_textbook_agents() {
    for preset in PRESETS {
        let name = Catalog::standard().expanded(preset.name).unwrap().name;
        assert!(!["mcts", "alphabeta", "best"].contains(&&*name), "{}", preset.name);
    }
}

#[test]
fn tuned_defaults_cause_no_error_in_any_variant() {
    let games = VARIANTS.map(|variant| game(variant).unwrap());
    for game in games.into_iter().chain([three_players()]) {
        let game = game.as_ref();
        for name in ["mcts", "best"] {
            assert!(game.agent(name, 1).is_ok(), "{} {name}", game.spec());
        }
        // A textbook agent that fits with these keys is a tuned agent that fits with them.
        for keys in [
            "solver=off",
            "solver=on",
            "rollout=random",
            "rollout=greedy",
            "rollout=heavy",
            "rollout=eval,lambda=0.5",
            "policy=puct,prior=eval",
            "policy=epsilon,epsilon=0.2",
            "table=on",
            "table=on,solver=on",
            "tactics=on",
            "tactics=off",
            "threads=2",
            "paranoid=on",
            "reuse=off,memory=1MB",
            "eval=freedom",
            "eval=windows",
            "eval=area,c=2",
            "radius=7",
            "eval=territory,eval.c=2",
            "depth=2",
            "order=none,tt=off,window=full",
            "window=mtd,etc=on",
            "quiesce=on",
            "value=0",
            "draw=0.25",
            "terminal=eval",
            "dedupe=off,shuffle=on",
        ] {
            for name in ["mcts", "alphabeta"] {
                let textbook = game.agent(&format!("{name}-textbook:{keys}"), 1);
                let tuned = game.agent(&format!("{name}:{keys}"), 1);
                let (textbook, tuned) = (textbook.err(), tuned.err());
                let text = |error: Option<tussle_catalog::Error>| {
                    error.map(|error| error.to_string().replace("-textbook", ""))
                };
                assert_eq!(text(tuned), text(textbook), "{} {name}:{keys}", game.spec());
            }
        }
    }
}

const TUNED: &[TunedAgent] = &[
    TunedAgent::new("mcts", "mcts-textbook:rollout=heavy,c=0.7,solver=on"),
    TunedAgent::new("alphabeta", "alphabeta-textbook:eval=windows,order=root"),
    TunedAgent::new("best", "alphabeta:depth=3"),
];

fn mine() -> std::sync::Arc<dyn AnyGame> {
    let entry = Entry::new("mine", TicTacToe)
        .complete()
        .evaluation_fn("first", |_, _| 0.0)
        .evaluation_fn("windows", |_, _| 0.0)
        .agent_defaults(&["mcts:draw=0.3", "mcts-textbook:untried=listed,draw=0.4"])
        .tuned(TUNED);
    Catalog::empty().with(entry).game("mine").unwrap()
}

#[test]
fn a_given_key_replaces_the_tuned_one() {
    let game = mine();
    let value = |spec: &str, key: &str| {
        game.settled_agent(spec).unwrap().value(key).unwrap_or("-").to_owned()
    };
    assert!(game.agent("mcts", 1).is_ok(), "tic-tac-toe has no heavy playouts");
    assert_eq!(value("mcts", "rollout"), "random", "so this key is left out");
    assert_eq!((value("mcts", "c"), value("mcts", "solver")), ("0.7".into(), "on".into()));
    assert_eq!(value("mcts:c=2", "c"), "2");
    assert_eq!(value("mcts:policy=puct", "c"), "1.4142135623730951", "tuned for ucb1");
    assert_eq!(value("mcts:policy=ucb1", "c"), "0.7");
    assert_eq!(value("mcts:solver=off", "solver"), "off");
    assert_eq!(value("mcts-textbook", "solver"), "off");
    assert_eq!(value("alphabeta", "eval"), "windows");
    assert_eq!(value("alphabeta:eval=first", "eval"), "first");
    assert_eq!(value("alphabeta:eval=first", "order"), "root");
    assert_eq!(value("ids", "order"), "full");
    // The defaults of the game's entry.
    assert_eq!(
        (value("mcts", "draw"), value("mcts-textbook", "draw")),
        ("0.3".into(), "0.4".into())
    );
    assert_eq!(
        (value("mcts", "untried"), value("level-1", "untried")),
        ("listed".into(), "listed".into())
    );
}

#[test]
fn best_is_the_named_agent_with_the_given_keys() {
    let game = mine();
    let best = game.settled_agent("best:depth=5").unwrap();
    assert_eq!((best.name.as_str(), best.value("depth")), ("alphabeta", Some("5")));
    assert_eq!(best.value("eval"), Some("windows"), "the tuned alphabeta");
    let error = game.agent("best:c=2", 1).err().unwrap().to_string();
    assert!(error.contains("unknown key `c`"), "{error}");
    // Alpha-beta is for two players.
    assert_eq!(three_players().settled_agent("best").unwrap().name, "mcts");
    let plain = Entry::new("plain", Connect4::new(7, 6, 4).unwrap());
    let plain = Catalog::empty().with(plain).game("plain").unwrap();
    assert_eq!(plain.settled_agent("best").unwrap().name, "mcts");
}

#[test]
fn a_record_of_options_does_not_depend_on_tuned_defaults() {
    let game = mine();
    for spec in ["mcts", "mcts:c=2", "alphabeta", "best", "level-2", "greedy"] {
        let record = game.recorded_agent(spec).unwrap().unwrap();
        assert!(!["mcts", "alphabeta", "best"].contains(&&*record.name), "{record}");
        assert_eq!(game.recorded_agent(&record.to_string()).unwrap(), Some(record), "{spec}");
    }
    let record = game.recorded_agent("alphabeta-textbook").unwrap().unwrap();
    assert_eq!(record.value("eval"), Some("first"), "the default evaluation is named");
}
