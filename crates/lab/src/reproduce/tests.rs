//! Tests of the declared claims, and of reports.

use super::*;
use crate::ProgressObserver;

struct NoProgress;

impl ProgressObserver for NoProgress {
    fn begin(&mut self, _: &str, _: u64) {}
    fn done(&mut self, _: u64, _: &str) {}
}

#[test]
fn all_exact_numbers_are_published_and_agree() {
    let mut numbers = 0;
    for one in REPRODUCTIONS.iter() {
        let Some(exact) = &one.exact else { continue };
        assert_eq!(exact.numbers.compute().unwrap(), exact.published, "{}", one.name);
        numbers += exact.published.len();
    }
    assert_eq!(numbers, 5 + 8 + 10 + 6 + 12 + 8);
}

#[test]
fn names_are_distinct_and_a_wrong_one_gets_the_nearest() {
    for one in REPRODUCTIONS.iter() {
        assert!(std::ptr::eq(reproduction(&one.name).unwrap(), one));
    }
    let error = reproduction("pentago-reus").unwrap_err().to_string();
    assert!(error.contains("did you mean `pentago-reuse`?"), "{error}");
    let error = reproduction("chess").unwrap_err().to_string();
    assert!(!error.contains("did you mean") && error.contains("lecture-mcts"), "{error}");
}

#[test]
fn the_games_agents_boards_and_pairs_of_all_claims_exist() {
    for one in REPRODUCTIONS.iter() {
        for (conditions, pair) in one.pairs() {
            let efforts = conditions.efforts.iter().chain(&conditions.beyond);
            let agents = efforts.flat_map(|effort| effort.agents(pair)).chain(pair.agents.clone());
            for agent in agents {
                for board in &conditions.boards {
                    let game = tussle_catalog::game(board).unwrap();
                    game.agent(&agent, 1).unwrap_or_else(|error| panic!("{agent}: {error}"));
                }
            }
            let boards = conditions.boards.len();
            if let Some(timed) = &conditions.timed {
                let lengths =
                    [timed.games(true).len(), timed.games(false).len(), timed.seconds.len()];
                assert_eq!(lengths, [boards; 3], "{}", one.name);
            }
            for claim in &pair.claims {
                assert!(claim.boards.iter().all(|board| *board < boards), "{}", claim.what);
                assert!(claim.seat.is_none_or(|seat| seat < 2), "{}", claim.what);
            }
        }
        let pairs = one.pairs().count();
        assert!(one.better.iter().flat_map(|better| better.pairs).all(|pair| pair < pairs));
        let parts = [pairs > 0, one.exact.is_some(), one.graphs];
        assert!(parts.contains(&true), "{} has nothing to run", one.name);
    }
}

#[test]
fn the_same_seed_gives_the_same_numbers() {
    let run = || {
        let mut nobody = NoProgress;
        let mut context = ExperimentContext::new(&mut nobody);
        reproduction("gobblet").unwrap().run(&mut context, 1).unwrap()
    };
    let (one, two) = (run(), run());
    let ours = |one: &ReproductionResult| -> Vec<Measurement> {
        one.rows.iter().map(|row| row.ours.clone()).collect()
    };
    assert_eq!(ours(&one), ours(&two));
    assert_eq!(one.verdict, Verdict::Agrees, "{:#?}", one.rows);
}

#[test]
fn the_page_needs_nothing_else_and_shows_every_row() {
    let mut nobody = NoProgress;
    let mut context = ExperimentContext::new(&mut nobody);
    let all: Vec<ReproductionResult> = ["lecture-alphabeta", "ucb1"]
        .map(|name| reproduction(name).unwrap().run(&mut context, 1).unwrap())
        .into();
    let setting = ReportSettings { version: "0", mode: "--quick", seed: 1, jobs: [1, 1], asked: 3 };
    let html = page(&all, &setting);
    for outside in ["http://", "https://", "src=", "<link", "<script", "@import", "url("] {
        let rest = html.replace("http://www.w3.org/2000/svg", "");
        assert!(!rest.contains(outside), "{outside}");
    }
    for row in all.iter().flat_map(|one| &one.rows) {
        assert!(html.contains(&row.what), "{}", row.what);
    }
    assert!(html.contains("Stopped before the end: 2 of 3"));
}

#[test]
fn the_page_and_the_json_warn_of_a_busy_machine() {
    let mut nobody = NoProgress;
    let mut context = ExperimentContext::new(&mut nobody);
    let nap = |_: &tussle_core::StopFlag| {
        std::thread::sleep(std::time::Duration::from_millis(5));
        Ok(0)
    };
    let _: u32 = context.timed("nap", 1, "", nap).unwrap();
    let done = reproduction("ucb1").unwrap().run(&mut context, 1).unwrap();
    let again = reproduction("ucb1").unwrap().run(&mut context, 1).unwrap();
    assert!(again.warnings.is_empty(), "{:?}", again.warnings);
    let json = serde_json::to_value(&done).unwrap();
    let warning = json["warnings"][0].as_str().unwrap();
    assert!(warning.starts_with("The machine was busy: 1 of 1 timed measurements"), "{warning}");
    let setting = ReportSettings { version: "0", mode: "--quick", seed: 1, jobs: [1, 1], asked: 1 };
    assert!(page(std::slice::from_ref(&done), &setting).contains("The machine was busy"));
}
