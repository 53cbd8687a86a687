//! Tests of summaries.

use super::*;
use crate::{Contestant, MoveNote};

pub(super) fn config(agents: usize) -> TournamentSpec {
    let agent = |i: usize| Contestant::new(format!("a{i}"), "random");
    TournamentSpec::new(vec!["tictactoe".to_owned()], (0..agents).map(agent).collect())
}

pub(super) fn game(id: u64, seats: &[usize], utilities: &[f64]) -> Record {
    Record {
        id,
        pair: id / seats.len() as u64,
        game: "tictactoe".to_owned(),
        seats: seats.to_vec(),
        moves: vec![id.to_string()],
        utilities: utilities.to_vec(),
        deterministic: true,
        notes: vec![MoveNote::default()],
        ..Record::default()
    }
}

pub(super) fn sum(agents: usize, games: &[Record]) -> Summary {
    let mut tally = Tally::new(&config(agents));
    for game in games {
        tally.add(game);
    }
    tally.finish(Vec::new())
}

pub(super) const WIN: [f64; 2] = [1.0, -1.0];
pub(super) const LOSS: [f64; 2] = [-1.0, 1.0];
pub(super) const DRAW: [f64; 2] = [0.0, 0.0];

#[test]
fn only_complete_pairs_count_in_the_pentanomial() {
    // The pairs of a0: two wins; a win and a draw; two losses; the last pair is incomplete, with a win.
    let games = [
        game(0, &[0, 1], &WIN),
        game(1, &[1, 0], &LOSS),
        game(2, &[0, 1], &DRAW),
        game(3, &[1, 0], &LOSS),
        game(4, &[0, 1], &LOSS),
        game(5, &[1, 0], &WIN),
        game(6, &[0, 1], &WIN),
    ];
    let summary = sum(2, &games);
    let duel = summary.duel().unwrap();
    assert_eq!(duel.score, Wdl { wins: 4, draws: 1, losses: 2 });
    assert_eq!(duel.pentanomial, Pentanomial([1, 0, 0, 1, 1]));
    assert_eq!(summary.table[0].agent, "a0");
    assert_eq!(summary.table[0].points, 4.5);
    assert_eq!(summary.table[1].pentanomial, Some(Pentanomial([1, 1, 0, 0, 1])));
    assert_eq!(summary.table[1].points, 2.5);
    // In the first seat a0 won 2, drew 1 and lost 1.
    let first = &summary.table[0].seats[0];
    assert_eq!((first.seat.as_str(), first.score), ("first", Wdl { wins: 2, draws: 1, losses: 1 }));

    // A missing game affects only its own pair.
    let gap: Vec<Record> = games.iter().filter(|game| game.id != 1).cloned().collect();
    assert_eq!(sum(2, &gap).duel().unwrap().pentanomial, Pentanomial([1, 0, 0, 1, 0]));
    let gap: Vec<Record> =
        games.iter().filter(|game| ![1, 2].contains(&game.id)).cloned().collect();
    assert_eq!(sum(2, &gap).duel().unwrap().pentanomial, Pentanomial([1, 0, 0, 0, 0]));
}

#[test]
fn each_of_three_agents_has_a_row_with_its_sums() {
    let mut games = Vec::new();
    let mut id = 0;
    for (a, b) in [(0, 1), (0, 2), (1, 2)] {
        // The agent that is configured later wins in the second seat and draws in the first.
        games.push(game(id, &[a, b], &LOSS));
        games.push(game(id + 1, &[b, a], &DRAW));
        id += 2;
    }
    let summary = sum(3, &games);
    let table: Vec<_> =
        summary.table.iter().map(|row| (row.agent.as_str(), row.points, row.games)).collect();
    assert_eq!(table, [("a2", 3.0, 4), ("a1", 2.0, 4), ("a0", 1.0, 4)]);
    assert_eq!(summary.table[1].pentanomial, Some(Pentanomial([0, 1, 0, 1, 0])));
    assert_eq!(summary.table[1].elo, Some(0.0));
    assert_eq!(summary.meetings.len(), 3);
    assert!(summary.duel().is_none());
}

