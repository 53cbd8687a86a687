//! Values, bounds, lines and reports.

use std::time::Duration;

use tussle_core::{Bound, Line, Outcome, Payoffs, Report, SearchStats, StopReason, Unit, Value};

#[test]
fn values_know_their_number_unit_and_proof() {
    let [win, draw, loss] = [Value::win(Some(3)), Value::draw(), Value::loss(Some(4))];
    assert_eq!([win, draw, loss].map(Value::number), [1.0, 0.0, -1.0]);
    assert_eq!([win, draw, loss].map(Value::unit), [Unit::Result; 3]);
    assert_eq!([win, draw, loss].map(Value::expected_score), [1.0, 0.5, 0.0]);
    assert_eq!([win, draw, loss].map(Value::distance), [Some(3), None, Some(4)]);
    let outcomes = [Outcome::Win, Outcome::Draw, Outcome::Loss];
    assert_eq!([win, draw, loss].map(Value::outcome), outcomes.map(Some));
    assert_eq!(outcomes.map(Outcome::for_opponent), [Outcome::Loss, Outcome::Draw, Outcome::Win]);
    let plain = win.without_proof();
    assert_eq!((plain.outcome(), plain.distance(), plain.number()), (None, None, 1.0));
    assert_eq!((plain.unit(), plain.expected_score()), (Unit::Result, 1.0));
    let moved = win.with_number(7.0);
    assert_eq!(
        (moved.number(), moved.outcome(), moved.distance()),
        (7.0, Some(Outcome::Win), Some(3))
    );
    assert_eq!((win.with_number(f64::NAN).number(), moved.expected_score()), (0.0, 1.0));
    assert!(win.with_number(-0.0).number().is_sign_positive());
    assert!(win.is_finite() && !Value::BELOW_ALL.is_finite() && !Value::ABOVE_ALL.is_finite());
    assert_eq!((Value::BELOW_ALL.expected_score(), Value::ABOVE_ALL.expected_score()), (0.0, 1.0));
    assert_eq!((Value::ZERO.number(), Value::ZERO.expected_score()), (0.0, 0.5));
    assert_eq!(Value::ZERO.unit(), Unit::Evaluation);
    assert_eq!(loss.for_opponent(), Value::win(Some(4)));
}

#[test]
fn expected_scores_follow_from_the_range() {
    let points = Payoffs { points: true, least: -20.0, most: 20.0, sum: 0.0 };
    let gradually = |x: f64| 0.5 + 0.5 * x / (10.0 + x.abs());
    for x in [-30.0, -1.0, 0.0, 2.5, 10.0, 90.0] {
        assert_eq!(Value::from(x).expected_score(), gradually(x));
        assert_eq!(Value::result(x, &points).expected_score(), gradually(x));
        assert_eq!(Value::result(x, &points).unit(), Unit::Points);
        assert_eq!(Value::mean_reward(x, &points), Value::result(x, &points));
        // An empty range counts as an unknown one.
        assert_eq!(Value::evaluation(x, Some((5.0, 5.0))).expected_score(), gradually(x));
    }
    for (x, score) in [(-50.0, 0.0), (0.0, 0.0), (5.0, 0.25), (10.0, 0.5), (20.0, 1.0), (21.0, 1.0)]
    {
        assert_eq!(Value::evaluation(x, Some((0.0, 20.0))).expected_score(), score, "{x}");
    }
    for (reward, number) in [(0.0, -1.0), (0.25, -0.5), (1.0, 1.0)] {
        let value = Value::mean_reward(reward, &Payoffs::DUEL);
        assert_eq!((value.number(), value.expected_score()), (number, reward));
        assert_eq!(value.unit(), Unit::Result);
        assert_eq!(Value::mean_reward(reward, &Payoffs::SHARED).number(), reward);
    }
    assert_eq!(Value::mean_reward(1.5, &Payoffs::DUEL).expected_score(), 1.0);
    assert_eq!(Value::result(0.0, &Payoffs::DUEL).expected_score(), 0.5);
    assert_eq!(Value::result(0.25, &Payoffs::SHARED).expected_score(), 0.25);
    assert_eq!(Value::from(f64::NEG_INFINITY).expected_score(), 0.0);
    assert_eq!(Value::from(f64::INFINITY).expected_score(), 1.0);
    // In a tie of several players each gets its share; a drawn evaluation scores a half.
    let tie = Value::result(0.25, &Payoffs::SHARED).proven(Outcome::Draw, Some(3));
    assert_eq!((tie.expected_score(), tie.distance()), (0.25, None));
    assert_eq!(Value::from(9.0).proven(Outcome::Draw, None).expected_score(), 0.5);
    assert_eq!(Value::from(9.0).proven(Outcome::Loss, Some(2)).expected_score(), 0.0);
    assert_eq!(Value::from(9.0).proven(Outcome::Loss, Some(2)).distance(), Some(2));
}

