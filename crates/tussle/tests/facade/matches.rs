//! Matches from Rust: results, seats, openings, reproducibility and errors.

use tussle::games::keep_on_moving::Board;
use tussle::games::{Backgammon, Connect4, KeepOnMoving, TicTacToe, connect4};
use tussle::search::{
    Agent, AlphaBeta, AlphaBetaOptions, Mcts, MctsOptions, Random, SearchError, agent_fn,
};
use tussle::stats::Pentanomial;
use tussle::{Fallible, Game, Limits, Match, MatchError, TryGame, TryZeroSum, Turn};

#[test]
fn the_stronger_agent_wins_and_counts_add_up() {
    let game = Connect4::default();
    let mut strong = AlphaBeta::new(AlphaBetaOptions::default(), connect4::Eval::Windows);
    let limits = Limits::depth(3);
    let played = Match::new(&game).pairs(10).opening_plies(2).limits(limits);
    let result = played.play(&mut strong, &mut Random::new(1)).expect("a result");
    assert_eq!((result.score.games(), result.pairs.pairs()), (20, 10));
    assert!(result.score.wins >= 18, "{result}");
    let seats = result.by_seat;
    assert_eq!(seats.map(|seat| seat.games()), [10, 10]);
    assert_eq!(seats[0].wins + seats[1].wins, result.score.wins);
    let turned = played.play(&mut Random::new(1), &mut strong).expect("a result");
    assert!(turned.score.losses >= 18, "{turned}");
    assert!(turned.to_string().starts_with('+'), "{turned}");
}

#[test]
fn the_same_seed_gives_the_same_match() {
    let game = Backgammon::default();
    let played = |seed| {
        let played = Match::new(&game).pairs(3).seed(seed).limits(Limits::nodes(20));
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
    assert_eq!(result.by_seat[0], result.by_seat[1].reversed());
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
    let over = broken.search(&game, &game.start(), &Limits::none());
    assert!(matches!(over, Err(SearchError::Unsupported(_))));
}

/// Take one or two of ten counters; fails after a number of answers.
struct Remote(std::sync::atomic::AtomicI64);

impl Remote {
    fn answer<A>(&self, answer: A) -> std::io::Result<A> {
        match self.0.fetch_sub(1, std::sync::atomic::Ordering::Relaxed) {
            ..=0 => Err(std::io::ErrorKind::BrokenPipe.into()),
            _ => Ok(answer),
        }
    }
}

impl TryGame for Remote {
    type State = (u32, usize);
    type Move = String;
    type Error = std::io::Error;

    fn start(&self) -> std::io::Result<(u32, usize)> {
        self.answer((10, 0))
    }

    fn turn(&self, s: &(u32, usize)) -> std::io::Result<Turn> {
        self.answer(if s.0 == 0 { Turn::Over } else { Turn::Player(s.1) })
    }

    fn moves(&self, s: &(u32, usize)) -> std::io::Result<Vec<String>> {
        self.answer((1..=s.0.min(2)).map(|take| take.to_string()).collect())
    }

    fn play(&self, s: &(u32, usize), mv: &String) -> std::io::Result<(u32, usize)> {
        self.answer((s.0 - mv.parse::<u32>().unwrap_or(1), 1 - s.1))
    }

    fn utility(&self, s: &(u32, usize), player: usize) -> std::io::Result<f64> {
        self.answer(if player == s.1 { -1.0 } else { 1.0 })
    }
}

impl TryZeroSum for Remote {}

#[test]
fn a_match_returns_the_error_of_the_rules() {
    let mut finished = 0;
    for answers in (0..80).chain([200, 400, 100_000]) {
        let game = Fallible::new(Remote(answers.into()));
        let mut mcts = Mcts::new(MctsOptions { keep_tree: true, ..Default::default() });
        let played = Match::new(&game).pairs(2).opening_plies(2).limits(Limits::nodes(9));
        match played.play(&mut mcts, &mut Random::new(1)) {
            Err(MatchError::Rules(error)) => {
                assert_eq!(Some(&error), game.failure().as_ref());
                assert!(error.get().downcast_ref::<std::io::Error>().is_some());
            }
            other => {
                assert_eq!(other.expect("a result").score.games(), 4);
                finished += 1;
            }
        }
    }
    assert!(finished > 0);
}
