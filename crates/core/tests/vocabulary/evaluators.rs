//! Evaluators and observers.

use tussle_core::{
    Evaluations, Evaluator, Event, EventSink, FnEvaluator, Game, Leaf, NoEvaluation, Observer,
    evaluation_fn,
};

use crate::toys::{Cells, TakenCells};

/// Evaluator with a declared range.
struct RangedEvaluator<E>(E);
impl<E: Evaluator<Cells>> Evaluator<Cells> for RangedEvaluator<E> {
    fn value(&self, game: &Cells, taken: &TakenCells, player: usize) -> f64 {
        self.0.value(game, taken, player)
    }

    fn range(&self, _: &Cells) -> Option<(f64, f64)> {
        Some((-100.0, 100.0))
    }
}

#[test]
fn evaluators_give_rewards_and_a_policy() {
    let game = Cells::default();
    // The middle is worth 50 for the player who took it.
    let middle = |taken: &TakenCells, player: usize| match taken.iter().position(|&cell| cell == 1)
    {
        None => 0.0,
        Some(ply) if ply % 2 == player => 50.0,
        Some(_) => -50.0,
    };
    let evaluator = RangedEvaluator(evaluation_fn(&game, middle));
    let (start, moves) = (game.start(), [0, 1, 2]);
    let taken = vec![1];
    let over = vec![0, 2, 1];
    let leaves = [
        Leaf { state: &start, moves: &moves },
        Leaf { state: &taken, moves: &[] },
        Leaf { state: &over, moves: &[] },
    ];
    let mut out = Evaluations { values: vec![9.0], policy: vec![9.0] };
    evaluator.evaluate(&game, &leaves, &mut out);
    assert_eq!(out.values, [0.5, 0.5, 0.75, 0.25, 0.75, 0.25]);
    // A value higher by a quarter of the range is 2^2.5 times as likely.
    let likely = 2_f32.powf(2.5);
    let sum = likely + 2.0;
    for (found, weight) in out.policy.iter().zip([1.0, likely, 1.0]) {
        assert!((found - weight / sum).abs() < 1e-6, "{:?}", out.policy);
    }
    assert_eq!(out.policy.len(), 3);
    // Points are rewards without conversion, and values of unknown range are mapped to 0..1.
    let points = Cells { points: true, ..game };
    evaluator.evaluate(&points, &leaves[1..2], &mut out);
    assert_eq!((&out.values[..], out.policy.len()), (&[50.0, -50.0][..], 0));
    FnEvaluator::new(middle).evaluate(&game, &leaves[1..2], &mut out);
    assert_eq!(out.values, [0.5 + 25.0 / 60.0, 0.5 - 25.0 / 60.0]);
    assert_eq!(format!("{:?}", FnEvaluator::new(middle)), "FnEvaluator");
    assert_eq!(Evaluator::<Cells>::range(&evaluation_fn(&game, middle), &game), None);
    assert!(!Evaluator::<Cells>::is_antisymmetric(&evaluator));

    // Pointers pass all calls on.
    let by_reference: &dyn Evaluator<Cells> = &&evaluator;
    assert_eq!(by_reference.value(&game, &taken, 0), 50.0);
    assert_eq!(by_reference.range(&game), Some((-100.0, 100.0)));
    let boxed: Box<dyn Evaluator<Cells>> = Box::new(Box::new(NoEvaluation));
    assert!(Evaluator::<Cells>::is_antisymmetric(&&boxed));
    assert_eq!((boxed.value(&game, &taken, 0), boxed.range(&game)), (0.0, Some((0.0, 0.0))));
    out.clear();
    assert_eq!(out, Evaluations::default());
    by_reference.evaluate(&game, &leaves[1..2], &mut out);
    assert_eq!(out.values, [0.75, 0.25]);
}

#[test]
fn observers_receive_every_event_or_none() {
    fn tell<O: Observer<u8>>(observer: &mut O) -> bool {
        observer.event(Event::Select(3));
        observer.is_active()
    }
    let mut heard = Vec::new();
    let mut listen = |event: Event<'_, u8>| {
        if let Event::Select(mv) = event {
            heard.push(mv);
        }
    };
    assert!(!tell(&mut ()));
    assert!(tell(&mut (&mut listen as &mut dyn EventSink<u8>)));
    assert!(tell(&mut Some(&mut listen as &mut dyn EventSink<u8>)));
    assert!(!tell(&mut None::<&mut dyn EventSink<u8>>));
    assert_eq!(heard, [3, 3]);
}
