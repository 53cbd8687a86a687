//! Tests of waits, on recorded numbers. Times are in milliseconds.

use super::*;

fn ms(time: f64) -> Duration {
    Duration::from_secs_f64(time.max(0.0) / 1e3)
}

fn thread(cpu: f64, waited: f64, processors: &[usize]) -> ThreadUsage {
    let processors = processors.iter().copied().collect();
    ThreadUsage { cpu: ms(cpu), waited: ms(waited), processors }
}

#[test]
fn a_wait_at_least_as_long_as_the_lateness_excuses_the_player() {
    let waited = |time| Usage { waited: ms(time), withheld: ms(time), ..Usage::default() };
    assert!(waited(10.0).excuses(ms(10.0)));
    assert!(!waited(9.9).excuses(ms(10.0)));
    assert!(!waited(0.0).excuses(ms(0.0)));
    assert!(Usage { stalled: ms(10.0), ..Usage::default() }.excuses(ms(10.0)));
}

#[test]
fn the_thread_that_waited_longest_counts() {
    // The first thread of a Java program sleeps, another one searches, a third one compiles.
    let threads =
        [thread(1.0, 0.2, &[0, 1]), thread(700.0, 310.0, &[0, 1]), thread(60.0, 25.0, &[0, 1])];
    assert_eq!(withheld(&threads, ms(1012.0)), ms(310.0));
    assert_eq!(withheld(&[], ms(1000.0)), Duration::ZERO);
}

#[test]
fn a_wait_for_a_players_own_threads_is_its_own_fault() {
    // Eight threads keep both processors busy.
    let crowd = vec![thread(250.0, 750.0, &[0, 1]); 8];
    assert_eq!(withheld(&crowd, ms(1000.0)), Duration::ZERO);
    // The same threads, while other programs take half of the CPU time.
    let crowd = vec![thread(125.0, 875.0, &[0, 1]); 8];
    assert_eq!(withheld(&crowd, ms(1000.0)), ms(500.0));
    // Two threads that are pinned to one processor, and an idle thread that may run on any.
    let pinned =
        [thread(500.0, 500.0, &[0]), thread(500.0, 500.0, &[0]), thread(0.5, 0.1, &[0, 1])];
    assert_eq!(withheld(&pinned, ms(1000.0)), ms(0.1));
    // One of them alone: other programs use its processor.
    assert_eq!(withheld(&pinned[..1], ms(1000.0)), ms(500.0));
    // Processor numbers may be above 64.
    let far = [thread(500.0, 400.0, &[70]), thread(900.0, 5.0, &[6, 70])];
    assert_eq!(withheld(&far, ms(1000.0)), ms(400.0));
}
