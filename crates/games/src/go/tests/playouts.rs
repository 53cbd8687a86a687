//! Random games: their published shares, and that all legal moves are equally likely.

use std::collections::HashMap;

use super::*;

/// Random games, counted: Black's wins, draws, ends by passes, by repetition, and plies.
fn shares<const N: usize>(options: &Options, games: u32) -> [f64; 5] {
    let rules = Go::<N>::new(options).unwrap();
    let (mut rng, mut scratch, start) = (Rng::new(11), Vec::new(), rules.start());
    let mut state = start.clone();
    let mut sums = [0.0; 5];
    for _ in 0..games {
        state.clone_from(&start);
        let plies = rules.playout(&mut state, &mut rng, &mut scratch);
        let utility = rules.utility(&state, 0);
        for (sum, value) in sums.iter_mut().zip([
            f64::from(u8::from(utility > 0.0)),
            f64::from(u8::from(utility == 0.0)),
            f64::from(u8::from(state.passes == 2)),
            f64::from(u8::from(state.repeated)),
            f64::from(plies),
        ]) {
            *sum += value;
        }
    }
    sums.map(|sum| sum / f64::from(games))
}

#[test]
fn random_games_on_five_by_five_come_out_as_published() {
    let games = 300_000;
    // Published shares are rounded to a tenth of a percent; three standard errors on top.
    let near = |seen: f64, known: f64| {
        let error = (known * (1.0 - known) / f64::from(games)).sqrt();
        assert!((seen - known).abs() < 0.0005 + 3.0 * error, "{seen}, but {known} is known");
    };
    for (komi, first, draw) in [(0.5, 0.507, 0.004), (7.5, 0.261, 0.004)] {
        let options = Options { komi, ..Options::sized(5, 5) };
        let [black, draws, passes, repeated, plies] = shares::<1>(&options, games);
        near(black, first);
        near(draws, draw);
        assert_eq!(draws, repeated, "half points leave no other draw");
        assert!((passes - 0.84).abs() < 0.008 && (repeated - 0.003).abs() < 0.001, "{passes}");
        assert!((plies - 35.36).abs() < 0.09, "{plies}");
    }
}

/// The same rules with the playout every game has by default.
struct Plain<'a, const N: usize>(&'a Go<N>);

impl<const N: usize> Game for Plain<'_, N> {
    type State = State<N>;
    type Move = Move;
    type Undo = Undo<N>;

    fn start(&self) -> State<N> {
        self.0.start()
    }
    fn turn(&self, state: &State<N>) -> Turn {
        self.0.turn(state)
    }
    fn moves(&self, state: &State<N>, out: &mut Vec<Move>) {
        self.0.moves(state, out);
    }
    fn apply(&self, state: &mut State<N>, mv: Move) -> Undo<N> {
        self.0.apply(state, mv)
    }
    fn undo(&self, state: &mut State<N>, mv: Move, undo: Undo<N>) {
        self.0.undo(state, mv, undo);
    }
    fn utility(&self, state: &State<N>, player: usize) -> f64 {
        self.0.utility(state, player)
    }
}

/// Chi squared of two samples over what they share, rare ends put together, with its degrees of
/// freedom.
fn chi_squared<K: std::hash::Hash + Eq + Clone>(samples: [&[K]; 2]) -> (f64, usize) {
    let mut counts: HashMap<K, [f64; 2]> = HashMap::new();
    for (i, sample) in samples.iter().enumerate() {
        sample.iter().for_each(|k| counts.entry(k.clone()).or_default()[i] += 1.0);
    }
    let (mut rare, mut classes) = ([0.0; 2], Vec::new());
    for pair in counts.into_values() {
        if pair[0] + pair[1] < 20.0 {
            rare = [rare[0] + pair[0], rare[1] + pair[1]];
        } else {
            classes.push(pair);
        }
    }
    if rare != [0.0; 2] {
        classes.push(rare);
    }
    let chi = classes.iter().map(|[a, b]| (a - b).powi(2) / (a + b)).sum();
    (chi, classes.len() - 1)
}

/// How games from this position end, and how long they are.
fn ends<const N: usize, G: Game<State = State<N>>>(
    game: &G,
    start: &State<N>,
    games: usize,
    seed: u64,
) -> (Vec<String>, Vec<u32>) {
    let (mut rng, mut scratch) = (Rng::new(seed), Vec::new());
    let one = |_| {
        let mut state = start.clone();
        let plies = game.playout(&mut state, &mut rng, &mut scratch);
        assert_eq!(game.turn(&state), Turn::Over);
        let end = (state.stones, state.mover, state.passes, state.repeated);
        (format!("{end:?} {}", game.utility(&state, 0)), plies)
    };
    (0..games).map(one).unzip()
}

fn playouts_agree<const N: usize>(options: &Options, position: &str, games: usize) {
    let rules = Go::<N>::new(options).unwrap();
    let start = if position.is_empty() { rules.start() } else { play(&rules, position, "") };
    let (ours, our_plies) = ends(&rules, &start, games, 1);
    let (plain, plain_plies) = ends(&Plain(&rules), &start, games, 2);
    // Four standard deviations of chi squared above its mean.
    let close = |(chi, freedom): (f64, usize)| {
        chi < freedom as f64 + 4.0 * (2.0 * freedom as f64).sqrt() + 4.0
    };
    let boards = chi_squared([&ours, &plain]);
    let plies = chi_squared([&our_plies, &plain_plies]);
    assert!(close(boards) && close(plies), "{options:?} `{position}`: {boards:?} {plies:?}");
}

#[test]
fn playouts_choose_every_legal_move_equally_often() {
    for repetition in [Repetition::Draw, Repetition::Positional, Repetition::Off] {
        let sized = |width, height| Options { repetition, ..Options::sized(width, height) };
        playouts_agree::<1>(&sized(2, 2), "", 40_000);
        playouts_agree::<1>(&sized(3, 2), "", 40_000);
        playouts_agree::<1>(&sized(5, 5), "", 15_000);
        // A ko that may not be retaken, and a past.
        let ko = "...../...../.XO../X.XO./.XO.. O B2 0 5";
        playouts_agree::<1>(&sized(5, 5), ko, 15_000);
        playouts_agree::<2>(&sized(9, 9), "", 1_000);
        playouts_agree::<8>(&sized(3, 3), "", 10_000);
    }
    let endless = Options { cap: None, ..Options::sized(3, 2) };
    playouts_agree::<1>(&endless, "", 40_000);
    let past = "OO/.O X - 0 6 XA1,OB2,XB1,OA2,XA1,OB1";
    playouts_agree::<1>(&Options { cap: None, ..Options::sized(2, 2) }, past, 20_000);
    let superko = Options { repetition: Repetition::Positional, ..Options::sized(2, 2) };
    playouts_agree::<1>(&superko, past, 20_000);
}
