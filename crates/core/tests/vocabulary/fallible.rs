//! Rules that can fail.

use tussle_core::{Fallible, Game, Hashed, Notation, Payoffs, Rng, TryGame, TryNotation, Turn};

/// Counts to four by steps of 1 or 2, and fails after a number of answers.
#[derive(Debug)]
struct Remote {
    answers: std::sync::atomic::AtomicU32,
}

#[derive(Debug)]
struct ConnectionLost;

impl std::fmt::Display for ConnectionLost {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("gone")
    }
}

impl std::error::Error for ConnectionLost {}

impl Remote {
    fn new(answers: u32) -> Fallible<Self> {
        Fallible::new(Self { answers: answers.into() })
    }

    fn answer<A>(&self, answer: A) -> Result<A, ConnectionLost> {
        use std::sync::atomic::Ordering::Relaxed;
        let left = self.answers.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1));
        left.map(|_| answer).map_err(|_| ConnectionLost)
    }
}

impl TryGame for Remote {
    type State = u32;
    type Move = String;
    type Error = ConnectionLost;

    fn start(&self) -> Result<u32, ConnectionLost> {
        self.answer(0)
    }

    fn turn(&self, &count: &u32) -> Result<Turn, ConnectionLost> {
        self.answer(match count {
            4.. => Turn::Over,
            1 => Turn::Chance,
            _ => Turn::Player(0),
        })
    }

    fn moves(&self, _: &u32) -> Result<Vec<String>, ConnectionLost> {
        self.answer(vec!["one".to_owned(), "two".to_owned()])
    }

    fn play(&self, count: &u32, mv: &String) -> Result<u32, ConnectionLost> {
        self.answer(count + if mv == "one" { 1 } else { 2 })
    }

    fn utility(&self, &count: &u32, player: usize) -> Result<f64, ConnectionLost> {
        self.answer(f64::from(count) - player as f64)
    }

    fn probability(&self, _: &u32, mv: &String) -> Result<f64, ConnectionLost> {
        self.answer(if mv == "one" { 0.25 } else { 0.75 })
    }
}

#[test]
fn rules_that_can_fail_are_a_game_until_they_fail() {
    let game = Remote::new(u32::MAX);
    let start = game.start();
    assert_eq!((game.players(), game.payoffs(), game.has_chance()), (2, Payoffs::DUEL, false));
    assert_eq!((start.get(), format!("{start:?}")), (Some(&0), "0".to_owned()));
    let [one, two] = game.legal_moves(&start)[..] else { panic!("two moves") };
    assert_eq!(game.move_of(one), Some("one".to_owned()));
    assert_eq!((game.id_of(&"two".to_owned()), game.id_of(&"three".to_owned())), (Some(two), None));
    let after = |moves: &[_]| {
        let mut state = game.start();
        for &mv in moves {
            game.play(&mut state, mv);
        }
        state
    };
    // Positions are equal if their states are, whatever moves led to them; so are their keys.
    assert_eq!(after(&[one, one]), after(&[two]));
    assert_ne!(after(&[one]), after(&[two]));
    assert_eq!(game.board_key(&after(&[one, one])), game.board_key(&after(&[two])));
    assert_ne!(game.board_key(&after(&[one])), game.board_key(&after(&[two])));
    assert_eq!(
        (game.turn(&after(&[one])), game.turn(&after(&[two, two]))),
        (Turn::Chance, Turn::Over)
    );
    assert_eq!((game.utility(&after(&[two, two]), 1), game.failure()), (3.0, None));
    let chance = after(&[one]);
    assert_eq!((game.probability(&chance, one), game.probability(&chance, two)), (0.25, 0.75));
    let (mut rng, mut scratch) = (Rng::new(3), Vec::new());
    let twos = (0..4000).filter(|_| game.sample(&chance, &mut rng, &mut scratch) == two).count();
    assert!((2850..3150).contains(&twos), "{twos}");
    // A position belongs to one game.
    let other = Remote::new(u32::MAX);
    assert_ne!(other.start(), game.start());
    assert_eq!(
        (other.turn(&game.start()), other.legal_moves(&game.start()).len()),
        (Turn::Over, 0)
    );
    assert_eq!((other.utility(&start, 0), other.probability(&start, one)), (0.0, 0.0));
    assert_eq!(other.rules().answers.load(std::sync::atomic::Ordering::Relaxed), u32::MAX - 1);
    assert!(format!("{game:?}").starts_with("Fallible { rules: Remote"));
}

