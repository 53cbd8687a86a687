//! Experiments on the user's game, agents, values and positions.

use tussle_core::StopFlag;

use super::setup::Setup;
use super::{AgentOption, ExperimentOptions, StartOption, SweepRange, experiment};
use crate::{ExperimentContext, Finding, LabError, ProgressObserver};

/// Counts the weight that was announced and done.
#[derive(Default)]
struct Count {
    begun: u64,
    done: u64,
}

impl ProgressObserver for Count {
    fn begin(&mut self, _: &str, weight: u64) {
        self.begun += weight;
    }

    fn done(&mut self, weight: u64, _: &str) {
        self.done += weight;
    }
}

/// Returns the setup of an experiment as the list has it.
pub(super) fn listed(name: &str) -> Setup {
    let experiment = experiment(name).unwrap();
    experiment.kind.setup(experiment, &ExperimentContext::new(&mut Count::default()))
}

/// Returns options from words: `game=`, `agent=`, `range=`, `repeats=`, `positions=` and `moves=` with their values.
fn options(words: &[&str]) -> ExperimentOptions {
    let mut options = ExperimentOptions::default();
    for word in words {
        let (option, value) = word.split_once('=').unwrap();
        let number = || value.parse().unwrap();
        match option {
            "game" => options.game = Some(value.to_owned()),
            "agent" => options.agents.push(value.parse::<AgentOption>().unwrap()),
            "range" => options.range = Some(value.parse::<SweepRange>().unwrap()),
            "repeats" => options.repeats = Some(number()),
            "positions" => options.start = StartOption::Random(number()),
            "moves" => {
                let game = options.game.as_deref().unwrap_or("connect4");
                let mut position = tussle_catalog::game(game).unwrap().start();
                for mv in value.split(' ').filter(|mv| !mv.is_empty()) {
                    position.play(mv).unwrap();
                }
                options.start = StartOption::Given(position);
            }
            other => unreachable!("{other}"),
        }
    }
    options
}

fn run(name: &str, words: &[&str]) -> Result<Finding, LabError> {
    let mut count = Count::default();
    let found =
        experiment(name).unwrap().run_with(options(words), &mut ExperimentContext::new(&mut count));
    if found.is_ok() {
        // A game may end early.
        assert!(count.done <= count.begun, "{name} {words:?}");
    }
    found
}

fn refused(name: &str, words: &[&str]) -> String {
    run(name, words).err().map_or_else(String::new, |error| error.to_string())
}

