//! Limits, their checkers and threads.

use std::time::Duration;

use tussle_core::{Limits, Stalls, StopFlag, StopReason, spawn_scoped, time};

#[test]
fn limits_are_combined_and_checked() {
    let second = Duration::from_secs(1);
    let none = Limits::none();
    assert!(none.nodes.is_none() && none.depth.is_none() && none.memory.is_none());
    assert!(none.soft.is_none() && none.hard.is_none() && none.stop.is_none() && !none.is_timed());
    assert_eq!(
        (Limits::time(second).soft, Limits::time(second).hard),
        (Some(second), Some(second))
    );
    assert_eq!((Limits::nodes(5).nodes, Limits::depth(6).depth), (Some(5), Some(6)));
    assert_eq!(Limits::memory(7).memory, Some(7));
    let all = Limits::none().or_time(second).or_nodes(1).or_depth(2).or_memory(3);
    assert_eq!(
        (all.soft, all.nodes, all.depth, all.memory),
        (Some(second), Some(1), Some(2), Some(3))
    );
    assert!(Limits { soft: Some(second), ..Limits::none() }.is_timed());
    assert!(Limits { hard: Some(second), ..Limits::none() }.is_timed());
    for nodes in [0, 1, 5, 1000] {
        let mut checker = Limits::nodes(nodes).checker();
        let stopped = (0..9999).find(|&n| checker.check(n).is_some());
        assert_eq!((stopped, checker.check(nodes)), (Some(nodes), Some(StopReason::Nodes)));
    }
    // A node limit is exact, also between two readings of the clock.
    let mut checker = Limits::nodes(5000).or_time(Duration::from_mins(9)).checker();
    assert_eq!((0..9999).find(|&n| checker.check(n).is_some()), Some(5000));
    let mut checker = Limits::none().checker();
    assert!((0..1000).all(|n| checker.check(n).is_none()) && checker.look().is_none());
}

#[test]
fn clocks_run_from_their_start() {
    let minute = Duration::from_mins(1);
    let started = time::now().checked_sub(Duration::from_secs(50));
    let limits = Limits { started, ..Limits::time(minute) };
    let checker = limits.checker();
    assert!((50..55).contains(&checker.elapsed().as_secs()));
    assert!(!checker.is_late_in(Duration::ZERO) && !checker.is_late_in(Duration::from_secs(4)));
    assert!(checker.is_late_in(Duration::from_secs(11)) && checker.is_late_in(Duration::MAX));
    assert_eq!(checker.look(), None);
    assert!(!Limits::none().checker().is_late_in(Duration::MAX));
    // After the soft limit nothing new is started; the hard limit ends the search.
    let soft = Limits { soft: Some(Duration::ZERO), hard: Some(minute), ..Limits::none() };
    assert!(soft.checker().is_late_in(Duration::ZERO) && soft.checker().look().is_none());
    let hard = Limits { hard: Some(Duration::ZERO), ..Limits::none() };
    assert_eq!(hard.checker().look(), Some(StopReason::Time));
    assert!(!hard.checker().is_late_in(Duration::ZERO));
    let flag = StopFlag::default();
    let stoppable = hard.or_stop(&flag).checker();
    assert!(!flag.is_stopped() && stoppable.look() == Some(StopReason::Time));
    drop(flag.on_drop());
    assert!(flag.is_stopped() && stoppable.look() == Some(StopReason::StopFlag));
    assert_eq!(Stalls::default().total(), Duration::ZERO);
}

/// Fast nodes are rarely checked, yet the clock is read soon after the deadline.
#[test]
fn the_clock_is_read_again_in_time() {
    let limits = Limits::time(Duration::from_millis(30));
    let mut checker = limits.checker();
    let began = time::now();
    let stopped = (0..u64::MAX).find(|&n| checker.check(n).is_some());
    let took = time::since(began);
    assert!(took >= Duration::from_millis(29) && took < Duration::from_secs(5), "{took:?}");
    assert!(stopped.is_some_and(|nodes| nodes > 1000), "{stopped:?}");
}

#[test]
fn threads_do_their_work() {
    let done = StopFlag::default();
    std::thread::scope(|scope| {
        let other = done.clone();
        spawn_scoped(scope, move || other.stop()).expect("a thread");
    });
    assert!(done.is_stopped());
}