#[test]
fn the_first_error_ends_every_game() {
    for answers in 0..6 {
        let mut game = Remote::new(answers);
        let mut state = game.start();
        let mut plies = 0;
        while game.turn(&state) != Turn::Over {
            let moves = game.legal_moves(&state);
            let Some(&mv) = moves.first() else { break };
            game.play(&mut state, mv);
            plies += 1;
        }
        let error = game.failure().expect("an error");
        assert_eq!(error.to_string(), "the rules of the game failed: gone");
        assert!(error.get().downcast_ref::<ConnectionLost>().is_some());
        assert!(std::error::Error::source(&error).is_some());
        assert_eq!((game.failure(), plies <= 2), (Some(error.clone()), true));
        assert_eq!((game.turn(&state), game.legal_moves(&state).len()), (Turn::Over, 0));
        assert_eq!((game.utility(&state, 0), game.turn(&game.start())), (0.0, Turn::Over));
        // The error of another game is not equal.
        let other = Remote::new(0);
        other.start();
        assert_ne!(other.failure(), Some(error.clone()));
        assert_eq!(other.start().get(), None);
        assert_eq!(other.start(), other.start());
        assert_eq!(format!("{:?}", other.start()), "no position: the rules failed");
        // After recovery, the rules are asked again.
        game.rules_mut().answers = u32::MAX.into();
        assert_eq!((game.recover(), game.failure()), (Some(error), None));
        assert_eq!(game.turn(&game.start()), Turn::Player(0));
        assert_eq!(game.recover(), None);
    }
}

/// Answers are cached up to the maximum number of positions.
#[test]
fn rules_are_asked_once_for_each_position() {
    let asked = |game: &Fallible<Remote>| {
        u32::MAX - game.rules().answers.load(std::sync::atomic::Ordering::Relaxed)
    };
    let walk = |game: &Fallible<Remote>| {
        let mut state = game.start();
        while game.turn(&state) != Turn::Over {
            let mv = game.legal_moves(&state)[0];
            game.play(&mut state, mv);
        }
    };
    let game = Remote::new(u32::MAX);
    walk(&game);
    let first = asked(&game);
    walk(&game);
    walk(&game);
    // Only the start is asked again: its state is unknown before the rules answer.
    assert_eq!((first, asked(&game)), (1 + 5 + 4 + 4, first + 2));
    let forgetful = Remote::new(u32::MAX).with_max_positions(1);
    walk(&forgetful);
    walk(&forgetful);
    assert!(asked(&forgetful) > first + 4, "{}", asked(&forgetful));
}

impl TryNotation for Remote {
    fn move_text(&self, _: &u32, mv: &String) -> Result<String, ConnectionLost> {
        self.answer(mv.clone())
    }

    fn position_text(&self, count: &u32) -> Result<String, ConnectionLost> {
        self.answer(count.to_string())
    }

    fn parse_position(&self, text: &str) -> Result<Option<u32>, ConnectionLost> {
        self.answer(text.parse().ok().filter(|count| *count <= 5))
    }
}

#[test]
fn rules_that_can_fail_have_their_own_texts() {
    let game = Remote::new(u32::MAX);
    let state = game.parse_position("2").unwrap();
    assert_eq!((state.get(), game.position_text(&state)), (Some(&2), "2".to_owned()));
    let two = game.parse_move(&state, "two").unwrap();
    assert_eq!(game.move_text(&state, two), "two");
    assert!(game.parse_move(&state, "six").is_err());
    let error = game.parse_position("six").unwrap_err();
    assert_eq!(error.to_string(), "`six`: expected a position of this game");
    assert!(game.failure().is_none());

    let game = Remote::new(1);
    let state = game.start();
    assert_eq!(game.position_text(&state), "?");
    let error = game.parse_position("2").unwrap_err();
    assert_eq!(error.to_string(), "the rules of the game failed: gone");
}
