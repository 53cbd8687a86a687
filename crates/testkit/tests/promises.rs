//! Contracts of every agent on every game of the catalog: limits can be used for any number of
//! searches, and no value is NaN.

use std::time::{Duration, Instant};

use tussle_catalog::{AGENTS, AnyGame, Catalog, Error, game, game_from_text};
use tussle_core::{Limits, Report, Rng, StopFlag, StopReason, Turn};

/// Returns all games of the catalog and some variants.
fn games() -> Vec<std::sync::Arc<dyn AnyGame>> {
    let tree = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/trees/lecture-alphabeta.json");
    let catalog = Catalog::standard();
    let names = catalog.games().iter().map(|entry| entry.name);
    let mut games: Vec<_> = names
        .map(|name| if name == "tree" { format!("tree:file={tree}") } else { name.to_owned() })
        .map(|spec| game(&spec).unwrap())
        .collect();
    games.push(game_from_text("keep-on-moving", "file", "1....\n..2..\n....3\n").unwrap());
    games.push(game("go:size=9,utility=margin").unwrap());
    games
}

fn check(report: &Report<String>, here: &str) {
    assert!(report.best().is_some(), "{here}: no move");
    for line in &report.lines {
        assert!(line.value.is_finite(), "{here}: {line:?}");
        assert!(line.values.iter().all(|value| value.is_finite()), "{here}: {line:?}");
    }
}

#[test]
fn agents_keep_their_contracts_on_every_game() {
    let limit = Duration::from_millis(500);
    let used_before = Limits::time(limit).or_nodes(60);
    let expired = Limits { started: Instant::now().checked_sub(limit), ..used_before.clone() };
    let stopped = StopFlag::default();
    stopped.stop();
    let stopped = Limits::depth(2).or_stop(&stopped);
    std::thread::sleep(limit);
    let mut agents = 0;
    for game in games() {
        let (mut position, mut rng) = (game.start(), Rng::new(1));
        while let Some(outcome) = position.roll(&mut rng) {
            position.play(&outcome).unwrap();
        }
        let mut over = position.boxed();
        over.play_out(&mut rng);
        assert_eq!(over.turn(), Turn::Over);
        for info in AGENTS.iter().filter(|info| info.name != "script") {
            let Ok(mut agent) = game.agent(info.name, 1) else { continue };
            agents += 1;
            let here = format!("{} on {}", info.name, game.spec());
            for round in 0..2 {
                let report = agent.choose(position.as_ref(), &used_before).unwrap();
                check(&report, &here);
                assert_ne!(report.stopped, StopReason::Time, "{here}, search {round}");
                // Random moves have no value.
                assert_eq!(
                    report.lines[0].searched,
                    info.name != "random",
                    "{here}, search {round}"
                );
            }
            for nodes in 1..4 {
                let few = Limits::nodes(nodes);
                check(&agent.choose(position.as_ref(), &few).unwrap(), &here);
            }
            check(&agent.choose(position.as_ref(), &expired).unwrap(), &here);
            check(&agent.choose(position.as_ref(), &stopped).unwrap(), &here);
            let answer = agent.choose(over.as_ref(), &Limits::none());
            assert!(matches!(answer, Err(Error::NoPlayerToMove)), "{here}");
        }
    }
    assert!(agents > 60, "{agents}");
}
