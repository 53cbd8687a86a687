//! Tunings with games.

use std::path::Path;

use tussle_arena::TournamentPatch;
use tussle_core::StopFlag;
use tussle_engine::Guard;

use super::*;

fn tuning(
    game: &str,
    agent: &str,
    parameters: &[&str],
    games: [u64; 2],
) -> Result<Tuning, TuneError> {
    let patch = TournamentPatch {
        nodes: Some(30),
        opening_plies: Some(2),
        ..TournamentPatch::between(game, &[agent.to_owned()])
    };
    let parameters = parameters.iter().map(|text| text.parse().unwrap()).collect();
    Tuning::new(patch.into_spec().unwrap(), parameters, games, &Catalog::standard())
}

/// Runs a tuning, stops it after a number of games, and returns the result and the number of games played.
fn run(
    tuning: &Tuning,
    folder: Option<&Path>,
    jobs: usize,
    stop_after: Option<u64>,
) -> (Result<TuningResult>, u64) {
    let stop = StopFlag::default();
    let mut played = 0;
    let flag = stop.clone();
    let mut observer = |event: TuningEvent<'_>| {
        if let TuningEvent::Finished = event {
            played += 1;
            if Some(played) == stop_after {
                flag.stop();
            }
        }
    };
    let (catalog, guard) = (Catalog::standard(), Guard::none());
    let folder = folder.map(Path::to_owned);
    let mut context = TuningContext {
        catalog: &catalog,
        guard: &guard,
        jobs,
        stop,
        folder,
        observer: &mut observer,
    };
    let result = tuning.run(&mut context);
    (result, played)
}

fn document(result: Result<TuningResult>) -> String {
    serde_json::to_string(&result.unwrap()).unwrap()
}

#[test]
fn a_stopped_tuning_resumes_and_gives_the_same_document_with_any_number_of_jobs() {
    let folder = std::env::temp_dir().join(format!("tussle-tune-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    let tuning = tuning("tictactoe", "mcts", &["c=0.1..2"], [48, 20]).unwrap();
    let whole = document(run(&tuning, None, 1, None).0);
    let (stopped, first) = run(&tuning, Some(&folder), 2, Some(37));
    assert!(matches!(stopped, Err(crate::LabError::Stopped)), "{first} games");
    let (resumed, rest) = run(&tuning, Some(&folder), 2, None);
    assert_eq!(document(resumed), whole);
    assert!((37..=38).contains(&first) && first + rest <= 68, "{first} + {rest}");
    let (again, more) = run(&tuning, Some(&folder), 1, None);
    assert_eq!((document(again), more), (whole, 0));
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn more_games_continue_a_finished_tuning() {
    let folder = std::env::temp_dir().join(format!("tussle-tune-more-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    let of = |games| tuning("tictactoe", "mcts", &["c=0.1..2"], [games, 0]).unwrap();
    run(&of(48), Some(&folder), 2, None).0.unwrap();
    let (result, played) = run(&of(64), Some(&folder), 2, None);
    assert_eq!((result.unwrap().games, played), (64, 16));
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_better_agent_is_found_and_verified() {
    // A greedy agent loses to one that looks further.
    let tuning = tuning("connect4", "mcts:nodes=2", &["nodes=1..60"], [64, 40]).unwrap();
    let result = run(&tuning, None, 2, None).0.unwrap();
    let gain = result.gain.as_ref().unwrap();
    assert!(gain.estimate.score.unwrap() > 0.7, "{gain:?}");
    assert_eq!((gain.games, result.games, result.best.is_start), (40, 64, false));
    assert!(result.reading[1].contains("stronger than as given"), "{:?}", result.reading);
    let measured: u64 = result.measured.iter().map(|candidate| candidate.games).sum();
    assert_eq!(measured, 64);
    let csv = result.table().csv();
    assert!(csv.starts_with("nodes,games,share of the points,pairs 0,"), "{csv}");
    let svg = result.figure.svg(tussle_view::Theme::Light);
    assert!(svg.contains("as given: nodes=2") && svg.contains("best, on fresh games"));
}

#[test]
fn a_wrong_tuning_is_rejected_before_the_first_game() {
    let error = |game: &str, agent: &str, parameters: &[&str]| {
        tuning(game, agent, parameters, [20, 20]).unwrap_err().to_string()
    };
    let three =
        concat!("tree:file=", env!("CARGO_MANIFEST_DIR"), "/../../examples/trees/kplayer.json");
    for (game, agent, parameters, part) in [
        ("tictactoe", "mcts", &[][..], "expected at least one parameter"),
        ("tictactoe", "mcts", &["c=0..1", "c=0..2"], "two parameters have the key `c`"),
        ("tictactoe", "mcts", &["cc=0..1"], "cc"),
        ("tictactoe", "mcts", &["c=-5..1"], "c"),
        ("tictactoe", "mcts", &["solver=on|maybe"], "maybe"),
        (three, "mcts", &["c=0..1"], "expected a game of two players, found one of 3"),
        ("tictactoe", "json:sh mine.sh", &["c=0..1"], "expected the placeholder {c}"),
        ("tictactoe", "mtcs", &["c=0..1"], "did you mean"),
        ("tictactow", "mcts", &["c=0..1"], "did you mean"),
    ] {
        let error = error(game, agent, parameters);
        assert!(error.contains(part), "{game} {agent} {parameters:?}: {error}");
    }
}
