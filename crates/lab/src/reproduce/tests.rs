//! What leaves nothing to chance must agree, and what is declared must make sense.

use super::*;
use crate::Watch;

struct Nobody;

impl Watch for Nobody {
    fn begin(&mut self, _: &str, _: u64) {}
    fn done(&mut self, _: u64, _: &str) {}
}

#[test]
fn exact_numbers_agree() {
    let mut facts = 0;
    for one in REPRODUCTIONS {
        for part in one.parts {
            let Part::Exact(compute) = part else { continue };
            for fact in compute().unwrap() {
                assert_eq!(fact.ours, fact.published, "{}: {}", one.name, fact.what);
                facts += 1;
            }
        }
    }
    assert_eq!(facts, 5 + 8 + 10 + 6 + 12 + 8);
}

#[test]
fn names_are_their_own_and_wrong_ones_are_near_right_ones() {
    for one in REPRODUCTIONS {
        assert!(std::ptr::eq(reproduction(one.name).unwrap(), one));
    }
    let error = reproduction("pentago-reus").unwrap_err().to_string();
    assert!(error.contains("did you mean `pentago-reuse`?"), "{error}");
    let error = reproduction("chess").unwrap_err().to_string();
    assert!(!error.contains("did you mean") && error.contains("lecture-mcts"), "{error}");
}

#[test]
fn every_game_and_every_player_of_the_table_exists() {
    for one in REPRODUCTIONS {
        for part in one.parts {
            let Part::Match(duel) = part else { continue };
            let timed = duel.timed.iter().map(|timed| timed.agents);
            let efforts = duel.efforts.iter().chain(duel.beyond).map(|effort| effort.agents);
            for agent in timed.chain(efforts).flatten() {
                for board in duel.boards {
                    let game = tussle_catalog::game(board).unwrap();
                    game.agent(agent, 1).unwrap_or_else(|error| panic!("{agent}: {error}"));
                }
            }
            if let Some(timed) = &duel.timed {
                let lengths = [timed.quick.len(), timed.full.len(), timed.seconds.len()];
                assert_eq!(lengths, [duel.boards.len(); 3], "{}", one.name);
            }
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_numbers() {
    let run = || {
        let mut nobody = Nobody;
        let mut bench = Bench::new(&mut nobody);
        reproduction("gobblet").unwrap().run(&mut bench, 1).unwrap()
    };
    let (one, two) = (run(), run());
    let told =
        |one: &Reproduced| -> Vec<Told> { one.rows.iter().map(|row| row.ours.clone()).collect() };
    assert_eq!(told(&one), told(&two));
    assert_eq!(one.verdict, Verdict::Agrees, "{:#?}", one.rows);
}

#[test]
fn the_page_needs_nothing_else_and_shows_every_row() {
    let mut nobody = Nobody;
    let mut bench = Bench::new(&mut nobody);
    let all: Vec<Reproduced> = ["lecture-alphabeta", "ucb1"]
        .map(|name| reproduction(name).unwrap().run(&mut bench, 1).unwrap())
        .into();
    let setting = Setting { version: "0", mode: "--quick", seed: 1, jobs: [1, 1], asked: 3 };
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
fn shares_are_told_with_their_intervals() {
    assert_eq!(share(Counted::new(29, 50)), "29 of 50: 58 % (44-71)");
    assert_eq!(share(Counted::new(3, 1000)), "3 of 1000: 0.3 % (0.1-0.9)");
    assert_eq!(share(Counted::new(1, 1)), "yes, in one game");
}

#[test]
fn the_page_and_the_json_warn_of_a_busy_machine() {
    let mut nobody = Nobody;
    let mut bench = Bench::new(&mut nobody);
    let nap = |_: &tussle_core::StopFlag| {
        std::thread::sleep(std::time::Duration::from_millis(5));
        Ok(0)
    };
    let _: u32 = bench.timed("nap", 1, "", nap).unwrap();
    let done = reproduction("ucb1").unwrap().run(&mut bench, 1).unwrap();
    let again = reproduction("ucb1").unwrap().run(&mut bench, 1).unwrap();
    assert!(again.warnings.is_empty(), "{:?}", again.warnings);
    let json = serde_json::to_value(&done).unwrap();
    let warning = json["warnings"][0].as_str().unwrap();
    assert!(warning.starts_with("The machine was busy: 1 of 1 timed measurements"), "{warning}");
    let setting = Setting { version: "0", mode: "--quick", seed: 1, jobs: [1, 1], asked: 1 };
    assert!(page(std::slice::from_ref(&done), &setting).contains("The machine was busy"));
}
