//! Tests of heavy playouts: they record the moves of a playout and replay them with the rules.

use tussle_core::{Game, Rng, Turn};

/// Heavy playout that appends its moves to a list.
pub(crate) type RecordedPlayout<G> =
    fn(&G, &mut <G as Game>::State, &mut Rng, &mut Vec<<G as Game>::Move>) -> u32;

/// Returns the legal moves.
pub(crate) fn legal<G: Game>(game: &G, state: &G::State) -> Vec<G::Move> {
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    moves
}

/// Returns the state after a move.
pub(crate) fn after<G: Game>(game: &G, state: &G::State, mv: G::Move) -> G::State {
    let mut state = state.clone();
    game.play(&mut state, mv);
    state
}

/// Returns the utility of a move that ends the game for the player who makes it, or `None` if the
/// game continues.
pub(crate) fn final_utility<G: Game>(game: &G, state: &G::State, mv: G::Move) -> Option<f64> {
    let Turn::Player(mover) = game.turn(state) else { return None };
    let after = after(game, state, mv);
    (game.turn(&after) == Turn::Over).then(|| game.utility(&after, mover))
}

/// Plays `games` random games and calls `visit` with one random state of each.
pub(crate) fn random_positions<G: Game>(game: &G, games: u64, mut visit: impl FnMut(&G::State)) {
    for seed in 0..games {
        let (mut rng, mut states) = (Rng::derive(5, &[seed]), vec![game.start()]);
        while game.turn(&states[states.len() - 1]) != Turn::Over {
            let state = &states[states.len() - 1];
            let moves = legal(game, state);
            states.push(after(game, state, moves[rng.below(moves.len())]));
        }
        visit(&states[rng.below(states.len())]);
    }
}

/// Checks the heavy playouts from `games` random positions: each move must be legal, and replaying
/// the moves with [`Game::play`] must give the same result. Calls `visit` with each state and the
/// move that the playout chose there.
pub(crate) fn assert_heavy_games_are_legal<G: Game>(
    game: &G,
    recorded: RecordedPlayout<G>,
    games: u64,
    mut visit: impl FnMut(&G::State, G::Move),
) {
    assert!(game.has_heavy_playout());
    let mut seed = 0;
    random_positions(game, games, |start| {
        seed += 1;
        let mut end = start.clone();
        let mut moves = Vec::new();
        let plies = recorded(game, &mut end, &mut Rng::new(seed), &mut moves);
        assert_eq!(plies as usize, moves.len());
        assert_eq!(game.turn(&end), Turn::Over);

        // `Game::recorded_heavy_playout` plays the same game too.
        let mut record = Vec::new();
        game.recorded_heavy_playout(
            &mut start.clone(),
            &mut Rng::new(seed),
            &mut Vec::new(),
            &mut record,
        );
        assert!(record.iter().map(|&(_, mv)| mv).eq(moves.iter().copied()), "{record:?}");

        let mut state = start.clone();
        for ((player, _), mv) in record.into_iter().zip(moves) {
            assert_eq!(game.turn(&state), Turn::Player(player));
            assert!(legal(game, &state).contains(&mv), "{mv:?} is not legal in {state:?}");
            visit(&state, mv);
            game.play(&mut state, mv);
        }
        assert_eq!(game.turn(&state), Turn::Over, "{state:?} is not over");
        let utilities = |state| [0, 1].map(|player| game.utility(state, player));
        assert_eq!(utilities(&end), utilities(&state));

        // `Game::heavy_playout` records nothing and must play the same game.
        let mut unrecorded = start.clone();
        let mut scratch = legal(game, start);
        let before = scratch.clone();
        assert_eq!(game.heavy_playout(&mut unrecorded, &mut Rng::new(seed), &mut scratch), plies);
        assert_eq!(scratch, before, "the playout changed the contents of its scratch buffer");
        assert_eq!(game.turn(&unrecorded), Turn::Over);
        assert_eq!(utilities(&unrecorded), utilities(&state));
    });
}

/// Checks that a heavy playout plays a winning move whenever there is one. Returns the number of
/// positions with a winning move.
pub(crate) fn assert_every_win_is_taken<G: Game>(
    game: &G,
    recorded: RecordedPlayout<G>,
    games: u64,
) -> u32 {
    let mut wins = 0;
    assert_heavy_games_are_legal(game, recorded, games, |state, chosen| {
        let won = |mv| final_utility(game, state, mv).is_some_and(|utility| utility > 0.0);
        if legal(game, state).into_iter().any(won) {
            assert!(won(chosen), "{chosen:?} in {state:?} misses a win");
            wins += 1;
        }
    });
    wins
}

/// Returns the share of points of an agent that plays the first move of a heavy playout, against
/// random play. The agent alternates between the seats.
pub(crate) fn share_against_random_play<G: Game>(
    game: &G,
    recorded: RecordedPlayout<G>,
    games: u32,
) -> f64 {
    let (mut rng, mut moves, mut points) = (Rng::new(9), Vec::new(), 0.0);
    for n in 0..games {
        let seat = n as usize % 2;
        let mut state = game.start();
        while let Turn::Player(mover) = game.turn(&state) {
            moves.clear();
            if mover == seat {
                recorded(game, &mut state.clone(), &mut rng, &mut moves);
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