/// Returns the rows of a table, with each cell as text.
fn cells(finding: &Finding) -> Vec<Vec<String>> {
    let cell = |value: &serde_json::Value| match value {
        serde_json::Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    finding.table.rows.iter().map(|row| row.iter().map(cell).collect()).collect()
}

#[test]
fn every_kind_of_experiment_takes_another_game_and_other_agents() {
    let cases: &[(&str, &[&str], usize)] = &[
        ("depth-vs-time", &["agent=deep=ids", "agent=mcts", "range=0.002,0.004", "repeats=2"], 8),
        ("depth-vs-time", &["agent=ids", "range=0.002..0.004", "positions=3"], 6),
        ("leaves-vs-depth", &["agent=minimax", "range=1..3", "positions=2"], 6),
        ("evaluations-vs-depth", &["range=1,2", "positions=2"], 12),
        ("pruned-vs-depth", &["agent=a=minimax", "agent=b=alphabeta", "range=1..2", "moves=a1"], 4),
        ("value-vs-depth", &["agent=alphabeta", "range=3", "positions=1"], 6),
        ("value-vs-time", &["agent=ids", "range=0.02", "repeats=1", "moves=a1"], 8),
        ("same-line", &["agent=alphabeta", "agent=mcts", "range=200"], 18),
        ("known-value", &["range=4", "positions=2"], 6),
        ("known-value", &["moves=a1 b2 c3 a2"], 3),
        ("speedup", &["agent=mcts:nodes=500", "range=1,2", "repeats=2"], 4),
        ("visits-vs-c", &["agent=mcts", "range=0.5,1", "repeats=2"], 2),
        ("visits-heatmap", &["agent=mcts", "range=0.01", "moves=b2"], 8),
        ("strength-vs-time", &["agent=greedy", "range=0.5", "repeats=2"], 1),
        ("c-sweep", &["agent=mcts-textbook:nodes=50", "range=0.2..0.4", "repeats=2"], 2),
        ("reuse", &["agent=mcts-textbook", "range=30,60", "repeats=2"], 2),
        ("rollout-policy", &["agent=mcts:rollout=greedy", "range=20,0.5", "repeats=2"], 2),
        ("regret", &["agent=greedy", "range=10", "positions=3"], 1),
        ("speed-vs-tree", &["range=100,200", "repeats=1"], 2),
        ("memory-vs-nodes", &["agent=mcts", "range=100..200", "repeats=1", "moves=b2"], 2),
        ("nodes-vs-depth", &["range=1..3", "positions=2"], 24),
        ("games-vs-jobs", &["agent=random", "range=2", "repeats=1"], 2),
    ];
    for &(name, words, rows) in cases {
        let words = [&["game=tictactoe"], words].concat();
        let finding = run(name, &words).unwrap_or_else(|error| panic!("{name}: {error}"));
        let found = cells(&finding);
        if name == "value-vs-time" {
            // As many depths as the time allows.
            assert!(!found.is_empty() && found.len() <= rows, "{name} {words:?}: {found:?}");
        } else {
            assert!(
                found.len() == rows || name.starts_with("value") && !found.is_empty(),
                "{name} {words:?}: {} rows, {found:?}",
                found.len()
            );
        }
        let reading = finding.reading.join(" ");
        assert!(reading.contains("Game: tictactoe. Agents: "), "{name}: {reading}");
        for game in ["connect4", "go 5x5", "Go", "keep-on", "pentago", "Black"] {
            assert!(
                !format!("{} {reading}", finding.figure.title).contains(game),
                "{name}: {game}"
            );
        }
    }
    let sizes = run("playouts-vs-size", &["game=connect4", "range=4,6", "repeats=1"]).unwrap();
    assert_eq!(cells(&sizes).iter().map(|row| &row[0]).collect::<Vec<_>>(), ["4.0", "6.0"]);
}

#[test]
fn agents_are_named_and_a_long_spec_is_explained() {
    let long = "agent=alphabeta-textbook:order=none,tt=off,window=full";
    let finding = run("leaves-vs-depth", &["agent=mine=minimax", long, "range=1", "positions=1"]);
    let finding = finding.unwrap();
    let names: Vec<String> = cells(&finding).iter().map(|row| row[1].clone()).collect();
    assert_eq!(names, ["mine", "alphabeta-textbook:or…indow=full"]);
    let last = finding.reading.last().unwrap();
    assert!(
        last.contains("mine = minimax; alphabeta-textbook:or…indow=full = alphabeta"),
        "{last}"
    );
}

#[test]
fn agents_of_the_list_that_do_not_play_the_game_are_left_out_and_named() {
    let words = ["game=connect4", "range=0.002", "repeats=1"];
    let finding = run("depth-vs-time", &words).unwrap();
    let agents: Vec<String> = cells(&finding).iter().map(|row| row[1].clone()).collect();
    assert_eq!(agents, ["minimax", "alpha-beta", "ordered"]);
    let last = finding.reading.iter().find(|said| said.contains("Left out")).unwrap();
    assert!(last.contains("heavy (radius 15) and lite (radius 5)"), "{last}");
    // Evaluations of the other game take the place of those of the list.
    let finding =
        run("evaluations-vs-depth", &["game=connect4", "range=1", "positions=1"]).unwrap();
    let evaluations = tussle_catalog::game("connect4").unwrap().evaluations().len().min(3);
    assert_eq!(cells(&finding).len(), 3 * evaluations);
}

#[test]
fn a_sweep_compares_an_agent_with_itself() {
    let words = ["game=connect4", "agent=mcts-textbook:nodes=20", "range=0.5..1", "repeats=2"];
    let finding = run("c-sweep", &words).unwrap();
    assert_eq!(finding.question, "Which exploration constant is best in connect4?");
    assert_eq!(finding.figure.title, "Connect4: points against c = √2");
    assert_eq!(cells(&finding)[0][..3], ["mcts-textbook:nodes=20", "c = √2", "0.5"]);
    // Any key may be swept: the opponent has its default.
    let sweep = |agent, range| {
        let words = ["game=connect4", agent, range, "repeats=2"];
        let finding = run("c-sweep", &words).unwrap();
        (cells(&finding)[1][1].clone(), finding.table.columns[2].clone())
    };
    let of = |opponent: &str, key: &str| (opponent.to_owned(), key.to_owned());
    assert_eq!(
        sweep("agent=mcts:nodes=20,draw={x}", "range=0.2,0.4"),
        of("the default draw", "draw")
    );
    // A match without a limit would not end.
    assert_eq!(sweep("agent=m=mcts-textbook:nodes={x}", "range=20,40"), of("nodes = 40", "nodes"));
}

#[test]
fn measurements_of_other_positions_have_other_keys() {
    let mut count = Count::default();
    let mut context = ExperimentContext::new(&mut count);
    let visits = experiment("visits-vs-c").unwrap();
    let mut shares = |words: &[&str]| {
        let finding = visits.run_with(options(words), &mut context).unwrap();
        cells(&finding)[0][2].clone()
    };
    let agent = "agent=mcts-textbook:nodes=200";
    let start = shares(&[agent, "range=1", "repeats=2"]);
    assert_ne!(shares(&["moves=4 4 3", agent, "range=1", "repeats=2"]), start);
    assert_eq!(shares(&[agent, "range=1", "repeats=2"]), start);
}

#[test]
fn a_question_without_a_meaning_is_answered_with_the_reason() {
    let cases: &[(&str, &[&str], &str)] = &[
        (
            "leaves-vs-depth",
            &["agent=mcts"],
            "leaves-vs-depth: mcts does not search by plies; use an agent with a depth limit, such as alphabeta",
        ),
        (
            "leaves-vs-depth",
            &["agent=json:cat"],
            "leaves-vs-depth: json:cat is a program, which reports no leaves; use nodes-vs-depth",
        ),
        ("value-vs-depth", &["agent=mcts"], "value-vs-depth: mcts does not search by plies"),
        (
            "depth-vs-time",
            &["agent=random", "range=0.001"],
            "depth-vs-time: random reports no depth",
        ),
        ("visits-vs-c", &["agent=alphabeta"], "visits-vs-c: alphabeta has no key `c`; write {x}"),
        ("visits-vs-c", &["agent=json:cat"], "visits-vs-c: json:cat has no key `c`; write {x}"),
        (
            "visits-heatmap",
            &["game=tictactoe", "agent=greedy", "range=0.01"],
            "visits-heatmap: greedy reports no visits of all moves",
        ),
        (
            "visits-heatmap",
            &["game=backgammon"],
            "visits-heatmap: backgammon begins with a move of chance; give a position after it",
        ),
        ("speedup", &["agent=greedy"], "speedup: greedy has no key `threads`"),
        ("speedup", &["agent=json:cat"], "speedup: json:cat has no key `threads`"),
        (
            "speedup",
            &["agent=alphabeta"],
            "speedup: alphabeta has no limit of its own; add depth=N or nodes=N to its spec",
        ),
        (
            "playouts-vs-size",
            &["game=tictactoe"],
            "playouts-vs-size: tictactoe has no key `size`, nor `width` and `height`",
        ),
        ("playouts-vs-size", &["agent=mcts"], "mcts has no part in this experiment"),
        ("known-value", &["agent=mcts"], "known-value: mcts has no key `value`; use alphabeta"),
        ("known-value", &["agent=json:cat"], "is a program, whose tree is unknown"),
        (
            "known-value",
            &["game=connect4", "range=0", "positions=1"],
            "known-value: connect4 has no proven value within 5,000,000 nodes",
        ),
        (
            "known-value",
            &["range=1", "moves="],
            "known-value: --range has no meaning with a given position",
        ),
        ("depth-vs-time", &["game=backgammon", "agent=expectimax"], "begins with a move of chance"),
        ("regret", &["game=backgammon"], "regret: backgammon cannot be solved by alpha-beta"),
        ("c-sweep", &["agent=alphabeta:depth=2"], "c-sweep: alphabeta:depth=2 has no key `c`"),
        ("reuse", &["agent=greedy"], "reuse: greedy has no key `reuse`"),
        ("rollout-policy", &["agent=alphabeta"], "alphabeta has no key `rollout`"),
        ("speed-vs-tree", &["agent=greedy"], "speed-vs-tree: greedy has no key `reuse`"),
        (
            "speed-vs-tree",
            &["agent=mcts", "agent=mcts"],
            "speed-vs-tree: expected 1 agent, found 2 agents; give --agent once",
        ),
        ("games-vs-jobs", &["agent=minimax"], "minimax has no limit of its own"),
        ("same-line", &["agent=minimax"], "same-line: expected 2 agents, found 1 agents"),
        ("same-line", &["range=1..9"], "same-line: --range: expected nodes per answer"),
        (
            "c-sweep",
            &["positions=3"],
            "c-sweep: --positions has no meaning: games begin with random",
        ),
        ("regret", &["moves="], "regret: --position has no meaning"),
        ("visits-vs-c", &["positions=3"], "visits-vs-c: --positions has no meaning"),
        (
            "leaves-vs-depth",
            &["positions=3", "repeats=4"],
            "leaves-vs-depth: --repeats has no meaning: each position is searched once",
        ),
        ("nodes-vs-depth", &["moves="], "nodes-vs-depth: --position belongs to one game"),
        ("leaves-vs-depth", &["agent=gtp:cat"], "GTP is for go, not for connect4"),
        ("leaves-vs-depth", &["game=conect4"], "did you mean `connect4`"),
    ];
    for (name, words, why) in cases {
        let told = refused(name, words);
        assert!(told.contains(why), "{name} {words:?}: {told}");
    }
    let triangle = "game=keep-on-moving:file=../../examples/boards/triangle.txt";
    for name in ["c-sweep", "strength-vs-time", "rollout-policy", "regret", "games-vs-jobs"] {
        let told = refused(name, &[triangle]);
        assert!(told.contains("has 3 players; use a game of two players"), "{name}: {told}");
    }
}

#[test]
fn a_stopped_experiment_measures_nothing() {
    let mut count = Count::default();
    let mut context = ExperimentContext::new(&mut count);
    context.stop = StopFlag::default();
    context.stop.stop();
    let sweep = experiment("c-sweep").unwrap();
    let stopped = sweep.run_with(options(&["game=connect4", "repeats=2"]), &mut context);
    assert!(matches!(stopped, Err(LabError::Stopped)));
}