#[test]
fn points_in_games_of_three_are_sums_of_utilities() {
    let games = [
        game(0, &[0, 1, 2], &[0.5, 0.5, 0.0]),
        game(1, &[2, 0, 1], &[1.0, 0.0, 0.0]),
        game(2, &[1, 2, 0], &[0.0, 1.0, 0.0]),
    ];
    let summary = sum(3, &games);
    let table: Vec<_> = summary.table.iter().map(|row| (row.agent.as_str(), row.points)).collect();
    assert_eq!(table, [("a2", 2.0), ("a0", 0.5), ("a1", 0.5)]);
    assert_eq!(summary.table[0].score, Wdl { wins: 2, draws: 0, losses: 1 });
    assert_eq!(summary.table[1].score, Wdl { wins: 0, draws: 1, losses: 2 });
    assert!(summary.table.iter().all(|row| row.elo.is_none() && row.pentanomial.is_none()));
    assert_eq!(summary.table[0].seats[1].seat, "player-2");
}

#[test]
fn faults_count_for_the_agent_that_made_them() {
    let fault = |id, verdict, culprit| {
        let seats = if id % 2 == 0 { [0, 1] } else { [1, 0] };
        let utilities = if culprit == 0 { LOSS } else { WIN };
        Record { verdict, culprit: Some(culprit), ..game(id, &seats, &utilities) }
    };
    let games = [
        fault(0, Verdict::Time, 0),
        fault(1, Verdict::Hang, 0),
        fault(2, Verdict::Crash, 1),
        fault(3, Verdict::Protocol, 0),
        Record { overruns: 2, deterministic: false, ..game(4, &[0, 1], &DRAW) },
    ];
    let summary = sum(2, &games);
    assert_eq!(summary.time_losses, [1, 1]);
    assert_eq!(summary.verdict(Verdict::Normal), 1);
    assert_eq!(summary.overruns, 2);
    assert!(!summary.deterministic);
    // Three strikes: a hang, a crash and a protocol error.
    assert_eq!(summary.withdrawn, ["a1"]);
    let a1 = summary.table.iter().find(|row| row.agent == "a1").unwrap();
    assert_eq!(a1.faults, BTreeMap::from([("crash", 1), ("hang", 1), ("protocol", 1)]));
}

#[test]
fn games_with_equal_moves_are_distinct_if_their_starts_differ() {
    let same = |id| Record { moves: vec!["b2".to_owned()], ..game(id, &[0, 1], &WIN) };
    let elsewhere = Record { start: Some("x".to_owned()), ..same(2) };
    let summary = sum(2, &[same(0), same(1), elsewhere, game(3, &[0, 1], &WIN)]);
    assert_eq!((summary.distinct_games, summary.mean_length), (3, Some(1.0)));
}

#[test]
fn move_times_count_for_the_agent_that_moved() {
    let note = |seat, used| MoveNote { seat, used, ..MoveNote::default() };
    let mut first = game(0, &[1, 0], &WIN);
    first.notes = vec![note(None, 0), note(Some(0), 5), note(Some(1), 70), note(Some(0), 9)];
    let summary = sum(2, &[first]);
    let [a0, a1] = &summary.timing.agents[..] else { panic!("two agents") };
    assert_eq!((a0.moves, a0.p50_ms, a0.max_ms), (1, Some(0.07), Some(0.07)));
    assert_eq!((a1.moves, a1.p50_ms, a1.p99_ms), (2, Some(0.005), Some(0.009)));
}

#[test]
fn late_moves_count_in_the_times_and_overruns_for_their_agent() {
    let note = |seat, used, overrun| MoveNote { seat, used, overrun, ..MoveNote::default() };
    let mut lost = game(0, &[1, 0], &WIN);
    lost.notes = vec![note(Some(0), 5, false), note(Some(1), 986_000, false)];
    (lost.verdict, lost.culprit, lost.late) = (Verdict::Time, Some(1), 1_012_000);
    let mut forgiven = game(1, &[0, 1], &WIN);
    forgiven.notes = vec![note(Some(0), 7, true), note(Some(1), 8, false), note(Some(0), 9, true)];
    forgiven.overruns = 2;
    let summary = sum(2, &[lost, forgiven]);
    let [a0, a1] = &summary.timing.agents[..] else { panic!("two agents") };
    assert_eq!((a0.moves, a0.max_ms), (4, Some(1012.0)));
    assert_eq!((a1.moves, a1.max_ms), (2, Some(0.008)));
    assert_eq!((summary.overruns, &summary.agent_overruns[..]), (2, &[2, 0][..]));
}