#[test]
fn proven_points_are_compared_as_numbers() {
    let points = Payoffs { points: true, least: -20.0, most: 20.0, sum: 0.0 };
    let [small, large] = [3.0, 9.0].map(|x| Value::result(x, &points));
    let won = small.proven(Outcome::Win, Some(1));
    assert!(won < large && won.proven(Outcome::Loss, None) < large);
    assert!(large.proven(Outcome::Loss, None) > small);
    assert_eq!(won.to_string(), "win in 1");
    let [soon, late] = [2, 9].map(|plies| Value::win(Some(plies)));
    assert!(soon > late && late > Value::from(1e300) && soon.for_opponent() < late.for_opponent());
    // Wins of equal or unknown distance are ordered by their numbers.
    assert!(soon.with_number(2.0) > soon && Value::win(None).with_number(0.5) < soon);
    assert_eq!(soon.partial_cmp(&soon.with_number(1.0)), Some(std::cmp::Ordering::Equal));
    assert!(Value::draw() < Value::from(0.1) && Value::draw() > Value::from(-0.1));
}

#[test]
fn bounds_change_sides_for_the_other_player() {
    assert_eq!(Bound::Exact.turned(), Bound::Exact);
    assert_eq!(Bound::Lower.turned(), Bound::Upper);
    assert_eq!(Bound::Upper.turned(), Bound::Lower);
    let [win, draw, loss] = [Value::win(Some(1)), Value::draw(), Value::loss(Some(1))];
    let outcome = |value: Value, bound| value.within(bound).outcome();
    assert_eq!(outcome(loss, Bound::Upper), Some(Outcome::Loss));
    assert_eq!(
        (outcome(draw, Bound::Exact), outcome(draw, Bound::Lower)),
        (Some(Outcome::Draw), None)
    );
    assert_eq!(loss.within(Bound::Upper).distance(), None);
    assert_eq!(loss.within(Bound::Exact).distance(), Some(1));
    assert_eq!((outcome(win, Bound::Upper), win.within(Bound::Upper).number()), (None, 1.0));
}

#[test]
fn lines_and_reports_return_known_values_and_proven_outcomes() {
    let line = Line::new('a', 2.5);
    assert_eq!((line.known_value(), line.bound, line.searched), (Some(2.5), Bound::Exact, true));
    assert_eq!((line.visits, line.sampled, &line.pv[..]), (0, None, &['a'][..]));
    assert_eq!((line.outcome(), line.distance()), (None, None));
    let unknown = Line::unsearched('b', -1.0);
    assert_eq!((unknown.known_value(), unknown.bound), (None, Bound::Lower));
    assert_eq!((unknown.value.number(), unknown.searched), (-1.0, false));
    let won = Line {
        visits: 5,
        values: vec![0.5],
        pv: vec!['c', 'd'],
        ..Line::new('c', Value::win(Some(2)))
    };
    assert_eq!((won.outcome(), won.distance()), (Some(Outcome::Win), Some(2)));

    let report = |lines, stopped| {
        let stats = SearchStats { nodes: 7, ..SearchStats::default() };
        Report::new(lines, stats, stopped, Duration::from_secs(3))
    };
    let drawn = Line::new('e', Value::draw());
    let empty = report(vec![], StopReason::Proven);
    assert_eq!((empty.best(), empty.outcome()), (None, None));
    assert_eq!(report(vec![line.clone()], StopReason::Proven).outcome(), None);
    // A winning move proves a win at once; a draw or loss is proven only at the end.
    assert_eq!(report(vec![won.clone()], StopReason::Time).outcome(), Some(Outcome::Win));
    assert_eq!(report(vec![drawn.clone()], StopReason::Time).outcome(), None);
    let whole = report(vec![drawn, won.clone()], StopReason::Proven);
    assert_eq!((whole.best(), whole.outcome()), (Some(&'e'), Some(Outcome::Draw)));
    let told = whole.map(|pv| pv.iter().map(char::to_ascii_uppercase).collect());
    assert_eq!((told.best(), told.stats.nodes, told.stopped), (Some(&'E'), 7, StopReason::Proven));
    assert_eq!(told.elapsed, Duration::from_secs(3));
    let expected = Line { mv: 'C', pv: vec!['C', 'D'], ..won };
    assert_eq!(told.lines[1], expected);
}
