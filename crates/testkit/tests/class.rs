//! Tournament of ten agents of which six are broken programs: the others are ranked by strength.

use tussle_arena::{
    Contestant, Order, Store, Summary, Tournament, TournamentSpec, Withdrawals, run,
};
use tussle_core::StopFlag;
use tussle_engine::{Guard, Verdict};

const MISBEHAVE: &str = env!("CARGO_BIN_EXE_misbehave");

/// Agents that work, the weakest first. The first one plays against all broken programs before they
/// are withdrawn.
const WORKING: [&str; 4] = ["random", "greedy", "alphabeta:depth=4", "alphabeta:depth=6"];

#[test]
fn working_agents_are_ranked_by_strength_beside_six_broken_programs() {
    let agent = |name: &str, spec: String| Contestant::new(name, spec);
    let broken = |name: &str, habit: &str| {
        let protocol = if name == "hangs" { "ugi" } else { "json" };
        agent(name, format!("{protocol}:{MISBEHAVE} {protocol} {habit}"))
    };
    let mut agents: Vec<Contestant> =
        WORKING.iter().map(|&name| agent(name, name.to_owned())).collect();
    agents.extend([
        agent("does not start", "json:false".to_owned()),
        broken("moves illegally", "illegal"),
        broken("hangs", "hang"),
        broken("talks nonsense", "garbage"),
        broken("crashes at its third move", "exit 2"),
        broken("aborts", "abort"),
    ]);
    let config = TournamentSpec {
        rounds: 2,
        opening_plies: 2,
        clock: "300ms".parse().unwrap(),
        ..TournamentSpec::new(vec!["connect4".to_owned()], agents)
    };
    let tournament = Tournament::new(config, &tussle_catalog::Catalog::standard()).unwrap();
    let mut store = Store::in_memory(tournament.spec()).unwrap();
    let guard = Guard::new(MISBEHAVE, ["guard"]);
    run(&tournament, &mut store, &guard, 3, &StopFlag::default(), &mut |_| {}).unwrap();

    let summary = Summary::of(&store).unwrap();
    let order: Vec<&str> = summary.table.iter().map(|row| row.agent.as_str()).collect();
    // The two searches are about equally strong.
    assert!(order[..2].iter().all(|name| WORKING[2..].contains(name)), "{order:?}");
    assert_eq!(order[2..4], ["greedy", "random"], "{order:?}");
    assert_eq!(order[4..], summary.withdrawn, "withdrawn agents must be last");
    let broken: Vec<&String> = summary.agents[4..].iter().collect();
    assert_eq!(
        summary.withdrawn.iter().collect::<Vec<_>>(),
        broken,
        "all six broken programs must be withdrawn"
    );
    for row in &summary.table {
        let counted = if row.withdrawn { 0 } else { 3 * 2 * 2 };
        assert_eq!(row.games, counted, "{row:?}");
        assert_eq!(row.rating.value.is_some(), !row.withdrawn, "{row:?}");
    }
    // Each program has the verdict of its fault. An illegal move is a strike, as a crash is.
    assert!(summary.verdict(Verdict::Illegal) >= 3 && summary.verdict(Verdict::Hang) >= 3);
    // With its wins against broken programs, `random` would rank above one of the searches.
    let random = summary.row("random").unwrap();
    assert!(random.uncounted.points >= 8.0, "{random:?}");
    assert_eq!(
        summary.sorted_by,
        Order::Points,
        "all agents have the same number of counted games"
    );
    assert_eq!(summary.meetings.len(), 6, "pairings of four agents");
    let conclusion = summary.conclusion.unwrap();
    assert!(conclusion.starts_with(order[0]), "{conclusion}");
    // No game remains, although most games were cancelled.
    let outlook = Withdrawals::of(&store).unwrap().outlook();
    assert_eq!((summary.remaining, outlook.remaining), (0, 0));
    assert_eq!(summary.games + summary.cancelled, summary.scheduled);
    assert!(summary.cancelled > 100, "{}", summary.cancelled);
}