#[test]
fn a_void_game_depends_on_timing() {
    let host = Record { verdict: Verdict::Host, culprit: Some(0), ..game(0, &[0, 1], &DRAW) };
    assert!(host.deterministic);
    let summary = sum(2, &[host]);
    assert_eq!((summary.games, summary.void, summary.deterministic), (0, 1, false));
    assert!(sum(2, &[game(0, &[0, 1], &DRAW)]).deterministic);
}

#[test]
fn a_void_game_does_not_change_other_numbers_of_the_summary() {
    let void = |id, seats: &[usize]| {
        let mut void = game(id, seats, &DRAW);
        (void.verdict, void.culprit, void.late) = (Verdict::Host, Some(0), 9_000_000);
        void.notes = vec![MoveNote { seat: Some(0), used: 8_000_000, ..MoveNote::default() }];
        void
    };
    let games: Vec<Record> = (0..20)
        .map(|id| if id % 2 == 0 { game(id, &[0, 1], &WIN) } else { game(id, &[1, 0], &LOSS) })
        .collect();
    let mut some = games.clone();
    some.extend([
        void(20, &[0, 1]),
        game(21, &[1, 0], &LOSS),
        void(22, &[0, 1]),
        void(23, &[1, 0]),
    ]);
    let mut without = games;
    without.push(game(21, &[1, 0], &LOSS));
    let (some, without) = (sum(2, &some), sum(2, &without));
    assert_eq!((some.void, some.verdict(Verdict::Host), some.games), (3, 3, without.games));
    let warning = &some.warnings[0];
    assert!(
        warning.starts_with(
            "3 games are void and do not count: this machine is too busy for a clock of "
        ),
        "{warning}"
    );
    for advice in ["--clock", "--margin", "--jobs"] {
        assert!(warning.contains(advice), "{warning}");
    }
    let json = |summary: &Summary| {
        let mut json = serde_json::to_value(summary).unwrap();
        for other in ["void", "verdicts", "warnings", "deterministic"] {
            json[other] = serde_json::Value::Null;
        }
        json
    };
    assert_eq!(json(&some), json(&without));
}

#[test]
fn a_test_skips_a_pair_with_a_void_game() {
    let config = TournamentSpec { sprt: Some("elo0=0,elo1=50".parse().unwrap()), ..config(2) };
    let mut tally = Tally::new(&config);
    for id in 0..400 {
        let seats = if id % 2 == 0 { [0, 1] } else { [1, 0] };
        let first_wins = id % 2 == 0 || id % 10 == 3;
        let mut game = game(id, &seats, if first_wins { &WIN } else { &LOSS });
        if id == 7 {
            game.verdict = Verdict::Host;
        }
        tally.add(&game);
    }
    let summary = tally.finish(Vec::new());
    let test = summary.sprt.unwrap();
    assert!(test.accepted.is_some(), "{test:?}");
    // The test leaves out the whole pair, including its other game, which has a result.
    assert_eq!(summary.games, 2 * test.pairs + 1);
    assert_eq!(summary.void, 1);
}

