//! Matches from Rust: results, seats, openings, reproducibility and errors.

use tussle::games::keep_on_moving::Board;
use tussle::games::{Backgammon, Connect4, KeepOnMoving, TicTacToe, connect4};
use tussle::search::{
    Agent, AlphaBeta, AlphaBetaOptions, Mcts, MctsOptions, Random, SearchError, agent_fn,
};
use tussle::stats::Pentanomial;
use tussle::{Budget, Game, Match, MatchError, Turn};

#[test]
fn the_stronger_agent_wins_and_counts_add_up() {
    let game = Connect4::default();
    let mut strong = AlphaBeta::new(AlphaBetaOptions::default(), connect4::Eval::Windows);
    let limits = Budget::default().depth(3);
    let played = Match::new(&game).pairs(10).opening_plies(2).limits(limits);
    let result = played.play(&mut strong, &mut Random::new(1)).expect("a result");
    assert_eq!((result.games.games(), result.pairs.pairs()), (20, 10));
    assert!(result.games.wins >= 18, "{result}");
    let seats = result.seats;
    assert_eq!(seats.map(|seat| seat.games()), [10, 10]);
    assert_eq!(seats[0].wins + seats[1].wins, result.games.wins);
    let turned = played.play(&mut Random::new(1), &mut strong).expect("a result");
    assert!(turned.games.losses >= 18, "{turned}");
    assert!(turned.to_string().starts_with('+'), "{turned}");
}

#[test]
fn the_same_seed_gives_the_same_match() {
    let game = Backgammon::default();
    let played = |seed| {
        let played = Match::new(&game).pairs(3).seed(seed).limits(Budget::default().nodes(20));
        let mut mcts = Mcts::new(MctsOptions::default());
        played.play(&mut mcts, &mut Random::new(5)).expect("a result")
    };
    assert_eq!(played(1), played(1));
}

#[test]
fn agents_swap_seats_from_the_same_opening() {
    let game = TicTacToe;
    let mut seen: [Vec<_>; 2] = [Vec::new(), Vec::new()];
    let [ours, theirs] = &mut seen;
    let mut first = agent_fn(|game: &TicTacToe, state, _| {
        ours.push((*state, game.turn(state)));
        game.legal_moves(state)[0]
    });
    let mut second = agent_fn(|game: &TicTacToe, state, _| {
        theirs.push((*state, game.turn(state)));
        game.legal_moves(state)[0]
    });
    // Both play the same moves, so that the games of a pair are equal and the seats decide.
    let result = Match::new(&game).pairs(4).opening_plies(2).play(&mut first, &mut second);
    let result = result.expect("a result");
    assert_eq!(result.pairs, Pentanomial([0, 0, 4, 0, 0]));
    assert_eq!(result.seats[0], result.seats[1].reversed());
    let [ours, theirs] = seen;
    assert_eq!(ours[0].1, Turn::Player(0));
    assert!(theirs.contains(&ours[0]), "the second agent is asked about the same opening");
}

#[test]
fn errors_name_the_agent() {
    let game = TicTacToe;
    let mut cheat = agent_fn(|_: &TicTacToe, _, _| 4);
    let played = Match::new(&game).play(&mut Random::new(1), &mut cheat);
    assert!(matches!(played, Err(MatchError::IllegalMove { agent: 1, pair: 0 })), "{played:?}");
    let long = Match::new(&game).opening_plies(9).play(&mut Random::new(1), &mut Random::new(2));
    assert_eq!(long, Err(MatchError::NoOpening { plies: 9 }));
    let board = Board::parse("1..2\n....\n3...\n").expect("a board");
    let many = KeepOnMoving::<1, 8>::new(&board).expect("it fits");
    let played = Match::new(&many).play(&mut Random::new(1), &mut Random::new(2));
    assert_eq!(played, Err(MatchError::Players(3)));
    let mut broken = Mcts::new(MctsOptions { lambda: 0.5, ..Default::default() });
    let played = Match::new(&game).play(&mut broken, &mut Random::new(2));
    assert!(matches!(played, Err(MatchError::Search { agent: 0, .. })), "{played:?}");
    let over = broken.search(&game, &game.start(), &Budget::unlimited());
    assert!(matches!(over, Err(SearchError::Unsupported(_))));
}
