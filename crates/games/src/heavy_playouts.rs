//! The tests that every heavy playout passes: its moves are told and made again by the plain
//! rules.

use tussle_core::{Game, Rng, Turn};

/// A heavy playout that adds its moves to a list.
pub(crate) type Told<G> =
    fn(&G, &mut <G as Game>::State, &mut Rng, &mut Vec<<G as Game>::Move>) -> u32;

/// The legal moves.
pub(crate) fn legal<G: Game>(game: &G, state: &G::State) -> Vec<G::Move> {
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    moves
}

/// The state after a move.
pub(crate) fn after<G: Game>(game: &G, state: &G::State, mv: G::Move) -> G::State {
    let mut state = state.clone();
    game.play(&mut state, mv);
    state
}

/// What a move that ends the game is worth to the player who makes it.
pub(crate) fn worth<G: Game>(game: &G, state: &G::State, mv: G::Move) -> Option<f64> {
    let Turn::Player(mover) = game.turn(state) else { return None };
    let after = after(game, state, mv);
    (game.turn(&after) == Turn::Over).then(|| game.utility(&after, mover))
}

/// Shows `see` states of random games of every length: so many games, one state of each.
pub(crate) fn random_positions<G: Game>(game: &G, games: u64, mut see: impl FnMut(&G::State)) {
    for seed in 0..games {
        let (mut rng, mut states) = (Rng::derive(5, &[seed]), vec![game.start()]);
        while game.turn(&states[states.len() - 1]) != Turn::Over {
            let state = &states[states.len() - 1];
            let moves = legal(game, state);
            states.push(after(game, state, moves[rng.below(moves.len())]));
        }
        see(&states[rng.below(states.len())]);
    }
}

/// Plays a heavy game from every one of some random positions, checks each of its moves against
/// the list, makes it by the plain rules and compares the ends. `see` is shown every state with
/// the move that was chosen there.
pub(crate) fn obey_the_rules<G: Game>(
    game: &G,
    told: Told<G>,
    games: u64,
    mut see: impl FnMut(&G::State, G::Move),
) {
    assert!(game.has_heavy_playout());
    let mut seed = 0;
    random_positions(game, games, |start| {
        seed += 1;
        let mut end = start.clone();
        let mut moves = Vec::new();
        let plies = told(game, &mut end, &mut Rng::new(seed), &mut moves);
        assert_eq!(plies as usize, moves.len());
        assert_eq!(game.turn(&end), Turn::Over);

        let mut state = start.clone();
        for mv in moves {
            assert!(legal(game, &state).contains(&mv), "{mv:?} is not legal in {state:?}");
            see(&state, mv);
            game.play(&mut state, mv);
        }
        assert_eq!(game.turn(&state), Turn::Over, "{state:?} is not over");
        let worth = |state| [0, 1].map(|player| game.utility(state, player));
        assert_eq!(worth(&end), worth(&state));

        // The playout itself tells nothing and is the same game.
        let mut silent = start.clone();
        let mut scratch = legal(game, start);
        let before = scratch.clone();
        assert_eq!(game.heavy_playout(&mut silent, &mut Rng::new(seed), &mut scratch), plies);
        assert_eq!(scratch, before, "the scratch buffer is left as it was found");
        assert_eq!(game.turn(&silent), Turn::Over);
        assert_eq!(worth(&silent), worth(&state));
    });
}

/// Checks that whenever a move wins at once, such a move is chosen; returns how often.
pub(crate) fn take_every_win<G: Game>(game: &G, told: Told<G>, games: u64) -> u32 {
    let mut wins = 0;
    obey_the_rules(game, told, games, |state, chosen| {
        let won = |mv| worth(game, state, mv).is_some_and(|worth| worth > 0.0);
        if legal(game, state).into_iter().any(won) {
            assert!(won(chosen), "{chosen:?} in {state:?} walks past a win");
            wins += 1;
        }
    });
    wins
}

/// The share of the points that the first moves of heavy games take from random play, over as
/// many games from either seat.
pub(crate) fn share_against_random_play<G: Game>(game: &G, told: Told<G>, games: u32) -> f64 {
    let (mut rng, mut moves, mut points) = (Rng::new(9), Vec::new(), 0.0);
    for n in 0..games {
        let seat = n as usize % 2;
        let mut state = game.start();
        while let Turn::Player(mover) = game.turn(&state) {
            moves.clear();
            if mover == seat {
                told(game, &mut state.clone(), &mut rng, &mut moves);
                game.play(&mut state, moves[0]);
            } else {
                game.moves(&state, &mut moves);
                game.play(&mut state, moves[rng.below(moves.len())]);
            }
        }
        points += f64::midpoint(game.utility(&state, seat), 1.0);
    }
    points / f64::from(games)
}