#[test]
fn a_summary_without_games_has_no_points() {
    let summary = sum(2, &[]);
    assert_eq!((summary.games, summary.mean_length), (0, None));
    assert!(summary.table.iter().all(|row| row.points == 0.0 && row.elo.is_none()));
    let text = serde_json::to_string(&summary).unwrap();
    assert!(text.contains(r#""verdicts":{"normal":0,"time":0,"#), "{text}");
}

/// Returns a pair of games with this score for `a0`, in half points. Pairs of one kind have the same moves.
fn pair_of(number: u64, kind: u64, half_points: u64) -> [Record; 2] {
    let outcomes = match half_points {
        0 => [LOSS, WIN],
        1 => [LOSS, DRAW],
        2 => [WIN, WIN],
        3 => [WIN, DRAW],
        _ => [WIN, LOSS],
    };
    let moves = |which: &str| vec![format!("{which}{kind}")];
    [
        Record { moves: moves("a"), ..game(2 * number, &[0, 1], &outcomes[0]) },
        Record { moves: moves("b"), ..game(2 * number + 1, &[1, 0], &outcomes[1]) },
    ]
}

/// Returns `counts[s]` distinct pairs of each score `s`.
fn pairs(counts: [u64; 5]) -> Vec<Record> {
    let scores = (0..5).flat_map(|score| vec![score as u64; counts[score] as usize]);
    scores.enumerate().flat_map(|(i, score)| pair_of(i as u64, i as u64, score)).collect()
}

fn tested(sprt: &str, games: &[Record]) -> (Tally, Summary) {
    let mut tally = Tally::new(&TournamentSpec { sprt: Some(sprt.parse().unwrap()), ..config(2) });
    for game in games {
        tally.add(game);
    }
    (tally.clone(), tally.finish(Vec::new()))
}

#[test]
fn games_after_the_test_accepts_a_hypothesis_do_not_count() {
    // a0 wins all games, so H1 is accepted after a few pairs.
    let won = pairs([0, 0, 0, 0, 20]);
    let sprt = "elo0=0,elo1=200";
    let (tally, summary) = tested(sprt, &won);
    let standing = summary.sprt.unwrap();
    assert_eq!(standing.accepted, Some(tussle_stats::Hypothesis::H1));
    let counted = 2 * standing.pairs;
    assert!(counted < 30, "{standing:?}");
    assert_eq!((summary.games, summary.surplus), (counted, 40 - counted));
    assert_eq!(summary.distinct_games, counted);
    assert_eq!(summary.duel().unwrap().pentanomial.pairs(), standing.pairs);
    assert!(tally.is_surplus(&won[39]) && !tally.is_surplus(&won[0]));
    assert_eq!(summary.table[0].games, counted);
    assert_eq!(summary.timing.agents[0].moves, 0);

    // Surplus games with other results change nothing except the times of moves.
    let mut other = won.clone();
    for record in &mut other[counted as usize..] {
        record.utilities.reverse();
        record.notes = vec![MoveNote { seat: Some(0), used: 7, ..MoveNote::default() }];
    }
    let (_, other) = tested(sprt, &other);
    assert_eq!(other.duel().unwrap().score, summary.duel().unwrap().score);
    assert_eq!(other.sprt, summary.sprt);
    assert_eq!(other.timing.agents[0].moves + other.timing.agents[1].moves, 40 - counted);

    // With a missing game the test stops there, so no later game is surplus.
    let gap: Vec<Record> = won.iter().filter(|game| game.id != 3).cloned().collect();
    let (_, summary) = tested(sprt, &gap);
    assert_eq!((summary.sprt.unwrap().pairs, summary.surplus, summary.games), (1, 0, 39));
    assert_eq!(summary.sprt.unwrap().accepted, None);
}

#[test]
fn without_a_test_nothing_is_surplus() {
    let summary = sum(2, &pairs([0, 0, 0, 0, 20]));
    assert_eq!((summary.sprt, summary.surplus, summary.games), (None, 0, 40));
}

#[test]
fn repeated_games_do_not_count_as_evidence() {
    // 4 kinds of pairs, 100 times each; a0 wins both games in 3 kinds and loses both in one.
    let repeated: Vec<Record> =
        (0..400).flat_map(|i| pair_of(i, i % 4, if i % 4 == 0 { 0 } else { 4 })).collect();
    let summary = sum(2, &repeated);
    assert_eq!((summary.distinct_games, summary.distinct_pairs), (8, 4));
    let duel = summary.duel().unwrap();
    assert_eq!(duel.pentanomial, Pentanomial([100, 0, 0, 0, 300]));
    let [all, once] = [[100, 0, 0, 0, 300], [1, 0, 0, 0, 3]]
        .map(|counts| Estimate::from_pairs(&Pentanomial(counts)));
    assert_eq!(duel.estimate.elo.value, all.elo.value);
    assert_eq!(duel.estimate.elo.error, once.elo.error);
    assert_eq!(duel.estimate.los, once.los);
    assert_eq!(duel.estimate.normalized.error, once.normalized.error);
    for row in &summary.table {
        assert_eq!(row.error, once.elo.error, "{}", row.agent);
    }
    assert_eq!(summary.table[1].estimate.los, once.los.map(|los| 1.0 - los));
    let [warning] = &summary.warnings[..] else { panic!("{:?}", summary.warnings) };
    assert!(warning.starts_with("only 8 of 800 games are distinct"), "{warning}");
    assert!(warning.ends_with("--opening-plies 4"), "{warning}");
    let conclusion = summary.conclusion.unwrap();
    assert!(conclusion.contains("cannot be told apart"), "{conclusion}");
    assert!(conclusion.contains("800 games, of which 8 are distinct"), "{conclusion}");

    // The same two games with swapped seats are a different pair.
    let turned: Vec<Record> = repeated[..2]
        .iter()
        .chain(&repeated[8..10])
        .cloned()
        .enumerate()
        .map(|(id, record)| Record { id: id as u64, pair: id as u64 / 2, ..record })
        .collect();
    let mut swapped = turned.clone();
    swapped[2].moves = turned[1].moves.clone();
    swapped[3].moves = turned[0].moves.clone();
    assert_eq!(sum(2, &turned).distinct_pairs, 1);
    assert_eq!(sum(2, &swapped).distinct_pairs, 2);
}

#[test]
fn a_single_repeated_pair_gives_no_estimate() {
    let same: Vec<Record> = (0..400).flat_map(|i| pair_of(i, 0, 4)).collect();
    let summary = sum(2, &same);
    let estimate = summary.duel().unwrap().estimate;
    assert_eq!((estimate.elo, estimate.los, estimate.beyond), Default::default());
    assert_eq!(
        summary.conclusion.as_deref(),
        Some("too few games to tell who is stronger after 800 games, of which 2 are distinct")
    );
    // With openings from a file the advice is different.
    let mut tally = Tally::new(&TournamentSpec { openings: vec!["b2".to_owned()], ..config(2) });
    for record in &same {
        tally.add(record);
    }
    assert!(tally.finish(Vec::new()).warnings[0].ends_with("use more openings"));
}

/// Two agents repeat their games, others do not: only the distinct games of the two count.
#[test]
fn the_repeated_games_of_one_pairing_count_once() {
    let mut games = Vec::new();
    for _ in 0..30 {
        for [a, b] in [[0, 1], [0, 2], [1, 2]] {
            let id = games.len() as u64;
            let moves = |second: u64| vec![if b == 1 { second } else { id + second }.to_string()];
            // a0 wins one game against a1 and draws the other; a2 loses all games.
            let second = if b == 1 { DRAW } else { LOSS };
            games.push(Record { moves: moves(0), ..game(id, &[a, b], &WIN) });
            games.push(Record { moves: moves(1), ..game(id + 1, &[b, a], &second) });
        }
    }
    let summary = sum(3, &games);
    assert!(summary.distinct_games * 2 > summary.games, "most games are distinct");
    let first = summary.ratings.difference(0, 1);
    let [value, error] = [first.value, first.error].map(Option::unwrap_or_default);
    assert!(value < error, "{value} ± {error}");
    let conclusion = summary.conclusion.unwrap();
    assert!(conclusion.starts_with("a0 and a1 cannot be told apart"), "{conclusion}");
    let [warning] = &summary.warnings[..] else { panic!("{:?}", summary.warnings) };
    assert!(warning.starts_with("only 1 of 30 pairs of a0 and a1 are distinct;"), "{warning}");
}

#[test]
fn a_conclusion_claims_no_more_than_the_games_show() {
    let conclusion = |counts| sum(2, &pairs(counts)).conclusion.unwrap();
    assert_eq!(conclusion([10, 50, 200, 100, 40]), "a0 is stronger: +48 ± 16 Elo after 800 games");
    assert_eq!(conclusion([40, 100, 200, 50, 10]), "a1 is stronger: +48 ± 16 Elo after 800 games");
    assert_eq!(
        conclusion([20, 80, 200, 84, 16]),
        "a0 and a1 cannot be told apart: -2 ± 15 Elo after 800 games; `tussle power --elo 2` \
         computes how many games it takes"
    );
    let won = conclusion([0, 0, 0, 0, 20]);
    assert_eq!(won, "a0 is stronger: won all 40 games, more than +316 Elo");
    let lost = conclusion([20, 0, 0, 0, 0]);
    assert_eq!(lost, "a1 is stronger: won all 40 games, more than +316 Elo");
    assert_eq!(
        conclusion([0, 0, 9, 0, 0]),
        "a0 and a1 cannot be told apart: every pair is even after 18 games"
    );
    assert_eq!(conclusion([0, 0, 0, 0, 5]), "a0 won all 10 games, too few to tell by how much");
    assert_eq!(conclusion([1, 0, 0, 0, 0]), "a1 won all 2 games, too few to tell by how much");
    for few in [[0, 0, 0, 1, 4], [0, 0, 0, 1, 1], [0, 0, 1, 3, 1]] {
        let conclusion = conclusion(few);
        assert!(conclusion.starts_with("too few games to tell"), "{few:?}: {conclusion}");
    }
    assert_eq!(sum(2, &[]).conclusion, None);
}

/// Of two equal agents, one is called stronger in at most 5 % of matches, including short ones.
#[test]
fn equal_agents_are_rarely_called_different() {
    let mut rng = tussle_core::Rng::new(3);
    for length in [3, 6, 12, 30, 40] {
        let mut claims = 0;
        for _ in 0..1000 {
            let mut met = HeadToHead::default();
            for _ in 0..length {
                let results = [GameResult::Win, GameResult::Draw, GameResult::Loss];
                let mut result = || results[rng.below(3)];
                met.pairs.add([result(), result()]);
            }
            met.distinct = met.pairs;
            let evidence = Evidence::of_meeting(&met, false);
            let meeting = Meeting {
                indices: [0, 1],
                agents: ["a".to_owned(), "b".to_owned()],
                games: 2 * length,
                score: met.score,
                estimate: evidence.estimate(),
                pentanomial: met.pairs,
                draw_ratio: None,
                pairs_ratio: None,
            };
            let sentence = conclusion::sentence(&meeting, &evidence, 9);
            claims += u32::from(sentence[1..].starts_with(" is stronger"));
        }
        println!("{length} pairs: {claims} of 1000");
        assert!(claims < 66, "{length} pairs: {claims} of 1000");
    }
}

#[test]
fn the_conclusion_of_a_finished_test_is_the_accepted_hypothesis() {
    let words = |sprt, counts| tested(sprt, &pairs(counts)).1.conclusion.unwrap();
    let accepted = words("elo0=0,elo1=200", [0, 0, 0, 0, 20]);
    let start = "a0 is stronger: the test accepts H1, rather 200 than 0 normalized Elo, after ";
    assert!(accepted.starts_with(start), "{accepted}");
    let worse = words("elo0=-190,elo1=-10,model=logistic", [20, 0, 0, 0, 0]);
    let start = "a1 is stronger: the test accepts H0, rather -190 than -10 Elo for a0, after ";
    assert!(worse.starts_with(start), "{worse}");
    // This hypothesis does not say which agent is stronger.
    let equal = words("elo0=-10,elo1=190,model=logistic", [20, 0, 0, 0, 0]);
    let start = "the test accepts H0: for a0 against a1 it is rather -10 than 190 Elo, after ";
    assert!(equal.starts_with(start), "{equal}");
    let open = words("elo0=0,elo1=2", [1, 0, 3, 0, 1]);
    assert!(open.contains("cannot be told apart"), "{open}");
}

/// Returns a game that the agent in the second seat loses by a fault.
fn crash(id: u64, seats: [usize; 2], verdict: Verdict) -> Record {
    Record { verdict, culprit: Some(1), ..game(id, &seats, &WIN) }
}

/// Returns the games of a round robin in which the agent that is configured later wins, but `broken` agents lose by a
/// fault. Games of agents with three faults are left out.
fn with_broken(agents: usize, broken: &[usize]) -> Vec<Record> {
    let (mut games, mut id) = (Vec::new(), 0);
    let mut strikes = vec![0; agents];
    for a in 0..agents {
        for b in a + 1..agents {
            for [first, second] in [[a, b], [b, a]] {
                id += 1;
                if strikes[first] >= 3 || strikes[second] >= 3 {
                    continue;
                }
                let culprit = [first, second].iter().position(|agent| broken.contains(agent));
                let first_loses = culprit.map_or(first < second, |seat| seat == 0);
                let utilities = if first_loses { LOSS } else { WIN };
                let verdict = culprit.map_or(Verdict::Normal, |_| Verdict::Illegal);
                if let Some(seat) = culprit {
                    strikes[[first, second][seat]] += 1;
                }
                let game = game(id - 1, &[first, second], &utilities);
                games.push(Record { verdict, culprit, ..game });
            }
        }
    }
    games
}

#[test]
fn games_of_withdrawn_agents_do_not_count() {
    let games = with_broken(6, &[3, 4, 5]);
    let summary = sum(6, &games);
    let table: Vec<_> =
        summary.table.iter().map(|row| (row.agent.as_str(), row.points, row.games)).collect();
    // a0 has six wins against broken agents and lost all other games.
    assert_eq!(table[..3], [("a2", 4.0, 4), ("a1", 2.0, 4), ("a0", 0.0, 4)]);
    assert_eq!(table[3..], [("a3", 0.0, 0), ("a4", 0.0, 0), ("a5", 0.0, 0)]);
    assert_eq!(summary.withdrawn, ["a3", "a4", "a5"]);
    let free = summary.row("a0").unwrap().uncounted;
    assert_eq!((free.games, free.points, free.score.wins), (6, 6.0, 6));
    let broken = summary.row("a3").unwrap();
    assert!(broken.withdrawn && broken.rating.value.is_none());
    assert_eq!((broken.uncounted.games, broken.faults["illegal"]), (3, 3));
    assert_eq!((summary.uncounted, summary.games), (9, 15));
    assert_eq!((summary.remaining, summary.cancelled), (0, 15));
    assert_eq!(summary.meetings.len(), 3);
    assert_eq!(summary.verdict(Verdict::Illegal), 9, "verdicts include them");
    assert!(summary.warnings.is_empty(), "{:?}", summary.warnings);
    let text = serde_json::to_string(&summary).unwrap();
    let uncounted = r#""uncounted":{"games":6,"points":6.0,"wins":6,"draws":0,"losses":0}"#;
    for part in [r#""withdrawn":true"#, r#""sorted_by":"points""#, uncounted] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // The given rating of a withdrawn agent does not affect the other ratings.
    let mut tally = Tally::new(&config(6)).anchored(&["a3=1500".parse().unwrap()]).unwrap();
    for game in &games {
        tally.add(game);
    }
    let anchored = tally.finish(Vec::new());
    let rating = |summary: &Summary| summary.row("a2").unwrap().rating;
    assert_eq!(rating(&anchored), rating(&summary));
    assert_eq!(anchored.warnings, ["anchor a3: withdrawn, so its rating is not used"]);
}

#[test]
fn the_conclusion_names_the_only_agent_that_is_not_withdrawn() {
    let conclusion = |games: &[Record]| sum(4, games).conclusion.unwrap();
    let one_left: Vec<Record> =
        (0..9).map(|id| crash(id, [2, [0, 1, 3][id as usize % 3]], Verdict::Crash)).collect();
    let alone = conclusion(&one_left);
    assert_eq!(alone, "a2 is the only agent left: the other 3 were withdrawn");
    let agent = |id: u64| (id % 4) as usize;
    let none_left: Vec<Record> =
        (0..12).map(|id| crash(id, [agent(id + 1), agent(id)], Verdict::Protocol)).collect();
    assert_eq!(conclusion(&none_left), "all 4 agents were withdrawn");
    let two = conclusion(&with_broken(4, &[0, 1]));
    assert!(two.starts_with("a3 is first: won all 2 games"), "{two}");
}

#[test]
fn a_match_counts_the_games_of_a_withdrawn_agent() {
    let games: Vec<Record> = (0..3)
        .map(|id| crash(id, [0, 1], Verdict::Hang))
        .chain([game(3, &[0, 1], &DRAW)])
        .collect();
    let config = TournamentSpec { rounds: 20, ..config(2) };
    let mut tally = Tally::new(&config);
    for game in &games {
        tally.add(game);
    }
    let summary = tally.finish(Vec::new());
    assert_eq!(summary.duel().unwrap().score, Wdl { wins: 3, draws: 1, losses: 0 });
    assert_eq!((summary.uncounted, summary.remaining, summary.cancelled), (0, 0, 36));
    assert_eq!(
        summary.conclusion.unwrap(),
        "withdrawn: a1 (3 faults), which ended the match after 4 games; a0 won 3, drew 1, lost 0"
    );
    assert_eq!(summary.table[1].agent, "a1");
    assert!(summary.table[1].withdrawn);
}

/// A game of three with a withdrawn agent does not count for the other two either.
#[test]
fn games_of_three_with_a_withdrawn_agent_do_not_count() {
    let mut games = Vec::new();
    for seats in [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]] {
        for turn in 0..3 {
            let seats = [0, 1, 2].map(|seat| seats[(seat + turn) % 3]);
            let crashed = seats.iter().position(|&agent| agent == 3);
            let best =
                seats.iter().position(|&agent| agent == seats[0].min(seats[1]).min(seats[2]));
            let mut utilities = [0.0; 3];
            utilities[best.unwrap()] = 1.0;
            let verdict = if crashed.is_some() { Verdict::Crash } else { Verdict::Normal };
            let game = game(games.len() as u64, &seats, &utilities);
            games.push(Record { verdict, culprit: crashed, ..game });
        }
    }
    let summary = sum(4, &games);
    let table: Vec<_> =
        summary.table.iter().map(|row| (row.agent.as_str(), row.points, row.games)).collect();
    assert_eq!((table[0], table[3]), (("a0", 3.0, 3), ("a3", 0.0, 0)));
    assert_eq!(summary.row("a1").map(|row| (row.points, row.games)), Some((0.0, 3)));
    assert_eq!(summary.row("a1").unwrap().uncounted.points, 3.0);
    assert_eq!(summary.row("a1").unwrap().mean_rank.unwrap().value, Some(2.5));
    assert_eq!(summary.row("a3").unwrap().mean_rank.unwrap().value, None);
}

/// An agent that won every game is never called equal to another one, even after few games.
#[test]
fn an_agent_that_won_every_game_is_first() {
    let gauntlet = |opponents: usize, rounds: u64| {
        let mut games = Vec::new();
        for _ in 0..rounds {
            for other in 1..=opponents {
                let id = games.len() as u64;
                games.push(game(id, &[0, other], &WIN));
                games.push(game(id + 1, &[other, 0], &LOSS));
            }
        }
        let config =
            TournamentSpec { format: crate::Format::Gauntlet, rounds, ..config(opponents + 1) };
        let mut tally = Tally::new(&config);
        for game in &games {
            tally.add(game);
        }
        tally.finish(Vec::new())
    };
    for (opponents, rounds, wanted) in [
        (5, 1, "a0 is first: won all 10 games, too few to tell by how much"),
        (2, 1, "a0 is first: won all 4 games, too few to tell by how much"),
        (6, 1, "a0 is first: won all 12 games, more than +75 Elo above its opponents"),
        (5, 8, "a0 is first: won all 80 games, more than +443 Elo above its opponents"),
    ] {
        let summary = gauntlet(opponents, rounds);
        assert_eq!(summary.conclusion.as_deref(), Some(wanted));
        assert_eq!(summary.table[0].agent, "a0");
    }
    // Two agents that both won all of their games cannot be told apart.
    let games = [game(0, &[0, 1], &WIN), game(1, &[1, 0], &LOSS), game(2, &[2, 1], &WIN)];
    let both = sum(3, &games).conclusion.unwrap();
    assert!(both.contains("cannot be told apart"), "{both}");
}

/// The conclusion names the agent that leads the standings, even while games are missing.
#[test]
fn standings_and_conclusion_agree_when_games_are_missing() {
    // a0 has won many games against the weakest agent, a1 has beaten a0 and a2.
    let mut games = Vec::new();
    let mut pair = |seats: [usize; 2], outcomes: [[f64; 2]; 2]| {
        let id = games.len() as u64;
        games.push(game(id, &seats, &outcomes[0]));
        games.push(game(id + 1, &[seats[1], seats[0]], &outcomes[1]));
    };
    for _ in 0..20 {
        pair([0, 3], [WIN, LOSS]);
    }
    for _ in 0..8 {
        pair([1, 0], [WIN, LOSS]);
        pair([1, 2], [WIN, DRAW]);
        pair([2, 3], [WIN, WIN]);
    }
    let summary = sum(4, &games);
    assert_eq!(summary.sorted_by, Order::Rating);
    assert_eq!(summary.table[0].agent, "a1");
    assert!(summary.row("a0").unwrap().points > summary.row("a1").unwrap().points);
    let conclusion = summary.conclusion.unwrap();
    assert!(conclusion.starts_with("a1 "), "{conclusion}");
}
